"""The bend of a camera's lens, and setting its photos straight.

A wide-angle lens bends straight lines, most near the picture's edge, and then no homography fits a window.
The model is OpenCV's (Brown 1971): a ray at distance r from the axis, in focal lengths, is seen at distance
r (1 + k1 r^2 + k2 r^4). A negative k1 bulges like a barrel, as wide-angle lenses do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import hypot, isfinite
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.sentences import sentence
from vision.errors import VisionError

Float = NDArray[np.float64]
Size = tuple[int, int]

BEYOND_THE_PHOTO = 114  # gray, as around the views of the finder
MOST_WIDER = 2.0  # more than that a corner of a photo is never moved outwards; no lens of a phone bends so
LEAST_SLOPE = 0.05  # a pixel of the photo is never stretched outwards to more than twenty
BORDER = np.array([side for k in range(33) for j in (0, 1) for side in ((k / 32, j), (j, k / 32))])
STEPS, CLOSE = 20, 1e-10  # of Newton's method: most steps, and the last one in focal lengths


@dataclass(frozen=True)
class Lens:
    """How a camera bends its pictures, for photos of every size.

    ``focal`` is the focal length in long sides of the photo. ``center`` is where the lens's axis meets the
    picture, as shares of its longer and its shorter side when it lies on its side; a picture that stands was
    turned clockwise for that. ``k1`` and ``k2`` are the radial terms of OpenCV's model.

    Raises
    ------
    VisionError
        No lens is like this: parts of a photo would be seen twice, or not at all (``bad_lens``).
    """

    focal: float
    k1: float
    k2: float = 0.0
    center: tuple[float, float] = (0.5, 0.5)

    def __post_init__(self) -> None:
        if not (
            all(map(isfinite, (self.focal, self.k1, self.k2, *self.center)))
            and 0.2 <= self.focal <= 20
            and all(0.3 <= share <= 0.7 for share in self.center)
            and np.isfinite(self._reach)
        ):
            raise bad_lens()

    @property
    def is_straight(self) -> bool:
        """Whether it bends nothing."""
        return self.k1 == self.k2 == 0

    def to_json(self) -> dict[str, object]:
        """Return the lens as plain data."""
        return {"focal": self.focal, "center": list(self.center), "k1": self.k1, "k2": self.k2}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lens:
        """Return the lens that `to_json` gave; raises a `VisionError` for anything else (``bad_lens``)."""
        try:
            x, y = map(float, data["center"])
            return cls(float(data["focal"]), float(data["k1"]), float(data["k2"]), (x, y))
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise bad_lens() from error

    def straightened(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a photo, uint8 H x W x 3, as a lens that bends nothing would have taken it.

        Its middle keeps its scale and nothing is cut off, so it is larger than the photo, or smaller; beyond
        the photo it is gray.
        """
        size = image_bgr.shape[1], image_bgr.shape[0]
        middle, focal = self._camera(size)
        low, (width, height) = self._frame(size)
        straight = np.array([[focal, 0, middle[0] - low[0]], [0, focal, middle[1] - low[1]], [0, 0, 1]])
        camera = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
        bends = np.array([self.k1, self.k2, 0, 0])
        maps = cv2.initUndistortRectifyMap(camera, bends, np.eye(3), straight, (width, height), cv2.CV_16SC2)
        around = (BEYOND_THE_PHOTO,) * 3
        out = cv2.remap(
            image_bgr, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=around
        )
        return np.asarray(out, dtype=np.uint8)

    def straight_size(self, size: Size) -> Size:
        """Return (width, height) of the straightened picture of a photo of this (width, height) in pixels."""
        return self._frame(size)[1]

    def to_photo(self, points: Float, size: Size) -> Float:
        """Return where points (N, 2) of the straightened picture are in the photo.

        ``size`` is (width, height) of the photo in pixels.
        """
        return self.bent(points + self._frame(size)[0], size)

    def from_photo(self, points: Float, size: Size) -> Float:
        """Return where points (N, 2) of a photo are in its straightened picture, as `to_photo`."""
        return self.unbent(points, size) - self._frame(size)[0]

    def bent(self, points: Float, size: Size) -> Float:
        """Return what `unbent` takes to these points (N, 2)."""
        middle, focal = self._camera(size)
        rays = (points - middle) / focal
        return np.asarray(middle + focal * rays * self._bend((rays**2).sum(axis=1))[:, None])

    def unbent(self, points: Float, size: Size) -> Float:
        """Return points (N, 2) of a photo without the bend, the middle of the lens where it was."""
        middle, focal = self._camera(size)
        seen = (points - middle) / focal
        reach = np.hypot(*seen.T)
        bound, far = self._reach, reach
        for _ in range(STEPS):
            bend = self._bend(far**2)
            slope = np.where(far < bound, 3 * bend - 2 + 2 * self.k2 * far**4, bend)
            step = (far * bend - reach) / slope
            far = far - step
            if np.abs(step).max(initial=0) < CLOSE:
                break
        return np.asarray(middle + focal * seen * (far / np.maximum(reach, 1e-12))[:, None])

    def _bend(self, squared: Float) -> Float:
        """Return how much nearer to the middle rays are seen, from their squared distance from the axis."""
        within = np.minimum(squared, self._reach**2)
        return np.asarray(1 + within * (self.k1 + self.k2 * within))

    @cached_property
    def _reach(self) -> float:
        """Return how far from the axis the model is asked, in focal lengths; beyond it no lens bends more.

        That is where the corner of a square photo is seen; infinite where the model does not reach it.
        """
        corner = hypot(*(max(share, 1 - share) for share in self.center)) / self.focal
        far = np.linspace(0, MOST_WIDER * corner, 400)
        squared = far**2
        rises = 1 + squared * (3 * self.k1 + 5 * self.k2 * squared) > LEAST_SLOPE
        seen = far * (1 + squared * (self.k1 + self.k2 * squared)) >= corner
        first = int(seen.argmax())
        return float(far[first]) if seen[first] and rises[: first + 1].all() else float("inf")

    def axis_in(self, size: Size) -> tuple[float, float]:
        """Return where (x, y) the lens's axis meets a photo of (width, height) pixels."""
        x, y = self._camera(size)[0].tolist()
        return x, y

    def _camera(self, size: Size) -> tuple[Float, float]:
        """Return middle (x, y) and focal length of a photo in pixels, whose centers are whole numbers."""
        x, y = self.center
        shares = (x, y) if size[0] >= size[1] else (1 - y, x)
        return np.array(shares) * size - 0.5, self.focal * max(size)

    def _frame(self, size: Size) -> tuple[Float, Size]:
        return _frame_of(self, size)


@lru_cache(maxsize=16)
def _frame_of(lens: Lens, size: Size) -> tuple[Float, Size]:
    """Return the top left of a lens's straightened picture beside that of the photo, and its size."""
    border = lens.unbent(BORDER * (np.array(size) - 1), size)
    low = np.floor(border.min(axis=0))
    width, height = (np.ceil(border.max(axis=0)) - low + 1).astype(int).tolist()
    return low, (width, height)


def bad_lens() -> VisionError:
    """Return the error for what is no lens."""
    return VisionError(
        "bad_lens",
        sentence("This is not the data of a lens."),
        sentence("Measure the lens again, from photos of windows or of a chessboard."),
    )
