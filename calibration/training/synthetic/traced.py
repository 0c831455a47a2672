"""The same windows as in ``scene``, path-traced by Mitsuba 3, and each photographed several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import (
    beads,
    finish,
    frames,
    papers,
    scene,
    solids,
    tables,
    textures,
    tracer,
)
from calibration.training.synthetic.camera import Camera, motion, random_camera, resizing
from calibration.training.synthetic.dice import DieLook, PlacedDie, place, random_look, random_rotation
from calibration.training.synthetic.lights import lamps, room_light

Float = NDArray[np.float32]
Points = NDArray[np.float64]

SMALLEST_PITCH_PX = 22
FINER, SAMPLES = 2.0, 8  # how much finer than the photo it is traced, and the paths a fine pixel
DARK_TABLES = 0.5  # share of photos of tokens that show a dark table as dark
UP = np.array([0.0, 0.0, 1.0])
TOKEN_SAMPLES = 24  # where drops of glass lie, whose sparkles are real
LAMP_SAMPLES, LAMPS = 4, (0.15, 4)  # paths a pixel, and how bright lamps are that dice mirror
LIT = 0.85  # share of photos with them


@dataclass(frozen=True, eq=False)
class Drawing:
    """A path-traced window, or dice on a table, before any camera touched it.

    ``light_bgr`` is H x W x 3 float32, linear light, finer than the photo by the factor `FINER`. All else is
    in pixels of a photo of ``size`` (width, height). ``lamps`` is what its dice mirror of lamps, in one room
    after the other.
    """

    light_bgr: Float
    size: tuple[int, int]
    pitch_px: float
    lamps: tuple[Float, ...] = ()
    windows: tuple[scene.Window, ...] = ()
    dice: tuple[tables.Mark, ...] = ()


def draw(rng: np.random.Generator, *, size: tuple[int, int], low: bool = False, rooms: int = 0) -> Drawing:
    """Return a path-traced window; ``low``: from the table's edge, with glare and dice seated badly.

    In as many ``rooms`` lamps hang where the tops of its dice mirror them.
    """
    w, h = int(size[0] * FINER), int(size[1] * FINER)
    fill = rng.uniform(0.6, 1.1) if rng.random() < 0.85 else rng.uniform(0.35, 0.6)
    pitch = fill * min(w, h) / 4.6
    tilts = (0.0, 45.0)
    target = np.append(rng.normal(scene.MIDDLE, 0.25), 0)
    if low:
        tilts = (40.0, 64.0)
    elif rng.random() < 0.4:
        tilts = (35.0, 66.0)
    camera = random_camera(rng, size=(w, h), pitch_px=pitch, tilts_deg=tilts, target=target)
    look = random_look(rng)
    # A face that is flat mirrors the light as a whole.
    flat = (8, 40) if low else (4.5, 40 if rooms else 20)
    shape = solids.Shape(float(np.exp(rng.uniform(*np.log(flat)))), float(rng.uniform(1.3, 1.75)))
    pattern = scene.random_pattern(rng)
    thickness = rng.uniform(*scene.FRAME_THICKNESS)
    meshes, above = _surroundings(rng, pattern, thickness)

    shares = [0.2, 0.4, 0.7, 1.0] if low else [0.6, 0.85, 0.95, 1.0]
    occupancy = rng.choice(shares, p=[0.1, 0.25, 0.3, 0.35])
    yaw = rng.choice([2.0, 5.0, 12.0, 25.0], p=[0.3, 0.35, 0.27, 0.08])
    loose = rng.choice([0.035, 0.06], p=[0.8, 0.2])
    half = look.half_edge
    codes: list[str] = []
    placed: list[PlacedDie] = []
    for i in range(20):
        if rng.random() >= occupancy:
            codes.append("--")
            continue
        color, value, x, y = scene.random_die(rng, i, loose)
        codes.append(f"{color}{value}")
        center = np.array([x, y, half - thickness + 0.004])
        tip = 0.0 if rng.random() < (0.85 if low else 0.96) else 5.0
        placed.append(place(rng, color, value, center, random_rotation(rng, yaw_deg=yaw, tip_deg=tip)))
    meshes |= _dice(rng, placed, look, shape)
    glare = -camera.axes[2] * [-1, -1, 1] if low and rng.random() < 0.7 else None
    light = _light(rng, camera, meshes, glare)
    lit = _lamplight(rng, camera, placed, look, shape, rooms if placed else 0)
    window = scene.Window(
        dice=tuple(codes),
        print=tuple("".join(pattern)),
        base=camera.plane_homography(0),
        top=camera.plane_homography(2 * half - thickness),
        art_above=above,
    )
    return Drawing(light, size, pitch / FINER, lit, (window.moved(resizing(1 / FINER)),))


def _dice(
    rng: np.random.Generator, placed: list[PlacedDie], look: DieLook, shape: solids.Shape
) -> dict[str, mi.Mesh]:
    """Return dice and their pips, one mesh a color."""
    dice: dict[str, list[solids.Mesh]] = {letter: [] for letter in scene.COLORS}
    pips: list[solids.Mesh] = []
    cube, half = solids.cube(shape), look.half_edge
    for die in placed:
        dice[die.color].append(_standing(cube, die, half))
        pips.append(_standing(solids.pips(shape, die, look), die, half))
    meshes = {}
    # With the same meshes in each scene the tracer compiles once.
    nowhere = (cube[0] * np.float32(0.01) - np.float32(50), cube[1])
    depth = rng.uniform(0.5, 1.3)
    cloud = float(rng.choice([0.0, rng.uniform(0, 0.35), rng.uniform(0, 1)]))
    for letter, found in dice.items():
        solid = solids.joined(found or [nowhere])
        dyed = tracer.glass(look.dyes[letter], depth, cloud)
        meshes[letter] = tracer.mesh(letter, solid, dyed, smooth=True)
    paint = {"type": "rgb", "value": (look.pip_color**2.2 * 0.9)[::-1].tolist()}
    painted = {"type": "twosided", "b": {"type": "diffuse", "reflectance": paint}}
    meshes["pips"] = tracer.mesh("pips", solids.joined(pips or [nowhere]), painted)
    return meshes


def _light(
    rng: np.random.Generator, camera: Camera, meshes: dict[str, mi.Mesh], glare: Points | None = None
) -> Float:
    """Return the light that reaches the camera, H x W x 3 BGR, linear, without sparkles."""
    light = _traced(rng, camera, meshes, room_light(rng, glare), SAMPLES)
    return tracer.without_noise(tracer.without_sparkles(light))


def _lamplight(
    rng: np.random.Generator,
    camera: Camera,
    placed: list[PlacedDie],
    look: DieLook,
    shape: solids.Shape,
    rooms: int,
) -> tuple[Float, ...]:
    """Return what dice alone, not their pips, mirror of lamps, in as many rooms."""
    rough = float(np.exp(rng.uniform(*np.log((0.002, 0.03)))))
    mirror = {"type": "roughconductor", "material": "none", "alpha": rough}
    black = {"type": "twosided", "b": {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.0}}}
    half, cube = look.half_edge, solids.cube(shape)
    dice = solids.joined([_standing(cube, die, half) for die in placed])
    pips = solids.joined([_standing(solids.pips(shape, die, look), die, half) for die in placed])
    meshes = {
        "dice": tracer.mesh("dice", dice, mirror, smooth=True),
        "pips": tracer.mesh("pips", pips, black),
    }
    found = []
    for _ in range(rooms):
        small = float(np.exp(rng.uniform(*np.log((0.03, 0.5)))))
        room = np.zeros(3, np.float32)
        for k in rng.integers(len(placed), size=int(rng.integers(2, 7))):  # each in the top of one of them
            back = camera.position - placed[k].center
            toward = back / np.linalg.norm(back) * [-1, -1, 1] + np.append(rng.normal(0, 0.04, 2), 0)
            room = room + lamps(rng, toward, small=small, wide=1024)
        soft = np.asarray(
            cv2.GaussianBlur(room, (0, 0), float(np.exp(rng.uniform(*np.log((0.3, 3)))))), np.float32
        )
        found.append(_traced(rng, camera, meshes, soft, LAMP_SAMPLES, bounces=2))
    return tuple(found)


def _traced(
    rng: np.random.Generator,
    camera: Camera,
    meshes: dict[str, mi.Mesh],
    room: Float,
    samples: int,
    bounces: int = 14,
) -> Float:
    """Return the light of a ``room`` that reaches the camera, H x W x 3 BGR, linear."""
    whole = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": bounces, "rr_depth": 8},
        "sensor": tracer.sensor(camera, samples),
        "room": tracer.surrounding(room),
        **meshes,
    }
    traced = np.array(mi.render(mi.load_dict(whole), spp=samples, seed=int(rng.integers(1 << 30))))[..., :3]
    light = np.clip(np.nan_to_num(traced), 0, tracer.BRIGHTEST)
    return np.asarray(light[..., ::-1], dtype=np.float32)


def draw_table(
    rng: np.random.Generator, *, size: tuple[int, int], hard: bool = False, tokens: bool = False
) -> Drawing:
    """Return path-traced dice on a table; with ``hard`` close together, seen mostly from low down.

    With ``tokens`` drops of clear glass lie among them, and these are marked in place of dice.
    """
    w, h = int(size[0] * FINER), int(size[1] * FINER)
    pitch = float(np.exp(rng.uniform(*np.log([34, 80] if hard else [26, 60])))) * FINER
    tilts = (0.0, 40.0) if rng.random() < (0.2 if hard else 0.4 if tokens else 0.7) else (30.0, 60.0)
    camera = random_camera(rng, size=(w, h), pitch_px=pitch, tilts_deg=tilts, target=np.zeros(3))
    look, reach = random_look(rng), min(w, h) / pitch / 2
    shape = solids.Shape(float(np.exp(rng.uniform(np.log(4.5), np.log(20)))), float(rng.uniform(1.3, 1.75)))
    top = textures.table(rng)
    far = 6 * rng.uniform(8, 24)
    surface = paper_of(top, rng.uniform(0.05, 0.4))
    meshes = {
        "table": tracer.sheet("table", (-far / 4, -far / 4, far / 4, far / 4), papers.TABLE, surface),
        "ground": tracer.sheet("ground", (-far, -far, far, far), papers.TABLE - 0.3, surface),
    }
    strip, spots = tables.track_paper(rng)
    move = papers.anywhere(rng, strip.shape[1::-1], rng.uniform(-0.4, 0.4, 2) * reach)
    placed = tables.on_track(rng, look, spots, move) if not hard and rng.random() < 0.6 else []
    if not placed:
        move[:2, 2] += 900
    flat = (0.0, 0.0, float(strip.shape[1]), float(strip.shape[0]))
    meshes["track"] = tracer.sheet("track", flat, papers.TABLE + 0.01, paper_of(strip, 0.1), move)
    if hard:
        placed = tables.packed(rng, look, reach)
    else:
        placed += tables.random_heap(rng, look, placed, reach) + tables.random_heap(rng, look, placed, reach)
    meshes |= _dice(rng, placed, look, shape)
    if tokens:
        meshes["tokens"], marks = _tokens(rng, camera, placed, look.half_edge, reach)
        room = cv2.resize(room_light(rng), (512, 256)) + rng.uniform(0, 20) * lamps(rng, UP)
        light = tracer.without_noise(_traced(rng, camera, meshes, room, TOKEN_SAMPLES))
    else:
        marks, light = tables.marks_of(camera, placed, look.half_edge), _light(rng, camera, meshes)
    small = tuple(mark.resized(1 / FINER) for mark in marks)
    return Drawing(light, size, pitch / FINER, dice=small)


def _tokens(
    rng: np.random.Generator, camera: Camera, placed: list[PlacedDie], half: float, reach: float
) -> tuple[mi.Mesh, list[tables.Mark]]:
    """Return favor tokens between dice, in groups, and where they are seen; ``half`` is half a die's edge."""
    radius, marks, drops = rng.uniform(*beads.RADII), [], []
    hulls = tables.hulls_of(camera, placed, half)
    taken = [die.center[:2] for die in placed]
    for _ in range(int(rng.integers(4, 10))):
        spot = rng.uniform(-0.8, 0.8, 2) * reach
        apart = float(rng.choice([0.2, 1.6]))
        for at in beads.cluster(rng, spot, int(rng.integers(1, 8)), radius, apart):
            if any(np.linalg.norm(at - other) < 2 * radius for other in taken):
                continue
            taken.append(at)
            points, triangles = solids.drop(rng, radius * float(np.exp(rng.normal(0, 0.06))))
            drops.append((points + np.append(at, papers.TABLE).astype(np.float32), triangles))
            middle = np.append(at, papers.TABLE + 0.35 * radius)
            seen, depth = camera.project(middle), float((middle - camera.position) @ camera.axes[2])
            if ((seen > 0) & (seen < np.array(camera.size) - 1)).all():
                hidden = tables.is_behind(seen, hulls)
                marks.append(tables.Mark("", 0, seen, seen, 2 * radius * camera.focal / depth, hidden))
    tint = np.clip(rng.uniform(0.85, 1) + rng.normal(0, 0.03, 3), 0.6, 1).tolist()
    clear = {"type": "dielectric", "int_ior": 1.52, "specular_transmittance": {"type": "rgb", "value": tint}}
    return tracer.mesh("tokens", solids.joined(drops), clear, smooth=True), marks


