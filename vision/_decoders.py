"""Decode one photo as it lies in its file: what format it is, how large, how it is turned, its pixels.

JPEG is decoded by OpenCV, straight at 1/2, 1/4 or 1/8 of its size where that is enough (measured:
16 ms for 12 megapixels, Pillow's draft mode 21 to 31 ms); its header is walked here first, because
OpenCV fills what a cut-off file lacks with grey. PNG and WebP go through Pillow, HEIC through
pillow-heif. Their reader classes are called directly: ``Image.open`` needs global registration for
HEIC and warns where this module has its own bound, and Python's warning filters are not thread-safe.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin, WebPImagePlugin

from scoring.sentences import Sentence, sentence
from vision.camera import Camera
from vision.errors import PhotoError, VisionError

MAX_PIXELS = 100_000_000
MAX_PIXELS_AT_FULL_SIZE = 64_000_000
"""For formats that cannot be decoded reduced: WebP takes 16 bytes a pixel meanwhile, JPEG 2 to 4."""

MIN_SIDE_PX = 100

REDUCTION_KEEPS = 0.75
"""A reduced decoding must keep this share of the side asked for: for 2400 px, 4000 may become 2000."""

MAX_JPEG_SEGMENTS = 5000
MAX_JPEG_SCANS = 100
"""Progressive photos have about ten scans; each costs one pass over the whole picture."""

Size = tuple[int, int]
Image8 = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Decoded:
    """Pixels as they stand in the file, maybe reduced.

    ``image_bgr`` is uint8, H x W x 3, BGR; ``full_size`` is (width, height) in the file;
    ``orientation`` says how the picture lies there (EXIF, 1 to 8); ``profile`` is its ICC profile, if any,
    and ``camera`` what took it, where the file says so.
    """

    image_bgr: Image8
    full_size: Size
    orientation: int = 1
    profile: bytes | None = None
    camera: Camera | None = None


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
    header = _walk_jpeg(data)
    size = header.size or (0, 0)
    _check_size(size, MAX_PIXELS)
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
    return Decoded(pixels, size, header.orientation or 1, header.profile, Camera.of_exif(header.exif))


_JPEG_MARKER = re.compile(rb"\xff([^\x00\x01\xff\xd0-\xd8])")
"""Markers that start a segment or end the picture; stuffed and restart bytes inside a scan are skipped."""


@dataclass
class _JpegHeader:
    """What the segments of a JPEG say, the first of each kind."""

    size: Size | None = None
    orientation: int | None = None
    exif: bytes | None = None
    parts: dict[bytes, bytes] = field(default_factory=dict)

    def note(self, code: int, body: bytes) -> None:
        """Take what one segment says."""
        if 0xC0 <= code <= 0xCF and code not in (0xC4, 0xC8, 0xCC) and self.size is None and len(body) >= 5:
            self.size = (int.from_bytes(body[3:5], "big"), int.from_bytes(body[1:3], "big"))
        elif code == 0xE1 and body.startswith(b"Exif\0\0") and self.orientation is None:
            self.orientation, self.exif = _exif_orientation(body), body
        elif code == 0xE2 and body.startswith(b"ICC_PROFILE\0"):
            self.parts.setdefault(body[12:14], body[14:])

    @property
    def profile(self) -> bytes | None:
        """The color profile, None when a part of it is missing (ICC.1:2022, annex B.4)."""
        wanted = [bytes([k + 1, len(self.parts)]) for k in range(min(len(self.parts), 255))]
        return b"".join(self.parts[one] for one in wanted) if set(wanted) == set(self.parts) else None


def _walk_jpeg(data: bytes) -> _JpegHeader:
    """Read size, EXIF orientation and color profile, and make sure that the file goes on to its end marker.

    Source: ITU-T T.81, annex B. What follows the end (the second picture of an MPO, a clip) is not looked at.
    """
    header = _JpegHeader()
    scans, position = 0, 2
    for _ in range(MAX_JPEG_SEGMENTS):
        marker = _JPEG_MARKER.search(data, position)
        if marker is None:
            break
        code, start = marker[1][0], marker.end()
        if code == 0xD9 and header.size is not None:
            return header
        length = int.from_bytes(data[start : start + 2], "big")
        header.note(code, data[start + 2 : min(start + length, start + 65_537)])
        if code == 0xDA:
            scans += 1
            if scans > MAX_JPEG_SCANS:
                break
        position = start + length
    raise damaged()


def _decode_png(data: bytes, max_side: int | None) -> Decoded:
    image = PngImagePlugin.PngImageFile(io.BytesIO(_without_animation(data)))
    _check_size(image.size)
    image.load()  # EXIF may stand behind the pixels
    orientation = _exif_orientation(image.info.get("exif"))
    pixels, camera = _to_bgr(image, _reduction(image.size, max_side)), Camera.of_exif(image.info.get("exif"))
    return Decoded(pixels, image.size, orientation, _profile_of(image), camera)


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
    image = WebPImagePlugin.WebPImageFile(io.BytesIO(data))
    _check_size(image.size)
    orientation = _exif_orientation(image.info.get("exif"))
    pixels, camera = _to_bgr(image, _reduction(image.size, max_side)), Camera.of_exif(image.info.get("exif"))
    return Decoded(pixels, image.size, orientation, _profile_of(image), camera)


def _decode_heif(data: bytes, max_side: int | None) -> Decoded:
    images = pillow_heif.open_heif(data)
    _check_size(images.size)
    # libheif has turned the picture already; what EXIF says is the same turn again
    image = images.to_pillow()
    pixels, camera = _to_bgr(image, _reduction(image.size, max_side)), Camera.of_exif(image.info.get("exif"))
    return Decoded(pixels, image.size, profile=_profile_of(image), camera=camera)


# --- pixels --------------------------------------------------------------------------------------


def _check_size(size: Size, most: int = MAX_PIXELS_AT_FULL_SIZE) -> None:
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


def _to_bgr(image: Image.Image, reduction: int) -> Image8:
    """Return Pillow's picture as BGR on white, ``reduction`` times smaller."""
    if image.mode.startswith("I"):  # 16-bit grey; Pillow's own conversion clips
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    mode = "RGBA" if image.has_transparency_data else "RGB"
    if image.mode != mode:  # Pillow would copy
        image = image.convert(mode)
    if reduction > 1:
        image = image.reduce(reduction)
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    return np.asarray(cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR), dtype=np.uint8)


