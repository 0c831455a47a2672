from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Cell,
    Color,
    Die,
    HouseRule,
    Lift,
    ProblemCode,
    PublicObjective,
    Tool,
    Toolbox,
    ToolEffect,
    WindowPattern,
    cell_name,
    placement_problems,
    score_player,
)
from scoring.board import part_of
from scoring.placement.finished import tools_named_by
from scoring.placement.removals import Removal, Removals, best_removals, points_counter
from scoring.points.private import PRIVATE_OBJECTIVES, PrivateObjective
from tests import strategies
from tests.scoring import oracles, rulebook

ROW = " / -- -- -- -- --"
FREE = " / ....."
BRUSH, BURNISHER, CORK = Tool.EGLOMISE_BRUSH, Tool.COPPER_FOIL_BURNISHER, Tool.CORK_BACKED_STRAIGHTEDGE


def names(removal: Removal) -> str:
    """Return the cells of a removal as people write them."""
    return " ".join(cell_name(cell) for cell in removal.cells)


def without(board: Board, cells: Iterable[Cell]) -> Board:
    """Return the board without the dice in these cells."""
    for row, column in cells:
        board = board.replace(row, column, None)
    return board


# --- What the player is told -----------------------------------------------------------------------


def test_the_rulebook_example_loses_its_red_die() -> None:
    """The red 3 at C5 has to go: its cell counts as empty, a column and a set of colors miss it."""
    removals = best_removals(
        rulebook.SCORED_BOARD, WINDOW_PATTERNS[rulebook.WINDOW], rulebook.PUBLIC, rulebook.PRIVATE
    )
    assert removals.most_points == removals.fewest_dice
    removal = removals.most_points
    assert names(removal) == "C5"
    assert removal.board == rulebook.SCORED_BOARD.replace(2, 4, None)
    assert (removal.points_before, removal.points_after) == (40, 30)
    assert removal.points_lost == 10
    assert str(removal.sentence) == "Take off C5: that costs 10 points."


def test_from_a_legal_window_nothing_is_taken() -> None:
    """When no rule is broken both answers are the window as it is."""
    board = rulebook.SCORED_BOARD.replace(2, 4, None)
    for removal in vars(best_removals(board, WINDOW_PATTERNS[rulebook.WINDOW])).values():
        assert removal == Removal((), board, -4, -4)
        assert removal.points_lost == 0
        assert str(removal.sentence) == "Take nothing off: no rule is broken."


# --- Which dice go ---------------------------------------------------------------------------------


def test_the_die_that_earns_less_goes() -> None:
    """Of two red dice side by side the player keeps the one that the private objective pays more for."""
    board = Board.parse("R6 R2 -- -- --" + 3 * ROW)
    assert names(best_removals(board, private=Color.RED).most_points) == "A2"
    assert names(best_removals(board, private=Color.BLUE).most_points) == "A1"


def test_the_first_die_in_reading_order_goes_when_nothing_else_decides() -> None:
    """Of two dice alike the one further up goes, and on the same row the one further left."""
    assert names(best_removals(Board.parse("R1 R1 -- -- --" + 3 * ROW)).most_points) == "A1"
    assert names(best_removals(Board.parse("B1 R2 -- -- -- / -- R3 -- -- --" + 2 * ROW)).fewest_dice) == "A2"


def test_most_points_and_fewest_dice_may_be_two_answers() -> None:
    """A red 6 between two red dice goes for the fewest dice; for the most points the two others go."""
    board = Board.parse("R1 R6 R2 -- -- / B4 G5 Y4 -- --" + 2 * ROW)
    removals = best_removals(board, private=Color.RED)
    assert names(removals.fewest_dice) == "A2"
    assert names(removals.most_points) == "A1 A3"
    assert removals.most_points.points_after - removals.fewest_dice.points_after == 6 - 1 - 2 - 1


def test_of_two_groups_the_one_that_earns_more_stays() -> None:
    """When the dice do not hang together the player keeps one group, not always the larger."""
    board = Board.parse("R6 -- B1 G2 --" + 3 * ROW)
    removals = best_removals(board, private=Color.RED)
    assert (names(removals.most_points), names(removals.fewest_dice)) == ("A3 A4", "A1")


