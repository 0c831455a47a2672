"""What can go wrong on the page, and the one JSON shape in which it is told.

::

    WebError
    |-- NotFoundError    there is no such reading, photo or sample
    |-- ConflictError    another tab changed the same thing first
    |-- RefusedError     the request comes from another site
    |-- MisdirectedError the page was opened under a name that is not of this house
    |-- TooManyError     somebody tries out codes
    |-- MediaTypeError   the request is not written in the form that the address takes
    |-- InputError       the request says something that makes no sense
    `-- BrokenRecordError   a file on the disk cannot be understood

Every answer that is an error carries ``{"error": {"code", "message", "next_step"}}`` when the
caller asked for JSON, and a page with the same sentence and next step when it is a browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from scoring import ScoringError
from vision.errors import VisionError
from webapp import error_words
from webapp.language import is_for_programs

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue


class WebError(Exception):
    """The root of everything that the web page refuses; ``code`` picks the translated sentence.

    Parameters
    ----------
    code
        The machine-readable reason.
    why
        What the rules say about it, where they refused it: they know more than the sentence of the code.
    """

    status = HTTPStatus.BAD_REQUEST

    def __init__(self, code: str, why: ScoringError | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.why = why


class NotFoundError(WebError):
    """There is no such reading, photo or sample."""

    status = HTTPStatus.NOT_FOUND


class ConflictError(WebError):
    """Another tab or phone changed the same thing first."""

    status = HTTPStatus.CONFLICT


class RefusedError(WebError):
    """The request comes from a page of another site."""

    status = HTTPStatus.FORBIDDEN


class MisdirectedError(WebError):
    """The page was opened under a name that is not of this house."""

    status = HTTPStatus.MISDIRECTED_REQUEST


class TooManyError(WebError):
    """Somebody named too many codes that no game has."""

    status = HTTPStatus.TOO_MANY_REQUESTS


class MediaTypeError(WebError):
    """The request is not written in the form that the address takes, such as JSON."""

    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class InputError(WebError):
    """The request says something that makes no sense, for example an unknown color."""


@contextmanager
def in_words_of_the_rules(code: str = "bad_request") -> Iterator[None]:
    """Turn what the rules refuse into an `InputError` that says in their words what is wrong, and where."""
    try:
        yield
    except ScoringError as error:
        raise InputError(code, error) from error


class BrokenRecordError(WebError):
    """A stored reading cannot be understood."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR


HTTP_CODES = {
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "upload_too_large",
    HTTPStatus.METHOD_NOT_ALLOWED: "not_found",
}


def wants_json() -> bool:
    """Tell whether the caller is a program or a script of ours rather than a person's browser."""
    if is_for_programs():
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return best == "application/json"


def answer(problem: dict[str, str], status: int) -> Response:
    """Return the error as JSON or as a page, whichever was asked for.

    Parameters
    ----------
    problem
        ``code``, ``message`` and ``next_step``, already in the reader's language.
    status
        The HTTP status.
    """
    if wants_json():
        response = jsonify(error=problem)
    else:
        response = make_response(render_template("error.html", problem=problem))
    response.status_code = status
    return response


def register(app: Flask) -> None:
    """Teach ``app`` to answer every error in the one shape."""

    @app.errorhandler(WebError)
    def web_error(error: WebError) -> ResponseReturnValue:
        if error.why is not None:
            return answer(error_words.refused_by_rules(error.why, error.code), error.status)
        return answer(error_words.problem(error.code), error.status)

    @app.errorhandler(VisionError)
    def vision_error(error: VisionError) -> ResponseReturnValue:
        problem = error_words.problem(error.code, error.message, error.next_step)
        return answer(problem, HTTPStatus.UNPROCESSABLE_ENTITY)

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> ResponseReturnValue:
        if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
            return error
        code = HTTP_CODES.get(HTTPStatus(error.code), "bad_request")
        if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            code = "internal"
        if not isinstance(error, MethodNotAllowed) or not wants_json():
            return answer(error_words.problem(code), error.code)
        response = answer(error_words.problem("method_not_allowed"), error.code)
        response.allow.update(error.valid_methods or ())
        return response

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> ResponseReturnValue:
        if app.config["TESTING"]:
            raise error
        # The pattern of the address: the address itself may hold the secret id of a window.
        current_app.logger.error("unexpected error on %s", request.url_rule, exc_info=error)
        return answer(error_words.problem("internal"), HTTPStatus.INTERNAL_SERVER_ERROR)
