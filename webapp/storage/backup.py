"""All stored data in a plain folder, and back: the database, the photos, windows, dice and cards.

What only this computer needs stays out: the keys of https and the administrator's PIN, with which somebody
else could pass for it, photos on their way, locks and logs. A backup is opened as the program opens its
data, when it is made and before it comes back; the data folder that was there is moved aside, never written
over.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from sqlalchemy import select

from calibration.profiles import Sample
from scoring.errors import SagradaError
from scoring.sentences import Sentence, english
from vision import load_photo
from vision.photo import MAX_BYTES
from webapp.domain.errors import StoreError
from webapp.domain.record import ID_PATTERN, Record
from webapp.domain.table_photo import TablePhoto
from webapp.storage.administration import SETTINGS_FILE, Settings
from webapp.storage.database import (
    FILE_NAME,
    GameRow,
    ReadingRow,
    Repository,
    TablePhotoRow,
    copy_database,
    tried,
)
from webapp.storage.files import SENT, SHOWN, UPRIGHT, locked, make_folder, reason_of, sync_folder
from webapp.storage.games import GameStore
from webapp.storage.own_cards import TOOLS_FILE, WINDOWS_FILE, ToolStore, WindowStore
from webapp.storage.profiles import FOLDER_NAME, SETTINGS, ProfileStore, parsed
from webapp.storage.readings import ReadingStore, TablePhotoStore

IN_USE = ".in-use.lock"
KEPT_HERE = ("https", "administrator.json")
TRIES = 5
PIECE = 1 << 20
GLANCE_PX = 200
LARGEST = {".json": 5_000_000, ".npz": 5_000_000, ".jpg": MAX_BYTES, "": MAX_BYTES}
"""The most bytes of a file by its kind; a database may have all the room there is."""
FILES = (WINDOWS_FILE, TOOLS_FILE, SETTINGS_FILE)
NAME = r"[^/\\:\x00-\x1f.][^/\\:\x00-\x1f]*"
KNOWN = re.compile(
    "|".join(map(re.escape, (FILE_NAME, *FILES)))
    + rf"|(readings|tables)/{ID_PATTERN.pattern}/(upright\.jpg|photo\.jpg|sent|lesson\.(json|lock))"
    rf"|profiles/({NAME}\.json|_lock|{NAME}\.(before|samples)/[0-9]+\.(json|npz))"
    rf"|cards/({NAME}/)?{NAME}"
)
OF_1_0 = "manifest.json"
"""The list in the archives of version 1.0.0; the archive itself has a checksum for each file."""


@dataclass(frozen=True)
class Contents:
    """How many readings and games a backup holds."""

    readings: int
    games: int


def back_up(folder: Path, target: Path) -> Contents:
    """Write all stored data to a new folder, while the program may run, and open what was written.

    What is deleted or read meanwhile lets it begin anew. It raises a `StoreError` when there is nothing to
    keep, something in it cannot be read, or the folder is there already or cannot be written.
    """
    try:
        if not (folder / FILE_NAME).is_file():
            raise StoreError(
                "nothing_to_back_up",
                english("There is no database in {place}.", place=str(folder)),
                english("Name the folder of your data in SAGRADA_DATA."),
            )
        if target.exists():
            raise StoreError(
                "backup_exists",
                english("{file} is there already.", file=str(target)),
                english("Name another folder; a backup never takes the place of another one."),
            )
        for _ in range(TRIES):
            with (
                suppress(FileNotFoundError),
                tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".sagrada-") as scratch,
            ):
                fresh = Path(scratch) / target.name
                fresh.mkdir(mode=0o700)
                copy_database(folder / FILE_NAME, fresh / FILE_NAME)
                before = _places(fresh / FILE_NAME)
                _copy(_stored(folder, before), fresh)
                # A folder goes after its row: what is known still was whole when it was copied.
                if before.items() <= _places(folder / FILE_NAME).items():
                    contents = _opened(fresh)
                    fresh.rename(target)
                    sync_folder(target.absolute().parent)
                    return contents
    except (OSError, sqlite3.Error) as error:
        raise _failed(english("The backup cannot be written ({reason}).", reason=reason_of(error))) from error
    raise _failed(english("Photos kept being deleted while the backup was made."))


def _places(file: Path) -> dict[str, bool]:
    """Return the folders of the photos that a database knows, and whether they are read at this moment."""
    with closing(sqlite3.connect(file)) as opened:
        return dict(
            opened.execute(
                "SELECT 'readings/' || id, state LIKE '%\"code\":\"being_read\"%' FROM readings"
                " UNION ALL SELECT 'tables/' || id, 0 FROM table_photos"
            )
        )


Files = Iterator[tuple[str, int, IO[bytes]]]
"""The name of each file, how many bytes it says to have, and these."""


def _stored(folder: Path, places: Iterable[str]) -> Files:
    """Yield the files of a data folder that belong into a backup, but for the database."""
    below = [path for one in ("profiles", "cards", *places) for path in sorted((folder / one).rglob("*"))]
    for path in (*map(folder.joinpath, FILES), *below):
        name = path.relative_to(folder).as_posix()
        if KNOWN.fullmatch(name) and path.is_file() and not path.is_symlink():
            with path.open("rb") as stream:
                yield name, os.fstat(stream.fileno()).st_size, stream


def _kept(source: Path) -> Files:
    """Yield the files of a backup, a folder or an archive of version 1.0.0."""
    if not source.is_dir():
        with zipfile.ZipFile(source) as archive:
            for info in archive.infolist():
                if info.compress_type != zipfile.ZIP_STORED:
                    raise _not_whole(info.filename, "No backup compresses its files.")
                if info.filename != OF_1_0:
                    with archive.open(info) as member:
                        yield info.filename, info.file_size, member
        return
    for path in source.rglob("*"):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise _not_whole(path.name, "It is no plain file.")
        if path.is_file():
            with path.open("rb") as stream:
                yield path.relative_to(source).as_posix(), os.fstat(stream.fileno()).st_size, stream


def _copy(files: Files, target: Path) -> None:
    """Write files to a new folder, each of the size that it says, as long as there is room."""
    room = shutil.disk_usage(target).free
    for name, size, stream in files:
        path = target / name
        room -= size
        if not KNOWN.fullmatch(name):
            raise _not_whole(name, "It does not belong into a backup.")
        if size > LARGEST.get(path.suffix, size):
            raise _not_whole(name, "It is larger than such a file can be.")
        if room < 0:
            raise _failed(english("There is no room for this backup in {place}.", place=str(target.parent)))
        make_folder(path.parent)
        with path.open("xb") as written:
            path.chmod(0o600)
            while written.tell() <= size and (piece := stream.read(PIECE)):
                written.write(piece)
            if written.tell() != size:
                raise _not_whole(name, "It has another size than it says.")
            written.flush()
            os.fsync(written.fileno())
    for path in (target, *target.rglob("*")):
        if path.is_dir():
            sync_folder(path)


def _opened(folder: Path) -> Contents:
    """Open all that is in a backup, or raise a `StoreError` that says what cannot be; nothing is changed."""
    at = FILE_NAME
    try:
        _demand_sound(folder / at)
        with tried(folder / at) as database, database.read() as session:
            readings, tables = ReadingStore(database, folder), TablePhotoStore(database, folder)
            ids, table_ids, codes = (
                session.scalars(select(column)).all()
                for column in (ReadingRow.id, TablePhotoRow.id, GameRow.code)
            )
            for at in (places := [*map(readings.place, ids), *map(tables.place, table_ids)]):
                _demand_photos(readings if at.startswith(readings.room) else tables, at)
            for at in codes:
                GameStore(database, readings).load(at)
        WindowStore(folder / (at := WINDOWS_FILE)).load()
        ToolStore(folder / (at := TOOLS_FILE)).take_up()
        if (folder / (at := SETTINGS_FILE)).exists():
            Settings(**json.loads((folder / at).read_bytes()))
        dice = ProfileStore(folder / (at := FOLDER_NAME))
        dice.settings()
        for path in dice.folder.rglob("*.*"):
            at = path.relative_to(folder).as_posix()
            if path.is_file() and path.name != SETTINGS:
                _demand_dice(path.read_bytes(), is_sample=path.suffix == ".npz")
    except Exception as error:  # whatever a hostile file makes a loader raise
        why = str(error.sentence) if isinstance(error, SagradaError) else reason_of(error)
        raise _not_whole(at, re.sub(rf"{re.escape(str(folder))}[/\\](\.tried-\w+[/\\])?", "", why)) from error
    there = (*folder.glob("readings/*"), *folder.glob("tables/*"))
    if odd := {path.relative_to(folder).as_posix() for path in there} - set(places):
        raise _not_whole(min(odd), "The database does not know it.")
    return Contents(len(ids), len(codes))


def _demand_sound(file: Path) -> None:
    """Raise an error unless a file is a whole database that nothing but this program's steps made."""
    with file.open("rb"), closing(sqlite3.connect(file)) as kept:
        steps = kept.execute("SELECT version_num FROM alembic_version").fetchall()
        odd = kept.execute("SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index')").fetchone()
        sound = kept.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if odd or not (steps and sound) or kept.execute("PRAGMA foreign_key_check").fetchone():
            raise ValueError("It is damaged.")


