"""How a picture looks to people who see colors differently, and how well one color stands out from another.

The matrices are those of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A Physiologically-based Model
for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15(6),
2009, for full severity; they apply to linear RGB. Without any color vision (achromatopsia) only the luminance
is left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
"""The share of red, green and blue in the relative luminance of WCAG 2."""

SIMULATIONS: dict[str, Floats] = {
    "full color vision": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
    "achromatopsia": np.tile(LUMINANCE, (3, 1)),
}


SHARES = np.arange(256) / 255
LIGHT: Floats = np.where(SHARES <= 0.04045, SHARES / 12.92, ((SHARES + 0.055) / 1.055) ** 2.4)


def linear(colors: Picture) -> Floats:
    """Return the light of sRGB colors, 0 to 1."""
    return np.asarray(LIGHT[colors])


def simulated(colors: Picture, deficiency: str) -> Picture:
    """Return sRGB colors (the last axis is red, green, blue) as somebody with ``deficiency`` sees them."""
    light = np.clip(linear(colors) @ SIMULATIONS[deficiency].T, 0, 1)
    share = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(share * 255), np.uint8)


def contrast(first: Picture, second: Picture) -> Floats:
    """Return the contrast ratio of WCAG 2 between colors, 1 to 21.

    Examples
    --------
    >>> float(contrast(np.array([255, 255, 255], np.uint8), np.array([0, 0, 0], np.uint8)))
    21.0
    """
    one, other = linear(first) @ LUMINANCE, linear(second) @ LUMINANCE
    return np.asarray((np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05))
