"""The solids that are path-traced: dice, their pips, the walls of the holes."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.training.synthetic import solids
from calibration.training.synthetic.dice import place, random_look

SHAPES = [solids.Shape(4.5, 1.3), solids.Shape(8.0, 1.5), solids.Shape(20.0, 1.75)]


def _volume(solid: solids.Mesh) -> float:
    points, triangles = solid
    a, b, c = (points[triangles[:, k]].astype(np.float64) for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_die_is_a_cube_with_something_off_its_edges_and_corners_and_its_surface_looks_outwards(
    shape: solids.Shape,
) -> None:
    """The faces' middles touch the cube of half-edge 1, nothing is outside, and the volume is positive."""
    points, _ = solids.cube(shape)
    assert np.abs(points).max() == pytest.approx(1, abs=2e-3)
    assert np.linalg.norm(points, axis=1).max() <= shape.ball + 1e-3
    assert 4 < _volume(solids.cube(shape)) < 8


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_as_many_pips_on_top_as_its_value_and_seven_less_that_below(value: int) -> None:
    """Pips are counted by the triangles' number: each pip has as many as another."""
    rng = np.random.default_rng(value)
    die = place(rng, "R", value, np.zeros(3), np.eye(3))
    points, triangles = solids.pips(SHAPES[1], die, random_look(rng))
    heights = points[triangles].mean(axis=1)[:, 2]
    a_pip = len(triangles) // 21
    assert (heights > 0.85).sum() == value * a_pip
    assert (heights < -0.85).sum() == (7 - value) * a_pip


@pytest.mark.parametrize("shape", SHAPES)
def test_pips_lie_on_the_surface_where_the_look_says(shape: solids.Shape) -> None:
    """The four pips of a top face have their middles at the look's offset, a hair above the die."""
    rng = np.random.default_rng(5)
    look = random_look(rng)
    die = place(rng, "B", 4, np.zeros(3), np.eye(3))
    points, _ = solids.pips(shape, die, look)
    top = points[points[:, 2] > 0.8]
    for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        pip = top[(np.sign(top[:, 0]) == x) & (np.sign(top[:, 1]) == y)]
        assert np.abs(pip[:, :2].mean(axis=0) - np.array([x, y]) * look.pip_offset).max() < 0.02
    on_surface = shape.surface(points)
    assert np.linalg.norm(points - on_surface, axis=1) == pytest.approx(
        0.004 * np.linalg.norm(on_surface, axis=1), abs=1e-4
    )


def test_every_hole_has_four_walls_of_its_own_from_the_frame_down_to_the_card() -> None:
    """Twenty holes, four walls each, two triangles a wall, as deep as the frame is thick."""
    points, triangles = solids.walls(0.72, 0.15)
    assert len(triangles) == 20 * 4 * 2
    assert sorted(set(points[:, 2].round(4).tolist())) == pytest.approx([-0.15, 0])
    middles = points[triangles].mean(axis=1)[:, :2]
    assert np.abs(middles % 1 - 0.5).max() == pytest.approx(0.36)
    assert np.bincount((middles // 1 @ [1, 5]).astype(int)).tolist() == [8] * 20


def test_solids_joined_keep_their_own_triangles() -> None:
    """What two dice enclose together is what each encloses."""
    one = solids.cube(SHAPES[0])
    other = (one[0] + np.float32(5), one[1])
    assert _volume(solids.joined([one, other])) == pytest.approx(2 * _volume(one), rel=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_a_drop_is_closed_lies_on_the_table_and_is_about_as_wide_as_asked_for(seed: int) -> None:
    """Its surface looks outwards, as its volume is positive and below that of a ball; its foot is flat."""
    points, triangles = drop = solids.drop(np.random.default_rng(seed), 0.4)
    assert points[:, 2].min() == pytest.approx(0, abs=0.02)
    assert np.linalg.norm(points[:, :2], axis=1).max() == pytest.approx(0.4, rel=0.2)
    assert (points[:, 2] < points[:, 2].min() + 1e-4).mean() > 0.1
    assert 0.3 < _volume(drop) / (4 / 3 * np.pi * 0.4**3) < 1
    _, shared = np.unique(np.round(points, 5), axis=0, return_inverse=True)
    corners = shared[triangles]
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]  # at both ends of the axis triangles have no area
    assert {tuple(one) for one in edges.tolist()} == {tuple(one[::-1]) for one in edges.tolist()}
