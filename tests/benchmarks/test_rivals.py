"""The simpler rivals do what an honest rival must: they work on easy photos and made-up cells."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.rivals import dice, grid, learned
from benchmarks.rivals.__main__ import MARK, main
from benchmarks.rivals.measure import FOUND, GIVEN, PROGRAM, labelled_grid, measure
from calibration.accuracy.comparison import locate
from calibration.accuracy.labels import PhotoLabel, load_labels
from scoring import Die
from vision import VisionError
from vision.cells.crops import CROP_PX, cell_crops
from vision.photo import Photo, load_photo

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
EASY = "easy_daylight.jpg"


@pytest.fixture(scope="module")
def label() -> PhotoLabel:
    """Return the label of an easy sample photo."""
    return next(label for label in load_labels(SAMPLES) if label.name == EASY)


@pytest.fixture(scope="module")
def photo() -> Photo:
    """Return that photo."""
    return load_photo(SAMPLES / EASY)


def drawn_face(value: int, turn_deg: float = 0) -> NDArray[np.float64]:
    """Return a map of pips as a die of that value shows them, in the first of its two layouts."""
    picture = np.zeros((CROP_PX, CROP_PX), np.float64)
    turn = np.radians(turn_deg)
    for index, mark in enumerate(dice.LAYOUTS[value][0]):
        if mark == "x":
            x, y = (index % 3 - 1) * dice.PIP_STEP_PX, (index // 3 - 1) * dice.PIP_STEP_PX
            at = (x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn))
            cv2.circle(picture, tuple(round(v + (CROP_PX - 1) / 2) for v in at), 2, 1.0, -1)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8))


def test_the_blob_lattice_finds_an_easy_window(label: PhotoLabel, photo: Photo) -> None:
    """The classical grid search puts all four corners within half a cell, the right way up."""
    found = grid.find_grid(photo.image_bgr)
    a, b, c, d = ((float(x), float(y)) for x, y in found.corners_px / photo.scale)
    location = locate((a, b, c, d), label.windows[0])
    assert location is not None
    assert location.within_tolerance
    assert not location.turned


def test_the_blob_lattice_refuses_a_checked_cloth() -> None:
    """Squares that touch each other at every side are a tablecloth and no window."""
    squares = np.indices((12, 12)).sum(axis=0) % 2
    cloth = np.kron(squares, np.ones((50, 50)))[..., None] * [200, 60, 60] + 40
    with pytest.raises(VisionError) as caught:
        grid.find_grid(cloth.astype(np.uint8))
    assert caught.value.code == "board_not_found"


@pytest.mark.parametrize("turn_deg", [0, 10])
@pytest.mark.parametrize("value", range(1, 7))
def test_pips_are_counted_by_their_layout(value: int, turn_deg: float) -> None:
    """The face that explains the pips best is the one that was drawn, also when it is turned a little."""
    assert dice.face_scores(drawn_face(value, turn_deg)).argmax() + 1 == value


def test_the_edge_of_a_slot_is_no_pip() -> None:
    """A pip on a face stands out much more than any place of a bare bright slot."""
    slot = np.full((CROP_PX, CROP_PX, 3), 0.1, np.float32)
    slot[9:39, 9:39] = 0.9
    die = np.full((CROP_PX, CROP_PX, 3), 0.1, np.float32)
    die[9:39, 9:39, 2] = 0.8
    cv2.circle(die, (24, 24), 3, (0.9, 0.9, 0.9), -1)
    assert dice.pip_map(die).max() > 2 * dice.pip_map(slot).max()


def test_each_reference_hue_is_read_as_its_color() -> None:
    """Dice of exactly the five reference hues are read as red, yellow, green, blue and purple."""
    angles = np.radians(np.repeat(dice.HUES_DEG, 4))
    colors = np.column_stack([np.full(20, 50.0), 50 * np.cos(angles), 50 * np.sin(angles)])
    read = dice.color_scores(colors, np.ones(20, bool)).argmax(axis=1)
    assert read.tolist() == np.repeat(range(5), 4).tolist()


def test_the_classical_reader_reads_most_of_an_easy_window(label: PhotoLabel, photo: Photo) -> None:
    """On an easy photo with its corners given, at least 18 of 20 cells are read right without learning."""
    given = labelled_grid(label, photo)
    assert given is not None
    cells = dice.read_crops(cell_crops(photo.image_bgr, given))
    names = [
        f"{'RYGBP'[color]}{value + 1}"
        for color, value in zip(
            cells.color.argmax(axis=1).tolist(), cells.value.argmax(axis=1).tolist(), strict=True
        )
    ]
    read = [
        Die.parse(name) if filled > 0.5 else None for name, filled in zip(names, cells.filled, strict=True)
    ]
    truth = [cell.die for cell in label.windows[0].cells]
    assert sum(a == b for a, b in zip(read, truth, strict=True)) >= 18


def test_the_small_net_learns_what_can_be_learned() -> None:
    """Cells whose features spell out their label are all told apart after training."""
    codes = ["--", *(f"{color}{value}" for color in "RYGBP" for value in range(1, 7))] * 40
    labels = learned.labels_of(codes)
    spelled = np.concatenate([np.eye(n + 1)[labels[:, k]] for k, n in enumerate(learned.HEADS)], axis=1)
    net = learned.train(spelled.astype(np.float32), labels)
    filled, color, value = net.answers(spelled.astype(np.float32))
    dice_only = labels[:, 0] == 1
    assert (filled.argmax(axis=1) == labels[:, 0]).all()
    assert (color.argmax(axis=1) == labels[:, 1])[dice_only].all()
    assert (value.argmax(axis=1) == labels[:, 2])[dice_only].all()


def test_the_command_measures_all_on_the_same_photos(tmp_path: Path, label: PhotoLabel) -> None:
    """The program and each rival get a row on labelled corners and one on grids found, in page and JSON."""
    folder = tmp_path / "photos"
    folder.mkdir()
    shutil.copy(SAMPLES / EASY, folder)
    (folder / "labels.json").write_text(json.dumps({EASY: dict(label.keys)}), encoding="utf-8")
    page = tmp_path / "README.md"
    page.write_text(f"Words.\n{MARK}old tables\n", encoding="utf-8")
    assert main([str(folder), "--write"], page) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("Words.\n")
    assert "old tables" not in text
    assert "## Rendered photos" in text
    (figures,) = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    rows = [(row["reader"], row["grid"]) for row in figures["rows"]]
    assert sorted(rows) == [(r, g) for r in ("pips and hues", PROGRAM) for g in (FOUND, GIVEN)]


def test_a_window_nobody_found_counts_as_unread(tmp_path: Path, label: PhotoLabel, photo: Photo) -> None:
    """Where the grid search refuses a photo its rival readers have no cell right, and that photo counts."""
    cv2.imwrite(str(tmp_path / EASY), np.full_like(photo.image_bgr, 90))
    measured = measure(tmp_path, [label], {"pips and hues": dice.read_crops})
    row = measured.row("pips and hues", FOUND)
    assert (row.summary.cells.right.hits, row.summary.cells.right.total) == (0, 20)
    assert row.summary.located.hits == 0
