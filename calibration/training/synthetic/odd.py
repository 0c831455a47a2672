"""Windows with dice of odd sets, alike in all photos: named ones are measured, random ones learned from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000, rgb2lab

from calibration.training.synthetic import dice, finish, scene, tables
from calibration.training.synthetic.camera import random_camera
from calibration.training.synthetic.dice import DieLook, Stage, bgr_of
from calibration.training.synthetic.lights import random_mood
from calibration.training.synthetic.papers import TABLE

Float = NDArray[np.float32]

SIZES = ((720, 540), (540, 720), (640, 640))
LIGHTS = ("white", "warm", "mixed")
FEWEST_DICE = 12
BARE = 0.3  # share of the sparse windows that are a card without its frame
BLACK = np.full(3, 0.06, np.float32)
DARK = 0.35  # what no channel of dark pips reaches
LEAST_CONTRAST = 25  # CIEDE2000 between pips and dyes


def _rgb(**colors: tuple[int, int, int]) -> dict[str, Float]:
    return {letter: np.array(rgb[::-1], np.float32) / np.float32(255) for letter, rgb in colors.items()}


def _dyed(look: DieLook, change: Callable[[Float], Float]) -> DieLook:
    """Return the look with hue in degrees, saturation and value of its dyes changed, (5, 3) each."""
    stacked = np.stack([look.dyes[letter] for letter in scene.COLORS])[None]
    hsv = change(np.asarray(cv2.cvtColor(stacked, cv2.COLOR_BGR2HSV)[0], dtype=np.float32))
    dyes = bgr_of(np.stack([hsv[:, 0] % 360, *np.clip(hsv[:, 1:], 0.02, 0.98).T], axis=-1))
    return replace(look, dyes=dict(zip(scene.COLORS, dyes, strict=True)))


def _hsv(*parts: float) -> Float:
    return np.array(parts, np.float32)


def _shifted(look: DieLook) -> DieLook:
    """Orange for red, magenta for purple, turquoise for green, violet for blue; yellow goes to lime."""
    hues = _rgb(R=(240, 110, 15), Y=(190, 210, 40), G=(10, 165, 160), B=(70, 50, 190), P=(200, 25, 120))
    return replace(look, dyes=hues)


def _black_pips(look: DieLook) -> DieLook:
    """Light, clear colors with black pips, as ordinary dice are sold."""
    light = _rgb(R=(235, 60, 50), Y=(250, 215, 60), G=(70, 190, 90), B=(80, 150, 225), P=(180, 110, 205))
    return replace(look, dyes=light, pip_color=BLACK)


NAMED: dict[str, Callable[[DieLook], DieLook]] = {
    "ordinary": lambda look: look,
    "pastel": lambda look: _dyed(look, lambda hsv: hsv * _hsv(1, 0.45, 0.45) + _hsv(0, 0, 0.55)),
    "very dark": lambda look: _dyed(look, lambda hsv: hsv * _hsv(1, 1, 0.45)),
    "shifted hues": _shifted,
    "black pips": _black_pips,
    "opaque": lambda look: replace(look, clarity=0.02, ghost=0.1, gloss=0.35),
    "marbled": lambda look: replace(look, marble=0.55, clarity=0.05),
    "glitter": lambda look: replace(look, glitter=0.08),
    "digits": lambda look: replace(look, digits=True, clarity=0.1),
}
"""The sets that are measured, made from an ordinary look."""


def named_set(name: str, number: int = 0) -> DieLook:
    """Return the look of a set of `NAMED`; another number gives a set alike."""
    look = dice.random_look(np.random.default_rng([71_000_000, number, list(NAMED).index(name)]))
    return NAMED[name](replace(look, pip_radius=float(np.clip(look.pip_radius, 0.18, 0.23))))


def random_set(rng: np.random.Generator) -> tuple[DieLook, bool]:
    """Return the look of a set to learn from, and whether it is unlike the game's; half are."""
    look = dice.random_look(rng)
    if rng.random() < 0.5:
        return look, False
    kind = int(rng.integers(6))
    if kind == 0:  # any dyes
        look = dice.other_make(rng, look)
    elif kind == 1:  # each hue goes its own way, or all go one way, which looks like another lamp
        turns = rng.choice([-1, 1], 5) * rng.uniform(15, 70, 5)
        if rng.random() < 0.5:
            turns = rng.choice([-1, 1]) * rng.uniform(12, 40, 5)
        look = _dyed(look, lambda hsv: hsv + np.stack([turns, *rng.normal(0, 0.08, (2, 5))], -1))
    elif kind == 2:  # pips of another color: black, gold, a color
        pips = rng.uniform(0, 0.25, 3) if rng.random() < 0.7 else rng.uniform(0, 1, 3) * [0.5, 1, 1]
        look = replace(look, pip_color=pips.astype(np.float32))
        if rng.random() < 0.7:
            look = _dyed(look, lambda hsv: hsv + (_hsv(0, 0, 0.5) - _hsv(0, 0.2, 0.5) * hsv))
    elif kind == 3:
        marbled = rng.random() < 0.5
        share = float(rng.uniform(0.3, 0.9) if marbled else rng.uniform(0.03, 0.2))
        look = replace(look, marble=share) if marbled else replace(look, glitter=share)
    elif kind == 4:
        look = replace(look, digits=True)
        if rng.random() < 0.3:
            look = replace(look, pip_color=rng.uniform(0, 0.25, 3).astype(np.float32))
    else:
        scale, lift = (rng.uniform(0.25, 0.6), 0) if rng.random() < 0.5 else (rng.uniform(0.2, 0.6), 0.5)
        by = np.array([1, 1, scale]) if not lift else np.array([1, scale, 0.5])
        look = _dyed(look, lambda hsv: hsv * by + np.array([0, 0, lift]))
    return look, True


