"""The description of the JSON interface: for programs as an OpenAPI document, for people as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify, render_template

from webapp.language import current
from webapp.openapi import document
from webapp.openapi.listing import Listing

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("api_document", __name__, url_prefix="/api/v1")


@blueprint.get("/openapi.json")
def openapi() -> ResponseReturnValue:
    """Return the OpenAPI document; what it says of the names is in the visitor's language."""
    return jsonify(document(current()))


@blueprint.get("/")
def page() -> ResponseReturnValue:
    """List the actions for people who write programs."""
    listing = Listing(current())
    return render_template("api.html", introduction=listing.introduction(), sections=listing.sections())
