"""Tables with dice anywhere: windows turned to their players, a round track, a draft pool, cards, heaps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import dice, finish, papers, textures
from calibration.training.synthetic.camera import Camera, random_camera
from calibration.training.synthetic.lights import Mood, die_shadows, random_mood
from calibration.training.synthetic.papers import PX, TABLE, anywhere
from calibration.training.synthetic.scene import COLORS, FINER, Window, background, draw_window, lay
from vision.geometry import apply_homography

Float = NDArray[np.float32]

CROWDED, OTHER_MAKES = 0.45, 0.3  # shares of hard tables
APART = 9.0  # pitches between the middles of windows near the camera, so that no frame lies over dice
MOST_PACKED = 200  # dice in a crowd


@dataclass(frozen=True, eq=False)
class Mark:
    """A die in a picture: color letter, value, and where it is seen.

    ``top`` and ``foot`` are the middles (x, y) of its upper and lower face and ``edge`` its length at the
    upper one, all in pixels. ``hidden`` says that another die stands before the middle of its upper face.
    """

    color: str
    value: int
    top: NDArray[np.float64]
    foot: NDArray[np.float64]
    edge: float
    hidden: bool

    def moved(self, zoom: float, shift: NDArray[np.float64] | float = 0.0) -> Mark:
        """Return the die in a picture ``zoom`` times as large, then moved by ``shift`` pixels."""
        top, foot = self.top * zoom + shift, self.foot * zoom + shift
        return Mark(self.color, self.value, top, foot, self.edge * zoom, self.hidden)


@dataclass(frozen=True, eq=False)
class Table:
    """A picture, uint8 BGR, and every die in it.

    The first ``standing`` of the dice stand in ``windows``, the others lie loose. ``track`` (4, 2) are the
    corners of the round track in pixels, which may lie over windows; None where there is no track.
    """

    image_bgr: NDArray[np.uint8]
    dice: tuple[Mark, ...]
    windows: tuple[Window, ...] = ()
    standing: int = 0
    track: NDArray[np.float64] | None = None


def render(rng: np.random.Generator, *, size: tuple[int, int], hard: bool = False) -> Table:
    """Return a random table.

    Parameters
    ----------
    rng
        Source of all randomness.
    size
        (width, height) of the finished picture in pixels.
    hard
        Draw what misled a finder: dice close together that fill the picture, mostly from low down, or
        windows, cards and glass near the camera with few dice; and now and then dice of another make.
    """
    w, h = int(size[0] * FINER), int(size[1] * FINER)
    crowd = hard and rng.random() < CROWDED
    game = not crowd and rng.random() < (0.65 if hard else 0.55)  # else dice alone
    pitch = float(np.exp(rng.uniform(*np.log([30, 80] if hard else [16, 58])))) * FINER
    low, high = (0.0, 40.0) if rng.random() < (0.25 if crowd else 0.6) else (25.0, 62.0)
    camera = random_camera(
        rng, size=(w, h), pitch_px=pitch, min_tilt_deg=low, max_tilt_deg=high, target=np.zeros(3)
    )
    image = background(rng, camera)
    look, mood = dice.random_look(rng), random_mood(rng)
    if hard and rng.random() < OTHER_MAKES:
        look = dice.other_make(rng, look)
    standing: list[dice.PlacedDie] = []
    loose: list[dice.PlacedDie] = []
    reach = min(w, h) / pitch / 2  # of the picture, in pitches
    for _ in range(int(rng.integers(0, 4))):
        papers.lay_paper(rng, image, camera, rng.uniform(-1, 1, 2) * reach * 1.3)
    if hard and not crowd:
        papers.lay_misleading(rng, image, camera, reach)
    windows: list[NDArray[np.float64]] = []
    drawn: list[Window] = []
    if game:
        turn = rng.uniform(0, 2 * np.pi)
        for k in rng.permutation(4)[: int(rng.integers(0, 3))]:
            window = _window_at(rng, turn + k * np.pi / 2, reach)
            if hard and any(np.linalg.norm(_middle(window) - _middle(other)) < APART for other in windows):
                continue
            windows.append(window)
            own: list[dice.PlacedDie] = []
            drawn.append(draw_window(rng, image, camera, look, mood, window, hard=True, standing=own))
            art = drawn[-1].art_above  # this frame lies over others' dice
            standing = [die for die in standing if not is_on(window, die.center, art)] + own
    track = None
    if rng.random() < (0.6 if game else 0.15):
        on_it, track = _lay_track(rng, image, camera, look, reach)
        loose += on_it
    heap = packed(rng, look, reach) if crowd else random_heap(rng, look, loose, reach)
    loose += [die for die in heap if not any(is_on(window, die.center) for window in windows)]
    die_shadows(rng, image, camera, loose, mood[0], TABLE)
    draw_dice(rng, image, camera, loose, look, mood)
    marks = marks_of(camera, [*standing, *loose], look.half_edge)
    image *= finish.light_field(rng, h, w)[..., None] * finish.white_balance(rng)
    small = cv2.resize(finish.tone(rng, image), size, interpolation=cv2.INTER_AREA)
    picture = finish.sensor(rng, np.asarray(small, dtype=np.float32), pitch_px=pitch / FINER)
    # Pixel centers, not corners, are at whole numbers.
    zoom, shift = 1 / FINER, 0.5 / FINER - 0.5
    return Table(
        picture,
        tuple(mark.moved(zoom, shift) for mark in marks),
        tuple(one.moved(np.array([[zoom, 0, shift], [0, zoom, shift], [0, 0, 1]])) for one in drawn),
        len(marks_of(camera, standing, look.half_edge)),
        None if track is None else track * zoom + shift,
    )


def draw_dice(
    rng: np.random.Generator,
    image: Float,
    camera: Camera,
    placed: list[dice.PlacedDie],
    look: dice.DieLook,
    mood: Mood,
) -> None:
    """Draw dice that lie on the table, the nearest last."""
    floor = np.full(3, rng.uniform(0.1, 0.7), np.float32)
    lights, lamps = mood
    for die in sorted(placed, key=lambda d: -float(np.linalg.norm(d.center - camera.position))):
        dice.render_die(
            image, camera, die, look, floor_bgr=floor, around_bgr=floor * 0.6, light=lights, lamps=lamps
        )


def marks_of(camera: Camera, placed: list[dice.PlacedDie], half: float) -> list[Mark]:
    """Return where dice are seen whose upper face's middle lies in the picture; ``half`` is half an edge."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half * 0.92
    hulls = [
        cv2.convexHull(camera.project(corners @ die.rotation.T + die.center).astype(np.float32))
        for die in placed
    ]
    far = [float(np.linalg.norm(die.center - camera.position)) for die in placed]
    marks = []
    for i, die in enumerate(placed):
        up = die.rotation @ np.array([0, 0, half])
        top, foot = camera.project(die.center + up), camera.project(die.center - up)
        if not ((top > -0.5) & (top < np.array(camera.size) - 0.5)).all():
            continue
        depth = float((die.center + up - camera.position) @ camera.axes[2])
        spot = (float(top[0]), float(top[1]))
        hidden = any(
            far[k] < far[i] and cv2.pointPolygonTest(hulls[k], spot, measureDist=False) > 0
            for k in range(len(placed))
        )
        marks.append(Mark(die.color, die.value, top, foot, 2 * half * camera.focal / depth, hidden))
    return marks


