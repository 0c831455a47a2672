"""Figures laid out for people, in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.goals import GoalRow
from calibration.records import Miss
from calibration.reliability import Reliability
from calibration.shares import Share
from calibration.summary import Summary

GOAL_HEAD = ("", "all windows", "windows with dice", "goal", "reached")
TITLES = {
    "rendered": "Rendered photos",
    "real": "Real photos",
    "synthetic": "Synthetic scenes that nothing was learned from",
}


def percent(share: Share) -> str:
    """Return a share as a percentage with one decimal, "-" of nothing.

    Examples
    --------
    >>> percent(Share(19, 20)), percent(Share(0, 0))
    ('95.0 %', '-')
    """
    return "-" if share.ratio is None else f"{100 * share.ratio:.1f} %"


def exact_percent(share: Share) -> str:
    """Return a share as a percentage with two decimals, "-" of nothing."""
    return "-" if share.ratio is None else f"{100 * share.ratio:.2f} %"


def plain_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table for the terminal with its first column left and the others right."""
    widths = [max(len(line[i]) for line in (head, *rows)) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(pairs)
        ).rstrip()
        for pairs in (list(zip(line, widths, strict=True)) for line in (head, *rows))
    )


def summary_text(name: str, summary: Summary) -> str:
    """Return all figures of one set of photos, a line each."""
    s = summary
    lines = [f"{name}: {s.photos} photos, {s.boards} boards to read, {s.refused.total} photos to refuse"]
    if s.boards:
        corner_error = (
            f"median {s.corner_error_median:.2f}, worst {s.corner_error_max:.2f} cells"
            if s.corner_error_median is not None
            else "-"
        )
        refused = _codes(s.boards_refused)
        lines += [
            _line("windows located", s.located, f"corners off by {corner_error}"),
            _line("right way up", s.upright, f"{s.upside_down} upside down"),
            _line("cells right", s.cells.right, f"on located windows {percent(s.cells_located.right)}"),
            _line("  color", s.cells.color, f"on located windows {percent(s.cells_located.color)}"),
            _line("  value", s.cells.value, f"on located windows {percent(s.cells_located.value)}"),
            _line(
                "  empty or not", s.cells.occupied, f"on located windows {percent(s.cells_located.occupied)}"
            ),
            _line("boards exact", s.boards_exact),
            _line("at most one wrong", s.boards_at_most_one_wrong),
            _line("cells flagged", s.flagged, _unflagged(s.wrong_unflagged_per_board)),
            _line("printed spaces right", s.pattern),
            _line("pattern card named", s.cards_named, f"{s.cards_wrong} wrongly named"),
        ]
        if refused:
            lines.append(f"boards refused        {refused}")
    if s.refused.total:
        lines.append(_line("refused", s.refused, _codes(s.refusal_codes)))
    if s.seconds_median is not None:
        lines.append(f"time                  median {s.seconds_median:.2f} s, worst {s.seconds_worst:.2f} s")
    return "\n".join(lines)


def goals_text(origin: str, rows: Sequence[GoalRow]) -> str:
    """Return the figures for photos of one origin beside their goals, under a heading."""
    return f"{TITLES[origin]}\n{plain_table(GOAL_HEAD, [row.texts for row in rows])}"


def levels_text(reliability: Reliability) -> str:
    """Return how many of the cells that were read at least so surely are right, a row for each level."""
    head = ("read at least so surely", "cells", "right")
    rows = [
        (f"{level.at_least:g}", str(level.right.total), exact_percent(level.right))
        for level in reliability.levels
    ]
    return plain_table(head, rows)


def groups_text(key: str, groups: Mapping[str, Summary]) -> str:
    """Return the main figures split by a label key, a row each."""
    head = (key, "photos", "located", "upright", "cells", "color", "value", "occupied", "exact", "<=1 wrong",
            "unflagged", "flagged", "refused", "median s")  # fmt: skip
    rows = [
        (
            name,
            str(s.photos),
            percent(s.located),
            percent(s.upright),
            percent(s.cells.right),
            percent(s.cells.color),
            percent(s.cells.value),
            percent(s.cells.occupied),
            percent(s.boards_exact),
            percent(s.boards_at_most_one_wrong),
            "-" if s.wrong_unflagged_per_board is None else f"{s.wrong_unflagged_per_board:.2f}",
            percent(s.flagged),
            percent(s.refused),
            "-" if s.seconds_median is None else f"{s.seconds_median:.2f}",
        )
        for name, s in groups.items()
    ]
    return plain_table(head, rows)


def misses_text(misses: Sequence[Miss]) -> str:
    """Return all misses, a row each: where, what was read, what it is, how sure the reader was."""
    rows = [
        (
            miss.photo,
            miss.cell or "all",
            miss.read,
            miss.truth,
            "" if miss.confidence is None else f"{miss.confidence:.3f}",
            "yes" if miss.flagged else "no",
        )
        for miss in misses
    ]
    return plain_table(("photo", "cell", "read", "truth", "confidence", "flagged"), rows)


def _line(what: str, share: Share, note: str = "") -> str:
    counts = f"{share.hits} of {share.total}"
    return f"{what:<20}  {counts:>12}  {percent(share):>7}  {note}".rstrip()


def _unflagged(per_board: float | None) -> str:
    return "" if per_board is None else f"wrong and not flagged: {per_board:.2f} a board"


def _codes(codes: Mapping[str, int]) -> str:
    return ", ".join(f"{code} {count}" for code, count in codes.items())