def _demand_photos(things: Repository[Record] | Repository[TablePhoto], place: str) -> None:
    """Raise an error unless a thing can be read, and has the photos that it says."""
    thing_id = place.rsplit("/", 1)[1]
    thing = things.load(thing_id)
    if isinstance(thing, Record) and thing.is_being_read:
        things.file(thing_id, SENT)
    elif thing.size is not None:
        for name in (UPRIGHT, SHOWN):
            load_photo(things.file(thing_id, name), max_side=GLANCE_PX)


def _demand_dice(content: bytes, *, is_sample: bool) -> None:
    """Raise an error unless a file holds dice: a sample, a profile, or nothing before the first photo."""
    if is_sample:
        Sample.from_bytes(content)
    elif content:
        parsed(content)


# --- Back again ------------------------------------------------------------------------------------


def restore(source: Path, folder: Path) -> tuple[Contents, Path | None]:
    """Put a backup in the place of the data folder; return what is in it and where the old folder is now.

    It raises a `StoreError`, and changes nothing, when it is no backup, something in it cannot be read, there
    is no room, or the program runs.
    """
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
            fresh = Path(scratch) / folder.name
            fresh.mkdir(mode=0o700)
            _copy(_kept(source), fresh)
            return _opened(fresh), _swapped(fresh, folder)
    except StoreError:
        raise
    except OSError as error:
        raise _failed(
            english("The backup cannot be put back ({reason}).", reason=reason_of(error))
        ) from error
    except Exception as error:  # whatever a hostile archive makes its reader raise
        raise _not_whole(source.name, "It is no backup, or damaged.") from error


