"""What every page needs: its frame, what templates ask, and how forms are read and refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flask import current_app, request, url_for
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from werkzeug.exceptions import MethodNotAllowed, RequestEntityTooLarge

from scoring import Color, Die, HouseRule, MarkedSpaces, PublicObjective
from scoring.board import VALUES
from scoring.words import LANGUAGES
from webapp.drawing.glass import PIPS
from webapp.services.errors import BusyError, InputError, UnreadPhotoError
from webapp.views import texts
from webapp.web import context, looks, photo_reading, player_actions
from webapp.web.errors import problem_of
from webapp.web.language import current, gettext, words

Thing = TypeVar("Thing")
WORDS = "sagrada_script_words"

DICE = tuple(Die(color, value) for color in Color for value in VALUES)


def for_every_page() -> dict[str, Any]:
    """Return what the frame of every page needs, and what templates ask about the things of the game."""
    code = (request.view_args or {}).get("code")
    window = _window_of_form()
    return {
        "language": current(),
        "languages": LANGUAGES,
        "looks": looks,
        "look_of": player_actions.look_of,
        "offered_names": player_actions.offered_names,
        "script_words": _script_words_as_json(),
        "photos_stay": photo_reading.photos_stay(),
        "pips": PIPS,
        "colors": tuple(Color),
        "marked_spaces": tuple(MarkedSpaces),
        "dice": DICE,
        "objectives": tuple(PublicObjective),
        "house_rules": tuple(HouseRule),
        "words": words(),
        "texts": texts,
        "typed_code": lambda: _typed_code(code or ""),
        "window_address": window,
        "table_address": url_for("games.table", code=code) if code else None,
        "readable_address": window or _readable_address(code),
    }


def whole(field: str, empty: str = "") -> int:
    """Return a whole number of the form or the address, or raise `InputError`; ``empty`` stands for none."""
    try:
        return int(request.values.get(field) or empty)
    except ValueError as error:
        raise InputError("bad_request") from error


def _script_words_as_json() -> Markup:
    """Return the words for scripts as they stand in the page; they are put together once for each look."""
    made: dict[tuple[str, looks.Letters], Markup] = current_app.extensions.setdefault(WORDS, {})
    key = (current(), looks.letters())
    if key not in made:
        made[key] = htmlsafe_json_dumps(script_words(), dumps=current_app.json.dumps)
    return made[key]


def script_words() -> dict[str, object]:
    """Return the words that the scripts on the page need."""
    too_large = problem_of(InputError("upload_too_large"))
    return {
        "preparing": gettext("Preparing the photo…"),
        "uploading": gettext("Sending the photo… {percent} %"),
        "reading": gettext("Reading the dice…"),
        "offline": gettext(
            "The computer that serves this page does not answer. Is it still on, and in the same network?"
        ),
        "advice": {
            "dark": [
                gettext("This photo looks too dark to be read well."),
                problem_of(UnreadPhotoError("too_dark"))["next_step"],
            ],
            "blurred": [
                gettext("This photo looks blurred, and dice may be read wrong."),
                problem_of(UnreadPhotoError("too_blurry"))["next_step"],
            ],
            "small": [
                gettext("This photo has so few pixels that dice may be too small to be read."),
                gettext("Choose the photo itself, not a preview or a screenshot of it."),
            ],
        },
        "send_anyway": gettext("Send it all the same"),
        "another_photo": gettext("Choose another photo"),
        "waiting": gettext("Waiting for the connection…"),
        "photo_kept": gettext("The connection is gone. Your photo is kept here."),
        "sent_by_itself": gettext("It is sent by itself when the connection is back."),
        "send_again": gettext("Send again"),
        "photo_before": gettext("A photo from before was not sent yet."),
        "photo_before_next": gettext("It is kept in this browser for a day."),
        "send_before": gettext("Send the photo from before"),
        "forget_photo": gettext("Forget it"),
        "away": gettext(
            "No connection to the computer that serves this page since {time}. The page goes on by itself."
        ),
        "back": gettext("The connection is back."),
        "covered": gettext("Chosen, and covered again."),
        "try_again": gettext("Your change was not saved. Try again."),
        "next_game": gettext("The next game has begun"),
        "too_large": too_large["message"],
        "too_large_next": too_large["next_step"],
        "undone": gettext("Undone."),
        "redone": gettext("Done again."),
        "is_right": gettext("{cell} is right."),
        "score": gettext("Score: {total}"),
        "set": gettext("{cell}: {die}. Score {total}."),
        "set_uncounted": gettext("{cell}: {die}."),
        "merged": gettext("Somebody else changed this window too; both changes are kept."),
        "now_value": gettext("{cell}: {color}. Now the value."),
        "now_color": gettext("{cell}: {value}. Now the color."),
        "three": gettext("Three cards are chosen already. Take one away first."),
        "delete": gettext("Delete this window for good?"),
        "delete_table": gettext("Delete this photo and its windows for good?"),
        "corner": gettext("Corner {number} of 4"),
        "turned": gettext("Turned by half a turn."),
        "read_again": gettext("Read again with your corners."),
        "picture_failed": gettext("The picture could not be drawn. Try again."),
        "empty": gettext("empty"),
        "space": gettext("{cell}: {space}"),
        "space_doubtful": gettext("{cell}: {space}, doubtful"),
        "spaces": {sign: texts.space_words(sign) for sign in texts.SIGNS},
        "colors": {color.value: words().name(color) for color in Color},
        "letters": {color.value: looks.letter(color.value) for color in Color},
        "keys": looks.keys(),
        "dice": {str(die): words().name(die) for die in DICE},
    }


@dataclass(frozen=True)
class Paged(Generic[Thing]):
    """One page of a list, and the numbers of the pages before and after it."""

    things: Sequence[Thing]
    before: int | None
    after: int | None


def paged(things: Sequence[Thing], number: int, most: int) -> Paged[Thing]:
    """Return the page of a list with this number, from 1, or the nearest one that there is."""
    last = max(1, -(-len(things) // most))
    here = min(max(1, number), last)
    found = things[most * (here - 1) : most * here]
    return Paged(found, here - 1 if here > 1 else None, here + 1 if here < last else None)


def _typed_code(code: str) -> str:
    """Return what was typed as the code of a game, the one in the address where nothing was."""
    try:
        return request.form.get("code", code)
    except RequestEntityTooLarge:  # and so it was refused
        return code


def _window_of_form() -> str | None:
    """Return the address of the window that a form was sent to, None when there is no such window."""
    record_id = (request.view_args or {}).get("record_id")
    if request.method != "POST" or record_id is None:
        return None
    try:
        is_known = bool(context.store().load_known([record_id]))
    except BusyError:  # which may be what the page tells
        return None
    if not is_known:
        return None
    return url_for("pages.show", record_id=record_id)


def _readable_address(code: str | None) -> str:
    """Return where the page can be asked for again: here, or what the form there belongs to."""
    if request.method != "POST" and not isinstance(request.routing_exception, MethodNotAllowed):
        return ""
    photo_id = (request.view_args or {}).get("photo_id")
    if photo_id is not None:
        return url_for("table_photos.show", photo_id=photo_id, look=1)
    return url_for("games.table", code=code) if code else url_for("pages.start")
