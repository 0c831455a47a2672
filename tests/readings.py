"""Readings written out by hand, for tests that need one without a photo."""

from __future__ import annotations

from collections.abc import Iterable

from scoring import Board, Die, PublicObjective, cell_from_name
from vision import CellReading, Corners, Reading
from vision.reading import Alternative, Point, Tokens, WindowGuess
from vision.table import CardReading, LooseDie, Place, TableReading, Unread

BOARD = "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
SQUARE: Corners = ((100.0, 100.0), (600.0, 100.0), (600.0, 500.0), (100.0, 500.0))
"""A window seen from straight above, 100 pixels a cell."""


def reading_of(
    board: str = BOARD,
    corners: Corners = SQUARE,
    doubtful: Iterable[str] = (),
    window: str | None = None,
    other_windows: int = 0,
    upright_probability: float = 0.99,
    pattern: str = "????? / ????? / ????? / ?????",
    unclear_prints: Iterable[str] = (),
    *,
    unlike_dice: bool = False,
    mirrored: bool = False,
    tokens: int = 0,
) -> Reading:
    """Return a reading of ``board`` (notation) in which the cells named in ``doubtful`` are flagged.

    ``tokens`` favor tokens lie below the window.
    """
    flagged = {cell_from_name(name) for name in doubtful}
    cells = []
    for row, dice in enumerate(Board.parse(board).rows):
        for column, die in enumerate(dice):
            doubt = (row, column) in flagged
            cells.append(
                CellReading(
                    row=row,
                    column=column,
                    color=die.color if die else None,
                    value=die.value if die else None,
                    confidence=0.6 if doubt else 0.99,
                    doubtful=doubt,
                )
            )
    return Reading(
        size=(800, 600),
        corners=corners,
        cells=tuple(cells),
        pattern=pattern,
        window=WindowGuess(window, 0.9) if window else None,
        upright_probability=upright_probability,
        other_windows=other_windows,
        seconds=0.2,
        unclear_prints=tuple(cell_from_name(name) for name in unclear_prints),
        unlike_dice=unlike_dice,
        mirrored=mirrored,
        tokens=Tokens(tuple((200.0 + 80 * k, 560.0) for k in range(tokens)), 60.0, 0.95, doubtful=False)
        if tokens
        else None,
    )


# --- A whole table ---------------------------------------------------------------------------------

PLACES: tuple[Corners, ...] = tuple(
    ((x, y), (x + 200.0, y), (x + 200.0, y + 160.0), (x, y + 160.0))
    for x, y in (
        *((20.0, 20.0), (400.0, 20.0), (20.0, 300.0), (400.0, 300.0), (580.0, 420.0)),
        *((20.0, 470.0), (200.0, 180.0)),
    )
)
"""Where windows lie in a photo of 800 x 600 pixels, none near another one."""


def table_of(
    *windows: Reading,
    dice: Iterable[LooseDie] = (),
    cards: Iterable[CardReading] = (),
    unread: Iterable[Unread] = (),
) -> TableReading:
    """Return the reading of a photo of 800 x 600 pixels."""
    return TableReading(
        size=(800, 600),
        windows=windows,
        unread=tuple(unread),
        seconds=0.4,
        loose_dice=tuple(dice),
        cards=tuple(cards),
    )


def loose(
    die: str,
    center: Point = (300.0, 250.0),
    *,
    doubtful: bool = False,
    place: Place | None = None,
    round_: int | None = None,
    others: Iterable[str] = (),
) -> LooseDie:
    """Return a loose die, in notation; ``others`` are what it may be instead."""
    seen = Die.parse(die)
    return LooseDie(
        color=seen.color,
        value=seen.value,
        confidence=0.6 if doubtful else 0.99,
        doubtful=doubtful,
        alternatives=tuple(
            Alternative(one.color, one.value, 0.2) for one in (Die.parse(text) for text in others)
        ),
        center=center,
        size=24.0,
        place=place,
        round=round_,
    )


def card_at(name: str, x: float = 250.0, *, doubtful: bool = False) -> CardReading:
    """Return a public objective card whose left edge is at ``x``."""
    corners: Corners = ((x, 200.0), (x + 60.0, 200.0), (x + 60.0, 290.0), (x, 290.0))
    return CardReading(PublicObjective(name).value, 0.6 if doubtful else 0.99, doubtful, corners)
