"""What a WebP file says before its pixels, and its first picture by itself.

Pillow decodes even a still as an animation, on a canvas that it holds twice and copies twice. Source: RFC
9649, sections 2.3 to 2.7, for where a picture's size stands RFC 6386, section 9.1, and RFC 9649, section 3.4.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from vision._jpeg import Size
from vision.errors import damaged

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
