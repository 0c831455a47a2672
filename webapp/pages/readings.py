"""The start page and the page of a window: cells, score, problems, and forms that work without scripts."""

from __future__ import annotations

import math
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring import Board, KnownPatterns, PublicObjective, WindowPattern
from scoring.errors import SagradaError
from webapp.pages import dice_view, texts
from webapp.pages.frame import for_every_page, page, private_of, whole
from webapp.pages.geometry import cell_outlines, close_up, view
from webapp.pages.table_photos import to_photo
from webapp.services import changes
from webapp.services.changes import MOST_FAVOR, ChoicesChange
from webapp.services.errors import CompanionError, InputError, in_words_of_the_rules
from webapp.services.games.cards import check_private, missing_objectives
from webapp.services.games.game import Game, Seat
from webapp.services.games.result import case_of
from webapp.services.judging import Judgement, judge
from webapp.services.placement import Question
from webapp.services.plain import as_listed
from webapp.services.record import Record, spaces_of
from webapp.services.remarks import NOT_ALL_COUNTED, SURE_OF_THE_WAY_UP, unlike_dice
from webapp.services.table_photo import Purpose
from webapp.storage.files import SHOWN
from webapp.web import (
    access,
    context,
    cookies,
    expiry,
    lessons,
    photo_reading,
    photos,
    samples,
    table_actions,
)
from webapp.web.errors import problem_of, status_of
from webapp.web.language import cell_label, gettext, ngettext, words

TAG_WIDTH = 0.42  # of a tag on the photo (26 units in the drawing), in widths of its cell


def judged(record: Record) -> Judgement:
    """Return what the rules say about a window, at its table where it belongs to one."""
    return judge(case_of(record, access.game_of(record.id), context.known_windows()))


def state(record: Record, question: Question | None = None) -> dict[str, Any]:
    """Return everything the templates need to show ``record``.

    Parameters
    ----------
    record
        The window.
    question
        What is asked about placing dice on it; its tools and house rules count where no table says which.
    """
    game, known = access.game_of(record.id), context.known_windows()
    case = case_of(record, game, known)
    if game is None and question is not None:
        case = replace(case, tools=question.tools, house_rules=question.house_rules)
    judgement = judge(case)
    cells = cells_of(record, case.card)
    corners = record.shown.corners if record.shown else None
    # The score says itself what is not counted.
    own = [one.text(words()) for one in judgement.remarks if one.code != NOT_ALL_COUNTED]
    return {
        "judgement": judgement,
        "cells": cells,
        **_missing_choice(judgement, game),
        "notices": [*(one.text(words()) for one in judgement.placement.notices), *own],
        "placement_fine": placement_fine(judgement),
        "id": record.id,
        "revision": record.revision,
        "board": str(case.board),
        "size": record.size,
        "corners": corners,
        "view": view(record.size, corners) if record.size else None,
        "doubtful": [cell for cell in cells if cell["doubtful"]],
        "unlike_dice": unlike_dice_of(record),
        "maybe_upside_down": maybe_upside_down(record),
        "placement_note": _placement_note(record, case.card, known),
        "window": {
            "auto_label": _auto_label(record, known),
            "missing": _missing(record, known),
            "can_be_kept": case.card is None and record.reading is not None,
            "left_behind": _left_behind(record, known),
        },
        "choices": record.choices,
        "tokens": case.favor_tokens or 0,
        "most_tokens": most_tokens(case.card),
        "others": record.reading.other_windows if record.reading else 0,
        "table": game,
        "seat": _own_seat(record, game),
        "part_of": record.part_of if context.tables().load_known([record.part_of or ""]) else None,
        "public_count": gettext("%(number)s of 3 chosen", number=len(record.choices.public)),
    }


def unlike_dice_of(record: Record) -> str | None:
    """Return what to say of dice that the reader does not know, None where it knows them."""
    is_unlike = record.reading is not None and record.reading.unlike_dice
    return unlike_dice().text(words()) if is_unlike else None


