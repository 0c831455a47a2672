"""A photo of an empty card that nobody knows: from the picture to what can be added as a window."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.training.synthetic import textures
from scoring import cell_name
from tests.vision.samples import SAMPLES
from vision import read as reading_of
from vision import read_photo, read_table


def photo_of_card(rows: tuple[str, ...], seed: int) -> bytes:
    """Return a photo of a card alone on a brown table, a little askew, as PNG."""
    rng = np.random.default_rng(seed)
    card = textures.card(rng, rows, margin=0.2)
    height, width = card.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    there = np.array([[190, 130], [760, 110], [790, 560], [170, 590]]) + rng.uniform(-15, 15, (4, 2))
    table = (np.array([60, 90, 130]) + rng.normal(0, 4, (720, 960, 3))).clip(0, 255).astype(np.uint8)
    flat = cv2.getPerspectiveTransform(corners, there.astype(np.float32))
    picture = (255 * card).astype(np.uint8)
    drawn = cv2.warpPerspective(picture, flat, (960, 720), table, borderMode=cv2.BORDER_TRANSPARENT)
    return cv2.imencode(".png", cv2.GaussianBlur(drawn, (0, 0), 0.8))[1].tobytes()


@pytest.mark.parametrize(
    ("rows", "seed"),
    [(("R.Y.G", ".B.P.", "Y.R.B", "G.P.."), 1), (("R6.4.", "..B.5", ".P..Y", "G..6R"), 2)],
    ids=["colors", "colors and values"],
)
def test_an_unknown_empty_card_is_returned_as_read(rows: tuple[str, ...], seed: int) -> None:
    """No card is named, and each of the 20 spaces is read as printed or named as one to look at."""
    reading = read_photo(photo_of_card(rows, seed))
    assert reading.window is None
    read, printed = reading.pattern.replace(" / ", ""), "".join(rows)
    wrong = {cell_name(divmod(index, 5)) for index in range(20) if read[index] != printed[index]}
    assert wrong <= {cell_name(cell) for cell in reading.unclear_prints}
    assert len(reading.unclear_prints) <= 8


def test_a_card_without_art_is_taken_for_held_upright_and_not_for_sure() -> None:
    """Where nothing but the way the photo is held tells which way up the card lies, that is no certainty."""
    reading = read_photo(photo_of_card(("R.Y.G", ".B.P.", "Y.R.B", "G.P.."), 1))
    assert reading.pattern.startswith("R.Y.G")
    assert 0.7 < reading.upright_probability < 0.9


def test_an_empty_window_whose_card_is_named_is_no_diagram(monkeypatch: pytest.MonkeyPatch) -> None:
    """No objective card is looked for on prints that are surely those of a window pattern card."""
    left_out: list[int] = []

    def found(_: object, windows: Sequence[object], _levels: object = None) -> tuple[tuple[()], tuple[()]]:
        left_out.append(len(windows))
        return (), ()

    monkeypatch.setattr(reading_of, "find_objectives", found)
    table = read_table(SAMPLES / "empty_window.jpg")
    assert left_out == [len(table.windows)] == [1]
