"""From the bytes of a photo to a stored reading: at once where a worker has time, else in the background.

The photo is decoded by `vision.photo`, which bounds size and formats, and written anew, so that
what came with the file (place, time, camera) does not stay.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scoring import COLUMNS, ROWS, Board
from vision.advice import Check, examine
from vision.errors import VisionError
from vision.photo import load_photo
from vision.profile import Profile
from vision.read import TABLE_SIDE_PX, WINDOW_SIDE_PX
from vision.reading import Reading
from vision.viewfinder import Look
from webapp.domain import record as changes
from webapp.domain.errors import BusyError, InputError, NotFoundError, UnreadPhotoError
from webapp.domain.quotas import Kind
from webapp.domain.record import BEING_READ, Choices, Failure, Record, brought_along, settled
from webapp.services import access, context
from webapp.services.context import queue
from webapp.storage.files import SENT, SHOWN, UPRIGHT
from webapp.workers.work import Looked, Opened, encode, frame_looked, in_photo, looked, opened
from webapp.workers.workers import BY_THE_WAY_S

SHOWN_PX = 1600
SHOWN_TABLE_PX = 2400  # of which a window is a small part
TURN_S = 20.0  # so long a visitor waits for a photo that is merged with another one


def take_in(
    content: bytes, choices: Choices, *, for_card: bool = False, photo_id: str | None = None
) -> Record:
    """Store a photo with what can be read in it, and return the record.

    A photo that opens but cannot be read is stored too, with the reason: the visitor may put the
    corners by hand or enter the dice beside it. So is one for which no worker has time just now: then the
    reason is that it is being read. Where the ``photo_id`` is known, the photo is here already. A window card
    among the choices was chosen for an earlier photo, see `settled`.

    Raises
    ------
    UnreadPhotoError
        The bytes are no photo.
    BusyError
        Too many photos are waiting.
    TooManyError
        So many came from this device today.
    """
    for known in context.store().load_known([photo_id] if photo_id else []):
        return looked_at(known)
    access.demand_room(Kind.WINDOW_READ)
    if for_card:
        context.store().remove_left_cards()
    line = queue()
    line.demand_room()
    look = _Look(_looking(content))
    waiting = partial(
        context.store().create,
        {SENT: content},
        thing_id=photo_id,
        failure=Failure(BEING_READ),
        choices=choices,
        for_card=for_card,
    )
    if line.is_free():
        job = line.begin(secrets.token_hex(8), look.run)
        if not job.done.wait(BY_THE_WAY_S) and (record := look.left_to(waiting)) is not None:
            job.key = record.id
            return record
        seen = look.result()
        return context.store().create(
            files_of(seen.photo), thing_id=photo_id, for_card=for_card, **_fields(seen, choices)
        )
    record = waiting()
    try:
        line.begin(record.id, partial(_read_kept, record.id))
    except BusyError:  # others were quicker
        context.store().delete(record.id)
        raise
    return record


def looked_at(record: Record) -> Record:
    """Return the record; when the reading of its photo was cut off, that begins anew."""
    if record.is_being_read and queue().place(record.id) is None and queue().was_left(record.created):
        queue().begin(record.id, partial(_read_kept, record.id))
    return record


def go_on() -> None:
    """Let the photos be read that were waiting when the server ended, and remove files of those that were."""
    store = context.store()
    # Another server may be making one that is not known yet.
    for record in store.load_known(store.holding(SENT)):
        if not record.is_being_read:
            store.remove_file(record.id, SENT)
    waiting = store.waiting()
    with suppress(BusyError):  # the rest begins when somebody asks for them
        for record_id in waiting:
            queue().begin(record_id, partial(_read_kept, record_id))


def photos_stay() -> bool:
    """Tell whether photos are kept and read on this computer."""
    return context.store().files.are_here and queue().workers.are_here


def opened_table(content: bytes, *, mirrored: bool = False) -> Opened:
    """Return the photo of a table as it is kept, or raise a `VisionError`."""
    as_kept = partial(opened, kept_px=TABLE_SIDE_PX, shown_px=SHOWN_TABLE_PX, mirrored=mirrored)
    return queue().workers.call(partial(as_kept, content))


def read_here(content: bytes, size: tuple[int, int], **told: Any) -> Reading:  # noqa: ANN401
    """Read a photo that is kept with this size, with the cards and the dice that are known.

    A photo that cannot be read is a `VisionError`.
    """
    options = {"windows": _cards(), "profile": context.known_profiles(), **told}
    return in_photo(queue().workers.call(partial(context.kept().reader, content, **options)), size)


def files_of(photo: Opened) -> dict[str, bytes]:
    """Return the files that are kept of a photo."""
    return {UPRIGHT: photo.upright, SHOWN: photo.shown}


def _looking(content: bytes, *, mirrored: bool = False) -> Callable[[], Looked]:
    """Return what lets a worker look at a photo; it needs nothing of this request any more."""
    work = partial(
        looked,
        context.kept().reader,
        content,
        kept_px=WINDOW_SIDE_PX,
        shown_px=SHOWN_PX,
        mirrored=mirrored,
        windows=_cards(),
        profile=context.known_profiles(),
    )
    return partial(queue().workers.call, work)


def glance(content: bytes, *, every: bool) -> tuple[Look, tuple[int, int]]:
    """Return what a frame of a camera shows and its size, see `frame_looked`; nothing is kept of it.

    Raises
    ------
    UnreadPhotoError
        The bytes are no picture.
    BusyError
        All workers are reading photos, which go first.
    """
    with unread():
        return queue().by_the_way(partial(frame_looked, content, every=every))


def _cards() -> tuple[Any, ...]:
    return tuple(context.known_windows().values())


def _fields(seen: Looked, choices: Choices) -> Mapping[str, Any]:
    """Return what a record holds of a photo; the objectives in it count where nobody chose any."""
    choices = replace(choices, public=choices.public or seen.objectives)
    choices, card_before = settled(choices, seen.reading)
    return {
        "size": seen.photo.size,
        "board": seen.reading.board if seen.reading else Board.empty(),
        "reading": seen.reading,
        "failure": seen.failure,
        "choices": choices,
        "card_before": card_before,
        "photo_hash": seen.photo.hash,
    }


class _Look:
    """One look at a photo: whoever asked takes what was seen, or leaves it to a record."""

    def __init__(self, call: Callable[[], Looked]) -> None:
        self._call = call
        self._guard = threading.Lock()
        self._seen: Looked | Exception | None = None
        self._record_id: str | None = None

    def run(self) -> None:
        """Look."""
        seen = _seen(self._call)
        with self._guard:
            self._seen = seen
            record_id = self._record_id
        if record_id is not None:
            _settle(record_id, seen)

    def left_to(self, make: Callable[[], Record]) -> Record | None:
        """Make a record that gets what is seen, and return it; None where it is there already."""
        with self._guard:
            if self._seen is not None:
                return None
            record = make()
            self._record_id = record.id
            return record

    def result(self) -> Looked:
        """Return what was seen, or raise why nothing was."""
        if isinstance(self._seen, Looked):
            return self._seen
        if isinstance(self._seen, VisionError):
            raise Failure.of(self._seen).error() from self._seen
        raise self._seen or UnreadPhotoError("photo_not_finished")


def _read_kept(record_id: str) -> None:
    """Read the photo of a record that waits for it."""
    with suppress(NotFoundError):  # somebody may delete it right now
        content = context.store().file(record_id, SENT)
        _settle(record_id, _seen(_looking(content)))


def _seen(call: Callable[[], Looked]) -> Looked | Exception:
    try:
        return call()
    except Exception as error:  # noqa: BLE001  it is told to whoever waits for the photo
        return error


def _settle(record_id: str, seen: Looked | Exception) -> None:
    """Give a record what was seen in its photo. Somebody may have gone on by hand, or deleted it."""
    store = context.store()
    with suppress(NotFoundError):
        if isinstance(seen, Looked):
            store.add_files(record_id, files_of(seen.photo))

        def settled_by(newest: Record) -> Record:
            if not isinstance(seen, Looked):
                return replace(newest, failure=_failure(seen)) if newest.is_being_read else newest
            if newest.is_being_read:
                return replace(newest, **_fields(seen, newest.choices))
            return replace(newest, size=seen.photo.size, photo_hash=seen.photo.hash)

        store.update(record_id, settled_by)
        store.remove_file(record_id, SENT)
    if isinstance(seen, Exception) and not isinstance(seen, VisionError | UnreadPhotoError):
        raise seen


def _failure(error: Exception) -> Failure:
    return Failure.of(error) if isinstance(error, VisionError) else Failure("photo_not_finished")


THUMBNAIL_PX = 400

_DECODING = threading.Lock()

FLAT_CELL_PX = 120
FLAT_MARGIN = 0.35  # in cells, around a window that is laid flat


def choices_for_next(card_of: str | None = None) -> Choices:
    """Return the choices for a new photo: the objectives on the table, the card chosen for an earlier one.

    ``card_of`` is the id of the reading of the same window whose card comes along when a person chose it.
    """
    choices = Choices(public=context.visitor().public)
    for before in context.store().load_known([card_of] if card_of else []):
        if before.choices.names_a_card:
            choices = replace(choices, window=before.choices.window)
    return choices


def begun_by_hand(board: Board | None = None) -> Record:
    """Return a new window without a photo, with the cards on the table; empty unless there are dice."""
    access.demand_room(Kind.WINDOW_READ)
    return context.store().create(
        {}, choices=Choices(public=context.visitor().public), board=board or Board.empty()
    )


def laid_flat(record: Record) -> bytes:
    """Return a window out of its photo, seen straight from above and the way up that the page shows it.

    Nothing beside the window is in it. Where nobody found the window, the whole photo is returned; without
    a photo there is a `NotFoundError`.
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
    with suppress(VisionError):
        content = context.store().file(record.id, UPRIGHT)
        with _DECODING:
            return examine(load_photo(content).image_bgr, record.reading)
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
        reading = read_here(content, record.size, corners=tuple(corners))

    def change(newest: Record) -> Record:
        again = changes.read_again(newest, revision, reading)
        # Before the first reading nobody could look at the card: it is one of an earlier photo.
        return brought_along(again, newest.choices) if newest.failure else again

    return store.update(record.id, change)


