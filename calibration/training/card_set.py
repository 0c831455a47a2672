"""What the card networks learn from: ``views.npz`` for the finder, and ``crops.npz``, cards set straight."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import card_tables, objectives, other_cards
from calibration.training.synthetic.card_tables import Card, Laid
from calibration.training.synthetic.scene import render
from vision.geometry import apply_homography
from vision.objectives import CARD_IN_CROP, VIEW_PX, set_straight

Image8 = NDArray[np.uint8]
Pool = list[tuple[str | None, Image8]]
Crop = tuple[Image8, int, NDArray[np.float32]]

OTHER = len(objectives.NAMES)
"""The class of what is no public objective."""
DOUBTFUL_KINDS = ("private", "unknown")
"""Cards in the frame of the public ones: the finder may mark them or not, the reader tells them apart."""
SEED = 17
WINDOWS = 120  # without cards
MANY = 10  # cards on a table at most
SEEN, SOME = 0.72, 0.1  # shares of a card in view: enough to be found, too little to matter


def draw_pool(seed: int, each: int, others: int) -> Pool:
    """Return cards to lay; the name of one in the frame of a public objective that is none is empty."""
    pool: Pool = []
    for k in range(each * OTHER):
        rng = np.random.default_rng([seed, k])
        name = objectives.NAMES[k % OTHER]
        pool.append((name, _packed(objectives.objective(rng, name))))
    for k in range(others):
        rng = np.random.default_rng([seed, 1_000_000 + k])
        kind = str(rng.choice(other_cards.KINDS, p=other_cards.SHARES))
        pool.append(("" if kind in DOUBTFUL_KINDS else None, _packed(other_cards.other_card(rng, kind))))
    return pool


def draw_windows(seed: int, count: int) -> list[Image8]:
    """Return photos of windows without cards, (384, 384, 3): what must not be taken for a card."""
    every = (np.random.default_rng([seed, 2_000_000 + k]) for k in range(count))
    return [render(rng, size=(VIEW_PX, VIEW_PX)).image_bgr for rng in every]


def picked(rng: np.random.Generator, pool: Pool, windows: Sequence[Image8]) -> tuple[Image8, list[Laid]]:
    """Return a view, (384, 384, 3), and the cards in it."""
    size = (VIEW_PX, VIEW_PX)
    sort = rng.random()
    if sort < 0.1:
        return windows[int(rng.integers(len(windows)))], []
    if sort < 0.22:
        return card_tables.scanned(rng, _card(rng, pool), size)
    width = float(np.exp(rng.uniform(np.log(15), np.log(190))))
    cards = [_card(rng, pool) for _ in range(int(rng.integers(1, (MANY if width < 70 else 4) + 1)))]
    ground = None
    if rng.random() < 0.25:
        ground = windows[int(rng.integers(len(windows)))].astype(np.float32) / np.float32(255)
    return card_tables.photograph(rng, cards, size, width_px=width, ground=ground)


def draw_view(
    rng: np.random.Generator, pool: Pool, windows: Sequence[Image8]
) -> tuple[Image8, NDArray[np.float32]]:
    """Return a view and its cards (10, 9): corners x, y in pixels; 1 to find it, 0 no matter, -1 none."""
    image, laid = picked(rng, pool, windows)
    cards = np.full((MANY, 9), -1, np.float32)
    for k, one in enumerate(laid[:MANY]):
        if one.name is None or one.seen < SOME:
            continue
        cards[k, :8] = one.corners.ravel()
        cards[k, 8] = one.seen >= SEEN and one.name != "" and one.width_px > 11
    if rng.random() < 0.35:  # a photo does not fill the square
        edge = int(rng.uniform(0.5, 0.95) * VIEW_PX)
        down = rng.random() < 0.5
        (image[edge:] if down else image[:, edge:])[:] = 114
        beyond = (cards[:, 1:8:2] if down else cards[:, :8:2]).max(axis=1) > edge
        cards[beyond & (cards[:, 8] == 1), 8] = 0
    return image, cards


def draw_crops(rng: np.random.Generator, pool: Pool, windows: Sequence[Image8]) -> list[Crop]:
    """Return cards set straight as the finder would have it, their class, and their true corners there."""
    width = float(np.exp(rng.uniform(np.log(52), np.log(330))))
    size = (round(width * rng.uniform(1.5, 2.6)), round(width * rng.uniform(1.7, 2.6)))
    if rng.random() < 0.12:
        image, laid = card_tables.scanned(rng, _card(rng, pool), (round(1.1 * width), round(1.5 * width)))
    else:
        ground = None
        if rng.random() < 0.2:
            window = cv2.resize(windows[int(rng.integers(len(windows)))], size)
            ground = np.asarray(window, dtype=np.float32) / np.float32(255)
        cards = [_card(rng, pool) for _ in range(int(rng.integers(1, 4)))]
        image, laid = card_tables.photograph(rng, cards, size, width_px=width, ground=ground)
    found = []
    for one in laid:
        if one.seen < 0.62:
            continue
        for _ in range(2):
            turn = 2 if one.name in objectives.NAMES and rng.random() < 0.1 else 0
            guess = np.roll(one.corners + jitter(rng, one.width_px), turn, axis=0)
            corners = np.roll(one.corners, turn, axis=0)
            found.append(_crop(image, guess, corners, None if turn else one.name))
    if rng.random() < 0.25:  # anywhere at all
        window = windows[int(rng.integers(len(windows)))]
        middle, wide = (rng.uniform(0, 384), rng.uniform(0, 384)), rng.uniform(50, 250)
        box = cv2.boxPoints((middle, (wide, wide * 1.4), rng.uniform(0, 360))).astype(np.float64)
        found.append(_crop(window, box, box, None))
    return found


def jitter(rng: np.random.Generator, width_px: float) -> NDArray[np.float64]:
    """Return how far (4, 2) the finder's corners may be off, in pixels."""
    amount = 0.03 if rng.random() < 0.75 else 0.075
    return np.asarray((rng.normal(0, amount, (4, 2)) + rng.normal(0, amount, 2)) * width_px)


