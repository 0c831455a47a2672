"""How a game lies in the database: a row with its state, and a row for each seat."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from scoring import Color, HouseRule, Lift, PublicObjective, Tool, ToolEffect
from webapp.companion.errors import BrokenRecordError, NotFoundError
from webapp.companion.games import codes
from webapp.companion.games.game import Dealt, Game, Gone, Link, Seat, Stage, Use
from webapp.companion.games.rounds import Round, Turn
from webapp.companion.listed import private_as_listed
from webapp.store.tables import GameRow, SeatRow, state_of

SCHEMA = 1
IN_COLUMNS = {"code", "host", "revision", "seats"}


def row_of(session: Session, code: str, *, lock: bool = False) -> GameRow:
    """Return the row of a game, locked against other changes where that is asked for."""
    row = None
    if codes.is_code(code):
        row = session.get(GameRow, code, with_for_update=True if lock else None)
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


def columns_of(game: Game) -> dict[str, Any]:
    """Return those columns of the row that a change can alter."""
    state = state_of(game, IN_COLUMNS)
    return {"host": game.host, "revision": game.revision, "schema": SCHEMA, "state": state}


def new_row_of(game: Game) -> GameRow:
    """Return the row of a game that begins now."""
    return GameRow(code=game.code, created=datetime.now(UTC), revealed=None, **columns_of(game))


def game_of(row: GameRow, seats: list[SeatRow]) -> Game:
    """Return the game that these rows hold, or raise `BrokenRecordError`."""
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
            tools=tuple(_tool(told) for told in state.pop("tools")),
            house_rules=tuple(HouseRule(name) for name in state.pop("house_rules", ())),
            uses=tuple(_use(one) for one in state.pop("uses")),
            second_private=private_as_listed(second) if second else None,
            gone=tuple(Gone(one["number"], one["name"], tuple(one["former"])) for one in state.pop("gone")),
            dealt=tuple(_dealt(one) for one in state.pop("dealt", ())),
            play=_round(state.pop("play", None)),
            **state,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenRecordError("broken_game") from error


def _tool(told: str | dict[str, Any]) -> Tool:
    """Return a tool by its name; one that somebody added is told whole, as it may be gone by now."""
    if isinstance(told, str):
        return Tool(told)
    lifts = frozenset(map(Lift, told["lifts"]))
    return Tool.apart(told["name"], ToolEffect(told["effect"]), Color(told["color"]), lifts)


def _use(told: dict[str, Any]) -> Use:
    return Use(_tool(told["tool"]), told["seat"], told["tokens"], told.get("round"))


def _dealt(told: dict[str, Any]) -> Dealt:
    return Dealt(told["seat"], tuple(told["windows"]), told["private"])


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
