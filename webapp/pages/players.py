"""How a player looks at the table: the forms of the own seat, and the pictures."""

from __future__ import annotations

from io import BytesIO

from flask import Blueprint, send_file
from flask.typing import ResponseReturnValue
from werkzeug.http import generate_etag

from webapp.pages.frame import color_of
from webapp.pages.games import table_page, to_table
from webapp.services.errors import InputError, UnreadPhotoError
from webapp.web import photos, player_actions
from webapp.web.access import find

blueprint = Blueprint("players", __name__)


@blueprint.post("/g/<code>/seats/<int:number>/color")
def put_color(code: str, number: int) -> ResponseReturnValue:
    """Take in a player's color at the table; an empty one takes it back."""
    player_actions.put_color(code, number, color_of("color"))
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/picture")
def put_picture(code: str, number: int) -> ResponseReturnValue:
    """Take in a player's picture."""
    try:
        player_actions.put_picture(code, number, photos.uploaded())
    except (InputError, UnreadPhotoError) as error:
        return table_page(find(code), error)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/picture/away")
def take_picture_away(code: str, number: int) -> ResponseReturnValue:
    """Take a player's picture away."""
    player_actions.take_picture_away(code, number)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/forget")
def forget(code: str, number: int) -> ResponseReturnValue:
    """Forget how a player looks, and offer the name no more."""
    player_actions.forget(code, number)
    return to_table(code)


@blueprint.get("/players/<player>/picture.jpg")
def picture(player: str) -> ResponseReturnValue:
    """Return a player's picture, which stands beside the name wherever that is shown."""
    content = player_actions.picture(player)
    response = send_file(BytesIO(content), "image/jpeg", etag=generate_etag(content))
    response.headers["Cache-Control"] = "private, no-cache"
    return response
