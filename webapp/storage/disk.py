"""Where the program keeps its files, and how it writes them so that none is ever half there.

Only the standard library is needed, so that the command line starts quickly.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE_S = 10.0  # whoever holds a lock needs milliseconds; longer means that something hangs
PAUSE_S = 0.02
RESERVE = ".reserve"
RESERVE_BYTES = 8_000_000


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


def move(path: Path, target: Path) -> None:
    """Give a file another name; after a power cut it has one of them, or both."""
    path.replace(target)
    sync_folder(target.parent)
    sync_folder(path.parent)


def keep_reserve(folder: Path) -> None:
    """Keep some room on the disk for the day when it is full, unless that is today; see `make_room`."""
    path = folder / RESERVE
    with suppress(OSError):
        if not path.exists() and shutil.disk_usage(folder).free > 4 * RESERVE_BYTES:
            write_whole(path, os.urandom(RESERVE_BYTES))  # some disks would keep nothing of zeros


def make_room(folder: Path) -> None:
    """Give the reserve up where the disk is full: to delete something takes room, too."""
    with suppress(OSError):
        if shutil.disk_usage(folder).free < RESERVE_BYTES:
            (folder / RESERVE).unlink(missing_ok=True)


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

    Parameters
    ----------
    path
        The file that stands for the lock. It is made where it is missing, and stays.
    patience_s
        How long to wait for the lock, in seconds.
    shared
        Whether others who ask for it so may have it at the same time; Windows knows no such locks.

    Raises
    ------
    TimeoutError
        Somebody else held the lock all the time.
    OSError
        The file cannot be made, or the disk knows no locks.
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
