"""The pages of the cards that this household taught: which they are, and naming those in a new photo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring import PublicObjective, Tool
from scoring.errors import SagradaError
from vision.errors import VisionError
from vision.photo import Photo, load_photo
from vision.read import TABLE_SIDE_PX
from vision.table import CARDS
from vision.taught import TaughtCard, cards_on, learn_card
from webapp.companion.errors import CompanionError, InputError, NotFoundError, StoreError, UnreadPhotoError
from webapp.pages.frame import page
from webapp.web import context, photos
from webapp.web.uploads import uploads

blueprint = Blueprint("cards", __name__)

MOST_CORNERS = 100_000.0  # pixels; no photo is so large


@blueprint.get("/cards")
def show() -> ResponseReturnValue:
    """Show the cards that were taught."""
    return _list_page()


@blueprint.post("/cards")
def take() -> ResponseReturnValue:
    """Take in a photo of cards that lie side by side, and ask which they are."""
    try:
        content = photos.uploaded()
        with photos.unread():
            image = load_photo(content, max_side=TABLE_SIDE_PX).image_bgr
    except CompanionError as error:
        return _list_page(error)
    kept = photos.encode(image, quality=photos.KEPT_QUALITY)  # without what came with the file
    upload = uploads().begin(len(kept))
    uploads().add(upload.id, 0, kept)
    return redirect(url_for("cards.name_them", photo_id=upload.id), 303)


@blueprint.get("/cards/photo/<photo_id>")
def name_them(photo_id: str) -> ResponseReturnValue:
    """Show the cards in a photo, each to be named."""
    photo = _photo(photo_id)
    found = cards_on(photo, context.taught_cards())
    if not found:
        uploads().remove(photo_id)
        return _list_page(InputError("no_cards"))
    return _naming_page(photo_id, photo, [(one.corners, one.proposal or "") for one in found])


@blueprint.post("/cards/photo/<photo_id>")
def keep(photo_id: str) -> ResponseReturnValue:
    """Keep the cards that were named; the photo has done its work."""
    photo = _photo(photo_id)
    named = list(
        zip(map(_corners, request.form.getlist("corners")), request.form.getlist("name"), strict=False)
    )
    wanted = [(corners, name) for corners, name in named if name]
    try:
        if not wanted:
            raise InputError("no_card_named")
        if len({name for _, name in wanted}) < len(wanted):
            raise InputError("card_named_twice")
        learned = [
            learn_card(photo.image_bgr, np.array(corners) * photo.scale, name) for corners, name in wanted
        ]
        context.card_store().keep(learned)
    except VisionError as error:
        return _naming_page(photo_id, photo, named, UnreadPhotoError(error.code, error))
    except (CompanionError, StoreError) as error:
        return _naming_page(photo_id, photo, named, error)
    uploads().remove(photo_id)
    return _to_list("kept", len(learned))


@blueprint.get("/cards/photo/<photo_id>.jpg")
def photo_file(photo_id: str) -> ResponseReturnValue:
    """Return the photo whose cards are being named."""
    return _jpeg(uploads().content(photo_id))


@blueprint.get("/cards/<name>.jpg")
def picture(name: str) -> ResponseReturnValue:
    """Return the picture of a card that was taught."""
    found = next((card for card in context.taught_cards() if card.name == name), None)
    if found is None:
        raise NotFoundError("card_missing")
    return _jpeg(photos.encode(found.picture_bgr))


@blueprint.post("/cards/forget")
def forget() -> ResponseReturnValue:
    """Forget a card, or all of them."""
    try:
        if "all" in request.form:
            context.card_store().forget_all()
        else:
            context.card_store().forget(request.form.get("name", ""))
    except SagradaError as error:
        return _list_page(error)
    return _to_list("forgotten")


def _list_page(error: SagradaError | None = None) -> Response:
    cards, problems = context.card_store().load()
    return page(
        "cards.html",
        error,
        taught=[(card, CARDS[card.kind](card.name)) for card in _in_order(cards)],
        unusable=len(problems),
        done=request.args.get("done"),
        number=request.args.get("number", 0, type=int),
    )


def _in_order(cards: tuple[TaughtCard, ...]) -> list[TaughtCard]:
    order = [card.value for kind in CARDS.values() for card in kind]
    return sorted(cards, key=lambda card: order.index(card.name))


def _naming_page(
    photo_id: str,
    photo: Photo,
    named: list[tuple[Any, str]],
    error: SagradaError | None = None,
) -> Response:
    width, height = photo.full_size
    return page(
        "cards_name.html",
        error,
        photo_id=photo_id,
        size=(width, height),
        seen=[_shown(corners, name) for corners, name in named],
        kinds=[tuple(PublicObjective), tuple(Tool)],
    )


def _shown(corners: Any, name: str) -> Mapping[str, object]:  # noqa: ANN401  four points
    (left, top), (right, foot) = (map(pick, zip(*corners, strict=True)) for pick in (min, max))
    return {
        "name": name,
        "corners": " ".join(f"{value:.1f}" for point in corners for value in point),
        "crop": f"{left:.1f} {top:.1f} {right - left:.1f} {foot - top:.1f}",
    }


def _corners(text: str) -> tuple[tuple[float, float], ...]:
    try:
        x0, y0, x1, y1, x2, y2, x3, y3 = (float(number) for number in text.split())
    except ValueError as error:
        raise InputError("bad_request") from error
    found = ((x0, y0), (x1, y1), (x2, y2), (x3, y3))
    inside = all(abs(value) <= MOST_CORNERS for point in found for value in point)
    if not inside or not cv2.isContourConvex(np.array(found, np.float32)):
        raise InputError("bad_request")
    return found


def _photo(photo_id: str) -> Photo:
    with photos.unread():
        return load_photo(uploads().content(photo_id), max_side=TABLE_SIDE_PX)


def _jpeg(content: bytes) -> Response:
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": "private, no-cache"})


def _to_list(done: str, number: int | None = None) -> Response:
    return make_response(redirect(url_for("cards.show", done=done, number=number), 303))