def turn_back(record_id: str, revision: int) -> Record:
    """Exchange left and right of a kept photo, read it anew and keep both.

    Raises
    ------
    UnreadPhotoError
        There is no photo of this window alone, or it cannot be read turned back; the record stays as it is.
    ConflictError
        A die was changed after ``revision``.
    """
    store = context.store()
    record = store.load(record_id)
    if record.size is None or record.part_of:
        raise UnreadPhotoError("photo_missing")
    with unread():
        seen = _looking(store.file(record_id, UPRIGHT), mirrored=True)()
    if seen.reading is None:
        raise (seen.failure or Failure("photo_not_finished")).error()
    reading = seen.reading

    def change(newest: Record) -> Record:
        after = changes.turned_back(newest, revision, reading, seen.photo.hash)
        if after is not newest:
            store.add_files(record_id, files_of(seen.photo))
        return after

    return store.update(record_id, change)


def _looked_at(content: bytes, *, mirrored: bool = False) -> tuple[Looked, Reading]:
    look = _Look(_looking(content, mirrored=mirrored))
    if not queue().begin(secrets.token_hex(8), look.run).done.wait(TURN_S):
        raise BusyError("too_many_photos")
    seen = look.result()
    if seen.reading is None:
        raise (seen.failure or Failure("photo_not_finished")).error()
    return seen, seen.reading


