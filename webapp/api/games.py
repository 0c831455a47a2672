"""Games as JSON: the same actions as on the pages. The cookie ``seats`` says who may do what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Response, jsonify, make_response, request, url_for

from webapp.api import game_answers as answers
from webapp.api.requests import Deal, GameChange, NewGame, Openness, Order, Reveal, SeatKey
from webapp.api.section import Section
from webapp.companion.games.game import Game
from webapp.companion.games.result import result
from webapp.companion.games.view import public_view, status_of
from webapp.companion.record import Record
from webapp.web import context, game_actions
from webapp.web.access import find, games, hashes, viewer
from webapp.web.language import words

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Section(
    "game_api",
    __name__,
    "/games",
    heading="Games",
    about="One to four players at a table. The cookie `seats` says who is who; keep it between requests.",
    by_seat=True,
)

GAME = {200: answers.Game}
NEW_GAME = {201: answers.Game}


@blueprint.action("get", "", "listGames", {200: answers.OwnGames})
def list_own() -> ResponseReturnValue:
    """List the games in which this device has a part, newest first."""
    listed: answers.OwnGames = {
        "games": [
            {
                "code": game.code,
                "stage": game.stage.value,
                "created": created.isoformat(timespec="seconds"),
                "players": [seat.name for seat in game.seats],
                "links": {
                    "self": url_for("game_api.show", code=game.code),
                    "page": url_for("games.table", code=game.code),
                },
            }
            for game, created in games().of_device(hashes())
        ]
    }
    return jsonify(listed)


@blueprint.action("post", "", "startGame", NEW_GAME, takes=NewGame)
def create(new: NewGame) -> ResponseReturnValue:
    """Start a game."""
    return answer(game_actions.start(new.name, solo=new.solo), 201)


@blueprint.action("get", "/<code>", "getGame", {**GAME, 304: None}, errors=[404, 429])
def show(code: str) -> ResponseReturnValue:
    """Get the state of a game as this device may see it.

    With `If-None-Match` and the last `ETag` an unchanged state answers 304.
    """
    response = answer(find(code))
    response.add_etag()
    return response.make_conditional(request)


@blueprint.action("patch", "/<code>", "changeGame", GAME, takes=GameChange, errors=[403, 404, 409, 429])
def change(wanted: GameChange, code: str) -> ResponseReturnValue:
    """Put cards on the table (host)."""
    cards = wanted.sent("public", "tools", "house_rules", "target", "second_private")
    return answer(game_actions.put_cards(code, wanted.revision, **cards))


@blueprint.action("delete", "/<code>", "deleteGame", {204: None}, errors=[403, 404, 429])
def delete(code: str) -> ResponseReturnValue:
    """Delete a game with all windows and photos for good (host)."""
    game_actions.delete(code)
    return make_response("", 204)


@blueprint.action("post", "/<code>/deal", "dealCards", GAME, takes=Deal, errors=[403, 404, 409, 429])
def deal(wanted: Deal, code: str) -> ResponseReturnValue:
    """Draw random cards (host).

    Public objectives, or so many tools.
    """
    return answer(game_actions.deal(code, wanted.revision, wanted.tools))


@blueprint.action("put", "/<code>/order", "orderPlayers", GAME, takes=Order, errors=[403, 404, 409, 429])
def order(wanted: Order, code: str) -> ResponseReturnValue:
    """Put the players in another order (host)."""
    return answer(game_actions.put_order(code, wanted.revision, wanted.seats, known=wanted.known))


@blueprint.action("post", "/<code>/reveal", "reveal", GAME, takes=Reveal, errors=[403, 404, 429])
def reveal(wanted: Reveal, code: str) -> ResponseReturnValue:
    """Reveal all windows (host)."""
    return answer(game_actions.reveal(code, anyway=wanted.anyway))


@blueprint.action("delete", "/<code>/reveal", "reopen", GAME, errors=[403, 404, 429])
def reopen(code: str) -> ResponseReturnValue:
    """Go back to the table (host)."""
    return answer(game_actions.reopen(code))


@blueprint.action("post", "/<code>/seat", "takeSeat", GAME, takes=SeatKey, errors=[404, 429])
def take_seat(sent: SeatKey, code: str) -> ResponseReturnValue:
    """Give this device the seat that a link was made for.

    The device that had the seat loses it, and the window gets another id. The answer sets the cookie that
    makes the seat this device's.
    """
    return answer(game_actions.take_seat(code, sent.key))


@blueprint.action("put", "/<code>/open", "openTable", GAME, takes=Openness, errors=[403, 404, 429])
def let_in(wanted: Openness, code: str) -> ResponseReturnValue:
    """Say whether new players may sit down (host).

    After a reveal that was closed again only the host seats somebody new until then.
    """
    return answer(game_actions.let_in(code, to_new=wanted.open))


def answer(game: Game, status: int = 200) -> Response:
    """Return the state of a game for this device."""
    return make_response(jsonify(as_json(game)), status)


def as_json(game: Game) -> dict[str, Any]:
    """Return the state of a game for this device, with the scores after the reveal."""
    windows = games().windows(game)
    statuses = {number: status_of(record) for number, record in windows.items()}
    outcome = _result_json(game, windows) if game.is_revealed else None
    return {**public_view(game, viewer(game), statuses), "result": outcome}


def _result_json(game: Game, windows: Mapping[int, Record]) -> dict[str, Any]:
    """Return how the game ended: what `Outcome.to_json` says, with the seat of each player."""
    outcome = result(game, windows, context.known_windows())
    seats = {seat.name: seat.number for seat in game.seats}
    payload = outcome.to_json(words())
    standings = [
        {
            **one,
            "seat": seats[one["name"]],
            "private": windows[seats[one["name"]]].choices.private_letter,
            "picture": url_for("art.revealed_window", code=game.code, number=seats[one["name"]]),
        }
        for one in payload["standings"]
    ]
    return {**payload, "standings": standings}
