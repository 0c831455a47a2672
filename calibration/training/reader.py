"""The reader of a window's cells, trained on synthetic boards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.evaluation.reliability import Reliability
from calibration.training import loop
from calibration.training.loop import Go, Index, answers, gains, in_parts
from calibration.training.nets import READER_HEADS, Reader
from calibration.training.shards import TEST, VALIDATION, columns, held_out, learned_from
from calibration.training.synthetic.scene import COLORS
from vision.recognition.cells import CROP_PX, LEANING, turned_alike
from vision.recognition.dice import PRINTS, contents, probabilities


def load(folders: Sequence[Path]) -> tuple[NDArray[np.uint8], Index, NDArray[np.bool_], Index]:
    """Return crops (N, 20, 56, 56, 6), labels (N, 20, 4) as filled, color, value, print, leaning, and seeds.

    The crops are `turned_alike`, which the leaning ones mean. A label of -100 marks a head that does not
    apply. The print has one under a die, too: what shows of it at the rim and through it is worth learning.
    """
    crops, leans, codes, prints, seeds = columns(folders, "crops", "leans", "codes", "prints", "crop_seeds")
    turned = [turned_alike(*one) for one in zip(crops, leans, strict=True)]
    labels = [[_label(*cell) for cell in zip(*one, strict=True)] for one in zip(codes, prints, strict=True)]
    return np.stack(turned), np.array(labels), np.hypot(*leans.T) >= LEANING, seeds


def _label(code: str, mark: str) -> tuple[int, int, int, int]:
    if code == "--":
        return 0, -100, -100, PRINTS.index(mark)
    return 1, COLORS.index(code[0]), int(code[1]) - 1, PRINTS.index(mark)


def batch_of(
    crops: NDArray[np.uint8],
    labels: Index,
    leaning: NDArray[np.bool_],
    index: Index,
    rng: np.random.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Return inputs (20 n, 6, 48, 48) in [-1, 1] and labels (20 n, 4); shaken where ``rng`` is given."""
    slack = (crops.shape[2] - CROP_PX) // 2
    middle = slice(slack, slack + CROP_PX)
    parts = []
    for i in index:
        part = torch.from_numpy(crops[i]).permute(0, 3, 1, 2).float() / 255
        upright = bool(leaning[i])
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


def report(logits: Tensor, labels: Tensor) -> str:
    """Return the closing lines: accuracy and calibration on the test scenes."""
    confidence, right = cell_confidence(logits, labels)
    reliability = Reliability.of(zip(confidence.tolist(), right.tolist(), strict=True))
    cells = f"test scenes: {len(right)} cells, {right.mean():.4f} right"
    lines = [f"{cells}, expected calibration error {reliability.error or 0:.4f}"]
    for level in reliability.levels:
        sure, wrong = level.right.total, level.right.total - level.right.hits
        below = 1 - sure / len(right)
        lines.append(
            f"  below {level.at_least}: {below:.4f} of cells; wrong above: {wrong / max(sure, 1):.5f}"
        )
    prints = logits.split(list(READER_HEADS.values()), 1)[3].argmax(1) == labels[:, 3]
    for what, cells in (("open cells", labels[:, 0] == 0), ("under dice", labels[:, 0] == 1)):
        lines.append(f"  print of {what}: {prints[cells].float().mean():.4f} right")
    return "\n".join(lines)


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, calibrate, go half of the way back to the first weights, write the file, print the figures."""
    crops, labels, leaning, seeds = load(folders)
    model, batch, shape = Reader(), partial(batch_of, crops, labels, leaning), (20, 6, CROP_PX, CROP_PX)

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
    print(report(*predicted(TEST)))
