"""The networks that say what is hidden in a window, and where its hidden outer line lies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training.loop import Batch, Go, Index, answers, gains, in_parts, train
from calibration.training.nets import CoverJudge, LineJudge
from calibration.training.shards import TEST, VALIDATION, columns, held_out, learned_from
from vision.geometry import CELL_PX, COLUMNS, MARGIN, ROWS

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
SURE = 0.97
"""How sure the likeliest lattice must be to be taken; figures are given of those that are."""
Choices = list[NDArray[np.uint8]]
"""Views of lattices (uint8, K x 156 x 180 x 6) among which the first is right."""


def load(folders: Sequence[Path]) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return windows (N, 156, 180, 6), labels (N, 2, 20), hidden and touched, -100 if unknown, and seeds."""
    views, hidden, behind, inside, seeds = columns(folders, "views", "hidden", "behind", "inside", "seeds")
    return views, labels_of(hidden, behind, inside), seeds


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


def batch_of(
    windows: NDArray[np.uint8], known: NDArray[np.int64], index: Index, rng: np.random.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """Return inputs (n, 6, 144, 168) in [-1, 1] and labels (n, 2, 4, 5); shaken where ``rng`` is given."""
    views, labels = [], []
    for i in index:
        view = cut(windows[i], rng)
        label = known[i].reshape(2, ROWS, COLUMNS)
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
    """Return for each question the probability from which on a cell counts, and the share found with it."""
    plain = ~(labels[:, 1] == 1).flatten(1).any(1)
    found = []
    for k in range(2):
        chance = logits[:, k].sigmoid()
        bound = float(chance[plain][labels[plain][:, k] == 0].quantile(1 - FALSE_ALARMS))
        found.append((bound, float((chance[labels[:, k] == 1] > bound).float().mean())))
    return found


def said(model: nn.Module, batch: Batch, index: Index) -> str:
    """Return in words how much of what is hidden is found, at the bounds of the same windows."""
    (hidden, found), (touched, seen) = bounds(*answers(model, batch, in_parts(index)))
    return f"hidden from {hidden:.3f}: {found:.4f} found, touched from {touched:.3f}: {seen:.4f} found"


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, write the ONNX file, print the bounds and the figures."""
    views, labels, seeds = load(folders)
    model, batch, shape = CoverJudge(), partial(batch_of, views, labels), (1, 6, HIGH, WIDE)
    index, validate = learned_from(seeds), partial(said, model, batch, held_out(seeds, VALIDATION))
    train(model, out, go, shape, index, batch, loss_of, validate, size=24, rate=3e-3, decay=5e-3)
    print("test scenes:", said(model, batch, held_out(seeds, TEST)))


def load_choices(folders: Sequence[Path]) -> tuple[Choices, NDArray[np.int64]]:
    """Return the choices of all shards in some folders, and their seeds (N,)."""
    views, counts, seeds = columns(folders, "views", "counts", "seeds")
    return [one[:count] for one, count in zip(views, counts, strict=True)], seeds


def batch_of_choices(
    choices: Choices, index: Index, rng: np.random.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """Return inputs (n, 6, 144, 168) in [-1, 1] of all views of some choices, and how many each has."""
    views, counts = [], []
    for i in index:
        lit = gains(rng, 0.15, 0.2) if rng else np.ones(6, np.float32)
        axes = tuple(axis for axis in (0, 1) if rng and rng.random() < 0.5)
        for view in choices[i]:
            part = np.flip(cut(view, rng), axes).astype(np.float32) / 255
            views.append(np.clip(part * lit, 0, 1).transpose(2, 0, 1))
        counts.append(len(choices[i]))
    return torch.from_numpy(np.stack(views) * np.float32(2) - np.float32(1)), torch.tensor(counts)


def loss_of_choices(logits: Tensor, counts: Tensor) -> Tensor:
    """Return the mean cross entropy of the first of each choice against the others."""
    parts = logits[:, 0].split(counts.tolist())
    return torch.stack([-part.log_softmax(0)[0] for part in parts]).mean()


def said_of_choices(model: nn.Module, batch: Batch, index: Index) -> str:
    """Return in words how often the right lattice is taken, and how often a wrong one."""
    model.eval()
    right = sure = wrong = 0
    with torch.no_grad():
        for part_of_them in in_parts(index, 8):
            inputs, counts = batch(part_of_them, None)
            for part in model(inputs)[:, 0].split(counts.tolist()):
                chances = part.softmax(0)
                right += int(chances.argmax() == 0)
                sure += int(chances[0] > SURE)
                wrong += int(chances[1:].max() > SURE)
    return f"of {len(index)}: {right} right, {sure} taken, {wrong} wrongly"


def make_lines(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train the network of hidden lines, write the ONNX file, print the figures."""
    choices, seeds = load_choices(folders)
    model, batch, shape = LineJudge(), partial(batch_of_choices, choices), (1, 6, HIGH, WIDE)
    index, validate = learned_from(seeds), partial(said_of_choices, model, batch, held_out(seeds, VALIDATION))
    train(model, out, go, shape, index, batch, loss_of_choices, validate, size=10, rate=2e-3, decay=1e-2)
    print("test scenes:", said_of_choices(model, batch, held_out(seeds, TEST)))
