"""A second look at a suggested lattice, with made-up maps in place of the finder's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.synthetic.camera import random_camera
from vision.detection import sighting
from vision.detection.sighting import LINES, WAYS, shares_in_view, sight
from vision.detection.views import FinderView, Levels, Maps, to_map
from vision.geometry import CELL_CENTERS, SQUARE, Grid, apply_homography, estimate_rise

SIZE = (1000, 1000)
FRONT_ROW = 15  # cells before it are hidden by dice in these pictures


def low_down() -> NDArray[np.float64]:
    """Return the homography of a window as a camera that leans by fifty degrees sees it."""
    seen = random_camera(
        np.random.default_rng(0),
        size=SIZE,
        pitch_px=90,
        tilts_deg=(50, 51),
        target=np.array([2.5, 2.0, 0.0]),
    )
    return seen.plane_homography(0)


def bumps(points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return a map with a clear mark at each point of the view."""
    y, x = np.mgrid[0:96, 0:96]
    marks = [np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 4.5) for cx, cy in to_map(points)]
    return np.asarray(np.max([np.zeros((96, 96)), *marks], axis=0), dtype=np.float32)


def finder_that_sees(
    monkeypatch: pytest.MonkeyPatch,
    holes: list[int],
    tops: list[int],
    higher: float = 1.0,
    aside: float = 0.0,
    scattered: float = 0.0,
    art: list[int] | None = None,
) -> None:
    """Let the finder mark these cells' holes and the tops of the dice in those.

    The tops are so much ``higher`` than usual and so many pitches ``aside``; ``scattered`` are the holes.
    On the cells ``art`` lies art.
    """
    spots = CELL_CENTERS + scattered * np.random.default_rng(1).choice([-1.0, 1.0], CELL_CENTERS.shape)
    dice = CELL_CENTERS + np.array([aside, 0])
    base = low_down()
    top = base.copy()
    top[:, 2] += higher * estimate_rise(base, SIZE)

    def look(view: FinderView) -> Maps:
        back = np.linalg.inv(view.to_photo)
        cells = bumps(apply_homography(back @ base, spots)[holes])
        nothing = np.zeros((96, 96), np.float32)
        glass = (CELL_CENTERS[np.array(art or [], int), None] + SQUARE / 2).reshape(-1, 2)
        above = bumps(apply_homography(back @ base, glass))
        return Maps(view, cells, bumps(apply_homography(back @ top, dice)[tops]), nothing, above)

    monkeypatch.setattr(sighting, "look", look)


def test_tops_of_dice_stand_in_for_the_holes_that_they_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full window of which only the front row's holes show is placed by the tops of its dice."""
    finder_that_sees(monkeypatch, list(range(FRONT_ROW, 20)), list(range(20)))
    base = low_down()
    shaken = np.array([[1, 0.02, 9], [-0.01, 1, -7], [0, 0, 1]]) @ base
    found = sight(Levels(np.full((*SIZE, 3), 90, np.uint8)), shaken)
    assert found is not None
    off = found.grid.corners_px - apply_homography(base, np.array([[0, 0], [5, 0], [5, 4], [0, 4.0]]))
    turned = found.grid.rotated_180().corners_px - found.grid.corners_px + off
    assert min(np.abs(off).max(), np.abs(turned).max()) < 0.15 * found.grid.pitch_px


