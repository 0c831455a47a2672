"""Cards that somebody adds: tools, such as the thirteenth of one edition, and public objectives."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    Board,
    Color,
    Die,
    HouseRule,
    InvalidValueError,
    PublicObjective,
    Tool,
    Toolbox,
    UnknownNameError,
    WindowPattern,
    best_removals,
    check_placement,
    legal_cells,
    moves_after_placing,
    placement_problems,
    score_player,
    why_not,
)
from scoring.board import part_of
from scoring.placement.removals import points_counter
from scoring.tools import EXPANSION_TOOLS, Lift, ToolEffect, in_order
from tests import strategies

NAMES = ("Tool One", "Tool Two")


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    """Take away what a test added."""
    yield
    for name in NAMES:
        Tool.forget(name)
        PublicObjective.forget(name)


def placing(*lifts: Lift, name: str = NAMES[0]) -> Tool:
    """Return a tool that places the drafted die where rules would not let it."""
    return Tool.add(name, ToolEffect.FREES_PLACEMENT, Color.RED, lifts)


def moving(*lifts: Lift, name: str = NAMES[0]) -> Tool:
    """Return a tool that moves a die of the window."""
    return Tool.add(name, ToolEffect.MOVES_DICE, Color.RED, lifts)


# --- A tool that was added is a tool -----------------------------------------------------------------


def test_an_added_tool_is_found_by_its_name() -> None:
    """It is no member of the game's own cards, and equal to itself wherever it was sent."""
    tool = placing(Lift.COLOR)
    assert Tool.of("tool_one") == Tool(NAMES[0]) == tool
    assert tool not in list(Tool)
    assert (tool.number, tool.is_printed, tool.called.english) == (None, False, NAMES[0])
    assert pickle.loads(pickle.dumps(tool)) == deepcopy(tool) == tool
    assert pickle.loads(pickle.dumps(tool)).lifts == {Lift.COLOR}
    assert pickle.loads(pickle.dumps(Tool.LATHEKIN)) is Tool.LATHEKIN
    assert Tool.added()[-1] == tool
    Tool.forget(NAMES[0])
    with pytest.raises(UnknownNameError):
        Tool.of(NAMES[0])


def test_the_same_name_again_takes_its_place() -> None:
    """Who corrects a tool has the corrected one."""
    placing(Lift.COLOR)
    assert Tool.of(placing(Lift.VALUE).value).lifts == {Lift.VALUE}
    assert [tool.value for tool in Tool.added()].count(NAMES[0]) == 1
    placing(Lift.COLOR, name=NAMES[0].upper())
    assert [tool.value for tool in Tool.added() if tool not in EXPANSION_TOOLS] == [NAMES[0].upper()]
    Tool.forget(NAMES[0].upper())


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Lathekin", "name_taken"),
        ("strip CUTTER", "name_taken"),
        ("tap wheel", "name_taken"),
        (" ", "blank_name"),
        ("x" * 41, "name_too_long"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, code: str) -> None:
    """The name of a card of the game is taken, and a name is one line that can be read."""
    with pytest.raises(InvalidValueError) as caught:
        Tool.add(name, ToolEffect.CHANGES_DIE, Color.RED)
    assert caught.value.code == code


@pytest.mark.parametrize("effect", [ToolEffect.CHANGES_DIE, ToolEffect.CHANGES_TURN, ToolEffect.MOVES_DICE])
def test_a_tool_lifts_only_what_its_effect_can(effect: ToolEffect) -> None:
    """Only a die that is placed can lie apart; a die that is changed is then placed under all rules."""
    with pytest.raises(InvalidValueError, match="cannot lift"):
        Tool.add(NAMES[0], effect, Color.RED, [Lift.APART])


def test_the_expansion_has_two_tools_that_excuse_nothing() -> None:
    """They change the die that is placed, which then goes into the window under all rules."""
    assert [(tool.value, tool.color) for tool in EXPANSION_TOOLS] == [
        ("Strip Cutter", Color.RED),
        ("Lead Came Nippers", Color.YELLOW),
    ]
    assert not any(tool.lifts or tool.moves_dice for tool in EXPANSION_TOOLS)
    assert Toolbox(["strip cutter", "Lathekin"]).cards == (Tool.LATHEKIN, EXPANSION_TOOLS[0])


