"""The description of the JSON interface: for programs as an OpenAPI document, for people as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify, render_template

from webapp.openapi import document
from webapp.openapi.listing import introduction, sections

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("api_document", __name__, url_prefix="/api/v1")


@blueprint.get("/openapi.json")
def openapi() -> ResponseReturnValue:
    """Return the OpenAPI document."""
    return jsonify(document())


@blueprint.get("/")
def page() -> ResponseReturnValue:
    """List the actions for people who write programs."""
    return render_template("api.html", introduction=introduction(), sections=sections())
