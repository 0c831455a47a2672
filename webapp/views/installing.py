"""The page as an app on the home screen: what browsers ask for before they install it."""

from __future__ import annotations

import json

from flask import Blueprint, Response, url_for
from flask.typing import ResponseReturnValue

from webapp.web.language import current, gettext

blueprint = Blueprint("installing", __name__)

PAPER = "#f3eee5"
"""The ground of the page in the light, as in base.css: seen around the icon while the page starts."""


@blueprint.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """Return the web app manifest in the visitor's language.

    base.html asks for it with the visitor's cookies, so that a language chosen on the page counts here too.
    """
    start = url_for("pages.start")
    described = {
        "id": start,
        "name": gettext("Sagrada Companion"),
        "short_name": "Sagrada",
        "description": gettext(
            "Take a photo of your finished Sagrada window, or of the whole table. "
            "You get every die, every point, and what breaks the rules."
        ),
        "lang": current(),
        "dir": "ltr",
        "start_url": start,
        "scope": start,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games", "utilities"],
        "icons": [
            _icon("icon-192.png", 192),
            _icon("icon-512.png", 512),
            _icon("icon-maskable-512.png", 512, purpose="maskable"),
        ],
        "shortcuts": [
            _shortcut(gettext("Score a photo"), start),
            _shortcut(gettext("During play: where may this die go?"), url_for("placement.start")),
            _shortcut(gettext("Games so far"), url_for("history.show")),
        ],
    }
    answer = Response(json.dumps(described, ensure_ascii=False), mimetype="application/manifest+json")
    answer.headers["Cache-Control"] = "no-cache"  # another language may be chosen at any time
    answer.vary.update(("Accept-Language", "Cookie"))
    return answer


def _icon(name: str, side: int, *, purpose: str = "any") -> dict[str, str]:
    """Return an icon of ``static/icons`` as the manifest lists it."""
    return {
        "src": url_for("static", filename=f"icons/{name}"),
        "sizes": f"{side}x{side}",
        "type": "image/png",
        "purpose": purpose,
    }


def _shortcut(name: str, address: str) -> dict[str, object]:
    """Return a way into the app that the icon's menu offers."""
    return {"name": name, "url": address, "icons": [_icon("icon-192.png", 192)]}
