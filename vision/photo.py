"""From whatever a caller gives as a photo to an upright, bright picture, bounded in size and time."""

from __future__ import annotations

import io
import os
import re
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import AvifImagePlugin, Image, ImageCms, ImageOps, JpegImagePlugin, PngImagePlugin

from scoring.sentences import english, sentence
from vision.errors import BoardUnreadableError, PhotoError, VisionError, damaged, too_dark, too_large
from vision.geometry import Float, Image8, Mask, are_inside, strongest
from vision.reading import Point

MAX_BYTES = 60_000_000

Given: TypeAlias = bytes | bytearray | memoryview | str | os.PathLike[str] | IO[bytes] | Image8 | Image.Image
ColorOrder: TypeAlias = Literal["BGR", "RGB"]


def bytes_or_pixels(source: Given, color_order: ColorOrder) -> bytes | Image8:
    """Return the bytes of a file, or the pixels (H x W x 3, BGR) that the caller has already.

    Raises
    ------
    TypeError
        It is nothing of what can be a photo.
    PhotoError
        The file cannot be read (``photo_missing``), or is too large (``photo_too_large``).
    """
    if isinstance(source, bytes):
        return _of_fit_size(source)
    if isinstance(source, bytearray | memoryview):
        return _of_fit_size(bytes(source))
    if isinstance(source, str | os.PathLike):
        return _of_fit_size(_read_file(source))
    if isinstance(source, np.ndarray):
        return _pixels(source, color_order)
    if isinstance(source, Image.Image):
        return _pixels(np.asarray(_on_white(ImageOps.exif_transpose(source))), "RGB")
    if hasattr(source, "read"):
        content = source.read(MAX_BYTES + 1)
        if not isinstance(content, bytes):
            raise TypeError('The file gives text: open it for reading bytes, with mode "rb".')
        return _of_fit_size(content)
    what = (
        "a path, bytes, a file opened for reading bytes, a NumPy array (H x W x 3, uint8) or a Pillow image"
    )
    raise TypeError(f"A photo is {what}, not {type(source).__name__}.")


