"""The figures as pages: ``calibration/results/README.md``, and the blocks of figures in other documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from calibration.causes import NO_CAUSES_FOR, Key, key_of
from calibration.goals import goal_rows
from calibration.records import Evaluation
from calibration.reliability import Reliability
from calibration.shares import Share
from calibration.summary import Summary, pooled
from calibration.tables import GOAL_HEAD, TITLES, exact_percent, percent

INTRODUCTION = """\
Written by `python -m calibration.results write FOLDER...`; the figures behind it, and each miss, are in the
JSON files beside it.

A window is *located* when all four corners are within half a cell of the labelled ones. A window is *owed*
when it is whole in view and its grid is wider than 200 pixels; a window that the photo's edge cuts off may be
refused as `board_cut_off`. *Cells right* needs color, value and emptiness all right; it counts each readable
cell of every window that is owed or was read all the same. The line below it is stricter: there every cell of
a window that was refused or not located is wrong, whether it could have been read or not. A die that nobody
can read counts nowhere. *Windows with dice* leaves out cards that lie alone and empty windows. A goal is
reached when both columns reach it. *Unnoticed* is the number of wrong cells a board that were not marked as
doubtful. Times are those of the machine that measured.

**Which photos were touched how.** Both networks learned from synthetic scenes only, which this project draws
itself. None of the photos below was learned from and no setting was fitted to them, but they were looked at
while the reader was built, and settings were chosen among a few by how they did on them: they are validation
photos. The confidences were fitted on synthetic scenes other than those learned from.
The photos in `sample_images` are some of those in `rendered` and `not_a_board`, two of them changed, so
they are not counted in the tables of goals.\
"""

BOARD_COLUMNS = (
    "photos", "boards", "located", "right way up", "cells right, strict (of located)", "color", "value",
    "empty or not", "exact", "at most 1 wrong", "unnoticed a board", "marked doubtful",
    "corners off (cells): median, worst", "print", "card named", "seconds: median, worst",
)  # fmt: skip
OVERLAPPING = frozenset({"sample_images"})
"""Folders whose photos are in other folders too: kept out where figures are added up."""


def results_page(evaluations: Sequence[Evaluation], causes: Mapping[Key, str]) -> str:
    """Return the page for ``calibration/results/README.md``: rendered and real photos apart."""
    parts = ["# How good the reader is", INTRODUCTION]
    for origin, title in TITLES.items():
        chosen = [e for e in evaluations if e.origin == origin]
        if not chosen:
            continue
        parts += [f"## {title}", goals_table(origin, evaluations)]
        boards = [e for e in chosen if e.summary.boards]
        others = [e for e in chosen if e.summary.refused.total]
        if boards:
            parts.append("By folder:")
            parts.append(markdown_table(BOARD_COLUMNS, [row for e in boards for row in _board_rows(e)]))
        if others:
            parts.append("Photos that show no whole window and must be refused:")
            head = ("photos", "refused", "with the right reason", "reasons")
            parts.append(markdown_table(head, [_refusal_row(e) for e in others]))
        parts += ["How many of the cells that were read at least so surely are right:"]
        parts.append(levels_table({title: reliability_of(origin, evaluations)}))
        misses = misses_table(chosen, causes)
        if misses:
            parts += ["Every miss, and what caused it:", misses]
    return "\n\n".join(parts) + "\n"


def goals_table(origin: str, evaluations: Sequence[Evaluation]) -> str:
    """Return the figures of all photos of one origin beside their goals."""
    chosen = _added_up(origin, evaluations)
    summary, with_dice = pooled([e.summary for e in chosen]), pooled([e.with_dice for e in chosen])
    return markdown_table(GOAL_HEAD, [row.texts for row in goal_rows(origin, summary, with_dice)])


def reliability_of(origin: str, evaluations: Sequence[Evaluation]) -> Reliability:
    """Return how sure the reader was of all photos of one origin, and how often right."""
    return Reliability.merged([e.summary.reliability for e in _added_up(origin, evaluations)])


def levels_table(columns: Mapping[str, Reliability]) -> str:
    """Return the share of right readings for each level of confidence, a column of photos each."""
    head = ("read at least so surely", *(text for name in columns for text in (name, "cells")))
    levels = zip(*(reliability.levels for reliability in columns.values()), strict=True)
    rows = [
        (
            f"{same[0].at_least:g}",
            *(text for level in same for text in (exact_percent(level.right), str(level.right.total))),
        )
        for same in levels
    ]
    return markdown_table(head, rows)


def misses_table(evaluations: Sequence[Evaluation], causes: Mapping[Key, str]) -> str:
    """Return every miss with its cause, "" when there is none."""
    rows = [
        (
            f"`{miss.photo}`",
            miss.cell or "all",
            miss.read,
            miss.truth,
            "" if miss.confidence is None else f"{miss.confidence:.2f}",
            "" if miss.confidence is None else "yes" if miss.flagged else "**no**",
            causes.get(key_of(e.name, miss), "not looked into yet"),
        )
        for e in evaluations
        if e.name not in NO_CAUSES_FOR
        for miss in e.misses
    ]
    return (
        markdown_table(("photo", "cell", "read", "truth", "sure", "flagged", "cause"), rows) if rows else ""
    )


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with its first column left and the others right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _added_up(origin: str, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Return the folders of an origin, without those whose photos are in others too."""
    chosen = [e for e in evaluations if e.origin == origin]
    return [e for e in chosen if e.name not in OVERLAPPING] or chosen


def _board_rows(evaluation: Evaluation) -> Iterator[tuple[str, ...]]:
    """Yield the row of a folder, and one for each kind of photo where it has several that are to be read."""
    yield _board_row(f"`{evaluation.name}`", evaluation.summary)
    kinds = {kind: summary for kind, summary in evaluation.kinds.items() if summary.boards}
    if len(kinds) > 1:
        for kind, summary in kinds.items():
            yield _board_row(f"of these {kind.replace('_', ' ')}", summary)


def _board_row(name: str, s: Summary) -> tuple[str, ...]:
    corner_error = (
        f"{s.corner_error_median:.2f}, {s.corner_error_max:.2f}" if s.corner_error_max is not None else "-"
    )
    seconds = f"{s.seconds_median:.2f}, {s.seconds_worst:.2f}" if s.seconds_median is not None else "-"
    return (
        name,
        str(s.boards),
        percent(s.located),
        percent(s.upright),
        f"**{percent(s.cells.right)}** ({percent(s.cells_located.right)})",
        percent(s.cells.color),
        percent(s.cells.value),
        percent(s.cells.occupied),
        _of(s.boards_exact),
        _of(s.boards_at_most_one_wrong),
        "-" if s.wrong_unflagged_per_board is None else f"{s.wrong_unflagged_per_board:.2f}",
        percent(s.flagged),
        corner_error,
        percent(s.pattern),
        percent(s.cards_named),
        seconds,
    )


def _refusal_row(evaluation: Evaluation) -> tuple[str, ...]:
    s = evaluation.summary
    codes = ", ".join(f"`{code}` x {n}" for code, n in s.refusal_codes.items())
    return (f"`{evaluation.name}`", _of(s.refused), _of(s.rightly_refused), codes)


def _of(share: Share) -> str:
    return f"{share.hits} of {share.total}"
