"""Why the reader missed what it missed: written by hand in ``calibration/results/causes.toml``.

A table for each folder and photo, a line for each cell::

    [rendered."board_1005.jpg"]
    B3 = "The die's top has no contrast under this light."

The key is the cell's name, ``card`` for a pattern card that was not named, or ``all`` where the whole photo
was missed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from calibration.records import RECORDS, Evaluation, Miss

CAUSES = RECORDS / "causes.toml"
NO_CAUSES_FOR = frozenset({"sample_images", "synthetic"})
"""The sample photos are among those of other folders; of synthetic scenes only figures are kept."""

WHOLE = "all"

Key = tuple[str, str, str]
"""Folder, photo and cell."""


def read_causes(path: Path = CAUSES) -> dict[Key, str]:
    """Return the causes in a file, none when it is not there."""
    if not path.is_file():
        return {}
    folders: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        (folder, photo, cell): cause
        for folder, photos in folders.items()
        for photo, cells in photos.items()
        for cell, cause in cells.items()
    }


def key_of(folder: str, miss: Miss) -> Key:
    """Return under which key the cause of a miss is written down."""
    return folder, miss.photo, miss.cell or WHOLE


def unmatched(evaluations: Iterable[Evaluation], causes: Mapping[Key, str]) -> tuple[str, ...]:
    """Return a sentence for each miss without a cause and for each cause without a miss."""
    missed = {key_of(e.name, miss) for e in evaluations if e.name not in NO_CAUSES_FOR for miss in e.misses}
    without = [f"{' '.join(key)}: no cause is written down" for key in sorted(missed - set(causes))]
    left_over = [f"{' '.join(key)}: is no miss any more" for key in sorted(set(causes) - missed)]
    return (*without, *left_over)