def test_a_group_without_a_die_on_the_edge_cannot_stay() -> None:
    """The first die went on the edge, so the group that stays has one there."""
    board = Board.parse("-- -- -- -- -- / -- R1 G2 -- -- / -- -- -- -- -- / -- -- -- -- P3")
    assert names(best_removals(board).fewest_dice) == "B2 B3"
    inside = Board.parse("-- -- -- -- -- / -- R1 G2 -- --" + 2 * ROW)
    assert best_removals(inside).most_points.board == Board.empty()
    apart = Board.parse("-- -- -- -- -- / -- R1 -- G2 --" + 2 * ROW)
    assert best_removals(apart).most_points.board == Board.empty()


# --- Solo and further parameters -------------------------------------------------------------------


def test_in_a_solo_game_the_better_private_objective_counts() -> None:
    """Red gives 6 before; without A1 blue gives 5, and that counts then."""
    board = Board.parse("R6 Y6 B5 -- --" + 3 * ROW)
    pattern = WindowPattern.parse("1...." + 3 * FREE)
    removal = best_removals(board, pattern, private=[Color.RED, Color.BLUE]).most_points
    assert removal.points_before == 6 - 17
    assert removal.points_after == 5 - 18


def test_the_price_of_an_empty_cell_can_decide() -> None:
    """Giving up two dice worth 1 point each instead of one worth 4 pays at -1 an empty cell, not at -3."""
    board = Board.parse("R1 R4 R1 -- -- / B5 G2 Y5 -- --" + 2 * ROW)
    assert names(best_removals(board, private=Color.RED).most_points) == "A1 A3"
    dear = best_removals(board, private=Color.RED, points_per_empty_cell=-3).most_points
    assert names(dear) == "A2"
    assert (dear.points_before, dear.points_after) == (6 - 3 * 14, 2 - 3 * 15)


# --- Tools -----------------------------------------------------------------------------------------


def test_what_a_tool_accounts_for_may_stay() -> None:
    """With Copper Foil Burnisher in the game the red 3 of the rulebook may lie where it lies."""
    removals = best_removals(
        rulebook.SCORED_BOARD, WINDOW_PATTERNS[rulebook.WINDOW], tools=["Copper Foil Burnisher"]
    )
    assert removals.most_points.cells == ()


def test_only_the_dice_go_for_which_the_tokens_do_not_reach() -> None:
    """Three dice on spaces of another color, tokens for two uses of Eglomise Brush: the cheapest goes."""
    board = Board.parse("G1 Y6 P3 -- --" + 3 * ROW)
    pattern = WindowPattern.parse("RRR.." + 3 * FREE)
    toolbox = Toolbox([BRUSH], tokens=3)
    assert names(best_removals(board, pattern, tools=toolbox).most_points) == "A1"
    assert names(best_removals(board, pattern, private=Color.GREEN, tools=toolbox).most_points) == "A3"
    one_use = Toolbox([BRUSH], tokens=1)
    assert names(best_removals(board, pattern, private=Color.YELLOW, tools=one_use).most_points) == "A1 A3"


def test_with_a_moving_tool_dice_may_lie_apart() -> None:
    """Lathekin can have left the two groups; without it one of them goes."""
    board = Board.parse("R6 B2 -- Y2 P5" + 3 * ROW)
    assert best_removals(board, tools=[Tool.LATHEKIN]).most_points.cells == ()
    assert names(best_removals(board, tools=[Tool.GLAZING_HAMMER]).most_points) == "A1 A2"


def test_tokens_for_one_use_leave_two_groups() -> None:
    """Cork-backed Straightedge accounts for one further group with each use: one of three groups goes."""
    board = Board.parse("R6 -- Y2 -- P5" + 3 * ROW)
    removal = best_removals(board, private=Color.YELLOW, tools=Toolbox([CORK], tokens=1)).most_points
    assert names(removal) == "A1"


