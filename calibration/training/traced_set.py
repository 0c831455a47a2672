"""Path-traced windows as arrays, like those of `calibration.training.dataset`.

A window is traced once, in about thirteen seconds of one core, and photographed ``PHOTOS`` times; all of
them have the seed of the scene, which tells training, validation and test apart as everywhere.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.training.dataset import Shard, add_crops, add_views
from calibration.training.shards import Arrays
from calibration.training.synthetic import traced
from calibration.training.synthetic.scene import Scene

PHOTOS, VIEWED = 12, 4  # photos a scene for the reader, and how many of these the finder sees, too
SIZES = ((420, 350), (350, 420), (440, 330), (380, 380))


def photos_of(seed: int, *, low: bool = False) -> list[Scene]:
    """Return the photos of one traced window, each with a light, a lens and a JPEG of its own."""
    rng = np.random.default_rng(seed)
    drawing = traced.draw(rng, size=SIZES[int(rng.integers(len(SIZES)))], low=low)
    # The finder sees each photo in one size whatever its own; the reader's others are smaller often.
    far = [0.0 if k < VIEWED else 0.6 for k in range(PHOTOS)]
    return [
        traced.photographed(np.random.default_rng([seed, k]), drawing, far_away=far[k]) for k in range(PHOTOS)
    ]


def arrays_of(seed: int, *, low: bool = False) -> Arrays:
    """Return what `calibration.training.dataset.arrays_of` describes, of the photos of one window.

    ``low`` shows it from the table's edge, with glare.
    """
    rng = np.random.default_rng([seed, PHOTOS])
    shard = Shard()
    for k, scene in enumerate(photos_of(seed, low=low)):
        add_crops(shard, rng, scene, seed, cv2.BORDER_REFLECT)
        if k < VIEWED:
            add_views(shard, rng, scene, seed)
    return shard.arrays()
