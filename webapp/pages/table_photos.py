"""The page of a photo of the whole table, and its forms, which work without scripts."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring import PublicObjective, Tool
from scoring.errors import SagradaError
from webapp.companion import changes
from webapp.companion.changes import BoardChange, ChoicesChange
from webapp.companion.errors import InputError, in_words_of_the_rules
from webapp.companion.listed import as_listed
from webapp.companion.question import cell_of, die_of
from webapp.companion.record import Choices
from webapp.companion.table_photo import Purpose, TablePhoto
from webapp.pages import table_photo_view
from webapp.pages.frame import page, private_of, whole
from webapp.store.photo_files import SHOWN
from webapp.web import context, cookies, expiry, lessons, photos, table_actions

blueprint = Blueprint("table_photos", __name__)

TOOLS = frozenset(tool.value for tool in Tool)


@blueprint.post("/t")
def take() -> ResponseReturnValue:
    """Take in a photo of the table from a plain form; ``purpose`` and ``target`` say what for."""
    try:
        purpose = Purpose(request.form.get("purpose", Purpose.SCORE.value))
    except ValueError as error:
        raise InputError("bad_request") from error
    photo = table_actions.take(photos.uploaded(), purpose, request.form.get("target"))
    return to_photo(photo.id)


@blueprint.get("/t/<photo_id>")
def show(photo_id: str) -> ResponseReturnValue:
    """Show what was read in a photo of the table; where nothing is left to ask, go where it leads to."""
    photo = table_actions.load(photo_id)
    onward = _onward(photo) if "look" not in request.args else None
    return onward or photo_page(photo)


def photo_page(photo: TablePhoto, error: SagradaError | None = None) -> Response:
    """Return the page, with what was refused where something was."""
    return page("table_photo.html", error, state=table_photo_view.state(photo), gone=expiry.goes_on(photo))


def _onward(photo: TablePhoto) -> Response | None:
    """Return the way to the placement page when the photo answers all that it was taken for."""
    if not photo.is_read or photo.failure is not None or photo.doubtful_dice:
        return None
    if photo.purpose is Purpose.POOL and photo.pool:
        return to_placement(photo, photo.target or "")
    if photo.purpose is Purpose.PLACE:
        found = table_actions.windows(photo)
        if len(found) == 1:
            return cookies.remember(to_placement(photo, found[0].id), found[0].id)
    return None


def to_placement(photo: TablePhoto, record_id: str) -> Response:
    """Return the way to the question where the dice of the photo's pool may go on a window."""
    fields = urlencode(photo.question.fields())
    return make_response(redirect(f"{url_for('placement.show', record_id=record_id)}?{fields}", 303))


def to_photo(photo_id: str) -> Response:
    """Return the way to the page of a photo."""
    return make_response(redirect(url_for("table_photos.show", photo_id=photo_id), 303))


def _back(photo_id: str) -> Response:
    """Return the way back to the page of a photo, to stay there."""
    return make_response(redirect(url_for("table_photos.show", photo_id=photo_id, look=1), 303))


@blueprint.get("/t/<photo_id>/photo.jpg")
def picture(photo_id: str) -> ResponseReturnValue:
    """Return the photo as it is shown."""
    content = context.tables().file(photo_id, SHOWN)
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


# --- Putting things right --------------------------------------------------------------------------


@blueprint.post("/t/<photo_id>/cell")
def put_cell(photo_id: str) -> ResponseReturnValue:
    """Say what lies on a space of a window; what was read there, said again, is right."""
    record_id, cell = request.form.get("record", ""), cell_of(request.form.get("cell", ""))
    if record_id not in context.tables().load(photo_id).windows:
        raise InputError("no_such_window")
    text = request.form.get("die", "")
    board = BoardChange({cell: None if text == "--" else die_of(text)})
    record = context.store().update(record_id, lambda newest: changes.apply(newest, newest.revision, board))
    lessons.said_right(record)
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/die")
def put_die(photo_id: str) -> ResponseReturnValue:
    """Say what a loose die shows, that there is none, or that there is one more."""
    form = request.form
    index = whole("index") if form.get("index") else None
    die = die_of(form["die"]) if form.get("die", "--") != "--" else None
    at = (float(whole("x", "0")), float(whole("y", "0")))
    table_actions.put_die(photo_id, whole("revision"), index, die, at)
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/cards")
def put_public(photo_id: str) -> ResponseReturnValue:
    """Choose the public objectives."""
    with in_words_of_the_rules():
        public = [as_listed(name, PublicObjective) for name in request.form.getlist("public")]
    photo = table_actions.put_public(photo_id, public)
    return cookies.remember_table(_back(photo_id), Choices(public=photo.public))


