"""The three card networks, trained on `calibration.training.card_set`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training import loop
from calibration.training.card_set import OTHER
from calibration.training.finder import add_bump, focal, relit
from calibration.training.loop import Batch, Go, Index
from calibration.training.nets import CardFinder, CardReader, ShadeReader
from vision.geometry import apply_homography
from vision.objectives import CARD_IN_CROP, CROP_PX, FIRST_TILES, STRIDE, STRIP, VIEW_PX

SMALL_PX = 192  # side to which a view is reduced to learn from: the same cards in a quarter of the pixels
LEAST_PX = 7.0  # a card whose size is less there is not to be found
UNIT_PX = 64  # the size whose logarithm is 0
HELD = 20  # every so manieth example is held back
NEAR = 0.12  # sizes from a card's middle within which the maps point to its corners


def target_maps(cards: NDArray[np.float32], view_px: int) -> NDArray[np.float32]:
    """Return heat, weight, where the rest counts, size and corners, (12, n, n), of cards (10, 9)."""
    n = view_px // STRIDE
    cells = STRIDE * np.stack(np.meshgrid(np.arange(n), np.arange(n)), axis=-1) + (STRIDE - 1) / 2
    out = np.zeros((12, n, n), np.float32)
    out[1] = 1
    for card in cards:
        if card[8] < 0:
            continue
        corners = card[:8].reshape(4, 2).astype(np.float64)
        size = float(np.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1.0)))
        middle = crossing(corners)
        off = np.linalg.norm(cells - middle, axis=-1)
        if card[8] == 0:
            out[1][off < 0.5 * size] = 0
            continue
        spot = (middle - (STRIDE - 1) / 2) / STRIDE
        add_bump(out[0], float(spot[0]), float(spot[1]), float(np.clip(0.07 * size / STRIDE, 0.6, 2.5)))
        near = off <= max(NEAR * size, float(off.min()) + 1e-6)
        out[2][near] = 1
        out[3][near] = np.log(size / UNIT_PX)
        out[4:, near] = ((corners[None] - cells[near][:, None]) / size).reshape(-1, 8).T
    out[1] = np.maximum(out[1], out[0] > 0.3)
    return out


def crossing(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where the diagonals of a quadrilateral (4, 2) cross: the middle of the card, seen at a slant."""
    to_photo = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), corners.astype(np.float32)
    )
    return np.asarray(apply_homography(np.asarray(to_photo, dtype=np.float64), np.array([[0.5, 0.5]]))[0])


def finder_loss(maps: Tensor, goal: Tensor) -> Tensor:
    """Return the focal loss of the middles plus how far sizes and corners are off."""
    weight, here = goal[:, 1], goal[:, 2]
    losses, near = focal(maps[:, 0], goal[:, 0])
    off = (maps[:, 1:] - goal[:, 3:]).abs()
    points = ((off[:, 0] + off[:, 1:].sum(1)) * here).sum() / (here.sum() + 2)
    return (weight * losses).sum() / (near.sum() + 2) + points


def reader_loss(logits: Tensor, goal: Tensor) -> Tensor:
    """Return cross entropy of the class plus, of public objectives, how far the corners are off."""
    label = goal[:, 0].long()
    named = (label != OTHER).float()
    off = (logits[:, 11:] - goal[:, 1:]).abs().sum(1)
    return nn.functional.cross_entropy(logits[:, :11], label) + (off * named).sum() / (named.sum() + 1)


