"""So many of so many: what every figure about the reader is made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


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
"""The share of a record that is older than its figure."""
