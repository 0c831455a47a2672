"""From uploaded bytes to a stored reading.

The photo is decoded by `vision.photo`, which bounds size and formats, and written anew, so that
what came with the file (place, time, camera) does not stay.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import cv2
import numpy as np
from flask import request

from scoring import COLUMNS, ROWS, Board, PublicObjective
from vision.advice import Check, examine
from vision.errors import VisionError
from vision.photo import load_photo
from vision.profile import Profile
from vision.reading import Reading
from webapp.services import record as changes
from webapp.services.errors import InputError, UnreadPhotoError
from webapp.services.quotas import Kind
from webapp.services.record import ID_PATTERN, Choices, Failure, Record, brought_along
from webapp.services.table_photo import Purpose, TablePhoto
from webapp.storage.files import SHOWN, UPRIGHT, At
from webapp.web import access, context, cookies, photo_reading, quotas, table_reading
from webapp.web.desk import desk
from webapp.workers.work import encode

THUMBNAIL_PX = 400

_DECODING = threading.Lock()

FLAT_CELL_PX = 120
FLAT_MARGIN = 0.35  # in cells, around a window that is laid flat


def uploaded() -> bytes:
    """Return the bytes of the first photo in the form; there are two inputs, for camera and gallery."""
    for upload in request.files.getlist("photo"):
        content: bytes = upload.read()
        if content:
            return content
    raise InputError("photo_missing")


def sent_id() -> str | None:
    """Return the id that the browser gave the photo of the form, None without one.

    A photo that is sent again, because the answer was lost, has the same id and is stored once.
    """
    photo_id = request.form.get("photo_id", "")
    return photo_id if ID_PATTERN.fullmatch(photo_id) else None


def choices_for_next(card_of: str | None = None) -> Choices:
    """Return the choices for a new photo: the objectives on the table, the card chosen for an earlier one.

    Parameters
    ----------
    card_of
        The id of the reading of the same window whose card comes along when a person chose it.
    """
    choices = cookies.table_choices()
    for before in context.store().load_known([card_of] if card_of else []):
        if before.choices.names_a_card:
            choices = replace(choices, window=before.choices.window)
    return choices


def begun_by_hand(board: Board | None = None) -> Record:
    """Return a new window without a photo, with the cards on the table; empty unless there are dice."""
    quotas.demand_room(Kind.WINDOW_READ)
    return context.store().create({}, choices=cookies.table_choices(), board=board or Board.empty())


def take_in_table(
    content: bytes | Record, purpose: Purpose, target: str | None, public: tuple[PublicObjective, ...] = ()
) -> TablePhoto:
    """Store a photo of the whole table and begin to read it; see `webapp.web.table_reading`.

    Parameters
    ----------
    content
        The photo, or the reading of one window in it, which becomes one of its windows unless it belongs to
        a seat of a game.
    purpose, target, public
        As for a `TablePhoto`.

    Raises
    ------
    UnreadPhotoError
        The bytes are no photo.
    """
    photo_id = sent_id()
    for known in context.tables().load_known([photo_id] if photo_id else []):
        return known
    quotas.demand_room(Kind.TABLE)
    windows: tuple[str, ...] = ()
    files: Mapping[str, bytes | At]
    if isinstance(content, Record):
        size = content.size or (1, 1)
        target = target or content.id
        files = {name: context.store().same_file(content.id, name) for name in (UPRIGHT, SHOWN)}
        if content.reading is not None and access.game_of(content.id) is None:
            windows = (content.id,)
    else:
        desk().demand_room()
        with unread():
            made = photo_reading.opened_table(content)
        size, files = made.size, photo_reading.files_of(made)
    photo = context.tables().create(
        files,
        thing_id=None if isinstance(content, Record) else photo_id,
        size=size,
        purpose=purpose,
        target=target,
        public=public,
        windows=windows,
    )
    if isinstance(content, Record) and access.game_of(content.id) is None:
        context.store().update(content.id, lambda newest: replace(newest, part_of=photo.id))
    table_reading.begin(photo.id)
    return photo


def laid_flat(record: Record) -> bytes:
    """Return a window out of its photo, seen straight from above and the way up that the page shows it.

    Nothing beside the window is in it. Where nobody found the window, the whole photo is returned.

    Raises
    ------
    NotFoundError
        There is no photo.
    """
    content = context.store().file(record.id, SHOWN)
    if record.size is None or record.shown is None:
        return content
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise UnreadPhotoError("not_a_photo")
    corners = np.array(record.shown.corners, np.float32) * (image.shape[1] / record.size[0])
    wide, high = COLUMNS * FLAT_CELL_PX, ROWS * FLAT_CELL_PX
    margin = round(FLAT_MARGIN * FLAT_CELL_PX)
    flat = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) + margin
    seen = cv2.getPerspectiveTransform(corners.astype(np.float32), flat.astype(np.float32))
    size = (wide + 2 * margin, high + 2 * margin)
    return encode(cv2.warpPerspective(image, seen, size, flags=cv2.INTER_AREA).astype(np.uint8, copy=False))


def examined(record: Record) -> tuple[Check, ...]:
    """Return what is in the way of reading a kept photo, the most helpful first, and then what is good.

    Nothing is returned where there is no photo, or no light in it.
    """
    if record.size is None:
        return ()
    try:
        content = context.store().file(record.id, UPRIGHT)
        with _DECODING:
            return examine(load_photo(content).image_bgr, record.reading)
    except VisionError:
        return ()


def shows_several(record: Record) -> bool:
    """Tell whether there are more windows in a photo than the one that was read, or one was looked for."""
    if record.failure is not None:
        return record.failure.code == "several_boards"
    return record.reading is not None and record.reading.other_windows > 0


def read_again(record: Record, corners: list[tuple[float, float]], revision: int | None) -> Record:
    """Read the stored photo with corners set by hand (pixels of the upright photo) and keep the result.

    Raises
    ------
    UnreadPhotoError
        The photo cannot be read with these corners either; the record stays as it is.
    ConflictError
        A die was changed after ``revision``, the one the visitor saw (None: not known).
    """
    if record.size is None:
        raise UnreadPhotoError("photo_missing")
    store = context.store()
    content = store.file(record.id, UPRIGHT)
    with unread():
        reading = photo_reading.read(content, record.size, corners=tuple(corners))

    def change(newest: Record) -> Record:
        again = changes.read_again(newest, revision, reading)
        # Before the first reading nobody could look at the card: it is one of an earlier photo.
        return brought_along(again, newest.choices) if newest.failure else again

    return store.update(record.id, change)


def read_with(content: bytes, record: Record, profile: Profile) -> Reading:
    """Read a photo once more where a window was read in it, with the dice that these are.

    Raises
    ------
    VisionError
        The photo cannot be read.
    """
    corners = record.shown.corners if record.shown else None
    return photo_reading.read(content, record.size or (1, 1), corners=corners, profile=(profile,))


@contextmanager
def decoding() -> Iterator[None]:
    """Decode a photo in this process, one at a time: each may take hundreds of MB; raises as `unread`."""
    with _DECODING, unread():
        yield


@contextmanager
def unread() -> Iterator[None]:
    """Turn what the reader refuses into an `UnreadPhotoError`, which people read in their own language."""
    try:
        yield
    except VisionError as error:
        raise Failure.of(error).error() from error
