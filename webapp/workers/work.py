"""What a worker does with a photo. It gets all that it needs, and needs neither the page nor its storage."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring import PublicObjective
from vision.advice import Advice, advise
from vision.errors import VisionError
from vision.geometry import Grid
from vision.objectives import find_objectives
from vision.photo import Photo, load_photo
from vision.profile import Profile
from vision.reading import Reading
from vision.table import TableReading
from vision.viewfinder import FRAME_PX, Look, look_at
from webapp.domain.errors import UnreadPhotoError
from webapp.domain.record import Failure

Reader = Callable[..., Reading]
TableReader = Callable[..., TableReading]
"""What turn a photo into the reading of a window, or of a whole table; see `webapp.create_app`."""

SHOWN_QUALITY = 85
KEPT_QUALITY = 95
MOST_OBJECTIVES = 3  # lie on a table


@dataclass(frozen=True)
class Opened:
    """A photo as it is kept: upright and without what else its file told.

    ``upright`` and ``shown`` are JPEG files, for reading it again and for the page; ``size`` is the width and
    height of the upright photo in pixels.
    """

    upright: bytes
    shown: bytes
    size: tuple[int, int]

    @property
    def hash(self) -> str:
        """The SHA-256 of the photo."""
        return hashlib.sha256(self.upright).hexdigest()


@dataclass(frozen=True)
class Looked:
    """A photo with what was read in it, or why nothing was, and the objective cards beside the window."""

    photo: Opened
    reading: Reading | None
    failure: Failure | None
    objectives: tuple[PublicObjective, ...] = ()


def opened(content: bytes, *, kept_px: int, shown_px: int, mirrored: bool = False) -> Opened:
    """Return a photo as it is kept, its longer side at most so many pixels; a `VisionError` refuses it.

    Of a ``mirrored`` one left and right are exchanged.
    """
    return _opened(load_photo(content, max_side=kept_px, mirrored=mirrored), shown_px)


def _opened(photo: Photo, shown_px: int) -> Opened:
    upright = encode(photo.image_bgr, quality=KEPT_QUALITY)
    height, width = photo.image_bgr.shape[:2]
    return Opened(upright, encode(photo.image_bgr, shown_px), (width, height))


def looked(
    reader: Reader,
    content: bytes,
    *,
    kept_px: int,
    shown_px: int,
    profile: tuple[Profile, ...],
    mirrored: bool = False,
    **told: Any,  # noqa: ANN401  what the reader takes
) -> Looked:
    """Return a photo as it is kept, with what the reader says of it; it is decoded once.

    Of a ``mirrored`` one left and right are exchanged first. A `VisionError` says that the bytes are none.
    """
    photo = load_photo(content, max_side=kept_px, mirrored=mirrored)
    kept = _opened(photo, shown_px)
    try:
        reading = in_photo(reader(photo, profile=profile, **told), kept.size)
    except VisionError as error:
        return Looked(kept, None, Failure.of(error))
    return Looked(kept, reading, None, objectives_beside(photo, reading))


def objectives_beside(photo: Photo, reading: Reading) -> tuple[PublicObjective, ...]:
    """Return the public objectives whose cards lie beside a window and are told surely, three at most."""
    window = Grid.from_corners(reading.corners, reading.size)
    sure = [card for card in find_objectives(photo, [window])[0] if not card.doubtful]
    surest = sorted(sure, key=lambda card: -card.confidence)
    return tuple(PublicObjective(card.name) for card in surest[:MOST_OBJECTIVES])


def frame_looked(content: bytes, *, every: bool) -> tuple[Look, tuple[int, int]]:
    """Return what a frame of a camera shows, see `look_at`, and its width and height in pixels.

    A `VisionError` says that the bytes are no picture.
    """
    image_bgr = load_photo(content, max_side=FRAME_PX).image_bgr
    height, width = image_bgr.shape[:2]
    return look_at(image_bgr, every=every), (width, height)


def table_looked(
    reader: TableReader,
    content: bytes,
    **told: Any,  # noqa: ANN401  what the reader takes
) -> tuple[TableReading, tuple[Advice, ...]]:
    """Return what the reader says of the photo of a table, and what would make such a photo better.

    A `VisionError` says that it cannot be read.
    """
    table = reader(content, **told)
    return table, advise(load_photo(content).image_bgr, table)


def in_photo(reading: Reading, size: tuple[int, int]) -> Reading:
    """Return the reading with corners in pixels of a photo of this width and height."""
    across, down = size[0] / reading.size[0], size[1] / reading.size[1]
    a, b, c, d = ((round(x * across, 1), round(y * down, 1)) for x, y in reading.corners)
    return replace(reading, size=size, corners=(a, b, c, d))


def encode(
    image_bgr: NDArray[np.uint8], longest_px: int | None = None, quality: int = SHOWN_QUALITY
) -> bytes:
    """Return the image as JPEG, its longer side at most ``longest_px``."""
    height, width = image_bgr.shape[:2]
    if longest_px and max(height, width) > longest_px:
        scale = longest_px / max(height, width)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        image_bgr = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    done, encoded = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise UnreadPhotoError("not_a_photo")
    return encoded.tobytes()
