from __future__ import annotations

import pytest
from hypothesis import given

from scoring import (
    WINDOW_PATTERNS,
    Board,
    HouseRule,
    Tool,
    Toolbox,
    WindowPattern,
    check_placement,
    placement_problems,
)
from tests import strategies
from tests.scoring import rulebook

ROW = " / -- -- -- -- --"
FREE = " / ....."
BRUSH, BURNISHER, CORK = Tool.EGLOMISE_BRUSH, Tool.COPPER_FOIL_BURNISHER, Tool.CORK_BACKED_STRAIGHTEDGE
MOVING = (BRUSH, BURNISHER, Tool.LATHEKIN, Tool.TAP_WHEEL)

# Three dice on spaces of another color, four on spaces of another value, all else in order.
COLORS_BROKEN = "G1 Y2 P3 -- --" + 3 * ROW
COLOR_CARD = "RRR.." + 3 * FREE
VALUE_CARD = "666.." + 3 * FREE
TWO_GROUPS = "G1 Y2 -- -- R5" + 3 * ROW
THREE_GROUPS = "G1 Y2 -- -- R5 / -- -- -- -- -- / -- -- -- -- -- / B2 -- -- -- --"


def legal(text: str, card: str | None = None, *tools: Tool | str, **more: object) -> bool:
    """Return whether nothing is wrong in a game with these tools."""
    pattern = None if card is None else WindowPattern.parse(card, difficulty=more.pop("difficulty", None))  # type: ignore[arg-type]
    return placement_problems(Board.parse(text), pattern, Toolbox(tools, **more)) == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "text", "could_excuse"),
    [
        ("color_restriction", "G1 -- -- -- --" + 3 * ROW, {BRUSH}),
        ("value_restriction", "-- G1 -- -- --" + 3 * ROW, {BURNISHER}),
        ("same_color_neighbors", "-- -- G1 G2 --" + 3 * ROW, set()),
        ("same_value_neighbors", "-- -- G1 R1 --" + 3 * ROW, set()),
        ("first_die_edge", "-- -- -- -- -- / -- R3 G4 -- --" + 2 * ROW, set(MOVING)),
        ("not_connected", "-- -- G1 Y2 -- / -- -- -- -- --" + ROW + " / R2 -- -- -- --", {*MOVING, CORK}),
    ],
)
def test_tools_excuse_what_their_cards_say_and_nothing_else(
    code: str, text: str, could_excuse: set[Tool]
) -> None:
    """Each of the twelve tools turns exactly the problems it can be the reason for into a notice."""
    pattern = WindowPattern.parse("R4..." + 3 * FREE)
    (problem,) = placement_problems(Board.parse(text), pattern)
    assert problem.code == code
    assert set(problem.could_excuse) == could_excuse
    for tool in Tool:
        report = check_placement(Board.parse(text), pattern, [tool])
        assert report.is_legal is (tool in could_excuse), tool
        assert [(notice.code, notice.excused_by) for notice in report.notices] == (
            [(code, (tool,))] if tool in could_excuse else []
        )


def test_a_tool_accounts_for_as_many_dice_as_its_tokens_pay_for() -> None:
    """The first use costs one token and each later one two: three tokens are two uses, five are three."""
    assert not legal(COLORS_BROKEN, COLOR_CARD, BRUSH, difficulty=3)
    assert not legal(COLORS_BROKEN, COLOR_CARD, BRUSH, difficulty=4)
    assert legal(COLORS_BROKEN, COLOR_CARD, BRUSH, difficulty=5)
    assert legal(COLORS_BROKEN, COLOR_CARD, BRUSH, difficulty=6)
    assert legal(COLORS_BROKEN, VALUE_CARD, BURNISHER, difficulty=5)
    assert not legal("G1 Y2 P3 R4 --" + 3 * ROW, "6666." + 3 * FREE, BURNISHER, difficulty=6)
    # Where nobody knows the tokens, the player may have had as many as any window brings.
    assert legal(COLORS_BROKEN, COLOR_CARD, BRUSH)
    assert not legal("G1 Y2 P3 Y4 --" + 3 * ROW, "RRRR." + 3 * FREE, BRUSH)


