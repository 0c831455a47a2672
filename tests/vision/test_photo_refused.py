"""What is no photo, or not a whole one, or too large: refused with a reason, and with nothing else."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.vision.photos import FORMATS, assert_shows_the_picture, code_of, encoded, picture, png_chunk
from vision.errors import PhotoError, VisionError
from vision.photo import MAX_BYTES, MAX_SCANS, load_photo

EASY = Path(__file__).parents[2] / "sample_images" / "easy_daylight.jpg"

# --- too large, too small ------------------------------------------------------------------------


def huge_png(width: int, height: int) -> bytes:
    """Return the start of a PNG that claims to be that large."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", pixels)


def huge_jpeg(width: int, height: int) -> bytes:
    """Return a small JPEG whose header claims another size."""
    data = encoded(picture(), "JPEG")
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def huge_webp(width: int, height: int) -> bytes:
    """Return the start of a WebP without loss that claims to be that large, in as few bytes as it gets."""
    pixels = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + bytes(20)
    return b"RIFF" + struct.pack("<I4s4sI", 12 + len(pixels), b"WEBP", b"VP8L", len(pixels)) + pixels + b"\0"


def huge_lossy_webp(width: int, height: int) -> bytes:
    """Return an animated WebP whose first picture claims another size."""
    data = encoded(picture(), "WEBP", save_all=True, append_images=[Image.new("RGB", (160, 120))])
    at = data.index(b"\x9d\x01\x2a") + 3
    return data[:at] + struct.pack("<HH", width, height) + data[at + 4 :]


def huge_heic(width: int, height: int, kind: str = "HEIF") -> bytes:
    """Return a small HEIC whose image property claims another size."""
    data = encoded(picture(), kind)
    return data.replace(
        b"ispe" + struct.pack(">III", 0, 160, 120), b"ispe" + struct.pack(">III", 0, width, height)
    )


def huge_progressive(width: int, height: int) -> bytes:
    """Return a small JPEG in several scans and without fewer colors than pixels, of another size."""
    data = encoded(picture(), "JPEG", progressive=True, subsampling=0)
    at = data.index(b"\xff\xc2") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


@pytest.mark.parametrize(
    ("make", "side"),
    [
        (huge_png, 6_200),
        (huge_webp, 4_400),
        (huge_lossy_webp, 5_100),
        (huge_heic, 7_100),
        (partial(huge_heic, kind="AVIF"), 4_200),
        (huge_jpeg, 14_200),
        (huge_progressive, 5_100),
    ],
)
def test_huge_photos_are_refused_before_decoding(make: Callable[[int, int], bytes], side: int) -> None:
    """A few bytes that claim more pixels than a photo may take memory for are refused."""
    assert code_of(make(side, side)) == "photo_too_large"


def test_our_bound_counts_and_not_pillows() -> None:
    """Between our bound and that of Pillow, which warns at 89 megapixels, no warning gets out."""
    assert code_of(huge_png(9_500, 10_000)) == "photo_too_large"
    assert code_of(huge_png(20_000, 20_000)) == "photo_too_large"
    assert code_of(huge_webp(16_384, 16_384)) == "photo_too_large"


def test_files_above_60_megabytes_are_refused(tmp_path: Path) -> None:
    """The bound holds for bytes and for files."""
    path = tmp_path / "long.jpg"
    with path.open("wb") as file:
        file.write(b"\xff\xd8\xff")
        file.truncate(10 * MAX_BYTES)
    assert code_of(path) == "photo_too_large"
    assert code_of(bytes(MAX_BYTES + 1)) == "photo_too_large"


@pytest.mark.parametrize("kind", FORMATS)
def test_tiny_photos_are_refused(kind: str) -> None:
    """Below 100 pixels on the short side nobody can read twenty dice."""
    assert code_of(encoded(picture(300, 98), kind)) == "too_small"
    assert load_photo(encoded(picture(100, 100), kind)).full_size == (100, 100)


# --- what is no photo ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*FORMATS, "progressive JPEG"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_truncated_files_are_told_apart(kind: str, share: float) -> None:
    """A file that ends too early is never read as a photo with a grey rest."""
    rng = np.random.default_rng(7)
    noise = Image.fromarray(rng.integers(0, 256, (120, 160, 3), np.uint8))
    data = encoded(noise, "JPEG", progressive=True) if kind == "progressive JPEG" else encoded(noise, kind)
    assert code_of(data[: int(len(data) * share)]) == "photo_truncated"


