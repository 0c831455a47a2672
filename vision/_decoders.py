"""Decode one photo as it lies in its file: what format it is, how large, how it is turned, its pixels.

JPEG is decoded by OpenCV, straight at 1/2, 1/4 or 1/8 of its size where that is enough (measured:
16 ms for 12 megapixels, Pillow's draft mode 21 to 31 ms); its header is walked here first, because
OpenCV fills what a cut-off file lacks with grey. WebP is OpenCV's too, in a third of the memory that
Pillow takes for it. PNG goes through Pillow, HEIC through pillow-heif; Pillow's reader class is called
directly, since ``Image.open`` warns where this module has its own bound, and Python's warning filters are
not thread-safe.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from scoring.sentences import sentence
from vision._jpeg import Size, orientation_of, walk
from vision._webp import first_still
from vision.errors import PhotoError, VisionError, damaged, too_large

MAX_PIXELS = 200_000_000
"""Of a JPEG whose rows come one after the other: it is decoded reduced, 100 megapixels in 40 MB."""

MAX_DECODED_BYTES = 140_000_000
"""What one photo may take while it is decoded; with what is made of it that stays below 200 MB."""

MAX_HEIC_PIXELS = 50_000_000
"""Phones write 48 megapixels as HEIC, which cannot be decoded reduced: five bytes a pixel, measured."""

PNG_BYTES_A_PIXEL = 4
"""Pillow's own pixels."""

STRIP_ROWS = 512
"""So many rows are converted at a time, since a converted picture lies beside the one it is made of."""

MIN_SIDE_PX = 100

REDUCTION_KEEPS = 0.75
"""A reduced decoding must keep this share of the side asked for: for 2400 px, 4000 may become 2000."""

Image8 = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Decoded:
    """Pixels as they stand in the file, maybe reduced.

    ``image_bgr`` is uint8, H x W x 3, BGR; ``full_size`` is (width, height) in the file;
    ``orientation`` says how the picture lies there (EXIF, 1 to 8); ``profile`` is its ICC profile, if any.
    """

    image_bgr: Image8
    full_size: Size
    orientation: int = 1
    profile: bytes | None = None


def decode(data: bytes, max_side: int | None) -> Decoded:
    """Decode the file, at full size or reduced by 2, 4 or 8 to at least 3/4 of ``max_side``.

    Raises
    ------
    PhotoError
        The bytes are no photo, incomplete, too large or too small.
    """
    decoder = _decoder_for(data)
    try:
        return decoder(data, max_side)
    except VisionError:
        raise
    except (Image.DecompressionBombError, MemoryError) as error:
        raise too_large(sentence("The photo needs too much memory.")) from error
    except Exception as error:  # on damaged files decoders raise whatever broke first
        raise damaged() from error


def of_pixels(image_bgr: Image8, profile: bytes | None = None) -> Decoded:
    """Return pixels (H x W x 3, BGR) that somebody has already, or raise a `PhotoError` for too few."""
    height, width = image_bgr.shape[:2]
    _check_size((width, height), MAX_PIXELS)
    return Decoded(image_bgr, (width, height), profile=profile)


_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1")
_A_VIDEO = sentence("a video")
_OTHER_KINDS = (
    (0, b"GIF8", sentence("a GIF picture")),
    (0, b"BM", sentence("a BMP picture")),
    (0, b"II*\0", sentence("a TIFF or raw picture")),
    (0, b"MM\0*", sentence("a TIFF or raw picture")),
    (0, b"%PDF", sentence("a PDF document")),
    (4, b"ftypavif", sentence("an AVIF picture")),
    (4, b"ftypcrx", sentence("a raw picture")),
    (4, b"ftyp", _A_VIDEO),
)


def _decoder_for(data: bytes) -> Callable[[bytes, int | None], Decoded]:
    """Tell by its first bytes what the file is, and return what decodes it."""
    if data.startswith(b"\xff\xd8\xff"):
        return _decode_jpeg
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _decode_png
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _decode_webp
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return _decode_heif
    if not data:
        raise PhotoError(
            "not_a_photo",
            sentence("The file is empty."),
            sentence("Wait until it is copied completely, then choose it again."),
        )
    for offset, magic, kind in _OTHER_KINDS:
        if data.startswith(magic, offset):
            raise PhotoError(
                "not_a_photo",
                sentence("The file is {kind}, which cannot be read here.", kind=kind),
                sentence("Take a still photo and choose that.")
                if kind is _A_VIDEO
                else sentence(
                    "Save it as JPEG, PNG, WebP or HEIC, or take a screenshot of it, and choose that."
                ),
            )
    raise PhotoError(
        "not_a_photo",
        sentence("The file is not a photo."),
        sentence("Choose a picture as a phone takes it: JPEG, HEIC, PNG or WebP."),
    )


# --- one decoder a format ------------------------------------------------------------------------


