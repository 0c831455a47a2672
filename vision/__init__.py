"""What a photo shows: from bytes to a reading of the 4 x 5 window.

The road of a photo: ``photo`` (whatever a caller has to an upright
picture), ``detection`` (where is the window?), ``recognition`` (what lies in its 20 cells, on which card,
which way up?) and ``read`` (all of it, to a ``reading``, or of several windows to a ``table``; ``merge``
makes one of several photos). Favor ``tokens`` beside windows are counted; on a table ``loose`` dice and
``objectives`` are read too.
Apart from reading, ``overlay`` draws what was read over the photo, and ``advice`` says what would make it
better.
"""

from vision.advice import Advice, Check, Verdict, advise, examine
from vision.errors import BoardNotFoundError, BoardUnreadableError, PhotoError, VisionError
from vision.merge import MergedTable, merge_readings, merge_tables
from vision.overlay import draw_overlay, draw_table_overlay
from vision.photo import Photo, load_photo
from vision.read import read_photo, read_table
from vision.reading import Alternative, CellReading, Corners, Reading, Tokens, WindowGuess
from vision.table import CardReading, LooseDie, TableReading, Unread

__all__ = [
    "Advice",
    "Alternative",
    "BoardNotFoundError",
    "BoardUnreadableError",
    "CardReading",
    "CellReading",
    "Check",
    "Corners",
    "LooseDie",
    "MergedTable",
    "Photo",
    "PhotoError",
    "Reading",
    "TableReading",
    "Tokens",
    "Unread",
    "Verdict",
    "VisionError",
    "WindowGuess",
    "advise",
    "draw_overlay",
    "draw_table_overlay",
    "examine",
    "load_photo",
    "merge_readings",
    "merge_tables",
    "read_photo",
    "read_table",
]
