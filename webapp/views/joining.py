"""Getting phones to the page: a code to scan, trust in its certificate, and the page on a home screen."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from webapp.domain.errors import InputError
from webapp.http.preferences import current, gettext, wants_json
from webapp.server import addresses, qr
from webapp.server.addresses import Address
from webapp.services import context
from webapp.storage.games import Invitation

blueprint = Blueprint("joining", __name__)

ADDRESS = "address"
OWN_PATH = re.compile(r"/(?:[A-Za-z0-9-]+(?:/[A-Za-z0-9-]+)*)?")


@dataclass(frozen=True)
class Offer:
    """What a page shows so that phones get to ``path``, such as ``/g/K7M2QX``.

    ``address`` is None when phones cannot reach this server, and ``why_none`` says why; ``others`` are all to
    choose from, at this computer; ``port`` is what a firewall must let in, where that is known;
    ``secure`` says whether the page is served with https too.
    """

    path: str
    address: Address | None
    others: tuple[Address, ...]
    why_none: str | None
    port: int | None
    secure: bool = False

    @property
    def url(self) -> str | None:
        """What the code holds; for the start page without its slash, which nobody needs to type."""
        return None if self.address is None else self.address.url + self.path.removesuffix("/")

    @property
    def qr(self) -> Markup:
        """The code."""
        return qr.svg(self.url) if self.url else Markup()


def offer(path: str, wanted: str = "") -> Offer:
    """Return what a page shows so that phones get to ``path``.

    The address is the one ``wanted``, chosen on this device before, or used by it. Only who seems to be at
    this computer learns why there is none.
    """
    reach = addresses.reach_of(current_app)
    found = reach.addresses()
    here = context.visitor().at_this_computer
    came = request.host_url.removesuffix("/")
    reason = reach.why_none() if here and not found else None
    return Offer(
        path=path,
        address=reach.best(wanted, request.cookies.get(ADDRESS, ""), came),
        others=found if here and len(found) > 1 else (),
        why_none=None if reason in {None, addresses.NoAddress.UNKNOWN} else reason.value,
        port=None if reach.given else reach.port,
        secure=addresses.https_of(current_app) is not None,
    )


@blueprint.app_context_processor
def for_templates() -> dict[str, Any]:
    """Let every page offer a code."""
    return {"join_offer": offer, "at_this_computer": lambda: context.visitor().at_this_computer}


@blueprint.get(addresses.READY)
def ready() -> ResponseReturnValue:
    """Answer with what only this process knows, see `addresses.Reach.token`; 503 where its database fails."""
    context.kept().database.check()
    response = make_response(addresses.reach_of(current_app).token)
    response.mimetype = "text/plain"
    response.cache_control.no_store = True
    return response


@blueprint.post("/join-address")
def choose() -> ResponseReturnValue:
    """Take in which address the codes on this device shall hold."""
    made = offer(own_path(request.form.get("path", "/")), wanted := request.form.get("address", ""))
    if made.address is None or made.address.url != wanted:
        raise InputError("address_gone")
    answer = make_response(jsonify(url=made.url, qr=made.qr) if wants_json() else redirect(made.path, 303))
    answer.set_cookie(ADDRESS, wanted, httponly=True, samesite="Lax")
    return answer


def own_path(path: str) -> str:
    """Return the path of a page of ours, or raise `InputError`."""
    if not OWN_PATH.fullmatch(path):
        raise InputError("bad_request")
    return path


def link_to_seat(code: str, made: Invitation) -> tuple[str, bool]:
    """Return the link that brings a seat to another device, and whether it is one that phones can reach."""
    found = offer(url_for("games.ask_for_seat", code=code)).url
    plain = found or url_for("games.ask_for_seat", code=code, _external=True)
    return f"{plain}#{made.secret}", found is not None


@blueprint.get("/https")
def show_https() -> str:
    """Say what https is good for, what the phone will ask, and what that means."""
    secure = addresses.https_of(current_app)
    path = own_path(request.args.get("to", "/"))
    return render_template(
        "https.html", https=secure, address=_address(secure, path) if secure else None, path=path
    )


@blueprint.get("/https/sagrada-companion.crt")
def certificate() -> ResponseReturnValue:
    """Hand out the authority of this computer, as phones take it."""
    secure = addresses.https_of(current_app)
    if secure is None or secure.certificate is None:
        abort(404)
    answer = Response(secure.certificate, mimetype="application/x-x509-ca-cert")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _address(secure: addresses.Https, path: str) -> str:
    """Return the page at ``path`` with https: under the name that the visitor used, or that a person gave."""
    given = addresses.reach_of(current_app).given
    if given is not None:
        return given.url + path
    host = urlsplit(f"//{request.host}").hostname or "localhost"
    return secure.address(f"[{host}]" if ":" in host else host) + path


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
            "One photo of a window, or of the whole table, "
            "gives every die, every point, and what breaks the rules."
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
            _shortcut(gettext("Where may this die go?"), url_for("placement.start")),
            _shortcut(gettext("Games so far"), url_for("history.show")),
        ],
    }
    answer = Response(json.dumps(described, ensure_ascii=False), mimetype="application/manifest+json")
    answer.headers["Cache-Control"] = "no-cache"  # another language may be chosen at any time
    answer.vary.update(("Accept-Language", "Cookie"))
    return answer


def _icon(name: str, side: int, *, purpose: str = "any") -> dict[str, str]:
    return {
        "src": url_for("static", filename=f"icons/{name}"),
        "sizes": f"{side}x{side}",
        "type": "image/png",
        "purpose": purpose,
    }


def _shortcut(name: str, address: str) -> dict[str, object]:
    return {"name": name, "url": address, "icons": [_icon("icon-192.png", 192)]}
