"""The figures that count: what each is to reach, and which of them are worse than they were."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial

from calibration.accuracy.shares import Share
from calibration.accuracy.summary import Summary

Value = Share | float | None


@dataclass(frozen=True)
class Figure:
    """One figure of a summary.

    ``at_least`` says whether more of it is better. ``goals`` holds for each section of photos the number to
    reach (a share in [0, 1], or a plain number where ``percent`` is false); a figure without goals is None
    and stands in no table of goals. ``of_dice`` is for those that are also measured of windows with dice
    alone. A figure is worse than it was when it differs by more than ``slack``.
    """

    what: str
    of: Callable[[Summary], Value]
    goals: Mapping[str, float] | None = field(default_factory=dict)
    at_least: bool = True
    of_dice: bool = True
    percent: bool = True
    slack: float = 0.0

    def reaches(self, number: float, limit: float) -> bool:
        """Whether a number is as good as the limit, or better."""
        return number >= limit if self.at_least else number <= limit


CALIBRATION_SLACK = 0.0005
"""How much the calibration error may grow: the last digits of a confidence differ between processors."""

OfAll = partial(Figure, of_dice=False)
"""A figure of photos, whether their windows hold dice or not."""

BESIDE = (
    # calibration.accuracy.beside says which dice are owed.
    OfAll("loose dice found", lambda s: s.beside.dice_found, {"rendered tables": 0.99, "real": 0.95}),
    OfAll("loose dice right, of those found", lambda s: s.beside.dice_right, {"rendered tables": 0.99}),
    OfAll(
        "loose dice wrong and not flagged, of those found",
        lambda s: s.beside.dice_unnoticed,
        {"real": 0},
        at_least=False,
    ),
    OfAll("loose dice told to be in pool or on track, with the round", lambda s: s.beside.dice_placed),
    OfAll(
        "loose dice read where none lies, per photo",
        lambda s: s.beside.dice_invented_per_photo,
        {"rendered tables": 0, "real cards": 0},
        at_least=False,
        percent=False,
    ),
    OfAll("dice of other makes found", lambda s: s.beside.other_found),
    OfAll("dice of other makes right, of those found", lambda s: s.beside.other_right),
    OfAll(
        "objective cards right", lambda s: s.beside.cards_right, {"real cards": 0.98, "rendered tables": 0.9}
    ),
    OfAll(
        "objective cards read wrong and not flagged",
        lambda s: s.beside.cards_unnoticed,
        {"real cards": 0, "rendered tables": 0},
        at_least=False,
    ),
)
"""What lies beside the windows."""

FIGURES = (
    # A window that the photo's edge cuts off, or that is not wide enough, is not owed.
    Figure(
        "windows located (whole and wide enough)",
        lambda s: s.located_owed,
        {"rendered": 1, "real": 1, "rendered tables": 1},
    ),
    Figure("windows located", lambda s: s.located, None),
    # Of every window of a table, wide or not, whole or not.
    Figure(
        "windows located, or named as unread",
        lambda s: s.found_or_named,
        {"rendered tables": 1, "real tables": 1},
    ),
    Figure("windows the right way up", lambda s: s.upright, None),
    # Every readable cell of each window that is owed or was read all the same: color, value and emptiness.
    Figure(
        "cells right", lambda s: s.cells_counted, {"rendered": 0.998, "real": 0.98, "rendered tables": 0.995}
    ),
    # The strict figure: a window that was refused counts with all its cells, also where it is not owed.
    Figure("cells right, refused windows as wrong", lambda s: s.cells.right, {"rendered low angles": 0.97}),
    Figure("colors right", lambda s: s.cells.color, None),
    Figure("values right", lambda s: s.cells.value, None),
    Figure("cells rightly empty or not", lambda s: s.cells.occupied, None),
    Figure("boards exact", lambda s: s.boards_exact, {"rendered": 0.96}),
    Figure("boards with at most one wrong die", lambda s: s.boards_at_most_one_wrong, None),
    # Of the boards that were read, owed or not.
    Figure(
        "wrong dice not flagged, per board",
        lambda s: s.wrong_unflagged_per_board,
        {"rendered": 0.02, "real": 0.1, "rendered tables": 0.02},
        at_least=False,
        percent=False,
    ),
    Figure("cells flagged as doubtful", lambda s: s.flagged, {"rendered": 0.03, "real": 0.1}, at_least=False),
    # Of the windows whose card is one of the game's. A card that lies alone is a window without dice.
    Figure("pattern card named", lambda s: s.cards_named, {"rendered": 0.98, "real": 1}),
    Figure("pattern card named wrongly", lambda s: Share(s.cards_wrong, s.cards_named.total), at_least=False),
    # Of the cells that hold no die and whose print somebody could tell.
    Figure("printed spaces of open cells right", lambda s: s.pattern),
    # Windows that are cut off in photos that show them to be read: read, or refused as board_cut_off.
    Figure("cut-off windows read, or said to be cut off", lambda s: s.cut_off_named),
    Figure("no window: refused", lambda s: s.refused, None),
    OfAll("no window: refused with the right reason", lambda s: s.rightly_refused, {"rendered": 1}),
    # Of the spaces that something covers whole; in a window that was refused none is found out.
    Figure("hidden spaces said to be covered", lambda s: s.hidden_covered, {"rendered covered": 0.98}),
    Figure(
        "spaces in view said to be covered",
        lambda s: s.in_view_covered,
        {"rendered covered": 0.003},
        at_least=False,
    ),
    *BESIDE,
    # Of all readable cells of the boards that were read: see calibration.accuracy.reliability.
    Figure(
        "expected calibration error",
        lambda s: s.calibration_error,
        {"rendered": 0.005, "synthetic": 0.005},
        at_least=False,
        slack=CALIBRATION_SLACK,
    ),
)
"""All in their order. The goals were set beforehand; `calibration.accuracy.comparison` defines what is owed
and counted."""


@dataclass(frozen=True)
class GoalRow:
    """A figure of all windows and of those that hold a die, beside the number to reach if there is one."""

    figure: Figure
    all_windows: Value
    with_dice: Value
    limit: float | None

    @property
    def numbers(self) -> list[float]:
        """Both figures as plain numbers, without those that measure nothing."""
        return [n for n in map(_number, (self.all_windows, self.with_dice)) if n is not None]

    @property
    def reached(self) -> bool | None:
        """Whether both figures reach the goal, None without one."""
        if self.limit is None:
            return None
        return all(self.figure.reaches(number, self.limit) for number in self.numbers)

    @property
    def goal(self) -> str:
        """The goal for people, "" where there is none."""
        if self.limit is None:
            return ""
        sign = ">= " if self.figure.at_least else "<= "
        number = _percent(self.limit) if self.figure.percent else f"{self.limit:g}"
        return number if self.figure.at_least and self.limit == 1 else sign + number

    @property
    def texts(self) -> tuple[str, str, str, str, str]:
        """What it is, both figures, the goal and whether it is reached, for people."""
        percent = self.figure.percent
        whole, dice = (figure_text(value, percent=percent) for value in (self.all_windows, self.with_dice))
        return self.figure.what, whole, dice, self.goal, {True: "yes", False: "NO", None: ""}[self.reached]

    def to_json(self) -> dict[str, object]:
        """Return the row as plain data, shares as hits and total."""
        whole, dice = (asdict(v) if isinstance(v, Share) else v for v in (self.all_windows, self.with_dice))
        what, goal, reached = self.figure.what, self.goal, self.reached
        return {"what": what, "all": whole, "with_dice": dice, "goal": goal, "reached": reached}


def goal_rows(origin: str, summary: Summary, with_dice: Summary) -> tuple[GoalRow, ...]:
    """Return the rows for photos of one origin that measure anything."""
    rows = (
        GoalRow(f, f.of(summary), f.of(with_dice) if f.of_dice else None, f.goals.get(origin))
        for f in FIGURES
        if f.goals is not None
    )
    return tuple(row for row in rows if row.numbers)


def worse_figures(now: Summary, before: Summary) -> tuple[str, ...]:
    """Say what is worse than ``before``; times are left out, they differ between machines."""
    worse = []
    for figure in FIGURES:
        new, old = figure.of(now), figure.of(before)
        limit = (_number(old) or 0.0) + (-figure.slack if figure.at_least else figure.slack)
        if not figure.reaches(_number(new) or 0.0, limit):
            worse.append(f"{figure.what}: {new or 0.0}, was {old or 0.0}")
    return tuple(worse)


def figure_text(figure: Value, *, percent: bool = True) -> str:
    """Return a figure for people: shares with their counts, "-" of nothing.

    Examples
    --------
    >>> figure_text(Share(1999, 2000)), figure_text(0.004), figure_text(0.25, percent=False)
    ('1999 of 2000  99.95 %', '0.4 %', '0.250')
    """
    number = _number(figure)
    if number is None:
        return "-"
    text = _percent(number) if percent else f"{number:.3f}"
    return f"{figure}  {text}" if isinstance(figure, Share) else text


def _percent(ratio: float) -> str:
    """Return a share with two digits behind the point, without zeros at the end."""
    return f"{100 * ratio:.2f}".rstrip("0").rstrip(".") + " %"


def _number(figure: Value) -> float | None:
    return figure.ratio if isinstance(figure, Share) else figure
