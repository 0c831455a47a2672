"""Tables with dice anywhere: windows turned to their players, a round track, a draft pool, cards, heaps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import (
    beads,
    card_parts,
    dice,
    finish,
    other_cards,
    papers,
    scene,
    textures,
)
from calibration.training.synthetic.camera import Camera, motion, random_camera, resizing
from calibration.training.synthetic.dice import DieLook, PlacedDie, Stage
from calibration.training.synthetic.lights import die_shadows, random_mood
from calibration.training.synthetic.papers import PX, TABLE, anywhere
from vision.geometry import apply_homography

Float = NDArray[np.float32]

CROWDED, OTHER_MAKES = 0.45, 0.3  # shares of hard tables
SITTING = 0.65  # share of upright tables
LOW_DEG = 52.0  # least tilt from low down
APART = 9.0  # pitches between the middles of windows near the camera, so that no frame lies over dice
MOST_PACKED = 200  # dice in a crowd
SPENT = 0.3  # share of tables with tokens where some may lie on a tool card


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
        return replace(self, top=top, foot=foot, edge=self.edge * zoom)

    def resized(self, zoom: float) -> Mark:
        """Return the die in the same picture made larger or smaller, see `resizing`."""
        return self.moved(zoom, 0.5 * zoom - 0.5)


@dataclass(frozen=True, eq=False)
class Table(scene.Scene):
    """A picture with its windows and every die in it.

    The first ``standing`` of the dice stand in the windows, the others lie loose. ``track`` (4, 2) are the
    corners of the round track in pixels, which may lie over windows; None where there is no track. ``beads``
    are the favor tokens, marked like dice: ``edge`` is their width.
    """

    dice: tuple[Mark, ...] = ()
    standing: int = 0
    track: NDArray[np.float64] | None = None
    beads: tuple[Mark, ...] = ()


def render(
    rng: np.random.Generator,
    *,
    size: tuple[int, int],
    hard: bool = False,
    upright: bool = False,
    tokens: bool = False,
    low: bool = False,
) -> Table:
    """Return a random table of a ``size`` (width, height) in pixels.

    With ``hard`` there is what misled a finder: dice close together that fill the picture, mostly from low
    down, or windows, cards and glass near the camera with few dice; and now and then dice of another make.
    With ``upright`` people hold the camera so, and most of them sit near the dice; ``low`` is from where
    tops are seen at half their height and less. ``tokens`` lie on hard tables that are no crowds, and on all
    others where they are asked for.
    """
    w, h = int(size[0] * scene.FINER), int(size[1] * scene.FINER)
    crowd = hard and rng.random() < CROWDED
    game = not crowd and rng.random() < (0.65 if hard else 0.55)  # else dice alone
    pitch = float(np.exp(rng.uniform(*np.log([30, 80] if hard else [16, 58])))) * scene.FINER
    tilts = (0.0, 40.0) if rng.random() < (0.25 if crowd else 0.6) else (25.0, 62.0)
    if low or (upright and rng.random() < SITTING):
        pitch = float(np.exp(rng.uniform(*np.log([25, 160])))) * scene.FINER
        tilts = (LOW_DEG if low else rng.uniform(25, 60), 72.0)
    camera = random_camera(
        rng, size=(w, h), pitch_px=pitch, tilts_deg=tilts, target=np.zeros(3), upright=upright
    )
    image = scene.background(rng, camera)
    look, mood = dice.random_look(rng), random_mood(rng)
    if hard and rng.random() < OTHER_MAKES:
        look = dice.other_make(rng, look)
    stage = Stage(image, camera, look, mood)
    standing: list[PlacedDie] = []
    loose: list[PlacedDie] = []
    reach = min(w, h) / pitch / 2  # of the picture, in pitches
    for _ in range(int(rng.integers(0, 4))):
        papers.lay_paper(rng, image, camera, rng.uniform(-1, 1, 2) * reach * 1.3)
    if hard and not crowd:
        papers.lay_misleading(rng, image, camera, reach)
    windows: list[NDArray[np.float64]] = []
    drawn: list[scene.Window] = []
    if game:
        turn = rng.uniform(0, 2 * np.pi)
        middle = [*scene.MIDDLE, 1]
        for k in rng.permutation(4)[: int(rng.integers(0, 3))]:
            window = _window_at(rng, turn + k * np.pi / 2, reach)
            apart = [np.linalg.norm((window @ middle - other @ middle)[:2]) for other in windows]
            if hard and min(apart, default=APART) < APART:
                continue
            windows.append(window)
            own: list[PlacedDie] = []
            drawn.append(scene.draw_window(rng, stage, window, hard=True, standing=own))
            art = drawn[-1].art_above  # this frame lies over others' dice
            standing = [die for die in standing if not is_on(window, die.center, art)] + own
    track = None
    if rng.random() < (0.6 if game else 0.15):
        paper, spots = track_paper(rng)
        move = anywhere(rng, paper.shape[1::-1], rng.uniform(-0.4, 0.4, 2) * reach)
        to_picture = camera.plane_homography(TABLE) @ move
        scene.lay(image, paper, np.ones(paper.shape[:2], np.float32), to_picture)
        height, width = paper.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
        track = apply_homography(to_picture, corners)
        loose += on_track(rng, look, spots, move)
    drops = lay_tokens(rng, stage, windows, reach) if tokens or (hard and not crowd) else []
    heap = packed(rng, look, reach) if crowd else random_heap(rng, look, loose, reach)
    loose += [die for die in heap if not any(is_on(window, die.center) for window in windows)]
    die_shadows(rng, stage, loose, TABLE)
    scene.draw_dice(rng, stage, loose)
    marks = marks_of(camera, [*standing, *loose], look.half_edge)
    hulls = hulls_of(camera, [*standing, *loose], look.half_edge)
    drops = [replace(one, hidden=one.hidden or is_behind(one.top, hulls)) for one in drops]
    image *= finish.light_field(rng, h, w)[..., None] * finish.white_balance(rng)
    picture = scene.reduced(rng, image, size, pitch)
    smaller = resizing(1 / scene.FINER)
    return Table(
        picture,
        tuple(one.moved(smaller) for one in drawn),
        tuple(mark.resized(1 / scene.FINER) for mark in marks),
        len(marks_of(camera, standing, look.half_edge)),
        None if track is None else apply_homography(smaller, track),
        tuple(mark.resized(1 / scene.FINER) for mark in drops),
    )


def lay_tokens(
    rng: np.random.Generator, stage: Stage, windows: list[NDArray[np.float64]], reach: float
) -> list[Mark]:
    """Lay favor tokens beside and on windows, on a tool card and anywhere; those hardly seen are hidden."""
    radius = rng.uniform(*beads.RADII)
    places: list[NDArray[np.float64]] = []
    for window in windows:
        x, y = rng.choice([-1, 1]) * rng.uniform(3.3, 6.0), rng.uniform(-9, 3)  # from the lattice's middle
        z = TABLE
        if rng.random() < 0.3:
            x, y = rng.uniform(-2.5, 2.5), rng.uniform(4, 6)
        elif rng.random() < 0.2:
            x, y, z = rng.uniform(-2, 2), rng.uniform(-7, -3.5), 0.0
        spot = (window @ [scene.MIDDLE[0] + x, scene.MIDDLE[1] + y, 1])[:2]
        found = beads.cluster(rng, spot, int(rng.integers(0, 7)), radius)
        places += [np.append(one, z) for one in found]
    for _ in range(int(rng.integers(1, 6))):
        spot = rng.uniform(-0.8, 0.8, 2) * reach
        found = beads.cluster(rng, spot, int(rng.integers(1, 8)), radius)
        places += [np.append(one, TABLE) for one in found if not any(is_on(w, one, 9.0) for w in windows)]
    if rng.random() < SPENT:  # on a tool card
        spot = rng.uniform(-0.8, 0.8, 2) * reach
        paper = other_cards.other_card(rng, "tool")
        move = anywhere(rng, paper.shape[1::-1], spot, papers.CARD * PX / card_parts.WIDTH)
        to_picture = stage.camera.plane_homography(TABLE) @ move
        scene.lay(stage.image, paper, np.ones(paper.shape[:2], np.float32), to_picture)
        found = beads.cluster(rng, spot, int(rng.integers(0, 5)), radius)
        places += [np.append(one, TABLE) for one in found]
    laid = beads.lay_beads(rng, stage, places, radius)
    return [Mark("", 0, at, at, wide, hidden=not seen) for at, wide, seen in laid]


def marks_of(camera: Camera, placed: list[PlacedDie], half: float) -> list[Mark]:
    """Return where dice are seen whose upper face's middle lies in the picture; ``half`` is half an edge."""
    hulls = hulls_of(camera, placed, half)
    far = [float(np.linalg.norm(die.center - camera.position)) for die in placed]
    marks = []
    for i, die in enumerate(placed):
        up = die.rotation @ np.array([0, 0, half])
        top, foot = camera.project(die.center + up), camera.project(die.center - up)
        if not ((top > -0.5) & (top < np.array(camera.size) - 0.5)).all():
            continue
        depth = float((die.center + up - camera.position) @ camera.axes[2])
        hidden = is_behind(top, [hull for away, hull in zip(far, hulls, strict=True) if away < far[i]])
        marks.append(Mark(die.color, die.value, top, foot, 2 * half * camera.focal / depth, hidden))
    return marks


