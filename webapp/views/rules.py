"""What the rules say: entries to look up and to search, in the browser alone once the page is there."""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from scoring import Board, Line, PrivateObjective, PublicObjective
from scoring.points.totals import private_line, public_lines
from webapp.services.rulebook import BY_KEY, ENTRIES, Entry, Section, compared, found, skipped
from webapp.web.faces import shown
from webapp.web.language import words

blueprint = Blueprint("rules", __name__)

EXAMPLE = Board.parse("Y2 -- Y2 B1 R5 / R4 Y2 P1 G5 B6 / P5 B4 Y2 R1 G3 / G3 R2 -- Y3 R6")
"""A window that earns something with every objective."""

LONGEST_QUERY = 200


@blueprint.get("/rules")
def show() -> ResponseReturnValue:
    """Show all entries; those that answer a question, which stands in the address, come first."""
    query = request.args.get("q", "").strip()[:LONGEST_QUERY]
    answers = found(query, words()) if query else []
    return shown(
        "rules.html",
        draw=lambda: {
            "query": query,
            "answers": answers,
            "sections": [(section, _of(section, answers)) for section in Section],
            "numbers": {entry.key: number for number, entry in enumerate(ENTRIES)},
            "by_key": BY_KEY,
            "compared": lambda entry: compared(entry, words()),
            "skipped": skipped(words()),
            "example": EXAMPLE,
            "line_of": line_of,
        },
    )


def _of(section: Section, without: list[Entry]) -> list[Entry]:
    return [entry for entry in ENTRIES if entry.section is section and entry not in without]


def line_of(entry: Entry) -> Line | None:
    """Return what an objective gives for the example, None for what is no objective."""
    if isinstance(entry.about, PublicObjective):
        return public_lines(EXAMPLE, [entry.about])[0]
    return private_line(EXAMPLE, entry.about) if isinstance(entry.about, PrivateObjective) else None
