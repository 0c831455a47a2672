"""What people do with a photo of the whole table; the pages and the JSON interface both come here."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring import Die, PublicObjective, Tool
from scoring.game.setup import MOST_PLAYERS
from vision.reading import Point
from webapp.services import record as changes
from webapp.services import table_photo
from webapp.services.errors import InputError, NotFoundError
from webapp.services.games.game import FEWEST_PLAYERS, Game, checked_name
from webapp.services.judging import Judgement
from webapp.services.quotas import Kind
from webapp.services.record import ChoicesChange, Record
from webapp.services.table_photo import MOST_PUBLIC, Purpose, TablePhoto, tools_of
from webapp.web import context, cookies, game_actions, photos, quotas, table_reading
from webapp.web.access import find, find_for_host, game_of, games, grant
from webapp.web.language import gettext

_SCORING = threading.Lock()


def take(content: bytes | Record, purpose: Purpose, target: str | None = None) -> TablePhoto:
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
    public = cookies.table_choices().public if purpose is Purpose.SCORE else ()
    return photos.take_in_table(content, purpose, target, public)


def load(photo_id: str) -> TablePhoto:
    """Return a photo of the table; its reading goes on if it was cut off."""
    return table_reading.looked_at(context.tables().load(photo_id))


def windows(photo: TablePhoto) -> list[Record]:
    """Return the windows of a photo that are still there, in the order of their numbers."""
    return context.store().load_known(photo.windows)


def points_of(photo: TablePhoto, judgement: Judgement) -> int | None:
    """Return the points of a window; None before they say anything, and where they would tell secrets."""
    return judgement.total if photo.purpose is Purpose.SCORE else None


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


def name_of(photo: TablePhoto, number: int, record: Record) -> str:
    """Return what the player of a window is called."""
    return photo.names.get(record.id) or gettext("Window %(number)s", number=number)


def score(photo_id: str) -> Game:
    """Make a game of the windows and end it; on this device everybody's window can be opened.

    Raises
    ------
    InputError
        There are too few or too many windows, two players have one name, or objectives are missing.
    """
    with _SCORING:  # who taps twice gets one game
        return _score(load(photo_id))


def _score(photo: TablePhoto) -> Game:
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
    if len(photo.public) < MOST_PUBLIC:
        raise InputError("cards_missing")
    named = [(name_of(photo, number, record), record.id) for number, record in chosen]
    quotas.demand_room(Kind.GAME)
    game, tokens = games().of_windows(named, photo.public, tools_of(photo.cards))
    for token in reversed(tokens):
        grant(token)
    context.tables().update(photo.id, lambda newest: replace(newest, game=game.code))
    return game


def made_game(photo: TablePhoto) -> Game | None:
    """Return the game that was made of a photo's windows, None without one or when it is gone."""
    if photo.game is None:
        return None
    try:
        return games().load(photo.game)
    except NotFoundError:
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
        game = games().fill(game.code, fresh)

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
    seats = games().windows(game)
    return {number: numbers[one] for number, one in table_photo.offered(seats, found).items()}


def may_be_another_table(photo: TablePhoto) -> bool:
    """Tell whether none of the windows looks like what a seat of the game has already."""
    seats = games().windows(find(photo.target or "")).values()
    return table_photo.is_another_table(seats, windows(photo))


def put_target(photo_id: str) -> Game:
    """Let the dice on the round track be the target of the solo game."""
    photo = load(photo_id)
    game = _game_for(photo, Purpose.TRACK)
    if not photo.track:
        raise InputError("no_dice_on_track")
    return game_actions.put_cards(game.code, game.revision, target=photo.sum_of_track)


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
