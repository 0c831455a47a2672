"""The command line: ranking the players of a table from photos of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from scoring import HouseRule, NotationError, PublicObjective, Tool, TurnOrder, Words
from scoring.errors import InvalidValueError, SagradaError
from scoring.game.setup import MOST_PLAYERS
from scoring.lookup import objective_called, private_called, window_called
from scoring.sentences import counted, sentence
from webapp.cli import terminal
from webapp.cli.options import (
    CARDS_ON_THE_TABLE,
    PHOTO,
    PROFILE,
    Called,
    echo_json,
    known_windows,
    refusals,
    several,
    together,
)
from webapp.cli.photo import photos_in, table_of, with_progress
from webapp.cli.standings import outcome_text
from webapp.domain import judging, tables
from webapp.domain.outcome import outcome_of
from webapp.domain.tables import Told

OPTIONS = {"names": "--player", "privates": "--private", "favor_tokens": "--favor", "cards": "--window"}


def _tokens(text: str) -> int:
    if not text.isdecimal():
        raise InvalidValueError(
            "bad_favor_tokens",
            sentence("{value} is not a number of tokens.", value=text),
            sentence("Write 0 or more."),
        )
    return int(text)


def _window(text: str) -> object:
    return window_called(text, known_windows()[0])


def _numbered(find: Callable[[str], Any], text: str) -> tuple[int, Any]:
    """Return the number of a window and what was told about it."""
    number, sign, thing = (part.strip() for part in text.partition("="))
    if not sign or not number.isdecimal() or int(number) < 1 or not thing:
        raise NotationError(
            "bad_window_number",
            sentence('"{text}" does not say which window.', text=text),
            sentence("Write its number, = and what it has, such as {example}.", example="1=red"),
        )
    return int(number), find(thing)


def by_number(option: str, to: str, kind: str, find: Callable[[str], Any], about: str, *more: str) -> Any:  # noqa: ANN401
    """Return an option that may be repeated, each time for another window of the table."""
    called = Called(kind, partial(_numbered, find))
    metavar = f"NUMBER={kind.upper()}"
    return click.option(option, *more, to, type=called, multiple=True, metavar=metavar, help=about)


PHOTOS_OF_A_TABLE = together(
    click.option(
        "--photo",
        "photos",
        type=PHOTO,
        multiple=True,
        help="A photo of the table, in place of a file; repeat it where one does not show all windows.",
    ),
    several(
        "--public",
        "public",
        "name",
        objective_called,
        "A public objective; repeat it. Without it the cards in the photo count.",
    ),
    by_number(
        "--private", "privates", "objective", private_called, "The private objective of a window's player."
    ),
    by_number("--favor", "favor_tokens", "tokens", _tokens, "Favor tokens left.", "--tokens"),
    by_number("--player", "names", "name", str, "What a window's player is called."),
    by_number("--window", "cards", "name", _window, "The window pattern card, where it was not read."),
    CARDS_ON_THE_TABLE,
    PROFILE,
)
"""The table, and what no photo shows. Windows are numbered as ``sagrada read --all`` does."""


def told_of(
    public: Sequence[PublicObjective],
    tools: Sequence[Tool],
    house_rules: Sequence[HouseRule],
    words: Words,
    **numbered: Sequence[tuple[int, Any]],
) -> Told:
    """Return what was told with the options; ends the command where no game has that."""
    by_window: dict[str, Mapping[int, Any]] = {}
    for key, pairs in numbered.items():
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = sentence("{option} is given twice for one window.", option=OPTIONS[key])
            raise click.UsageError(words.say(twice))
        by_window[key] = found
    told = Told(public, tools, house_rules, **by_window)
    if len(told.privates) > MOST_PLAYERS:
        many = sentence("A game has 2 to 6 players, not {number}.", number=len(told.privates))
        raise click.UsageError(words.say(many))
    with refusals(words):  # said before a photo is read
        told.case(0).check("--solo")
    _check_names(list(told.names.values()), words)
    return told


def rank_photos(photos: Sequence[Path], told: Told, words: Words, *, as_json: bool) -> None:
    """Rank the players of the table in the photos; the exit status is 1 when a photo cannot be read."""
    known, refusal = known_windows()
    found = {
        str(photo): table_of(photo, known, as_json=as_json, meanwhile=meanwhile)
        for photo, meanwhile in with_progress(photos_in(photos))
    }
    read = {photo: table for photo, table in found.items() if table is not None}
    if not read:
        sys.exit(1)
    from vision import merge_tables  # noqa: PLC0415  OpenCV takes its time

    merged = merge_tables(list(read.values()))
    table = merged.table
    try:
        tables.demand_windows(table)
        objectives, about_cards = (told.public, ()) if told.public else tables.objectives_on(table)
    except SagradaError as error:
        if as_json:
            data = tables.merged_json(merged, list(read), words)
            echo_json({"error": error.to_json(words), "table": data})
        else:  # nothing that was read is lost
            click.echo(terminal.merged_text(list(read), merged, words))
            click.echo(f"\n{error.text(words)}", err=True)
        sys.exit(1)
    _check_numbers(told, len(table.windows), words)
    told = replace(told, public=objectives)
    entrants = tables.entrants_of(table.windows, told, known, words)
    _check_names([one.name for one in entrants], words)
    about = [
        *tables.about_dice(table),
        *(() if refusal is None else (judging.own_windows_missing(*refusal),)),
        *about_cards,
    ]
    loud = [*tables.about_merged(merged), *tables.about_ranking(table)]
    outcome = outcome_of(entrants, (*loud, *about, *tables.tokens_not_told(told)))
    if as_json:
        data = tables.merged_json(merged, list(read), words)
        echo_json({**outcome.to_json(words), "table": data})
    else:
        click.echo("".join(click.style(f"{one.text(words)}\n\n", bold=True) for one in loud), nl=False)
        quiet = replace(outcome, remarks=outcome.remarks[len(loud) :])
        click.echo(outcome_text(quiet, words))
    sys.exit(1 if len(read) < len(found) else 0)


def _check_numbers(told: Told, count: int, words: Words) -> None:
    """Refuse what was told about windows that nobody read."""
    for key, option in OPTIONS.items():
        for number in getattr(told, key):
            if number > count:
                said = counted(
                    "There is no window {number} for {option}: {count} window was read.",
                    "There is no window {number} for {option}: {count} windows were read.",
                    count,
                    number=str(number),
                    option=option,
                )
                raise click.UsageError(words.say(said))


def _check_names(names: Sequence[str], words: Words) -> None:
    """Refuse a name that two windows have."""
    with refusals(words):
        for pair in combinations(names, 2):
            TurnOrder(pair)
