"""The players of a game as JSON."""

from __future__ import annotations

from flask import url_for

from webapp.api.game_answers import Game, PhotoTaken, SeatLink
from webapp.api.games import answer
from webapp.api.readings import Photo
from webapp.api.requests import Name, PlayerChange, ToolUse
from webapp.api.section import Section
from webapp.companion.changes import ChoicesChange
from webapp.phones.join import link_to_seat
from webapp.web import game_actions, photos
from webapp.web.access import find

blueprint = Section(
    "player_api",
    "/games/<code>/players",
    heading="Players",
    about="What each player does at the table. Of another player nothing is said before the reveal.",
    by_seat=True,
)


@blueprint.action("post", "", "joinGame", status=201, errors=[404, 429])
def join(sent: Name, code: str) -> Game:
    """Sit down at the table.

    The answer sets the cookie that makes the seat this device's.
    """
    return answer(game_actions.join(code, sent.name))


@blueprint.action("patch", "/<int:number>", "changePlayer", errors=[403, 404, 409, 429])
def change(wanted: PlayerChange, code: str, number: int) -> Game:
    """Change name, private objective, window card, favor tokens or readiness of a player."""
    game = find(code)
    if "name" in wanted.model_fields_set:
        game = game_actions.rename(code, number, wanted.name)
    if own := wanted.sent("private", "window", "favor_tokens"):
        game = game_actions.put_own(code, number, ChoicesChange(**own), wanted.window_revision)
    if "ready" in wanted.model_fields_set:
        game = game_actions.be_ready(code, number, is_ready=wanted.ready)
    return answer(game)


@blueprint.action("delete", "/<int:number>", "leaveGame", errors=[400, 403, 404, 429])
def leave(code: str, number: int) -> Game:
    """Take a player out of the game, with window and photo for good."""
    return answer(game_actions.leave(code, number))


@blueprint.action(
    "post", "/<int:number>/photo", "takePhoto", status=201, form=Photo, errors=[403, 404, 422, 429]
)
def take_photo(code: str, number: int) -> PhotoTaken:
    """Read the photo of a player's window; the answer says where its page is, also when it is unread."""
    _, window = game_actions.take_photo(code, number, photos.uploaded())
    return {"url": url_for("pages.show", record_id=window.id), "read": window.failure is None}


@blueprint.action("post", "/<int:number>/uses", "useTool", status=201, errors=[403, 404, 429])
def use_tool(used: ToolUse, code: str, number: int) -> Game:
    """Note that a player used a tool."""
    return answer(game_actions.use_tool(code, number, used.tool))


@blueprint.action("delete", "/<int:number>/uses", "takeBackTool", errors=[400, 403, 404, 429])
def take_back(code: str, number: int) -> Game:
    """Take back a player's last use of a tool."""
    return answer(game_actions.take_back(code, number))


@blueprint.action("post", "/<int:number>/link", "linkSeat", status=201, errors=[400, 403, 404, 429])
def make_link(code: str, number: int) -> SeatLink:
    """Make a link that brings a player's seat to another device (host).

    It works once and for 30 minutes; a newer one ends it. Only this answer has it.
    """
    made = game_actions.invite(code, number)
    return {
        "url": link_to_seat(code, made)[0],
        "key": made.secret,
        "expires": made.expires.isoformat(timespec="seconds"),
    }
