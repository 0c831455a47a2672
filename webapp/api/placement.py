"""The JSON interface to the placement check."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import request
from pydantic import Field

from scoring import HouseRule
from webapp.api.answers import Die, Placement, Tool, one_of
from webapp.api.section import Section
from webapp.services.games.result import case_of
from webapp.services.judging import judge
from webapp.services.placement import MOST_DICE, asked
from webapp.web import access, context
from webapp.web.language import words

blueprint = Section(
    "placement_api",
    heading="Placement",
    about="Where a die may go on a window, and why not elsewhere.",
)

DICE = Annotated[list[Die], Field(max_length=MOST_DICE, description="A die of the draft pool; repeat it.")]
MOVED = Annotated[
    list[Die], Field(max_length=MOST_DICE, description="A die of these that lay in the window and is moved.")
]
TOOLS = Annotated[list[Tool], Field(description="A tool card in the game; repeat it.")]
HOUSE_RULES = Annotated[
    list[Annotated[str, one_of(HouseRule)]], Field(description="What the group agreed on; repeat it.")
]


@blueprint.action(
    "get",
    "/readings/<record_id>/placement",
    "askPlacement",
    query={"die": DICE, "moved": MOVED, "tool": TOOLS, "house_rule": HOUSE_RULES},
    errors=[400, 404],
)
def show(record_id: str) -> Placement:
    """Ask where dice may go on a window; at a table its tool cards and house rules count."""
    record, question = context.store().load(record_id), asked(request.args)
    game = access.game_of(record_id)
    case = case_of(record, game, context.known_windows())
    if game is None:
        case = replace(case, tools=question.tools, house_rules=question.house_rules)
    judgement, say = judge(case), words()
    placings = [judgement.placing(die, moved=die in question.moved) for die in question.pool]
    return {
        "revision": record.revision,
        **judgement.placement_to_json(say),
        "dice": [one.to_json(say) for one in placings],
    }
