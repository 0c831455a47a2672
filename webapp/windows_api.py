"""Window cards as JSON: all that are known, and adding, changing and removing those of this house."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, jsonify, make_response, request, url_for

from scoring import ScoringError, WindowPattern
from scoring.custom_windows import custom_window
from scoring.errors import InvalidValueError
from scoring.words import sentence
from webapp import api_input, context, windows_actions, windows_view
from webapp.api import json_object
from webapp.errors import NotFoundError, answer
from webapp.window_store import WindowStoreError

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("windows_api", __name__, url_prefix="/api/v1")

KEYS = ("name", "pattern", "difficulty", "names")


@blueprint.errorhandler(ScoringError)
def refused(error: ScoringError) -> ResponseReturnValue:
    """Answer what the rules refuse."""
    return answer(windows_view.problem_of(error), HTTPStatus.BAD_REQUEST)


@blueprint.errorhandler(WindowStoreError)
def unusable(error: WindowStoreError) -> ResponseReturnValue:
    """Tell that the file cannot be used; why, only the log tells."""
    current_app.logger.warning("%s", error)
    return answer(windows_view.problem_of(error), HTTPStatus.SERVICE_UNAVAILABLE)


@blueprint.get("/windows")
def show_all() -> ResponseReturnValue:
    """Return the cards of the game, then the windows of this house."""
    known = context.known_windows()
    return jsonify(windows=[windows_view.plain(window, known) for window in known.values()])


@blueprint.post("/windows")
def add() -> ResponseReturnValue:
    """Add a window."""
    told = json_object()
    api_input.only_known(told, KEYS)
    difficulty = api_input.count(told, "difficulty")
    names = _names(told) or ()
    window = windows_actions.add(
        api_input.text(told, "name"), api_input.text(told, "pattern"), difficulty, names
    )
    response = _answer(window, HTTPStatus.CREATED)
    response.headers["Location"] = url_for("windows_api.show", window=window.name)
    return response


@blueprint.get("/windows/<window:window>")
def show(window: str) -> ResponseReturnValue:
    """Return a window by its English name."""
    known = context.known_windows()
    if window not in set(known):
        raise NotFoundError("window_missing")
    return _answer(known[window])


@blueprint.put("/windows/<window:window>")
def change(window: str) -> ResponseReturnValue:
    """Put another window in the place of one of this house; keys that are left out stay as they are."""
    told = json_object()
    api_input.only_known(told, KEYS)

    def changed(before: WindowPattern) -> WindowPattern:
        names = _names(told)
        return custom_window(
            api_input.text(told, "name", before.name),
            api_input.text(told, "pattern", str(before)),
            api_input.count(told, "difficulty") if "difficulty" in told else before.difficulty,
            names=before.names if names is None else names,
        )

    return _answer(windows_actions.change(window, changed))


@blueprint.delete("/windows/<window:window>")
def remove(window: str) -> ResponseReturnValue:
    """Remove a window of this house; readings on it stay."""
    windows_actions.remove(window)
    return make_response("", HTTPStatus.NO_CONTENT)


@blueprint.post("/windows/check")
def check() -> ResponseReturnValue:
    """Say what there is to know about the spaces of a window that is not kept."""
    told = json_object()
    api_input.only_known(told, ("name", "pattern"))
    name = api_input.text(told, "name", "Unnamed")
    return jsonify(windows_view.check(WindowPattern.parse(api_input.text(told, "pattern"), name)))


@blueprint.get("/windows-file")
def export() -> ResponseReturnValue:
    """Return the windows of this house in the form of the file that `sagrada windows export` writes."""
    return jsonify(windows_actions.own().to_json())


@blueprint.post("/windows-file")
def take_in_file() -> ResponseReturnValue:
    """Add the windows of an exported file, all or none."""
    told = json_object()
    replacing = request.args.get("replace") == "yes"
    new, changed = windows_actions.take_in_file(json.dumps(told), replacing=replacing)
    return jsonify(added=new, replaced=changed, windows=len(windows_actions.own().windows))


def _answer(window: WindowPattern, status: int = HTTPStatus.OK) -> Response:
    known = context.known_windows()
    return make_response(jsonify(windows_view.plain(known.get(window.name, window), known)), status)


def _names(told: dict[str, Any]) -> tuple[tuple[str, str], ...] | None:
    """Return the names in other languages, None when the key is left out."""
    names = told.get("names")
    if names is None:
        return None
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        what = sentence('"{key}" must be names by language code.', key="names")
        raise InvalidValueError("bad_request", what, api_input.NEXT_STEP)
    return tuple(names.items())
