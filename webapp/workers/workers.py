"""Who reads photos, and the queue of those that wait.

Workers are this process, processes of its own, or a cluster that somebody else keeps. What is waiting is in
the database, and so it is read also when the server stopped meanwhile.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import tempfile
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import psutil  # type: ignore[import-untyped]

from scoring.sentences import english
from webapp.domain.errors import BusyError, StoreError, UnreadPhotoError

Given = TypeVar("Given")
Made = TypeVar("Made")
Progress = Callable[..., None]

WORKERS = "SAGRADA_WORKERS"
SCHEDULER = "SAGRADA_SCHEDULER"
MOST = 4
WORKER_BYTES = 500_000_000
"""What one worker may need at most: 200 MB for the networks and libraries, the rest for a photo."""
TASKS = 500  # then a worker makes room for a new one, and its memory goes back
TOO_LONG_S = 120  # a photo that takes so long is given up
LOOK_EVERY_S = 0.2
LEAVE_S = 20  # at the end, for photos that are being read
REACH_S = 10
NICE = 10  # the page answers first

logger = logging.getLogger(__name__)


class Workers(ABC):
    """Those who read photos: so many ``at_once``, and on this computer or not."""

    at_once: int
    are_here = True

    @abstractmethod
    def call(self, work: Callable[..., Made], progress: Progress | None = None) -> Made:
        """Let a worker do ``work()``, and return or raise what comes of it; both have to survive pickling.

        ``progress`` is called here with what the worker calls its keyword of that name with. An
        `UnreadPhotoError` says that the worker died of it, or that it took too long (``photo_not_finished``).
        """

    @abstractmethod
    def close(self) -> None:
        """Let the workers go."""


class Here(Workers):
    """Reads in the thread that asks."""

    at_once = 4  # threads of this process

    def call(self, work: Callable[..., Made], progress: Progress | None = None) -> Made:
        """Do it."""
        return work() if progress is None else work(progress=progress)

    def close(self) -> None:
        """Do nothing."""


class Elsewhere(Workers):
    """Lets somebody read who takes work as `concurrent.futures` does, who is let go with ``close``.

    ``deaths`` are what the future raises when a worker died.
    """

    def __init__(
        self,
        submit: Callable[..., Future[Any]],
        at_once: int,
        close: Callable[[], object],
        deaths: tuple[type[Exception], ...],
    ) -> None:
        self.at_once = at_once
        self._submit, self._close, self._deaths = submit, close, deaths
        self._failures: tuple[type[BaseException], ...] = (CancelledError, TimeoutError, *deaths)

    def call(self, work: Callable[..., Made], progress: Progress | None = None) -> Made:
        """Let it be done, and once more where the worker died meanwhile: that need not be its fault."""
        try:
            try:
                return self._once(work, progress)
            except self._deaths:
                logger.warning("A worker died while it read a photo; another one reads it again.")
                return self._once(work, progress)
        except self._failures as error:
            raise UnreadPhotoError("photo_not_finished") from error

    def close(self) -> None:
        """Let the workers go."""
        self._close()

    def _once(self, work: Callable[..., Made], progress: Progress | None) -> Made:
        if progress is None:
            return self._submit(work).result()  # type: ignore[no-any-return]
        with tempfile.TemporaryDirectory() as folder:
            heard = 0
            future = self._submit(_saying, Path(folder), work)
            try:
                done = False
                while not done:
                    done = bool(wait([future], LOOK_EVERY_S).done)
                    while (said := Path(folder) / str(heard)).exists():
                        progress(*pickle.loads(said.read_bytes()))  # noqa: S301  our own worker wrote it
                        heard += 1
            except BaseException:
                future.cancel()
                raise
            return future.result()  # type: ignore[no-any-return]


def _saying(folder: Path, work: Callable[..., Made]) -> Made:
    """Do the work, and put what it says meanwhile into a folder; a worker that cannot see it says nothing."""
    numbers = count()

    def say(*what: object) -> None:
        if folder.is_dir():
            whole = folder / "next"
            whole.write_bytes(pickle.dumps(what))
            whole.rename(folder / str(next(numbers)))

    return work(progress=say)


def from_environment() -> Workers:
    """Return the workers that the environment asks for; else as many as this machine bears."""
    scheduler, number = os.environ.get(SCHEDULER), os.environ.get(WORKERS, "")
    if scheduler:
        return cluster(scheduler)
    at_once = int(number) if number.isdecimal() else number_for_this_machine()
    return processes(at_once) if at_once else Here()


def number_for_this_machine() -> int:
    """Return how many photos this machine can read at a time."""
    room: int = psutil.virtual_memory().available // WORKER_BYTES
    return max(1, min(MOST, os.cpu_count() or 1, room))


def processes(at_once: int) -> Workers:
    """Return workers that are processes of this machine; one that dies is replaced."""
    from pebble import ProcessExpired, ProcessPool  # noqa: PLC0415  only the server needs it

    def made() -> ProcessPool:
        # A process that was forked from one with threads may hang.
        pool = ProcessPool(at_once, max_tasks=TASKS, initializer=_begin, context=get_context("spawn"))
        for _ in range(at_once):
            pool.schedule(_get_ready, timeout=TOO_LONG_S)
        return pool

    pool, closed, one_at_a_time = made(), False, threading.Lock()

    def submit(work: Callable[..., Any], *args: object) -> Future[Any]:
        nonlocal pool
        with one_at_a_time:
            if not (pool.active or closed):  # a process that dies while it has nothing to do breaks the pool
                pool.stop()  # type: ignore[no-untyped-call]
                pool.join()
                pool = made()
            return pool.schedule(work, args=args, timeout=TOO_LONG_S)

    def close() -> None:
        nonlocal closed
        closed = True
        pool.close()  # type: ignore[no-untyped-call]
        try:
            pool.join(LEAVE_S)
        except TimeoutError:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()

    return Elsewhere(submit, at_once, close, (ProcessExpired, BrokenProcessPool))


def cluster(address: str) -> Workers:
    """Return the workers of a Dask cluster, by the address of its scheduler."""
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415  an extra
        from distributed.comm import CommClosedError  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise StoreError(
            "scheduler_driver",
            english("Reading photos on a cluster needs the package distributed, which is not installed."),
            english("Install it with: {command}", command='pip install "sagrada-companion[cluster]"'),
        ) from error
    try:
        client = Client(address, set_as_default=False, timeout=REACH_S)
    except (OSError, ValueError) as error:
        raise StoreError(
            "scheduler_unreachable",
            english("The scheduler {address} does not answer.", address=address),
            english("Start it, or take {variable} out of the environment.", variable=SCHEDULER),
        ) from error
    executor = client.get_executor(retries=1)
    at_once = max(1, sum(client.nthreads().values()))
    made = Elsewhere(executor.submit, at_once, client.close, (KilledWorker, CommClosedError))
    made.are_here = False
    return made


class Ahead:
    """Work that is done before it is asked for, of no more than twice what the workers can do at a time."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(workers.at_once)

    def begun(self, works: Iterable[Callable[[], Made]]) -> Iterator[Future[Made]]:
        """Yield what comes of each work, in their order. They have to survive pickling, and so has it."""
        under_way: deque[Future[Made]] = deque()
        for work in works:
            under_way.append(self._threads.submit(self._workers.call, work))
            if len(under_way) == 2 * self._workers.at_once:
                yield under_way.popleft()
        yield from under_way

    def map(self, work: Callable[[Given], Made], given: Iterable[Given]) -> Iterator[Made]:
        """Do the work for each thing, as the function of this name does."""
        return (done.result() for done in self.begun(partial(work, one) for one in given))

    def close(self) -> None:
        """Let the workers go; what was begun and is not needed is dropped."""
        self._threads.shutdown(cancel_futures=True)
        self._workers.close()


