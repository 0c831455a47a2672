"""Turn synthetic scenes into the arrays that finder and reader are trained on.

``python -m calibration.training.dataset OUT --scenes 5000`` writes shards ``scenes_*.npz``. Each scene
has its own seed, so a shard can be made again alone, and training, validation and test are
told apart by scene: by the remainder of its seed. ``--hard`` draws scenes that misled a finder and
``--seats`` tables as one sees them from a chair, each from seeds of their own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import seats
from calibration.training.synthetic.scene import Scene, Window, readable, render
from vision.detection.views import straight_view, whole_view
from vision.geometry import BOARD_CORNERS, Grid, apply_homography
from vision.recognition.cells import CROP_PX, cell_crops, lean_of, turned_alike

SCHEDULER = "SAGRADA_SCHEDULER"
"""Names a Dask cluster, here as for those who read photos."""

SHARD_SCENES = 100
FIRST_SEEDS = {"plain": 0, "hard": 30_000_000, "seats": 31_000_000}
PARTS, VALIDATION, TEST = 20, 0, 1
"""A scene whose seed leaves one of the last two when divided by the first is held back."""

CROP_SLACK_PX = 8
MAX_WINDOWS = 2
SIZES = ((720, 540), (540, 720), (640, 640), (800, 450))


def jittered_grid(rng: np.random.Generator, window: Window, *, pitch_sigma: float, rise_sigma: float) -> Grid:
    """Return the window's grid with the errors that a finder makes."""
    corners = apply_homography(window.base, BOARD_CORNERS + rng.normal(0, pitch_sigma, (4, 2)))
    base = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), corners.astype(np.float32))
    true_rise = window.top[:, 2] - window.base[:, 2]
    # Both are scaled so that the middle of the board has the same depth.
    depth = (window.base @ [2.5, 2, 1])[2] / (base @ [2.5, 2, 1])[2]
    return Grid(np.asarray(base, dtype=np.float64), true_rise / depth * np.exp(rng.normal(0, rise_sigma)))


def make_shard(first_seed: int, count: int, kind: str = "plain") -> dict[str, NDArray[np.generic]]:
    """Render ``count`` scenes and return the arrays of one shard.

    ``views`` (N, 384, 384, 3) uint8 with ``maps`` (N, 2, 2, 3, 3), the homographies base and top
    of up to two windows in view pixels (NaN where there is none), ``dice`` (N, 2, 20) bool and
    ``art`` (N, 2), the height of the art in pitches; ``crops`` (M, 20, 56, 56, 6) uint8 with
    ``codes`` (M, 20) such as ``"R3"`` or ``"--"``, ``prints`` (M, 20) and ``leans`` (M, 2), see
    `vision.recognition.cells.lean_of`; seeds for both.
    """
    shard = Shard()
    for seed in range(first_seed, first_seed + count):
        rng = np.random.default_rng(seed)
        size = SIZES[int(rng.integers(len(SIZES)))]
        if kind == "seats":
            scene = seats.render(rng, size=size)  # for the reader alone
        else:
            scene = render(rng, size=size, hard=kind == "hard")
            add_views(shard, rng, scene, seed)
        # Streaks beyond the edge, as the reader first learned; traced windows have mirror images there.
        add_crops(shard, rng, scene, seed, cv2.BORDER_REPLICATE)
    return shard.arrays()


@dataclass(eq=False)
class Shard:
    """What is gathered for one shard, see `make_shard`."""

    views: list[NDArray[np.uint8]] = field(default_factory=list)
    maps: list[NDArray[np.float64]] = field(default_factory=list)
    dice: list[NDArray[np.bool_]] = field(default_factory=list)
    art: list[NDArray[np.float64]] = field(default_factory=list)
    view_seeds: list[int] = field(default_factory=list)
    crops: list[NDArray[np.uint8]] = field(default_factory=list)
    codes: list[tuple[str, ...]] = field(default_factory=list)
    prints: list[tuple[str, ...]] = field(default_factory=list)
    leans: list[NDArray[np.float64]] = field(default_factory=list)
    crop_seeds: list[int] = field(default_factory=list)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays of the shard by their names."""
        arrays = {one.name: np.array(getattr(self, one.name)) for one in fields(self)}
        if not self.crops:
            side = CROP_PX + CROP_SLACK_PX
            arrays["crops"] = np.empty((0, 20, side, side, 6), np.uint8)
        return arrays


def add_views(shard: Shard, rng: np.random.Generator, scene: Scene, seed: int) -> None:
    """Add what the finder sees of a scene: the whole picture, and its first window straightened roughly."""
    looks = [whole_view(scene.image_bgr)]
    if scene.windows:
        turn = np.array([[-1, 0, 5], [0, -1, 4], [0, 0, 1.0]]) if rng.random() < 0.5 else np.eye(3)
        shaken = jittered_grid(rng, scene.windows[0], pitch_sigma=0.2, rise_sigma=0)
        looks.append(straight_view(scene.image_bgr, shaken.homography @ turn))
    for look in looks:
        back = np.linalg.inv(look.to_photo)
        maps = np.full((MAX_WINDOWS, 2, 3, 3), np.nan)
        dice = np.zeros((MAX_WINDOWS, 20), bool)
        art = np.zeros(MAX_WINDOWS)
        for k, window in enumerate(scene.windows[:MAX_WINDOWS]):
            maps[k] = back @ window.base, back @ window.top
            dice[k] = [code != "--" for code in window.dice]
            art[k] = window.art_above
        shard.views.append(look.image_bgr)
        shard.maps.append(maps)
        shard.dice.append(dice)
        shard.art.append(art)
        shard.view_seeds.append(seed)


def add_crops(shard: Shard, rng: np.random.Generator, scene: Scene, seed: int, beyond: int) -> None:
    """Add what the reader sees of a scene's readable windows; ``beyond`` as for `cell_crops`."""
    for window in readable(scene):
        rough = rng.random() < 0.2  # a finder is off like this on a hard photo
        grid = jittered_grid(
            rng, window, pitch_sigma=0.07 if rough else 0.03, rise_sigma=0.25 if rough else 0.12
        )
        shard.crops.append(cell_crops(scene.image_bgr, grid, CROP_PX + CROP_SLACK_PX, beyond))
        shard.leans.append(lean_of(grid))
        shard.codes.append(window.dice)
        shard.prints.append(window.print)
        shard.crop_seeds.append(seed)


