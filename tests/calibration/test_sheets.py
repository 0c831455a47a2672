"""The helper sheet in drawn photos, and the table of what it brings."""

from __future__ import annotations

import numpy as np

from calibration.accuracy.comparison import PhotoResult
from calibration.accuracy.labels import parse_label
from calibration.training.held_back_sheet import ROWS, SheetResult, line_of
from calibration.training.synthetic import sheets
from vision.geometry import apply_homography
from vision.markers import find_sheet
from vision.sheet import MARKERS, marker_corners


def test_photos_with_and_without_the_sheet_show_the_same_window() -> None:
    """The sheet lies where the drawing says, and nothing else differs."""
    drawn = sheets.beside(5, "warm bulb")
    assert drawn.with_sheet.windows[0].dice == drawn.without.windows[0].dice
    assert np.array_equal(drawn.with_sheet.windows[0].base, drawn.without.windows[0].base)
    found = find_sheet(drawn.with_sheet.image_bgr)
    assert found is not None
    assert find_sheet(drawn.without.image_bgr) is None
    corners = np.concatenate([marker_corners(number) for number in MARKERS])
    apart = apply_homography(found.homography, corners) - apply_homography(drawn.to_photo, corners)
    assert np.linalg.norm(apart, axis=1).max() < 1


def test_each_light_has_its_color() -> None:
    """A warm bulb has more red than blue, a blue LED less, and green light more green than both."""
    gains = {
        light: sheets.gains_of(np.random.default_rng(1), light, (40, 30))
        for light in ("warm bulb", "blue LED", "green")
    }
    assert gains["warm bulb"][2] > 1.5 * gains["warm bulb"][0]
    assert gains["blue LED"][0] > 1.5 * gains["blue LED"][2]
    assert gains["green"][1] > 1.2 * max(gains["green"][0], gains["green"][2])
    assert sheets.gains_of(np.random.default_rng(1), "mixed", (40, 30)).shape == (30, 40, 3)


def test_a_line_of_the_table_sets_without_beside_with() -> None:
    """Each figure is given twice, without the sheet first."""
    label = parse_label("a", {"board": [["--"] * 5] * 4})
    unread, read = PhotoResult(label, 0.1, error="board_not_found"), PhotoResult(label, 0.1)
    line = line_of(ROWS[0].name, [SheetResult(unread, read, seen=True, before=9.04, after=3.0)])
    assert line == "| white | 1 of 1 | 0, 1 | 0 of 0, 0 of 0 | 0, 0 | 0, 0 | 9.0, 3.0 |"
