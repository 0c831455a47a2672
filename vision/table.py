"""What one photo shows of a whole table: each window read, and what could not be."""

from __future__ import annotations

from dataclasses import dataclass

from vision.errors import VisionError
from vision.reading import Point, Reading


@dataclass(frozen=True)
class Unread:
    """What looks like a window and is not read: why, and its middle (x, y) in pixels of the upright photo."""

    reason: VisionError
    center: Point

    def to_json(self) -> dict[str, object]:
        """Return it as in ``sagrada read --all --json``."""
        return {"what": "window", **self.reason.to_json(), "center": list(self.center)}


@dataclass(frozen=True)
class TableReading:
    """Everything read from one photo of a table.

    ``size`` is (width, height) of the upright photo in pixels. ``windows`` and ``unread`` stand clockwise
    around its middle, each from the one nearest the bottom edge; there may be none.
    """

    size: tuple[int, int]
    windows: tuple[Reading, ...]
    unread: tuple[Unread, ...]
    seconds: float

    def to_json(self) -> dict[str, object]:
        """Return the table as in ``sagrada read --all --json``, without the photo's name."""
        return {
            "seconds": self.seconds,
            "size": list(self.size),
            "windows": [
                {"number": number, **one.to_json()} for number, one in enumerate(self.windows, start=1)
            ],
            "unread": [one.to_json() for one in self.unread],
        }
