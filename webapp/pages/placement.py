"""The page that people use during play: it says where a die may go, and why not elsewhere."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.errors import SagradaError
from webapp.companion import changes
from webapp.companion.changes import BoardChange, ChoicesChange
from webapp.companion.errors import CompanionError, InputError, in_words_of_the_rules
from webapp.companion.question import MOST_DICE, Question, asked, cell_of
from webapp.companion.record import Record, card_of
from webapp.pages import placement_view, reading_view, texts
from webapp.pages.frame import page, whole
from webapp.web import context, cookies, photo_reading, photos

blueprint = Blueprint("placement", __name__)


@blueprint.get("/place")
def start() -> ResponseReturnValue:
    """Offer the ways to the placement page: a photo, an empty window, or one of the last windows."""
    return _start_page()


def _start_page(error: SagradaError | None = None) -> Response:
    known = context.store().load_known(cookies.recent())
    recent = [record for record in known if record.failure is None]
    return page("place_start.html", error, recent=recent, before=_card_before(known))


def _card_before(known: list[Record]) -> dict[str, str] | None:
    """Return the newest of the ``known`` windows, when its card can come along to the next photo of it."""
    for newest in known[:1]:
        pattern = card_of(newest, context.known_windows())
        by_hand = newest.choices.names_a_card and changes.may_be_of_the_same_game(newest)
        if pattern is not None and by_hand:
            return {"id": newest.id, "card": texts.window_name(pattern)}
    return None


@blueprint.post("/place")
def begin() -> ResponseReturnValue:
    """Go to the placement page of a photo, or of an empty window when none was sent."""
    if not request.files:
        record = photos.begun_by_hand()
        return cookies.remember(_go_to(record.id, Question()), record.id)
    try:
        record = photo_reading.take_in(
            photos.uploaded(), photos.choices_for_next(request.form.get("target")), photo_id=photos.sent_id()
        )
    except CompanionError as error:
        return _start_page(error)
    return cookies.remember(_go_to(record.id, Question()), record.id)


@blueprint.get("/w/<record_id>/place")
def show(record_id: str) -> ResponseReturnValue:
    """Show where the picked die may go on a window; without scripts the query carries the pool."""
    record = context.store().load(record_id)
    if record.failure is not None:  # its page offers the corners, then the dice by hand
        then = "place" if record.is_being_read else None
        return redirect(url_for("pages.show", record_id=record_id, then=then))
    state = placement_view.view(record, asked(request.args))
    return render_template(
        "place.html",
        state=state,
        public_state=reading_view.public_state(state),
        own_windows_missing=context.own_windows_missing(),
        most_dice=MOST_DICE,
    )


@blueprint.post("/w/<record_id>/place")
def save(record_id: str) -> ResponseReturnValue:
    """Place the picked die, or choose the window card, from a plain form."""
    form = request.form
    question = asked(form)
    board, choices = None, None
    if "cell" in form:
        if question.picked is None:
            raise InputError("not_in_pool")
        board = BoardChange({cell_of(form["cell"]): question.picked})
        question = question.without(question.picked)
    if "window" in form:
        choices = ChoicesChange(window=form["window"])
    revision = whole("revision")

    def change(newest: Record) -> Record:
        return changes.apply(newest, revision, board, choices, context.known_windows())

    with in_words_of_the_rules():
        context.store().update(record_id, change)
    return _go_to(record_id, question)


def _go_to(record_id: str, question: Question) -> Response:
    """Return the way to the placement page with the same pool and tool cards."""
    address = url_for("placement.show", record_id=record_id)
    fields = question.fields()
    return make_response(redirect(f"{address}?{urlencode(fields)}" if fields else address, 303))