def hulls_of(camera: Camera, placed: list[PlacedDie], half: float) -> list[NDArray[np.float32]]:
    """Return the outlines of dice in the picture; ``half`` is half an edge."""
    outlines = (dice.outline(camera, die, half * 0.92).astype(np.float32) for die in placed)
    return [np.asarray(cv2.convexHull(one), dtype=np.float32) for one in outlines]


def is_behind(point: NDArray[np.float64], hulls: list[NDArray[np.float32]]) -> bool:
    """Return whether a point of the picture lies in one of some outlines."""
    return any(cv2.pointPolygonTest(hull, point.tolist(), measureDist=False) > 0 for hull in hulls)


def random_heap(
    rng: np.random.Generator, look: DieLook, others: list[PlacedDie], reach: float
) -> list[PlacedDie]:
    """Return dice that lie on the table within ``reach`` pitches, near each other or far apart."""
    count = int(rng.integers(0, 12)) if rng.random() < 0.75 else int(rng.integers(12, 40))
    middle = rng.uniform(-0.6, 0.6, 2) * reach
    spread = reach
    if rng.random() < 0.6:
        spread = min(float(rng.uniform(0.4, 1.2)) * (0.5 + count**0.5 / 2), reach)
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
        found.append(scene.any_die(rng, center, turn))
    return found


