"""How a visitor wants the page: language, light or dark, and which letters stand on the dice.

Each is chosen by a link such as ``?lang=fr`` or ``?theme=dark`` and kept in a cookie. Nothing chosen means
what the browser asks for, and the letters of the language.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar
from urllib.parse import quote

import flask_babel  # type: ignore[import-untyped]
from flask import Flask, Response, redirect, request

from scoring import Color, Die
from scoring.sentences import Words, minus
from scoring.words import LANGUAGES, STARTED
from webapp.domain.wording import words_for

COOKIE_AGE_S = 365 * 24 * 3600


def wants_json() -> bool:
    """Tell whether the caller is a program or a script of ours rather than a person's browser."""
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return request.is_json or best == "application/json"


def choose() -> str:
    """Return the code of the language for this request."""
    for wanted in (request.args.get("lang"), request.cookies.get(CHOICES["lang"][0])):
        if wanted in STARTED:
            return wanted
    return request.accept_languages.best_match(LANGUAGES, "en") or "en"


def current() -> str:
    """Return the code of the language in use."""
    return str(flask_babel.get_locale() or "en")


def words() -> Words:
    """Return the names and sentences of the game and of the companion in the visitor's language."""
    return words_for(current())


# Flask-Babel carries no type hints; these carry them, under the names that `pybabel extract` looks for.


def gettext(text: str, **values: Any) -> str:  # noqa: ANN401
    """Return ``text`` in the visitor's language, with ``%(name)s`` filled in."""
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, many: str, num: int, **values: Any) -> str:  # noqa: ANN401
    """Return the form of the text that goes with ``num`` in the visitor's language."""
    return str(flask_babel.ngettext(one, many, num, **values))


def lazy_gettext(text: str) -> Any:  # noqa: ANN401
    """Return something that becomes ``text`` in the visitor's language when it is shown."""
    return flask_babel.lazy_gettext(text)


def moment(when: datetime | str) -> str:
    """Return day and time in short form, in this computer's time zone and the visitor's language."""
    exact = datetime.fromisoformat(when) if isinstance(when, str) else when
    local = exact.astimezone().replace(tzinfo=None)
    return str(flask_babel.format_datetime(local, "short", rebase=False))


def one_place(number: float) -> str:
    """Return a number with one decimal place as the visitor's language writes it, and with a real minus."""
    return minus(flask_babel.format_decimal(number, "0.0"))


def list_separator() -> str:
    """Return the sign at which spreadsheets in the visitor's language part the cells of a CSV file."""
    # Excel parts them only at the sign with which its country makes lists: a semicolon where a comma parts
    # decimals (French, Russian), else a comma. Other spreadsheets take either. A first line "sep=;" would
    # serve every Excel, but makes it overlook the mark of UTF-8, and is a row of the table elsewhere.
    return ";" if "," in one_place(0.5) else ","


def die_words(die: Die | None) -> str:
    """Return a die as people say it, such as "red 3"."""
    return gettext("empty") if die is None else words().name(die)


def cell_label(name: str, what: str, *, doubtful: bool) -> str:
    """Return what a screen reader says for a space on which that lies or is printed."""
    if doubtful:
        return gettext("%(cell)s: %(die)s, doubtful", cell=name, die=what)
    return gettext("%(cell)s: %(die)s", cell=name, die=what)


class Theme(Enum):
    """Light or dark; ``DEVICE`` leaves it to the device."""

    DEVICE = "device"
    LIGHT = "light"
    DARK = "dark"


class Letters(Enum):
    """What stands on the dice: the letters of the notation, or those of the visitor's language."""

    LANGUAGE = "language"
    NOTATION = "notation"


Look = TypeVar("Look", Theme, Letters)

CHOICES: Mapping[str, tuple[str, Collection[str]]] = {
    "lang": ("language", STARTED),
    "theme": ("theme", {one.value for one in Theme}),
    "letters": ("letters", {one.value for one in Letters}),
}
"""What can be chosen behind the question mark of an address: the cookie that keeps it, and the values."""


def theme() -> Theme:
    """Return whether this visitor wants the page light or dark."""
    return _wanted("theme", Theme.DEVICE)


def letters() -> Letters:
    """Return which letters this visitor wants on the dice."""
    return _wanted("letters", Letters.LANGUAGE)


def _wanted(name: str, default: Look) -> Look:
    value = request.args[name] if _asked(name) else request.cookies.get(name)
    return next((one for one in type(default) if one.value == value), default)


def _asked(name: str) -> bool:
    return not wants_json() and request.args.get(name) in CHOICES[name][1]


def letter(sign: str) -> str:
    """Return what is drawn on a die or a space of a color, given as the letter of the notation."""
    return letters_of(current())[Color(sign)] if letters() is Letters.LANGUAGE else sign


@cache
def letters_of(language: str) -> dict[Color, str]:
    """Return the beginning of each color's name, of two letters where one would stand for two colors.

    >>> "".join(letters_of("en").values()), letters_of("fr")[Color.GREEN], letters_of("fr")[Color.RED]
    ('RYGBP', 'Ve', 'R')
    """
    names = {color: words_for(language).name(color).capitalize() for color in Color}
    firsts = [name[0] for name in names.values()]
    return {color: name[: 1 if firsts.count(name[0]) == 1 else 2] for color, name in names.items()}


def keys() -> dict[str, str]:
    """Return which keys stand for which color: the letters of the notation, and those on the dice."""
    drawn = {letter(color.value): color.value for color in Color}
    return {
        **{sign: color for sign, color in drawn.items() if len(sign) == 1},
        **{one.value: one.value for one in Color},
    }


LOOKS = {one.__name__: one for one in (theme, letters, letter, letters_of)}
"""What templates ask."""


def register(app: Flask) -> None:
    """Set up translations for ``app``, and keep what was chosen in a cookie."""
    flask_babel.Babel(app, locale_selector=choose, default_translation_directories="translations")
    app.add_template_filter(letter, "letter")

    @app.after_request
    def remember(response: Response) -> Response:
        for name, (cookie, _) in CHOICES.items():
            if _asked(name) and request.args[name] != request.cookies.get(cookie):
                response.set_cookie(cookie, request.args[name], max_age=COOKIE_AGE_S, samesite="Lax")
        return response

    @app.before_request
    def without_question() -> Response | None:
        """Send a page that was asked for with a choice alone to its plain address."""
        if request.method == "GET" and len(request.args) == 1 and any(map(_asked, CHOICES)):
            return redirect("/" + quote(request.path.lstrip("/")))  # type: ignore[return-value]
        return None
