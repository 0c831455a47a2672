"""What finder and reader learn from: views of synthetic scenes, and crops of the cells in them."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.training.shards import Arrays, stacked
from calibration.training.synthetic import tables
from calibration.training.synthetic.scene import Scene, Window, readable, render
from vision.detection.views import straight_view, whole_view
from vision.geometry import BOARD_CORNERS, Grid, apply_homography
from vision.recognition.cells import CROP_PX, FINE, cell_crops, fine_crops, lean_of, turned_alike

CROPS_PX = CROP_PX + 8  # training cuts off the slack at random
MAX_WINDOWS = 2
SIZES = ((720, 540), (540, 720), (640, 640), (800, 450))
PHOTOS, VIEWED = 12, 4  # photos of a traced scene for the reader, and how many of these the finder sees, too
FINE_SIZES, ROOMS = ((600, 500), (500, 600), (640, 480)), 6
TRACED_SIZES = ((420, 350), (350, 420), (440, 330), (380, 380))

Row = Mapping[str, object]
"""What each array holds of one view, or of the crops of one window."""


def jittered_grid(rng: np.random.Generator, window: Window, *, pitch_sigma: float, rise_sigma: float) -> Grid:
    """Return the window's grid with the errors that a finder makes."""
    corners = apply_homography(window.base, BOARD_CORNERS + rng.normal(0, pitch_sigma, (4, 2)))
    base = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), corners.astype(np.float32))
    true_rise = window.top[:, 2] - window.base[:, 2]
    # Both are scaled so that the middle of the board has the same depth.
    depth = (window.base @ [2.5, 2, 1])[2] / (base @ [2.5, 2, 1])[2]
    return Grid(np.asarray(base, dtype=np.float64), true_rise / depth * np.exp(rng.normal(0, rise_sigma)))


def arrays_of(seed: int, kind: str = "plain") -> Arrays:
    """Return what is learned from one scene: a plain one, a ``hard`` one, or an ``upright`` table.

    ``views`` (N, 384, 384, 3) uint8 with ``maps`` (N, 2, 2, 3, 3), the homographies base and top of up to two
    windows in view pixels, else NaN, ``dice`` (N, 2, 20) bool and ``art`` (N, 2), its height in pitches;
    ``crops`` (M, 20, 56, 56, 6) uint8 with ``codes`` (M, 20) such as ``"R3"`` or ``"--"``, ``prints`` (M, 20)
    and ``leans`` (M, 2), see `lean_of`; seeds for both. Tables, seen from low down mostly, are for
    the reader alone.
    """
    rng = np.random.default_rng(seed)
    size = SIZES[int(rng.integers(len(SIZES)))]
    table = kind == "upright"
    scene = (
        tables.render(rng, size=size, upright=True) if table else render(rng, size=size, hard=kind == "hard")
    )
    views = [] if table else views_of(rng, scene)
    # Streaks beyond the edge, as the reader first learned; traced windows have mirror images there.
    crops = crops_of(rng, scene, cv2.BORDER_REPLICATE)
    return {**stacked(views, view_seeds=seed), **stacked(crops, crop_seeds=seed)}


def traced_arrays_of(seed: int, *, low: bool = False) -> Arrays:
    """Return what `arrays_of` describes, of `PHOTOS` photos of a path-traced window; ``low``: with glare."""
    from calibration.training.synthetic import traced  # noqa: PLC0415 - needs the `train` extra

    rng = np.random.default_rng(seed)
    drawing = traced.draw(rng, size=TRACED_SIZES[int(rng.integers(len(TRACED_SIZES)))], low=low)
    rng = np.random.default_rng([seed, PHOTOS])
    views, crops = [], []
    for k in range(PHOTOS):
        # The finder sees each photo in one size whatever its own; the reader's others are smaller often.
        far_away = 0.0 if k < VIEWED else 0.6
        scene = traced.photographed(np.random.default_rng([seed, k]), drawing, far_away=far_away)
        crops += crops_of(rng, scene, cv2.BORDER_REFLECT)
        if k < VIEWED:
            views += views_of(rng, scene)
    return {**stacked(views, view_seeds=seed), **stacked(crops, crop_seeds=seed)}


