"""The sheet of a reveal, as on the game's own pad: a row for each card, a column for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring import Line, LineKind, PublicObjective
from webapp.services.judging import Judgement


@dataclass(frozen=True)
class Row:
    """One row of the sheet.

    Parameters
    ----------
    points
        What each player got, None for who has no such line.
    kind
        What the row counts, None for the total.
    card
        The public objective of the row.
    """

    points: tuple[int | None, ...]
    kind: LineKind | None = None
    card: PublicObjective | None = None

    @property
    def best(self) -> int | None:
        """The most that somebody got, None where nobody got more than the others."""
        known = {one for one in self.points if one is not None}
        return max(known) if len(known) > 1 else None


def sheet_of(judgements: Sequence[Judgement]) -> tuple[Row, ...]:
    """Return the rows for the windows of a game with several players, the total last.

    The points are those of the judgements' lines: nothing is counted here.
    """
    columns = [
        {_row_of(line): line.points for line in one.breakdown.lines} if one.is_counted else {}
        for one in judgements
    ]
    cards = dict.fromkeys(row for column in columns for row in column if row[1])
    private, tokens, empty = LineKind.PRIVATE, LineKind.FAVOR_TOKENS, LineKind.EMPTY_CELLS
    rows = [
        Row(tuple(column.get((kind, card)) for column in columns), kind, card)
        for kind, card in (*cards, (private, None), (tokens, None), (empty, None))
    ]
    return (*rows, Row(tuple(one.total for one in judgements)))


def _row_of(line: Line) -> tuple[LineKind, PublicObjective | None]:
    """Return where a line stands; private objectives share a row, whatever their colors."""
    return line.kind, PublicObjective(line.name) if line.kind is LineKind.PUBLIC else None
