"""The finders, trained on synthetic views: of windows, and of dice, which marks those in windows, too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training.loop import Go, Index, in_parts, mean_loss, pictures, train
from calibration.training.nets import DICE_MAPS, DICE_WIDTHS, Finder
from calibration.training.shards import VALIDATION, columns, held_out, learned_from
from vision.detection.views import MAP_OF_VIEW, PADDING, STRIDE, VIEW_PX
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, apply_homography
from vision.loose import USUAL_EDGE_PX

SIDE = VIEW_PX // STRIDE
OBLIQUE = 0.45  # pitches between the tops of the dice and their holes from which a view is oblique
MOVED = 0.7  # share of the views that are turned, zoomed and tilted each time they are learned from
ART_DEPTH = 1.6  # pitches of art above the lattice that the fourth map marks
LEARNED_PX = 192  # side of the part of a view that is learned from at a time; it is asked in whole views
DICE_SIDE = LEARNED_PX // STRIDE
SMALLEST_PX = 7  # a die with a smaller edge is neither to be marked nor to be passed over
LOW = 0.3  # edges by which dice lean from which on a view is one from low down
MAPS = len(DICE_MAPS)
CENTERED = np.array([[1, 0, (LEARNED_PX - VIEW_PX) / 2], [0, 1, (LEARNED_PX - VIEW_PX) / 2]])


def target_maps(
    maps: NDArray[np.float64], dice: NDArray[np.bool_], art: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """Return the four target maps (4, 96, 96), 0-255, of one view's windows."""
    out = np.zeros((4, SIDE, SIDE), np.float32)
    for (base, top), filled, above in zip(maps, dice, art, strict=True):
        if np.isnan(base).any():
            continue
        homographies = (MAP_OF_VIEW @ base, MAP_OF_VIEW @ top)
        areas = [quad := apply_homography(homographies[0], BOARD_CORNERS)]
        if above > 0:
            depth = min(above, ART_DEPTH)
            band = np.array([[0, -0.15], [5, -0.15], [5, -depth], [0, -depth]])
            areas.append(apply_homography(homographies[0], band))
        for target, area in zip(out[2:], areas, strict=False):
            points = np.round(np.clip(area, -900, 900) * 16).astype(np.int32)
            cv2.fillConvexPoly(target, points, 1.0, cv2.LINE_8, 4)
        pitch = np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1) / 20)
        sigma = float(np.clip(0.16 * pitch, 0.7, 2.5))
        for channel, homography in enumerate(homographies):
            for (cx, cy), there in zip(apply_homography(homography, CELL_CENTERS), filled, strict=True):
                if (there or channel == 0) and -2 < cx < SIDE + 2 and -2 < cy < SIDE + 2:
                    add_bump(out[channel], cx, cy, sigma)
    return (out * 255).astype(np.uint8)


def add_bump(target: NDArray[np.float32], cx: float, cy: float, sigma: float) -> None:
    """Raise a target map to a Gaussian about (cx, cy), as far off as 255 levels show it, in place."""
    reach = 3.4 * sigma
    left, top = max(0, int(cx - reach)), max(0, int(cy - reach))
    patch = target[top : int(cy + reach) + 2, left : int(cx + reach) + 2]
    y, x = np.ogrid[top : top + patch.shape[0], left : left + patch.shape[1]]
    np.maximum(patch, np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * sigma**2)), out=patch)


def focal(logits: Tensor, heat: Tensor, counts: Tensor | float = 1.0) -> tuple[Tensor, Tensor]:
    """Return focal losses (Law & Deng 2018, CornerNet) where heat ``counts``, and how near peaks are."""
    p = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    near = torch.exp(-((1 - heat) * 12)) * counts  # 1 at a peak, falling fast
    positive = -near * (1 - p) ** 2 * torch.log(p)
    negative = -((1 - heat) ** 4) * (counts - near).clamp(0) * p**2 * torch.log(1 - p)
    return positive + negative, near


def loss_of(logits: Tensor, target: Tensor) -> Tensor:
    """Return the focal loss of the middles plus cross entropy of the areas."""
    losses, near = focal(logits[:, :2], target[:, :2])
    area = nn.functional.binary_cross_entropy_with_logits(logits[:, 2:], target[:, 2:])
    return (losses.sum((1, 2, 3)) / (near.sum((1, 2, 3)) + 20)).mean() + 4 * area


