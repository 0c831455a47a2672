"""The placement page: a record and a question about it, as templates and scripts show them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import render_template

from scoring import (
    Board,
    Color,
    Die,
    HouseRule,
    Problem,
    ProblemCode,
    Tool,
    cell_name,
    check_placement,
    dead_cells,
)
from scoring.dice import VALUES
from scoring.problems import told
from webapp import present
from webapp.api_reading import wants_regions
from webapp.language import gettext, lazy_gettext, ngettext
from webapp.placement_question import TOOLS, Question
from webapp.placement_verdict import Verdict, most_in_the_way, verdict, would_allow
from webapp.storage import Record
from webapp.words import game_words

REGIONS = {
    "board": "_place_board.html",
    "pool": "_place_pool.html",
    "verdict": "_place_verdict.html",
    "problems": "_place_problems.html",
    "card": "_card.html",
    "doubts": "_doubts.html",
}
"""The parts of the page that depend on the window or on what is asked, and their templates."""

WHAT_TOOLS_DO = {
    Tool.EGLOMISE_BRUSH: lazy_gettext("Moves a die that may ignore the printed color"),
    Tool.COPPER_FOIL_BURNISHER: lazy_gettext("Moves a die that may ignore the printed value"),
    Tool.LATHEKIN: lazy_gettext("Moves two dice; those left behind may touch no other"),
    Tool.CORK_BACKED_STRAIGHTEDGE: lazy_gettext("The die may touch no other die"),
    Tool.TAP_WHEEL: lazy_gettext("Moves up to two dice; those left behind may touch no other"),
}


def view(record: Record, question: Question) -> dict[str, Any]:
    """Return everything the templates of the placement page need."""
    board, pattern = Board.parse(record.board), present.pattern_of(record)
    verdicts = {die: verdict(board, die, pattern, question.toolbox) for die in question.pool}
    dead = dead_cells(board, pattern)
    picked = verdicts[question.picked] if question.picked else None
    state = present.state(record, question.toolbox)
    for cell in state["cells"]:
        cell.update(_on_cell(cell, picked, dead))
    return {
        **state,
        "question": question,
        "verdicts": verdicts,
        "dead": [cell_name(cell) for cell in sorted(dead)],
        "dead_sentence": _dead_sentence(sorted(cell_name(cell) for cell in dead)),
        "pool": [_in_pool(verdicts[die], question) for die in question.pool],
        "picked": _picked(picked) if picked else None,
        "headline": _capital(_headline(board, question, picked)),
        "notices": [
            told(game_words(), one) for one in check_placement(board, pattern, question.toolbox).notices
        ],
        "tools": [
            {
                "name": tool.value,
                "label": game_words().name(tool),
                "does": WHAT_TOOLS_DO[tool],
                "on": tool in question.toolbox,
            }
            for tool in TOOLS
        ],
        "house_rules": [
            {
                "name": rule.value,
                "label": game_words().name(rule),
                "on": rule in tuple(question.toolbox.house_rules),
            }
            for rule in HouseRule
        ],
        "picker": [
            [
                {"die": str(Die(color, value)), "label": game_words().name(Die(color, value))}
                for value in VALUES
            ]
            for color in Color
        ],
    }


def answer(record: Record, question: Question) -> dict[str, Any]:
    """Return the answer for programs; our own script asks for the parts of the page, too."""
    shown = view(record, question)
    verdicts: dict[Die, Verdict] = shown["verdicts"]
    told = {
        "revision": record.revision,
        "board": record.board,
        "window": shown["window"]["name"],
        "dice": [verdicts[die].to_json(game_words()) for die in question.pool],
        "picked": str(question.picked) if question.picked else None,
        "query": urlencode(question.fields()),
        "dead": shown["dead"],
        "problems": shown["problems"],
        "removals": shown["removals"],
        "headline": shown["headline"],
    }
    if wants_regions():
        told["regions"] = {name: render_template(template, state=shown) for name, template in REGIONS.items()}
    return told


def _on_cell(
    cell: dict[str, Any], picked: Verdict | None, dead: frozenset[tuple[int, int]]
) -> dict[str, Any]:
    """Return what the board shows and says on a cell about the picked die."""
    place, name = (cell["row"], cell["column"]), cell["name"]
    lost = "dead" if place in dead else ""
    if picked is None or cell["die"]:
        spoken = (
            gettext("%(cell)s: empty. No die can fill it any more.", cell=name) if lost else cell["label"]
        )
        return {"mark": lost, "verdict": "", "spoken": spoken}
    if place not in picked.legal:
        why = " ".join(game_words().say(problem.sentence) for problem in picked.forbidden[place])
        spoken = gettext("%(cell)s: not here. %(why)s", cell=name, why=why)
        return {"mark": lost or "not", "verdict": "not", "spoken": spoken}
    if place in picked.with_tool:
        tools = _tools(picked.with_tool[place])
        spoken = gettext("%(cell)s: may go here with %(tool)s.", cell=name, tool=tools)
        return {"mark": "tool", "verdict": "may", "spoken": spoken}
    return {"mark": "may", "verdict": "may", "spoken": gettext("%(cell)s: may go here.", cell=name)}


def _in_pool(found: Verdict, question: Question) -> dict[str, Any]:
    """Return a die of the pool as a button."""
    name, number = game_words().name(found.die), len(found.legal)
    spaces = ngettext("%(die)s: %(num)d space", "%(die)s: %(num)d spaces", number, die=name)
    return {
        "die": str(found.die),
        "color": found.die.color.value,
        "value": found.die.value,
        "spaces": number,
        "picked": found.die == question.picked,
        "label": spaces if number else gettext("%(die)s: no space", die=name),
    }


def _picked(found: Verdict) -> dict[str, Any]:
    """Return all there is to say about the picked die."""
    rule = most_in_the_way(found.forbidden) if not found.legal else None
    return {
        "die": str(found.die),
        "color": found.die.color.value,
        "value": found.die.value,
        "name": game_words().name(found.die),
        "legal": [
            {
                "cell": cell_name(cell),
                "tool": _tools(found.with_tool[cell]) if cell in found.with_tool else None,
            }
            for cell in sorted(found.legal)
        ],
        "in_the_way": _in_the_way(*rule) if rule else None,
        "why_not": [
            {
                "cell": cell_name(cell),
                "problems": [_problem(problem) for problem in problems],
                "tool": _tools(would_allow(problems)) if would_allow(problems) else None,
            }
            for cell, problems in sorted(found.forbidden.items())
            if problems[0].code != ProblemCode.SPACE_TAKEN.value
        ],
    }


def _problem(problem: Problem) -> dict[str, str]:
    return {"sentence": game_words().say(problem.sentence), "rule": game_words().say(problem.rule)}


def _tools(tools: tuple[Tool, ...]) -> str:
    return game_words().all_of(game_words().name(tool) for tool in tools)


def _in_the_way(code: ProblemCode, number: int) -> str:
    rule = game_words().say(code.rule)
    return ngettext(
        "Mostly in the way, on %(num)d space: %(rule)s",
        "Mostly in the way, on %(num)d spaces: %(rule)s",
        number,
        rule=rule,
    )


def _headline(board: Board, question: Question, picked: Verdict | None) -> str:
    """Return the answer in one sentence; it is also what a screen reader is told."""
    if picked is not None:
        name, number = game_words().name(picked.die), len(picked.legal)
        if not number:
            return gettext("%(die)s fits nowhere.", die=name)
        return ngettext(
            "%(die)s may go on %(num)d space.", "%(die)s may go on %(num)d spaces.", number, die=name
        )
    if question.pool:
        return gettext("Pick a die of the pool.")
    if board == Board.empty():
        return game_words().say(ProblemCode.FIRST_DIE_EDGE.rule)
    return gettext("Add the dice of the draft pool.")


def _capital(text: str) -> str:
    """Return a sentence that may begin with the name of a die as sentences begin."""
    return text[:1].upper() + text[1:]


def _dead_sentence(names: list[str]) -> str:
    if not names:
        return ""
    return ngettext(
        "No die can fill this space any more: %(cells)s.",
        "No die can fill these spaces any more: %(cells)s.",
        len(names),
        cells=game_words().all_of(names),
    )
