"""The network that says what is hidden in a window, trained on `calibration.training.covered_set`.

Windows are told apart by the seed of their scene: those for validation give the figures of each epoch and the
bounds, those for the test the figures at the end; neither is learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training.loop import Go, Index, Task, answers, gains, in_parts, train
from calibration.training.nets import CoverJudge
from calibration.training.shards import TEST, VALIDATION, held_out, learned_from, shards_in
from vision.geometry import CELL_PX, COLUMNS, MARGIN, ROWS

BATCH = 24
PEAK_RATE = 3e-3
RARE = 2.0  # how much more a cell counts that something hides: there are few
HIGH, WIDE = round((ROWS + 2 * MARGIN) * CELL_PX), round((COLUMNS + 2 * MARGIN) * CELL_PX)
# Shares of a cell that are hidden: from where it counts as such, and up to where it does not. Between them
# nobody can say, and nothing is learned.
HIDDEN = (0.55, 0.15)
TOUCHED = (0.15, 0.02)
IN_VIEW, BEHIND = 0.6, 0.4
"""The least share of a cell inside the picture, and the largest behind dice, that are judged at all."""
FALSE_ALARMS = 0.003
"""The share of cells of windows with nothing over them that the bounds may take for hidden."""


@dataclass(frozen=True, eq=False)
class Views:
    """Windows (N, 156, 180, 6) uint8, labels (N, 2, 20) and seeds (N,).

    The labels say whether a cell is hidden and whether it is touched, 1 or 0, or -100 where nobody can say.
    """

    views: NDArray[np.uint8]
    labels: NDArray[np.int64]
    seeds: NDArray[np.int64]


def load(folders: Sequence[Path]) -> Views:
    """Return the windows of all shards in some folders."""
    views, labels, seeds = [], [], []
    for shard in shards_in(folders):
        views.append(shard["views"])
        labels.append(labels_of(shard["hidden"], shard["behind"], shard["inside"]))
        seeds.append(shard["seeds"])
    return Views(np.concatenate(views), np.concatenate(labels), np.concatenate(seeds))


def labels_of(
    hidden: NDArray[np.float64], behind: NDArray[np.float64], inside: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the labels (N, 2, 20) for the shares of cells (N, 20) that a shard holds."""
    found = []
    for high, low in (HIDDEN, TOUCHED):
        label = np.where(hidden >= high, 1, np.where(hidden <= low, 0, -100))
        label[(label == 0) & (behind > BEHIND)] = -100
        label[inside < IN_VIEW] = -100
        found.append(label)
    return np.stack(found, axis=1)


def batch_of(data: Views, index: Index, rng: np.random.Generator | None = None) -> tuple[Tensor, Tensor]:
    """Return inputs (n, 6, 144, 168) in [-1, 1] and labels (n, 2, 4, 5); shaken where ``rng`` is given."""
    views, labels = [], []
    for i in index:
        view = cut(data.views[i], rng)
        label = data.labels[i].reshape(2, ROWS, COLUMNS)
        if rng:
            for axis in (0, 1):
                if rng.random() < 0.5:
                    view, label = np.flip(view, axis), np.flip(label, axis + 1)
        part = torch.from_numpy(np.ascontiguousarray(view)).permute(2, 0, 1).float() / 255
        if rng:
            part = (part * torch.from_numpy(gains(rng, 0.1, 0.15))[:, None, None]).clamp(0, 1)
        views.append(part)
        labels.append(torch.from_numpy(label.copy()))
    return torch.stack(views) * 2 - 1, torch.stack(labels)


def cut(view: NDArray[np.uint8], rng: np.random.Generator | None) -> NDArray[np.uint8]:
    """Return of a view (156, 180, 6) as much as is judged: the middle, or any part where ``rng`` is given."""
    slack = view.shape[0] - HIGH
    top, left = rng.integers(0, slack + 1, 2) if rng else (slack // 2, slack // 2)
    return view[top : top + HIGH, left : left + WIDE]


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross entropy of both questions over the cells where they have an answer."""
    on = labels >= 0
    rare = torch.tensor(RARE)
    return nn.functional.binary_cross_entropy_with_logits(logits[on], labels[on].float(), pos_weight=rare)


def bounds(logits: Tensor, labels: Tensor) -> list[tuple[float, float]]:
    """Return for each question the probability from which on a cell counts, and the share found with it.

    Few cells count then of windows that have nothing over them.
    """
    plain = ~(labels[:, 1] == 1).flatten(1).any(1)
    found = []
    for k in range(2):
        chance = logits[:, k].sigmoid()
        bound = float(chance[plain][labels[plain][:, k] == 0].quantile(1 - FALSE_ALARMS))
        found.append((bound, float((chance[labels[:, k] == 1] > bound).float().mean())))
    return found


def said(model: nn.Module, data: Views, remainder: int) -> str:
    """Return in words how much of what is hidden is found, at the bounds of the same windows."""
    held = in_parts(held_out(data.seeds, remainder))
    (hidden, found), (touched, seen) = bounds(*answers(model, partial(batch_of, data), held))
    return f"hidden from {hidden:.3f}: {found:.4f} found, touched from {touched:.3f}: {seen:.4f} found"


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, write the ONNX file, print the bounds and the figures."""
    data, model = load(folders), CoverJudge()
    batch, validate = partial(batch_of, data), partial(said, model, data, VALIDATION)
    shape = (1, 6, HIGH, WIDE)
    task = Task(learned_from(data.seeds), BATCH, batch, loss_of, validate, PEAK_RATE, 5e-3, shape)
    train(model, task, out, go)
    print("test scenes:", said(model, data, TEST))
