"""What a photo shows: from bytes to a reading of the 4 x 5 window.

The modules in the order of the road: ``photo`` (bytes to an upright picture), ``grid`` (where is
the lattice?), ``dice`` (what does each cell hold?), ``pattern`` (which card, which way up?),
``read`` (all of it) and, apart from reading, ``overlay`` (draw the reading over the photo).
"""

import vision._opencv  # noqa: F401  first: it says what to install when OpenCV cannot be loaded
from vision import _opencv  # noqa: F401 - first: says what to install where OpenCV cannot load
from vision.errors import BoardNotFoundError, BoardUnreadableError, PhotoError, VisionError
from vision.overlay import draw_overlay
from vision.photo import Photo, load_photo
from vision.read import read_photo
from vision.reading import Alternative, CellReading, Corners, Reading, WindowGuess

__all__ = [
    "Alternative",
    "BoardNotFoundError",
    "BoardUnreadableError",
    "CellReading",
    "Corners",
    "Photo",
    "PhotoError",
    "Reading",
    "VisionError",
    "WindowGuess",
    "draw_overlay",
    "load_photo",
    "read_photo",
]
