"""Readings written out by hand, for tests that need one without a photo."""

from __future__ import annotations

from collections.abc import Iterable

from scoring import Board, cell_from_name
from vision import CellReading, Corners, Reading
from vision.reading import WindowGuess

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
) -> Reading:
    """Return a reading of ``board`` (notation) in which the cells named in ``doubtful`` are flagged."""
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
    )
