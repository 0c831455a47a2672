"""What tells a window from other regular things, whatever the finder believes."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import VisionError
from vision.detection.search import find_grid
from vision.detection.sighting import DICE_ENOUGH, DICE_PLENTY, Scrutiny, scrutinize
from vision.geometry import BOARD_CORNERS
from vision.photo import Photo

SIZE = (384, 384)
PITCH = 44
COLORS = ((40, 30, 190), (60, 200, 230), (60, 140, 40), (170, 90, 20), (130, 30, 110), (220, 220, 220))


def tiles(rows: int, columns: int, ground: int, share: float = 0.72) -> NDArray[np.uint8]:
    """Return a sheet of colored squares, ``PITCH`` apart and with a margin of one pitch."""
    rng = np.random.default_rng(5)
    sheet = np.full(((rows + 2) * PITCH, (columns + 2) * PITCH, 3), ground, np.uint8)
    half = int(share * PITCH / 2)
    for row in range(rows):
        for column in range(columns):
            y, x = int((row + 1.5) * PITCH), int((column + 1.5) * PITCH)
            sheet[y - half : y + half, x - half : x + half] = COLORS[int(rng.integers(len(COLORS)))]
    return sheet


def photo_of(sheet: NDArray[np.uint8], seed: int) -> Photo:
    """Return a photo of a sheet on a table: turned, tilted, a little blurred and noisy."""
    rng = np.random.default_rng(seed)
    height, width = sheet.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    spread = 330 / np.hypot(height, width) * 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([width, height]) / 2 * spread
    turned = corners @ np.array([[c, s], [-s, c]])
    far = 1 + turned[:, 1:] / 2500  # what is further down in the photo is nearer
    places = (turned * far + [600, 450]).astype(np.float32)
    start = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    homography = cv2.getPerspectiveTransform(start, places)
    table = np.full((900, 1200, 3), rng.uniform(60, 180, 3), np.float32)
    inside = cv2.warpPerspective(np.ones((height, width), np.float32), homography, (1200, 900))[..., None]
    laid = cv2.warpPerspective(sheet.astype(np.float32), homography, (1200, 900))
    image = cv2.GaussianBlur(table * (1 - inside) + laid * inside, (0, 0), 1.0)
    image = np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)
    return Photo(np.ascontiguousarray(image), (1200, 900), 1.0)


def measured(sheet: NDArray[np.uint8], first_row: int = 0, first_column: int = 0) -> Scrutiny:
    """Return the scrutiny of the 4 x 5 squares of a sheet that begin at a row and a column."""
    x0, y0 = (first_column + 1) * PITCH, (first_row + 1) * PITCH
    corners = (BOARD_CORNERS * PITCH + [x0, y0]).astype(np.float32)
    homography = cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), corners)
    size = (sheet.shape[1], sheet.shape[0])
    return scrutinize(sheet, np.asarray(homography, dtype=np.float64), np.eye(3), size)


def test_twenty_cells_between_dark_bars_may_be_a_window() -> None:
    """Nothing speaks against four rows of five bright squares on black."""
    assert measured(tiles(4, 5, 15)).may_be_window(0)


def test_a_grid_that_goes_on_is_no_window() -> None:
    """Where a sixth column looks like the five, it is tiles or a tablecloth."""
    found = measured(tiles(4, 7, 15), first_column=1)
    assert found.likeness_beyond > 0.9
    assert not found.may_be_window(0)


def test_squares_on_white_paper_are_no_window() -> None:
    """The bars of a window are darker than its cells."""
    found = measured(tiles(4, 5, 245))
    assert found.contrast < 0
    assert not found.may_be_window(0)


def test_dice_make_up_for_pale_bars() -> None:
    """Dark dice in a pale frame are no brighter than its bars, and yet it is a window.

    When half of the cells hold dice, what lies beyond may look like them: the finder says where cells end.
    """
    pale, endless = measured(tiles(4, 5, 245)), measured(tiles(4, 7, 15), first_column=1)
    assert pale.may_be_window(DICE_ENOUGH)
    assert not pale.may_be_window(DICE_ENOUGH - 1)
    assert not endless.may_be_window(DICE_PLENTY - 1)
    assert endless.may_be_window(DICE_PLENTY)


def test_blur_grows_with_blur() -> None:
    """The more a window is blurred, the higher it is measured; a sharp one stays below a third."""
    sheet = tiles(4, 5, 15)
    steps = [
        measured(np.asarray(cv2.GaussianBlur(sheet, (0, 0), share * PITCH), dtype=np.uint8)).blur
        for share in (0.01, 0.06, 0.12, 0.2)
    ]
    assert steps == sorted(steps)
    assert steps[0] < 0.33
    assert steps[-1] > 0.65


@pytest.mark.parametrize(
    ("rows", "columns", "ground"),
    [(8, 8, 15), (4, 5, 245)],
    ids=["8 x 8 on black", "4 x 5 on white"],
)
def test_other_grids_are_refused(rows: int, columns: int, ground: int) -> None:
    """Sheets of colored squares, however they lie, never pass as a window."""
    with pytest.raises(VisionError):
        find_grid(photo_of(tiles(rows, columns, ground), seed=rows))