def _begin() -> None:
    """Make a worker out of a new process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends, and lets the workers finish before
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    import cv2  # noqa: PLC0415  not in the server itself

    cv2.setNumThreads(1)  # as many workers as there are cores


def _get_ready() -> None:
    """Load what reading needs before the first photo comes."""
    from vision import network  # noqa: PLC0415  not in the server itself

    network.finder()
    network.reader()


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

    ``at_work`` makes the application known to the code of a job, while it runs.
    """

    def __init__(self, workers: Workers, at_work: Callable[[], AbstractContextManager[object]]) -> None:
        self.workers = workers
        self._context = at_work
        self._line: deque[Job] = deque()
        self._at_work: list[Job] = []
        self._by_the_way = 0
        self._guard = threading.RLock()
        self._leaving = False
        self._opened = datetime.now(UTC).replace(microsecond=0)

    def begin(self, key: str, work: Callable[[], object]) -> Job:
        """Do something for a photo as soon as there is a worker for it, unless it is under way already.

        Raise `BusyError` where too many are waiting.
        """
        with self._guard:
            for job in (*self._at_work, *self._line):
                if job.key == key:
                    return job
            self.demand_room()
            job = Job(key, work)
            self._line.append(job)
            self._call_next()
        return job

    def demand_room(self) -> None:
        """Raise `BusyError` where no more photos are taken in."""
        with self._guard:
            if self._leaving or len(self._line) >= MOST_WAITING:
                raise BusyError("too_many_photos")

    def place(self, key: str) -> int | None:
        """Return how many are before a photo, with those that are being read; None where it is not here."""
        with self._guard:
            if any(job.key == key for job in self._at_work):
                return 0
            before = len(self._at_work)
            return next((before + place for place, job in enumerate(self._line) if job.key == key), None)

    @property
    def waiting(self) -> int:
        """How many photos wait for a worker."""
        return len(self._line)

    def is_free(self) -> bool:
        """Tell whether a worker has nothing to do."""
        with self._guard:
            return len(self._at_work) < self.workers.at_once

    def by_the_way(self, work: Callable[[], Made]) -> Made:
        """Let a worker who has nothing to do do something small; raise `BusyError` where none has."""
        with self._guard:
            if self._leaving or len(self._at_work) + self._by_the_way >= self.workers.at_once:
                raise BusyError("too_many_photos")
            self._by_the_way += 1
        try:
            return self.workers.call(work)
        finally:
            with self._guard:
                self._by_the_way -= 1

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
