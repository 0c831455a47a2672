"""How a refusal reaches people and programs: the one place that knows HTTP statuses and the shape of errors.

Every answer that is an error carries ``{"error": {"code", "message", "next_step"}}``, with ``data`` where
there are any, when the caller asked for JSON, and a page with the same sentence and next step when it is a
browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from scoring.errors import SagradaError
from scoring.sentences import english
from webapp.domain.errors import (
    BrokenRecordError,
    BusyError,
    CompanionError,
    ConflictError,
    ForbiddenError,
    FullError,
    InputError,
    NotFoundError,
    StoreError,
    TooManyError,
    UnreadPhotoError,
)
from webapp.domain.wording import words_for
from webapp.http.preferences import current, wants_json
from webapp.server.bridge import REFUSED
from webapp.storage.files import is_full

Problem = Mapping[str, object]
"""An error in the visitor's language: ``code``, ``message``, ``next_step``, and ``data`` if there are any."""


class MisdirectedError(ForbiddenError):
    """The page was opened under a name that is none of this computer's."""


class MediaTypeError(InputError):
    """The request is not written in the form that the address takes, such as JSON."""


class NotAcceptableError(InputError):
    """The page has no other face than HTML."""


class TooLargeError(InputError):
    """More was sent than the address takes."""


STATUSES: dict[type[BaseException], HTTPStatus] = {
    SagradaError: HTTPStatus.BAD_REQUEST,
    MediaTypeError: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    NotAcceptableError: HTTPStatus.NOT_ACCEPTABLE,
    TooLargeError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    UnreadPhotoError: HTTPStatus.UNPROCESSABLE_ENTITY,
    NotFoundError: HTTPStatus.NOT_FOUND,
    ForbiddenError: HTTPStatus.FORBIDDEN,
    MisdirectedError: HTTPStatus.MISDIRECTED_REQUEST,
    ConflictError: HTTPStatus.CONFLICT,
    TooManyError: HTTPStatus.TOO_MANY_REQUESTS,
    BusyError: HTTPStatus.SERVICE_UNAVAILABLE,
    FullError: HTTPStatus.INSUFFICIENT_STORAGE,
    BrokenRecordError: HTTPStatus.INTERNAL_SERVER_ERROR,
    StoreError: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""The status of each kind of error; the nearest class counts."""

FORM_BYTES = 32_000
"""The most bytes of a form without files; that with all dice of a window needs a fifth."""
FIELD_BYTES = 200_000
"""The most bytes of one field beside a file, more than the pieces in which forms are taken apart."""

AGAIN_AFTER_S = 5  # where nothing else is known

HTTP_CODES = {
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "upload_too_large",
    HTTPStatus.METHOD_NOT_ALLOWED: "not_found",
}


def status_of(error: SagradaError) -> HTTPStatus:
    """Return the status of the answer that says why something was refused."""
    return next(STATUSES[kind] for kind in type(_meant(error)).mro() if kind in STATUSES)


def problem_of(error: SagradaError) -> Problem:
    """Return an error as it is shown, in the visitor's language.

    What is wrong with the files of this computer names them, so only the log says it.
    """
    error = _meant(error)
    if isinstance(error, StoreError):
        current_app.logger.warning("%s", error)
        what = next(
            (one for one in ("profiles", "tools", "database") if error.code.startswith(one)), "windows"
        )
        error = CompanionError(f"{what}_busy" if error.code.endswith("_busy") else f"{what}_unusable")
    return error.to_json(words_for(current()))


def _meant(error: SagradaError) -> SagradaError:
    """Return the error; that of a file which could not be written is about the disk where that is full."""
    because = error.__cause__
    is_about_the_disk = isinstance(error, StoreError) and isinstance(because, OSError) and is_full(because)
    return FullError("disk_full") if is_about_the_disk else error


def answer(problem: Problem, status: int) -> Response:
    """Return the error as JSON or as a page, whichever was asked for."""
    if status >= HTTPStatus.TOO_MANY_REQUESTS:
        request.environ[REFUSED] = str(problem["code"])
    shown = jsonify(error=problem) if wants_json() else render_template("error.html", problem=problem)
    response = make_response(shown, status)
    if status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        data = problem.get("data")
        wait_s = data.get("wait_s") if isinstance(data, Mapping) else None
        response.headers["Retry-After"] = str(wait_s or AGAIN_AFTER_S)
    return response


def form_too_large(most_bytes: int) -> TooLargeError:
    """Return the refusal of a request without a file that is larger than so many bytes."""
    what = english("This request is larger than {kilobytes} kB.", kilobytes=most_bytes // 1000)
    why = SagradaError("request_too_large", what, english("Send less at once."))
    return TooLargeError("request_too_large", why)


def _bound_of_form() -> int | None:
    """Return what a form that is too large was held against; None where the whole with its file is."""
    if request.mimetype != "multipart/form-data":
        return FORM_BYTES
    is_whole = (request.content_length or 0) > current_app.config["MAX_CONTENT_LENGTH"]
    return None if is_whole else FIELD_BYTES


def register(app: Flask) -> None:
    """Teach ``app`` to answer every error in the one shape."""

    @app.errorhandler(SagradaError)
    def refused(error: SagradaError) -> ResponseReturnValue:
        return answer(problem_of(error), status_of(error))

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> ResponseReturnValue:
        if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
            return error
        code = HTTP_CODES.get(HTTPStatus(error.code), "bad_request")
        if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            code = "internal"
        if error.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and (most_bytes := _bound_of_form()):
            return refused(form_too_large(most_bytes))
        if not isinstance(error, MethodNotAllowed) or not wants_json():
            return answer(problem_of(CompanionError(code)), error.code)
        response = answer(problem_of(CompanionError("method_not_allowed")), error.code)
        response.allow.update(error.valid_methods or ())
        return response

    @app.errorhandler(OSError)
    def of_the_system(error: OSError) -> ResponseReturnValue:
        return refused(FullError("disk_full")) if is_full(error) else unexpected(error)

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> ResponseReturnValue:
        if app.config["TESTING"]:
            raise error
        # The pattern of the address: the address itself may hold the secret id of a window.
        current_app.logger.error("unexpected error on %s", request.url_rule, exc_info=error)
        return answer(problem_of(CompanionError("internal")), HTTPStatus.INTERNAL_SERVER_ERROR)
