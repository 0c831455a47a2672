"""Who reads photos: processes that may die, and a cluster that somebody else keeps."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from distributed import LocalCluster

from scoring.sentences import sentence
from vision import read_photo
from vision.errors import BoardNotFoundError
from webapp.domain.errors import StoreError, UnreadPhotoError
from webapp.workers import workers
from webapp.workers.work import looked
from webapp.workers.workers import Here, Progress, Workers


@pytest.fixture(scope="module", params=["processes", "cluster"])
def hands(request: pytest.FixtureRequest) -> Iterator[Workers]:
    """Return two workers of each kind."""
    if request.param == "processes":
        made = workers.processes(2)
        yield made
        made.close()
        return
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        made = workers.cluster(cluster.scheduler_address)
        yield made
        made.close()


def double(number: int) -> int:
    """Return twice the number."""
    return 2 * number


def refuse() -> None:
    """Refuse as the reader does."""
    raise BoardNotFoundError("several_boards", sentence("Several."), sentence("Only one."), data={"count": 2})


def die_once(mark: Path) -> str:
    """Be killed the first time, and do it the second time."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die() -> None:
    """Be killed every time."""
    os.kill(os.getpid(), signal.SIGKILL)


def tell(progress: Progress) -> str:
    """Tell how far it is, and wait until that was heard."""
    for number in range(3):
        progress(number, str(number))
    return "done"


def tell_and_wait(folder: Path, progress: Progress) -> None:
    """Tell something, and end only when it was heard."""
    progress("begun")
    while not (folder / "heard").exists():
        time.sleep(0.01)


def test_workers_read_what_this_process_reads(hands: Workers) -> None:
    """A photo is read alike wherever that happens: window, dice, confidence, and the files that are kept."""
    content = (Path(__file__).resolve().parents[2] / "sample_images" / "easy_daylight.jpg").read_bytes()
    work = partial(looked, read_photo, content, kept_px=2400, shown_px=1600, profile=())
    here, there = work(), hands.call(work)
    assert here.reading is not None
    assert there.reading is not None
    assert replace(there.reading, seconds=0) == replace(here.reading, seconds=0)
    assert there.photo == here.photo


def test_what_the_reader_refuses_comes_back_with_all_its_words(hands: Workers) -> None:
    """An error keeps its code, sentences and data on its way."""
    with pytest.raises(BoardNotFoundError) as refused:
        hands.call(refuse)
    assert (refused.value.code, refused.value.data) == ("several_boards", {"count": 2})
    assert "Several." in str(refused.value)


def test_a_photo_whose_worker_was_killed_is_read_again(hands: Workers, tmp_path: Path) -> None:
    """Nobody notices that a worker died but by waiting longer."""
    assert hands.call(partial(die_once, tmp_path / "mark")) == "done"


def test_a_worker_that_is_killed_while_it_waits_is_replaced() -> None:
    """A machine short of memory kills who does nothing, too; the next photo is read all the same."""
    made = workers.processes(1)
    waiting = made.call(os.getpid)
    os.kill(waiting, signal.SIGKILL)
    while psutil.pid_exists(waiting):
        time.sleep(0.01)
    assert made.call(os.getpid) != waiting
    made.close()


@pytest.mark.thorough
def test_a_photo_that_kills_every_worker_is_given_up(hands: Workers) -> None:
    """It ends as an error, and the next photo is read."""
    with pytest.raises(UnreadPhotoError):
        hands.call(die)
    assert hands.call(partial(double, 1)) == 2


def test_progress_is_heard_in_order(hands: Workers, tmp_path: Path) -> None:
    """Whatever a worker in another process tells is heard here, in its order and before the end."""
    assert hands.call(os.getpid) != os.getpid()
    hands.call(partial(tell_and_wait, tmp_path), lambda _: (tmp_path / "heard").touch())
    heard: list[tuple[object, ...]] = []
    assert hands.call(tell, lambda *what: heard.append(what)) == "done"
    assert heard == [(0, "0"), (1, "1"), (2, "2")]


def test_who_gives_up_on_hearing_something_gets_that_error(hands: Workers) -> None:
    """An error in what listens ends the call, not the worker."""

    def stop(*_: object) -> None:
        raise LookupError

    with pytest.raises(LookupError):
        hands.call(tell, stop)
    assert hands.call(partial(double, 2)) == 4


@pytest.mark.parametrize(("number", "kind"), [("0", Here), ("1", workers.Elsewhere)])
def test_the_environment_says_who_reads(
    monkeypatch: pytest.MonkeyPatch, number: str, kind: Callable[..., Workers]
) -> None:
    """SAGRADA_WORKERS names their number, and 0 keeps all in one process."""
    monkeypatch.setenv(workers.WORKERS, number)
    made = workers.from_environment()
    assert isinstance(made, kind)  # type: ignore[arg-type]
    made.close()


def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names a wrong address learns it at the start, and not with the first photo."""
    monkeypatch.setattr(workers, "REACH_S", 0.2)
    monkeypatch.setenv(workers.SCHEDULER, "tcp://127.0.0.1:9")
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:9"):
        workers.from_environment()


def test_at_least_one_worker_and_not_more_than_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small machine reads one photo after the other; a large one does not fill its memory with workers."""
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert workers.number_for_this_machine() == 1
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert 1 <= workers.number_for_this_machine() <= workers.MOST
