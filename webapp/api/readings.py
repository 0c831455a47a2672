"""Readings as JSON: the same actions as on the pages, for our own scripts and for other programs."""

from __future__ import annotations

from typing import Annotated, NotRequired, cast

from flask import after_this_request, request, url_for
from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.answers import Error, KeptLesson, LastReadings, Reading, ReadingLinks
from webapp.api.requests import Corners, NewReading, OnRevision, ReadingChange
from webapp.api.section import Section, made_at
from webapp.services import changes
from webapp.services.changes import BoardChange, ChoicesChange
from webapp.services.errors import InputError
from webapp.services.games.cards import check_private
from webapp.services.games.result import case_of
from webapp.services.judging import Judgement, judge
from webapp.services.record import Record, spaces_of
from webapp.services.table_photo import Purpose
from webapp.web import access, context, cookies, lessons, photo_reading, photos, table_actions
from webapp.web.errors import problem_of
from webapp.web.language import cell_label, words

blueprint = Section(
    "api",
    "/readings",
    heading="Readings",
    about="A reading is one window: a photo with the dice that were read in it, or dice entered by hand. "
    "Whoever knows its id may see and change it.",
)


class Photo(TypedDict):
    """A photo of a window, as a form."""

    photo: Annotated[str, Field(json_schema_extra={"contentMediaType": "image/*"})]
    """A JPEG, PNG, WebP or HEIC file."""
    photo_id: NotRequired[str]
    """16 random characters (A-Z, a-z, 0-9, - and _): a photo sent again with the same id is stored once."""
    card_of: NotRequired[str]
    """The id of an earlier reading of the same window: the card that was chosen for it comes along, unless
    the photo itself names another one with certainty."""
    only_the_card: NotRequired[str]
    """`yes`: the photo was taken only to keep the window card in it. It is not among the last readings; it is
    deleted when the card is kept, or when it was left for a day."""


@blueprint.action("get", "", "listReadings")
def last() -> LastReadings:
    """List the last readings of this browser.

    The cookie `recent`, which every new reading sets, names them.
    """
    return {
        "readings": [
            {
                "id": record.id,
                "created": record.created,
                "board": str(record.board),
                "total": _total(record),
                "links": _links(record),
            }
            for record in context.store().load_known(cookies.recent())
        ]
    }


@blueprint.action("post", "", "makeReading", status=201, form=Photo, errors=[422])
def create(begun: NewReading | None) -> Reading:
    """Read a photo, or begin with dice entered by hand.

    A photo that opens but cannot be read is kept, too: `failure` says why, and the dice can be entered by
    hand or the corners set. Where many photos come at once, one waits: the code of its `failure` is
    `being_read` then, `place` in its `data` says how many are before it, and its dice are there when it is
    asked for again later. Where more windows are in view, the whole table is read, too, see `links`. The
    header `Location` names the reading.
    """
    if begun is not None:
        record = photos.begun_by_hand(begun.board)
    else:
        choices = photos.choices_for_next(request.form.get("card_of"))
        only_the_card = request.form.get("only_the_card") == "yes"
        record = photo_reading.take_in(
            photos.uploaded(), choices, for_card=only_the_card, photo_id=photos.sent_id()
        )
        if photos.shows_several(record) and not only_the_card:
            table_actions.take(record, Purpose.SCORE)
            record = context.store().load(record.id)
    return made(record)


@blueprint.action("get", "/<record_id>", "getReading", errors=[404])
def show(record_id: str) -> Reading:
    """Get dice, points and problems of a reading."""
    return _answer(photo_reading.looked_at(context.store().load(record_id)))


@blueprint.action("patch", "/<record_id>", "changeReading", errors=[404, 409])
def change(wanted: ReadingChange, record_id: str) -> Reading:
    """Correct dice, choose objectives and window card.

    The public objectives of a window that belongs to a game are chosen in the game.
    """
    choices = ChoicesChange(**wanted.choices.sent())
    game = access.game_of(record_id)
    if choices.public is not None and game:
        raise InputError("table_decides")
    check_private(game, choices.private)
    board, known = BoardChange(**wanted.sent("cells", "checked", "unchecked")), context.known_windows()
    record = context.store().update(
        record_id, lambda newest: changes.apply(newest, wanted.revision, board, choices, known)
    )
    if board.cells or board.checked:
        lessons.said_right(record)
    if choices.public is not None:
        after_this_request(lambda response: cookies.remember_table(response, record.choices))
    return _answer(record)


