"""Learning from windows that people confirm, where they agreed to it once.

That takes a second, so it is done in the background.

Whoever confirms a window gets the answer at once. What is still to be learned stands in a file beside the
photo, so that it is not lost when the server stops: it goes on when somebody looks at the window.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from typing import cast

from flask import Flask, current_app

from calibration.profiles import Sample, window_sample
from scoring.errors import SagradaError
from vision.profile import How
from webapp.services.errors import CompanionError, InputError, NotFoundError, StoreError
from webapp.services.household import WindowLesson
from webapp.services.record import Record
from webapp.storage.files import LEARNED, UPRIGHT, locked
from webapp.storage.profiles import Taught, lesson_of
from webapp.web import context

KEY = "sagrada_lessons"
AT_WORK = ".learning.lock"  # in the data folder; the process that holds it learns
LEARN_PATIENCE_S = 60.0
PAUSE_S = 0.5  # so that the answer is on its way, and the page is drawn, before the work begins


class Desk:
    """Learns from the windows of an application, one after the other."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._one_at_a_time = threading.Lock()

    def begin(self, record_id: str) -> None:
        """Learn from a window in a moment, unless somebody is at it."""
        timer = threading.Timer(PAUSE_S, self._run, (record_id,))
        timer.daemon = True
        timer.start()

    def _run(self, record_id: str) -> None:
        with (
            self._one_at_a_time,
            self._app.app_context(),
            suppress(OSError, NotFoundError),  # the window is gone, or another process does not finish
            locked(context.store().root / AT_WORK, LEARN_PATIENCE_S),
        ):
            _learn(record_id)


def register(app: Flask) -> None:
    """Let ``app`` learn in the background."""
    app.extensions[KEY] = Desk(app)


def sample_of(content: bytes, record: Record, how: How, known: WindowLesson | None) -> Sample:
    """Return the dice of a window as they are confirmed, under the name that its photo has among lessons."""
    assert record.shown is not None  # noqa: S101  only windows that were read are learned from
    sample = window_sample(content, record.board, record.shown.corners, how)
    return replace(sample, how=How(known.how), when=known.when) if known else sample


def said_right(after: Record) -> None:
    """Let a window be learned from whose dice somebody put right or found right, unless some need a look yet.

    Nothing happens unless pictures of dice may be kept, and the dice were read with those of this house.
    Whatever is in the way here, what somebody did to the window is saved.
    """
    if not _teaches(after) or not _keeps():
        return

    def due(known: WindowLesson | None) -> WindowLesson | None:
        if known and (known.undone or known.board == str(after.board)):
            return known
        begun = known or WindowLesson(datetime.now(UTC).isoformat(timespec="milliseconds"), How.CORRECTIONS)
        return replace(begun, due=secrets.token_hex(4), failure=None)

    try:
        _change(after.id, due)
    except (OSError, CompanionError):
        current_app.logger.exception("It cannot be noted that a window is to be learned from.")
    else:
        of_window(after)


def of_window(record: Record) -> WindowLesson | None:
    """Return what was learned from a window; what is still to be learned begins, or begins anew."""
    if record.size is None:
        return None
    known = kept_lesson(record.id)
    if known and known.due:
        cast("Desk", current_app.extensions[KEY]).begin(record.id)
    return known


def can_undo(known: WindowLesson | None) -> bool:
    """Tell whether the lesson of a window is the last one of its profile."""
    if known is None or known.key is None:
        return False
    try:
        shelved = context.profile_store().get(known.key)
    except (NotFoundError, StoreError):
        return False
    return shelved.can_undo and shelved.profile is not None and shelved.profile.revision == known.revision


def undo(record_id: str) -> None:
    """Take back what was learned from a window; nothing is learned from it by itself any more.

    Raises
    ------
    InputError
        Nothing was, or others were learned from since (``nothing_to_undo``).
    """
    known = of_window(context.store().load(record_id))
    if known is None or known.key is None:
        raise InputError("nothing_to_undo")
    context.profile_store().undo(known.key, known.revision)
    _change(record_id, lambda now: now and WindowLesson(now.when, now.how, undone=True))


def note(record: Record, sample: Sample, taught: Taught, due: str | None = None) -> None:
    """Note what came of a lesson from a window, which was ``due`` or which somebody asked for."""
    made = taught.shelved.profile if taught.shelved and taught.lesson.adopted else None

    def noted(now: WindowLesson | None) -> WindowLesson:
        now = now or WindowLesson(sample.when, sample.how)
        if taught.shelved and made:
            now = replace(now, key=taught.shelved.key, revision=made.revision)
        still = now.due if due and now.due != due else None
        return replace(
            now, due=still, came=taught.lesson, board=str(record.board), failure=None, undone=False
        )

    _change(record.id, noted)


def _learn(record_id: str) -> None:
    """Learn from a window until no confirmation of it is left."""
    while (known := kept_lesson(record_id)) and known.due:
        failure, due = None, known.due
        try:
            _learn_once(record_id, known)
        except SagradaError as error:
            current_app.logger.warning("Nothing is learned from a window: %s", error)
            failure = error.code
        except Exception:
            current_app.logger.exception("A window could not be learned from.")
            failure = "lesson_failed"
        _change(record_id, partial(_settled, due=due, failure=failure))


def _learn_once(record_id: str, known: WindowLesson) -> None:
    record, store = context.store().load(record_id), context.profile_store()
    if not _teaches(record) or not _keeps():  # somebody thought better of it
        return
    content = context.store().file(record_id, UPRIGHT)
    sample = sample_of(content, record, How.CORRECTIONS, known)
    name = (record.shown and record.shown.profile) or ""
    taught = store.teach(name, sample, instead=known.made, by_itself=True)
    note(record, sample, taught, known.due)


def _settled(now: WindowLesson | None, due: str, failure: str | None) -> WindowLesson | None:
    """Return what is known of a window once a confirmation of it was learned from, or could not be."""
    return replace(now, due=None, failure=failure) if now and now.due == due else now


def kept_lesson(record_id: str) -> WindowLesson | None:
    """Return what is noted of a window."""
    try:
        return lesson_of(context.store().file(record_id, LEARNED))
    except NotFoundError:
        return None


def _change(record_id: str, change: Callable[[WindowLesson | None], WindowLesson | None]) -> None:
    def changed(content: bytes | None) -> bytes | None:
        before = lesson_of(content)
        after = change(before)
        return json.dumps(asdict(after)).encode() if after is not None and after != before else None

    context.store().change_file(record_id, LEARNED, changed)


def _teaches(record: Record) -> bool:
    """Tell whether all dice of a window are confirmed that were read as dice of this house."""
    read = record.shown
    is_own = read is not None and read.profile is not None and record.size is not None
    return is_own and not record.doubts and not record.for_card


def _keeps() -> bool:
    try:
        return bool(context.profile_store().settings().keeps)
    except StoreError:
        return False
