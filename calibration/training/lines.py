"""The network of hidden lines, trained on `calibration.training.covered_set.lines`.

Windows are told apart by the seed of their scene: those for validation give the figures of each epoch, those
for the test the figures at the end; neither is learned from.
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

from calibration.training.covered import HIGH, WIDE, cut
from calibration.training.loop import Go, Index, Task, gains, in_parts, train
from calibration.training.nets import LineJudge
from calibration.training.shards import TEST, VALIDATION, held_out, learned_from, shards_in

BATCH = 10
PEAK_RATE = 2e-3
SURE = 0.97
"""How sure the likeliest lattice must be to be taken; figures are given of those that are."""


@dataclass(frozen=True, eq=False)
class Choices:
    """Views of lattices (uint8, K x 156 x 180 x 6) among which the first is right, and seeds (N,)."""

    views: list[NDArray[np.uint8]]
    seeds: NDArray[np.int64]


def load(folders: Sequence[Path]) -> Choices:
    """Return the choices of all shards in some folders."""
    views: list[NDArray[np.uint8]] = []
    seeds = []
    for shard in shards_in(folders):
        views += [one[:count] for one, count in zip(shard["views"], shard["counts"], strict=True)]
        seeds.append(shard["seeds"])
    return Choices(views, np.concatenate(seeds))


def batch_of(data: Choices, index: Index, rng: np.random.Generator | None = None) -> tuple[Tensor, Tensor]:
    """Return inputs (n, 6, 144, 168) in [-1, 1] of all views of some choices, and how many each has.

    All views of a choice are shaken alike, where ``rng`` is given, but for where they are cut.
    """
    views, counts = [], []
    for i in index:
        lit = gains(rng, 0.15, 0.2) if rng else np.ones(6, np.float32)
        axes = tuple(axis for axis in (0, 1) if rng and rng.random() < 0.5)
        for view in data.views[i]:
            part = np.flip(cut(view, rng), axes).astype(np.float32) / 255
            views.append(np.clip(part * lit, 0, 1).transpose(2, 0, 1))
        counts.append(len(data.views[i]))
    return torch.from_numpy(np.stack(views) * np.float32(2) - np.float32(1)), torch.tensor(counts)


def loss_of(logits: Tensor, counts: Tensor) -> Tensor:
    """Return the mean cross entropy of the first of each choice against the others."""
    parts = logits[:, 0].split(counts.tolist())
    return torch.stack([-part.log_softmax(0)[0] for part in parts]).mean()


def said(model: nn.Module, data: Choices, remainder: int) -> str:
    """Return in words how often the right lattice is taken, and how often a wrong one."""
    model.eval()
    right = sure = wrong = 0
    index = held_out(data.seeds, remainder)
    with torch.no_grad():
        for part_of_them in in_parts(index, 8):
            inputs, counts = batch_of(data, part_of_them)
            for part in model(inputs)[:, 0].split(counts.tolist()):
                chances = part.softmax(0)
                right += int(chances.argmax() == 0)
                sure += int(chances[0] > SURE)
                wrong += int(chances[1:].max() > SURE)
    return f"of {len(index)}: {right} right, {sure} taken, {wrong} wrongly"


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, write the ONNX file, print the figures."""
    data, model = load(folders), LineJudge()
    batch, validate = partial(batch_of, data), partial(said, model, data, VALIDATION)
    shape = (1, 6, HIGH, WIDE)
    task = Task(learned_from(data.seeds), BATCH, batch, loss_of, validate, PEAK_RATE, 1e-2, shape)
    train(model, task, out, go)
    print("test scenes:", said(model, data, TEST))
