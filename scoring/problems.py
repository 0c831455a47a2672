"""What can be wrong with a window, and how it is said.

A `Problem` is a broken rule. A `Notice` is something that looks like one and is none, because a tool card in
the game accounts for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from scoring.cells import Cell
from scoring.sentences import ENGLISH, Sentence, Words, sentence
from scoring.tools import Tool


class ProblemCode(Enum):
    """The rules that a window can break; the value is the code in JSON."""

    COLOR_RESTRICTION = "color_restriction"
    VALUE_RESTRICTION = "value_restriction"
    SAME_COLOR_NEIGHBORS = "same_color_neighbors"
    SAME_VALUE_NEIGHBORS = "same_value_neighbors"
    FIRST_DIE_EDGE = "first_die_edge"
    NOT_CONNECTED = "not_connected"
    SPACE_TAKEN = "space_taken"

    @property
    def rule(self) -> Sentence:
        """The rule of the rulebook that is broken."""
        return _RULES[self]


_RULES = {
    ProblemCode.COLOR_RESTRICTION: sentence("A space printed with a color takes only dice of that color."),
    ProblemCode.VALUE_RESTRICTION: sentence("A space printed with a value takes only dice of that value."),
    ProblemCode.SAME_COLOR_NEIGHBORS: sentence("Dice that share a side must differ in color."),
    ProblemCode.SAME_VALUE_NEIGHBORS: sentence("Dice that share a side must differ in value."),
    ProblemCode.FIRST_DIE_EDGE: sentence("The first die goes on a space along the edge of the window."),
    ProblemCode.NOT_CONNECTED: sentence("Each later die must touch an earlier one by a side or a corner."),
    ProblemCode.SPACE_TAKEN: sentence("A space holds one die."),
}


@dataclass(frozen=True)
class Problem:
    """One way in which a window breaks the rules.

    Parameters
    ----------
    code
        The rule that is broken, one of the values of `ProblemCode`.
    cells
        Where, as (row, column) from 0, in reading order.
    sentence
        What is wrong.
    about_tools
        What the tool cards have to do with it; None when no tool could excuse it.
    could_excuse
        The tools that could make it legal if they were in the game and paid for.
    """

    code: str
    cells: tuple[Cell, ...]
    sentence: Sentence
    about_tools: Sentence | None = None
    could_excuse: tuple[Tool, ...] = ()

    @property
    def rule(self) -> Sentence:
        """The rule of the rulebook that is broken."""
        return ProblemCode(self.code).rule

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return problem_text(ENGLISH, self)


@dataclass(frozen=True)
class Notice:
    """Something that looks like a broken rule and is none, because tools in the game account for it.

    Parameters
    ----------
    code
        The rule that looks broken, one of the values of `ProblemCode`.
    cells
        Where, as (row, column) from 0, in reading order.
    sentence
        What is to be seen.
    about_tools
        Why it is allowed.
    excused_by
        The tools in the game that can be the reason.
    """

    code: str
    cells: tuple[Cell, ...]
    sentence: Sentence
    about_tools: Sentence
    excused_by: tuple[Tool, ...]

    @property
    def message(self) -> str:
        """What is to be seen and why it is allowed, in English."""
        return problem_text(ENGLISH, self)


def problem_text(words: Words, found: Problem | Notice) -> str:
    """Return all there is to say about a problem or a notice, in the language of ``words``."""
    if found.about_tools is None:
        return words.say(found.sentence)
    return words.say(found.sentence, found.about_tools)
