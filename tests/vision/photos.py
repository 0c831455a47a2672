"""Photos made for tests: one picture in every format, and what to check on it."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pillow_heif
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.errors import PhotoError
from vision.photo import Source, load_photo

# Quarters in reading order; every turn and mirror of them looks different.
QUARTERS_RGB = ((200, 30, 30), (30, 160, 60), (40, 60, 200), (240, 240, 240))
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF")


def picture(width: int = 160, height: int = 120) -> Image.Image:
    """Return a picture of four plain quarters."""
    image = Image.new("RGB", (width, height))
    for index, color in enumerate(QUARTERS_RGB):
        row, column = divmod(index, 2)
        image.paste(color, (column * width // 2, row * height // 2, width, height))
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return the picture as a file of that format, colors kept well."""
    buffer = io.BytesIO()
    if kind == "HEIF":
        pillow_heif.from_pillow(image).save(buffer, quality=95, **options)
    elif kind in ("JPEG", "MPO", "WEBP", "AVIF"):
        image.save(buffer, kind, quality=95, **options)
    else:
        image.save(buffer, kind, **options)
    return buffer.getvalue()


def quarters(image_bgr: NDArray[np.uint8]) -> list[tuple[int, int, int]]:
    """Return the RGB colors in the middles of the four quarters."""
    height, width = image_bgr.shape[:2]
    places = [(height // 4, width // 4), (height // 4, 3 * width // 4)]
    places += [(3 * height // 4, width // 4), (3 * height // 4, 3 * width // 4)]
    return [tuple(int(v) for v in image_bgr[y, x, ::-1]) for y, x in places]  # type: ignore[misc]


def assert_shows_the_picture(image_bgr: NDArray[np.uint8]) -> None:
    """Check that the quarters have their colors, as near as a lossy format keeps them."""
    assert np.abs(np.array(quarters(image_bgr)) - QUARTERS_RGB).max() <= 12


def code_of(source: Source) -> str:
    """Return the code of the error that loading the photo ends in."""
    with pytest.raises(PhotoError) as caught:
        load_photo(source)
    error = caught.value
    assert error.message.endswith(".")
    assert error.next_step.endswith(".")
    return error.code


def transparent(mode: str) -> Image.Image:
    """Return a black picture whose left half cannot be seen and whose right half is half-transparent."""
    pixels = np.zeros((120, 160, 4), np.uint8)
    pixels[:, 80:, 3] = 128
    return Image.fromarray(pixels).convert(mode)


def png_chunk(kind: bytes, content: bytes) -> bytes:
    """Return one chunk of a PNG file."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
