"""Files: written whole, and locked; those of photos in the data folder or in storage that servers share.

A photo's files lie in a place ``<room>/<id>``. While it is made or removed it carries a mark: its files only
count when the database knows it.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from scoring.sentences import Sentence, english
from webapp.domain.errors import BusyError, StoreError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

PATIENCE_S = 10.0  # whoever holds a lock needs milliseconds; longer means that something hangs
PAUSE_S = 0.02
RESERVE = ".reserve"
RESERVE_BYTES = 8_000_000
ENOUGH_BYTES = 1_000_000  # to start with, and to delete something


def write_whole(path: Path, content: bytes) -> None:
    """Write the file so that a crash leaves the old one or the new one, never half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
        sync_folder(path.parent)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, for the user alone, so that a power cut does not take them back."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Let a power cut not take back which files there are in a folder, on systems that can say so."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # some disks know no such thing
            raise
    finally:
        os.close(descriptor)


def keep_reserve(folder: Path) -> None:
    """Keep some room on the disk for the day when it is full, unless that is today; see `make_room`."""
    path = folder / RESERVE
    with suppress(OSError):
        size = min(RESERVE_BYTES, shutil.disk_usage(folder).free // 4)
        if not path.exists() and size > ENOUGH_BYTES:
            write_whole(path, os.urandom(size))  # some disks would keep nothing of zeros


def make_room(folder: Path, below: int = RESERVE_BYTES) -> None:
    """Give the reserve up where the disk is full, with less than ``below`` bytes: deleting takes room, too.

    Where there is none, the smaller copies of the oldest photos go, in whose place the photos themselves are
    shown then.
    """
    with suppress(OSError):
        if shutil.disk_usage(folder).free < below:
            (folder / RESERVE).unlink(missing_ok=True)
        if shutil.disk_usage(folder).free >= ENOUGH_BYTES:
            return
        copies = [(one.stat().st_mtime, one) for one in folder.glob(f"*/*/{SHOWN}")]
        for _, copy in sorted(copies):
            if copy.with_name(UPRIGHT).is_file():
                copy.unlink(missing_ok=True)
            if shutil.disk_usage(folder).free >= ENOUGH_BYTES:
                return


def is_full(error: OSError) -> bool:
    """Tell whether an error says that the disk is full, or all that this user may have of it."""
    return error.errno in {errno.ENOSPC, errno.EDQUOT}


def default_folder() -> Path:
    """Return where readings are kept when nothing else is said: the user's own data folder."""
    if named := os.environ.get("SAGRADA_DATA"):
        return Path(named)
    try:
        home = Path.home()
    except RuntimeError:  # a made-up user of a container has none: writing will fail and say what to do
        home = Path("/")
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share"))
    return base / "sagrada-companion"


@contextmanager
def locked(path: Path, patience_s: float = PATIENCE_S, *, shared: bool = False) -> Iterator[None]:
    """Keep other processes and threads that ask for the same lock out until the block ends.

    The file at ``path`` stands for the lock; it stays. Who asks with ``shared`` may have it at the same time
    as others who do; Windows knows no such locks. It raises `TimeoutError` when somebody else holds the lock
    for ``patience_s`` seconds, and `OSError` when the disk knows no locks.
    """
    with path.open("ab") as stream:
        give_up = time.monotonic() + patience_s
        while not _take(stream.fileno(), shared=shared):
            if time.monotonic() > give_up:
                raise TimeoutError(f"{path} is in use.")
            time.sleep(PAUSE_S)
        try:
            yield
        finally:
            _give_back(stream.fileno())


@contextmanager
def reading(path: Path, what: str) -> Iterator[None]:
    """Turn what the disk refuses of a file or folder into a `StoreError` that names it.

    Its code is ``<what>_busy`` where somebody else holds the lock all the time, else ``<what>_unusable``.
    """
    try:
        yield
    except TimeoutError as error:
        raise busy(path, what) from error
    except OSError as error:
        raise StoreError(
            f"{what}_unusable",
            english("{file} cannot be used ({reason}).", file=str(path), reason=reason_of(error)),
            english("Check its permissions and the free space, or name another folder in SAGRADA_DATA."),
        ) from error


@contextmanager
def changing(path: Path, lock: Path, what: str) -> Iterator[None]:
    """Keep others out while a file or folder is changed; see `reading` for what is raised."""
    with reading(path, what):
        make_folder(lock.parent)
        with locked(lock):
            yield


def busy(path: Path | str, what: str) -> StoreError:
    """Return the error that somebody else changes something all the time."""
    return StoreError(
        f"{what}_busy",
        english("Another program is changing {file}.", file=str(path)),
        english("Try again; if it stays, close the other programs that use it."),
    )


def damaged(path: Path, what: str, why: Sentence | str) -> StoreError:
    """Return the error that a file cannot be understood; it is never written over."""
    return StoreError(
        f"{what}_damaged",
        english("The file {file} is damaged: {why}", file=str(path), why=why),
        english("Correct it, or move it away to start anew; it was left as it is."),
    )


def reason_of(error: BaseException | None) -> str:
    """Return what the system says about an error, in its own language."""
    return getattr(error, "strerror", None) or str(error)


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int, *, shared: bool) -> bool:
        if shared:
            return True
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _give_back(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        with suppress(PermissionError):  # a shared one was never taken
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _take(descriptor: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _give_back(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


# --- Photos ---

ADDRESS = "SAGRADA_PHOTOS"
UPRIGHT = "upright.jpg"
"""Upright and in full size, for reading it again."""
SHOWN = "photo.jpg"
"""As the page shows it."""
SENT = "sent"
"""As it came, until it is read."""
NAMES = (UPRIGHT, SHOWN, SENT, "lesson.json")  # the last one was made by 1.0.0
MARK = ".pending"


@dataclass(frozen=True)
class At:
    """A file that is there already, to be copied without a look at its content."""

    place: str
    name: str


class PhotoFiles:
    """Files in the data folder ``root``; a place is a folder, and its mark a file beside it."""

    are_here = True
    """Whether they lie on this computer."""

    def __init__(self, root: Path) -> None:
        self._folder = root

    def write(self, place: str, files: Mapping[str, bytes | At]) -> None:
        """Make a place with these files, or none of them; it carries the mark.

        It raises `FileExistsError` when another request makes this place, where that can be seen.
        """
        self.put(place, MARK, b"")
        self.begin(place)
        try:
            for name, content in files.items():
                if isinstance(content, At):
                    self.copy(content, place, name)
                else:
                    self.put(place, name, content)
        except BaseException:
            self.remove(place)
            raise

    def add(self, place: str, files: Mapping[str, bytes]) -> None:
        """Put more files into a place; raises `FileNotFoundError` where there is none."""
        if not self.names(place):
            raise FileNotFoundError(place)
        for name, content in files.items():
            self.put(place, name, content)

    def names(self, place: str) -> list[str]:
        """Return the names of the files in a place."""
        return [name for name in NAMES if self.has(place, name)]

    def mark(self, place: str) -> None:
        """Mark a place, if it is there."""
        if self.names(place):
            self.put(place, MARK, b"")

    def settle(self, place: str) -> None:
        """Take the mark away."""
        self.discard(place, MARK)

    def remove(self, place: str) -> None:
        """Remove a place, then its mark: whoever is cut off in between leaves the mark."""
        folder = self._folder / place
        if folder.is_dir():
            shutil.rmtree(folder)
            sync_folder(folder.parent)
        self.settle(place)

    def marked(self, room: str, older_than_s: float) -> Iterator[str]:
        """Yield the ids of the places in a room that carry a mark so old."""
        for thing_id in self.holding(room, MARK):
            with suppress(FileNotFoundError):  # another process that starts right now was quicker
                if time.time() - self.written(f"{room}/{thing_id}", MARK) >= older_than_s:
                    yield thing_id

    def begin(self, place: str) -> None:
        """Make room for files."""
        folder = self._folder / place
        folder.mkdir(mode=0o700)
        sync_folder(folder.parent)

    def put(self, place: str, name: str, content: bytes) -> None:
        """Write a file, whole or not at all."""
        path = self._path(place, name)
        if name == MARK:  # needs no room on a full disk
            make_folder(path.parent)
            path.touch(mode=0o600)
            sync_folder(path.parent)
        else:
            write_whole(path, content)

    def copy(self, source: At, place: str, name: str) -> None:
        """Copy a file, as a second name where the disk can: no file is ever changed in its place."""
        old, new = self._path(source.place, source.name), self._path(place, name)
        try:
            new.hardlink_to(old)
            sync_folder(new.parent)
        except OSError:  # some disks cannot
            write_whole(new, old.read_bytes())

    def read(self, place: str, name: str) -> bytes:
        """Return a file, or raise `FileNotFoundError`."""
        return self._path(place, name).read_bytes()

    def has(self, place: str, name: str) -> bool:
        """Tell whether there is such a file."""
        return self._path(place, name).is_file()

    def written(self, place: str, name: str) -> float:
        """Return when a file was written, in seconds since 1970."""
        return self._path(place, name).stat().st_mtime

    def discard(self, place: str, name: str) -> None:
        """Remove a file for good, if there is one."""
        self._path(place, name).unlink(missing_ok=True)

    def holding(self, room: str, name: str) -> list[str]:
        """Return the ids of the places in a room with such a file."""
        if name == MARK:
            return [path.stem for path in (self._folder / room).glob(f"*{MARK}")]
        return [path.parent.name for path in (self._folder / room).glob(f"*/{name}")]

    def _path(self, place: str, name: str) -> Path:
        return self._folder / (place + MARK) if name == MARK else self._folder / place / name


class RemoteFiles(PhotoFiles):
    """Files in storage that fsspec knows, such as S3.

    They lie by their name first, ``<name>/<room>/<id>``, so that those which wait to be read, and the marks,
    are found among millions.
    """

    are_here = False

    def __init__(self, storage: AbstractFileSystem, root: str) -> None:
        self._storage, self._root = storage, root.rstrip("/")

    @override
    def begin(self, place: str) -> None:
        """Do nothing: there are no folders."""

    @override
    def remove(self, place: str) -> None:
        for name in (*NAMES, MARK):
            self.discard(place, name)

    @override
    def put(self, place: str, name: str, content: bytes) -> None:
        with _answering():
            self._storage.pipe_file(self._key(place, name), content)

    @override
    def copy(self, source: At, place: str, name: str) -> None:
        with _answering():
            self._storage.cp_file(self._key(source.place, source.name), self._key(place, name))

    @override
    def read(self, place: str, name: str) -> bytes:
        with _answering():
            content: bytes = self._storage.cat_file(self._key(place, name))
            return content

    @override
    def has(self, place: str, name: str) -> bool:
        with _answering():
            return bool(self._storage.exists(self._key(place, name)))

    @override
    def written(self, place: str, name: str) -> float:
        with _answering():
            return float(self._storage.modified(self._key(place, name)).timestamp())

    @override
    def discard(self, place: str, name: str) -> None:
        with suppress(FileNotFoundError), _answering():
            self._storage.rm_file(self._key(place, name))

    @override
    def holding(self, room: str, name: str) -> list[str]:
        with suppress(FileNotFoundError), _answering():
            return [key.rsplit("/", 1)[1] for key in self._storage.ls(self._key(room, name), detail=False)]
        return []

    def _key(self, place: str, name: str) -> str:
        return f"{self._root}/{name}/{place}"


@contextmanager
def _answering() -> Iterator[None]:
    """Turn whatever the library of a storage raises into `BusyError`, but for a file that is not there."""
    try:
        yield
    except FileNotFoundError:
        raise
    except Exception as error:
        raise BusyError("photos_away") from error


def files_for(root: Path, address: str | None = None) -> PhotoFiles:
    """Return where photos lie: where the address or the environment says, else in the data folder.

    It raises a `StoreError` when the address names nothing that can be used, or its package is missing.
    """
    address = address or os.environ.get(ADDRESS)
    if not address:
        return PhotoFiles(root)
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415  an extra

        return RemoteFiles(*url_to_fs(address, use_listings_cache=False))  # another server may have written
    except (ImportError, ValueError) as error:
        raise StoreError(
            "photos_address",
            english(
                "{variable} names storage that cannot be used ({reason}).",
                variable=ADDRESS,
                reason=str(error),
            ),
            english(
                "For storage that speaks S3 run {command} and name it as s3://bucket/folder.",
                command='pip install "sagrada-companion[s3]"',
            ),
        ) from error
