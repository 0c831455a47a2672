"""The reader of a window's cells, trained on synthetic boards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training import loop
from calibration.training.glints import glossy
from calibration.training.loop import Go, Index, answers, gains, in_parts
from calibration.training.nets import READER_HEADS, Reader
from calibration.training.shards import VALIDATION, columns, held_out, learned_from
from calibration.training.synthetic.scene import COLORS
from vision.recognition.cells import CROP_PX, LEANING, turned_alike
from vision.recognition.dice import PRINTS, contents, probabilities


def load(folders: Sequence[Path]) -> tuple[NDArray[np.uint8], Index, NDArray[np.float64], Index]:
    """Return crops (N, 20, 56, 56, 6), labels (N, 20, 4) as filled, color, value, print, leans, and seeds.

    The crops are `turned_alike`, and the leans (N, 2) as they are then. A label of -100 marks a head that
    does not apply. The print has one under a die, too: what shows of it at the rim and through it is worth
    learning.
    """
    crops, leans, codes, prints, seeds = columns(folders, "crops", "leans", "codes", "prints", "crop_seeds")
    turned = [turned_alike(*one) for one in zip(crops, leans, strict=True)]
    labels = [[_label(*cell) for cell in zip(*one, strict=True)] for one in zip(codes, prints, strict=True)]
    upwards = [_turned(*lean) for lean in leans]
    return np.stack(turned), np.array(labels), np.array(upwards), seeds


def _turned(x: float, y: float) -> tuple[float, float]:
    if np.hypot(x, y) < LEANING:
        return x, y
    return (y, -abs(x)) if abs(x) > abs(y) else (x, -abs(y))


def _label(code: str, mark: str) -> tuple[int, int, int, int]:
    if code == "--":
        return 0, -100, -100, PRINTS.index(mark)
    return 1, COLORS.index(code[0]), int(code[1]) - 1, PRINTS.index(mark)


def batch_of(
    crops: NDArray[np.uint8],
    labels: Index,
    leans: NDArray[np.float64],
    index: Index,
    rng: np.random.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Return inputs (20 n, 6, 48, 48) in [-1, 1] and labels (20 n, 4); shaken where ``rng`` is given."""
    slack = (crops.shape[2] - CROP_PX) // 2
    middle = slice(slack, slack + CROP_PX)
    parts = []
    for i in index:
        part = torch.from_numpy(crops[i]).permute(0, 3, 1, 2).float() / 255
        upright = bool(np.hypot(*leans[i]) >= LEANING)
        parts.append(_shaken(part, rng, upright=upright) if rng else part[:, :, middle, middle])
    return torch.cat(parts) * 2 - 1, torch.from_numpy(labels[index].reshape(-1, 4))


def _shaken(part: Tensor, rng: np.random.Generator, *, upright: bool) -> Tensor:
    """Shake a board's crops (20, 6, 56, 56); what is ``upright`` is mirrored from left to right only."""
    if rng.random() < 0.5:
        part = part.flip(3)
    if not upright and rng.random() < 0.5:
        part = part.flip(2)
    if not upright and rng.random() < 0.5:
        part = part.transpose(2, 3)
    # Turns, sizes and shifts are partly those of the whole grid, partly of each cell alone.
    angle = np.deg2rad(rng.normal(0, 3) + rng.normal(0, 3, 20))
    size = np.exp(rng.normal(0, 0.03) + rng.normal(0, 0.015, 20)) * CROP_PX / part.shape[2]
    shift = (rng.normal(0, 1, 2) + rng.normal(0, 1, (20, 2))) * 2 / part.shape[2]
    cos, sin = size * np.cos(angle), size * np.sin(angle)
    maps = np.stack([cos, -sin, shift[:, 0], sin, cos, shift[:, 1]], 1).reshape(20, 2, 3)
    places = nn.functional.affine_grid(
        torch.from_numpy(maps).float(), [20, 6, CROP_PX, CROP_PX], align_corners=False
    )
    part = nn.functional.grid_sample(part, places, padding_mode="border", align_corners=False)
    return (part * torch.from_numpy(gains(rng, 0.08, 0.1))[:, None, None]).clamp(0, 1)


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the summed cross entropy of the heads, each over the cells where it applies."""
    total = torch.zeros(())
    for k, part in enumerate(logits.split(list(READER_HEADS.values()), 1)):
        if (labels[:, k] >= 0).any():
            total = total + nn.functional.cross_entropy(part, labels[:, k], ignore_index=-100)
    return total


def cell_confidence(logits: Tensor, labels: Tensor) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each cell's confidence in its likeliest content and whether that is right."""
    held = contents(probabilities(logits.numpy()))
    filled, color, value, _ = labels.numpy().T
    return held.max(axis=1), held.argmax(axis=1) == np.where(filled > 0, 1 + 6 * color + value, 0)


