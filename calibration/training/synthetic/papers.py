"""Flat things on tables that are no dice: stained glass, cards, printed tiles."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import card_parts, dice, frames, objectives, other_cards, textures
from calibration.training.synthetic.camera import Camera, motion
from calibration.training.synthetic.scene import lay, random_pattern

Float = NDArray[np.float32]

TABLE = -0.35  # height of the table below the frames' surface, in pitches
PX = 40  # pixels a pitch of what is printed on tracks and cards
CARD = 3.7  # width of a card in pitches


def lay_paper(rng: np.random.Generator, image: Float, camera: Camera, spot: NDArray[np.float64]) -> None:
    """Lay something flat and colored on the table that is no die: glass, a pattern card, tiles with pips."""
    kind = rng.random()
    if kind < 0.35:
        paper = frames.glass(rng, int(rng.uniform(2, 6) * PX), int(rng.uniform(2, 6) * PX), 40)
    elif kind < 0.6:
        paper = textures.card(rng, random_pattern(rng))
    else:
        paper = _tiles(rng)
    zoom = PX / textures.SCALE if 0.35 <= kind < 0.6 else 1.0
    move = anywhere(rng, paper.shape[1::-1], spot)
    move[:2, :2] *= zoom * rng.uniform(0.6, 1.1)
    lay(image, paper, np.ones(paper.shape[:2], np.float32), camera.plane_homography(TABLE) @ move)


def _tiles(rng: np.random.Generator) -> Float:
    """Return a card with printed dice on it, flat ones: nothing that anybody could pick up."""
    high, wide = int(4 * PX), int(2.8 * PX)
    paper = np.full((high, wide, 3), rng.uniform(0.5, 1.0), np.float32)
    if rng.random() < 0.6:
        paper[: high // 3] = frames.glass(rng, high // 3, wide, 30)
    size = int(PX * rng.uniform(0.35, 0.7))
    for _ in range(int(rng.integers(1, 9))):
        x, y = int(rng.integers(0, wide - size)), int(rng.integers(high // 3, high - size))
        tone = rng.uniform(0.1, 1.0, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(0.3, 0.9))
        cv2.rectangle(paper, (x, y), (x + size, y + size), tone.tolist(), -1)
        cv2.rectangle(paper, (x, y), (x + size, y + size), (0.05, 0.05, 0.05), 1 + size // 14, cv2.LINE_AA)
        if rng.random() < 0.7:
            ink = (0.05, 0.05, 0.05) if rng.random() < 0.6 else (1.0, 1.0, 1.0)
            for px, py in dice.PIPS[int(rng.integers(1, 7))]:
                at = (round(x + size * (0.5 + 0.27 * px)), round(y + size * (0.5 + 0.27 * py)))
                cv2.circle(paper, at, max(1, size // 10), ink, -1, cv2.LINE_AA)
    return paper


def lay_misleading(rng: np.random.Generator, image: Float, camera: Camera, reach: float) -> None:
    """Lay what was taken for dice near the camera, within ``reach`` pitches: cards, roses, glass."""
    for _ in range(int(rng.integers(1, 6))):
        spot = rng.uniform(-1, 1, 2) * reach
        kind = rng.random()
        alpha = None
        if kind < 0.55:
            sort = "tool" if kind < 0.35 else None
            paper, zoom = other_cards.other_card(rng, sort), CARD * PX / card_parts.WIDTH
        elif kind < 0.7:
            paper, zoom = objectives.any_objective(rng)[1], CARD * PX / card_parts.WIDTH
        elif kind < 0.85:
            paper, alpha, _ = frames.frame(rng, rose=True)
            zoom = PX / textures.SCALE
        else:
            high, wide = int(rng.uniform(1.5, 4) * PX), int(rng.uniform(2, 10) * PX)
            paper, zoom = frames.fine_glass(rng, high, wide), 1.0
        move = anywhere(rng, paper.shape[1::-1], spot, zoom * rng.uniform(0.7, 1.4))
        alpha = np.ones(paper.shape[:2], np.float32) if alpha is None else alpha
        lay(image, paper, alpha, camera.plane_homography(TABLE) @ move)


def anywhere(
    rng: np.random.Generator, size: tuple[int, ...], spot: NDArray[np.float64], zoom: float = 1.0
) -> NDArray[np.float64]:
    """Return a motion from the pixels of a paper of ``size`` to the table, its middle at ``spot``."""
    return motion(rng.uniform(0, 2 * np.pi), spot, np.array(size) / 2, zoom, PX)
