"""What the rules say, as plain data: each thing has one shape, see `webapp.services.payloads`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from scoring import (
    PRIVATE_OBJECTIVES,
    Breakdown,
    Cell,
    Color,
    HouseRule,
    Line,
    Notice,
    PrivateObjective,
    Problem,
    PublicObjective,
    Sentence,
    SoloResult,
    Tool,
    WindowPattern,
    Words,
    cell_name,
    score_marker,
)
from scoring.errors import InvalidValueError
from scoring.lookup import color_called, house_rule_called, objective_called, private_called, tool_called
from scoring.placement.removals import Removal, Removals
from scoring.sentences import sentence
from webapp.services.remarks import Remark

Listed = TypeVar("Listed", Color, PublicObjective, Tool, HouseRule)

FINDERS = {
    Color: color_called,
    PublicObjective: objective_called,
    Tool: tool_called,
    HouseRule: house_rule_called,
}


def as_listed(name: str, kind: type[Listed]) -> Listed:
    """Return the card or color of exactly that name.

    Raises
    ------
    ScoringError
        There is none; the error suggests the nearest.
    """
    try:
        return kind(name)
    except ValueError:
        found = FINDERS[kind](name)
    raise not_as_listed(name, found.value)


def private_as_listed(name: str) -> PrivateObjective:
    """Return the private objective of that letter or exactly that name; it raises what `as_listed` raises."""
    for objective in PRIVATE_OBJECTIVES:
        if objective.value == name:
            return objective
    raise not_as_listed(name, private_called(name).value)


def not_as_listed(name: str, right: str) -> InvalidValueError:
    """Return the error for a name that is known, but written otherwise than it is listed."""
    return InvalidValueError(
        "not_as_listed",
        sentence('"{key}" must be written "{right}".', key=name, right=right),
        sentence("Write it as it is listed."),
    )


if TYPE_CHECKING:  # only types, which the terminal does not load
    from webapp.services.payloads import (
        LinePayload,
        MarkerPayload,
        NoticePayload,
        ProblemPayload,
        RemovalPayload,
        RemovalsPayload,
        SoloPayload,
        WindowPayload,
    )


def lines_to_json(breakdown: Breakdown, words: Words) -> list[LinePayload]:
    """Return the lines of a score."""
    return [_line_to_json(line, words) for line in breakdown.lines]


def _line_to_json(line: Line, words: Words) -> LinePayload:
    return {
        "name": line.name,
        "label": words.line(line.name),
        "kind": line.kind.value,
        "points": line.points,
        "formula": line.formula,
        "groups": [names_of(group) for group in line.groups],
    }


def problem_to_json(problem: Problem, words: Words) -> ProblemPayload:
    """Return a broken rule."""
    return {
        "code": problem.code,
        "cells": names_of(problem.cells),
        "message": problem.text(words),
        "rule": words.say(problem.rule),
        "could_excuse": [tool.value for tool in problem.could_excuse],
    }


def notice_to_json(notice: Notice | Remark, words: Words) -> NoticePayload:
    """Return what a tool accounts for, or something else to know; the shape is the same."""
    excused_by = () if isinstance(notice, Remark) else notice.excused_by
    return {
        "code": notice.code,
        "cells": names_of(notice.cells),
        "message": notice.text(words),
        "excused_by": [tool.value for tool in excused_by],
    }


def removals_to_json(
    removals: Removals, advice: Callable[[Removal], Sentence], words: Words
) -> RemovalsPayload:
    """Return what to take off; ``advice`` says it in a sentence."""
    return {
        "most_points": _removal_to_json(removals.most_points, words.say(advice(removals.most_points))),
        "fewest_dice": _removal_to_json(removals.fewest_dice, words.say(advice(removals.fewest_dice))),
    }


def _removal_to_json(removal: Removal, message: str) -> RemovalPayload:
    return {
        "cells": names_of(removal.cells),
        "board": str(removal.board),
        "points_before": removal.points_before,
        "points_after": removal.points_after,
        "points_lost": removal.points_lost,
        "message": message,
    }


def window_to_json(card: WindowPattern | None, words: Words, *, turned: bool = False) -> WindowPayload | None:
    """Return a window pattern card, None when it is not known."""
    return None if card is None else {"name": card.name, "label": words.name(card), "turned": turned}


def solo_to_json(solo: SoloResult, words: Words) -> SoloPayload:
    """Return what came of a solo game."""
    other = solo.other_private
    return {
        "target": solo.target,
        "won": solo.won,
        "missing": solo.missing,
        "private": solo.private.value,
        "other_private": _line_to_json(other, words) if other else None,
        "why_private": words.say(solo.why_private),
        "message": words.say(solo.sentence),
    }


def marker_to_json(total: int, words: Words) -> MarkerPayload:
    """Return where the score marker lies."""
    marker = score_marker(total)
    return {
        "space": marker.space,
        "flipped": marker.flipped,
        "laps": marker.laps,
        "message": words.say(marker.sentence),
    }


def names_of(cells: Sequence[Cell]) -> list[str]:
    """Return the names of cells, such as ``"C5"``."""
    return [cell_name(cell) for cell in cells]
