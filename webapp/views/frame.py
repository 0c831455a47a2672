"""What every page needs: its frame, what it says about dice, points and problems, how forms are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Annotated, Any, NamedTuple

from flask import current_app, request, url_for
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from pydantic import BeforeValidator, Field
from werkzeug.exceptions import MethodNotAllowed, RequestEntityTooLarge

from scoring import (
    Board,
    Cell,
    Color,
    Die,
    HouseRule,
    Line,
    LineKind,
    MarkedSpaces,
    PrivateObjective,
    Problem,
    PublicObjective,
    Tool,
    WindowPattern,
    cell_from_name,
    cell_name,
)
from scoring.board import LETTERS, VALUES
from scoring.names import plain
from scoring.patterns.patterns import FREE_SIGN
from scoring.sentences import minus
from scoring.words import LANGUAGES
from webapp.domain.errors import BusyError, InputError, UnreadPhotoError
from webapp.domain.games.game import LONGEST_NAME
from webapp.domain.payloads import as_listed, private_as_listed
from webapp.domain.record import MOST_FAVOR, MOST_OTHER
from webapp.drawing.glass import PIPS
from webapp.http import preferences, session
from webapp.http.errors import problem_of
from webapp.http.faces import LONGEST_CARD_NAME, Sent, Text
from webapp.http.preferences import current, die_words, gettext, lazy_gettext, moment, ngettext, words
from webapp.services import context, photos, players

SIGNS = (FREE_SIGN, *(color.value for color in Color), *(str(value) for value in VALUES))
MOST_NAMES = 6  # more empty spaces than this are counted, not listed


def words_of_code(code: str | None) -> str:
    """Return a die in board notation in words; None and ``"--"`` are an empty space."""
    return die_words(Die.parse(code) if code and code != "--" else None)


def space_words(sign: str) -> str:
    """Return what a space of a window card takes, in words: "red", "value 3" or "any die"."""
    if sign in LETTERS:
        return words().name(Color(sign))
    return gettext("value %(number)s", number=sign) if sign.isdigit() else gettext("any die")


def pattern_words(window: WindowPattern) -> str:
    """Return what is printed on a window card in words, row after row."""
    return "; ".join(
        f"{letter}: {', '.join(map(space_words, row))}"
        for letter, row in zip("ABCD", str(window).split(" / "), strict=True)
    )


def window_name(pattern: WindowPattern) -> str:
    """Return the name of the card in the visitor's language, with the English one where the first is ours."""
    name = words().name(pattern)
    on_a_card = name == pattern.name_in(current()) or plain(name) == plain(pattern.name)
    return name if on_a_card else f"{name} / {pattern.name}"


def window_options(*, own: bool) -> list[tuple[str, str]]:
    """Return name and label of every custom window, or of every card, sorted by label."""
    windows = context.known_windows().values()
    labels = ((one.name, _window_label(one)) for one in windows if one.custom == own)
    return sorted(labels, key=lambda option: option[1])


def _window_label(window: WindowPattern) -> str:
    name = window_name(window)
    if window.difficulty is None:
        return name
    return f"{name} ({gettext('difficulty %(number)s', number=window.difficulty)})"


def line_name(line: Line) -> str:
    """Return the name of a line of the score."""
    return gettext("Empty spaces") if line.kind is LineKind.EMPTY_CELLS else words().line(line.name)


def line_formula(line: Line) -> str:
    """Return the formula of a line with real multiplication and minus signs."""
    return minus(line.formula.replace(" x ", " × "))


def line_sum(line: Line) -> str:
    """Return in words and figures how often a card's points were earned, such as "3 sets × 4"."""
    if line.kind is not LineKind.PUBLIC or not line.groups:
        return ""
    card = PublicObjective(line.name)
    return f"{words().say(card.how_often(line.groups))} × {card.points_each}"


def points(total: int | None) -> str:
    """Return points as they are shown: with a real minus sign, and a dash before they say anything."""
    return "–" if total is None else minus(total)


def line_cells(line: Line) -> list[str]:
    """Return the names of the cells that earned the points of a line."""
    return sorted({cell_name(cell) for group in line.groups for cell in group})


BY_PLAYERS = {
    LineKind.OTHER_CARDS: lazy_gettext("Counted by you"),
    LineKind.FAVOR_TOKENS: lazy_gettext("One point for each token left"),
}


