"""Windows whose dice get other dyes after they were drawn, where their bodies show: far faster than anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.scene import COLORS
from vision.recognition.cells import FACE

Float = NDArray[np.float32]

NEAR_HUES = np.array([0, 50, 140, 215, 285])  # of the game's dyes, in degrees
LIKE = (0.6, 0.85)  # cosine of the chroma of a pixel and the body's: nothing of the dye, all of it
PIPS_QUANTILE = 0.95
DARKEST_WHITE = 20.0


def recolored(rng: np.random.Generator, crops: NDArray[np.uint8], codes: Sequence[str]) -> NDArray[np.uint8]:
    """Return the crops of a window, (20, S, S, 6) BGR twice, with other dyes; ``codes`` are its dice."""
    out, dyed = crops.copy(), _random_dyes(rng)
    there = [k for k, code in enumerate(codes) if code != "--"]
    if not there:
        return out
    white = np.median([_pip_color(crops[k]) for k in there], axis=0)
    white = np.clip(white, DARKEST_WHITE, None) / max(float(white.max()), DARKEST_WHITE)
    for k in there:
        for view in (slice(0, 3), slice(3, 6)):
            lit = crops[k, ..., view].astype(np.float32) / 255 / white.astype(np.float32)
            peak = max(float(lit.max()), 1.0)
            new = _with_dye(lit / peak, COLORS.index(codes[k][0]), dyed) * peak * white * 255
            out[k, ..., view] = np.clip(new, 0, 255)
    return out


def _random_dyes(rng: np.random.Generator) -> Callable[[Float, int], Float]:
    """Return what makes of the HSV of a body (hue in degrees) that of another dye, color by color."""
    kind = rng.random()
    turns, scales, lifts = np.zeros(5), np.ones((2, 5)), np.zeros(2)
    if kind < 0.35:  # each hue goes its own way
        turns = rng.choice([-1, 1], 5) * rng.uniform(15, 70, 5) * (rng.random(5) < rng.choice([0.5, 1]))
        scales = np.clip(rng.normal(1, 0.12, (2, 5)), 0.6, 1.4)
    elif kind < 0.5:  # all go one way, which looks like another lamp
        turns = np.full(5, rng.choice([-1, 1]) * rng.uniform(12, 40))
    elif kind < 0.8:  # any dyes, or some not too far from the game's
        any_dye = kind < 0.7
        hues = rng.uniform(0, 360, 5) if any_dye else (NEAR_HUES + rng.uniform(-45, 45, 5)) % 360
        least = np.array([[0.0], [0.1]] if any_dye else [[0.5], [0.35]])
        saturation, value = rng.uniform(least, 1, (2, 5))
        return lambda body, k: np.array(
            [hues[k], saturation[k], value[k] * np.clip(1.6 * body[2], 0.3, 1)], dtype=np.float32
        )
    elif kind < 0.9:  # pale
        scales, lifts = np.array([[rng.uniform(0.2, 0.6)], [0.5]]) * np.ones(5), np.array([0, 0.5])
    else:  # dark
        scales[1] = rng.uniform(0.25, 0.6)

    def change(body: Float, k: int) -> Float:
        grown = np.clip(body[1:] * scales[:, k] + lifts, (0.02, 0.03), 0.99)
        return np.array([(body[0] + turns[k]) % 360, *grown], dtype=np.float32)

    return change


def _pip_color(crop: NDArray[np.uint8]) -> NDArray[np.float64]:
    face = crop[FACE, FACE, :3].reshape(-1, 3).astype(np.float64)
    light = face.sum(axis=1)
    return np.asarray(face[light >= np.quantile(light, PIPS_QUANTILE)].mean(axis=0))


def _with_dye(picture: Float, color: int, dyed: Callable[[Float, int], Float]) -> Float:
    """Return a picture of a die, BGR in white light up to 1, with another dye."""
    picture = np.clip(picture, 0, 1)
    body = np.median(picture[FACE, FACE].reshape(-1, 3), axis=0)
    chroma = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)[..., 1:]
    of_body = cv2.cvtColor(body[None, None], cv2.COLOR_BGR2LAB)[0, 0, 1:]
    strength = max(float(np.linalg.norm(of_body)), 3.0)
    along = chroma @ of_body / strength
    like = (along / np.maximum(np.linalg.norm(chroma, axis=-1), 1e-3) - LIKE[0]) / (LIKE[1] - LIKE[0])
    share = np.clip(along / strength, 0, 1) * np.clip(like, 0, 1)
    share = cv2.GaussianBlur(share, (0, 0), 0.6)[..., None]
    hsv = cv2.cvtColor(body[None, None], cv2.COLOR_BGR2HSV)[0, 0]
    dye = cv2.cvtColor(dyed(hsv, color)[None, None], cv2.COLOR_HSV2BGR)[0, 0]
    shade = np.clip(picture.max(axis=-1, keepdims=True) / max(float(hsv[2]), 0.02), 0, 3)
    return np.asarray(picture * (1 - share) + share * np.clip(dye * shade, 0, 1), dtype=np.float32)
