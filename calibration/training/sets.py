"""Draw the missing shards of sets: ``python -m calibration.training.sets FOLDER [NAME...]``.

Path-traced sets need the ``train`` extra and LLVM 19 or newer: older ones take Mitsuba's process down.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from calibration.training import card_set
from calibration.training.shards import DrawnSet

# No two sets share a seed, and `calibration.training.held_back` has others.
SETS = {
    "scenes": DrawnSet("dataset:arrays_of", 0, 6000, 100),
    "hard": DrawnSet("dataset:arrays_of", 30_000_000, 1500, 100, {"kind": "hard"}),
    "seats": DrawnSet("dataset:arrays_of", 31_000_000, 2400, 100, {"kind": "upright"}),
    "traced": DrawnSet("dataset:traced_arrays_of", 20_000_000, 240, 20, traced=True),
    "low": DrawnSet("dataset:traced_arrays_of", 21_000_000, 100, 20, {"low": True}, traced=True),
    "tops": DrawnSet("dataset:tops_of_drawn", 32_000_000, 1100, 100),
    "tops_traced": DrawnSet("dataset:tops_of_traced", 22_000_000, 120, 10, traced=True),
    "covered": DrawnSet("covered_set:drawn", 60_000_000, 920, 20),
    "lines": DrawnSet("covered_set:lines", 63_000_000, 3000, 20),
    "tables": DrawnSet("tables_set:arrays_of", 40_000_000, 1100, 50),
    "tables_hard": DrawnSet("tables_set:arrays_of", 41_000_000, 400, 50, {"hard": True}),
    "tables_upright": DrawnSet("tables_set:arrays_of", 42_000_000, 4000, 50, {"upright": True}),
    "upright_hard": DrawnSet("tables_set:arrays_of", 43_000_000, 1200, 50, {"hard": True, "upright": True}),
    "tables_traced": DrawnSet("tables_set:traced_arrays_of", 50_000_000, 45, 5, traced=True),
    "crowds_traced": DrawnSet("tables_set:traced_arrays_of", 51_000_000, 5, 5, {"hard": True}, traced=True),
    "dice_upright": DrawnSet("tables_set:arrays_of", 44_000_000, 400, 50, {"upright": True, "loose": True}),
    "dice_hard": DrawnSet(
        "tables_set:arrays_of", 45_000_000, 600, 50, {"hard": True, "upright": True, "loose": True}
    ),
    "dice_low": DrawnSet(
        "tables_set:arrays_of",
        48_000_000,
        600,
        50,
        {"hard": True, "upright": True, "loose": True, "low": True},
    ),
    "dice_traced": DrawnSet("tables_set:traced_arrays_of", 52_000_000, 60, 5, {"loose": True}, traced=True),
    "tokens": DrawnSet("tables_set:arrays_of", 46_000_000, 800, 50, {"upright": True, "tokens": True}),
    "tokens_hard": DrawnSet(
        "tables_set:arrays_of", 47_000_000, 300, 50, {"hard": True, "upright": True, "tokens": True}
    ),
    "tokens_traced": DrawnSet(
        "tables_set:traced_arrays_of", 53_000_000, 100, 5, {"tokens": True}, traced=True
    ),
    "unlike": DrawnSet("odd_set:unlike", 72_000_000, 5800, 100),
    "dyes": DrawnSet("odd_set:dyes", 78_000_000, 600, 25),
    "more_dyes": DrawnSet("odd_set:dyes", 78_000_600, 800, 25),
    "pale_dyes": DrawnSet("odd_set:dyes", 82_000_000, 1500, 25, {"pale": True}),
    "dark": DrawnSet("odd_set:hard_dice", 80_500_000, 1750, 25, {"kind": "dark"}),
    "dark_sparse": DrawnSet("odd_set:hard_dice", 80_750_000, 300, 25, {"kind": "dark", "sparse": True}),
    "pale": DrawnSet("odd_set:hard_dice", 81_000_000, 1350, 25, {"kind": "pale"}),
    "pale_sparse": DrawnSet("odd_set:hard_dice", 81_250_000, 350, 25, {"kind": "pale", "sparse": True}),
    "colored": DrawnSet("odd_set:hard_dice", 81_600_000, 1350, 25, {"kind": "colored"}),
    "colored_sparse": DrawnSet("odd_set:hard_dice", 81_850_000, 300, 25, {"kind": "colored", "sparse": True}),
}
CARDS: dict[str, Callable[[Path, float], None]] = {
    "cards": card_set.write,
    "tiles": partial(card_set.write, views=0, crops=14000, each=160, tiles=True),
}


def main() -> None:
    """Draw what is asked for, one process a core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join((*SETS, *CARDS)))
    parser.add_argument("--share", type=float, default=1, help="how much of each set to draw, 0.02 for a try")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    names = args.names or [*SETS, *CARDS]
    for name in names:
        print(name, flush=True)
        if name in CARDS:
            CARDS[name](args.folder / name, args.share)
        else:
            SETS[name].write_missing(args.folder / name, args.share, args.workers)


if __name__ == "__main__":
    main()
