"""The command line: ``sagrada rank``, the final standings of a game."""

from __future__ import annotations

from pathlib import Path

import click

from scoring import Words
from scoring.sentences import sentence
from webapp.cli.files import STDIN, text_of
from webapp.cli.options import HOW_TO_ANSWER, echo_json, known_windows
from webapp.cli.terminal_rank import outcome_text
from webapp.companion import remarks
from webapp.companion.game_file import GameFileError, parse_game
from webapp.companion.outcome import outcome_of

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


@click.command(epilog=EXAMPLE)
@click.argument(
    "file",
    metavar="GAME.json|-",
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
)
@HOW_TO_ANSWER
def rank(file: Path, words: Words, *, as_json: bool) -> None:
    """Rank the players of a game and say what decided.

    The file holds the game; - reads the standard input. Players stand clockwise around the table. "window",
    "tools", "house_rules" and "first_player" may be left out. "first_player" had the dice bag in the first
    round; "first_player_of_last_round" says the same of the last one. It may decide a tie.
    """
    known, refusal = known_windows()
    try:
        entrants = parse_game(text_of(file, GIVE_A_GAME, words), known)
    except GameFileError as error:
        refused = (
            sentence("The standard input cannot be ranked:")
            if str(file) == STDIN
            else sentence("{file} cannot be ranked:", file=str(file))
        )
        raise click.UsageError("\n  ".join(map(words.say, (refused, *error.mistakes)))) from error
    about = () if refusal is None else (remarks.own_windows_missing(*refusal),)
    outcome = outcome_of(entrants, about)
    if as_json:
        echo_json(outcome.to_json(words))
    else:
        click.echo(outcome_text(outcome, words))
