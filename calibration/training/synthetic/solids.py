"""The solids of a traced window as triangles: dice rounded at edges and corners, pips, walls of holes.

Points are float32 in pitches (a die's own in half-edges), x right, y down, z up; triangles are uint32
indices of points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.dice import PIPS, DieLook, PlacedDie
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
    both = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    vertices, triangles = [], []
    for k, turn in enumerate(_FACE_TURNS):
        vertices.append(shape.surface((flat @ turn.T).astype(np.float32)))
        triangles.append(both + k * len(flat))
    return np.concatenate(vertices), np.concatenate(triangles).astype(np.uint32)


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
    rings = np.concatenate(
        [[[0.0, 0.0]]]
        + [
            np.stack([np.cos(t), np.sin(t)], 1) * (r + 1) / _PIP_RINGS
            for r in range(_PIP_RINGS)
            for t in [np.arange(_PIP_SECTORS) * 2 * np.pi / _PIP_SECTORS]
        ]
    )
    k = np.arange(_PIP_SECTORS)
    after = (k + 1) % _PIP_SECTORS
    parts = [np.stack([np.zeros_like(k), 1 + k, 1 + after], 1)]
    for r in range(_PIP_RINGS - 1):
        a, b = 1 + r * _PIP_SECTORS, 1 + (r + 1) * _PIP_SECTORS
        parts += [np.stack([a + k, b + k, b + after], 1), np.stack([a + k, b + after, a + after], 1)]
    disc = np.concatenate(parts)
    vertices, triangles, count = [], [], 0
    for face, turn in enumerate(_FACE_TURNS):
        value = die.faces[face]
        for px, py in PIPS[value]:
            ox = look.six_offset if value == 6 else look.pip_offset
            oy = look.pip_offset * (1.08 if value == 6 else 1.0)
            x, y = px * ox, py * oy
            if die.flips[face]:
                x, y = y, x
            if value in (2, 3) and die.flips[(face + 1) % 6]:
                x = -x
            radius = look.pip_radius * (1.3 if value == 1 and die.flips[0] else 1)
            goal = rings * radius + [x, y]
            way = np.concatenate([goal, np.ones((len(goal), 1))], 1)
            for _ in range(4):  # find the directions whose surface points lie over the goal
                at = shape.surface(way.astype(np.float32))
                way[:, :2] *= np.abs(goal) / np.maximum(np.abs(at[:, :2]), 1e-6)
            at = shape.surface((way @ turn.T).astype(np.float32)) * _ABOVE_SURFACE
            vertices.append(at)
            triangles.append(disc + count)
            count += len(at)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(triangles).astype(np.uint32)


def walls(hole: float, thickness: float) -> Mesh:
    """Return the walls of the twenty holes, ``hole`` pitches wide and ``thickness`` deep."""
    vertices: list[list[list[float]]] = []
    triangles: list[list[list[int]]] = []
    for i in range(20):
        x, y = i % 5 + 0.5, i // 5 + 0.5
        ring = [x, y] + hole * SQUARE
        for k in range(4):
            a, b = ring[k], ring[(k + 1) % 4]
            first = 4 * len(vertices)
            vertices.append([[*a, 0], [*b, 0], [*b, -thickness], [*a, -thickness]])
            triangles.append([[first, first + 1, first + 2], [first, first + 2, first + 3]])
    return np.array(vertices, np.float32).reshape(-1, 3), np.array(triangles, np.uint32).reshape(-1, 3)


def joined(parts: list[Mesh]) -> Mesh:
    """Return several solids as one."""
    vertices, triangles, count = [], [], 0
    for points, faces in parts:
        vertices.append(points)
        triangles.append(faces + np.uint32(count))
        count += len(points)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(triangles)
