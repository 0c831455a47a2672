"""Work that is done before it is asked for, by several processes or on a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from webapp.workers.workers import Workers

Given = TypeVar("Given")
Made = TypeVar("Made")


class Ahead:
    """Keeps workers busy with more than what somebody waits for, and no more than twice what they can do."""

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