def batch_of_views(
    every: NDArray[np.uint8], found: NDArray[np.float32], index: Index, rng: np.random.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """Return views in [-1, 1] and maps of their cards (N, 10, 9), shaken where ``rng`` is given."""
    views, goals = [], []
    for one in index:
        view, cards = every[one], found[one]
        if rng is not None:
            view, cards = reduced(view, cards)
            view, cards = turned(relit(view, rng), cards, int(rng.integers(8)))
        views.append(view)
        goals.append(target_maps(cards, len(view)))
    return loop.pictures(np.stack(views)), torch.from_numpy(np.stack(goals))


def turned(
    view: NDArray[np.uint8], cards: NDArray[np.float32], way: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return a view and its cards, their glass on top, in one of eight ways: mirrored, turned."""
    quads = cards[:, :8].reshape(-1, 4, 2)
    last = len(view) - 1
    if way >= 4:
        view, quads = view[:, ::-1], np.stack([last - quads[..., 0], quads[..., 1]], axis=-1)[:, [1, 0, 3, 2]]
    for _ in range(way % 4):
        view = view.transpose(1, 0, 2)[:, ::-1]
        quads = np.stack([last - quads[..., 1], quads[..., 0]], axis=-1)
    return np.ascontiguousarray(view), np.concatenate([quads.reshape(-1, 8), cards[:, 8:]], axis=1)


def reduced(
    view: NDArray[np.uint8], cards: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return a view made smaller, with the cards as they lie in it; the smallest need not be found."""
    scale = SMALL_PX / len(view)
    cards = cards.copy()
    cards[:, :8] = (cards[:, :8] + 0.5) * scale - 0.5
    for card in cards:
        if card[8] > 0 and cv2.contourArea(card[:8].reshape(4, 2)) < LEAST_PX**2:
            card[8] = 0
    small = cv2.resize(view, (SMALL_PX, SMALL_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8), cards


def batch_of_crops(
    every: NDArray[np.uint8],
    labels: Index,
    true: NDArray[np.float32],
    index: Index,
    rng: np.random.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Return crops in [-1, 1], classes and shifts from ``true`` corners (N, 4, 2), shaken with ``rng``."""
    crops, corners = every[index], true[index].astype(np.float64)
    if rng is not None:
        for k in range(len(index)):
            crops[k] = relit(crops[k], rng)
            if rng.random() < 0.6:
                crops[k], corners[k] = nudged(crops[k], corners[k], rng)
    shifts = np.clip((corners - CARD_IN_CROP) / 100, -0.6, 0.6).reshape(-1, 8)
    goal = np.concatenate([labels[index][:, None], shifts], axis=1).astype(np.float32)
    return loop.pictures(crops), torch.from_numpy(goal)


def nudged(
    crop: NDArray[np.uint8], corners: NDArray[np.float64], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return a crop as from corners that are a little farther off, now and then of fewer pixels."""
    start = CARD_IN_CROP.astype(np.float32)
    middle = CARD_IN_CROP.mean(0)
    grown = middle + (CARD_IN_CROP - middle) * np.exp(rng.normal(0, 0.05))
    goal = (grown + rng.normal(0, 2, (4, 2)) + rng.normal(0, 2, 2)).astype(np.float32)
    move = np.asarray(cv2.getPerspectiveTransform(start, goal), dtype=np.float64)
    if rng.random() < 0.25:
        small = rng.uniform(0.4, 0.9)
        crop = np.asarray(cv2.resize(crop, None, fx=small, fy=small, interpolation=cv2.INTER_AREA), np.uint8)
        crop = np.asarray(cv2.resize(crop, CROP_PX, interpolation=cv2.INTER_LINEAR), np.uint8)
    out = cv2.warpPerspective(crop, move, CROP_PX, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.uint8), apply_homography(move, corners)


def finder(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train the card finder and write its ONNX file."""
    with np.load(folders[0] / "views.npz") as shard:
        batch, every = partial(batch_of_views, shard["views"], shard["cards"]), np.arange(len(shard["views"]))
    model, shape = CardFinder(), (1, 3, VIEW_PX, VIEW_PX)
    validate = partial(loop.mean_loss, model, batch, finder_loss, loop.in_parts(every[every % HELD == 0]))
    index = every[every % HELD != 0]
    loop.train(model, out, go, shape, index, batch, finder_loss, validate, size=12, rate=3e-3)


def crops_of(folder: Path) -> tuple[Batch, Index, Index, Index]:
    """Return crops, their labels, which to learn from and which not: those of one photo lie side by side."""
    with np.load(folder / "crops.npz") as shard:
        labels = shard["labels"].astype(np.int64)
        batch = partial(batch_of_crops, shard["crops"], labels, shard["corners"])
    every = np.arange(len(labels))
    is_held = every // 50 % HELD == 0
    return batch, labels, every[~is_held], every[is_held]


def reader(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train the card reader, divide its logits by the temperature of the crops held back, and write it."""
    batch, _, index, held = crops_of(folders[0])
    model, shape = CardReader(), (1, 3, CROP_PX[1], CROP_PX[0])

    def validate() -> str:
        logits, goal = loop.answers(model, batch, loop.in_parts(held))
        right = (logits[:, :11].argmax(1) == goal[:, 0].long()).float().mean().item()
        named = goal[:, 0] != OTHER
        off = (logits[named, 11:] - goal[named, 1:]).abs().mean().item() * 100
        return f"validation {right:.1%} of {len(held)}, corners off by {off:.2f} px"

    loop.train(model, out, go, shape, index, batch, reader_loss, validate, size=32, rate=3e-3)
    logits, goal = loop.answers(model, batch, loop.in_parts(held))
    loop.calibrate(model.kind, logits[:, :11], goal[:, 0].long())
    loop.write(model, out, shape)


def shades(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train the reader of tiles on those crops that show a card with tiles, and write it."""
    crops, labels, index, held = crops_of(folders[0])
    tiles = (labels >= FIRST_TILES) & (labels < OTHER)
    index, held = index[tiles[index]], held[tiles[held]]
    model = ShadeReader()

    def batch(index: Index, rng: np.random.Generator | None = None) -> tuple[Tensor, Tensor]:
        inputs, goal = crops(index, rng)
        return inputs[:, :, *STRIP], goal[:, 0].long() - FIRST_TILES

    def validate() -> str:
        logits, goal = loop.answers(model, batch, [held])
        return f"validation {(logits.argmax(1) == goal).float().mean().item():.1%} of {len(held)}"

    shape = (1, 3, *(part.stop - part.start for part in STRIP))
    loop.train(model, out, go, shape, index, batch, nn.functional.cross_entropy, validate, size=32, rate=4e-3)
    loop.calibrate(model.kind, *loop.answers(model, batch, [held]))
    loop.write(model, out, shape)
