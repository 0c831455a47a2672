"""A photo of the whole table: read in the background, put right by people, and made a game of.

Each window is kept as soon as it is read. A reading that was cut off, because the server stopped, begins anew
when somebody asks for the photo; what an earlier attempt left is taken over or goes.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from scoring import Die, PublicObjective, Tool
from scoring.game.setup import MOST_PLAYERS
from vision.errors import VisionError
from vision.reading import Corners, Point, Reading
from vision.table import TableReading
from webapp.domain import record as changes
from webapp.domain import table_photo
from webapp.domain.errors import InputError, NotFoundError
from webapp.domain.games import cards
from webapp.domain.games.game import FEWEST_PLAYERS, Game, checked_name
from webapp.domain.judging import Judgement
from webapp.domain.quotas import Kind
from webapp.domain.record import Choices, ChoicesChange, Failure, Record, settled, with_public
from webapp.domain.table_photo import NotRead, Purpose, Stage, TablePhoto
from webapp.services import access, context, games, photos
from webapp.services.access import find, find_for_host, game_of, game_store
from webapp.services.context import queue
from webapp.storage.files import SHOWN, UPRIGHT, At
from webapp.workers.work import table_looked

logger = logging.getLogger(__name__)

SAME_WINDOW = 0.1  # of a window's width: corners no farther apart than this are those of one window


class GivenUpError(Exception):
    """The photo is gone, or another attempt reads it."""


def begin(photo_id: str) -> None:
    """Read a photo as soon as a worker has time, unless that is under way here."""
    queue().begin(photo_id, partial(_read, photo_id))


def looked_at(photo: TablePhoto) -> TablePhoto:
    """Return the photo; when its reading was cut off, that begins anew."""
    if not photo.is_read and queue().was_left(photo.created):
        begin(photo.id)
    return photo


def _read(photo_id: str) -> None:
    with suppress(NotFoundError):
        attempt = _Attempt(photo_id)
        try:
            attempt.read()
        except (GivenUpError, NotFoundError):
            attempt.give_up()


class _Attempt:
    """One reading of a photo: it writes what it reads until another attempt does."""

    def __init__(self, photo_id: str) -> None:
        self._name = secrets.token_hex(4)
        self._photo = context.tables().update(
            photo_id, lambda newest: newest if newest.is_read else replace(newest, attempt=self._name)
        )
        self._made: dict[str, Corners] = {}  # where the window of each record lies

    def read(self) -> None:
        """Read the photo, and keep all that was read whatever fails."""
        if self._photo.is_read:
            return
        try:
            self._finish()
        except VisionError as error:
            self._keep(stage=Stage.FAILED, failure=Failure.of(error))
        except GivenUpError:
            raise
        except Exception:
            logger.exception("The photo of a table could not be read to its end.")
            self._keep(stage=Stage.FAILED, failure=Failure("table_not_finished"))

    def give_up(self) -> None:
        """Take away what nobody will ever find; what another attempt took over stays."""
        newest = context.tables().load_known([self._photo.id])
        for record_id in self._made:
            if not any(record_id in photo.windows for photo in newest):
                self._forget(record_id)

    def _keep(self, **fields: Any) -> TablePhoto:  # noqa: ANN401
        return self._change(lambda newest: replace(newest, **fields))

    def _change(self, change: Callable[[TablePhoto], TablePhoto]) -> TablePhoto:
        def if_ours(newest: TablePhoto) -> TablePhoto:
            if newest.attempt != self._name:
                raise GivenUpError
            return change(newest)

        try:
            return context.tables().update(self._photo.id, if_ours)
        except NotFoundError as gone:
            raise GivenUpError from gone

    def _progress(self, total: int, reading: Reading | None) -> None:
        if reading is not None:
            self._record_of(reading)
        # What an earlier attempt read stays until this one has come to its end.
        self._keep(expected=total, windows=tuple(dict.fromkeys((*self._made, *self._photo.windows))))

    def _record_of(self, reading: Reading) -> str:
        """Return the id of the record of a window, which is made unless there is one."""
        for record_id, corners in self._made.items():
            if _is_near(corners, reading.corners):
                return record_id
        made = _record_of_window(self._photo, reading)
        self._made[made.id] = reading.corners
        return made.id

    def _finish(self) -> None:
        content = context.tables().file(self._photo.id, UPRIGHT)
        known = tuple(context.known_windows().values())
        work = partial(
            table_looked,
            context.kept().table_reader,
            content,
            windows=known,
            profile=context.known_profiles(),
        )
        table, advice = queue().workers.call(work, self._progress)
        read = tuple(dict.fromkeys(self._record_of(one) for one in table.windows))
        if table.windows:
            self._agree(read, mirrored=table.windows[0].mirrored)
        others = context.store().load_known({*self._photo.windows, *self._made} - set(read))
        put_right = (one for one in others if one.checked or {*one.changed} - {"public"})
        windows = (*read, *(one.id for one in put_right))
        if self._photo.purpose is Purpose.PLACE and len(windows) == 1:
            _bring_card(self._photo.target, windows[0])

        def done(newest: TablePhoto) -> TablePhoto:
            return replace(
                newest,
                stage=Stage.DONE,
                windows=windows,
                loose_dice=table.loose_dice,
                cards=table.cards,
                unread=tuple(NotRead(one.what, Failure.of(one.reason), one.center) for one in table.unread),
                public=self._public(newest, table),
                advice=advice,
            )

        # Whoever sees that all is read must see the points, too.
        counted = self._public(context.tables().load(self._photo.id), table)
        self._count(windows, counted)
        if self._photo.purpose is Purpose.SEATS:
            self._put_on_table(table_photo.objectives_of(table.cards))
        after = self._change(done)
        if after.public != counted:
            self._count(windows, after.public)
        for one in others:
            if one.id not in windows:
                self._forget(one.id)

    def _put_on_table(self, public: tuple[PublicObjective, ...]) -> None:
        """Put the public objectives in the photo of a game on its table, where nobody has chosen any."""

        def put(newest: Game) -> Game:
            if newest.public or newest.is_revealed:
                return newest
            return cards.with_cards(newest, newest.revision, public=public)

        with suppress(NotFoundError, InputError):  # somebody may delete the game right now
            game_store().update(self._photo.target or "", put)

    def _public(self, newest: TablePhoto, table: TableReading) -> tuple[PublicObjective, ...]:
        """Return the public objectives: those that somebody chose meanwhile, or else those that were read."""
        if newest.purpose is not Purpose.SCORE or newest.public != self._photo.public:
            return newest.public
        return table_photo.objectives_of(table.cards) or newest.public

    def _count(self, windows: Collection[str], public: tuple[PublicObjective, ...]) -> None:
        if self._photo.purpose is Purpose.SCORE:
            for record_id in windows:
                with suppress(NotFoundError):  # somebody may delete it right now
                    context.store().update(record_id, lambda newest: with_public(newest, public))

    def _agree(self, record_ids: Sequence[str], *, mirrored: bool) -> None:
        """Let windows look mirrored, or not, as all of the photo do."""

        def agree(newest: Record) -> Record:
            if newest.reading is None or newest.reading.mirrored == mirrored:
                return newest
            return replace(newest, reading=replace(newest.reading, mirrored=mirrored))

        for record_id in record_ids:
            with suppress(NotFoundError):  # somebody may delete it right now
                context.store().update(record_id, agree)

    def _forget(self, record_id: str) -> None:
        """Delete a window that is none, unless somebody is on its page since it was read alone."""
        if record_id != self._photo.target:
            with suppress(NotFoundError):  # gone already
                context.store().delete(record_id)


def _record_of_window(photo: TablePhoto, reading: Reading) -> Record:
    """Return the record of a window: that of an earlier look, with all that people changed, or a new one."""
    for record in context.store().load_known(photo.windows):
        if _is_same(record, reading.corners):
            return _anew(record, replace(reading, size=photo.size))
    tables = context.tables()
    return context.store().create(
        {name: tables.same_file(photo.id, name) for name in (UPRIGHT, SHOWN)},
        size=photo.size,
        board=reading.board,
        reading=replace(reading, size=photo.size),
        choices=Choices(public=photo.public),
        part_of=photo.id,
    )


def _anew(record: Record, reading: Reading) -> Record:
    """Return the record, with this reading where the one before was of a photo that was mirrored."""
    if record.reading is None or not record.reading.mirrored or reading.mirrored:
        return record
    return context.store().update(
        record.id,
        lambda newest: changes.turned_back(newest, newest.revision, reading, newest.photo_hash or ""),
    )


def _bring_card(before: str | None, record_id: str) -> None:
    """Let the card that was chosen for an earlier photo of the same window come along; see `settled`."""
    chosen = [one.choices for one in context.store().load_known([before or ""]) if one.choices.names_a_card]

    def change(newest: Record) -> Record:
        if newest.choices.names_a_card:
            return newest
        choices, left = settled(replace(newest.choices, window=chosen[0].window), newest.reading)
        return replace(newest, choices=choices, card_before=left)

    if chosen:
        with suppress(NotFoundError):  # somebody may delete it right now
            context.store().update(record_id, change)


def _is_same(record: Record, corners: Corners) -> bool:
    """Tell whether a record's window was read where these corners are; people may have put others by hand."""
    read = [record.reading, record.earlier.reading if record.earlier else None]
    return any(one is not None and _is_near(one.corners, corners) for one in read)


