"""Games in the database, with the windows of their players."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.orm import Session

from scoring import Color, HouseRule, PublicObjective, Tool
from webapp.companion.errors import BrokenRecordError, NotFoundError
from webapp.companion.games import codes
from webapp.companion.games.game import Game, Gone, Link, Seat, Stage, Use, joined, left
from webapp.companion.games.kept import Ended, Kept
from webapp.companion.games.moving import with_new_window
from webapp.companion.record import Choices, Record
from webapp.companion.same_card import brought_along
from webapp.store.database import Database
from webapp.store.readings import Store
from webapp.store.tables import GameRow, SeatRow

SCHEMA = 1


class GameStore:
    """The games of one database; ``readings`` keeps their windows."""

    def __init__(self, database: Database, readings: Store) -> None:
        self._database = database
        self._readings = readings

    def create(self, *, solo: bool = False) -> tuple[Game, str]:
        """Return a new game without players, and the token of its host."""
        token = codes.new_token()
        with self._database.begin() as session:
            code = codes.new_code()
            while session.scalar(select(exists().where(GameRow.code == code))):
                code = codes.new_code()
            game = Game(code, codes.hashed(token), solo=solo)
            session.add(
                GameRow(code=code, created=datetime.now(UTC), revealed=None, host=game.host, **_columns(game))
            )
        return game, token

    def load(self, code: str) -> Game:
        """Return the game, or raise `NotFoundError`."""
        with self._database.read() as session:
            return _game(_row(session, code), _seats(session, code))

    def update(self, code: str, change: Callable[[Game], Game]) -> Game:
        """Replace the game by ``change(game)``, one revision further, and return it."""
        with self._database.begin() as session:
            return self.update_within(session, code, lambda game, _: change(game))

    def update_within(self, session: Session, code: str, change: Callable[[Game, Session], Game]) -> Game:
        """Do as `update` does, in a transaction of the caller that ``change`` is given, too."""
        row = _row(session, code, lock=True)
        before = _game(row, _seats(session, code))
        after = change(before, session)
        if after == before:
            return before
        after = replace(after, revision=before.revision + 1)
        for column, value in _columns(after).items():
            setattr(row, column, value)
        if after.stage is not before.stage:
            row.revealed = datetime.now(UTC) if after.is_revealed else None
        self._put_seats(session, before, after)
        session.flush()
        return after

    def join(self, code: str, name: str, *, by_host: bool = False) -> tuple[Game, str]:
        """Return the game with one more player and the token for the player's device."""
        token = codes.new_token()

        def sit_down(game: Game, session: Session) -> Game:
            choices = Choices(public=game.public)
            window = self._readings.create({}, session=session, choices=choices)
            return joined(game, name, record_id=window.id, token=codes.hashed(token), by_host=by_host)

        with self._database.begin() as session:
            return self.update_within(session, code, sit_down), token

    def leave(self, code: str, number: int) -> Game:
        """Take a player out of the game, with window and photo for good."""

        def stand_up(game: Game, session: Session) -> Game:
            after, seat = left(game, number), game.seat(number)
            session.execute(delete(SeatRow).where(SeatRow.record_id == seat.record_id))
            self._readings.delete(seat.record_id, session=session)
            return after

        with self._database.begin() as session:
            return self.update_within(session, code, stand_up)

    def swap_window(self, code: str, number: int, made: Record, *, device: Collection[str]) -> Game:
        """Give a seat the window that was just made from a photo; of the old one only the choices stay.

        A card that the photo itself contradicts does not stay either, see `webapp.companion.same_card`.
        """

        def swap(game: Game, session: Session) -> Game:
            after = with_new_window(game, number, made.id, device=device)
            old = self._readings.load(game.seat(number).record_id, session=session, lock=True)
            self._readings.update(made.id, lambda new: brought_along(new, old.choices), session=session)
            row = session.get_one(SeatRow, (code, number))
            row.record_id = made.id
            session.flush()
            self._readings.delete(old.id, session=session)
            return after

        with self._database.begin() as session:
            return self.update_within(session, code, swap)

    def change_window(
        self, code: str, number: int, change: Callable[[Game, Record], tuple[Game, Record]]
    ) -> Game:
        """Change a game and the window of one seat together."""

        def both(game: Game, session: Session) -> Game:
            record_id = game.seat(number).record_id
            after: list[Game] = []

            def window(record: Record) -> Record:
                changed, window = change(game, record)
                after.append(changed)
                return window

            self._readings.update(record_id, window, session=session)
            return after[0]

        with self._database.begin() as session:
            return self.update_within(session, code, both)

    def delete(self, code: str) -> None:
        """Remove a game with the windows and photos of its players for good."""
        with self._database.begin() as session:
            row = _row(session, code, lock=True)
            ids = [seat.record_id for seat in _seats(session, code)]
            session.execute(delete(SeatRow).where(SeatRow.game == code))
            for record_id in ids:
                self._readings.delete(record_id, session=session)
            session.delete(row)

    def windows(self, game: Game) -> dict[int, Record]:
        """Return the window of each seat, by its number; one that cannot be understood is left out."""
        found = {record.id: record for record in self._readings.load_known(s.record_id for s in game.seats)}
        return {seat.number: found[seat.record_id] for seat in game.seats if seat.record_id in found}

    def of_window(self, record_id: str) -> tuple[Game, Seat] | None:
        """Return the game and the seat that a window belongs to, None for one without a table."""
        with self._database.read() as session:
            code = session.scalar(select(SeatRow.game).where(SeatRow.record_id == record_id))
            if code is None:
                return None
            game = _game(_row(session, code), _seats(session, code))
        return game, next(seat for seat in game.seats if seat.record_id == record_id)

    def of_device(self, tokens: Collection[str]) -> list[Kept]:
        """Return the games in which a device has a part, given the SHA-256 of its tokens, newest first."""
        if not tokens:
            return []
        seated = select(SeatRow.game).where(SeatRow.token.in_(tokens))
        with self._database.read() as session:
            rows = session.scalars(
                select(GameRow)
                .where(or_(GameRow.host.in_(tokens), GameRow.code.in_(seated)))
                .order_by(GameRow.created.desc())
            ).all()
            return [Kept(_game(row, _seats(session, row.code)), row.created) for row in rows]

    def in_use(self, tokens: Collection[str]) -> set[str]:
        """Return those of the tokens, as SHA-256, with which a device is a host or has a seat."""
        with self._database.read() as session:
            hosts = session.scalars(select(GameRow.host).where(GameRow.host.in_(tokens)))
            seats = session.scalars(select(SeatRow.token).where(SeatRow.token.in_(tokens)))
            return {*hosts, *seats}

    def ended(self, code: str | None = None) -> list[Ended]:
        """Return the revealed games, newest first, or only the one with this code.

        All of it is of one moment: what was closed again meanwhile is not seen. A game that cannot be
        understood is left out.
        """
        wanted = select(GameRow.code).where(GameRow.revealed.is_not(None))
        if code is not None:
            wanted = wanted.where(GameRow.code == code)
        with self._database.read() as session:
            listed = session.scalars(wanted.order_by(GameRow.revealed.desc(), GameRow.code)).all()
            return [ended for one in listed for ended in self._ended(session, one)]

    def _ended(self, session: Session, code: str) -> list[Ended]:
        try:
            row = _row(session, code)
            game = _game(row, _seats(session, code))
        except (BrokenRecordError, ValueError):  # the latter says that the state is no JSON
            return []
        windows: dict[int, Record] = {}
        for seat in game.seats:
            with suppress(NotFoundError, BrokenRecordError):
                windows[seat.number] = self._readings.load(seat.record_id, session=session)
        return [Ended(game, windows, row.created, row.revealed)] if row.revealed else []

    def _put_seats(self, session: Session, before: Game, after: Game) -> None:
        """Write what changed at the seats, and the table's public objectives into every window."""
        known = {seat.number for seat in before.seats}
        for place, seat in enumerate(after.seats):
            if seat.number in known:
                row = session.get_one(SeatRow, (after.code, seat.number))
                row.place, row.name, row.ready = place, seat.name, seat.ready
            else:
                session.add(
                    SeatRow(
                        game=after.code,
                        number=seat.number,
                        place=place,
                        name=seat.name,
                        token=seat.token,
                        record_id=seat.record_id,
                        ready=seat.ready,
                        former=[],
                    )
                )
        if after.public != before.public:
            for seat in after.seats:
                self._readings.update(
                    seat.record_id, lambda record: record.with_public(after.public), session=session
                )


