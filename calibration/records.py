"""What an evaluation found, kept as JSON: the figures and every miss, and what is worse than it was."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from calibration.evaluate import PhotoResult
from calibration.labels import PhotoLabel
from calibration.summary import Summary, group_by, summarize
from scoring.cells import cell_name

RECORDS = Path(__file__).parent / "results"
"""Where the committed evaluations are, one JSON file for each folder of photos."""


@dataclass(frozen=True)
class Miss:
    """Something read wrong: a cell, or (``cell`` is None) a whole window, told in ``read``."""

    photo: str
    cell: str | None
    read: str
    truth: str
    confidence: float | None = None
    flagged: bool = False


@dataclass(frozen=True)
class Evaluation:
    """The figures for one folder, all together and for each ``kind`` of photo that its labels tell apart.

    ``origin`` is ``"rendered"``, ``"real"`` or ``"mixed"``.
    """

    name: str
    origin: str
    summary: Summary
    kinds: Mapping[str, Summary]
    misses: tuple[Miss, ...]

    def to_json(self, *, with_misses: bool = True) -> dict[str, object]:
        """Return the figures, and the misses when asked for, as plain data."""
        data: dict[str, object] = {
            "name": self.name,
            "origin": self.origin,
            "summary": self.summary.to_json(),
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
            kinds={kind: Summary.from_json(summary) for kind, summary in data["kinds"].items()},
            misses=tuple(Miss(**miss) for miss in data.get("misses", ())),
        )


def evaluation_of(name: str, results: Iterable[PhotoResult]) -> Evaluation:
    """Return the figures and misses of ``results`` under the name of their folder."""
    results = tuple(results)
    return Evaluation(
        name=name,
        origin=origin_of(result.label for result in results),
        summary=summarize(results),
        kinds={kind: summarize(group) for kind, group in group_by(results, "kind").items()},
        misses=tuple(miss for result in results for miss in misses_of(result)),
    )


def origin_of(labels: Iterable[PhotoLabel]) -> str:
    """Say whether photos are rendered (labels carry the ``seed`` they were made from), real, or mixed."""
    rendered = {"seed" in label.keys for label in labels}
    if len(rendered) == 2:
        return "mixed"
    return "rendered" if rendered == {True} else "real"


def misses_of(result: PhotoResult) -> tuple[Miss, ...]:
    """Return what went wrong with one photo: its wrong cells, or the whole of it."""
    photo = result.label.name
    if result.label.must_be_refused:
        return () if result.error else (Miss(photo, None, "a window", "no whole window"),)
    if result.error:
        return (Miss(photo, None, f"refused: {result.error}", "a window"),)
    if result.location is not None and not result.found:
        off = max(result.location.errors_cells)
        return (Miss(photo, None, f"corner {off:.1f} cells off", "a window"),)
    return tuple(
        Miss(
            photo=photo,
            cell=cell_name((cell.row, cell.column)),
            read=str(cell.read or "--"),
            truth=str(cell.truth or "--"),
            confidence=round(cell.confidence, 4),
            flagged=cell.flagged,
        )
        for cell in result.wrong_cells
    )


def worse_figures(now: Summary, before: Summary) -> tuple[str, ...]:
    """Say what is worse than ``before``; times are left out, they differ between machines."""
    shares = (
        ("windows located", now.located, before.located),
        ("windows the right way up", now.upright, before.upright),
        ("cells right", now.cells.right, before.cells.right),
        ("boards exact", now.boards_exact, before.boards_exact),
        ("boards with at most one wrong die", now.boards_at_most_one_wrong, before.boards_at_most_one_wrong),
        ("pattern cards named", now.cards_named, before.cards_named),
        ("photos without a window refused", now.refused, before.refused),
    )
    worse = [
        f"{what}: {new.hits} of {new.total}, was {old.hits} of {old.total}"
        for what, new, old in shares
        if (new.ratio or 0.0) < (old.ratio or 0.0)
    ]
    if (now.wrong_unflagged_per_board or 0.0) > (before.wrong_unflagged_per_board or 0.0):
        worse.append(
            "wrong dice that were not flagged, per board: "
            f"{now.wrong_unflagged_per_board}, was {before.wrong_unflagged_per_board}"
        )
    return tuple(worse)


def read_record(path: Path) -> Evaluation:
    """Return the evaluation that `write_record` wrote to ``path``."""
    return Evaluation.from_json(json.loads(path.read_text(encoding="utf-8")))


def write_record(evaluation: Evaluation, path: Path) -> None:
    """Write the figures and misses of ``evaluation`` to ``path`` as JSON."""
    path.write_text(json.dumps(evaluation.to_json(), indent=1) + "\n", encoding="utf-8")
