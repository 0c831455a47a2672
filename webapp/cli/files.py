"""Files that the command line reads; ``-`` is the standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scoring import Sentence
from scoring.sentences import english
from webapp.cli.options import Place, failed, wrong

STDIN = "-"
TEXT_FILE = Place(exists=True, dir_okay=False, allow_dash=True)


def is_folder(path: Path) -> bool:
    """Return whether that is a folder; nothing is where the system does not look, at a name too long, say."""
    try:
        return path.is_dir()
    except OSError:
        return False


def text_of(file: Path, advice: Sentence) -> str:
    """Return the text of the file, or of the standard input.

    Ends the command when there is none; ``advice`` says what to give in place of a file that is no text.
    """
    named = str(file)
    try:
        if named == STDIN:
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or str(error)
        if named == STDIN:
            raise failed(english("The standard input cannot be read ({why}).", why=why)) from error
        raise failed(english("{file} cannot be read ({why}).", file=named, why=why)) from error
    except UnicodeDecodeError as error:
        if named == STDIN:
            raise wrong(english("The standard input is not text."), advice) from error
        raise wrong(english("{file} is not text.", file=named), advice) from error


def check_folder(file: Path) -> None:
    """Refuse a file whose folder is missing before any time is spent on what goes into it."""
    if not is_folder(file.absolute().parent):
        raise wrong(english("There is no folder {folder} to write into.", folder=str(file.parent)))


@contextmanager
def read(file: Path) -> Iterator[None]:
    """End the command where a file or folder cannot be read."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise failed(english("{file} cannot be read ({why}).", file=str(file), why=why)) from error


@contextmanager
def written(file: Path) -> Iterator[None]:
    """End the command where a file cannot be written."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        said = english("{file} cannot be written ({why}): choose another place.", file=str(file), why=why)
        raise failed(said) from error
