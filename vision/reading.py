"""The container that crosses every border: what one photo shows, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

from scoring import Board, Color, Die

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Alternative:
    """One thing a cell may hold.

    ``color`` and ``value`` are both None for an empty cell.
    """

    color: Color | None
    value: int | None
    probability: float

    def to_json(self) -> dict[str, object]:
        """Return the alternative as in ``sagrada read --json``."""
        return {
            "color": self.color.value if self.color else None,
            "value": self.value,
            "probability": round(self.probability, 4),
        }


@dataclass(frozen=True)
class CellReading:
    """What one of the 20 cells holds, and how sure that is.

    ``row`` and ``column`` count from 0; ``color`` and ``value`` are None for an empty cell.
    ``confidence`` is the probability, in [0, 1], that color, value and emptiness are all right.
    ``alternatives`` are the other candidates, likeliest first.
    """

    row: int
    column: int
    color: Color | None
    value: int | None
    confidence: float
    doubtful: bool
    alternatives: tuple[Alternative, ...] = ()

    @property
    def die(self) -> Die | None:
        """The die in the cell, None when it is empty."""
        if self.color is None or self.value is None:
            return None
        return Die(self.color, self.value)

    def to_json(self) -> dict[str, object]:
        """Return the cell as in ``sagrada read --json``."""
        return {
            "row": self.row,
            "column": self.column,
            "color": self.color.value if self.color else None,
            "value": self.value,
            "confidence": round(self.confidence, 4),
            "doubtful": self.doubtful,
            "alternatives": [a.to_json() for a in self.alternatives],
        }


@dataclass(frozen=True)
class WindowGuess:
    """The window pattern card that the open cells and the dice point to."""

    name: str
    probability: float


@dataclass(frozen=True)
class Reading:
    """Everything read from one photo.

    ``size`` is (width, height) of the upright photo in pixels. ``corners`` are those of the
    4 x 5 lattice on the frame's surface, in pixels of the upright photo, in board order: top
    left, top right, bottom right, bottom left. ``cells`` are 20, row by row. ``pattern`` is
    the print of the open cells in pattern notation with ``?`` under a die. ``upright_probability``
    is how sure it is that row A is on the side of the frame's art, in [0.5, 1].
    ``unclear_prints`` are the open cells, (row, column) from 0, whose print a person should look at.
    """

    size: tuple[int, int]
    corners: Corners
    cells: tuple[CellReading, ...]
    pattern: str
    window: WindowGuess | None
    upright_probability: float
    other_windows: int
    seconds: float
    unclear_prints: tuple[tuple[int, int], ...] = ()

    @property
    def board(self) -> Board:
        """The dice as the rules see them."""
        rows = [[self.cells[5 * r + c].die for c in range(5)] for r in range(4)]
        return Board(tuple(tuple(row) for row in rows))

    def cell(self, row: int, column: int) -> CellReading:
        """Return the cell at ``row`` (0-3) and ``column`` (0-4)."""
        return self.cells[5 * row + column]

    def to_json(self) -> dict[str, object]:
        """Return the reading as in ``sagrada read --json``, without the photo's name."""
        return {
            "seconds": round(self.seconds, 3),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "board": str(self.board),
            "pattern": self.pattern,
            "window": None
            if self.window is None
            else {"name": self.window.name, "probability": round(self.window.probability, 4)},
            "upright_probability": round(self.upright_probability, 4),
            "other_windows": self.other_windows,
            "cells": [cell.to_json() for cell in self.cells],
        }
