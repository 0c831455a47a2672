"""All stored data in one file, and back: the database, the photos, windows, dice and cards.

The file is a zip with a list of its members, ``manifest.json``, that holds the SHA-256 of each. What only
this computer needs stays out: the keys of https and the administrator's PIN, with which somebody else
could pass for it, photos on their way, locks and logs. Nothing in a file that comes back is trusted
before all of it is checked, and the data folder that was there is moved aside, never written over.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from scoring.sentences import Sentence, english
from webapp.domain.errors import StoreError
from webapp.storage import database
from webapp.storage.database import Database, copy_database
from webapp.storage.files import locked, reason_of, sync_folder

IN_USE = ".in-use.lock"
MANIFEST = "manifest.json"
FORMAT, SCHEMA = "sagrada-backup", 1
FOLDERS = ("profiles", "cards")
FILES = ("windows.json", "tools.json", "house.json")
KEPT_HERE = ("https", "administrator.json")
TRIES = 5
PIECE = 1 << 20
LARGEST_MANIFEST = 200_000_000
MEMBER = re.compile(
    rf"{re.escape(database.FILE_NAME)}|windows\.json|tools\.json|house\.json"
    r"|(readings|tables)/[A-Za-z0-9_-]{16}/[a-z][a-z0-9_]*(\.[a-z]+)?"
    r"|(profiles|cards)/([^/\\:\x00-\x1f.][^/\\:\x00-\x1f]*/){0,1}[^/\\:\x00-\x1f.][^/\\:\x00-\x1f]*"
)


@dataclass(frozen=True)
class Contents:
    """What a backup holds: how many files of how many bytes, readings and games, and when it was made."""

    made: str
    files: int
    size: int
    readings: int
    games: int


def back_up(folder: Path, file: Path) -> Contents:
    """Write all stored data to a file, while the program may run.

    Every reading in it has its photos: what is deleted meanwhile lets it begin anew. It raises a `StoreError`
    when there is nothing to keep, or the file is there already or cannot be written.
    """
    if not (folder / database.FILE_NAME).is_file():
        raise StoreError(
            "nothing_to_back_up",
            english("There is no database in {place}.", place=str(folder)),
            english("Name the folder of your data in SAGRADA_DATA."),
        )
    if file.exists():
        raise StoreError(
            "backup_exists",
            english("{file} is there already.", file=str(file)),
            english("Name another file; a backup never takes the place of another one."),
        )
    try:
        with tempfile.TemporaryDirectory(dir=file.absolute().parent, prefix=".sagrada-") as scratch:
            for _ in range(TRIES):
                with suppress(FileNotFoundError):
                    unfinished, contents = _written(folder, Path(scratch))
                    unfinished.replace(file)
                    sync_folder(file.absolute().parent)
                    return contents
    except (OSError, sqlite3.Error) as error:
        what = english("The backup cannot be written ({reason}).", reason=reason_of(error))
        raise _failed(what) from error
    raise _failed(english("Photos kept being deleted while the backup was made."))


def _written(folder: Path, scratch: Path) -> tuple[Path, Contents]:
    """Return a new archive and what is in it; `FileNotFoundError` where something was deleted meanwhile."""
    copy, target = scratch / database.FILE_NAME, scratch / "backup.zip"
    copy.unlink(missing_ok=True)
    copy_database(folder / database.FILE_NAME, copy)
    readings, games, places = _counted(copy)
    members: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:

        def put(path: Path, name: str) -> None:
            if MEMBER.fullmatch(name) and path.is_file() and not path.is_symlink():
                with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as member:
                    digest, size = _copied(source, member)
                members[name] = {"sha256": digest, "size": size}

        put(copy, database.FILE_NAME)
        for name in FILES:
            put(folder / name, name)
        for below in (*FOLDERS, *places):
            for path in sorted((folder / below).rglob("*")):
                put(path, path.relative_to(folder).as_posix())
        # A folder goes after its row: what is known still was whole when it was copied.
        if not set(places) <= set(_counted(folder / database.FILE_NAME)[2]):
            raise FileNotFoundError
        made = datetime.now(UTC).isoformat(timespec="seconds")
        told = {"format": FORMAT, "schema": SCHEMA, "made": made, "files": members}
        archive.writestr(MANIFEST, json.dumps(told, indent=1))
    with target.open("rb") as stream:
        os.fsync(stream.fileno())
    target.chmod(0o600)
    return target, Contents(made, len(members), sum(one["size"] for one in members.values()), readings, games)


def _counted(file: Path) -> tuple[int, int, list[str]]:
    """Return how many readings and games a database holds, and the folders of its photos."""
    with closing(sqlite3.connect(file)) as opened:
        (games,) = opened.execute("SELECT count(*) FROM games").fetchone()
        readings = [f"readings/{one}" for (one,) in opened.execute("SELECT id FROM readings")]
        tables = [f"tables/{one}" for (one,) in opened.execute("SELECT id FROM table_photos")]
    return len(readings), games, readings + tables


def _copied(source: IO[bytes], target: IO[bytes], most: int | None = None) -> tuple[str, int]:
    """Copy bytes, not more than ``most``; return their SHA-256 and how many they are."""
    digest, size = hashlib.sha256(), 0
    while piece := source.read(PIECE):
        size += len(piece)
        if most is not None and size > most:
            raise _damaged()
        digest.update(piece)
        target.write(piece)
    return digest.hexdigest(), size


# --- Back again ------------------------------------------------------------------------------------


def restore(file: Path, folder: Path) -> tuple[Contents, Path | None]:
    """Put a backup in the place of the data folder; return what is in it and where the old folder is now.

    It raises a `StoreError`, and changes nothing, when the file is no backup or damaged, a newer version made
    it, there is no room, or the program runs.
    """
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(file) as archive:
            made, members = _checked_list(archive, folder.parent)
            fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
            try:
                contents = _unpacked(archive, made, members, fresh)
                return contents, _swapped(fresh, folder)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError) as error:
        raise _damaged() from error
    except (OSError, sqlite3.Error) as error:
        raise _failed(
            english("The backup cannot be put back ({reason}).", reason=reason_of(error))
        ) from error


def _checked_list(archive: zipfile.ZipFile, place: Path) -> tuple[str, Mapping[str, Mapping[str, Any]]]:
    """Return when the backup was made and its members, once all of their names and sizes make sense."""
    try:
        entry = archive.getinfo(MANIFEST)
        if entry.file_size > LARGEST_MANIFEST:
            raise _damaged()
        told = json.loads(archive.read(entry))
        if told["format"] != FORMAT:
            raise _damaged()
        if told["schema"] > SCHEMA:
            raise StoreError(
                "backup_newer",
                english("A newer version of the program made this backup."),
                english("Install that version or a newer one. Nothing was changed."),
            )
        made, members = str(told["made"]), dict(told["files"])
        sizes = {name: int(one["size"]) for name, one in members.items()}
        all_there = {*members, MANIFEST} == set(archive.namelist()) and database.FILE_NAME in members
        sizes_fit = all(archive.getinfo(name).file_size == size >= 0 for name, size in sizes.items())
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _damaged() from error
    if not (all_there and sizes_fit and all(MEMBER.fullmatch(name) for name in members)):
        raise _damaged()
    if sum(sizes.values()) > shutil.disk_usage(place).free:
        raise _failed(english("There is no room for this backup in {place}.", place=str(place)))
    return made, members


def _unpacked(
    archive: zipfile.ZipFile, made: str, members: Mapping[str, Mapping[str, Any]], fresh: Path
) -> Contents:
    """Write the members to a new folder, held against their hashes, and bring the database up to date."""
    for name, told in members.items():
        path = fresh / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with archive.open(name) as source, path.open("xb") as target:
            path.chmod(0o600)
            digest, size = _copied(source, target, told["size"])
            target.flush()
            os.fsync(target.fileno())
        if (digest, size) != (told["sha256"], told["size"]):
            raise _damaged()
    with closing(sqlite3.connect(fresh / database.FILE_NAME)) as opened:
        try:
            sound = opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            whole = opened.execute("PRAGMA foreign_key_check").fetchone() is None
        except sqlite3.DatabaseError as error:
            raise _damaged() from error
        if not (sound and whole):
            raise _damaged()
    kept = Database.in_folder(fresh)
    kept.upgrade()
    kept.close()
    readings, games, _ = _counted(fresh / database.FILE_NAME)
    for path in (*fresh.rglob("*"), fresh):
        if path.is_dir():
            sync_folder(path)
    return Contents(made, len(members), sum(one["size"] for one in members.values()), readings, games)


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


def _damaged() -> StoreError:
    return StoreError(
        "backup_damaged",
        english("This is no backup of this program, or it is damaged. Nothing was changed."),
        english("Give a file that sagrada backup wrote."),
    )


def _failed(what: Sentence) -> StoreError:
    return StoreError(
        "backup_failed", what, english("Make room, or name another place; nothing was changed.")
    )
