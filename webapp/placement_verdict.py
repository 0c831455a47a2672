"""Where one die may go on a window, what a tool card would change, and which rule is most in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring import Board, Cell, Die, Problem, ProblemCode, Tool, Toolbox, WindowPattern, cell_name, why_not
from scoring.words import Words


@dataclass(frozen=True)
class Verdict:
    """What the rules say about placing one die next.

    Parameters
    ----------
    die
        The die.
    forbidden
        Each cell where it may not go, with the rules that forbid it.
    with_tool
        Of the other cells those where it may go with a tool card only, with the cards of which one is enough.
    legal
        All cells where it may go, with or without a tool card.
    """

    die: Die
    legal: frozenset[Cell]
    forbidden: Mapping[Cell, tuple[Problem, ...]]
    with_tool: Mapping[Cell, tuple[Tool, ...]]

    def to_json(self, words: Words) -> dict[str, Any]:
        """Return the verdict as plain data, with the sentences in the language of ``words``."""
        return {
            "die": str(self.die),
            "name": words.name(self.die),
            "legal": [cell_name(cell) for cell in sorted(self.legal)],
            "with_tool": {
                cell_name(cell): [tool.value for tool in tools] for cell, tools in self.with_tool.items()
            },
            "why_not": {
                cell_name(cell): [problem.to_json(words) for problem in problems]
                for cell, problems in self.forbidden.items()
            },
        }


def verdict(board: Board, die: Die, pattern: WindowPattern | None, toolbox: Toolbox) -> Verdict:
    """Return where ``die`` may go next on ``board``, with the tool cards of the game."""
    forbidden = why_not(board, die, pattern, toolbox)
    by_the_rules_alone = why_not(board, die, pattern, Toolbox(house_rules=toolbox.house_rules))
    legal = frozenset(board.empty_cells()) - forbidden.keys()
    with_tool = {
        cell: tuple(tool for tool in would_allow(problems) if tool in toolbox)
        for cell, problems in by_the_rules_alone.items()
        if cell in legal
    }
    return Verdict(die, legal, forbidden, with_tool)


def would_allow(problems: tuple[Problem, ...]) -> tuple[Tool, ...]:
    """Return the tool cards of which one alone would lift all these rules."""
    return tuple(tool for tool in Tool if all(tool in problem.could_excuse for problem in problems))


def most_in_the_way(forbidden: Mapping[Cell, tuple[Problem, ...]]) -> tuple[ProblemCode, int] | None:
    """Return the rule that forbids most of the empty cells and how many; None when no cell is empty."""
    codes = Counter(
        code for problems in forbidden.values() for code in {problem.code for problem in problems}
    )
    del codes[ProblemCode.SPACE_TAKEN.value]
    if not codes:
        return None
    number = max(codes.values())
    # Of several rules the first of the rulebook, so that the same window always gives the same answer.
    return next(code for code in ProblemCode if codes[code.value] == number), number
