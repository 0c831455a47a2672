"""What people do to let the program learn their dice.

Photos of loose dice wait in ``<data>/uploads`` to be named; what nobody names goes after a day.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from calibration.profiles import Sample, loose_sample, window_sample
from scoring import Color, Die
from vision.errors import VisionError
from vision.profile import How
from vision.reading import Point
from webapp.domain import record as changes
from webapp.domain.errors import InputError, NotFoundError
from webapp.domain.quotas import MOST_DICE, Kind
from webapp.services import access, context, photos
from webapp.storage.files import UPRIGHT, make_folder, write_whole
from webapp.storage.profiles import KeptProfile, ProfileStore, Taught

MOST = 20
DAY_S = 24 * 3600


def keep_photo(photo_content: bytes) -> str:
    """Keep a photo and return its id, which cannot be guessed; the oldest beyond `MOST` go."""
    folder = _folder()
    make_folder(folder)
    others = sorted(folder.glob("*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for place, path in enumerate(others):
        if place >= MOST - 1 or time.time() - path.stat().st_mtime > DAY_S:
            path.unlink(missing_ok=True)
    photo_id = secrets.token_urlsafe(12)
    write_whole(folder / photo_id, photo_content)
    return photo_id


def photo_content(photo_id: str) -> bytes:
    """Return the bytes of a photo, or raise `NotFoundError`."""
    try:
        return _path(photo_id).read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError("photo_missing") from error


def remove_photo(photo_id: str) -> None:
    """Remove a photo whose dice were named."""
    _path(photo_id).unlink(missing_ok=True)


def _path(photo_id: str) -> Path:
    """Return the file of a photo; an id of another shape is refused before it is a path."""
    if not changes.ID_PATTERN.fullmatch(photo_id):
        raise NotFoundError("photo_missing")
    return _folder() / photo_id


def _folder() -> Path:
    return context.store().root / "uploads"


def learn_window(
    record_id: str, name: str, revision: int, *, all_right: bool = False, keep: bool | None = None
) -> Taught:
    """Learn the dice of a window that was read from a photo, once a person has looked at all of them.

    When they are learned, the photo is read again with what is known now; the dice stay as confirmed.
    A profile of that ``name`` is improved. The person who saw the ``revision`` may say that dice which need a
    look are ``all_right``, too; ``keep`` is as for `ProfileStore.teach`.

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
    if taught.result.adopted and taught.kept_profile and (profile := taught.kept_profile.profile):
        with suppress(VisionError, NotFoundError):  # it is learned all the same
            reading = photos.read_with(content, record, profile)
            store.update(record.id, lambda newest: changes.known_now(newest, reading))
    return taught


def learn_loose(
    content: bytes, name: str, named: Sequence[tuple[Point, Die | Color]], *, keep: bool | None = None
) -> Taught:
    """Learn loose dice of a photo, each named with where it lies; raises as `learn_window` does."""
    return _teach(name, loose_sample(content, named), keep=keep)


def change(key: str, *, name: str | None = None, default: bool = False) -> KeptProfile:
    """Rename dice or let them be tried first."""
    store = _store_to_change(key)
    if name is not None:
        store.rename(key, name)
    if default:
        store.choose(key)
    return store.get(key)


def undo(key: str) -> None:
    """Go back to what was known before the last photo."""
    _store_to_change(key).undo(key)


def delete(key: str) -> None:
    """Delete dice with all that they were learned from."""
    _store_to_change(key).delete(key)


def take_in(text: str) -> KeptProfile:
    """Add the dice of an exported file."""
    _demand_room({one.key for one in context.profile_store().all()})
    made = context.profile_store().take_in(text)
    access.note_owner(Kind.DICE, made.key)
    return made


def forget(*, profiles: bool) -> None:
    """Delete all pictures of dice, with ``profiles`` what was learned, too: the administrator's to do."""
    access.demand_administrator()
    context.profile_store().forget(profiles=profiles)


def _teach(name: str, sample: Sample, *, keep: bool | None) -> Taught:
    known = {one.key for one in context.profile_store().all()}
    _demand_room(known)
    taught = context.profile_store().teach(name, sample, keep=keep)
    if taught.kept_profile and taught.result.adopted and taught.kept_profile.key not in known:
        access.note_owner(Kind.DICE, taught.kept_profile.key)
    return taught


def _store_to_change(key: str) -> ProfileStore:
    """Return the dice that were taught here, or raise `ForbiddenError` where these are others'."""
    store = context.profile_store()
    if any(one.key == key for one in store.all()):  # else the store says what is missing
        access.demand_right(Kind.DICE, key)
    return store


def _demand_room(known: Collection[str]) -> None:
    access.demand_room(Kind.DICE)
    if len(known) > MOST_DICE:
        raise InputError("no_room_for_dice", data={"most": MOST_DICE})
