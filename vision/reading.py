"""The container that crosses every border: what one photo shows, cell by cell.

As JSON a reading is what ``sagrada read --json`` prints, without the photo's name, and ``from_json`` takes
all of it back. Whoever makes a reading rounds its numbers to what they mean, so that JSON need not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Self

from scoring import COLUMNS, ROWS, Board, Color, Die, parse_open_cells
from scoring.board import ALL_CELLS, Cell, cell_from_name, cell_name
from scoring.sentences import english
from vision.errors import VisionError

DIGITS = 4
"""Decimals of a probability in a reading."""


Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]


def as_probability(number: float) -> float:
    """Return the number as a float; raise ValueError unless it is one from 0 to 1."""
    if not 0 <= number <= 1:
        raise ValueError(number)
    return float(number)


def _content(data: Mapping[str, Any]) -> tuple[Color | None, int | None]:
    if data["color"] is None and data["value"] is None:
        return None, None
    die = Die(Color(data["color"]), data["value"])
    return die.color, die.value


def _demand_same(data: Mapping[str, Any], said: Mapping[str, object]) -> None:
    """Raise ValueError unless the data says what was made of it, in the same types."""
    for key, value in said.items():
        if data[key] != value or isinstance(data[key], bool) != isinstance(value, bool):
            raise ValueError(key)


class Stored(ABC):
    """What goes out as plain data by `to_json` and comes back by `from_json`."""

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """Return it as in ``sagrada read --json``."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return what `to_json` gave; raises as `Reading.from_json` does."""
        try:
            data = cls._completed(data)
            made = cls._of(data)
            _demand_same(data, made.to_json())
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise VisionError(
                "bad_reading",
                english("This is not the data of a reading."),
                english("Read the photo again."),
            ) from error
        return made

    @classmethod
    def _completed(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return data of an earlier version with what it did not say."""
        return data

    @classmethod
    @abstractmethod
    def _of(cls, data: Mapping[str, Any]) -> Self: ...


@dataclass(frozen=True)
class Alternative(Stored):
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
            "probability": self.probability,
        }

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Self:
        return cls(*_content(data), as_probability(data["probability"]))


@dataclass(frozen=True)
class CellReading(Stored):
    """What one of the 20 cells holds, and how sure that is.

    ``row`` and ``column`` count from 0; ``color`` and ``value`` are None for an empty cell.
    ``confidence`` is the probability, in [0, 1], that color, value and emptiness are all right.
    ``alternatives`` are the other candidates, likeliest first. ``covered`` says that neither a die nor the
    space below it was seen, as something lies over it or the light blinds; such a cell is always doubtful.
    """

    row: int
    column: int
    color: Color | None
    value: int | None
    confidence: float
    doubtful: bool
    alternatives: tuple[Alternative, ...] = ()
    covered: bool = False

    @property
    def die(self) -> Die | None:
        """The die in the cell, None when it is empty."""
        if self.color is None or self.value is None:
            return None
        return Die(self.color, self.value)

    def rotated_180(self) -> CellReading:
        """Return the cell as it is counted from the opposite corner."""
        return replace(self, row=ROWS - 1 - self.row, column=COLUMNS - 1 - self.column)

    def to_json(self) -> dict[str, object]:
        """Return the cell as in ``sagrada read --json``."""
        return {
            "row": self.row,
            "column": self.column,
            "color": self.color.value if self.color else None,
            "value": self.value,
            "confidence": self.confidence,
            "doubtful": self.doubtful,
            "covered": self.covered,
            "alternatives": [a.to_json() for a in self.alternatives],
        }

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Self:
        row, column = ALL_CELLS[ALL_CELLS.index((data["row"], data["column"]))]
        color, value = _content(data)
        alternatives = tuple(map(Alternative.from_json, data["alternatives"]))
        confidence = as_probability(data["confidence"])
        doubtful, covered = bool(data["doubtful"]), bool(data["covered"])
        return cls(row, column, color, value, confidence, doubtful, alternatives, covered)


@dataclass(frozen=True)
class WindowGuess(Stored):
    """The window pattern card that the open cells and the dice point to."""

    name: str
    probability: float

    def to_json(self) -> dict[str, object]:
        """Return the guess as in ``sagrada read --json``."""
        return {"name": self.name, "probability": self.probability}

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Self:
        return cls(str(data["name"]), as_probability(data["probability"]))


@dataclass(frozen=True)
class Tokens(Stored):
    """The favor tokens that lie beside a window or on it.

    ``places`` are their middles and ``size`` is their mean width, in pixels of the upright photo.
    ``confidence`` is the probability, in [0, 1], that they are so many.
    """

    places: tuple[Point, ...]
    size: float
    confidence: float
    doubtful: bool

    @property
    def count(self) -> int:
        """How many they are."""
        return len(self.places)

    def to_json(self) -> dict[str, object]:
        """Return the tokens as in ``sagrada read --json``."""
        return {
            "count": self.count,
            "confidence": self.confidence,
            "doubtful": self.doubtful,
            "places": [list(place) for place in self.places],
            "size": self.size,
        }

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Self:
        places = tuple((float(x), float(y)) for x, y in data["places"])
        size = float(data["size"])
        if not all(isfinite(number) for place in places for number in (*place, size)):
            raise ValueError("numbers")
        return cls(places, size, as_probability(data["confidence"]), bool(data["doubtful"]))


@dataclass(frozen=True)
class Reading(Stored):
    """Everything read from one photo.

    ``size`` is (width, height) of the upright photo in pixels. ``corners`` are those of the
    4 x 5 lattice on the frame's surface, in pixels of the upright photo, in board order: top
    left, top right, bottom right, bottom left. ``cells`` are 20, row by row. ``pattern`` is
    the print of the open cells in pattern notation with ``?`` under a die. ``upright_probability``
    is how sure it is that row A is on the side of the frame's art: in [0.5, 1], or below where the reading
    was turned by hand.
    ``unclear_prints`` are the open cells, (row, column) from 0, whose print a person should look at.
    ``unlike_dice`` says that the dice look unlike the game's; then all of them are doubtful.
    ``profile`` is the name of the profile that they were read with, None where they were read as the game's.
    ``tokens`` are the favor tokens beside the window, None where none is seen.
    ``mirrored`` says that the photo looks mirrored, as front cameras take it: what was read fits a known card
    with left and right exchanged, and none as it is.
    """

    size: tuple[int, int]
    corners: Corners
    cells: tuple[CellReading, ...]
    pattern: str
    window: WindowGuess | None
    upright_probability: float
    other_windows: int
    seconds: float
    unclear_prints: tuple[Cell, ...] = ()
    unlike_dice: bool = False
    profile: str | None = None
    tokens: Tokens | None = None
    mirrored: bool = False

    @property
    def board(self) -> Board:
        """The dice as the rules see them."""
        rows = [[self.cells[5 * r + c].die for c in range(5)] for r in range(4)]
        return Board(tuple(tuple(row) for row in rows))

    @property
    def doubtful(self) -> tuple[Cell, ...]:
        """The cells that a person should look at, (row, column) from 0."""
        return tuple((cell.row, cell.column) for cell in self.cells if cell.doubtful)

    def cell(self, row: int, column: int) -> CellReading:
        """Return the cell at ``row`` (0-3) and ``column`` (0-4)."""
        return self.cells[5 * row + column]

    def rotated_180(self) -> Reading:
        """Return the same photo's reading with the board counted from the opposite corner.

        ``window`` stays: it is the card that the photo pointed to as it was read.
        """
        a, b, c, d = self.corners
        return replace(
            self,
            corners=(c, d, a, b),
            cells=tuple(cell.rotated_180() for cell in reversed(self.cells)),
            pattern=self.pattern[::-1],
            upright_probability=1 - self.upright_probability,
            unclear_prints=tuple(
                (ROWS - 1 - row, COLUMNS - 1 - column) for row, column in self.unclear_prints
            ),
        )

    def to_json(self) -> dict[str, object]:
        """Return the reading as in ``sagrada read --json``, without the photo's name."""
        return {
            "seconds": self.seconds,
            "size": list(self.size),
            "corners": [list(corner) for corner in self.corners],
            "board": str(self.board),
            "pattern": self.pattern,
            "unclear_prints": [cell_name(cell) for cell in self.unclear_prints],
            "window": self.window and self.window.to_json(),
            "upright_probability": self.upright_probability,
            "other_windows": self.other_windows,
            "unlike_dice": self.unlike_dice,
            "profile": self.profile,
            "mirrored": self.mirrored,
            "tokens": self.tokens and self.tokens.to_json(),
            "cells": [cell.to_json() for cell in self.cells],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the reading that `to_json` gave; a key beside its own, such as ``photo``, does not matter.

        Raises
        ------
        VisionError
            Something is missing, of another type or out of bounds, or the board is not that of the cells
            (``bad_reading``).

        Examples
        --------
        >>> Reading.from_json({"board": "G4"})
        Traceback (most recent call last):
        vision.errors.VisionError: This is not the data of a reading. Read the photo again.
        """
        return super().from_json(data)

    @classmethod
    def _completed(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        # Readings of earlier versions say nothing of covered cells, whose dice these are, tokens or mirrors.
        cells = [{"covered": False, **cell} for cell in data["cells"]]
        before = {"unlike_dice": False, "profile": None, "tokens": None, "mirrored": False}
        return {**before, **data, "cells": cells}

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Self:
        cells = tuple(map(CellReading.from_json, data["cells"]))
        width, height = map(int, data["size"])
        a, b, c, d = ((float(x), float(y)) for x, y in data["corners"])
        seconds, others = float(data["seconds"]), int(data["other_windows"])
        parse_open_cells(data["pattern"])
        if [(cell.row, cell.column) for cell in cells] != list(ALL_CELLS) or min(width, height, seconds) < 0:
            raise ValueError("cells")
        if others < 0 or not all(isfinite(number) for number in (*a, *b, *c, *d, seconds)):
            raise ValueError("numbers")
        return cls(
            size=(width, height),
            corners=(a, b, c, d),
            cells=cells,
            pattern=data["pattern"],
            window=None if data["window"] is None else WindowGuess.from_json(data["window"]),
            upright_probability=as_probability(data["upright_probability"]),
            other_windows=others,
            seconds=seconds,
            unclear_prints=tuple(map(cell_from_name, data["unclear_prints"])),
            unlike_dice=bool(data["unlike_dice"]),
            profile=None if data["profile"] is None else str(data["profile"]),
            tokens=None if data["tokens"] is None else Tokens.from_json(data["tokens"]),
            mirrored=bool(data["mirrored"]),
        )
