"""From bytes to an upright picture, whatever a phone wrote."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.vision.photos import (
    FORMATS,
    QUARTERS_RGB,
    assert_shows_the_picture,
    encoded,
    picture,
    png_chunk,
    quarters,
    transparent,
)
from vision.photo import decode, load_photo

# --- formats -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*FORMATS, "MPO"])
def test_every_format_gives_the_same_picture(kind: str) -> None:
    """JPEG, PNG, WebP, HEIC and MPO come out as contiguous uint8 BGR of the file's size."""
    photo = load_photo(encoded(picture(), kind))
    assert photo.image_bgr.shape == (120, 160, 3)
    assert photo.image_bgr.dtype == np.uint8
    assert photo.image_bgr.flags.c_contiguous
    assert (photo.full_size, photo.scale) == ((160, 120), 1.0)
    assert_shows_the_picture(photo.image_bgr)


T = Image.Transpose
# How a camera stores the upright picture for each orientation: the reverse of the turn that EXIF 2.32,
# 4.6.4, asks of the viewer.
STORED_AS = {
    1: None,
    2: T.FLIP_LEFT_RIGHT,
    3: T.ROTATE_180,
    4: T.FLIP_TOP_BOTTOM,
    5: T.TRANSPOSE,
    6: T.ROTATE_90,
    7: T.TRANSVERSE,
    8: T.ROTATE_270,
}


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("orientation", STORED_AS)
def test_every_orientation_comes_out_upright(orientation: int, kind: str) -> None:
    """Each of the eight EXIF orientations is undone exactly once, in pixels and in the full size."""
    turn = STORED_AS[orientation]
    stored = picture() if turn is None else picture().transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = load_photo(encoded(stored, kind, exif=exif.tobytes()))
    assert photo.full_size == (160, 120)
    assert photo.image_bgr.shape == (120, 160, 3)
    assert_shows_the_picture(photo.image_bgr)


BIG_ENDIAN_HEAD = b"Exif\0\0MM\0*\0\0\0\x08"
BROKEN_EXIF = {
    "no TIFF header": b"Exif\0\0nonsense",
    "directory beyond the end": b"Exif\0\0II*\0\xff\xff\xff\xff",
    "more entries than bytes": BIG_ENDIAN_HEAD + b"\xff\xff\x01\x0f\x00\x02",
    "orientation 9": BIG_ENDIAN_HEAD + b"\0\x01\x01\x12\0\x03\0\0\0\x01\0\x09\0\0\0\0\0\0",
    "orientation as text": BIG_ENDIAN_HEAD + b"\0\x01\x01\x12\0\x02\0\0\0\x01\0\x06\0\0\0\0\0\0",
    "other tag far away": BIG_ENDIAN_HEAD + b"\0\x01\x01\x0f\0\x02\0\0\xff\xff\0\xff\xff\xff\0\0\0\0",
}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("exif", BROKEN_EXIF.values(), ids=BROKEN_EXIF)
def test_broken_exif_leaves_the_photo_as_it_is(exif: bytes, kind: str) -> None:
    """EXIF that makes no sense is as good as none, and nothing warns of it."""
    assert_shows_the_picture(load_photo(encoded(picture(), kind, exif=exif)).image_bgr)


def png_of(pixels: NDArray[np.uint16]) -> bytes:
    """Return OpenCV's PNG of the pixels, which may have 16 bits a channel."""
    return cv2.imencode(".png", pixels)[1].tobytes()


