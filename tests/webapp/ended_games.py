"""Games that were played to the end, put straight into the database of an application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring import Board, Color, PublicObjective, Tool
from webapp.domain.games.game import Game, Seat, Stage
from webapp.domain.record import Choices, Record
from webapp.storage.games import GameStore
from webapp.storage.readings import ReadingStore

RULEBOOK = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
"""40 points with the cards of the rulebook's example and purple."""

FULL = "Y5 R6 R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
EMPTY = " / ".join(["-- -- -- -- --"] * 4)
EXAMPLE = (
    PublicObjective.COLUMN_COLOR_VARIETY,
    PublicObjective.LIGHT_SHADES,
    PublicObjective.COLOR_VARIETY,
)


@dataclass(frozen=True)
class At:
    """A player at the table: what the window holds when the game ends."""

    name: str
    board: str = RULEBOOK
    private: str | None = "P"
    favor: int = 0
    window: str = "Fractal Drops"
    files: tuple[tuple[str, bytes], ...] = ()


def put_game(
    store: GameStore,
    readings: ReadingStore,
    players: Sequence[At],
    *,
    public: Sequence[PublicObjective] = EXAMPLE,
    tools: Sequence[Tool] = (),
    solo: bool = False,
    target: int | None = None,
    second_private: Color | None = None,
    order_known: bool = False,
    revealed: bool = True,
) -> tuple[Game, str]:
    """Play a game and return it with the token of its host."""
    made, token = store.create(solo=solo)
    for one in players:
        store.join(made.code, one.name)
    seated = store.update(
        made.code,
        lambda game: replace(
            game,
            public=tuple(public),
            tools=tuple(tools),
            target=target,
            second_private=second_private,
            order_known=order_known,
        ),
    )
    for seat, one in zip(seated.seats, players, strict=True):
        if one.files:
            window = readings.create(dict(one.files))
            store.swap_window(made.code, seat.number, window, device=[seat.token])
    seated = store.load(made.code)
    for seat, one in zip(seated.seats, players, strict=True):
        _play(readings, seat, one)
    if revealed:
        seated = store.update(made.code, lambda game: replace(game, stage=Stage.REVEALED))
    return seated, token


def _play(readings: ReadingStore, seat: Seat, one: At) -> None:
    """Put dice and choices into the window of a seat."""

    def end(record: Record) -> Record:
        private = Color(one.private) if one.private else None
        choices = Choices(record.choices.public, private, one.window, one.favor)
        return replace(record, board=Board.parse(one.board), choices=choices)

    readings.update(seat.record_id, end)
