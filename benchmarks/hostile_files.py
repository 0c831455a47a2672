"""Files that somebody might send as a photo: spoilt ones, huge ones, and such as are none.

They are made from sample photos in every format that the reader takes. The same number gives the same file.
"""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from PIL import Image

from tests.vision.photos import FORMATS, encoded, picture, png_chunk

SAMPLES = Path(__file__).resolve().parent.parent / "sample_images"
NAMES = ("easy_daylight.jpg", "loose_dice.jpg", "tiny_window.jpg", "two_windows.jpg")
PNG_HEAD = b"\x89PNG\r\n\x1a\n"
TIFF_HEADS = (b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08")
HUGE_EVERY = 20  # one file of so many is as large as the reader takes, or a little larger

Make = Callable[[Image.Image], bytes]


def _cv(extension: str, *options: int, wide: bool = False) -> Make:
    def make(image: Image.Image) -> bytes:
        pixels = np.asarray(image, dtype=np.uint8)[..., ::-1]
        return cv2.imencode(extension, np.uint16(257) * pixels if wide else pixels, options)[1].tobytes()

    return make


def _as(kind: str, mode: str = "RGB", **options: object) -> Make:
    return lambda image: encoded(image.convert(mode), kind, **options)


def _several(kind: str, mode: str = "RGB") -> Make:
    def make(image: Image.Image) -> bytes:
        small = image.convert(mode).resize((image.width // 2, image.height // 2))
        more = [image.rotate(180).convert(mode), small if kind in ("HEIF", "MPO") else image.convert(mode)]
        if kind == "HEIF":
            together = pillow_heif.from_pillow(image)
            for one in more:
                together.add_from_pillow(one)
            buffer = io.BytesIO()
            together.save(buffer, quality=90)
            return buffer.getvalue()
        return encoded(image.convert(mode), kind, save_all=True, append_images=more)

    return make


def _clear_palette(image: Image.Image) -> bytes:
    return encoded(image.quantize(64), "PNG", transparency=3)


def _grey_16(image: Image.Image) -> bytes:
    return encoded(Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257), "PNG")


def _heic_10(image: Image.Image) -> bytes:
    wide = np.asarray(image).astype(np.uint16) * 257
    buffer = io.BytesIO()
    pillow_heif.from_bytes("RGB;16", image.size, wide.tobytes()).save(buffer, quality=90)
    return buffer.getvalue()


KINDS: Mapping[str, Make] = {
    "JPEG": _as("JPEG"),
    "progressive JPEG": _as("JPEG", progressive=True, subsampling=0),
    "CMYK JPEG": _as("JPEG", "CMYK"),
    "progressive CMYK JPEG": _as("JPEG", "CMYK", progressive=True),
    "grey JPEG": _as("JPEG", "L"),
    "JPEG without end": lambda image: encoded(image, "JPEG")[:-2],
    "JPEG with restarts": _cv(".jpg", cv2.IMWRITE_JPEG_RST_INTERVAL, 7),
    "MPO": _several("MPO"),
    "PNG": _as("PNG", compress_level=1),
    "PNG RGBA": _as("PNG", "RGBA", compress_level=1),
    "PNG LA": _as("PNG", "LA"),
    "PNG palette": _as("PNG", "P"),
    "PNG palette, clear": _clear_palette,
    "PNG 1 bit": _as("PNG", "1"),
    "PNG grey 16 bit": _grey_16,
    "PNG 16 bit": _cv(".png", wide=True),
    "APNG": _several("PNG", "RGBA"),
    "WebP": _as("WEBP"),
    "WebP lossless": _as("WEBP", lossless=True, method=0),
    "WebP RGBA": _as("WEBP", "RGBA"),
    "WebP animated": _several("WEBP"),
    "HEIC": _as("HEIF"),
    "HEIC RGBA": _as("HEIF", "RGBA"),
    "HEIC 10 bit": _heic_10,
    "HEIC of several": _several("HEIF"),
    "AVIF": _as("AVIF", speed=10),
    "AVIF RGBA": _as("AVIF", "RGBA", speed=10),
    "AVIF animated": _several("AVIF"),
}
# The longest side of a square that the reader takes, about. What it refuses by its header is spoilt as well.
HUGE = {
    "JPEG": 14_100,
    "progressive JPEG": 4_800,
    "CMYK JPEG": 13_000,
    "grey JPEG": 14_100,
    "PNG": 5_900,
    "PNG RGBA": 5_900,
    "PNG LA": 5_900,
    "PNG palette": 5_900,
    "PNG palette, clear": 5_900,
    "PNG grey 16 bit": 5_900,
    "WebP": 4_800,
    "WebP lossless": 4_150,
    "WebP RGBA": 4_150,
    "WebP animated": 4_800,
    "HEIC": 7_050,
    "AVIF": 3_850,
}


@cache
def whole(kind: str, name: str) -> bytes:
    """Return a sample photo in that format."""
    with Image.open(SAMPLES / name) as photo:
        return KINDS[kind](
            photo.convert("RGB").reduce(2) if kind.startswith(("HEIC", "AVIF")) else photo.convert("RGB")
        )


@cache
def huge(kind: str, side: int) -> bytes:
    """Return a plain picture in that format, few bytes for many pixels."""
    return KINDS[kind](Image.new("RGB", (side, side), (120, 90, 200)))


# --- what can be done to a file ------------------------------------------------------------------


def _flipped(data: bytes, rng: random.Random, within: int | None = None) -> bytes:
    spoilt = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64))):
        spoilt[rng.randrange(min(len(data), within or len(data)))] ^= 1 << rng.randrange(8)
    return bytes(spoilt)


