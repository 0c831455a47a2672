"""The photos that are to be read, one after the other, as many at a time as there are workers.

What is waiting is in the database, and so it is read also when the server stopped meanwhile.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from webapp.domain.errors import BusyError
from webapp.workers.workers import Workers

logger = logging.getLogger(__name__)

MOST_WAITING = 100
LEFT_AFTER_S = 120.0  # another server may read a photo for so long
BY_THE_WAY_S = 4.0  # so long a visitor waits for a photo that is read at once


@dataclass
class Job:
    """A photo to be read, and what is to be done then."""

    key: str
    work: Callable[[], Any]
    done: threading.Event = field(default_factory=threading.Event)


class PhotoQueue:
    """The photos that wait and are being read in this process.

    Parameters
    ----------
    workers
        Who reads them.
    at_work
        What makes the application known to the code of a job, while it runs.
    """

    def __init__(self, workers: Workers, at_work: Callable[[], AbstractContextManager[object]]) -> None:
        self.workers = workers
        self._context = at_work
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
            with self._context():
                job.work()
        except Exception:
            logger.exception("A photo could not be read to its end.")
        finally:
            with self._guard:
                self._at_work.remove(job)
                self._call_next()
            job.done.set()
