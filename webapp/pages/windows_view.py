"""The spaces of a window card that is being drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from scoring import ALL_CELLS, WindowPattern, cell_name
from scoring.patterns.patterns import FREE_SIGN
from webapp.companion.record import Record
from webapp.pages import texts
from webapp.pages.texts import SIGNS

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
            "label": texts.space_label(name, texts.space_words(sign), doubtful=name in doubtful),
        }
        for name, sign in zip(NAMES, signs, strict=True)
    ]


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