def _head_flipped(data: bytes, rng: random.Random) -> bytes:
    return _flipped(data, rng, 700)


def _truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _block_changed(data: bytes, rng: random.Random) -> bytes:
    """Blank, leave out or repeat a piece, or put random bytes into its place."""
    at, length = rng.randrange(len(data)), rng.choice((1, 4, 100, 4096, 50_000))
    block = data[at : at + length]
    new = rng.choice((bytes(len(block)), b"", block * rng.choice((2, 20)), rng.randbytes(len(block))))
    return data[:at] + new + data[at + length :]


def _spliced(data: bytes, rng: random.Random) -> bytes:
    """Go on with another file in the middle."""
    other = whole(rng.choice(list(KINDS)), rng.choice(NAMES))
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def _parts_changed(data: bytes, rng: random.Random) -> bytes:
    """Leave out, repeat, move or spoil segments, chunks or boxes, which stay well formed in themselves."""
    head, parts = parts_of(data)
    for _ in range(rng.choice((1, 2, 5))):
        at = rng.randrange(len(parts))
        what = rng.randrange(5)
        if what == 0 and len(parts) > 1:
            del parts[at]
        elif what == 1:
            parts.insert(rng.randrange(len(parts)), parts[at])
        elif what == 2:
            parts.insert(rng.randrange(len(parts)), parts.pop(at))
        elif what == 3:
            other = whole(rng.choice(list(KINDS)), rng.choice(NAMES))
            parts.insert(at, rng.choice(parts_of(other)[1]))
        elif len(parts[at]) > 8:
            parts[at] = parts[at][:8] + _flipped(parts[at][8:], rng)
    return head + b"".join(_sealed(one) if head == PNG_HEAD else one for one in parts)


def _sealed(chunk: bytes) -> bytes:
    """Return a chunk of a PNG with the checksum that it should have: otherwise nobody looks into it."""
    return png_chunk(chunk[4:8], chunk[8:-4])


def parts_of(data: bytes) -> tuple[bytes, list[bytes]]:
    """Return the head of a file, and the pieces after it that it is made of."""
    begin = {b"\x89P": 8, b"RI": 12, b"\xff\xd8": 2}.get(data[:2], 0)
    at, parts = begin, []
    while at + 8 <= len(data):
        if begin == 8:
            length = 12 + int.from_bytes(data[at : at + 4], "big")
        elif begin == 12:
            length = 8 + int.from_bytes(data[at + 4 : at + 8], "little")
            length += length % 2
        elif begin == 2:
            # After a start of scan come the pixels, up to the end.
            length = len(data) if data[at + 1] == 0xDA else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        else:
            length = max(8, int.from_bytes(data[at : at + 4], "big"))
        parts.append(data[at : at + length])
        at += length
    return data[:begin], [*parts, data[at:]]


