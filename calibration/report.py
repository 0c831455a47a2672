"""What ``sagrada evaluate`` tells: folder by folder, and for rendered and real photos apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from calibration.evaluate import PhotoResult
from calibration.goals import GoalRow, goal_rows
from calibration.records import Evaluation
from calibration.reliability import Reliability
from calibration.summary import Summary, summarize
from calibration.tables import goals_text, groups_text, levels_text, misses_text, summary_text


@dataclass(frozen=True)
class Report:
    """One measurement of some folders.

    ``goals`` and ``reliabilities`` are by origin of the photos, which are never counted as one; ``groups``
    split the photos of an origin by the label key ``key``.
    """

    evaluations: tuple[Evaluation, ...]
    goals: Mapping[str, tuple[GoalRow, ...]]
    reliabilities: Mapping[str, Reliability]
    key: str | None
    groups: Mapping[str, Mapping[str, Summary]]

    @classmethod
    def of(
        cls,
        evaluations: Sequence[Evaluation],
        origins: Mapping[str, Sequence[PhotoResult]],
        key: str | None = None,
        groups: Mapping[str, Mapping[str, Sequence[PhotoResult]]] | None = None,
    ) -> Self:
        """Return the report on photos that were read, by folder, by origin and by a key of their labels."""
        summaries = {origin: summarize(results) for origin, results in origins.items()}
        with_dice = {
            origin: summarize(r for r in results if r.window and r.window.has_dice)
            for origin, results in origins.items()
        }
        return cls(
            evaluations=tuple(evaluations),
            goals={origin: goal_rows(origin, s, with_dice[origin]) for origin, s in summaries.items()},
            reliabilities={origin: s.reliability for origin, s in summaries.items()},
            key=key,
            groups={
                origin: {name: summarize(results) for name, results in named.items()}
                for origin, named in (groups or {}).items()
            },
        )

    def text(self, *, with_misses: bool) -> str:
        """Return the report for people: groups, misses, folders, and the table of goals at the end."""
        parts = [groups_text(self.key or "", groups) for groups in self.groups.values()]
        for evaluation in self.evaluations:
            if with_misses and evaluation.misses:
                parts.append(misses_text(evaluation.misses))
            parts.append(summary_text(evaluation.name, evaluation.summary))
        for origin, rows in self.goals.items():
            parts.append(goals_text(origin, rows))
            if self.reliabilities[origin].cells:
                parts.append(levels_text(self.reliabilities[origin]))
        return "\n\n".join(parts)

    def to_json(self, *, with_misses: bool) -> dict[str, object]:
        """Return the report as plain data.

        One folder gives its figures as they stand in a record; several give them in the list ``folders``.
        """
        folders = [evaluation.to_json(with_misses=with_misses) for evaluation in self.evaluations]
        data: dict[str, object] = folders[0] if len(folders) == 1 else {"folders": folders}
        data["goals"] = {origin: [row.to_json() for row in rows] for origin, rows in self.goals.items()}
        if self.key is not None:
            data["by"] = {
                "key": self.key,
                "groups": {
                    origin: {name: group.to_json() for name, group in groups.items()}
                    for origin, groups in self.groups.items()
                },
            }
        return data
