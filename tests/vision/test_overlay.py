"""A reading drawn over its photo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring import ALL_CELLS, Board, Color
from tests.readings import BOARD, SQUARE, reading_of
from vision import Corners
from vision.detection.search import unclear
from vision.geometry import as_corners
from vision.overlay import BADGES, DOUBT, GREY, draw_overlay, draw_table_overlay
from vision.table import LooseDie, TableReading, Unread

# The readings of tests.readings: 800 x 600, a window seen from straight above, 100 pixels a cell.
TURNED: Corners = (SQUARE[2], SQUARE[3], SQUARE[0], SQUARE[1])


def table(width: int = 800, height: int = 600) -> NDArray[np.uint8]:
    """Return a plain dark photo, on which everything found was drawn."""
    return np.full((height, width, 3), 40, np.uint8)


def places(image: NDArray[np.uint8], color: tuple[int, int, int]) -> NDArray[np.intp]:
    """Return the (x, y) of all pixels of exactly that BGR color."""
    return np.argwhere((image == color).all(axis=-1))[:, ::-1]


def cell_of(name: str, image: NDArray[np.uint8], spare: int = 0) -> NDArray[np.uint8]:
    """Cut out one cell of the straight window and ``spare`` pixels around it."""
    x, y = 100 * int(name[1]), 100 + 100 * "ABCD".index(name[0])
    return image[y - spare : y + 100 + spare, x - spare : x + 100 + spare]


def test_photo_is_copied() -> None:
    """The overlay has the photo's size and the photo itself is not touched."""
    photo = table()
    overlay = draw_overlay(photo, reading_of())
    assert overlay.shape == photo.shape
    assert overlay.dtype == np.uint8
    assert (photo == 40).all()
    assert (overlay != 40).any()


def test_lattice_lies_where_the_corners_say() -> None:
    """Light lines with a dark edge run along the borders of all cells."""
    overlay = draw_overlay(table(), reading_of(" / ".join(["-- " * 5] * 4)))
    for y in range(100, 501, 100):
        assert overlay[y, 112].min() >= 250
    for x in range(100, 601, 100):
        assert overlay[112, x].min() >= 250
        assert overlay[112, x - 3].max() <= 40


def test_every_die_has_a_badge_in_its_color() -> None:
    """In each cell or just below it, off the pips, is the fill of the die's badge, grey where none lies."""
    overlay = draw_overlay(table(), reading_of())
    board = Board.parse(BOARD)
    for row, column in ALL_CELLS:
        die = board.rows[row][column]
        color = BADGES[die.color][0] if die else GREY
        x, y = 150 + 100 * column, 150 + 100 * row
        assert (overlay[y - 25 : y + 15, x - 25 : x + 25] == 40).all()
        around = overlay[y : y + 80, x - 50 : x + 50]
        assert len(places(np.ascontiguousarray(around), color)) > 100, f"{'ABCD'[row]}{column + 1}"


def test_other_value_changes_only_its_badge() -> None:
    """Reading one die otherwise changes the picture at that die and nowhere else."""
    first = draw_overlay(table(), reading_of())
    second = draw_overlay(table(), reading_of(BOARD.replace("Y6", "G1")))
    changed = (first != second).any(axis=-1)
    assert cell_of("B3", changed, spare=25).sum() == changed.sum() > 0


def test_badges_lie_below_however_the_window_is_turned() -> None:
    """When the photo shows the window upside down the badges still lie below their dice."""
    board = "Y5 -- -- -- -- / " + " / ".join(["-- " * 5] * 3)
    overlay = draw_overlay(table(), reading_of(board, corners=TURNED))
    x, y = places(overlay, BADGES[Color.YELLOW][0]).mean(axis=0)
    assert x == pytest.approx(550, abs=20)
    assert 490 < y < 525


def test_only_doubtful_cells_are_framed() -> None:
    """The striking color stands around the doubtful cell on all four sides, and nowhere without doubt."""
    assert len(places(draw_overlay(table(), reading_of()), DOUBT)) == 0
    framed = places(draw_overlay(table(), reading_of(doubtful=["B3"])), DOUBT) - (350, 250)
    assert (framed.min(axis=0) < -40).all()
    assert (framed.max(axis=0) > 40).all()
    assert np.abs(framed).max() < 75
    assert len(places(draw_overlay(table(), reading_of(doubtful=["A2"])), DOUBT)) > 200  # it is empty


def test_doubt_adds_a_question_mark() -> None:
    """The badge of a doubtful die is wider than the same die's badge without doubt, by the "?"."""
    board = "Y5 -- -- -- -- / " + " / ".join(["-- " * 5] * 3)
    sure, doubtful = (
        np.ptp(
            places(draw_overlay(table(), reading_of(board, doubtful=names)), BADGES[Color.YELLOW][0])[:, 0]
        )
        for names in ((), ("A1",))
    )
    assert doubtful > 1.2 * sure


def test_window_is_named_when_it_is_known() -> None:
    """The card's name appears in a corner away from the dice, and nowhere in a photo of nothing but dice."""
    without = draw_overlay(table(), reading_of())
    named = draw_overlay(table(), reading_of(window="Luz Celestial"))
    y, x = np.nonzero((named != without).any(axis=-1))
    assert np.ptp(x) > 100
    assert y.max() < 100 or y.min() > 510
    tight: Corners = ((-20, -20), (820, -20), (820, 620), (-20, 620))
    named, without = (
        draw_overlay(table(), reading_of(corners=tight, window=name)) for name in ("Batllo", None)
    )
    assert np.array_equal(named, without)