def random_heap(
    rng: np.random.Generator, look: dice.DieLook, others: list[dice.PlacedDie], reach: float
) -> list[dice.PlacedDie]:
    """Return dice that lie on the table within ``reach`` pitches, near each other or far apart."""
    count = int(rng.integers(0, 12)) if rng.random() < 0.75 else int(rng.integers(12, 40))
    middle = rng.uniform(-0.6, 0.6, 2) * reach
    spread = (
        min(float(rng.uniform(0.4, 1.2)) * (0.5 + count**0.5 / 2), reach) if rng.random() < 0.6 else reach
    )
    edge = 2 * look.half_edge
    spots = [die.center[:2] for die in others]
    found = []
    for _ in range(count):
        spot = middle + rng.normal(0, spread, 2)
        if any(np.linalg.norm(spot - other) < edge * rng.uniform(1.05, 1.4) for other in spots):
            continue
        spots.append(spot)
        center = np.append(spot, TABLE + look.half_edge)
        turn = dice.random_rotation(rng, yaw_deg=60, tip_deg=0 if rng.random() < 0.95 else 6)
        found.append(dice.place(rng, str(rng.choice(list(COLORS))), int(rng.integers(1, 7)), center, turn))
    return found


def packed(rng: np.random.Generator, look: dice.DieLook, reach: float) -> list[dice.PlacedDie]:
    """Return dice close together, some on top of others, that may reach beyond ``reach`` pitches."""
    edge, turn = 2 * look.half_edge, rng.uniform(0, 2 * np.pi)
    step, shear = edge * rng.uniform(1.02, 1.4), rng.choice([0.0, 0.5])
    aligned = rng.random() < 0.5
    wide = min(rng.uniform(0.8, 2.0) * reach / step, 0.5 * MOST_PACKED**0.5)
    rows = np.arange(-int(wide), int(wide) + 1)
    spots = np.array([(i + shear * (j % 2), j) for i in rows for j in rows]) * step
    spots += rng.normal(0, max(step - edge, 0.04 * edge) / 3, spots.shape)
    c, s = np.cos(turn), np.sin(turn)
    spots = spots @ np.array([[c, s], [-s, c]]) + rng.uniform(-0.4, 0.4, 2) * reach
    there = spots[rng.random(len(spots)) > rng.choice([0.0, 0.15, 0.4])]
    higher = there[rng.random(len(there)) < rng.choice([0.0, 0.0, 0.08, 0.2])]
    found = []
    for level, places in enumerate((there, higher + rng.normal(0, 0.3 * edge, higher.shape))):
        for place in places:
            yaw, tip = 8.0 if aligned else 60.0, 0 if level == 0 and rng.random() < 0.9 else 6
            spin = dice.random_rotation(rng, yaw_deg=yaw, tip_deg=tip)
            if aligned:
                spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ spin
            center = np.append(place, TABLE + look.half_edge + level * edge)
            found.append(
                dice.place(rng, str(rng.choice(list(COLORS))), int(rng.integers(1, 7)), center, spin)
            )
    return found


