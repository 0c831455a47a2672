"""Letting photos be read: at once where a worker has time, else in the background while the visitor waits."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from scoring import Board
from vision.errors import VisionError
from vision.read import TABLE_SIDE_PX, WINDOW_SIDE_PX
from vision.reading import Reading
from webapp.services.errors import BusyError, NotFoundError, UnreadPhotoError
from webapp.services.quotas import Kind
from webapp.services.record import BEING_READ, Choices, Failure, Record, settled
from webapp.storage.files import SENT, SHOWN, UPRIGHT
from webapp.web import context, quotas
from webapp.web.desk import BY_THE_WAY_S, desk
from webapp.workers.work import Looked, Opened, in_photo, looked, opened

SHOWN_PX = 1600
SHOWN_TABLE_PX = 2400  # of which a window is a small part


def take_in(
    content: bytes, choices: Choices, *, for_card: bool = False, photo_id: str | None = None
) -> Record:
    """Store a photo with what can be read in it, and return the record.

    A photo that opens but cannot be read is stored too, with the reason: the visitor may put the
    corners by hand or enter the dice beside it. So is one for which no worker has time just now: then the
    reason is that it is being read.

    Parameters
    ----------
    content
        The bytes that came.
    choices
        A window card among them was chosen for an earlier photo; see `settled`.
    for_card
        The photo is taken for nothing but the card in it.
    photo_id
        The id of the record; where it is known, the photo is here already.

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
    quotas.demand_room(Kind.WINDOW_READ)
    return _taken_in(content, choices, for_card=for_card, photo_id=photo_id)


def _taken_in(content: bytes, choices: Choices, *, for_card: bool, photo_id: str | None) -> Record:
    if for_card:
        context.store().remove_left_cards()
    line = desk()
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
    if record.is_being_read and desk().place(record.id) is None and desk().was_left(record.created):
        desk().begin(record.id, partial(_read_kept, record.id))
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
            desk().begin(record_id, partial(_read_kept, record_id))


def photos_stay() -> bool:
    """Tell whether photos are kept and read on this computer."""
    return context.store().files.are_here and desk().workers.are_here


def problem(record: Record) -> UnreadPhotoError | None:
    """Return why a photo could not be read, or how many are before it; None where all is well."""
    if record.failure is None:
        return None
    if not record.is_being_read:
        return record.failure.error()
    return UnreadPhotoError(record.failure.code, data={"place": desk().place(record.id) or 0})


def opened_table(content: bytes) -> Opened:
    """Return the photo of a table as it is kept.

    Raises
    ------
    VisionError
        The bytes are no photo.
    """
    return desk().workers.call(partial(opened, content, kept_px=TABLE_SIDE_PX, shown_px=SHOWN_TABLE_PX))


def read(content: bytes, size: tuple[int, int], **told: Any) -> Reading:  # noqa: ANN401
    """Read a photo that is kept with this size, with the cards and the dice of this house.

    Raises
    ------
    VisionError
        The photo cannot be read.
    """
    options = {"windows": _cards(), "profile": context.known_profiles(), **told}
    return in_photo(desk().workers.call(partial(context.kept().reader, content, **options)), size)


def files_of(photo: Opened) -> dict[str, bytes]:
    """Return the files that are kept of a photo."""
    return {UPRIGHT: photo.upright, SHOWN: photo.shown}


def _looking(content: bytes) -> Callable[[], Looked]:
    """Return what lets a worker look at a photo; it needs nothing of this request any more."""
    work = partial(
        looked,
        context.kept().reader,
        content,
        kept_px=WINDOW_SIDE_PX,
        shown_px=SHOWN_PX,
        windows=_cards(),
        profile=context.known_profiles(),
    )
    return partial(desk().workers.call, work)


def _cards() -> tuple[Any, ...]:
    return tuple(context.known_windows().values())


def _fields(seen: Looked, choices: Choices) -> Mapping[str, Any]:
    """Return what a record holds of a photo that was looked at."""
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

        def read(newest: Record) -> Record:
            if isinstance(seen, Looked):
                fields = _fields(seen, newest.choices)
                if not newest.is_being_read:
                    fields = {name: fields[name] for name in ("size", "photo_hash")}
                return replace(newest, **fields)
            return replace(newest, failure=_failure(seen)) if newest.is_being_read else newest

        store.update(record_id, read)
        store.remove_file(record_id, SENT)
    if isinstance(seen, Exception) and not isinstance(seen, VisionError | UnreadPhotoError):
        raise seen


def _failure(error: Exception) -> Failure:
    return Failure.of(error) if isinstance(error, VisionError) else Failure("photo_not_finished")