def test_tokens_that_were_not_spent_pay_for_nothing() -> None:
    """A player who spent no token used no tool; the tokens given never exceed those of the window."""
    one = "G1 -- -- -- --" + 3 * ROW
    assert not legal(one, COLOR_CARD, BRUSH, tokens=0)
    assert legal(one, COLOR_CARD, BRUSH, tokens=1)
    assert not legal(COLORS_BROKEN, COLOR_CARD, BRUSH, tokens=4)
    assert legal(COLORS_BROKEN, COLOR_CARD, BRUSH, tokens=5)
    assert not legal(COLORS_BROKEN, COLOR_CARD, BRUSH, tokens=5, difficulty=4)


def test_two_tools_share_the_tokens() -> None:
    """A color and a value excused cost a token each; two of both cost six."""
    text, card = "G1 Y2 P3 R4 --" + 3 * ROW, "RR66." + 3 * FREE
    assert legal("G1 -- -- -- --" + 3 * ROW, "R...." + 3 * FREE, BRUSH, BURNISHER, tokens=1)
    assert not legal("G1 Y2 -- -- --" + 3 * ROW, "R6..." + 3 * FREE, BRUSH, BURNISHER, tokens=1)
    assert legal("G1 Y2 -- -- --" + 3 * ROW, "R6..." + 3 * FREE, BRUSH, BURNISHER, tokens=2)
    assert not legal(text, card, BRUSH, BURNISHER, tokens=5)
    assert legal(text, card, BRUSH, BURNISHER, tokens=6)


def test_in_a_solo_game_each_tool_works_once() -> None:
    """A tool that a die was paid for leaves the game, whatever tokens there would be."""
    assert legal("G1 -- -- -- --" + 3 * ROW, COLOR_CARD, BRUSH, solo=True)
    assert not legal("G1 Y2 -- -- --" + 3 * ROW, COLOR_CARD, BRUSH, solo=True)
    assert legal("G1 Y2 -- -- --" + 3 * ROW, "R6..." + 3 * FREE, BRUSH, BURNISHER, solo=True)
    assert not legal(THREE_GROUPS, None, CORK, solo=True)


def test_a_rule_is_excused_in_all_places_or_in_none() -> None:
    """When the tokens reach for two of three dice, nobody can tell which is wrong: all are named."""
    pattern = WindowPattern.parse(COLOR_CARD, difficulty=4)
    report = check_placement(Board.parse(COLORS_BROKEN), pattern, [BRUSH])
    assert [problem.cells for problem in report.problems] == [((0, 0),), ((0, 1),), ((0, 2),)]
    assert report.notices == ()
    assert report.problems[0].message == (
        "A1: green 1 on a space that needs red. "
        "Eglomise Brush cannot have been used often enough to excuse this."
    )


def test_what_can_be_excused_is_while_the_rest_stays_a_problem() -> None:
    """A color that the brush accounts for is a notice also when a value elsewhere is wrong."""
    report = check_placement(
        Board.parse("G1 Y2 -- -- --" + 3 * ROW), WindowPattern.parse("R6..." + 3 * FREE), [BRUSH]
    )
    assert [problem.code for problem in report.problems] == ["value_restriction"]
    assert [notice.message for notice in report.notices] == [
        "A1: green 1 on a space that needs red. Eglomise Brush allows that."
    ]


def test_the_straightedge_starts_one_group_a_use() -> None:
    """Two groups are one use, three groups two; the tokens of one tool pay for that or not."""
    assert legal(TWO_GROUPS, None, CORK, tokens=1)
    assert not legal(THREE_GROUPS, None, CORK, tokens=2)
    assert legal(THREE_GROUPS, None, CORK, tokens=3)


def test_a_tool_that_moves_dice_can_leave_any_number_of_groups() -> None:
    """One die taken from the middle may have held all the others together."""
    for tool in MOVING:
        assert legal(THREE_GROUPS, None, tool, tokens=1)


def test_the_move_that_excused_a_color_may_have_left_dice_apart() -> None:
    """One use of the brush accounts for a die on another color and for dice left behind."""
    assert legal(TWO_GROUPS, "R...." + 3 * FREE, BRUSH, tokens=1)
    assert not legal(TWO_GROUPS, "R...." + 3 * FREE, BRUSH, Tool.LATHEKIN, tokens=0)


