"""Makes applications quickly: what is the same in each of them is worked out once in a process.

Most tests make an application of their own. Working out its addresses and templates again and making its
tables took longer than the tests themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from webapp.storage.database import FILE_NAME, Database
from webapp.storage.files import RESERVE

_builders: dict[tuple[object, ...], Callable[..., Any]] = {}


class _KnownRule(Rule):
    """An address whose builder is taken from an equal one. Should werkzeug rename it, this does nothing."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., Any]:
        key = (self.rule, self.endpoint, str(self.defaults), append_unknown)
        if key not in _builders:
            _builders[key] = super()._compile_builder(append_unknown)
        return _builders[key]


class _KnownTemplates(BytecodeCache):
    """Compiled templates, kept in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket when its template was compiled before."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


Flask.url_rule_class = _KnownRule
Flask.jinja_options = {"bytecode_cache": _KnownTemplates()}


@cache
def _tables() -> bytes:
    with TemporaryDirectory() as folder:
        database = Database.in_folder(Path(folder))
        database.upgrade()
        database.close()
        return (Path(folder) / FILE_NAME).read_bytes()


def furnished(folder: Path) -> Path:
    """Put an empty, up-to-date database into a folder that has none, and return the folder."""
    file = folder / FILE_NAME
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(_tables())
        (folder / RESERVE).touch()  # the room that it keeps would be written anew for each test
    return folder
