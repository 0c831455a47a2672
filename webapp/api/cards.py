"""The cards of the game and the windows of this house, with names in the visitor's language."""

from __future__ import annotations

from scoring import Color, HouseRule, MarkedSpaces, PublicObjective, Tool, WindowPattern
from webapp.api.answers import Cards, ToolCard, WindowCard
from webapp.api.requests import NewTool
from webapp.api.section import Section
from webapp.services.plain import names_of
from webapp.services.tool_rules import rule_of
from webapp.web import context, own_tools
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
        "tools": [tool_json(tool) for tool in own_tools.known()],
        "house_rules": [{"name": rule.value, "label": say.name(rule)} for rule in HouseRule],
        "windows": [card_json(window) for window in context.known_windows().values()],
    }


def tool_json(tool: Tool) -> ToolCard:
    """Return what a tool card does."""
    say = words()
    return {
        "name": tool.value,
        "label": say.name(tool),
        "rule": say.say(rule_of(tool)),
        "number": tool.number,
        "moves_dice": tool.moves_dice,
        "color": tool.color.value,
        "lifts": sorted(lift.value for lift in tool.lifts),
        "custom": tool in own_tools.own(),
    }


@blueprint.action("post", "/tools", "addTool", status=201, errors=[400, 403, 503])
def add_tool(new: NewTool) -> ToolCard:
    """Add a tool card of one's own, in place of one that was added by that name before (administrator)."""
    return tool_json(own_tools.add(new.name, new.effect, new.color, new.lifts))


@blueprint.action("delete", "/tools/<window:tool>", "deleteTool", errors=[403, 404, 503])
def remove_tool(tool: str) -> None:
    """Remove a tool card of one's own (administrator). Games that were played with it keep it."""
    own_tools.remove(tool)


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
