"""Figures laid out for people: in the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from calibration.records import Evaluation, Miss
from calibration.summary import Share, Summary

INTRODUCTION = """\
Written by `python -m calibration.results write FOLDER...`; the figures behind it, and each miss, are in the
JSON files beside it. A window is *located* when all four corners are within half a cell of the labelled ones.
*Cells right* needs color, value and emptiness all right, and counts every cell of a window that was refused
or not located as wrong; the figure in parentheses is for located windows only. *Unnoticed* is the number of
wrong cells a board that were not marked as doubtful. Times are those of the machine that measured.
The photos in `sample_images` are twelve of those in `rendered` and `not_a_board`: their figures overlap.\
"""

BOARD_COLUMNS = (
    "photos", "boards", "located", "right way up", "cells right", "color", "value", "empty or not", "exact",
    "at most 1 wrong", "unnoticed a board", "marked doubtful", "corners off (cells): median, worst",
    "card named", "seconds: median, worst",
)  # fmt: skip


def percent(share: Share) -> str:
    """Return a share as a percentage with one decimal, "-" of nothing.

    Examples
    --------
    >>> percent(Share(19, 20)), percent(Share(0, 0))
    ('95.0 %', '-')
    """
    return "-" if share.ratio is None else f"{100 * share.ratio:.1f} %"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with its first column left and the others right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


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
            _line("pattern card named", s.cards_named),
        ]
        if refused:
            lines.append(f"boards refused        {refused}")
    if s.refused.total:
        lines.append(_line("rightly refused", s.refused, _codes(s.refusal_codes)))
    lines.append(f"time                  median {s.seconds_median:.2f} s, worst {s.seconds_worst:.2f} s")
    return "\n".join(lines)


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
            f"{s.seconds_median:.2f}",
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


def results_page(evaluations: Sequence[Evaluation]) -> str:
    """Return the page for ``calibration/results/README.md``: rendered and real photos apart."""
    parts = ["# How good the reader is", INTRODUCTION]
    titles = {"rendered": "Rendered photos", "real": "Real photos", "mixed": "Rendered and real photos mixed"}
    for origin, title in titles.items():
        chosen = [e for e in evaluations if e.origin == origin]
        boards = [e for e in chosen if e.summary.boards]
        others = [e for e in chosen if e.summary.refused.total]
        if chosen:
            parts.append(f"## {title}")
        if boards:
            parts.append(markdown_table(BOARD_COLUMNS, [row for e in boards for row in _board_rows(e)]))
        if others:
            parts.append("Photos that show no whole window and must be refused:")
            parts.append(markdown_table(("photos", "refused", "with"), [_refusal_row(e) for e in others]))
    return "\n\n".join(parts) + "\n"


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
        percent(s.cards_named),
        f"{s.seconds_median:.2f}, {s.seconds_worst:.2f}",
    )


def _refusal_row(evaluation: Evaluation) -> tuple[str, ...]:
    codes = ", ".join(f"`{code}` x {n}" for code, n in evaluation.summary.refusal_codes.items())
    return (f"`{evaluation.name}`", _of(evaluation.summary.refused), codes)


def _of(share: Share) -> str:
    return f"{share.hits} of {share.total}"
