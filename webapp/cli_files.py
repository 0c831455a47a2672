"""Files that the command line reads; ``-`` is the standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import click

STDIN = "-"


def file_name(file: Path) -> str:
    """Return what a person calls the file."""
    return "The standard input" if str(file) == STDIN else str(file)


def text_of(file: Path, next_step: str) -> str:
    """Return the text of the file, or of the standard input; ends the command when there is none.

    Parameters
    ----------
    file
        The file that the command line names.
    next_step
        What to give in place of a file that is no text.
    """
    try:
        if str(file) == STDIN:
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise click.ClickException(f"{file_name(file)} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{file_name(file)} is no text: {next_step}") from error
