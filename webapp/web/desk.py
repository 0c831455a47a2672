"""The photos that are to be read, one after the other, as many at a time as there are workers.

What is waiting is in the database, and so it is read also when the server stopped meanwhile.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from flask import Flask, current_app

from webapp.services.errors import BusyError
from webapp.workers.workers import Workers

KEY = "sagrada_desk"
MOST_WAITING = 100
LEFT_AFTER_S = 120.0  # another server may read a photo for so long
BY_THE_WAY_S = 4.0  # so long a visitor waits for a photo that is read at once


@dataclass
class Job:
    """A photo to be read, and what is to be done then."""

    key: str
    work: Callable[[], Any]
    done: threading.Event = field(default_factory=threading.Event)


class Desk:
    """What is being read in this process.

    Parameters
    ----------
    app
        The application whose photos these are.
    workers
        Who reads them.
    """

    def __init__(self, app: Flask, workers: Workers) -> None:
        self._app = app
        self.workers = workers
        self._line: deque[Job] = deque()
        self._at_work: list[Job] = []
        self._guard = threading.Lock()
        self._leaving = False
        self._opened = datetime.now(UTC).replace(microsecond=0)

    def begin(self, key: str, work: Callable[[], object]) -> Job:
        """Do something for a photo as soon as there is a worker for it, unless it is under way already.

        Raises
        ------
        BusyError
            Too many are waiting.
        """
        with self._guard:
            for job in (*self._at_work, *self._line):
                if job.key == key:
                    return job
            self._demand_room()
            job = Job(key, work)
            self._line.append(job)
            self._call_next()
        return job

    def demand_room(self) -> None:
        """Raise `BusyError` where no more photos are taken in."""
        with self._guard:
            self._demand_room()

    def place(self, key: str) -> int | None:
        """Return how many are before a photo, with those that are being read; None where it is not here."""
        with self._guard:
            if any(job.key == key for job in self._at_work):
                return 0
            before = len(self._at_work)
            return next((before + place for place, job in enumerate(self._line) if job.key == key), None)

    def is_free(self) -> bool:
        """Tell whether a worker has nothing to do."""
        with self._guard:
            return len(self._at_work) < self.workers.at_once

    def was_left(self, created: str) -> bool:
        """Tell whether nobody seems to read a photo of this time, which is not read yet."""
        begun = datetime.fromisoformat(created)
        return begun < self._opened or (datetime.now(UTC) - begun).total_seconds() > LEFT_AFTER_S

    def close(self) -> None:
        """Finish what is being read, and leave the rest for the next time."""
        with self._guard:
            self._leaving = True
            self._line.clear()
            at_work = tuple(self._at_work)
        for job in at_work:
            job.done.wait()
        self.workers.close()

    def _demand_room(self) -> None:
        if self._leaving or len(self._line) >= MOST_WAITING:
            raise BusyError("too_many_photos")

    def _call_next(self) -> None:
        while self._line and len(self._at_work) < self.workers.at_once:
            job = self._line.popleft()
            self._at_work.append(job)
            threading.Thread(target=self._run, args=(job,), daemon=True, name="photo").start()

    def _run(self, job: Job) -> None:
        try:
            with self._app.app_context():
                job.work()
        except Exception:
            self._app.logger.exception("A photo could not be read to its end.")
        finally:
            with self._guard:
                self._at_work.remove(job)
                self._call_next()
            job.done.set()


def register(app: Flask, workers: Workers) -> None:
    """Let ``app`` read photos in the background."""
    app.extensions[KEY] = Desk(app, workers)


def of_app(app: Flask) -> Desk:
    """Return what ``app`` reads."""
    return cast("Desk", app.extensions[KEY])


def desk() -> Desk:
    """Return what the application at work reads."""
    return of_app(current_app)
