"""Adding up what was right and wrong over many photos, beside the goals, and what is worse than it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.evaluation.comparison import PhotoResult, compare
from calibration.evaluation.figures import (
    BINS,
    FIGURES,
    Figure,
    Summary,
    group_by,
    pooled,
    summarize,
    worse_figures,
)
from calibration.evaluation.labels import parse_label
from calibration.evaluation.reliability import BINS as STEPS
from calibration.evaluation.reliability import Bin, Reliability, Share
from tests.readings import BOARD, SQUARE, reading_of
from vision import Corners

ELSEWHERE: Corners = ((900.0, 900.0), (950.0, 900.0), (950.0, 940.0), (900.0, 940.0))
ENTRY = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(corner) for corner in SQUARE],
    "window": "Batllo",
}


def result_of(
    board: str = BOARD,
    corners: Corners = SQUARE,
    doubtful: tuple[str, ...] = (),
    card: str | None = None,
    seconds: float = 1.0,
    **keys: object,
) -> PhotoResult:
    """Return what comes of reading ``board`` where `BOARD` lies."""
    label = parse_label("a.jpg", {**ENTRY, **keys})
    return compare(label, reading_of(board, corners, doubtful, card), seconds)


def refusal_of(code: str = "too_dark", seconds: float = 1.0, **keys: object) -> PhotoResult:
    """Return what comes of refusing the photo."""
    label = parse_label("a.jpg", {**ENTRY, **keys})
    return PhotoResult(label, seconds, error=code, window=label.windows[0])


def figures(*results: PhotoResult) -> dict[str, tuple[int, int]]:
    """Return the figures of some photos: hits and total of each that measures anything."""
    return {key: (share.hits, share.total) for key, share in summarize(results).figures.items()}


def named(key: str) -> Figure:
    """Return a figure by its key."""
    (figure,) = [one for one in FIGURES if one.key == key]
    return figure


WRONG_VALUE = BOARD.replace("R6", "R5")
WRONG_COLOR = BOARD.replace("R6", "P6")
MISSING_DIE = BOARD.replace("R6", "--")
DIE_TOO_MANY = BOARD.replace("--", "G5")


@pytest.mark.parametrize(
    ("board", "right", "occupied", "color", "value"),
    [
        (BOARD, 20, 20, 19, 19),
        (WRONG_VALUE, 19, 20, 19, 18),
        (WRONG_COLOR, 19, 20, 18, 19),
        (MISSING_DIE, 19, 19, 18, 18),
        (DIE_TOO_MANY, 19, 19, 19, 19),
    ],
)
def test_color_value_and_emptiness_are_counted_apart(
    board: str, right: int, occupied: int, color: int, value: int
) -> None:
    """A cell is right when all is; color and value are shares of the 19 true dice, emptiness of all cells."""
    found = figures(result_of(board))
    assert (found["cells_right"], found["cells_strict"]) == ((right, 20), (right, 20))
    assert (found["occupied"], found["colors"], found["values"]) == ((occupied, 20), (color, 19), (value, 19))


def test_windows_without_a_mistake_are_those_with_no_wrong_cell() -> None:
    """One wrong die is enough to spoil a window."""
    assert figures(result_of(), result_of(WRONG_VALUE))["exact"] == (1, 2)


def test_cells_of_windows_not_located_or_refused_are_wrong() -> None:
    """What was not found is wrong in the strict figure, and its refusal is counted by its code."""
    results = result_of(WRONG_VALUE), result_of(corners=ELSEWHERE), refusal_of("too_dark")
    found = figures(*results)
    assert (found["located"], found["cells_strict"], found["exact"]) == ((1, 3), (19, 60), (0, 3))
    assert summarize(results).refusals == {"too_dark": 1}


def test_unflagged_wrong_dice_are_those_nobody_warned_of() -> None:
    """Wrong and doubtful is forgiven; wrong without a flag counts, over the boards that were read."""
    warned = result_of(WRONG_VALUE, doubtful=("C1", "A1"))
    found = figures(warned, result_of(WRONG_COLOR), refusal_of())
    assert (found["unnoticed"], found["flagged"]) == ((1, 2), (2, 40))


def test_made_up_board_is_twenty_unflagged_wrong_dice() -> None:
    """A reading of something that is not the window misleads with every cell that it does not flag."""
    assert figures(result_of(corners=ELSEWHERE, doubtful=("A1",)))["unnoticed"] == (19, 1)


def test_corner_errors_are_those_of_located_windows() -> None:
    """Median and worst are over the single corners, in cells, and leave out what was not located."""
    off: Corners = ((120.0, 100.0), *SQUARE[1:])
    summary = summarize([result_of(corners=off), result_of(corners=ELSEWHERE)])
    assert summary.corners_off_cells is not None
    assert list(summary.corners_off_cells) == pytest.approx([0, 0.2])


def test_upside_down_is_counted_apart_from_location() -> None:
    """A window that is found the wrong way up is located but not upright."""
    turned: Corners = (SQUARE[2], SQUARE[3], SQUARE[0], SQUARE[1])
    found = figures(result_of(), result_of(corners=turned))
    assert (found["located"], found["upright"]) == ((2, 2), (1, 2))


def test_cards_are_named_right_or_wrongly_or_not_at_all() -> None:
    """Accents do not matter, no name is better than a wrong one, and only the game's cards are asked for."""
    results = [result_of(card="Batlló"), result_of(card="Firmitas"), result_of(), refusal_of()]
    found = figures(*results, result_of(window="My own"))
    assert (found["cards_named"], found["cards_wrong"]) == ((1, 4), (1, 4))


