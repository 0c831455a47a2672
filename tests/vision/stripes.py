"""Stripes of light and shade, as blinds throw them, drawn over photos of windows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GAMMA = 2.2


@dataclass(frozen=True)
class Stripes:
    """Stripes of shade over a photo.

    ``shade`` is the share of the light that is left in them, ``period`` the width of a stripe of light with
    one of shade and ``edge`` that of the edge between them, in pitches; ``angle_deg`` is their direction and
    ``phase``, in periods, where they begin.
    """

    shade: float
    period: float
    angle_deg: float
    phase: float = 0.0
    edge: float = 0.0

    def over(self, image_bgr: NDArray[np.uint8], pitch_px: float) -> NDArray[np.uint8]:
        """Return the photo, uint8 H x W x 3, in which a pitch has so many pixels, under these stripes."""
        rows, columns = np.mgrid[: image_bgr.shape[0], : image_bgr.shape[1]].astype(np.float32)
        turn = np.radians(self.angle_deg)
        along = (columns * np.cos(turn) + rows * np.sin(turn)) / (self.period * pitch_px) + self.phase
        inside = 0.25 - np.abs(along % 1 - 0.5)  # from the nearest edge, in periods; light where above 0
        lit = np.clip(0.5 + inside * self.period / max(self.edge, 1 / pitch_px), 0, 1)
        left = (self.shade + (1 - self.shade) * lit)[..., None]
        linear = (image_bgr / np.float32(255)) ** GAMMA
        return np.asarray(np.rint(255 * (linear * left) ** (1 / GAMMA)), np.uint8)


def random_stripes(seed: int, shade: float, edge: float = 0.0) -> Stripes:
    """Return stripes of which a seed tells all but the shade and the width of the edges."""
    rng = np.random.default_rng(seed)
    period, angle, phase = rng.uniform(0.4, 2.5), rng.uniform(0, 180), rng.uniform()
    return Stripes(shade, float(period), float(angle), float(phase), edge)
