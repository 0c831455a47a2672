"""Readings as JSON: the same actions as on the pages, for our own scripts and for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired

from flask import jsonify, make_response, request
from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.answers import LastReadings, Reading
from webapp.api.reading_json import answer, judged, links, made
from webapp.api.requests import Corners, NewReading, OnRevision, ReadingChange
from webapp.api.section import Section
from webapp.companion import changes
from webapp.companion.changes import BoardChange, ChoicesChange
from webapp.companion.errors import InputError
from webapp.companion.games.cards import check_private
from webapp.companion.record import Record
from webapp.web import access, context, cookies, photos

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Section(
    "api",
    __name__,
    "/readings",
    heading="Readings",
    about="A reading is one window: a photo with the dice that were read in it, or dice entered by hand. "
    "Whoever knows its id may see and change it.",
)


class Photo(TypedDict):
    """A photo of a window, as a form."""

    photo: Annotated[str, Field(json_schema_extra={"contentMediaType": "image/*"})]
    """A JPEG, PNG, WebP or HEIC file."""
    card_of: NotRequired[str]
    """The id of an earlier reading of the same window: the card that was chosen for it comes along, unless
    the photo itself names another one with certainty."""
    only_the_card: NotRequired[str]
    """`yes`: the photo was taken only to keep the window card in it. It is not among the last readings; it is
    deleted when the card is kept, or when it was left for a day."""


@blueprint.action("get", "", "listReadings", {200: LastReadings})
def last() -> ResponseReturnValue:
    """List the last readings of this browser.

    The cookie `recent`, which every new reading sets, names them.
    """
    listed: LastReadings = {
        "readings": [
            {
                "id": record.id,
                "created": record.created,
                "board": str(record.board),
                "total": _total(record),
                "links": links(record),
            }
            for record in context.store().load_known(cookies.recent())
        ]
    }
    return jsonify(listed)


@blueprint.action(
    "post", "", "makeReading", {201: Reading}, takes=NewReading, form=Photo, errors=[422]
)
def create(begun: NewReading | None) -> ResponseReturnValue:
    """Read a photo, or begin with dice entered by hand.

    A photo that opens but cannot be read is kept, too: `failure` says why, and the dice can be entered by
    hand or the corners set. The header `Location` names the reading.
    """
    if begun is not None:
        choices = cookies.table_choices()
        record = context.store().create({}, choices=choices, board=begun.board)
    else:
        choices = photos.choices_for_next(request.form.get("card_of"))
        only_the_card = request.form.get("only_the_card") == "yes"
        record = photos.take_in(photos.uploaded(), choices, for_card=only_the_card)
    return made(record)


@blueprint.action("get", "/<record_id>", "getReading", {200: Reading}, errors=[404])
def show(record_id: str) -> ResponseReturnValue:
    """Get dice, points and problems of a reading."""
    return answer(context.store().load(record_id))


@blueprint.action(
    "patch",
    "/<record_id>",
    "changeReading",
    {200: Reading},
    takes=ReadingChange,
    errors=[404, 409],
)
def change(wanted: ReadingChange, record_id: str) -> ResponseReturnValue:
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
    response = answer(record)
    if choices.public is not None:
        cookies.remember_table(response, record.choices)
    return response


@blueprint.action("delete", "/<record_id>", "deleteReading", {204: None}, errors=[400, 404])
def delete(record_id: str) -> ResponseReturnValue:
    """Delete a reading and its photo for good.

    A window that belongs to a game goes with its seat.
    """
    if access.game_of(record_id):
        raise InputError("window_of_a_seat")
    context.store().delete(record_id)
    return make_response("", 204)


@blueprint.action("post", "/<record_id>/by-hand", "goOnByHand", {200: Reading}, errors=[404])
def by_hand(record_id: str) -> ResponseReturnValue:
    """Go on by hand beside a photo that could not be read."""
    return answer(context.store().update(record_id, changes.by_hand))


@blueprint.action(
    "post",
    "/<record_id>/turn",
    "turnReading",
    {200: Reading},
    takes=OnRevision,
    errors=[404, 409],
)
def turn(seen: OnRevision, record_id: str) -> ResponseReturnValue:
    """Show the window the other way up."""
    return answer(context.store().update(record_id, lambda newest: changes.turn(newest, seen.revision)))


@blueprint.action(
    "post",
    "/<record_id>/corners",
    "setCorners",
    {200: Reading},
    takes=Corners,
    errors=[404, 409, 422],
)
def put_corners(by_hand: Corners, record_id: str) -> ResponseReturnValue:
    """Read the photo again with the corners set by hand."""
    record = context.store().load(record_id)
    return answer(photos.read_again(record, list(by_hand.corners), by_hand.revision))


@blueprint.action(
    "delete",
    "/<record_id>/corners",
    "takeBackCorners",
    {200: Reading},
    takes=OnRevision,
    errors=[404, 409],
)
def take_back_corners(seen: OnRevision, record_id: str) -> ResponseReturnValue:
    """Go back to the reading before the corners were set by hand."""
    return answer(
        context.store().update(record_id, lambda newest: changes.before_corners(newest, seen.revision))
    )


def _total(record: Record) -> int | None:
    """Return the points, None before there is an objective to count and for an unread photo."""
    chosen = record.choices.public or record.choices.private
    return judged(record).breakdown.total if chosen and record.failure is None else None
