"""The entries of the rules about cards. What scoring and `tool_rules` say of a card already is said by them.

Source of the facts: the cards and the rulebook of the base game (Floodgate Games, 2017).
"""

from __future__ import annotations

from collections.abc import Mapping

from scoring import (
    Color,
    HouseRule,
    MarkedSpaces,
    PublicObjective,
    Sentence,
    Tool,
    ToolEffect,
    counted,
    sentence,
)
from webapp.companion.rulebook.entry import Entry, Section, key_of
from webapp.companion.tool_rules import TOOL_RULES

_LINES = sentence("Every space of it must hold a die. What is printed under the dice does not matter.")
_SETS = sentence(
    "The dice may lie anywhere. Count each kind: the smallest number is the number of sets, and dice left "
    "over give nothing."
)
_DIAGONALS = sentence(
    "Count dice, not pairs: three in a slanting chain give 3 points, and a die with several such neighbors "
    "counts once."
)
_PRIVATE = (
    sentence("Add up the values of all dice of this color in your window: the values, not the dice."),
    sentence("The others see the card when points are counted. It is the first thing that decides a tie."),
)
_MARKED = (
    sentence("Add up the values of all dice on the marked spaces: the values, not the dice."),
    sentence(
        "The card is in the expansion for five and six players. Which spaces it marks is known from one "
        "source: look at your card."
    ),
)


def _each(objective: PublicObjective) -> Sentence:
    """Say what the card gives, and for what."""
    number = objective.points_each
    if objective is PublicObjective.COLOR_DIAGONALS:
        return counted("{count} point for each such die.", "{count} points for each such die.", number)
    if objective.value.startswith("Row"):
        return counted("{count} point for each such row.", "{count} points for each such row.", number)
    if objective.value.startswith("Column"):
        return counted("{count} point for each such column.", "{count} points for each such column.", number)
    return counted("{count} point for each such set.", "{count} points for each such set.", number)


def _how(objective: PublicObjective) -> Sentence:
    """Say what to keep in mind when the card is counted."""
    if objective is PublicObjective.COLOR_DIAGONALS:
        return _DIAGONALS
    return _LINES if objective.value.startswith(("Row", "Column")) else _SETS


_SHAPES = {
    "Row": sentence("line across horizontal"),
    "Column": sentence("line down vertical"),
    "Color Diagonals": sentence("diagonal slanting corner"),
}


def _public(objective: PublicObjective) -> Entry:
    """Return the entry of a public objective."""
    return Entry(
        objective,
        Section.PUBLIC,
        (objective.rule, _each(objective), _how(objective)),
        keywords=next((said for start, said in _SHAPES.items() if objective.value.startswith(start)), None),
        see=("several-cards",),
    )


_BEFORE_PLACING = sentence("Use it when you have drafted a die, before you place it.")
_BY_ALL_RULES = sentence("Then the die is placed by all rules.")
_ANY_TIME = sentence("Use it at any time in your turn, before or after you place a die.")
_LEFT_BEHIND = sentence(
    "Dice that stay behind may lose their neighbors. That breaks no rule: a die is looked at when it is "
    "placed or moved, not later."
)

_NOTES: Mapping[Tool, tuple[Sentence, ...]] = {
    Tool.EGLOMISE_BRUSH: (
        sentence(
            "All else holds: it must fit a printed value, touch another die, and lie beside no die of its "
            "color or value."
        ),
    ),
    Tool.COPPER_FOIL_BURNISHER: (
        sentence(
            "All else holds: it must fit a printed color, touch another die, and lie beside no die of its "
            "color or value."
        ),
    ),
    Tool.LATHEKIN: (sentence("Two, not one: where only one die can be moved, the card cannot be used."),),
    Tool.LENS_CUTTER: (sentence("Both dice keep their values."),),
    Tool.RUNNING_PLIERS: (
        sentence("You leave out a turn of the same round, and begin the next one as always."),
    ),
    Tool.CORK_BACKED_STRAIGHTEDGE: (
        sentence(
            "It must not touch one by a corner either. Printed colors and values hold, and the first die "
            "of all still goes on the edge."
        ),
    ),
    Tool.GRINDING_STONE: (sentence("1 and 6 lie opposite each other, 2 and 5, 3 and 4."),),
}

_TOOL_KEYWORDS: Mapping[Tool, Sentence] = {
    Tool.GROZING_PLIERS: sentence("plus minus increase decrease raise lower change value"),
    Tool.EGLOMISE_BRUSH: sentence("move ignore color restriction"),
    Tool.COPPER_FOIL_BURNISHER: sentence("move ignore value restriction"),
    Tool.LATHEKIN: sentence("move two dice"),
    Tool.LENS_CUTTER: sentence("swap exchange trade round track"),
    Tool.FLUX_BRUSH: sentence("reroll roll again one die"),
    Tool.GLAZING_HAMMER: sentence("reroll roll again all dice pool"),
    Tool.RUNNING_PLIERS: sentence("two dice in a row second die double turn"),
    Tool.CORK_BACKED_STRAIGHTEDGE: sentence("alone apart not adjacent ruler"),
    Tool.GRINDING_STONE: sentence("flip turn over opposite side"),
    Tool.FLUX_REMOVER: sentence("new die bag choose value"),
    Tool.TAP_WHEEL: sentence("move dice of one color round track"),
}


_HOUSE_RULES = {
    Tool.EGLOMISE_BRUSH: (key_of(HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS),),
    Tool.COPPER_FOIL_BURNISHER: (key_of(HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS),),
}


def _tool(tool: Tool) -> Entry:
    """Return the entry of a tool card."""
    notes = _NOTES.get(tool, ())
    if tool.effect is ToolEffect.MOVES_DICE:
        notes = (*notes, _ANY_TIME, _LEFT_BEHIND)
    elif tool.effect is ToolEffect.CHANGES_DIE:
        notes = (_BEFORE_PLACING, *notes, _BY_ALL_RULES)
    elif tool.effect is ToolEffect.FREES_PLACEMENT:
        notes = (_BEFORE_PLACING, *notes)
    return Entry(
        tool,
        Section.TOOLS,
        (TOOL_RULES[tool], *notes),
        keywords=_TOOL_KEYWORDS[tool],
        see=("favor-tokens", "how-often", *_HOUSE_RULES.get(tool, ())),
    )


CARDS = (
    *map(_public, PublicObjective),
    *(
        Entry(color, Section.PRIVATE, _PRIVATE, keywords=sentence("secret hidden own color"), see=("tie",))
        for color in Color
    ),
    *(
        Entry(card, Section.PRIVATE, _MARKED, keywords=sentence("secret hidden own expansion"), see=("tie",))
        for card in MarkedSpaces
    ),
    *map(_tool, Tool),
)
