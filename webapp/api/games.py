"""Games as JSON: the same actions as on the pages. The cookie ``seats`` says who may do what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from flask import Response, after_this_request, request, url_for

from webapp.api import game_answers as answers
from webapp.api import remembered
from webapp.api.game_requests import (
    Again,
    Deal,
    GameChange,
    NewGame,
    Openness,
    Order,
    PlayersDeal,
    Reveal,
    RoundMove,
    SeatKey,
    Timer,
)
from webapp.api.requests import OnRevision
from webapp.api.section import Section
from webapp.services.games import dealing
from webapp.services.games.game import Game
from webapp.services.games.result import result
from webapp.services.games.view import public_view, statuses_of
from webapp.services.record import Record
from webapp.web import context, game_actions, player_actions
from webapp.web.access import find, games, hashes, viewer
from webapp.web.language import words

blueprint = Section(
    "game_api",
    "/games",
    heading="Games",
    about="One to six players at a table. The cookie `seats` says who is who; keep it between requests.",
    by_seat=True,
)


@blueprint.action("get", "", "listGames")
def list_own() -> answers.OwnGames:
    """List the games in which this device has a part, newest first."""
    return {
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


@blueprint.action("post", "", "startGame", status=201)
def create(new: NewGame) -> answers.Game:
    """Start a game."""
    return answer(game_actions.start(new.name, solo=new.solo))


@blueprint.action("get", "/<code>", "getGame", errors=[304, 404, 429])
def show(code: str) -> answers.Game:
    """Get the state of a game as this device may see it.

    With `If-None-Match` and the last `ETag` an unchanged state answers 304.
    """

    @after_this_request
    def unless_unchanged(response: Response) -> Response:
        response.add_etag()
        response.make_conditional(request)
        return response

    return answer(find(code))


@blueprint.action("patch", "/<code>", "changeGame", errors=[403, 404, 409, 429])
def change(wanted: GameChange, code: str) -> answers.Game:
    """Put cards on the table (host).

    A tool card that was used stays, with the error `tool_in_use`, unless it shall go anyway.
    """
    cards = wanted.sent("public", "tools", "house_rules", "target", "second_private")
    return answer(game_actions.put_cards(code, wanted.revision, anyway=wanted.anyway, **cards))


@blueprint.action("delete", "/<code>", "deleteGame", errors=[403, 404, 429])
def delete(code: str) -> None:
    """Delete a game with all windows and photos for good (host)."""
    game_actions.delete(code)


@blueprint.action("post", "/<code>/deal", "dealCards", errors=[403, 404, 409, 429])
def deal(wanted: Deal, code: str) -> answers.Game:
    """Draw random cards (host).

    Public objectives, or so many tools. Tools that were used stay, with the error `tool_in_use`, unless they
    shall go anyway.
    """
    return answer(game_actions.deal(code, wanted.revision, wanted.tools, anyway=wanted.anyway))


@blueprint.action("post", "/<code>/players/deal", "dealToPlayers", errors=[403, 404, 429])
def deal_to_players(wanted: PlayersDeal, code: str) -> answers.Game:
    """Deal window cards and private objectives to the players (host).

    Each player's devices alone are told what that player got.
    """
    deal = dealing.Deal(wanted.windows, wanted.privates, wanted.again)
    return answer(game_actions.deal_to_players(code, deal))


@blueprint.action("post", "/<code>/first", "drawFirstPlayer", errors=[403, 404, 409, 429])
def draw_first(wanted: OnRevision, code: str) -> answers.Game:
    """Draw who begins (host).

    The others follow clockwise as they are seated; the order of the turns is known then.
    """
    return answer(game_actions.draw_first(code, wanted.revision))


@blueprint.action("post", "/<code>/round", "playOn", errors=[403, 404, 429])
def play_on(wanted: RoundMove, code: str) -> answers.Game:
    """Go on to the next turn or round, or back (everybody at the table)."""
    return answer(game_actions.play_on(code, wanted.move, wanted.seen))


@blueprint.action("put", "/<code>/round/timer", "putTimer", errors=[403, 404, 429])
def put_timer(wanted: Timer, code: str) -> answers.Game:
    """Time the turns, or do not (host)."""
    return answer(game_actions.put_timer(code, wanted.seconds))


@blueprint.action("put", "/<code>/order", "orderPlayers", errors=[403, 404, 409, 429])
def order(wanted: Order, code: str) -> answers.Game:
    """Put the players in another order (host)."""
    return answer(game_actions.put_order(code, wanted.revision, wanted.seats, known=wanted.known))


@blueprint.action("post", "/<code>/reveal", "reveal", errors=[403, 404, 429])
def reveal(wanted: Reveal, code: str) -> answers.Game:
    """Reveal all windows (host)."""
    return answer(game_actions.reveal(code, anyway=wanted.anyway))


@blueprint.action("delete", "/<code>/reveal", "reopen", errors=[403, 404, 429])
def reopen(code: str) -> answers.Game:
    """Go back to the table (host)."""
    return answer(game_actions.reopen(code))


@blueprint.action("post", "/<code>/again", "playAgain", status=201, errors=[403, 404, 429])
def play_again(wanted: Again, code: str) -> answers.Game:
    """Begin the next game of the same people (host).

    Seats, names and house rules stay, and each device has its seat with the same cookie. Where the order of
    the turns is known, the next player clockwise begins. Asking once more gets the same game.
    """
    return answer(game_actions.play_again(code, same_cards=wanted.same_cards))


@blueprint.action("post", "/<code>/seat", "takeSeat", errors=[404, 429])
def take_seat(sent: SeatKey, code: str) -> answers.Game:
    """Give this device the seat that a link was made for.

    The device that had the seat loses it, and the window gets another id. The answer sets the cookie that
    makes the seat this device's.
    """
    return answer(game_actions.take_seat(code, sent.key))


@blueprint.action("put", "/<code>/open", "openTable", errors=[403, 404, 429])
def let_in(wanted: Openness, code: str) -> answers.Game:
    """Say whether new players may sit down (host).

    After a reveal that was closed again only the host seats somebody new until then.
    """
    return answer(game_actions.let_in(code, to_new=wanted.open))


def answer(game: Game) -> answers.Game:
    """Return the state of a game for this device, with the scores after the reveal."""
    windows = games().windows(game)
    outcome = _result_json(game, windows) if game.is_revealed else None
    state = public_view(game, viewer(game), statuses_of(windows))
    players = [{**seat, **remembered.look(player_actions.look_of(seat["name"]))} for seat in state["players"]]
    return cast("answers.Game", {**state, "players": players, "result": outcome})


def _result_json(game: Game, windows: Mapping[int, Record]) -> answers.Result:
    """Return how the game ended: what `Outcome.to_json` says, with the seat of each player."""
    outcome = result(game, windows, context.known_windows())
    seats = {seat.name: seat.number for seat in game.seats}
    payload = outcome.to_json(words())
    standings: list[answers.RevealedStanding] = []
    for one in payload["standings"]:
        number = seats[one["name"]]
        record = windows[number]
        standings.append(
            {
                **one,
                "seat": number,
                "private": record.choices.private_name,
                "picture": url_for("art.revealed_window", code=game.code, number=number),
                "photo": url_for("art.revealed_photo", code=game.code, number=number)
                if record.size
                else None,
            }
        )
    return {**payload, "standings": standings}