def line_words(line: Line, board: Board) -> str:
    """Say in a few words which dice earned the points of a line."""
    dice = sum(len(group) for group in line.groups)
    if line.kind is LineKind.PUBLIC:
        return words().say(PublicObjective(line.name).counted(line.groups))
    if line.kind is LineKind.PRIVATE:
        return ngettext("%(num)d die", "%(num)d dice", dice)
    if said := BY_PLAYERS.get(line.kind):
        return str(said)
    empty = [cell_name(cell) for cell in board.empty_cells()]
    if len(empty) > MOST_NAMES and line.points == -len(empty):
        return gettext("One point less for each")
    if len(empty) > MOST_NAMES:
        return gettext("Three points less for each, in a solo game")
    return words().all_of(empty) if empty else gettext("None: the window is full")


def by_rule(problems: Iterable[Problem]) -> list[tuple[str, list[Problem]]]:
    """Return each rule that is broken with its problems, in the order in which they come."""
    said: dict[str, list[Problem]] = {}
    for problem in problems:
        said.setdefault(words().say(problem.rule), []).append(problem)
    return list(said.items())


def cells(where: Iterable[Cell]) -> str:
    """Return the names of cells as the scripts read them, such as "A1 B2"."""
    return " ".join(map(cell_name, where))


def tool_names(tools: Iterable[Tool]) -> str:
    """Return tool cards as a list in a sentence."""
    return words().all_of(map(words().name, tools))


WORDS = "sagrada_script_words"

DICE = tuple(Die(color, value) for color in Color for value in VALUES)


TEXTS = {
    one.__name__: one
    for one in (
        by_rule,
        cells,
        line_cells,
        line_formula,
        line_name,
        line_sum,
        line_words,
        moment,
        pattern_words,
        space_words,
        tool_names,
        window_name,
        window_options,
        words_of_code,
    )
}
"""What templates say with."""


