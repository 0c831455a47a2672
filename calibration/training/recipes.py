"""Train the networks: ``python -m calibration.training.recipes FOLDER OUT [NAME...]``.

``FOLDER`` holds the drawn sets and the networks of a first go. Needs the ``train`` extra.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name

import torch

from calibration.training.loop import Go


@dataclass(frozen=True)
class Recipe:
    """By which ``module:function`` a network is made, from which sets, and after which first go."""

    make: str
    sets: tuple[str, ...]
    epochs: int
    seed: int
    after: str | None = None
    rate: float | None = None


FIRST = "first"
CROWDS = ("tables_hard", "crowds_traced")
HARD_DICE = tuple(f"{kind}{few}" for kind in ("dark", "pale", "colored") for few in ("", "_sparse"))
RECIPES = {
    "first/finder.onnx": Recipe("finder:make", ("scenes",), 14, 1),
    "first/reader.onnx": Recipe("reader:make", ("scenes",), 20, 2),
    "first/second_reader.onnx": Recipe(
        "reader:make", ("scenes", "hard", "traced", "seats", "low"), 5, 2, "first/reader.onnx", 0.0006
    ),
    "finder.onnx": Recipe("finder:make", ("scenes", "hard", "traced"), 2, 1, "first/finder.onnx", 0.001),
    "reader.onnx": Recipe(
        "reader:make_glossy", ("scenes", "hard", "traced", "seats"), 3, 1, "first/second_reader.onnx"
    ),
    "first/fine.onnx": Recipe("fine_reader:make", ("tops", "tops_traced"), 14, 1),
    "fine.onnx": Recipe("fine_reader:make", ("tops", "tops_traced"), 15, 1, "first/fine.onnx", 0.0015),
    "covered.onnx": Recipe("covered:make", ("covered",), 14, 3),
    "lines.onnx": Recipe("covered:make_lines", ("lines",), 20, 4),
    "first/dice_finder.onnx": Recipe("finder:make_dice", ("tables", "tables_traced"), 62, 3),
    "first/second_dice_finder.onnx": Recipe(
        "finder:make_dice", ("tables", "tables_traced", *CROWDS), 21, 3, "first/dice_finder.onnx", 0.0015
    ),
    "dice_finder.onnx": Recipe(
        "finder:make_dice", ("tables_upright", "upright_hard"), 8, 3, "first/second_dice_finder.onnx", 0.0007
    ),
    "loose.onnx": Recipe(
        "loose_reader:make", ("dice_upright", "dice_hard", "dice_low", "dice_traced"), 18, 2
    ),
    "tokens.onnx": Recipe(
        "finder:make_dice", ("tokens", "tokens_hard", "tokens_traced"), 40, 1, "dice_finder.onnx", 0.002
    ),
    "card_finder.onnx": Recipe("objectives:finder", ("cards",), 60, 1),
    "first/card_reader.onnx": Recipe("objectives:reader", ("cards",), 5, 1),
    "card_reader.onnx": Recipe("objectives:reader", ("cards",), 4, 2, "first/card_reader.onnx", 0.0024),
    "card_shades.onnx": Recipe("objectives:shades", ("tiles",), 14, 1),
    # From here on the reader says what is learned from; these count steps.
    "dyes.npz": Recipe("dyes:make", ("dyes",), 14000, 0),
    "unlike.npz": Recipe("unlike:make", ("unlike",), 30, 2),
    "odd.onnx": Recipe("odd_reader:make", (*HARD_DICE, "dyes"), 5000, 0),
    "together.npz": Recipe("together:make", ("dyes", "more_dyes", "pale_dyes"), 14000, 0),
}


def main() -> None:
    """Train what is asked for, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RECIPES))
    parser.add_argument("--share", type=float, default=1, help="of the epochs and steps, 0.02 for a try")
    args = parser.parse_args()

    def place(name: str) -> Path:
        folder: Path = args.folder if name.startswith(FIRST) else args.out
        return folder / name

    for name in args.names or RECIPES:
        print(name, flush=True)
        recipe = RECIPES[name]
        torch.manual_seed(recipe.seed)
        start = place(recipe.after).with_suffix(".pt") if recipe.after else None
        go = Go(max(round(args.share * recipe.epochs), 1), recipe.seed, start, recipe.rate)
        place(name).parent.mkdir(parents=True, exist_ok=True)
        make = resolve_name(f"calibration.training.{recipe.make}")
        make([args.folder / one for one in recipe.sets], place(name), go)


if __name__ == "__main__":
    main()
