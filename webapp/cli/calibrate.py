"""The command line: ``sagrada calibrate`` lets the program learn dice, lists them and moves them.

Its exit status is 1 also where the dice are not learned; see `webapp.cli.sagrada`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoring import Board, Color, Die, NotationError
from scoring.sentences import english
from webapp.cli.files import TEXT_FILE, text_of
from webapp.cli.options import (
    AS_JSON,
    LANG,
    PHOTO,
    Called,
    echo_json,
    refusals,
    say,
    spoken,
    tell_unread,
    wrong,
)

if TYPE_CHECKING:
    from calibration.profiles import Sample
    from webapp.storage.profiles import KeptProfile, ProfileStore

Named = tuple[Board | None, tuple[Die | Color, ...] | None, tuple[Any, ...]]
"""The dice by --board, --dice or --die."""
EXAMPLES = """\b
Examples:
  sagrada calibrate window.jpg --board "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
      --profile "Grandma's table"
  sagrada calibrate five_dice.jpg --dice "R5 Y2 G3 B1 P6" --profile "Grandma's table"
  sagrada calibrate --list
"""


def _die_or_color(code: str) -> Die | Color:
    """Return a die, or a color alone, such as ``R``."""
    return Die.parse(code) if len(code.strip()) != 1 else Color.from_name(code)


def _die_at(text: str) -> tuple[tuple[float, float], Die | Color]:
    """Return a die and where it lies."""
    code, _, place = text.partition("@")
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*", place)
    if found is None:
        raise NotationError(
            "bad_place",
            english('"{text}" does not say where.', text=text),
            english("Write a die, @ and pixels, such as {example}.", example="R5@640,410"),
        )
    return (float(found[1]), float(found[2])), _die_or_color(code)


@click.command(epilog=EXAMPLES)
@click.argument("photo", type=PHOTO, required=False)
@click.option("--board", type=Called("text", Board.parse), help="All dice of the window, in board notation.")
@click.option(
    "--dice",
    type=Called("text", lambda text: tuple(map(_die_or_color, text.split()))),
    help="Loose dice in place of a window: rows from the top, from the left.",
)
@click.option(
    "--die",
    "placed",
    type=Called("die@x,y", _die_at),
    multiple=True,
    help="A loose die by where it lies, in pixels; repeat it.",
)
@click.option("--profile", "name", metavar="NAME", help="What the dice are called.")
@click.option(
    "--keep/--no-keep", default=None, help="Keep pictures of the dice here, to learn from them again."
)
@click.option("--list", "listed", is_flag=True, help="List the dice that were learned.")
@click.option("--export", metavar="NAME", help="Print learned dice, for another computer.")
@click.option("--import", "imported", type=TEXT_FILE, help="Add dice that were exported.")
@click.option("--delete", metavar="NAME", help="Delete learned dice with all pictures of them.")
@LANG
@AS_JSON
def calibrate(
    photo: Path | None,
    board: Board | None,
    dice: tuple[Die | Color, ...] | None,
    placed: tuple[Any, ...],
    name: str | None,
    export: str | None,
    imported: Path | None,
    delete: str | None,
    *,
    keep: bool | None,
    listed: bool,
    as_json: bool,
) -> None:
    """Let the program learn the dice of a photo, whose window or loose dice are named.

    A profile that is there already gets better. When dice held back from learning would be read worse,
    nothing is changed, and the exit status is 1. The page has more: renaming, going back, and which are tried
    first.
    """
    if photo is not None and name is not None:
        _learn(photo, (board, dice, placed), name, keep=keep, as_json=as_json)
    elif imported is not None:
        text = text_of(imported, english("Give a file that sagrada calibrate --export wrote."))
        with _used() as store:
            came = store.take_in(text)
        click.echo(say(english("Added {name}.", name=came.name)))
    elif export is not None:
        with _used() as store:
            click.echo(str(store.usable_called(export)).encode(), nl=False)  # in UTF-8, whatever the terminal
    elif delete is not None:
        with _used() as store:
            one = store.called(delete)
            store.delete(one.key)
        click.echo(say(english("Deleted {name}.", name=one.name)))
    elif listed:
        _list(as_json=as_json)
    else:
        raise wrong(english("Give a photo and {option}.", option="--profile"))


def _learn(photo: Path, named: Named, name: str, *, keep: bool | None, as_json: bool) -> None:
    if sum(map(bool, named)) != 1:
        raise wrong(english("Name the dice: give one of {options}.", options="--board, --dice, --die"))
    from vision import VisionError  # noqa: PLC0415  OpenCV takes its time

    try:
        sample = _sample(photo, named)
    except VisionError as error:
        tell_unread(photo, error, as_json=as_json)
        sys.exit(1)
    with _used() as store:
        result = store.teach(name, sample, keep=keep).result
    message = say(*result.sentences)
    if as_json:
        from webapp.domain.dice import payload_of  # noqa: PLC0415  loads OpenCV

        echo_json({**payload_of(result), "message": message})
    else:
        click.echo(message)
    sys.exit(0 if result.adopted else 1)


def _sample(photo: Path, named: Named) -> Sample:
    """Return the named dice of a photo; ends the command where they are not those of the photo."""
    from calibration.errors import ProfileError  # noqa: PLC0415
    from calibration.profiles import loose_sample, window_sample  # noqa: PLC0415  OpenCV takes its time
    from calibration.profiles.samples import dice_beside  # noqa: PLC0415  see above

    board, dice, placed = named
    try:
        if board is not None:
            return window_sample(photo, board)
        if dice:
            found = dice_beside(photo, len(dice))
            if len(found) < len(dice):
                seen = english(
                    "{photo}: loose dice seen {seen}, named {named}.",
                    photo=str(photo),
                    seen=len(found),
                    named=len(dice),
                )
                apart = english(
                    "Lay them apart on a plain table, or say where each lies with {option}.", option="--die"
                )
                raise wrong(seen, apart)
            placed = tuple((one.center, die) for one, die in zip(found, dice, strict=True))
        return loose_sample(photo, placed)
    except ProfileError as error:
        raise click.UsageError(f"{photo}: {error.text(spoken())}") from error


def _list(*, as_json: bool) -> None:
    """List the dice that were taught here; the default ones, with a star, are tried first."""
    with _used() as store:
        kept = store.all()
    if as_json:
        echo_json({"profiles": [_json(one) for one in kept]})
        return
    if not kept:
        none = english(
            "No dice are learned yet: {command} learns them from a photo.", command="sagrada calibrate"
        )
        click.echo(say(none))
    for one in kept:
        click.echo(f"{'*' if one.is_default else ' '} {one.name}: {_about(one)}")


@contextmanager
def _used() -> Iterator[ProfileStore]:
    """Give the profiles, and end the command with what is refused."""
    from webapp.storage.profiles import default_profiles  # noqa: PLC0415  OpenCV takes its time

    with refusals():
        yield default_profiles()


def _about(one: KeptProfile) -> str:
    """Return on one line what there is to know about dice, or why their file is of no use."""
    from webapp.domain.dice import OUTDATED, learned_said, quality_said  # noqa: PLC0415  loads OpenCV

    if one.profile is None:
        assert one.error is not None  # noqa: S101  one of the two is there
        return one.error.text(spoken())
    how_good = OUTDATED if one.is_outdated else quality_said(one.profile)
    return say(learned_said(one.profile), how_good)


def _json(one: KeptProfile) -> dict[str, object]:
    """Return dice as plain data."""
    return {
        "key": one.key,
        "name": one.name,
        "default": one.is_default,
        "samples": one.samples,
        "outdated": one.is_outdated,
        "can_undo": one.can_undo,
        "profile": one.profile and one.profile.to_json(),
        "error": one.error and one.error.to_json(spoken()),
    }
