"""The cards of the game and the windows of this house, with names in the visitor's language."""

from __future__ import annotations

from scoring import Color, HouseRule, MarkedSpaces, PublicObjective, Tool, WindowPattern
from webapp.api.answers import Cards, WindowCard
from webapp.api.section import Section
from webapp.companion.plain import names_of
from webapp.companion.tool_rules import TOOL_RULES
from webapp.web import context
from webapp.web.language import current, words

blueprint = Section("cards_api", "/cards", heading="Cards", about="What there is in the game.")


@blueprint.action("get", "", "listCards")
def cards() -> Cards:
    """List public objectives, tools, windows and colors."""
    say = words()
    return {
        "language": current(),
        "colors": [
            {"letter": color.value, "label": say.name(color), "private": say.private_objective(color)}
            for color in Color
        ],
        "privates": [
            {"name": card.value, "label": say.name(card), "cells": names_of(card.cells)}
            for card in MarkedSpaces
        ],
        "public": [
            {
                "name": card.value,
                "label": say.name(card),
                "rule": say.say(card.rule),
                "points": card.points_each,
            }
            for card in PublicObjective
        ],
        "tools": [
            {
                "name": tool.value,
                "label": say.name(tool),
                "rule": say.say(TOOL_RULES[tool]),
                "number": tool.number,
                "moves_dice": tool.moves_dice,
            }
            for tool in Tool
        ],
        "house_rules": [{"name": rule.value, "label": say.name(rule)} for rule in HouseRule],
        "windows": [card_json(window) for window in context.known_windows().values()],
    }


def card_json(window: WindowPattern) -> WindowCard:
    """Return what is on a window card."""
    return {
        "name": window.name,
        "label": words().name(window),
        "pattern": str(window),
        "difficulty": window.difficulty,
        "other_side": window.other_side,
        "promo": window.promo,
        "comes_in": None if window.custom else window.comes_in.value,
        "custom": window.custom,
    }
