"""What the program says to other programs: one shape for each thing, on the web, in ``--json`` and in files.

The names are those of the library `scoring`. Cells have names such as ``"C5"``, dice are written ``"R4"``,
boards in board notation. A ``name`` is the game's English one, the ``label`` beside it that of the reader's
language. The JSON interface makes its description from these types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from typing_extensions import TypedDict  # pydantic wants it before Python 3.12

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
from scoring.sentences import english


class LinePayload(TypedDict):
    """A line of a score; ``groups`` are the dice that earned the points together."""

    name: str
    label: str
    kind: str
    points: int
    formula: str
    groups: list[list[str]]


class ProblemPayload(TypedDict):
    """A broken placement rule; ``could_excuse`` are the tool cards that could make it legal."""

    code: str
    cells: list[str]
    message: str
    rule: str
    could_excuse: list[str]


class NoticePayload(TypedDict):
    """Something to know that is no broken rule; ``excused_by`` are the tool cards that allow what is seen."""

    code: str
    cells: list[str]
    message: str
    excused_by: list[str]


class RemovalPayload(TypedDict):
    """Dice to take off so that no rule is broken; the points are those of the whole score."""

    cells: list[str]
    board: str
    points_before: int
    points_after: int
    points_lost: int
    message: str


class RemovalsPayload(TypedDict):
    """The removal after which most points stay, and the one of the fewest dice."""

    most_points: RemovalPayload
    fewest_dice: RemovalPayload


class WindowPayload(TypedDict):
    """The window pattern card under the dice; ``turned`` says that it lies upside down."""

    name: str
    label: str
    turned: bool


class MovePayload(TypedDict):
    """A die placed on any cell of ``via`` may then be moved by the tool to any of ``to``."""

    tool: str
    via: list[str]
    to: list[str]


class ChangePayload(TypedDict):
    """The tool can make the drafted die into this one, which may go to ``cells``."""

    tool: str
    die: str
    cells: list[str]


class PlacingPayload(TypedDict):
    """Where a die may go next; ``with_tool`` are those of the ``legal_cells`` that need one of the tools."""

    die: str
    label: str
    legal_cells: list[str]
    with_tool: dict[str, list[str]]
    moves: list[MovePayload]
    changes: list[ChangePayload]
    why_not: dict[str, list[ProblemPayload]]


class MarkerPayload(TypedDict):
    """Where the score marker lies."""

    space: int | None
    flipped: bool
    laps: int
    message: str


class SoloPayload(TypedDict):
    """What came of a solo game."""

    target: int
    won: bool
    missing: int
    private: str
    other_private: LinePayload | None
    why_private: str
    message: str


class PlacementPayload(TypedDict):
    """What the placement rules say about a window: the same in every answer that judges one."""

    board: str
    window: WindowPayload | None
    problems: list[ProblemPayload]
    notices: list[NoticePayload]
    removals: RemovalsPayload | None
    dead_cells: list[str]


class PointsPayload(TypedDict):
    """The points of a window; ``score_marker`` is null in a solo game and ``solo`` in any other.

    As long as ``is_counted`` is false there is no objective or no window, and the total says nothing yet.
    """

    total: int
    is_counted: bool
    lines: list[LinePayload]
    solo: SoloPayload | None
    score_marker: MarkerPayload | None


class JudgedPayload(PointsPayload, PlacementPayload):
    """A window with its points."""


class LikelyWindowPayload(TypedDict):
    """A card that the dice point to; ``misfits`` are dice that may not lie on it."""

    name: str
    turned: bool
    probability: float
    misfits: list[str]


class LikelyWindowsPayload(TypedDict):
    """The likeliest cards, and how likely it is none of the known ones."""

    likeliest: list[LikelyWindowPayload]
    unknown: float


class CheckPayload(PlacementPayload):
    """The answer to "is this window legal, and where may these dice go?"."""

    legal: bool
    windows: LikelyWindowsPayload
    dice: list[PlacingPayload]


class DecisionPayload(TypedDict):
    """What decided between two players who follow each other."""

    players: list[str]
    decided_by: str | None
    message: str


class StandingPayload(JudgedPayload):
    """A player's place with the window; ``place`` is null for a player who cannot be ranked."""

    name: str
    place: int | None
    shared: bool
    private_points: int | None
    favor_tokens: int | None
    last_round_turn: int | None


class OutcomePayload(TypedDict):
    """How a game ended; these ``notices`` are about the table, those about a window stand with its player."""

    message: str | None
    winners: list[str]
    standings: list[StandingPayload]
    decisions: list[DecisionPayload]
    unranked: list[str]
    without_window: list[str]
    notices: list[NoticePayload]


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
        english('"{key}" must be written "{right}".', key=name, right=right),
        english("Write it as it is listed."),
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


@dataclass(frozen=True)
class Remark:
    """A sentence about the answer.

    Parameters
    ----------
    code
        What it is about, for programs.
    sentences
        What to know.
    cells
        Where, as (row, column) from 0.
    """

    code: str
    sentences: tuple[Sentence, ...]
    cells: tuple[Cell, ...] = ()

    def text(self, words: Words) -> str:
        """Return what to know, in the language of ``words``."""
        return words.say(*self.sentences)


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
