"""Stripes of light, as blinds throw them: dice that edges cross are doubted, and the advice names them."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.sentences import ENGLISH
from tests.vision.samples import LABELS, Image, as_photo, board_of, corners_of, photo_of
from tests.vision.stripes import Stripes, random_stripes
from vision import Reading, TableReading, Verdict, advise, examine, read_photo
from vision.geometry import Grid
from vision.recognition.cells import striped
from vision.recognition.dice import DOUBTFUL_BELOW

NAME = "easy_daylight.jpg"
HARD = Stripes(shade=0.15, period=0.7, angle_deg=35)
WHOLE = [name for name, label in LABELS.items() if label["kind"] == "board" and "board" in label]


def grid_of(name: str) -> Grid:
    """Return the lattice of a sample's window."""
    height, width = photo_of(name).shape[:2]
    return Grid.from_corners(corners_of(name), (width, height))


def filled_in(name: str) -> np.ndarray:
    """Return which cells, (20,), have a die."""
    return np.array([die is not None for row in board_of(name).rows for die in row])


def under(stripes: Stripes, name: str = NAME) -> Image:
    """Return a sample photo under stripes."""
    return stripes.over(photo_of(name), grid_of(name).pitch_px)


def unflagged(reading: Reading, name: str) -> list[str]:
    """Return the cells that are read wrong without a doubt, whichever way up the window was read."""
    board = reading.board
    if np.linalg.norm(np.subtract(reading.corners[0], corners_of(name)[0])) > grid_of(name).pitch_px:
        board, reading = board.rotated_180(), reading.rotated_180()
    truth = board_of(name)
    return [
        f"{cell.row}{cell.column}"
        for cell in reading.cells
        if not cell.doubtful and board[cell.row, cell.column] != truth[cell.row, cell.column]
    ]


@pytest.mark.parametrize("name", WHOLE)
def test_no_ordinary_photo_looks_striped(name: str) -> None:
    """Dice, their pips, what shines through them and the shade of one on another are no stripes."""
    assert not striped(photo_of(name), grid_of(name), filled_in(name)).any()


@pytest.mark.parametrize("seed", range(6))
def test_no_die_in_hard_shade_is_wrong_without_a_doubt(seed: int) -> None:
    """Under stripes of 10 to 20 % of the light, of any width and direction, what is wrong is flagged."""
    name = (NAME, "full_window.jpg", "noise.jpg")[seed % 3]
    reading = read_photo(under(random_stripes(seed, shade=(0.1, 0.2)[seed % 2]), name))
    assert unflagged(reading, name) == []


def test_a_crossed_die_is_as_unsure_as_can_be() -> None:
    """Another photo counts more than dice with pips that may lie in the shade."""
    reading = read_photo(under(HARD))
    crossed = [cell for cell in reading.cells if cell.doubtful]
    assert len(crossed) > 10
    assert all(cell.confidence < DOUBTFUL_BELOW for cell in crossed)


def test_under_narrow_stripes_nothing_is_sure() -> None:
    """Where edges cross most cells each is doubted, also where the lattice was found a column off."""
    height, width = photo_of(NAME).shape[:2]
    corners = np.array(corners_of(NAME))
    beside = Grid.from_corners(corners + (corners[1] - corners[0]) / 5, (width, height))
    for grid in (grid_of(NAME), beside):
        assert striped(under(HARD), grid, np.ones(20, bool)).all()


def test_what_lies_in_one_light_is_not_doubted() -> None:
    """Between stripes that are as wide as the window, and under edges as soft as a die, all dice are sure."""
    for stripes in (Stripes(0.15, 30, 35), Stripes(0.3, 4, 35, edge=2)):
        assert not striped(under(stripes), grid_of(NAME), filled_in(NAME)).any()


def test_one_or_two_dice_make_no_stripes() -> None:
    """A die may look crossed by its make or by a shadow; from three on they are stripes."""
    photo, some = under(HARD), np.zeros(20, bool)
    crossed = np.flatnonzero(striped(photo, grid_of(NAME), filled_in(NAME)) & filled_in(NAME))
    some[crossed[:2]] = True
    assert not striped(photo, grid_of(NAME), some).any()


def test_the_advice_names_stripes() -> None:
    """They are the first thing in the way, of a window and of a table; of a good photo they are not."""
    photo = under(HARD)
    reading = read_photo(as_photo(photo))
    first = examine(photo, reading)[0]
    assert (first.code, first.verdict) == ("stripes", Verdict.BAD)
    (told,) = advise(photo, TableReading(reading.size, (reading,), (), 0.5))
    assert ENGLISH.say(told.sentence, told.advice) == (
        "Stripes of light and shade lie over window 1. Draw the curtain, or shade the window with your body."
    )
    plain = {check.code: check for check in examine(photo_of(NAME), read_photo(photo_of(NAME)))}
    assert (plain["stripes"].number, plain["stripes"].verdict) == (0, Verdict.GOOD)
