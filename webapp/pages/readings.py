"""The pages, and the forms that work without a script."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.exceptions import MethodNotAllowed

from scoring import Board, Color, PublicObjective
from scoring.words import LANGUAGES
from webapp.artwork.panes import PIPS
from webapp.companion import changes
from webapp.companion.changes import ChoicesChange
from webapp.companion.errors import CompanionError, InputError, in_words_of_the_rules
from webapp.companion.games.cards import check_private
from webapp.companion.listed import as_listed
from webapp.pages import diagrams, reading_view, texts
from webapp.pages.script_texts import script_words
from webapp.web import access, context, cookies, photos, samples
from webapp.web.errors import Problem, problem_of, status_of
from webapp.web.language import current, moment, words

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("pages", __name__)


@blueprint.app_context_processor
def for_every_page() -> dict[str, Any]:
    """Return what the frame of every page needs."""
    window = _window_of_form()
    return {
        "language": current(),
        "languages": LANGUAGES,
        "script_words": script_words(),
        "glass": diagrams.GLASS,
        "pips": PIPS,
        "die_words": texts.words_of_code,
        "window_address": window,
        "readable_address": window or _readable_address(),
    }


@blueprint.get("/")
def start() -> ResponseReturnValue:
    """Show the ways in: a photo, a sample, by hand, or one of the last windows."""
    return start_page()


def start_page(problem: Problem | None = None, status: int = 200) -> Response:
    """Return the start page, with a problem to tell where there is one."""
    known = context.store().load_known(cookies.recent())
    recent = [
        {**reading_view.summary(record), "when": moment(datetime.fromisoformat(record.created))}
        for record in known
    ]
    page = render_template(
        "start.html",
        problem=problem,
        samples=samples.names(),
        recent=recent,
        hero=diagrams.HERO,
        upload_limit=current_app.config["MAX_CONTENT_LENGTH"],
    )
    return make_response(page, status)


@blueprint.post("/readings")
def upload() -> ResponseReturnValue:
    """Take in a photo from the plain form."""
    try:
        record = photos.take_in(photos.uploaded(), cookies.table_choices())
    except CompanionError as error:
        return start_page(problem_of(error), status_of(error))
    return _go_to(record.id)


@blueprint.post("/by-hand")
def by_hand() -> ResponseReturnValue:
    """Start with an empty window."""
    record = context.store().create({}, choices=cookies.table_choices())
    return _go_to(record.id)


@blueprint.post("/samples/<name>")
def read_sample(name: str) -> ResponseReturnValue:
    """Read a sample photo as if it had been uploaded."""
    return _go_to(photos.take_in(samples.read(name), cookies.table_choices()).id)


@blueprint.get("/samples/<name>")
def sample_thumbnail(name: str) -> ResponseReturnValue:
    """Return a small picture of a sample photo."""
    response = make_response(samples.thumbnail(name))
    response.mimetype = "image/jpeg"
    response.cache_control.max_age = 86400
    return response


@blueprint.get("/w/<record_id>")
def show(record_id: str) -> ResponseReturnValue:
    """Show a window with its score, or why its photo could not be read."""
    record = context.store().load(record_id)
    shown = reading_view.state(record)
    if record.failure is not None:
        return render_template(
            "unread.html",
            state=shown,
            public_state=reading_view.public_state(shown),
            problem=problem_of(record.failure.error()),
            for_card=record.for_card,
        )
    objectives = [
        {
            "name": objective.value,
            "label": words().name(objective),
            "rule": words().say(objective.rule),
            "points": objective.points_each,
            "diagram": objective.diagram,
        }
        for objective in PublicObjective
    ]
    return render_template(
        "reading.html",
        state=shown,
        public_state=reading_view.public_state(shown),
        objectives=objectives,
        colors={color.value: words().name(color) for color in Color},
        windows=texts.window_options(),
        own_windows=texts.own_window_options(),
        own_windows_missing=context.own_windows_missing(),
        missing_window_label=texts.missing_window_label,
    )


@blueprint.post("/w/<record_id>")
def save(record_id: str) -> ResponseReturnValue:
    """Take in the plain form with the choices and the dice as text."""
    form = request.form
    game = access.game_of(record_id)  # there the objectives are chosen for everybody
    try:
        revision, favor = int(form.get("revision", "0")), int(form.get("favor", "0") or 0)
    except ValueError as error:
        raise InputError("bad_request") from error
    with in_words_of_the_rules("bad_board"):
        board = Board.parse(form.get("board", ""))
    with in_words_of_the_rules():
        public = [as_listed(name, PublicObjective) for name in form.getlist("public")]
        choices = ChoicesChange(
            public=None if game else public,
            private=as_listed(form["private"], Color) if form.get("private") else None,
            window=form.get("window", "auto"),
            favor_tokens=favor,
        )
        check_private(game, choices.private)
        record = context.store().update(
            record_id,
            lambda newest: changes.apply(
                newest, revision, changes.different(newest, board), choices, context.known_windows()
            ),
        )
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
    response = make_response(context.store().file(record_id, photos.SHOWN).read_bytes())
    response.mimetype = "image/jpeg"
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def _window_of_form() -> str | None:
    """Return the address of the window that a form was sent to, None when there is no such window."""
    record_id = (request.view_args or {}).get("record_id")
    if request.method != "POST" or record_id is None or not context.store().load_known([record_id]):
        return None
    return url_for("pages.show", record_id=record_id)


def _readable_address() -> str:
    """Return where the page can be asked for again: here, or the start page where forms are only sent to."""
    if request.method == "POST" or isinstance(request.routing_exception, MethodNotAllowed):
        return url_for("pages.start")
    return ""


def _go_to(record_id: str) -> Response:
    response = make_response(redirect(url_for("pages.show", record_id=record_id), 303))
    # The last windows show points on the start page; those of a game are kept for the reveal.
    return response if access.game_of(record_id) else cookies.remember(response, record_id)
