"""The reader of loose dice, which sees each whole, with its sides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training.finder import relit
from calibration.training.loop import Go, Index, answers, calibrate, in_parts, pictures, train, write
from calibration.training.loose_set import HIDDEN, ROOM_PX
from calibration.training.nets import LooseReader
from calibration.training.shards import VALIDATION, columns, held_out, learned_from
from vision.detection.views import PADDING
from vision.loose import FROM_ABOVE, GROUP, WHOLE_BELOW, WHOLE_EDGE_PX, WHOLE_PX

SLACK = (ROOM_PX - WHOLE_PX) // 2
TOP = np.array([0, -WHOLE_BELOW * WHOLE_EDGE_PX])  # from the middle of a crop to that of the die's top
VALUES = slice(6, 12)


def random_change(rng: np.random.Generator, lean: float) -> NDArray[np.float64]:
    """Return the affine change (2, 3) that takes a crop's pixels to those of the roomy one, about the top.

    It is perhaps a mirror image, a little larger or smaller and moved; dice seen from above may lie any way
    round, others stay nearly upright.
    """
    turn = rng.uniform(0, 2 * np.pi) if lean < FROM_ABOVE else rng.normal(0, 0.1 if lean > 0.3 else 0.25)
    zoom, flip = np.exp(rng.normal(0, 0.09)), float(rng.choice([-1, 1]))
    c, s = zoom * np.cos(turn), zoom * np.sin(turn)
    change = np.array([[c * flip, -s, 0], [s * flip, c, 0]])
    seen = TOP + (WHOLE_PX - 1) / 2 + rng.normal(0, 0.08 * WHOLE_EDGE_PX, 2)
    change[:, 2] = TOP + (ROOM_PX - 1) / 2 - change[:, :2] @ seen
    return change


def shaken(crop: NDArray[np.uint8], lean: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a roomy crop, (96, 96, 3), as another photo may show it: moved, soft, relit, under lamps."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size, change = (WHOLE_PX, WHOLE_PX), random_change(rng, lean)
    image = cv2.warpAffine(crop, change, size, flags=flags, borderValue=(PADDING,) * 3)
    if rng.random() < 0.4:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.6, 2.4))
    light = np.zeros((*size, 3), np.float32)
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.3 else 0):
        lamp, middle = np.zeros(size, np.float32), rng.uniform(15, WHOLE_PX - 15, 2)
        axes = rng.uniform(0.7, 3.7), rng.uniform(0.7, 27 if rng.random() < 0.5 else 6)
        cv2.ellipse(lamp, (tuple(middle), tuple(2 * a for a in axes), rng.uniform(0, 180)), 1.0, -1)
        soft = cv2.GaussianBlur(lamp, (0, 0), rng.uniform(0.7, 2.2))
        light += soft[..., None] * (rng.uniform(80, 330) * np.exp(rng.normal(0, 0.1, 3))).astype(np.float32)
    noise = rng.normal(0, rng.uniform(0, 8), image.shape)
    lit = relit(np.asarray(image, np.uint8), rng) + light + noise
    return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)


def batch_of(
    crops: NDArray[np.uint8],
    contents: Index,
    leans: NDArray[np.float64],
    index: Index,
    rng: np.random.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Return inputs (n, 3, 96, 96) in [-1, 1] and contents (n,); shaken where ``rng`` is given."""
    middle = slice(SLACK, SLACK + WHOLE_PX)
    shown = crops[index, middle, middle]
    if rng is not None:
        shown = np.array([shaken(crops[k], leans[k], rng) for k in index])
    return pictures(shown), torch.from_numpy(contents[index])


def loss_of(logits: Tensor, contents: Tensor) -> Tensor:
    """Return the summed cross entropy of whether a top is marked and, if so, of its color and value."""
    tops, told = contents >= 0, contents != HIDDEN
    there = nn.functional.binary_cross_entropy_with_logits(logits[told, 0], tops[told].float())
    color = nn.functional.cross_entropy(logits[tops, 1:6], contents[tops] // 6)
    return there + color + nn.functional.cross_entropy(logits[tops, VALUES], contents[tops] % 6)


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, divide temperatures out of the logits, and write the file."""
    crops, contents, leans, seeds = columns(folders, "crops", "contents", "leans", "crop_seeds")
    model, batch = LooseReader(), partial(batch_of, crops, contents, leans)
    parts, shape = in_parts(held_out(seeds, VALIDATION)), (GROUP, 3, WHOLE_PX, WHOLE_PX)

    def validate() -> str:
        logits, truth = answers(model, batch, parts)
        tops = truth >= 0
        right = (logits[:, VALUES].argmax(1) == truth % 6)[tops].float().mean()
        taken = (logits[truth == -1, 0] > 0).float().mean()
        return f"values right {right:.4f}, wrong marks taken {taken:.3f}"

    index = learned_from(seeds)
    train(model, out, go, shape, index, batch, loss_of, validate, size=64, rate=2.5e-3, decay=0.02)
    logits, truth = answers(model, batch, parts)
    tops = truth >= 0
    for rows, labels in ((slice(1, 6), truth // 6), (VALUES, truth % 6)):
        calibrate(model.head, logits[tops, rows], labels[tops], rows)
    write(model, out, shape)
