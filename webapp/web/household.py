"""What people do to let the program learn their dice; the pages and the JSON interface both come here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from calibration.profiles import loose_sample
from scoring import Color, Die
from vision.errors import VisionError
from vision.profile import How
from vision.reading import Point
from webapp.companion import changes
from webapp.companion.errors import NotFoundError
from webapp.companion.record import Record
from webapp.store.profiles import Taught
from webapp.web import context, lessons, photos
from webapp.web.photo_files import UPRIGHT


def learn_window(
    record_id: str, name: str, revision: int, *, all_right: bool = False, keep: bool | None = None
) -> Taught:
    """Learn the dice of a window that was read from a photo, once a person has looked at all of them.

    When they are learned, the photo is read again with what is known now; the dice stay as confirmed.

    Parameters
    ----------
    record_id
        The reading.
    name
        What the dice are called; a profile of that name is improved.
    revision
        The state that the person saw.
    all_right
        Whether the person says that all dice are right, also those that need a look.
    keep
        As for `ProfileStore.teach`.

    Raises
    ------
    InputError, ConflictError
        As for `changes.confirmed`.
    ProfileError, VisionError
        The dice cannot be learned, or the name will not do.
    """
    store = context.store()
    record = store.update(record_id, lambda newest: changes.confirmed(newest, revision, all_right=all_right))
    assert record.shown is not None  # noqa: S101  `confirmed` has seen to that
    content = store.file(record_id, UPRIGHT).read_bytes()
    how = How.WINDOW if record.shown.profile is None else How.CORRECTIONS
    known = lessons.of_window(record)
    sample = lessons.sample_of(content, record, how, known)
    taught = context.profile_store().teach(name, sample, keep=keep, instead=known.made if known else None)
    lessons.note(record, sample, taught)
    if taught.lesson.adopted:
        with suppress(VisionError, NotFoundError):  # it is learned all the same
            _read_once_more(record, content, taught)
    return taught


def learn_loose(
    content: bytes, name: str, named: Sequence[tuple[Point, Die | Color]], *, keep: bool | None = None
) -> Taught:
    """Learn loose dice of a photo, each named with where it lies; raises as `learn_window` does."""
    return context.profile_store().teach(name, loose_sample(content, named), keep=keep)


def _read_once_more(record: Record, content: bytes, taught: Taught) -> None:
    """Let a window know what it would be read as by now."""
    if taught.shelved is None or taught.shelved.profile is None or record.shown is None:
        return
    reading = photos.read_with(content, record, taught.shelved.profile)
    context.store().update(record.id, lambda newest: changes.known_now(newest, reading))
