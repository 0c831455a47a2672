from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board, Color, Die
from scoring.errors import InvalidValueError
from scoring.game.setup import RoundTrack
from scoring.game.solo import SOLO, check_solo_tools, score_solo, tools_to_pay_for
from scoring.points.objectives import PublicObjective
from scoring.points.totals import LineKind, score_player
from scoring.tools import Tool
from tests import strategies
from tests.scoring import rulebook
from tests.scoring.oracles import private_points, public_points

two_cards = st.permutations(list(PublicObjective)).map(lambda cards: cards[:2])
two_colors = st.permutations(list(Color)).map(lambda colors: colors[:2])
targets = st.integers(0, 120)

# 3 reds worth 10, 2 blues worth 7, 1 green worth 1; 14 spaces are empty.
SOME_DICE = Board.parse("R6 B4 -- -- -- / R3 -- B3 -- -- / -- R1 -- -- -- / G1 -- -- -- --")


# --- Points ----------------------------------------------------------------------------------------


@given(strategies.boards, two_cards, two_colors, targets)
def test_a_solo_score_is_the_best_that_the_player_can_choose(
    board: Board, public: list[PublicObjective], privates: list[Color], target: int
) -> None:
    """Both cards, the private objective that gives more, and 3 points off for each empty space."""
    counted = [
        sum(public_points(card.value, board) for card in public)
        + private_points(color.value, board)
        - 3 * str(board).count("--")
        for color in privates
    ]
    assert score_solo(board, public, privates, target).total == max(counted)


@given(strategies.boards, two_cards, strategies.colors, targets)
def test_alone_an_empty_space_costs_two_points_more(
    board: Board, public: list[PublicObjective], private: Color, target: int
) -> None:
    """With one private objective and no tokens, all else is counted as in a game of several players."""
    with_others = score_player(board, public, private).total
    assert score_solo(board, public, [private], target).total == with_others - 2 * len(board.empty_cells())


@given(strategies.boards, two_cards, two_colors, targets)
def test_turning_the_window_changes_nothing(
    board: Board, public: list[PublicObjective], privates: list[Color], target: int
) -> None:
    """A window seen from the other side of the table is worth as much, alone and with others."""
    turned = board.rotated_180()
    assert score_solo(turned, public, privates, target).sentence == (
        score_solo(board, public, privates, target).sentence
    )
    points = [line.points for line in score_player(board, public, privates[0], 3).lines]
    assert [line.points for line in score_player(turned, public, privates[0], 3).lines] == points


@given(strategies.boards, two_cards, two_colors, targets)
def test_the_lines_of_a_solo_score_add_up(
    board: Board, public: list[PublicObjective], privates: list[Color], target: int
) -> None:
    """Two cards, one private objective, the empty spaces, no tokens; each formula works out to its points."""
    result = score_solo(board, public, privates, target)
    lines = result.breakdown.lines
    assert [line.kind for line in lines] == [LineKind.PUBLIC] * 2 + [LineKind.PRIVATE, LineKind.EMPTY_CELLS]
    worked_out = [eval(line.formula.replace("x", "*")) for line in lines]
    assert worked_out == [line.points for line in lines]
    assert result.total == sum(worked_out)


def test_the_rulebooks_window_played_alone() -> None:
    """10 and 12 for two cards, 17 for purple, and 3 empty spaces cost 9."""
    result = score_solo(
        rulebook.SCORED_BOARD, [rulebook.PUBLIC[0], rulebook.PUBLIC[2]], [Color.PURPLE, Color.RED], 29
    )
    assert [(line.name, line.points, line.formula) for line in result.breakdown.lines] == [
        ("Column Color Variety", 10, "2 x 5"),
        ("Color Variety", 12, "min(3, 3, 5, 3, 3) x 4"),
        ("Shades of Purple", 17, "6 + 5 + 6"),
        ("Empty cells", -9, "3 x -3"),
    ]
    assert (result.total, result.won) == (30, True)


# --- Which private objective counts ----------------------------------------------------------------


@pytest.mark.parametrize("privates", [[Color.RED, Color.BLUE], [Color.BLUE, Color.RED]])
def test_the_better_private_objective_counts(privates: list[Color]) -> None:
    """In whichever order they are named, and the sentence has the points of both."""
    result = score_solo(SOME_DICE, [], privates, 0)
    assert result.private is Color.RED
    assert str(result.why_private) == "The better private objective counts: red 10, blue 7."
    assert result.other_private is not None
    assert (result.other_private.name, result.other_private.points) == ("Shades of Blue", 7)


def test_of_two_equal_private_objectives_the_first_counts() -> None:
    """It makes no difference, and the sentence says so."""
    result = score_solo(SOME_DICE, [], [Color.PURPLE, Color.YELLOW], 0)
    assert result.private is Color.PURPLE
    assert str(result.why_private) == (
        "Both private objectives give the same, so either may count: purple 0, yellow 0."
    )


def test_a_single_private_objective_counts() -> None:
    """Whoever names only one gets it counted, and is told so."""
    result = score_solo(SOME_DICE, [], [Color.GREEN], 0)
    assert str(result.why_private) == "Only one private objective was named: green 1."
    assert result.other_private is None