def _crop(image: Image8, guess: NDArray[np.float64], corners: NDArray[np.float64], name: str | None) -> Crop:
    to_crop = cv2.getPerspectiveTransform(guess.astype(np.float32), CARD_IN_CROP.astype(np.float32))
    where = apply_homography(np.asarray(to_crop, dtype=np.float64), corners)
    label = objectives.NAMES.index(name) if name else OTHER
    return set_straight(image, guess), label, where.astype(np.float32)


def _card(rng: np.random.Generator, pool: Pool) -> Card:
    name, picture = pool[int(rng.integers(len(pool)))]
    tone = np.float32(1 / 255) * np.exp(rng.normal(0, 0.04, 3)).astype(np.float32)
    return Card(name, np.minimum(picture.astype(np.float32) * tone, 1))


def _packed(picture: NDArray[np.float32]) -> Image8:
    return np.asarray(picture * 255, dtype=np.uint8)


def write(
    folder: Path, share: float, views: int = 3200, crops: int = 10000, each: int = 80, *, tiles: bool = False
) -> None:
    """Draw the missing files of a folder, or a share of them; ``each`` counts the cards of one objective."""
    if (folder / "crops.npz").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    views, crops, each, bare = (ceil(share * count) for count in (views, crops, each, WINDOWS))
    pool = draw_pool(SEED, each, each * 6)
    if tiles:
        often = dict.fromkeys(objectives.TILES, 1) | dict.fromkeys(objectives.SHADES, 3)
        pool = [card for card in pool for _ in range(often.get(card[0] or "", 0))]
    windows = draw_windows(SEED, bare)
    if views:
        drawn = [draw_view(np.random.default_rng([SEED, 4, k]), pool, windows) for k in range(views)]
        images, cards = (np.stack(part) for part in zip(*drawn, strict=True))
        np.savez(folder / "views.npz", views=images, cards=cards)
    found: list[Crop] = []
    scene = 0
    while len(found) < crops:
        shown = draw_crops(np.random.default_rng([SEED, 3, scene]), pool, windows)
        found += [crop for crop in shown if crop[1] != OTHER or not tiles]
        scene += 1
    pictures, labels, corners = (np.stack(part) for part in zip(*found, strict=True))
    np.savez(folder / "crops.npz", crops=pictures, labels=labels, corners=corners)
    print(len(pool), "cards,", views, "views,", len(found), "crops", flush=True)
