"""Photos with one fault at a time, and what of it nobody would be warned of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.accuracy import faults
from calibration.accuracy.comparison import compare
from calibration.accuracy.faults import (
    FAULTS,
    HIDDEN_FROM,
    misses_text,
    row_of,
    single_windows,
    spoiled,
)
from calibration.accuracy.labels import PhotoLabel, parse_label
from calibration.accuracy.painted import PAINTED
from calibration.accuracy.spoiled import SMALL_PX, Shot
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
    "cells": ["....."] * 4,
    "seed": 1,
}


@pytest.fixture
def shot() -> Shot:
    """Return a picture of 800 x 600 pixels with a window of 100 pixels a cell."""
    y, x = np.mgrid[:600, :800]
    image = np.stack([x % 256, y % 256, (x + y) % 256], axis=-1).astype(np.uint8)
    return Shot(image, parse_label("a.jpg", ENTRY))


def named(shot: Shot, name: str) -> Shot:
    """Return the same picture under another name."""
    return replace(shot, label=replace(shot.label, name=name))


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_keeps_the_kind_of_picture_and_the_dice(shot: Shot, fault: str) -> None:
    """A fault changes the picture and never the truth, and says of each of the 20 spaces what it hides."""
    before = shot.image_bgr.copy()
    made = spoiled(shot, fault)
    assert made.image_bgr.dtype == np.uint8
    assert made.image_bgr.ndim == 3
    assert (shot.image_bgr == before).all()
    assert fault == "nothing" or made.image_bgr.shape != before.shape or (made.image_bgr != before).any()
    assert [cell.die for cell in made.window.cells] == [
        shot.window.cells[5 * cell.row + (4 - cell.column if fault == "mirrored" else cell.column)].die
        for cell in made.window.cells
    ]
    assert made.hidden.shape == (20,)
    assert (made.hidden.max() > 0.3) == (fault in PAINTED)


@pytest.mark.parametrize("fault", ["finger over a corner", "noise"])
def test_a_photo_always_gets_the_same_fault_and_another_photo_another(shot: Shot, fault: str) -> None:
    """What is drawn depends on the photo and the fault alone, not on which others are measured."""
    first, again, other = (spoiled(named(shot, name), fault).image_bgr for name in ("a", "a", "b"))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", "abcd")
def test_a_finger_hides_a_corner_space_and_leaves_the_middle_in_view(shot: Shot, name: str) -> None:
    """Most of a corner space lies under it, nothing of the spaces in the middle."""
    hidden = spoiled(named(shot, name), "finger over a corner").hidden.reshape(4, 5)
    assert hidden[[0, 0, -1, -1], [0, -1, 0, -1]].max() > HIDDEN_FROM
    assert not hidden[1:3, 2].any()


def test_a_flash_spot_blinds_one_die(shot: Shot) -> None:
    """It hides a space that holds a die, more than any other, and is white there."""
    made = spoiled(shot, "flash spot")
    cell = made.window.cells[int(made.hidden.argmax())]
    assert cell.die is not None
    assert (made.image_bgr[150 + 100 * cell.row, 150 + 100 * cell.column] > 230).all()


def test_a_cover_hides_dice_where_their_tops_are_seen(shot: Shot) -> None:
    """Seen at a slant the top of a die lies beside its hole, and only what is over the top hides it."""
    aside = [[x + 30, y] for x, y in SQUARE]
    low = replace(shot, label=replace(shot.label, keys={**ENTRY, "corners_at_die_tops": aside}))
    cover = np.zeros(shot.image_bgr.shape[:2], bool)
    cover[100:200, 100:200] = True
    assert cover_of_first(shot, cover) == 1
    assert cover_of_first(low, cover) < 1


def cover_of_first(shot: Shot, cover: np.ndarray) -> float:
    """Return how much of the space A1 a cover hides."""
    return float(shot.under(shot.image_bgr, cover).hidden[0])


def test_a_small_picture_has_small_cells(shot: Shot) -> None:
    """The label goes with the picture."""
    made = spoiled(shot, "cells of 20 pixels")
    assert made.window.pitch_px == pytest.approx(SMALL_PX)
    assert made.label.size == made.image_bgr.shape[1::-1]


def test_a_mirrored_window_is_read_from_the_other_side(shot: Shot) -> None:
    """Left and right change places in the label, too, and the card is none of the game's."""
    made = spoiled(shot, "mirrored")
    assert [cell.die for cell in made.window.cells[:5]] == [cell.die for cell in shot.window.cells[4::-1]]
    xs = [corner[0] for corner in made.window.corners if corner]
    assert xs[0] < xs[1]
    assert not made.window.card_is_known


def label(name: str = "a.jpg", **keys: object) -> PhotoLabel:
    """Return the label of a photo."""
    return parse_label(name, {**ENTRY, **keys})


def test_the_table_says_what_nobody_is_warned_of(shot: Shot) -> None:
    """A refusal costs a window and no warning; what is hidden and called covered is no flag too many."""
    wrong = compare(label(), reading_of(BOARD.replace("R6", "R5")), 0.1)
    reading = reading_of(BOARD.replace("R6", "R5"), doubtful=["C1"])
    first, *others = reading.cells
    covered = replace(first, covered=True, doubtful=True)
    flagged = compare(label(), replace(reading, cells=(covered, *others)), 0.1)
    refused = replace(wrong, error="too_blurry", cells=())
    hiding = replace(shot, hidden=np.array([1.0, 0.3] + [0.0] * 18))
    one, two = row_of("one", [(shot, wrong), (shot, refused)]), row_of("two", [(hiding, flagged)])
    assert one == ("one", "1 of 2", "too_blurry x 1", "1.000", "NO", "-", "0 of 20  0.00 %", "0.00")
    assert two == ("two", "1 of 1", "", "0.000", "yes", "1 of 1  100.0 %", "0 of 18  0.00 %", "1.00")
    assert misses_text([(shot, wrong), (shot, flagged)]) == "  a.jpg: R5 for R6 (0.99)"


def test_the_command_reads_each_photo_under_each_fault(
    project_root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of labelled photos and a fault are enough; photos to be refused are left out."""
    folder = project_root / "sample_images"
    assert "cut_off.jpg" not in [one.name for one in single_windows(folder)]
    assert faults.main([str(folder), "--every", "25", "--fault", "gray", "--misses"]) == 0
    assert "no_colors x 1" in capsys.readouterr().out
