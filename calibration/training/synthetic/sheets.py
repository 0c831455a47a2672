"""Windows with the printed helper sheet beside them, under light that is hard, and the same without it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import readable
from calibration.training.synthetic.camera import Camera, random_camera
from calibration.training.synthetic.dice import random_look
from calibration.training.synthetic.lights import random_mood
from calibration.training.synthetic.odd import SIZES
from calibration.training.synthetic.papers import TABLE
from calibration.training.synthetic.scene import (
    FINER,
    Drawing,
    Scene,
    Window,
    background,
    draw_window,
    lay,
    photographed,
)
from vision import sheet

Float = NDArray[np.float32]
Gains = tuple[tuple[float, float], tuple[float, float], float]

PX_PER_MM = 8
SPREAD = 10.5  # pitches that window and sheet take up together
MIXED = 5.0  # how suddenly one light gives way to the other, over the longer side

LIGHTS: dict[str, Gains] = {
    # Bounds of warmth and of tint, as in `finish.white_balance`, whose warmth rarely leaves +-0.35 and whose
    # tint rarely leaves +-0.1; and how much light is left.
    "white": ((-0.05, 0.05), (-0.03, 0.03), 1.0),
    "warm bulb": ((0.45, 0.8), (-0.05, 0.05), 1.0),
    "green": ((-0.1, 0.1), (0.3, 0.7), 1.0),
    "blue LED": ((-0.8, -0.45), (-0.05, 0.1), 1.0),
    "pink LED": ((-0.1, 0.2), (-0.6, -0.3), 1.0),
    "dark and warm": ((0.3, 0.6), (-0.05, 0.05), 0.2),
}


@dataclass(frozen=True, eq=False)
class Beside:
    """A photo with the sheet in it, the same without, and where the sheet lies.

    ``to_photo`` (3 x 3) takes millimeters on the strip to pixels; ``white`` is the photo with the sheet in
    white light.
    """

    with_sheet: Scene
    without: Scene
    white: Scene
    to_photo: NDArray[np.float64]


def strip() -> Float:
    """Return the strip as the printer made it, float32 BGR from 0 to 1, `PX_PER_MM` pixels a millimeter."""
    size = (sheet.WIDTH_MM, sheet.HEIGHT_MM)
    paper = sheet.painted(sheet.shapes(), size, PX_PER_MM)
    return np.asarray(paper, dtype=np.float32) / np.float32(255)


def printed(rng: np.random.Generator, paper: Float) -> Float:
    """Return a strip as some printer makes it: paper not quite white, gray black, inks of its own."""
    black, white = rng.uniform(0.08, 0.22), rng.uniform(0.86, 0.96)
    mix = np.eye(3) + rng.normal(0, 0.04, (3, 3))
    mix /= mix.sum(axis=0)  # grays stay about gray
    tint = 1 + rng.normal(0, 0.01, 3)
    return np.asarray((black + (white - black) * np.clip(paper @ mix, 0, 1)) * tint, dtype=np.float32)


def gains_of(rng: np.random.Generator, light: str, size: tuple[int, int]) -> Float:
    """Return BGR gains of a light, (3,), or of two from two sides, (H, W, 3) for a size (W, H)."""
    if light == "mixed":
        warm, cold = gains_of(rng, "warm bulb", size), gains_of(rng, "blue LED", size)
        y, x = np.mgrid[: size[1], : size[0]].astype(np.float32) / max(size) - 0.5
        angle = rng.uniform(0, 2 * np.pi)
        share = 1 / (1 + np.exp(-(x * np.cos(angle) + y * np.sin(angle)) * MIXED))[..., None]
        return np.asarray(warm * share + cold * (1 - share), dtype=np.float32)
    warmths, tints, left = LIGHTS[light]
    warmth, tint = rng.uniform(*warmths), rng.uniform(*tints)
    gains = np.exp([-warmth, tint, 0.75 * warmth])
    return np.asarray(gains / gains.mean() * left, dtype=np.float32)


def place(rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the motion (3 x 3) from millimeters on the strip to the table, and where its middle lies."""
    side = rng.choice(["right", "left", "below"], p=[0.35, 0.35, 0.3])
    middle = {"right": [7.7, 1.2], "left": [-2.7, 1.2], "below": [2.5, 6.7]}[side] + rng.normal(0, 0.25, 2)
    angle = rng.normal(0, 0.12) + (0.0 if side == "below" else np.pi / 2) + rng.choice([0, np.pi])
    c, s = np.cos(angle) / sheet.PITCH_MM, np.sin(angle) / sheet.PITCH_MM
    move = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    move[:2, 2] = middle - move[:2, :2] @ [sheet.WIDTH_MM / 2, sheet.HEIGHT_MM / 2]
    return move, np.asarray(middle, dtype=np.float64)


