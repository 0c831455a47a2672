"""Which language a visitor reads: ``?lang=``, then the cookie, then what the browser asks for."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import quote

import flask_babel  # type: ignore[import-untyped]
from flask import Flask, Response, redirect, request

from scoring import Die
from scoring.sentences import Words, minus
from scoring.words import LANGUAGES, STARTED
from webapp.services.wording import words_for

COOKIE = "language"
COOKIE_AGE_S = 365 * 24 * 3600


def wants_json() -> bool:
    """Tell whether the caller is a program or a script of ours rather than a person's browser."""
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return request.is_json or best == "application/json"


def plain_address() -> str:
    """Return the address of the page without what was asked behind it."""
    return "/" + quote(request.path.lstrip("/"))


def choose() -> str:
    """Return the code of the language for this request."""
    for wanted in (request.args.get("lang"), request.cookies.get(COOKIE)):
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


def moment(when: datetime) -> str:
    """Return day and time in short form, in this computer's time zone and the visitor's language."""
    local = when.astimezone().replace(tzinfo=None)
    return str(flask_babel.format_datetime(local, "short", rebase=False))


def one_place(number: float) -> str:
    """Return a number with one decimal place as the visitor's language writes it, and with a real minus."""
    return minus(flask_babel.format_decimal(number, "0.0"))


def register(app: Flask) -> None:
    """Set up translations for ``app`` and keep a choice made with ``?lang=`` in a cookie."""
    flask_babel.Babel(app, locale_selector=choose, default_translation_directories="translations")

    @app.after_request
    def remember(response: Response) -> Response:
        wanted = request.args.get("lang")
        if wanted in STARTED and not wants_json() and wanted != request.cookies.get(COOKIE):
            response.set_cookie(COOKIE, wanted, max_age=COOKIE_AGE_S, samesite="Lax")
        return response

    @app.before_request
    def without_question() -> Response | None:
        """Send a page that was asked for with ``?lang=`` to its plain address."""
        asked_only = request.args.get("lang") in STARTED and len(request.args) == 1
        if request.method == "GET" and asked_only and not wants_json():
            return redirect(plain_address())  # type: ignore[return-value]
        return None


def die_words(die: Die | None) -> str:
    """Return a die as people say it, such as "red 3"."""
    return gettext("empty") if die is None else words().name(die)


def cell_label(name: str, die: Die | None, *, doubtful: bool) -> str:
    """Return what a screen reader says for a space of the window."""
    if doubtful:
        return gettext("%(cell)s: %(die)s, doubtful", cell=name, die=die_words(die))
    return gettext("%(cell)s: %(die)s", cell=name, die=die_words(die))
