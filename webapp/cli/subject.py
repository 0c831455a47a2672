"""The window that a command is about, from a photo or from text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from scoring import Board, WindowPattern, Words
from scoring.sentences import sentence
from webapp.cli.options import known_windows
from webapp.cli.photo import reading_of
from webapp.companion import remarks
from webapp.companion.subject import Subject, read_window, typed_window
from webapp.companion.wording import ENGLISH


def subject_of(
    photo: Path | None,
    board: Board | None,
    card: WindowPattern | Literal["auto"] | None,
    words: Words = ENGLISH,
    *,
    as_json: bool,
) -> Subject:
    """Return the window that the command line names; ends the command when its photo cannot be read."""
    if (photo is None) == (board is None):
        either = sentence("Give either a photo or --board with the window in board notation.")
        raise click.UsageError(words.say(either))
    known, refusal = known_windows()
    about = () if refusal is None else (remarks.own_windows_missing(*refusal),)
    if board is not None:
        return typed_window(board, card, known, "--window", about)
    assert photo is not None  # noqa: S101  one of the two is there, see above
    reading = reading_of(photo, known, as_json=as_json)
    if reading is None:
        sys.exit(1)
    return read_window(photo, reading, card, known, about)
