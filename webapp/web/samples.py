"""The sample photos that come with the project."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from flask import current_app

from vision.photo import load_photo
from webapp.services.errors import NotFoundError
from webapp.web import photos
from webapp.workers.work import encode


def names() -> list[str]:
    """Return the names of the sample photos; none when the folder is not there."""
    try:
        labels = json.loads((_folder() / "labels.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [name for name in labels if (_folder() / name).is_file()]


def read(name: str) -> bytes:
    """Return the bytes of a sample photo; only names from `names` are looked up."""
    return _path(name).read_bytes()


def thumbnail(name: str) -> bytes:
    """Return a small JPEG of a sample photo."""
    return _thumbnail(_path(name))


def _folder() -> Path:
    return Path(current_app.config["SAGRADA_SAMPLES"])


def _path(name: str) -> Path:
    if name not in names():
        raise NotFoundError("not_found")
    return _folder() / name


@lru_cache(maxsize=32)
def _thumbnail(path: Path) -> bytes:
    return encode(load_photo(path).image_bgr, photos.THUMBNAIL_PX)