def best_temperatures(logits: Tensor, labels: Tensor) -> list[float]:
    """Return the best temperature of each head."""
    tried = np.exp(np.linspace(np.log(0.4), np.log(2.5), 120)).tolist()
    found = []
    for k, part in enumerate(logits.split(list(READER_HEADS.values()), 1)):
        # Of the print only open cells count: that is what a person is shown.
        on = (labels[:, k] >= 0) & ((labels[:, 0] == 0) | (k < len(READER_HEADS) - 1))
        found.append(loop.best_temperature(part[on], labels[on, k], tried))
    return found


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, calibrate, go half of the way back to the first weights, write the file, print the figures."""
    crops, labels, leans, seeds = load(folders)
    model, batch, shape = Reader(), partial(batch_of, crops, labels, leans), (20, 6, CROP_PX, CROP_PX)

    def predicted(remainder: int) -> tuple[Tensor, Tensor]:
        return answers(model, batch, in_parts(held_out(seeds, remainder), 16))

    def validate() -> str:
        _, right = cell_confidence(*predicted(VALIDATION))
        return f"cells right {right.mean():.4f}"

    index = learned_from(seeds)
    loop.train(model, out, go, shape, index, batch, loss_of, validate, size=8, rate=2e-3, decay=5e-3)
    temperatures = best_temperatures(*predicted(VALIDATION))
    print("temperatures", dict(zip(READER_HEADS, np.round(temperatures, 3).tolist(), strict=True)))
    model.divide_logits(temperatures)
    if go.start:  # half of the way keeps more of what was known
        model.load_state_dict(loop.mean_of([torch.load(go.start, weights_only=True), model.state_dict()]))
    loop.write(model, out, shape)


class FeatureReader(Reader):
    """The reader with its features beside its logits, always in evaluation mode: batch norms stay fixed."""

    def forward(self, crops: Tensor) -> Tensor:
        """Return logits and features, (20 N, 25 + 112)."""
        own = self.features(crops)
        return torch.cat([self.told_from(own), own], 1)

    def train(self, mode: bool = True) -> FeatureReader:  # noqa: ARG002, FBT001, FBT002  as PyTorch has it
        """Stay in evaluation mode."""
        super().train(mode=False)
        return self


HEADS = [*READER_HEADS.values()]
PARTS = (len(HEADS), sum(HEADS), 112)
"""Labels, logits and features of a cell, side by side."""


def loss_of_glossy(found: Tensor, goal: Tensor) -> Tensor:
    """Return the loss of crops without lamps, followed by the same crops with lamps.

    Both are held to the first reader's features of the crops without, and these to its logits, too (knowledge
    distillation, Hinton et al. 2015). Labels count for all: a die whose pips a lamp hides shall not be sure.
    """
    logits, features = found.split(PARTS[1:], 1)
    labels, told, seen = goal.split(PARTS, 1)
    total = loss_of(logits, labels.long()) + nn.functional.mse_loss(features, seen)
    half = len(found) // 2
    for ours, theirs in zip(*(one[:half].split(HEADS, 1) for one in (logits, told)), strict=True):
        ours, theirs = (one.log_softmax(1) for one in (ours, theirs))  # noqa: PLW2901
        total = total + nn.functional.kl_div(ours, theirs, reduction="batchmean", log_target=True)
    return total


def make_glossy(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Teach a reader that lamps in glossy tops are no pips, and keep its features for the other networks."""
    crops, labels, leans, seeds = load(folders)
    first, model, shape = FeatureReader().eval(), FeatureReader(), (20, 6, CROP_PX, CROP_PX)
    first.load_state_dict(torch.load(str(go.start), weights_only=True))

    def batch(index: Index, rng: np.random.Generator | None = None) -> tuple[Tensor, Tensor]:
        own = rng or np.random.default_rng(int(index[0]))
        shaking = own.bit_generator.random_raw()
        bright = np.stack([glossy(own, crops[i], labels[i, :, 0] > 0, leans[i]) for i in index])
        places = np.arange(len(index))
        plain, lit = (
            batch_of(one, labels[index], leans[index], places, rng and np.random.default_rng(shaking))[0]
            for one in (crops[index], bright)
        )
        with torch.no_grad():
            goal = torch.cat([torch.from_numpy(labels[index].reshape(-1, 4)), first(plain)], 1)
        return torch.cat([plain, lit]), torch.cat([goal, goal])

    def validate() -> str:
        found, goal = answers(model, batch, in_parts(held_out(seeds, VALIDATION), 1))
        confidence, right = cell_confidence(found[:, : PARTS[1]], goal[:, : PARTS[0]].long())
        wrong = ~right & (confidence > 0.98)
        lit = np.arange(len(right)) % 40 >= 20
        return f"right {right.mean():.4f}, surely wrong plain {wrong[~lit].sum()}, glossy {wrong[lit].sum()}"

    loop.train(model, out, go, shape, learned_from(seeds), batch, loss_of_glossy, validate, size=6, rate=3e-4)
