"""The cards of the game and the windows of this house, with names in the visitor's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import jsonify

from scoring import Color, HouseRule, PublicObjective, Tool, WindowPattern
from webapp.api import answers
from webapp.api.section import Section
from webapp.companion.tool_rules import TOOL_RULES
from webapp.web import context
from webapp.web.language import current, words

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Section("cards_api", __name__, "/cards", heading="Cards", about="What there is in the game.")


@blueprint.action("get", "", "listCards", {200: answers.Cards})
def cards() -> ResponseReturnValue:
    """List public objectives, tools, windows and colors."""
    say = words()
    return jsonify(
        language=current(),
        colors=[
            {"letter": color.value, "label": say.name(color), "private": say.private_objective(color)}
            for color in Color
        ],
        public=[
            {
                "name": card.value,
                "label": say.name(card),
                "rule": say.say(card.rule),
                "points": card.points_each,
            }
            for card in PublicObjective
        ],
        tools=[
            {
                "name": tool.value,
                "label": say.name(tool),
                "rule": say.say(TOOL_RULES[tool]),
                "number": tool.number,
                "moves_dice": tool.moves_dice,
            }
            for tool in Tool
        ],
        house_rules=[{"name": rule.value, "label": say.name(rule)} for rule in HouseRule],
        windows=[_window(window) for window in context.known_windows().values()],
    )


def _window(window: WindowPattern) -> answers.WindowCard:
    return {
        "name": window.name,
        "label": words().name(window),
        "pattern": str(window),
        "difficulty": window.difficulty,
        "other_side": window.other_side,
        "promo": window.promo,
        "custom": window.custom,
    }
