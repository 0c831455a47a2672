"""Photos that arrive in pieces, so that a phone whose connection broke goes on where it was.

A file ``<data>/uploads/<id>`` grows by one piece after the other. The id cannot be guessed, and whoever knows
it may go on; it ends with the number of bytes that the whole photo has. What nobody took within a day is
removed, and only so much is held at a time.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from flask import Response, after_this_request, current_app

from scoring.errors import SagradaError
from scoring.sentences import sentence
from webapp.companion.error_sentences import text_of
from webapp.companion.errors import ConflictError, NotFoundError
from webapp.store.disk import locked
from webapp.web import context

logger = logging.getLogger(__name__)

PIECE_BYTES = 512 * 1024
MOST_AT_ONCE = 20
LARGEST_TIMES = 4
"""All of them together are promised at most so many times the bytes of the largest photo that is taken."""

DAY_S = 24 * 60 * 60
ID_LENGTH = 16
ID_PATTERN = re.compile(rf"[A-Za-z0-9_-]{{{ID_LENGTH}}}\.[1-9][0-9]{{0,9}}")
LOCK = ".lock"
INTERNAL_ERROR = 500


@dataclass(frozen=True)
class Upload:
    """A photo on its way: how many of its bytes are here."""

    id: str
    received: int
    size: int

    @property
    def is_whole(self) -> bool:
        """Tell whether all of it is here."""
        return self.received == self.size


class Uploads:
    """The photos on their way to one server.

    Parameters
    ----------
    folder
        Where they are kept; it is made when the first one begins.
    largest
        The most bytes that one of them has; None for no bound.
    """

    def __init__(self, folder: Path, largest: int | None = None) -> None:
        self._folder = folder
        self._largest = largest

    def begin(self, size: int) -> Upload:
        """Make room for a photo of ``size`` bytes; where there is too little, the oldest others go."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(self._folder / LOCK):
            self.clean_up()
            others = sorted(self._all(), key=lambda one: (one.is_whole, self._touched(one)))
            bound = LARGEST_TIMES * (self._largest or size)
            while others and (
                len(others) >= MOST_AT_ONCE or sum(one.size for one in others) + size > max(bound, size)
            ):
                self._path(others.pop(0).id).unlink(missing_ok=True)
            upload = Upload(f"{secrets.token_urlsafe(ID_LENGTH * 3 // 4)}.{size}", 0, size)
            os.close(os.open(self._path(upload.id), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        return upload

    def find(self, upload_id: str) -> Upload:
        """Return how much of a photo is here, or raise `NotFoundError`."""
        try:
            received = self._path(upload_id).stat().st_size
        except FileNotFoundError:
            raise _missing() from None
        return Upload(upload_id, received, _size_of(upload_id))

    def add(self, upload_id: str, offset: int, piece: bytes) -> Upload:
        """Write a piece behind what is here.

        Raises
        ------
        NotFoundError
            There is no such photo on its way (any more).
        ConflictError
            Not ``offset`` bytes are here, or the piece is longer than what is still to come.
        """
        self.find(upload_id)
        with locked(self._folder / LOCK):
            upload = self.find(upload_id)
            if offset != upload.received or offset + len(piece) > upload.size:
                raise _elsewhere(upload)
            with self._path(upload_id).open("ab") as file:
                file.write(piece)
        return self.find(upload_id)

    def content(self, upload_id: str) -> bytes:
        """Return the bytes of a photo that is here as a whole.

        Raises
        ------
        NotFoundError
            There is no such photo on its way (any more).
        ConflictError
            A part of it is still to come.
        """
        upload = self.find(upload_id)
        if not upload.is_whole:
            raise _elsewhere(upload)
        try:
            return self._path(upload_id).read_bytes()
        except FileNotFoundError:
            raise _missing() from None

    def remove(self, upload_id: str) -> None:
        """Remove a photo that was taken in."""
        self._path(upload_id).unlink(missing_ok=True)

    def clean_up(self, older_than_s: float = DAY_S) -> None:
        """Remove the photos of which nothing came for a day."""
        before = time.time() - older_than_s
        for upload in self._all():
            if self._touched(upload) <= before:
                try:
                    self.remove(upload.id)
                except OSError as error:  # no reason not to start
                    logger.warning("A photo that was never taken in cannot be removed (%s).", error.strerror)

    def _all(self) -> Iterable[Upload]:
        names = [path.name for path in self._folder.glob("*") if ID_PATTERN.fullmatch(path.name)]
        found = []
        for name in names:
            try:
                found.append(self.find(name))
            except NotFoundError:
                continue  # somebody took it in right now
        return found

    def _touched(self, upload: Upload) -> float:
        """Return when the last piece came; one that is gone meanwhile is the oldest."""
        try:
            return self._path(upload.id).stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def _path(self, upload_id: str) -> Path:
        """Return the file of a photo; an id of another shape is refused before it is a path."""
        if not ID_PATTERN.fullmatch(upload_id):
            raise _missing()
        return self._folder / upload_id


def uploads() -> Uploads:
    """Return the photos on their way to the application at work."""
    return Uploads(context.store().root / "uploads", largest())


def largest() -> int | None:
    """Return the most bytes that a photo may have."""
    most: int | None = current_app.config["MAX_CONTENT_LENGTH"]
    return most


def taken(upload_id: str) -> bytes:
    """Return the bytes of a photo that came in pieces; it goes when the answer to this request is made.

    It stays when the answer is that something went wrong in here: then it may be asked for again.
    """
    kept = uploads()
    content = kept.content(upload_id)

    @after_this_request
    def remove(response: Response) -> Response:
        if response.status_code < INTERNAL_ERROR:
            kept.remove(upload_id)
        return response

    return content


def _size_of(upload_id: str) -> int:
    return int(upload_id.rpartition(".")[2])


def _missing() -> NotFoundError:
    code = "upload_missing"
    return NotFoundError(code, SagradaError(code, *text_of("photo_missing", {})))


def _elsewhere(upload: Upload) -> ConflictError:
    code, received, size = "upload_offset", upload.received, upload.size
    what = sentence("{received} of {size} bytes of this photo are here.", received=received, size=size)
    why = SagradaError(code, what, sentence("Go on from there."))
    return ConflictError(code, why, {"received": received, "size": size})
