"""Which camera took a photo, as its file says; broken files say nothing and are read all the same."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vision.camera import Camera, with_camera
from vision.photo import load_photo

PHONE = Camera("Apple", "iPhone 15", 2.22, 14)


def photo(kind: str, exif: bytes) -> bytes:
    """Return a gray photo with a block of EXIF."""
    stream = BytesIO()
    Image.fromarray(np.full((120, 160, 3), 90, np.uint8)).save(stream, kind, exif=exif)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_format_says_its_camera(kind: str) -> None:
    """Make, model and both focal lengths are told from the file, and so is that there are none."""
    assert load_photo(photo(kind, PHONE.to_exif())).camera == PHONE
    assert load_photo(photo(kind, Image.Exif().tobytes())).camera is None


def test_a_camera_is_written_into_a_photo() -> None:
    """A JPEG that says nothing says its camera then, and shows the same."""
    plain = photo("JPEG", b"")
    marked = with_camera(plain, Camera("", "X", 4.0))
    assert load_photo(marked).camera == Camera("", "X", 4.0)
    assert (load_photo(marked).image_bgr == load_photo(plain).image_bgr).all()


@given(st.binary(max_size=80), st.integers(0, 140))
def test_a_broken_block_names_no_camera(noise: bytes, cut: int) -> None:
    """Whatever stands in a file, it is a camera or none."""
    whole = PHONE.to_exif()
    for block in (noise, whole[:cut], whole[:cut] + noise, None, "text"):
        assert Camera.of_exif(block) is None or isinstance(Camera.of_exif(block), Camera)


def test_a_digital_zoom_is_another_camera() -> None:
    """It changes only the length on film, and the bend with it."""
    assert Camera("Apple", "iPhone 15", 2.22, 28) != PHONE


def test_people_read_its_name_once() -> None:
    """A model that begins with its make is not called by it twice."""
    assert str(Camera("Canon", "Canon EOS R5", 24.0)) == "Canon EOS R5, 24.0 mm"
