"""Draw sets of dice, four windows each: ``python -m calibration.training.dyes_set OUT``.

Half of the sets are the game's, half have other dyes or pips, or with ``--pale`` most have pale dyes and few
are the game's; each of their windows lies in another light.
What learns from them where a dye stands among others must not see dyes that nobody could tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000, rgb2lab

from calibration.training.dataset import cut_out, options_of, write_missing, write_windows
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.scene import COLORS, Scene

FIRST_SEED, FIRST_PALE_SEED = 78_000_000, 82_000_000
SHARD_SETS = 25
WINDOWS = 4  # of each set
LEAST_APART = 12  # CIEDE2000 between two dyes of a set
PALE_SHARE, ORDINARY_LEFT_OUT = 0.55, 0.6  # with ``--pale``


def set_of(rng: np.random.Generator, *, pale: bool = False) -> tuple[DieLook, bool]:
    """Return a set with pips and five dyes that can be told apart, and whether it is unlike the game's."""
    while True:
        is_pale = pale and rng.random() < PALE_SHARE
        look, is_odd = (odd.pale(rng), True) if is_pale else odd.random_set(rng)
        if pale and not is_odd and rng.random() < ORDINARY_LEFT_OUT:
            continue
        if not look.digits and apart(look) >= LEAST_APART:
            return look, is_odd


def apart(look: DieLook) -> float:
    """Return how far the two most alike dyes of a set lie apart, in CIEDE2000."""
    lab = rgb2lab(np.stack([look.dyes[letter][::-1] for letter in COLORS])[None])[0]
    return float(deltaE_ciede2000(lab[:, None], lab[None])[np.triu_indices(len(COLORS), 1)].min())


def windows_of(
    rng: np.random.Generator, _: int, *, pale: bool
) -> Iterator[tuple[NDArray[np.uint8], Scene, bool]]:
    """Yield the cells of a set's windows with their scenes, and whether its dice are odd."""
    look, is_odd = set_of(rng, pale=pale)
    for _window in range(WINDOWS):
        light = None if rng.random() < 0.4 else str(rng.choice(odd.LIGHTS))
        scene = odd.photo_of(rng, look, light, tilt_deg=40)
        yield cut_out(rng, scene, pitch_sigma=0.02, rise_sigma=0.08), scene, is_odd


def write_shard(out: Path, number: int, count: int, *, pale: bool) -> str:
    """Draw and write one shard, and say what is in it."""
    first = (FIRST_PALE_SEED if pale else FIRST_SEED) + number * SHARD_SETS
    return write_windows(out, number, range(first, first + count), partial(windows_of, pale=pale))


def main() -> None:
    """Write the shards that are missing in a folder, one process a core."""
    args = options_of(__doc__, 700, pale="most sets with pale dyes")
    write_missing(partial(write_shard, pale=args.pale), args.out, args.scenes, SHARD_SETS, args.workers)


if __name__ == "__main__":
    main()