def test_a_row_of_dice_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holes of one row and tops of dice in another are too little for a lattice."""
    finder_that_sees(monkeypatch, list(range(FRONT_ROW, 20)), list(range(10, 15)))
    assert sight(Levels(np.full((*SIZE, 3), 90, np.uint8)), low_down()) is None


@pytest.mark.parametrize(
    ("higher", "aside", "taken"), [(1.2, 0, 1.2), (1.45, 0, 1.45), (1.7, 0, 1.7), (1.45, 0.5, 1.0)]
)
def test_tops_are_followed_as_high_as_dice_can_seem_to_be(
    monkeypatch: pytest.MonkeyPatch, higher: float, aside: float, taken: float
) -> None:
    """Tops that rise by more than usual are followed; marks half a cell aside leave the usual height."""
    finder_that_sees(monkeypatch, list(range(20)), list(range(20)), higher, aside)
    found = sight(Levels(np.full((*SIZE, 3), 90, np.uint8)), low_down())
    assert found is not None
    usual = replace(found.grid, rise=estimate_rise(found.grid.homography, SIZE))
    leans = []
    for grid in (found.grid, usual):
        low, high = (apply_homography(grid.plane(height), CELL_CENTERS).mean(axis=0) for height in (0, 1))
        leans.append(high - low)
    assert np.linalg.norm(leans[0]) / np.linalg.norm(leans[1]) == pytest.approx(taken, abs=0.1)


@pytest.mark.parametrize(
    ("scattered", "aside", "found"), [(0.07, 0, True), (0.07, 0.5, False), (0, 0.5, True)]
)
def test_a_lattice_that_fits_its_marks_badly_has_its_dice_in_place(
    monkeypatch: pytest.MonkeyPatch, scattered: float, aside: float, found: bool
) -> None:
    """Where the marks of the holes lie off the lattice, it is none unless the dice stand on it."""
    finder_that_sees(monkeypatch, list(range(20)), list(range(18)), aside=aside, scattered=scattered)
    assert (sight(Levels(np.full((*SIZE, 3), 90, np.uint8)), low_down()) is not None) == found


@pytest.mark.parametrize("side", LINES)
def test_no_line_of_a_window_lies_on_the_art(monkeypatch: pytest.MonkeyPatch, side: str) -> None:
    """However well marks and dice fit, a lattice that lies on the art with a line is a line too far."""
    finder_that_sees(monkeypatch, list(range(20)), list(range(20)), art=LINES[side].tolist())
    assert sight(Levels(np.full((*SIZE, 3), 90, np.uint8)), low_down()) is None


@pytest.mark.parametrize(("scattered", "found"), [(0, True), (0.07, False)])
def test_a_hidden_row_is_believed_where_the_rest_fits_well(
    monkeypatch: pytest.MonkeyPatch, scattered: float, found: bool
) -> None:
    """Of a row one hole may show where the others lie exactly; else the lattice is a row too far."""
    finder_that_sees(monkeypatch, list(range(16)), list(range(16)), scattered=scattered)
    assert (sight(Levels(np.full((*SIZE, 3), 90, np.uint8)), low_down()) is not None) == found


@pytest.mark.parametrize("moved", [0, 1])
def test_a_hidden_row_is_put_where_the_judge_sees_it(monkeypatch: pytest.MonkeyPatch, moved: int) -> None:
    """Where no cell of a row shows and that is asked for, one more network says on which side it is."""
    finder_that_sees(monkeypatch, list(range(15)), list(range(15)))
    monkeypatch.setattr(sighting, "way_of", lambda photo, maps, straight, side: WAYS[side][moved])
    photo = Levels(np.full((*SIZE, 3), 90, np.uint8))
    assert sight(photo, low_down()) is None
    found = sight(photo, low_down(), line_hidden=True)
    assert found is not None
    corners = apply_homography(low_down(), np.array([[0, 0], [5, 0], [5, 4], [0, 4.0]]) - [0, moved])
    off = min(np.abs(grid.corners_px - corners).max() for grid in (found.grid, found.grid.rotated_180()))
    assert off < 0.15 * found.grid.pitch_px


def test_no_open_space_of_a_window_with_dice_lies_beyond_the_picture() -> None:
    """A space whose hole the picture's edge cuts off is in view where a die's top shows, and only there."""
    flat = Grid.from_corners(((100, 100), (600, 100), (600, 500), (100, 500)), (505, 700))
    leaning = replace(flat, rise=flat.homography @ [-0.7, 0, 0])
    dice = np.arange(20) % 5 < 4
    dice[4] = True
    last_column = shares_in_view(leaning, (505, 700), dice)[4::5]
    assert last_column[0] > 0.5
    assert (last_column[1:] < 0.2).all()