def test_jpeg_is_complete_only_with_its_own_pixels() -> None:
    """The end marker of a thumbnail inside the EXIF block does not count, bytes after the end do no harm."""
    data = encoded(picture(), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0" + b"\xff\xd8\xff\xd9" * 9)
    assert code_of(data[: data.rindex(b"\xff\xda")]) == "photo_truncated"
    assert_shows_the_picture(load_photo(data + b"\0" * 99 + data[: len(data) // 2]).image_bgr)


CODINGS: dict[str, dict[str, object]] = {
    "baseline": {},
    "own tables": {"optimize": True, "subsampling": 0},
    "restart markers": {"restart_marker_rows": 1},
    "progressive": {"progressive": True},
    "progressive with restart markers": {"progressive": True, "restart_marker_rows": 1},
}
TRAILERS = {
    "nothing": b"",
    "of a Samsung phone": b"\0\0\1\nImage_UTC_Data1467038485000" + np.random.default_rng(3).bytes(3000),
    "zeros": bytes(5000),
    "zeros and more": bytes(5000) + b"\1",
    "a marker of restart and more": b"\xff\xd3" + np.random.default_rng(4).bytes(3000),
    "tables, an end and more": b"\xff\xc4\0\x05ab\xff\xd9" + np.random.default_rng(5).bytes(3000),
    "another JPEG": encoded(picture(), "JPEG"),
}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("trailer", TRAILERS)
def test_jpeg_may_lack_its_end_marker_and_no_pixel(coding: str, trailer: str) -> None:
    """Where only the end marker is missing the pixels are those of the whole; without some it is refused."""
    with Image.open(EASY) as photo:
        data = encoded(photo.reduce(2), "JPEG", **CODINGS[coding])
    behind, scan = TRAILERS[trailer], len(data) - 2 - data.index(b"\xff\xda")
    read = load_photo(data[:-2] + behind)
    assert np.array_equal(read.image_bgr, load_photo(data).image_bgr)
    for missing in (0.01, 0.05, 0.5) if behind else (0.002, 0.01, 0.05, 0.5):
        assert code_of(data[: int(len(data) - 2 - missing * scan)] + behind) == "photo_truncated"


@pytest.mark.parametrize("coding", ["baseline", "own tables", "restart markers"])
def test_a_jpeg_that_was_cut_and_closed_lacks_pixels_all_the_same(coding: str) -> None:
    """Who passed half a photo on may have put an end marker behind it; an even end of a whole one is read."""
    with Image.open(EASY) as photo:
        half = photo.reduce(2)
    data = encoded(half, "JPEG", **CODINGS[coding])
    scan = len(data) - 2 - data.index(b"\xff\xda")
    for missing in (0.02, 0.05, 0.5):
        assert code_of(data[: int(len(data) - 2 - missing * scan)] + b"\xff\xd9") == "photo_truncated"
    half.paste("black", (0, half.height - 40, *half.size))
    exif = b"Exif\0\0II*\0\xff\xff\xff\xff"  # broken
    barred = encoded(half, "JPEG", exif=exif, **CODINGS[coding])
    for whole in (barred, barred[:-2]):
        assert load_photo(whole).full_size == half.size


def test_many_zeros_behind_the_pixels_are_looked_at_once() -> None:
    """A million of them, with something after them, would take hours if each began another search."""
    data = encoded(picture(), "JPEG")
    assert_shows_the_picture(load_photo(data[:-2] + bytes(1_000_000) + b"\1").image_bgr)


def test_jpeg_of_endless_scans_is_refused() -> None:
    """Each scan costs a pass over the picture, so a file of very many is not decoded."""
    data = encoded(picture(), "JPEG", progressive=True)
    first = data.index(b"\xff\xda")
    scan = data[first : data.index(b"\xff\xc4", first)]
    assert code_of(data[:first] + scan * MAX_SCANS + data[first:]) == "photo_truncated"


def test_jpeg_of_endless_segments_is_refused() -> None:
    """A file of nothing but empty comments is given up on."""
    assert code_of(b"\xff\xd8" + b"\xff\xfe\x00\x02" * 100_000) == "photo_truncated"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"Y5 -- R4", "not a photo"),
        (b"<html><body>Not found</body></html>", "not a photo"),
        (b"\xff\xd8", "not a photo"),
        (b"GIF89a" + bytes(50), "GIF"),
        (b"BM" + bytes(50), "BMP"),
        (b"II*\0" + bytes(50), "TIFF"),
        (b"MM\0*" + bytes(50), "TIFF"),
        (b"%PDF-1.7", "PDF"),
        (b"\0\0\0\x18ftypcrx " + bytes(50), "RAW"),
        (b"\0\0\0\x14ftypqt  " + bytes(50), "MOV"),
        (b"\0\0\0\x20ftypisom" + bytes(50), "MP4"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42avc1heic" + bytes(50), "MP4"),  # the last is behind that box
        (b"\xff\x0a" + bytes(50), "JPEG XL"),
        (b"\0\0\0\x0cJXL \r\n\x87\n" + bytes(50), "JPEG XL"),
        (b"\xff\x4f\xff\x51" + bytes(50), "JPEG 2000"),
        (b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(50), "JPEG 2000"),
    ],
)
def test_other_files_are_named(data: bytes, words: str) -> None:
    """A file that is no photo is refused with what it is instead."""
    with pytest.raises(PhotoError, match=words) as caught:
        load_photo(data)
    assert caught.value.code == "not_a_photo"


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "AVIF"])
@pytest.mark.parametrize("color", ["white", "black"])
def test_an_animation_that_begins_with_nothing_is_named(kind: str, color: str) -> None:
    """Where the first picture of several has one color alone, that is told; a still of one color is read."""
    blank = Image.new("RGB", (160, 120), color)
    moving = encoded(blank, kind, save_all=True, append_images=[picture()])
    assert code_of(moving) == "empty_animation"
    assert load_photo(encoded(blank, kind)).full_size == (160, 120)
    clear = Image.new("RGBA", (160, 120))
    shown = picture().convert("RGBA")
    assert code_of(encoded(clear, kind, save_all=True, append_images=[shown])) == "empty_animation"


