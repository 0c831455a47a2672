"""Games as JSON: the same actions as on the pages. Who may do what, the cookie ``seats`` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, make_response, request, url_for

from webapp import api_input, game_actions, game_view
from webapp.api import json_object, uploaded, whole
from webapp.errors import InputError, in_words_of_the_rules
from webapp.game_access import find, games, hashes
from webapp.games.game import Game

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("game_api", __name__, url_prefix="/api/v1/games")


@blueprint.get("")
def list_own() -> ResponseReturnValue:
    """List the games in which this device has a part, newest first."""
    return jsonify(
        games=[
            {
                "code": kept.game.code,
                "stage": kept.game.stage.value,
                "created": kept.created.isoformat(timespec="seconds"),
                "players": [seat.name for seat in kept.game.seats],
                "links": {
                    "self": url_for("game_api.show", code=kept.game.code),
                    "page": url_for("games.table", code=kept.game.code),
                },
            }
            for kept in games().of_device(hashes())
        ]
    )


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Start a game: ``name`` of the host (without one the host does not play) and whether it is ``solo``."""
    told = json_object()
    return answer(game_actions.start(text(told, "name", ""), solo=flag(told, "solo")), 201)


@blueprint.get("/<code>")
def show(code: str) -> ResponseReturnValue:
    """Return the state of a game. With ``If-None-Match`` an unchanged state answers 304."""
    response = answer(find(code))
    response.add_etag()
    return response.make_conditional(request)


@blueprint.post("/<code>/players")
def join(code: str) -> ResponseReturnValue:
    """Sit down with a ``name``."""
    return answer(game_actions.join(code, text(json_object(), "name")), 201)


@blueprint.patch("/<code>")
def change(code: str) -> ResponseReturnValue:
    """Change what lies on the table, made on ``revision``.

    ``public`` and ``tools`` are lists of names; a solo game has ``target`` and ``second_private``, too.
    """
    told = json_object()
    solo: dict[str, Any] = {}
    if "target" in told:
        solo["target"] = optional_whole(told["target"])
    if "second_private" in told:
        solo["second_private"] = optional_text(told, "second_private")
    public, tools = names(told, "public"), names(told, "tools")
    return answer(
        game_actions.put_cards(code, whole(told.get("revision")), public=public, tools=tools, solo=solo)
    )


@blueprint.post("/<code>/deal")
def deal(code: str) -> ResponseReturnValue:
    """Draw random public objectives, or so many ``tools``, made on ``revision``."""
    told = json_object()
    return answer(game_actions.deal(code, whole(told.get("revision")), optional_whole(told.get("tools"))))


@blueprint.put("/<code>/order")
def order(code: str) -> ResponseReturnValue:
    """Put the ``seats`` in another order, and say whether it is ``known`` to be that of the turns."""
    told = json_object()
    seats = told.get("seats")
    if not isinstance(seats, list):
        raise InputError("bad_request")
    numbers = [whole(one) for one in seats]
    known = flag(told, "known")
    return answer(game_actions.put_order(code, whole(told.get("revision")), numbers, known=known))


@blueprint.patch("/<code>/players/<int:number>")
def change_player(code: str, number: int) -> ResponseReturnValue:
    """Change ``name``, ``private``, ``favor`` or ``ready`` of a player.

    Private objective and tokens belong to the player's window: ``window_revision`` is that of its reading.
    """
    told = json_object()
    game = find(code)
    if "name" in told:
        game = game_actions.rename(code, number, text(told, "name"))
    own: dict[str, Any] = {key: told[key] for key in ("private", "favor") if key in told}
    if own:
        game = game_actions.put_own(code, number, own, optional_whole(told.get("window_revision")))
    if "ready" in told:
        game = game_actions.be_ready(code, number, is_ready=flag(told, "ready"))
    return answer(game)


@blueprint.delete("/<code>/players/<int:number>")
def leave(code: str, number: int) -> ResponseReturnValue:
    """Take a player out of the game, with window and photo for good."""
    return answer(game_actions.leave(code, number))


@blueprint.post("/<code>/players/<int:number>/photo")
def take_photo(code: str, number: int) -> ResponseReturnValue:
    """Take in the photo of a player's window; the answer says where its page is, also when it is unread."""
    _, window = game_actions.take_photo(code, number, uploaded())
    url = url_for("pages.show", record_id=window.id)
    return make_response(jsonify(url=url, read=window.failure is None), 201)


@blueprint.post("/<code>/players/<int:number>/uses")
def use_tool(code: str, number: int) -> ResponseReturnValue:
    """Note that a player used a ``tool``."""
    return answer(game_actions.use_tool(code, number, text(json_object(), "tool")), 201)


@blueprint.delete("/<code>/players/<int:number>/uses")
def take_back(code: str, number: int) -> ResponseReturnValue:
    """Take back a player's last use of a tool."""
    return answer(game_actions.take_back(code, number))


@blueprint.post("/<code>/reveal")
def reveal(code: str) -> ResponseReturnValue:
    """Open all windows; ``anyway`` also when somebody is not ready."""
    return answer(game_actions.reveal(code, anyway=flag(json_object(), "anyway")))


@blueprint.delete("/<code>/reveal")
def reopen(code: str) -> ResponseReturnValue:
    """Go back to the table."""
    return answer(game_actions.reopen(code))


@blueprint.delete("/<code>")
def delete(code: str) -> ResponseReturnValue:
    """Remove the game with all windows and photos for good."""
    game_actions.delete(code)
    return make_response("", 204)


def answer(game: Game, status: int = 200) -> Response:
    """Return the state of a game for this device."""
    return make_response(jsonify(game_view.as_json(game)), status)


def text(told: dict[str, Any], name: str, default: str | None = None) -> str:
    """Return a text that was sent, or raise `InputError`."""
    with in_words_of_the_rules():
        return api_input.text(told, name, default)


def optional_text(told: dict[str, Any], name: str) -> str | None:
    """Return a text or null that was sent, or raise `InputError`."""
    return None if told.get(name) is None else text(told, name)


def optional_whole(value: object) -> int | None:
    """Return a whole number or null that was sent, or raise `InputError`."""
    return None if value is None else whole(value)


def flag(told: dict[str, Any], name: str) -> bool:
    """Return a truth value that was sent, false without one, or raise `InputError`."""
    with in_words_of_the_rules():
        return api_input.flag(told, name)


def names(told: dict[str, Any], key: str) -> list[str] | None:
    """Return a list of names that was sent, None without one, or raise `InputError`."""
    if told.get(key) is None:
        return None
    with in_words_of_the_rules():
        return api_input.names(told, key)