def test_refusals_count_for_photos_that_must_be_refused() -> None:
    """A photo to refuse is no board: refusing it is right, if for the right reason, reading it is wrong."""
    found = figures(
        refusal_of("board_cut_off", kind="cut"),
        refusal_of("board_cut_off", kind="none"),
        result_of(kind="cut"),
    )
    assert found == {"refused": (2, 3), "rightly_refused": (1, 3)}


def test_times_are_median_and_worst_of_all_photos() -> None:
    """Refused photos take time too."""
    summary = summarize([result_of(seconds=1), refusal_of(seconds=2), result_of(seconds=9)])
    assert summary.seconds == (2, 9)


def test_nothing_measured_is_no_figure() -> None:
    """Of no photos, and of a window of unreadable dice only, there is nothing to say."""
    nothing = parse_label("a.jpg", {**ENTRY, "board": [["??"] * 5] * 4})
    for results in ([], [compare(nothing, reading_of(), 1.0)]):
        summary = summarize(results)
        assert (summary.figures, summary.corners_off_cells, summary.reliability.error) == ({}, None, None)
        assert all(figure.text(figure.of(summary)) == "-" for figure in FIGURES)


def names(results: list[PhotoResult], key: str) -> dict[str, int]:
    """Return the groups by ``key`` with how many photos each has."""
    return {name: len(group) for name, group in group_by(results, key).items()}


def test_photos_are_split_by_what_their_labels_say() -> None:
    """Texts make a group each, in order, and photos without the key come last."""
    results = [result_of(light="warm"), result_of(light="dim"), result_of(), result_of(light="dim")]
    assert list(names(results, "light").items()) == [("dim", 2), ("warm", 1), ("-", 1)]


def test_truth_values_read_yes_and_no() -> None:
    """True and false are words and are not binned with numbers."""
    assert names([result_of(lawful=True), result_of(lawful=False)], "lawful") == {"no": 1, "yes": 1}


def test_few_different_numbers_stay_as_they_are() -> None:
    """Up to six different numbers are groups of their own, in the order of numbers."""
    results = [result_of(motion=n) for n in (9, 0, 10, 5, 0)]
    assert list(names(results, "motion").items()) == [("0", 2), ("5", 1), ("9", 1), ("10", 1)]


