"""What a JPEG says before its pixels: how large it is, how it is turned, and what decoding it takes."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

from vision.errors import damaged

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
