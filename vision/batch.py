"""Many photos, read by several processes, each answer as soon as it is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Any, Generic, TypeVar, overload

import cv2

from vision.errors import VisionError
from vision.photo import Photo, Source, bytes_or_pixels
from vision.read import read_photo
from vision.reading import Reading

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class BatchResult(Generic[Made]):
    """What came of one of many photos.

    Parameters
    ----------
    number
        Its place among those given, from 0.
    source
        The photo as it was given.
    reading
        What was read; None where that could not be done.
    error
        Why not.
    """

    number: int
    source: Source
    reading: Made | None
    error: VisionError | None


@overload
def read_photos(
    sources: Iterable[Source],
    *,
    jobs: int | None = None,
    progress: Callable[[int, int | None], None] | None = None,
    **told: Any,  # noqa: ANN401  what ``read`` takes
) -> Iterator[BatchResult[Reading]]: ...


@overload
def read_photos(
    sources: Iterable[Source],
    read: Callable[..., Made],
    *,
    jobs: int | None = None,
    progress: Callable[[int, int | None], None] | None = None,
    **told: Any,  # noqa: ANN401  see above
) -> Iterator[BatchResult[Made]]: ...


def read_photos(
    sources: Iterable[Source],
    read: Callable[..., Any] = read_photo,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int | None], None] | None = None,
    **told: Any,
) -> Iterator[BatchResult[Any]]:
    """Read many photos with all cores, and yield each result as soon as it is there, in any order.

    No more photos are taken from ``sources`` than are needed to keep the cores busy. As always where several
    processes work, a script has to be one that can be imported (``if __name__ == "__main__":``).

    Parameters
    ----------
    sources
        The photos, each as `read_photo` takes it.
    read
        `read_photo`, or `read_table` for whole tables.
    jobs
        How many processes read; as many as there are cores when nothing is given. 1 reads in this process.
    progress
        Called after each photo with how many are done, and of how many where that is known.
    told
        What else ``read`` is called with: ``windows``, ``profile``, ``color_order``.

    Raises
    ------
    TypeError
        A source is nothing that can be a photo.
    """
    total = len(sources) if isinstance(sources, Sized) else None
    at_once = jobs or os.cpu_count() or 1
    works = enumerate(sources)
    results = _here(works, read, told) if at_once == 1 else _spread(works, read, told, at_once)
    for done, result in enumerate(results, start=1):
        if progress is not None:
            progress(done, total)
        yield result


def _here(
    works: Iterator[tuple[int, Source]], read: Callable[..., Made], told: dict[str, Any]
) -> Iterator[BatchResult[Made]]:
    for number, source in works:
        yield BatchResult(number, source, *_tried(partial(read, **told), source))


def _spread(
    works: Iterator[tuple[int, Source]], read: Callable[..., Made], told: dict[str, Any], at_once: int
) -> Iterator[BatchResult[Made]]:
    # A process that was forked from one with threads may hang.
    executor = ProcessPoolExecutor(
        at_once, get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)
    )
    waiting: dict[Future[tuple[Made | None, VisionError | None]], tuple[int, Source]] = {}
    try:
        while True:
            for number, source in islice(works, 2 * at_once - len(waiting)):
                content, error = _tried(_to_send, source)
                if content is None:
                    yield BatchResult(number, source, None, error)
                    continue
                waiting[executor.submit(_tried, partial(read, **told), content)] = number, source
            if not waiting:
                return
            for one in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield BatchResult(*waiting.pop(one), *one.result())
    finally:
        executor.shutdown(cancel_futures=True)


def _to_send(source: Source) -> Source:
    """Return what can travel to another process: the content in place of an open file."""
    if hasattr(source, "read") and not isinstance(source, Photo):
        return bytes_or_pixels(source, "BGR")
    return source


def _tried(read: Callable[[Source], Made], source: Source) -> tuple[Made | None, VisionError | None]:
    try:
        return read(source), None
    except VisionError as error:
        return None, error
