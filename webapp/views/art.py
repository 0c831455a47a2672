"""The pictures of a window, drawn and photographed, to look at, to save and to share."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO

from babel.dates import format_date
from flask import Blueprint, Response, send_file
from flask.typing import ResponseReturnValue
from werkzeug.http import generate_etag

from scoring import Board, cell_name
from scoring.sentences import minus
from webapp.domain.errors import NotFoundError
from webapp.domain.games.codes import typed_code
from webapp.domain.games.game import Seat
from webapp.domain.record import Record
from webapp.drawing.glass import Artwork, Labels, draw, file_stem
from webapp.http.preferences import current, die_words, gettext, ngettext, words
from webapp.services import access, context, photos

blueprint = Blueprint("art", __name__)


@blueprint.get("/w/<record_id>/window.svg")
def window(record_id: str) -> ResponseReturnValue:
    """Return the window as stained glass."""
    record = context.store().load(record_id)
    found = access.game_store().of_window(record.id)
    return picture(artwork(record, found[1].name if found else ""))


@blueprint.get("/g/<code>/windows/<int:number>.svg")
def revealed_window(code: str, number: int) -> ResponseReturnValue:
    """Return a player's window as stained glass, to everybody at the table once it is revealed."""
    seat, record = _revealed(code, number)
    return picture(artwork(record, seat.name))


@blueprint.get("/g/<code>/windows/<int:number>/photo.jpg")
def revealed_photo(code: str, number: int) -> ResponseReturnValue:
    """Return a player's window out of its photo, to everybody at the table once it is revealed."""
    seat, record = _revealed(code, number)
    return _fresh(photos.laid_flat(record), "image/jpeg", f"{file_stem(seat.name, None)}.jpg")


def _revealed(code: str, number: int) -> tuple[Seat, Record]:
    """Return a seat with its window; before the reveal as little as for a seat that nobody has."""
    game = access.find(typed_code(code))
    record = access.game_store().windows(game).get(number)
    seat = next((seat for seat in game.seats if seat.number == number), None)
    if not game.is_revealed or record is None or seat is None:
        raise NotFoundError("not_found")
    return seat, record


def picture(art: Artwork) -> ResponseReturnValue:
    """Return the answer with a picture."""
    response = _fresh(draw(art).encode(), "image/svg+xml", f"{file_stem(art.player, art.total)}.svg")
    response.vary.update(("Accept-Language", "Cookie"))
    return response


def _fresh(content: bytes, kind: str, name: str) -> Response:
    """Return a file whose address stays the same while it changes, so that a browser asks each time."""
    response = send_file(BytesIO(content), kind, download_name=name, etag=generate_etag(content))
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def artwork(record: Record, player: str = "") -> Artwork:
    """Return what the picture of a player's window shows, in the visitor's language."""
    judgement = access.judged(record)
    board, pattern = judgement.case.board, judgement.case.card
    total = judgement.total
    card = words().name(pattern) if pattern else ""
    points = "" if total is None else ngettext("point", "points", abs(total))
    worth = "" if total is None else f"{minus(total)} {points}"
    labels = Labels(
        points=points,
        card=card,
        title=" · ".join(part for part in (player or gettext("Your window"), card, worth) if part),
        description=described(board),
    )
    day = datetime.fromisoformat(record.created).astimezone().date()
    return Artwork(board, pattern, player, total, labels, format_date(day, "long", locale=current()))


def described(board: Board) -> str:
    """Say the window in words, row after row."""
    rows = [gettext("A window of stained glass with four rows of five panes.")]
    for row, dice in enumerate(board.rows):
        row_words = words().all_of([die_words(die) for die in dice])
        rows.append(gettext("Row %(row)s: %(dice)s.", row=cell_name((row, 0))[0], dice=row_words))
    return " ".join(rows)
