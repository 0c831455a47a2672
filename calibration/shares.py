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
    >>> Share.sum([Share(3, 4), Share(1, 4)])
    Share(hits=4, total=8)
    """

    hits: int
    total: int

    @property
    def ratio(self) -> float | None:
        """The share in [0, 1], None of nothing."""
        return self.hits / self.total if self.total else None

    @classmethod
    def of(cls, answers: Iterable[bool]) -> Self:
        """Return how many of ``answers`` are true."""
        told = list(answers)
        return cls(sum(told), len(told))

    @classmethod
    def sum(cls, shares: Iterable[Share]) -> Self:
        """Return all ``shares`` as one."""
        parts = list(shares)
        return cls(sum(s.hits for s in parts), sum(s.total for s in parts))
