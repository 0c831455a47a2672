"""What finder and reader learn from: views of synthetic scenes, and crops of the cells in them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.shards import Arrays
from calibration.training.synthetic import seats
from calibration.training.synthetic.scene import Scene, Window, readable, render
from vision.detection.views import VIEW_PX, straight_view, whole_view
from vision.geometry import BOARD_CORNERS, Grid, apply_homography
from vision.recognition.cells import CROP_PX, cell_crops, lean_of

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


def arrays_of(seed: int, kind: str = "plain") -> Arrays:
    """Return what is learned from one scene: a plain one, a ``hard`` one, or one of ``seats``.

    ``views`` (N, 384, 384, 3) uint8 with ``maps`` (N, 2, 2, 3, 3), the homographies base and top
    of up to two windows in view pixels (NaN where there is none), ``dice`` (N, 2, 20) bool and
    ``art`` (N, 2), the height of the art in pitches; ``crops`` (M, 20, 56, 56, 6) uint8 with
    ``codes`` (M, 20) such as ``"R3"`` or ``"--"``, ``prints`` (M, 20) and ``leans`` (M, 2), see
    `vision.recognition.cells.lean_of`; seeds for both. Hard scenes have frames with roses and windows past
    the edge, which misled a finder; seats are tables from low down, for the reader alone.
    """
    shard, rng = Shard(), np.random.default_rng(seed)
    size = SIZES[int(rng.integers(len(SIZES)))]
    if kind == "seats":
        scene = seats.render(rng, size=size)
    else:
        scene = render(rng, size=size, hard=kind == "hard")
        add_views(shard, rng, scene, seed)
    # Streaks beyond the edge, as the reader first learned; traced windows have mirror images there.
    add_crops(shard, rng, scene, seed, cv2.BORDER_REPLICATE)
    return shard.arrays()


@dataclass(eq=False)
class Shard:
    """What is gathered of one scene, see `arrays_of`."""

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

    def arrays(self) -> Arrays:
        """Return the arrays by their names; what there is none of still fits to what others have."""
        side = CROP_PX + CROP_SLACK_PX
        empty: dict[str, NDArray[np.generic]] = {
            "views": np.empty((0, VIEW_PX, VIEW_PX, 3), np.uint8),
            "maps": np.empty((0, MAX_WINDOWS, 2, 3, 3)),
            "dice": np.empty((0, MAX_WINDOWS, 20), bool),
            "art": np.empty((0, MAX_WINDOWS)),
            "crops": np.empty((0, 20, side, side, 6), np.uint8),
            "codes": np.empty((0, 20), "<U2"),
            "prints": np.empty((0, 20), "<U1"),
            "leans": np.empty((0, 2)),
        }
        no_seeds = np.empty(0, np.int64)
        return {
            one.name: np.array(getattr(self, one.name) or empty.get(one.name, no_seeds))
            for one in fields(self)
        }


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
