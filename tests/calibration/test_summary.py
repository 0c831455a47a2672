"""Adding up what was right and wrong over many photos."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from calibration.accuracy.comparison import PhotoResult, compare
from calibration.accuracy.labels import parse_label
from calibration.accuracy.records import from_plain
from calibration.accuracy.shares import Share
from calibration.accuracy.summary import BINS, Summary, group_by, pooled, summarize
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
    cells = summarize([result_of(board)]).cells
    assert cells.right == Share(right, 20)
    assert cells.occupied == Share(occupied, 20)
    assert cells.color == Share(color, 19)
    assert cells.value == Share(value, 19)


def test_boards_exact_and_nearly() -> None:
    """A board is exact with no wrong die; one wrong die is told apart from two."""
    two_wrong = WRONG_VALUE.replace("G1", "G2")
    summary = summarize([result_of(), result_of(WRONG_VALUE), result_of(two_wrong)])
    assert summary.boards_exact == Share(1, 3)
    assert summary.boards_at_most_one_wrong == Share(2, 3)


def test_cells_of_windows_not_located_or_refused_are_wrong() -> None:
    """The main figure counts what was not found as wrong; the other one speaks of located windows only."""
    summary = summarize([result_of(WRONG_VALUE), result_of(corners=ELSEWHERE), refusal_of("too_dark")])
    assert summary.located == Share(1, 3)
    assert summary.cells.right == Share(19, 60)
    assert summary.cells_located.right == Share(19, 20)
    assert summary.boards_exact == Share(0, 3)
    assert summary.boards_refused == {"too_dark": 1}


def test_unflagged_wrong_dice_are_those_nobody_warned_of() -> None:
    """Wrong and doubtful is forgiven; wrong without a flag counts, over the boards that were read."""
    warned = result_of(WRONG_VALUE, doubtful=("C1", "A1"))
    silent = result_of(WRONG_COLOR)
    summary = summarize([warned, silent, refusal_of()])
    assert summary.wrong_unflagged_per_board == 0.5
    assert summary.flagged == Share(2, 40)


def test_made_up_board_is_twenty_unflagged_wrong_dice() -> None:
    """A reading of something that is not the window misleads with every cell that it does not flag."""
    assert summarize([result_of(corners=ELSEWHERE, doubtful=("A1",))]).wrong_unflagged_per_board == 19


def test_corner_errors_are_those_of_located_windows() -> None:
    """Median and worst are over the single corners, in cells, and leave out what was not located."""
    off: Corners = ((120.0, 100.0), *SQUARE[1:])
    summary = summarize([result_of(corners=off), result_of(corners=ELSEWHERE)])
    assert summary.corner_error_median == 0
    assert summary.corner_error_max == pytest.approx(0.2)


def test_upside_down_is_counted_apart_from_location() -> None:
    """A window that is found the wrong way up is located but not upright."""
    turned: Corners = (SQUARE[2], SQUARE[3], SQUARE[0], SQUARE[1])
    summary = summarize([result_of(), result_of(corners=turned)])
    assert summary.located == Share(2, 2)
    assert summary.upright == Share(1, 2)


def test_card_is_right_under_any_spelling_of_its_name() -> None:
    """Accents do not matter; no name and a wrong name are both not right, and a refusal owes one too."""
    results = [result_of(card="Batlló"), result_of(card="Firmitas"), result_of(), refusal_of()]
    assert summarize(results).cards_named == Share(1, 4)


def test_refusals_count_for_photos_that_must_be_refused() -> None:
    """A photo to refuse is no board; refusing it is right, and its code listed, reading it is wrong."""
    results = [
        refusal_of("board_cut_off", kind="cut"),
        refusal_of("board_cut_off", kind="cut"),
        result_of(kind="cut"),
    ]
    summary = summarize(results)
    assert summary.boards == 0
    assert summary.refused == Share(2, 3)
    assert summary.refusal_codes == {"board_cut_off": 2}
    assert summary.cells.right == Share(0, 0)
    assert summary.wrong_unflagged_per_board is None


def test_times_are_median_and_worst_of_all_photos() -> None:
    """Refused photos take time too."""
    summary = summarize([result_of(seconds=1), refusal_of(seconds=2), result_of(seconds=9)])
    assert summary.seconds_median == 2
    assert summary.seconds_worst == 9


def test_window_that_nobody_can_read_is_no_board() -> None:
    """A window of unreadable dice only cannot be read right or wrong."""
    nothing = parse_label("a.jpg", {**ENTRY, "board": [["??"] * 5] * 4})
    assert summarize([compare(nothing, reading_of(), 1.0)]).boards == 0


def test_summary_survives_json() -> None:
    """What `to_json` gives is read back as it was, without the figures that follow from others."""
    summary = summarize([result_of(WRONG_VALUE), refusal_of()])
    assert from_plain(Summary, json.loads(json.dumps(summary.to_json()))) == summary


def test_nothing_is_no_share() -> None:
    """Of no photos there are no shares, and no times."""
    summary = summarize([])
    assert summary.located.ratio is None
    assert summary.corner_error_max is None
    assert summary.seconds_worst is None
    assert summary.calibration_error is None


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
    summary = summarize([result_of(), refusal_of("board_cut_off", corners_tl_tr_br_bl=outside)])
    assert summary.located == Share(1, 2)
    assert summary.located_owed == Share(1, 1)
    assert summary.cells.right == Share(20, 40)
    assert summary.cells_counted == Share(20, 20)
    assert summary.cut_off_named == Share(1, 1)
    wrong_reason = summarize([refusal_of("board_not_found", corners_tl_tr_br_bl=outside)])
    assert wrong_reason.cut_off_named == Share(0, 1)


def test_narrow_window_is_not_owed() -> None:
    """A window of at most 200 pixels may be missed; it is located or not all the same."""
    narrow = [[x / 3, y / 3] for x, y in SQUARE]
    summary = summarize([refusal_of("board_not_found", corners_tl_tr_br_bl=narrow)])
    assert summary.located == Share(0, 1)
    assert summary.located_owed == Share(0, 0)
    assert summary.cells_counted == Share(0, 0)


def test_print_is_counted_where_no_die_lies_and_somebody_knows_it() -> None:
    """One open cell of the board is labelled: read right, read wrong, and refused."""
    cells = [".4...", *["....."] * 3]
    read_as_die = result_of(DIE_TOO_MANY, cells=cells)
    assert summarize([read_as_die]).pattern == Share(0, 1)
    assert summarize([result_of(cells=["?????"] * 4)]).pattern == Share(0, 0)
    assert summarize([refusal_of(cells=cells)]).pattern == Share(0, 1)
    right = compare(
        parse_label("a.jpg", {**ENTRY, "cells": cells}),
        replace(reading_of(), pattern="?4??? / ????? / ????? / ?????"),
        0.1,
    )
    assert summarize([right]).pattern == Share(1, 1)


def test_cards_are_named_right_or_wrongly_or_not_at_all() -> None:
    """No name is better than a wrong one; a card that is not one of the game's is not asked for."""
    summary = summarize(
        [result_of(card="Batllo"), result_of(card="Firmitas"), result_of(), result_of(window="My own")]
    )
    assert summary.cards_named == Share(1, 3)
    assert summary.cards_wrong == 1


def test_refusal_needs_the_right_reason() -> None:
    """A photo of loose dice refused as a cut-off window is refused, but not rightly."""
    summary = summarize(
        [refusal_of("board_cut_off", kind="none"), refusal_of("board_not_found", kind="none")]
    )
    assert summary.refused == Share(2, 2)
    assert summary.rightly_refused == Share(1, 2)


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
    nothing = {"corner_error_median": None, "corner_error_max": None, "seconds_median": None}
    expected: dict[str, Any] = {**nothing, "seconds_worst": None, "reliability": added.reliability}
    assert added == replace(together, **expected)
    assert added.calibration_error == together.calibration_error
