"""The page of a photo of the whole table, and its forms, which work without scripts."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring import PublicObjective, Tool
from scoring.errors import SagradaError
from scoring.game.setup import MOST_PLAYERS
from vision.table import CARDS, LooseDie
from webapp.pages import readings as reading_view
from webapp.pages import texts
from webapp.pages.frame import page, private_of, whole
from webapp.pages.geometry import close_up
from webapp.services import changes
from webapp.services.changes import BoardChange, ChoicesChange
from webapp.services.errors import InputError, in_words_of_the_rules
from webapp.services.games.game import FEWEST_PLAYERS, Game
from webapp.services.placement import cell_of, die_of
from webapp.services.plain import as_listed
from webapp.services.record import Choices, Record
from webapp.services.table_photo import MOST_PUBLIC, Purpose, TablePhoto, tools_of
from webapp.services.tables import about_table
from webapp.storage.files import SHOWN
from webapp.web import context, cookies, expiry, lessons, photos, table_actions
from webapp.web.access import find
from webapp.web.errors import problem_of
from webapp.web.language import gettext, ngettext, words

DICE_ONLY = frozenset({Purpose.POOL, Purpose.TRACK})
MARGIN = 3.0  # around loose dice that are shown alone, in edges of a die
ROOM = 0.75  # around a die or a card in its close-up, of its size


def state(photo: TablePhoto) -> dict[str, Any]:
    """Return everything the templates need to show a photo of the table."""
    records = table_actions.windows(photo)
    counts = photo.purpose is Purpose.SCORE
    windows = [_window(photo, number, one, counts=counts) for number, one in enumerate(records, start=1)]
    if photo.purpose in DICE_ONLY:
        windows = []
    dice = [_die(photo, index, die) for index, die in enumerate(photo.loose_dice)]
    made = table_actions.made_game(photo) if counts else None
    return {
        "photo": photo,
        "purpose": photo.purpose.value,
        "windows": windows,
        "dice": dice,
        "cards": [_card(index, photo) for index in range(len(photo.cards))],
        "unread": [
            {"center": one.center, "what": one.what, "problem": problem_of(one.failure.error())}
            for one in photo.unread
            if photo.purpose not in DICE_ONLY or one.what == "die"
        ],
        "crop": _crop(photo) if photo.purpose in DICE_ONLY else None,
        "unit": max(photo.size) / 100,
        "progress": _progress(photo, len(records)),
        "problem": problem_of(photo.failure.error()) if photo.failure else None,
        "notices": _notices(photo, len(records)),
        "read_as": ", ".join(dict.fromkeys(name for one in records if (name := _read_as(one)))),
        "advice": [words().say(one.sentence, one.advice) for one in photo.advice if windows],
        "doubts": _doubts(photo, windows, dice),
        "tools": tools_of(photo.cards),
        "missing_cards": MOST_PUBLIC - len(photo.public),
        "game": made,
        "can_score": photo.is_read and FEWEST_PLAYERS <= len(table_actions.playing(photo)) <= MOST_PLAYERS,
        "seats": _seats(photo, windows) if photo.purpose is Purpose.SEATS else None,
    }


def _read_as(record: Record) -> str | None:
    """Return the dice of this house that a window was read with."""
    return record.reading.profile if record.reading else None


def _window(photo: TablePhoto, number: int, record: Record, *, counts: bool) -> dict[str, Any]:
    """Return what is shown of a window; ``counts`` says whether points may be told."""
    judgement = table_actions.judged(record)
    cells = reading_view.cells_of(record, judgement.case.card)
    corners = list(record.shown.corners) if record.shown else []
    middle = [sum(axis) / 4 for axis in zip(*corners, strict=True)] if corners else [0.0, 0.0]
    return {
        "number": number,
        "record": record,
        "outline": " ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
        "middle": middle,
        "cells": cells,
        "doubtful": [cell for cell in cells if cell["doubtful"]],
        "unlike_dice": reading_view.unlike_dice_of(record),
        "total": table_actions.points_of(photo, judgement),
        "name": photo.names.get(record.id, ""),
        "card": texts.window_name(judgement.case.card) if judgement.case.card else None,
        "left_out": record.id in photo.left_out,
        "problems": len(judgement.placement.problems) if counts else 0,
    }


def _die(photo: TablePhoto, index: int, die: LooseDie) -> dict[str, Any]:
    """Return what is shown of a loose die."""
    x, y = die.center
    half = die.size * (0.5 + ROOM)
    others = [f"{one.color.value}{one.value}" for one in die.alternatives if one.color and one.value]
    return {
        "index": index,
        "die": die.die,
        "x": x,
        "y": y,
        "r": die.size * ROOM,
        "doubtful": index in photo.doubtful_dice,
        "counts": die in (photo.track if photo.purpose is Purpose.TRACK else photo.pool),
        "round": die.round,
        "candidates": others[:3],
        "label": words().name(die.die),
        "close_up": f"{x - half:.1f} {y - half:.1f} {2 * half:.1f} {2 * half:.1f}",
    }


def _card(index: int, photo: TablePhoto) -> dict[str, Any]:
    """Return what is shown of a public objective or tool card."""
    card = photo.cards[index]
    return {
        "index": index,
        "card": CARDS[card.kind](card.name),
        "doubtful": card.doubtful,
        "outline": " ".join(f"{x:.1f},{y:.1f}" for x, y in card.corners),
        "close_up": close_up(card.corners, 0).crop,
    }


def _doubts(
    photo: TablePhoto, windows: list[dict[str, Any]], dice: list[dict[str, Any]]
) -> dict[str, list[Any]]:
    """Return all that a person should look at: spaces of windows, loose dice, cards."""
    if not photo.is_read:
        return {"cells": [], "dice": [], "cards": []}
    in_game = [one for one in windows if not one["left_out"]]
    with_dice = photo.purpose in {*DICE_ONLY, Purpose.PLACE}
    cards = [_card(index, photo) for index, card in enumerate(photo.cards) if card.doubtful]
    unlike = [
        (one["unlike_dice"], one["record"].id) for one in in_game if one["unlike_dice"] and one["doubtful"]
    ]
    return {
        "unlike_dice": unlike[:1],
        "cells": [(one, cell) for one in in_game for cell in one["doubtful"]],
        "dice": [die for die in dice if die["doubtful"]] if with_dice else [],
        "cards": cards if photo.purpose is Purpose.SCORE else [],
    }


def _crop(photo: TablePhoto) -> str | None:
    """Return the part of the photo with the loose dice as an SVG view box, None where there are none."""
    dice = photo.track if photo.purpose is Purpose.TRACK else photo.pool
    if not dice:
        return None
    edge = MARGIN * max(die.size for die in dice)
    low = [max(0.0, min(die.center[axis] for die in dice) - edge) for axis in (0, 1)]
    high = [min(float(photo.size[axis]), max(die.center[axis] for die in dice) + edge) for axis in (0, 1)]
    return f"{low[0]:.1f} {low[1]:.1f} {high[0] - low[0]:.1f} {high[1] - low[1]:.1f}"


def _progress(photo: TablePhoto, read: int) -> str:
    """Say how far the reading is."""
    if photo.is_read:
        return ""
    if photo.expected is None:
        return gettext("Looking for windows…")
    if read < photo.expected:
        return ngettext(
            "%(read)s of %(num)d window is read…",
            "%(read)s of %(num)d windows are read…",
            photo.expected,
            read=read,
        )
    return gettext("Looking at loose dice and cards…")


def _notices(photo: TablePhoto, windows: int) -> list[str]:
    """Return what a person should know about what is in the photo, and what to do."""
    if not photo.is_read or photo.failure is not None:
        return []
    if photo.purpose is Purpose.SCORE and windows == 1:
        return [gettext("There is only one window. For the whole table, take the photo from farther away.")]
    if photo.purpose is Purpose.SCORE:
        return [remark.text(words()) for remark in about_table(windows, photo)]
    if photo.purpose is Purpose.SEATS:
        few = gettext(
            "There are fewer windows in the photo than players. Whoever gets none takes a photo of their own."
        )
        other = gettext("No window here looks like one of the seats'. Is it a photo of this table?")
        return [
            *([few] if windows < len(find(photo.target or "").seats) else []),
            *([other] if not photo.seated and table_actions.may_be_another_table(photo) else []),
        ]
    if photo.purpose is Purpose.PLACE:
        none = gettext("There is no window in the photo. Take another one, or start with an empty window.")
        return [] if windows else [none]
    none = gettext("No loose die was seen. Tap where one lies to add it, or take the photo from nearer.")
    return [] if photo.loose_dice else [none]


def _seats(photo: TablePhoto, windows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the seats with the windows that they are offered; nothing of what is secret."""
    game: Game = find(photo.target or "")
    return {
        "game": game,
        "offered": table_actions.offered(photo) if photo.is_read else {},
        "filled": any(str(seat.number) in photo.seated for seat in game.seats),
        "windows": [one["number"] for one in windows],
    }


