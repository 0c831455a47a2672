"""The command line: ``sagrada rank``, the final standings of a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from scoring import LineKind, Notice, Problem, Words
from scoring.sentences import sentence
from webapp.cli.files import STDIN, TEXT_FILE, text_of
from webapp.cli.options import HOW_TO_ANSWER, echo_json, known_windows
from webapp.cli.terminal import notices_text, padded, width_of
from webapp.companion import remarks
from webapp.companion.game_file import GameFileError, parse_game
from webapp.companion.outcome import Entrant, Outcome, outcome_of
from webapp.companion.remarks import Remark

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
NARROWEST = 5


@click.command(epilog=EXAMPLE)
@click.argument("file", metavar="GAME.json|-", type=TEXT_FILE)
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


def outcome_text(outcome: Outcome, words: Words) -> str:
    """Return the points of all players side by side, who won, what decided, and what to know."""
    won = [words.say(outcome.standings.sentence)] if outcome.standings else []
    decisions = [words.say(decision.sentence) for decision in outcome.decisions]
    parts = [
        table_text(outcome, words),
        "\n".join([*(click.style(one, bold=True) for one in won), *decisions]),
        notices_text(outcome.about_the_game(), words),
        *(_about_player(outcome, entrant, words) for entrant, _ in outcome.ranking),
    ]
    return "\n\n".join(part for part in parts if part)


def table_text(outcome: Outcome, words: Words) -> str:
    """Return a column for each player, the winner first, and a row for each line of the score."""
    ranking = outcome.ranking
    breakdowns = [outcome.judgements[entrant.name].breakdown for entrant, _ in ranking]
    rows = [["", *(entrant.name for entrant, _ in ranking)]]
    for number, line in enumerate(breakdowns[0].lines):
        # The players' own objectives differ: their common row has a common name.
        private = line.kind is LineKind.PRIVATE
        name = words.say(sentence("Private objective")) if private else words.line(line.name)
        rows.append([name, *(str(one.lines[number].points) for one in breakdowns)])
    total = [words.say(sentence("Total")), *(str(one.total) for one in breakdowns)]
    places = [str(standing.place) if standing else "?" for _, standing in ranking]
    cards = [words.name(one.case.card) if one.case.card else "?" for one, _ in ranking]
    place, window = [words.say(sentence("Place")), *places], [words.say(sentence("Window")), *cards]
    return _aligned([*rows, total, place, window], bold=len(rows))


def _aligned(rows: Sequence[Sequence[str]], bold: int) -> str:
    """Return rows under each other, names to the left and points to the right; one of them bold."""
    widths = [max(NARROWEST, *(width_of(row[column]) for row in rows)) for column in range(len(rows[0]))]
    lines = []
    for number, (name, *cells) in enumerate(rows):
        points = [
            " " * (width - width_of(cell)) + cell for cell, width in zip(cells, widths[1:], strict=True)
        ]
        line = "  ".join([padded(name, widths[0]), *points]).rstrip()
        lines.append(click.style(line, bold=True) if number == bold else line)
    return "\n".join(lines)


def _about_player(outcome: Outcome, entrant: Entrant, words: Words) -> str:
    """Return the player's name and under it what there is to know about their window, if anything."""
    found = outcome.judgements[entrant.name].placement
    about: list[Problem | Notice | Remark] = [
        *entrant.remarks,
        *found.problems,
        *found.notices,
        *outcome.about(entrant.name),
    ]
    lines = [one.text(words) for one in about]
    return "\n".join([f"{entrant.name}:", *(f"  {line}" for line in lines)]) if lines else ""
