"""A folder on a disk whose power may be cut at any moment.

What a program does to names (rename, link, mkdir ...) lasts once the folder was synced, what it writes into a
file once the file was; until then any part of it may be there after the cut and any other part not. That is
what POSIX promises and no more; most file systems are kinder. SQLite's own files are taken as they are: what
becomes of them is tried by SQLite's own tests.
"""

from __future__ import annotations

import os
import random
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from webapp.storage.database import FILE_NAME

NAMING = ("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "link")
SOME = 1
"""So many times chance decides what is left, beside all and nothing."""

State = dict[Path, bytes | None]
"""What there is after a cut: the content of each file, None for a folder, by its path in the folder."""


@dataclass(eq=False)
class Thing:
    """A file or folder, whatever it is called: what is in the file now, and what of that would last."""

    is_folder: bool
    now: bytes = b""
    lasting: bytes | None = None


@dataclass
class Disk:
    """Watches ``folder``; ``cuts`` are the states that a cut could have left, each with what was true then.

    ``true`` is changed by who works with the folder: what must hold from now on whatever happens.
    """

    folder: Path
    true: dict[str, Callable[..., None]] = field(default_factory=dict)
    cuts: list[tuple[State, dict[str, Callable[..., None]]]] = field(default_factory=list)
    _named: dict[Path, Thing] = field(default_factory=dict)
    _lasting: dict[Path, Thing] = field(default_factory=dict)
    _numbers: dict[int, Thing] = field(default_factory=dict)
    _seen: set[object] = field(default_factory=set)
    _chance: random.Random = field(default_factory=lambda: random.Random(7))
    _guard: threading.RLock = field(default_factory=threading.RLock)

    @contextmanager
    def watched(self, patch: pytest.MonkeyPatch) -> Iterator[None]:
        """Look at every call that changes names or syncs, until the block ends. All there is before lasts."""
        self._look()
        for thing in self._numbers.values():
            thing.lasting = thing.now
        self._lasting = dict(self._named)
        with patch.context() as patched:
            for name in NAMING:
                patched.setattr(os, name, self._noting(getattr(os, name)))
            patched.setattr(os, "fsync", self._syncing(os.fsync))
            yield
            self.cut()

    def cut(self) -> None:
        """Note what could be left if the power went off now."""
        with self._guard:
            self._look()
            for likely in (0.0, 1.0, *(0.5,) * SOME):
                state = self._left(likely)
                ours = frozenset((path, content) for path, content in state.items() if _is_ours(path))
                if (seen := (ours, *self.true)) not in self._seen:
                    self._seen.add(seen)
                    self.cuts.append((state, dict(self.true)))

    def _noting(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any, **options: Any) -> Any:  # noqa: ANN401
            with self._guard:
                self.cut()
                try:
                    return call(*args, **options)
                finally:
                    self._look()

        return noted

    def _syncing(self, call: Callable[[int], None]) -> Callable[[int], None]:
        def synced(descriptor: int) -> None:
            with self._guard:
                self.cut()
                call(descriptor)
                self._last(os.fstat(descriptor))

        return synced

    def _last(self, status: os.stat_result) -> None:
        """Note that a file, or the names in a folder, last."""
        if stat.S_ISREG(status.st_mode):
            if thing := self._numbers.get(status.st_ino):
                thing.lasting = thing.now
            return
        for path in {*self._named, *self._lasting}:
            parent = self.folder / path.parent
            if parent.exists() and parent.stat().st_ino == status.st_ino:
                if path in self._named:
                    self._lasting[path] = self._named[path]
                else:
                    self._lasting.pop(path)

    def _look(self) -> None:
        """Learn what there is now."""
        named: dict[Path, Thing] = {}
        numbers: dict[int, Thing] = {}
        for place, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                path = Path(place) / name
                try:
                    number, content = path.stat().st_ino, path.read_bytes() if name in files else b""
                except FileNotFoundError:  # another thread was faster
                    continue
                thing = numbers.get(number) or self._numbers.get(number)
                if thing is None or thing.is_folder != (name in folders):
                    thing = Thing(name in folders)
                thing.now = content
                numbers[number] = named[path.relative_to(self.folder)] = thing
        self._named, self._numbers = named, numbers

    def _left(self, likely: float) -> State:
        """Return a state in which what does not last yet is there with this probability."""
        left: State = {}
        for path in sorted({*self._named, *self._lasting}):
            is_ours = _is_ours(path)
            old, new = self._lasting.get(path), self._named.get(path)
            thing = new if not is_ours or self._chance.random() < likely else old
            if thing is None or (path.parent != Path() and path.parent not in left):
                continue
            left[path] = None if thing.is_folder else self._content(thing, likely) if is_ours else thing.now
        return left

    def _content(self, thing: Thing, likely: float) -> bytes:
        if thing.lasting == thing.now or self._chance.random() < likely:
            return thing.now
        part = thing.now[: self._chance.randint(0, len(thing.now))]
        return self._chance.choice([thing.lasting or b"", part])


def _is_ours(path: Path) -> bool:
    return not path.name.startswith(FILE_NAME)


def write(state: State, folder: Path) -> None:
    """Bring a state to a new folder."""
    folder.mkdir()
    for path, content in state.items():
        if content is None:
            (folder / path).mkdir()
        else:
            (folder / path).write_bytes(content)