def _decode_jpeg(data: bytes, max_side: int | None) -> Decoded:
    header = walk(data)
    size = header.size or (0, 0)
    _check_size(size, MAX_PIXELS // (1 if max_side else 2))
    _check_size(size, int(MAX_DECODED_BYTES / header.bytes_a_pixel))
    reduction = _reduction(size, max_side)
    flags = {
        1: cv2.IMREAD_COLOR,
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }
    # OpenCV would turn the photo by itself, with an EXIF parser of its own: keep to one
    image = cv2.imdecode(np.frombuffer(data, np.uint8), flags[reduction] | cv2.IMREAD_IGNORE_ORIENTATION)
    width, height = (-(-side // reduction) for side in size)
    if image is None or image.shape != (height, width, 3):
        raise damaged()
    pixels = np.asarray(image, dtype=np.uint8)
    return Decoded(pixels, size, header.orientation or 1, header.profile)


def _decode_png(data: bytes, max_side: int | None) -> Decoded:
    image = PngImagePlugin.PngImageFile(io.BytesIO(_without_animation(data)))
    _check_size(image.size, MAX_DECODED_BYTES // PNG_BYTES_A_PIXEL)
    image.load()  # EXIF may stand behind the pixels
    orientation = orientation_of(image.info.get("exif"))
    return _of_pillow(image, orientation, max_side)


def _without_animation(data: bytes) -> bytes:
    """Leave out what makes a PNG an animation: only the still counts, and Pillow warns of odd ones."""
    kept, position = [data[:8]], 8
    while position + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        if kind == b"IDAT":
            break
        end = position + 12 + length
        if kind != b"acTL":
            kept.append(data[position:end])
        position = end
    return b"".join([*kept, data[position:]])


def _decode_webp(data: bytes, max_side: int | None) -> Decoded:
    still = first_still(data)
    _check_size(still.size, MAX_DECODED_BYTES // still.bytes_a_pixel)
    # Without UNCHANGED there would be no transparency; OpenCV turns nothing with it.
    pixels = cv2.imdecode(np.frombuffer(still.data, np.uint8), cv2.IMREAD_UNCHANGED)
    width, height = still.size
    if pixels is None or pixels.shape[:2] != (height, width):
        raise damaged()
    orders = {3: ("RGB", cv2.COLOR_BGR2RGB), 4: ("RGBA", cv2.COLOR_BGRA2RGBA)}
    mode, order = orders[pixels.shape[2]]

    def strip(top: int, below: int) -> Image.Image:
        return Image.fromarray(cv2.cvtColor(pixels[top:below], order), mode)

    made = _to_bgr(strip, still.size, _reduction(still.size, max_side))
    return Decoded(made, still.size, orientation_of(still.exif), still.profile)


def _of_pillow(image: Image.Image, orientation: int, max_side: int | None) -> Decoded:
    pixels = _to_bgr(
        lambda top, below: image.crop((0, top, image.width, below)),
        image.size,
        _reduction(image.size, max_side),
    )
    return Decoded(pixels, image.size, orientation, _profile_of(image))


def _decode_heif(data: bytes, max_side: int | None) -> Decoded:
    images = pillow_heif.open_heif(data)
    _check_size(images.size, MAX_HEIC_PIXELS)
    # libheif has turned the picture already; what EXIF says is the same turn again
    size, mode = images.size, images.mode
    rows = np.asarray(images)  # libheif's own pixels; Pillow would take as many once more

    def strip(top: int, below: int) -> Image.Image:
        part = np.ascontiguousarray(rows[top:below]).tobytes()
        return Image.frombuffer(mode, (size[0], below - top), part, "raw", mode, 0, 1)

    pixels = _to_bgr(strip, size, _reduction(size, max_side))
    profile = images.info.get("icc_profile")
    profile = profile if isinstance(profile, bytes) and mode in ("RGB", "RGBA") else None
    return Decoded(pixels, size, profile=profile)


# --- pixels --------------------------------------------------------------------------------------


def _check_size(size: Size, most: int) -> None:
    """Refuse, before any pixel is decoded, what is too large or too small."""
    width, height = size
    if width * height > most:
        raise too_large(
            sentence(
                "The photo has {width} x {height} pixels; {most} megapixels are the most.",
                width=width,
                height=height,
                most=most // 1_000_000,
            )
        )
    if min(size) < MIN_SIDE_PX:
        raise PhotoError(
            "too_small",
            sentence("The photo is only {width} x {height} pixels.", width=width, height=height),
            sentence("Use the photo itself rather than its preview, or take it from nearer."),
        )


def _reduction(size: Size, max_side: int | None) -> int:
    """Return 1, 2, 4 or 8: how much smaller the photo may be decoded."""
    if max_side is None:
        return 1
    return next((k for k in (8, 4, 2) if max(size) / k >= REDUCTION_KEEPS * max_side), 1)


def _to_bgr(strip: Callable[[int, int], Image.Image], size: Size, reduction: int) -> Image8:
    """Return a picture as BGR on white, ``reduction`` times smaller.

    ``strip`` returns its rows from one up to another one.
    """
    width, height = size
    made = np.empty((-(-height // reduction), -(-width // reduction), 3), np.uint8)
    for top in range(0, height, STRIP_ROWS):
        rows = _to_rgb(strip(top, min(top + STRIP_ROWS, height)), reduction)
        begin = top // reduction
        made[begin : begin + rows.height] = cv2.cvtColor(np.asarray(rows), cv2.COLOR_RGB2BGR)
    return made


def _to_rgb(image: Image.Image, reduction: int) -> Image.Image:
    """Return some rows as RGB on white; ``reduction`` divides their number, but at the lower edge."""
    if image.mode.startswith("I"):  # 16-bit grey; Pillow's own conversion clips
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    mode = "RGBA" if image.has_transparency_data else "RGB"
    if image.mode != mode:  # Pillow would copy
        image = image.convert(mode)
    if reduction > 1:
        image = image.reduce(reduction)
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    return image


def _profile_of(image: Image.Image) -> bytes | None:
    """Return the color profile that Pillow found in a file of red, green and blue."""
    profile = image.info.get("icc_profile")
    return profile if isinstance(profile, bytes) and image.mode in ("RGB", "RGBA", "P") else None
