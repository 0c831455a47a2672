"""The page that people use during play: it says where a die may go, and why not elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlencode

from flask import Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring import Board, Die, Problem, ProblemCode, Tool, cell_name
from scoring.errors import SagradaError
from webapp.domain import record as changes
from webapp.domain.errors import CompanionError, InputError, in_words_of_the_rules
from webapp.domain.payloads import PlacingPayload
from webapp.domain.placement import MOST_DICE, SHOWN_TOOLS, Placing, Question, asked, cell_of, no_die_for
from webapp.domain.record import BoardChange, ChoicesChange, Record, card_of
from webapp.domain.tool_rules import rule_of
from webapp.http import session
from webapp.http.faces import Drawn, Pages, sent_id, shown, uploaded
from webapp.http.preferences import gettext, ngettext, wants_json, words
from webapp.services import context, photos
from webapp.views import frame
from webapp.views.frame import whole
from webapp.views.readings import CellView, ReadingView, reading_view


class PlacementView(ReadingView):
    """A window, and where the dice of a draft pool may go on it."""

    dice: list[PlacingPayload]
    """Each die of the pool."""
    question: Drawn[Question]
    placings: Drawn[dict[Die, Placing]]
    dead_sentence: Drawn[str]
    picked: Drawn[Placing | None]
    in_the_way: Drawn[str | None]
    why_not: Drawn[list[tuple[str, tuple[Problem, ...], tuple[Tool, ...]]]]
    headline: Drawn[str]
    tools: Drawn[dict[Tool, str]]


def placement_view(record: Record, question: Question) -> PlacementView:
    """Return where the dice of a pool may go on a window."""
    window = reading_view(record, question)
    judgement = window.judgement
    case, dead = judgement.case, judgement.dead_cells
    question = question.in_game(case.tools, case.house_rules)
    placings = {die: judgement.placing(die, moved=die in question.moved) for die in question.pool}
    picked = placings[question.picked] if question.picked else None
    cells = tuple(cell.model_copy(update=_on_cell(cell, picked, dead)) for cell in window.cells)
    headline = _headline(case.board, question, picked)  # which may begin with the name of a die
    own = (tool for tool in context.own_tools() if tool.lifts or tool.moves_dice)
    return PlacementView(
        **{**vars(window), "cells": cells},
        dice=[placings[die].to_json(words()) for die in question.pool],
        question=question,
        placings=placings,
        dead_sentence=words().say(no_die_for(sorted(dead))) if dead else "",
        picked=picked,
        in_the_way=_in_the_way(picked) if picked else None,
        why_not=[
            (cell_name(cell), tuple(problems), could_free(problems))
            for cell, problems in sorted(picked.why_not.items() if picked else ())
            if problems[0].code != ProblemCode.SPACE_TAKEN.value
        ],
        headline=headline[:1].upper() + headline[1:],
        tools={tool: words().say(rule_of(tool)) for tool in (*SHOWN_TOOLS, *own)},
    )


def _on_cell(cell: CellView, picked: Placing | None, dead: Sequence[tuple[int, int]]) -> dict[str, str]:
    place, name = cell.cell, cell.name
    lost = "dead" if place in dead else ""
    if picked is None or cell.die:
        spoken = gettext("%(cell)s: empty. No die can fill it any more.", cell=name) if lost else cell.label
        return {"mark": lost, "verdict": "", "spoken": spoken}
    if place not in picked.legal:
        why = " ".join(words().say(problem.sentence) for problem in picked.why_not[place])
        spoken = gettext("%(cell)s: not here. %(why)s", cell=name, why=why)
        return {"mark": lost or "not", "verdict": "not", "spoken": spoken}
    if place in picked.with_tool:
        tools = frame.tool_names(picked.with_tool[place])
        spoken = gettext("%(cell)s: may go here with %(tool)s.", cell=name, tool=tools)
        return {"mark": "tool", "verdict": "may", "spoken": spoken}
    return {"mark": "may", "verdict": "may", "spoken": gettext("%(cell)s: may go here.", cell=name)}


def could_free(problems: Sequence[Problem]) -> tuple[Tool, ...]:
    """Return the tool cards, in the game or not, that would free the placement from all these rules."""
    return tuple(
        tool for tool in problems[0].could_excuse if all(tool in one.could_excuse for one in problems)
    )


def _in_the_way(found: Placing) -> str | None:
    """Return which rule keeps a die off most spaces, None when there is a space for it."""
    codes = Counter(code for problems in found.why_not.values() for code in {one.code for one in problems})
    del codes[ProblemCode.SPACE_TAKEN]
    if found.legal or not codes:
        return None
    number = max(codes.values())
    # Of several rules the first of the rulebook, so that the same window always gives the same answer.
    code = next(code for code in ProblemCode if codes[code] == number)
    return ngettext(
        "Mostly in the way, on %(num)d space: %(rule)s",
        "Mostly in the way, on %(num)d spaces: %(rule)s",
        number,
        rule=words().say(code.rule),
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


blueprint = Pages("placement", __name__)


@blueprint.get("/place")
def start(error: SagradaError | None = None) -> Response:
    """Offer the ways to the placement page: a photo, an empty window, or one of the last windows."""
    known = context.store().load_known(session.recent())
    recent = [record for record in known if record.failure is None]
    return shown(
        "place_start.html", error=error, draw=lambda: {"recent": recent, "before": _card_before(known)}
    )


def _card_before(known: list[Record]) -> dict[str, str] | None:
    """Return the newest of the ``known`` windows, when its card can come along to the next photo of it."""
    for newest in known[:1]:
        pattern = card_of(newest, context.known_windows())
        by_hand = newest.choices.names_a_card and changes.may_be_of_the_same_game(newest)
        if pattern is not None and by_hand:
            return {"id": newest.id, "card": frame.window_name(pattern)}
    return None


@blueprint.post("/place")
def begin() -> ResponseReturnValue:
    """Go to the placement page of a photo, or of an empty window when none was sent."""
    if request.files:
        try:
            choices = photos.choices_for_next(request.form.get("target"))
            record = photos.take_in(uploaded(), choices, photo_id=sent_id())
        except CompanionError as error:
            return start(error)
    else:
        record = photos.begun_by_hand()
    return session.remember(to_placement(record.id, Question()), record.id)


@blueprint.get("/w/<record_id>/place", answers=PlacementView)
def show(record_id: str) -> ResponseReturnValue:
    """Show where dice may go on a window; at a table its tool cards and house rules count.

    The query says `die` for each die of the pool, `moved` for those that lay in the window, `tool` for the
    cards in the game, and `house_rule`.
    """
    record = context.store().load(record_id)
    if record.failure is not None and not wants_json():  # its page offers the corners, then the dice by hand
        then = "place" if record.is_being_read else None
        return redirect(url_for("pages.show", record_id=record_id, then=then))
    return shown(
        "place.html",
        placement_view(record, asked(request.args)),
        draw=lambda: {"own_windows_missing": context.own_windows_missing(), "most_dice": MOST_DICE},
    )


@blueprint.post("/w/<record_id>/place")
def save(record_id: str) -> ResponseReturnValue:
    """Place the picked die, or choose the window card, from a plain form."""
    form = request.form
    question = asked(form)
    board = None
    if "cell" in form:
        if question.picked is None:
            raise InputError("not_in_pool")
        board = BoardChange({cell_of(form["cell"]): question.picked})
        question = question.without(question.picked)
    choices = ChoicesChange(window=form["window"]) if "window" in form else None
    revision, known = whole("revision"), context.known_windows()
    with in_words_of_the_rules():
        context.store().update(
            record_id, lambda newest: changes.apply(newest, revision, board, choices, known)
        )
    return to_placement(record_id, question)


def to_placement(record_id: str, question: Question) -> Response:
    """Return the way to the page that answers where dice may go on a window."""
    address, fields = url_for("placement.show", record_id=record_id), urlencode(question.fields())
    return make_response(redirect(f"{address}?{fields}" if fields else address, 303))
