"""Getting phones to the page: a code to scan, and the choice of the address that it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify, make_response, redirect, request, url_for
from markupsafe import Markup

from webapp.phones import addresses, https, qr
from webapp.phones.addresses import Address
from webapp.services.errors import ForbiddenError, InputError
from webapp.storage.games import Invitation
from webapp.web.administrator import at_this_computer
from webapp.web.language import wants_json

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("join", __name__)

OWN_PATH = re.compile(r"/(?:[A-Za-z0-9-]+(?:/[A-Za-z0-9-]+)*)?")


@dataclass(frozen=True)
class Offer:
    """What a page shows so that phones get to ``path``.

    Parameters
    ----------
    path
        The page, such as ``/g/K7M2QX``.
    address
        The address that is used, None when phones cannot reach this server.
    others
        All addresses to choose from, when the visitor may choose and there is a choice.
    why_none
        Why there is no address, as a word for the template.
    port
        What a firewall must let in, None when it is not known.
    secure
        Whether the page is served with https too.
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


def offer(path: str) -> Offer:
    """Return what a page shows so that phones get to ``path``; only the host learns why there is no code."""
    reach = addresses.of_app(current_app)
    found = reach.addresses()
    here = at_this_computer()
    reason = reach.why_none() if here and not found else None
    return Offer(
        path=path,
        address=reach.chosen(),
        others=found if here and len(found) > 1 else (),
        why_none=None if reason in {None, addresses.NoAddress.UNKNOWN} else reason.value,
        port=None if reach.given else reach.port,
        secure=https.of_app(current_app) is not None,
    )


@blueprint.app_context_processor
def for_templates() -> dict[str, Any]:
    """Let every page offer a code."""
    return {"join_offer": offer, "at_this_computer": at_this_computer}


@blueprint.get(addresses.READY)
def ready() -> ResponseReturnValue:
    """Answer with what only this process knows; see `addresses.Reach.token`."""
    response = make_response(addresses.of_app(current_app).token)
    response.mimetype = "text/plain"
    response.cache_control.no_store = True
    return response


@blueprint.post("/join-address")
def choose() -> ResponseReturnValue:
    """Take in which address the codes shall hold. Only the person at this computer decides that."""
    path = own_path(request.form.get("path", "/"))
    use(request.form.get("address", ""))
    made = offer(path)
    if wants_json():
        return jsonify(url=made.url, qr=made.qr)
    return redirect(path, 303)


def own_path(path: str) -> str:
    """Return the path of a page of ours, or raise `InputError`."""
    if not OWN_PATH.fullmatch(path):
        raise InputError("bad_request")
    return path


def use(address: str) -> None:
    """Let the codes hold this address from now on, if the visitor may say so and phones reach it."""
    if not at_this_computer():
        raise ForbiddenError("host_only")
    if not addresses.of_app(current_app).choose(address):
        raise InputError("address_gone")


def link_to_seat(code: str, made: Invitation) -> tuple[str, bool]:
    """Return the link that brings a seat to another device, and whether it is one that phones can reach."""
    found = offer(url_for("games.ask_for_seat", code=code)).url
    plain = found or url_for("games.ask_for_seat", code=code, _external=True)
    return f"{plain}#{made.secret}", found is not None
