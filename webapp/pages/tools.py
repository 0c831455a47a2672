"""The page of tool cards that people of this house added."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring import Lift, ToolEffect
from scoring.errors import SagradaError
from webapp.pages.frame import color_of, page
from webapp.services.errors import InputError, in_words_of_the_rules
from webapp.services.tool_rules import rule_of
from webapp.web import administrator, own_tools

blueprint = Blueprint("tools", __name__)

DONE = {"added", "removed"}


@blueprint.get("/tools")
def show() -> ResponseReturnValue:
    """Show the tool cards that were added."""
    return _list_page()


def _list_page(error: SagradaError | None = None) -> Response:
    """Return the list, with what was refused where something was."""
    done = request.args.get("done")
    return page(
        "tools.html",
        error,
        done=done if done in DONE else None,
        own_tools=own_tools.own(),
        rule_of=rule_of,
        may_set=administrator.is_here(),
    )


@blueprint.post("/tools")
def change() -> ResponseReturnValue:
    """Add a tool card of one's own, or remove one."""
    try:
        if gone := request.form.get("remove"):
            own_tools.remove(gone)
            return redirect(url_for("tools.show", done="removed"), 303)
        color = color_of("color")
        if color is None:
            raise InputError("bad_request")
        with in_words_of_the_rules():
            lifts = [Lift(one) for one in request.form.getlist("lift")]
            effect = ToolEffect(request.form.get("effect", ""))
            own_tools.add(request.form.get("name", ""), effect, color, lifts)
    except SagradaError as error:
        return _list_page(error)
    return redirect(url_for("tools.show", done="added"), 303)
