"""The JSON interface to the placement check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify, request

from webapp import context, placement_view
from webapp.placement_question import asked

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("placement_api", __name__, url_prefix="/api/v1")


@blueprint.get("/readings/<record_id>/placement")
def show(record_id: str) -> ResponseReturnValue:
    """Say where dice may go on a window and why not elsewhere; the query is that of `asked`."""
    return jsonify(placement_view.answer(context.store().load(record_id), asked(request.args)))