@blueprint.action("delete", "/<record_id>", "deleteReading", errors=[400, 404])
def delete(record_id: str) -> None:
    """Delete a reading and its photo for good.

    A window that belongs to a game goes with its seat.
    """
    if access.game_of(record_id):
        raise InputError("window_of_a_seat")
    context.store().delete(record_id)


@blueprint.action("post", "/<record_id>/by-hand", "goOnByHand", errors=[404])
def by_hand(record_id: str) -> Reading:
    """Go on by hand beside a photo that could not be read."""
    return _answer(context.store().update(record_id, changes.by_hand))


@blueprint.action("post", "/<record_id>/turn", "turnReading", errors=[404, 409])
def turn(seen: OnRevision, record_id: str) -> Reading:
    """Show the window the other way up."""
    return _answer(context.store().update(record_id, lambda newest: changes.turn(newest, seen.revision)))


@blueprint.action("post", "/<record_id>/corners", "setCorners", errors=[404, 409, 422])
def put_corners(by_hand: Corners, record_id: str) -> Reading:
    """Read the photo again with the corners set by hand."""
    record = context.store().load(record_id)
    return _answer(photos.read_again(record, list(by_hand.corners), by_hand.revision))


@blueprint.action("delete", "/<record_id>/corners", "takeBackCorners", errors=[404, 409])
def take_back_corners(seen: OnRevision, record_id: str) -> Reading:
    """Go back to the reading before the corners were set by hand."""
    return _answer(
        context.store().update(record_id, lambda newest: changes.before_corners(newest, seen.revision))
    )


def made(record: Record) -> Reading:
    """Return the state of a new reading; this browser remembers it unless it was made only for a card."""
    made_at(url_for("api.show", record_id=record.id))
    if not record.for_card:
        after_this_request(lambda response: cookies.remember(response, record.part_of or record.id))
    return _answer(record)


def _answer(record: Record) -> Reading:
    """Return a reading as plain data, labels and sentences in the visitor's language."""
    judgement, choices, problem = _judged(record), record.choices, photo_reading.problem(record)
    return {
        "id": record.id,
        "revision": record.revision,
        "size": list(record.size) if record.size else None,
        "corners": [list(point) for point in record.shown.corners] if record.shown else None,
        **judgement.to_json(words()),
        "cells": [
            {
                "name": space.name,
                "label": cell_label(space.name, space.die, doubtful=space.doubtful),
                "die": str(space.die) if space.die else None,
                "doubtful": space.doubtful,
                "candidates": list(space.candidates),
                "restriction": space.restriction,
            }
            for space in spaces_of(record, judgement.case.card)
        ],
        "choices": {
            "public": [card.value for card in choices.public],
            "private": choices.private_name,
            "window": choices.window,
            "favor_tokens": judgement.case.favor_tokens or 0,
        },
        "profile": record.reading.profile if record.reading else None,
        "lesson": _lesson(record),
        "unlike_dice": record.reading is not None and record.reading.unlike_dice,
        "failure": cast("Error", problem_of(problem)) if problem else None,
        "links": _links(record),
    }


def _lesson(record: Record) -> KeptLesson | None:
    known = lessons.of_window(record)
    if known is None or known.stage is None:
        return None
    return {
        "stage": known.stage.value,
        "profile": known.came.profile if known.came else None,
        "can_undo": lessons.can_undo(known),
        "message": words().say(*known.sentences),
    }


def _links(record: Record) -> ReadingLinks:
    """Return where the other things about a reading are."""
    has_photo = record.size is not None
    return {
        "self": url_for("api.show", record_id=record.id),
        "placement": url_for("placement_api.show", record_id=record.id),
        "page": url_for("pages.show", record_id=record.id),
        "picture": url_for("art.window", record_id=record.id),
        "photo": url_for("pages.photo", record_id=record.id) if has_photo else None,
        "table": url_for("table_photos.show", photo_id=record.part_of) if record.part_of else None,
    }


def _total(record: Record) -> int | None:
    """Return the points, None before they say anything and for an unread photo."""
    return _judged(record).total if record.failure is None else None


def _judged(record: Record) -> Judgement:
    """Return what the rules say about a window, at its table where it belongs to one."""
    return judge(case_of(record, access.game_of(record.id), context.known_windows()))
