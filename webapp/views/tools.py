"""The tool cards that people added: the page and its forms, and the list as JSON."""

from __future__ import annotations

from typing import Annotated

from flask import Response, request
from flask.typing import ResponseReturnValue
from pydantic import Field

from scoring import Color, Lift, Tool, ToolEffect
from scoring.errors import SagradaError
from webapp.domain.tool_rules import rule_of
from webapp.http.faces import Pages, Sent, View, done, shown
from webapp.http.preferences import words
from webapp.services import access, context, own_cards
from webapp.views.frame import CardName, ListedColor, enum

blueprint = Pages("tools", __name__)

DONE = {"added", "removed"}


class ToolCardView(View):
    """A tool card."""

    name: str
    label: str
    """The name in the visitor's language."""
    rule: str
    """What it does, in the visitor's language."""
    color: Color
    """Of the die that pays for it in a solo game."""
    lifts: list[Lift]
    """The rules that the die it places or moves may ignore."""
    custom: bool
    """Whether people added it."""


class ToolsView(View):
    """All tool cards that are known."""

    tools: list[ToolCardView]


class NewTool(Sent):
    """A tool card that does not come with the game."""

    name: CardName
    color: ListedColor
    """The letter of the color of the die that pays for it in a solo game."""
    effect: Annotated[ToolEffect, enum(ToolEffect)]
    lift: Annotated[tuple[Annotated[Lift, enum(Lift)], ...], Field(max_length=len(Lift))] = ()
    """The rules that the die it places or moves may ignore."""


class ToolRemoved(Sent):
    """A tool card that goes."""

    name: CardName


@blueprint.get("/tools", answers=ToolsView)
def show(error: SagradaError | None = None) -> Response:
    """Show the tool cards that were added; as JSON all that are known."""
    told, own = request.args.get("done"), context.own_tools()
    return shown(
        "tools.html",
        ToolsView(tools=[_tool(tool, custom=tool in own) for tool in context.known_tools()]),
        error,
        lambda: {
            "done": told if told in DONE else None,
            "own_tools": own,
            "rule_of": rule_of,
            "may_set": access.is_administrator(),
        },
    )


def _tool(tool: Tool, *, custom: bool) -> ToolCardView:
    label, rule = words().name(tool), words().say(rule_of(tool))
    lifts = sorted(tool.lifts, key=lambda lift: lift.value)
    return ToolCardView(name=tool.value, label=label, rule=rule, color=tool.color, lifts=lifts, custom=custom)


@blueprint.post("/tools", answers=ToolsView, takes=NewTool)
def add(sent: NewTool) -> ResponseReturnValue:
    """Add a tool card of one's own, in place of one that was added by that name before (administrator)."""
    try:
        own_cards.add_tool(sent.name, sent.effect, sent.color, sent.lift)
    except SagradaError as error:
        return show(error)
    return done("tools.show", done="added")


@blueprint.post("/tools/remove", answers=ToolsView, takes=ToolRemoved)
def remove(sent: ToolRemoved) -> ResponseReturnValue:
    """Remove a tool card of one's own (administrator); games that were played with it keep it."""
    try:
        own_cards.remove_tool(sent.name)
    except SagradaError as error:
        return show(error)
    return done("tools.show", done="removed")