def packed(rng: np.random.Generator, look: DieLook, reach: float) -> list[PlacedDie]:
    """Return dice close together, some on top of others, that may reach beyond ``reach`` pitches."""
    edge, turn = 2 * look.half_edge, rng.uniform(0, 2 * np.pi)
    step, shear = edge * rng.uniform(1.02, 1.4), rng.choice([0.0, 0.5])
    aligned = rng.random() < 0.5
    wide = min(rng.uniform(0.8, 2.0) * reach / step, 0.5 * MOST_PACKED**0.5)
    rows = np.arange(-int(wide), int(wide) + 1)
    spots = np.array([(i + shear * (j % 2), j) for i in rows for j in rows]) * step
    spots += rng.normal(0, max(step - edge, 0.04 * edge) / 3, spots.shape)
    turned = motion(turn, np.zeros(2), (0, 0))
    spots = spots @ turned[:2, :2].T + rng.uniform(-0.4, 0.4, 2) * reach
    there = spots[rng.random(len(spots)) > rng.choice([0.0, 0.15, 0.4])]
    higher = there[rng.random(len(there)) < rng.choice([0.0, 0.0, 0.08, 0.2])]
    found = []
    for level, places in enumerate((there, higher + rng.normal(0, 0.3 * edge, higher.shape))):
        for place in places:
            yaw, tip = 8.0 if aligned else 60.0, 0 if level == 0 and rng.random() < 0.9 else 6
            spin = dice.random_rotation(rng, yaw_deg=yaw, tip_deg=tip)
            if aligned:
                spin = turned @ spin
            center = np.append(place, TABLE + look.half_edge + level * edge)
            found.append(scene.any_die(rng, center, spin))
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


def on_track(
    rng: np.random.Generator, look: DieLook, spots: Float, move: NDArray[np.float64]
) -> list[PlacedDie]:
    """Return dice on the first spaces of a round track; ``move`` takes its pixels to the table."""
    placed = []
    spin = np.eye(3)
    spin[:2, :2] = move[:2, :2] * PX
    for x, y in spots[: int(rng.integers(0, 11))]:
        spot = (move @ [x, y, 1])[:2] + rng.normal(0, 0.05, 2)
        center = np.append(spot, TABLE + look.half_edge)
        turn = dice.random_rotation(rng, yaw_deg=float(rng.choice([4.0, 15.0, 50.0])), tip_deg=0)
        placed.append(scene.any_die(rng, center, spin @ turn))
    return placed


def _window_at(rng: np.random.Generator, angle: float, reach: float) -> NDArray[np.float64]:
    """Return where a window lies whose player sits in a direction: its art points towards the middle."""
    angle += rng.normal(0, 0.15)
    away = np.array([np.cos(angle), np.sin(angle)]) * max(4.0, reach * rng.uniform(0.3, 0.9))
    turn = angle - np.pi / 2 + (np.pi if rng.random() < 0.1 else 0)
    return motion(turn, away + rng.normal(0, 0.7, 2), scene.MIDDLE)


def is_on(window: NDArray[np.float64], center: NDArray[np.float64], above: float = 5.0) -> bool:
    """Return whether a die would lie on a moved ``window``, or ``above`` pitches over its lattice."""
    x, y, _ = np.linalg.inv(window) @ [center[0], center[1], 1]
    return bool(-0.6 < x < 5.6 and -above < y < 4.6)
