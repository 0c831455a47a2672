"""A window under the placement rules: what is wrong, what to take off, what is lost, where dice may go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring import (
    ALL_CELLS,
    Cell,
    Die,
    PlacementReport,
    Problem,
    Sentence,
    Tool,
    Toolbox,
    WindowPattern,
    Words,
    cell_name,
    check_placement,
    dead_cells,
    legal_cells,
    why_not,
)
from scoring.errors import InvalidValueError
from scoring.problems import told
from scoring.removals import Removal, best_removals
from scoring.words import counted, sentence
from webapp.cli_subject import Subject
from webapp.cli_verdict import notices_to_json


@dataclass(frozen=True)
class Placing:
    """Where a die may go next.

    Parameters
    ----------
    die
        The die.
    legal
        The cells that take it, in reading order.
    needs_tool
        Of these, the cells that take it only with one of these tools.
    why_not
        For every other cell, the rules that forbid it.
    """

    die: Die
    legal: tuple[Cell, ...]
    needs_tool: Mapping[Cell, tuple[Tool, ...]]
    why_not: Mapping[Cell, tuple[Problem, ...]]

    def to_json(self, words: Words) -> dict[str, object]:
        """Return it as in ``sagrada check --json``."""
        return {
            "die": str(self.die),
            "legal_cells": [cell_name(cell) for cell in self.legal],
            "needs_tool": {
                cell_name(cell): [tool.value for tool in tools] for cell, tools in self.needs_tool.items()
            },
            "why_not": {
                cell_name(cell): [told(words, problem) for problem in problems]
                for cell, problems in self.why_not.items()
            },
        }


@dataclass(frozen=True)
class Inspection:
    """All there is to say about the placement of a window.

    ``removal`` takes off as few dice as possible; None when no rule is broken.
    """

    subject: Subject
    report: PlacementReport
    removal: Removal | None
    dead: tuple[Cell, ...]
    placings: tuple[Placing, ...]

    def to_json(self, words: Words) -> dict[str, object]:
        """Return the answer of ``sagrada check --json``."""
        answer: dict[str, object] = {
            "legal": self.report.is_legal,
            "problems": [problem.to_json(words) for problem in self.report.problems],
            "notices": notices_to_json(self.report, self.subject.remarks, words),
            "dead_cells": [cell_name(cell) for cell in self.dead],
            **self.subject.to_json(),
            "windows": self.subject.windows_to_json(),
            "dice": [one.to_json(words) for one in self.placings],
        }
        if self.removal is not None:
            answer["removals"] = {
                "fewest_dice": {
                    "cells": [cell_name(cell) for cell in self.removal.cells],
                    "board": str(self.removal.board),
                    "message": words.say(take_off(self.removal)),
                }
            }
        return answer


def inspect_window(subject: Subject, toolbox: Toolbox, dice: Sequence[Die]) -> Inspection:
    """Look at a window under the placement rules, and where each of the dice may go."""
    report = check_placement(subject.board, subject.pattern, toolbox)
    removal = None
    if not report.is_legal:
        removal = best_removals(subject.board, subject.pattern, tools=toolbox).fewest_dice
    return Inspection(
        subject,
        report,
        removal,
        tuple(sorted(dead_cells(subject.board, subject.pattern))),
        tuple(_placing(die, subject, toolbox) for die in dice),
    )


def take_off(removal: Removal) -> Sentence:
    """Say what to take off where no objectives are known, so that there are no points to speak of."""
    return sentence("Take off {cells}, then no rule is broken.", cells=removal.cells)


def _placing(die: Die, subject: Subject, toolbox: Toolbox) -> Placing:
    """Return where a die may go."""
    board, pattern = subject.board, subject.pattern
    reasons = why_not(board, die, pattern, toolbox)
    legal = tuple(cell for cell in ALL_CELLS if cell not in reasons)
    without_tools = legal_cells(board, die, pattern)
    opened_by = {
        tool: legal_cells(board, die, pattern, replace(toolbox, tools=[tool])) for tool in toolbox.tools
    }
    needs_tool = {
        cell: tuple(tool for tool, cells in opened_by.items() if cell in cells and isinstance(tool, Tool))
        for cell in legal
        if cell not in without_tools
    }
    return Placing(die, legal, needs_tool, reasons)


def check_spent(spent: int | None, pattern: WindowPattern | None, option: str, *, solo: bool) -> None:
    """Refuse tokens that nobody had.

    Parameters
    ----------
    spent
        The favor tokens that can have been spent; None when nobody said.
    pattern
        The card that was named.
    option
        The option or key that tells the tokens, for the error.
    solo
        Whether one player plays alone, without tokens.

    Raises
    ------
    InvalidValueError
        There are no tokens in such a game, or fewer.
    """
    if spent is None:
        return
    if solo:
        raise InvalidValueError(
            "bad_favor_tokens",
            sentence("In a solo game no favor tokens are spent."),
            sentence("Leave {option} out.", option=option),
        )
    had = pattern.difficulty if pattern else None
    if pattern is not None and had is not None and spent > had:
        raise InvalidValueError(
            "too_many_favor_tokens",
            counted(
                "{window} comes with {count} favor token, so {tokens} cannot be spent.",
                "{window} comes with {count} favor tokens, so {tokens} cannot be spent.",
                had,
                window=pattern,
                tokens=spent,
            ),
            sentence("Count them again."),
        )
