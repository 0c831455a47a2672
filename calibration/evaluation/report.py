"""What an evaluation found: a report for the terminal, records as JSON, the tables of ``docs/accuracy.md``.

In the document the blocks between a line ``<!-- figures: NAME -->`` and one ``<!-- end -->`` are replaced, so
that nobody types a figure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter

from calibration.evaluation.comparison import PhotoResult
from calibration.evaluation.figures import (
    FIGURES,
    Figure,
    Summary,
    group_by,
    number_of,
    pooled,
    summarize,
    worse_figures,
)
from calibration.evaluation.labels import REFUSAL_OF_KIND, SECTIONS
from calibration.evaluation.reliability import Reliability
from scoring.board import cell_name

RECORDS = Path(__file__).parent / "results"
"""The committed records, one JSON file for each folder of photos and section."""

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
CARD = "card"
OVERLAPPING = frozenset({"sample_images", "sample_images tables"})
"""Photos that are among those of other folders: left out where figures are added up."""

TITLES = {
    "rendered": "Rendered photos",
    "real": "Real photos",
    "synthetic": "Held-back synthetic scenes",
    "rendered tables": "Rendered tables",
    "real tables": "Real tables",
    "synthetic tables": "Held-back synthetic tables",
    "rendered low angles": "Rendered, low angles",
    "rendered hard lamps": "Rendered, hard lamps",
    "rendered covered": "Rendered, covered spaces",
    "real cards": "Scans of cards",
}
"""What the photos of a section are; one that is not named here has its own name for title."""


@dataclass(frozen=True)
class Miss:
    """Something read wrong: a cell, the name of the card (``cell`` is `CARD`), or all (``cell`` is None)."""

    photo: str
    cell: str | None
    read: str
    truth: str
    confidence: float | None = None
    flagged: bool = False


@dataclass(frozen=True)
class Evaluation:
    """The figures and misses of the photos of one folder and one section.

    ``with_dice`` are the figures for the windows that hold a die: a card that lies alone or an empty window
    has twenty cells that are easily right.
    """

    name: str
    section: str
    summary: Summary
    with_dice: Summary
    misses: tuple[Miss, ...] = ()

    @property
    def title(self) -> str:
        """What its photos are."""
        return TITLES.get(self.section, self.section.capitalize())

    @property
    def path(self) -> str:
        """The name of the file that keeps it."""
        return f"{self.name.replace(' ', '_')}.json"

    def reached(self, figure: Figure) -> bool | None:
        """Whether a figure reaches its goal, of all windows and of those with dice; None without a goal."""
        limit = figure.goals.get(self.section)
        if limit is None or number_of(figure.of(self.summary)) is None:
            return None
        return all(figure.reaches(figure.of(part), limit) for part in (self.summary, self.with_dice))


RECORD = TypeAdapter(Evaluation)


def evaluations_of(name: str, results: Iterable[PhotoResult]) -> tuple[Evaluation, ...]:
    """Return the figures of a folder, of the photos of each section alone."""
    sections: dict[str, list[PhotoResult]] = {}
    for result in results:
        sections.setdefault(result.label.section, []).append(result)
    return tuple(
        Evaluation(
            # Windows and whole tables of one folder have a record each.
            " ".join((name, *section.split()[1:])) if len(sections) > 1 else name,
            section,
            summarize(sections[section]),
            summarize(r for r in sections[section] if r.has_dice),
            tuple(miss for result in sections[section] for miss in misses_of(result)),
        )
        for section in SECTIONS
        if section in sections
    )


def misses_of(result: PhotoResult) -> tuple[Miss, ...]:
    """Return what went wrong with one photo: its wrong cells, a wrong card, or the whole of it."""
    photo, label = result.label.name, result.label
    if label.must_be_refused or result.error:
        if result.rightly_refused or (not label.must_be_refused and result.whole and not result.owed):
            return ()
        read = f"refused: {result.error}" if result.error else "a window"
        reason = label.refusal or REFUSAL_OF_KIND["cut"]
        owed = result.owed and not label.must_be_refused
        return (Miss(photo, None, read, "a window" if owed else f"refused: {reason}"),)
    if result.location is not None and not result.found:
        off = max(result.location.errors_cells)
        return (Miss(photo, None, f"corner {off:.1f} cells off", "a window"),)
    misses = [
        Miss(
            photo=photo,
            cell=cell_name((cell.row, cell.column)),
            read=str(cell.read or "--"),
            truth=str(cell.truth or "--"),
            confidence=round(cell.confidence, 4),
            flagged=cell.flagged,
        )
        for cell in (*result.wrong_cells, *(cell for cell in result.unnoticed if cell in result.hidden))
    ]
    if result.card_missed and result.window:
        misses.append(Miss(photo, CARD, result.card or "no card", str(result.window.name)))
    return tuple(misses)


def sections_of(evaluations: Sequence[Evaluation]) -> tuple[Evaluation, ...]:
    """Return what some records add up to, section by section; photos of two folders count once."""
    added = []
    for section in SECTIONS:
        folders = [one for one in evaluations if one.section == section]
        folders = [one for one in folders if one.name not in OVERLAPPING] or folders
        if folders:
            both = pooled([one.summary for one in folders]), pooled([one.with_dice for one in folders])
            misses = tuple(miss for one in folders for miss in one.misses)
            added.append(Evaluation(section, section, *both, misses))
    return tuple(added)


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


def figures_table(section: Evaluation, columns: Mapping[str, Summary]) -> Table:
    """Return the figures of a section beside their goals, with further columns for parts of it."""
    rows = []
    for figure in FIGURES:
        if number_of(figure.of(section.summary)) is None:
            continue
        rows.append(
            (
                figure.what,
                *(figure.text(figure.of(part)) for part in columns.values()),
                *(figure.text(figure.of(part)) for part in (section.summary, section.with_dice)),
                figure.goal_in(section.section),
                {True: "yes", False: "NO", None: ""}[section.reached(figure)],
            )
        )
    return Table(("", *columns, "all windows", "windows with dice", "goal", "reached"), rows)


def levels_table(named: Mapping[str, Reliability]) -> Table:
    """Return the share of right readings for each level of confidence, two columns for each set of photos."""
    head = ("read at least so surely", *(text for name in named for text in (name, "cells")))
    rows = []
    for same in zip(*(reliability.levels for reliability in named.values()), strict=True):
        texts = (text for level in same for text in (level.right.percent(2), str(level.total)))
        rows.append((f"{same[0].at_least:g}", *texts))
    return Table(head, rows)


def misses_table(evaluations: Iterable[Evaluation]) -> Table:
    """Return every miss, a row each; a photo that is read twice, alone and as a table, has them once."""
    rows = []
    for miss in (miss for one in evaluations for miss in one.misses):
        sure = "" if miss.confidence is None else f"{miss.confidence:.2f}"
        flagged = "" if miss.confidence is None else "yes" if miss.flagged else "**no**"
        rows.append((f"`{miss.photo}`", miss.cell or "all", miss.read, miss.truth, sure, flagged))
    return Table(("photo", "cell", "read", "truth", "sure", "flagged"), list(dict.fromkeys(rows)))


@dataclass(frozen=True)
class Report:
    """One measurement: an evaluation for each folder and section, and ``groups`` of each section's photos.

    ``key`` is the key of the labels that the photos of a section are split by, None without groups.
    """

    evaluations: tuple[Evaluation, ...]
    key: str | None
    groups: Mapping[str, Mapping[str, Summary]]

    @classmethod
    def of(cls, folders: Sequence[tuple[str, Sequence[PhotoResult]]], key: str | None = None) -> Self:
        """Return the report on photos that were read, of folders by name."""
        groups: dict[str, Mapping[str, Summary]] = {}
        if key is not None:
            results = [result for _, found in folders for result in found]
            for section in SECTIONS:
                if own := [result for result in results if result.label.section == section]:
                    groups[section] = {name: summarize(some) for name, some in group_by(own, key).items()}
        return cls(tuple(one for name, found in folders for one in evaluations_of(name, found)), key, groups)

    def text(self, *, with_misses: bool) -> str:
        """Return the report for people: for each section its figures beside their goals, and confidence."""
        parts = []
        for section in sections_of(self.evaluations):
            folders = [one for one in self.evaluations if one.section == section.section]
            columns = {one.name: one.summary for one in folders} if len(folders) > 1 else {}
            parts.append(f"{section.title} ({', '.join(one.name for one in folders)})")
            parts.append(figures_table(section, self.groups.get(section.section, columns)).text)
            one = folders[0].summary
            for what, numbers in (("corners off, cells", one.corners_off_cells), ("seconds", one.seconds)):
                if numbers is not None and len(folders) == 1:
                    parts.append(f"{what}: median {numbers[0]:.2f}, worst {numbers[1]:.2f}")
            if section.summary.refusals:
                codes = (f"{code} x {count}" for code, count in section.summary.refusals.items())
                parts.append(f"refused: {', '.join(codes)}")
            if section.summary.reliability.cells:
                parts.append(levels_table({"right": section.summary.reliability}).text)
            if with_misses and section.misses:
                parts.append(misses_table([section]).text)
        return "\n\n".join(parts)

    def to_json(self, *, with_misses: bool) -> dict[str, object]:
        """Return the report as plain data: folders, the goals of each section, and any groups."""
        left_out = None if with_misses else {"misses"}
        goals = {
            section.section: [
                {"key": figure.key, "goal": figure.goal_in(section.section), "reached": reached}
                for figure in FIGURES
                if (reached := section.reached(figure)) is not None
            ]
            for section in sections_of(self.evaluations)
        }
        data: dict[str, object] = {
            "folders": [RECORD.dump_python(one, mode="json", exclude=left_out) for one in self.evaluations],
            "goals": goals,
        }
        if self.key is not None:
            groups = {
                section: {name: asdict(one) for name, one in some.items()}
                for section, some in self.groups.items()
            }
            data["by"] = {"key": self.key, "groups": groups}
        return data


def read_records(folder: Path = RECORDS) -> list[Evaluation]:
    """Return all evaluations kept in a folder, by name."""
    return [RECORD.validate_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))]


def write_records(evaluations: Iterable[Evaluation], folder: Path) -> None:
    """Keep evaluations in a folder; in that of the project also write the tables of its document anew."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in evaluations:
        (folder / one.path).write_bytes(RECORD.dump_json(one, indent=1) + b"\n")
    if folder.resolve() == RECORDS and DOCUMENT.is_file():
        text = refreshed(DOCUMENT.read_text(encoding="utf-8"), read_records(folder))
        DOCUMENT.write_text(text, encoding="utf-8")


