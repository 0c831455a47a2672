"""What a phone asks before it opens the page with https, and how it comes to trust this computer."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webapp.phones import addresses, https
from webapp.phones.join import own_path
from webapp.web.administrator import at_this_computer

blueprint = Blueprint("https", __name__)

OPEN_TO_ALL = frozenset({"https.show", "https.certificate", "static"})


@blueprint.before_app_request
def lead_to_https() -> ResponseReturnValue | None:
    """Lead a phone that opens a page without https to the page that says what comes next.

    A seat that it takes with https would not be known here. At this computer plain http stays as it was.
    """
    asks_for_page = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if https.of_app(current_app) is None or request.is_secure or not asks_for_page:
        return None
    if request.endpoint in OPEN_TO_ALL or at_this_computer():
        return None
    return redirect(url_for("https.show", to=request.path), 307)


@blueprint.get("/https")
def show() -> str:
    """Say what https is good for, what the phone will ask, and what that means."""
    secure = https.of_app(current_app)
    path = own_path(request.args.get("to", "/"))
    return render_template(
        "https.html", https=secure, address=_address(secure, path) if secure else None, path=path
    )


@blueprint.get("/https/sagrada-companion.crt")
def certificate() -> ResponseReturnValue:
    """Hand out the authority of this computer, as phones take it."""
    secure = https.of_app(current_app)
    if secure is None or secure.certificate is None:
        abort(404)
    answer = Response(secure.certificate, mimetype="application/x-x509-ca-cert")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _address(secure: https.Https, path: str) -> str:
    """Return the page at ``path`` with https: under the name that the visitor used, or that a person gave."""
    given = addresses.of_app(current_app).given
    if given is not None:
        return given.url + path
    host = urlsplit(f"//{request.host}").hostname or "localhost"
    return secure.address(f"[{host}]" if ":" in host else host) + path
