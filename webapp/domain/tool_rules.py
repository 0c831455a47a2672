"""What each tool card does, in our own words; what those do that somebody added, by what they lift."""

from __future__ import annotations

from scoring import EXPANSION_TOOLS, Lift, Tool, ToolEffect
from scoring.sentences import Sentence, sentence

TOOL_RULES = {
    Tool.GROZING_PLIERS: sentence(
        "Make the value of the drafted die one higher or lower; a 6 may not become a 1, nor a 1 a 6."
    ),
    Tool.LATHEKIN: sentence("Move exactly two dice in your window, by all rules."),
    Tool.LENS_CUTTER: sentence("Exchange the drafted die for one on the round track."),
    Tool.FLUX_BRUSH: sentence(
        "Roll the drafted die again. If it fits nowhere, put it back into the draft pool."
    ),
    Tool.GLAZING_HAMMER: sentence(
        "Roll all dice of the draft pool again; only on your second turn, before you draft."
    ),
    Tool.RUNNING_PLIERS: sentence(
        "After your first turn draft another die at once, and skip your second turn of this round."
    ),
    Tool.CORK_BACKED_STRAIGHTEDGE: sentence("Place the drafted die where it touches no other die."),
    Tool.GRINDING_STONE: sentence("Turn the drafted die to its opposite side."),
    Tool.FLUX_REMOVER: sentence(
        "Put the drafted die into the bag, draw another one and choose its value. Place it, or put it into "
        "the draft pool."
    ),
    Tool.TAP_WHEEL: sentence(
        "Move up to two dice that have the color of one die on the round track, by all rules."
    ),
    EXPANSION_TOOLS[0]: sentence("Exchange the drafted die for one of your own dice."),
    EXPANSION_TOOLS[1]: sentence("Roll up to two of your own dice again."),
}

_DOES = {
    ToolEffect.FREES_PLACEMENT: sentence("It places the drafted die."),
    ToolEffect.MOVES_DICE: sentence("It moves one die in your window."),
    ToolEffect.CHANGES_DIE: sentence("It changes the drafted die; place it by all rules."),
    ToolEffect.CHANGES_TURN: sentence("It changes which dice are there to draft, or when you draft."),
}

_LIFTS = {
    Lift.COLOR: sentence("The color printed on the space does not count."),
    Lift.VALUE: sentence("The value printed on the space does not count."),
    Lift.SAME_COLOR: sentence("Dice of its color may lie beside it."),
    Lift.SAME_VALUE: sentence("Dice of its value may lie beside it."),
    Lift.EDGE: sentence("The first die need not go on the edge."),
    Lift.APART: sentence("It need not touch another die."),
}


def rule_of(tool: Tool) -> Sentence:
    """Return what a tool card does, in a few words."""
    if tool in TOOL_RULES:
        return TOOL_RULES[tool]
    said = (_DOES[tool.effect], *(_LIFTS[lift] for lift in Lift if lift in tool.lifts))
    return Sentence("{all}", (("all", said),))