blueprint = Blueprint("table_photos", __name__)

TOOLS = frozenset(tool.value for tool in Tool)


@blueprint.post("/t")
def take() -> ResponseReturnValue:
    """Take in a photo of the table from a plain form; ``purpose`` and ``target`` say what for."""
    try:
        purpose = Purpose(request.form.get("purpose", Purpose.SCORE.value))
    except ValueError as error:
        raise InputError("bad_request") from error
    photo = table_actions.take(photos.uploaded(), purpose, request.form.get("target"))
    return to_photo(photo.id)


@blueprint.get("/t/<photo_id>")
def show(photo_id: str) -> ResponseReturnValue:
    """Show what was read in a photo of the table; where nothing is left to ask, go where it leads to."""
    photo = table_actions.load(photo_id)
    onward = _onward(photo) if "look" not in request.args else None
    return onward or photo_page(photo)


def photo_page(photo: TablePhoto, error: SagradaError | None = None) -> Response:
    """Return the page, with what was refused where something was."""
    return page("table_photo.html", error, state=state(photo), gone=expiry.goes_on(photo))


def _onward(photo: TablePhoto) -> Response | None:
    """Return the way to the placement page when the photo answers all that it was taken for."""
    if not photo.is_read or photo.failure is not None or photo.doubtful_dice:
        return None
    if photo.purpose is Purpose.POOL and photo.pool:
        return to_placement(photo, photo.target or "")
    if photo.purpose is Purpose.PLACE:
        found = table_actions.windows(photo)
        if len(found) == 1:
            return cookies.remember(to_placement(photo, found[0].id), found[0].id)
    return None