def _of_fit_size(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1_000_000
        raise too_large(sentence("This file is larger than {most} MB.", most=most), megabytes=most)
    return data


def _pixels(array: NDArray[Any], color_order: ColorOrder) -> Image8:
    """Return an array of pixels as BGR."""
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
        found = f"{' x '.join(map(str, array.shape))} and {array.dtype}"
        raise TypeError(f"An array of pixels is H x W x 3 and uint8, not {found}.")
    if color_order not in ("BGR", "RGB"):
        raise TypeError(f'The colors of an array are in the order "BGR" or "RGB", not {color_order!r}.')
    bgr = array if color_order == "BGR" else cv2.cvtColor(array, cv2.COLOR_RGB2BGR)
    return np.ascontiguousarray(bgr, dtype=np.uint8)


def _on_white(image: Image.Image) -> Image.Image:
    """Return a picture as RGB; transparent places become white."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    rgba = image if image.mode == "RGBA" else image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB")


def _read_file(path: str | os.PathLike[str]) -> bytes:
    """Read the file, but never much more than is allowed."""
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        match error:
            case FileNotFoundError() | NotADirectoryError() | ValueError():  # the last: a null character
                said = english('There is no file "{name}".', name=name)
                step = english("Check its name and folder for typing mistakes.")
            case IsADirectoryError():
                said, step = english('"{name}" is a folder.', name=name), english("Name a photo in it.")
            case PermissionError():
                said = english('The file "{name}" may not be read.', name=name)
                step = english("Change its permissions, or copy it.")
            case _:
                reason = str(error.strerror)
                said = english('The file "{name}" cannot be read ({reason}).', name=name, reason=reason)
                step = english("Copy it to another place and try that copy.")
        raise PhotoError("photo_missing", said, step) from error


Size = tuple[int, int]

MAX_SEGMENTS = 5000
MAX_SCANS = 100
MAX_SCANNED_PIXELS = 3_000_000_000
"""Progressive photos have about ten scans; each costs one pass over the whole picture."""

_MARKER = re.compile(rb"\xff([^\x00\x01\xff\xd0-\xd7])")
"""Markers that start a segment or end the picture; stuffed and restart bytes inside a scan are skipped."""
_ANY_MARKER = re.compile(rb"\xff([^\x00\xff])")
"""Markers at which a decoder ends a scan that has no restarts."""

_START, _END, _END_MARKER = 0xD8, 0xD9, b"\xff\xd9"
_NO_PIXELS = re.compile(
    rb"(?P<block>\0\0[^\0].(?:.\0\0\0)?[A-Z]\w{9})|[\w ]{16}|(?<!\0)\0{16}(?:\0{48}|\0*\Z)|ftyp", re.DOTALL
)
"""What stands in no scan but in what phones and programs add behind it: a block of a Samsung phone with its
name, texts, padding, a clip."""
VARIED = 6  # so many different signs make a text; an even part of a picture is one or two again and again
EARLIER = 8  # of those signs, but of a block, so many may be the last pixels

FILLER = b"".join(bytes(range(1, 255)) + bytes([0xFF, 0xD0 + k % 8]) for k in range(32))
"""Something that decodes to pixels, with restart markers, where a scan is not complete."""


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
    has_restarts: bool = False
    sent: set[tuple[int, int]] = field(default_factory=set)
    end: int | None = None
    closed_at: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether scans with all that there is of each color have begun; ``sent`` has what is in them."""
        return bool(self.sent) and len(self.sent) == 64 * self.components

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
            if len(body) >= 4 and body[-1] & 15 == 0:  # to the last bit
                self.sent.update((color, k) for color in body[1:-3:2] for k in range(body[-3], body[-2] + 1))
        elif code == 0xDD:
            self.has_restarts = any(body[:2])
        elif code == 0xE1 and body.startswith(b"Exif\0\0") and self.orientation is None:
            self.orientation, self.exif = orientation_of(body), body
        elif code == 0xE2 and body.startswith(b"ICC_PROFILE\0"):
            self.parts.setdefault(body[12:14], body[14:])

    @property
    def profile(self) -> bytes | None:
        """The color profile, None when a part of it is missing (ICC.1:2022, annex B.4)."""
        wanted = [bytes([k + 1, len(self.parts)]) for k in range(min(len(self.parts), 255))]
        return b"".join(self.parts[one] for one in wanted) if set(wanted) == set(self.parts) else None


EVEN_END = 4
"""Missing pixels are one even area: the last fourth of the last row is even then, as hardly in a photo."""


def walk(data: bytes) -> JpegHeader:
    """Read size, EXIF orientation and color profile, and make sure that the file goes on to its end marker.

    That is at ``closed_at``. Where there is none behind the last scan, as in panoramas of some phones, the
    pixels end at ``end`` at the latest; `with_end` makes sure that they are all there.

    Source: ITU-T T.81, annex B. What follows the end (the second picture of an MPO, a clip) is not looked at.
    """
    header = JpegHeader()
    position = 2
    for _ in range(MAX_SEGMENTS):
        at_any = header.is_complete and not header.has_restarts
        marker = (_ANY_MARKER if at_any else _MARKER).search(data, position)
        if header.is_complete and (marker is None or marker[1][0] != _END):
            last = len(data) if marker is None else marker.start()
            others = (one for one in _NO_PIXELS.finditer(data, position, last) if _is_other(one[0]))
            ends = (one.start() + (0 if one["block"] else EARLIER) for one in others)
            header.end = next(ends, last)
            return header
        if marker is None:
            break
        code, start = marker[1][0], marker.end()
        if code == _END and header.size is not None:
            header.closed_at = marker.start()
            return header
        if code == _START:
            position = start
            continue
        length = int.from_bytes(data[start : start + 2], "big")
        header.note(code, data[start + 2 : min(start + length, start + 65_537)])
        width, height = header.size or (0, 0)
        if header.scans > MAX_SCANS or header.scans * width * height > MAX_SCANNED_PIXELS:
            break
        position = start + length
    raise damaged()


def _is_other(found: bytes) -> bool:
    return found[0] == 0 or found == b"ftyp" or len(set(found)) >= VARIED


def with_end(data: bytes, header: JpegHeader) -> bytes:
    """Return a JPEG that has its end marker, which some phones forget; refuse one that lacks pixels, too."""
    return data if header.end is None else _whole(data[: header.end].rstrip(b"\xff"), header)


def _whole(pixels: bytes, header: JpegHeader) -> bytes:
    """Return a JPEG with an end marker behind its pixels, or refuse it where some are missing.

    A decoder makes those up of whatever follows: all are there where that does not matter.
    """
    part = 2 if header.is_kept_whole else 4
    exif = header.exif or b""  # Pillow looks into it, and may break
    plain = pixels.replace(exif, bytes(len(exif)), 1) if exif else pixels
    made = []
    for behind in (b"", FILLER):
        image = JpegImagePlugin.JpegImageFile(io.BytesIO(b"".join((plain, behind, _END_MARKER))))
        image.draft(None, (image.width // part, image.height // part))
        made.append(np.asarray(image))
    if not np.array_equal(made[0], made[1]):
        raise damaged()
    return pixels + _END_MARKER


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
    is_moving: bool


def first_still(data: bytes) -> Still:
    """Return the first picture of a WebP file, an animation or not, as a file of its own.

    Raises
    ------
    PhotoError
        There is none, or the file ends within it.
    """
    about: dict[bytes, bytes] = {}
    first: dict[bytes, bytes] = {}
    is_moving = False
    for kind, body in _chunks(data, 12):
        is_moving |= kind == b"ANMF"
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
    return Still(whole, size, costs, about.get(b"EXIF"), about.get(b"ICCP"), is_moving)


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

MAX_DECODED_BYTES = 150_000_000
"""What one photo may take while it is decoded; with what is made of it that stays below 200 MB."""

MAX_HEIC_PIXELS = 50_000_000
"""Phones write 48 megapixels as HEIC, which cannot be decoded reduced: five bytes a pixel, measured."""

MAX_AVIF_PIXELS = 17_000_000
"""Of an AVIF, which is decoded whole beside Pillow's own pixels: ten bytes a pixel, measured."""

PNG_BYTES_A_PIXEL = 4
"""Pillow's own pixels."""

STRIP_ROWS = 512
"""So many rows are converted at a time, since a converted picture lies beside the one it is made of."""

MIN_SIDE_PX = 100

EMPTY_SPREAD = 8
"""A picture of one color differs by no more from place to place (of 255), however it was saved."""

MOST_FINE_PIXELS = 50_000_000
"""So many are decoded at a time for a small part of a photo: 150 MB, until that part is cut out."""

MOST_FINE_SIDE = 4800
"""The same of formats that are decoded whole beside those pixels: 7200 pixels and more are halved."""

FINER = 1.25
"""Pixels less than so many times finer are not worth decoding a photo once more."""

REDUCTION_KEEPS = 0.75
"""A reduced decoding must keep this share of the side asked for: for 2400 px, 4000 may become 2000."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """Pixels as they stand in the file, maybe reduced.

    ``image_bgr`` is uint8, H x W x 3, BGR; ``full_size`` is (width, height) in the file;
    ``orientation`` says how the picture lies there (EXIF, 1 to 8); ``profile`` is its ICC profile, if any;
    ``is_moving`` says that it is the first of an animation.
    """

    image_bgr: Image8
    full_size: Size
    orientation: int = 1
    profile: bytes | None = None
    is_moving: bool = False


def decode(data: bytes, max_side: int | None) -> Decoded:
    """Decode the file, at full size or reduced by 2, 4 or 8, as `load_photo` needs it for ``max_side``.

    Raises
    ------
    PhotoError
        The bytes are no photo, incomplete, too large or too small, or an animation that begins with nothing.
    """
    decoder = _decoder_for(data)
    try:
        decoded = decoder(data, max_side)
    except VisionError:
        raise
    except (Image.DecompressionBombError, MemoryError) as error:
        raise too_large(sentence("This photo has too many pixels.")) from error
    except Exception as error:  # on damaged files decoders raise whatever broke first
        raise damaged() from error
    if decoded.is_moving and np.ptp(decoded.image_bgr, axis=(0, 1)).max() <= EMPTY_SPREAD:
        raise empty_animation()
    return decoded


def empty_animation() -> PhotoError:
    """Return the error of an animation that begins with nothing."""
    return PhotoError(
        "empty_animation",
        sentence("This is an animation, and its first picture is empty."),
        sentence("Save the picture that shows the window as a photo of its own, and choose that."),
    )


_AV1_BRANDS = frozenset({b"avif", b"avis", b"avio", b"MA1A", b"MA1B"})
_HEVC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_PICTURE_BRANDS = _HEVC_BRANDS | {b"mif1", b"mif2", b"mif3", b"msf1", b"1pic"}
_PICTURE_BRANDS |= {b"miaf", b"MiPr", b"MiHB", b"MiHA", b"MiHE"}
_AV1_PICTURE, HEAD_BYTES = b"av1C", 65_536
"""What stands in the head of a picture that is AVIF whatever its brands (AV1-ISOBMFF, 2.3)."""
MOST_BRANDS_BYTES = 1024

_CHOOSE_A_PHOTO = sentence("Choose a JPEG, PNG, WebP, HEIC or AVIF file.")
_SAVE_AS_JPEG = sentence("Save the picture as a JPEG in the app that shows it, and choose that file.")
_OTHER_KINDS = (
    (0, b"\xff\x0a", "JPEG XL", _SAVE_AS_JPEG),
    (4, b"JXL \r\n\x87\n", "JPEG XL", _SAVE_AS_JPEG),
    (0, b"\xff\x4f\xff\x51", "JPEG 2000", _SAVE_AS_JPEG),
    (4, b"jP  \r\n\x87\n", "JPEG 2000", _SAVE_AS_JPEG),
    (0, b"GIF8", "GIF", _CHOOSE_A_PHOTO),
    (0, b"BM", "BMP", _CHOOSE_A_PHOTO),
    (0, b"II*\0", "TIFF, RAW", _CHOOSE_A_PHOTO),
    (0, b"MM\0*", "TIFF, RAW", _CHOOSE_A_PHOTO),
    (0, b"%PDF", "PDF", _CHOOSE_A_PHOTO),
    (4, b"ftypcrx", "RAW", _CHOOSE_A_PHOTO),
    (4, b"ftyp", "MP4, MOV", _CHOOSE_A_PHOTO),
)


def _brands(data: bytes) -> set[bytes]:
    """Return the brands of an ISO media file: what it is by itself, and what else it can be read as.

    Source: ISO/IEC 14496-12, 4.3; those of pictures: ISO/IEC 23008-12, annex B, and 23000-22.
    """
    if data[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(data[:4], "big"), MOST_BRANDS_BYTES)
    return {data[8:12], *(data[at : at + 4] for at in range(16, end, 4))}


def _decoder_for(data: bytes) -> Callable[[bytes, int | None], Decoded]:
    """Tell by its first bytes what the file is, and return what decodes it."""
    if data.startswith(b"\xff\xd8\xff"):
        return _decode_jpeg
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _decode_png
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _decode_webp
    brands = _brands(data)
    if brands & _PICTURE_BRANDS or brands & _AV1_BRANDS:
        is_avif = brands & _AV1_BRANDS or _AV1_PICTURE in data[:HEAD_BYTES]
        return _decode_avif if is_avif and not brands & _HEVC_BRANDS else _decode_heif
    if not data:
        raise PhotoError(
            "not_a_photo",
            sentence("The file is empty."),
            sentence("Send it again, or take another photo."),
            {"bytes": 0},
        )
    for offset, magic, kind, advice in _OTHER_KINDS:
        if data.startswith(magic, offset):
            raise PhotoError(
                "not_a_photo",
                sentence("Files of this kind cannot be read here ({kind}).", kind=kind),
                advice,
                {"kind": kind},
            )
    raise PhotoError(
        "not_a_photo",
        sentence("This file is not a photo that can be opened."),
        _CHOOSE_A_PHOTO,
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
    whole = np.frombuffer(with_end(data, header), np.uint8)
    image = cv2.imdecode(whole, flags[reduction] | cv2.IMREAD_IGNORE_ORIENTATION)
    width, height = (-(-side // reduction) for side in size)
    if image is None or image.shape != (height, width, 3):
        raise damaged()
    pixels = np.asarray(image, dtype=np.uint8)
    if header.closed_at and not np.ptp(pixels[-1, -(width // EVEN_END) :], axis=0).any():
        _whole(data[: header.closed_at], header)  # it may be cut, and closed by who passed it on
    return Decoded(pixels, size, header.orientation or 1, header.profile)


def _decode_png(data: bytes, max_side: int | None) -> Decoded:
    plain = _without_animation(data)
    image = PngImagePlugin.PngImageFile(io.BytesIO(plain))
    _check_size(image.size, MAX_DECODED_BYTES // PNG_BYTES_A_PIXEL)
    image.load()  # EXIF may stand behind the pixels
    size, profile = image.size, image.info.get("icc_profile")
    pixels = _to_bgr(
        lambda top, below: image.crop((0, top, size[0], below)), size, _reduction(size, max_side)
    )
    kept = profile if isinstance(profile, bytes) and image.mode in ("RGB", "RGBA", "P") else None
    return Decoded(pixels, size, orientation_of(image.info.get("exif")), kept, len(plain) < len(data))


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
    if still.is_moving and min(still.size) < MIN_SIDE_PX:  # what nobody sees of it is cut off
        raise empty_animation()
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
    return Decoded(made, still.size, orientation_of(still.exif), still.profile, still.is_moving)


def _branded(data: bytes, brand: bytes) -> bytes:
    """Return a picture as one of the brand that its decoder asks for; it may name its container's alone."""
    if brand in _brands(data):
        return data
    others = b"mif1" + data[20:] if int.from_bytes(data[:4], "big") >= 20 else data[16:]
    return data[:8] + brand + data[12:16] + others


def _decode_heif(data: bytes, max_side: int | None) -> Decoded:
    images = pillow_heif.open_heif(data if _brands(data) & _HEVC_BRANDS else _branded(data, b"heic"))
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


def _decode_avif(data: bytes, max_side: int | None) -> Decoded:
    image = AvifImagePlugin.AvifImageFile(io.BytesIO(_branded(data, b"avif")))
    _check_size(image.size, MAX_AVIF_PIXELS)
    image.load()
    size, profile = image.size, image.info.get("icc_profile")
    pixels = _to_bgr(
        lambda top, below: image.crop((0, top, size[0], below)), size, _reduction(size, max_side)
    )
    kept = profile if isinstance(profile, bytes) else None
    return Decoded(pixels, size, orientation_of(image.info.get("exif")), kept, image.n_frames > 1)


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
            ),
            width=width,
            height=height,
            megapixels=most // 1_000_000,
        )
    if min(size) < MIN_SIDE_PX:
        raise PhotoError(
            "too_small",
            sentence("The photo is only {width} x {height} pixels.", width=width, height=height),
            sentence("Choose the photo itself, not a preview or a screenshot of it."),
            {"width": width, "height": height},
        )


def _length(size: Size) -> float:
    """Return by how much a side may be longer than the bound: a panorama is not to lose its short side to it.

    It gets as many pixels as a photo that is twice as long as it is wide; what is no longer than that has 1.
    """
    return float(max(1.0, max(size) / (2 * min(size))) ** 0.5)


def _reduction(size: Size, max_side: int | None) -> int:
    """Return 1, 2, 4 or 8: how much smaller the photo may be decoded."""
    if max_side is None:
        return 1
    least = REDUCTION_KEEPS * max_side * _length(size)
    return next((k for k in (8, 4, 2) if max(size) / k >= least), 1)


def _to_bgr(strip: Callable[[int, int], Image.Image], size: Size, reduction: int) -> Image8:
    """Return a picture, of which ``strip`` gives some rows, as BGR on white, ``reduction`` times smaller."""
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
    return _on_white(image) if image.mode == "RGBA" else image


MAX_PROFILE_BYTES = 4_000_000
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
    if not profile or len(profile) > MAX_PROFILE_BYTES:
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


Points = NDArray[np.float64]

# Set by hand. A sample photo at 50, 25, 15 and 12 % of its light (white about 28) is read without a mistake.
DIM_WHITE = 110  # a photo whose brightest parts stay below this is brightened (0-255)
GOAL_WHITE = 210
NO_LIGHT = 16  # below this there are only a few steps between black and white
EVERY = 8  # pixels skipped when looking for the brightest parts
# Of 215 photos the one with the fewest colors, of pale dice on a gray table, has 0.05 of its light between
# the strongest and the weakest channel of its most colorful half percent, and none with a window has less
# than 0.43; a gray JPEG has nothing.
COLORFUL = 0.03
# The strongest green against the strongest blue and red (their geometric mean). Of 122 rendered, real and
# sample photos the greenest has 1.14, under warm and blue lamps 1.27; where the light has 0.6 of its blue and
# red it is 1.37 to 1.9, and dice of other colors are mistaken for green ones and for empty spaces.
GREEN_LIGHT = 1.3
ONLY_GREEN = 8.0  # with 0.15 of its blue and red, where it is 6 to 7, a photo is still read without a mistake


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo as people see it: upright, in color, small enough to work on.

    ``image_bgr`` is uint8, H x W x 3, BGR. ``full_size`` is (width, height) of the upright photo
    before it was reduced. ``scale`` takes full-size pixels to pixels of ``image_bgr`` (at most 1).
    ``again`` decodes what it was made of to about so long a side; ``light`` (1, 256, 3) is what each value of
    each channel became when it was brightened. Either is None where there is no such thing.
    """

    image_bgr: Image8
    full_size: Size
    scale: float
    again: Callable[[int], Decoded] | None = field(default=None, repr=False)
    light: Image8 | None = field(default=None, repr=False)

    def mirrored(self) -> Photo:
        """Return the photo with left and right exchanged."""
        again = self.again
        return replace(
            self,
            image_bgr=np.ascontiguousarray(self.image_bgr[:, ::-1]),
            again=again and (lambda max_side: _mirrored(again(max_side))),
        )

    def in_full_size(self, points: Points) -> Points:
        """Return where points (N, 2) of ``image_bgr`` are in the upright full-size photo, in its pixels."""
        return points / self.scale

    def place_in_full_size(self, point: Float) -> Point:
        """Return where a point (x, y) of ``image_bgr`` is in the upright full-size photo, to a tenth."""
        x, y = (point / self.scale).round(1).tolist()
        return x, y

    def from_full_size(self, points: Points) -> Points:
        """Return where points (N, 2) of the upright full-size photo are in ``image_bgr``."""
        return points * self.scale

    def shows(self, points: Points) -> Mask:
        """Return which points (N, 2) of ``image_bgr`` the photo shows."""
        return are_inside(points, (self.image_bgr.shape[1], self.image_bgr.shape[0]))

    def closer(self, areas: Iterable[Points], times: float) -> list[tuple[Image8, Float]]:
        """Return parts of the photo in finer pixels, decoded once more, where it has some.

        Parameters
        ----------
        areas
            Points (N, 2) of ``image_bgr`` around which each part reaches.
        times
            How many times finer than ``image_bgr`` they are wanted.

        Returns
        -------
        parts, to_part
            For each area the pixels, uint8, BGR, and the 3 x 3 matrix from those of ``image_bgr`` to them;
            an empty list where the photo has nothing considerably finer.
        """
        width, height = self.full_size
        reduction = next((k for k in (8, 4, 2) if 1 / k >= times * self.scale), 1)
        while width * height > MOST_FINE_PIXELS * reduction**2:
            reduction *= 2
        if self.again is None or 1 / reduction < FINER * self.scale:
            return []
        decoded = self.again(int(max(self.full_size) / reduction / _length(self.full_size)))
        image = _upright_view(decoded.image_bgr, decoded.orientation)
        finer = max(image.shape[:2]) / max(self.full_size) / self.scale
        if finer < FINER:
            return []
        found = []
        for points in areas:
            low, high = (finer * end(axis=0) for end in (points.min, points.max))
            x0, y0 = np.clip(np.floor(low), 0, None).astype(int).tolist()
            x1, y1 = np.ceil(high).astype(int).tolist()
            part = to_srgb(np.ascontiguousarray(image[y0:y1, x0:x1]), decoded.profile)
            part = part if self.light is None else np.asarray(cv2.LUT(part, self.light), dtype=np.uint8)
            shift = (finer - 1) / 2
            found.append((part, np.array([[finer, 0, shift - x0], [0, finer, shift - y0], [0, 0, 1.0]])))
        return found

    def finer(self, max_side: int) -> Photo | None:
        """Return the photo anew with ``max_side``, in its own light; None where it has no more pixels."""
        if self.again is None or max(self.full_size) <= max_side:
            return None
        return replace(_finish(self.again(max_side), max_side), again=self.again)

    def lit(self, alpha_bgr: tuple[float, float, float]) -> Photo:
        """Return the photo with each channel multiplied by a number."""
        steps = np.arange(256, dtype=np.uint8)[None]
        table = np.stack([cv2.convertScaleAbs(steps, alpha=alpha) for alpha in alpha_bgr], axis=-1)
        light = table if self.light is None else cv2.LUT(self.light, table)
        image = np.asarray(cv2.LUT(self.image_bgr, table), dtype=np.uint8)
        return replace(self, image_bgr=image, light=np.asarray(light, dtype=np.uint8))


Source: TypeAlias = Given | Photo
"""What can be read: whatever is a photo, or one that was loaded already."""


def load_photo(
    source: Source,
    *,
    max_side: int | None = 2400,
    color_order: ColorOrder = "BGR",
    mirrored: bool = False,
) -> Photo:
    """Decode a JPEG, PNG, WebP, HEIC or AVIF photo and turn it upright; take pixels as they are.

    Files with several pictures give the first or, in HEIC, the main one. Transparent places become
    white, 16 bits become 8, grey and CMYK become BGR, and other color spaces (an embedded ICC profile) sRGB.

    Parameters
    ----------
    source
        The file's bytes, its path, a file that is open for reading bytes, a Pillow image (turned upright by
        its EXIF data), or an array, H x W x 3, uint8. A photo that was loaded already comes back as it is.
    max_side
        Bound for the longer side in pixels; larger photos are reduced to at most that and at least
        3/4 of it. A panorama, more than twice as long as it is wide, keeps as many pixels as a photo
        that is just so. None keeps the full size.
    color_order
        Of an array: ``"BGR"``, as OpenCV has it, or ``"RGB"``.
    mirrored
        Whether the photo is mirrored, as front cameras take it: left and right are exchanged back.

    Raises
    ------
    PhotoError
        The file is missing, no photo, incomplete, too large or too small.
    TypeError
        The source is nothing of the above.
    """
    if mirrored:
        return load_photo(source, max_side=max_side, color_order=color_order).mirrored()
    if isinstance(source, Photo):
        return source
    given = bytes_or_pixels(source, color_order)
    if isinstance(given, bytes):
        return replace(_finish(decode(given, max_side), max_side), again=partial(_once_more, given))
    profile = source.info.get("icc_profile") if isinstance(source, Image.Image) else None
    height, width = given.shape[:2]
    _check_size((width, height), MAX_PIXELS)
    decoded = Decoded(given, (width, height), profile=profile)
    return replace(_finish(decoded, max_side), again=partial(_as_it_is, decoded))


def _once_more(data: bytes, max_side: int) -> Decoded:
    """Decode a file that was decoded before; what takes more memory than its pixels to no more than that."""
    is_light = _decoder_for(data) is _decode_jpeg and not walk(data).is_kept_whole
    return decode(data, max_side if is_light else min(max_side, MOST_FINE_SIDE))


def _as_it_is(decoded: Decoded, _max_side: int) -> Decoded:
    return decoded


def load_small(source: Source, least_side: int) -> tuple[Source, Photo | None]:
    """Return a JPEG's bytes and a copy reduced while it is decoded, its longer side at least so long.

    There is no copy of what is no JPEG, or small already; then the source comes back, a file as its bytes.
    """
    if isinstance(source, Photo | np.ndarray | Image.Image):
        return source, None
    data = bytes_or_pixels(source, "BGR")
    if not isinstance(data, bytes) or _decoder_for(data) is not _decode_jpeg:
        return data, None
    max_side = round(least_side / REDUCTION_KEEPS)
    if _reduction(walk(data).size or (0, 0), max_side) == 1:
        return data, None
    return data, replace(_finish(decode(data, max_side), None), again=partial(_once_more, data))


def brightened(photo: Photo) -> Photo:
    """Return the photo, brightened when its brightest half percent is still dim.

    Raises
    ------
    BoardUnreadableError
        The photo is so dark that nothing can be told apart (``too_dark``).
    """
    brightest = np.sort(strongest(photo.image_bgr[::EVERY, ::EVERY]), axis=None)
    white = float(brightest[int(0.995 * (brightest.size - 1))])
    if white < NO_LIGHT:
        raise too_dark()
    if white >= DIM_WHITE:
        return photo
    alpha = GOAL_WHITE / white
    return photo.lit((alpha, alpha, alpha))


def in_white_light(photo: Photo) -> Photo:
    """Return the photo, with its blue and red brightened when the light was green.

    Lamps are warm or cold, which the reader knows. Green is the light of foliage, a colored bulb or a screen.

    Raises
    ------
    BoardUnreadableError
        There is next to no other light than green (``no_colors``).
    """
    sample = photo.image_bgr[::EVERY, ::EVERY].reshape(-1, 3)
    blue, green, red = np.quantile(sample, 0.995, axis=0)  # what the brightest half percent of each reaches
    cast = green / max(np.sqrt(blue * red), 1.0)
    if cast <= GREEN_LIGHT:
        return photo
    if cast > ONLY_GREEN:
        raise _no_colors()
    return photo.lit((cast, 1.0, cast))


def check_colors(photo: Photo) -> None:
    """Refuse a photo without colors, as a black-and-white mode or a scanner makes it.

    Raises
    ------
    BoardUnreadableError
        There is nothing to tell red from green by (``no_colors``).
    """
    sample = photo.image_bgr[:: 2 * EVERY, :: 2 * EVERY]
    brightest = strongest(sample)
    if np.quantile(brightest - sample.min(axis=2), 0.995) < COLORFUL * np.quantile(brightest, 0.995):
        raise _no_colors()


def _no_colors() -> BoardUnreadableError:
    return BoardUnreadableError(
        "no_colors",
        sentence("This photo has no colors, so that dice cannot be told apart."),
        sentence("Switch the camera or the scanner to color, and take the photo again."),
    )


TURNED_OVER = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}
"""By EXIF orientation, what is left to turn over when those from 5 on are transposed: 0 top and bottom, 1
left and right, -1 both."""


def _turn_upright(image: Image8, orientation: int) -> Image8:
    """Undo what EXIF orientation 1 to 8 says about how the picture lies in the file."""
    if orientation >= 5:
        image = np.asarray(cv2.transpose(image), dtype=np.uint8)
    axis = TURNED_OVER.get(orientation)
    return image if axis is None else np.asarray(cv2.flip(image, axis), dtype=np.uint8)


def _upright_view(image: Image8, orientation: int) -> Image8:
    """Return the same as a view, which takes no memory: of a large picture only a part is copied."""
    if orientation >= 5:
        image = image.transpose(1, 0, 2)
    axis = TURNED_OVER.get(orientation)
    return image if axis is None else np.flip(image, (0, 1) if axis == -1 else axis)


def _mirrored(decoded: Decoded) -> Decoded:
    """Return a picture, upright, with left and right exchanged, as a view."""
    image = _upright_view(decoded.image_bgr, decoded.orientation)
    return replace(decoded, image_bgr=image[:, ::-1], orientation=1)


def _finish(decoded: Decoded, max_side: int | None) -> Photo:
    """Turn the picture upright and bring it down to ``max_side``, a panorama to as many pixels."""
    image = _turn_upright(decoded.image_bgr, decoded.orientation)
    width, height = decoded.full_size
    full_size = (height, width) if decoded.orientation >= 5 else (width, height)
    long_side = max(image.shape[:2])
    if max_side is not None and long_side > (most := max_side * _length(full_size)):
        target = (max(1, round(side * most / long_side)) for side in (image.shape[1], image.shape[0]))
        image = np.asarray(cv2.resize(image, tuple(target), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    image = to_srgb(np.ascontiguousarray(image), decoded.profile)
    return Photo(image, full_size, max(image.shape[:2]) / max(full_size))
