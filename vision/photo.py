"""From the bytes of a photo to an upright, bright picture, whatever the phone wrote and whoever sent it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scoring.sentences import sentence
from vision.decoding import Decoded, Image8, Size, decode, of_pixels, to_srgb
from vision.errors import BoardUnreadableError
from vision.geometry import are_inside
from vision.source import ColorOrder, Given, bytes_or_pixels

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
    """

    image_bgr: Image8
    full_size: Size
    scale: float

    def in_full_size(self, points: Points) -> Points:
        """Return where points (N, 2) of ``image_bgr`` are in the upright full-size photo, in its pixels."""
        return points / self.scale

    def from_full_size(self, points: Points) -> Points:
        """Return where points (N, 2) of the upright full-size photo are in ``image_bgr``."""
        return points * self.scale

    def shows(self, points: Points) -> NDArray[np.bool_]:
        """Return which points (N, 2) of ``image_bgr`` the photo shows."""
        return are_inside(points, (self.image_bgr.shape[1], self.image_bgr.shape[0]))


Source: TypeAlias = Given | Photo
"""What can be read: whatever is a photo, or one that was loaded already."""


def load_photo(source: Source, *, max_side: int | None = 2400, color_order: ColorOrder = "BGR") -> Photo:
    """Decode a JPEG, PNG, WebP or HEIC photo and turn it upright; take pixels as they are.

    Files with several pictures give the first or, in HEIC, the main one. Transparent places become
    white, 16 bits become 8, grey and CMYK become BGR, and other color spaces (an embedded ICC profile) sRGB.

    Parameters
    ----------
    source
        The file's bytes, its path, a file that is open for reading bytes, a Pillow image (turned upright by
        its EXIF data), or an array, H x W x 3, uint8. A photo that was loaded already comes back as it is.
    max_side
        Bound for the longer side in pixels; larger photos are reduced to at most that and at least
        3/4 of it. None keeps the full size.
    color_order
        Of an array: ``"BGR"``, as OpenCV has it, or ``"RGB"``.

    Raises
    ------
    PhotoError
        The file is missing, no photo, incomplete, too large or too small.
    TypeError
        The source is nothing of the above.
    """
    if isinstance(source, Photo):
        return source
    given = bytes_or_pixels(source, color_order)
    if isinstance(given, bytes):
        return _finish(decode(given, max_side), max_side)
    profile = source.info.get("icc_profile") if isinstance(source, Image.Image) else None
    return _finish(of_pixels(given, profile), max_side)


def brightened(photo: Photo) -> Photo:
    """Return the photo, brightened when its brightest half percent is still dim.

    Raises
    ------
    BoardUnreadableError
        The photo is so dark that nothing can be told apart (``too_dark``).
    """
    brightest = np.sort(photo.image_bgr[::EVERY, ::EVERY].max(axis=2), axis=None)
    white = float(brightest[int(0.995 * (brightest.size - 1))])
    if white < NO_LIGHT:
        raise BoardUnreadableError(
            "too_dark",
            sentence("The photo is too dark to see a window."),
            sentence("Turn on a lamp or use the flash, and take the photo again."),
        )
    if white >= DIM_WHITE:
        return photo
    brighter = cv2.convertScaleAbs(photo.image_bgr, alpha=GOAL_WHITE / white)
    return replace(photo, image_bgr=np.asarray(brighter, dtype=np.uint8))


def brightest_bgr(photo: Photo) -> NDArray[np.float64]:
    """Return what the brightest half percent of each channel reaches, (3,) BGR, 0-255."""
    sample = photo.image_bgr[::EVERY, ::EVERY].reshape(-1, 3)
    return np.asarray(np.quantile(sample, 0.995, axis=0), dtype=np.float64)


def in_white_light(photo: Photo) -> Photo:
    """Return the photo, with its blue and red brightened when the light was green.

    Lamps are warm or cold, which the reader knows. Green is the light of foliage, a colored bulb or a screen.

    Raises
    ------
    BoardUnreadableError
        There is next to no other light than green (``no_colors``).
    """
    blue, green, red = brightest_bgr(photo)
    cast = green / max(np.sqrt(blue * red), 1.0)
    if cast <= GREEN_LIGHT:
        return photo
    if cast > ONLY_GREEN:
        raise _no_colors()
    brighter = cv2.convertScaleAbs(photo.image_bgr, alpha=cast)
    brighter[..., 1] = photo.image_bgr[..., 1]
    return replace(photo, image_bgr=np.asarray(brighter, dtype=np.uint8))


def check_colors(photo: Photo) -> None:
    """Refuse a photo without colors, as a black-and-white mode or a scanner makes it.

    Raises
    ------
    BoardUnreadableError
        There is nothing to tell red from green by (``no_colors``).
    """
    sample = photo.image_bgr[:: 2 * EVERY, :: 2 * EVERY]
    brightest = sample.max(axis=2)
    if np.quantile(brightest - sample.min(axis=2), 0.995) < COLORFUL * np.quantile(brightest, 0.995):
        raise _no_colors()


def _no_colors() -> BoardUnreadableError:
    return BoardUnreadableError(
        "no_colors",
        sentence("This photo has no colors, so that dice cannot be told apart."),
        sentence("Switch the camera or the scanner to color, and take the photo again."),
    )


def _turn_upright(image: Image8, orientation: int) -> Image8:
    """Undo what EXIF orientation 1 to 8 says about how the picture lies in the file."""
    if orientation in (5, 7):
        image = np.asarray(cv2.transpose(image), dtype=np.uint8)
    match orientation:
        case 2:
            turned = cv2.flip(image, 1)
        case 3 | 7:
            turned = cv2.rotate(image, cv2.ROTATE_180)
        case 4:
            turned = cv2.flip(image, 0)
        case 6:
            turned = cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)
        case 8:
            turned = cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE)
        case _:
            return image
    return np.asarray(turned, dtype=np.uint8)


def _finish(decoded: Decoded, max_side: int | None) -> Photo:
    """Turn the picture upright and bring it down to ``max_side``."""
    image = _turn_upright(decoded.image_bgr, decoded.orientation)
    width, height = decoded.full_size
    full_size = (height, width) if decoded.orientation >= 5 else (width, height)
    long_side = max(image.shape[:2])
    if max_side is not None and long_side > max_side:
        target = (max(1, round(side * max_side / long_side)) for side in (image.shape[1], image.shape[0]))
        image = np.asarray(cv2.resize(image, tuple(target), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    image = to_srgb(np.ascontiguousarray(image), decoded.profile)
    return Photo(image, full_size, max(image.shape[:2]) / max(full_size))
