"""Where phones reach this server, as JSON: the address that the codes to scan hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, request

from webapp.api import json_object
from webapp.errors import InputError
from webapp.join import offer, own_path, use

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("address_api", __name__, url_prefix="/api/v1/address")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Return how phones get to the page at ``path``."""
    return _offer(own_path(request.args.get("path", "/")))


@blueprint.put("")
def choose() -> ResponseReturnValue:
    """Use another ``address``. Only the person at this computer decides that."""
    address = json_object().get("address")
    if not isinstance(address, str):
        raise InputError("bad_request")
    use(address)
    return _offer("/")


def _offer(path: str) -> Response:
    """Return the address with its code; the others are for whoever may choose among them."""
    made = offer(path)
    return jsonify(url=made.url, qr=str(made.qr) or None, others=[one.url for one in made.others])
