"""What the administrator set for this house, in a small file beside the database."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from webapp.store.disk import write_whole

FILE_NAME = "house.json"
KEEP_DAYS = (7, 30, 90, 365)
"""After so many days what belongs to no game may go."""


@dataclass(frozen=True)
class Settings:
    """After how many days windows and photos go that belong to no game; None: they stay."""

    keep_days: int | None = None

    def __post_init__(self) -> None:
        """Refuse a number that is not offered."""
        if self.keep_days is not None and self.keep_days not in KEEP_DAYS:
            raise ValueError(self.keep_days)


def load_settings(folder: Path) -> Settings:
    """Return what was set; a file that cannot be understood deletes nothing."""
    try:
        return Settings(**json.loads((folder / FILE_NAME).read_bytes()))
    except (OSError, ValueError, TypeError):
        return Settings()


def save_settings(folder: Path, settings: Settings) -> None:
    """Keep what was set."""
    write_whole(folder / FILE_NAME, json.dumps(asdict(settings)).encode())
