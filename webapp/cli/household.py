"""The command line: ``sagrada calibrate`` lets the program learn dice, ``sagrada profiles`` keeps them.

Results go to the standard output, everything else to the standard error. Exit status: 0 done, 1 when a photo
or a file cannot be used or the dice are not learned, 2 when the command was used wrongly.
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
from scoring.sentences import number_of_dice, sentence
from webapp.cli.files import TEXT_FILE, check_new, text_of, written
from webapp.cli.options import AS_JSON, LANG, PHOTO, Called, echo_json, refusals, say, spoken, wrong
from webapp.storage.files import write_whole

if TYPE_CHECKING:
    from calibration.profiles import Sample
    from webapp.storage.profiles import ProfileStore, Shelved

GIVE_AN_EXPORT = sentence("Give a file that sagrada profiles export wrote.")
EXAMPLES = """\b
Examples:
  sagrada calibrate window.jpg --board "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
      --profile "Grandma's table"
  sagrada calibrate five_dice.jpg --dice "R5 Y2 G3 B1 P6" --profile "Grandma's table"
"""


def _die_or_color(code: str) -> Die | Color:
    """Return a die, or a color alone, such as ``R``."""
    return Die.parse(code) if len(code.strip()) != 1 else Color.from_name(code)


def _dice(text: str) -> tuple[Die | Color, ...]:
    return tuple(map(_die_or_color, text.split()))


def _die_at(text: str) -> tuple[tuple[float, float], Die | Color]:
    """Return a die and where it lies."""
    code, _, place = text.partition("@")
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*", place)
    if found is None:
        raise NotationError(
            "bad_place",
            sentence('"{text}" does not say where.', text=text),
            sentence("Write a die, @ and pixels, such as {example}.", example="R5@640,410"),
        )
    return (float(found[1]), float(found[2])), _die_or_color(code)


@click.command(epilog=EXAMPLES)
@click.argument("photo", type=PHOTO)
@click.option("--board", type=Called("text", Board.parse), help="All dice of the window, in board notation.")
@click.option(
    "--dice",
    type=Called("text", _dice),
    help="Loose dice in place of a window: rows from the top, from the left.",
)
@click.option(
    "--die",
    "placed",
    type=Called("die@x,y", _die_at),
    multiple=True,
    help="A loose die by where it lies, in pixels; repeat it.",
)
@click.option("--profile", "name", metavar="NAME", required=True, help="What the dice are called.")
@click.option(
    "--keep/--no-keep", default=None, help="Keep pictures of the dice here, to learn from them again."
)
@LANG
@AS_JSON
def calibrate(
    photo: Path,
    board: Board | None,
    dice: tuple[Die | Color, ...] | None,
    placed: tuple[Any, ...],
    name: str,
    *,
    keep: bool | None,
    as_json: bool,
) -> None:
    """Let the program learn the dice of a photo, whose window or loose dice are named.

    A profile that is there already gets better. When dice held back from learning would be read worse,
    nothing is changed, and the exit status is 1.
    """
    if sum(map(bool, (board, dice, placed))) != 1:
        raise wrong(sentence("Name the dice: give one of {options}.", options="--board, --dice, --die"))
    from vision import VisionError  # noqa: PLC0415  OpenCV takes its time

    try:
        sample = _sample(photo, board, dice, placed)
    except VisionError as error:
        if as_json:
            echo_json({"photo": str(photo), "error": error.to_json(spoken())})
        else:
            click.echo(f"{photo}: {error.text(spoken())}", err=True)
        sys.exit(1)
    with refusals():
        taught = _store().teach(name, sample, keep=keep)
    lesson = taught.lesson
    message = say(*lesson.sentences)
    if as_json:
        from webapp.domain.household import payload_of  # noqa: PLC0415  loads OpenCV

        echo_json({**payload_of(lesson), "message": message})
    else:
        click.echo(message)
    sys.exit(0 if lesson.adopted else 1)


def _sample(
    photo: Path, board: Board | None, dice: tuple[Die | Color, ...] | None, placed: tuple[Any, ...]
) -> Sample:
    """Return the named dice of a photo; ends the command where they are not those of the photo."""
    from calibration.errors import ProfileError  # noqa: PLC0415
    from calibration.profiles import loose_sample, window_sample  # noqa: PLC0415  OpenCV takes its time
    from calibration.profiles.beside import dice_beside  # noqa: PLC0415  see above

    try:
        if board is not None:
            return window_sample(photo, board)
        if dice:
            found = dice_beside(photo, len(dice))
            if len(found) < len(dice):
                raise wrong(
                    sentence(
                        "{photo}: loose dice seen {seen}, named {named}.",
                        photo=str(photo),
                        seen=len(found),
                        named=len(dice),
                    ),
                    sentence(
                        "Lay them apart on a plain table, or say where each lies with {option}.",
                        option="--die",
                    ),
                )
            placed = tuple((one.center, die) for one, die in zip(found, dice, strict=True))
        return loose_sample(photo, placed)
    except ProfileError as error:
        raise click.UsageError(f"{photo}: {error.text(spoken())}") from error


@click.group()
def profiles() -> None:
    """Look at the dice that the program learned, and change, export, import or forget them."""


@profiles.command(name="list")
@LANG
@AS_JSON
def list_profiles(*, as_json: bool) -> None:
    """List the dice of this house; the default ones, with a star, are tried first."""
    with _used() as store:
        shelved = store.all()
    if as_json:
        echo_json({"profiles": [_json(one) for one in shelved]})
        return
    if not shelved:
        none = sentence(
            "No dice are learned yet: {command} learns them from a photo.", command="sagrada calibrate"
        )
        click.echo(say(none))
    for one in shelved:
        click.echo(f"{'*' if one.is_default else ' '} {one.name}: {_about(one)}")


@profiles.command()
@click.argument("name")
@LANG
@AS_JSON
def show(name: str, *, as_json: bool) -> None:
    """Show what is known of dice, and from what they were learned."""
    with _used() as store:
        one = store.called(name)
    if as_json:
        echo_json(_json(one))
        return
    click.echo(f"{click.style(one.name, bold=True)}: {_about(one)}")
    if one.profile:
        for lesson in one.profile.lessons:
            click.echo(f"  {lesson.when}  {_number_of(lesson.dice)}  {lesson.how.value}")
        for color, dye in one.profile.dyes.items():
            lightness, a, b = dye.lab
            click.echo(f"  {color.value}  L* {lightness:.0f}  a* {a:.0f}  b* {b:.0f}  {_number_of(dye.dice)}")


@profiles.command()
@click.argument("name")
@click.argument("new_name")
@LANG
def rename(name: str, new_name: str) -> None:
    """Call dice by another name."""
    with _used() as store:
        renamed = store.rename(store.called(name).key, new_name)
    click.echo(say(sentence("They are called {name} now.", name=renamed.name)))


@profiles.command(name="default")
@click.argument("name")
@LANG
def make_default(name: str) -> None:
    """Try these dice first."""
    with _used() as store:
        chosen = store.choose(store.called(name).key)
    click.echo(say(sentence("{name} are tried first now.", name=chosen.name)))


@profiles.command()
@click.argument("name")
@LANG
def delete(name: str) -> None:
    """Delete what was learned of dice, with all pictures of them."""
    with _used() as store:
        one = store.called(name)
        store.delete(one.key)
    click.echo(say(sentence("Deleted {name}.", name=one.name)))


@profiles.command()
@click.argument("name")
@LANG
def undo(name: str) -> None:
    """Go back to what was known before the last lesson."""
    with _used() as store:
        before = store.called(name)
        after = store.undo(before.key)
    if after:
        click.echo(f"{after.name}: {_about(after)}")
    else:
        click.echo(say(sentence("{name} had one lesson only, and are gone.", name=before.name)))


@profiles.command()
@click.argument("switch", type=click.Choice(["on", "off"]))
@LANG
def keep(switch: str) -> None:
    """Keep pictures of dice, and learn from every window that is confirmed on the page: on or off."""
    with _used() as store:
        store.keep_pictures(keep=switch == "on")
    on = sentence("Learning from confirmed windows is switched on.")
    click.echo(say(on if switch == "on" else sentence("Learning from confirmed windows is switched off.")))


@profiles.command()
@click.option("--profiles", "also_profiles", is_flag=True, help="Also what was learned from them.")
@LANG
def forget(*, also_profiles: bool) -> None:
    """Delete all pictures of dice that were kept, and that they may be kept."""
    with _used() as store:
        store.forget(profiles=also_profiles)
    gone = [sentence("All pictures of dice are deleted.")]
    click.echo(say(*gone, *([sentence("So are all dice.")] if also_profiles else [])))


@profiles.command(name="export")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, writable=True), required=False)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@LANG
def export_profile(name: str, file: Path | None, *, force: bool) -> None:
    """Write dice to a file, or to the standard output, for another computer."""
    with _used() as store:
        content = str(store.usable_called(name)).encode()
    if file is None:
        click.echo(content, nl=False)  # in UTF-8, whatever the terminal speaks
        return
    check_new(file, force=force)
    with written(file):
        write_whole(file, content)
    click.echo(say(sentence("Wrote {file}.", file=str(file))), err=True)


@profiles.command(name="import")
@click.argument("file", type=TEXT_FILE)
@LANG
def import_profile(file: Path) -> None:
    """Add the dice of a file that was exported; - reads the standard input."""
    text = text_of(file, GIVE_AN_EXPORT)
    with _used() as store:
        came = store.take_in(text)
    click.echo(say(sentence("{name} are here.", name=came.name)))


def _store() -> ProfileStore:
    from webapp.storage.profiles import default_profiles  # noqa: PLC0415  OpenCV takes its time

    return default_profiles()


@contextmanager
def _used() -> Iterator[ProfileStore]:
    """Give the profiles, and end the command with what is refused."""
    store = _store()
    with refusals():
        yield store


def _about(one: Shelved) -> str:
    """Return on one line what there is to know about dice, or why their file is of no use."""
    from webapp.domain.household import (  # noqa: PLC0415  loads OpenCV
        learned_said,
        outdated_said,
        quality_said,
    )

    if one.profile is None:
        assert one.error is not None  # noqa: S101  one of the two is there
        return one.error.text(spoken())
    how_good = outdated_said() if one.is_outdated else quality_said(one.profile)
    return say(learned_said(one.profile), how_good)


def _number_of(dice: int) -> str:
    return say(number_of_dice(dice))


def _json(one: Shelved) -> dict[str, object]:
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
