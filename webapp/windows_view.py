"""Window cards as the pages show them: drawn, in words, and with what a player should know about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scoring import ALL_CELLS, WINDOW_PATTERNS, Color, ScoringError, WindowPattern, cell_name
from scoring.custom_windows import can_be_filled, check_spaces, check_window
from scoring.dice import LETTERS, VALUES
from scoring.patterns import DIFFICULTIES, FREE_SIGN
from webapp import context, error_words, words
from webapp.language import gettext
from webapp.storage import Record
from webapp.window_store import WindowStoreError

SIGNS = (FREE_SIGN, *(color.value for color in Color), *(str(value) for value in VALUES))
NAMES = tuple(cell_name(cell) for cell in ALL_CELLS)
BLANK = FREE_SIGN * len(NAMES)

CODES = {
    # What programs are told where the page has another reason under the same code or one for several.
    "name_taken": "window_name_taken",
    "wrong_number_of_rows": "bad_pattern",
    "wrong_number_of_columns": "bad_pattern",
    "bad_cell": "bad_pattern",
    "unknown_window": "window_missing",
    "not_json": "no_window_file",
    "not_a_window_file": "no_window_file",
    "newer_schema": "newer_window_file",
    "unknown_schema": "bad_entry",
    "unknown_key": "bad_entry",
    "bad_language": "bad_entry",
    "unknown_back": "bad_entry",
    "bad_back": "bad_entry",
    "windows_damaged": "windows_unusable",
    "windows_newer": "windows_unusable",
    "windows_unreadable": "windows_unusable",
    "windows_unwritable": "windows_unusable",
}

NAME_CODES = (
    "blank_name",
    "name_too_long",
    "name_with_control_character",
    "reserved_name",
    "window_name_taken",
)
"""What can be wrong with the name that was typed; the other codes are about something else."""


def problem_of(error: ScoringError | WindowStoreError) -> dict[str, str]:
    """Return why a window was refused, in the one shape of errors.

    What is wrong with the file of the windows names its place on this computer, so that is not passed on.
    """
    code = CODES.get(error.code, error.code)
    if isinstance(error, WindowStoreError):
        return error_words.problem(code)
    return error_words.refused_by_rules(error, code)


def space_words(sign: str) -> str:
    """Return what a space takes, in words: "red", "value 3" or "any die"."""
    if sign in LETTERS:
        return words.game_words().name(Color(sign))
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
            "label": words.space_label(name, space_words(sign), doubtful=name in doubtful),
        }
        for name, sign in zip(NAMES, signs, strict=True)
    ]


def card(window: WindowPattern, known: Mapping[str, WindowPattern] = WINDOW_PATTERNS) -> dict[str, Any]:
    """Return one of the ``known`` windows for a template."""
    rows = str(window).split(" / ")
    back = known[window.other_side] if window.other_side and window.other_side in known else None
    return {
        "name": window.name,
        "label": words.window_name(window),
        "difficulty": window.difficulty,
        "rows": rows,
        "words": "; ".join(
            f"{letter}: {', '.join(space_words(sign) for sign in row)}"
            for letter, row in zip("ABCD", rows, strict=True)
        ),
        "back": words.window_name(back) if back else None,
        "promo": window.promo,
    }


def own_card(window: WindowPattern, known: Mapping[str, WindowPattern]) -> dict[str, Any]:
    """Return a window of this house for a template, with what a player should know about it."""
    say = words.game_words().say
    return {**card(window, known), "notices": [say(notice) for notice in check_window(window, known)]}


def plain(window: WindowPattern, known: Mapping[str, WindowPattern]) -> dict[str, Any]:
    """Return a window for programs."""
    say = words.game_words().say
    return {
        "name": window.name,
        "label": words.game_words().name(window),
        "pattern": str(window),
        "difficulty": window.difficulty,
        "other_side": window.other_side,
        "names": dict(window.names),
        "promo": window.promo,
        "custom": window.custom,
        "can_be_filled": can_be_filled(window),
        "notices": [say(notice) for notice in check_window(window, known)] if window.custom else [],
    }


def check(window: WindowPattern) -> dict[str, Any]:
    """Return what there is to know about spaces before they are a window; its name is not looked at."""
    say = words.game_words().say
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
    if record.reading is None:
        return BLANK, ()
    signs = [sign for sign in record.reading["pattern"] if sign not in " /\n"]
    unclear = set(record.reading.get("unclear_prints", ()))  # readings of the first days have none
    doubtful = [sign not in SIGNS or name in unclear for name, sign in zip(NAMES, signs, strict=True)]
    if record.turned:
        signs, doubtful = signs[::-1], doubtful[::-1]
    return "".join(signs), tuple(name for name, look in zip(NAMES, doubtful, strict=True) if look)
