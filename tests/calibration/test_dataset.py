"""Which scenes are learned from."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from distributed import LocalCluster

from calibration.training.dataset import (
    PARTS,
    SCHEDULER,
    TEST,
    VALIDATION,
    held_out,
    learned_from,
    write_missing,
    write_shard,
)


def test_every_scene_has_one_use() -> None:
    """A scene is learned from, or validates, or tests, and one in twenty does each of the latter."""
    seeds = np.arange(30_000_000, 30_000_000 + 5 * PARTS)
    parts = [learned_from(seeds), held_out(seeds, VALIDATION), held_out(seeds, TEST)]
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(seeds)))
    assert [len(part) for part in parts] == [90, 5, 5]


plain_shard = partial(write_shard, kind="plain")


def write_or_die(mark: Path, out: Path, number: int, count: int) -> str:
    """Write a shard; the first time the second one is asked for, be killed."""
    if number == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return plain_shard(out, number, count)


@pytest.mark.thorough
def test_a_cluster_draws_the_scenes_that_one_computer_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every shard of a cluster that lost a worker holds the arrays of those that processes here drew."""
    write_missing(plain_shard, tmp_path / "here", 3, 1, 2, "spawn")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        monkeypatch.setenv(SCHEDULER, cluster.scheduler_address)
        write_missing(partial(write_or_die, tmp_path / "mark"), tmp_path / "there", 3, 1, None)
    assert (tmp_path / "mark").exists()
    here, there = (sorted((tmp_path / place).iterdir()) for place in ("here", "there"))
    assert len(here) == 3
    assert [path.name for path in there] == [path.name for path in here]
    for ours, theirs in zip(here, there, strict=True):
        with np.load(ours) as wanted, np.load(theirs) as made:
            assert sorted(made) == sorted(wanted)
            assert all(made[name].tobytes() == wanted[name].tobytes() for name in wanted.files)