def test_many_different_numbers_are_binned_with_round_bounds() -> None:
    """More numbers than that go into steps of round width, none of them lost."""
    results = [result_of(tilt=float(n)) for n in range(39)]
    assert names(results, "tilt") == {"0 to 10": 10, "10 to 20": 10, "20 to 30": 10, "30 to 40": 9}


@pytest.mark.parametrize(
    "numbers", [[-180.5, 3, 7, 12, 90, 150, 179], [0.1 * n for n in range(12)], range(7)]
)
def test_bins_are_few_and_complete(numbers: list[float]) -> None:
    """Whatever the range there are at most six bins and they hold every photo."""
    groups = names([result_of(roll=n) for n in numbers], "roll")
    assert len(groups) <= BINS
    assert sum(groups.values()) == len(numbers)


def test_what_is_not_owed_counts_only_when_it_is_read() -> None:
    """A cut-off window that is refused is left out of the goals' figures, not of the strict ones."""
    outside = [[x - 300, y] for x, y in SQUARE]
    found = figures(result_of(), refusal_of("board_cut_off", corners_tl_tr_br_bl=outside))
    assert (found["located"], found["located_owed"]) == ((1, 2), (1, 1))
    assert (found["cells_strict"], found["cells_right"], found["cut_off_named"]) == (
        (20, 40),
        (20, 20),
        (1, 1),
    )
    assert figures(refusal_of("board_not_found", corners_tl_tr_br_bl=outside))["cut_off_named"] == (0, 1)


def test_narrow_window_is_not_owed() -> None:
    """A window of at most 200 pixels may be missed; it is located or not all the same."""
    narrow = [[x / 3, y / 3] for x, y in SQUARE]
    found = figures(refusal_of("board_not_found", corners_tl_tr_br_bl=narrow))
    assert found["located"] == (0, 1)
    assert not {"located_owed", "cells_right"} & set(found)


def test_print_is_counted_where_no_die_lies_and_somebody_knows_it() -> None:
    """One open cell of the board is labelled: read right, read wrong, and refused."""
    cells = [".4...", *["....."] * 3]
    label = parse_label("a.jpg", {**ENTRY, "cells": cells})
    right = compare(label, replace(reading_of(), pattern="?4??? / ????? / ????? / ?????"), 0.1)
    assert figures(right)["prints"] == (1, 1)
    assert figures(result_of(DIE_TOO_MANY, cells=cells))["prints"] == (0, 1)
    assert figures(refusal_of(cells=cells))["prints"] == (0, 1)
    assert "prints" not in figures(result_of(cells=["?????"] * 4))


def test_hidden_spaces_are_to_be_called_covered() -> None:
    """What lies under a finger counts in figures of its own; read wrong without a flag it is a mistake."""
    board = [["??", *ENTRY["board"][0][1:]], *ENTRY["board"][1:]]  # type: ignore[index]
    label = parse_label("a.jpg", {**ENTRY, "board": board, "covered": [[0, 0, "Y5"]]})
    seen = reading_of(BOARD.replace("Y5", "--", 1))
    cells = [replace(cell, covered=True, doubtful=True) for cell in seen.cells[:2]]
    covered = replace(seen, cells=(*cells, *seen.cells[2:]))
    for reading, hidden, in_view, unnoticed in ((covered, 1, 1, 0), (seen, 0, 0, 1)):
        found = figures(compare(label, reading, 0.1))
        assert (found["hidden_covered"], found["in_view_covered"]) == ((hidden, 1), (in_view, 19))
        assert (found["unnoticed"], found["cells_right"]) == ((unnoticed, 1), (19, 19))


def test_reliability_is_of_all_cells_that_were_read() -> None:
    """Confidence counts with whether the reading is right; what is read elsewhere is wrong."""
    found = summarize([result_of(WRONG_VALUE), refusal_of()]).reliability
    assert (found.cells, found.bins[-1].right) == (20, 19)
    elsewhere = summarize([result_of(corners=ELSEWHERE)]).reliability
    assert (elsewhere.cells, elsewhere.bins[-1].right) == (20, 0)


