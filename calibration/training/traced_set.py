"""Turn path-traced windows into shards: ``python -m calibration.training.traced_set OUT``.

Needs the ``train`` extra and the LLVM that `calibration.training.llvm` asks for.
A window is traced once, in about thirteen seconds of one core, and photographed ``PHOTOS`` times; all of
them have the seed of the scene, which tells training, validation and test apart as everywhere. The shards
are like those of `calibration.training.dataset`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import cv2
import drjit as dr
import numpy as np
from numpy.typing import NDArray

from calibration.training import llvm
from calibration.training.dataset import Shard, add_crops, add_views, options_of, save, write_missing
from calibration.training.synthetic import traced
from calibration.training.synthetic.scene import Scene

FIRST_SEED, FIRST_LOW = 20_000_000, 21_000_000
"""Far from the seeds of the other scenes."""

SHARD_SCENES = 20
PHOTOS, VIEWED = 12, 4  # photos a scene for the reader, and how many of these the finder sees, too
SIZES = ((420, 350), (350, 420), (440, 330), (380, 380))


def photos_of(seed: int, *, low: bool = False) -> list[Scene]:
    """Return the photos of one traced window, each with a light, a lens and a JPEG of its own."""
    rng = np.random.default_rng(seed)
    drawing = traced.draw(rng, size=SIZES[int(rng.integers(len(SIZES)))], low=low)
    # The finder sees each photo in one size whatever its own; the reader's others are smaller often.
    far = [0.0 if k < VIEWED else 0.6 for k in range(PHOTOS)]
    return [
        traced.photographed(np.random.default_rng([seed, k]), drawing, far_away=far[k]) for k in range(PHOTOS)
    ]


def arrays_of(seed: int, photos: list[Scene]) -> dict[str, NDArray[np.generic]]:
    """Return what `calibration.training.dataset.make_shard` describes, of the photos of one window."""
    rng = np.random.default_rng([seed, PHOTOS])
    shard = Shard()
    for k, scene in enumerate(photos):
        add_crops(shard, rng, scene, seed, cv2.BORDER_REFLECT)
        if k < VIEWED:
            add_views(shard, rng, scene, seed)
    found = shard.arrays()
    # A window that is cut off has no boards; what has none must still fit to what has.
    wide = {"codes": 20, "prints": 20, "leans": 2}
    return found | {name: found[name].reshape(-1, width) for name, width in wide.items()}


def write_shard(out: Path, number: int, count: int, *, low: bool) -> str:
    """Trace and write one shard, and say what is in it."""
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    dr.set_thread_count(1)
    first = (FIRST_LOW if low else FIRST_SEED) + number * SHARD_SCENES
    scenes = [arrays_of(seed, photos_of(seed, low=low)) for seed in range(first, first + count)]
    return save(out, number, {name: np.concatenate([one[name] for one in scenes]) for name in scenes[0]})


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    args = options_of(__doc__, 240, low="from the table's edge, with glare")
    write = partial(write_shard, low=args.low)
    llvm.main()
    # Mitsuba must not be forked.
    write_missing(write, args.out, args.scenes, SHARD_SCENES, args.workers, "spawn")


if __name__ == "__main__":
    main()
