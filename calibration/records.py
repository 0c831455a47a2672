"""What an evaluation found, kept as JSON: the figures and every miss, and what is worse than it was."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from calibration.evaluate import PhotoResult
from calibration.labels import REFUSAL_OF_KIND, PhotoLabel
from calibration.shares import Share
from calibration.summary import Summary, group_by, summarize
from scoring.cells import cell_name

RECORDS = Path(__file__).parent / "results"
"""Where the committed evaluations are, one JSON file for each folder of photos."""


ORIGINS = ("rendered", "real", "synthetic")
CARD = "card"
CALIBRATION_SLACK = 0.0005
"""How much the calibration error may grow: the last digits of a confidence differ between processors."""


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
    """The figures for one folder, all together and for each ``kind`` of photo that its labels tell apart.

    ``origin`` is ``"rendered"``, ``"real"``, ``"synthetic"`` (drawn like the photos that the reader learned
    from) or ``"mixed"``. ``with_dice`` are the figures for the windows that hold a die: a card that lies
    alone or an empty window has twenty cells that are easily right.
    """

    name: str
    origin: str
    summary: Summary
    with_dice: Summary
    kinds: Mapping[str, Summary]
    misses: tuple[Miss, ...]

    def to_json(self, *, with_misses: bool = True) -> dict[str, object]:
        """Return the figures, and the misses when asked for, as plain data."""
        data: dict[str, object] = {
            "name": self.name,
            "origin": self.origin,
            "summary": self.summary.to_json(),
            "with_dice": self.with_dice.to_json(),
            "kinds": {kind: summary.to_json() for kind, summary in self.kinds.items()},
        }
        if with_misses:
            data["misses"] = [asdict(miss) for miss in self.misses]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the evaluation that `to_json` wrote."""
        return cls(
            name=data["name"],
            origin=data["origin"],
            summary=Summary.from_json(data["summary"]),
            with_dice=Summary.from_json(data["with_dice"]),
            kinds={kind: Summary.from_json(summary) for kind, summary in data["kinds"].items()},
            misses=tuple(Miss(**miss) for miss in data.get("misses", ())),
        )


def evaluation_of(name: str, results: Iterable[PhotoResult]) -> Evaluation:
    """Return the figures and misses of ``results`` under the name of their folder."""
    results = tuple(results)
    kinds = group_by(results, "kind")
    return Evaluation(
        name=name,
        origin=origin_of(result.label for result in results),
        summary=summarize(results),
        with_dice=summarize(r for r in results if r.window and r.window.has_dice),
        kinds={kind: summarize(group) for kind, group in kinds.items()} if len(kinds) > 1 else {},
        misses=tuple(miss for result in results for miss in misses_of(result)),
    )


def by_origin(results: Iterable[PhotoResult]) -> dict[str, tuple[PhotoResult, ...]]:
    """Split ``results`` into those of rendered, real and synthetic photos, which are never counted as one."""
    groups: dict[str, list[PhotoResult]] = {}
    for result in results:
        groups.setdefault(_origin(result.label), []).append(result)
    return {origin: tuple(groups[origin]) for origin in ORIGINS if origin in groups}


def origin_of(labels: Iterable[PhotoLabel]) -> str:
    """Say where photos come from, ``"mixed"`` when not all from the same place."""
    origins = {_origin(label) for label in labels}
    return origins.pop() if len(origins) == 1 else "mixed"


def _origin(label: PhotoLabel) -> str:
    """Return the label's ``origin``, else ``"rendered"`` when it has a ``seed``, or ``"real"``."""
    told = label.keys.get("origin")
    if told in ORIGINS:
        return str(told)
    return "rendered" if "seed" in label.keys else "real"


def misses_of(result: PhotoResult) -> tuple[Miss, ...]:
    """Return what went wrong with one photo: its wrong cells, a wrong card, or the whole of it."""
    photo, label = result.label.name, result.label
    if label.must_be_refused:
        if result.rightly_refused:
            return ()
        read = f"refused: {result.error}" if result.error else "a window"
        return (Miss(photo, None, read, f"refused: {label.refusal}"),)
    if result.error:
        if result.rightly_refused or (result.whole and not result.owed):
            return ()
        truth = "a window" if result.owed else f"refused: {REFUSAL_OF_KIND['cut']}"
        return (Miss(photo, None, f"refused: {result.error}", truth),)
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
        for cell in result.wrong_cells
    ]
    if result.card_missed and result.window:
        misses.append(Miss(photo, CARD, result.card or "no card", str(result.window.name)))
    return tuple(misses)


def worse_figures(now: Summary, before: Summary) -> tuple[str, ...]:
    """Say what is worse than ``before``; times are left out, they differ between machines."""
    higher_is_better = (
        ("windows located", now.located, before.located),
        ("windows located that are whole and wide enough", now.located_owed, before.located_owed),
        ("windows the right way up", now.upright, before.upright),
        ("cells right", now.cells.right, before.cells.right),
        ("cells right where they count", now.cells_counted, before.cells_counted),
        ("colors right", now.cells.color, before.cells.color),
        ("values right", now.cells.value, before.cells.value),
        ("empty cells told from dice", now.cells.occupied, before.cells.occupied),
        ("boards exact", now.boards_exact, before.boards_exact),
        ("boards with at most one wrong die", now.boards_at_most_one_wrong, before.boards_at_most_one_wrong),
        ("printed spaces right", now.pattern, before.pattern),
        ("pattern cards named", now.cards_named, before.cards_named),
        ("cut-off windows told", now.cut_told, before.cut_told),
        ("photos without a window refused", now.refused, before.refused),
        ("photos refused with the right reason", now.rightly_refused, before.rightly_refused),
    )
    worse = [
        f"{what}: {_of(new)}, was {_of(old)}"
        for what, new, old in higher_is_better
        if (new.ratio or 0.0) < (old.ratio or 0.0)
    ]
    if (now.flagged.ratio or 0.0) > (before.flagged.ratio or 0.0):
        worse.append(f"cells flagged as doubtful: {_of(now.flagged)}, was {_of(before.flagged)}")
    wrong_cards = Share(now.cards_wrong, now.cards_named.total)
    wrong_before = Share(before.cards_wrong, before.cards_named.total)
    if (wrong_cards.ratio or 0.0) > (wrong_before.ratio or 0.0):
        worse.append(f"pattern cards wrongly named: {_of(wrong_cards)}, was {_of(wrong_before)}")
    numbers = (
        (
            "wrong dice that were not flagged, per board",
            now.wrong_unflagged_per_board,
            before.wrong_unflagged_per_board,
            0.0,
        ),
        ("calibration error", now.calibration_error, before.calibration_error, CALIBRATION_SLACK),
    )
    worse += [
        f"{what}: {new or 0.0}, was {old or 0.0}"
        for what, new, old, slack in numbers
        if (new or 0.0) > (old or 0.0) + slack
    ]
    return tuple(worse)


def _of(share: Share) -> str:
    return f"{share.hits} of {share.total}"


def read_records(folder: Path = RECORDS) -> list[Evaluation]:
    """Return all committed evaluations in a folder, by name."""
    return [read_record(path) for path in sorted(folder.glob("*.json"))]


def read_record(path: Path) -> Evaluation:
    """Return the evaluation that `write_record` wrote to ``path``."""
    return Evaluation.from_json(json.loads(path.read_text(encoding="utf-8")))


def write_record(evaluation: Evaluation, path: Path) -> None:
    """Write the figures and misses of ``evaluation`` to ``path`` as JSON."""
    path.write_text(json.dumps(evaluation.to_json(), indent=1) + "\n", encoding="utf-8")
