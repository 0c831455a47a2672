"""Draw windows with the game's dice and with others: ``python -m calibration.training.unlike_set OUT``.

Of eight windows two are as the reader learned from and one has few dice or none; half of the others are odd.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import SIZES, cut_out, options_of, write_missing, write_windows
from calibration.training.synthetic import odd
from calibration.training.synthetic.scene import Scene, readable, render

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


def windows_of(rng: np.random.Generator, seed: int) -> Iterator[tuple[NDArray[np.uint8], Scene, bool]]:
    """Yield the cells of a window with its scene, and whether its dice are odd."""
    scene, is_odd = scene_of(rng, seed % 8)
    yield cut_out(rng, scene, pitch_sigma=0.03, rise_sigma=0.12), scene, is_odd


def write_shard(out: Path, number: int, count: int) -> str:
    """Draw and write one shard, and say what is in it."""
    first = FIRST_SEED + number * SHARD_SCENES
    return write_windows(out, number, range(first, first + count), windows_of)


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    args = options_of(__doc__, 5800)
    write_missing(write_shard, args.out, args.scenes, SHARD_SCENES, args.workers)


if __name__ == "__main__":
    main()
