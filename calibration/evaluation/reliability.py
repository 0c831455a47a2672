"""So many of so many, and whether the reader is as sure as it may be.

The *expected calibration error* is that of Guo, Pleiss, Sun and Weinberger, "On Calibration of Modern Neural
Networks" (ICML 2017): the readings are put into 15 equally wide bins by the confidence of the best reading,
and the gap between the mean confidence and the share of right readings is averaged over the bins, each
weighted with how many readings it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

BINS = 15
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
"""The confidences for which is counted how many readings that sure are right."""


@dataclass(frozen=True)
class Share:
    """So many of so many.

    Examples
    --------
    >>> Share(3, 4).ratio, Share(0, 0).ratio
    (0.75, None)
    >>> str(Share(3, 4)), Share(3, 4).percent(), str(Share(0, 0)), Share(0, 0).percent()
    ('3 of 4', '75.0 %', '-', '-')
    """

    hits: int
    total: int

    def __str__(self) -> str:
        return f"{self.hits} of {self.total}" if self.total else "-"

    def __add__(self, other: Share) -> Share:
        """Return both as one."""
        return Share(self.hits + other.hits, self.total + other.total)

    @property
    def ratio(self) -> float | None:
        """The share in [0, 1], None of nothing."""
        return self.hits / self.total if self.total else None

    def percent(self, digits: int = 1) -> str:
        """Return the share as a percentage, "-" of nothing."""
        return f"{100 * self.hits / self.total:.{digits}f} %" if self.total else "-"

    @classmethod
    def of(cls, answers: Iterable[bool]) -> Self:
        """Return how many of ``answers`` are true."""
        answers = list(answers)
        return cls(sum(answers), len(answers))


NOTHING = Share(0, 0)


class Bin(NamedTuple):
    """The readings whose confidence lies in one of the equal bins; ``confidence`` is the sum of theirs."""

    cells: int
    right: int
    confidence: float

    @property
    def gap(self) -> float:
        """How many readings more are right than the confidence promises; negative when too sure."""
        return self.right - self.confidence


class Level(NamedTuple):
    """The readings that are at least so sure, and how many of them are right."""

    at_least: float
    hits: int
    total: int

    @property
    def right(self) -> Share:
        """The share that is right."""
        return Share(self.hits, self.total)


@dataclass(frozen=True)
class Reliability:
    """How sure the reader was of some cells, and how often it was right.

    ``bins`` split [0, 1] into equal parts, ``levels`` answer "of the dice read at 0.99, how many are right?".
    """

    bins: tuple[Bin, ...]
    levels: tuple[Level, ...]

    @classmethod
    def of(cls, readings: Iterable[tuple[float, bool]]) -> Self:
        """Return what readings, each with its confidence in [0, 1] and whether it is right, add up to."""
        pairs = np.array(list(readings), dtype=np.float64).reshape(-1, 2)
        confidence, right = pairs[:, 0], pairs[:, 1] > 0.5
        place = np.minimum((confidence * BINS).astype(int), BINS - 1)
        binned = [place == number for number in range(BINS)]
        return cls(
            tuple(
                Bin(int(there.sum()), int(right[there].sum()), round(float(confidence[there].sum()), 4))
                for there in binned
            ),
            tuple(
                Level(at_least, int(right[confidence >= at_least].sum()), int((confidence >= at_least).sum()))
                for at_least in LEVELS
            ),
        )

    @classmethod
    def merged(cls, parts: Sequence[Reliability]) -> Self:
        """Return the readings of all ``parts`` together."""
        return cls(
            tuple(
                Bin._make(map(sum, zip(*same, strict=True)))
                for same in zip(*(part.bins for part in parts), strict=True)
            ),
            tuple(
                Level(same[0].at_least, sum(one.hits for one in same), sum(one.total for one in same))
                for same in zip(*(part.levels for part in parts), strict=True)
            ),
        )

    @property
    def cells(self) -> int:
        """How many readings there are."""
        return sum(b.cells for b in self.bins)

    @property
    def error(self) -> float | None:
        """The expected calibration error in [0, 1], None of no readings."""
        return sum(abs(b.gap) for b in self.bins) / self.cells if self.cells else None
