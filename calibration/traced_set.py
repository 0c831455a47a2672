"""Turn path-traced windows into shards: ``python -m calibration.traced_set OUT``.

Needs the ``train`` extra and LLVM 15 or newer as a shared library (Debian: ``libllvm19``).
A window is traced once, in about thirteen seconds of one core, and photographed ``PHOTOS`` times; all of
them have the seed of the scene, which tells training, validation and test apart as everywhere. The shards
are like those of `calibration.dataset`.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import drjit as dr
import numpy as np
from numpy.typing import NDArray

from calibration.dataset import CROP_SLACK_PX, MAX_WINDOWS, jittered_grid, readable
from calibration.synthetic import traced
from calibration.synthetic.scene import Scene
from vision.crops import CROP_PX, cell_crops
from vision.finder_view import straight_view, whole_view

FIRST_SEED = 20_000_000
"""Far from the seeds of the other scenes."""

SHARD_SCENES = 20
PHOTOS, VIEWED = 12, 4  # photos a scene for the reader, and how many of these the finder sees, too
SIZES = ((420, 350), (350, 420), (440, 330), (380, 380))


def photos_of(seed: int) -> list[Scene]:
    """Return the photos of one traced window, each with a light, a lens and a JPEG of its own."""
    rng = np.random.default_rng(seed)
    drawing = traced.draw(rng, size=SIZES[int(rng.integers(len(SIZES)))])
    # The finder sees each photo in one size whatever its own; the reader's others are smaller often.
    far = [0.0 if k < VIEWED else 0.6 for k in range(PHOTOS)]
    return [
        traced.photographed(np.random.default_rng([seed, k]), drawing, far_away=far[k]) for k in range(PHOTOS)
    ]


def arrays_of(seed: int, photos: list[Scene]) -> dict[str, NDArray[np.generic]]:
    """Return what `calibration.dataset.make_shard` describes, of the photos of one window."""
    rng = np.random.default_rng([seed, PHOTOS])
    crops, views, maps = [], [], []
    for k, scene in enumerate(photos):
        window = scene.windows[0]
        if readable(scene):
            rough = rng.random() < 0.2
            grid = jittered_grid(
                rng, window, pitch_sigma=0.07 if rough else 0.03, rise_sigma=0.25 if rough else 0.12
            )
            crops.append(cell_crops(scene.image_bgr, grid, CROP_PX + CROP_SLACK_PX))
        if k >= VIEWED:
            continue
        turn = np.array([[-1, 0, 5], [0, -1, 4], [0, 0, 1.0]]) if rng.random() < 0.5 else np.eye(3)
        shaken = jittered_grid(rng, window, pitch_sigma=0.2, rise_sigma=0)
        for look in (whole_view(scene.image_bgr), straight_view(scene.image_bgr, shaken.homography @ turn)):
            back = np.linalg.inv(look.to_photo)
            both = np.full((MAX_WINDOWS, 2, 3, 3), np.nan)
            both[0] = back @ window.base, back @ window.top
            views.append(look.image_bgr)
            maps.append(both)
    side = CROP_PX + CROP_SLACK_PX
    nobody = [False] * 20
    filled = [code != "--" for code in window.dice]
    return {
        "views": np.stack(views),
        "maps": np.stack(maps).astype(np.float64),
        "dice": np.array([[filled, *[nobody] * (MAX_WINDOWS - 1)]] * len(views)),
        "art": np.array([[window.art_above] + [0.0] * (MAX_WINDOWS - 1)] * len(views)),
        "view_seeds": np.full(len(views), seed),
        "crops": np.stack(crops) if crops else np.empty((0, 20, side, side, 6), np.uint8),
        "codes": np.array([window.dice] * len(crops)).reshape(-1, 20),
        "prints": np.array([window.print] * len(crops)).reshape(-1, 20),
        "crop_seeds": np.full(len(crops), seed),
    }


def write_shard(out: Path, number: int, count: int) -> str:
    """Trace and write one shard, whole or not at all, and say what is in it."""
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    dr.set_thread_count(1)
    first = FIRST_SEED + number * SHARD_SCENES
    scenes = [arrays_of(seed, photos_of(seed)) for seed in range(first, first + count)]
    path = out / f"scenes_{number:06d}.npz"
    partial = path.with_suffix(".part.npz")
    joined = {name: np.concatenate([one[name] for one in scenes]) for name in scenes[0]}
    np.savez(partial, allow_pickle=False, **joined)
    partial.replace(path)
    return f"{path.name}: {len(joined['views'])} views, {len(joined['crops'])} boards"


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=240)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    numbers = range(-(-args.scenes // SHARD_SCENES))
    missing = [number for number in numbers if not (args.out / f"scenes_{number:06d}.npz").exists()]
    counts = [min(SHARD_SCENES, args.scenes - number * SHARD_SCENES) for number in missing]
    # Mitsuba must not be forked.
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for line in pool.map(write_shard, [args.out] * len(missing), missing, counts):
            print(line, flush=True)


if __name__ == "__main__":
    main()