def test_pooled_photos_are_counted_as_one_set() -> None:
    """Adding up the figures of two sets gives those of all photos; medians cannot be added up."""
    one = [result_of(WRONG_VALUE, doubtful=("A1",)), refusal_of("too_dark")]
    two = [result_of(card="Batllo"), refusal_of("board_cut_off", kind="cut"), refusal_of("too_dark")]
    together = summarize([*one, *two])
    added = pooled([summarize(one), summarize(two)])
    assert added.reliability.error == together.reliability.error
    assert added == replace(together, reliability=added.reliability, corners_off_cells=None, seconds=None)


@pytest.mark.parametrize("figure", [one for one in FIGURES if one.count is not None], ids=lambda one: one.key)
def test_a_figure_that_gets_worse_is_named_with_what_it_was(figure: Figure) -> None:
    """Each figure is compared with its record in its own direction; the other way round nothing is worse."""
    good, bad = (Share(2, 2), Share(1, 2)) if figure.at_least else (Share(1, 2), Share(2, 2))
    before, now = (replace(summarize([]), figures={figure.key: share}) for share in (good, bad))
    said = f"{figure.what}: {figure.text(bad)}, was {figure.text(good)}"
    assert worse_figures(now, before) == (said,)
    assert worse_figures(before, now) == worse_figures(now, now) == ()


def test_a_figure_that_is_no_longer_measured_is_worse() -> None:
    """Where nothing is located any more there is no share, and it was better before."""
    before = replace(summarize([]), figures={"located": Share(1, 1)})
    assert worse_figures(summarize([]), before) == ("windows located, of all: -, was 100 % of 1",)


def test_last_digit_of_a_confidence_may_differ() -> None:
    """Another processor's rounding is not taken for a worse calibration, half a percent more is."""
    empty = [Bin(0, 0, 0.0)] * STEPS

    def sure(confidence: float) -> Summary:
        bins = (*empty[:7], Bin(100, 50, 100 * confidence), *empty[8:])
        return replace(summarize([]), reliability=Reliability(bins, Reliability.of([]).levels))

    assert worse_figures(sure(0.5004), sure(0.5)) == ()
    assert worse_figures(sure(0.505), sure(0.5)) == ("expected calibration error: 0.5 %, was 0 %",)


@pytest.mark.parametrize(
    ("key", "section", "enough", "too_bad", "goal"),
    [
        ("located_owed", "rendered", Share(72, 72), Share(71, 72), "100 %"),
        ("cells_right", "rendered", Share(998, 1000), Share(997, 1000), "≥ 99.8 %"),
        ("cells_right", "real", Share(98, 100), Share(97, 100), "≥ 98 %"),
        ("unnoticed", "rendered", Share(2, 100), Share(3, 100), "≤ 0.02"),
        ("flagged", "real", Share(10, 100), Share(11, 100), "≤ 10 %"),
        ("loose_invented", "real cards", Share(0, 42), Share(1, 42), "≤ 0"),
        ("exact", "real", Share(0, 9), None, ""),
    ],
)
def test_a_goal_holds_at_its_limit(
    key: str, section: str, enough: Share, too_bad: Share | None, goal: str
) -> None:
    """Each goal is reached at its limit and missed one step beyond it; where none is set there is none."""
    figure = named(key)
    assert figure.goal_in(section) == goal
    if too_bad is not None:
        assert figure.reaches(enough, figure.goals[section])
        assert not figure.reaches(too_bad, figure.goals[section])


def test_each_figure_is_named_once() -> None:
    """No two figures have the same key or are called the same."""
    assert len({figure.what for figure in FIGURES}) == len({figure.key for figure in FIGURES}) == len(FIGURES)
