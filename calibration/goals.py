"""What the reader is to reach, beside what it does reach: for rendered and for real photos apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from calibration.shares import Share
from calibration.summary import Summary

Figure = Share | float | None


@dataclass(frozen=True)
class Goal:
    """One row of the table.

    ``limits`` holds for each origin of photos the number to reach (a share in [0, 1], or a plain number
    where ``percent`` is false), ``at_least`` says on which side of it is good. ``of_dice`` is for rows that
    are also told of windows with dice alone.
    """

    what: str
    figure: Callable[[Summary], Figure]
    limits: Mapping[str, float]
    at_least: bool = True
    of_dice: bool = True
    percent: bool = True


@dataclass(frozen=True)
class GoalRow:
    """One row, measured: of all windows and of those that hold a die; ``reached`` is None without a goal."""

    what: str
    all_windows: Figure
    with_dice: Figure
    goal: str
    reached: bool | None
    percent: bool = True

    @property
    def texts(self) -> tuple[str, str, str, str, str]:
        """What it is, both figures, the goal and whether it is reached, for people."""
        figures = [figure_text(figure, percent=self.percent) for figure in (self.all_windows, self.with_dice)]
        said = {True: "yes", False: "NO", None: ""}[self.reached]
        return self.what, figures[0], figures[1], self.goal, said

    def to_json(self) -> dict[str, object]:
        """Return the row as plain data, shares as hits and total."""
        return {
            "what": self.what,
            "all": _plain(self.all_windows),
            "with_dice": _plain(self.with_dice),
            "goal": self.goal,
            "reached": self.reached,
        }


GOALS = (
    # A window that the photo's edge cuts off, or that is not wider than 200 px, is not owed.
    Goal("windows located (whole, wider than 200 px)", lambda s: s.located_owed, {"rendered": 1, "real": 1}),
    # Every readable cell of each window that is owed or was read all the same: color, value and emptiness.
    Goal("cells right", lambda s: s.cells_counted, {"rendered": 0.998, "real": 0.98}),
    # The strict figure: a window that was refused counts with all its cells, also where it is not owed.
    Goal("cells right, refused windows as wrong", lambda s: s.cells.right, {}),
    Goal("boards exact", lambda s: s.boards_exact, {"rendered": 0.96}),
    # Of the boards that were read, owed or not.
    Goal(
        "wrong dice not flagged, per board",
        lambda s: s.wrong_unflagged_per_board,
        {"rendered": 0.02, "real": 0.1},
        at_least=False,
        percent=False,
    ),
    Goal("cells flagged as doubtful", lambda s: s.flagged, {"rendered": 0.03, "real": 0.1}, at_least=False),
    # Of the windows whose card is one of the game's. A card that lies alone is a window without dice.
    Goal("pattern card named", lambda s: s.cards_named, {"rendered": 0.98, "real": 1}),
    Goal("pattern card named wrongly", lambda s: Share(s.cards_wrong, s.cards_named.total), {}),
    # Of the cells that hold no die and whose print somebody could tell.
    Goal("printed spaces of open cells right", lambda s: s.pattern, {}),
    # Windows that are cut off in photos that show them to be read: read, or refused as board_cut_off.
    Goal("cut-off windows read, or said to be cut off", lambda s: s.cut_told, {}),
    Goal(
        "no window: refused with the right reason",
        lambda s: s.rightly_refused,
        {"rendered": 1},
        of_dice=False,
    ),
    # Of all readable cells of the boards that were read: see calibration.reliability.
    Goal(
        "expected calibration error",
        lambda s: s.calibration_error,
        {"rendered": 0.005, "synthetic": 0.005},
        at_least=False,
    ),
)
"""All rows in their order. The goals were set beforehand; `calibration.evaluate` defines what is owed and
counted."""


def goal_rows(origin: str, summary: Summary, with_dice: Summary) -> tuple[GoalRow, ...]:
    """Return the rows for photos of one origin that measure anything.

    A goal is reached when the figure of all windows and that of the windows with dice both reach it.
    """
    rows = []
    for goal in GOALS:
        figures = [goal.figure(summary), goal.figure(with_dice) if goal.of_dice else None]
        numbers = [number for number in map(_number, figures) if number is not None]
        if not numbers:
            continue
        limit = goal.limits.get(origin)
        reached = None if limit is None else all(_reaches(goal, number, limit) for number in numbers)
        rows.append(
            GoalRow(goal.what, figures[0], figures[1], _goal_text(goal, limit), reached, goal.percent)
        )
    return tuple(rows)


def figure_text(figure: Figure, *, percent: bool = True) -> str:
    """Return a figure for people: shares with their counts, "-" of nothing.

    Examples
    --------
    >>> figure_text(Share(1999, 2000)), figure_text(0.004), figure_text(0.25, percent=False)
    ('1999 of 2000  99.95 %', '0.4 %', '0.250')
    """
    if isinstance(figure, Share):
        if figure.ratio is None:
            return "-"
        return f"{figure.hits} of {figure.total}  {_percent(figure.ratio)}"
    if figure is None:
        return "-"
    return _percent(figure) if percent else f"{figure:.3f}"


def _percent(ratio: float) -> str:
    """Return a share with two digits behind the point, without zeros at the end."""
    return f"{100 * ratio:.2f}".rstrip("0").rstrip(".") + " %"


def _goal_text(goal: Goal, limit: float | None) -> str:
    if limit is None:
        return ""
    number = _percent(limit) if goal.percent else f"{limit:g}"
    if goal.at_least:
        return number if limit == 1 else f">= {number}"
    return f"<= {number}"


def _reaches(goal: Goal, number: float, limit: float) -> bool:
    return number >= limit if goal.at_least else number <= limit


def _number(figure: Figure) -> float | None:
    return figure.ratio if isinstance(figure, Share) else figure


def _plain(figure: Figure) -> object:
    return {"hits": figure.hits, "total": figure.total} if isinstance(figure, Share) else figure
