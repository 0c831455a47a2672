"""What each tool card does, in our own words and the visitor's language."""

from __future__ import annotations

from scoring import Tool
from webapp.language import lazy_gettext

TOOL_RULES = {
    Tool.GROZING_PLIERS: lazy_gettext(
        "Make the value of the drafted die one higher or one lower, but no 1 out of a 6 and no 6 out of a 1."
    ),
    Tool.EGLOMISE_BRUSH: lazy_gettext(
        "Move one die in your window. The color printed on its new space does not count."
    ),
    Tool.COPPER_FOIL_BURNISHER: lazy_gettext(
        "Move one die in your window. The value printed on its new space does not count."
    ),
    Tool.LATHEKIN: lazy_gettext("Move exactly two dice in your window, by all rules."),
    Tool.LENS_CUTTER: lazy_gettext("Exchange the drafted die for one on the round track."),
    Tool.FLUX_BRUSH: lazy_gettext(
        "Roll the drafted die again. If it fits nowhere, put it back into the draft pool."
    ),
    Tool.GLAZING_HAMMER: lazy_gettext(
        "Roll all dice of the draft pool again; only on your second turn, before you draft."
    ),
    Tool.RUNNING_PLIERS: lazy_gettext(
        "After your first turn draft another die at once, and leave out your second turn of this round."
    ),
    Tool.CORK_BACKED_STRAIGHTEDGE: lazy_gettext("Place the drafted die where it touches no other die."),
    Tool.GRINDING_STONE: lazy_gettext("Turn the drafted die to its opposite side."),
    Tool.FLUX_REMOVER: lazy_gettext(
        "Put the drafted die into the bag, draw another one and choose its value."
    ),
    Tool.TAP_WHEEL: lazy_gettext(
        "Move up to two dice that have the color of one die on the round track, by all rules."
    ),
}