def public_state(shown: dict[str, Any]) -> dict[str, Any]:
    """Return the part of the state that the scripts work with, as plain data."""
    keys = ("name", "die", "doubtful", "candidates", "restriction", "label")
    choices = shown["choices"]
    return {
        **{key: shown[key] for key in ("id", "revision", "board", "size", "corners")},
        "view": vars(shown["view"]) if shown["view"] else None,
        "total": shown["judgement"].breakdown.total,
        "is_counted": shown["judgement"].is_counted,
        "cells": [{key: cell[key] for key in keys} for cell in shown["cells"]],
        "choices": {
            **vars(choices),
            "public": [card.value for card in choices.public],
            "private": choices.private_name,
            "favor_tokens": shown["tokens"],
        },
        "publicCount": shown["public_count"],
        "autoLabel": shown["window"]["auto_label"],
    }


def most_tokens(card: WindowPattern | None) -> int:
    """Return how many favor tokens can be left: as many as come with the card, where it is known."""
    return card.difficulty if card and card.difficulty else MOST_FAVOR


def _missing_choice(judgement: Judgement, game: Game | None) -> dict[str, str]:
    """Return what is still to be chosen before all points are counted, "" when nothing is, and where."""
    objectives = missing_objectives(game) if game else 3 - len(judgement.case.public)
    if objectives > 0:
        missing = ngettext(
            "Choose one more public objective.", "Choose %(num)d public objectives.", objectives
        )
        at = url_for("games.table", code=game.code) if game else "#objectives"
        return {"missing": missing, "missing_at": at}
    missing = "" if judgement.case.privates else gettext("Choose your private objective.")
    return {"missing": missing, "missing_at": "#private"}


def _own_seat(record: Record, game: Game | None) -> Seat | None:
    """Return the seat of this device whose window it is, as long as its player can still get ready."""
    if game is None or game.is_revealed:
        return None
    own = access.viewer(game).seats
    return next((one for one in game.seats if one.record_id == record.id and one.number in own), None)


def placement_fine(judgement: Judgement) -> str:
    """Say that no rule is broken, as far as the card is known."""
    if judgement.case.board == Board.empty():
        return gettext("No dice yet.")
    if judgement.case.card is None:
        return gettext("All dice go together.")
    return gettext("Every die follows the rules.")


def _placement_note(record: Record, pattern: WindowPattern | None, known: KnownPatterns) -> str:
    missing = _missing(record, known)
    if missing is not None:
        return gettext(
            "The window card %(name)s is not known here, so printed colors and values were not checked.",
            name=missing,
        )
    if pattern is None:
        return gettext("The window card is not known, so printed colors and values were not checked.")
    if record.choices.window == "auto":
        return gettext(
            "Checked with the card %(name)s, as read from the photo.", name=texts.window_name(pattern)
        )
    return gettext("Checked with the card %(name)s.", name=texts.window_name(pattern))


def _missing(record: Record, known: KnownPatterns) -> str | None:
    """Return the name of the chosen window when nobody knows it (any more), None when all is well."""
    name = record.choices.window
    return name if record.choices.names_a_card and name not in set(known) else None


def _left_behind(record: Record, known: KnownPatterns) -> str | None:
    """Return the card that was chosen for the photo before and that this one contradicts, or None."""
    name = record.card_before if record.choices.window == "auto" else None
    return texts.window_name(known[name]) if name in set(known) and name else name


def _auto_label(record: Record, known: KnownPatterns) -> str:
    guess = record.recognized
    if guess and guess.name in set(known):
        percent = min(99, round(100 * guess.probability))  # nobody is wholly sure
        name = texts.window_name(known[guess.name])
        return gettext("As read: %(name)s (%(percent)s %%)", name=name, percent=percent)
    return gettext("As read: not recognized") if record.reading else gettext("Not chosen")


