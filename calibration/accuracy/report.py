"""The figures laid out once: as text for the terminal, as Markdown for pages, as JSON for programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from calibration.accuracy.comparison import PhotoResult
from calibration.accuracy.goals import GoalRow, goal_rows
from calibration.accuracy.origins import TITLES
from calibration.accuracy.records import Evaluation, Key, by_origin, evaluation_of, evaluations_of, key_of
from calibration.accuracy.reliability import Reliability
from calibration.accuracy.summary import Summary, group_by, summarize


@dataclass(frozen=True)
class Table:
    """A head and rows of texts, marked up as in Markdown; the first ``left`` columns are names."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1

    @property
    def markdown(self) -> str:
        """The table in Markdown, names on the left, all else on the right."""
        rule = ["---"] * self.left + ["---:"] * (len(self.head) - self.left)
        return "\n".join("| " + " | ".join(line) + " |" for line in (self.head, rule, *self.rows))

    @property
    def text(self) -> str:
        """The table for the terminal, without marks and without blanks at the end of a line."""
        lines = [[re.sub("[*`]", "", cell) for cell in line] for line in (self.head, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if i < self.left else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )

    def turned(self) -> Table:
        """Return the table with its columns as rows, without those in which there is nothing but "-"."""
        first, *columns = zip(self.head, *self.rows, strict=True)
        return Table(first, [column for column in columns if set(column[1:]) - {"-", ""}])


Columns = Mapping[str, Callable[[Summary], str]]


def _pair(first: float | None, second: float | None) -> str:
    return "-" if first is None else f"{first:.2f}, {second:.2f}"


def _codes(codes: Mapping[str, int]) -> str:
    return ", ".join(f"`{code}` x {count}" for code, count in codes.items())


def unnoticed(s: Summary) -> str:
    """Return how many wrong cells a board nobody is warned of, "-" where no board was read."""
    return "-" if s.wrong_unflagged_per_board is None else f"{s.wrong_unflagged_per_board:.2f}"


def corners_off(s: Summary) -> str:
    """Return how far the corners are off in cells, median and worst, "-" where no window was located."""
    return _pair(s.corner_error_median, s.corner_error_max)


BOARD_COLUMNS: Columns = {
    "boards": lambda s: str(s.boards),
    "located": lambda s: s.located.percent(),
    "right way up": lambda s: s.upright.percent(),
    "cells right, strict (of located)": lambda s: (
        f"**{s.cells.right.percent()}** ({s.cells_located.right.percent()})" if s.boards else "-"
    ),
    "color": lambda s: s.cells.color.percent(),
    "value": lambda s: s.cells.value.percent(),
    "empty or not": lambda s: s.cells.occupied.percent(),
    "exact": lambda s: str(s.boards_exact),
    "at most 1 wrong": lambda s: str(s.boards_at_most_one_wrong),
    "unnoticed a board": unnoticed,
    "marked doubtful": lambda s: s.flagged.percent(),
    "corners off (cells): median, worst": corners_off,
    "print": lambda s: s.pattern.percent(),
    "card named": lambda s: s.cards_named.percent(),
    "seconds: median, worst": lambda s: _pair(s.seconds_median, s.seconds_worst),
}
REFUSAL_COLUMNS: Columns = {
    "refused": lambda s: str(s.refused),
    "with the right reason": lambda s: str(s.rightly_refused),
    "reasons": lambda s: _codes(s.refusal_codes),
}
ALL_COLUMNS: Columns = {
    "photos": lambda s: str(s.photos),
    **BOARD_COLUMNS,
    "cards named wrongly": lambda s: str(s.cards_wrong) if s.cards_named.total else "-",
    "boards refused": lambda s: _codes(s.boards_refused),
    **{f"no window: {name}": text for name, text in REFUSAL_COLUMNS.items()},
}
"""What the terminal shows of each folder, from top to bottom."""


def figures_table(corner: str, columns: Columns, named: Iterable[tuple[str, Summary]]) -> Table:
    """Return the figures of some sets of photos, a row each."""
    rows = [(name, *(text(summary) for text in columns.values())) for name, summary in named]
    return Table((corner, *columns), rows)


def levels_table(named: Mapping[str, Reliability]) -> Table:
    """Return the share of right readings for each level of confidence, two columns for each set of photos."""
    head = ("read at least so surely", *(text for name in named for text in (name, "cells")))
    rows = [
        (
            f"{same[0].at_least:g}",
            *(text for level in same for text in (level.right.percent(2), str(level.right.total))),
        )
        for same in zip(*(reliability.levels for reliability in named.values()), strict=True)
    ]
    return Table(head, rows)


def misses_table(folders: Iterable[Evaluation], causes: Mapping[Key, str] | None = None) -> Table:
    """Return every miss, a row each, with its cause where causes are given."""
    rows = []
    for folder in folders:
        for miss in folder.misses:
            sure = "" if miss.confidence is None else f"{miss.confidence:.2f}"
            flagged = "" if miss.confidence is None else "yes" if miss.flagged else "**no**"
            row = (f"`{miss.photo}`", miss.cell or "all", miss.read, miss.truth, sure, flagged)
            rows.append(row if causes is None else (*row, causes.get(key_of(folder.name, miss), UNKNOWN)))
    head = ("photo", "cell", "read", "truth", "sure", "flagged")
    return Table(head if causes is None else (*head, "cause"), rows)


UNKNOWN = "not looked into yet"


def goals_table(rows: Iterable[GoalRow]) -> Table:
    """Return figures beside their goals, as a table."""
    return Table(("", "all windows", "windows with dice", "goal", "reached"), [row.texts for row in rows])


@dataclass(frozen=True)
class Section:
    """The figures for all photos of one origin, which are never counted as one with those of another.

    ``with_dice`` are those of windows that hold a die; ``groups`` splits them by a key of the labels.
    """

    origin: str
    summary: Summary
    with_dice: Summary
    folders: tuple[Evaluation, ...]
    groups: Mapping[str, Summary] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What its photos are."""
        return TITLES.get(self.origin, self.origin.capitalize())

    @property
    def goals(self) -> tuple[GoalRow, ...]:
        """The figures beside their goals."""
        return goal_rows(self.origin, self.summary, self.with_dice)

    @property
    def goals_table(self) -> Table:
        """The figures beside their goals, as a table."""
        return goals_table(self.goals)


@dataclass(frozen=True)
class Report:
    """One measurement: ``evaluations`` folder by folder, ``sections`` by the origin of the photos.

    ``key`` is the key of the labels that the photos of a section are split by.
    """

    evaluations: tuple[Evaluation, ...]
    sections: tuple[Section, ...]
    key: str | None = None

    @classmethod
    def of(cls, folders: Sequence[tuple[str, Sequence[PhotoResult]]], key: str | None = None) -> Self:
        """Return the report on photos that were read, of folders by name."""
        sections = []
        for origin, results in by_origin(result for _, found in folders for result in found).items():
            own = [(name, by_origin(found).get(origin, ())) for name, found in folders]
            groups = group_by(results, key) if key is not None else {}
            sections.append(
                Section(
                    origin,
                    summarize(results),
                    summarize(r for r in results if r.has_dice),
                    tuple(evaluation_of(name, found) for name, found in own if found),
                    {name: summarize(group) for name, group in groups.items()},
                )
            )
        evaluations = (one for name, found in folders for one in evaluations_of(name, found))
        return cls(tuple(evaluations), tuple(sections), key)

    def text(self, *, with_misses: bool) -> str:
        """Return the report for people: for each origin misses, groups, folders, confidence and goals."""
        parts = []
        for section in self.sections:
            parts.append(section.title)
            if with_misses and any(folder.misses for folder in section.folders):
                parts.append(misses_table(section.folders).text)
            if self.key is not None:
                parts.append(figures_table(self.key, ALL_COLUMNS, section.groups.items()).turned().text)
            folders = ((folder.name, folder.summary) for folder in section.folders)
            parts.append(figures_table("folder", ALL_COLUMNS, folders).turned().text)
            if section.summary.reliability.cells:
                parts.append(levels_table({"right": section.summary.reliability}).text)
            parts.append(section.goals_table.text)
        return "\n\n".join(parts)

    def to_json(self, *, with_misses: bool) -> dict[str, object]:
        """Return the report as plain data.

        One folder gives its figures as they stand in a record; several give them in the list ``folders``.
        """
        folders = [evaluation.to_json(with_misses=with_misses) for evaluation in self.evaluations]
        data: dict[str, object] = folders[0] if len(folders) == 1 else {"folders": folders}
        data["goals"] = {s.origin: [row.to_json() for row in s.goals] for s in self.sections}
        if self.key is not None:
            groups = {s.origin: {name: g.to_json() for name, g in s.groups.items()} for s in self.sections}
            data["by"] = {"key": self.key, "groups": groups}
        return data
