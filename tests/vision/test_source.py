"""What a caller may give as a photo."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.photos import QUARTERS_RGB, assert_shows_the_picture, code_of, encoded, picture, quarters
from tests.vision.samples import SAMPLES
from vision import Reading, load_photo, read_photo, read_table
from vision.photo import Source

EASY = SAMPLES / "easy_daylight.jpg"


@pytest.mark.parametrize(
    "given",
    [
        lambda data, _: data,
        lambda data, _: bytearray(data),
        lambda data, _: memoryview(data),
        lambda data, _: io.BytesIO(data),
        lambda _, path: path,
        lambda _, path: str(path),
        lambda _, path: path.open("rb"),
        lambda data, _: Image.open(io.BytesIO(data)),
        lambda data, _: cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR),
        lambda data, _: load_photo(data),
    ],
    ids=["bytes", "bytearray", "memoryview", "BytesIO", "path", "text", "file", "Pillow", "array", "photo"],
)
def test_a_photo_comes_in_many_forms(tmp_path: Path, given: Callable[[bytes, Path], Source]) -> None:
    """A path, bytes, an open file, a Pillow image, an array and a loaded photo show the same picture."""
    data = encoded(picture(), "PNG")
    path = tmp_path / "a.png"
    path.write_bytes(data)
    source = given(data, path)
    photo = load_photo(source)
    if hasattr(source, "close"):
        source.close()
    assert photo.full_size == (160, 120)
    assert_shows_the_picture(photo.image_bgr)


def test_the_colors_of_an_array_are_in_the_order_that_is_said() -> None:
    """An array is BGR, or RGB where the caller says so."""
    rgb = np.asarray(picture())
    assert quarters(load_photo(rgb, color_order="RGB").image_bgr) == list(QUARTERS_RGB)
    assert quarters(load_photo(rgb[..., ::-1]).image_bgr) == list(QUARTERS_RGB)


def test_a_pillow_image_is_turned_upright_and_laid_on_white() -> None:
    """A Pillow image is treated as its file would be: EXIF orientation, transparency, gray."""
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = Image.open(io.BytesIO(encoded(picture().transpose(Image.Transpose.ROTATE_90), "PNG", exif=exif)))
    assert_shows_the_picture(load_photo(turned).image_bgr)
    clear = Image.new("RGBA", (200, 200), (10, 20, 30, 0))
    assert load_photo(clear).image_bgr.min() == 255
    assert load_photo(picture().convert("L")).image_bgr.shape == (120, 160, 3)


def test_an_array_is_reduced_as_a_file_is_and_not_changed() -> None:
    """Pixels are brought down to the longest side asked for, and the caller's array stays as it was."""
    array = np.asarray(picture(400, 300))[..., ::-1].copy()
    before = array.copy()
    photo = load_photo(array, max_side=200)
    assert (photo.image_bgr.shape, photo.full_size, photo.scale) == ((150, 200, 3), (400, 300), 0.5)
    assert np.array_equal(array, before)
    assert code_of(np.zeros((99, 300, 3), np.uint8)) == "too_small"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (None, "not NoneType"),
        (7, "not int"),
        ([1, 2], "not list"),
        (io.StringIO("text"), 'mode "rb"'),
        (np.zeros((200, 200), np.uint8), "200 x 200 and uint8"),
        (np.zeros((200, 200, 4), np.uint8), "200 x 200 x 4 and uint8"),
        (np.zeros((200, 200, 3)), "float64"),
    ],
)
def test_what_is_no_photo_is_a_type_error_that_says_what_is(source: Any, said: str) -> None:  # noqa: ANN401
    """A wrong type, shape or kind of numbers is named, with what is accepted."""
    for read in (load_photo, read_photo, read_table):
        with pytest.raises(TypeError, match=said):
            read(source)


def test_a_wrong_order_of_colors_is_a_type_error() -> None:
    """Only the two orders that there are can be named."""
    with pytest.raises(TypeError, match="GBR"):
        load_photo(np.zeros((200, 200, 3), np.uint8), color_order="GBR")  # type: ignore[arg-type]


def same(one: Reading, other: Reading) -> bool:
    """Tell whether two readings differ in nothing but the time they took."""
    first, second = one.to_json(), other.to_json()
    return {**first, "seconds": 0} == {**second, "seconds": 0}


def test_an_array_is_read_as_its_file_is() -> None:
    """A reading does not depend on who decoded the photo; tables take arrays, too."""
    of_file = read_photo(EASY)
    bgr = load_photo(EASY, max_side=None).image_bgr
    assert same(read_photo(load_photo(EASY)), of_file)
    assert str(read_photo(bgr).board) == str(of_file.board)
    assert str(read_photo(np.ascontiguousarray(bgr[..., ::-1]), color_order="RGB").board) == str(
        of_file.board
    )
    assert [str(one.board) for one in read_table(bgr).windows] == [str(of_file.board)]