def beside(
    seed: int,
    light: str,
    *,
    tilts_deg: tuple[float, float] = (0, 35),
    near: float = 1.0,
    size_px: float = 1.0,
) -> Beside:
    """Return photos of one window, with the sheet and without, otherwise alike to the last grain of noise.

    Parameters
    ----------
    seed
        Of all randomness.
    light
        One of `LIGHTS`, or "mixed".
    tilts_deg
        From and to how far from straight above they are seen, in degrees.
    near
        How large window and sheet are in the photo, against as large as they can be.
    size_px
        Factor of the sizes of photos.
    """
    for tried in range(1000):
        rng = np.random.default_rng([seed, tried])
        width, height = (int(side * size_px) for side in SIZES[int(rng.integers(len(SIZES)))])
        size = (int(width * FINER), int(height * FINER))
        pitch = near * rng.uniform(0.8, 1.0) * min(size) / SPREAD
        move, middle = place(rng)
        target = np.append(0.55 * np.array([2.5, 1.8]) + 0.45 * middle, 0)
        camera = random_camera(
            rng,
            size=size,
            pitch_px=pitch,
            min_tilt_deg=tilts_deg[0],
            max_tilt_deg=tilts_deg[1],
            target=target,
        )
        shrink = np.diag([1 / FINER, 1 / FINER, 1.0])
        shrink[:2, 2] = 0.5 / FINER - 0.5
        to_photo = shrink @ camera.plane_homography(TABLE) @ move
        cast, white = gains_of(rng, light, size), np.ones(3, np.float32)
        drawings = [
            Drawing(*_drawn(np.random.default_rng([seed, tried, 1]), camera, laid), (width, height), pitch)
            for laid in (move, None)
        ]
        photos = [
            photographed(np.random.default_rng([seed, tried, 2]), drawings[k], gains)
            for k, gains in ((0, cast), (1, cast), (0, white))
        ]
        made = Beside(photos[0], photos[1], photos[2], to_photo)
        if readable(made.without) and _in_view(to_photo, (width, height)):
            return made
    raise AssertionError(seed)


def _in_view(to_photo: NDArray[np.float64], size: tuple[int, int]) -> bool:
    outline = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [sheet.WIDTH_MM, sheet.HEIGHT_MM]
    seen = cv2.perspectiveTransform(outline[None].astype(np.float64), to_photo)[0]
    return bool(((seen > 0) & (seen < np.array(size))).all())


def _drawn(
    rng: np.random.Generator, camera: Camera, move: NDArray[np.float64] | None
) -> tuple[Float, tuple[Window, ...]]:
    """Return the picture of a window, with the sheet where ``move`` lays it, and the window."""
    image = background(rng, camera)
    look, mood = random_look(rng), random_mood(rng)
    paper = printed(rng, strip())
    if move is not None:
        k = 1 / PX_PER_MM
        to_strip = np.array([[k, 0, 0.5 * k], [0, k, 0.5 * k], [0, 0, 1]])
        homography = camera.plane_homography(TABLE) @ move @ to_strip
        lay(image, paper, np.ones(paper.shape[:2], np.float32), homography, camera.size)
    occupancy = float(rng.uniform(0.7, 1))
    return image, (draw_window(rng, image, camera, look, mood, np.eye(3), occupancy=occupancy),)
