"""Games in the database, with the windows of their players.

A game is a row with its state, and a row for each seat. Whoever changes a game changes a `Game`; its rows
follow. What a revealed game adds up to takes milliseconds, and everybody who looks at the history asks for
all of them, so `EndedGames` works each out once for as long as nothing in it changes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import Session

from scoring import HouseRule, PublicObjective, Tool, WindowPattern
from webapp.domain.errors import BrokenRecordError, InputError, NotFoundError
from webapp.domain.games import codes
from webapp.domain.games import game as changes
from webapp.domain.games.cards import check_over, missing_objectives, rematch
from webapp.domain.games.game import LINK_LIFETIME, Dealt, Game, Gone, Link, Round, Seat, Stage, Turn, Use
from webapp.domain.games.result import Ended
from webapp.domain.history import Play, play
from webapp.domain.payloads import private_as_listed
from webapp.domain.quotas import Kind
from webapp.domain.record import Choices, Record, brought_along, with_public, with_tokens_told
from webapp.storage.database import Database, GameRow, PlayerRow, ReadingRow, SeatRow, TablePhotoRow, state_of
from webapp.storage.own_cards import tool_of
from webapp.storage.readings import ReadingStore

SCHEMA = 1
GAMES_A_PAGE = 20
IN_COLUMNS = {"code", "host", "revision", "seats"}


def row_of(session: Session, code: str, *, lock: bool = False) -> GameRow:
    """Return the row of a game, locked against other changes where that is asked for."""
    row = session.get(GameRow, code, with_for_update=lock or None) if codes.is_code(code) else None
    if row is None:
        raise NotFoundError("game_missing")
    return row


def free_code(session: Session) -> str:
    """Return a code that no game has."""
    code = codes.new_code()
    while session.scalar(select(exists().where(GameRow.code == code))):
        code = codes.new_code()
    return code


def seats_of(session: Session, code: str) -> list[SeatRow]:
    """Return the rows of a game's seats, along the table."""
    return list(session.scalars(select(SeatRow).where(SeatRow.game == code).order_by(SeatRow.place)))


def put(row: GameRow, game: Game) -> GameRow:
    """Return the row, which holds the game from now on."""
    row.host, row.revision = game.host, game.revision
    row.schema, row.state = SCHEMA, state_of(game, IN_COLUMNS)
    return row


def new_row_of(game: Game) -> GameRow:
    """Return the row of a game that begins now."""
    return put(GameRow(code=game.code, created=datetime.now(UTC), revealed=None), game)