def _is_near(ours: Corners, theirs: Corners) -> bool:
    """Tell whether these are the corners of one window, either way up."""
    one, other = np.array(ours), np.array(theirs)
    apart = min(float(np.abs(one - turned).max()) for turned in (other, np.roll(other, 2, axis=0)))
    return apart < SAME_WINDOW * float(np.linalg.norm(one[1] - one[0]))


_SCORING = threading.Lock()


def take(
    content: bytes | Record, purpose: Purpose, target: str | None = None, photo_id: str | None = None
) -> TablePhoto:
    """Keep a photo of the table and begin to read it; of a window that was read in one, return that one.

    Raises
    ------
    UnreadPhotoError
        The bytes are no photo.
    ForbiddenError, NotFoundError
        The game or the window that it is for is not here, or not this device's to change.
    """
    if isinstance(content, Record) and content.part_of:
        for taken in context.tables().load_known([content.part_of]):
            return taken
    if purpose in {Purpose.SEATS, Purpose.TRACK}:
        game = find_for_host(target or "")
        if (purpose is Purpose.TRACK) is not game.solo:
            raise InputError("only_in_solo" if purpose is Purpose.TRACK else "bad_request")
    elif purpose is Purpose.POOL:
        context.store().load(target or "")
    elif purpose is Purpose.SCORE:
        target = None
    public = context.visitor().public if purpose is Purpose.SCORE else ()
    return _taken_in(content, purpose, target, public, photo_id)