def to_placement(photo: TablePhoto, record_id: str) -> Response:
    """Return the way to the question where the dice of the photo's pool may go on a window."""
    fields = urlencode(photo.question.fields())
    return make_response(redirect(f"{url_for('placement.show', record_id=record_id)}?{fields}", 303))


def to_photo(photo_id: str) -> Response:
    """Return the way to the page of a photo."""
    return make_response(redirect(url_for("table_photos.show", photo_id=photo_id), 303))


def _back(photo_id: str) -> Response:
    """Return the way back to the page of a photo, to stay there."""
    return make_response(redirect(url_for("table_photos.show", photo_id=photo_id, look=1), 303))


@blueprint.get("/t/<photo_id>/photo.jpg")
def picture(photo_id: str) -> ResponseReturnValue:
    """Return the photo as it is shown."""
    content = context.tables().file(photo_id, SHOWN)
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


# --- Putting things right --------------------------------------------------------------------------


@blueprint.post("/t/<photo_id>/cell")
def put_cell(photo_id: str) -> ResponseReturnValue:
    """Say what lies on a space of a window; what was read there, said again, is right."""
    record_id, cell = request.form.get("record", ""), cell_of(request.form.get("cell", ""))
    if record_id not in context.tables().load(photo_id).windows:
        raise InputError("no_such_window")
    text = request.form.get("die", "")
    board = BoardChange({cell: None if text == "--" else die_of(text)})
    record = context.store().update(record_id, lambda newest: changes.apply(newest, newest.revision, board))
    lessons.said_right(record)
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/die")
def put_die(photo_id: str) -> ResponseReturnValue:
    """Say what a loose die shows, that there is none, or that there is one more."""
    form = request.form
    index = whole("index") if form.get("index") else None
    die = die_of(form["die"]) if form.get("die", "--") != "--" else None
    at = (float(whole("x", "0")), float(whole("y", "0")))
    table_actions.put_die(photo_id, whole("revision"), index, die, at)
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/cards")
def put_public(photo_id: str) -> ResponseReturnValue:
    """Choose the public objectives."""
    with in_words_of_the_rules():
        public = [as_listed(name, PublicObjective) for name in request.form.getlist("public")]
    photo = table_actions.put_public(photo_id, public)
    return cookies.remember_table(_back(photo_id), Choices(public=photo.public))


