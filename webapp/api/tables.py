"""Photos of the whole table as JSON: the same actions as on their page."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal, NotRequired, cast

from flask import Response, after_this_request, request, url_for
from pydantic import Field

from scoring import PublicObjective, ScoringError, Tool
from vision.table import LooseDie
from webapp.api import game_answers
from webapp.api.answers import Error
from webapp.api.body import Body, Text
from webapp.api.game_requests import Seating
from webapp.api.games import answer as game_answer
from webapp.api.readings import Photo
from webapp.api.requests import (
    LEFT_OUT,
    ADieOrNone,
    Corner,
    FavorTokens,
    ListedObjectives,
    OnRevision,
    PlayerName,
    PrivateOrNothing,
)
from webapp.api.section import Section, made_at
from webapp.api.table_answers import Table, TableDie, TableLinks, TableWindow
from webapp.services.changes import ChoicesChange
from webapp.services.errors import InputError
from webapp.services.plain import as_listed
from webapp.services.record import Record, spaces_of
from webapp.services.table_photo import Purpose, TablePhoto
from webapp.web import cookies, photos, table_actions
from webapp.web.errors import problem_of
from webapp.web.language import words

blueprint = Section(
    "table_api",
    "/tables",
    heading="Photos of the whole table",
    about="One photo with all windows, the draft pool, the round track or all of it. It is read in the "
    "background: ask again until `stage` is `done` or `failed`. Each window is a reading of its own. "
    "Whoever knows the id of a photo may see and change it; a photo for the seats of a game tells no points.",
)


class TableForm(Photo):
    """A photo of the table, as a form."""

    purpose: NotRequired[Literal["score", "seats", "place", "pool", "track"]]
    """What it is taken for: to score all windows (the default), to fill the seats of a game (host), to ask
    where the dice beside a window may go, for the draft pool of a reading, for the target of a solo game."""
    target: NotRequired[str]
    """The code of the game, or the id of the reading, that it is for."""


class TableChange(Body):
    """What changes on a photo of the table; a key that is left out stays as it is."""

    public: ListedObjectives = LEFT_OUT
    """The public objectives, three at most; no card in the photo needs a look any more."""


def _card(name: str) -> PublicObjective | Tool:
    with suppress(ScoringError):
        return as_listed(name, PublicObjective)
    return as_listed(name, Tool)


class CardLook(Body):
    """What a look at a card showed."""

    card: Annotated[PublicObjective | Tool, Text(_card)]
    """The card that was read with doubt."""
    right: bool
    """Whether it is the one that it looks like."""


class WindowChange(Body):
    """What belongs to a window of the photo; a key that is left out stays as it is."""

    name: PlayerName = LEFT_OUT
    private: PrivateOrNothing | None = None
    """The letter of the private objective's color; null or an empty text takes it back."""
    favor_tokens: FavorTokens = LEFT_OUT
    left_out: bool = LEFT_OUT
    """Whether it is not of this game."""


class LooseDieChange(OnRevision):
    """A loose die put right, added or taken away."""

    index: Annotated[int, Field(ge=0, le=200)] | None = None
    """Its place in the list; null adds one."""
    die: ADieOrNone | None = None
    """What lies there; null takes it away."""
    center: Corner = (0.0, 0.0)
    """Where a die that is added lies, in pixels of the photo."""


@blueprint.action("post", "", "takeTablePhoto", status=201, form=TableForm, errors=[403, 404, 422, 429])
def take() -> Table:
    """Take in a photo of the table; reading it begins at once and goes on in the background."""
    try:
        purpose = Purpose(request.form.get("purpose", Purpose.SCORE.value))
    except ValueError as error:
        raise InputError("bad_request") from error
    photo = table_actions.take(photos.uploaded(), purpose, request.form.get("target"))
    made_at(url_for("table_api.show", photo_id=photo.id))
    if purpose is Purpose.SCORE:
        after_this_request(lambda response: cookies.remember(response, photo.id))
    return _answer(photo)


@blueprint.action("get", "/<photo_id>", "getTablePhoto", errors=[304, 404])
def show(photo_id: str) -> Table:
    """Get what was read so far.

    With `If-None-Match` and the last `ETag` an unchanged state answers 304.
    """

    @after_this_request
    def unless_unchanged(response: Response) -> Response:
        response.add_etag()
        response.make_conditional(request)
        return response

    return _answer(table_actions.load(photo_id))


@blueprint.action("patch", "/<photo_id>", "changeTablePhoto", errors=[404])
def change(wanted: TableChange, photo_id: str) -> Table:
    """Choose the public objectives for all windows."""
    if "public" in wanted.model_fields_set:
        return _answer(table_actions.put_public(photo_id, wanted.public))
    return _answer(table_actions.load(photo_id))


@blueprint.action("delete", "/<photo_id>", "deleteTablePhoto", errors=[404])
def delete(photo_id: str) -> None:
    """Delete a photo and its windows for good; those of a game stay with the game."""
    table_actions.delete(photo_id)


