"""Photos of loose dice that wait to be named, in ``<data>/uploads``; what nobody names goes after a day."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path

from webapp.services.errors import NotFoundError
from webapp.storage.files import make_folder, write_whole
from webapp.web import context

MOST = 20
DAY_S = 24 * 3600
ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{16}")


def keep(content: bytes) -> str:
    """Keep a photo and return its id, which cannot be guessed; the oldest beyond `MOST` go."""
    folder = _folder()
    make_folder(folder)
    others = sorted(folder.glob("*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for place, path in enumerate(others):
        if place >= MOST - 1 or time.time() - path.stat().st_mtime > DAY_S:
            path.unlink(missing_ok=True)
    photo_id = secrets.token_urlsafe(12)
    write_whole(folder / photo_id, content)
    return photo_id


def content(photo_id: str) -> bytes:
    """Return the bytes of a photo, or raise `NotFoundError`."""
    try:
        return _path(photo_id).read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError("photo_missing") from error


def remove(photo_id: str) -> None:
    """Remove a photo whose dice were named."""
    _path(photo_id).unlink(missing_ok=True)


def _path(photo_id: str) -> Path:
    """Return the file of a photo; an id of another shape is refused before it is a path."""
    if not ID_PATTERN.fullmatch(photo_id):
        raise NotFoundError("photo_missing")
    return _folder() / photo_id


def _folder() -> Path:
    return context.store().root / "uploads"