def shards_in(folders: Iterable[Path]) -> list[Path]:
    """Return the files of all shards in some folders, in their order."""
    return [path for folder in folders for path in sorted(folder.glob("scenes_??????.npz"))]


def held_out(seeds: NDArray[np.int64], remainder: int) -> NDArray[np.int64]:
    """Return the indices of what is not learned from; ``remainder`` is `VALIDATION` or `TEST`."""
    return np.flatnonzero(seeds % PARTS == remainder)


def learned_from(seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of what is learned from."""
    return np.flatnonzero(seeds % PARTS > TEST)


def write_shard(out: Path, number: int, count: int, *, kind: str) -> str:
    """Draw and write one shard, and say what is in it."""
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    return save(out, number, make_shard(FIRST_SEEDS[kind] + number * SHARD_SCENES, count, kind))


def cut_out(
    rng: np.random.Generator, scene: Scene, *, pitch_sigma: float, rise_sigma: float
) -> NDArray[np.uint8]:
    """Return the cells of a scene's window, (20, 48, 48, 6), with a finder's errors, as they are read."""
    grid = jittered_grid(rng, readable(scene)[0], pitch_sigma=pitch_sigma, rise_sigma=rise_sigma)
    return turned_alike(cell_crops(scene.image_bgr, grid), lean_of(grid))


def write_windows(
    out: Path,
    number: int,
    seeds: Iterable[int],
    windows_of: Callable[[np.random.Generator, int], Iterable[tuple[NDArray[np.uint8], Scene, bool]]],
) -> str:
    """Draw and write one shard of windows, and say what is in it.

    ``windows_of`` gives those of a seed: the cells of each, its scene, and whether its dice are odd.
    """
    cv2.setNumThreads(1)  # the processes share the cores among themselves
    arrays: dict[str, list[object]] = {name: [] for name in ("crops", "codes", "odd", "crop_seeds")}
    for seed in seeds:
        for crops, scene, is_odd in windows_of(np.random.default_rng(seed), seed):
            for name, one in zip(arrays, (crops, readable(scene)[0].dice, is_odd, seed), strict=True):
                arrays[name].append(one)
    return save(out, number, {name: np.array(found) for name, found in arrays.items()})


def _path_of(out: Path, number: int) -> Path:
    return out / f"scenes_{number:06d}.npz"


def save(out: Path, number: int, arrays: dict[str, NDArray[np.generic]]) -> str:
    """Write one shard, whole or not at all, and say what is in it."""
    path = _path_of(out, number)
    unfinished = path.with_suffix(".part.npz")
    np.savez(unfinished, allow_pickle=False, **arrays)
    unfinished.replace(path)
    counts = (f"{len(arrays[name])} {name}" for name in ("views", "crops") if name in arrays)
    return f"{path.name}: {', '.join(counts)}"


def write_missing(
    write: Callable[[Path, int, int], str],
    out: Path,
    scenes: int,
    scenes_a_shard: int,
    workers: int | None,
    start_method: str | None = None,
) -> None:
    """Write the shards that are missing in a folder, in processes of this machine or on a cluster.

    The workers of the cluster that ``SAGRADA_SCHEDULER`` names have to see the folder under the same name.
    """
    out.mkdir(parents=True, exist_ok=True)
    counts = [min(scenes_a_shard, scenes - first) for first in range(0, scenes, scenes_a_shard)]
    missing = [number for number in range(len(counts)) if not _path_of(out, number).exists()]
    sizes = [counts[number] for number in missing]
    with _executor(workers, start_method) as pool:
        for line in pool.map(write, [out.resolve()] * len(missing), missing, sizes):
            print(line, flush=True)


def _executor(workers: int | None, start_method: str | None) -> Executor:
    """Return who draws: the cluster of the environment, or processes of this machine."""
    if scheduler := os.environ.get(SCHEDULER):
        from distributed import Client  # noqa: PLC0415  an extra

        made: Executor = Client(scheduler, set_as_default=False).get_executor()
        return made
    return ProcessPoolExecutor(workers, mp_context=get_context(start_method))


def options_of(description: str | None, scenes: int, **flags: str) -> argparse.Namespace:
    """Return what is asked for when a set is drawn: ``flags`` are the set's own, each with its help."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=scenes)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    for name, text in flags.items():
        parser.add_argument(f"--{name}", action="store_true", help=text)
    return parser.parse_args()


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    kinds = {"hard": "frames with roses, windows past the edge", "seats": "tables from low down"}
    args = options_of(__doc__, 5000, **kinds)
    kind = next((name for name in kinds if getattr(args, name)), "plain")
    write = partial(write_shard, kind=kind)
    write_missing(write, args.out, args.scenes, SHARD_SCENES, args.workers)


if __name__ == "__main__":
    main()
