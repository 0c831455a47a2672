"""What people do to let the program learn their dice; the pages and the JSON interface both come here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from calibration.profiles import Sample, loose_sample, window_sample
from scoring import Color, Die
from vision.errors import VisionError
from vision.profile import How
from vision.reading import Point
from webapp.services import record as changes
from webapp.services.errors import InputError, NotFoundError
from webapp.services.quotas import MOST_DICE, Kind
from webapp.services.record import Record
from webapp.storage.files import UPRIGHT
from webapp.storage.profiles import Shelved, Taught
from webapp.web import administrator, context, photos, quotas


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
    content = store.file(record_id, UPRIGHT)
    how = How.WINDOW if record.shown.profile is None else How.CORRECTIONS
    sample = window_sample(content, record.board, record.shown.corners, how)
    # However often a window is put right, it counts once: by the time of its photo.
    taught = _teach(name, replace(sample, when=record.created), keep=keep)
    if taught.lesson.adopted:
        with suppress(VisionError, NotFoundError):  # it is learned all the same
            _read_once_more(record, content, taught)
    return taught


def learn_loose(
    content: bytes, name: str, named: Sequence[tuple[Point, Die | Color]], *, keep: bool | None = None
) -> Taught:
    """Learn loose dice of a photo, each named with where it lies; raises as `learn_window` does."""
    return _teach(name, loose_sample(content, named), keep=keep)


def change(key: str, *, name: str | None = None, default: bool = False) -> Shelved:
    """Rename dice or let them be tried first."""
    store = context.profile_store()
    _demand_right(key)
    if name is not None:
        store.rename(key, name)
    if default:
        store.choose(key)
    return store.get(key)


def undo(key: str) -> None:
    """Go back to what was known before the last lesson."""
    store = context.profile_store()
    _demand_right(key)
    store.undo(key)


def delete(key: str) -> None:
    """Delete dice with all that they were learned from."""
    store = context.profile_store()
    _demand_right(key)
    store.delete(key)


def take_in(text: str) -> Shelved:
    """Add the dice of an exported file."""
    _demand_room({one.key for one in context.profile_store().all()})
    made = context.profile_store().take_in(text)
    quotas.own(Kind.DICE, made.key)
    return made


def forget(*, profiles: bool) -> None:
    """Delete all pictures of dice, with ``profiles`` what was learned, too: the administrator's to do."""
    administrator.demand()
    context.profile_store().forget(profiles=profiles)


def _teach(name: str, sample: Sample, *, keep: bool | None) -> Taught:
    known = {one.key for one in context.profile_store().all()}
    _demand_room(known)
    taught = context.profile_store().teach(name, sample, keep=keep)
    if taught.shelved and taught.lesson.adopted and taught.shelved.key not in known:
        quotas.own(Kind.DICE, taught.shelved.key)
    return taught


def _demand_right(key: str) -> None:
    if any(one.key == key for one in context.profile_store().all()):  # else the store says what is missing
        quotas.demand_right(Kind.DICE, key)


def _demand_room(known: Collection[str]) -> None:
    quotas.demand_room(Kind.DICE)
    if len(known) > MOST_DICE:
        raise InputError("house_full_of_dice", data={"most": MOST_DICE})


def _read_once_more(record: Record, content: bytes, taught: Taught) -> None:
    """Let a window know what it would be read as by now."""
    if taught.shelved is None or taught.shelved.profile is None or record.shown is None:
        return
    reading = photos.read_with(content, record, taught.shelved.profile)
    context.store().update(record.id, lambda newest: changes.known_now(newest, reading))