def test_the_tokens_are_shared_between_dice_and_groups() -> None:
    """One token pays for the die on the wrong space or for the second group, not for both."""
    board = Board.parse("R6 -- Y2 G3 --" + 3 * ROW)
    pattern = WindowPattern.parse("..B.." + 3 * FREE)
    toolbox = Toolbox([BRUSH, CORK], tokens=1)
    assert best_removals(board, pattern, tools=toolbox).most_points.cells == ()
    alone = board.replace(0, 3, None)
    assert names(best_removals(alone, pattern, tools=toolbox).most_points) == "A1"
    assert names(best_removals(alone, pattern, private=Color.RED, tools=toolbox).most_points) == "A3"


def test_a_die_that_one_tool_brought_was_not_brought_by_another() -> None:
    """Both dice need the burnisher, so the brush accounts for neither: tokens or not, one of them goes."""
    board = Board.parse("G1 G2 -- -- --" + 3 * ROW)
    card = WindowPattern.parse("66... / ..... / ..... / .....")
    tools = Toolbox([BRUSH, BURNISHER], 6, house_rules=list(HouseRule))
    assert names(best_removals(board, card, tools=tools).most_points) == "A1"


def test_under_a_house_rule_a_die_may_stay_beside_one_of_its_color() -> None:
    """One use of Eglomise Brush accounts for the red die between two red ones; without the rule it goes."""
    board = Board.parse("R1 R2 R3 -- -- / B4 G5 Y6 -- --" + 2 * ROW)
    rule = HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS
    assert best_removals(board, tools=Toolbox([BRUSH], 1, house_rules=[rule])).most_points.cells == ()
    assert names(best_removals(board, tools=Toolbox([BRUSH], 1)).most_points) == "A2"
    # Alike in color and value needs two tools at once, whatever the tokens.
    alike = Board.parse("R1 R1 B2 -- --" + 3 * ROW)
    both = Toolbox([BRUSH, BURNISHER], house_rules=list(HouseRule))
    assert names(best_removals(alike, tools=both).most_points) == "A1"


# --- The proof: all removals there are -------------------------------------------------------------

Choice = tuple[int, int, tuple[Cell, ...]]
"""Points afterwards, number of dice off, and where they lay."""


def the_best(choices: Sequence[Choice]) -> tuple[Choice, Choice]:
    """Return the choices that keep most points and that take fewest dice."""
    return (
        min(choices, key=lambda choice: (-choice[0], choice[1], choice[2])),
        min(choices, key=lambda choice: (choice[1], -choice[0], choice[2])),
    )


def playable_parts(board: Board, pattern: WindowPattern | None) -> set[frozenset[Cell]]:
    """Return every part of the dice that can be placed die by die, as the oracle of the rules allows it."""
    spaces = ["....."] * 4 if pattern is None else oracles.rows_of(pattern)
    dice = oracles.dice_on(board)
    parts: set[frozenset[Cell]] = {frozenset()}
    newest = list(parts)
    while newest:
        placed = newest.pop()
        for cell, die in dice.items():
            part = placed | {cell}
            lying = {other: dice[other] for other in placed}
            if part not in parts and oracles.may_place(lying, cell, die, spaces):
                parts.add(part)
                newest.append(part)
    return parts


def legal_parts(
    board: Board, pattern: WindowPattern | None, tools: Toolbox | Sequence[Tool]
) -> Iterable[frozenset[Cell]]:
    """Return every part of the dice in which `placement_problems` finds nothing wrong."""
    cells = [cell for cell, _ in board.dice()]
    for number in range(len(cells) + 1):
        for part in combinations(cells, number):
            gone = set(cells) - set(part)
            if not placement_problems(without(board, gone), pattern, tools):
                yield frozenset(part)


def all_choices(
    board: Board, parts: Iterable[frozenset[Cell]], points: Callable[[Board], int]
) -> list[Choice]:
    """Return what each of these parts, left in the window, gives and takes."""
    choices = []
    for part in parts:
        off = tuple(cell for cell, _ in board.dice() if cell not in part)
        choices.append((points(without(board, off)), len(off), off))
    return choices


