"""Readings as JSON: the same actions as on the pages, for our own scripts and for other programs.

What each action takes and answers is described in `webapp.openapi`, and a test holds that it is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, jsonify, make_response, request

from scoring import Board
from webapp import changes, context, cookies, game_access, photos, present
from webapp.api_reading import answer, links, made
from webapp.errors import InputError, MediaTypeError
from webapp.storage import EMPTY_BOARD

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")


@blueprint.get("/readings")
def last() -> ResponseReturnValue:
    """List the last readings of this browser, which the cookie ``recent`` names."""
    known = context.store().load_known(cookies.recent())
    listed = [
        {
            "id": record.id,
            "created": record.created,
            "board": record.board,
            "total": present.summary(record)["total"],
            "links": links(record),
        }
        for record in known
    ]
    return jsonify(readings=listed)


@blueprint.post("/readings")
def create() -> ResponseReturnValue:
    """Take in a photo, also one that cannot be read; or the dice as JSON, for a window without a photo."""
    if request.is_json:
        board = json_object().get("board", EMPTY_BOARD)
        if not isinstance(board, str):
            raise InputError("bad_request")
        changes.whole_board(board)  # refuses what is no board
        choices = cookies.table_choices()
        record = context.store().create({}, choices=choices, board=str(Board.parse(board)))
    else:
        choices = photos.choices_for_next(request.form.get("card_of"))
        record = photos.take_in(uploaded(), choices, for_card=request.form.get("only_the_card") == "yes")
    return made(record)


@blueprint.get("/readings/<record_id>")
def show(record_id: str) -> ResponseReturnValue:
    """Return the newest state."""
    return answer(context.store().load(record_id))


@blueprint.patch("/readings/<record_id>")
def change(record_id: str) -> ResponseReturnValue:
    """Change dice and choices, made on the revision that the caller saw."""
    told = json_object()
    cells, choices, checked = told.get("cells", {}), told.get("choices", {}), told.get("checked", [])
    unchecked = told.get("unchecked", [])
    if not isinstance(cells, dict) or not isinstance(choices, dict):
        raise InputError("bad_request")
    if not isinstance(checked, list) or not isinstance(unchecked, list):
        raise InputError("bad_request")
    if "public" in choices and game_access.game_of(record_id):
        raise InputError("table_decides")
    revision = whole(told.get("revision"))
    record = context.store().update(
        record_id,
        lambda newest: changes.apply(
            newest, revision, cells=cells, checked=checked, choices=choices, unchecked=unchecked
        ),
    )
    response = answer(record)
    if "public" in choices:
        cookies.remember_table(response, record.choices)
    return response


@blueprint.delete("/readings/<record_id>")
def delete(record_id: str) -> ResponseReturnValue:
    """Remove a reading and its photo for good."""
    if game_access.game_of(record_id):
        raise InputError("window_of_a_seat")
    context.store().delete(record_id)
    return make_response("", 204)


@blueprint.post("/readings/<record_id>/by-hand")
def by_hand(record_id: str) -> ResponseReturnValue:
    """Go on by hand beside a photo that could not be read."""
    return answer(context.store().update(record_id, changes.by_hand))


@blueprint.post("/readings/<record_id>/turn")
def turn(record_id: str) -> ResponseReturnValue:
    """Show the window the other way up."""
    revision = whole(json_object().get("revision"))
    return answer(context.store().update(record_id, lambda newest: changes.turn(newest, revision)))


@blueprint.post("/readings/<record_id>/corners")
def put_corners(record_id: str) -> ResponseReturnValue:
    """Read the photo again with corners set by hand."""
    told = json_object()
    revision = whole(told["revision"]) if "revision" in told else None
    return answer(
        photos.read_again(context.store().load(record_id), changes.corners(told.get("corners")), revision)
    )


@blueprint.delete("/readings/<record_id>/corners")
def take_back_corners(record_id: str) -> ResponseReturnValue:
    """Go back to the reading that stood before the corners were set by hand."""
    revision = whole(json_object().get("revision"))
    return answer(context.store().update(record_id, lambda newest: changes.before_corners(newest, revision)))


def json_object() -> dict[str, Any]:
    """Return the JSON object that was sent, or raise `InputError`."""
    if request.mimetype and not request.is_json:
        raise MediaTypeError("not_json")
    try:
        told = request.get_json(silent=True)
    except RecursionError as error:
        raise InputError("bad_request") from error
    if not isinstance(told, dict):
        raise InputError("bad_request")
    return told


def whole(number: object) -> int:
    """Return a whole number that was sent, or raise `InputError`."""
    if type(number) is not int:
        raise InputError("bad_request")
    return number


def uploaded() -> bytes:
    """Return the bytes of the first photo in the form; there are two inputs, for camera and gallery."""
    for upload in request.files.getlist("photo"):
        content: bytes = upload.read()
        if content:
            return content
    raise InputError("photo_missing")
