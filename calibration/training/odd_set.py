"""Draw windows whose dice are hard to read: ``python -m calibration.training.odd_set OUT``.

Each has a set of its own, with dark pips, with pale dyes, or with pips of any color; and many dice, or few
and a steep view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.training.dataset import cut_out, options_of, write_missing, write_windows
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.scene import Scene

KINDS: dict[str, tuple[int, Callable[[np.random.Generator], DieLook]]] = {
    "dark": (80_500_000, odd.dark_pips),
    "pale": (81_000_000, odd.pale),
    "colored": (81_600_000, odd.colored_pips),
}
"""By kind, the seed of the first set and what draws its look."""
SPARSE_SEEDS = 250_000  # after the others of a kind
MOST_FILLED, TILT_DEG, STEEP_DEG = 0.6, 40, 60
SHARD_SCENES = 25
CUTS = 2  # of each window, with the lattice a little off


def windows_of(
    rng: np.random.Generator, _: int, *, kind: str, sparse: bool
) -> Iterator[tuple[NDArray[np.uint8], Scene, bool]]:
    """Yield the cells of a window, cut out `CUTS` times, with its scene; its dice are odd."""
    look, light = KINDS[kind][1](rng), None if rng.random() < 0.4 else str(rng.choice(odd.LIGHTS))
    if sparse:
        scene = odd.photo_of(rng, look, light, tilt_deg=STEEP_DEG, occupancy=rng.uniform(0, MOST_FILLED))
    else:
        scene = odd.photo_of(rng, look, light, tilt_deg=TILT_DEG)
    for _cut in range(CUTS):
        yield cut_out(rng, scene, pitch_sigma=0.02, rise_sigma=0.08), scene, True


def write_shard(out: Path, number: int, count: int, *, kind: str, sparse: bool) -> str:
    """Draw and write one shard, and say what is in it."""
    first = KINDS[kind][0] + sparse * SPARSE_SEEDS + number * SHARD_SCENES
    draw = partial(windows_of, kind=kind, sparse=sparse)
    return write_windows(out, number, range(first, first + count), draw)


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    others = {"pale": "pale dyes in the place of dark pips", "colored": "pips of any color in their place"}
    args = options_of(__doc__, 800, **others, sparse="few dice, and steep views")
    kind = next((name for name in others if getattr(args, name)), "dark")
    write = partial(write_shard, kind=kind, sparse=args.sparse)
    write_missing(write, args.out, args.scenes, SHARD_SCENES, args.workers)


if __name__ == "__main__":
    main()