def tops_of_drawn(seed: int) -> Arrays:
    """Return what `tops_of` gives of one drawn scene, ``crop_seeds`` beside it."""
    rng = np.random.default_rng(seed)
    scene = render(rng, size=SIZES[int(rng.integers(len(SIZES)))], hard=seed % 4 == 0)
    return stacked(tops_of(rng, scene), crop_seeds=seed)


def tops_of_traced(seed: int) -> Arrays:
    """Return what `tops_of` gives of photos of a path-traced window whose dice mirror lamps."""
    from calibration.training.synthetic import traced  # noqa: PLC0415 - needs the `train` extra

    rng = np.random.default_rng(seed)
    drawing = traced.draw(rng, size=FINE_SIZES[int(rng.integers(len(FINE_SIZES)))], rooms=ROOMS)
    photos = [
        traced.photographed(np.random.default_rng([seed, k]), drawing, far_away=0.2) for k in range(PHOTOS)
    ]
    rows = [row for photo in photos for row in tops_of(rng, photo)]
    return stacked(rows, crop_seeds=seed)


def tops_of(rng: np.random.Generator, scene: Scene) -> list[Row]:
    """Return ``tops`` (96 + 16 pixels square) and ``values`` of the dice in a scene's readable windows."""
    rows: list[Row] = []
    for window in readable(scene):
        grid = jittered_grid(rng, window, pitch_sigma=0.03, rise_sigma=0.12)
        crops = turned_alike(fine_crops(scene.image_bgr, grid, FINE * CROPS_PX), lean_of(grid))
        dice = [(crop, code) for crop, code in zip(crops, window.dice, strict=True) if code != "--"]
        rows += [{"tops": crop, "values": int(code[1]) - 1} for crop, code in dice]
    return rows


def views_of(rng: np.random.Generator, scene: Scene) -> list[Row]:
    """Return what the finder sees of a scene: all of it, and its first window straightened roughly."""
    looks = [whole_view(scene.image_bgr)]
    if scene.windows:
        turn = np.array([[-1, 0, 5], [0, -1, 4], [0, 0, 1.0]]) if rng.random() < 0.5 else np.eye(3)
        shaken = jittered_grid(rng, scene.windows[0], pitch_sigma=0.2, rise_sigma=0)
        looks.append(straight_view(scene.image_bgr, shaken.homography @ turn))
    rows: list[Row] = []
    for look in looks:
        back = np.linalg.inv(look.to_photo)
        maps = np.full((MAX_WINDOWS, 2, 3, 3), np.nan)
        dice = np.zeros((MAX_WINDOWS, 20), bool)
        art = np.zeros(MAX_WINDOWS)
        for k, window in enumerate(scene.windows[:MAX_WINDOWS]):
            maps[k] = back @ window.base, back @ window.top
            dice[k] = [code != "--" for code in window.dice]
            art[k] = window.art_above
        rows.append({"views": look.image_bgr, "maps": maps, "dice": dice, "art": art})
    return rows


def crops_of(rng: np.random.Generator, scene: Scene, beyond: int) -> list[Row]:
    """Return what the reader sees of a scene's readable windows; ``beyond`` as for `cell_crops`."""
    rows: list[Row] = []
    for window in readable(scene):
        rough = rng.random() < 0.2  # a finder is off like this on a hard photo
        pitch_sigma, rise_sigma = (0.07, 0.25) if rough else (0.03, 0.12)
        grid = jittered_grid(rng, window, pitch_sigma=pitch_sigma, rise_sigma=rise_sigma)
        crops = cell_crops(scene.image_bgr, grid, CROPS_PX, beyond)
        rows.append({"crops": crops, "codes": window.dice, "prints": window.print, "leans": lean_of(grid)})
    return rows
