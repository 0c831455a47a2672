"""Window cards as JSON: all that are known, and adding, changing and removing those of this house."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import request, url_for
from pydantic import Field

from scoring import WindowPattern
from scoring.patterns.custom import can_be_filled, check_spaces, check_window, custom_window
from webapp.api.answers import SpacesChecked, Window, Windows, WindowsTaken
from webapp.api.cards import card_json
from webapp.api.requests import NewWindow, SpacesQuestion, WindowChange, WindowFile
from webapp.api.section import Section, made_at
from webapp.services.errors import NotFoundError
from webapp.web import context, own_windows
from webapp.web.language import words

blueprint = Section(
    "windows_api",
    heading="Windows",
    about="The window cards of the game, and those that people of this house added.",
)

LARGEST_FILE = 250_000
REPLACE = Annotated[Literal["yes"], Field(description="Lets them take the place of others.")]


@blueprint.action("get", "/windows", "listWindows")
def show_all() -> Windows:
    """List the cards of the game, then the windows of this house."""
    return {"windows": [_answer(window) for window in context.known_windows().values()]}


@blueprint.action("post", "/windows", "addWindow", status=201, errors=[503])
def add(new: NewWindow) -> Window:
    """Add a window of one's own.

    The header `Location` names it.
    """
    window = own_windows.add(new.name, new.pattern, new.difficulty, tuple(new.names.items()))
    made_at(url_for("windows_api.show", window=window.name))
    return _answer(window)


@blueprint.action("get", "/windows/<window:window>", "getWindow", errors=[404])
def show(window: str) -> Window:
    """Get a window by its English name."""
    known = context.known_windows()
    if window not in set(known):
        raise NotFoundError("window_missing")
    return _answer(known[window])


@blueprint.action("put", "/windows/<window:window>", "changeWindow", errors=[403, 404, 503])
def change(wanted: WindowChange, window: str) -> Window:
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


@blueprint.action("delete", "/windows/<window:window>", "deleteWindow", errors=[403, 404, 503])
def remove(window: str) -> None:
    """Delete a window of one's own.

    Readings on it stay; their card counts as unknown until the window is added again.
    """
    own_windows.remove(window)


@blueprint.action("post", "/windows/check", "checkSpaces")
def check(spaces: SpacesQuestion) -> SpacesChecked:
    """Look for what is odd about the spaces of a window.

    Nothing is kept.
    """
    window = WindowPattern.parse(spaces.pattern, spaces.name)
    return {
        "pattern": str(window),
        "can_be_filled": can_be_filled(window),
        "notices": [words().say(notice) for notice in check_spaces(window, context.known_windows())],
    }


@blueprint.action("get", "/windows-file", "exportWindows", answer=WindowFile, errors=[503])
def export() -> dict[str, object]:
    """Get all windows of this house as a file.

    The form that `sagrada windows export` writes.
    """
    return own_windows.own().to_json()


@blueprint.action(
    "post",
    "/windows-file",
    "importWindows",
    size=LARGEST_FILE,
    query={"replace": REPLACE},
    errors=[503],
)
def take_in_file(file: WindowFile) -> WindowsTaken:
    """Add the windows of a file, all or none."""
    replacing = request.args.get("replace") == "yes"
    new, changed = own_windows.take_in_file(file.model_dump_json(by_alias=True), replacing=replacing)
    return {"added": new, "replaced": changed, "windows": len(own_windows.own().windows)}


def _answer(window: WindowPattern) -> Window:
    """Return a window as it is kept by now, with what there is to know about it."""
    known, say = context.known_windows(), words().say
    kept = known.get(window.name, window)
    return {
        **card_json(kept),
        "names": dict(kept.names),
        "can_be_filled": can_be_filled(kept),
        "notices": [say(notice) for notice in check_window(kept, known)] if kept.custom else [],
    }
