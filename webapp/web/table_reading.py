"""Reading photos of whole tables, which takes seconds, in the background.

Each window is kept as soon as it is read. A reading that was cut off, because the server stopped, begins anew
when somebody asks for the photo; what an earlier attempt left is taken over or goes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from flask import current_app

from scoring import PublicObjective
from vision.errors import VisionError
from vision.reading import Corners, Reading
from vision.table import TableReading
from webapp.services.errors import NotFoundError
from webapp.services.record import Choices, Failure, Record, settled, with_public
from webapp.services.table_photo import NotRead, Purpose, Stage, TablePhoto, objectives_of
from webapp.storage.files import SHOWN, UPRIGHT
from webapp.web import context
from webapp.web.desk import desk
from webapp.workers.work import table_looked

SAME_WINDOW = 0.1  # of a window's width: corners no farther apart than this are those of one window


class GivenUpError(Exception):
    """The photo is gone, or another attempt reads it."""


def begin(photo_id: str) -> None:
    """Read a photo as soon as a worker has time, unless that is under way here."""
    desk().begin(photo_id, partial(_read, photo_id))


def looked_at(photo: TablePhoto) -> TablePhoto:
    """Return the photo; when its reading was cut off, that begins anew."""
    if not photo.is_read and desk().was_left(photo.created):
        begin(photo.id)
    return photo


def _read(photo_id: str) -> None:
    attempt = None
    try:
        attempt = _Attempt(photo_id)
        attempt.read()
    except (GivenUpError, NotFoundError):
        if attempt is not None:
            attempt.give_up()


class _Attempt:
    """One reading of a photo: it writes what it reads until another attempt does."""

    def __init__(self, photo_id: str) -> None:
        self._name = secrets.token_hex(4)
        self._photo = context.tables().update(
            photo_id, lambda newest: newest if newest.is_read else replace(newest, attempt=self._name)
        )
        self._made: dict[str, Corners] = {}  # where the window of each record lies

    def read(self) -> None:
        """Read the photo, and keep all that was read whatever fails."""
        if self._photo.is_read:
            return
        try:
            self._finish()
        except VisionError as error:
            self._keep(stage=Stage.FAILED, failure=Failure.of(error))
        except GivenUpError:
            raise
        except Exception:
            current_app.logger.exception("The photo of a table could not be read to its end.")
            self._keep(stage=Stage.FAILED, failure=Failure("table_not_finished"))

    def give_up(self) -> None:
        """Take away what nobody will ever find; what another attempt took over stays."""
        newest = context.tables().load_known([self._photo.id])
        for record_id in self._made:
            if not any(record_id in photo.windows for photo in newest):
                self._forget(record_id)

    def _keep(self, **fields: Any) -> TablePhoto:  # noqa: ANN401
        return self._change(lambda newest: replace(newest, **fields))

    def _change(self, change: Callable[[TablePhoto], TablePhoto]) -> TablePhoto:
        def if_ours(newest: TablePhoto) -> TablePhoto:
            if newest.attempt != self._name:
                raise GivenUpError
            return change(newest)

        try:
            return context.tables().update(self._photo.id, if_ours)
        except NotFoundError as gone:
            raise GivenUpError from gone

    def _progress(self, total: int, reading: Reading | None) -> None:
        if reading is not None:
            self._record_of(reading)
        # What an earlier attempt read stays until this one has come to its end.
        self._keep(expected=total, windows=tuple(dict.fromkeys((*self._made, *self._photo.windows))))

    def _record_of(self, reading: Reading) -> str:
        """Return the id of the record of a window, which is made unless there is one."""
        for record_id, corners in self._made.items():
            if _is_near(corners, reading.corners):
                return record_id
        made = _window(self._photo, reading)
        self._made[made.id] = reading.corners
        return made.id

    def _finish(self) -> None:
        content = context.tables().file(self._photo.id, UPRIGHT)
        known = tuple(context.known_windows().values())
        work = partial(
            table_looked,
            context.kept().table_reader,
            content,
            windows=known,
            profile=context.known_profiles(),
        )
        table, advice = desk().workers.call(work, self._progress)
        read = tuple(dict.fromkeys(self._record_of(one) for one in table.windows))
        others = context.store().load_known({*self._photo.windows, *self._made} - set(read))
        windows = (*read, *(one.id for one in others if _is_somebodys(one)))
        if self._photo.purpose is Purpose.PLACE and len(windows) == 1:
            _bring_card(self._photo.target, windows[0])

        def done(newest: TablePhoto) -> TablePhoto:
            return replace(
                newest,
                stage=Stage.DONE,
                windows=windows,
                loose_dice=table.loose_dice,
                cards=table.cards,
                unread=tuple(NotRead(one.what, Failure.of(one.reason), one.center) for one in table.unread),
                public=self._public(newest, table),
                advice=advice,
            )

        # Whoever sees that all is read must see the points, too.
        counted = self._public(context.tables().load(self._photo.id), table)
        self._count(windows, counted)
        after = self._change(done)
        if after.public != counted:
            self._count(windows, after.public)
        for one in others:
            if one.id not in windows:
                self._forget(one.id)

    def _public(self, newest: TablePhoto, table: TableReading) -> tuple[PublicObjective, ...]:
        """Return the public objectives: those that somebody chose meanwhile, or else those that were read."""
        if newest.purpose is not Purpose.SCORE or newest.public != self._photo.public:
            return newest.public
        return objectives_of(table.cards) or newest.public

    def _count(self, windows: Collection[str], public: tuple[PublicObjective, ...]) -> None:
        if self._photo.purpose is Purpose.SCORE:
            for record_id in windows:
                with suppress(NotFoundError):  # somebody may delete it right now
                    context.store().update(record_id, lambda newest: with_public(newest, public))

    def _forget(self, record_id: str) -> None:
        """Delete a window that is none, unless somebody is on its page since it was read alone."""
        if record_id != self._photo.target:
            with suppress(NotFoundError):  # gone already
                context.store().delete(record_id)


def _window(photo: TablePhoto, reading: Reading) -> Record:
    """Return the record of a window: that of an earlier look, with all that people changed, or a new one."""
    for record in context.store().load_known(photo.windows):
        if _is_same(record, reading.corners):
            return record
    tables = context.tables()
    return context.store().create(
        {name: tables.same_file(photo.id, name) for name in (UPRIGHT, SHOWN)},
        size=photo.size,
        board=reading.board,
        reading=replace(reading, size=photo.size),
        choices=Choices(public=photo.public),
        part_of=photo.id,
    )


def _bring_card(before: str | None, record_id: str) -> None:
    """Let the card that was chosen for an earlier photo of the same window come along; see `settled`."""
    chosen = [one.choices for one in context.store().load_known([before or ""]) if one.choices.names_a_card]

    def change(newest: Record) -> Record:
        if newest.choices.names_a_card:
            return newest
        choices, left = settled(replace(newest.choices, window=chosen[0].window), newest.reading)
        return replace(newest, choices=choices, card_before=left)

    if chosen:
        with suppress(NotFoundError):  # somebody may delete it right now
            context.store().update(record_id, change)


def _is_same(record: Record, corners: Corners) -> bool:
    """Tell whether a record's window was read where these corners are; people may have put others by hand."""
    read = [record.reading, record.earlier.reading if record.earlier else None]
    return any(one is not None and _is_near(one.corners, corners) for one in read)


def _is_near(ours: Corners, theirs: Corners) -> bool:
    """Tell whether these are the corners of one window, either way up."""
    one, other = np.array(ours), np.array(theirs)
    apart = min(float(np.abs(one - turned).max()) for turned in (other, np.roll(other, 2, axis=0)))
    return apart < SAME_WINDOW * float(np.linalg.norm(one[1] - one[0]))


def _is_somebodys(record: Record) -> bool:
    """Tell whether people have put something right in a window."""
    return bool(record.checked or {*record.changed} - {"public"})
