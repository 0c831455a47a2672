"""Where phones reach this server, as JSON: the address that the codes to scan hold."""

from __future__ import annotations

from typing import Annotated

from flask import current_app, request
from pydantic import Field

from webapp.api.answers import Address
from webapp.api.requests import AddressChoice
from webapp.api.section import Section
from webapp.phones import https
from webapp.phones.join import offer, own_path, use

blueprint = Section("address_api", "/address", heading="Address", about="Where phones reach this computer.")

PAGE = Annotated[str, Field(description="The page that it leads to, such as `/g/CODE`; `/` without one.")]


@blueprint.action("get", "", "getAddress", query={"path": PAGE}, errors=[400])
def show() -> Address:
    """Get the address for phones, also as a QR code."""
    return _offer(own_path(request.args.get("path", "/")))


@blueprint.action("put", "", "chooseAddress", errors=[403])
def choose(choice: AddressChoice) -> Address:
    """Use another address of this computer (only from there)."""
    use(choice.address)
    return _offer("/")


def _offer(path: str) -> Address:
    """Return the address with its code; the others are for whoever may choose among them."""
    made, secure = offer(path), https.of_app(current_app)
    return {
        "url": made.url,
        "qr": str(made.qr) or None,
        "others": [one.url for one in made.others],
        "secure_port": secure.port if secure else None,
        "fingerprint": secure.fingerprint if secure else None,
    }
