"""The players of a game as JSON."""

from __future__ import annotations

from typing import Annotated, NotRequired

from flask import url_for
from pydantic import Field
from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

from webapp.api.game_answers import Game, PhotoTaken, SeatLink
from webapp.api.game_requests import Name, PlayerChange, ToolUse
from webapp.api.games import answer
from webapp.api.readings import Photo
from webapp.api.section import Section
from webapp.phones.join import link_to_seat
from webapp.services.changes import ChoicesChange
from webapp.web import game_actions, photos, player_actions
from webapp.web.access import find

blueprint = Section(
    "player_api",
    "/games/<code>/players",
    heading="Players",
    about="What each player does at the table. Of another player nothing is said before the reveal.",
    by_seat=True,
)


class Picture(TypedDict):
    """A photo of a player, as a form."""

    photo: Annotated[str, Field(json_schema_extra={"contentMediaType": "image/*"})]
    """A JPEG, PNG, WebP or HEIC file."""
    photo_id: NotRequired[str]
    """16 random characters (A-Z, a-z, 0-9, - and _): a photo sent again with the same id is stored once."""


@blueprint.action("post", "", "joinGame", status=201, errors=[404, 429])
def join(sent: Name, code: str) -> Game:
    """Sit down at the table.

    The answer sets the cookie that makes the seat this device's.
    """
    return answer(game_actions.join(code, sent.name))


@blueprint.action("patch", "/<int:number>", "changePlayer", errors=[403, 404, 409, 429])
def change(wanted: PlayerChange, code: str, number: int) -> Game:
    """Change name, color, private objective, window card, favor tokens or readiness of a player."""
    game = find(code)
    if "name" in wanted.model_fields_set:
        game = game_actions.rename(code, number, wanted.name)
    if own := wanted.sent("private", "window", "favor_tokens"):
        game = game_actions.put_own(code, number, ChoicesChange(**own), wanted.window_revision)
    if "ready" in wanted.model_fields_set:
        game = game_actions.be_ready(code, number, is_ready=wanted.ready)
    if "color" in wanted.model_fields_set:
        game = player_actions.put_color(code, number, wanted.color)
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
    _, window = game_actions.take_photo(code, number, photos.uploaded(), photos.sent_id())
    return {"url": url_for("pages.show", record_id=window.id), "read": window.failure is None}


@blueprint.action("put", "/<int:number>/picture", "putPicture", form=Picture, errors=[403, 404, 422, 429])
def put_picture(code: str, number: int) -> Game:
    """Remember a picture of the player: the middle of the photo, made small."""
    return answer(player_actions.put_picture(code, number, photos.uploaded()))


@blueprint.action("delete", "/<int:number>/picture", "takePictureAway", errors=[403, 404, 429])
def take_picture_away(code: str, number: int) -> Game:
    """Remember the player without a picture."""
    return answer(player_actions.take_picture_away(code, number))


@blueprint.action("delete", "/<int:number>/remembered", "forgetPlayer", errors=[403, 404, 429])
def forget(code: str, number: int) -> Game:
    """Forget color and picture of the player, who is remembered no more; seat and games stay."""
    return answer(player_actions.forget(code, number))


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
