"""The pages of the cards that this household taught: which they are, and naming those in a new photo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring import Lift, PublicObjective, Tool, ToolEffect
from scoring.errors import SagradaError, UnknownNameError
from vision.photo import load_photo
from vision.reading import Corners
from vision.table import CARDS
from webapp.companion.errors import InputError, NotFoundError, in_words_of_the_rules
from webapp.companion.tool_rules import rule_of
from webapp.pages.frame import color_of, page
from webapp.readers.work import encode
from webapp.store.cards import card_called
from webapp.web import administrator, context, own_cards, own_tools, photos
from webapp.web.photo_reading import SHOWN_TABLE_PX
from webapp.web.uploads import uploads

blueprint = Blueprint("cards", __name__)

DONE = {"tool", "tool_gone", "kept", "forgotten", "back", "all_forgotten"}
MOST_PX = 100_000.0  # no photo is so large
ROOM = 0.02  # around a card that is shown, in its widths and heights


@blueprint.get("/cards")
def show() -> ResponseReturnValue:
    """Show the cards that were taught."""
    return _list_page()


def _list_page(error: SagradaError | None = None) -> Response:
    """Return the list, with what was refused where something was."""
    done = request.args.get("done")
    cards, unusable = own_cards.kept()
    return page(
        "cards.html",
        error,
        taught=[(card.name, CARDS[card.kind](card.name)) for card in cards],
        unusable=unusable,
        done=done if done in DONE else None,
        number=request.args.get("number", 0, type=int),
        gone=_gone(),
        own_tools=own_tools.own(),
        lifts=Lift,
        effects=ToolEffect,
        rule_of=rule_of,
        may_set=administrator.is_here(),
    )


@blueprint.post("/cards/tools")
def add_tool() -> ResponseReturnValue:
    """Add a tool card of one's own, or remove one."""
    try:
        if gone := request.form.get("remove"):
            own_tools.remove(gone)
            return redirect(url_for("cards.show", done="tool_gone", _anchor="own-tools"), 303)
        color = color_of("color")
        if color is None:
            raise InputError("bad_request")
        with in_words_of_the_rules():
            lifts = [Lift(one) for one in request.form.getlist("lift")]
            effect = ToolEffect(request.form.get("effect", ""))
            own_tools.add(request.form.get("name", ""), effect, color, lifts)
    except SagradaError as error:
        return _list_page(error)
    return redirect(url_for("cards.show", done="tool", _anchor="own-tools"), 303)


@blueprint.get("/cards/<name>.jpg")
def picture(name: str) -> ResponseReturnValue:
    """Return the picture of a card that was taught."""
    found = next((card for card in context.taught_cards() if card.name == name), None)
    if found is None:
        raise NotFoundError("card_missing")
    return _jpeg(encode(found.picture_bgr), "no-cache")


@blueprint.post("/cards")
def take() -> ResponseReturnValue:
    """Take in a photo of cards that lie side by side, which is kept until they are named, a day at most."""
    try:
        upload, _ = own_cards.take(photos.uploaded())
    except SagradaError as error:
        return _list_page(error)
    return redirect(url_for("cards.name_them", upload_id=upload.id), 303)


@blueprint.get("/cards/photo/<upload_id>")
def name_them(upload_id: str) -> ResponseReturnValue:
    """Show the cards in a photo, each to be named."""
    found = own_cards.found(upload_id)
    return _naming_page(upload_id, [(one.corners, one.proposal or "") for one in found], read=True)


@blueprint.get("/cards/photo/<upload_id>.jpg")
def photo_file(upload_id: str) -> ResponseReturnValue:
    """Return the photo whose cards are being named, as it is shown."""
    with photos.decoding():
        image = load_photo(uploads().content(upload_id), max_side=SHOWN_TABLE_PX).image_bgr
    return _jpeg(encode(image), "max-age=3600")


@blueprint.post("/cards/photo/<upload_id>")
def learn(upload_id: str) -> ResponseReturnValue:
    """Learn the cards that were named; then their photo goes."""
    form = request.form
    places = [_corners(text) for text in form.getlist("corners")]
    seen = list(zip(places, form.getlist("name"), strict=False))
    named = [number for number, (_, name) in enumerate(seen) if name]
    try:
        learned = own_cards.learn(upload_id, [seen[number] for number in named])
    except NotFoundError:
        raise
    except SagradaError as error:
        wrong = error.data.get("cards")
        return _naming_page(
            upload_id, seen, error, [named[k] for k in wrong] if isinstance(wrong, list) else ()
        )
    return _to_list("kept", number=len(learned))


@blueprint.post("/cards/forget")
def forget() -> ResponseReturnValue:
    """Forget a card, which can be brought back, or all of them for good."""
    name = request.form.get("name", "")
    try:
        match request.form.get("do"):
            case "all":
                own_cards.forget_all()
                return _to_list("all_forgotten")
            case "back":
                return _to_list("back", name=own_cards.bring_back(name))
            case _:
                return _to_list("forgotten", name=own_cards.forget(name))
    except SagradaError as error:
        return _list_page(error)


def _gone() -> PublicObjective | Tool | None:
    """Return the card that the address says was forgotten, or brought back, just now."""
    try:
        name = card_called(request.args.get("name", ""))
    except UnknownNameError:
        return None
    return next(kind(name) for kind in CARDS.values() if name in {card.value for card in kind})


def _naming_page(
    upload_id: str,
    seen: Sequence[tuple[Corners, str]],
    error: SagradaError | None = None,
    wrong: Collection[int] = (),
    *,
    read: bool = False,
) -> Response:
    """Return the cards of a photo with the names that they have so far; ``read``: by the program."""
    with photos.decoding():
        size = load_photo(uploads().content(upload_id), max_side=SHOWN_TABLE_PX).full_size
    return page(
        "cards_name.html",
        error,
        upload_id=upload_id,
        size=size,
        seen=[{**_shown(corners), "name": name, "is_read": read and name} for corners, name in seen],
        wrong=wrong,
        known={card.name for card in context.taught_cards()},
        kinds=[tuple(PublicObjective), tuple(Tool)],
    )


def _shown(corners: Corners) -> Mapping[str, Any]:
    (left, top), (right, foot) = (tuple(map(pick, zip(*corners, strict=True))) for pick in (min, max))
    across, down = ROOM * (right - left), ROOM * (foot - top)
    wide, high = right - left + 2 * across, foot - top + 2 * down
    return {
        "corners": " ".join(f"{value:.1f}" for point in corners for value in point),
        "crop": f"{left - across:.1f} {top - down:.1f} {wide:.1f} {high:.1f}",
    }


def _corners(text: str) -> Corners:
    try:
        x0, y0, x1, y1, x2, y2, x3, y3 = (float(number) for number in text.split())
    except ValueError as error:
        raise InputError("bad_request") from error
    found: Corners = ((x0, y0), (x1, y1), (x2, y2), (x3, y3))
    if not all(abs(value) <= MOST_PX for point in found for value in point):
        raise InputError("bad_request")
    return found


def _jpeg(content: bytes, how_long: str) -> Response:
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": f"private, {how_long}"})


def _to_list(done: str, name: str | None = None, number: int | None = None) -> Response:
    """Return the way to the list, which says what was done."""
    return make_response(redirect(url_for("cards.show", done=done, name=name, number=number), 303))
