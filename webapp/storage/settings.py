"""What was set for this house, in a small file beside the database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from scoring import WindowSet
from webapp.storage.disk import write_whole

FILE_NAME = "house.json"
KEEP_DAYS = (7, 30, 90, 365)
"""After so many days what belongs to no game may go."""

MORE_SETS = (WindowSet.FIVE_AND_SIX, WindowSet.PROMOS)


@dataclass(frozen=True)
class Settings:
    """What was set.

    Parameters
    ----------
    keep_days
        After how many days windows and photos go that belong to no game; None: they stay.
    sets
        The words for the boxes and packs whose window cards are known beside those of the base game.
    """

    keep_days: int | None = None
    sets: Sequence[str] = (WindowSet.FIVE_AND_SIX.value,)

    def __post_init__(self) -> None:
        """Refuse a number that is not offered, and forget boxes that this version does not know."""
        if self.keep_days is not None and self.keep_days not in KEEP_DAYS:
            raise ValueError(self.keep_days)
        object.__setattr__(self, "sets", tuple(one.value for one in MORE_SETS if one.value in self.sets))

    @property
    def window_sets(self) -> frozenset[WindowSet]:
        """The boxes and packs whose window cards are known."""
        return frozenset({WindowSet.BASE, *map(WindowSet, self.sets)})


def load_settings(folder: Path) -> Settings:
    """Return what was set; a file that cannot be understood deletes nothing."""
    try:
        return Settings(**json.loads((folder / FILE_NAME).read_bytes()))
    except (OSError, ValueError, TypeError):
        return Settings()


def save_settings(folder: Path, settings: Settings) -> None:
    """Keep what was set."""
    write_whole(folder / FILE_NAME, json.dumps(asdict(settings)).encode())
