"""The printed helper sheet: where it lies, what its white says, and that it never does harm."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.synthetic.camera import random_camera
from scoring import Board
from vision import Photo, load_photo, markers, read_photo, read_table, sheet
from vision.find import search as search_module
from vision.find.search import find_grid
from vision.geometry import BOARD_CORNERS, apply_homography
from vision.markers import Helper, find_sheet, in_white_of

Float = NDArray[np.float64]
Image8 = NDArray[np.uint8]

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
EASY = "easy_daylight.jpg"
LABEL = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))[EASY]
TRUTH = Board.parse(" / ".join(" ".join(row) for row in LABEL["board"]))
SIZE_MM = (sheet.WIDTH_MM, sheet.HEIGHT_MM)
OUTLINE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIZE_MM
PX_PER_MM = 6
WARM = (0.3, 0.62, 1.0)


def placed(angle_deg: float, px_per_mm: float, middle: tuple[float, float], lean: float = 0.0) -> Float:
    """Return a homography from the strip to a photo; ``lean`` is how much smaller its far end is, a mm."""
    angle = np.deg2rad(angle_deg)
    c, s = px_per_mm * np.cos(angle), px_per_mm * np.sin(angle)
    about = np.array([[1, 0, -SIZE_MM[0] / 2], [0, 1, -SIZE_MM[1] / 2], [0, 0, 1]])
    matrix = np.array([[c, -s, middle[0]], [s, c, middle[1]], [0, lean, 1]])
    return np.asarray(matrix @ about)


def laid(photo: Image8, to_photo: Float, strip: Image8 | None = None) -> Image8:
    """Return a photo with the strip on it."""
    k = 1 / PX_PER_MM
    strip = sheet.painted(sheet.shapes(), SIZE_MM, PX_PER_MM) if strip is None else strip
    matrix = to_photo @ np.array([[k, 0, k / 2], [0, k, k / 2], [0, 0, 1]])
    size = (photo.shape[1], photo.shape[0])
    over = cv2.warpPerspective(strip, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones(strip.shape[:2], np.uint8), matrix, size)
    return np.asarray(np.where(mask[..., None] > 0, over, photo), dtype=np.uint8)


def table(width: int = 1200, height: int = 900) -> Image8:
    """Return a brown table without anything on it."""
    return np.full((height, width, 3), (60, 90, 120), np.uint8)


def with_window(lit: tuple[float, float, float] = (1, 1, 1)) -> Image8:
    """Return the easiest sample photo with the strip below its window, in light of these shares (BGR)."""
    easy = load_photo(SAMPLES / EASY).image_bgr
    photo = cv2.copyMakeBorder(easy, 0, 300, 0, 0, cv2.BORDER_CONSTANT, value=(70, 90, 110))
    beside = placed(2, 4, (photo.shape[1] / 2, photo.shape[0] - 150))
    return np.asarray(laid(np.asarray(photo, np.uint8), beside) * np.array(lit), dtype=np.uint8)


def as_photo(image: Image8) -> Photo:
    """Return a picture as a photo."""
    return Photo(image, (image.shape[1], image.shape[0]), 1.0)


def file_of(image: Image8) -> bytes:
    """Return a picture as a file."""
    return cv2.imencode(".png", image)[1].tobytes()


@pytest.mark.parametrize("angle_deg", [0, 37, 90, 180, 255])
@pytest.mark.parametrize("lean", [0.0, 0.0025, -0.0025])
def test_the_sheet_is_found_to_a_pixel(angle_deg: float, lean: float) -> None:
    """Turned and in perspective, its corners are where it lies, within a pixel."""
    to_photo = placed(angle_deg, 4, (600, 450), lean)
    found = find_sheet(laid(table(), to_photo))
    assert found is not None
    corners = np.concatenate([sheet.marker_corners(number) for number in sheet.MARKERS])
    apart = apply_homography(found.homography, corners) - apply_homography(to_photo, corners)
    assert np.linalg.norm(apart, axis=1).max() < 1
    assert found.seen.all()
    nominal = np.array([patch.place.rgb[::-1] for patch in sheet.PATCHES])
    assert np.abs(found.colors - nominal).max() < 3


def test_a_photo_larger_than_the_search_is_measured_in_full() -> None:
    """What is found in a reduced picture is exact in the photo itself."""
    to_photo = placed(20, 9, (1500, 1000))
    found = find_sheet(laid(table(3000, 2000), to_photo))
    assert found is not None
    assert np.linalg.norm(found.outline_px - apply_homography(to_photo, OUTLINE), axis=1).max() < 1


def test_nothing_printed_falls_on_anything_else() -> None:
    """Markers keep a module of white around them, patches do not touch, and all of it is on the strip."""
    inked = np.full((int(SIZE_MM[1] * 2), int(SIZE_MM[0] * 2)), 0)
    for number, (x, y) in sheet.MARKERS.items():
        around = [
            round(2 * side) for side in (x - 3, y - 3, x + sheet.MARKER_MM + 3, y + sheet.MARKER_MM + 3)
        ]
        assert min(around) >= 0, number
        inked[around[1] + 6 : around[3] - 6, around[0] + 6 : around[2] - 6] += 1
    for patch in sheet.PATCHES:
        one = patch.place
        x0, y0, x1, y1 = (round(2 * side) for side in (one.x, one.y, one.x + one.width, one.y + one.height))
        inked[y0:y1, x0:x1] += 1
    assert inked.max() == 1


@pytest.mark.parametrize("name", ["easy_daylight.jpg", "dark.jpg", "whole_table.jpg", "hazy_loose_dice.jpg"])
def test_no_sheet_is_seen_where_there_is_none(name: str) -> None:
    """Dice, frames and cards are no markers."""
    assert find_sheet(load_photo(SAMPLES / name).image_bgr) is None


def test_a_mirrored_sheet_and_single_markers_are_none() -> None:
    """A picture of a mirror has no markers that count, and one marker is not enough."""
    photo = laid(table(), placed(10, 4, (600, 450)))
    assert find_sheet(np.ascontiguousarray(photo[:, ::-1])) is None
    covered = photo.copy()
    covered[:, 500:] = (40, 40, 40)
    covered[470:] = (40, 40, 40)
    assert find_sheet(covered) is None


def test_markers_that_do_not_lie_as_on_the_sheet_are_none() -> None:
    """A strip that is bent, or two parts of strips, have no plane."""
    strip = sheet.painted(sheet.shapes(), SIZE_MM, PX_PER_MM)
    half = strip.shape[1] // 2
    moved = np.concatenate([strip[:, half:], strip[:, :half]], axis=1)
    assert find_sheet(laid(table(), placed(0, 4, (600, 450)), moved)) is None


def test_a_half_covered_sheet_still_tells_the_white() -> None:
    """Patches under a hand are not measured; paper and grays of the open half are enough."""
    to_photo = placed(0, 4, (600, 450))
    photo = laid(table(), to_photo)
    photo[:, 640:] = np.random.default_rng(1).integers(0, 255, photo[:, 640:].shape)
    found = find_sheet(photo)
    assert found is not None
    assert 0 < found.seen.sum() < len(sheet.PATCHES)
    assert found.white_bgr is not None
    assert np.allclose(found.white_bgr, 255)


def test_a_badly_printed_sheet_tells_no_white() -> None:
    """Where the grays are not darker one after the other, the sheet says nothing of the light."""
    strip = sheet.painted(sheet.shapes(), SIZE_MM, PX_PER_MM)
    strip[strip.max(axis=2) == sheet.GRAY[0]] = 230
    found = find_sheet(laid(table(), placed(0, 4, (600, 450)), strip))
    assert found is not None
    assert found.white_bgr is None


def test_strongly_colored_light_becomes_white() -> None:
    """Paper and grays are gray afterwards, and the printed colors much nearer to their own."""
    photo = as_photo(with_window(WARM))
    mended = in_white_of(Helper(photo.image_bgr), photo)
    before, after = find_sheet(photo.image_bgr), find_sheet(mended.image_bgr)
    assert before is not None
    assert after is not None
    neutral = np.array([patch.neutral for patch in sheet.PATCHES])
    assert np.ptp(before.colors[neutral], axis=1).max() > 100
    assert np.ptp(after.colors[neutral], axis=1).max() < 16
    nominal = np.array([patch.place.rgb[::-1] for patch in sheet.PATCHES])
    off = [np.abs(one.colors - nominal).mean() for one in (before, after)]
    assert off[1] < 0.2 * off[0]


def test_a_window_in_strongly_colored_light_is_read_by_the_sheet() -> None:
    """All dice are right, and hardly any needs a look."""
    reading = read_photo(file_of(with_window(WARM)))
    assert reading.board == TRUTH
    assert len(reading.doubtful) <= 2


@pytest.mark.parametrize("lit", [(1, 1, 1), (0.9, 0.97, 1)])
def test_ordinary_light_is_left_as_it_is(
    lit: tuple[float, float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the brightest places are about white, no marker is looked for, and the photo stays the same."""
    asked: list[Image8] = []
    monkeypatch.setattr(markers, "find_sheet", asked.append)
    photo = as_photo(with_window(lit))
    assert in_white_of(Helper(photo.image_bgr), photo) is photo
    assert read_photo(file_of(photo.image_bgr)).board == TRUTH
    assert not asked


