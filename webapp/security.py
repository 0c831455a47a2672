"""Keep other web pages out: headers that allow nothing foreign, and writes from our own page only."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, request

from webapp.errors import RefusedError

if TYPE_CHECKING:
    from flask import Response

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; "
    "img-src 'self' blob:; "  # blob: shows the chosen photo before it is sent
    "object-src 'none'; "
    "base-uri 'none'; "
    "form-action 'self'; "
    "frame-ancestors 'none'"
)
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def is_foreign() -> bool:
    """Tell whether the request was started by a page of another site.

    Browsers say so in ``Sec-Fetch-Site`` (secure contexts and localhost) or ``Origin``. A request
    with neither comes from no page at all, a command line for example, and carries no cookies that
    could be misused.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.host


def register(app: Flask) -> None:
    """Add the checks and headers to ``app``."""

    @app.before_request
    def refuse_foreign_writes() -> None:
        if request.method not in SAFE_METHODS and is_foreign():
            raise RefusedError("foreign_request")

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        if response.mimetype in {"text/html", "application/json"}:
            response.headers["Cache-Control"] = "no-store"
            response.vary.add("Accept-Language")
            response.vary.add("Cookie")
        return response
