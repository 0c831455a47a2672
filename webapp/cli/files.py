"""Files that the command line reads; ``-`` is the standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from scoring import Sentence, Words
from scoring.sentences import sentence
from webapp.cli.options import failed, spoken, wrong

STDIN = "-"
TEXT_FILE = click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True)


def text_of(file: Path, advice: Sentence, words: Words | None = None) -> str:
    """Return the text of the file, or of the standard input; ends the command when there is none.

    Parameters
    ----------
    file
        The file that the command line names.
    advice
        What to give in place of a file that is no text.
    words
        The language in which it is told, else that of the command.
    """
    words = words or spoken()
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


def check_folder(file: Path) -> None:
    """Refuse a file whose folder is missing before any time is spent on what goes into it."""
    if not file.absolute().parent.is_dir():
        raise wrong(no_folder(file.parent))


def no_folder(folder: Path) -> Sentence:
    """Return the sentence that a folder to write into is missing."""
    return sentence("There is no folder {folder} to write into.", folder=str(folder))


def check_new(file: Path, *, force: bool) -> None:
    """Refuse a file that is there already, where nobody said that it may be written over."""
    if file.exists() and not force:
        raise wrong(
            sentence(
                "{file} is there already: give another name, or {option} to write over it.",
                file=str(file),
                option="--force",
            )
        )


@contextmanager
def written(file: Path) -> Iterator[None]:
    """End the command where a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise failed(
            sentence(
                "{file} cannot be written ({why}): choose another place.",
                file=str(file),
                why=error.strerror or str(error),
            )
        ) from error
