"""Turn synthetic scenes into the arrays that the two networks are trained on.

``python -m calibration.dataset OUT --scenes 5000`` writes shards ``scenes_*.npz``. Each scene
has its own seed, so a shard can be made again alone, and training, validation and test are
told apart by scene: ``seed % 20`` is 0 for validation and 1 for test.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthetic.scene import Scene, Window, render
from vision.crops import CROP_PX, cell_crops
from vision.finder_view import straight_view, whole_view
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, Grid, apply_homography

SHARD_SCENES = 100
CROP_SLACK_PX = 8
MAX_WINDOWS = 2
SIZES = ((720, 540), (540, 720), (640, 640), (800, 450))


def _whole_in(window: Window, size: tuple[int, int], slack_px: float = 0) -> bool:
    points = apply_homography(window.top, CELL_CENTERS)
    inside = (points > -slack_px) & (points < np.array(size) + slack_px)
    return bool(inside.all())


def jittered_grid(rng: np.random.Generator, window: Window, *, pitch_sigma: float, rise_sigma: float) -> Grid:
    """Return the window's grid with the errors that a finder makes."""
    corners = apply_homography(window.base, BOARD_CORNERS + rng.normal(0, pitch_sigma, (4, 2)))
    base = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), corners.astype(np.float32))
    true_rise = window.top[:, 2] - window.base[:, 2]
    # Both are scaled so that the middle of the board has the same depth.
    depth = (window.base @ [2.5, 2, 1])[2] / (base @ [2.5, 2, 1])[2]
    return Grid(np.asarray(base, dtype=np.float64), true_rise / depth * np.exp(rng.normal(0, rise_sigma)))


def make_shard(first_seed: int, count: int) -> dict[str, NDArray[np.generic]]:
    """Render ``count`` scenes and return the arrays of one shard.

    ``views`` (N, 384, 384, 3) uint8 with ``maps`` (N, 2, 2, 3, 3), the homographies base and top
    of up to two windows in view pixels (NaN where there is none), ``dice`` (N, 2, 20) bool and
    ``art`` (N, 2), the height of the art in pitches; ``crops`` (M, 20, 56, 56, 6) uint8 with
    ``codes`` (M, 20) such as ``"R3"`` or ``"--"`` and ``prints`` (M, 20); seeds for both.
    """
    views: list[NDArray[np.uint8]] = []
    maps: list[NDArray[np.float64]] = []
    dice: list[NDArray[np.bool_]] = []
    art: list[NDArray[np.float64]] = []
    view_seeds: list[int] = []
    crops: list[NDArray[np.uint8]] = []
    codes: list[tuple[str, ...]] = []
    prints: list[tuple[str, ...]] = []
    crop_seeds: list[int] = []
    for seed in range(first_seed, first_seed + count):
        rng = np.random.default_rng(seed)
        size = SIZES[int(rng.integers(len(SIZES)))]
        scene = render(rng, size=size)
        looks = [whole_view(scene.image_bgr)]
        if scene.windows:
            main = scene.windows[0]
            turn = np.array([[-1, 0, 5], [0, -1, 4], [0, 0, 1.0]]) if rng.random() < 0.5 else np.eye(3)
            shaken = jittered_grid(rng, main, pitch_sigma=0.2, rise_sigma=0)
            looks.append(straight_view(scene.image_bgr, shaken.homography @ turn))
        for look in looks:
            views.append(look.image_bgr)
            back = np.linalg.inv(look.to_photo)
            one_map = np.full((MAX_WINDOWS, 2, 3, 3), np.nan)
            one_dice = np.zeros((MAX_WINDOWS, 20), bool)
            one_art = np.zeros(MAX_WINDOWS)
            for k, window in enumerate(scene.windows[:MAX_WINDOWS]):
                one_map[k] = back @ window.base, back @ window.top
                one_dice[k] = [code != "--" for code in window.dice]
                one_art[k] = window.art_above
            maps.append(one_map)
            dice.append(one_dice)
            art.append(one_art)
            view_seeds.append(seed)
        for window in readable(scene):
            rough = rng.random() < 0.2  # a finder is off like this on a hard photo
            grid = jittered_grid(
                rng, window, pitch_sigma=0.07 if rough else 0.03, rise_sigma=0.25 if rough else 0.12
            )
            # Streaks beyond the edge, as the reader first learned; traced windows have mirror images there.
            crops.append(cell_crops(scene.image_bgr, grid, CROP_PX + CROP_SLACK_PX, cv2.BORDER_REPLICATE))
            codes.append(window.dice)
            prints.append(window.print)
            crop_seeds.append(seed)
    side = CROP_PX + CROP_SLACK_PX
    return {
        "views": np.stack(views),
        "maps": np.stack(maps).astype(np.float64),
        "dice": np.stack(dice),
        "art": np.stack(art),
        "view_seeds": np.array(view_seeds),
        "crops": np.stack(crops) if crops else np.empty((0, 20, side, side, 6), np.uint8),
        "codes": np.array(codes),
        "prints": np.array([list(p) for p in prints]),
        "crop_seeds": np.array(crop_seeds),
    }


def readable(scene: Scene) -> list[Window]:
    """Return the windows that are whole in the picture and large enough to read."""
    height, width = scene.image_bgr.shape[:2]
    return [
        window
        for window in scene.windows
        if _whole_in(window, (width, height)) and Grid(window.base, np.zeros(3)).pitch_px > 17
    ]


def write_shard(out: Path, first_seed: int, count: int) -> str:
    """Write one shard, whole or not at all, and say what is in it."""
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    path = out / f"scenes_{first_seed:06d}.npz"
    arrays = make_shard(first_seed, count)
    partial = path.with_suffix(".part.npz")
    np.savez(partial, allow_pickle=False, **arrays)
    partial.replace(path)
    return f"{path.name}: {len(arrays['views'])} views, {len(arrays['crops'])} boards"


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first scene")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    firsts = range(args.first, args.first + args.scenes, SHARD_SCENES)
    missing = [first for first in firsts if not (args.out / f"scenes_{first:06d}.npz").exists()]
    with ProcessPoolExecutor(args.workers) as pool:
        counts = [min(SHARD_SCENES, args.first + args.scenes - first) for first in missing]
        for line in pool.map(write_shard, [args.out] * len(missing), missing, counts):
            print(line, flush=True)


if __name__ == "__main__":
    main()
