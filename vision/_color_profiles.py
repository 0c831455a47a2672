"""The color profile that a photo carries: its numbers turned into those of sRGB, which the reader knows.

Phones save Display P3, some cameras Adobe RGB. Taken for sRGB their dice look paler, and more are in doubt.
"""

from __future__ import annotations

import io

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

Image8 = NDArray[np.uint8]

MAX_BYTES = 4_000_000
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
    if not profile or len(profile) > MAX_BYTES:
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
