"""The pages of a game: joining, the table, and the reveal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from webapp.companion.errors import InputError
from webapp.companion.games.codes import typed_code
from webapp.companion.games.game import Game
from webapp.pages import game_view
from webapp.web import game_actions
from webapp.web.access import find, games, hashes, viewer
from webapp.web.errors import Problem, problem_of, status_of
from webapp.web.language import moment

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("games", __name__)


@blueprint.app_context_processor
def for_every_page() -> dict[str, Any]:
    """Let the start page list the games of this device, and a page with an error lead back to the table."""
    code = (request.view_args or {}).get("code")
    return {
        "own_games": own_games,
        "table_address": url_for("games.table", code=code) if code else None,
    }


def own_games() -> list[dict[str, Any]]:
    """Return the games in which this device has a part, newest first."""
    return [
        {
            "code": game.code,
            "names": [seat.name for seat in game.seats],
            "revealed": game.is_revealed,
            "created": created.isoformat(timespec="seconds"),
            "when": moment(created),
        }
        for game, created in games().of_device(hashes())
    ]


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


def table_page(game: Game, problem: Problem | None = None, status: int = 200) -> Response:
    """Return the table, with a problem to tell where there is one."""
    page = render_template(
        "table.html",
        table=game_view.table(game),
        problem=problem,
        upload_limit=current_app.config["MAX_CONTENT_LENGTH"],
    )
    return make_response(page, status)


def join_page(game: Game, problem: Problem | None = None, status: int = 200) -> Response:
    """Return the question for a name."""
    page = render_template("join.html", table=game_view.table(game), problem=problem)
    return make_response(page, status)


@blueprint.post("/g/<code>/join")
def join(code: str) -> ResponseReturnValue:
    """Sit down at the table."""
    try:
        game = game_actions.join(code, request.form.get("name", ""))
    except InputError as error:
        game = find(code)
        show = join_page if viewer(game).is_stranger else table_page
        return show(game, problem_of(error), status_of(error))
    return to_table(game.code)


@blueprint.get("/g/<code>/reveal")
def reveal(code: str) -> ResponseReturnValue:
    """Show all windows side by side, once they are revealed."""
    game = find(typed_code(code))
    for ended in games().ended(game.code):
        return make_response(render_template("reveal.html", reveal=game_view.reveal(ended)))
    return to_table(game.code)


@blueprint.post("/g/<code>/reveal")
def do_reveal(code: str) -> ResponseReturnValue:
    """Open all windows."""
    try:
        game_actions.reveal(code, anyway="anyway" in request.form)
    except InputError as error:
        return table_page(find(code), problem_of(error), status_of(error))
    return redirect(url_for("games.reveal", code=code), 303)


@blueprint.post("/g/<code>/delete")
def delete(code: str) -> ResponseReturnValue:
    """Remove the game with all windows and photos for good."""
    game_actions.delete(code)
    return redirect(url_for("pages.start"), 303)


def to_table(code: str) -> Response:
    """Return the way to the table."""
    return make_response(redirect(url_for("games.table", code=code), 303))