def game_of(session: Session, row: GameRow) -> Game:
    """Return the game that this row and those of its seats hold, or raise `BrokenRecordError`."""
    if row.schema != SCHEMA:
        raise BrokenRecordError("broken_game")
    seats = seats_of(session, row.code)
    try:
        state = dict(row.state)
        second = state.pop("second_private")
        return Game(
            code=row.code,
            host=row.host,
            revision=row.revision,
            seats=tuple(map(_seat, seats)),
            stage=Stage(state.pop("stage")),
            public=tuple(PublicObjective(name) for name in state.pop("public")),
            tools=tuple(tool_of(told) for told in state.pop("tools")),
            house_rules=tuple(HouseRule(name) for name in state.pop("house_rules", ())),
            uses=tuple(
                Use(tool_of(one["tool"]), one["seat"], one["tokens"], one.get("round"))
                for one in state.pop("uses")
            ),
            second_private=private_as_listed(second) if second else None,
            gone=tuple(Gone(one["number"], one["name"], tuple(one["former"])) for one in state.pop("gone")),
            dealt=tuple(
                Dealt(one["seat"], tuple(one["windows"]), one["private"]) for one in state.pop("dealt", ())
            ),
            play=_round(state.pop("play", None)),
            **state,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenRecordError("broken_game") from error


def _round(told: dict[str, Any] | None) -> Round | None:
    if told is None:
        return None
    left_at = told["left_at"]
    turns = {"turn": Turn(**told["turn"]), "left_at": Turn(**left_at) if left_at else None}
    return Round(**{**told, **turns})


def _seat(row: SeatRow) -> Seat:
    link = Link(row.link, row.link_expires) if row.link and row.link_expires else None
    return Seat(row.number, row.name, row.record_id, row.token, row.ready, link, tuple(row.former))


def seat_row_of(code: str, place: int, seat: Seat) -> SeatRow:
    """Return the row of a seat of a game."""
    return SeatRow(
        game=code,
        number=seat.number,
        place=place,
        name=seat.name,
        token=seat.token,
        record_id=seat.record_id,
        ready=seat.ready,
        link=seat.link.secret if seat.link else None,
        link_expires=seat.link.expires if seat.link else None,
        former=list(seat.former),
    )


@dataclass(frozen=True)
class Invitation:
    """A link for a seat: the secret that is in it, shown this once, and until when it holds."""

    seat: Seat
    secret: str
    expires: datetime


class GameStore:
    """The games of one database; ``readings`` keeps their windows."""

    def __init__(self, database: Database, readings: ReadingStore) -> None:
        self._database = database
        self._readings = readings

    def create(self, *, solo: bool = False) -> tuple[Game, str]:
        """Return a new game without players, and the token of its host."""
        token = codes.new_token()
        with self._database.begin() as session:
            game = Game(free_code(session), codes.hashed(token), solo=solo)
            session.add(new_row_of(game))
        return game, token

    def again(self, code: str, *, same_cards: bool) -> Game:
        """Return the next game of the same people: a new one, or the one that somebody made already."""
        with self._database.begin() as session:
            row = row_of(session, code, lock=True)
            before = game_of(session, row)
            if before.next is not None:
                return game_of(session, row_of(session, before.next))
            check_over(before)
            choices = Choices(public=before.public if same_cards else ())
            windows = {seat.number: self._readings.create({}, choices=choices).id for seat in before.seats}
            game = rematch(before, free_code(session), windows, same_cards=same_cards)
            session.add(new_row_of(game))
            session.flush()
            session.add_all(seat_row_of(game.code, place, seat) for place, seat in enumerate(game.seats))
            put(row, _followed_by(before, game.code))
        return game

    def load(self, code: str) -> Game:
        """Return the game, or raise `NotFoundError`."""
        with self._database.read() as session:
            return game_of(session, row_of(session, code))

    def update(self, code: str, change: Callable[[Game], Game]) -> Game:
        """Replace the game by ``change(game)``, one revision further, and return it.

        What ``change`` does to windows belongs to the same transaction.
        """
        with self._database.begin() as session:
            row = row_of(session, code, lock=True)
            before = game_of(session, row)
            after = change(before)
            if after == before:
                return before
            after = replace(after, revision=before.revision + 1)
            put(row, after)
            if after.stage is not before.stage:
                row.revealed = datetime.now(UTC) if after.is_revealed else None
            for place, seat in enumerate(after.seats):
                session.merge(seat_row_of(code, place, seat))
            session.flush()  # a window that is deleted takes the seat with it whose row names it
            kept = {seat.record_id for seat in after.seats}
            for seat in before.seats:
                if seat.record_id not in kept:
                    self._readings.delete(seat.record_id)
            if after.public != before.public:
                for seat in after.seats:
                    self._readings.update(seat.record_id, lambda record: with_public(record, after.public))
            return after

    def join(self, code: str, name: str, *, by_host: bool = False) -> tuple[Game, str]:
        """Return the game with one more player and the token for the player's device."""
        token = codes.new_token()

        def sit_down(game: Game) -> Game:
            window = self._readings.create({}, choices=Choices(public=game.public))
            return changes.joined(game, name, record_id=window.id, token=codes.hashed(token), by_host=by_host)

        return self.update(code, sit_down), token

    def of_windows(
        self,
        named: Sequence[tuple[str, str]],
        public: tuple[PublicObjective, ...],
        tools: tuple[Tool, ...],
        *,
        other_card: bool,
    ) -> tuple[Game, list[str]]:
        """Return a new game that ends at once, and the tokens of its host and of its players.

        ``named`` is the name of each player with the id of the window that belongs to the seat.
        """
        made, host = self.create()
        tokens = [codes.new_token() for _ in named]

        def sit_down(game: Game) -> Game:
            for (name, record_id), token in zip(named, tokens, strict=True):
                self._readings.update(record_id, with_tokens_told)
                game = changes.joined(game, name, record_id=record_id, token=codes.hashed(token))
            game = replace(game, public=public, tools=tools, other_card=other_card)
            return changes.revealed(game, missing_cards=missing_objectives(game), anyway=True)

        try:
            return self.update(made.code, sit_down), [host, *tokens]
        except BaseException:
            self.delete(made.code)
            raise

    def fill(self, code: str, windows: Mapping[int, str]) -> Game:
        """Give seats the windows that were read in a photo of the whole table, each a copy with its own id.

        The host sends such a photo and knows the ids in it; what a player goes on to choose stays hidden.
        """

        def swap(game: Game) -> Game:
            changes.before_reveal(game)
            for number, record_id in windows.items():
                seat = game.seat(number)
                new = self._readings.copied(record_id)
                choices = self._readings.load(seat.record_id, lock=True).choices
                own = replace(brought_along(new, choices), part_of=None)  # nothing leads back to the photo
                self._readings.update(new.id, _to(own))
                game = changes.with_seat(game, replace(seat, record_id=new.id, ready=False))
            return game

        return self.update(code, swap)

    def leave(self, code: str, number: int) -> Game:
        """Take a player out of the game, with window and photo for good."""
        return self.update(code, lambda game: changes.left(game, number))

    def invite(self, code: str, number: int) -> Invitation:
        """Make a link that brings a seat to another device."""
        secret, now = codes.new_token(), datetime.now(UTC)
        game = self.update(code, lambda game: changes.invited(game, number, codes.hashed(secret), now))
        return Invitation(game.seat(number), secret, now + LINK_LIFETIME)

    def move_seat(self, code: str, secret: str, device: Collection[str]) -> tuple[Game, str | None]:
        """Return the game after a device opened a link, and the device's new token when the seat moved.

        The window gets another id, so that a lost phone opens nothing any more. A host who takes a player's
        seat cannot do so unseen: as long as the game is kept, the player's device says that the seat moved,
        also after the reveal and when the player was taken out, and everybody else sees a mark at the seat as
        long as it is there.
        """
        if not codes.TOKEN_PATTERN.fullmatch(secret):
            raise InputError("link_used_up")
        token, now = codes.new_token(), datetime.now(UTC)
        new = codes.hashed(token)

        def move(game: Game) -> Game:
            after = changes.moved(game, codes.hashed(secret), now, token=new, device=device)
            for seat in after.seats:
                if seat.token == new:
                    window = self._readings.copied(seat.record_id)
                    return changes.with_seat(after, replace(seat, record_id=window.id))
            return after

        after = self.update(code, move)
        return after, token if any(seat.token == new for seat in after.seats) else None

    def swap_window(self, code: str, number: int, made: Record, *, device: Collection[str]) -> Game:
        """Give a seat the window that was just made from a photo; of the old one only the choices stay.

        A card that the photo itself contradicts does not stay either, see `webapp.domain.record.settled`.
        """

        def swap(game: Game) -> Game:
            after = changes.with_new_window(game, number, made.id, device=device)
            old = self._readings.load(game.seat(number).record_id, lock=True)
            self._readings.update(made.id, lambda new: brought_along(new, old.choices))
            return after

        return self.update(code, swap)

    def change_window(
        self, code: str, number: int, change: Callable[[Game, Record], tuple[Game, Record]]
    ) -> Game:
        """Change a game and the window of one seat together."""

        def one(game: Game, windows: dict[int, Record]) -> tuple[Game, dict[int, Record]]:
            after, changed = change(game, windows[number])
            return after, {number: changed}

        return self.change_windows(code, one, number)

    def change_windows(
        self,
        code: str,
        change: Callable[[Game, dict[int, Record]], tuple[Game, dict[int, Record]]],
        number: int | None = None,
    ) -> Game:
        """Change a game and the windows of all its seats together, or of one; seats go by their numbers."""

        def all_of_it(game: Game) -> Game:
            seats = game.seats if number is None else (game.seat(number),)
            windows = {seat.number: self._readings.load(seat.record_id, lock=True) for seat in seats}
            after, changed = change(game, windows)
            for window in changed.values():
                self._readings.update(window.id, _to(window))
            return after

        return self.update(code, all_of_it)

    def delete(self, code: str) -> None:
        """Remove a game with the windows and photos of its players for good."""
        self._database.make_room()
        with self._database.begin() as session:
            self._forget_next(session, row := row_of(session, code, lock=True))
            for record_id in [seat.record_id for seat in seats_of(session, code)]:
                self._readings.delete(record_id)
            session.delete(row)

    def windows(self, game: Game) -> dict[int, Record]:
        """Return the window of each seat, by its number; one that cannot be understood is left out."""
        ids = [seat.record_id for seat in game.seats]
        found = {record.id: record for record in self._readings.load_known(ids)}
        return {seat.number: found[seat.record_id] for seat in game.seats if seat.record_id in found}

    def of_window(self, record_id: str) -> tuple[Game, Seat] | None:
        """Return the game and the seat that a window belongs to, None for one without a table."""
        with self._database.read() as session:
            code = session.scalar(select(SeatRow.game).where(SeatRow.record_id == record_id))
            if code is None:
                return None
            game = game_of(session, row_of(session, code))
        return game, next(seat for seat in game.seats if seat.record_id == record_id)

    def of_device(self, tokens: Collection[str]) -> list[tuple[Game, datetime]]:
        """Return the games of a device with these tokens (SHA-256), newest first, and when each was begun."""
        if not tokens:
            return []
        seated = select(SeatRow.game).where(SeatRow.token.in_(tokens))
        with self._database.read() as session:
            rows = session.scalars(
                select(GameRow)
                .where(or_(GameRow.host.in_(tokens), GameRow.code.in_(seated)))
                .order_by(GameRow.created.desc())
            ).all()
            return [(game_of(session, row), row.created) for row in rows]

    def in_use(self, tokens: Collection[str]) -> set[str]:
        """Return those of the tokens, as SHA-256, with which a device is a host or has a seat."""
        with self._database.read() as session:
            hosts = session.scalars(select(GameRow.host).where(GameRow.host.in_(tokens)))
            seats = session.scalars(select(SeatRow.token).where(SeatRow.token.in_(tokens)))
            return {*hosts, *seats}

    def ended(self, code: str) -> Ended | None:
        """Return a revealed game with its windows, all of one moment; None where there is none to look at."""
        with self._database.read() as session:
            try:
                row = row_of(session, code)
                game = game_of(session, row)
            except (NotFoundError, BrokenRecordError, ValueError):  # the latter: the state is no JSON
                return None
            return Ended(game, self.windows(game), row.created, row.revealed) if row.revealed else None

    def _forget_next(self, session: Session, row: GameRow) -> None:
        """Let the game before the one of this row know none after it: people may begin another one."""
        with suppress(NotFoundError, BrokenRecordError):
            if follows := row.state.get("follows"):
                before = row_of(session, follows, lock=True)
                put(before, _followed_by(game_of(session, before), None))


def _followed_by(game: Game, code: str | None) -> Game:
    return replace(game, next=code, revision=game.revision + 1)


def _to(window: Record) -> Callable[[Record], Record]:
    return lambda _: window


Version: TypeAlias = tuple[object, ...]
"""Equal as long as a game, its windows and the moment of its reveal are the same."""


class EndedGames:
    """What became of the games in ``games``, which lie in ``database``."""

    def __init__(self, database: Database, games: GameStore) -> None:
        self._database = database
        self._games = games
        self._lock = threading.Lock()  # what several ask for is worked out by the first
        self._known: Mapping[str, WindowPattern] = {}
        self._plays: dict[str, tuple[Version, Play | None]] = {}

    def plays(self, known: Mapping[str, WindowPattern]) -> list[Play]:
        """Return the revealed games that can be understood, newest first, all of one moment."""
        with self._lock, self._database.read() as session:
            held = self._plays if known == self._known else {}
            now: dict[str, tuple[Version, Play | None]] = {}
            for code, version in _versions(session).items():
                before = held.get(code)
                if before is None or before[0] != version:
                    ended = self._games.ended(code)
                    before = version, play(ended, known) if ended else None
                now[code] = before
            self._known, self._plays = known, now
        return [found for _, found in now.values() if found is not None]


def _versions(session: Session) -> dict[str, Version]:
    """Return the version of each revealed game by its code, the newest first."""
    rows = session.execute(
        select(GameRow.code, GameRow.revealed, GameRow.revision, ReadingRow.id, ReadingRow.revision)
        .outerjoin(SeatRow, SeatRow.game == GameRow.code)
        .outerjoin(ReadingRow, ReadingRow.id == SeatRow.record_id)
        .where(GameRow.revealed.is_not(None))
        .order_by(GameRow.revealed.desc(), GameRow.code, SeatRow.place)
    )
    versions: dict[str, Version] = {}
    for code, *parts in rows:
        versions[code] = (*versions.get(code, ()), *parts)
    return versions


@dataclass(frozen=True)
class KnownGame:
    """A game as its list names it: its code, when it began and was revealed, and who plays."""

    code: str
    created: datetime
    revealed: datetime | None
    players: tuple[str, ...]


def games(database: Database, page: int) -> Sequence[KnownGame]:
    """Return a page of all games, from 1, the newest first."""
    wanted = select(GameRow.code, GameRow.created, GameRow.revealed).order_by(
        GameRow.created.desc(), GameRow.code
    )
    with database.read() as session:
        found = session.execute(wanted.offset(GAMES_A_PAGE * (page - 1)).limit(GAMES_A_PAGE)).all()
        seats = session.execute(
            select(SeatRow.game, SeatRow.name)
            .where(SeatRow.game.in_([row[0] for row in found]))
            .order_by(SeatRow.place)
        ).all()
    return [
        KnownGame(code, created, revealed, tuple(name for game, name in seats if game == code))
        for code, created, revealed in found
    ]


ROWS = {
    Kind.WINDOW_READ: ReadingRow,
    Kind.TABLE: TablePhotoRow,
    Kind.GAME: GameRow,
    Kind.PLAYER: PlayerRow,
}


def totals(database: Database) -> dict[Kind, int]:
    """Return how much there is of each kind that is in the database."""
    with database.read() as session:
        return {
            kind: session.scalar(select(func.count()).select_from(row)) or 0 for kind, row in ROWS.items()
        }
