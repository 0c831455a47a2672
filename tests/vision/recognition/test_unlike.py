"""Dice that are not the game's are noticed."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.training.held_back import file_of
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import random_look
from tests.vision.samples import SAMPLES
from vision import load_photo, read_photo
from vision.geometry import Grid
from vision.recognition import dice
from vision.recognition.dice import (
    DOUBTED_FROM,
    STRANGE_FROM,
    UNLIKE_FROM,
    CellProbabilities,
    Dice,
    read_cells,
    strangeness,
)


def drawn(name: str, light: str, seed: int = 1) -> bytes:
    """Return a photo of a window with a named set of dice."""
    return file_of(odd.photo_of(np.random.default_rng(seed), odd.named_set(name, 3), light).image_bgr)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "light"), [("shifted hues", "white"), ("black pips", "warm"), ("digits", "mixed")]
)
def test_unknown_dice_are_told_and_all_in_doubt(name: str, light: str) -> None:
    """Where dyes, pips or faces are not the game's, the reading says so and nothing in it is sure."""
    reading = read_photo(drawn(name, light))
    assert reading.unlike_dice
    assert len(reading.doubtful) == 20
    assert max(cell.confidence for cell in reading.cells) <= 0.5


@pytest.mark.parametrize("light", odd.LIGHTS)
def test_ordinary_dice_are_known_in_any_light(light: str) -> None:
    """The game's own dice are never said to be others', whatever the lamp."""
    assert not read_photo(drawn("ordinary", light)).unlike_dice


@pytest.mark.parametrize("name", ["easy_daylight.jpg", "empty_window.jpg", "few_dice.jpg", "dim_evening.jpg"])
def test_full_and_empty_windows_of_the_game_are_known(name: str) -> None:
    """Neither a full window nor one with few dice or none is said to have unknown dice."""
    assert not read_photo(SAMPLES / name).unlike_dice


def test_dice_that_look_like_a_print_are_no_open_spaces() -> None:
    """A yellow die with gray pips may pass for the print of a value, but not without a word."""
    rng = np.random.default_rng(75_010_200)
    look = random_look(np.random.default_rng([91_000_000, 2, 1]))
    scene = odd.photo_of(rng, replace(look, pip_color=np.full(3, 0.5, np.float32)), "white")
    reading = read_photo(file_of(scene.image_bgr))
    codes = [f"{cell.die or '--'}" for cell in reading.cells]
    wrong = {k for k in range(20) if codes[k] != scene.windows[0].dice[k]}
    assert wrong <= {5 * row + column for row, column in reading.doubtful}
    assert codes.count("--") == scene.windows[0].dice.count("--")


def test_the_order_of_the_cells_does_not_matter() -> None:
    """A window that is counted from the opposite corner is as strange as before."""
    rng = np.random.default_rng(4)
    each = rng.uniform(0, 1, (20, 127)).astype(np.float32)
    filled = (rng.random(20) < 0.7).astype(np.float32)
    turned = Dice(each[::-1], filled[::-1])
    assert strangeness(turned) == pytest.approx(strangeness(Dice(each, filled)), abs=1e-3)


def test_a_strange_window_is_read_with_more_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between known and unknown a die must be surer than usual to go without a flag, or has one anyhow."""
    easy = SAMPLES / "easy_daylight.jpg"
    plain = read_photo(easy)
    size = load_photo(easy).image_bgr.shape[1::-1]
    seen = read_cells(load_photo(easy).image_bgr, Grid.from_corners(plain.corners, (size[0], size[1])))
    sure = replace(seen, color=seen.color * 0.997 + 0.003 / 5)

    def read(strange: float) -> set[tuple[int, int]]:
        def cells(*_: object) -> CellProbabilities:
            return replace(sure, strangeness=strange)

        monkeypatch.setattr("vision.read.read_cells", cells)
        return set(read_photo(easy).doubtful)

    known, strange = read(STRANGE_FROM - 1), read((STRANGE_FROM + DOUBTED_FROM) / 2)
    filled = {(cell.row, cell.column) for cell in plain.cells if cell.die}
    assert known < strange
    assert filled <= strange
    assert dice.DOUBTFUL_BELOW < 0.997
    sure = replace(seen, filled=np.round(seen.filled), color=np.round(seen.color), value=np.round(seen.value))
    assert filled <= read((DOUBTED_FROM + UNLIKE_FROM) / 2)