def test_a_moved_die_touches_another() -> None:
    """Dice that are all alone cannot come from moves: the last one moved touched another die."""
    alone = "G1 -- -- -- R5" + 3 * ROW
    assert not legal(alone, None, *MOVING)
    assert legal(alone, None, CORK)
    # ... or it was the only die, and then it went along the edge.
    assert not legal(alone, "R...." + 3 * FREE, BRUSH, CORK, tokens=1)
    assert legal(alone, "R...." + 3 * FREE, BRUSH, CORK, tokens=2)
    assert not legal("-- -- -- -- -- / -- G1 -- -- --" + 2 * ROW, None, *MOVING, CORK)


def test_a_die_that_the_brush_moved_last_touches_another() -> None:
    """When the one use accounts for a die that lies alone, nothing else was moved that left it alone."""
    lonely = "R1 G2 -- -- --" + 2 * ROW + " / -- -- -- -- B5"
    card = "....." + 2 * FREE + " / ....R"
    assert not legal(lonely, card, BRUSH, tokens=2)
    assert not legal(lonely, card, BRUSH, solo=True)
    assert legal(lonely, card, BRUSH, tokens=3)
    assert legal(lonely, card, BRUSH, Tool.TAP_WHEEL, solo=True)
    # ... unless it was moved along the edge before there was another die.
    assert legal(lonely, card, BRUSH, CORK, tokens=2)
    inside = "R1 G2 -- -- --" + ROW + " / -- -- -- B5 --" + ROW
    assert not legal(inside, "....." + FREE + " / ...R." + FREE, BRUSH, CORK, tokens=2)
    two = "-- R1 G2 -- -- / -- -- -- -- --" + ROW + " / B5 -- -- -- G4"
    assert not legal(two, "....." + 2 * FREE + " / R...R", BRUSH, CORK, tokens=4)


def test_a_notice_names_the_tool_for_each_rule() -> None:
    """A lone die moved by the brush and one placed by the straightedge have a tool each."""
    report = check_placement(
        Board.parse("G1 -- -- -- R5" + 3 * ROW), WindowPattern.parse("R...." + 3 * FREE), [BRUSH, CORK]
    )
    assert report.is_legal
    assert [notice.excused_by for notice in report.notices] == [(BRUSH,), (CORK,)]
    assert report.notices[0].message == "A1: green 1 on a space that needs red. Eglomise Brush allows that."


def test_apart_and_away_from_the_edge_is_one_move() -> None:
    """The die that was moved from the edge may also have held two groups together."""
    inside = "-- -- -- -- -- / -- G4 -- Y5 -- / -- R2 -- -- --" + ROW
    assert not legal(inside, None, CORK)
    assert legal(inside, None, Tool.LATHEKIN, tokens=1)


@pytest.mark.parametrize(
    ("house_rule", "tool", "text"),
    [
        (HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS, BRUSH, "G1 G2 -- -- --" + 3 * ROW),
        (HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS, BURNISHER, "G1 R1 -- -- --" + 3 * ROW),
    ],
)
def test_neighbors_alike_are_excused_only_where_the_group_agreed_on_it(
    house_rule: HouseRule, tool: Tool, text: str
) -> None:
    """Without the house rule no tool lifts the neighbor rules; with it only its own tool does."""
    assert not any(legal(text, None, one) for one in Tool)
    assert [one for one in Tool if legal(text, None, one, house_rules=[house_rule])] == [tool]
    (other,) = set(HouseRule) - {house_rule}
    assert not legal(text, None, tool, house_rules=[other])
    (problem,) = placement_problems(Board.parse(text), None, Toolbox(house_rules=[house_rule]))
    assert problem.could_excuse == (tool,)


def test_under_a_house_rule_one_moved_die_accounts_for_all_its_neighbors() -> None:
    """Four green dice around a green one are one use; two pairs far apart are two."""
    rule = HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS
    cross = "-- G1 -- -- -- / G3 G2 G4 -- -- / -- G5 -- -- --" + ROW
    assert legal(cross, None, BRUSH, house_rules=[rule], tokens=1)
    pairs = "G1 G2 -- R1 R2 / -- -- Y4 -- --" + 2 * ROW
    assert not legal(pairs, None, BRUSH, house_rules=[rule], tokens=2)
    assert legal(pairs, None, BRUSH, house_rules=[rule], tokens=3)


