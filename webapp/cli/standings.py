"""How the standings of a game look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click

from scoring import Breakdown, Line, LineKind, Notice, Problem, Words
from scoring.sentences import sentence
from webapp.cli.terminal import notices_text, padded, width_of
from webapp.domain.outcome import Entrant, Outcome
from webapp.domain.payloads import Remark

NARROWEST = 5


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
    # A player whose private objective nobody told has one line less.
    for line in max(breakdowns, key=lambda one: len(one.lines)).lines:
        # The players' own objectives differ: their common row has a common name.
        private = line.kind is LineKind.PRIVATE
        name = words.say(sentence("Private objective")) if private else words.line(line.name)
        rows.append([name, *(_points(one, line) for one in breakdowns)])
    total = [words.say(sentence("Total")), *(str(one.total) for one in breakdowns)]
    places = [str(standing.place) if standing else "?" for _, standing in ranking]
    cards = [words.name(one.case.card) if one.case.card else "?" for one, _ in ranking]
    place, window = [words.say(sentence("Place")), *places], [words.say(sentence("Window")), *cards]
    return _aligned([*rows, total, place, window], bold=len(rows))


def _points(breakdown: Breakdown, line: Line) -> str:
    """Return the points of a player in a line, that of the private objective whatever its color."""
    private = line.kind is LineKind.PRIVATE
    same = (one for one in breakdown.lines if (one.kind is line.kind if private else one.name == line.name))
    return next((str(one.points) for one in same), "?")


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
