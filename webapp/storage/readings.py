"""Readings and photos of whole tables in the database, with their photos as files.

The windows that are read in a photo of the table are readings of their own.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, String, cast, exists, select

from scoring import Board, PublicObjective
from vision.advice import Advice
from vision.reading import Reading
from vision.table import CardReading, LooseDie
from webapp.domain.errors import BrokenRecordError, NotFoundError
from webapp.domain.payloads import private_as_listed
from webapp.domain.record import BEING_READ, Choices, Earlier, Failure, Record, with_card_renamed
from webapp.domain.table_photo import NotRead, Purpose, Stage, TablePhoto
from webapp.storage.database import DAY_S, ReadingRow, Repository, SeatRow, TablePhotoRow, ThingRow, logger
from webapp.storage.files import At
from webapp.storage.own_cards import tool_of


class ReadingStore(Repository[Record]):
    """The readings in a database."""

    room = "readings"
    row = ReadingRow
    made = Record
    missing = "reading_missing"

    def clean_up(self, older_than_s: float = DAY_S) -> None:
        """Remove what a crash left, and photos of cards that nobody went on to keep."""
        self.remove_left_cards(older_than_s)
        super().clean_up(older_than_s)

    def remove_left_cards(self, older_than_s: float = DAY_S) -> None:
        """Remove the photos that were taken only for a window card which nobody went on to keep."""
        self._remove(datetime.now(UTC) - timedelta(seconds=older_than_s), _states('"for_card":true'))

    def remove_older_than(self, before: datetime) -> None:
        """Remove what was made before then and belongs to no game."""
        self._remove(before, ~exists().where(SeatRow.record_id == ReadingRow.id))

    def _remove(self, before: datetime, which: ColumnElement[bool]) -> None:
        wanted = select(ReadingRow.id).where(ReadingRow.created < before, which)
        with self._database.read() as session:
            ids = session.scalars(wanted).all()
        for record_id in ids:
            try:
                with suppress(NotFoundError), self._database.begin() as session:
                    # Somebody may go on with it right now.
                    if session.scalar(wanted.where(ReadingRow.id == record_id).with_for_update()):
                        self.delete(record_id)
            except OSError as error:
                logger.warning("An old reading cannot be removed (%s).", error.strerror)

    def beyond(self, most: int) -> datetime | None:
        """Return when the oldest of the ``most`` newest readings was made, None where there are fewer."""
        oldest = select(ReadingRow.created).order_by(ReadingRow.created.desc()).offset(most - 1).limit(1)
        with self._database.read() as session:
            return session.scalar(oldest)

    def waiting(self) -> list[str]:
        """Return the ids of the readings whose photo nobody has read yet, the oldest first."""
        wanted = select(ReadingRow.id).where(_states(f'"failure":{{"code":"{BEING_READ}"'))
        with self._database.read() as session:
            return list(session.scalars(wanted.order_by(ReadingRow.created)))

    def rename_card(self, old: str, new: str) -> None:
        """Let the readings on a window card call it by its new name."""
        with self._database.read() as session:
            ids = session.scalars(select(ReadingRow.id).where(_states(json.dumps(old)[1:-1]))).all()
        for record_id in ids:
            with suppress(NotFoundError, BrokenRecordError):  # somebody may delete it right now
                self.update(record_id, lambda newest: with_card_renamed(newest, old, new))

    def copied(self, record_id: str) -> Record:
        """Return a copy of a reading with its photos, under another id."""
        old = self.load(record_id, lock=True)  # a correction of just now moves along
        place = self.place(record_id)
        files = {name: At(place, name) for name in self.files.names(place)}
        known = {one.name: getattr(old, one.name) for one in fields(Record)}
        del known["id"], known["created"]
        return self.create(files, **known)

    @staticmethod
    def _of_state(state: dict[str, Any], **columns: Any) -> Record:  # noqa: ANN401
        reading, failure, earlier = state.pop("reading"), state.pop("failure"), state.pop("earlier")
        choices, size = dict(state.pop("choices")), state.pop("size")
        private = choices.pop("private")
        return Record(
            board=Board.parse(state.pop("board")),
            size=(size[0], size[1]) if size else None,
            reading=Reading.from_json(reading) if reading else None,
            failure=Failure(**failure) if failure else None,
            checked=tuple(state.pop("checked")),
            merged=tuple(state.pop("merged", ())),
            choices=Choices(
                public=tuple(PublicObjective(name) for name in choices.pop("public")),
                private=private_as_listed(private) if private else None,
                tools=tuple(map(tool_of, choices.pop("tools", ()))),
                **choices,
            ),
            earlier=Earlier(
                Board.parse(earlier["board"]),
                Reading.from_json(earlier["reading"]),
                earlier["turned"],
                tuple(earlier["checked"]),
                tuple(earlier.get("merged", ())),
            )
            if earlier
            else None,
            **columns,
            **state,
        )


class TablePhotoStore(Repository[TablePhoto]):
    """The photos of tables in a database."""

    room = "tables"
    row = TablePhotoRow
    made = TablePhoto
    missing = "table_photo_missing"

    def newest_for(self, target: str) -> str | None:
        """Return the id of the newest photo that was taken for a window or a game, None without one."""
        named = _states(f'"target":"{target}"', TablePhotoRow)
        newest = select(TablePhotoRow.id).where(named).order_by(TablePhotoRow.created.desc()).limit(1)
        with self._database.read() as session:
            return session.scalar(newest)

    @staticmethod
    def _of_state(state: dict[str, Any], **columns: Any) -> TablePhoto:  # noqa: ANN401
        width, height = state.pop("size")
        failure = state.pop("failure")
        return TablePhoto(
            size=(width, height),
            purpose=Purpose(state.pop("purpose")),
            stage=Stage(state.pop("stage")),
            failure=Failure(**failure) if failure else None,
            windows=tuple(state.pop("windows")),
            loose_dice=tuple(map(LooseDie.from_json, state.pop("loose_dice"))),
            cards=tuple(map(CardReading.from_json, state.pop("cards"))),
            unread=tuple(
                NotRead(one["what"], Failure(**one["failure"]), (one["center"][0], one["center"][1]))
                for one in state.pop("unread")
            ),
            left_out=tuple(state.pop("left_out")),
            public=tuple(PublicObjective(name) for name in state.pop("public")),
            advice=tuple(Advice(**one) for one in state.pop("advice")),
            **columns,
            **state,
        )


def _states(text: str, row: type[ThingRow] = ReadingRow) -> ColumnElement[bool]:
    """Return the condition that a state, as `webapp.storage.database` writes JSON, contains the text."""
    return cast(row.state, String).contains(text, autoescape=True)
