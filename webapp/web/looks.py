"""How a visitor wants the page drawn: light or dark, and which letters stand on the dice.

Like a language, each is chosen by a link such as ``?theme=dark`` and kept in a cookie. Nothing chosen means
what the device asks for, and the letters of the language.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cache

from flask import Flask, Response, redirect, request

from scoring import Color
from webapp.services.wording import words_for
from webapp.web.language import COOKIE_AGE_S, current, plain_address, wants_json


class Theme(Enum):
    """Light or dark; ``DEVICE`` leaves it to the device."""

    DEVICE = "device"
    LIGHT = "light"
    DARK = "dark"


class Letters(Enum):
    """What stands on the dice: the letters of the notation, or those of the visitor's language."""

    LANGUAGE = "language"
    NOTATION = "notation"


CHOICES: Mapping[str, type[Theme | Letters]] = {"theme": Theme, "letters": Letters}


def theme() -> Theme:
    """Return whether this visitor wants the page light or dark."""
    return next((one for one in Theme if one.value == _wanted("theme")), Theme.DEVICE)


def letters() -> Letters:
    """Return which letters this visitor wants on the dice."""
    return next((one for one in Letters if one.value == _wanted("letters")), Letters.LANGUAGE)


def letter(sign: str) -> str:
    """Return what is drawn on a die or a space of a color, given as the letter of the notation."""
    return letters_of(current())[Color(sign)] if letters() is Letters.LANGUAGE else sign


@cache
def letters_of(language: str) -> dict[Color, str]:
    """Return the beginning of each color's name, of two letters where one would stand for two colors.

    Examples
    --------
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


def register(app: Flask) -> None:
    """Keep what was chosen with ``?theme=`` or ``?letters=`` in a cookie, and draw pages so."""
    app.add_template_filter(letter, "letter")

    @app.after_request
    def remember(response: Response) -> Response:
        for name in CHOICES:
            if _asked(name):
                response.set_cookie(name, request.args[name], max_age=COOKIE_AGE_S, samesite="Lax")
        return response

    @app.before_request
    def without_question() -> Response | None:
        """Send a page that was asked for with a choice alone to its plain address."""
        if request.method == "GET" and len(request.args) == 1 and any(_asked(name) for name in CHOICES):
            return redirect(plain_address())  # type: ignore[return-value]
        return None


def _asked(name: str) -> bool:
    return not wants_json() and request.args.get(name) in {one.value for one in CHOICES[name]}


def _wanted(name: str) -> str:
    return request.args[name] if _asked(name) else request.cookies.get(name, "")