def track_paper(rng: np.random.Generator) -> tuple[Float, Float]:
    """Return a round track (H, W, 3) BGR in [0, 1], and the middles (10, 2) of its spaces in its pixels."""
    step = rng.uniform(0.85, 1.5) * PX
    edge = rng.uniform(0.75, 1.1) * PX
    high = int(edge * rng.uniform(1.3, 2.6))
    ends = rng.uniform(0.2, 0.8) * PX
    wide = int(10 * step + 2 * ends)
    tone = np.clip(rng.uniform(0.35, 0.95) + rng.normal(0, 0.07, 3), 0, 1)
    paper: Float = np.full((high, wide, 3), tone, np.float32)
    paper *= 1 + 0.08 * textures.noise(rng, high, wide, PX / 2)[..., None]
    ink = np.full(3, 0.1 if tone.mean() > 0.5 else 0.9, np.float32)
    middle = high - edge * rng.uniform(0.6, 0.8)
    spots = np.column_stack([ends + (np.arange(10) + 0.5) * step, np.full(10, middle)])
    written = np.zeros((high, wide), np.uint8)
    for k, (x, y) in enumerate(spots):
        a, b = min(edge, step * 0.95) / 2, edge / 2
        box = ((round(x - a), round(y - b)), (round(x + a), round(y + b)))
        if rng.random() < 0.2:
            cv2.rectangle(paper, *box, (rng.uniform(0.2, 0.9, 3)).tolist(), -1)
        cv2.rectangle(paper, *box, ink.tolist(), 1, cv2.LINE_AA)
        text, scale = str(k + 1), high / PX * 0.3
        at = (round(x - 4 * len(text)), round(y - b - 3))
        cv2.putText(written, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (255.0,), 1, cv2.LINE_AA)
    strength = (written / np.float32(255))[..., None]
    paper = np.asarray(paper * (1 - strength) + ink * strength, dtype=np.float32)
    return np.asarray(np.clip(paper, 0, 1), dtype=np.float32), spots.astype(np.float32)


def _lay_track(
    rng: np.random.Generator, image: Float, camera: Camera, look: dice.DieLook, reach: float
) -> tuple[list[dice.PlacedDie], NDArray[np.float64]]:
    """Lay a round track on the table; return the dice that lie on it and its corners (4, 2) in pixels."""
    paper, spots = track_paper(rng)
    move = anywhere(rng, paper.shape[1::-1], rng.uniform(-0.4, 0.4, 2) * reach)
    to_picture = camera.plane_homography(TABLE) @ move
    lay(image, paper, np.ones(paper.shape[:2], np.float32), to_picture, camera.size)
    height, width = paper.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
    return on_track(rng, look, spots, move), apply_homography(to_picture, corners)


def on_track(
    rng: np.random.Generator, look: dice.DieLook, spots: Float, move: NDArray[np.float64]
) -> list[dice.PlacedDie]:
    """Return dice on the first spaces of a round track; ``move`` takes its pixels to the table."""
    placed = []
    for x, y in spots[: int(rng.integers(0, 11))]:
        spot = (move @ [x, y, 1])[:2] + rng.normal(0, 0.05, 2)
        center = np.append(spot, TABLE + look.half_edge)
        yaw = float(rng.choice([4.0, 15.0, 50.0]))
        turn = dice.random_rotation(rng, yaw_deg=yaw, tip_deg=0)
        spin = np.eye(3)
        spin[:2, :2] = move[:2, :2] * PX
        die = dice.place(rng, str(rng.choice(list(COLORS))), int(rng.integers(1, 7)), center, spin @ turn)
        placed.append(die)
    return placed


def _window_at(rng: np.random.Generator, angle: float, reach: float) -> NDArray[np.float64]:
    """Return where a window lies whose player sits in a direction: its art points towards the middle."""
    angle += rng.normal(0, 0.15)
    away = np.array([np.cos(angle), np.sin(angle)]) * max(4.0, reach * rng.uniform(0.3, 0.9))
    turn = angle - np.pi / 2 + (np.pi if rng.random() < 0.1 else 0)
    c, s = np.cos(turn), np.sin(turn)
    move = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    move[:2, 2] = away + rng.normal(0, 0.7, 2) - move[:2, :2] @ [2.5, 2]
    return move


def _middle(window: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((window @ [2.5, 2, 1])[:2])


def is_on(window: NDArray[np.float64], center: NDArray[np.float64], above: float = 5.0) -> bool:
    """Return whether a die at ``center`` would lie on a window, or ``above`` pitches over its lattice.

    ``window`` takes its board to the table.
    """
    x, y, _ = np.linalg.inv(window) @ [center[0], center[1], 1]
    return bool(-0.6 < x < 5.6 and -above < y < 4.6)
