"""From the bytes of a photo to pixels: JPEG, PNG, WebP and HEIC, bounded in size and time."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, ImageCms, PngImagePlugin

from scoring.sentences import sentence
from vision.errors import PhotoError, VisionError, damaged, too_large

Size = tuple[int, int]

MAX_SEGMENTS = 5000
MAX_SCANS = 100
MAX_SCANNED_PIXELS = 3_000_000_000
"""Progressive photos have about ten scans; each costs one pass over the whole picture."""

_MARKER = re.compile(rb"\xff([^\x00\x01\xff\xd0-\xd8])")
"""Markers that start a segment or end the picture; stuffed and restart bytes inside a scan are skipped."""


@dataclass
class JpegHeader:
    """What the segments of a JPEG say, the first of each kind."""

    size: Size | None = None
    orientation: int | None = None
    exif: bytes | None = None
    parts: dict[bytes, bytes] = field(default_factory=dict)
    samples_a_pixel: float = 3
    components: int = 0
    scans: int = 0
    is_kept_whole: bool = False

    @property
    def bytes_a_pixel(self) -> float:
        """What decoding takes: two bytes for each sample, where all of them are needed at the same time."""
        return 2 * self.samples_a_pixel if self.is_kept_whole else 0.5

    def note(self, code: int, body: bytes) -> None:
        """Take what one segment says."""
        if 0xC0 <= code <= 0xCF and code not in (0xC4, 0xC8, 0xCC) and self.size is None and len(body) >= 6:
            self.size = (int.from_bytes(body[3:5], "big"), int.from_bytes(body[1:3], "big"))
            self.components, self.is_kept_whole = body[5], code not in (0xC0, 0xC1)
            sampled = [(one >> 4, one & 15) for one in body[7 : 6 + 3 * self.components : 3]]
            widest, highest = (max((one[way] for one in sampled), default=1) or 1 for way in (0, 1))
            self.samples_a_pixel = sum(across * down for across, down in sampled) / (widest * highest)
        elif code == 0xDA:
            self.scans += 1
            # Colors that come one after the other have to be kept until the last one is here.
            self.is_kept_whole |= body[:1] != bytes([self.components])
        elif code == 0xE1 and body.startswith(b"Exif\0\0") and self.orientation is None:
            self.orientation, self.exif = orientation_of(body), body
        elif code == 0xE2 and body.startswith(b"ICC_PROFILE\0"):
            self.parts.setdefault(body[12:14], body[14:])

    @property
    def profile(self) -> bytes | None:
        """The color profile, None when a part of it is missing (ICC.1:2022, annex B.4)."""
        wanted = [bytes([k + 1, len(self.parts)]) for k in range(min(len(self.parts), 255))]
        return b"".join(self.parts[one] for one in wanted) if set(wanted) == set(self.parts) else None


def walk(data: bytes) -> JpegHeader:
    """Read size, EXIF orientation and color profile, and make sure that the file goes on to its end marker.

    Source: ITU-T T.81, annex B. What follows the end (the second picture of an MPO, a clip) is not looked at.
    """
    header = JpegHeader()
    position = 2
    for _ in range(MAX_SEGMENTS):
        marker = _MARKER.search(data, position)
        if marker is None:
            break
        code, start = marker[1][0], marker.end()
        if code == 0xD9 and header.size is not None:
            if header.scans * header.size[0] * header.size[1] > MAX_SCANNED_PIXELS:
                break
            return header
        length = int.from_bytes(data[start : start + 2], "big")
        header.note(code, data[start + 2 : min(start + length, start + 65_537)])
        if header.scans > MAX_SCANS:
            break
        position = start + length
    raise damaged()


def orientation_of(exif: object) -> int:
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


ALPHA = 0x10  # in the flags of VP8X
FRAME_HEAD = 16  # bytes of a frame of an animation before its picture
PICTURE = (b"ALPH", b"VP8 ", b"VP8L")
LOSSY_BYTES, OTHER_BYTES = 6, 8
"""What decoding takes a pixel, measured; with transparency or without loss it is more."""


@dataclass(frozen=True)
class Still:
    """A WebP file of one picture, with what the whole file told of it; ``size`` is (width, height)."""

    data: bytes
    size: Size
    bytes_a_pixel: int
    exif: bytes | None
    profile: bytes | None


def first_still(data: bytes) -> Still:
    """Return the first picture of a WebP file, an animation or not, as a file of its own.

    Raises
    ------
    PhotoError
        There is none, or the file ends within it.
    """
    about: dict[bytes, bytes] = {}
    first: dict[bytes, bytes] = {}
    for kind, body in _chunks(data, 12):
        if kind == b"ANMF" and not first:
            first = {one: part for one, part in _chunks(body, FRAME_HEAD) if one in PICTURE}
        elif kind in PICTURE:
            first.setdefault(kind, body)
        elif kind in (b"EXIF", b"ICCP"):
            about.setdefault(kind, body)
    size = _size(first)
    picture = (b"VP8L",) if b"VP8L" in first else (b"ALPH", b"VP8 ") if b"ALPH" in first else (b"VP8 ",)
    canvas = b"".join((side - 1).to_bytes(3, "little") for side in size)
    head = struct.pack("<I", ALPHA if b"ALPH" in picture else 0) + canvas
    parts = [_chunk(b"VP8X", head), *(_chunk(kind, first[kind]) for kind in picture)]
    costs = LOSSY_BYTES if picture == (b"VP8 ",) else OTHER_BYTES
    whole = _chunk(b"RIFF", b"WEBP" + b"".join(parts))
    return Still(whole, size, costs, about.get(b"EXIF"), about.get(b"ICCP"))


def _size(picture: dict[bytes, bytes]) -> Size:
    """Return width and height of a picture by the head of its pixels."""
    if b"VP8L" in picture:
        head = picture[b"VP8L"][:5]
        if len(head) == 5 and head[0] == 0x2F:
            bits = int.from_bytes(head[1:], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif len(head := picture.get(b"VP8 ", b"")[:10]) == 10 and head[3:6] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", head[6:])
        if width & 0x3FFF and height & 0x3FFF:
            return width & 0x3FFF, height & 0x3FFF
    raise damaged()


def _chunks(data: bytes, position: int) -> Iterator[tuple[bytes, bytes]]:
    """Give the kind and the body of each chunk from there on; the last may be cut off."""
    while position + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, position)
        body = data[position + 8 : position + 8 + length]
        if len(body) < length:
            break
        yield kind, body
        position += 8 + length + length % 2


def _chunk(kind: bytes, body: bytes) -> bytes:
    return kind + len(body).to_bytes(4, "little") + body + bytes(len(body) % 2)


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


MAX_BYTES = 4_000_000
"""Profiles of cameras have some kB, of printers a few MB; more does not go into a library written in C."""
SEEN = 2  # of 255: what a profile changes less than this is not worth the time
SRGB = ImageCms.createProfile("sRGB")
_STEPS = np.array([0, 64, 128, 192, 255], np.uint8)
PROBE = np.stack(np.meshgrid(_STEPS, _STEPS, _STEPS), axis=-1).reshape(25, 5, 3)


def to_srgb(image_bgr: Image8, profile: bytes | None) -> Image8:
    """Return a picture in the colors of sRGB.

    Parameters
    ----------
    image_bgr
        Pixels as they stand in the file, uint8 H x W x 3, BGR.
    profile
        The ICC profile in the file. Without one, with one that is no profile of RGB, is broken or
        far too large, the numbers are taken for sRGB.
    """
    if not profile or len(profile) > MAX_BYTES:
        return image_bgr
    try:
        embedded = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        turned = ImageCms.buildTransform(embedded, SRGB, "RGB", "RGB")
        if np.abs(_applied(turned, PROBE).astype(int) - PROBE).max() <= SEEN:
            return image_bgr
        return _applied(turned, image_bgr)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image_bgr


def _applied(turned: ImageCms.ImageCmsTransform, image_bgr: Image8) -> Image8:
    picture = Image.fromarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2RGB))
    ImageCms.applyTransform(picture, turned, inPlace=True)
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR), dtype=np.uint8)
