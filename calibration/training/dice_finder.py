"""The finder of loose dice. It marks every die, in windows, too; whoever asks leaves those out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from calibration.training.finder import add_bump, focal, relit
from calibration.training.loop import Go, Index, in_parts, mean_loss, pictures, train
from calibration.training.nets import DICE_MAPS, DICE_WIDTHS, Finder
from calibration.training.shards import VALIDATION, columns, held_out, learned_from
from vision.detection.views import PADDING, STRIDE, VIEW_PX
from vision.loose import USUAL_EDGE_PX

LEARNED_PX = 192  # side of the part of a view that is learned from at a time; it is asked in whole views
SIDE = LEARNED_PX // STRIDE
SMALLEST_PX = 7  # a die with a smaller edge is neither to be marked nor to be passed over
MAPS = len(DICE_MAPS)
CENTERED = np.array([[1, 0, (LEARNED_PX - VIEW_PX) / 2], [0, 1, (LEARNED_PX - VIEW_PX) / 2]])


@dataclass(frozen=True, eq=False)
class Views:
    """Views (N, 384, 384, 3) uint8 BGR, seeds (N,) and the dice in each, of `tables_set.MARK`."""

    views: NDArray[np.uint8]
    seeds: NDArray[np.int64]
    marks: tuple[NDArray[np.void], ...]


def load(folders: Sequence[Path]) -> Views:
    """Return all shards in some folders."""
    views, seeds, counts, marks = columns(folders, "views", "view_seeds", "mark_counts", "marks")
    return Views(views, seeds, tuple(np.split(marks, np.cumsum(counts)[:-1])))


def targets_of(marks: NDArray[np.void], change: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return `DICE_MAPS` and where they count, (5, 48, 48), of dice after a change (2, 3) of view pixels."""
    out = np.zeros((MAPS + 1, SIDE, SIDE), np.float32)
    out[MAPS] = 1
    zoom = np.sqrt(abs(np.linalg.det(change[:, :2])))
    order = np.argsort(marks["hidden"])[::-1]  # those in view last, as they count
    for mark in marks[order]:
        top = change[:, :2] @ mark["top"] + change[:, 2]
        up = change[:, :2] @ (mark["top"] - mark["foot"])
        edge = float(mark["edge"] * zoom)
        x, y = (top + 0.5) / STRIDE - 0.5
        reach = edge / STRIDE * 0.5
        if not (-reach < x < SIDE + reach and -reach < y < SIDE + reach):
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


def random_change(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return an affine change (2, 3) of view pixels: any turn, perhaps a mirror image, a little zoom."""
    turn, zoom = rng.uniform(0, 2 * np.pi), np.exp(rng.normal(0, 0.15))
    c, s = zoom * np.cos(turn), zoom * np.sin(turn)
    flip = float(rng.choice([-1, 1]))
    change = np.array([[c * flip, -s, 0.0], [s * flip, c, 0.0]])
    change[:, 2] = CENTERED[:, 2] - change[:, :2] @ np.full(2, VIEW_PX / 2 - 0.5) + rng.normal(0, 40, 2)
    change[:, 2] += np.full(2, VIEW_PX / 2 - 0.5)
    return change


def batch_of(data: Views, index: Index, rng: np.random.Generator | None = None) -> tuple[Tensor, Tensor]:
    """Return parts of views (n, 3, 192, 192) in [-1, 1] and `targets_of` each, shaken with ``rng``."""
    inputs, goals = [], []
    for k in index:
        change = CENTERED if rng is None else random_change(rng)
        view = cv2.warpAffine(data.views[k], change, (LEARNED_PX, LEARNED_PX), borderValue=(PADDING,) * 3)
        shown = np.asarray(view, dtype=np.uint8)
        inputs.append(shown if rng is None else relit(shown, rng))
        goals.append(targets_of(data.marks[k], change))
    return pictures(np.array(inputs)), torch.from_numpy(np.array(goals))


def loss_of(maps: Tensor, goal: Tensor) -> Tensor:
    """Return the focal loss of the middles plus the absolute errors of the rest at them."""
    losses, near = focal(maps[:, 0], goal[:, 0], goal[:, MAPS])
    total = near.sum() + 20
    off = ((maps[:, 1:] - goal[:, 1:MAPS]).abs() * near[:, None]).sum()
    return losses.sum() / total + 0.5 * off / total


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train and write the ONNX file."""
    data, model = load(folders), Finder(MAPS, DICE_WIDTHS)
    held = in_parts(held_out(data.seeds, VALIDATION))
    batch, shape = partial(batch_of, data), (1, 3, VIEW_PX, VIEW_PX)
    validate = partial(mean_loss, model, batch, loss_of, held)
    train(model, out, go, shape, learned_from(data.seeds), batch, loss_of, validate, size=8, rate=2.5e-3)