def _swapped(fresh: Path, folder: Path) -> Path | None:
    """Put the new folder in the place of the old one, and return where that is now."""
    if not folder.exists():
        fresh.replace(folder)
        sync_folder(folder.parent)
        return None
    try:
        with locked(folder / IN_USE, 0.0):
            for name in KEPT_HERE:
                if (folder / name).is_dir():
                    shutil.copytree(folder / name, fresh / name)
                elif (folder / name).is_file():
                    shutil.copy2(folder / name, fresh / name)
            now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
            aside = folder.with_name(f"{folder.name}-before-{now}")
            folder.replace(aside)
            try:
                fresh.replace(folder)
            except OSError:
                aside.replace(folder)
                raise
            sync_folder(folder.parent)
    except TimeoutError as error:
        raise StoreError(
            "program_runs",
            english("The page is served from this folder just now."),
            english("Stop the program first; then nothing that somebody saves meanwhile is lost."),
        ) from error
    return aside


def _not_whole(at: str, why: str) -> StoreError:
    return StoreError(
        "backup_not_whole",
        english("{at} cannot be used: {why}", at=at, why=why),
        english("Nothing was changed. Take another backup, or mend or delete it and make the backup anew."),
    )


def _failed(what: Sentence) -> StoreError:
    return StoreError(
        "backup_failed", what, english("Make room, or name another place; nothing was changed.")
    )
