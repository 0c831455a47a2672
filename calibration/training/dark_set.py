"""Draw windows whose dice have dark pips: ``python -m calibration.training.dark_set OUT``.

Each has a set of its own. What learns from them reads such dice with light and dark exchanged.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import jittered_grid, options_of, readable, save, write_missing
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook
from vision.cells.crops import cell_crops, lean_of, turned_alike

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


def write_shard(out: Path, number: int, count: int) -> str:
    """Draw and write one shard, and say what is in it."""
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    arrays: dict[str, list[object]] = {name: [] for name in ("crops", "codes", "crop_seeds")}
    first = FIRST_SEED + number * SHARD_SCENES
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        look, light = set_of(rng), None if rng.random() < 0.4 else str(rng.choice(odd.LIGHTS))
        scene = odd.photo_of(rng, look, light, tilt_deg=40)
        window = readable(scene)[0]
        for _ in range(CUTS):
            grid = jittered_grid(rng, window, pitch_sigma=0.02, rise_sigma=0.08)
            crops: NDArray[np.uint8] = turned_alike(cell_crops(scene.image_bgr, grid), lean_of(grid))
            for name, one in zip(arrays, (crops, window.dice, seed), strict=True):
                arrays[name].append(one)
    return save(out, number, {name: np.array(found) for name, found in arrays.items()})


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    args = options_of(__doc__, 600)
    write_missing(write_shard, args.out, args.scenes, SHARD_SCENES, args.workers)


if __name__ == "__main__":
    main()