@blueprint.post("/t/<photo_id>/card")
def put_card(photo_id: str) -> ResponseReturnValue:
    """Say whether a card that was read with doubt is the one that it looks like."""
    name = request.form.get("card", "")
    with in_words_of_the_rules():
        card = as_listed(name, Tool) if name in TOOLS else as_listed(name, PublicObjective)
    table_actions.settle_card(photo_id, card, is_right=request.form.get("right") == "yes")
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/windows/<int:number>")
def put_window(photo_id: str, number: int) -> ResponseReturnValue:
    """Note whose window it is, private objective and favor tokens."""
    choices = ChoicesChange(favor_tokens=whole("favor", "0"))
    if "private" in request.form:
        choices = ChoicesChange(favor_tokens=choices.favor_tokens, private=private_of("private"))
    table_actions.put_window(photo_id, number, choices, request.form.get("name"))
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/windows/<int:number>/out")
def leave_out(photo_id: str, number: int) -> ResponseReturnValue:
    """Note that a window is not of this game, or is after all."""
    table_actions.leave_out(photo_id, number, out=request.form.get("out") == "yes")
    return _back(photo_id)


# --- What comes next -------------------------------------------------------------------------------


@blueprint.post("/t/<photo_id>/score")
def score(photo_id: str) -> ResponseReturnValue:
    """Rank the windows, and show the ranking."""
    try:
        game = table_actions.score(photo_id)
    except InputError as error:
        return photo_page(table_actions.load(photo_id), error)
    return redirect(url_for("games.reveal", code=game.code), 303)


@blueprint.post("/t/<photo_id>/seats")
def fill_seats(photo_id: str) -> ResponseReturnValue:
    """Give the seats of a game their windows."""
    wanted = {
        int(field.removeprefix("seat-")): whole(field)
        for field, value in request.form.items()
        if field.removeprefix("seat-").isdecimal() and value
    }
    try:
        game = table_actions.fill_seats(photo_id, wanted)
    except InputError as error:
        return photo_page(table_actions.load(photo_id), error)
    return redirect(url_for("games.table", code=game.code), 303)


@blueprint.post("/t/<photo_id>/target")
def put_target(photo_id: str) -> ResponseReturnValue:
    """Take the sum of the round track as the target of the solo game."""
    try:
        game = table_actions.put_target(photo_id)
    except InputError as error:
        return photo_page(table_actions.load(photo_id), error)
    return redirect(url_for("games.table", code=game.code), 303)


@blueprint.post("/t/<photo_id>/place")
def place(photo_id: str) -> ResponseReturnValue:
    """Ask where the dice of the pool may go: on a window of the photo, or on the one it is for."""
    photo = table_actions.load(photo_id)
    record_id = request.form.get("record") or (photo.target if photo.purpose is Purpose.POOL else None)
    if record_id is None:
        record_id = photos.begun_by_hand().id
    return cookies.remember(to_placement(photo, record_id), record_id)


@blueprint.post("/t/<photo_id>/delete")
def delete(photo_id: str) -> ResponseReturnValue:
    """Remove the photo with its windows for good."""
    table_actions.delete(photo_id)
    return redirect(url_for("pages.start"), 303)


@blueprint.post("/w/<record_id>/table")
def whole_table(record_id: str) -> ResponseReturnValue:
    """Read the rest of a photo of which one window was read, or none."""
    record = context.store().load(record_id)
    return to_photo(table_actions.take(record, Purpose.SCORE).id)
