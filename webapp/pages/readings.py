"""The pages, and the forms that work without a script."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring import Board, PublicObjective
from scoring.errors import SagradaError
from webapp.companion import changes
from webapp.companion.changes import ChoicesChange
from webapp.companion.errors import CompanionError, InputError, in_words_of_the_rules
from webapp.companion.games.cards import check_private
from webapp.companion.listed import as_listed
from webapp.companion.record import Record
from webapp.companion.table_photo import Purpose
from webapp.pages import dice_view, reading_view, texts
from webapp.pages.frame import for_every_page, page, private_of, whole
from webapp.pages.table_photos import to_photo
from webapp.store.photo_files import SHOWN
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
    return None if record.failure else reading_view.judged(record).total


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
    shown = reading_view.state(record)
    problem = photo_reading.problem(record)
    if problem is not None and record.is_being_read:
        answer = render_template("waiting.html", record=record, state=shown, problem=problem_of(problem))
    elif problem is not None:
        answer = render_template(
            "unread.html",
            state=shown,
            public_state=reading_view.public_state(shown),
            problem=problem_of(problem),
            for_card=record.for_card,
            checks=photos.examined(record),
        )
    else:
        answer = render_template(
            "reading.html",
            state=shown,
            public_state=reading_view.public_state(shown),
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
    shown = reading_view.judged(before).case.favor_tokens
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
