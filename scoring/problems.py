"""What can be wrong with a window, and how it is said.

A `Problem` is a broken rule. A `Notice` is something that looks like one and is none, because a tool card in
the game accounts for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.cells import Cell
from scoring.sentences import ENGLISH, Sentence, Words, sentence
from scoring.tools import Tool


class ProblemCode(StrEnum):
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
class Finding:
    """What the placement rules have to say of some dice.

    Parameters
    ----------
    code
        The rule that is broken, or looks broken.
    cells
        Where, as (row, column) from 0, in reading order.
    sentence
        What is wrong, or to be seen.
    about_tools
        What the tool cards have to do with it, such as why it is allowed; None when they have nothing to do
        with it.
    """

    code: ProblemCode
    cells: tuple[Cell, ...]
    sentence: Sentence
    about_tools: Sentence | None = None

    @property
    def message(self) -> str:
        """All there is to say, in English."""
        return self.text(ENGLISH)

    def text(self, words: Words) -> str:
        """Return all there is to say, in the language of ``words``."""
        return words.say(self.sentence, *([self.about_tools] if self.about_tools else []))


@dataclass(frozen=True)
class Problem(Finding):
    """One way in which a window breaks the rules.

    ``could_excuse`` are the tools that could make it legal if they were in the game and paid for.
    """

    could_excuse: tuple[Tool, ...] = ()

    @property
    def rule(self) -> Sentence:
        """The rule of the rulebook that is broken."""
        return self.code.rule


@dataclass(frozen=True)
class Notice(Finding):
    """Something that looks like a broken rule and is none.

    ``excused_by`` are the tools in the game that can be the reason.
    """

    excused_by: tuple[Tool, ...] = ()
