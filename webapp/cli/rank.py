"""The command line: ``sagrada rank``, the final standings of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoring import HouseRule, PublicObjective, Tool, WindowPattern, Words
from scoring.sentences import sentence
from webapp.cli.files import STDIN, TEXT_FILE, text_of
from webapp.cli.options import HOW_TO_ANSWER, echo_json, known_windows
from webapp.cli.photo import profiles
from webapp.cli.standings import outcome_text
from webapp.cli.table import PHOTOS_OF_A_TABLE, rank_photos, told_of
from webapp.domain import judging
from webapp.domain.game_file import GameFileError, parse_game
from webapp.domain.outcome import outcome_of

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

GIVE_A_GAME = sentence("Give the game as JSON in UTF-8.")


@click.command(epilog=f"{PHOTO_EXAMPLES}\n{EXAMPLE}")
@click.argument("file", metavar="[GAME.json|-]", type=TEXT_FILE, required=False)
@PHOTOS_OF_A_TABLE
@HOW_TO_ANSWER
def rank(
    file: Path | None,
    photos: tuple[Path, ...],
    public: tuple[PublicObjective, ...],
    tools: tuple[Tool, ...],
    house_rules: tuple[HouseRule, ...],
    words: Words,
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
        either = sentence(
            "Give either a file with the game or photos of its table ({option}).", option="--photo"
        )
        raise click.UsageError(words.say(either))
    if file is not None:
        if public or tools or house_rules or any(numbered.values()):
            all_there = sentence(
                "A file tells all about the game: the other options go with {option}.", option="--photo"
            )
            raise click.UsageError(words.say(all_there))
        rank_file(file, words, as_json=as_json)
    else:
        told = told_of(public, tools, house_rules, words, **numbered)
        rank_photos(photos, told, words, as_json=as_json)


def rank_file(file: Path, words: Words, *, as_json: bool) -> None:
    """Rank the players of the game in a file."""
    known, refusal = known_windows()
    try:
        entrants = parse_game(text_of(file, GIVE_A_GAME, words), known, partial(_read, file, known))
    except GameFileError as error:
        refused = (
            sentence("The standard input cannot be ranked:")
            if str(file) == STDIN
            else sentence("{file} cannot be ranked:", file=str(file))
        )
        raise click.UsageError("\n  ".join(map(words.say, (refused, *error.mistakes)))) from error
    about = () if refusal is None else (judging.own_windows_missing(*refusal),)
    outcome = outcome_of(entrants, about)
    if as_json:
        echo_json(outcome.to_json(words))
    else:
        click.echo(outcome_text(outcome, words))


def _read(file: Path, known: Mapping[str, WindowPattern], photo: str) -> Reading:
    """Return the reading of a photo that the file names, from the folder of the file."""
    from vision import read_photo  # noqa: PLC0415  OpenCV takes its time

    read: Callable[..., Reading] = read_photo
    return read(file.parent / photo, windows=tuple(known.values()), **profiles())
