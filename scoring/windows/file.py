"""Custom windows as JSON, to be stored and handed on.

The form::

    {"format": "sagrada-windows", "schema": 1, "windows": [
      {"name": "Four Corners", "difficulty": 3, "cells": "R...B / ..... / ..... / 1...6",
       "other_side": null, "names": {"fr": "Quatre coins"}}]}

Of a window only ``name`` and ``cells`` have to be there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from scoring.errors import InvalidValueError, ScoringError
from scoring.sentences import Sentence, sentence
from scoring.windows.custom import custom_window
from scoring.windows.patterns import WindowPattern

FORMAT = "sagrada-windows"
SCHEMA = 1
GIVE_AN_EXPORT = sentence("Give a file that was exported by this program.")


def windows_to_json(windows: Iterable[WindowPattern]) -> dict[str, object]:
    """Return the windows as plain data."""
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "windows": [
            {
                "name": window.name,
                "difficulty": window.difficulty,
                "cells": str(window),
                "other_side": window.other_side,
                "names": dict(window.names),
            }
            for window in windows
        ],
    }


def windows_to_text(windows: Iterable[WindowPattern]) -> str:
    """Return the windows as the text of a file."""
    return json.dumps(windows_to_json(windows), ensure_ascii=False, indent=1) + "\n"


def windows_from_json(data: object) -> tuple[WindowPattern, ...]:
    """Return the windows that `windows_to_json` wrote.

    Raises
    ------
    ScoringError
        The data are no windows; the code says why, see `InvalidValueError`.
    """
    rest = _content(data)
    entries = rest.pop("windows", None)
    if rest:
        raise _unknown_key(
            sentence("The file has something unknown in it: {keys}.", keys=sorted(map(repr, rest)))
        )
    if not isinstance(entries, list):
        raise InvalidValueError(
            "bad_entry",
            sentence("The windows are not a list."),
            sentence('Give a list under "windows", [] for none.'),
        )
    return tuple(_window_of(entry, number) for number, entry in enumerate(entries, start=1))


def windows_from_text(text: str) -> tuple[WindowPattern, ...]:
    """Return the windows in the text of a file; see `windows_from_json`."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        what = sentence(
            "This is not JSON: look at line {line}, column {column}.", line=error.lineno, column=error.colno
        )
        raise _not_json(what) from error
    except (ValueError, RecursionError) as error:
        raise _not_json(sentence("This is not JSON: something in it is too long or too deep.")) from error
    return windows_from_json(data)


def _content(data: object) -> dict[str, Any]:
    """Return what the data hold beside format and schema."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidValueError(
            "not_a_window_file",
            sentence("This is no collection of windows."),
            sentence(
                'Give a file that was exported by this program; it says "format": "{format}".', format=FORMAT
            ),
        )
    schema = data.get("schema")
    if type(schema) is int and schema > SCHEMA:
        raise InvalidValueError(
            "newer_schema",
            sentence(
                "These windows were written by a newer version of the program (schema {schema}).",
                schema=schema,
            ),
            sentence("Update the program and try again."),
        )
    if type(schema) is not int or schema != SCHEMA:
        raise InvalidValueError(
            "unknown_schema",
            sentence("There is no schema {found} of a collection of windows.", found=repr(schema)),
            sentence('Write "schema": {newest}, or export the windows anew.', newest=SCHEMA),
        )
    return {key: value for key, value in data.items() if key not in ("format", "schema")}


def _window_of(entry: object, number: int) -> WindowPattern:
    """Return the window of one entry; errors say which entry is wrong, counted from 1."""
    if not isinstance(entry, dict):
        raise InvalidValueError(
            "bad_entry",
            sentence("Window {number} is no object.", number=number),
            sentence("Give a name and cells for each window."),
        )
    fields: dict[str, Any] = {"difficulty": None, "other_side": None, "names": {}, **entry}
    kinds: dict[str, type | tuple[type, ...]] = {
        "name": str, "cells": str, "difficulty": object, "other_side": (str, type(None)), "names": dict,
    }  # fmt: skip
    for key, kind in kinds.items():
        if not isinstance(fields.get(key), kind):
            raise InvalidValueError(
                "bad_entry",
                sentence('Window {number} has no proper "{key}".', number=number, key=key),
                sentence("Compare it with an exported file."),
            )
    if fields.keys() - kinds:
        unknown = sorted(map(repr, fields.keys() - kinds))
        raise _unknown_key(
            sentence("Window {number} has something unknown in it: {keys}.", number=number, keys=unknown)
        )
    if not all(isinstance(name, str) for name in fields["names"].values()):
        raise InvalidValueError(
            "bad_entry",
            sentence("Window {number} has a name that is no text.", number=number),
            sentence("Give a text for each language."),
        )
    try:
        return custom_window(
            fields["name"],
            fields["cells"],
            fields["difficulty"],
            other_side=fields["other_side"],
            names=fields["names"].items(),
            known={},
        )
    except ScoringError as error:
        where = sentence("Window {number}: {mistake}", number=number, mistake=error.sentence)
        raise type(error)(error.code, where, error.advice, error.data) from error


def _not_json(what: Sentence) -> InvalidValueError:
    """Return the error for a text that cannot be taken apart."""
    return InvalidValueError("not_json", what, GIVE_AN_EXPORT)


def _unknown_key(what: Sentence) -> InvalidValueError:
    """Return the error for keys that a newer program or a slip of the finger brought in."""
    return InvalidValueError("unknown_key", what, sentence("Take it out, or correct its spelling."))
