"""What a tool card changes for a drafted die: nothing at once, but perhaps as a second step or beforehand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    Board,
    Change,
    Die,
    HouseRule,
    Move,
    Tool,
    Toolbox,
    ToolEffect,
    WindowPattern,
    changes_by_tools,
    moves_after_placing,
)
from tests import strategies
from tests.scoring import oracles

BRUSH, BURNISHER = Tool.EGLOMISE_BRUSH, Tool.COPPER_FOIL_BURNISHER
COLOR_RULE, VALUE_RULE = HouseRule
CORNER = Board.parse("R1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
PRINTED = WindowPattern.parse(".P... / 6.... / ..... / .....")
FREE = WindowPattern.parse("..... / ..... / ..... / .....")


@pytest.mark.parametrize(
    ("effect", "numbers"),
    [
        (ToolEffect.CHANGES_DIE, [1, 5, 6, 10, 11]),
        (ToolEffect.MOVES_DICE, [2, 3, 4, 12]),
        (ToolEffect.CHANGES_TURN, [7, 8]),
        (ToolEffect.FREES_PLACEMENT, [9]),
    ],
)
def test_every_tool_has_its_effect(effect: ToolEffect, numbers: list[int]) -> None:
    """The cards, by their numbers, say what they do; those that move dice are named so."""
    assert [tool.number for tool in Tool if tool.effect is effect] == numbers
    assert all(tool.moves_dice is (effect is ToolEffect.MOVES_DICE) for tool in Tool if tool.effect is effect)


def test_brush_and_burnisher_move_a_die_on_once_it_lies() -> None:
    """Each lifts its own print: B2 takes the die, then the brush may move it to A2, the burnisher to B1."""
    assert moves_after_placing(CORNER, Die.parse("G2"), PRINTED, Tool) == (
        Move(BRUSH, ((1, 1),), ((0, 1),)),
        Move(BURNISHER, ((1, 1),), ((1, 0),)),
    )


def test_a_die_that_can_be_placed_nowhere_cannot_be_moved() -> None:
    """The tool moves dice that lie, so there is no second step without a first."""
    nowhere = WindowPattern.parse(".P... / P6... / ..... / .....")
    assert moves_after_placing(CORNER, Die.parse("G2"), nowhere, Tool) == ()


def test_a_tool_that_opens_nothing_is_not_named() -> None:
    """On a card without prints no move is worth a token; without a known card neither."""
    assert moves_after_placing(CORNER, Die.parse("G2"), FREE, Tool) == ()
    assert moves_after_placing(CORNER, Die.parse("G2"), None, Tool) == ()


@pytest.mark.parametrize(("rule", "tool", "die"), [(COLOR_RULE, BRUSH, "R2"), (VALUE_RULE, BURNISHER, "G1")])
def test_under_a_house_rule_a_moved_die_may_lie_beside_its_like(
    rule: HouseRule, tool: Tool, die: str
) -> None:
    """The brush for a color, the burnisher for a value; without the rule, or with the other tool, not."""
    with_rule = Toolbox([tool], house_rules=[rule])
    assert moves_after_placing(CORNER, Die.parse(die), FREE, with_rule) == (
        Move(tool, ((1, 1),), ((0, 1), (1, 0))),
    )
    assert moves_after_placing(CORNER, Die.parse(die), FREE, [tool]) == ()
    other = Toolbox(set(Tool) - {tool}, house_rules=HouseRule)
    assert moves_after_placing(CORNER, Die.parse(die), FREE, other) == ()


def test_the_first_die_is_moved_along_the_edge() -> None:
    """The only die in the window is placed on the edge and stays there, whatever moves it."""
    window = WindowPattern.parse("P.... / .P... / ..... / .....")
    (move,) = moves_after_placing(Board.empty(), Die.parse("G2"), window, [BRUSH])
    assert (len(move.via), move.to) == (13, ((0, 0),))


@given(
    strategies.sparse_boards(max_dice=8) | strategies.played_boards(),
    strategies.dice,
    strategies.patterns(),
    st.sets(st.sampled_from(list(Tool))),
    st.sets(st.sampled_from(list(HouseRule))),
)
def test_moves_agree_with_every_pair_of_steps_tried_out(
    board: Board, die: Die, pattern: WindowPattern, tools: set[Tool], rules: set[HouseRule]
) -> None:
    """Placing the die everywhere and moving it everywhere by the rulebook finds the same steps."""
    rows = oracles.rows_of(pattern)
    found = moves_after_placing(board, die, pattern, Toolbox(tools, house_rules=rules))
    tried = {
        tool.value: oracles.two_steps(board, str(die), rows, tool.value, beside=rule in rules)
        for tool, rule in ((BRUSH, COLOR_RULE), (BURNISHER, VALUE_RULE))
        if tool in tools
    }
    assert {one.tool.value: {(via, to) for via in one.via for to in one.to} for one in found} == {
        tool: steps for tool, steps in tried.items() if steps
    }
    assert all(list(cells) == sorted(cells) for one in found for cells in (one.via, one.to))


def test_pliers_and_grinding_stone_make_other_dice() -> None:
    """The pliers go one up or down, the stone to the other side of the die, and each goes where it fits."""
    window = WindowPattern.parse(".2... / 65... / ..... / .....")
    assert changes_by_tools(CORNER, Die.parse("G1"), window, Tool) == (
        Change(Tool.GROZING_PLIERS, Die.parse("G2"), ((0, 1),)),
        Change(Tool.GRINDING_STONE, Die.parse("G6"), ((1, 0),)),
    )
    for die, made in {"G4": ["G3", "G5", "G3"], "G6": ["G5", "G1"]}.items():
        assert [str(one.die) for one in changes_by_tools(CORNER, Die.parse(die), FREE, Tool)] == made


_MADE_BY = {
    Tool.GROZING_PLIERS: ["2", "13", "24", "35", "46", "5"],
    Tool.GRINDING_STONE: ["6", "5", "4", "3", "2", "1"],
}


@given(
    strategies.sparse_boards(max_dice=8) | strategies.played_boards(),
    strategies.dice,
    strategies.patterns(),
    st.sets(st.sampled_from(list(Tool))),
)
def test_changes_agree_with_the_table_of_what_the_cards_say(
    board: Board, die: Die, pattern: WindowPattern, tools: set[Tool]
) -> None:
    """Each die that the two cards can make goes where the rules let it; chance is left out."""
    dice, rows = oracles.dice_on(board), oracles.rows_of(pattern)
    wanted = [
        (tool, made, cells)
        for tool, by_value in _MADE_BY.items()
        if tool in tools
        for made in (die.color.value + value for value in by_value[die.value - 1])
        if (cells := tuple(spot for spot in oracles.SPOTS if oracles.may_place(dice, spot, made, rows)))
    ]
    found = changes_by_tools(board, die, pattern, tools)
    assert [(one.tool, str(one.die), one.cells) for one in found] == wanted