@blueprint.post("/t/<photo_id>/card")
def put_card(photo_id: str) -> ResponseReturnValue:
    """Say whether a card that was read with doubt is the one that it looks like."""
    name = request.form.get("card", "")
    with in_words_of_the_rules():
        card = as_listed(name, Tool) if name in TOOLS else as_listed(name, PublicObjective)
    table_actions.settle_card(photo_id, card, is_right=request.form.get("right") == "yes")
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/windows/<int:number>")
def put_window(photo_id: str, number: int) -> ResponseReturnValue:
    """Note whose window it is, private objective and favor tokens."""
    choices = ChoicesChange(favor_tokens=whole("favor", "0"))
    if "private" in request.form:
        choices = ChoicesChange(favor_tokens=choices.favor_tokens, private=private_of("private"))
    table_actions.put_window(photo_id, number, choices, request.form.get("name"))
    return _back(photo_id)


@blueprint.post("/t/<photo_id>/windows/<int:number>/out")
def leave_out(photo_id: str, number: int) -> ResponseReturnValue:
    """Note that a window is not of this game, or is after all."""
    table_actions.leave_out(photo_id, number, out=request.form.get("out") == "yes")
    return _back(photo_id)


# --- What comes next -------------------------------------------------------------------------------


@blueprint.post("/t/<photo_id>/score")
def score(photo_id: str) -> ResponseReturnValue:
    """Rank the windows, and show the ranking."""
    try:
        game = table_actions.score(photo_id)
    except InputError as error:
        return photo_page(table_actions.load(photo_id), error)
    return redirect(url_for("games.reveal", code=game.code), 303)


@blueprint.post("/t/<photo_id>/seats")
def fill_seats(photo_id: str) -> ResponseReturnValue:
    """Give the seats of a game their windows."""
    wanted = {
        int(field.removeprefix("seat-")): whole(field)
        for field, value in request.form.items()
        if field.removeprefix("seat-").isdecimal() and value
    }
    try:
        game = table_actions.fill_seats(photo_id, wanted)
    except InputError as error:
        return photo_page(table_actions.load(photo_id), error)
    return redirect(url_for("games.table", code=game.code), 303)


@blueprint.post("/t/<photo_id>/target")
def put_target(photo_id: str) -> ResponseReturnValue:
    """Take the sum of the round track as the target of the solo game."""
    try:
        game = table_actions.put_target(photo_id)
    except InputError as error:
        return photo_page(table_actions.load(photo_id), error)
    return redirect(url_for("games.table", code=game.code), 303)


@blueprint.post("/t/<photo_id>/place")
def place(photo_id: str) -> ResponseReturnValue:
    """Ask where the dice of the pool may go: on a window of the photo, or on the one it is for."""
    photo = table_actions.load(photo_id)
    record_id = request.form.get("record") or (photo.target if photo.purpose is Purpose.POOL else None)
    if record_id is None:
        record_id = photos.begun_by_hand().id
    return cookies.remember(to_placement(photo, record_id), record_id)


@blueprint.post("/t/<photo_id>/delete")
def delete(photo_id: str) -> ResponseReturnValue:
    """Remove the photo with its windows for good."""
    table_actions.delete(photo_id)
    return redirect(url_for("pages.start"), 303)


@blueprint.post("/w/<record_id>/table")
def whole_table(record_id: str) -> ResponseReturnValue:
    """Read the rest of a photo of which one window was read, or none."""
    record = context.store().load(record_id)
    return to_photo(table_actions.take(record, Purpose.SCORE).id)
