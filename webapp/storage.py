"""Readings on the server's disk: one folder each, written whole or not at all.

A folder ``<data>/readings/<id>/`` holds ``record.json`` (the newest state), ``photo.jpg`` (what
the page shows) and ``upright.jpg`` (full size, for reading again with other corners). The id is
the key: it cannot be guessed, and whoever knows it may see and change the reading.

``record.json`` carries a ``schema`` number; ``MIGRATIONS`` turns an old record into the next
schema when it is loaded, so that files of an older version stay readable.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from webapp.disk import write_whole
from webapp.errors import BrokenRecordError, NotFoundError

SCHEMA = 1
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""From each old schema number, what makes the record one schema newer."""

ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{16}")
EMPTY_BOARD = " / ".join(["-- -- -- -- --"] * 4)


@dataclass(frozen=True)
class Choices:
    """What the players chose, apart from their dice.

    ``public`` are names of public objectives, ``private`` a color's letter or None, ``window``
    the name of a window pattern, ``"auto"`` (the one that was read) or ``"unknown"``.
    """

    public: tuple[str, ...] = ()
    private: str | None = None
    window: str = "auto"
    favor: int = 0


@dataclass(frozen=True)
class Earlier:
    """What a reading with other corners replaced, so that it can be undone."""

    board: str
    reading: dict[str, Any]
    turned: bool
    checked: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One reading and everything people did to it.

    ``board`` is the board as it stands, in board notation and in the orientation shown.
    ``reading`` is what the reader said, as ``Reading.to_json`` gives it, and is never altered;
    ``turned`` says that the board is shown turned by 180 degrees from it. ``size`` is the width
    and height of the upright photo in pixels, None without a photo. ``failure`` says why the
    photo could not be read. ``checked`` are the cells a person looked at. ``changed`` maps each
    changed field to the revision that changed it last. ``earlier`` is what stood before the photo
    was read again with corners set by hand, None when it was not.
    """

    id: str
    created: str
    revision: int = 1
    board: str = EMPTY_BOARD
    size: tuple[int, int] | None = None
    reading: dict[str, Any] | None = None
    failure: dict[str, str] | None = None
    turned: bool = False
    checked: tuple[str, ...] = ()
    choices: Choices = field(default_factory=Choices)
    changed: dict[str, int] = field(default_factory=dict)
    earlier: Earlier | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the record as it is stored."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Record:
        """Return the record stored as ``data``, brought to the newest schema first."""
        try:
            data = dict(data)
            schema = data.pop("schema")
            while schema != SCHEMA:
                data = MIGRATIONS[schema](data)
                schema += 1
            choices = {**data["choices"], "public": tuple(data["choices"]["public"])}
            size = tuple(data["size"]) if data["size"] else None
            earlier = data.get("earlier")  # records of the first days have none
            if earlier:
                earlier = Earlier(**{**earlier, "checked": tuple(earlier["checked"])})
            return cls(
                **{
                    **data,
                    "choices": Choices(**choices),
                    "size": size,
                    "earlier": earlier,
                    "checked": tuple(data["checked"]),
                }
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BrokenRecordError("broken_record") from error


class Store:
    """The readings under one folder.

    One process serves the page, so a lock in memory is enough to keep two tabs apart.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()

    def folder(self, record_id: str) -> Path:
        """Return the folder of a reading; an id of another shape is refused before it is a path."""
        if not ID_PATTERN.fullmatch(record_id):
            raise NotFoundError("reading_missing")
        return self.root / "readings" / record_id

    def create(self, files: dict[str, bytes], **fields: Any) -> Record:  # noqa: ANN401
        """Store a new reading with its files and return it."""
        record = Record(
            id=secrets.token_urlsafe(12),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            **fields,
        )
        folder = self.folder(record.id)
        folder.mkdir(parents=True, mode=0o700)
        for name, content in files.items():
            write_whole(folder / name, content)
        self._save(record)
        return record

    def load(self, record_id: str) -> Record:
        """Return the reading, or raise `NotFoundError`."""
        try:
            text = (self.folder(record_id) / "record.json").read_text(encoding="utf-8")
        except OSError as error:
            raise NotFoundError("reading_missing") from error
        try:
            return Record.from_json(json.loads(text))
        except ValueError as error:
            raise BrokenRecordError("broken_record") from error

    def load_known(self, record_ids: Iterable[str]) -> list[Record]:
        """Return those of the readings that are still there and readable."""
        found = []
        for record_id in record_ids:
            try:
                found.append(self.load(record_id))
            except (NotFoundError, BrokenRecordError):
                continue
        return found

    def update(self, record_id: str, change: Callable[[Record], Record]) -> Record:
        """Replace the reading by ``change(reading)``, one revision further, and return it."""
        with self._lock:
            before = self.load(record_id)
            after = change(before)
            if after == before:
                return before
            after = replace(after, revision=before.revision + 1)
            self._save(after)
            return after

    def file(self, record_id: str, name: str) -> Path:
        """Return the path of a file of the reading, or raise `NotFoundError`."""
        path = self.folder(record_id) / name
        if not path.is_file():
            raise NotFoundError("photo_missing")
        return path

    def delete(self, record_id: str) -> None:
        """Remove the reading and its photo for good."""
        folder = self.folder(record_id)
        if not folder.is_dir():
            raise NotFoundError("reading_missing")
        shutil.rmtree(folder)

    def _save(self, record: Record) -> None:
        text = json.dumps(record.to_json(), ensure_ascii=False, indent=1)
        write_whole(self.folder(record.id) / "record.json", text.encode())