@blueprint.action("post", "/<photo_id>/cards", "lookAtCard", errors=[404])
def look_at_card(look: CardLook, photo_id: str) -> Table:
    """Say whether a card that was read with doubt is what it looks like; of another one nothing changes."""
    return _answer(table_actions.settle_card(photo_id, look.card, is_right=look.right))


@blueprint.action("patch", "/<photo_id>/windows/<int:number>", "changeTableWindow", errors=[404])
def change_window(wanted: WindowChange, photo_id: str, number: int) -> Table:
    """Note whose window it is, private objective and favor tokens; dice are put right in its reading."""
    if "left_out" in wanted.model_fields_set:
        table_actions.leave_out(photo_id, number, out=wanted.left_out)
    choices = ChoicesChange(**wanted.sent("private", "favor_tokens"))
    name = wanted.name if "name" in wanted.model_fields_set else None
    return _answer(table_actions.put_window(photo_id, number, choices, name))


@blueprint.action("post", "/<photo_id>/dice", "putLooseDie", errors=[404, 409])
def put_die(wanted: LooseDieChange, photo_id: str) -> Table:
    """Put a loose die right, add one that was missed, or take one away."""
    after = table_actions.put_die(photo_id, wanted.revision, wanted.index, wanted.die, wanted.center)
    return _answer(after)


@blueprint.action("post", "/<photo_id>/score", "scoreTable", errors=[400, 404])
def score(photo_id: str) -> Table:
    """Rank the windows: a game is made of them and revealed; this browser has all seats."""
    table_actions.score(photo_id)
    return _answer(table_actions.load(photo_id))


@blueprint.action("post", "/<photo_id>/seats", "fillSeats", errors=[403, 404, 429])
def fill_seats(wanted: Seating, photo_id: str) -> game_answers.Game:
    """Give seats of the game their windows (host)."""
    return game_answer(table_actions.fill_seats(photo_id, wanted.by_number))


@blueprint.action("post", "/<photo_id>/target", "takeTarget", errors=[400, 403, 404, 429])
def put_target(photo_id: str) -> game_answers.Game:
    """Take the sum of the round track as the target of the solo game (host)."""
    return game_answer(table_actions.put_target(photo_id))


def _answer(photo: TablePhoto) -> Table:
    """Return a photo as plain data, with sentences in the visitor's language."""
    found = table_actions.windows(photo)
    return {
        "id": photo.id,
        "revision": photo.revision,
        "stage": photo.stage.value,
        "purpose": photo.purpose.value,
        "size": list(photo.size),
        "expected": photo.expected,
        "windows": [_window(photo, number, record) for number, record in enumerate(found, start=1)],
        "loose_dice": [_die(one) for one in photo.loose_dice],
        "target": photo.sum_of_track,
        "cards": [
            {
                "kind": one.kind,
                "name": one.name,
                "doubtful": one.doubtful,
                "corners": [list(point) for point in one.corners],
            }
            for one in photo.cards
        ],
        "unread": [
            {
                "what": one.what,
                "error": cast("Error", problem_of(one.failure.error())),
                "center": list(one.center),
            }
            for one in photo.unread
        ],
        "public": [card.value for card in photo.public],
        "advice": [words().say(one.sentence, one.advice) for one in photo.advice],
        "failure": cast("Error", problem_of(photo.failure.error())) if photo.failure else None,
        "links": _links(photo),
    }


def _window(photo: TablePhoto, number: int, record: Record) -> TableWindow:
    shown, judgement = record.shown, table_actions.judged(record)
    spaces = spaces_of(record, judgement.case.card)
    return {
        "number": number,
        "reading": record.id,
        "name": photo.names.get(record.id, ""),
        "board": str(record.board),
        "corners": [list(point) for point in shown.corners] if shown else [],
        "doubtful": [space.name for space in spaces if space.doubtful],
        "covered": [space.name for space in spaces if space.covered],
        "left_out": record.id in photo.left_out,
        "card": judgement.case.card.name if judgement.case.card else None,
        "profile": record.reading.profile if record.reading else None,
        "private": table_actions.private_of(photo, record),
        "favor_tokens": record.choices.favor_tokens or 0,
        "total": table_actions.points_of(photo, judgement),
    }


def _die(die: LooseDie) -> TableDie:
    others = (f"{one.color.value}{one.value}" if one.color else "--" for one in die.alternatives)
    return {
        "die": str(die.die),
        "doubtful": die.doubtful,
        "alternatives": list(others),
        "center": list(die.center),
        "size": die.size,
        "place": die.place,
        "round": die.round,
    }


def _links(photo: TablePhoto) -> TableLinks:
    made = table_actions.made_game(photo)
    placement = None
    if photo.purpose is Purpose.POOL and photo.target:
        fields = [str(die) for die in photo.question.pool]
        placement = url_for("placement_api.show", record_id=photo.target, die=fields)
    return {
        "self": url_for("table_api.show", photo_id=photo.id),
        "page": url_for("table_photos.show", photo_id=photo.id),
        "photo": url_for("table_photos.picture", photo_id=photo.id),
        "game": url_for("game_api.show", code=made.code) if made else None,
        "placement": placement,
    }