def test_scale_takes_corners_to_the_picture() -> None:
    """With the corners of the full-size photo and half its size, the lattice lies at half the places."""
    half = draw_overlay(table(400, 300), reading_of(), scale=0.5)
    assert half[56, 150].min() >= 200
    assert np.array_equal(half, draw_overlay(table(400, 300), reading_of()))


@pytest.mark.parametrize(("factor", "widest"), [(0.25, 1), (1, 2), (4, 7)])
def test_lines_grow_with_the_window(factor: float, widest: int) -> None:
    """The lattice's lines are about 1/60 of a cell wide, and one pixel at least."""
    size = (int(800 * factor), int(600 * factor))
    line = draw_overlay(table(*size), reading_of())[
        round(112 * factor), round(170 * factor) : round(230 * factor)
    ]
    light = (line.min(axis=-1) > 200).sum()
    assert widest - 1 <= light <= widest + 2


FAR: dict[str, Corners] = {
    "two corners outside": ((-150, 100), (350, 100), (350, 500), (-150, 500)),
    "all corners outside": ((-500, -400), (1300, -400), (1300, 1000), (-500, 1000)),
    "beside the picture": ((2000, 100), (2500, 100), (2500, 500), (2000, 500)),
    "very far away": ((1e9, 1e9), (1e9 + 500, 1e9), (1e9 + 500, 1e9 + 400), (1e9, 1e9 + 400)),
    "enormous": ((-4e9, -3e9), (4e9, -3e9), (4e9, 3e9), (-4e9, 3e9)),
    "tiny": ((400, 300), (404, 300), (404, 303), (400, 303)),
    "steep": ((350, 100), (450, 100), (790, 590), (10, 590)),
}


@pytest.mark.parametrize("corners", FAR.values(), ids=FAR)
def test_corners_may_lie_anywhere(corners: Corners) -> None:
    """A window that is partly or wholly outside the picture is drawn as far as it shows."""
    reading = reading_of(corners=corners, doubtful=["A1", "D5"], window="Luz Celestial")
    overlay = draw_overlay(table(), reading)
    assert overlay.shape == (600, 800, 3)
    assert (overlay != 40).any()


def test_part_inside_is_drawn_as_ever() -> None:
    """Moving the window half out of the picture moves what is drawn in the rest of it along."""
    moved: Corners = tuple((x - 250.0, y) for x, y in SQUARE)  # type: ignore[assignment]
    overlay = draw_overlay(table(), reading_of(corners=moved))
    assert overlay[200:450, 250].min(axis=-1).max() >= 250  # right border of column 4
    assert len(places(overlay[:, 250:350], BADGES[Color.BLUE][0])) > 100


def test_badges_at_the_edge_stay_whole() -> None:
    """Where the picture ends at the lattice the badges of the last row move in, as large as all others."""
    tight: Corners = ((150, 175), (650, 175), (650, 575), (150, 575))
    board = "Y5 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- Y5"
    yellow = places(draw_overlay(table(), reading_of(board, corners=tight)), BADGES[Color.YELLOW][0])
    first, last = yellow[yellow[:, 1] < 400], yellow[yellow[:, 1] >= 400]
    assert np.ptp(last, axis=0) == pytest.approx(np.ptp(first, axis=0), abs=2)


def test_a_table_has_each_window_and_what_is_unread() -> None:
    """Each window is drawn as it is alone, with a title more; an unread one has a mark in its place."""
    readings = tuple(
        replace(reading_of(), corners=as_corners(np.array(SQUARE) * 0.4 + (left, 200))) for left in (20, 420)
    )
    found = TableReading((800, 600), readings, (Unread(unclear(), (400, 60)),), 0.1)
    drawn = draw_table_overlay(table(), found)
    for name in ("A1", "D5"):
        alone = draw_overlay(table(), readings[1])
        x, y = 420 + 40 * int(name[1]), 240 + 40 * "ABCD".index(name[0])
        assert (drawn[y + 8 : y + 32, x + 8 : x + 32] == alone[y + 8 : y + 32, x + 8 : x + 32]).all()
    assert (np.abs(places(drawn, DOUBT) - (400, 60)).max(axis=1) < 40).any()
    assert (drawn[240:400, 60:260] != 40).any()


def test_a_loose_die_carries_what_was_read() -> None:
    """Below a loose die stands what was read, in its color; a doubtful one has the frame of doubt."""
    sure = LooseDie(Color.GREEN, 3, 0.99, False, (), (200.0, 200.0), 40.0, "track", 7)
    doubtful = LooseDie(Color.RED, 6, 0.6, True, (), (600.0, 400.0), 40.0)
    blank = np.full((600, 800, 3), 90, np.uint8)
    drawn = draw_table_overlay(blank, TableReading((800, 600), (), (), 0.1, (sure, doubtful)))
    around = {
        name: drawn[y - 20 : y + 60, x - 60 : x + 60]
        for name, x, y in (("sure", 200, 200), ("not", 600, 400))
    }
    assert (around["sure"] == BADGES[Color.GREEN][0]).all(axis=2).any()
    assert not (around["sure"] == DOUBT).all(axis=2).any()
    assert (around["not"] == DOUBT).all(axis=2).any()
