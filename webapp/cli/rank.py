"""The command line: ``sagrada rank``, the final standings of a game in a file or on photos of its table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoring import HouseRule, NotationError, PublicObjective, Tool, TurnOrder, WindowPattern
from scoring.errors import InvalidValueError, SagradaError
from scoring.game.setup import MOST_PLAYERS
from scoring.lookup import objective_called, private_called, window_called
from scoring.names import without_controls
from scoring.sentences import english, sentence
from webapp.cli import terminal
from webapp.cli.files import STDIN, TEXT_FILE, text_of
from webapp.cli.options import (
    AS_JSON,
    CARDS_ON_THE_TABLE,
    LANG,
    MIRRORED,
    PHOTO,
    PROFILE,
    Called,
    Decorator,
    echo_json,
    known_windows,
    refusals,
    say,
    several,
    spoken,
    wrong,
)
from webapp.cli.photo import as_taken, photos_in, profiles, table_of, with_progress
from webapp.domain import tables
from webapp.domain.game_file import GameFileError, parse_game
from webapp.domain.outcome import outcome_of
from webapp.domain.tables import Told

if TYPE_CHECKING:
    from vision import Reading

PHOTO_EXAMPLES = """\b
Examples:
  sagrada rank game.json
  sagrada rank --photo table.jpg --private 1=red --favor 1=2 --private 2=blue
  sagrada rank --photo left.jpg --photo right.jpg --public "Light Shades"
      --public "Deep Shades" --public "Color Variety" --window 2="Via Lux"
"""
EXAMPLE = """\b
Example:
  {"public": ["Light Shades", "Deep Shades", "Color Variety"],
   "tools": ["Lathekin", "Flux Brush", "Copper Foil Burnisher"], "first_player": "Ben",
   "players": [
     {"name": "Ann", "private": "red", "favor_tokens": 1, "window": "Luz Celestial",
      "board": "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"},
     {"name": "Ben", "private": "blue", "favor_tokens": 0,
      "board": "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"}]}