def worse_than_recorded(evaluations: Iterable[Evaluation], folder: Path) -> tuple[str, ...]:
    """Say what is worse than the records in a folder, a sentence each."""
    lines = []
    for one in evaluations:
        path = folder / one.path
        if path.is_file():
            before = RECORD.validate_json(path.read_bytes())
            lines += [f"{one.name}: {line}" for line in worse_figures(one.summary, before.summary)]
        else:
            lines.append(f"{one.name}: there is no record to compare with; write one first")
    return tuple(lines)


BLOCK = re.compile(r"(<!-- figures: (?P<name>[a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def refreshed(text: str, evaluations: Sequence[Evaluation]) -> str:
    """Return a document with the blocks of figures that ``evaluations`` give.

    Raises
    ------
    KeyError
        The document asks for a block that nobody knows.
    """
    sections = {one.section: one for one in sections_of(evaluations)}

    def block(found: re.Match[str]) -> str:
        return f"{found[1]}\n{BLOCKS[found['name']](sections).markdown}\n\n{found[3]}"

    return BLOCK.sub(block, text)


Sections = Mapping[str, Evaluation]


def _side_by_side(sections: Sections, names: Sequence[str]) -> Table:
    """Return the figures of some sections side by side, each with a mark where it has a goal."""
    shown = [sections[name] for name in names if name in sections]
    columns = []
    for one in shown:
        columns.append((one.title, one.summary, one))
        if one.section == "real":  # most are cards and empty windows
            columns.append(("of these, with dice", one.with_dice, one))
    rows = []
    for figure in FIGURES:
        cells = []
        for _, summary, section in columns:
            value, limit = figure.of(summary), figure.goals.get(section.section)
            mark = ""
            if limit is not None and number_of(value) is not None:
                goal = figure.goal_in(section.section)
                mark = " ✓" if figure.reaches(value, limit) else f" **✗ {goal}**"
            cells.append(figure.text(value) + mark)
        if set(cells) != {"-"} and not figure.detail:
            rows.append((figure.what, *cells))
    return Table(("", *(title for title, *_ in columns)), rows)


def _levels(sections: Sections) -> Table:
    names = [name for name in ("rendered", "real", "synthetic") if name in sections]
    return levels_table({sections[name].title: sections[name].summary.reliability for name in names})


WINDOWS = (
    "rendered",
    "real",
    "rendered low angles",
    "rendered hard lamps",
    "rendered covered",
    "synthetic",
)
WHOLE_TABLES = (
    "rendered tables",
    "real tables",
    "rendered loose dice",
    "real loose dice",
    "synthetic tables",
    "real cards",
)
BLOCKS: Mapping[str, Callable[[Sections], Table]] = {
    "windows": lambda sections: _side_by_side(sections, WINDOWS),
    "tables": lambda sections: _side_by_side(sections, WHOLE_TABLES),
    "levels": _levels,
}
"""The blocks of the document, by name."""
