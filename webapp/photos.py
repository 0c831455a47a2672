"""From uploaded bytes to a stored reading.

The photo is decoded by `vision.photo`, which bounds size and formats, and written anew, so that
what came with the file (place, time, camera) does not stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring import WindowPattern, cell_name
from vision.errors import BoardUnreadableError, VisionError
from vision.photo import load_photo
from vision.reading import Reading
from webapp import changes, context, cookies
from webapp.same_card import brought_along, is_by_hand, settled
from webapp.storage import EMPTY_BOARD, Choices, Record

SHOWN_PX = 1600
THUMBNAIL_PX = 400
KEPT_QUALITY = 95
SHOWN_QUALITY = 85

UPRIGHT = "upright.jpg"
SHOWN = "photo.jpg"


def choices_for_next(card_of: str | None = None) -> Choices:
    """Return the choices for a new photo: the objectives on the table, the card chosen for an earlier one.

    Parameters
    ----------
    card_of
        The id of the reading of the same window whose card comes along when a person chose it.
    """
    choices = cookies.table_choices()
    for before in context.store().load_known([card_of] if card_of else []):
        if is_by_hand(before.choices):
            choices = replace(choices, window=before.choices.window)
    return choices


def take_in(content: bytes, choices: Choices, *, for_card: bool = False) -> Record:
    """Store a photo with what can be read in it, and return the record.

    A window card among the ``choices`` was chosen for an earlier photo; see `webapp.same_card`. ``for_card``:
    the photo is taken for nothing but the card in it.

    A photo that opens but cannot be read is stored too, with the reason: the visitor may put the
    corners by hand or enter the dice beside it.

    Raises
    ------
    PhotoError
        The bytes are no photo.
    """
    image = load_photo(content).image_bgr
    height, width = image.shape[:2]
    fields: dict[str, Any] = {"size": (width, height), "for_card": for_card}
    try:
        fields |= _from_reading(context.reader()(content, windows=_windows()), (width, height))
    except VisionError as error:
        fields["failure"] = error.to_json()
    fields["choices"], fields["card_before"] = settled(choices, fields.get("reading"))
    files = {UPRIGHT: encode(image, quality=KEPT_QUALITY), SHOWN: encode(image, SHOWN_PX)}
    if for_card:
        context.store().remove_left_cards()
    return context.store().create(files, **fields)


def read_again(record: Record, corners: list[tuple[float, float]], revision: int | None) -> Record:
    """Read the stored photo with corners set by hand (pixels of the upright photo) and keep the result.

    Raises
    ------
    VisionError
        The photo cannot be read with these corners either; the record stays as it is.
    ConflictError
        A die was changed after ``revision``, the one the visitor saw (None: not known).
    """
    if record.size is None:
        raise BoardUnreadableError("photo_missing", "There is no photo.", "Take or choose a photo first.")
    store = context.store()
    content = store.file(record.id, UPRIGHT).read_bytes()
    fields = _from_reading(context.reader()(content, corners=tuple(corners), windows=_windows()), record.size)

    def change(newest: Record) -> Record:
        again = changes.read_again(newest, revision, **fields)
        # Before the first reading nobody could look at the card: it is one of an earlier photo.
        return brought_along(again, newest.choices) if newest.failure else again

    return store.update(record.id, change)


def _windows() -> tuple[WindowPattern, ...]:
    """Return the cards that a window can lie on in this house."""
    return tuple(context.known_windows().values())


def _from_reading(reading: Reading, size: tuple[int, int]) -> dict[str, Any]:
    """Return the fields of a record that come from a reading, with corners in pixels of a ``size`` photo."""
    told = reading.to_json()
    across, down = size[0] / reading.size[0], size[1] / reading.size[1]
    told["corners"] = [[round(x * across, 1), round(y * down, 1)] for x, y in reading.corners]
    told["unclear_prints"] = [cell_name(cell) for cell in reading.unclear_prints]
    return {"reading": told, "board": str(reading.board) or EMPTY_BOARD}


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
        raise BoardUnreadableError("not_a_photo", "The photo cannot be written.", "Choose another photo.")
    return encoded.tobytes()