def check(
    removals: Removals, board: Board, parts: Iterable[frozenset[Cell]], points: Callable[[Board], int]
) -> None:
    """Compare both answers with the best of all choices, tie-breaks and boards included."""
    most, fewest = the_best(all_choices(board, parts, points))
    for removal, (after, _, off) in ((removals.most_points, most), (removals.fewest_dice, fewest)):
        assert removal == Removal(off, without(board, off), points(board), after)


def oracle_points(
    board: Board, objectives: Sequence[PublicObjective], private: Sequence[Color], each_empty: int
) -> int:
    """Return the points as the oracles of the objectives count them."""
    return (
        sum(oracles.public_points(objective.value, board) for objective in objectives)
        + max((oracles.private_points(color.value, board) for color in private), default=0)
        + each_empty * (20 - len(oracles.dice_on(board)))
    )


def points_of(objectives: Sequence[PublicObjective], private: Color | None) -> Callable[[Board], int]:
    """Return a function that counts as `score_player` does."""
    return lambda board: score_player(board, objectives, private).total


few_objectives = st.lists(st.sampled_from(PublicObjective), unique=True, max_size=3)
privates = st.one_of(st.none(), st.sampled_from(Color))
toolboxes = st.builds(
    Toolbox,
    st.lists(st.sampled_from([BRUSH, BURNISHER, CORK, Tool.LATHEKIN]), unique=True),
    st.one_of(st.none(), st.integers(0, 6)),
    solo=st.booleans(),
    house_rules=st.lists(st.sampled_from(HouseRule), unique=True),
)
some_patterns = st.one_of(st.none(), strategies.patterns_mostly_free(), strategies.patterns())


@st.composite
def crowded_boards(draw: st.DrawFn, max_dice: int) -> Board:
    """Boards with a full row or column and a few more dice, of few colors and values, so that they clash."""
    lines = [[(row, column) for column in range(5)] for row in range(4)]
    lines += [[(row, column) for row in range(4)] for column in range(5)]
    cells = list(draw(st.sampled_from(lines)))
    for cell in draw(st.lists(st.sampled_from(ALL_CELLS), max_size=8, unique=True)):
        if len(cells) < max_dice and cell not in cells:
            cells.append(cell)
    colors = draw(st.lists(st.sampled_from(Color), min_size=1, max_size=5))
    values = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    board = Board.empty()
    for row, column in cells:
        board = board.replace(row, column, Die(draw(st.sampled_from(colors)), draw(st.sampled_from(values))))
    return board


@given(
    st.one_of(crowded_boards(7), strategies.small_legal_or_not()),
    some_patterns,
    few_objectives,
    st.lists(st.sampled_from(Color), max_size=2),
    st.sampled_from([0, -1, -3]),
)
def test_no_removal_is_better_by_the_oracles(
    board: Board,
    pattern: WindowPattern | None,
    objectives: list[PublicObjective],
    private: list[Color],
    each_empty: int,
) -> None:
    """Among all parts that can be placed die by die, scored by the oracles, none beats the answers."""
    removals = best_removals(board, pattern, objectives, private, points_per_empty_cell=each_empty)
    check(
        removals,
        board,
        playable_parts(board, pattern),
        lambda part: oracle_points(part, objectives, private, each_empty),
    )


@pytest.mark.thorough
@given(crowded_boards(7), some_patterns, toolboxes, few_objectives, privates)
def test_no_removal_is_better_with_tools(
    board: Board,
    pattern: WindowPattern | None,
    toolbox: Toolbox,
    objectives: list[PublicObjective],
    private: Color | None,
) -> None:
    """Among all parts that are legal with these tools, tokens and house rules none beats the answers."""
    removals = best_removals(board, pattern, objectives, private, toolbox)
    check(removals, board, legal_parts(board, pattern, toolbox), points_of(objectives, private))