def dark_pips(rng: np.random.Generator) -> DieLook:
    """Return the look of a set with dark pips."""
    while True:
        look, _ = random_set(rng)
        if has_dark_pips(look):
            return look


def colored_pips(rng: np.random.Generator) -> DieLook:
    """Return the look of a set with pips of any color, as gold or gray, that show on most of its dyes."""
    while True:
        look, _ = random_set(rng)
        look = replace(look, pip_color=bgr_of(rng.uniform((0, 0, 0.25), (360, 1, 1))))
        if not look.digits and np.median(contrasts(look)) > LEAST_CONTRAST:
            return look


def contrasts(look: DieLook) -> Float:
    """Return how far the pips of a set are from each of its dyes, (5,) CIEDE2000."""
    bgr = np.stack([*(look.dyes[letter] for letter in scene.COLORS), look.pip_color])
    lab = rgb2lab(bgr[None, :, ::-1])[0]
    return np.asarray(deltaE_ciede2000(lab[:5], lab[5:]), dtype=np.float32)


def has_dark_pips(look: DieLook) -> bool:
    """Return whether a set has pips, and dark ones."""
    return not look.digits and float(look.pip_color.max()) < DARK


def pale(rng: np.random.Generator) -> DieLook:
    """Return the look of a set with pale dyes: pips hardly stand out, and those behind shine through."""
    look = dice.random_look(rng)
    scale, lift = rng.uniform(0.2, 0.7), rng.uniform(0.35, 0.6)
    turns = rng.normal(0, 25, 5) * (rng.random() < 0.5)
    return _dyed(
        look, lambda hsv: np.stack([hsv[:, 0] + turns, scale * hsv[:, 1], lift + (1 - lift) * hsv[:, 2]], -1)
    )


