"""Window cards as the pages show them: drawn, in words, and with what a player should know about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scoring import ALL_CELLS, WINDOW_PATTERNS, Color, WindowPattern, cell_name
from scoring.dice import LETTERS, VALUES
from scoring.windows.custom import can_be_filled, check_spaces, check_window
from scoring.windows.patterns import DIFFICULTIES, FREE_SIGN
from webapp.companion.record import Record
from webapp.pages import texts
from webapp.web import context
from webapp.web.language import gettext, words

SIGNS = (FREE_SIGN, *(color.value for color in Color), *(str(value) for value in VALUES))
NAMES = tuple(cell_name(cell) for cell in ALL_CELLS)
BLANK = FREE_SIGN * len(NAMES)

NAME_CODES = (
    "blank_name",
    "name_too_long",
    "name_with_control_character",
    "reserved_name",
    "name_taken",
)
"""What can be wrong with the name that was typed; the other codes are about something else."""


def space_words(sign: str) -> str:
    """Return what a space takes, in words: "red", "value 3" or "any die"."""
    if sign in LETTERS:
        return words().name(Color(sign))
    return gettext("value %(number)s", number=sign) if sign.isdigit() else gettext("any die")


def spaces(pattern: str, doubtful: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the 20 spaces for a template.

    Parameters
    ----------
    pattern
        The signs in reading order, with or without blanks and slashes; one that is no sign is left free.
    doubtful
        The names of spaces that a person should look at.
    """
    signs = [sign if sign in SIGNS else FREE_SIGN for sign in pattern if sign not in " /\n"]
    return [
        {
            "name": name,
            "sign": sign,
            "doubtful": name in doubtful,
            "label": texts.space_label(name, space_words(sign), doubtful=name in doubtful),
        }
        for name, sign in zip(NAMES, signs, strict=True)
    ]


def card(window: WindowPattern, known: Mapping[str, WindowPattern] = WINDOW_PATTERNS) -> dict[str, Any]:
    """Return one of the ``known`` windows for a template."""
    rows = str(window).split(" / ")
    back = known[window.other_side] if window.other_side and window.other_side in known else None
    return {
        "name": window.name,
        "label": texts.window_name(window),
        "difficulty": window.difficulty,
        "rows": rows,
        "words": "; ".join(
            f"{letter}: {', '.join(space_words(sign) for sign in row)}"
            for letter, row in zip("ABCD", rows, strict=True)
        ),
        "back": texts.window_name(back) if back else None,
        "promo": window.promo,
    }


def own_card(window: WindowPattern, known: Mapping[str, WindowPattern]) -> dict[str, Any]:
    """Return a window of this house for a template, with what a player should know about it."""
    say = words().say
    return {**card(window, known), "notices": [say(notice) for notice in check_window(window, known)]}


def check(window: WindowPattern) -> dict[str, Any]:
    """Return what there is to know about spaces before they are a window; its name is not looked at."""
    say = words().say
    notices = check_spaces(window, context.known_windows())
    return {
        "pattern": str(window),
        "can_be_filled": can_be_filled(window),
        "notices": [say(notice) for notice in notices],
    }


def editor_options() -> dict[str, Any]:
    """Return what every editor offers: the signs with their words, and the difficulties."""
    return {
        "signs": [(sign, space_words(sign)) for sign in SIGNS],
        "difficulties": DIFFICULTIES,
        "name_codes": NAME_CODES,
    }


def shown_as(window: WindowPattern) -> str:
    """Return what the editor can change of a window, to find out whether somebody else did."""
    return f"{window} {window.difficulty or ''}"


def rows_of(signs: Iterable[str]) -> str:
    """Return 20 signs as pattern notation."""
    text = "".join(signs)
    return " / ".join(text[start : start + 5] for start in range(0, len(text), 5))


def card_of(record: Record) -> tuple[str, tuple[str, ...]]:
    """Return what was read of the card of a reading, as it is shown, and the spaces to look at.

    These are the ones under a die, and those whose print was hard to read. Without a reading none was read.
    """
    if record.shown is None:
        return BLANK, ()
    signs = [sign for sign in record.shown.pattern if sign not in " /\n"]
    unclear = record.shown.unclear_prints
    doubtful = (
        cell_name(cell)
        for cell, sign in zip(ALL_CELLS, signs, strict=True)
        if sign not in SIGNS or cell in unclear
    )
    return "".join(signs), tuple(doubtful)
