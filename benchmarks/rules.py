"""How fast the rules are, as ratios measured in one run: ``python benchmarks/rules.py``.

Absolute times depend on the machine; the ratio to scoring one board hardly does. Every time is the best of a
few tries, for the machine may be busy with other things. The hard windows were found by a search that changed
random windows, a die, a space or a card at a time, and kept what took longest.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    HouseRule,
    PublicObjective,
    Tool,
    Toolbox,
    WindowPattern,
    identify_window,
    placement_problems,
    score_player,
)
from scoring.placement.removals import best_removals

EVERY = tuple(PublicObjective)
THREE_TOOLS = (Tool.EGLOMISE_BRUSH, Tool.COPPER_FOIL_BURNISHER, Tool.CORK_BACKED_STRAIGHTEDGE)


@dataclass(frozen=True)
class Window:
    """A window with mistakes, and the game it belongs to."""

    board: Board
    pattern: WindowPattern | None = None
    objectives: tuple[PublicObjective, ...] = EVERY
    private: Color | tuple[Color, ...] = Color.RED
    toolbox: Toolbox = field(default_factory=Toolbox)
    points_per_empty_cell: int = -1

    def best_removals(self) -> object:
        """Do the work that is measured."""
        return best_removals(
            self.board,
            self.pattern,
            self.objectives,
            self.private,
            self.toolbox,
            self.points_per_empty_cell,
        )


def hard_windows() -> dict[str, Window]:
    """Return the windows that took longest of all that were tried, and some that look hard."""
    alike = Board.parse("/".join(4 * [" R1 R1 R1 R1 R1 "]))
    both_house_rules = Toolbox(Tool, house_rules=HouseRule)
    return {
        "twenty dice alike": Window(alike),
        "a checkerboard of pairs": Window(
            Board.parse("R1 R2 B1 B2 R6 / B2 B1 R2 R6 B6 / R1 R2 B1 B6 R6 / R2 R1 B2 R1 R2")
        ),
        "no card": Window(
            Board.parse("Y4 R2 Y5 Y5 R2 / Y4 R2 G3 G6 R4 / G2 G5 Y2 R1 G6 / Y5 Y2 G2 R1 G3"),
            private=tuple(Color),
            points_per_empty_cell=0,
        ),
        "a card": Window(
            Board.parse("R3 R1 Y1 Y2 Y1 / Y3 Y5 R2 Y1 R3 / Y2 B1 B2 Y2 R2 / Y4 P1 R2 Y1 Y3"),
            WindowPattern.parse("3.Y.1 / YRP2R / .2.G. / .B.5."),
        ),
        "a card and all tools": Window(
            Board.parse("Y6 Y1 Y2 Y1 R1 / G1 R1 R2 G1 R2 / Y1 Y1 R2 R2 Y2 / G1 Y2 Y1 Y2 Y2"),
            WindowPattern.parse("444R5 / 3G4YG / 64P6P / BB6BG"),
            private=tuple(Color),
            toolbox=Toolbox(Tool),
        ),
        "a card and three tools": Window(
            Board.parse("R5 B3 B2 Y1 P1 / G2 Y4 P6 P3 R5 / B2 Y1 B4 G5 P4 / B4 P4 G6 B4 P1"),
            WindowPattern.parse("YB4RR / 614R2 / 54P13 / G1RY5"),
            private=(Color.RED, Color.YELLOW),
            toolbox=Toolbox(THREE_TOOLS),
        ),
        "house rules, a card, all tools": Window(
            Board.parse("R6 R2 R3 R2 R2 / R5 R3 R6 R6 R5 / R5 R2 R1 R6 R3 / R1 R5 R3 R3 R4"),
            WindowPattern.parse(".3G5G / R.566 / P.3B4 / 55..."),
            objectives=(),
            private=tuple(Color),
            toolbox=both_house_rules,
        ),
    }


def random_windows(number: int, tools: int, seed: int = 3) -> Iterator[Window]:
    """Yield full windows of random dice on random cards, in games with so many tools. All break rules."""
    rng = random.Random(seed)
    names = sorted(WINDOW_PATTERNS)
    while number:
        rows = tuple(
            tuple(Die(rng.choice(list(Color)), rng.randint(1, 6)) for _ in range(5)) for _ in range(4)
        )
        pattern = WINDOW_PATTERNS[rng.choice(names)]
        objectives = tuple(rng.sample(EVERY, 3))
        toolbox = Toolbox(rng.sample(list(Tool), tools))
        if placement_problems(Board(rows), pattern, toolbox):
            yield Window(Board(rows), pattern, objectives, rng.choice(list(Color)), toolbox)
            number -= 1


def seconds(work: Callable[[], object], tries: int) -> float:
    """Return the shortest time of a few tries."""
    times = []
    for _ in range(tries):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--windows", type=int, default=200, help="random windows of each sort")
    parser.add_argument("--tries", type=int, default=3)
    args = parser.parse_args()
    plain = list(random_windows(args.windows, tools=0))
    with_tools = list(random_windows(args.windows, tools=3))

    def score_all() -> None:
        for window in plain:
            score_player(window.board, window.objectives, Color.RED)

    def check_all() -> None:
        for window in plain:
            placement_problems(window.board, window.pattern)

    score = seconds(score_all, args.tries) / len(plain)
    check = seconds(check_all, args.tries) / len(plain)
    print(f"boards scored in a second, three objectives and a private one {1 / score:10.0f}")
    print(f"boards checked in a second, card and random dice             {1 / check:10.0f}")
    print(f"    a check as a multiple of scoring a board                 {check / score:10.2f} x")
    identify = seconds(lambda: identify_window(plain[0].board), args.tries)
    print(f"    naming the card as a multiple of scoring a board         {identify / score:10.2f} x")
    print()
    print("best_removals, 20 dice                                 ms      x scoring a board")

    def line(name: str, time_s: float) -> None:
        print(f"    {name:<44}{time_s * 1000:9.2f}{time_s / score:12.0f}")

    for name, windows in (("random dice and cards", plain), ("random, three tools", with_tools)):
        times = [seconds(window.best_removals, args.tries) for window in windows]
        line(f"{name}: median", statistics.median(times))
        line(f"{name}: worst of {len(times)}", max(times))
    for name, window in hard_windows().items():
        line(name, seconds(window.best_removals, args.tries))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