def random_motion(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a homography (3, 3) of view pixels that turns, zooms, tilts and shifts a little."""
    turn, zoom, stretch = rng.normal(0, 0.17), np.exp(rng.normal(-0.05, 0.16)), np.exp(rng.normal(0, 0.06))
    c, s = zoom * np.cos(turn), zoom * np.sin(turn)
    motion = np.array([[c * stretch, -s, 0], [s, c / stretch, 0], [0, 0, 1.0]])
    motion[2, :2] = rng.normal(0, 0.0004, 2)
    motion = np.array([[1, 0, rng.normal(0, 12)], [0, 1, rng.normal(0, 12)], [0, 0, 1]]) @ motion
    to_middle = np.array([[1, 0, -VIEW_PX / 2], [0, 1, -VIEW_PX / 2], [0, 0, 1]])
    return np.asarray(np.linalg.inv(to_middle) @ motion @ to_middle, dtype=np.float64)


def moved(
    view: NDArray[np.uint8], target: NDArray[np.uint8], motion: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return a view (384, 384, 3), padded, and its maps (4, 96, 96) moved by a homography of view pixels."""
    small = MAP_OF_VIEW @ motion @ np.linalg.inv(MAP_OF_VIEW)
    image = cv2.warpPerspective(view, motion, (VIEW_PX, VIEW_PX), borderValue=(PADDING,) * 3)
    maps = cv2.warpPerspective(np.ascontiguousarray(target.transpose(1, 2, 0)), small, (SIDE, SIDE))
    return image.astype(np.uint8), maps.transpose(2, 0, 1).astype(np.uint8)


def relit(view: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a view (384, 384, 3) in another light: exposure, white balance, gamma, haze, sometimes grey."""
    levels = np.arange(256) / 255
    gains = np.exp(rng.normal(0, 0.12, (1, 3)) + rng.normal(0, 0.2))
    curves = np.clip(levels[:, None] * gains, 0, 1) ** np.exp(rng.normal(0, 0.25))
    if rng.random() < 0.15:
        haze = rng.uniform(0, 0.5)
        curves = curves * (1 - haze) + haze * rng.uniform(0.3, 1)
    lit = cv2.LUT(view, np.round(255 * curves).astype(np.uint8)[:, None, :])
    if rng.random() < 0.1:
        lit = cv2.cvtColor(cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return lit.astype(np.uint8, copy=False)


def batch_of(
    every: NDArray[np.uint8], marked: NDArray[np.uint8], index: Index, rng: np.random.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """Return views (n, 3, 384, 384) in [-1, 1] and maps (n, 4, 96, 96) in [0, 1], shaken with ``rng``."""
    views, targets = every[index], marked[index]
    if rng is not None:
        for k in range(len(index)):
            if rng.random() < MOVED:
                views[k], targets[k] = moved(views[k], targets[k], random_motion(rng))
            views[k] = relit(views[k], rng)
    inputs, goal = pictures(views), torch.from_numpy(targets).float() / 255
    if rng is not None and rng.random() < 0.5:
        inputs, goal = inputs.flip(3), goal.flip(3)
    if rng is not None and rng.random() < 0.5:
        inputs, goal = inputs.transpose(2, 3), goal.transpose(2, 3)
    return inputs, goal


def load(folders: Sequence[Path]) -> tuple[NDArray[np.uint8], NDArray[np.uint8], Index, NDArray[np.bool_]]:
    """Return views (N, 384, 384, 3), target maps (N, 4, 96, 96), seeds and which are oblique (N,)."""
    views, seeds, *windows = columns(folders, "views", "view_seeds", "maps", "dice", "art")
    targets = [target_maps(*one) * in_photo(view) for view, *one in zip(views, *windows, strict=True)]
    oblique = [lean(maps[0]) > OBLIQUE for maps in windows[0]]
    return views, np.stack(targets), seeds, np.array(oblique)


def in_photo(view: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where a view shows the photo, (96, 96): beyond its edge a cut-off window would look whole."""
    padding = (view == PADDING).all(axis=2).reshape(SIDE, STRIDE, SIDE, STRIDE)
    return np.asarray(~padding.all(axis=(1, 3)))


def lean(window: NDArray[np.float64]) -> float:
    """Return how far the tops of the dice are from their holes, in pitches, for homographies (base, top)."""
    if np.isnan(window).any():
        return 0.0
    base, top = (apply_homography(h, CELL_CENTERS[[7]])[0] for h in window)
    pitch = np.linalg.norm(np.diff(apply_homography(window[0], CELL_CENTERS[[7, 8]]), axis=0))
    return float(np.linalg.norm(top - base) / pitch)


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train and write the ONNX file; oblique views, which are rare and hard, are learned from three times."""
    views, targets, seeds, oblique = load(folders)
    model, batch, once = Finder(), partial(batch_of, views, targets), learned_from(seeds)
    index = np.concatenate([once, *[once[oblique[once]]] * 2])
    validate = partial(mean_loss, model, batch, loss_of, in_parts(held_out(seeds, VALIDATION)))
    train(model, out, go, (1, 3, VIEW_PX, VIEW_PX), index, batch, loss_of, validate, size=16, rate=3e-3)


def load_dice(folders: Sequence[Path]) -> tuple[NDArray[np.uint8], Index, list[NDArray[np.void]]]:
    """Return views (N, 384, 384, 3) uint8 BGR, seeds (N,) and the dice in each, of `tables_set.MARK`."""
    views, seeds, counts, marks = columns(folders, "views", "view_seeds", "mark_counts", "marks")
    return views, seeds, np.split(marks, np.cumsum(counts)[:-1])


def targets_of(marks: NDArray[np.void], change: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return `DICE_MAPS` and where they count, (5, 48, 48), of dice after a change (2, 3) of view pixels."""
    out = np.zeros((MAPS + 1, DICE_SIDE, DICE_SIDE), np.float32)
    out[MAPS] = 1
    zoom = np.sqrt(abs(np.linalg.det(change[:, :2])))
    order = np.argsort(marks["hidden"])[::-1]  # those in view last, as they count
    for mark in marks[order]:
        top = change[:, :2] @ mark["top"] + change[:, 2]
        up = change[:, :2] @ (mark["top"] - mark["foot"])
        edge = float(mark["edge"] * zoom)
        x, y = (top + 0.5) / STRIDE - 0.5
        reach = edge / STRIDE * 0.5
        if not (-reach < x < DICE_SIDE + reach and -reach < y < DICE_SIDE + reach):
            continue
        x0, y0 = max(0, round(x - reach)), max(0, round(y - reach))
        box = (slice(y0, max(0, round(y + reach)) + 1), slice(x0, max(0, round(x + reach)) + 1))
        if mark["hidden"] or edge < SMALLEST_PX:
            out[(MAPS, *box)] = 0
            continue
        out[(MAPS, *box)] = 1
        out[(1, *box)] = np.log(edge / USUAL_EDGE_PX)
        out[(2, *box)], out[(3, *box)] = up / edge
        add_bump(out[0], x, y, float(np.clip(0.2 * edge / STRIDE, 0.7, 1.8)))
    return out


def random_change(rng: np.random.Generator, *, low: bool) -> NDArray[np.float64]:
    """Return an affine change (2, 3) of view pixels: perhaps a mirror image, a little zoom, any turn.

    Seen from low down dice stay nearly upright: that says which of their faces is the top.
    """
    turn = rng.normal(0, 0.12) if low else rng.uniform(0, 2 * np.pi)
    zoom = np.exp(rng.normal(0, 0.15))
    c, s = zoom * np.cos(turn), zoom * np.sin(turn)
    flip = float(rng.choice([-1, 1]))
    change = np.array([[c * flip, -s, 0.0], [s * flip, c, 0.0]])
    change[:, 2] = CENTERED[:, 2] - change[:, :2] @ np.full(2, VIEW_PX / 2 - 0.5) + rng.normal(0, 40, 2)
    change[:, 2] += np.full(2, VIEW_PX / 2 - 0.5)
    return change


def _lean_of(marks: NDArray[np.void]) -> float:
    """Return how far the tops of dice are from their feet, in edges."""
    leans = np.linalg.norm(marks["top"] - marks["foot"], axis=1) / marks["edge"]
    return float(np.median(leans)) if len(leans) else 0.0


def batch_of_dice(
    views: NDArray[np.uint8],
    marks: Sequence[NDArray[np.void]],
    index: Index,
    rng: np.random.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Return parts of views (n, 3, 192, 192) in [-1, 1] and `targets_of` each, shaken with ``rng``."""
    inputs, goals = [], []
    for k in index:
        change = CENTERED if rng is None else random_change(rng, low=_lean_of(marks[k]) > LOW)
        view = cv2.warpAffine(views[k], change, (LEARNED_PX, LEARNED_PX), borderValue=(PADDING,) * 3)
        shown = np.asarray(view, dtype=np.uint8)
        inputs.append(shown if rng is None else relit(shown, rng))
        goals.append(targets_of(marks[k], change))
    return pictures(np.array(inputs)), torch.from_numpy(np.array(goals))


def loss_of_dice(maps: Tensor, goal: Tensor) -> Tensor:
    """Return the focal loss of the middles plus the absolute errors of the rest at them."""
    losses, near = focal(maps[:, 0], goal[:, 0], goal[:, MAPS])
    total = near.sum() + 20
    off = ((maps[:, 1:] - goal[:, 1:MAPS]).abs() * near[:, None]).sum()
    return losses.sum() / total + 0.5 * off / total


def make_dice(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train and write the finder of dice."""
    views, seeds, marks = load_dice(folders)
    model, batch, index = Finder(MAPS, DICE_WIDTHS), partial(batch_of_dice, views, marks), learned_from(seeds)
    validate = partial(mean_loss, model, batch, loss_of_dice, in_parts(held_out(seeds, VALIDATION)))
    train(model, out, go, (1, 3, VIEW_PX, VIEW_PX), index, batch, loss_of_dice, validate, size=8, rate=2.5e-3)
