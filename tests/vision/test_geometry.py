"""The window's plane and the planes above and below it."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.training.synthetic.camera import random_camera
from vision.geometry import (
    CELL_CENTERS,
    Grid,
    apply_homography,
    estimate_rise,
    homography_by_lens,
    is_plausible,
    rectify,
)


def test_a_grid_has_the_corners_that_it_was_made_of() -> None:
    """A grid made from four corners has these four, and the distance of its cells as its pitch."""
    corners = ((110.0, 95.0), (640.0, 130.0), (600.0, 520.0), (90.0, 480.0))
    grid = Grid.from_corners(corners, (800, 600))
    assert grid.corners_px == pytest.approx(np.array(corners), abs=1e-3)
    square = ((100.0, 200.0), (600.0, 200.0), (600.0, 600.0), (100.0, 600.0))
    assert Grid.from_corners(square, (800, 800)).pitch_px == pytest.approx(100)


def test_half_a_turn_counts_from_the_opposite_corner() -> None:
    """The first corner becomes the third, and the tops of the dice do not move."""
    grid = Grid.from_corners(((100, 200), (600, 220), (640, 600), (80, 580)), (800, 800))
    turned = grid.rotated_180()
    assert turned.corners_px == pytest.approx(np.roll(grid.corners_px, 2, axis=0))
    assert turned.rotated_180().corners_px == pytest.approx(grid.corners_px)
    tops = apply_homography(grid.plane(1), CELL_CENTERS)
    assert apply_homography(turned.plane(1), CELL_CENTERS) == pytest.approx(tops[::-1])


@pytest.mark.parametrize("seed", range(12))
def test_tops_are_estimated_from_the_tilt_alone(seed: int) -> None:
    """For a camera with a usual lens the top faces are predicted to a tenth of a pitch."""
    rng = np.random.default_rng(seed)
    camera = random_camera(
        rng, size=(1600, 1200), pitch_px=120, tilts_deg=(0, 40), target=np.array([2.5, 2.0, 0.0])
    )
    base = camera.plane_homography(0.0)
    rise = estimate_rise(base, camera.size, height=0.6, focal=camera.focal)
    lifted = base.copy()
    lifted[:, 2] += rise
    truth = apply_homography(camera.plane_homography(0.6), CELL_CENTERS)
    error = np.linalg.norm(apply_homography(lifted, CELL_CENTERS) - truth, axis=1)
    assert error.max() < 0.1 * Grid(base, rise).pitch_px


@pytest.mark.parametrize("scale", [1, 4])
def test_rectify_puts_each_cell_in_its_place(scale: int) -> None:
    """Seen from straight above, cell (r, c) lies r pitches down and c across, at any photo size."""
    photo = np.zeros((600 * scale, 800 * scale, 3), np.uint8)
    corners = np.array([[130, 95], [640, 130], [600, 520], [90, 480]]) * scale
    grid = Grid.from_corners(tuple((float(x), float(y)) for x, y in corners), (800 * scale, 600 * scale))  # type: ignore[arg-type]
    x, y = apply_homography(grid.homography, np.array([[3.5, 1.5]]))[0]
    photo[round(y) - 8 * scale : round(y) + 8 * scale, round(x) - 8 * scale : round(x) + 8 * scale] = 255
    flat = rectify(photo, grid.homography, 40, 0.5)
    assert flat.shape == (200, 240, 3)
    ys, xs = np.nonzero(flat[..., 0] > 128)
    assert (ys.mean(), xs.mean()) == pytest.approx(((1.5 + 0.5) * 40, (3.5 + 0.5) * 40), abs=1.0)


@pytest.mark.parametrize("seed", range(12))
def test_what_a_camera_sees_is_plausible(seed: int) -> None:
    """A square lattice under any tilt up to 60 degrees passes, through lenses from 35 to 65 degrees."""
    rng = np.random.default_rng(seed)
    camera = random_camera(
        rng, size=(1200, 1600), pitch_px=110, tilts_deg=(0, 60), target=np.array([2.5, 2.0, 0.0])
    )
    assert is_plausible(camera.plane_homography(0.0), camera.size)


@pytest.mark.parametrize("lens", [0.72, 1.05, 1.6, 2.2])
@pytest.mark.parametrize("seed", range(6))
def test_each_lens_of_a_phone_is_plausible_from_low_down(lens: float, seed: int) -> None:
    """A window seen at 55 to 65 degrees through a wide or a long lens is one, focal length in long sides."""
    camera = random_camera(
        np.random.default_rng(seed),
        size=(1600, 1200),
        pitch_px=90,
        tilts_deg=(55, 65),
        target=np.array([2.5, 2.0, 0.0]),
    )
    far = np.linalg.norm(camera.position - [2.5, 2.0, 0.0])
    back = (camera.position - [2.5, 2.0, 0.0]) / far
    seen = replace(camera, focal=lens * 1600, position=np.array([2.5, 2.0, 0.0]) + back * lens * 1600 / 90)
    assert is_plausible(seen.plane_homography(0.0), seen.size)


@pytest.mark.parametrize("stretch", [0.55, 1.8])
def test_oblong_cells_are_not_plausible(stretch: float) -> None:
    """A lattice whose cells are nearly twice as long as wide is not a Sagrada window."""
    grid = Grid.from_corners(
        ((100, 200), (100 + 500 * stretch, 200), (100 + 500 * stretch, 600), (100, 600)), (800, 800)
    )
    assert not is_plausible(grid.homography, (800, 800))


@pytest.mark.parametrize("seed", range(12))
def test_rough_marks_of_a_small_window_give_what_a_usual_lens_sees(seed: int) -> None:
    """Of 16 marks that are off by a pixel, at 14 pixels a pitch, comes a plausible lattice in its place."""
    rng = np.random.default_rng(seed)
    camera = random_camera(
        rng, size=(1200, 900), pitch_px=14, tilts_deg=(40, 62), target=np.array([2.5, 2, 0])
    )
    far = 1.05 * 1200 / 14
    back = (camera.position - [2.5, 2, 0]) / np.linalg.norm(camera.position - [2.5, 2, 0])
    camera = replace(camera, focal=1.05 * 1200, position=np.array([2.5, 2, 0]) + far * back)
    seen = apply_homography(camera.plane_homography(0.0), CELL_CENTERS)
    some = rng.permutation(20)[:16]
    marks = seen[some] + rng.normal(0, 0.7, (16, 2))
    found = homography_by_lens(CELL_CENTERS[some], marks, camera.size)
    assert found is not None
    assert is_plausible(found, camera.size)
    assert np.linalg.norm(apply_homography(found, CELL_CENTERS) - seen, axis=1).max() < 0.2 * 14
