"""A whole synthetic photograph with exact labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import dice, finish, frames, textures
from calibration.training.synthetic.camera import Camera, motion, random_camera, resizing
from calibration.training.synthetic.dice import PlacedDie, Stage
from calibration.training.synthetic.lights import die_shadows, random_mood, soft_shadow
from scoring import WINDOW_PATTERNS
from vision.geometry import CELL_CENTERS, Grid, apply_homography

Float = NDArray[np.float32]

COLORS = "RYGBP"
MIDDLE = (2.5, 2.0)  # of a board
FRAME_THICKNESS = (0.05, 0.2)
FINER = 1.5  # how much finer a scene is drawn before it is reduced
ROSES = 0.7  # share of the windows of hard scenes whose frame has a rose


@dataclass(frozen=True, eq=False)
class Window:
    """One window in a synthetic photo.

    ``dice`` and ``print`` are 20 codes each, row by row: ``"R3"`` or ``"--"`` and one
    character of pattern notation. ``base`` and ``top`` are the homographies from board
    coordinates to pixels on the frame's surface and at the height of the dice's top faces.
    """

    dice: tuple[str, ...]
    print: tuple[str, ...]
    base: NDArray[np.float64]
    top: NDArray[np.float64]
    art_above: float

    def moved(self, change: NDArray[np.float64]) -> Window:
        """Return the window in a picture whose pixels are moved by a homography (3, 3)."""
        return replace(self, base=change @ self.base, top=change @ self.top)


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture, uint8 BGR, and the windows that are in it."""

    image_bgr: NDArray[np.uint8]
    windows: tuple[Window, ...]


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture before any camera touched it, finer than the photo by the factor `FINER`.

    ``image`` is H x W x 3 float32 BGR, about 0 to 1; ``windows`` and ``pitch_px`` are in its pixels; ``size``
    is (width, height) of the photo.
    """

    image: Float
    windows: tuple[Window, ...]
    size: tuple[int, int]
    pitch_px: float


def random_pattern(rng: np.random.Generator) -> tuple[str, ...]:
    """Return four rows of pattern notation: a known card now and then, mostly an invented one."""
    if rng.random() < 0.3:
        names = list(WINDOW_PATTERNS)
        return tuple(str(WINDOW_PATTERNS[names[int(rng.integers(len(names)))]]).split(" / "))
    density, pool = rng.uniform(0.2, 0.75), list("RYGBP123456")
    codes = [str(rng.choice(pool)) if rng.random() < density else "." for _ in range(20)]
    return tuple("".join(codes[k : k + 5]) for k in range(0, 20, 5))


def random_die(rng: np.random.Generator, cell: int, loose: float) -> tuple[str, int, float, float]:
    """Return color, value and place (x, y) on the board of a die in a cell, ``loose`` pitches off it."""
    color, value = str(rng.choice(list(COLORS))), int(rng.integers(1, 7))
    return color, value, cell % 5 + 0.5 + rng.normal(0, loose), cell // 5 + 0.5 + rng.normal(0, loose)


def any_die(
    rng: np.random.Generator, center: NDArray[np.float64], rotation: NDArray[np.float64]
) -> PlacedDie:
    """Return a die of any color and value."""
    return dice.place(rng, str(rng.choice(list(COLORS))), int(rng.integers(1, 7)), center, rotation)


def render(rng: np.random.Generator, *, size: tuple[int, int], hard: bool = False) -> Scene:
    """Return a photo of a random scene, see `draw`."""
    return photographed(rng, draw(rng, size=size, hard=hard))


def draw(rng: np.random.Generator, *, size: tuple[int, int], hard: bool = False) -> Drawing:
    """Return a random scene of a ``size`` (width, height) in pixels; about one in twelve has no window.

    With ``hard`` there is what misled a finder: frames with rose windows mostly, and now and then a camera
    that looks past the window, which the picture's edge cuts off.
    """
    w, h = int(size[0] * FINER), int(size[1] * FINER)
    fill = rng.uniform(0.3, 0.95) if rng.random() < 0.75 else rng.uniform(0.16, 0.4)
    close = rng.random() < 0.24  # a close-up that leaves the frame out of the picture
    pitch = fill * min(w, h) / rng.uniform(4.6, 7)
    tilts = (0.0, 64.0 if rng.random() < 0.12 else 45.0)
    target = np.array([2.5, 2.0 - rng.uniform(-0.6, 2.2), 0]) + np.append(rng.normal(0, 0.6, 2), 0)
    if close:
        pitch = rng.uniform(0.8, 1.05) * max(w, h) / 5.3
        target = np.append(rng.normal([2.5, 2.0], 0.25), 0)
        if rng.random() < 0.6:  # from the table's edge, as people do for a beautiful picture
            tilts = (40.0, 66.0)
            pitch *= 0.9
    elif hard and rng.random() < 0.25:  # past the window, which the picture's edge cuts off
        pitch = rng.uniform(0.7, 1.4) * min(w, h) / 6
        toward = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else -np.pi / 2  # the art's side
        target += rng.uniform(1.5, 5) * np.array([np.cos(toward), np.sin(toward), 0])
        tilts = (30.0, 64.0) if rng.random() < 0.6 else (0.0, 45.0)
    camera = random_camera(rng, size=(w, h), pitch_px=pitch, tilts_deg=tilts, target=target)
    stage = Stage(background(rng, camera), camera, dice.random_look(rng), random_mood(rng))
    windows: list[Window] = []
    if rng.random() > 0.08:
        bare = rng.random() < (0.4 if close else 0.08)
        windows.append(draw_window(rng, stage, np.eye(3), bare_card=bare, hard=hard))
        if rng.random() < 0.22:  # a neighbor's window beside it
            angle = rng.normal(0, 0.15) + (np.pi if rng.random() < 0.2 else 0)
            gap = rng.uniform(6.9, 9) * rng.choice([-1, 1])
            center = np.array([2.5 + gap, 2 + rng.normal(0, 1.5)])
            windows.append(draw_window(rng, stage, motion(angle, center, MIDDLE), hard=hard))
    _loose_dice(rng, stage, beside_window=bool(windows))
    return Drawing(stage.image, tuple(windows), size, pitch)


def photographed(rng: np.random.Generator, drawing: Drawing, cast: Float | None = None) -> Scene:
    """Return a photo in any light, or in one whose BGR gains are ``cast``, (3,) or (H, W, 3)."""
    h, w = drawing.image.shape[:2]
    field = finish.light_field(rng, h, w)[..., None]
    image = drawing.image * (field * (finish.white_balance(rng) if cast is None else cast))
    picture = reduced(rng, image, drawing.size, drawing.pitch_px)
    return Scene(picture, tuple(window.moved(resizing(1 / FINER)) for window in drawing.windows))


def reduced(
    rng: np.random.Generator, image: Float, size: tuple[int, int], pitch_px: float
) -> NDArray[np.uint8]:
    """Return what a camera makes of a lit drawing, which is finer than the photo by the factor `FINER`."""
    small = cv2.resize(finish.tone(rng, image), size, interpolation=cv2.INTER_AREA)
    return finish.sensor(rng, np.asarray(small, dtype=np.float32), pitch_px=pitch_px / FINER)


def background(rng: np.random.Generator, camera: Camera) -> Float:
    """Return the table as the camera sees it, H x W x 3 BGR in [0, 1]."""
    top, scale, turn = textures.table(rng), rng.uniform(20, 60), rng.uniform(0, 2 * np.pi)
    return table_top(camera, top, -0.35, turn, rng.uniform(-3, 3, 2), scale)


def table_top(
    camera: Camera, top: Float, z: float, turn: float, spot: NDArray[np.float64], unit_px: float
) -> Float:
    """Return the square picture of a table at height ``z``, its middle at ``spot``, as the camera sees it."""
    to_world = motion(turn, spot, np.full(2, top.shape[0] / 2), unit_px=unit_px)
    homography = camera.plane_homography(z) @ to_world
    out = cv2.warpPerspective(
        top, homography, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(out, dtype=np.float32)


def lay(image: Float, picture: Float, alpha: Float, homography: NDArray[np.float64]) -> None:
    """Lay a flat picture over the image, in place."""
    size, flags = image.shape[1::-1], cv2.INTER_LINEAR
    a = cv2.warpPerspective(alpha, homography, size, flags=flags)[..., None]
    if a.max() <= 0:
        return
    rgb = cv2.warpPerspective(picture, homography, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    image *= 1 - a
    image += a * rgb


def draw_window(
    rng: np.random.Generator,
    stage: Stage,
    move: NDArray[np.float64],
    *,
    bare_card: bool = False,
    hard: bool = False,
    standing: list[PlacedDie] | None = None,
    occupancy: float | None = None,
) -> Window:
    """Draw one window, its board moved by ``move``, or its card alone; its dice are added to ``standing``."""
    image, camera = stage.image, stage.camera
    pattern = random_pattern(rng)
    thickness = rng.uniform(*FRAME_THICKNESS)
    face, alpha, (left, above) = frames.frame(rng, rose=hard and rng.random() < ROSES)
    s = textures.SCALE
    to_board = np.array([[1 / s, 0, -left], [0, 1 / s, -above], [0, 0, 1.0]])
    card = textures.card(rng, pattern)
    card_to_board = np.array([[1 / s, 0, -1.0], [0, 1 / s, -1.0], [0, 0, 1.0]])
    solid = (alpha.copy(), np.zeros(card.shape[:2], np.float32))
    solid[1][int(0.85 * s) : int(5.15 * s), int(0.85 * s) : int(6.15 * s)] = 1
    inner = np.zeros_like(alpha)
    y0, x0 = int(above * s), int(left * s)
    inner[max(y0 - 10, 0) : y0 + 4 * s + 10, max(x0 - 10, 0) : x0 + 5 * s + 10] = 1
    solid[0][inner > 0] = 1
    if bare_card:
        edge = np.zeros(card.shape[:2], np.float32)
        pad = int(rng.uniform(0.03, 0.3) * s)
        edge[s - pad : 5 * s + pad + int(0.4 * s), s - pad : 6 * s + pad] = 1
        thickness = 0.0
        lay(image, card, edge, camera.plane_homography(0) @ move @ card_to_board)
    else:
        floor = camera.plane_homography(-thickness) @ move
        soft_shadow(rng, image, solid[0], floor @ to_board)
        lay(image, card * rng.uniform(0.65, 1.0), solid[1], floor @ card_to_board)
        wall = np.full_like(face, rng.uniform(0.25, 0.85))
        only_grid = alpha * inner
        for k in (0.66, 0.33):
            to_picture = camera.plane_homography(-thickness * k) @ move @ to_board
            lay(image, wall * (1.1 - 0.4 * k), only_grid, to_picture)
        lay(image, face, alpha, camera.plane_homography(0) @ move @ to_board)

    share = rng.choice([0.0, 0.3, 0.6, 0.85, 0.95, 1.0], p=[0.1, 0.08, 0.1, 0.22, 0.25, 0.25])
    if bare_card:
        share = 0.0 if rng.random() < 0.7 else share
    share = share if occupancy is None else occupancy
    yaw = rng.choice([2.0, 5.0, 12.0, 25.0], p=[0.3, 0.35, 0.27, 0.08])
    loose = rng.choice([0.035, 0.06], p=[0.8, 0.2])  # how far from the middle of its hole a die may stand
    codes: list[str] = []
    placed: list[PlacedDie] = []
    floors: dict[PlacedDie, Float] = {}
    half = stage.look.half_edge
    spin = move.copy()
    spin[:2, 2] = 0
    for i in range(20):
        if rng.random() >= share:
            codes.append("--")
            continue
        color, value, x, y = random_die(rng, i, loose)
        codes.append(f"{color}{value}")
        world = move @ [x, y, 1]
        center = np.array([world[0], world[1], half - thickness + rng.uniform(0, 0.03)])
        tip = 1.5 if rng.random() < 0.96 else 7.0  # now and then one stands on the edge of its hole
        turn = dice.random_rotation(rng, yaw_deg=yaw, tip_deg=tip)
        placed.append(dice.place(rng, color, value, center, spin @ turn))
        base = card[int((y + 1) * s), int((x + 1) * s - 0.3 * s)]
        floors[placed[-1]] = np.asarray(base, dtype=np.float32) * np.float32(rng.uniform(0.35, 0.8))
    if standing is not None:
        standing += placed
    die_shadows(rng, stage, placed, -thickness * 0.3)
    around = np.asarray(rng.uniform(0.05, 0.45) * (0.6 + 0.8 * rng.random(3)), dtype=np.float32)
    for die in stage.nearest_last(placed):
        dice.render_die(stage, die, floors[die], around)
    return Window(
        dice=tuple(codes),
        print=tuple("".join(pattern)),
        base=camera.plane_homography(0) @ move,
        top=camera.plane_homography(2 * half - thickness) @ move,
        art_above=0.0 if bare_card else above,
    )


def _loose_dice(rng: np.random.Generator, stage: Stage, *, beside_window: bool) -> None:
    if rng.random() < 0.4 and beside_window:
        return
    placed: list[PlacedDie] = []
    for _ in range(int(rng.integers(1, 11))):
        spot = rng.normal(0, 5 if beside_window else 3, 2) + np.array([2.5, 1])
        if beside_window and -0.6 < spot[0] < 5.6 and -0.6 < spot[1] < 4.6:
            continue
        center = np.append(spot, stage.look.half_edge - rng.choice([0.0, 0.3]))
        placed.append(any_die(rng, center, dice.random_rotation(rng, yaw_deg=60, tip_deg=2)))
    die_shadows(rng, stage, placed, -0.3)
    draw_dice(rng, stage, placed, brightest=0.6)


def draw_dice(
    rng: np.random.Generator, stage: Stage, placed: list[PlacedDie], brightest: float = 0.7
) -> None:
    """Draw dice that lie on a table, which is ``brightest`` under them at most, in place."""
    floor = np.full(3, rng.uniform(0.1, brightest), np.float32)
    for die in stage.nearest_last(placed):
        dice.render_die(stage, die, floor, floor * 0.6)


def readable(scene: Scene) -> list[Window]:
    """Return the windows that are whole in the picture and large enough to read."""
    found = []
    for window in scene.windows:
        tops = apply_homography(window.top, CELL_CENTERS)
        whole = (tops > 0).all() and (tops < scene.image_bgr.shape[1::-1]).all()
        if whole and Grid(window.base, np.zeros(3)).pitch_px > 17:
            found.append(window)
    return found
