"""ICC profiles of the color spaces in which phones and cameras save photos (ICC.1:2001-04, with curves)."""

import struct

import numpy as np

# Red, green and blue of each space as XYZ, adapted to D50.
PRIMARIES = {
    "Display P3": ((0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)),
    "Adobe RGB": ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457)),
    "sRGB": ((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410)),
}


def profile_of(name: str, space: bytes = b"RGB ") -> bytes:
    """Return the profile of one of `PRIMARIES`; ``space`` is the color space that it says it is of."""
    tags = {b"desc": _text(name), b"cprt": b"text\0\0\0\0none\0", b"wtpt": _xyz((0.9642, 1.0, 0.8249))}
    curve = _curve(name)
    for letter, color in zip("rgb", PRIMARIES[name], strict=True):
        tags |= {f"{letter}XYZ".encode(): _xyz(color), f"{letter}TRC".encode(): curve}
    table, data = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for key, body in tags.items():
        table += key + struct.pack(">II", start + len(data), len(body))
        data += body + b"\0" * (-len(body) % 4)
    rest = struct.pack(">I", len(tags)) + table + data
    header = struct.pack(">I4sI4s4s4s", 128 + len(rest), b"none", 0x02400000, b"mntr", space, b"XYZ ")
    header += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp").ljust(44, b"\0")
    header += struct.pack(">3I", 0x0000F6D6, 0x00010000, 0x0000D32D)
    return header.ljust(128, b"\0") + rest


def _text(name: str) -> bytes:
    said = name.encode() + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(said)) + said + bytes(78)


def _xyz(color: tuple[float, float, float]) -> bytes:
    return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(part * 65536) for part in color))


def _curve(name: str) -> bytes:
    x = np.linspace(0, 1, 1024)
    srgb = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    steps = np.round((x ** (563 / 256) if name == "Adobe RGB" else srgb) * 65535).astype(">u2")
    return b"curv\0\0\0\0" + struct.pack(">I", len(steps)) + steps.tobytes()
