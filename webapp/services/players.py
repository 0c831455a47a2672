"""Remembering players: what pages and interface ask; only a seat's own device changes its player."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress

import cv2
import numpy as np

from scoring import Color
from vision.photo import load_photo
from webapp.domain.errors import TooManyError, UnreadPhotoError
from webapp.domain.games.game import Game, Player, player_id
from webapp.domain.quotas import Kind
from webapp.services import access, context
from webapp.services.access import find_for_seat
from webapp.services.photos import decoding
from webapp.storage.players import PlayerStore
from webapp.workers.work import encode

MOST_OFFERED = 20
PICTURE_PX = 256
MOST_PICTURE_BYTES = 40_000
QUALITIES = (85, 70, 50, 30, 10)
KNOWN = "known_players"


def remember(name: str) -> None:
    """Keep the name of somebody who sits down, unless too many new ones came from this device today."""
    with suppress(TooManyError):
        if player_id(name) not in known():
            access.demand_room(Kind.PLAYER)
        _store().remember(name)
        context.work().cache.pop(KNOWN, None)


def known() -> dict[str, Player]:
    """Return all players by their id, the one seen last first; they are read once a request."""
    cache = context.work().cache
    if KNOWN not in cache:
        cache[KNOWN] = {one.id: one for one in _store().all()}
    found: dict[str, Player] = cache[KNOWN]
    return found


def look_of(name: str) -> Player:
    """Return what is remembered of a player, and the name alone where nothing is."""
    return known().get(player_id(name)) or Player(name)


def offered_names(seated: Collection[str] = ()) -> list[str]:
    """Return the names to choose from, without those who have a seat."""
    taken = {player_id(name) for name in seated}
    return [one.name for one in known().values() if one.id not in taken][:MOST_OFFERED]


def put_color(code: str, number: int, color: Color | None) -> Game:
    """Remember the color at the table of the player in this seat."""
    return _changed(code, number, lambda name: _store().put_color(name, color))


def put_picture(code: str, number: int, content: bytes) -> Game:
    """Remember a picture of the player in this seat."""
    return _changed(code, number, lambda name: _store().put_picture(name, small_square(content)))


def take_picture_away(code: str, number: int) -> Game:
    """Remember the player in this seat without a picture."""
    return _changed(code, number, lambda name: _store().put_picture(name, None))


def forget(code: str, number: int) -> Game:
    """Forget color and picture of the player in this seat, and offer the name no more."""
    return _changed(code, number, _store().forget)


def _changed(code: str, number: int, change: Callable[[str], object]) -> Game:
    """Change what is remembered of the player in this seat, who has to ask, and return the game."""
    game = find_for_seat(code, number)
    change(game.seat(number).name)
    context.work().cache.pop(KNOWN, None)
    return game


def picture(of: str) -> bytes:
    """Return the picture of the player with this id."""
    return _store().picture(of)


def small_square(content: bytes) -> bytes:
    """Return the middle of a photo as a small JPEG, without anything else that came with the file."""
    with decoding():
        image = load_photo(content, max_side=4 * PICTURE_PX).image_bgr
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = image[top : top + side, left : left + side]
    size = (PICTURE_PX, PICTURE_PX)
    small = cv2.resize(square, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    for quality in QUALITIES:
        jpeg = encode(small, quality=quality)
        if len(jpeg) <= MOST_PICTURE_BYTES:
            return jpeg
    raise UnreadPhotoError("not_a_photo")


def _store() -> PlayerStore:
    return context.kept().players
