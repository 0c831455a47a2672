"""Windows that are small in a large photo are read from all the pixels it has."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.samples import SAMPLES, Image, board_of, photo_of
from vision import load_photo, read_photo, read_table
from vision import read as read_module
from vision.geometry import Grid, Mask
from vision.photo import in_white_light
from vision.read import FINE_ENOUGH_PX, WINDOW_SIDE_PX
from vision.recognition.dice import CellProbabilities


def amid(name: str, width: int, height: int, zoom: float) -> Image:
    """Return a sample photo in the middle of a plain table, made larger or smaller."""
    small = cv2.resize(photo_of(name), None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    around = np.full((height, width, 3), np.median(small, axis=(0, 1)), np.uint8)
    y, x = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    around[y : y + small.shape[0], x : x + small.shape[1]] = small
    return around


def jpeg(image: Image) -> bytes:
    """Return a picture as a JPEG."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def test_a_window_in_a_panorama_is_read_from_the_panorama() -> None:
    """A window with 107 pixels a cell is read without a doubt where the copy that is searched has 27."""
    reading = read_photo(jpeg(amid("easy_daylight.jpg", 9600, 1600, 107 / 122)))
    assert str(reading.board) == str(board_of("easy_daylight.jpg"))
    assert not any(cell.doubtful for cell in reading.cells)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("width", "place"), [(3600, 0.2), (6400, 0.15), (6400, 0.8), (9000, 0.9)])
def test_a_window_is_read_right_at_the_end_of_a_panorama(width: int, place: float, *, turned: bool) -> None:
    """The camera looked at each part of it, not at the far middle: dice do not lean away from there."""
    around = amid("easy_daylight.jpg", width, 1200, 0.75)
    panorama = np.roll(around, round((place - 0.5) * width), axis=1)
    reading = read_photo(jpeg(np.rot90(panorama) if turned else panorama))
    assert str(reading.board) == str(board_of("easy_daylight.jpg"))
    assert not any(cell.doubtful for cell in reading.cells)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("place", [0.1, 0.9])
def test_a_small_window_at_the_end_of_a_panorama_is_found(place: float, *, turned: bool) -> None:
    """Its parts are looked at one by one: 37 pixels a cell are enough wherever the window lies in it."""
    around = amid("easy_daylight.jpg", 9000, 1200, 0.3)
    panorama = np.roll(around, round((place - 0.5) * 9000), axis=1)
    reading = read_photo(jpeg(np.rot90(panorama) if turned else panorama))
    assert str(reading.board) == str(board_of("easy_daylight.jpg"))


def test_a_window_that_is_tiny_in_48_megapixels_is_found_from_nearer() -> None:
    """With 37 pixels a cell it is a fortieth of the photo's width, and read from its own pixels."""
    around = amid("easy_daylight.jpg", 8064, 6048, 0.3)
    reading = read_photo(jpeg(np.roll(around, (-1500, 2500), axis=(0, 1))))
    assert str(reading.board) == str(board_of("easy_daylight.jpg"))


def test_small_windows_of_a_table_are_read_from_48_megapixels() -> None:
    """The windows of a whole table are read from finer pixels than those in which they are found."""
    table = read_table(jpeg(amid("two_windows.jpg", 8064, 6048, 0.8)))
    assert [str(one.board) for one in table.windows] == [
        str(one.board) for one in read_table(SAMPLES / "two_windows.jpg").windows
    ]
    assert len(table.windows) == 2
    assert not any(cell.doubtful for one in table.windows for cell in one.cells)


def test_a_die_in_doubt_is_looked_at_in_the_photos_own_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read in a small copy of a large photo is looked at closer in the photo itself."""
    looks: list[tuple[Mask, Grid, Image]] = []

    def note(cells: CellProbabilities, which: Mask, image_bgr: Image, grid: Grid) -> CellProbabilities:
        looks.append((which, grid, image_bgr))
        return cells

    doubted = np.arange(20) == 7
    monkeypatch.setattr(read_module, "to_look_closer_at", lambda _cells, _lean: doubted)
    monkeypatch.setattr(read_module, "looked_closer", note)
    photo = photo_of("easy_daylight.jpg")
    large = cv2.resize(photo, None, fx=4000 / max(photo.shape), fy=4000 / max(photo.shape))
    read_photo(jpeg(np.asarray(large, np.uint8)))
    ((which, grid, pixels),) = looks
    assert which is doubted
    assert grid.pitch_px >= FINE_ENOUGH_PX
    corners = grid.corners_px
    assert (corners.min(0) > 0).all()
    assert (corners.max(0) < pixels.shape[1::-1]).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_part_lies_where_the_photo_says(orientation: int) -> None:
    """The finer part of a photo, however it lies in its file, shows what the photo shows there."""
    pixels = cv2.resize(np.random.default_rng(0).integers(0, 255, (30, 40, 3), dtype=np.uint8), (4000, 3000))
    exif = bytes.fromhex("ffe10022457869660000") + b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"
    exif += bytes([orientation]) + bytes(6)
    data = jpeg(np.asarray(pixels, np.uint8))
    photo = load_photo(data[:2] + exif + data[2:], max_side=1000)
    area = np.array([[200.0, 300.0], [420.0, 460.0]])
    ((part, to_part),) = photo.closer([area], 2.0)
    seen = cv2.warpPerspective(part, to_part, photo.image_bgr.shape[1::-1], flags=cv2.WARP_INVERSE_MAP)
    shown = np.s_[302:458, 202:418]
    assert part.shape[0] == pytest.approx(320, abs=2)
    assert np.abs(seen[shown].astype(int) - photo.image_bgr[shown]).mean() < 4


def test_a_part_is_as_bright_and_white_as_the_photo() -> None:
    """What was done to the light of a photo is done to its parts."""
    green = np.full((3000, 4000, 3), (60, 180, 60), np.uint8)
    photo = in_white_light(load_photo(green, max_side=1000))
    ((part, _),) = photo.closer([np.array([[0.0, 0.0], [99.0, 99.0]])], 4.0)
    assert part.shape == (396, 396, 3)
    assert (part == photo.image_bgr[0, 0]).all()


def test_no_part_is_finer_than_the_photo() -> None:
    """A photo that was not reduced, or of which the pixels are all there is, has no finer parts."""
    photo = load_photo(np.full((1500, 2000, 3), 90, np.uint8), max_side=WINDOW_SIDE_PX)
    area = np.array([[0.0, 0.0], [99.0, 99.0]])
    assert photo.closer([area], 2.0) == []
    assert replace(photo, again=None, scale=0.1).closer([area], 2.0) == []


def test_memory_bounds_how_fine_a_part_is() -> None:
    """Of 100 megapixels no more than 50 are decoded at a time."""
    photo = load_photo(jpeg(np.zeros((8000, 12000, 3), np.uint8)), max_side=1000)
    ((part, _),) = photo.closer([np.array([[0.0, 0.0], [100.0, 100.0]])], 12.0)
    assert part.shape[0] == pytest.approx(600, abs=60)