def _taken_in(
    content: bytes | Record,
    purpose: Purpose,
    target: str | None,
    public: tuple[PublicObjective, ...],
    photo_id: str | None,
) -> TablePhoto:
    """Store the photo; a window that was read in it becomes one of its windows, unless a seat has it."""
    for known in context.tables().load_known([photo_id] if photo_id else []):
        return known
    access.demand_room(Kind.TABLE)
    windows: tuple[str, ...] = ()
    files: Mapping[str, bytes | At]
    if isinstance(content, Record):
        size = content.size or (1, 1)
        target = target or content.id
        files = {name: context.store().same_file(content.id, name) for name in (UPRIGHT, SHOWN)}
        if content.reading is not None and game_of(content.id) is None:
            windows = (content.id,)
    else:
        queue().demand_room()
        with photos.unread():
            made = photos.opened_table(content)
        size, files = made.size, photos.files_of(made)
    photo = context.tables().create(
        files,
        thing_id=None if isinstance(content, Record) else photo_id,
        size=size,
        purpose=purpose,
        target=target,
        public=public,
        windows=windows,
    )
    if isinstance(content, Record) and game_of(content.id) is None:
        context.store().update(content.id, lambda newest: replace(newest, part_of=photo.id))
    begin(photo.id)
    return photo


def load(photo_id: str) -> TablePhoto:
    """Return a photo of the table; its reading goes on if it was cut off."""
    return looked_at(context.tables().load(photo_id))


def windows(photo: TablePhoto) -> list[Record]:
    """Return the windows of a photo that are still there, in the order of their numbers."""
    return context.store().load_known(photo.windows)


def points_of(photo: TablePhoto, judgement: Judgement) -> int | None:
    """Return the points of a window; None before they say anything, and where they would tell secrets."""
    return judgement.total if photo.purpose is Purpose.SCORE else None


def looks_mirrored(photo: TablePhoto) -> bool:
    """Tell whether the windows in the photo look mirrored."""
    return photo.is_read and any(one.reading and one.reading.mirrored for one in windows(photo))


