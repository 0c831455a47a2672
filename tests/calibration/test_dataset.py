"""Which scenes are learned from, and how they come to disk."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from distributed import LocalCluster

from calibration.training.dataset import CROPS_PX, tops_of_drawn
from calibration.training.sets import SETS
from calibration.training.shards import PARTS, SCHEDULER, TEST, VALIDATION, DrawnSet, held_out, learned_from
from vision.recognition.cells import FINE

PLAIN = DrawnSet("dataset:arrays_of", 0, scenes=3, a_shard=1)


def test_every_scene_has_one_use() -> None:
    """A scene is learned from, or validates, or tests, and one in twenty does each of the latter."""
    seeds = np.arange(30_000_000, 30_000_000 + 5 * PARTS)
    parts = [learned_from(seeds), held_out(seeds, VALIDATION), held_out(seeds, TEST)]
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(seeds)))
    assert [len(part) for part in parts] == [90, 5, 5]


def test_no_scene_is_in_two_sets() -> None:
    """Sets are drawn from seeds of their own."""
    spans = sorted((one.first_seed, one.first_seed + one.scenes) for one in SETS.values())
    assert all(last <= first for (_, last), (first, _) in pairwise(spans))


def test_the_tops_of_the_dice_of_a_scene_are_learned_from() -> None:
    """Of each die of the readable windows there is a fine crop of its top, and its value."""
    scenes = [tops_of_drawn(seed) for seed in range(32_000_001, 32_000_006)]
    tops = [one for one in scenes if one]
    assert tops
    for one in tops:
        assert one["tops"].shape == (len(one["values"]), FINE * CROPS_PX, FINE * CROPS_PX, 3)
        assert set(one["values"].tolist()) <= set(range(6))


@dataclass(frozen=True)
class Killed(DrawnSet):
    """A set whose worker is killed when the second shard is asked for the first time."""

    mark: Path = Path()

    def write(self, out: Path, number: int, count: int) -> str:
        """Write a shard, or die."""
        if number == 1 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(out, number, count)


@pytest.mark.thorough
def test_a_cluster_draws_the_scenes_that_one_computer_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every shard of a cluster that lost a worker holds the arrays of those that processes here drew."""
    PLAIN.write_missing(tmp_path / "here", workers=2)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        monkeypatch.setenv(SCHEDULER, cluster.scheduler_address)
        killed = Killed("dataset:arrays_of", 0, scenes=3, a_shard=1, mark=tmp_path / "mark")
        killed.write_missing(tmp_path / "there")
    assert (tmp_path / "mark").exists()
    here, there = (sorted((tmp_path / place).iterdir()) for place in ("here", "there"))
    assert len(here) == 3
    assert [path.name for path in there] == [path.name for path in here]
    for ours, theirs in zip(here, there, strict=True):
        with np.load(ours) as wanted, np.load(theirs) as made:
            assert sorted(made) == sorted(wanted)
            assert all(made[name].tobytes() == wanted[name].tobytes() for name in wanted.files)
