"""Draw windows whose dice have dark pips: ``python -m calibration.training.dark_set OUT``.

Each has a set of its own. What learns from them reads such dice with light and dark exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import cut_out, options_of, write_missing, write_windows
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.scene import Scene

FIRST_SEED = 80_500_000
SHARD_SCENES = 25
CUTS = 2  # of each window, with the lattice a little off
DARK = 0.35  # what no channel of dark pips reaches


def has_dark_pips(look: DieLook) -> bool:
    """Return whether a set has pips, and dark ones."""
    return not look.digits and float(look.pip_color.max()) < DARK


def set_of(rng: np.random.Generator) -> DieLook:
    """Return a set with dark pips."""
    while True:
        look, _ = odd.random_set(rng)
        if has_dark_pips(look):
            return look


def windows_of(rng: np.random.Generator, _: int) -> Iterator[tuple[NDArray[np.uint8], Scene, bool]]:
    """Yield the cells of a window with dark pips, cut out `CUTS` times, with its scene; its dice are odd."""
    look, light = set_of(rng), None if rng.random() < 0.4 else str(rng.choice(odd.LIGHTS))
    scene = odd.photo_of(rng, look, light, tilt_deg=40)
    for _cut in range(CUTS):
        yield cut_out(rng, scene, pitch_sigma=0.02, rise_sigma=0.08), scene, True


def write_shard(out: Path, number: int, count: int) -> str:
    """Draw and write one shard, and say what is in it."""
    first = FIRST_SEED + number * SHARD_SCENES
    return write_windows(out, number, range(first, first + count), windows_of)


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    args = options_of(__doc__, 600)
    write_missing(write_shard, args.out, args.scenes, SHARD_SCENES, args.workers)


if __name__ == "__main__":
    main()