def turn_back(photo_id: str) -> None:
    """Exchange left and right of a photo that looks mirrored, and read it and all its windows anew.

    Names, objectives and tokens of its windows stay, and so does all of another photo. Raises
    `UnreadPhotoError` where the photo cannot be opened any more.
    """
    photo = load(photo_id)
    if not looks_mirrored(photo):
        return
    with photos.unread():
        made = photos.opened_table(context.tables().file(photo_id, UPRIGHT), mirrored=True)
    here: list[str] = []

    def change(newest: TablePhoto) -> TablePhoto:
        if newest.flipped != photo.flipped or not newest.is_read:
            return newest  # somebody else was quicker
        here[:] = newest.windows
        context.tables().add_files(photo_id, photos.files_of(made))
        return table_photo.turned_back(newest)

    context.tables().update(photo_id, change)
    for record_id in here:
        with suppress(NotFoundError):  # somebody may delete it right now
            context.store().add_files(record_id, photos.files_of(made))
            context.store().update(record_id, lambda newest: changes.flipped(newest, made.hash))
    if here:
        begin(photo_id)


def put_die(photo_id: str, revision: int, index: int | None, die: Die | None, at: Point) -> TablePhoto:
    """Put a loose die right, add one, or take one away; see `table_photo.with_die`."""
    return context.tables().update(
        photo_id, lambda newest: table_photo.with_die(newest, revision, index, die, at)
    )


def put_public(photo_id: str, public: Sequence[PublicObjective]) -> TablePhoto:
    """Choose the public objectives for all windows of a photo; those of a game are chosen at its table."""
    if made_game(load(photo_id)):
        raise InputError("table_decides")
    return _counted(context.tables().update(photo_id, lambda newest: table_photo.with_public(newest, public)))


def _counted(photo: TablePhoto) -> TablePhoto:
    """Count the windows of a photo with its public objectives; a game that was made of them has its own."""
    for record in [] if made_game(photo) else windows(photo):
        context.store().update(record.id, lambda newest: changes.with_public(newest, photo.public))
    return photo


def settle_card(photo_id: str, card: PublicObjective | Tool, *, is_right: bool) -> TablePhoto:
    """Note whether a card that was read with doubt is what it looks like."""
    photo = context.tables().update(
        photo_id, lambda newest: table_photo.with_card(newest, card, is_right=is_right)
    )
    return _counted(photo)


def put_window(photo_id: str, number: int, choices: ChoicesChange, name: str | None = None) -> TablePhoto:
    """Note what belongs to a window: its player's name, private objective and favor tokens."""
    photo = load(photo_id)
    record = _window(photo, number)
    known = context.known_windows()
    context.store().update(
        record.id, lambda newest: changes.apply(newest, newest.revision, choices=choices, known=known)
    )
    if name is None:
        return photo
    called = checked_name(name) if name.strip() else ""
    return context.tables().update(
        photo_id, lambda newest: replace(newest, names={**newest.names, record.id: called})
    )


def leave_out(photo_id: str, number: int, *, out: bool) -> TablePhoto:
    """Note whether a window is not one of this game; it stays in the photo."""
    record = _window(load(photo_id), number)

    def change(newest: TablePhoto) -> TablePhoto:
        others = tuple(one for one in newest.left_out if one != record.id)
        return replace(newest, left_out=(*others, record.id) if out else others)

    return context.tables().update(photo_id, change)


def playing(photo: TablePhoto) -> list[tuple[int, Record]]:
    """Return the windows of the game with their numbers."""
    return [
        (number, record)
        for number, record in enumerate(windows(photo), start=1)
        if record.id not in photo.left_out
    ]


def score(photo_id: str, unnamed: Callable[[int], str]) -> Game:
    """Make a game of the windows and end it; on this device everybody's window can be opened.

    Raises
    ------
    InputError
        There are too few or too many windows, two players have one name, or objectives are missing.
    """
    with _SCORING:  # who taps twice gets one game
        return _score(load(photo_id), unnamed)