def test_a_sheet_in_the_light_of_another_lamp_is_not_heeded() -> None:
    """Where the photo's own brightest places are white, a red-lit sheet changes nothing."""
    strip = sheet.painted(sheet.shapes(), SIZE_MM, PX_PER_MM) * np.array(WARM)
    photo = load_photo(SAMPLES / EASY).image_bgr.copy()
    photo = laid(photo, placed(0, 2, (300, 100)), np.asarray(strip, dtype=np.uint8))
    photo[:60, -200:] = 255
    whole = as_photo(photo)
    assert in_white_of(Helper(photo), whole) is whole


def test_markers_are_looked_for_once_a_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Light, search and loose dice share one look, and a photo of only the sheet has no window."""
    found = find_sheet
    asked: list[Image8] = []

    def counted(image: Image8) -> markers.Sheet | None:
        asked.append(image)
        return found(image)

    monkeypatch.setattr(markers, "find_sheet", counted)
    only = laid(table(800, 600), placed(5, 4, (400, 300))) * np.array(WARM)
    seen = read_table(file_of(np.asarray(only, dtype=np.uint8)))
    assert len(asked) == 1
    assert not seen.windows
    assert not seen.loose_dice
    assert not seen.unread


def test_a_window_is_looked_for_beside_the_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no ordinary look finds a window, the plane of the sheet shows the places beside it from above."""
    corners = np.array(LABEL["corners_tl_tr_br_bl"], np.float32)
    pitches = cv2.getPerspectiveTransform(corners, BOARD_CORNERS.astype(np.float32))
    target = np.array([3.0, 4.0, 0.0])
    camera = random_camera(
        np.random.default_rng(4),
        size=(1600, 1200),
        pitch_px=60,
        min_tilt_deg=50,
        max_tilt_deg=51,
        target=target,
    )
    on_table = np.asarray(camera.plane_homography(0.0), dtype=np.float64)
    photo = load_photo(SAMPLES / EASY).image_bgr
    view = np.asarray(cv2.warpPerspective(photo, on_table @ pitches, camera.size), dtype=np.uint8)
    k = 1 / sheet.PITCH_MM
    view = laid(view, on_table @ np.array([[k, 0, -1.5], [0, k, 5.2], [0, 0, 1.0]]))
    assert find_sheet(view) is not None
    monkeypatch.setattr(search_module, "views_of", lambda _: iter(()))
    monkeypatch.setattr("vision.find.steeper.views", lambda _: iter(()))
    grid = find_grid(as_photo(view)).grid
    truth = apply_homography(on_table, BOARD_CORNERS)
    apart = min(np.linalg.norm(np.roll(grid.corners_px, k, axis=0) - truth, axis=1).max() for k in (0, 2))
    assert apart < 0.3 * grid.pitch_px
