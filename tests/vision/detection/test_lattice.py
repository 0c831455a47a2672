"""Fitting the lattice to marks, among missing and false ones."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection import lattice
from vision.detection import lattice as growing
from vision.detection.views import STRIDE, VIEW_PX, peaks
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, apply_homography

SIDE = VIEW_PX // STRIDE
QUADS = {
    "straight": [[60, 80], [310, 80], [310, 280], [60, 280]],
    "turned by 30 degrees": [[150, 60], [323, 160], [243, 299], [70, 199]],
    "steep": [[120, 110], [270, 110], [340, 260], [50, 260]],
    "sideways": [[300, 60], [300, 310], [100, 310], [100, 60]],
}


def maps_of(
    homography: NDArray[np.float64], hidden: tuple[int, ...] = (), extra: tuple[tuple[int, int], ...] = ()
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the maps of cell middles and of the window that a perfect finder would draw."""
    shrink = np.array([[1 / STRIDE, 0, 0.5 / STRIDE - 0.5], [0, 1 / STRIDE, 0.5 / STRIDE - 0.5], [0, 0, 1]])
    small = shrink @ homography
    heat = np.zeros((SIDE, SIDE), np.float32)
    y, x = np.mgrid[:SIDE, :SIDE]
    middles = [p for k, p in enumerate(apply_homography(small, CELL_CENTERS)) if k not in hidden]
    for cx, cy in [*middles, *(np.array(p) / STRIDE for p in extra)]:
        heat = np.maximum(heat, np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 3).astype(np.float32))
    window = np.zeros((SIDE, SIDE), np.float32)
    quad = apply_homography(small, BOARD_CORNERS)
    cv2.fillConvexPoly(window, np.round(quad).astype(np.int32), 1.0)
    return heat, window


def homography_of(quad: list[list[int]]) -> NDArray[np.float64]:
    """Return the homography that takes the board's corners to ``quad``."""
    exact = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), np.array(quad, np.float32))
    return np.asarray(exact, dtype=np.float64)


def distance(found: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """Return the largest corner error in view pixels, in whichever half turn fits better."""
    a, b = apply_homography(found, BOARD_CORNERS), apply_homography(truth, BOARD_CORNERS)
    return float(min(np.linalg.norm(np.roll(a, k, axis=0) - b, axis=1).max() for k in (0, 2)))


@pytest.mark.parametrize("name", QUADS)
@pytest.mark.parametrize("hidden", [(), (0,), (7, 12), (4, 9, 19)])
def test_finds_the_lattice_at_any_angle(name: str, hidden: tuple[int, ...]) -> None:
    """The lattice is found to four view pixels at any angle, also when some cells show no mark."""
    truth = homography_of(QUADS[name])
    heat, window = maps_of(truth, hidden)
    found = lattice.fits_to_area(lattice.areas(window)[0], peaks(heat), heat)[0]
    assert distance(found.homography, truth) < 4
    assert found.pairs == 20 - len(hidden)


def test_loose_marks_around_do_not_pull() -> None:
    """Marks of loose dice beside the window leave the lattice where it is."""
    truth = homography_of(QUADS["straight"])
    heat, window = maps_of(truth, extra=((30, 40), (350, 60), (340, 330), (20, 200)))
    found = lattice.fits_to_area(lattice.areas(window)[0], peaks(heat), heat)[0]
    assert distance(found.homography, truth) < 4


def test_a_mark_off_its_cell_does_not_pull() -> None:
    """One of the twelve marks of a partly hidden window, a quarter of a pitch aside, leaves the corners."""
    truth = homography_of(QUADS["straight"])  # 50 pixels a cell
    marks = apply_homography(truth, CELL_CENTERS)[:12]
    marks[11] += [9.0, 9.0]
    heat, _ = maps_of(truth)
    found = lattice.fit(truth, marks, heat, None)
    assert found is not None
    assert distance(found.homography, truth) < 1


def test_a_lattice_one_column_off_shows_it() -> None:
    """A lattice shifted by a column has marks beyond it and a column without any."""
    truth = homography_of(QUADS["straight"])
    heat, _ = maps_of(truth)
    shifted = truth @ np.array([[1, 0, 1], [0, 1, 0], [0, 0, 1.0]])
    right = lattice.fit(truth, peaks(heat), heat, None)
    wrong = lattice.fit(shifted, peaks(heat), heat, None)
    assert right is not None
    assert wrong is not None
    assert right.paired.all()
    assert not wrong.paired.reshape(4, 5)[:, 4].any()
    assert wrong.around.mean() > right.around.mean() + 0.1


def test_too_few_marks_make_no_window() -> None:
    """Nine marks are not enough to speak of a window."""
    truth = homography_of(QUADS["straight"])
    heat, _ = maps_of(truth, hidden=tuple(range(11)))
    assert lattice.fit(truth, peaks(heat), heat, None) is None


def test_peaks_are_exact_to_half_a_pixel() -> None:
    """The middle of a bump is found to half a view pixel."""
    heat = np.zeros((SIDE, SIDE), np.float32)
    y, x = np.mgrid[:SIDE, :SIDE]
    heat += np.exp(-((x - 40.3) ** 2 + (y - 50.75) ** 2) / 3).astype(np.float32)
    (point,) = peaks(heat)
    assert point == pytest.approx((40.3 * STRIDE + 1.5, 50.75 * STRIDE + 1.5), abs=0.5)


@pytest.mark.parametrize("name", QUADS)
@pytest.mark.parametrize("hidden", [(), (0,), (7, 12), (5, 18)])
def test_marks_alone_suggest_the_lattice(name: str, hidden: tuple[int, ...]) -> None:
    """Without any outline, the first suggestions grown from the marks hold the true lattice."""
    truth = homography_of(QUADS[name])
    heat, _ = maps_of(truth, hidden, extra=((20, 30), (360, 350)))
    suggested = growing.starts(peaks(heat))
    assert min(distance(start, truth) for start in suggested[:4]) < 8


def test_few_marks_suggest_nothing() -> None:
    """Eight loose dice on a table are no lattice."""
    rng = np.random.default_rng(4)
    assert growing.starts(rng.uniform(0, VIEW_PX, (8, 2))) == []


def test_the_misfit_is_the_distance_of_the_marks_in_pitches() -> None:
    """Marks on their cells have none; moved by a tenth of a pitch they have that much, missing ones aside."""
    homography = homography_of(QUADS["straight"])  # 50 pixels a cell
    marks = apply_homography(homography, CELL_CENTERS)
    assert lattice.misfit(homography, marks) == pytest.approx(0, abs=1e-9)
    marks[3] = np.nan
    assert lattice.misfit(homography, marks + np.array([3.0, 4.0])) == pytest.approx(0.1)
