"""The command line: ``sagrada windows``, the cards of the game and the players' own windows."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from scoring import EVERY_WINDOW, WindowPattern
from scoring.patterns.collection import GIVE_AN_EXPORT, CustomWindows
from scoring.patterns.custom import can_be_filled, check_spaces, check_window, custom_window
from scoring.patterns.patterns import DIFFICULTIES
from scoring.sentences import english, sentence
from webapp.cli.files import TEXT_FILE, text_of, written
from webapp.cli.options import AS_JSON, LANG, PHOTO, Place, echo_json, refusals, say, spoken, wrong
from webapp.cli.photo import empty_card_in
from webapp.cli.terminal import pattern_text
from webapp.cli.tools import tools
from webapp.domain.payloads import Remark
from webapp.storage.administration import MORE_SETS, load_settings, save_settings
from webapp.storage.administration import SETTINGS_FILE as SETTINGS
from webapp.storage.files import make_folder, write_whole
from webapp.storage.own_cards import default_store

YOUR_OWN = sentence("your own")
DIFFICULTY = click.IntRange(min(DIFFICULTIES), max(DIFFICULTIES))


@click.group()
def windows() -> None:
    """Look at the window patterns, and add windows of your own.

    NOTATION is one character a space: a letter (R Y G B P) for a color, 1 to 6 for a value, . for no
    restriction; rows from the top, separated by /. Example: "R...B / ..... / ..... / 1...6".
    """


windows.add_command(tools)


@windows.command(name="list")
@click.option("--own", is_flag=True, help="Only the windows of your own.")
@LANG
@AS_JSON
def list_windows(*, own: bool, as_json: bool) -> None:
    """List the windows: the cards of the game, then your own."""
    with refusals():
        known, hidden = default_store().known(), default_store().hidden()
    shown = [window for window in known.values() if window.custom or not own]
    notices = [
        say(
            english("Your window {name} is not used: the game has a card of that name.", name=window.name),
            english("Rename it, or remove it."),
        )
        for window in hidden
    ]
    if as_json:
        echo_json({"windows": [_window_json(window) for window in shown], "notices": notices})
        return
    if own and not shown:
        click.echo(say(english("There are no windows of your own yet.")))
    width = max((len(window.name) for window in shown), default=0)
    for window in shown:
        own_sign = f"  {say(YOUR_OWN)}" if window.custom else ""
        click.echo(f"{window.name:<{width}}  {window.difficulty or '?'}  {window}{own_sign}")
    for notice in notices:
        click.echo(notice, err=True)


@windows.command()
@click.argument("names", nargs=-1, type=click.Choice([*(one.value for one in MORE_SETS), "none"]))
@AS_JSON
def sets(names: tuple[str, ...], *, as_json: bool) -> None:
    """Show or say which boxes and packs you have beside the base game: their windows are then known.

    Without NAMES the boxes and packs are listed; "none" leaves the base game alone.
    """
    store = default_store()
    folder = store.path.parent
    if names:
        with refusals():
            make_folder(folder)
        with written(folder / SETTINGS):
            save_settings(folder, replace(load_settings(folder), sets=names))
    known = store.cards().sets
    if as_json:
        echo_json({"sets": {one.value: one in known for one in MORE_SETS}})
        return
    for one in MORE_SETS:
        state = "known" if one in known else "not known"
        click.echo(f"{one.value}: {len(EVERY_WINDOW.only(one))} windows, {state}.")


@windows.command()
@click.argument("name")
@LANG
@AS_JSON
def show(name: str, *, as_json: bool) -> None:
    """Show a window as it is printed."""
    with refusals():
        store = default_store()
        window = store.find(name)
        known = store.known() if window.custom else store.cards()
    _tell([window], known, as_json=as_json)


@windows.command()
@click.argument("name")
@click.argument("notation", required=False)
@click.option("--photo", type=PHOTO, help="Read the spaces off a photo of the empty card instead.")
@click.option("--difficulty", type=DIFFICULTY, help="The dots on the card; leave it out when not known.")
@click.option("--back", nargs=2, metavar="NAME NOTATION", help="The window on the back of the same card.")
@click.option("--back-difficulty", type=DIFFICULTY, help="The dots on the back.")
@click.option("--replace", is_flag=True, help="Correct the window of that name, which is yours already.")
@LANG
@AS_JSON
def add(
    name: str,
    notation: str | None,
    photo: Path | None,
    difficulty: int | None,
    back: tuple[str, str] | None,
    back_difficulty: int | None,
    *,
    replace: bool,
    as_json: bool,
) -> None:
    """Add a window of your own, and the one on its back where there is one."""
    if back is None and back_difficulty is not None:
        two = english(
            "{option} is for a card with two sides: give {other} too.",
            option="--back-difficulty",
            other="--back",
        )
        raise wrong(two)
    if back is not None and replace:
        one_side = english(
            "{option} corrects one side: leave {other} out and correct the other one after.",
            option="--replace",
            other="--back",
        )
        raise wrong(one_side)
    if (notation is None) == (photo is None):
        raise wrong(
            english("Give either NOTATION or {option} with a photo of the empty card.", option="--photo")
        )
    with refusals():
        store = default_store()
        remarks: tuple[Remark, ...] = ()
        if photo is not None:
            notation, remarks = empty_card_in(photo, store.known(), as_json=as_json)
        front = custom_window(name, notation or "", difficulty, other_side=back[0] if back else None)
        if replace:
            store.replace(name, front)
        elif back is None:
            store.add(front)
        else:
            store.add(front, custom_window(*back, back_difficulty))
        known = store.known()
    sides = [known[name]] if back is None else [known[name], known[back[0]]]
    _tell(sides, known, as_json=as_json, remarks=remarks)


@windows.command()
@click.argument("name")
@LANG
@AS_JSON
def remove(name: str, *, as_json: bool) -> None:
    """Remove a window of your own. Games that were played on it stay."""
    with refusals():
        gone = default_store().remove(name)
    if as_json:
        echo_json({"removed": _window_json(gone)})
        return
    words = ["sagrada", "windows", "add", gone.name, str(gone)]
    if gone.difficulty is not None:
        words += ["--difficulty", str(gone.difficulty)]
    back = english("Removed {name}. To have it back: {command}", name=gone.name, command=shlex.join(words))
    click.echo(say(back))


@windows.command()
@click.argument("notation")
@LANG
@AS_JSON
def check(notation: str, *, as_json: bool) -> None:
    """Check the spaces of a window before it is added."""
    with refusals():
        window = WindowPattern.parse(notation)
        known = default_store().known()
    notices = [say(notice) for notice in check_spaces(window, known)]
    if as_json:
        echo_json({"cells": str(window), "can_be_filled": can_be_filled(window), "notices": notices})
        return
    click.echo(pattern_text(window))
    for notice in notices or [say(english("Nothing odd about it."))]:
        click.echo(notice)


@windows.command(name="import")
@click.argument("file", type=TEXT_FILE)
@click.option("--replace", is_flag=True, help="Let a window of the file take the place of one of yours.")
@LANG
@AS_JSON
def import_windows(file: Path, *, replace: bool, as_json: bool) -> None:
    """Add the windows of a file that was exported; - reads the standard input. All are added, or none."""
    with refusals():
        coming = CustomWindows.parse(text_of(file, GIVE_AN_EXPORT))
        before, after = default_store().merge(coming, replacing=replace)
    old = {one.name for one in before.windows}
    new = [one.name for one in after.windows if one.name not in old]
    changed = [one.name for one in after.windows if one.name in old and one not in before.windows]
    if as_json:
        echo_json({"added": new, "replaced": changed, "windows": len(after.windows)})
        return
    if new:
        click.echo(say(english("Added: {names}.", names=", ".join(new))))
    if changed:
        click.echo(say(english("Replaced: {names}.", names=", ".join(changed))))
    if not new and not changed:
        there = english("All of these windows were there already.")
        click.echo(say(there if coming.windows else english("The file has no windows.")))


@windows.command(name="export")
@click.argument("file", type=Place(dir_okay=False, writable=True), required=False)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@LANG
def export_windows(file: Path | None, *, force: bool) -> None:
    """Write your own windows to a file, or to the standard output, for another computer."""
    with refusals():
        mine = default_store().load()
    if file is None:
        click.echo(str(mine).encode(), nl=False)  # in UTF-8, whatever the terminal speaks
        return
    with written(file):
        if file.exists() and not force:
            there = english(
                "{file} is there already: give another name, or {option} to write over it.",
                file=str(file),
                option="--force",
            )
            raise wrong(there)
        write_whole(file, str(mine).encode())
    done = english("Windows written to {file}: {number}.", file=str(file), number=len(mine.windows))
    click.echo(say(done), err=True)


def _tell(
    sides: Sequence[WindowPattern],
    known: Mapping[str, WindowPattern],
    *,
    as_json: bool,
    remarks: Iterable[Remark] = (),
) -> None:
    """Print a window, and the one on its back where it was added too, with what a player should know."""
    if as_json:
        notices = {one.name: [say(notice) for notice in check_window(one, known)] for one in sides}
        notices[sides[0].name] += [remark.text(spoken()) for remark in remarks]
        answers = [{**_window_json(one), "notices": notices[one.name]} for one in sides]
        echo_json(answers[0] if len(sides) == 1 else {**answers[0], "back": answers[1]})
        return
    texts = [
        "\n".join([_heading(one), pattern_text(one), str(one), *map(say, check_window(one, known))])
        for one in sides
    ]
    click.echo("\n".join(["\n\n".join(texts), *(remark.text(spoken()) for remark in remarks)]))


def _heading(window: WindowPattern) -> str:
    """Return name, difficulty and the rest that is known about a window, on one line."""
    about = [
        sentence("difficulty {number}", number=window.difficulty)
        if window.difficulty
        else sentence("difficulty not known")
    ]
    if window.other_side:
        about.append(sentence("on the back: {name}", name=window.other_side))
    if window.promo:
        about.append(sentence("promo card"))
    if window.custom:
        about.append(YOUR_OWN)
    return f"{click.style(window.name, bold=True)} ({', '.join(map(say, about))})"


def _window_json(window: WindowPattern) -> dict[str, object]:
    """Return a window as plain data."""
    return {
        "name": window.name,
        "difficulty": window.difficulty,
        "cells": str(window),
        "other_side": window.other_side,
        "names": dict(window.names),
        "custom": window.custom,
        "promo": window.promo,
        "comes_in": None if window.custom else window.comes_in.value,
        "can_be_filled": can_be_filled(window),
    }
