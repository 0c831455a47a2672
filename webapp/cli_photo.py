"""Reading photos for the command line. OpenCV takes its time, so it is only loaded when a photo is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring import WindowPattern
from webapp.cli_options import echo_json

if TYPE_CHECKING:
    from vision import Reading


def reading_of(photo: Path, known: Mapping[str, WindowPattern], *, as_json: bool) -> Reading | None:
    """Return the reading of ``photo``; when it cannot be read say why and return None.

    ``known`` are the window cards it can show.
    """
    with opencv():
        from vision import VisionError, read_photo  # noqa: PLC0415  see above
    try:
        return read_photo(photo, windows=known.values())
    except VisionError as error:
        if as_json:
            echo_json({"photo": str(photo), "error": error.to_json()})
        else:
            click.echo(f"{photo}: {error.message} {error.next_step}", err=True)
        return None


@contextmanager
def opencv() -> Iterator[None]:
    """Show only the sentence that says what to install when OpenCV cannot be loaded."""
    try:
        yield
    except ImportError as error:
        if not str(error).startswith("OpenCV needs"):
            raise
        raise click.ClickException(str(error)) from error
