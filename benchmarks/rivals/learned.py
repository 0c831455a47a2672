"""A learned cell reader one size simpler: gradients and colors of one cell, and a net of two layers.

Histograms of oriented gradients (Dalal & Triggs 2005) and a color histogram describe a cell; three questions
(a die? which color? which value?) share one hidden layer. NumPy trains it in a minute on shards of
`calibration.training.dataset`; it sees one cell at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.feature import hog

from benchmarks.rivals.dice import Cells, balanced
from calibration.training.dataset import learned_from, shards_in
from calibration.training.synthetic.scene import COLORS
from vision.cells.crops import CROP_PX

Float = NDArray[np.float64]
Codes = Sequence[str]

HEADS = (2, 5, 6)  # a die or none, R Y G B P, 1 to 6
HIDDEN, EPOCHS, BATCH, RATE, DECAY = 96, 14, 128, 1.5e-3, 1e-4
COLOR_BINS = 8


def features(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Describe the 20 cells of a window (20 x 48 x 48 x 6, BGR twice), a row of float32 each."""
    tops = np.clip(balanced(crops[..., :3]), 0, 1)
    return np.stack([_features_of(top) for top in tops])


def _features_of(top: NDArray[np.float32]) -> NDArray[np.float32]:
    shape = hog(
        top.min(axis=2),  # pips stand out most in the darkest channel
        orientations=8,
        pixels_per_cell=(6, 6),
        cells_per_block=(2, 2),
        block_norm="L2-Hys",
    )
    middle = slice(CROP_PX // 2 - 13, CROP_PX // 2 + 13)
    lab = cv2.cvtColor(top[middle, middle], cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float64)
    bins, _, _ = np.histogram2d(lab[:, 1], lab[:, 2], bins=COLOR_BINS, range=((-80, 80), (-80, 80)))
    spread = [lab.mean(axis=0) / 50, lab.std(axis=0) / 25]
    return np.concatenate([shape, 3 * np.sqrt(bins.ravel() / len(lab)), *spread]).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Learned:
    """Weights of the two layers, and mean and spread of the features."""

    first: Float
    second: Float
    mean: Float
    spread: Float

    def __call__(self, crops: NDArray[np.uint8]) -> Cells:
        """Read the 20 cells of a window."""
        filled, color, value = self.answers(features(crops))
        return Cells(filled[:, 1], color, value)

    def answers(self, described: NDArray[np.float32]) -> tuple[Float, Float, Float]:
        """Return the probabilities of the three questions for features (N, F)."""
        _, (filled, color, value) = _forward((described - self.mean) / self.spread, self.first, self.second)
        return filled, color, value


def labels_of(codes: Codes) -> NDArray[np.int64]:
    """Return class numbers (N, 3) of cells like ``"R3"`` or ``"--"``; -1 where a question does not apply."""
    return np.array(
        [(0, -1, -1) if code == "--" else (1, COLORS.index(code[0]), int(code[1]) - 1) for code in codes]
    )


def load_shards(folder: Path, limit: int) -> Iterator[tuple[NDArray[np.uint8], list[str]]]:
    """Yield crops and codes of the training boards of the first ``limit`` shards in a folder."""
    for path in shards_in([folder])[:limit]:
        with np.load(path) as shard:
            learn = learned_from(shard["crop_seeds"])
            slack = (shard["crops"].shape[2] - CROP_PX) // 2
            middle = slice(slack, slack + CROP_PX)
            for crops, codes in zip(shard["crops"][learn], shard["codes"][learn], strict=True):
                yield crops[:, middle, middle], codes.tolist()


def train(described: NDArray[np.float32], labels: NDArray[np.int64], seed: int = 3) -> Learned:
    """Learn from features (N, F) and labels (N, 3) by Adam on the summed cross entropy."""
    rng = np.random.default_rng(seed)
    mean, spread = described.mean(axis=0), described.std(axis=0) + 0.02
    inputs = (described - mean) / spread
    first = rng.normal(0, np.sqrt(2 / inputs.shape[1]), (inputs.shape[1] + 1, HIDDEN))
    second = rng.normal(0, np.sqrt(1 / HIDDEN), (HIDDEN + 1, sum(HEADS)))
    moments = [np.zeros_like(w) for w in (first, second, first, second)]
    step, steps = 0, EPOCHS * (len(inputs) // BATCH)
    for _ in range(EPOCHS):
        order = rng.permutation(len(inputs))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            step += 1
            index = order[start : start + BATCH]
            hidden, answers = _forward(inputs[index], first, second)
            error = np.concatenate([_error(a, labels[index, k]) for k, a in enumerate(answers)], axis=1)
            back = (error @ second[:-1].T) * (hidden > 0)
            gradients = (_with_one(inputs[index]).T @ back, _with_one(hidden).T @ error)
            rate = RATE * min(1.0, 2 * (1 - step / (steps + 1)))
            for k, gradient in enumerate(gradients):
                weights = (first, second)[k]
                moments[k] += 0.1 * (gradient / BATCH - moments[k])
                moments[k + 2] += 0.001 * ((gradient / BATCH) ** 2 - moments[k + 2])
                scaled = moments[k] / (1 - 0.9**step) / (np.sqrt(moments[k + 2] / (1 - 0.999**step)) + 1e-8)
                weights -= rate * (scaled + DECAY * weights)
    return Learned(first, second, mean.astype(np.float64), spread.astype(np.float64))


def _forward(inputs: NDArray[np.floating], first: Float, second: Float) -> tuple[Float, list[Float]]:
    """Return the hidden layer and the probabilities that answer each question."""
    hidden = np.maximum(_with_one(inputs) @ first, 0)
    logits = np.split(_with_one(hidden) @ second, np.cumsum(HEADS)[:-1], axis=1)
    raised = [np.exp(part - part.max(axis=1, keepdims=True)) for part in logits]
    return hidden, [part / part.sum(axis=1, keepdims=True) for part in raised]


def _error(answers: Float, truth: NDArray[np.int64]) -> Float:
    """Return the gradient of the cross entropy by the logits, zero where the question does not apply."""
    wanted = np.eye(answers.shape[1])[np.maximum(truth, 0)]
    return (answers - wanted) * (truth >= 0)[:, None]


def _with_one(rows: NDArray[np.floating]) -> Float:
    return np.column_stack([rows, np.ones(len(rows))])
