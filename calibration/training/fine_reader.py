"""The reader that looks once more, in finer pixels, at the values of dice in doubt: lamps, shade."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training.glints import glossy, shaded
from calibration.training.loop import Go, Index, answers, calibrate, gains, in_parts, pictures, train, write
from calibration.training.nets import FineReader
from calibration.training.shards import VALIDATION, columns, held_out, learned_from
from vision.recognition.cells import CROP_PITCH_PX, CROP_PX, FINE

SIDE = FINE * CROP_PX
TOGETHER = 20  # as many dice are painted alike
PAINTED, SHADED, SOFT = 0.8, 0.25, 0.4


def batch_of(
    crops: NDArray[np.uint8], values: Index, index: Index, rng: np.random.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """Return inputs (n, 3, 96, 96) in [-1, 1] and values (n,); shaken and lit where ``rng`` is given."""
    tops = crops[index]
    if rng is None:
        middle = slice((crops.shape[1] - SIDE) // 2, (crops.shape[1] + SIDE) // 2)
        return pictures(tops[:, middle, middle]), torch.from_numpy(values[index])
    for k in range(0, len(tops), TOGETHER):
        some = tops[k : k + TOGETHER]
        if rng.random() < PAINTED and len(some) == TOGETHER:
            some = glossy(rng, some, np.ones(TOGETHER, bool), np.zeros(2), FINE * CROP_PITCH_PX)
        tops[k : k + TOGETHER] = shaded(rng, some) if rng.random() < SHADED else some
    return pictures(np.stack([_shaken(rng, top) for top in tops])), torch.from_numpy(values[index])


def _shaken(rng: np.random.Generator, top: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a top as another photo may show it: moved, turned a little, perhaps a mirror image, soft."""
    room = top.shape[0]
    angle, zoom = rng.normal(0, 4), float(np.exp(rng.normal(0, 0.05)))
    move = cv2.getRotationMatrix2D((room / 2 - 0.5, room / 2 - 0.5), angle, zoom)
    move[:, 2] += (SIDE - room) / 2 + rng.normal(0, 2.5, 2)
    if rng.random() < SOFT:
        less = rng.uniform(0.4, 1)
        small = cv2.resize(top, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        top = np.asarray(cv2.resize(small, (room, room), interpolation=cv2.INTER_LINEAR), np.uint8)
    seen = cv2.warpAffine(top, move, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT)
    seen = seen[:, ::-1] if rng.random() < 0.5 else seen
    lit = seen * gains(rng, 0.08, 0.12)[:3] + rng.normal(0, rng.uniform(0, 6), seen.shape)
    return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, divide the temperature out of the logits, and write the file."""
    crops, values, seeds = columns(folders, "tops", "values", "crop_seeds")
    model, shape = FineReader(), (1, 3, SIDE, SIDE)
    parts = in_parts(held_out(seeds, VALIDATION), 64)

    def batch(index: Index, rng: np.random.Generator | None = None) -> tuple[Tensor, Tensor]:
        return batch_of(crops, values, index, rng)

    def validate() -> str:
        logits, truth = answers(model, batch, parts)
        sure, right = logits.softmax(1).amax(1), logits.argmax(1) == truth
        return f"values right {right.float().mean():.4f}, surely wrong {(~right & (sure > 0.98)).sum()}"

    index = learned_from(seeds)
    loss = nn.functional.cross_entropy
    train(model, out, go, shape, index, batch, loss, validate, size=80, rate=3e-3, decay=0.01)
    calibrate(model.head, *answers(model, batch, parts))
    write(model, out, shape)