def merge_in(record_id: str, content: bytes) -> Record:
    """Read another photo of a window, and keep what both show together; the photo itself is not kept.

    Raises
    ------
    UnreadPhotoError
        The photo cannot be read, or shows another window; the record stays as it is.
    BusyError, TooManyError
        As for `take_in`.
    """
    first = context.store().load(record_id).reading
    if first is None:
        raise InputError("no_reading_to_learn")
    access.demand_room(Kind.WINDOW_READ)
    seen, reading = _looked_at(content)
    if reading.mirrored and not first.mirrored:  # the camera mirrored the first one, too
        seen, reading = _looked_at(content, mirrored=True)
    with unread():
        return context.store().update(
            record_id, lambda newest: changes.with_photo(newest, reading, seen.photo.hash)
        )


def read_with(content: bytes, record: Record, profile: Profile) -> Reading:
    """Read a photo once more where a window was read in it, with the dice that these are; see `read_here`."""
    corners = record.shown.corners if record.shown else None
    return read_here(content, record.size or (1, 1), corners=corners, profile=(profile,))


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


def sample_names() -> list[str]:
    """Return the names of the sample photos; none when the folder is not there."""
    folder = context.kept().samples
    try:
        labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [name for name in labels if (folder / name).is_file()]


def sample(name: str) -> bytes:
    """Return the bytes of a sample photo."""
    return _sample_path(name).read_bytes()


def sample_thumbnail(name: str) -> bytes:
    """Return a small JPEG of a sample photo."""
    return _thumbnail(_sample_path(name))


def _sample_path(name: str) -> Path:
    if name not in sample_names():
        raise NotFoundError("not_found")
    return context.kept().samples / name


@lru_cache(maxsize=32)
def _thumbnail(path: Path) -> bytes:
    return encode(load_photo(path).image_bgr, THUMBNAIL_PX)
