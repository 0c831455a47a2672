"""`sagrada read` over folders, with several processes or a cluster: the same lines, only sooner."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from tests.webapp.commands import sagrada
from webapp.cli.options import echo_json
from webapp.workers import workers

pytestmark = pytest.mark.thorough

PHOTOS = (
    "easy_daylight.jpg",
    "cut_off.jpg",
    "dim_evening.jpg",
    "steep_tilt.jpg",
    "full_window.jpg",
    "noise.jpg",
)


@pytest.fixture(scope="module")
def folder(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with six photos, of which one shows no whole window, and a file that is none."""
    made = tmp_path_factory.mktemp("photos")
    for name in PHOTOS:
        shutil.copy(project_root / "sample_images" / name, made / name)
    (made / "notes.txt").write_text("not a photo", encoding="utf-8")
    (made / "._easy_daylight.jpg").write_bytes(b"what a Mac writes beside a file")
    (made / "folder.jpg").mkdir()
    return made


@pytest.fixture(scope="module")
def alone(folder: Path) -> list[dict[str, Any]]:
    """Return what one process reads, one photo after the other."""
    return lines_of("--json", folder)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalCluster]:
    """Return a cluster of two workers, which the environment names."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as made:
        monkeypatch.setenv(workers.SCHEDULER, made.scheduler_address)
        yield made


def lines_of(*arguments: str | Path) -> list[dict[str, Any]]:
    """Return the objects that reading prints, without how long each took."""
    told = [json.loads(line) for line in sagrada("read", *arguments).stdout.splitlines()]
    for one in told:
        one.pop("seconds", None)
    return told


def test_a_folder_is_read_by_the_names_of_its_photos(folder: Path, alone: list[dict[str, Any]]) -> None:
    """All photos of a folder are read, in the order of their names, and nothing else in it."""
    assert [one["photo"] for one in alone] == [str(folder / name) for name in sorted(PHOTOS)]
    assert [one["photo"] for one in alone if "error" in one] == [str(folder / "cut_off.jpg")]


def test_several_processes_print_what_one_prints(folder: Path, alone: list[dict[str, Any]]) -> None:
    """With --jobs the lines are the same and in the same order, that of the photo without a window, too."""
    assert lines_of("--json", "--jobs", "2", folder) == alone


def test_a_cluster_that_loses_a_worker_prints_what_one_process_prints(
    folder: Path, alone: list[dict[str, Any]], cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that is killed while it reads costs time, and no photo."""
    killed: list[int] = []

    def print_and_kill(told: dict[str, Any]) -> None:
        echo_json(told)
        if not killed:
            with Client(cluster, set_as_default=False) as client:
                killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr("webapp.cli.sagrada.echo_json", print_and_kill)
    assert lines_of("--json", folder) == alone
    assert killed


def test_several_processes_measure_what_one_measures(project_root: Path, tmp_path: Path) -> None:
    """The figures of evaluate are those of one process, but for the time."""
    labels = json.loads((project_root / "sample_images" / "labels.json").read_text(encoding="utf-8"))
    few = ("easy_daylight.jpg", "cut_off.jpg", "few_dice.jpg")
    for name in few:
        shutil.copy(project_root / "sample_images" / name, tmp_path / name)
    chosen = {name: labels[name] for name in few}
    (tmp_path / "labels.json").write_text(json.dumps(chosen), encoding="utf-8")
    one, two = (
        json.loads(sagrada("evaluate", "--json", "--misses", tmp_path, *more).stdout)["folders"][0]
        for more in ((), ("--jobs", "2"))
    )
    for folder in (one, two):
        for part in ("summary", "with_dice"):
            del folder[part]["seconds"]
    assert one["summary"]["photos"] == len(few)
    assert two == one


def test_a_photo_that_nobody_could_finish_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A photo that kills whoever reads it is an error with a next step, and the command ends as failed."""
    monkeypatch.setattr("vision.read_photo", die)
    told = sagrada("read", "--json", "--jobs", "2", folder / PHOTOS[0])
    assert told.exit_code == 1
    assert json.loads(told.stdout)["error"]["code"] == "photo_not_finished"


def die(*_: object, **__: object) -> None:
    """End as a bug in a library would end the process."""
    os.kill(os.getpid(), signal.SIGKILL)