def _profile_of(image: Image.Image) -> bytes | None:
    """Return the color profile that Pillow found in a file of red, green and blue."""
    profile = image.info.get("icc_profile")
    return profile if isinstance(profile, bytes) and image.mode in ("RGB", "RGBA", "P") else None


def _exif_orientation(exif: object) -> int:
    """Return the orientation, 1 to 8, that an EXIF block tells; 1 when it tells none or is broken.

    Anything but bytes is none: a PNG may carry a text that is called "exif".

    Source: EXIF 2.32, 4.6.4 (tag 0x0112, a SHORT in the first directory of a TIFF header).
    """
    if not isinstance(exif, bytes):
        return 1
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (directory,) = struct.unpack_from(f"{order}I", tiff, 4)
        (entries,) = struct.unpack_from(f"{order}H", tiff, directory)
        for entry in range(entries):
            tag, kind, _, value = struct.unpack_from(f"{order}HHIH", tiff, directory + 2 + 12 * entry)
            if tag == 0x0112:
                return value if kind == 3 and 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1


# --- what goes wrong -----------------------------------------------------------------------------


def damaged() -> PhotoError:
    """Return the error for a file that starts as a photo and cannot be decoded."""
    return PhotoError(
        "photo_truncated",
        sentence("The photo's file is incomplete or damaged."),
        sentence(
            "Copy or send it again; if that does not help, take a new photo or a screenshot of this one."
        ),
    )


def too_large(what: Sentence) -> PhotoError:
    """Return the error for a photo beyond a bound, which ``what`` names."""
    return PhotoError(
        "photo_too_large",
        what,
        sentence("Shrink it, or take the photo at the camera's usual resolution (12 megapixels)."),
    )
