"""Telling a lens from windows and from chessboards."""

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.chessboard import lens_from_chessboard
from calibration.errors import CalibrationError
from calibration.lens import MARK_PLACES, Lattice, LensEstimate, lens_from_lattices, lens_from_photos
from calibration.training.held_back import file_of
from calibration.training.held_back_lens import line_of_told
from calibration.training.synthetic.wide import bent, chessboard_view
from vision import Lens
from vision.geometry import USUAL_FOCAL

SIZE, BOARD, BOARD_LENS = (400, 300), (7, 5), Lens(0.95, -0.2)


def lattices(lens: Lens, count: int, noise: float, size: tuple[int, int] = (720, 540)) -> list[Lattice]:
    """Return marks of windows seen from random sides, off by ``noise`` pitches at random."""
    rng = np.random.default_rng(4)
    focal, middle = lens.focal * max(size), lens.axis_in(size)
    found = []
    for _ in range(count):
        toward, pitch = rng.uniform(0, 2 * np.pi), rng.uniform(60, 95)
        tilt, _ = cv2.Rodrigues(np.array([np.cos(toward), np.sin(toward), 0]) * rng.uniform(0, 0.6))
        board = np.column_stack([MARK_PLACES - [2.5, 2], np.zeros(20)]) @ tilt.T
        seen = board + np.array([*rng.uniform(-0.7, 0.7, 2), focal / pitch])
        marks = lens.bent(seen[:, :2] / seen[:, 2:] * focal + middle, size)
        found.append(Lattice(marks + rng.normal(0, noise * pitch, (20, 2)), size))
    return found


@pytest.mark.parametrize("k1", [-0.25, 0.1])
@pytest.mark.parametrize("count", [1, 3])
def test_marks_without_errors_tell_the_bend(k1: float, count: int) -> None:
    """From exact marks the bend is told exactly, and it helps."""
    made = lens_from_lattices(lattices(Lens(USUAL_FOCAL, k1), count, 1e-5))
    assert made.lens.k1 == pytest.approx(k1, abs=0.002)
    assert made.helps
    assert made.error_after < 0.001 < made.error_before


def test_only_the_bend_in_the_photo_counts() -> None:
    """A longer lens that bends alike gives the same lens."""
    k1 = -0.3 * 1.2**2
    made = lens_from_lattices(lattices(Lens(USUAL_FOCAL * 1.2, k1), 3, 1e-5))
    assert made.lens.k1 == pytest.approx(-0.3, abs=0.002)


def test_a_bend_that_is_no_more_than_noise_is_not_used() -> None:
    """Without a bend none is said to help, and the standard error says how little is known."""
    made = lens_from_lattices(lattices(Lens(USUAL_FOCAL, 0.0), 2, 0.015))
    assert not made.helps
    assert abs(made.lens.k1) < 3 * made.standard_error


def test_wrong_and_missing_marks_do_not_matter() -> None:
    """Marks that are none are left out, and those far from their cells."""
    spoiled = lattices(Lens(USUAL_FOCAL, -0.2), 3, 0.003)
    spoiled[0].marks[4] = np.nan
    spoiled[1].marks[7] += 40
    assert lens_from_lattices(spoiled).lens.k1 == pytest.approx(-0.2, abs=0.06)


def test_without_a_window_nothing_is_told() -> None:
    """A photo of a table alone is an error that says what to photograph."""
    with pytest.raises(CalibrationError) as caught:
        lens_from_photos([file_of(np.full((300, 400, 3), (60, 90, 140), np.uint8))])
    assert caught.value.code == "no_window"


@cache
def view(seed: int, size: tuple[int, int] = SIZE) -> bytes:
    """Return a photo of a chessboard from some side."""
    return file_of(chessboard_view(np.random.default_rng(seed), BOARD_LENS, size, BOARD))


def test_chessboards_tell_the_lens() -> None:
    """From five drawn views k1 and focal length are told, in photos that lie and stand."""
    made = lens_from_chessboard([*map(view, range(4)), view(4, SIZE[::-1])], BOARD)
    assert made.lens.k1 == pytest.approx(BOARD_LENS.k1, abs=0.02)
    assert made.lens.focal == pytest.approx(BOARD_LENS.focal, rel=0.02)
    assert made.helps
    assert made.error_after < 0.5 < made.error_before


@pytest.mark.parametrize(
    ("photos", "pattern", "code"),
    [
        (list, BOARD, "too_few_views"),
        (lambda: [*map(view, range(3))], BOARD, "too_few_views"),
        (lambda: [view(0)] * 4, (9, 8), "too_few_views"),
        (lambda: [view(0)] * 4, BOARD, "views_alike"),
        (list, (2, 9), "bad_pattern"),
        (list, (6, 6), "bad_pattern"),
    ],
)
def test_chessboards_that_tell_too_little(
    photos: Callable[[], list[bytes]], pattern: tuple[int, int], code: str
) -> None:
    """Too few views, the same view again and an impossible board are refused."""
    with pytest.raises(CalibrationError) as caught:
        lens_from_chessboard(photos(), pattern)
    assert caught.value.code == code


def test_photos_of_other_shapes_are_not_of_one_lens() -> None:
    """A photo that was cut has its middle elsewhere."""
    with pytest.raises(CalibrationError) as caught:
        lens_from_chessboard([*map(view, range(3)), view(3, (480, 320))], BOARD)
    assert caught.value.code == "other_sizes"


def test_a_picture_is_bent_as_it_is_set_straight() -> None:
    """A bent picture set straight again is the picture, in its middle."""
    lens, size = Lens(1.05, -0.25), (200, 150)
    width, height = lens.straight_size(size)
    small = np.random.default_rng(8).integers(0, 255, (12, 16, 3), np.uint8)
    straight = np.asarray(cv2.resize(small, (width, height)), dtype=np.uint8)
    again = lens.straightened(bent(straight, lens, size))
    inner = np.abs(again.astype(int) - straight)[30:-30, 30:-30]
    assert inner.mean() < 2
    with pytest.raises(ValueError, match="200"):
        bent(np.zeros((200, 150, 3), np.uint8), lens, size)


def test_an_estimate_as_data() -> None:
    """The estimate is plain data for programs, with what it is good for."""
    made = LensEstimate(Lens(1.05, -0.2), 0.05, 0.04, 0.02, 3)
    assert made.to_json() == {
        "lens": {"focal": 1.05, "center": [0.5, 0.5], "k1": -0.2, "k2": 0.0},
        "standard_error": 0.05,
        "error_before": 0.04,
        "error_after": 0.02,
        "patterns": 3,
        "helps": True,
    }


def test_a_line_of_the_table_says_what_bend_is_left() -> None:
    """Where a lens is not said to help the bend stays; where none is told the line says so."""
    right = LensEstimate(Lens(USUAL_FOCAL, -0.12), 0.03, 0.04, 0.02, 1)
    wrong = LensEstimate(Lens(USUAL_FOCAL, 0.1), 0.22, 0.02, 0.02, 1)
    line = line_of_told(-0.1, "one window", [right, wrong, None])
    assert line == "| -0.10 | one window | 2 of 3 | +0.090, 0.142 | 0.125 | 1 | 0.072 |"
    assert line_of_told(-0.1, "one window", [None]).startswith("| -0.10 | one window | 0 of 1 |")
