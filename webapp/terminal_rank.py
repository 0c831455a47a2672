"""How the standings of a game look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click

from scoring import LineKind, Notice, Problem, Words
from scoring.problems import told
from scoring.words import sentence
from webapp.cli_outcome import Outcome
from webapp.terminal import padded, width_of

NARROWEST = 5


def outcome_text(outcome: Outcome, words: Words) -> str:
    """Return the points of all players side by side, who won, what decided, and what to know."""
    decisions = [words.say(decision.sentence) for decision in outcome.standings.decisions]
    parts = [
        table_text(outcome, words),
        "\n".join([click.style(words.say(outcome.standings.sentence), bold=True), *decisions]),
        "\n".join(remark.told(words) for remark in outcome.about_the_game()),
        *(_about_player(outcome, standing.name, words) for standing in outcome.standings.places),
    ]
    return "\n\n".join(part for part in parts if part)


def table_text(outcome: Outcome, words: Words) -> str:
    """Return a column for each player, the winner first, and a row for each line of the score."""
    places = outcome.standings.places
    rows = [["", *(standing.name for standing in places)]]
    for number, line in enumerate(places[0].player.breakdown.lines):
        # The players' own objectives differ: their common row has a common name.
        private = line.kind is LineKind.PRIVATE
        name = words.say(sentence("Private objective")) if private else words.line(line.name)
        rows.append([name, *(str(one.player.breakdown.lines[number].points) for one in places)])
    total = [words.say(sentence("Total")), *(str(standing.total) for standing in places)]
    place = [words.say(sentence("Place")), *(str(standing.place) for standing in places)]
    window = [words.say(sentence("Window")), *(_window(outcome, one.name, words) for one in places)]
    return _aligned([*rows, total, place, window], bold=len(rows))


def _window(outcome: Outcome, player: str, words: Words) -> str:
    pattern = outcome.verdicts[player].subject.pattern
    return words.name(pattern) if pattern else "?"


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


def _about_player(outcome: Outcome, player: str, words: Words) -> str:
    """Return the player's name and under it what there is to know about their window, if anything."""
    verdict = outcome.verdicts[player]
    found: tuple[Problem | Notice, ...] = (*verdict.report.problems, *verdict.report.notices)
    lines = [
        *(remark.told(words) for remark in verdict.subject.remarks),
        *(told(words, one) for one in found),
        *(remark.told(words) for remark in outcome.about_points(player)),
    ]
    return "\n".join([f"{player}:", *(f"  {line}" for line in lines)]) if lines else ""
