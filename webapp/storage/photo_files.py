"""Where the files of photos lie: in the data folder, or in storage that several servers share.

A place is called ``<room>/<id>``. While it is made or removed it carries a mark: its files only count when
the database knows it.
"""

from __future__ import annotations

import os
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.sentences import sentence
from webapp.services.errors import BusyError, StoreError
from webapp.storage.disk import make_folder, sync_folder, write_whole

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

ADDRESS = "SAGRADA_PHOTOS"
UPRIGHT = "upright.jpg"
"""Upright and in full size, for reading it again."""
SHOWN = "photo.jpg"
"""As the page shows it."""
SENT = "sent"
"""As it came, until it is read."""
NAMES = (UPRIGHT, SHOWN, SENT)
MARK = ".pending"


@dataclass(frozen=True)
class At:
    """A file that is there already; its content is not looked at."""

    place: str
    name: str


class PhotoFiles(ABC):
    """The files of photos. What is written in a place is there as a whole, or not at all."""

    are_here = True
    """Whether they lie on this computer."""

    @abstractmethod
    def write(self, place: str, files: Mapping[str, bytes | At]) -> None:
        """Make a place with these files, or none of them; it carries the mark."""

    @abstractmethod
    def add(self, place: str, files: Mapping[str, bytes]) -> None:
        """Put more files into a place; raises `FileNotFoundError` where there is none."""

    @abstractmethod
    def read(self, place: str, name: str) -> bytes:
        """Return a file, or raise `FileNotFoundError`."""

    @abstractmethod
    def has(self, place: str, name: str) -> bool:
        """Tell whether there is such a file."""

    @abstractmethod
    def names(self, place: str) -> list[str]:
        """Return what there is in a place."""

    @abstractmethod
    def discard(self, place: str, name: str) -> None:
        """Remove a file for good, if there is one."""

    @abstractmethod
    def mark(self, place: str) -> None:
        """Let a place carry the mark, if it is there."""

    @abstractmethod
    def settle(self, place: str) -> None:
        """Take the mark away."""

    @abstractmethod
    def remove(self, place: str) -> None:
        """Remove a place, then its mark: whoever is cut off in between leaves the mark."""

    @abstractmethod
    def marked(self, room: str, older_than_s: float) -> Iterator[str]:
        """Yield the ids of the places in a room that carry a mark so old."""

    @abstractmethod
    def holding(self, room: str, name: str) -> list[str]:
        """Return the ids of the places in a room with such a file."""

    @abstractmethod
    def beside(self, place: str) -> Path:
        """Return the folder of this computer where other small files of a place lie."""