def cells_of(record: Record, pattern: WindowPattern | None) -> list[dict[str, Any]]:
    """Return the spaces row by row, as templates and scripts want them."""
    corners = record.shown.corners if record.shown else None
    outlines = cell_outlines(corners) if corners else None
    angle = view(record.size, corners).angle if record.size and corners else 0
    cells = []
    for index, space in enumerate(spaces_of(record, pattern)):
        name, die = space.name, space.die
        outline = outlines[index] if outlines else None
        cells.append(
            {
                "name": name,
                "cell": space.cell,
                "die": str(die) if die else None,
                "color": die.color.value if die else None,
                "value": die.value if die else None,
                "restriction": space.restriction,
                "doubtful": space.doubtful,
                "covered": space.covered,
                "candidates": list(space.candidates),
                "label": cell_label(name, die, doubtful=space.doubtful),
                "outline": " ".join(f"{x:.1f},{y:.1f}" for x, y in outline) if outline else None,
                "tag": _tag(outline) if outline else None,
                "close_up": close_up(outline, angle) if outline else None,
            }
        )
    return cells


def maybe_upside_down(record: Record) -> bool:
    """Return whether a person should look which way up the window lies; whoever turned it has looked."""
    if record.reading is None or record.turned:
        return False
    return record.reading.upright_probability < SURE_OF_THE_WAY_UP


