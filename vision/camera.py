"""Which camera took a photo, as its file says (EXIF): a lens belongs to one camera."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from PIL import Image
from PIL.TiffImagePlugin import IFDRational

MAKE, MODEL, DETAILS, FOCAL, FOCAL_35 = 0x010F, 0x0110, 0x8769, 0x920A, 0xA405
"""The tags of EXIF 2.32: who made the camera, which one it is, where more stands, and the focal lengths."""
MARK = b"Exif\0\0"
LONGEST = 60


@dataclass(frozen=True)
class Camera:
    """A camera with one of its lenses.

    ``focal_mm`` is the focal length; ``focal_35_mm`` is the one that shows as much on 35 mm film, which a
    digital zoom changes, 0 where the file does not say it.
    """

    make: str
    model: str
    focal_mm: float
    focal_35_mm: int = 0

    def __str__(self) -> str:
        """Return what people call it.

        >>> str(Camera("Apple", "iPhone 15", 2.22, 14))
        'Apple iPhone 15, 2.2 mm'
        """
        name = self.model if self.model.startswith(self.make) else f"{self.make} {self.model}"
        return f"{name.strip()}, {self.focal_mm:.1f} mm"

    def to_json(self) -> dict[str, object]:
        """Return the camera as plain data."""
        return {
            "make": self.make,
            "model": self.model,
            "focal_mm": self.focal_mm,
            "focal_35_mm": self.focal_35_mm,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Camera:
        """Return the camera that `to_json` gave; raises a ValueError, TypeError or KeyError for no camera."""
        make, model, focal_35_mm = data["make"], data["model"], data["focal_35_mm"]
        focal_mm = round(float(data["focal_mm"]), 3)
        if not (isinstance(make, str) and isinstance(model, str) and type(focal_35_mm) is int):
            raise TypeError(data)
        if not (make + model).isprintable() or max(len(make), len(model)) > LONGEST or not model:
            raise ValueError(data)
        if not (isfinite(focal_mm) and 0 < focal_mm < 10_000 and 0 <= focal_35_mm < 10_000):
            raise ValueError(data)
        return cls(make, model, focal_mm, focal_35_mm)

    @classmethod
    def of_exif(cls, exif: object) -> Camera | None:
        """Return the camera that a block of EXIF names; None where it names none or is broken."""
        if not isinstance(exif, bytes):
            return None
        try:
            block = Image.Exif()
            block.load(exif)
            details = block.get_ifd(DETAILS)
            return cls.from_json(
                {
                    "make": _text(block.get(MAKE, "")),
                    "model": _text(block[MODEL]),
                    "focal_mm": details[FOCAL],
                    "focal_35_mm": int(details.get(FOCAL_35, 0)),
                }
            )
        except Exception:  # noqa: BLE001  on damaged blocks Pillow raises whatever broke first
            return None

    def to_exif(self) -> bytes:
        """Return a block of EXIF that says this and nothing else."""
        block = Image.Exif()
        block[MAKE], block[MODEL] = self.make, self.model
        details = block.get_ifd(DETAILS)
        details[FOCAL] = IFDRational(round(self.focal_mm * 1000), 1000)
        if self.focal_35_mm:
            details[FOCAL_35] = self.focal_35_mm
        written = block.tobytes()
        return written if written.startswith(MARK) else MARK + written


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


def with_camera(jpeg: bytes, camera: Camera) -> bytes:
    """Return a JPEG that says which camera took it, after one that says nothing (ITU-T T.81, annex B)."""
    exif = camera.to_exif()
    return jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:]


def _text(value: object) -> str:
    return " ".join(str(value).replace("\0", " ").split())