class OnDisk(PhotoFiles):
    """Files in the data folder; a place is a folder, and the mark a file beside it."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def write(self, place: str, files: Mapping[str, bytes | At]) -> None:
        """Write the files, and bring them to the disk before anybody says that they are there."""
        folder = self._root / place
        make_folder(folder.parent)
        self._mark(place)
        folder.mkdir(mode=0o700)  # where it is there, another request writes it
        try:
            for name, content in files.items():
                if isinstance(content, At):
                    _link(self._root / content.place / content.name, folder / name)
                else:
                    write_whole(folder / name, content)
            sync_folder(folder)
            sync_folder(folder.parent)
        except BaseException:
            self.remove(place)
            raise

    def add(self, place: str, files: Mapping[str, bytes]) -> None:
        """Write more files."""
        for name, content in files.items():
            write_whole(self._root / place / name, content)

    def read(self, place: str, name: str) -> bytes:
        """Return what is in a file."""
        return (self._root / place / name).read_bytes()

    def has(self, place: str, name: str) -> bool:
        """Tell whether there is such a file."""
        return (self._root / place / name).is_file()

    def names(self, place: str) -> list[str]:
        """Return the names of all files, also of those that others put beside."""
        folder = self._root / place
        return [one.name for one in folder.iterdir()] if folder.is_dir() else []

    def discard(self, place: str, name: str) -> None:
        """Remove a file."""
        (self._root / place / name).unlink(missing_ok=True)

    def mark(self, place: str) -> None:
        """Put the mark beside a folder."""
        if (self._root / place).is_dir():
            self._mark(place)

    def settle(self, place: str) -> None:
        """Remove the mark."""
        self._mark_of(place).unlink(missing_ok=True)

    def remove(self, place: str) -> None:
        """Remove a folder with all that is in it."""
        folder = self._root / place
        if folder.is_dir():
            shutil.rmtree(folder)
            sync_folder(folder.parent)
        self.settle(place)

    def marked(self, room: str, older_than_s: float) -> Iterator[str]:
        """Yield the ids by the age of the file that is the mark."""
        for mark in (self._root / room).glob(f"*{MARK}"):
            with suppress(FileNotFoundError):  # another process that starts right now was quicker
                if time.time() - mark.stat().st_mtime >= older_than_s:
                    yield mark.stem

    def holding(self, room: str, name: str) -> list[str]:
        """Return the ids by the names of the folders."""
        return [file.parent.name for file in (self._root / room).glob(f"*/{name}")]

    def beside(self, place: str) -> Path:
        """Return the folder itself."""
        return self._root / place

    def _mark_of(self, place: str) -> Path:
        return self._root / (place + MARK)

    def _mark(self, place: str) -> None:
        mark = self._mark_of(place)
        mark.touch(mode=0o600)
        sync_folder(mark.parent)  # it is there after a power cut, too


class Shared(PhotoFiles):
    """Files in storage that fsspec knows, such as S3; nothing has to be listed but what is under way.

    Under ``path`` they lie by their name first: ``photo.jpg/<room>/<id>``, so that those which wait to be
    read, and the marks, are found among millions. Small files beside them stay in ``root``, on this computer.
    """

    are_here = False

    def __init__(self, files: AbstractFileSystem, path: str, root: Path) -> None:
        self._files, self._path = files, path.rstrip("/")
        self._near = OnDisk(root)

    def write(self, place: str, files: Mapping[str, bytes | At]) -> None:
        """Write the mark, then the files."""
        with self._answering():
            self._files.pipe_file(self._at(place, MARK), b"")
            try:
                for name, content in files.items():
                    if isinstance(content, bytes):
                        self._files.pipe_file(self._at(place, name), content)
                    elif name in NAMES:
                        self._files.cp_file(self._at(content.place, content.name), self._at(place, name))
                    else:
                        make_folder(self.beside(place))
                        shutil.copy2(self.beside(content.place) / content.name, self.beside(place) / name)
            except BaseException:
                self.remove(place)
                raise

    def add(self, place: str, files: Mapping[str, bytes]) -> None:
        """Write more files."""
        with self._answering():
            if not any(self._files.exists(self._at(place, name)) for name in NAMES):
                raise FileNotFoundError(place)
            for name, content in files.items():
                self._files.pipe_file(self._at(place, name), content)

    def read(self, place: str, name: str) -> bytes:
        """Return what is in a file."""
        with self._answering():
            content: bytes = self._files.cat_file(self._at(place, name))
            return content

    def has(self, place: str, name: str) -> bool:
        """Tell whether there is such a file."""
        with self._answering():
            return bool(self._files.exists(self._at(place, name)))

    def names(self, place: str) -> list[str]:
        """Return the names of the files, also of those beside."""
        return [name for name in NAMES if self.has(place, name)] + self._near.names(place)

    def discard(self, place: str, name: str) -> None:
        """Remove a file."""
        with self._answering(), suppress(FileNotFoundError):
            self._files.rm_file(self._at(place, name))

    def mark(self, place: str) -> None:
        """Write the mark."""
        with self._answering():
            self._files.pipe_file(self._at(place, MARK), b"")

    def settle(self, place: str) -> None:
        """Remove the mark."""
        self.discard(place, MARK)

    def remove(self, place: str) -> None:
        """Remove all files, also those beside."""
        for name in NAMES:
            self.discard(place, name)
        self._near.remove(place)
        self.settle(place)

    def marked(self, room: str, older_than_s: float) -> Iterator[str]:
        """Yield the ids by when the mark was written."""
        for found in self._listed(room, MARK):
            with suppress(FileNotFoundError):
                if time.time() - self._files.modified(found).timestamp() >= older_than_s:
                    yield found.rsplit("/", 1)[1]

    def holding(self, room: str, name: str) -> list[str]:
        """Return the ids by a list of these files alone."""
        return [found.rsplit("/", 1)[1] for found in self._listed(room, name)]

    def beside(self, place: str) -> Path:
        """Return a folder of this computer, which is made for it."""
        folder = self._near.beside(place)
        make_folder(folder)
        return folder

    def _at(self, place: str, name: str) -> str:
        return f"{self._path}/{name}/{place}"

    def _listed(self, room: str, name: str) -> list[str]:
        with self._answering():
            try:
                return list(self._files.ls(self._at(room, name), detail=False))
            except FileNotFoundError:
                return []

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Say that the storage does not answer, whatever its library raises."""
        try:
            yield
        except FileNotFoundError:
            raise
        except Exception as error:
            raise BusyError("photos_away") from error


def files_for(root: Path, address: str | None = None) -> PhotoFiles:
    """Return where photos lie: where the address or the environment says, else in the data folder.

    Raises
    ------
    StoreError
        The address names nothing that can be used, or the package for it is missing.
    """
    address = address or os.environ.get(ADDRESS)
    if not address:
        return OnDisk(root)
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415  an extra

        options: dict[str, Any] = {"use_listings_cache": False}  # another server may have written
        files, path = url_to_fs(address, **options)
    except (ImportError, ValueError) as error:
        raise StoreError(
            "photos_address",
            sentence(
                "{variable} names storage that cannot be used ({reason}).",
                variable=ADDRESS,
                reason=str(error),
            ),
            sentence(
                "For storage that speaks S3 run {command} and name it as s3://bucket/folder.",
                command='pip install "sagrada-companion[s3]"',
            ),
        ) from error
    return Shared(files, path, root)


def _link(old: Path, new: Path) -> None:
    """Let a file have a second name, which stays when the first one goes; no file is changed in its place."""
    try:
        new.hardlink_to(old)
    except OSError:  # some disks cannot
        shutil.copy2(old, new)