def _tag(outline: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Return where the tag of a cell is drawn on the photo (on its lower edge) and how large."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = outline
    x, y = 0.42 * (x2 + x3) + 0.08 * (x0 + x1), 0.42 * (y2 + y3) + 0.08 * (y0 + y1)
    return round(x, 1), round(y, 1), round(math.hypot(x1 - x0, y1 - y0) * TAG_WIDTH / 26, 3)


blueprint = Blueprint("pages", __name__)
blueprint.app_context_processor(for_every_page)
blueprint.add_app_template_filter(texts.points, "minus")


HERO = [
    # restriction, then the die: the window on the start page (the rulebook's worked example, 40 points)
    *(".", "4G4", ".R2", "YY5", "6P6"),
    *("RR3", ".B1", "2", ".G1", ".Y2"),
    *(".P5", ".G6", "R", "PP6", "1R3"),
    *("BB4", "YY3", ".G4", ".B2", ".G4"),
]


@blueprint.get("/")
def start() -> ResponseReturnValue:
    """Show the ways in: a photo, a sample, by hand, or one of the last windows."""
    return start_page()


def start_page(error: SagradaError | None = None) -> Response:
    """Return the start page, with what was refused where something was."""
    return page(
        "start.html",
        error,
        samples=samples.names(),
        recent=[(record, _total(record)) for record in context.store().load_known(cookies.recent())],
        tables=[
            (photo, [record.board for record in table_actions.windows(photo)])
            for photo in context.tables().load_known(cookies.recent())
        ],
        own_games=access.games().of_device(access.hashes()),
        hero=HERO,
    )


def _total(record: Record) -> int | None:
    return None if record.failure else judged(record).total


@blueprint.post("/readings")
def upload() -> ResponseReturnValue:
    """Take in a photo from the plain form."""
    try:
        record = photo_reading.take_in(photos.uploaded(), cookies.table_choices(), photo_id=photos.sent_id())
    except CompanionError as error:
        return start_page(error)
    return _go_to(record.id, "table") if record.is_being_read else _go_to_photo(record)


@blueprint.post("/by-hand")
def by_hand() -> ResponseReturnValue:
    """Start with an empty window."""
    record = photos.begun_by_hand()
    return _go_to(record.id)


@blueprint.post("/samples/<name>")
def read_sample(name: str) -> ResponseReturnValue:
    """Read a sample photo as if it had been uploaded."""
    return _go_to_photo(photo_reading.take_in(samples.read(name), cookies.table_choices()))


@blueprint.get("/samples/<name>")
def sample_thumbnail(name: str) -> ResponseReturnValue:
    """Return a small picture of a sample photo."""
    headers = {"Cache-Control": "max-age=86400"}
    return Response(samples.thumbnail(name), mimetype="image/jpeg", headers=headers)


@blueprint.get("/w/<record_id>")
def show(record_id: str) -> ResponseReturnValue:
    """Show a window with its score, or why its photo could not be read."""
    record = photo_reading.looked_at(context.store().load(record_id))
    onward = request.args.get("then", "")
    if record.is_being_read or record.failure is not None or onward not in {"table", "place", "card"}:
        return window_page(record)
    if onward == "table":
        return _go_to_photo(record)
    there = "placement.show" if onward == "place" else "windows.from_photo"
    return redirect(url_for(there, record_id=record_id))


def window_page(record: Record, refused: SagradaError | None = None) -> Response:
    """Return the page of a window; ``refused`` says why its dice could not be learned as a form said."""
    shown = state(record)
    problem = photo_reading.problem(record)
    if problem is not None and record.is_being_read:
        answer = render_template("waiting.html", record=record, state=shown, problem=problem_of(problem))
    elif problem is not None:
        answer = render_template(
            "unread.html",
            state=shown,
            public_state=public_state(shown),
            problem=problem_of(problem),
            for_card=record.for_card,
            checks=photos.examined(record),
        )
    else:
        answer = render_template(
            "reading.html",
            state=shown,
            public_state=public_state(shown),
            own_windows_missing=context.own_windows_missing(),
            learn=dice_view.beside(record, request.args, refused),
            checks=photos.examined(record) if record.doubts else (),
            gone=expiry.goes_on(record),
        )
    return make_response(answer, status_of(refused) if refused else HTTPStatus.OK)


@blueprint.post("/w/<record_id>")
def save(record_id: str) -> ResponseReturnValue:
    """Take in the plain form with the choices and the dice as text."""
    form = request.form
    game = access.game_of(record_id)  # there the objectives are chosen for everybody
    revision, favor = whole("revision", "0"), whole("favor", "0")
    before = context.store().load(record_id)
    shown = judged(before).case.favor_tokens
    with in_words_of_the_rules("bad_board"):
        board = Board.parse(form.get("board", ""))
    with in_words_of_the_rules():
        public = [as_listed(name, PublicObjective) for name in form.getlist("public")]
        choices = ChoicesChange(
            public=None if game else public,
            private=private_of("private"),
            window=form.get("window", "auto"),
            favor_tokens=None if favor == (shown or 0) else favor,  # told by nobody as long as it is the same
        )
        check_private(game, choices.private)
        record = context.store().update(
            record_id,
            lambda newest: changes.apply(
                newest, revision, changes.different(newest, board), choices, context.known_windows()
            ),
        )
    if record.board != before.board:
        lessons.said_right(record)
    response = make_response(redirect(url_for("pages.show", record_id=record.id), 303))
    return cookies.remember_table(response, record.choices)


@blueprint.post("/w/<record_id>/by-hand")
def by_hand_here(record_id: str) -> ResponseReturnValue:
    """Go on by hand beside a photo that could not be read."""
    context.store().update(record_id, changes.by_hand)
    return _go_to(record_id)


@blueprint.post("/w/<record_id>/delete")
def delete(record_id: str) -> ResponseReturnValue:
    """Remove a window and its photo for good."""
    if access.game_of(record_id):
        raise InputError("window_of_a_seat")
    was_a_card = any(record.for_card for record in context.store().load_known([record_id]))
    context.store().delete(record_id)
    return redirect(url_for("windows.show" if was_a_card else "pages.start"), 303)


@blueprint.get("/w/<record_id>/photo.jpg")
def photo(record_id: str) -> ResponseReturnValue:
    """Return the photo as it is shown."""
    content = context.store().file(record_id, SHOWN)
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def _go_to_photo(record: Record) -> Response:
    """Return the way to the one window of a photo, or to all of them."""
    if photos.shows_several(record):
        photo = table_actions.take(record, Purpose.SCORE)
        return cookies.remember(to_photo(photo.id), photo.id)
    return _go_to(record.id)


def _go_to(record_id: str, then: str | None = None) -> Response:
    response = make_response(redirect(url_for("pages.show", record_id=record_id, then=then), 303))
    # The last windows show points on the start page; those of a game are kept for the reveal.
    return response if access.game_of(record_id) else cookies.remember(response, record_id)
