"""Which card it was, from what shows of the print around the dice."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from random import Random

import pytest

from scoring import ALL_CELLS, WINDOW_PATTERNS, Board, Color, Die, Restriction, WindowPattern
from scoring.board import Cell
from scoring.patterns.identify import (
    COLOR_SHARE,
    FREE_SHARE,
    SPACES,
    VALUE_SHARE,
    SeenCell,
    WindowRanking,
    identify_window,
    looks,
    rank_windows,
)
from tests.scoring import made_boards


def shares(ranking: WindowRanking) -> dict[tuple[str, bool], float]:
    """Return the probability of each card, upright (False) and turned (True)."""
    return {(match.pattern.name, match.turned): match.probability for match in ranking.matches}


def with_rims(board: Board, card: WindowPattern, sure: float) -> dict[Cell, SeenCell]:
    """Return the board with rims so sure to show a free space, a color or the grey of a value."""
    common: dict[Restriction, float] = {None: FREE_SHARE}
    common |= dict.fromkeys(Color, COLOR_SHARE) | dict.fromkeys(range(1, 7), VALUE_SHARE)
    seen = {}
    for cell, die in board.dice():
        alike = [one for one in common if one == card[cell] or (type(one) is type(card[cell]) is int)]
        rim = {one: (1 - sure) * share + sure * (one in alike) / len(alike) for one, share in common.items()}
        seen[cell] = replace(SeenCell.of_die(die), rim=rim)
    return seen


@pytest.mark.parametrize("name", ["Firelight", "Virtus", "Bellesguard", "Alpenglow"])
def test_rims_name_the_card_of_a_player_who_ignores_it(name: str) -> None:
    """Where the dice go against the card everywhere, what shows around them still names it, either way up."""
    card = WINDOW_PATTERNS[name]
    for pattern in (card, card.rotated_180()):
        board = made_boards.with_mistakes(made_boards.full_board(pattern, Random(7)), pattern, 10, Random(7))
        assert identify_window(board).best is None
        match = rank_windows(with_rims(board, pattern, 0.7)).best
        assert match is not None
        assert match.pattern == pattern


def test_a_rim_that_shows_nothing_changes_nothing() -> None:
    """When each print is as likely at a rim as on any card, all stays as the dice leave it."""
    board = made_boards.played_board(WINDOW_PATTERNS["Gravitas"], 8, Random(3))
    ranking = rank_windows(with_rims(board, WINDOW_PATTERNS["Gravitas"], 0.0))
    assert shares(ranking) == pytest.approx(shares(identify_window(board)), rel=1e-9)


def test_a_rim_speaks_less_loud_than_an_open_print() -> None:
    """A red rim makes a red space likelier and a blue one less likely, each less so than a red open space."""
    die = SeenCell.of_die(Die(Color.GREEN, 3))
    rim, open_cell = replace(die, rim={Color.RED: 1.0}), SeenCell.of_print(Color.RED)
    of_rim, of_die, of_print = (
        dict(zip(SPACES, one.speaks(0.02), strict=True)) for one in (rim, die, open_cell)
    )
    for space in (Color.RED, Color.BLUE, 5):
        by_rim, by_print = of_rim[space] / of_die[space], of_print[space]
        assert 1 < by_rim < by_print if space == Color.RED else by_print < by_rim < 1
        assert rim.agrees(space) == die.agrees(space)


def test_rims_that_all_look_alike_speak_for_no_card() -> None:
    """Twenty grey rims are taken for a photo in the shade, and no card of many values is named by them."""
    grey: dict[Restriction, float] = dict.fromkeys(range(1, 7), 0.16)
    die = replace(SeenCell.of_die(Die(Color.RED, 1)), rim={**grey, None: 0.04})
    ranking = rank_windows(dict.fromkeys(ALL_CELLS, die))
    assert ranking.best is None
    most = max(WINDOW_PATTERNS.values(), key=lambda card: sum(char.isdigit() for char in str(card)))
    assert shares(ranking)[most.name, False] < 0.1


def test_the_ways_to_take_rims_are_all_ways() -> None:
    """With rims as told and as telling nothing, all is said: on the unknown card the two add up to 1."""
    seen = with_rims(
        made_boards.played_board(WINDOW_PATTERNS["Gravitas"], 8, Random(3)), WINDOW_PATTERNS["Virtus"], 0.9
    )
    assert sum(exp(log) for log, _ in looks(seen)) == pytest.approx(1)
    assert [any(one.rim for one in cells.values()) for _, cells in looks(seen)] == [True, False]
    assert looks({}) == [(0.0, {})]


@pytest.mark.parametrize("careless", [0.0, 0.3, 1.0])
def test_a_die_without_a_face_says_nothing(careless: float) -> None:
    """A die of which neither color nor value is known speaks for every space alike, whoever laid it."""
    blank = SeenCell.of_die(Die(Color.RED, 5)).faceless()
    assert blank.speaks(careless) == pytest.approx([1.0] * len(SPACES))
