"""The file of one taught card: what it is in JSON, its picture and features as compressed NumPy arrays.

A file is a ``.npz`` archive: ``about`` holds JSON (format, schema, name, kind), ``picture_bgr``, ``points``
and ``descriptors`` are those of `vision.taught.TaughtCard`.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from io import BytesIO

import numpy as np

from calibration.errors import CalibrationError
from vision.taught import TaughtCard, kind_of
from vision.taught.card import FEATURE_BYTES, MOST_FEATURES, PICTURE_PX

FORMAT, SCHEMA = "sagrada-card", 1
SUFFIX = ".npz"
LARGEST_FILE, LARGEST_UNPACKED = 2_000_000, 4_000_000  # bytes; a card has 0.3 and 0.5 million
START_ANEW = "Teach the card again, or move the file away."


def file_name_of(name: str) -> str:
    """Return what the file of a card is called.

    Examples
    --------
    >>> file_name_of("Cork-backed Straightedge")
    'tool-cork-backed-straightedge.npz'
    """
    kind = kind_of(name).replace("_", "-")
    return f"{kind}-{name.casefold().replace(' ', '-')}{SUFFIX}"


def file_of_card(card: TaughtCard) -> bytes:
    """Return the content of the file of a card."""
    about = {"format": FORMAT, "schema": SCHEMA, "name": card.name, "kind": card.kind}
    stream = BytesIO()
    np.savez_compressed(
        stream,
        about=np.array(json.dumps(about)),
        picture_bgr=card.picture_bgr,
        points=card.points,
        descriptors=card.descriptors,
    )
    return stream.getvalue()


def card_of_file(content: bytes) -> TaughtCard:
    """Return the card that `file_of_card` made the content of.

    Raises
    ------
    CalibrationError
        A newer version of the program wrote the file (``card_file_newer``), or it holds no card, or one whose
        parts do not fit together (``card_file_damaged``).
    """
    if len(content) > LARGEST_FILE:
        raise _damaged("it is too large")
    try:
        with zipfile.ZipFile(BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > LARGEST_UNPACKED:
                raise _damaged("it is too large")
        with np.load(BytesIO(content), allow_pickle=False) as kept:
            about = json.loads(str(kept["about"][()]))
            if about["format"] != FORMAT:
                raise _damaged("it is no file of a card")
            if about["schema"] > SCHEMA:
                raise CalibrationError(
                    "card_file_newer",
                    "A newer version of this program wrote this card.",
                    "Update the program, or move the file away.",
                )
            card = TaughtCard(
                about["name"], about["kind"], kept["picture_bgr"], kept["points"], kept["descriptors"]
            )
            if card.kind != kind_of(card.name) or about["schema"] < 1:
                raise _damaged("its name is no card of that kind")
    # What numpy, zipfile and json raise on bytes that are nothing they know.
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise _damaged("it cannot be unpacked") from error
    count, (width, height) = len(card.points), PICTURE_PX
    shapes = (card.picture_bgr, "uint8", (height, width, 3)), (card.points, "float32", (count, 4))
    for array, kind, shape in (*shapes, (card.descriptors, "uint8", (count, FEATURE_BYTES))):
        if array.dtype != kind or array.shape != shape:
            raise _damaged("its arrays have the wrong shape")
    if count > MOST_FEATURES or not np.isfinite(card.points).all() or (card.points[:, 2] <= 0).any():
        raise _damaged("its features lie nowhere")
    return card


def _damaged(why: str) -> CalibrationError:
    return CalibrationError("card_file_damaged", f"This file of a card is damaged: {why}.", START_ANEW)