def for_every_page() -> dict[str, Any]:
    """Return what the frame of every page needs, and what templates ask about the things of the game."""
    code = (request.view_args or {}).get("code")
    window = _window_of_form()
    return {
        "language": current(),
        "languages": LANGUAGES,
        "looks": preferences.LOOKS,
        "look_of": players.look_of,
        "offered_names": players.offered_names,
        "script_words": _script_words_as_json(),
        "photos_stay": photos.photos_stay(),
        "came_with_others": session.came_with_others,
        "pips": PIPS,
        "colors": tuple(Color),
        "marked_spaces": tuple(MarkedSpaces),
        "dice": DICE,
        "objectives": tuple(PublicObjective),
        "house_rules": tuple(HouseRule),
        "words": words(),
        "texts": TEXTS,
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
    made: dict[tuple[str, preferences.Letters], Markup] = current_app.extensions.setdefault(WORDS, {})
    key = (current(), preferences.letters())
    if key not in made:
        made[key] = htmlsafe_json_dumps(script_words(), dumps=current_app.json.dumps)
    return made[key]


def script_words() -> dict[str, object]:
    """Return the words that the scripts on the page need."""
    too_large = problem_of(InputError("upload_too_large"))
    too_dark, too_blurry = (problem_of(UnreadPhotoError(code)) for code in ("too_dark", "too_blurry"))
    return {
        "preparing": gettext("Preparing the photo…"),
        "uploading": gettext("Sending the photo… {percent} %"),
        "reading": gettext("Reading the dice…"),
        "offline": gettext(
            "The computer that serves this page does not answer. Is it still on, and in the same network?"
        ),
        "advice": {
            "dark": [too_dark["message"], too_dark["next_step"]],
            "blurred": [too_blurry["message"], too_blurry["next_step"]],
            "small": [
                gettext("This photo has so few pixels that dice may be too small to be read."),
                gettext("Choose the photo itself, not a preview or a screenshot of it."),
            ],
        },
        "viewfinder": {
            "take": gettext("Take the photo"),
            "close": gettext("Close"),
            "by_button": gettext("Press the button when it is sharp"),
            "no_camera": gettext("The camera did not open here. Press again to take a photo."),
        },
        "send_anyway": gettext("Send it all the same"),
        "another_photo": gettext("Another photo"),
        "waiting": gettext("Waiting for the connection…"),
        "photo_kept": gettext("The connection is gone. Your photo is kept here."),
        "sent_by_itself": gettext("It is sent by itself when the connection is back."),
        "send_again": gettext("Send again"),
        "photo_before": gettext("A photo from before was not sent yet."),
        "delete_photo": gettext("Delete"),
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
        "redone": gettext("Redone."),
        "is_right": gettext("{cell} is right."),
        "score": gettext("Score: {total}"),
        "set": gettext("{cell}: {die}."),
        "merged": gettext("Somebody else changed this window too; both changes are kept."),
        "now_value": gettext("{cell}: {color}. Now the value."),
        "now_color": gettext("{cell}: {value}. Now the color."),
        "three": gettext("Three cards are chosen already. Take one away first."),
        "delete": gettext("Delete for good?"),
        "corner": gettext("Corner {number} of 4"),
        "turned": gettext("Turned by half a turn."),
        "read_again": gettext("Read again with your corners."),
        "photo_merged": gettext("Both photos count now."),
        "picture_failed": gettext("The picture could not be drawn. Try again."),
        "empty": gettext("empty"),
        "space": gettext("{cell}: {space}"),
        "doubtful": gettext("doubtful"),
        "spaces": {sign: space_words(sign) for sign in SIGNS},
        "colors": {color.value: words().name(color) for color in Color},
        "letters": {color.value: preferences.letter(color.value) for color in Color},
        "keys": preferences.keys(),
        "dice": {str(die): words().name(die) for die in DICE},
    }


class Paged(NamedTuple):
    """One page of a list, and the numbers of the pages before and after it."""

    things: Sequence[Any]
    before: int | None
    after: int | None


def paged(things: Sequence[Any], number: int, most: int) -> Paged:
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
    with suppress(BusyError):  # which may be what the page tells
        if context.store().load_known([record_id]):
            return url_for("pages.show", record_id=record_id)
    return None


def _readable_address(code: str | None) -> str:
    """Return where the page can be asked for again: here, or what the form there belongs to."""
    if request.method != "POST" and not isinstance(request.routing_exception, MethodNotAllowed):
        return ""
    photo_id = (request.view_args or {}).get("photo_id")
    if photo_id is not None:
        return url_for("table_photos.show", photo_id=photo_id, look=1)
    return url_for("games.table", code=code) if code else url_for("pages.start")


SPACES = 20
MOST_TOOLS = 50

Revision = Annotated[int, Field(ge=1, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=1, le=2**31 - 1)]
WindowNumber = Annotated[int, Field(ge=1, le=20)]
OtherPoints = Annotated[int, Field(ge=0, le=MOST_OTHER, description="Points of other cards.")]
FavorTokens = Annotated[int, Field(ge=0, le=MOST_FAVOR, description="Favor tokens left.")]
PlayerName = Annotated[str, Field(max_length=2 * LONGEST_NAME)]  # blanks around it do not count
CardName = Annotated[str, Field(max_length=LONGEST_CARD_NAME)]
Pixels = Annotated[float, Field(ge=-999_999, le=999_999)]
Corner = tuple[Pixels, Pixels]
PhotoId = Annotated[str, Field(max_length=100, description="16 random characters that the browser draws.")]
Blank = BeforeValidator(lambda value: None if value == "" else value)
OtherPointsOrNone = Annotated[OtherPoints | None, Blank]
"""Lets an empty field of a form stand for null."""
Lines = BeforeValidator(lambda value: value.replace("\r\n", "\n") if isinstance(value, str) else value)
"""Lets the end of a line be one character, as a browser counts it, and not two, as it sends it."""


def _of_kind(value: str, kind: type[Enum]) -> Enum:
    try:
        return kind(value)
    except ValueError:
        raise InputError("bad_request") from None


def enum(kind: type[Enum]) -> Text:
    """Say of a type that it is sent as the value of an enumeration."""
    return Text(partial(_of_kind, kind=kind), 30)


def _listed(kind: Any) -> Text:  # noqa: ANN401
    return Text(partial(as_listed, kind=kind))


def _or_none(find: Callable[[str], Any], nothing: str = "") -> Callable[[str], Any]:
    return lambda text: None if text == nothing else find(text)


BoardText = Annotated[Board, Text(Board.parse, 200)]
ASpace = Annotated[Cell, Text(cell_from_name, 10)]
ADieOrNone = Annotated[Die | None, Text(_or_none(Die.parse, "--"), 10)]
DiceOnSpaces = Annotated[dict[ASpace, ADieOrNone | None], Field(max_length=SPACES)]
Spaces = Annotated[tuple[ASpace, ...], Field(max_length=SPACES)]
ListedObjective = Annotated[PublicObjective, _listed(PublicObjective)]
ListedObjectives = Annotated[tuple[ListedObjective, ...], Field(max_length=len(PublicObjective))]
ListedTool = Annotated[Tool, _listed(Tool)]
ListedTools = Annotated[tuple[ListedTool, ...], Field(max_length=MOST_TOOLS)]
ListedHouseRules = Annotated[
    tuple[Annotated[HouseRule, _listed(HouseRule)], ...], Field(max_length=len(HouseRule))
]
ListedColor = Annotated[Color, _listed(Color)]
ColorOrNothing = Annotated[Color | None, Text(_or_none(partial(as_listed, kind=Color)))]
"""A text without letters takes the color back, as the choice "none" of a form does."""
PrivateOrNothing = Annotated[PrivateObjective | None, Text(_or_none(private_as_listed))]


class OnRevision(Sent):
    """A change of what somebody saw at a revision."""

    revision: Revision
    """The revision that the change is made on."""
