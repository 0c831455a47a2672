"""What each tool card does, in our own words."""

from __future__ import annotations

from scoring import Tool
from scoring.sentences import sentence

TOOL_RULES = {
    Tool.GROZING_PLIERS: sentence(
        "Make the value of the drafted die one higher or one lower, but no 1 out of a 6 and no 6 out of a 1."
    ),
    Tool.EGLOMISE_BRUSH: sentence(
        "Move one die in your window. The color printed on its new space does not count."
    ),
    Tool.COPPER_FOIL_BURNISHER: sentence(
        "Move one die in your window. The value printed on its new space does not count."
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
        "After your first turn draft another die at once, and leave out your second turn of this round."
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
}