def _standing(solid: solids.Mesh, die: PlacedDie, half_edge: float) -> solids.Mesh:
    """Return a part of a die, which is in half-edges, where the die stands."""
    points, triangles = solid
    return np.asarray(points @ die.rotation.T * half_edge + die.center, dtype=np.float32), triangles


def paper_of(picture: Float, shine: float) -> dict[str, Any]:
    """Return the material of a printed sheet; ``shine`` is how much of it is glossy, 0 to 1."""
    flat = {"type": "diffuse", "reflectance": tracer.picture(picture)}
    glossy = {"type": "roughplastic", "diffuse_reflectance": tracer.picture(picture), "alpha": 0.15}
    return {"type": "twosided", "b": {"type": "blendbsdf", "weight": shine, "a": flat, "b": glossy}}


def _surroundings(
    rng: np.random.Generator, pattern: tuple[str, ...], thickness: float
) -> tuple[dict[str, mi.Mesh], float]:
    """Return table, ground, card, frame with its back, the walls of its holes; and the height of its art."""
    face, alpha, (left, above) = frames.frame(rng)
    s, shine = textures.SCALE, rng.uniform(0.05, 0.4)
    top = textures.table(rng)
    scale = rng.uniform(8, 24)  # half the table's side in pitches
    turn = motion(rng.uniform(0, 2 * np.pi), np.array(scene.MIDDLE), (0, 0))
    low, far = -thickness - 0.15, 6 * scale
    meshes = {
        "table": tracer.sheet("table", (-scale, -scale, scale, scale), low, paper_of(top, shine), turn),
        "ground": tracer.sheet(
            "ground", (-far, -far, far, far), low - 0.3, paper_of(top[::8, ::8], shine), turn
        ),
    }
    card = textures.card(rng, pattern)
    solid = card[int(0.85 * s) : int(5.15 * s), int(0.85 * s) : int(6.15 * s)]
    at = (-0.15, -0.15, solid.shape[1] / s - 0.15, solid.shape[0] / s - 0.15)
    meshes["card"] = tracer.sheet("card", at, -thickness, paper_of(solid, shine))
    height, width = face.shape[:2]
    at = (-left, -above, width / s - left, height / s - above)
    frame = {"type": "mask", "opacity": tracer.picture(alpha, raw=True), "b": paper_of(face, shine)}
    meshes["frame"] = tracer.sheet("frame", at, 0.0, frame)
    outside = alpha.copy()
    y0, x0 = int(above * s), int(left * s)
    outside[y0 : y0 + 4 * s, x0 : x0 + 5 * s] = 1
    plain = paper_of(face * 0 + rng.uniform(0.2, 0.6), shine)
    back = {"type": "mask", "opacity": tracer.picture(outside, raw=True), "b": plain}
    meshes["back"] = tracer.sheet("back", at, low + 0.01, back)
    row = alpha[y0 + s // 2, x0 : x0 + s]
    hole = float((row < 0.5).mean())
    grey = {"type": "diffuse", "reflectance": {"type": "rgb", "value": float(rng.uniform(0.05, 0.7))}}
    meshes["walls"] = tracer.mesh("walls", solids.walls(hole, thickness), {"type": "twosided", "b": grey})
    return meshes, above


def photographed(
    rng: np.random.Generator, drawing: Drawing, *, far_away: float, dark_table: bool = False
) -> tables.Table:
    """Return one photo of a drawing, smaller than drawn with a probability of ``far_away``.

    Where ``dark_table`` says so it may be exposed for what is bright on a dark table.
    """
    image = drawing.light_bgr * finish.white_balance(rng) ** 2.2
    image = image * (finish.light_field(rng, *image.shape[:2]) ** 1.5)[..., None]
    if dark_table and rng.random() < DARK_TABLES:
        image = image / float(np.percentile(image, 98)) * rng.uniform(0.4, 1.2)
    else:
        image = image / (float(np.percentile(image, 60)) + 0.15) * rng.uniform(0.25, 0.55)
    if drawing.lamps and rng.random() < LIT:
        brightness = float(np.exp(rng.uniform(*np.log(LAMPS))))
        image = image + brightness * drawing.lamps[int(rng.integers(len(drawing.lamps)))]
    smallest = SMALLEST_PITCH_PX / drawing.pitch_px
    scale = rng.uniform(smallest, 0.8) if smallest < 0.8 and rng.random() < far_away else 1.0
    size = np.round(scale * np.array(drawing.size)).astype(int)
    small = cv2.resize(np.minimum(image, 2.5), size.tolist(), interpolation=cv2.INTER_AREA)
    out = finish.tone(rng, np.asarray(np.clip(small, 0, None) ** (1 / 2.2), dtype=np.float32))
    picture = finish.sensor(rng, out, pitch_px=scale * drawing.pitch_px)
    zooms = size / drawing.size
    shrink = np.diag([*zooms, 1.0])
    shrink[:2, 2] = 0.5 * zooms - 0.5  # pixel centers, not corners, are at whole numbers
    windows, dice = (
        (one.moved(shrink) for one in drawing.windows),
        (one.resized(float(zooms[0])) for one in drawing.dice),
    )
    return tables.Table(picture, tuple(windows), tuple(dice))
