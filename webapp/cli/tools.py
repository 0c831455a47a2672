"""The command line: ``sagrada windows tools``, the tool cards of the game and those of your own."""

from __future__ import annotations

import click

from scoring import EXPANSION_TOOLS, Color, Lift, Tool, ToolEffect
from scoring.lookup import color_called
from scoring.sentences import english
from webapp.cli.options import AS_JSON, LANG, Called, echo_json, refusals, say, spoken, wrong
from webapp.domain.tool_rules import rule_of
from webapp.storage.own_cards import default_tools, described

DOES = {
    "places": ToolEffect.FREES_PLACEMENT,
    "moves": ToolEffect.MOVES_DICE,
    "changes-die": ToolEffect.CHANGES_DIE,
    "changes-turn": ToolEffect.CHANGES_TURN,
}
LIFTS = {lift.name.lower().replace("_", "-"): lift for lift in Lift}


@click.group()
def tools() -> None:
    """Look at the tool cards, and add some of your own, such as the 13th of the Russian edition."""


@tools.command(name="list")
@LANG
@AS_JSON
def list_tools(*, as_json: bool) -> None:
    """List the tool cards: those of the game, of the expansion, and your own."""
    with refusals():
        own = default_tools().take_up()
    words = spoken()
    known = (*Tool, *EXPANSION_TOOLS, *own)
    if as_json:
        echo_json({"tools": [{**described(tool), "number": tool.number} for tool in known]})
        return
    for tool in known:
        click.echo(f"{tool.number or '–':>2}  {words.name(tool)}: {words.say(rule_of(tool))}")


@tools.command()
@click.argument("name")
@click.option(
    "--color", type=Called("color", color_called), required=True, help="Of the die that pays in solo."
)
@click.option("--does", type=click.Choice(list(DOES)), required=True, help="What the card does.")
@click.option(
    "--lifts",
    "lifts",
    type=click.Choice(list(LIFTS)),
    multiple=True,
    help="What the die that is placed or moved may ignore; repeat it.",
)
@LANG
@AS_JSON
def add(name: str, color: Color, does: str, lifts: tuple[str, ...], *, as_json: bool) -> None:
    """Add a tool card of your own, or put it in the place of the one called so."""
    with refusals():
        tool = default_tools().add(name, DOES[does], color, [LIFTS[lift] for lift in lifts])
    if as_json:
        echo_json({**described(tool), "number": tool.number})
        return
    click.echo(f"{tool.value}: {say(rule_of(tool))}")


@tools.command()
@click.argument("name")
@AS_JSON
def remove(name: str, *, as_json: bool) -> None:
    """Remove a tool card of your own; games that were played with it keep it."""
    with refusals():
        there = default_tools().remove(name)
    if not there:
        raise wrong(english('There is no tool card of your own called "{name}".', name=name))
    if as_json:
        echo_json({"removed": name})
        return
    click.echo(say(english("Removed {name}.", name=name)))