def test_tools_stand_in_the_order_of_their_numbers() -> None:
    """Those of the game come first, then others by their names, each once."""
    other, one = placing(name=NAMES[1]), placing(name=NAMES[0])
    tools = [other, Tool.TAP_WHEEL, one, Tool.GROZING_PLIERS, one]
    assert in_order(tools) == (Tool.GROZING_PLIERS, Tool.TAP_WHEEL, one, other)


# --- What it lets a die do ---------------------------------------------------------------------------

PRINTED = WindowPattern.parse("R.... / ..... / ..6.. / .....", "Printed", 5)


@pytest.mark.parametrize(
    ("lift", "die", "cell"),
    [
        (Lift.COLOR, "B1", (0, 0)),
        (Lift.VALUE, "B1", (2, 2)),
        (Lift.SAME_COLOR, "G1", (0, 1)),
        (Lift.SAME_VALUE, "B4", (0, 1)),
        (Lift.APART, "B1", (3, 4)),
    ],
)
def test_a_tool_that_frees_placing_opens_spaces(lift: Lift, die: str, cell: tuple[int, int]) -> None:
    """What the card lifts is no reason any more for the die that it places, and everything else still is."""
    board = Board.empty().replace(1, 1, Die.of("G4"))
    tool = placing(lift)
    assert cell not in legal_cells(board, die, PRINTED)
    opened = legal_cells(board, die, PRINTED, [tool]) - legal_cells(board, die, PRINTED)
    assert cell in opened
    reasons = why_not(board, die, PRINTED)
    assert opened == {
        where for where, problems in reasons.items() if {one.code.value for one in problems} == {lift.value}
    }


def test_the_first_die_may_lie_inside_where_a_tool_says_so() -> None:
    """Only with that tool in the game."""
    tool = placing(Lift.EDGE)
    assert (1, 1) not in legal_cells(Board.empty(), "R1")
    assert len(legal_cells(Board.empty(), "R1", tools=[tool])) == 20