"""

OPTIONS = {"names": "--player", "privates": "--private", "favor_tokens": "--favor", "cards": "--window"}


def _tokens(text: str) -> int:
    if not text.isdecimal():
        raise InvalidValueError(
            "bad_favor_tokens",
            english("{value} is not a number of tokens.", value=text),
            english("Write 0 or more."),
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
            english('"{text}" does not say which window.', text=text),
            english("Write its number, = and what it has, such as {example}.", example="1=red"),
        )
    return int(number), find(thing)


def by_number(
    option: str, to: str, kind: str, find: Callable[[str], Any], about: str, *more: str
) -> Decorator:
    """Return an option that may be repeated, each time for another window of the table."""
    called = Called(kind, partial(_numbered, find))
    metavar = f"NUMBER={kind.upper()}"
    return click.option(option, *more, to, type=called, multiple=True, metavar=metavar, help=about)


@click.command(epilog=f"{PHOTO_EXAMPLES}\n{EXAMPLE}")
@click.argument("file", metavar="[GAME.json|-]", type=TEXT_FILE, required=False)
@click.option(
    "--photo",
    "photos",
    type=PHOTO,
    multiple=True,
    help="A photo of the table, in place of a file; repeat it where one does not show all windows.",
)
@several(
    "--public",
    "public",
    "name",
    objective_called,
    "A public objective; repeat it. Without it the cards in the photo count.",
)
@by_number(
    "--private", "privates", "objective", private_called, "The private objective of a window's player."
)
@by_number("--favor", "favor_tokens", "tokens", _tokens, "Favor tokens left.", "--tokens")
@by_number("--player", "names", "name", without_controls, "What a window's player is called.")
@by_number("--window", "cards", "name", _window, "The window pattern card, where it was not read.")
@CARDS_ON_THE_TABLE
@PROFILE
@MIRRORED
@LANG
@AS_JSON
def rank(
    file: Path | None,
    photos: tuple[Path, ...],
    public: tuple[PublicObjective, ...],
    tools: tuple[Tool, ...],
    house_rules: tuple[HouseRule, ...],
    *,
    as_json: bool,
    **numbered: tuple[tuple[int, Any], ...],
) -> None:
    """Rank the players of a game and say what decided.

    The file holds the game; - reads the standard input. Players stand clockwise around the table. "window",
    "tools", "house_rules" and "first_player" may be left out; "photo" names a photo beside the file in place
    of "board". "first_player" had the dice bag in the first
    round; "first_player_of_last_round" says the same of the last one. It may decide a tie.

    In place of a file --photo shows the table: its windows are ranked by the numbers that read --all gives
    them, and what the photo does not show is told of each by its number.
    """
    if (file is None) == (not photos):
        raise wrong(
            english("Give either a file with the game or photos of its table ({option}).", option="--photo")
        )
    if file is None:
        rank_photos(photos, told_of(public, tools, house_rules, **numbered), as_json=as_json)
        return
    if public or tools or house_rules or any(numbered.values()):
        raise wrong(
            english("A file tells all about the game: the other options go with {option}.", option="--photo")
        )
    known, about = known_windows()
    try:
        text = text_of(file, english("Give the game as JSON in UTF-8."))
        entrants = parse_game(text, known, partial(_read, file, known))
    except GameFileError as error:
        refused = (
            english("The standard input cannot be ranked:")
            if str(file) == STDIN
            else english("{file} cannot be ranked:", file=str(file))
        )
        raise click.UsageError("\n  ".join(map(say, (refused, *error.mistakes)))) from error
    outcome = outcome_of(entrants, about)
    if as_json:
        echo_json(outcome.to_json(spoken()))
    else:
        click.echo(terminal.outcome_text(outcome, spoken()))


def _read(file: Path, known: Mapping[str, WindowPattern], photo: str) -> Reading:
    """Return the reading of a photo that the file names, from the folder of the file."""
    from vision import read_photo  # noqa: PLC0415  OpenCV takes its time

    return read_photo(file.parent / photo, windows=tuple(known.values()), **profiles(), **as_taken())


def told_of(
    public: Sequence[PublicObjective],
    tools: Sequence[Tool],
    house_rules: Sequence[HouseRule],
    **numbered: Sequence[tuple[int, Any]],
) -> Told:
    """Return what was told with the options; ends the command where no game has that."""
    by_window: dict[str, Mapping[int, Any]] = {}
    for key, pairs in numbered.items():
        found = dict(pairs)
        if len(found) < len(pairs):
            raise wrong(english("{option} is given twice for one window.", option=OPTIONS[key]))
        by_window[key] = found
    told = Told(public, tools, house_rules, **by_window)
    if len(told.privates) > MOST_PLAYERS:
        raise wrong(sentence("A game has 2 to 6 players, not {number}.", number=len(told.privates)))
    with refusals():  # said before a photo is read
        told.case(0).check("--solo")
    _check_names(told.names.values())
    return told


def rank_photos(photos: Sequence[Path], told: Told, *, as_json: bool) -> None:
    """Rank the players of the table in the photos; the exit status is 1 when a photo cannot be read."""
    words = spoken()
    known, missing = known_windows()
    found = {
        str(photo): table_of(photo, known, as_json=as_json, meanwhile=meanwhile)
        for photo, meanwhile in with_progress(photos_in(photos))
    }
    read = {photo: table for photo, table in found.items() if table is not None}
    if not read:
        sys.exit(1)
    from vision import merge_tables  # noqa: PLC0415  OpenCV takes its time

    merged = merge_tables(list(read.values()))
    table, data = merged.table, tables.merged_json(merged, list(read), words)
    try:
        tables.demand_windows(table)
        objectives, about_cards = (told.public, ()) if told.public else tables.objectives_on(table)
    except SagradaError as error:
        if as_json:
            echo_json({"error": error.to_json(words), "table": data})
        else:  # nothing that was read is lost
            click.echo(terminal.merged_text(list(read), merged, words))
            click.echo(f"\n{error.text(words)}", err=True)
        sys.exit(1)
    _check_numbers(told, len(table.windows))
    told = replace(told, public=objectives)
    entrants = tables.entrants_of(table.windows, told, known, words)
    _check_names(one.name for one in entrants)
    loud = [*tables.about_merged(merged), *tables.about_ranking(table)]
    about = [*tables.about_dice(table), *missing, *about_cards]
    outcome = outcome_of(entrants, (*loud, *about, *tables.tokens_not_told(told, table.windows)))
    if as_json:
        echo_json({**outcome.to_json(words), "table": data})
    else:
        click.echo("".join(click.style(f"{one.text(words)}\n\n", bold=True) for one in loud), nl=False)
        quiet = replace(outcome, remarks=outcome.remarks[len(loud) :])
        click.echo(terminal.outcome_text(quiet, words))
    sys.exit(1 if len(read) < len(found) else 0)


def _check_numbers(told: Told, count: int) -> None:
    """Refuse what was told about windows that nobody read."""
    for key, option in OPTIONS.items():
        for number in getattr(told, key):
            if number > count:
                said = english(
                    "There is no window {number} for {option}: the last one is {count}.",
                    number=number,
                    option=option,
                    count=count,
                )
                raise wrong(said)


def _check_names(names: Iterable[str]) -> None:
    """Refuse a name that two windows have."""
    with refusals():
        for pair in combinations(names, 2):
            TurnOrder(pair)