GREY_RAMP = np.tile(np.linspace(0, 65535, 128).astype(np.uint16), (110, 1))
DEPTHS: dict[str, tuple[bytes, NDArray[np.uint8]]] = {
    "16-bit grey PNG": (png_of(GREY_RAMP), np.dstack([GREY_RAMP >> 8] * 3).astype(np.uint8)),
    "16-bit color PNG": (
        png_of(np.dstack([GREY_RAMP, GREY_RAMP[:, ::-1], GREY_RAMP // 2])),
        (np.dstack([GREY_RAMP, GREY_RAMP[:, ::-1], GREY_RAMP // 2]) >> 8).astype(np.uint8),
    ),
    "16-bit grey HEIC": (
        encoded(Image.fromarray(GREY_RAMP), "HEIF"),
        np.dstack([GREY_RAMP >> 8] * 3).astype(np.uint8),
    ),
}


@pytest.mark.parametrize(("data", "expected_bgr"), DEPTHS.values(), ids=DEPTHS)
def test_sixteen_bits_become_eight(data: bytes, expected_bgr: NDArray[np.uint8]) -> None:
    """Deep pictures keep their high byte and are not clipped."""
    image = load_photo(data).image_bgr
    assert np.abs(image.astype(int) - expected_bgr).max() <= 3


@pytest.mark.parametrize(
    ("mode", "kind", "tolerance"),
    [("P", "PNG", 12), ("CMYK", "JPEG", 12), ("RGBA", "PNG", 0), ("RGBA", "WEBP", 12), ("YCbCr", "JPEG", 12)],
)
def test_other_color_modes_become_bgr(mode: str, kind: str, tolerance: int) -> None:
    """Palette, CMYK and alpha files show the same colors as plain ones."""
    converted = picture().convert(mode, palette=Image.Palette.ADAPTIVE)
    image = load_photo(encoded(converted, kind)).image_bgr
    assert np.abs(np.array(quarters(image)) - QUARTERS_RGB).max() <= tolerance


@pytest.mark.parametrize(("mode", "kind"), [("L", "JPEG"), ("L", "PNG"), ("1", "PNG"), ("L", "HEIF")])
def test_grey_photos_have_three_equal_channels(mode: str, kind: str) -> None:
    """A photo without color comes out as BGR all the same."""
    image = load_photo(encoded(picture().convert(mode), kind)).image_bgr.astype(int)
    assert image.shape == (120, 160, 3)
    assert np.ptp(image, axis=2).max() <= 2
    assert np.ptp(image) > 100


@pytest.mark.parametrize(
    ("mode", "kind"), [("RGBA", "PNG"), ("LA", "PNG"), ("RGBA", "WEBP"), ("RGBA", "HEIF")]
)
def test_transparent_places_lie_on_white(mode: str, kind: str) -> None:
    """What is transparent shows white paper, by how much it is transparent."""
    image = load_photo(encoded(transparent(mode), kind)).image_bgr
    assert image[60, 20].tolist() == pytest.approx([255] * 3, abs=4)
    assert image[60, 140].tolist() == pytest.approx([127] * 3, abs=4)


def test_palette_and_single_color_transparency_lie_on_white() -> None:
    """A transparent palette entry and a transparent grey become white."""
    paletted = picture().quantize(4)
    index = paletted.getpixel((0, 0))
    assert load_photo(encoded(paletted, "PNG", transparency=index)).image_bgr[10, 10].tolist() == [255] * 3
    grey = Image.new("L", (120, 120), 50)
    assert load_photo(encoded(grey, "PNG", transparency=50)).image_bgr[10, 10].tolist() == [255] * 3


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "MPO", "AVIF"])
def test_animation_gives_its_first_picture(kind: str) -> None:
    """Of several pictures in a file the first counts."""
    others = [Image.new("RGB", (160, 120), "black")] * 2
    photo = load_photo(encoded(picture(), kind, save_all=True, append_images=others))
    assert_shows_the_picture(photo.image_bgr)


def test_heic_gives_its_main_picture() -> None:
    """A HEIC file says itself which of its pictures is the photo."""
    heif = pillow_heif.from_pillow(Image.new("RGB", (160, 120), "black"))
    heif.add_from_pillow(picture())
    buffer = io.BytesIO()
    heif.save(buffer, quality=95, primary_index=1)
    assert_shows_the_picture(load_photo(buffer.getvalue()).image_bgr)


def rebranded(data: bytes, major: bytes, *others: bytes) -> bytes:
    """Return a HEIF or AVIF file that says it is of other brands; their number stays."""
    end = int.from_bytes(data[:4], "big")
    assert end == 16 + 4 * len(others)
    return data[:8] + major + data[12:16] + b"".join(others) + data[end:]


@pytest.mark.parametrize("major", [b"mif1", b"mif2", b"msf1", b"1pic", b"miaf", b"MiHB", b"iso8"])
def test_heif_and_avif_are_told_by_all_their_brands(major: bytes) -> None:
    """Whatever brand stands first, a picture is told by the others, too, and read."""
    assert_shows_the_picture(
        load_photo(rebranded(encoded(picture(), "HEIF"), major, b"mif1", b"heic", b"miaf")).image_bgr
    )
    avif = rebranded(encoded(picture(), "AVIF"), major, b"mif1", b"miaf", b"MA1B", b"avif")
    assert_shows_the_picture(load_photo(avif).image_bgr)


@pytest.mark.parametrize("brand", [b"miaf", b"mif1", b"mif3", b"MiPr", b"MiHB"])
def test_a_picture_that_names_its_container_alone_is_read(brand: bytes) -> None:
    """What is in it tells HEIF from AVIF; decoders would refuse it."""
    for kind, others in (("HEIF", 3), ("AVIF", 4)):
        assert_shows_the_picture(
            load_photo(rebranded(encoded(picture(), kind), brand, *[brand] * others)).image_bgr
        )


def test_odd_png_chunks_neither_warn_nor_fail() -> None:
    """An animation of no frames and a text called "exif" do not keep a PNG from being read."""
    data = encoded(picture(), "PNG")
    odd = png_chunk(b"acTL", bytes(8)) * 3 + png_chunk(b"tEXt", b"exif\0MM")
    assert_shows_the_picture(load_photo(data[:33] + odd + data[33:]).image_bgr)


# --- size ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    ("size", "max_side", "decoded", "result"),
    [
        ((400, 300), 240, (200, 150), (200, 150)),  # as 12 megapixels: half size is near enough
        ((300, 400), 240, (150, 200), (150, 200)),
        ((300, 200), 240, (300, 200), (240, 160)),  # half size would lose too much
        ((571, 428), 240, (286, 214), (240, 180)),  # as 24 megapixels: half size, then reduced
        ((806, 604), 240, (202, 151), (202, 151)),  # as 48 megapixels: a quarter
        ((1600, 1200), 200, (200, 150), (200, 150)),
        ((240, 180), 240, (240, 180), (240, 180)),
        ((160, 120), 2400, (160, 120), (160, 120)),
        ((400, 300), None, (400, 300), (400, 300)),
        ((1600, 200), 240, (400, 50), (400, 50)),  # a panorama: nearly as many pixels as 240 x 120
    ],
)
def test_large_photos_are_decoded_small(
    kind: str,
    size: tuple[int, int],
    max_side: int | None,
    decoded: tuple[int, int],
    result: tuple[int, int],
) -> None:
    """A photo comes out with at most ``max_side`` and at least 3/4 of it, decoded no larger than needed."""
    data = encoded(picture(*size), kind)
    assert decode(data, max_side).image_bgr.shape[1::-1] == decoded
    photo = load_photo(data, max_side=max_side)
    assert photo.image_bgr.shape[1::-1] == result
    assert photo.full_size == size
    assert photo.scale == max(result) / max(size)
    assert_shows_the_picture(photo.image_bgr)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("orientation", [1, 6])
def test_scale_takes_full_size_pixels_to_the_picture(kind: str, orientation: int) -> None:
    """What lies at a place of the full-size upright photo lies at ``scale`` times that place."""
    x, y = 300, 80
    image = Image.new("RGB", (571, 428), "black")
    image.paste("white", (x - 10, y - 10, x + 10, y + 10))
    turn = STORED_AS[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = image if turn is None else image.transpose(turn)
    photo = load_photo(encoded(stored, kind, exif=exif.tobytes()), max_side=240)
    rows, columns = np.nonzero(photo.image_bgr[..., 1] > 128)
    middle = np.array([columns.mean() + 0.5, rows.mean() + 0.5])
    assert middle == pytest.approx(np.array([x, y]) * photo.scale, abs=0.6)


def test_photos_of_50_megapixels_are_read() -> None:
    """Phones with large sensors take 50 megapixels, which is within the bounds."""
    photo = load_photo(encoded(Image.new("RGB", (8192, 6144), "white"), "JPEG"))
    assert photo.image_bgr.shape == (1536, 2048, 3)


# --- being a good neighbor -----------------------------------------------------------------------


def test_pillow_stays_as_it_was(tmp_path: Path, project_root: Path) -> None:
    """Neither importing the module nor loading a HEIC photo changes what Pillow does elsewhere."""
    path = tmp_path / "photo.heic"
    path.write_bytes(encoded(picture(), "HEIF"))
    script = """
import sys
from PIL import Image, ImageFile
def state():
    return Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES, "HEIF" in Image.OPEN
before = state()
from vision.photo import load_photo
load_photo(sys.argv[1])
assert state() == before, (before, state())
"""
    subprocess.run([sys.executable, "-W", "error", "-c", script, str(path)], check=True, cwd=project_root)
