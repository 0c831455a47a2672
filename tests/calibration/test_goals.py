"""Figures beside their goals."""

from __future__ import annotations

import dataclasses

import pytest

from calibration.accuracy.comparison import PhotoResult, compare
from calibration.accuracy.goals import FIGURES, GoalRow, goal_rows
from calibration.accuracy.labels import parse_label
from calibration.accuracy.shares import Share
from calibration.accuracy.summary import Summary, summarize
from tests.readings import BOARD, SQUARE, reading_of

ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
    "window": "Firmitas",
}


def right() -> Summary:
    """Return the figures of one photo that is read right, with its card named."""
    result: PhotoResult = compare(parse_label("a.jpg", ENTRY), reading_of(window="Firmitas"), 0.1)
    return summarize([result])


def row(origin: str, what: str, summary: Summary, with_dice: Summary | None = None) -> GoalRow:
    """Return one row of the table."""
    rows = goal_rows(origin, summary, right() if with_dice is None else with_dice)
    (found,) = [row for row in rows if row.figure.what.startswith(what)]
    return found


@pytest.mark.parametrize(
    ("origin", "what", "figure", "enough", "too_bad"),
    [
        ("rendered", "windows located", "located_owed", Share(72, 72), Share(71, 72)),
        ("real", "windows located", "located_owed", Share(9, 9), Share(8, 9)),
        ("rendered", "cells right", "cells_counted", Share(998, 1000), Share(997, 1000)),
        ("real", "cells right", "cells_counted", Share(98, 100), Share(97, 100)),
        ("rendered", "boards exact", "boards_exact", Share(96, 100), Share(95, 100)),
        ("rendered", "wrong dice not flagged", "wrong_unflagged", 2, 3),
        ("real", "wrong dice not flagged", "wrong_unflagged", 10, 11),
        ("rendered", "cells flagged", "flagged", Share(3, 100), Share(4, 100)),
        ("real", "cells flagged", "flagged", Share(10, 100), Share(11, 100)),
        ("rendered", "pattern card named", "cards_named", Share(98, 100), Share(97, 100)),
        ("real", "pattern card named", "cards_named", Share(10, 10), Share(9, 10)),
        ("rendered", "no window", "rightly_refused", Share(7, 7), Share(6, 7)),
    ],
)
def test_goal_is_reached_or_not(
    origin: str, what: str, figure: str, enough: Share | int, too_bad: Share | int
) -> None:
    """Each goal of the table holds at its limit and fails one step beyond it."""
    base = dataclasses.replace(right(), boards_read=100)
    what = "cells right" if what == "cells right" else what
    for value, reached in ((enough, True), (too_bad, False)):
        changed = dataclasses.replace(base, **{figure: value})  # type: ignore[arg-type]
        rows = [r for r in goal_rows(origin, changed, right()) if r.figure.what.startswith(what)]
        assert rows[0].reached is reached


def test_windows_with_dice_must_reach_the_goal_too() -> None:
    """Cards without dice cannot carry the dice over the line."""
    poor = dataclasses.replace(right(), cells_counted=Share(75, 79))
    assert row("real", "cells flagged", right()).reached is True
    rows = [r for r in goal_rows("real", right(), poor) if r.figure.what == "cells right"]
    assert rows[0].reached is False


def test_what_has_no_goal_is_told_without_a_verdict() -> None:
    """Real photos have no goal for exact boards; the figure is there all the same."""
    exact = row("real", "boards exact", right())
    assert exact.reached is None
    assert exact.goal == ""
    assert exact.all_windows == Share(1, 1)


def test_row_without_anything_to_measure_is_left_out() -> None:
    """A folder without photos to refuse has no row for refusals."""
    assert "no window" not in " ".join(r.figure.what for r in goal_rows("real", right(), right()))


def test_each_row_is_named_once() -> None:
    """No two rows of the table are called the same."""
    assert len({figure.what for figure in FIGURES}) == len(FIGURES)
