"""The tables of the database, typed; `webapp.storage.migrations` holds the steps that make them."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import fields
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, ForeignKey, LargeBinary, MetaData, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from scoring import Board, Tool
from vision.reading import Reading
from vision.table import CardReading, LooseDie
from webapp.services.games.codes import CODE_LENGTH, HASH_LENGTH
from webapp.services.games.game import LONGEST_NAME, Game
from webapp.services.record import ID_LENGTH, Record
from webapp.services.table_photo import TablePhoto
from webapp.storage.own_tools import described


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. SQLite has no time zones, so there it is kept without one and comes back with it."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return what goes to the database; a moment without a time zone is refused."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("A moment needs its time zone.")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002  SQLAlchemy calls it so
        """Return what comes from the database, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """What all tables share: names for constraints, so that a later migration can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Moment, dict[str, Any]: JSON, list[str]: JSON}  # noqa: RUF012  SQLAlchemy wants it so


class ReadingRow(Base):
    """A reading and everything people did to it; its photos are files beside the database.

    ``state`` is a `webapp.services.record.Record` without the fields that have a column, in the form that
    ``schema`` says.
    """

    __tablename__ = "readings"

    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True)
    created: Mapped[datetime]
    revision: Mapped[int]
    schema: Mapped[int]
    state: Mapped[dict[str, Any]]


class TablePhotoRow(Base):
    """A photo of the whole table; ``state`` is a `webapp.services.table_photo.TablePhoto` likewise."""

    __tablename__ = "table_photos"

    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True)
    created: Mapped[datetime]
    revision: Mapped[int]
    schema: Mapped[int]
    state: Mapped[dict[str, Any]]


class GameRow(Base):
    """A game at the table; ``state`` is a `webapp.services.games.game.Game` without what has a column.

    ``host`` is the SHA-256 of the token of the host's device, ``revealed`` when the windows were opened last.
    """

    __tablename__ = "games"

    code: Mapped[str] = mapped_column(String(CODE_LENGTH), primary_key=True)
    created: Mapped[datetime]
    revealed: Mapped[datetime | None]
    host: Mapped[str] = mapped_column(String(HASH_LENGTH), index=True)
    revision: Mapped[int]
    schema: Mapped[int]
    state: Mapped[dict[str, Any]]


class SeatRow(Base):
    """A player of a game, with the window that belongs to the seat; ``place`` counts along the table from 0.

    ``token`` is the SHA-256 of the token of the player's device, the same in the next game of these people;
    ``former`` are those of the devices that had the seat before. ``link`` is the SHA-256 of the secret that
    brings the seat to another device.
    """

    __tablename__ = "seats"

    game: Mapped[str] = mapped_column(ForeignKey("games.code", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[int]
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    token: Mapped[str] = mapped_column(String(HASH_LENGTH), index=True)
    record_id: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), unique=True)
    ready: Mapped[bool]
    link: Mapped[str | None] = mapped_column(String(HASH_LENGTH))
    link_expires: Mapped[datetime | None]
    former: Mapped[list[str]]


class PlayerRow(Base):
    """A player who is remembered; ``id`` is a `webapp.services.players.player_id`.

    ``picture`` is a small JPEG, which only those load who show it; ``picture_mark`` is its SHA-256.
    """

    __tablename__ = "players"

    id: Mapped[str] = mapped_column(String(HASH_LENGTH), primary_key=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    seen: Mapped[datetime]
    color: Mapped[str | None] = mapped_column(String(1))
    picture: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    picture_mark: Mapped[str | None] = mapped_column(String(HASH_LENGTH))


class OwnerRow(Base):
    """Which device added a window card or dice that all games share: the SHA-256 of its token."""

    __tablename__ = "owners"

    kind: Mapped[str] = mapped_column(String(12), primary_key=True)
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    owner: Mapped[str] = mapped_column(String(HASH_LENGTH))


def state_of(kept: Record | TablePhoto | Game, without: Collection[str]) -> dict[str, Any]:
    """Return what a ``state`` holds: all fields but those with a column, as plain JSON."""
    state = {one.name: getattr(kept, one.name) for one in fields(kept) if one.name not in without}
    plain: dict[str, Any] = json.loads(json.dumps(state, default=_plain))
    return plain


def _plain(thing: Any) -> object:  # noqa: ANN401  dataclasses share no type
    """Return a thing of the game by its value or in notation, and what has fields by these."""
    if isinstance(thing, Tool) and not thing.is_printed:
        return described(thing)
    if isinstance(thing, Enum):
        return thing.value
    if isinstance(thing, Reading | LooseDie | CardReading):
        return thing.to_json()
    if isinstance(thing, Board):
        return str(thing)
    return {one.name: getattr(thing, one.name) for one in fields(thing)}