def _other_size(data: bytes, rng: random.Random) -> bytes:
    """Let the header claim another width and height."""
    width, height = (rng.choice((0, 1, 99, 640, 2_000, 4_600, 9_000, 16_383, 65_535)) for _ in range(2))
    if data.startswith(PNG_HEAD):
        rest = rng.choice((data[24:29], rng.randbytes(5), bytes((16, 6, 0, 0, 1)), bytes((8, 3, 0, 0, 0))))
        return PNG_HEAD + png_chunk(b"IHDR", struct.pack(">II", width, height) + rest) + data[33:]
    if data.startswith(b"RIFF"):
        if (at := data.find(b"VP8X")) > 0:
            sizes = (max(0, side - 1).to_bytes(3, "little") for side in (width, height))
            return data[: at + 12] + b"".join(sizes) + data[at + 18 :]
        if (at := data.find(b"VP8L")) > 0:
            bits = (width - 1 & 0x3FFF) | (height - 1 & 0x3FFF) << 14 | rng.randrange(2) << 28
            return data[: at + 9] + struct.pack("<I", bits) + data[at + 13 :]
        at = data.find(b"\x9d\x01\x2a") + 3
        return data[:at] + struct.pack("<HH", width & 0x3FFF, height & 0x3FFF) + data[at + 4 :]
    if (at := data.find(b"ispe")) > 0:
        return data[: at + 8] + struct.pack(">II", width, height) + data[at + 16 :]
    at = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2"))
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def _untouched(data: bytes, rng: random.Random) -> bytes:
    return data if rng.random() < 0.5 else data + rng.randbytes(rng.choice((1, 100, 100_000)))


SPOILING = (
    _flipped,
    _head_flipped,
    _truncated,
    _block_changed,
    _spliced,
    _parts_changed,
    _parts_changed,
    _other_size,
    _untouched,
)

# --- made from nothing ---------------------------------------------------------------------------


def _odd_exif(rng: random.Random) -> bytes:
    """Return EXIF data of random entries, or one that goes round in circles."""
    head, order = rng.choice(tuple(zip(TIFF_HEADS, "<>", strict=True)))
    count = rng.choice((0, 1, 20, 65_535))
    entries = b"".join(
        struct.pack(
            f"{order}HHII",
            rng.choice((0x0112, 0x010F, 0x0110, 0x8769, 0x8825, 0x927C, rng.randrange(65_536))),
            rng.randrange(16),
            rng.choice((0, 1, 5, 2**31, 2**32 - 1)),
            rng.choice((0, 8, rng.randrange(2**32))),
        )
        for _ in range(min(count, 20))
    )
    return b"Exif\0\0" + head + struct.pack(f"{order}H", count) + entries + struct.pack(f"{order}I", 8)


def _with_odd_data(rng: random.Random) -> bytes:
    """Return a good picture with EXIF data and a color profile that are none."""
    kind = rng.choice([one for one in FORMATS if one != "AVIF"])  # Pillow writes no odd data into that
    profile = rng.choice((b"", rng.randbytes(200), bytes(128) + b"\xff" * 60_000))
    if kind == "PNG" and rng.random() < 0.5:  # a text, or a profile, of many bytes
        head, parts = parts_of(encoded(picture(), kind))
        many = zlib.compress(bytes(rng.choice((1_000_000, 100_000_000))), 9)
        parts.insert(1, png_chunk(rng.choice((b"zTXt", b"iCCP")), b"a\0\0" + many))
        return head + b"".join(parts)
    options = {"icc_profile": profile} if profile else {}
    return encoded(picture(320, 240), kind, exif=_odd_exif(rng), **options)


def _no_photo(rng: random.Random) -> bytes:
    """Return something else, maybe with the first bytes of a photo."""
    head = rng.choice((b"\xff\xd8\xff", PNG_HEAD, b"RIFF\x40\0\0\0WEBPVP8 ", b"RIFF\x40\0\0\0WEBPVP8L",
                       b"\0\0\0\x18ftypheic\0\0\0\0", b"GIF89a", b"BM", b"II*\0", b"%PDF-1.7",
                       b"\0\0\0\x20ftypavif", b"PK\3\4", b"<svg ", b""))  # fmt: skip
    return head + rng.choice((b"", rng.randbytes(rng.randrange(1, 100_000)), bytes(5_000), b"<a>" * 999))


def hostile(number: int) -> tuple[str, bytes]:
    """Return the file of that number, and what it is."""
    rng = random.Random(number)
    if number % HUGE_EVERY == 0:
        kind = rng.choice(list(HUGE))
        side = round(HUGE[kind] * rng.choice((0.5, 1, 1.02)))
        spoil = rng.choice((_untouched, _untouched, *SPOILING))
        return f"{kind} of {side} x {side}, {spoil.__name__[1:]}", spoil(huge(kind, side), rng)
    if number % HUGE_EVERY in (1, 2):
        make = (_with_odd_data, _no_photo)[number % HUGE_EVERY - 1]
        return make.__name__[1:], make(rng)
    kind, name = rng.choice(list(KINDS)), rng.choice(NAMES)
    data, done = whole(kind, name), []
    for spoil in rng.sample(SPOILING, rng.choice((1, 1, 2))):
        data = spoil(data, rng) or b"\0"
        done.append(spoil.__name__[1:])
    return f"{kind} of {name}, {' and '.join(done)}", data
