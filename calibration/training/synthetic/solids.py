"""The solids of a traced window: points, float32 in pitches, a die's in half-edges; triangles, uint32."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.dice import DieLook, PlacedDie, pips_of
from vision.geometry import SQUARE

Float = NDArray[np.float32]
Mesh = tuple[Float, NDArray[np.uint32]]

_SUBDIVISIONS = 14
_PIP_RINGS, _PIP_SECTORS = 3, 14
_ABOVE_SURFACE = np.float32(1.004)


@dataclass(frozen=True, eq=False)
class Shape:
    """A die's outline: how sharp its edges are and how far its corners are cut by a ball (half-edges)."""

    sharpness: float
    ball: float

    def surface(self, directions: Float) -> Float:
        """Return the surface points, (N, 3), in some directions from the middle of the die."""
        size = np.abs(directions)
        cube = (size**self.sharpness).sum(-1) ** (1 / self.sharpness)
        ball = np.linalg.norm(directions, axis=-1) / self.ball
        both = (cube**16 + ball**16) ** (1 / 16)
        return np.asarray(directions / both[..., None], dtype=np.float32)


def cube(shape: Shape) -> Mesh:
    """Return vertices and triangles of one die with half-edge 1."""
    n = _SUBDIVISIONS
    # Coarse only in the flat middle of a face.
    steps = np.tan(np.linspace(-np.pi / 4, np.pi / 4, n + 1))
    steps = np.sign(steps) * np.abs(steps) ** 0.7
    u, v = np.meshgrid(steps, steps)
    flat = np.stack([u.ravel(), v.ravel(), np.ones(u.size)], 1)
    quads = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = (q.ravel() for q in (quads[:-1, :-1], quads[:-1, 1:], quads[1:, 1:], quads[1:, :-1]))
    both = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.uint32)
    return joined([(shape.surface((flat @ turn.T).astype(np.float32)), both) for turn in _FACE_TURNS])


def _turns() -> list[NDArray[np.float64]]:
    """Return proper rotations that bring the top (+z) to the faces +x, -x, +y, -y, +z, -z."""
    found = []
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)):
        z = np.zeros(3)
        z[axis] = sign
        x = np.roll(z, 1) * sign
        found.append(np.stack([x, np.cross(z, x), z], 1))
    return found


_FACE_TURNS = _turns()


def pips(shape: Shape, die: PlacedDie, look: DieLook) -> Mesh:
    """Return vertices and triangles of a die's painted pips, just above its surface."""
    turns = np.arange(_PIP_SECTORS) * 2 * np.pi / _PIP_SECTORS
    circle = np.stack([np.cos(turns), np.sin(turns)], 1)
    rings = np.concatenate([[[0.0, 0.0]], *(circle * (r + 1) / _PIP_RINGS for r in range(_PIP_RINGS))])
    k = np.arange(_PIP_SECTORS)
    after = (k + 1) % _PIP_SECTORS
    parts = [np.stack([np.zeros_like(k), 1 + k, 1 + after], 1)]
    for r in range(_PIP_RINGS - 1):
        a, b = 1 + r * _PIP_SECTORS, 1 + (r + 1) * _PIP_SECTORS
        parts += [np.stack([a + k, b + k, b + after], 1), np.stack([a + k, b + after, a + after], 1)]
    disc, found = np.concatenate(parts).astype(np.uint32), []
    for face, turn in enumerate(_FACE_TURNS):
        centers, radius = pips_of(die, look, face)
        for center in centers:
            goal = rings * radius + center
            way = np.concatenate([goal, np.ones((len(goal), 1))], 1)
            for _ in range(4):  # find the directions whose surface points lie over the goal
                at = shape.surface(way.astype(np.float32))
                way[:, :2] *= np.abs(goal) / np.maximum(np.abs(at[:, :2]), 1e-6)
            found.append((shape.surface((way @ turn.T).astype(np.float32)) * _ABOVE_SURFACE, disc))
    return joined(found)


def drop(rng: np.random.Generator, radius: float) -> Mesh:
    """Return a drop of glass that lies on z = 0, in pitches: flat below, domed above, never quite round."""
    down, around = np.meshgrid(np.linspace(0, np.pi, _SUBDIVISIONS), np.linspace(0, 2 * np.pi, 29)[:-1])
    waves = rng.normal(0, 0.03, 3) @ np.cos(
        np.arange(1, 4)[:, None] * around.ravel() + rng.uniform(0, 6, (3, 1))
    )
    wide = radius * (1 + waves) * np.sin(down.ravel()) ** 0.8
    z = np.cos(down.ravel()) * radius * rng.uniform(0.6, 1.3)
    z = np.where(z > 0, z, np.maximum(0.6 * z, -0.3 * radius)) + 0.31 * radius
    points = np.stack([wide * np.cos(around.ravel()), wide * np.sin(around.ravel()), z], 1)
    i, k = np.meshgrid(np.arange(28), np.arange(_SUBDIVISIONS - 1), indexing="ij")
    a, b = (i * _SUBDIVISIONS + k).ravel(), ((i + 1) % 28 * _SUBDIVISIONS + k).ravel()
    triangles = np.concatenate([np.stack([a, a + 1, b], 1), np.stack([b, a + 1, b + 1], 1)])
    return points.astype(np.float32), triangles.astype(np.uint32)


def walls(hole: float, thickness: float) -> Mesh:
    """Return the walls of the twenty holes, ``hole`` pitches wide and ``thickness`` deep."""
    wall, found = np.array([[0, 1, 2], [0, 2, 3]], np.uint32), []
    for i in range(20):
        ring = [i % 5 + 0.5, i // 5 + 0.5] + hole * SQUARE
        for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            corners = [[*a, 0], [*b, 0], [*b, -thickness], [*a, -thickness]]
            found.append((np.array(corners, np.float32), wall))
    return joined(found)


def joined(parts: list[Mesh]) -> Mesh:
    """Return several solids as one."""
    vertices, triangles, count = [], [], 0
    for points, faces in parts:
        vertices.append(points)
        triangles.append(faces + np.uint32(count))
        count += len(points)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(triangles)
