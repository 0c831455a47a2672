"""A window that the photo's edge cuts off is told from one that is whole, by the lattice of its cells."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection import lattice
from vision.detection import sighting as partial
from vision.detection.views import STRIDE, VIEW_PX, FinderView, Maps
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, apply_homography

SIZE = (VIEW_PX, VIEW_PX)


def _board(pitch: float, turn_deg: float, middle: tuple[float, float]) -> NDArray[np.float64]:
    """Return the homography from board coordinates to the photo, which is the view itself."""
    c, s = pitch * np.cos(np.deg2rad(turn_deg)), pitch * np.sin(np.deg2rad(turn_deg))
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    turned[:2, 2] = np.array(middle) - turned[:2, :2] @ [2.5, 2]
    return turned


def _maps(board: NDArray[np.float64], *, on_tops: bool = False) -> Maps:
    """Return what a perfect finder says of a window: bumps at the cells in the photo, and its area."""
    side = VIEW_PX // STRIDE
    bumps = np.zeros((side, side), np.float32)
    y, x = np.mgrid[:side, :side]
    for px, py in (apply_homography(board, CELL_CENTERS) - (STRIDE - 1) / 2) / STRIDE:
        bumps = np.maximum(bumps, np.exp(-((x - px) ** 2 + (y - py) ** 2) / 2).astype(np.float32))
    area = np.zeros((side, side), np.float32)
    outline = (apply_homography(board, BOARD_CORNERS) - (STRIDE - 1) / 2) / STRIDE
    cv2.fillConvexPoly(area, np.round(outline).astype(np.int32), 1.0)
    nothing = np.zeros_like(bumps)
    view = FinderView(np.zeros((VIEW_PX, VIEW_PX, 3), np.uint8), np.eye(3))
    return Maps(view, nothing if on_tops else bumps, bumps if on_tops else nothing, area, nothing)


def _sides(maps: Maps) -> tuple[str, ...]:
    (area,) = lattice.areas(maps.window)
    return partial.cut_sides(maps, area, SIZE)


@pytest.mark.parametrize("turn_deg", [0, 30, 45, 90, 200])
def test_a_whole_window_is_cut_at_no_edge(turn_deg: float) -> None:
    """A window whose twenty cells all show is not called cut off, however it is turned."""
    assert _sides(_maps(_board(44, turn_deg, (192, 192)))) == ()


@pytest.mark.parametrize(
    ("middle", "side"),
    [((330, 192), "right"), ((54, 192), "left"), ((192, 54), "top"), ((192, 330), "bottom")],
)
@pytest.mark.parametrize("turn_deg", [0, 25, 45, 70])
def test_a_window_cut_straight_or_aslant_names_the_edge(
    turn_deg: float, middle: tuple[float, float], side: str
) -> None:
    """The edge that cuts most of a window off comes first, also where it runs aslant through the cells."""
    assert _sides(_maps(_board(44, turn_deg, middle)))[0] == side


def test_where_dice_hide_the_holes_their_tops_tell_of_the_cut() -> None:
    """Without marks of cells, as in a view from the table's edge, the tops of the dice are the evidence."""
    assert _sides(_maps(_board(44, 45, (330, 192)), on_tops=True))[0] == "right"


def test_a_heap_at_the_edge_is_no_window() -> None:
    """Marks at the edge with gaps in their lattice well inside the photo are not called a window."""
    board = _board(44, 0, (312, 192))
    maps = _maps(board)
    assert _sides(maps)[0] == "right"
    for px, py in apply_homography(board, CELL_CENTERS[[6, 12, 3]]):
        cv2.circle(maps.cells, (int(px / STRIDE), int(py / STRIDE)), 5, 0.0, -1)
    assert _sides(maps) == ()


def _jumbled(box: tuple[int, int, int, int], dice: int) -> Maps:
    """Return the maps of a window area (x0, y0, x1, y1 of the map) with so many dice on no lattice in it."""
    side = VIEW_PX // STRIDE
    x0, y0, x1, y1 = box
    area, tops = np.zeros((side, side), np.float32), np.zeros((side, side), np.float32)
    area[y0:y1, x0:x1] = 0.9
    rng = np.random.default_rng(3)
    free = np.argwhere(area[2:-2:4, 2:-2:4] > 0) * 4 + 2
    for y, x in rng.permutation(free)[:dice]:
        tops[y, x] = 0.8
    nothing = np.zeros_like(tops)
    return Maps(
        FinderView(np.zeros((VIEW_PX, VIEW_PX, 3), np.uint8), np.eye(3)), nothing, tops, area, nothing
    )


def _met(maps: Maps) -> tuple[str, ...]:
    (area,) = lattice.areas(maps.window)
    return partial.met_sides(maps, area, SIZE)


@pytest.mark.parametrize(
    ("box", "dice", "sides"),
    [
        pytest.param((66, 20, 96, 70), 10, {"right"}, id="right"),
        pytest.param((0, 20, 30, 70), 10, {"left"}, id="left"),
        pytest.param((20, 0, 70, 30), 10, {"top"}, id="top"),
        pytest.param((20, 66, 70, 96), 10, {"bottom"}, id="bottom"),
        pytest.param((56, 0, 96, 40), 12, {"top", "right"}, id="corner"),
        pytest.param((66, 20, 96, 70), 5, set(), id="few dice"),
        pytest.param((50, 20, 80, 70), 10, set(), id="a border of table"),
        pytest.param((0, 30, 96, 56), 20, set(), id="from edge to edge"),
        pytest.param((30, 20, 96, 80), 20, set(), id="as large as a lattice that would show"),
    ],
)
def test_dice_on_no_lattice_that_run_into_an_edge_name_it(
    box: tuple[int, int, int, int], dice: int, sides: set[str]
) -> None:
    """Where dice hide each other, a window full of them that runs into the photo's edge is cut off there."""
    maps = _jumbled(box, dice)
    assert set(_met(maps)) == sides
    assert _sides(maps) == ()


def test_a_tilted_view_is_not_asked() -> None:
    """A view tilted by computation shows a heap as if it ended; only views of the photo itself count."""
    maps = _jumbled((66, 20, 96, 70), 10)
    tilted = FinderView(maps.view.image_bgr, np.array([[1, 0, 0], [0, 1, 0], [1e-4, 0, 1.0]]))
    assert _met(maps) == ("right",)
    assert _met(replace(maps, view=tilted)) == ()