def cast_of(rng: np.random.Generator, light: str, size: tuple[int, int]) -> Float:
    """Return BGR gains of a light, (3,), or of two that come from two sides, (H, W, 3) for a size (W, H)."""

    def gains(warmth: float) -> Float:
        one = np.exp([-warmth, rng.normal(0, 0.02), 0.75 * warmth])
        return np.asarray(one / one.mean(), dtype=np.float32)

    if light == "white":
        return gains(rng.normal(0, 0.04))
    if light == "warm":
        return gains(rng.uniform(0.18, 0.4))
    warm, cold = gains(rng.uniform(0.18, 0.35)), gains(rng.uniform(-0.2, -0.05))
    y, x = np.mgrid[: size[1], : size[0]].astype(np.float32) / max(size) - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    share = 1 / (1 + np.exp(-(x * np.cos(angle) + y * np.sin(angle)) * 6))[..., None]
    return np.asarray(warm * share + cold * (1 - share), dtype=np.float32)


def photo_of(
    rng: np.random.Generator,
    look: DieLook,
    light: str | None = None,
    *,
    tilt_deg: float = 30,
    occupancy: float | None = None,
) -> scene.Scene:
    """Return a photo of one window, whole in the picture, with dice of a look.

    The ``light`` is one of `LIGHTS`, any where it is None; the camera leans by ``tilt_deg`` at most;
    ``occupancy`` is the share of spaces that have a die, at least `FEWEST_DICE` have one where it is None.
    """
    while True:
        width, height = SIZES[int(rng.integers(len(SIZES)))]
        size = (int(width * scene.FINER), int(height * scene.FINER))
        pitch = rng.uniform(0.5, 0.9) * min(size) / 5.2
        target = np.append(rng.normal([2.5, 1.8], 0.25), 0)
        camera = random_camera(rng, size=size, pitch_px=pitch, tilts_deg=(0, tilt_deg), target=target)
        image = scene.background(rng, camera)
        bare = occupancy is not None and rng.random() < BARE
        stage = Stage(image, camera, look, random_mood(rng))
        window = scene.draw_window(rng, stage, np.eye(3), bare_card=bare, occupancy=occupancy)
        drawing = scene.Drawing(image, (window,), (width, height), pitch)
        photo = scene.photographed(rng, drawing, None if light is None else cast_of(rng, light, size))
        dice_in_it = sum(code != "--" for code in window.dice)
        if scene.readable(photo) and (occupancy is not None or dice_in_it >= FEWEST_DICE):
            return photo


def loose_photo(
    rng: np.random.Generator, look: DieLook, codes: Sequence[str], size: tuple[int, int] = (720, 540)
) -> tuple[NDArray[np.uint8], tuple[tables.Mark, ...]]:
    """Return a photo, uint8 BGR, of dice such as ``R5``, side by side on a table, and where each is."""
    wide, high = int(size[0] * scene.FINER), int(size[1] * scene.FINER)
    step = 2.2  # pitches from one to the next
    pitch = wide / (step * (len(codes) + 1))
    camera = random_camera(rng, size=(wide, high), pitch_px=pitch, tilts_deg=(0, 15), target=np.zeros(3))
    stage = Stage(scene.background(rng, camera), camera, look, random_mood(rng))
    along = camera.axes[0][:2] / np.linalg.norm(camera.axes[0][:2])
    placed = []
    for k, code in enumerate(codes):
        spot = (k - (len(codes) - 1) / 2) * step * along + rng.normal(0, 0.1, 2)
        turn = dice.random_rotation(rng, yaw_deg=60, tip_deg=0)
        center = np.append(spot, TABLE + look.half_edge)
        placed.append(dice.place(rng, code[0], int(code[1]), center, turn))
    scene.draw_dice(rng, stage, placed)
    marks = tables.marks_of(camera, placed, look.half_edge)
    picture = scene.reduced(rng, stage.image * finish.white_balance(rng), size, pitch)
    return picture, tuple(mark.resized(1 / scene.FINER) for mark in marks)
