"""Keep other web pages out: headers that allow nothing foreign, writes from our own page, known names.

The last is against DNS rebinding: a page of the outer world has its own name point to a computer in the
home network, and then counts as the same site as our page. It can't do that with a number, nor with a name
that no stranger can have out there.
"""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.domain.errors import ForbiddenError
from webapp.http.errors import FORM_BYTES, MisdirectedError
from webapp.server.addresses import LOCAL_ENDINGS, https_of, plain_ip
from webapp.server.names import Names
from webapp.services import context

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; "
    "img-src 'self' blob:; "  # blob: shows the chosen photo before it is sent
    "object-src 'none'; "
    "base-uri 'none'; "
    "form-action 'self'; "
    "frame-ancestors 'none'"
)
OPEN_TO_ALL = frozenset({"joining.show_https", "joining.certificate", "static"})
"""What a phone may ask without https, where there is https."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def is_foreign() -> bool:
    """Tell whether a page of another site started the request.

    Browsers say so in ``Sec-Fetch-Site`` (secure contexts and localhost) or ``Origin``. A request with
    neither comes from no page at all, and carries no cookies that could be misused.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.host


HOST = re.compile(
    r"([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+(%25\w+)?\])(:\d{1,5})?", re.ASCII | re.IGNORECASE
)
"""What browsers send as the host of an address (RFC 3986, 3.2.2)."""


def is_safe_name(host: str, given: str | None = None, names: Names | None = None) -> bool:
    """Tell whether no stranger can have the name of this host, with or without a port, point here.

    That of the address which the person who runs the page named for it, ``given``, is good. ``names`` tells
    which of those that routers give lead here.

    >>> is_safe_name("192.168.1.5:8000"), is_safe_name("laptop"), is_safe_name("game.example.com")
    (True, True, False)
    """
    if not HOST.fullmatch(host):
        return False
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    if plain_ip(name) is not None or name.endswith(LOCAL_ENDINGS):
        return True
    if "." not in name:
        return bool(name)
    named = {socket.gethostname().lower(), urlsplit(given or "").hostname}
    return name in named or (names or Names()).lead_here(name)


def bound_forms() -> None:
    """Let only a form with a file be large; an action that takes more, or less, says so itself."""
    if request.mimetype != "multipart/form-data":
        request.max_content_length = FORM_BYTES


def lead_to_https() -> ResponseReturnValue | None:
    """Lead a phone that opens a page without https to the page that says what comes next.

    A seat that it takes with https would not be known here. At this computer plain http stays as it was.
    """
    asks_for_page = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if https_of(current_app) is None or request.is_secure or not asks_for_page:
        return None
    if request.endpoint in OPEN_TO_ALL or context.visitor().at_this_computer:
        return None
    return redirect(url_for("joining.show_https", to=request.path), 307)


def register(app: Flask, given: str | None = None) -> None:
    """Add the checks and headers to ``app``; ``given`` is the address that its host named for phones."""
    app.before_request(bound_forms)
    names = Names()

    @app.before_request
    def refuse_foreign_names() -> None:
        # Browsers always say which name they opened. The page with the error may have its styles.
        host = request.headers.get("Host")
        if host and request.endpoint != "static" and not is_safe_name(host, given, names):
            raise MisdirectedError("foreign_name")

    @app.before_request
    def refuse_foreign_writes() -> None:
        if request.method not in SAFE_METHODS and is_foreign():
            raise ForbiddenError("foreign_request")

    app.before_request(lead_to_https)

    @app.after_request
    def cookies_of_https(response: Response) -> Response:
        # Where a proxy speaks https for us, who came by its address does; who sits here may use plain http.
        by_proxy = urlsplit(given or "").scheme == "https" and request.host == urlsplit(given or "").netloc
        if request.is_secure or by_proxy:  # then they are never sent without it
            cookies = response.headers.getlist("Set-Cookie")
            response.headers.setlist("Set-Cookie", [f"{cookie}; Secure" for cookie in cookies])
        return response

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        if response.mimetype in {"text/html", "application/json"}:
            response.headers["Cache-Control"] = "no-store"
            response.vary.update(("Accept", "Accept-Language", "Cookie"))
        return response
