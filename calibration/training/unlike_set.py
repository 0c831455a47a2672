"""Draw windows with the game's dice and with others: ``python -m calibration.training.unlike_set OUT``.

Of eight windows two are as the reader learned from and one has few dice or none; half of the others are odd.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import SIZES, jittered_grid, options_of, readable, save, write_missing
from calibration.training.synthetic import odd
from calibration.training.synthetic.scene import Scene, render
from vision.cells.crops import cell_crops, lean_of, turned_alike

FIRST_SEED = 72_000_000
SHARD_SCENES = 100
PLAIN = 2  # of eight scenes
SPARSE = (0, 0, 0.1, 0.3)  # shares of spaces with a die in a window of which few have one


def scene_of(rng: np.random.Generator, kind: int) -> tuple[Scene, bool]:
    """Return a scene with a window that can be read, and whether its dice are odd; ``kind`` is 0 to 7."""
    if kind < PLAIN:
        while True:
            scene = render(rng, size=SIZES[int(rng.integers(len(SIZES)))], hard=bool(rng.random() < 0.2))
            if readable(scene):
                return scene, False
    look, is_odd = odd.random_set(rng)
    light = None if rng.random() < 0.6 else str(rng.choice(odd.LIGHTS))
    share = float(rng.choice(SPARSE)) if kind == PLAIN else None
    scene = odd.photo_of(rng, look, light, tilt_deg=45, occupancy=share)
    return scene, is_odd and any(code != "--" for code in scene.windows[0].dice)


def write_shard(out: Path, number: int, count: int) -> str:
    """Draw and write one shard, and say what is in it."""
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    arrays: dict[str, list[object]] = {name: [] for name in ("crops", "codes", "odd", "crop_seeds")}
    first = FIRST_SEED + number * SHARD_SCENES
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        scene, is_odd = scene_of(rng, seed % 8)
        window = readable(scene)[0]
        grid = jittered_grid(rng, window, pitch_sigma=0.03, rise_sigma=0.12)
        crops: NDArray[np.uint8] = turned_alike(cell_crops(scene.image_bgr, grid), lean_of(grid))
        for name, one in zip(arrays, (crops, window.dice, is_odd, seed), strict=True):
            arrays[name].append(one)
    return save(out, number, {name: np.array(found) for name, found in arrays.items()})


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    args = options_of(__doc__, 5800)
    write_missing(write_shard, args.out, args.scenes, SHARD_SCENES, args.workers)


if __name__ == "__main__":
    main()
