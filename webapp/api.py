"""The JSON interface that the scripts on the page speak."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, make_response, render_template, request, url_for

from webapp import changes, context, cookies, photos, present
from webapp.errors import InputError
from webapp.storage import Record

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("api", __name__, url_prefix="/api")

REGIONS = ("board", "overlay", "card", "doubts", "window", "score", "problems")


@blueprint.post("/readings")
def create() -> ResponseReturnValue:
    """Take in a photo; the answer says where its page is, also when the photo could not be read."""
    record = photos.take_in(uploaded(), cookies.table_choices())
    response = jsonify(url=url_for("pages.show", record_id=record.id), read=record.failure is None)
    response.status_code = 201
    return cookies.remember(response, record.id)


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


def answer(record: Record) -> Response:
    """Return the state for the scripts, with the parts of the page that depend on it."""
    shown = present.state(record)
    regions = {name: render_template(f"_{name}.html", state=shown) for name in REGIONS}
    return make_response(jsonify(**present.public_state(shown), regions=regions))


def json_object() -> dict[str, Any]:
    """Return the JSON object that was sent, or raise `InputError`."""
    told = request.get_json(silent=True)
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