def _score(photo: TablePhoto, unnamed: Callable[[int], str]) -> Game:
    if photo.purpose is not Purpose.SCORE:
        raise InputError("bad_request")
    if made := made_game(photo):
        return made
    chosen = playing(photo)
    if not photo.is_read:
        raise InputError("table_being_read")
    if len(chosen) < FEWEST_PLAYERS:
        raise InputError("players_missing")
    if len(chosen) > MOST_PLAYERS:
        raise InputError("too_many_windows")
    other_card = any(one.choices.other_points is not None for _, one in chosen)
    if len(photo.public) + other_card < table_photo.MOST_PUBLIC:
        raise InputError("cards_missing")
    if len(photo.public) + other_card > table_photo.MOST_PUBLIC:
        raise InputError("too_many_objectives")
    named = [(photo.names.get(one.id) or unnamed(number), one.id) for number, one in chosen]
    access.demand_room(Kind.GAME)
    game, tokens = game_store().of_windows(
        named, photo.public, table_photo.tools_of(photo.cards), other_card=other_card
    )
    for token in reversed(tokens):
        context.visitor().grant(token)
    context.tables().update(photo.id, lambda newest: replace(newest, game=game.code))
    return game


def made_game(photo: TablePhoto) -> Game | None:
    """Return the game that was made of a photo's windows, None without one or when it is gone."""
    with suppress(NotFoundError):
        return game_store().load(photo.game) if photo.game else None
    return None


def fill_seats(photo_id: str, wanted: Mapping[int, int]) -> Game:
    """Give each seat the window with this number; seats that have it from this photo already keep it.

    Raises
    ------
    InputError
        Two seats are to have one window, or there is no such window or seat.
    """
    photo = load(photo_id)
    game = _game_for(photo, Purpose.SEATS)
    if len(set(wanted.values())) < len(wanted):
        raise InputError("window_twice")
    chosen = {number: _window(photo, window).id for number, window in wanted.items()}
    fresh = {number: one for number, one in chosen.items() if photo.seated.get(str(number)) != one}
    for number in fresh:
        game.seat(number)
    if fresh:
        game = game_store().fill(game.code, fresh)

        def seated(newest: TablePhoto) -> TablePhoto:
            given = {str(number): one for number, one in chosen.items()}
            # Who had a window that is another one's now has none of this photo any more.
            before = {seat: one for seat, one in newest.seated.items() if one not in given.values()}
            return replace(newest, seated={**before, **given})

        context.tables().update(photo_id, seated)
    return game


def offered(photo: TablePhoto) -> dict[int, int]:
    """Return the number of the window that each seat of the game is offered, by the seat's number."""
    found = windows(photo)
    numbers = {record.id: number for number, record in enumerate(found, start=1)}
    game = find(photo.target or "")
    seated = {seat.number: photo.seated.get(str(seat.number)) for seat in game.seats}
    if any(seated.values()):
        return {number: numbers[one] for number, one in seated.items() if one in numbers}
    seats = game_store().windows(game)
    return {number: numbers[one] for number, one in table_photo.offered(seats, found).items()}


def may_be_another_table(photo: TablePhoto) -> bool:
    """Tell whether none of the windows looks like what a seat of the game has already."""
    seats = game_store().windows(find(photo.target or "")).values()
    return table_photo.is_another_table(seats, windows(photo))


def put_target(photo_id: str) -> Game:
    """Let the dice on the round track be the target of the solo game."""
    photo = load(photo_id)
    game = _game_for(photo, Purpose.TRACK)
    if not photo.track:
        raise InputError("no_dice_on_track")
    return games.put_cards(game.code, game.revision, target=photo.sum_of_track)


def delete(photo_id: str) -> None:
    """Remove a photo with its windows for good; those of a game stay with the game."""
    photo = context.tables().load(photo_id)
    for record in windows(photo):
        if game_of(record.id) is None:
            context.store().delete(record.id)
        else:
            context.store().update(record.id, lambda newest: replace(newest, part_of=None))
    context.tables().delete(photo_id)


def private_of(photo: TablePhoto, record: Record) -> str | None:
    """Return the letter of a window's private objective, None where it would tell secrets."""
    return record.choices.private_name if photo.purpose is Purpose.SCORE else None


def _game_for(photo: TablePhoto, purpose: Purpose) -> Game:
    """Return the host's game that a photo is for, or raise `InputError` when it is for something else."""
    game = find_for_host(photo.target or "") if photo.purpose in {Purpose.SEATS, Purpose.TRACK} else None
    if game is None or photo.purpose is not purpose:
        raise InputError("bad_request")
    return game


def _window(photo: TablePhoto, number: int) -> Record:
    found = windows(photo)
    if not 1 <= number <= len(found):
        raise InputError("no_such_window")
    return found[number - 1]
