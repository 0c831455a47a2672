"""Shards: what is learned from, as arrays on disk; the remainder of its seed says what a scene is for."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.generic]]

SCHEDULER = "SAGRADA_SCHEDULER"
"""Names a Dask cluster, here as for those who read photos."""

PARTS, VALIDATION, TEST = 20, 0, 1
"""A scene whose seed leaves one of the last two when divided by the first is held back."""


@dataclass(frozen=True)
class DrawnSet:
    """A set of scenes: what draws those of one seed, from which seed on, and how many seeds it has.

    ``arrays_of`` names a function as ``module:function``, imported when it draws, as ``traced`` ones need the
    ``train`` extra; it is called with a seed and ``options``. A scene that shows nothing has no arrays.
    """

    arrays_of: str
    first_seed: int
    scenes: int
    a_shard: int
    options: Mapping[str, object] = field(default_factory=dict)
    traced: bool = False

    def arrays(self, number: int, count: int) -> Arrays:
        """Return the arrays of the first ``count`` scenes of a shard."""
        cv2.setNumThreads(1)  # the processes share the cores among themselves
        if self.traced:
            importlib.import_module("drjit").set_thread_count(1)
        draw = resolve_name(f"calibration.training.{self.arrays_of}")
        first = self.first_seed + number * self.a_shard
        return joined([draw(seed, **self.options) for seed in range(first, first + count)])

    def write(self, out: Path, number: int, count: int) -> str:
        """Draw and write one shard, whole or not at all, and say what is in it."""
        arrays = self.arrays(number, count)
        path = _path_of(out, number)
        unfinished = path.with_suffix(".part.npz")
        np.savez(unfinished, allow_pickle=False, **arrays)
        unfinished.replace(path)
        counts = (f"{len(arrays[name])} {name}" for name in ("views", "crops") if name in arrays)
        return f"{path.name}: {', '.join(counts)}"

    def write_missing(self, out: Path, share: float = 1, workers: int | None = None) -> None:
        """Write the shards of a share of the set that a folder lacks, in processes here or on a cluster's."""
        out.mkdir(parents=True, exist_ok=True)
        scenes = max(round(share * self.scenes), 1)
        counts = [min(self.a_shard, scenes - first) for first in range(0, scenes, self.a_shard)]
        missing = [number for number in range(len(counts)) if not _path_of(out, number).exists()]
        sizes = [counts[number] for number in missing]
        # Mitsuba must not be forked.
        with _executor(workers, "spawn" if self.traced else None) as pool:
            for line in pool.map(partial(self.write, out.resolve()), missing, sizes):
                print(line, flush=True)


def stacked(rows: Iterable[Mapping[str, object]], **same: object) -> Arrays:
    """Return rows as arrays, with what is the same in each beside them; no rows are no arrays."""
    found = [{**row, **same} for row in rows]
    return {name: np.array([row[name] for row in found]) for name in (found[0] if found else ())}


def joined(scenes: Sequence[Arrays]) -> Arrays:
    """Return the arrays of several scenes as one."""
    names = dict.fromkeys(name for one in scenes for name in one)
    return {name: np.concatenate([one[name] for one in scenes if name in one]) for name in names}


def columns(folders: Iterable[Path], *names: str) -> list[NDArray[Any]]:
    """Return arrays of all shards in some folders, in their order; a shard may have none of them."""
    found: list[Arrays] = []
    for path in (path for folder in folders for path in sorted(folder.glob("scenes_??????.npz"))):
        with np.load(path) as shard:
            found += [{name: shard[name] for name in names}] if names[0] in shard else []
    return list(joined(found).values())


def held_out(seeds: NDArray[np.int64], remainder: int) -> NDArray[np.int64]:
    """Return the indices of what is not learned from; ``remainder`` is `VALIDATION` or `TEST`."""
    return np.flatnonzero(seeds % PARTS == remainder)


def learned_from(seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of what is learned from."""
    return np.flatnonzero(seeds % PARTS > TEST)


def _path_of(out: Path, number: int) -> Path:
    return out / f"scenes_{number:06d}.npz"


def _executor(workers: int | None, start_method: str | None) -> Executor:
    """Return who draws: the cluster of the environment, or processes of this machine."""
    if scheduler := os.environ.get(SCHEDULER):
        from distributed import Client  # noqa: PLC0415  an extra

        made: Executor = Client(scheduler, set_as_default=False).get_executor()
        return made
    return ProcessPoolExecutor(workers, mp_context=get_context(start_method))
