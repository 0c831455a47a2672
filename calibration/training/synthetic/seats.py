"""Tables as one sees them from a chair: several windows from low down, side by side or around the middle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic import dice, papers, scene, tables
from calibration.training.synthetic.camera import motion, random_camera
from calibration.training.synthetic.dice import Stage
from calibration.training.synthetic.lights import die_shadows, random_mood

TILT_DEG = (38.0, 66.0)  # between the camera's axis and the vertical
MOST_WINDOWS = 4
BETWEEN = (5.7, 8.0)  # pitches from one window to the next in a row; frames hardly wider than five touch


def render(rng: np.random.Generator, *, size: tuple[int, int]) -> scene.Scene:
    """Return a photo of a random table; ``rng`` and ``size`` as for `scene.render`."""
    w, h = int(size[0] * scene.FINER), int(size[1] * scene.FINER)
    count = int(rng.integers(1, MOST_WINDOWS + 1))
    moves = _in_a_row(rng, count) if rng.random() < 0.5 else _around(rng, count)
    middles = np.array([move @ [2.5, 1.0, 1] for move in moves])[:, :2]
    middle = middles[int(rng.integers(count))] if rng.random() < 0.4 else middles.mean(axis=0)
    reach = 4.5 + (np.linalg.norm(middles - middle, axis=1).max() if rng.random() < 0.6 else 0.0)
    pitch = rng.uniform(0.7, 1.3) * max(w, h) / 2 / reach
    target = np.append(middle + rng.normal(0, 0.8, 2), 0)
    tilts = (rng.uniform(*TILT_DEG), TILT_DEG[1])
    camera = random_camera(rng, size=(w, h), pitch_px=pitch, tilts_deg=tilts, target=target)
    image = scene.background(rng, camera)
    stage = Stage(image, camera, dice.random_look(rng), random_mood(rng))
    for _ in range(int(rng.integers(0, 4))):
        papers.lay_paper(rng, image, camera, middle + rng.uniform(-1, 1, 2) * reach * 1.3)
    far = [-float(np.linalg.norm(np.append(spot, 0) - camera.position)) for spot in middles]
    windows = [scene.draw_window(rng, stage, moves[k], hard=rng.random() < 0.8) for k in np.argsort(far)]
    heap = tables.random_heap(rng, stage.look, [], reach)
    loose = [die for die in heap if not any(tables.is_on(move, die.center) for move in moves)]
    die_shadows(rng, stage, loose, papers.TABLE)
    scene.draw_dice(rng, stage, loose)
    if rng.random() < 0.3:  # a lamp over the middle of the table only
        image *= rng.uniform(0.35, 0.8)
    return scene.photographed(rng, scene.Drawing(image, tuple(windows), size, pitch))


def _in_a_row(rng: np.random.Generator, count: int) -> list[NDArray[np.float64]]:
    """Return where windows lie side by side, nearly alike."""
    angle, step = rng.uniform(0, 2 * np.pi), rng.uniform(*BETWEEN)
    moves = []
    for k in range(count):
        turn = angle + rng.normal(0, 0.02) + (np.pi if rng.random() < 0.05 else 0)
        spot = np.array([(k - (count - 1) / 2) * step, rng.normal(0, 0.15)])
        c, s = np.cos(angle), np.sin(angle)
        moves.append(motion(turn, np.array([[c, -s], [s, c]]) @ spot, scene.MIDDLE))
    return moves


def _around(rng: np.random.Generator, count: int) -> list[NDArray[np.float64]]:
    """Return where windows lie that are turned to their players, who sit around the table."""
    first, away = rng.uniform(0, 2 * np.pi), rng.uniform(7, 11)
    moves = []
    for k in rng.permutation(MOST_WINDOWS)[:count]:
        angle = first + k * np.pi / 2 + rng.normal(0, 0.2)
        spot = away * np.array([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.7, 2)
        moves.append(motion(angle - np.pi / 2, spot, scene.MIDDLE))
    return moves
