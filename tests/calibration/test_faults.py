"""Photos with one fault at a time, and what of it nobody would be warned of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.accuracy import faults
from calibration.accuracy.comparison import compare
from calibration.accuracy.faults import faults_table, misses_text, single_windows
from calibration.accuracy.labels import PhotoLabel, parse_label
from calibration.accuracy.spoiled import FAULTS, SMALL_PX, Shot
from calibration.accuracy.summary import summarize
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


def spoiled(shot: Shot, fault: str, seed: int = 3) -> Shot:
    """Return the picture with a fault."""
    return FAULTS[fault](shot, np.random.default_rng(seed))


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_keeps_the_kind_of_picture_and_the_dice(shot: Shot, fault: str) -> None:
    """A fault changes the picture and never the truth: what is hidden is still known to lie there."""
    before = shot.image_bgr.copy()
    made = spoiled(shot, fault)
    assert made.image_bgr.dtype == np.uint8
    assert made.image_bgr.ndim == 3
    assert (shot.image_bgr == before).all()
    assert fault == "none" or made.image_bgr.shape != before.shape or (made.image_bgr != before).any()
    assert len(made.window.cells) == 20
    for cell in made.window.cells:
        column = 4 - cell.column if fault == "mirrored" else cell.column
        was = shot.window.cells[5 * cell.row + column]
        assert cell.die == was.die or not (cell.readable or cell.hidden)


@pytest.mark.parametrize("seed", range(4))
def test_a_finger_hides_a_corner_space_and_no_inner_one(shot: Shot, seed: int) -> None:
    """A corner is hidden whole; what is hidden in part counts nowhere."""
    made = spoiled(shot, "finger over a corner", seed)
    hidden = [(cell.row, cell.column) for cell in made.window.hidden_cells]
    assert set(hidden) & {(0, 0), (0, 4), (3, 0), (3, 4)}
    assert all(cell.readable for cell in made.window.cells if 0 < cell.row < 3 and 0 < cell.column < 4)


def test_a_flash_spot_hides_one_die(shot: Shot) -> None:
    """The die under it is hidden, and its middle is white."""
    made = spoiled(shot, "flash spot on a die")
    (cell,) = made.window.hidden_cells
    assert cell.die is not None
    assert (made.image_bgr[150 + 100 * cell.row, 150 + 100 * cell.column] == 255).all()


def test_a_small_picture_has_small_cells(shot: Shot) -> None:
    """The label goes with the picture."""
    made = spoiled(shot, "cells of 20 pixels")
    assert made.cell_px == pytest.approx(SMALL_PX)
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


def test_the_table_says_what_nobody_is_warned_of() -> None:
    """Each fault has a row with its goal; a refusal costs windows and no warning."""
    wrong = compare(label(), reading_of(BOARD.replace("R6", "R5")), 0.1)
    flagged = compare(label(), reading_of(BOARD.replace("R6", "R5"), doubtful=["C1"]), 0.1)
    refused = replace(wrong, error="too_blurry", cells=())
    table = faults_table({"one": summarize([wrong, refused]), "two": summarize([flagged])})
    one, two = table.rows
    assert one[:5] == ("one", "1 of 2", "19 of 20  95 %", "1.000", "NO")
    assert (one[8], two[3:6]) == ("too_blurry x 1", ("0.000", "yes", "1.00"))
    assert misses_text([wrong, flagged]) == "  a.jpg: R5 for R6 (0.99)"


def test_the_command_reads_each_photo_under_each_fault(
    project_root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of labelled photos and a fault are enough; photos to be refused are left out."""
    folder = project_root / "sample_images"
    assert "cut_off.jpg" not in [one.name for one in single_windows(folder)]
    assert faults.main([str(folder), "--every", "25", "--fault", "gray", "--misses"]) == 0
    assert "no_colors x 1" in capsys.readouterr().out
