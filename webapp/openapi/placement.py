"""The placement check of a reading, described."""

from __future__ import annotations

from webapp.openapi.parts import TEXT, WHOLE, Action, Schema, by_key, many, or_null, ref, said, thing
from webapp.placement_question import MOST_DICE

_DICE = {**many(ref("Die")), "maxItems": MOST_DICE}

SCHEMAS: dict[str, Schema] = {
    "Placement": thing(
        {
            "revision": WHOLE,
            "board": ref("Board"),
            "window": said("The window card; null when it is not known.", or_null(TEXT)),
            "dice": said("Each die of the pool.", many(ref("Verdict"))),
            "picked": said("The die of the pool that is looked at.", or_null(ref("Die"))),
            "query": said("The question in short, as it is asked in an address.", TEXT),
            "dead": said("Empty spaces that no die can fill any more.", many(ref("Cell"))),
            "problems": many(ref("Problem")),
            "removals": many(ref("Advice")),
            "headline": said("The answer in one sentence.", TEXT),
            "regions": said("Parts of our own page as HTML, only with `?with=regions`.", by_key(TEXT)),
        },
        optional=["regions"],
    ),
    "Verdict": thing(
        {
            "die": ref("Die"),
            "name": said("The die in the visitor's language.", TEXT),
            "legal": said("The spaces where it may go.", many(ref("Cell"))),
            "with_tool": said("Of these, the ones that need one of these tools.", by_key(many(ref("Tool")))),
            "why_not": said(
                "For every other space, the rules that forbid it.", by_key(many(ref("RuleProblem")))
            ),
        }
    ),
}

ACTIONS = (
    Action(
        "get",
        "/api/v1/readings/{record_id}/placement",
        "askPlacement",
        "Ask where dice may go on a window",
        "Placement",
        {200: ref("Placement")},
        query={
            "die": said("A die of the draft pool; repeat it.", _DICE),
            "pick": said("The die to look at; a single die is picked by itself.", ref("Die")),
            "tool": said("A tool card in the game; repeat it.", many(ref("Tool"))),
            "house_rule": said("What the group agreed on; repeat it.", many(ref("HouseRule"))),
        },
        errors=(400, 404),
    ),
)
