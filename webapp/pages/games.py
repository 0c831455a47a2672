"""The pages of a game: joining, the table, and the reveal."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.errors import SagradaError
from webapp.companion.errors import InputError
from webapp.companion.games.codes import typed_code
from webapp.companion.games.game import Game
from webapp.pages import game_view
from webapp.pages.frame import page
from webapp.web import game_actions
from webapp.web.access import find, games, viewer

blueprint = Blueprint("games", __name__)


@blueprint.post("/games")
def start() -> ResponseReturnValue:
    """Start a game night."""
    name, solo = request.form.get("name", ""), request.form.get("players") == "solo"
    return to_table(game_actions.start(name, solo=solo).code)


@blueprint.post("/join")
def enter_code() -> ResponseReturnValue:
    """Go to the game whose code was typed."""
    return to_table(find(typed_code(request.form.get("code", ""))).code)


@blueprint.get("/g/<code>")
def table(code: str) -> ResponseReturnValue:
    """Show the table; who has no seat is asked for a name."""
    plain = typed_code(code)
    if plain != code:
        return redirect(url_for("games.table", code=plain))
    game = find(code)
    if viewer(game).is_stranger:
        if game.is_revealed:
            return redirect(url_for("games.reveal", code=code))
        return join_page(game)
    return table_page(game)


def table_page(game: Game, error: SagradaError | None = None) -> Response:
    """Return the table, with what was refused where something was."""
    return page("table.html", error, table=game_view.table(game))


def join_page(game: Game, error: SagradaError | None = None) -> Response:
    """Return the question for a name."""
    return page("join.html", error, table=game_view.table(game))


@blueprint.post("/g/<code>/join")
def join(code: str) -> ResponseReturnValue:
    """Sit down at the table."""
    try:
        game = game_actions.join(code, request.form.get("name", ""))
    except InputError as error:
        game = find(code)
        show = join_page if viewer(game).is_stranger else table_page
        return show(game, error)
    return to_table(game.code)


@blueprint.get("/g/<code>/reveal")
def reveal(code: str) -> ResponseReturnValue:
    """Show all windows side by side, once they are revealed."""
    game = find(typed_code(code))
    for ended in games().ended(game.code):
        return render_template("reveal.html", reveal=game_view.reveal(ended))
    return to_table(game.code)


@blueprint.post("/g/<code>/reveal")
def do_reveal(code: str) -> ResponseReturnValue:
    """Open all windows."""
    try:
        game_actions.reveal(code, anyway="anyway" in request.form)
    except InputError as error:
        return table_page(find(code), error)
    return redirect(url_for("games.reveal", code=code), 303)


@blueprint.post("/g/<code>/delete")
def delete(code: str) -> ResponseReturnValue:
    """Remove the game with all windows and photos for good."""
    game_actions.delete(code)
    return redirect(url_for("pages.start"), 303)


def to_table(code: str) -> Response:
    """Return the way to the table."""
    return make_response(redirect(url_for("games.table", code=code), 303))