# --- The target ------------------------------------------------------------------------------------


def test_the_target_is_the_sum_of_the_round_track() -> None:
    """All dice on it count their values, and a score marker counts 0."""
    result = score_solo(SOME_DICE, [], [Color.RED], RoundTrack.parse("R3 G4 / -- / B1 B1 B1 B1"))
    assert result.target == 11


@pytest.mark.parametrize(
    ("target", "won", "missing", "said"),
    [
        (27, True, 0, "30 against a target of 27: won by 3 points."),
        (29, True, 0, "30 against a target of 29: won by 1 point."),
        (30, False, 1, "30 against a target of 30: not won, an equal score is not enough."),
        (31, False, 2, "30 against a target of 31: not won, 2 more points were needed."),
        (40, False, 11, "30 against a target of 40: not won, 11 more points were needed."),
    ],
)
def test_the_game_is_won_above_the_target(target: int, won: bool, missing: int, said: str) -> None:
    """Equal points do not win; one more than the target does."""
    public = [rulebook.PUBLIC[0], rulebook.PUBLIC[2]]
    result = score_solo(rulebook.SCORED_BOARD, public, [Color.PURPLE, Color.RED], target)
    assert (result.won, result.missing, str(result.sentence)) == (won, missing, said)


@given(strategies.boards, two_cards, two_colors, targets)
def test_what_is_missing_would_have_won(
    board: Board, public: list[PublicObjective], privates: list[Color], target: int
) -> None:
    """With the missing points the player would be just above the target, with one less not."""
    result = score_solo(board, public, privates, target)
    assert result.won == (result.total in range(target + 1, target + 1000))
    assert result.total + result.missing > target
    assert result.missing == 0 or result.total + result.missing - 1 == target


@pytest.mark.parametrize(
    ("public", "privates", "target", "code"),
    [
        ([PublicObjective.LIGHT_SHADES] * 2, [Color.RED], 10, "repeated_objective"),
        ([], [Color.RED, Color.RED], 10, "repeated_objective"),
        ([], [], 10, "bad_number_of_private_objectives"),
        ([], list(Color)[:3], 10, "bad_number_of_private_objectives"),
        ([], [Color.RED], -1, "bad_target"),
        ([], [Color.RED], True, "bad_target"),
        ([], [Color.RED], RoundTrack.parse("R1 R1 R1 R1 R1"), "bad_round_track"),
    ],
)
def test_what_a_solo_game_does_not_have_is_refused(
    public: list[PublicObjective], privates: list[Color], target: int | RoundTrack, code: str
) -> None:
    """At most two public and two private objectives, all different, and at most four dice left a round."""
    with pytest.raises(InvalidValueError) as caught:
        score_solo(Board.empty(), public, privates, target)
    assert caught.value.code == code


# --- Tools -----------------------------------------------------------------------------------------


def test_each_tool_has_the_color_of_its_card() -> None:
    """In the order of the cards: purple, blue, red, yellow, green, and around again."""
    assert "".join(tool.color.value for tool in Tool) == "PBRYGPBRYGPB"


def test_a_die_of_its_color_pays_for_a_tool() -> None:
    """Whatever the value; a die pays for any one of the tools of its color."""
    pool = [Die.parse(text) for text in ("P1", "R6", "P4", "Y2")]
    tools = [Tool.FLUX_BRUSH, Tool.GRINDING_STONE, Tool.GROZING_PLIERS, Tool.LATHEKIN]
    assert tools_to_pay_for(pool, tools) == {
        Tool.FLUX_BRUSH: (Die.parse("P1"), Die.parse("P4")),
        Tool.GROZING_PLIERS: (Die.parse("P1"), Die.parse("P4")),
        Tool.LATHEKIN: (Die.parse("Y2"),),
    }


@given(st.lists(strategies.dice, max_size=4), st.sets(st.sampled_from(list(Tool)), max_size=5))
def test_a_tool_can_be_paid_for_when_its_color_lies_in_the_pool(pool: list[Die], tools: set[Tool]) -> None:
    """Taking away all dice of other colors leaves some just for those tools."""
    payable = tools_to_pay_for(pool, tools)
    assert set(payable) == {tool for tool in tools if any(str(die)[0] == tool.color.value for die in pool)}
    assert all(die in pool for dice in payable.values() for die in dice)


@pytest.mark.parametrize("number", range(1, 6))
def test_one_to_five_tools_lie_open(number: int) -> None:
    """From one, which is very hard, to five, which is easy."""
    check_solo_tools(list(Tool)[:number])
    assert SOLO.fewest_tools <= number <= SOLO.most_tools


@pytest.mark.parametrize(
    ("tools", "code"),
    [
        ([], "bad_number_of_tools"),
        (list(Tool)[:6], "bad_number_of_tools"),
        ([Tool.LATHEKIN, Tool.LATHEKIN], "repeated_tool"),
    ],
)
def test_no_solo_game_has_no_tool_or_six(tools: list[Tool], code: str) -> None:
    """The number says how hard the game is, and each card is there once."""
    with pytest.raises(InvalidValueError) as caught:
        check_solo_tools(tools)
    assert caught.value.code == code
