"""How work spreads: ``python -m benchmarks.scaling [photos] [pages]``.

``photos``: all sample photos, several times, are read by one worker, by one worker a core and by a Dask
cluster of two workers on this machine; each has read something before. ``pages``: phones open the start page
and a reading as fast as they can, from one server and from two with one PostgreSQL database and one folder,
one phone after the other. What is compared is compared in one run, on one machine, in turns.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from tempfile import TemporaryDirectory

from distributed import LocalCluster

from benchmarks.crowd import SAMPLE, Figures, Phone, form, serving
from tests import postgres
from vision import read_photo
from vision.errors import VisionError
from webapp.workers import workers
from webapp.workers.workers import Ahead, Workers

TIMES = 4
ROUNDS = 2
PHONES = 16
PAGES_S = 15


def read_or_not(content: bytes) -> bool:
    """Read a photo, and tell whether that could be done."""
    try:
        read_photo(content)
    except VisionError:
        return False
    return True


@contextmanager
def dask(at_once: int) -> Iterator[Workers]:
    """Give the workers of a cluster on this machine."""
    with LocalCluster(n_workers=at_once, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield workers.cluster(cluster.scheduler_address)


@contextmanager
def processes(at_once: int) -> Iterator[Workers]:
    """Give processes of this machine."""
    yield workers.processes(at_once)


def photos() -> None:
    """Measure photos a second."""
    contents = [path.read_bytes() for path in sorted(SAMPLE.parent.glob("*.jpg"))]
    cores = os.cpu_count() or 1
    kinds: dict[str, Callable[[], AbstractContextManager[Workers]]] = {
        "one worker": partial(processes, 1),
        f"{cores} workers": partial(processes, cores),
        "Dask, 2 workers": partial(dask, 2),
    }
    for _ in range(ROUNDS):
        for name, made in kinds.items():
            with made() as who, closing(Ahead(who)) as ahead:
                list(ahead.map(read_or_not, contents[: 4 * cores]))
                begun = time.perf_counter()
                read = list(ahead.map(read_or_not, contents * TIMES))
                seconds = time.perf_counter() - begun
            print(
                f"{name:16s} {len(read) / seconds:5.2f} photos a second ({len(read)}, {sum(read)} readable)"
            )


async def opened(ports: Sequence[int]) -> Figures:
    """Let phones open pages for a while, each from one of the servers."""
    figures = Figures()
    _, made = await Phone(ports[0], "127.0.7.1").ask("POST", "/readings.json", *form(SAMPLE.read_bytes()))
    reading = "/w/" + made.decode().split('"id":"')[1].split('"')[0]
    ends = time.perf_counter() + PAGES_S

    async def look(number: int) -> None:
        phone = Phone(ports[number % len(ports)], f"127.0.7.{number + 1}")
        while time.perf_counter() < ends:
            await figures.of(phone.ask("GET", "/"))
            await figures.of(phone.ask("GET", reading))

    await asyncio.gather(*map(look, range(PHONES)))
    return figures


def pages() -> None:
    """Measure pages a second."""
    programs = postgres.find_programs()
    if programs is None:
        sys.exit("There is no PostgreSQL server here.")
    with postgres.running(programs) as database, TemporaryDirectory() as folder:
        os.environ["SAGRADA_DATABASE_URL"] = database.address
        for number in (1, 2) * ROUNDS:
            with ExitStack() as running:
                ports = [running.enter_context(serving(folder))[0] for _ in range(number)]
                figures = asyncio.run(opened(ports))
            print(f"{number} servers: {len(figures.seconds) / PAGES_S:.0f} pages a second; {figures}")


def main() -> None:
    """Measure what was asked for, all without any."""
    if "pages" not in sys.argv[1:]:
        photos()
    if "photos" not in sys.argv[1:]:
        pages()


if __name__ == "__main__":
    main()
