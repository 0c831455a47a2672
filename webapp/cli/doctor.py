"""``sagrada doctor``: what would make photos better."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring import WindowPattern, Words
from scoring.sentences import counted, sentence
from webapp.cli.options import HOW_TO_ANSWER, PHOTO, echo_json, known_windows
from webapp.cli.photo import content_of, photos_in, shown, with_progress
from webapp.companion import remarks

if TYPE_CHECKING:  # OpenCV takes its time and is only loaded where a photo is looked at
    from vision import Examination


@click.command()
@click.argument("photos", metavar="PHOTO...", type=PHOTO, nargs=-1, required=True)
@HOW_TO_ANSWER
def doctor(photos: tuple[Path, ...], words: Words, *, as_json: bool) -> None:
    """Say what would make photos of a window better.

    Each check has a number, a verdict and one thing to do; the most helpful come first. Of a photo in which
    no window can be read there are only those of the whole picture, and why it cannot be read. With --json
    one object a line and photo is printed.
    """
    known, refusal = known_windows()
    if refusal is not None:
        click.echo(remarks.own_windows_missing(*refusal).text(words), err=True)
    failed = False
    for photo, meanwhile in with_progress(photos_in(photos)):
        failed |= not _examined(photo, known.values(), words, as_json=as_json, meanwhile=meanwhile)
    sys.exit(1 if failed else 0)


def _examined(
    photo: Path, known: Iterable[WindowPattern], words: Words, *, as_json: bool, meanwhile: str
) -> bool:
    """Say what would make a photo better; return whether it could be read."""
    from vision import PhotoError, diagnose  # noqa: PLC0415  see above

    try:
        with shown(meanwhile):
            found = diagnose(content_of(photo), known)
    except PhotoError as error:
        if as_json:
            echo_json({"photo": str(photo), "error": error.to_json(words)})
        else:
            click.echo(f"{photo}: {error.text(words)}", err=True)
        return False
    if as_json:
        echo_json({"photo": str(photo), **found.to_json(words)})
    else:
        click.echo("\n".join([f"{photo}: {_summary(found, words)}", *_lines(found, words)]))
    return found.refusal is None


def _summary(found: Examination, words: Words) -> str:
    """Return why a photo is refused, or how much is in the way of reading it."""
    if found.refusal is not None:
        return found.refusal.text(words)
    number = len(found.in_the_way)
    if number == 0:
        return words.say(sentence("Nothing is in the way of reading this photo."))
    return words.say(
        counted(
            "{count} thing would make this photo better.",
            "{count} things would make this photo better.",
            number,
        )
    )


def _lines(found: Examination, words: Words) -> Iterator[str]:
    """Yield a line for each check."""
    for check in found.checks:
        measured = sentence("{measured} ({verdict})", measured=check.sentence, verdict=check.verdict.label)
        yield f"  {words.say(measured)}" + (
            f": {words.say(check.advice)}" if check in found.in_the_way else ""
        )
