"""Where a die may go next: alone, by a tool's allowance, or in two steps with a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring import (
    ALL_CELLS,
    Cell,
    Change,
    Die,
    Move,
    Problem,
    Sentence,
    Tool,
    Toolbox,
    Words,
    cell_name,
)
from scoring.placement.excuses import lifts_for_moved_die
from scoring.sentences import sentence
from webapp.companion.plain import names_of, problem_to_json

if TYPE_CHECKING:  # only types, which the terminal does not load
    from webapp.companion.payloads import PlacingPayload


@dataclass(frozen=True)
class Placing:
    """Where a die may go next.

    Parameters
    ----------
    die
        The die.
    legal
        The cells that take it, in reading order.
    with_tool
        Of these, the cells that take it only with one of these tools.
    moves
        Where a tool may move it after it was placed, in two steps.
    changes
        What tools can make of it before it is placed, and where that may go.
    why_not
        For every other cell, the rules that forbid it.
    """

    die: Die
    legal: tuple[Cell, ...]
    with_tool: dict[Cell, tuple[Tool, ...]]
    moves: tuple[Move, ...]
    changes: tuple[Change, ...]
    why_not: dict[Cell, tuple[Problem, ...]]

    @property
    def steps(self) -> tuple[Sentence, ...]:
        """What tools make possible: a move after the die was placed, or another die in its place."""
        moves = (
            sentence(
                "Place it on {via} first; then {tools} may move it to {to}.",
                via=one.via,
                tools=(one.tool,),
                to=one.to,
            )
            for one in self.moves
        )
        changes = (
            sentence(
                "{tools} can make it {die}, which may go to {cells}.",
                tools=(one.tool,),
                die=one.die,
                cells=one.cells,
            )
            for one in self.changes
        )
        return (*moves, *changes)

    def to_json(self, words: Words) -> PlacingPayload:
        """Return it as plain data, with the sentences in the language of ``words``."""
        return {
            "die": str(self.die),
            "label": words.name(self.die),
            "legal_cells": names_of(self.legal),
            "with_tool": {
                cell_name(cell): [tool.value for tool in tools] for cell, tools in self.with_tool.items()
            },
            "moves": [
                {"tool": one.tool.value, "via": names_of(one.via), "to": names_of(one.to)}
                for one in self.moves
            ],
            "changes": [
                {"tool": one.tool.value, "die": str(one.die), "cells": names_of(one.cells)}
                for one in self.changes
            ],
            "why_not": {
                cell_name(cell): [problem_to_json(problem, words) for problem in problems]
                for cell, problems in self.why_not.items()
            },
        }


def moving(die: Die, alone: Mapping[Cell, tuple[Problem, ...]], toolbox: Toolbox) -> Placing:
    """Return where a die that lay in the window may be moved, given why not without any tool's allowance."""
    opened = {
        cell: tuple(
            tool
            for tool in toolbox.cards
            if all(lifts_for_moved_die(tool, one.code, toolbox) for one in problems)
        )
        for cell, problems in alone.items()
    }
    with_tool = {cell: tools for cell, tools in opened.items() if tools}
    legal = tuple(cell for cell in ALL_CELLS if cell not in alone or cell in with_tool)
    why = {cell: problems for cell, problems in alone.items() if cell not in with_tool}
    return Placing(die, legal, with_tool, (), (), why)