@pytest.mark.parametrize("head", [b"\xff\x0a", b"\xff\x4f\xff\x51"])
def test_pictures_of_other_kinds_can_be_saved_anew(head: bytes) -> None:
    """What an app shows as a picture and cannot be read here can be saved as a JPEG there."""
    with pytest.raises(PhotoError, match="Save the picture as a JPEG in the app that shows it"):
        load_photo(head + bytes(50))


def test_missing_files_are_told_by_name(tmp_path: Path) -> None:
    """No file, a folder, a file in place of a folder and an impossible name are all ``photo_missing``."""
    (tmp_path / "file").touch()
    for path in (tmp_path / "none.jpg", tmp_path, tmp_path / "file" / "a.jpg", "a\0b.jpg"):
        assert code_of(path) == "photo_missing"
    with pytest.raises(PhotoError, match=r"none\.jpg"):
        load_photo(tmp_path / "none.jpg")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied"), "may not"),
        (OSError(5, "Input/output error"), "Input/output"),
    ],
)
def test_unreadable_files_are_told_by_reason(
    monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    """A file that the system does not hand out is reported with the system's reason."""

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PhotoError, match=words) as caught:
        load_photo("a.jpg")
    assert caught.value.code == "photo_missing"


# --- whatever else comes -------------------------------------------------------------------------

HEADS = (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\x40\0\0\0WEBP", b"\0\0\0\x18ftypheic")
SMALL = {kind: encoded(picture(128, 104), kind) for kind in FORMATS}


@given(head=st.sampled_from(HEADS), rest=st.binary(max_size=300))
def test_garbage_is_refused(head: bytes, rest: bytes) -> None:
    """Whatever follows the first bytes of a format, nothing but a VisionError comes out."""
    with pytest.raises(VisionError):
        load_photo(head + rest)


PLACES = st.integers(0, 700) | st.floats(0, 1)  # of a header, where size and coding stand, or anywhere


@given(
    kind=st.sampled_from(FORMATS),
    changes=st.lists(st.tuples(PLACES, st.binary(max_size=6), st.integers(0, 6)), max_size=8),
    share=st.one_of(st.just(1.0), st.floats(0, 1)),
)
def test_damaged_photos_load_or_are_refused(
    kind: str, changes: list[tuple[float, bytes, int]], share: float
) -> None:
    """A photo with bytes changed, lost, added or cut off gives a picture or a VisionError, nothing else."""
    data = SMALL[kind]
    for place, new, lost in changes:
        at = place if isinstance(place, int) else int(place * len(data))
        data = data[:at] + new + data[at + lost :]
    try:
        photo = load_photo(data[: int(len(data) * share)], max_side=100)
    except VisionError:
        return
    assert photo.image_bgr.dtype == np.uint8
    assert photo.image_bgr.shape[2] == 3
    height, width = photo.image_bgr.shape[:2]
    assert max(height, width) <= 100 or height * width <= 100 * 52  # of a panorama
