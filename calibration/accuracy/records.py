"""What an evaluation found, kept as JSON: the figures and every miss, and beside them why it was missed.

The causes are written by hand in ``calibration/accuracy/results/causes.toml``: a table for each folder and
photo, a line for each cell::

    [rendered."board_1005.jpg"]
    B3 = "The die's top has no contrast under this light."

The key is the cell's name, ``card`` for a pattern card that was not named, or ``all`` where the whole photo
was missed.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any, cast, get_args, get_origin, get_type_hints

from calibration.accuracy.comparison import PhotoResult
from calibration.accuracy.labels import REFUSAL_OF_KIND, PhotoLabel
from calibration.accuracy.origins import GROUPS, ORIGINS, SECTIONS
from calibration.accuracy.summary import Summary, group_by, summarize
from scoring.cells import cell_name

RECORDS = Path(__file__).parent / "results"
"""Where the committed evaluations are, one JSON file for each folder of photos."""

CAUSES = RECORDS / "causes.toml"
CARD, WHOLE = "card", "all"
OVERLAPPING = frozenset({"sample_images", "sample_images tables"})
"""The folder whose photos are among those of other folders: left out where figures are added up."""

NO_CAUSES_FOR = OVERLAPPING | {"synthetic"}
"""Of synthetic scenes only figures are kept."""

Key = tuple[str, str, str]
"""Folder, photo and cell of a miss."""


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
    from) or ``"mixed"``; photos of a group that is counted apart have its name behind, as ``"real tables"``.
    ``with_dice`` are the figures for the windows that hold a die: a card that lies alone or an empty window
    has twenty cells that are easily right.
    """

    name: str
    origin: str
    summary: Summary
    with_dice: Summary
    kinds: Mapping[str, Summary]
    misses: tuple[Miss, ...]

    def to_json(self, *, with_misses: bool = True) -> dict[str, object]:
        """Return the figures, and the misses when asked for, as plain data."""
        data = asdict(self) | {
            "summary": self.summary.to_json(),
            "with_dice": self.with_dice.to_json(),
            "kinds": {kind: summary.to_json() for kind, summary in self.kinds.items()},
        }
        if not with_misses:
            del data["misses"]
        return data


def evaluation_of(name: str, results: Iterable[PhotoResult]) -> Evaluation:
    """Return the figures and misses of ``results`` under the name of their folder."""
    results = tuple(results)
    kinds = group_by(results, "kind")
    return Evaluation(
        name=name,
        origin=origin_of(result.label for result in results),
        summary=summarize(results),
        with_dice=summarize(r for r in results if r.has_dice),
        kinds={kind: summarize(group) for kind, group in kinds.items()} if len(kinds) > 1 else {},
        misses=tuple(miss for result in results for miss in misses_of(result)),
    )


def evaluations_of(name: str, results: Iterable[PhotoResult]) -> tuple[Evaluation, ...]:
    """Return the figures of a folder, of each group of its photos alone where there are several."""
    groups: dict[str, list[PhotoResult]] = {}
    for result in results:
        groups.setdefault(result.label.group, []).append(result)
    if len(groups) <= 1:
        return (evaluation_of(name, (result for found in groups.values() for result in found)),)
    ordered = (group for group in GROUPS if group in groups)
    return tuple(evaluation_of(f"{name} {group}".strip(), groups[group]) for group in ordered)


def record_path(evaluation: Evaluation, folder: Path = RECORDS) -> Path:
    """Return where the record of an evaluation is kept."""
    return folder / f"{evaluation.name.replace(' ', '_')}.json"


def by_origin(results: Iterable[PhotoResult]) -> dict[str, tuple[PhotoResult, ...]]:
    """Split ``results`` into those of rendered, real and synthetic photos, which are never counted as one."""
    groups: dict[str, list[PhotoResult]] = {}
    for result in results:
        groups.setdefault(_origin(result.label), []).append(result)
    return {origin: tuple(groups[origin]) for origin in SECTIONS if origin in groups}


def origin_of(labels: Iterable[PhotoLabel]) -> str:
    """Say where photos come from, ``"mixed"`` when not all from the same place."""
    origins = {_origin(label) for label in labels}
    return origins.pop() if len(origins) == 1 else "mixed"


def _origin(label: PhotoLabel) -> str:
    return f"{label.origin} {label.group}".strip()


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
        for cell in (*result.wrong_cells, *(cell for cell in result.unnoticed if cell in result.hidden))
    ]
    if result.card_missed and result.window:
        misses.append(Miss(photo, CARD, result.card or "no card", str(result.window.name)))
    return tuple(misses)


def read_records(folder: Path = RECORDS) -> list[Evaluation]:
    """Return all committed evaluations in a folder, by name."""
    return [read_record(path) for path in sorted(folder.glob("*.json"))]


def read_record(path: Path) -> Evaluation:
    """Return the evaluation that `write_record` wrote to ``path``."""
    return cast("Evaluation", from_plain(Evaluation, json.loads(path.read_text(encoding="utf-8"))))


def from_plain(kind: Any, data: Any) -> Any:  # noqa: ANN401  whatever a record is made of
    """Return plain data as what ``kind`` says: a class of figures, several of one class, or as it is."""
    if isinstance(kind, type) and is_dataclass(kind):
        # A record from before a figure was measured has none of it.
        hints = get_type_hints(kind).items()
        return kind(**{name: from_plain(part, data[name]) for name, part in hints if name in data})
    parts = get_args(kind)
    if get_origin(kind) is tuple:
        return tuple(from_plain(parts[0], one) for one in data)
    if get_origin(kind) is Mapping:
        return {name: from_plain(parts[1], one) for name, one in data.items()}
    return kind(*data) if hasattr(kind, "_fields") else data  # bins and levels are lists


def write_record(evaluation: Evaluation, path: Path) -> None:
    """Write the figures and misses of ``evaluation`` to ``path`` as JSON."""
    path.write_text(json.dumps(evaluation.to_json(), indent=1) + "\n", encoding="utf-8")


def read_causes(path: Path = CAUSES) -> dict[Key, str]:
    """Return the causes in a file, none when it is not there."""
    if not path.is_file():
        return {}
    folders: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        (folder, photo, cell): cause
        for folder, photos in folders.items()
        for photo, cells in photos.items()
        for cell, cause in cells.items()
    }


def key_of(folder: str, miss: Miss) -> Key:
    """Return under which key the cause of a miss is written down."""
    return folder, miss.photo, miss.cell or WHOLE


def unmatched_causes(evaluations: Iterable[Evaluation], causes: Mapping[Key, str]) -> tuple[str, ...]:
    """Return a sentence for each miss without a cause and for each cause without a miss.

    Of photos that are counted apart the misses are many, and a cause may be missing.
    """
    evaluations = tuple(evaluations)
    missed = {key_of(e.name, miss) for e in evaluations if e.name not in NO_CAUSES_FOR for miss in e.misses}
    asked = {key_of(e.name, miss) for e in evaluations if e.origin in ORIGINS for miss in e.misses} & missed
    without = [f"{' '.join(key)}: no cause is written down" for key in sorted(asked - set(causes))]
    left_over = [f"{' '.join(key)}: is no miss any more" for key in sorted(set(causes) - missed)]
    return (*without, *left_over)
