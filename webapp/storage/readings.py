"""Readings: what is known of each in the database, its photo as files beside it; see `webapp.storage.kept`.

The state in the database carries a ``schema`` number, so that one of another version is not guessed at.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import String, cast, select
from sqlalchemy.orm import Session

from scoring import Board, PublicObjective
from vision.errors import VisionError
from vision.reading import Reading
from webapp.services.changes import with_card_renamed
from webapp.services.errors import BrokenRecordError, NotFoundError
from webapp.services.plain import private_as_listed
from webapp.services.record import BEING_READ, Choices, Earlier, Failure, Record
from webapp.storage.files import At
from webapp.storage.kept import DAY_S, Shelf, logger
from webapp.storage.tables import ReadingRow, SeatRow, state_of

SCHEMA = 1
IN_COLUMNS = {"id", "created", "revision"}


class Store(Shelf[Record]):
    """The readings in a database."""

    room = "readings"
    row = ReadingRow
    missing = "reading_missing"

    def clean_up(self, older_than_s: float = DAY_S) -> None:
        """Do as for every shelf, and remove the photos of cards that were left, too."""
        self.remove_left_cards(older_than_s)
        super().clean_up(older_than_s)

    def remove_left_cards(self, older_than_s: float = DAY_S) -> None:
        """Remove the photos that were taken only for a window card which nobody went on to keep."""
        before = datetime.now(UTC) - timedelta(seconds=older_than_s)
        # Spelled as `webapp.storage.database` writes JSON.
        marked = cast(ReadingRow.state, String).contains('"for_card":true')
        with self._database.read() as session:
            ids = session.scalars(select(ReadingRow.id).where(ReadingRow.created < before, marked)).all()
        for record_id in ids:
            try:
                # Somebody may go on with it right now.
                with suppress(NotFoundError, BrokenRecordError), self._database.begin() as session:
                    if self.load(record_id, session=session, lock=True).for_card:
                        self.delete(record_id, session=session)
            except OSError as error:
                logger.warning("The photo of a card cannot be removed (%s).", error.strerror)

    def remove_older_than(self, before: datetime) -> None:
        """Remove what was made before then and belongs to no game."""
        for record_id in self.older_than(before):
            try:
                with suppress(NotFoundError), self._database.begin() as session:
                    seat = select(SeatRow.number).where(SeatRow.record_id == record_id)
                    if session.scalar(seat) is None:
                        self.delete(record_id, session=session)
            except OSError as error:
                logger.warning("An old reading cannot be removed (%s).", error.strerror)

    def beyond(self, most: int) -> datetime | None:
        """Return when the oldest of the ``most`` newest readings was made, None where there are fewer."""
        oldest = select(ReadingRow.created).order_by(ReadingRow.created.desc()).offset(most - 1).limit(1)
        with self._database.read() as session:
            return session.scalar(oldest)

    def waiting(self) -> list[str]:
        """Return the ids of the readings whose photo nobody has read yet, the oldest first."""
        wanted = select(ReadingRow.id).where(
            cast(ReadingRow.state, String).contains(f'"failure":{{"code":"{BEING_READ}"')
        )
        with self._database.read() as session:
            return list(session.scalars(wanted.order_by(ReadingRow.created)))

    def rename_card(self, old: str, new: str) -> None:
        """Let the readings on a window card call it by its new name."""
        written = json.dumps(old)[1:-1]  # as it stands in the text of a state
        wanted = select(ReadingRow.id).where(
            cast(ReadingRow.state, String).contains(written, autoescape=True)
        )
        with self._database.read() as session:
            ids = session.scalars(wanted).all()
        for record_id in ids:
            with suppress(NotFoundError, BrokenRecordError):  # somebody may delete it right now
                self.update(record_id, lambda newest: with_card_renamed(newest, old, new))

    @staticmethod
    def _made(fields: dict[str, Any]) -> Record:
        return Record(**fields)

    @staticmethod
    def _columns(thing: Record) -> dict[str, Any]:
        return {"revision": thing.revision, "schema": SCHEMA, "state": state_of(thing, IN_COLUMNS)}

    @staticmethod
    def _of_row(row: ReadingRow) -> Record:
        if row.schema != SCHEMA or not isinstance(row.state, dict):
            raise BrokenRecordError("broken_record")
        try:
            state = dict(row.state)
            reading, failure, earlier = state.pop("reading"), state.pop("failure"), state.pop("earlier")
            choices, size = dict(state.pop("choices")), state.pop("size")
            private = choices.pop("private")
            return Record(
                id=row.id,
                created=row.created.isoformat(timespec="seconds"),
                revision=row.revision,
                board=Board.parse(state.pop("board")),
                size=(size[0], size[1]) if size else None,
                reading=Reading.from_json(reading) if reading else None,
                failure=Failure(**failure) if failure else None,
                checked=tuple(state.pop("checked")),
                choices=Choices(
                    public=tuple(PublicObjective(name) for name in choices.pop("public")),
                    private=private_as_listed(private) if private else None,
                    **choices,
                ),
                earlier=Earlier(
                    Board.parse(earlier["board"]),
                    Reading.from_json(earlier["reading"]),
                    earlier["turned"],
                    tuple(earlier["checked"]),
                )
                if earlier
                else None,
                **state,
            )
        except (KeyError, TypeError, ValueError, AttributeError, VisionError) as error:
            raise BrokenRecordError("broken_record") from error

    def copied(self, session: Session, record_id: str) -> Record:
        """Return a copy of a reading with its photos, under another id."""
        # A correction of just now moves along.
        old = self.load(record_id, session=session, lock=True)
        place = self.place(record_id)
        files = {name: At(place, name) for name in self.files.names(place)}
        known = {one.name: getattr(old, one.name) for one in fields(Record)}
        del known["id"], known["created"]
        return self.create(files, session=session, **known)
