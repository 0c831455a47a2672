"""From the network's probabilities to what a person is told about a cell."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.synthetic.scene import render
from scoring import Color, Die
from vision.geometry import Grid
from vision.network import softmax, to_blob
from vision.reading import CellReading
from vision.recognition import dice as dice_module
from vision.recognition import dice as recognition
from vision.recognition.cells import CROP_PX, SURE_FROM_PX, cell_crops, lean_of
from vision.recognition.dice import (
    DOUBTFUL_BELOW,
    LOOK_AGAIN_BELOW,
    SHARPER,
    CellProbabilities,
    cell_readings,
    contents,
    looked_closer,
    read_cells,
    seen_in,
    to_look_closer_at,
)


def readings(filled: float, color: list[float], value: list[float]) -> tuple[CellReading, ...]:
    """Return the readings of 20 cells that all look the same."""
    prints = np.full((20, 12), 1 / 12)
    cells = CellProbabilities(np.full(20, filled), np.tile(color, (20, 1)), np.tile(value, (20, 1)), prints)
    return cell_readings(contents(cells))


SURE_COLOR = [0.0, 0.0, 0.0, 1.0, 0.0]
SURE_VALUE = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]


def test_a_clear_die_is_read() -> None:
    """A cell that is filled, blue and a five beyond doubt is the blue five with confidence 1."""
    first = readings(1, SURE_COLOR, SURE_VALUE)[0]
    assert first.die == Die(Color.BLUE, 5)
    assert first.confidence == 1
    assert not first.doubtful
    assert first.alternatives == ()


def test_confidence_is_that_of_the_whole_cell() -> None:
    """Emptiness, color and value must all be right, so their probabilities multiply."""
    reading = readings(0.99, [0.02, 0, 0, 0.98, 0], [0, 0, 0, 0.03, 0.97, 0])[7]
    assert reading.confidence == pytest.approx(0.99 * 0.98 * 0.97, abs=1e-4)


def test_alternatives_come_likeliest_first() -> None:
    """A cell in doubt lists the other candidates by falling probability."""
    reading = readings(0.9, [0.3, 0, 0, 0.7, 0], SURE_VALUE)[0]
    assert reading.doubtful
    assert [(a.color, a.value) for a in reading.alternatives] == [(Color.RED, 5), (None, None)]
    assert [a.probability for a in reading.alternatives] == pytest.approx([0.27, 0.1])


def test_an_empty_cell_is_empty() -> None:
    """Where no die lies there is neither color nor value."""
    reading = readings(0.003, SURE_COLOR, SURE_VALUE)[19]
    assert reading.die is None
    assert (reading.row, reading.column) == (3, 4)
    assert reading.confidence == pytest.approx(0.997)


def test_doubt_begins_below_the_threshold() -> None:
    """The threshold itself still counts as sure."""
    at = readings(DOUBTFUL_BELOW, SURE_COLOR, SURE_VALUE)[0]
    below = readings(DOUBTFUL_BELOW - 0.001, SURE_COLOR, SURE_VALUE)[0]
    assert (at.doubtful, below.doubtful) == (False, True)


def test_half_a_turn_reverses_the_cells() -> None:
    """Counted from the opposite corner, the last cell comes first."""
    filled = np.linspace(0, 1, 20)
    color, value, print_ = (np.ones((20, n)) for n in (5, 6, 12))
    turned = CellProbabilities(filled, color, value, print_).rotated_180()
    assert turned.filled == pytest.approx(filled[::-1])


def test_crops_show_each_cell_at_both_heights() -> None:
    """A crop's middle is the cell's middle, on the plane of the tops and on that of the floor."""
    scene = next(
        s for s in (render(np.random.default_rng(k), size=(960, 720)) for k in range(1, 200, 20)) if s.windows
    )
    window = scene.windows[0]
    rise = window.top[:, 2] - window.base[:, 2]
    crops = cell_crops(np.full_like(scene.image_bgr, 90), Grid(window.base, rise))
    assert crops.shape == (20, CROP_PX, CROP_PX, 6)
    marked = np.full_like(scene.image_bgr, 90)
    for height, channel in ((1.0, 0), (-0.22, 3)):
        grid = Grid(window.base, rise)
        point = grid.plane(height) @ [2.5, 1.5, 1]
        x, y = np.round(point[:2] / point[2]).astype(int)
        marked[:] = 90
        marked[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3] = 255
        crop = cell_crops(marked, grid)[7, ..., channel]
        ys, xs = np.nonzero(crop > 150)
        assert (ys.mean(), xs.mean()) == pytest.approx((CROP_PX / 2, CROP_PX / 2), abs=3)


def test_beyond_the_edge_of_a_photo_lies_the_mirror_image_of_what_shows() -> None:
    """Of a die that the photo's edge cuts, the reader sees the half that shows and its mirror image."""
    photo = np.random.default_rng(4).integers(0, 256, (400, 480, 3)).astype(np.uint8)
    photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), 4), dtype=np.uint8)
    # The middles of the last column lie on the right edge, between its last pixel and the next one.
    homography = np.array([[100.0, 0, 29.5], [0, 100.0, -0.5], [0, 0, 1]])
    crop = cell_crops(photo, Grid(homography, np.zeros(3)))[9, ..., :3].astype(float)
    shown, beyond = crop[:, 3 : CROP_PX // 2], crop[:, CROP_PX // 2 : -3]
    assert np.abs(beyond - shown[:, ::-1]).mean() < 1
    assert np.abs(beyond - shown[:, -1:]).mean() > 4


class Answers:
    """A network that gives these scores (20, 25) call by call, and keeps what it was shown."""

    def __init__(self, *scores: NDArray[np.float32]) -> None:
        self.scores = list(scores)
        self.shown: list[NDArray[np.float32]] = []

    def run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the next scores."""
        self.shown.append(blob.copy())
        return self.scores[len(self.shown) - 1]

    def run_both(self, blob: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the next scores, and features that say nothing."""
        return self.run(blob), np.zeros((20, 112), np.float32)


# 20 cells beyond doubt with a red one, whose floor is plain.
SURE = np.full((20, 25), -9, np.float32)
SURE[:, [1, 2, 7, 13]] = 9
NOISE = np.random.default_rng(0).integers(0, 256, (300, 400, 3)).astype(np.uint8)
ODD = SURE[:, :13].copy()  # of who reads odd dice; it does not know one value
ODD[4, 7:] = 0
SQUARE_ON = Grid(np.array([[50.0, 0, 60], [0, 50, 40], [0, 0, 1]]), np.zeros(3))


@pytest.mark.parametrize(("pitch_px", "far"), [(SURE_FROM_PX - 1, True), (SURE_FROM_PX + 1, False)])
def test_small_windows_are_far_away(pitch_px: float, far: bool) -> None:
    """Nothing is said of how strange the dice of a window look whose cells have less than 18 pixels."""
    small = Grid(np.array([[pitch_px, 0, 60.0], [0, pitch_px, 40], [0, 0, 1]]), np.zeros(3))
    assert seen_in(NOISE, small).is_far is far


def test_cells_beyond_doubt_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the networks are sure of all cells at their first look, they get no other."""
    answers = Answers(SURE)
    monkeypatch.setattr(dice_module, "reader", lambda: answers)
    monkeypatch.setattr(recognition, "odd_reader", lambda: Answers(SURE[:, :13]))
    assert (contents(read_cells(NOISE, SQUARE_ON)).max(axis=1) > LOOK_AGAIN_BELOW).all()
    assert len(answers.shown) == 1


@pytest.mark.parametrize("doubt", ["value", "color", "empty or not"])
def test_doubt_is_looked_at_in_three_mirrors(monkeypatch: pytest.MonkeyPatch, doubt: str) -> None:
    """A doubtful cell brings three mirrored looks: left to right, top to bottom, both. Their mean counts.

    Of the values half of what the network for odd dice says counts, too.
    """
    first = SURE.copy()
    start = {"empty or not": 0, "color": 2, "value": 7}[doubt]
    first[4, start : start + 2] = 3, 3
    rng = np.random.default_rng(1)
    others = [rng.normal(0, 3, (20, 25)).astype(np.float32) for _ in range(3)]
    answers = Answers(first, *others)
    monkeypatch.setattr(dice_module, "reader", lambda: answers)
    monkeypatch.setattr(recognition, "odd_reader", lambda: Answers(ODD))
    cells = read_cells(NOISE, SQUARE_ON)
    plain = to_blob(cell_crops(NOISE, SQUARE_ON))
    mirrored = [plain, plain[:, :, :, ::-1], plain[:, :, ::-1], plain[:, :, ::-1, ::-1]]
    assert all(np.array_equal(*pair) for pair in zip(answers.shown, mirrored, strict=True))
    mean = np.asarray(np.mean([first, *others], axis=0), dtype=np.float32)
    told = np.asarray((SHARPER * mean[:, 7:13] + ODD[:, 7:]) / 2, dtype=np.float32)
    assert cells.value == pytest.approx(softmax(told), abs=1e-6)
    assert cells.filled == pytest.approx(softmax(SHARPER * mean[:, :2])[:, 1], abs=1e-6)
    assert cells.print == pytest.approx(softmax(mean[:, 13:]), abs=1e-6)


def test_doubt_about_dice_that_lean_is_looked_at_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """From low down the looks are the place and four beside it, each as it is and mirrored."""
    first = SURE.copy()
    first[4, 7:9] = 3, 3
    answers = Answers(first, *[SURE] * 9)
    monkeypatch.setattr(dice_module, "reader", lambda: answers)
    monkeypatch.setattr(recognition, "odd_reader", lambda: Answers(ODD))
    leaning = replace(SQUARE_ON, rise=SQUARE_ON.homography @ [0, -0.6, 0])
    read_cells(NOISE, leaning)
    assert all(
        np.array_equal(a[..., ::-1], b) for a, b in zip(answers.shown[::2], answers.shown[1::2], strict=True)
    )
    assert len({one[:, :3].tobytes() for one in answers.shown[::2]}) == 5


def drawn(count: int) -> list[tuple[NDArray[np.uint8], Grid, tuple[str, ...]]]:
    """Return photos of drawn windows from seeds held back, with their grids and dice."""
    found = []
    for seed in range(1, 400, 20):
        scene = render(np.random.default_rng(seed), size=(960, 720))
        for window in scene.windows:
            grid = Grid(window.base, window.top[:, 2] - window.base[:, 2])
            if grid.pitch_px > 60 and np.hypot(*lean_of(grid)) < 0.3:
                found.append((scene.image_bgr, grid, window.dice))
        if len(found) >= count:
            return found
    raise AssertionError("too few windows")


def test_the_top_alone_tells_the_value_in_finer_pixels() -> None:
    """Of dice whose values are unknown, a closer look tells nine in ten, and leaves all else as it was."""
    right, dice = 0, 0
    for photo, grid, codes in drawn(4):
        filled = np.array([code != "--" for code in codes])
        before = CellProbabilities(
            filled.astype(float), np.full((20, 5), 0.2), np.full((20, 6), 1 / 6), np.ones((20, 12))
        )
        which = filled & (np.arange(20) % 2 == 0)
        after = looked_closer(before, which, photo, grid)
        values = np.array([int(code[1]) if code != "--" else 0 for code in codes])
        right += int((after.value.argmax(axis=1) + 1 == values)[which].sum())
        dice += int(which.sum())
        assert (after.value[~which] == before.value[~which]).all()
        assert after.color is before.color
        assert after.filled is before.filled
    assert right >= 0.9 * dice
    assert dice >= 20


def test_only_dice_in_doubt_that_may_be_the_games_are_looked_at_closer() -> None:
    """Sure dice, open spaces, leaning dice, dice of other makes and windows without doubt are left alone."""
    color, print_ = np.tile(SURE_COLOR, (20, 1)), np.ones((20, 12))
    value = np.tile([0.0, 0.1, 0.9, 0, 0, 0], (20, 1))
    value[0] = SURE_VALUE
    filled = np.r_[np.ones(10), np.zeros(10)]
    cells = CellProbabilities(filled, color, value, print_)
    upright, leaning = np.array([0.1, -0.1]), np.array([0.1, -0.6])
    assert np.flatnonzero(to_look_closer_at(cells, upright)).tolist() == list(range(1, 10))
    assert not to_look_closer_at(cells, leaning).any()
    fair = replace(cells, value=np.tile([0, 0, 0.985, 0.015, 0, 0], (20, 1)))
    assert not to_look_closer_at(fair, upright).any()
    assert not to_look_closer_at(replace(cells, strangeness=2.0), upright).any()