def _row(session: Session, code: str, *, lock: bool = False) -> GameRow:
    row = None
    if codes.is_code(code):
        row = session.get(GameRow, code, with_for_update=True if lock else None)
    if row is None:
        raise NotFoundError("game_missing")
    return row


def _seats(session: Session, code: str) -> list[SeatRow]:
    return list(session.scalars(select(SeatRow).where(SeatRow.game == code).order_by(SeatRow.place)))


def _columns(game: Game) -> dict[str, Any]:
    """Return those columns of the row that a change can alter."""
    state = {
        "solo": game.solo,
        "stage": game.stage.value,
        "order_known": game.order_known,
        "public": [card.value for card in game.public],
        "tools": [card.value for card in game.tools],
        "house_rules": [rule.value for rule in game.house_rules],
        "uses": [{"tool": use.tool.value, "seat": use.seat, "tokens": use.tokens} for use in game.uses],
        "target": game.target,
        "second_private": game.second_private.value if game.second_private else None,
        "next_number": game.next_number,
        "closed": game.closed,
        "changed": game.changed,
        "gone": [{"number": one.number, "name": one.name, "former": list(one.former)} for one in game.gone],
    }
    return {"revision": game.revision, "schema": SCHEMA, "state": state}


def _game(row: GameRow, seats: list[SeatRow]) -> Game:
    if row.schema != SCHEMA:
        raise BrokenRecordError("broken_game")
    try:
        state = dict(row.state)
        second = state.pop("second_private")
        return Game(
            code=row.code,
            host=row.host,
            revision=row.revision,
            seats=tuple(_seat(one) for one in seats),
            stage=Stage(state.pop("stage")),
            public=tuple(PublicObjective(name) for name in state.pop("public")),
            tools=tuple(Tool(name) for name in state.pop("tools")),
            house_rules=tuple(HouseRule(name) for name in state.pop("house_rules", ())),
            uses=tuple(Use(Tool(one["tool"]), one["seat"], one["tokens"]) for one in state.pop("uses")),
            second_private=Color(second) if second else None,
            gone=tuple(
                Gone(one["number"], one["name"], tuple(one["former"])) for one in state.pop("gone")
            ),
            **state,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenRecordError("broken_game") from error


def _seat(row: SeatRow) -> Seat:
    link = Link(row.link, row.link_expires) if row.link and row.link_expires else None
    return Seat(row.number, row.name, row.record_id, row.token, row.ready, link, tuple(row.former))