def test_a_tool_that_moves_dice_opens_spaces_after_placing() -> None:
    """As Eglomise Brush does, a tool that moves dice lifts its rule for the die it moves, and no other."""
    board = Board.parse("R1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    pattern = WindowPattern.parse(".P6.. / ..... / ..... / .....")
    (move,) = moves_after_placing(board, "G2", pattern, [moving(Lift.COLOR)])
    assert move.to == ((0, 1),)
    assert moves_after_placing(board, "G2", pattern, [moving()]) == ()


# --- What it accounts for in a finished window ---------------------------------------------------------


def test_one_use_accounts_for_one_die() -> None:
    """Two dice on wrong prints need two uses, which cost three tokens."""
    board = Board.parse("B1 G2 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    pattern = WindowPattern.parse("RR... / ..... / ..... / .....", "Two", 5)
    tool = placing(Lift.COLOR)
    assert check_placement(board, pattern, Toolbox([tool], tokens=3)).is_legal
    assert not check_placement(board, pattern, Toolbox([tool], tokens=2)).is_legal


def test_dice_alike_in_color_and_value_need_one_card_for_both() -> None:
    """Two cards cannot be used in a turn, but one may lift both rules."""
    board = Board.parse("R1 R1 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    both = [placing(Lift.SAME_COLOR), placing(Lift.SAME_VALUE, name=NAMES[1])]
    assert not check_placement(board, tools=both).is_legal
    assert check_placement(board, tools=[placing(Lift.SAME_COLOR, Lift.SAME_VALUE)]).is_legal


def test_a_tool_that_is_not_in_the_game_is_not_spoken_of() -> None:
    """Of the tools that could excuse something those of the game are named, and added ones in this game."""
    board = Board.parse("B1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    tool = placing(Lift.COLOR)
    (problem,) = placement_problems(board, PRINTED)
    assert problem.could_excuse == (Tool.EGLOMISE_BRUSH,)
    (notice,) = check_placement(board, PRINTED, [tool]).notices
    assert notice.excused_by == (tool,)


def any_tool(name: str) -> st.SearchStrategy[Tool]:
    """Return any tool that somebody could add, under a name."""
    lifts = st.frozensets(st.sampled_from(Lift))
    movable = frozenset(Lift) - {Lift.EDGE, Lift.APART}
    return st.one_of(
        lifts.map(lambda some: placing(*some, name=name)),
        lifts.map(lambda some: moving(*(some & movable), name=name)),
        st.just(name).map(lambda one: Tool.add(one, ToolEffect.CHANGES_DIE, Color.BLUE)),
    )


def with_a_tool(board: Board, tool: Tool, pattern: WindowPattern, random: Random) -> Board:
    """Return the window after one use of a tool, by what its card says, where it can be used."""
    lifted = {lift.value for lift in tool.lifts}
    die = Die(random.choice(list(Color)), random.randint(1, 6))
    if tool.moves_dice:
        cells = [cell for cell, _ in board.dice()]
        if not cells:
            return board
        taken = random.choice(cells)
        die, board = board[taken] or die, board.replace(*taken, None)
    reasons = why_not(board, die, pattern)
    ways = [cell for cell in ALL_CELLS if all(one.code.value in lifted for one in reasons.get(cell, ()))]
    if not ways:
        return board.replace(*taken, die) if tool.moves_dice else board
    return board.replace(*random.choice(ways), die)


@given(any_tool(NAMES[0]), any_tool(NAMES[1]), strategies.patterns(), st.randoms(use_true_random=False))
def test_who_plays_by_the_cards_is_not_accused(
    one: Tool, other: Tool, pattern: WindowPattern, random: Random
) -> None:
    """Dice placed by the rules, and up to three uses of two tools that were added, are a legal window."""
    board, uses = Board.empty(), 0
    for _ in range(random.randint(1, 14)):
        if uses < 3 and random.random() < 0.3:
            board, uses = with_a_tool(board, random.choice([one, other]), pattern, random), uses + 1
            continue
        die = Die(random.choice(list(Color)), random.randint(1, 6))
        if cells := sorted(legal_cells(board, die, pattern)):
            board = board.replace(*random.choice(cells), die)
    toolbox = Toolbox([one, other], tokens=6)
    report = check_placement(board, WindowPattern(pattern.name, 6, pattern.cells), toolbox)
    assert report.is_legal, (board, [str(problem.message) for problem in report.problems])


@given(
    strategies.sparse_boards(max_dice=7),
    strategies.patterns(),
    any_tool(NAMES[0]),
    any_tool(NAMES[1]),
    st.integers(0, 4),
    st.sampled_from([(), tuple(HouseRule)]),
)
def test_no_other_removal_is_better(
    board: Board, pattern: WindowPattern, one: Tool, other: Tool, tokens: int, rules: tuple[HouseRule, ...]
) -> None:
    """Every way to take dice off was tried, with tools that were added beside one of the game."""
    toolbox = Toolbox([one, other, Tool.EGLOMISE_BRUSH], tokens=tokens, house_rules=rules)
    found = best_removals(board, pattern, ["Light Shades"], Color.RED, toolbox)
    cells = [cell for cell, _ in board.dice()]
    legal = [
        left
        for number in range(len(cells) + 1)
        for left in map(board.only, combinations(cells, number))
        if not placement_problems(left, pattern, toolbox)
    ]
    most = max(score_player(left, ["Light Shades"], Color.RED).total for left in legal)
    assert found.most_points.points_after == most
    assert len(cells) - len(found.fewest_dice.cells) == max(20 - len(left.empty_cells()) for left in legal)


# --- Objectives --------------------------------------------------------------------------------------


def full_corners(board: Board) -> list[tuple[tuple[int, int], ...]]:
    """Return each corner with a die."""
    return [(cell,) for cell in ((0, 0), (0, 4), (3, 0), (3, 4)) if board[cell]]


@given(strategies.boards)
def test_an_added_objective_counts_as_the_others_do(board: Board) -> None:
    """By name, with its groups, in a breakdown and in the search for dice to take off."""
    card = PublicObjective.add(NAMES[0], 3, full_corners, "Dice on corners", "#...# / ..... / ..... / #...#")
    number = len(full_corners(board))
    assert card.score(board).points == 3 * number
    assert card.score(board).formula == f"{number} x 3"
    assert score_player(board, [NAMES[0]]).lines[0].points == 3 * number
    part = [cell for cell, _ in board.dice()][::2]
    assert points_counter(board, [card], [], 0)(part_of(part)) == card.score(board.only(part)).points
    assert card not in list(PublicObjective)
    assert str(card.rule) == "Dice on corners"
    assert str(card.counted(card.score(board).groups)).startswith(str(number) if number else "Dice on")
