"""Window cards as JSON: all that are known, and adding, changing and removing those of this house."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Literal

from flask import Response, jsonify, make_response, request, url_for
from pydantic import Field

from scoring import WindowPattern
from scoring.windows.custom import can_be_filled, check_spaces, check_window, custom_window
from webapp.api import answers
from webapp.api.requests import NewWindow, SpacesQuestion, WindowChange, WindowFile
from webapp.api.section import Section
from webapp.companion.errors import NotFoundError
from webapp.web import context, own_windows
from webapp.web.language import words

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Section(
    "windows_api",
    __name__,
    heading="Windows",
    about="The window cards of the game, and those that people of this house added.",
)

LARGEST_FILE = 1_000_000
REPLACE = Annotated[Literal["yes"], Field(description="Lets them take the place of others.")]


@blueprint.action("get", "/windows", "listWindows", {200: answers.Windows})
def show_all() -> ResponseReturnValue:
    """List the cards of the game, then the windows of this house."""
    known = context.known_windows()
    return jsonify(windows=[plain(window, known) for window in known.values()])


@blueprint.action("post", "/windows", "addWindow", {201: answers.Window}, takes=NewWindow, errors=[503])
def add(new: NewWindow) -> ResponseReturnValue:
    """Add a window of one's own.

    The header `Location` names it.
    """
    window = own_windows.add(new.name, new.pattern, new.difficulty, tuple(new.names.items()))
    response = _answer(window, HTTPStatus.CREATED)
    response.headers["Location"] = url_for("windows_api.show", window=window.name)
    return response


@blueprint.action("get", "/windows/<window:window>", "getWindow", {200: answers.Window}, errors=[404])
def show(window: str) -> ResponseReturnValue:
    """Get a window by its English name."""
    known = context.known_windows()
    if window not in set(known):
        raise NotFoundError("window_missing")
    return _answer(known[window])


@blueprint.action(
    "put",
    "/windows/<window:window>",
    "changeWindow",
    {200: answers.Window},
    takes=WindowChange,
    errors=[404, 503],
)
def change(wanted: WindowChange, window: str) -> ResponseReturnValue:
    """Change a window of one's own.

    Keys that are left out stay as they are. Readings on it go along with another name.
    """
    sent = wanted.sent()

    def changed(before: WindowPattern) -> WindowPattern:
        return custom_window(
            sent.get("name", before.name),
            sent.get("pattern", str(before)),
            sent.get("difficulty", before.difficulty),
            names=tuple(sent["names"].items()) if "names" in sent else before.names,
        )

    return _answer(own_windows.change(window, changed))


@blueprint.action("delete", "/windows/<window:window>", "deleteWindow", {204: None}, errors=[404, 503])
def remove(window: str) -> ResponseReturnValue:
    """Delete a window of one's own.

    Readings on it stay; their card counts as unknown until the window is added again.
    """
    own_windows.remove(window)
    return make_response("", HTTPStatus.NO_CONTENT)


@blueprint.action(
    "post", "/windows/check", "checkSpaces", {200: answers.SpacesChecked}, takes=SpacesQuestion
)
def check(spaces: SpacesQuestion) -> ResponseReturnValue:
    """Look for what is odd about the spaces of a window.

    Nothing is kept.
    """
    window = WindowPattern.parse(spaces.pattern, spaces.name)
    return jsonify(
        pattern=str(window),
        can_be_filled=can_be_filled(window),
        notices=[words().say(notice) for notice in check_spaces(window, context.known_windows())],
    )


@blueprint.action("get", "/windows-file", "exportWindows", {200: answers.WindowsAsFile}, errors=[503])
def export() -> ResponseReturnValue:
    """Get all windows of this house as a file.

    The form that `sagrada windows export` writes.
    """
    return jsonify(own_windows.own().to_json())


@blueprint.action(
    "post",
    "/windows-file",
    "importWindows",
    {200: answers.WindowsTaken},
    takes=WindowFile,
    size=LARGEST_FILE,
    query={"replace": REPLACE},
    errors=[503],
)
def take_in_file(file: WindowFile) -> ResponseReturnValue:
    """Add the windows of a file, all or none."""
    replacing = request.args.get("replace") == "yes"
    new, changed = own_windows.take_in_file(file.model_dump_json(by_alias=True), replacing=replacing)
    taken: answers.WindowsTaken = {
        "added": new,
        "replaced": changed,
        "windows": len(own_windows.own().windows),
    }
    return jsonify(taken)


def _answer(window: WindowPattern, status: int = HTTPStatus.OK) -> Response:
    known = context.known_windows()
    return make_response(jsonify(plain(known.get(window.name, window), known)), status)


def plain(window: WindowPattern, known: Mapping[str, WindowPattern]) -> dict[str, Any]:
    """Return a window for programs."""
    say = words().say
    return {
        "name": window.name,
        "label": words().name(window),
        "pattern": str(window),
        "difficulty": window.difficulty,
        "other_side": window.other_side,
        "names": dict(window.names),
        "promo": window.promo,
        "custom": window.custom,
        "can_be_filled": can_be_filled(window),
        "notices": [say(notice) for notice in check_window(window, known)] if window.custom else [],
    }