def test_no_tool_accounts_for_neighbors_alike_in_color_and_value() -> None:
    """Whichever of the two came last would have needed brush and burnisher in one turn."""
    rules = list(HouseRule)
    assert legal("G1 G2 R2 -- --" + 3 * ROW, None, BRUSH, BURNISHER, house_rules=rules)
    assert not legal("G1 G1 -- -- --" + 3 * ROW, None, BRUSH, BURNISHER, house_rules=rules)


def test_a_die_came_to_its_space_by_one_tool() -> None:
    """A die that the burnisher must have moved is not the one that the brush moved."""
    rules = list(HouseRule)
    text, card = "G1 G2 -- -- --" + 3 * ROW, "66..." + 3 * FREE
    # Both dice are on values that need the burnisher, so none of them can have come by the brush.
    assert not legal(text, card, BRUSH, BURNISHER, house_rules=rules)
    assert legal(text, "6...." + 3 * FREE, BRUSH, BURNISHER, house_rules=rules, tokens=2)


def test_the_tools_sentence_says_whether_they_are_in_the_game() -> None:
    """It differs when nobody named the tools, when other tools are in, and for one tool and several."""
    board, window = rulebook.SCORED_BOARD, WINDOW_PATTERNS[rulebook.WINDOW]

    def about(*tools: Tool) -> str:
        (problem,) = placement_problems(board, window, tools)
        return str(problem.about_tools)

    assert about() == "Copper Foil Burnisher could excuse it."
    assert about(Tool.LATHEKIN, Tool.FLUX_BRUSH) == (
        "Copper Foil Burnisher could excuse it; it is not in this game."
    )
    (problem,) = placement_problems(Board.parse(THREE_GROUPS), None, [Tool.FLUX_BRUSH])
    assert str(problem.about_tools) == (
        "Eglomise Brush, Copper Foil Burnisher, Lathekin, Tap Wheel or Cork-backed Straightedge could excuse "
        "it; none of them is in this game."
    )
    (problem, _) = placement_problems(Board.parse("G1 G1 -- -- --" + 3 * ROW), None, [Tool.FLUX_BRUSH])
    assert problem.about_tools is None


def test_a_notice_explains_dice_left_behind() -> None:
    """Dice apart and a window without a die on the edge are explained, with the tools in the game."""
    report = check_placement(Board.parse(TWO_GROUPS), None, [CORK, Tool.TAP_WHEEL, Tool.FLUX_BRUSH])
    (notice,) = report.notices
    assert (notice.code, notice.cells, notice.excused_by) == (
        "not_connected",
        ((0, 4),),
        (Tool.TAP_WHEEL, CORK),
    )
    assert notice.message == (
        "A5: this die does not touch the other dice, not even by a corner. Tap Wheel or "
        "Cork-backed Straightedge can leave dice apart, and that is allowed."
    )
    inside = Board.parse("-- -- -- -- -- / -- R3 G4 -- --" + 2 * ROW)
    (notice,) = check_placement(inside, None, [Tool.LATHEKIN]).notices
    assert str(notice.about_tools) == (
        "Lathekin can take the first die away from the edge, and that is allowed."
    )


def test_a_toolbox_keeps_the_order_of_the_cards() -> None:
    """Tools given twice or in another order make the same toolbox, and a house rule goes by its name."""
    rules = list(HouseRule)
    assert Toolbox(
        ["Lathekin", Tool.FLUX_BRUSH, BRUSH, "lathekin"], house_rules=[rule.value.lower() for rule in rules]
    ) == Toolbox([BRUSH, Tool.LATHEKIN, Tool.FLUX_BRUSH], house_rules=rules)


@given(strategies.boards, strategies.patterns())
def test_more_tools_never_make_more_problems(board: Board, pattern: WindowPattern) -> None:
    """What stays a problem with all tools, and what becomes a notice, together are the problems without."""
    bare = {(problem.code, problem.cells) for problem in placement_problems(board, pattern)}
    report = check_placement(board, pattern, Tool)
    kept = {(problem.code, problem.cells) for problem in report.problems}
    excused = {(notice.code, notice.cells) for notice in report.notices}
    assert kept | excused == bare
    assert not kept & excused
