"""How a window, a score and its problems look in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from scoring import COLUMNS, ROWS, Board, Breakdown, Cell, Color, Problem, cell_name

if TYPE_CHECKING:  # a window from text is scored without OpenCV
    from vision import CellReading, Reading

DOUBT_SIGN = "?"
TERMINAL_COLORS = {
    Color.RED: "red",
    Color.YELLOW: "yellow",
    Color.GREEN: "green",
    Color.BLUE: "blue",
    Color.PURPLE: "magenta",
}


def board_text(board: Board, doubtful: Iterable[Cell] = ()) -> str:
    """Return the window as a table in notation; dice that a person should look at carry a question mark."""
    marked = set(doubtful)
    lines = ["     " + "   ".join(str(column + 1) for column in range(COLUMNS))]
    for row in range(ROWS):
        texts = [_cell_text(board, (row, column), marked) for column in range(COLUMNS)]
        lines.append(f"  {'ABCD'[row]}  " + " ".join(texts).rstrip())
    return "\n".join(lines)


def reading_text(photo: str, reading: Reading) -> str:
    """Return everything a person wants to know about the reading of one photo."""
    card = reading.window
    about = f"window card {card.name} ({card.probability:.0%} sure)" if card else "window card not recognized"
    lines = [f"{photo}: {about}, read in {reading.seconds:.2f} s"]
    lines.append(board_text(reading.board, doubtful_cells(reading)))
    lines += [_doubt_text(cell) for cell in reading.cells if cell.doubtful]
    lines.append(str(reading.board))
    return "\n".join(lines)


def breakdown_text(breakdown: Breakdown) -> str:
    """Return the score line by line: points, formula and the cells that earned them."""
    width = max(len(line.name) for line in breakdown.lines)
    widest = max(len(line.formula) for line in breakdown.lines)
    lines = [
        f"{line.name:<{width}}  {line.points:>4}  {line.formula:<{widest}}  {_groups_text(line.groups)}"
        for line in breakdown.lines
    ]
    lines.append(click.style(f"{'Total':<{width}}  {breakdown.total:>4}", bold=True))
    return "\n".join(line.rstrip() for line in lines)


def problems_text(problems: Sequence[Problem]) -> str:
    """Return the placement problems, a line each, or that there are none."""
    if not problems:
        return "No placement problem."
    count = "1 placement problem:" if len(problems) == 1 else f"{len(problems)} placement problems:"
    return "\n".join([count, *(f"  {problem.message}" for problem in problems)])


def doubtful_cells(reading: Reading) -> tuple[Cell, ...]:
    """Return the cells that a person should look at."""
    return tuple((cell.row, cell.column) for cell in reading.cells if cell.doubtful)


def doubt_notice(reading: Reading) -> str:
    """Say in a sentence which cells a person should look at."""
    names = ", ".join(cell_name(cell) for cell in doubtful_cells(reading))
    return f"Read with doubt, look at these first: {names}."


def other_windows_notice(reading: Reading) -> str:
    """Say in a sentence that the photo shows more windows than the one read."""
    count = reading.other_windows
    others = "another whole window" if count == 1 else f"{count} other whole windows"
    return f"The photo shows {others}; the largest, most central one was read."


def _cell_text(board: Board, cell: Cell, doubtful: set[Cell]) -> str:
    die = board[cell]
    text = click.style(str(die), fg=TERMINAL_COLORS[die.color], bold=True) if die else "--"
    return text + (DOUBT_SIGN if cell in doubtful else " ")


def _doubt_text(cell: CellReading) -> str:
    name = cell_name((cell.row, cell.column))
    text = f"  {name}: {cell.die or 'empty'} ({cell.confidence:.0%} sure)"
    others = [f"{a.color.value}{a.value}" if a.color and a.value else "empty" for a in cell.alternatives[:2]]
    return text + (f", perhaps {' or '.join(others)}" if others else "")


def _groups_text(groups: Iterable[Iterable[Cell]]) -> str:
    return " | ".join(" ".join(cell_name(cell) for cell in group) for group in groups)
