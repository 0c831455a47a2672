"""On which side of the cells that show a hidden row or column lies."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection import sighting as hidden_line
from vision.detection.sighting import LINES, WAYS, side_of, way_of
from vision.detection.views import FinderView, Levels, Maps, to_map
from vision.geometry import CELL_CENTERS, apply_homography

STRAIGHT = np.array([[40.0, 0, 90], [0, 40, 110], [0, 0, 1]])


def block(side: str) -> set[tuple[float, float]]:
    """Return the middles of the cells beside a line."""
    return {(x, y) for x, y in np.delete(CELL_CENTERS, LINES[side], axis=0).tolist()}


@pytest.mark.parametrize("side", LINES)
def test_all_boards_with_a_hidden_line_have_the_block_in_common(side: str) -> None:
    """Whichever side the line is put to, the other cells stay where they show, and the lines differ."""
    lines = set()
    for way in WAYS[side]:
        places = apply_homography(way, CELL_CENTERS).round(6)
        cells = {(x, y) for x, y in places.tolist()}
        assert block(side) < cells
        lines.add(frozenset(cells - block(side)))
        assert np.linalg.det(way) == pytest.approx(1)  # a board is never seen from behind
    assert len(lines) == len(WAYS[side]) == (4 if side in ("left", "right") else 2)


@pytest.mark.parametrize("side", LINES)
def test_a_line_is_hidden_when_it_alone_has_no_marks(side: str) -> None:
    """An outer line without a mark is hidden where enough of all others show, and only there."""
    paired = np.ones(20, bool)
    paired[LINES[side]] = False
    assert side_of(paired) == side
    paired[LINES[side][1]] = True
    assert side_of(paired) is None
    assert side_of(np.ones(20, bool)) is None
    paired = np.ones(20, bool)
    paired[[*LINES[side], 6, 7, 8]] = False  # of the row between one or two of five are left
    assert side_of(paired) is None


class Judge:
    """A network that gives these logits one after the other, each to four mirrors of a view."""

    def __init__(self, *logits: float) -> None:
        self.logits = [logit + shake for logit in logits for shake in (-1, 1, 0, 0)]

    def run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the next logit."""
        assert blob.shape == (1, 6, 144, 168)
        return np.array([[self.logits.pop(0)]], np.float32)


def seen(*art: tuple[float, float]) -> Maps:
    """Return maps of a view that is the photo, with art around some points of the board."""
    nothing = np.zeros((96, 96), np.float32)
    y, x = np.mgrid[0:96, 0:96]
    marked = nothing.copy()
    for spot in art:
        ((cx, cy),) = to_map(apply_homography(STRAIGHT, np.array([spot])))
        marked[np.maximum(abs(x - cx), abs(y - cy)) < 5.5] = 1  # a pitch is ten pixels of the map
    view = FinderView(np.full((384, 384, 3), 90, np.uint8), np.eye(3))
    return Maps(view, nothing, nothing, nothing, marked)


PHOTO = Levels(np.full((384, 384, 3), 90, np.uint8))


@pytest.mark.parametrize(("logits", "taken"), [((0, 9, 1, -3), 1), ((9, 0, 0, 0), 0), ((3, 2, 1, 2), None)])
def test_the_board_that_lies_best_is_taken_when_it_is_surely_the_best(
    monkeypatch: pytest.MonkeyPatch, logits: tuple[float, ...], taken: int | None
) -> None:
    """The likeliest side is taken; where two are likely the window is not believed at all."""
    judge = Judge(*logits)
    monkeypatch.setattr(hidden_line, "line_judge", lambda: judge)
    way = way_of(PHOTO, seen(), STRAIGHT, "left")
    assert way is None if taken is None else np.array_equal(np.asarray(way), WAYS["left"][taken])


@pytest.mark.parametrize(
    ("side", "logits", "taken"),
    [("left", (9, 0, 8, 0), 2), ("left", (9, 0, 8, 7), None), ("top", (9, 0), None), ("top", (0, 9), 1)],
)
def test_a_hidden_line_never_lies_on_the_art(
    monkeypatch: pytest.MonkeyPatch, side: str, logits: tuple[float, ...], taken: int | None
) -> None:
    """Of the lines that do not lie on art the likeliest is taken, but not a last one alone."""
    judge = Judge(*logits)
    monkeypatch.setattr(hidden_line, "line_judge", lambda: judge)
    art = seen(*((x, y) for x, y in CELL_CENTERS[LINES[side]].tolist()))
    way = way_of(PHOTO, art, STRAIGHT, side)
    assert way is None if taken is None else np.array_equal(np.asarray(way), WAYS[side][taken])


def test_a_line_beyond_the_picture_is_not_hidden() -> None:
    """Where the line may as well be cut off by the picture's edge, nothing is taken."""
    narrow = Levels(np.full((384, 270, 3), 90, np.uint8))
    assert way_of(narrow, seen(), STRAIGHT, "left") is None