@pytest.mark.parametrize(
    "text",
    [
        "R1 R1 R1 B1 R1 / R1 R1 R1 R1 R1 / R1 B2 R1 R1 R1 / R1 R1 R1 R1 R1",
        "R1 R2 R1 R2 R1 / R2 R1 R2 R1 R2 / R1 R2 R1 R2 R1 / R2 R1 R2 R1 R2",
    ],
)
def test_no_removal_is_better_on_a_full_board(text: str) -> None:
    """The same holds for twenty dice with many mistakes: all their playable parts are looked at."""
    board = Board.parse(text)
    objectives = [PublicObjective.COLOR_DIAGONALS, PublicObjective.LIGHT_SHADES]
    removals = best_removals(board, None, objectives, Color.RED)
    check(removals, board, playable_parts(board, None), points_of(objectives, Color.RED))


# --- What holds for every window --------------------------------------------------------------------


@given(
    strategies.boards,
    st.lists(st.sampled_from(PublicObjective), unique=True),
    st.one_of(st.none(), st.sampled_from(PRIVATE_OBJECTIVES)),
    st.sets(st.sampled_from(ALL_CELLS)),
)
def test_the_quick_count_is_the_score(
    board: Board, objectives: list[PublicObjective], private: PrivateObjective | None, cells: set[Cell]
) -> None:
    """Any part of the dice gives in the search what `score_player` gives for a board with these dice."""
    points = points_counter(board, objectives, [private] if private else [], -1)
    left = without(board, set(ALL_CELLS) - cells)
    part = part_of(cell for cell, _ in left.dice())
    assert points(part) == score_player(left, objectives, private).total


@pytest.mark.parametrize("code", ProblemCode)
def test_no_two_tool_cards_speak_of_the_same_dice(code: ProblemCode) -> None:
    """The search counts one tool for each mistake, and no rule about dice and pairs is named by two cards."""
    if code not in (ProblemCode.FIRST_DIE_EDGE, ProblemCode.NOT_CONNECTED):
        assert len(tools_named_by(code, Toolbox(Tool, house_rules=HouseRule))) <= 1


any_tools = st.one_of(st.just(Toolbox()), toolboxes)


@given(strategies.boards, some_patterns, any_tools, few_objectives, privates)
def test_what_is_left_is_legal(
    board: Board,
    pattern: WindowPattern | None,
    toolbox: Toolbox,
    objectives: list[PublicObjective],
    private: Color | None,
) -> None:
    """Nothing is wrong afterwards, whatever the tools; the points are right; asking again removes nothing."""
    points = points_of(objectives, private)
    removals = best_removals(board, pattern, objectives, private, toolbox)
    for removal in (removals.most_points, removals.fewest_dice):
        assert removal.board == without(board, removal.cells)
        assert placement_problems(removal.board, pattern, toolbox) == ()
        assert (removal.points_before, removal.points_after) == (points(board), points(removal.board))
        again = best_removals(removal.board, pattern, objectives, private, toolbox)
        assert again.most_points.cells == again.fewest_dice.cells == ()
    assert removals.most_points.points_after >= removals.fewest_dice.points_after
    assert len(removals.most_points.cells) >= len(removals.fewest_dice.cells)
    if not placement_problems(board, pattern, toolbox):
        assert removals.most_points.cells == ()


def test_dice_apart_may_each_have_had_a_card_of_their_own() -> None:
    """Two cards that place a die apart leave three groups of dice; of four one has to go."""
    card = Tool.add("A card of ours", ToolEffect.FREES_PLACEMENT, Color.RED, [Lift.APART])
    try:
        board = Board.parse("R1 -- -- -- G2 / -- -- -- -- -- / -- -- -- -- -- / B3 -- -- -- Y4")
        answers = best_removals(board, tools=Toolbox([CORK, card], tokens=2))
        assert [len(one.cells) for one in (answers.most_points, answers.fewest_dice)] == [1, 1]
        alone = best_removals(board, tools=Toolbox([CORK], tokens=2)).fewest_dice
        assert len(alone.cells) == 2
    finally:
        Tool.forget("A card of ours")
