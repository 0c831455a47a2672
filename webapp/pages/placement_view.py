"""The placement page: a record and a question about it, as templates and scripts show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from scoring import Board, Color, Die, HouseRule, Problem, ProblemCode, Tool, cell_name
from scoring.dice import VALUES
from webapp.companion.judging import Judgement
from webapp.companion.placing import Placing
from webapp.companion.question import SHOWN_TOOLS, Question
from webapp.companion.record import Record
from webapp.pages import reading_view
from webapp.web.language import gettext, lazy_gettext, ngettext, words

WHAT_TOOLS_DO = {
    Tool.GROZING_PLIERS: lazy_gettext("Makes the value of the die one higher or one lower"),
    Tool.GRINDING_STONE: lazy_gettext("Turns the die to its other side"),
    Tool.EGLOMISE_BRUSH: lazy_gettext("Moves a die that may ignore the printed color"),
    Tool.COPPER_FOIL_BURNISHER: lazy_gettext("Moves a die that may ignore the printed value"),
    Tool.LATHEKIN: lazy_gettext("Moves two dice; those left behind may touch no other"),
    Tool.CORK_BACKED_STRAIGHTEDGE: lazy_gettext("The die may touch no other die"),
    Tool.TAP_WHEEL: lazy_gettext("Moves up to two dice; those left behind may touch no other"),
}


def view(record: Record, question: Question) -> dict[str, Any]:
    """Return everything the templates of the placement page need."""
    state = reading_view.state(record, question)
    judgement: Judgement = state["judgement"]
    case, dead = judgement.case, judgement.dead_cells
    question = question.in_game(case.tools, case.house_rules)
    placings = {die: judgement.placing(die, moved=die in question.moved) for die in question.pool}
    picked = placings[question.picked] if question.picked else None
    for cell in state["cells"]:
        cell.update(_on_cell(cell, picked, dead))
    return {
        **state,
        "question": question,
        "placings": placings,
        "dead": [cell_name(cell) for cell in sorted(dead)],
        "dead_sentence": _dead_sentence(sorted(cell_name(cell) for cell in dead)),
        "pool": [_in_pool(placings[die], question) for die in question.pool],
        "picked": _picked(picked) if picked else None,
        "headline": _capital(_headline(case.board, question, picked)),
        "tools": [
            {
                "name": tool.value,
                "label": words().name(tool),
                "does": WHAT_TOOLS_DO[tool],
                "on": tool in question.tools,
            }
            for tool in SHOWN_TOOLS
        ],
        "house_rules": [
            {
                "name": rule.value,
                "label": words().name(rule),
                "on": rule in question.house_rules,
            }
            for rule in HouseRule
        ],
        "picker": [
            [
                {"die": str(Die(color, value)), "label": words().name(Die(color, value))}
                for value in VALUES
            ]
            for color in Color
        ],
    }


def _on_cell(
    cell: dict[str, Any], picked: Placing | None, dead: Sequence[tuple[int, int]]
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
        why = " ".join(words().say(problem.sentence) for problem in picked.why_not[place])
        spoken = gettext("%(cell)s: not here. %(why)s", cell=name, why=why)
        return {"mark": lost or "not", "verdict": "not", "spoken": spoken}
    if place in picked.with_tool:
        tools = _tools(picked.with_tool[place])
        spoken = gettext("%(cell)s: may go here with %(tool)s.", cell=name, tool=tools)
        return {"mark": "tool", "verdict": "may", "spoken": spoken}
    return {"mark": "may", "verdict": "may", "spoken": gettext("%(cell)s: may go here.", cell=name)}


def _in_pool(found: Placing, question: Question) -> dict[str, Any]:
    """Return a die of the pool as a button."""
    name, number = words().name(found.die), len(found.legal)
    spaces = ngettext("%(die)s: %(num)d space", "%(die)s: %(num)d spaces", number, die=name)
    return {
        "die": str(found.die),
        "color": found.die.color.value,
        "value": found.die.value,
        "spaces": number,
        "picked": found.die == question.picked,
        "label": spaces if number else gettext("%(die)s: no space", die=name),
    }


def _picked(found: Placing) -> dict[str, Any]:
    """Return all there is to say about the picked die."""
    rule = most_in_the_way(found) if not found.legal else None
    return {
        "die": str(found.die),
        "color": found.die.color.value,
        "value": found.die.value,
        "name": words().name(found.die),
        "legal": [
            {
                "cell": cell_name(cell),
                "tool": _tools(found.with_tool[cell]) if cell in found.with_tool else None,
            }
            for cell in sorted(found.legal)
        ],
        "in_the_way": _in_the_way(*rule) if rule else None,
        "steps": [words().say(step) for step in found.steps],
        "why_not": [
            {
                "cell": cell_name(cell),
                "problems": [_problem(problem) for problem in problems],
                "tool": _tools(could_free(problems)) if could_free(problems) else None,
            }
            for cell, problems in sorted(found.why_not.items())
            if problems[0].code != ProblemCode.SPACE_TAKEN
        ],
    }


def _problem(problem: Problem) -> dict[str, str]:
    return {"sentence": words().say(problem.sentence), "rule": words().say(problem.rule)}


def could_free(problems: Sequence[Problem]) -> tuple[Tool, ...]:
    """Return the tool cards, in the game or not, that would free the placement from all these rules."""
    return tuple(tool for tool in Tool if all(tool in problem.could_excuse for problem in problems))


def most_in_the_way(found: Placing) -> tuple[ProblemCode, int] | None:
    """Return the rule that forbids most of the empty cells and how many; None when no cell is empty."""
    codes = Counter(code for problems in found.why_not.values() for code in {one.code for one in problems})
    del codes[ProblemCode.SPACE_TAKEN]
    if not codes:
        return None
    number = max(codes.values())
    # Of several rules the first of the rulebook, so that the same window always gives the same answer.
    return next(code for code in ProblemCode if codes[code] == number), number


def _tools(tools: tuple[Tool, ...]) -> str:
    return words().all_of(words().name(tool) for tool in tools)


def _in_the_way(code: ProblemCode, number: int) -> str:
    rule = words().say(code.rule)
    return ngettext(
        "Mostly in the way, on %(num)d space: %(rule)s",
        "Mostly in the way, on %(num)d spaces: %(rule)s",
        number,
        rule=rule,
    )


def _headline(board: Board, question: Question, picked: Placing | None) -> str:
    """Return the answer in one sentence; it is also what a screen reader is told."""
    if picked is not None:
        name, number = words().name(picked.die), len(picked.legal)
        if not number:
            return gettext("%(die)s fits nowhere.", die=name)
        return ngettext(
            "%(die)s may go on %(num)d space.", "%(die)s may go on %(num)d spaces.", number, die=name
        )
    if question.pool:
        return gettext("Pick a die of the pool.")
    if board == Board.empty():
        return words().say(ProblemCode.FIRST_DIE_EDGE.rule)
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
        cells=words().all_of(names),
    )
