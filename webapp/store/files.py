"""The files of a reading: one folder each, and a mark beside it while the reading is made or deleted."""

from __future__ import annotations

import shutil
from pathlib import Path

from webapp.store.disk import write_whole

MARK = ".pending"


def mark_of(folder: Path) -> Path:
    """Return the file that says that a folder only counts when the database knows its reading."""
    return folder.with_name(folder.name + MARK)


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files of a reading that is being made: all, or none when one cannot be written."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark_of(folder).touch(mode=0o600)
    try:
        folder.mkdir(mode=0o700)
        for name, content in files.items():
            write_whole(folder / name, content)
    except BaseException:
        remove(folder)
        raise


def remove(folder: Path) -> None:
    """Remove a folder, then its mark: whoever is cut off in between leaves the mark."""
    if folder.is_dir():
        shutil.rmtree(folder)
    mark_of(folder).unlink(missing_ok=True)
