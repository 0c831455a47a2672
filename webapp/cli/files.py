"""Files that the command line reads; ``-`` is the standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from scoring import Sentence, Words
from scoring.sentences import sentence
from webapp.companion.wording import ENGLISH

STDIN = "-"
TEXT_FILE = click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True)


def text_of(file: Path, advice: Sentence, words: Words = ENGLISH) -> str:
    """Return the text of the file, or of the standard input; ends the command when there is none.

    Parameters
    ----------
    file
        The file that the command line names.
    advice
        What to give in place of a file that is no text.
    words
        The language in which it is told.
    """
    named = str(file)
    try:
        if named == STDIN:
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or str(error)
        unread = (
            sentence("The standard input cannot be read ({why}).", why=why)
            if named == STDIN
            else sentence("{file} cannot be read ({why}).", file=named, why=why)
        )
        raise click.ClickException(words.say(unread)) from error
    except UnicodeDecodeError as error:
        no_text = (
            sentence("The standard input is not text.")
            if named == STDIN
            else sentence("{file} is not text.", file=named)
        )
        raise click.UsageError(words.say(no_text, advice)) from error


def check_folder(file: Path, what: str) -> None:
    """Refuse a file whose folder is missing before any time is spent on photos."""
    if not file.absolute().parent.is_dir():
        raise click.UsageError(f"There is no folder {file.parent} to put {what} into.")
