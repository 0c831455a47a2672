"""Photos in pieces as JSON: to begin, to ask how much is here, and to go on."""

from __future__ import annotations

from typing import Annotated, cast

from flask import Flask, current_app, request, url_for
from flask.blueprints import BlueprintSetupState
from pydantic import Field
from typing_extensions import TypedDict
from werkzeug.exceptions import RequestEntityTooLarge

from scoring.errors import SagradaError
from scoring.sentences import sentence
from webapp.api.body import NEXT_STEP, Body
from webapp.api.section import Section, made_at
from webapp.companion.errors import InputError
from webapp.web.errors import MediaTypeError, TooLargeError, form_too_large
from webapp.web.uploads import PIECE_BYTES, Upload, largest, uploads

MIMETYPE = "application/offset+octet-stream"
OFFSET = "Upload-Offset"
MOST_BYTES = 2**31 - 1  # whatever the settings say; they bound it first

blueprint = Section(
    "uploads_api",
    "/uploads",
    heading="Uploads",
    about="A photo on its way in pieces, after the idea of tus.io, for connections that break. Begin one, "
    f"send piece after piece of at most {PIECE_BYTES} bytes, and after a failure ask how much is here. "
    "Wherever a form takes a `photo`, it takes in its place the field `upload` with the id of a photo that "
    "is here as a whole; then it is deleted. What nobody takes is deleted after a day, or when too many "
    "others come.",
)


class NewUpload(Body):
    """A photo that is to come."""

    size: Annotated[int, Field(ge=1, le=MOST_BYTES)]
    """How many bytes it has."""


class UploadLinks(TypedDict):
    """Where the pieces go."""

    self: str
    """This upload: to ask, and to go on."""


class UploadState(TypedDict):
    """A photo on its way."""

    id: str
    """Its id, for the field `upload` of a form; whoever knows it may go on with it."""
    received: int
    """How many bytes of it are here."""
    size: int
    """How many bytes it has."""
    links: UploadLinks
    """Where the pieces go."""


@blueprint.action("post", "", "beginUpload", status=201)
def begin(wanted: NewUpload) -> UploadState:
    """Begin to send a photo in pieces.

    The header `Location` says where the pieces go.
    """
    most = largest()
    if most is not None and wanted.size > most:
        raise TooLargeError("upload_too_large")
    made = _answer(uploads().begin(wanted.size))
    made_at(made["links"]["self"])
    return made


@blueprint.action("get", "/<upload_id>", "getUpload", errors=[404])
def show(upload_id: str) -> UploadState:
    """Ask how much of a photo is here."""
    return _answer(uploads().find(upload_id))


@blueprint.action("patch", "/<upload_id>", "continueUpload", errors=[400, 404, 409, 413, 415])
def go_on(upload_id: str) -> UploadState:
    """Send the next piece of a photo.

    The body is the bytes themselves, of the type `application/offset+octet-stream`, 524288 at most. The
    header `Upload-Offset` says how many bytes come before them; when other than so many are here the answer
    is 409, and `received` in its `data` says from where to go on.
    """
    if request.mimetype != MIMETYPE:
        what = sentence("Send this as {kind}.", kind=MIMETYPE)
        raise MediaTypeError("not_bytes", SagradaError("not_bytes", what, NEXT_STEP))
    upload = uploads().find(upload_id)
    offset = _offset(upload)
    request.max_content_length = PIECE_BYTES
    try:
        piece = request.get_data()
    except RequestEntityTooLarge:
        raise form_too_large(PIECE_BYTES) from None
    return _answer(uploads().add(upload_id, offset, piece))


@blueprint.record_once
def clean_up(state: BlueprintSetupState) -> None:
    """Remove at the start what nobody took."""
    with cast("Flask", state.app).app_context():
        try:
            uploads().clean_up()
        except OSError as error:  # no reason not to start
            current_app.logger.warning("Photos on their way cannot be looked through (%s).", error.strerror)


def _offset(upload: Upload) -> int:
    """Return how many bytes come before the piece that is sent."""
    told = request.headers.get(OFFSET, "")
    if told.isascii() and told.isdigit() and len(told) <= len(str(MOST_BYTES)):
        return int(told)
    what = sentence(
        '"{key}" must be a whole number from {least} to {most}.', key=OFFSET, least=0, most=upload.size
    )
    raise InputError("bad_request", SagradaError("bad_request", what, NEXT_STEP))


def _answer(upload: Upload) -> UploadState:
    return {
        "id": upload.id,
        "received": upload.received,
        "size": upload.size,
        "links": {"self": url_for("uploads_api.show", upload_id=upload.id)},
    }
