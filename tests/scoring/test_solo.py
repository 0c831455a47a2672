from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board, Color, Die
from scoring.errors import InvalidValueError
from scoring.game.setup import RoundTrack
from scoring.game.solo import check_solo_tools, score_solo, tools_to_pay_for
from scoring.points.objectives import PublicObjective
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


BETTER = "The better private objective counts: red 10, blue 7."
EQUAL = "Both private objectives give the same, so either may count: purple 0, yellow 0."


@pytest.mark.parametrize(
    ("privates", "other", "said"),
    [
        ([Color.RED, Color.BLUE], ("Shades of Blue", 7), BETTER),
        ([Color.BLUE, Color.RED], ("Shades of Blue", 7), BETTER),
        ([Color.PURPLE, Color.YELLOW], ("Shades of Yellow", 0), EQUAL),
        ([Color.GREEN], None, "Only one private objective was named: green 1."),
    ],
)
def test_the_better_private_objective_counts(
    privates: list[Color], other: tuple[str, int] | None, said: str
) -> None:
    """In whichever order they are named, of two equal ones the first; the sentence has the points of both."""
    result = score_solo(SOME_DICE, [], privates, 0)
    assert result.private is (Color.RED if said == BETTER else privates[0])
    assert str(result.why_private) == said
    left = result.other_private
    assert (None if left is None else (left.name, left.points)) == other


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


@pytest.mark.parametrize("number", range(8))
def test_one_to_five_tools_lie_open(number: int) -> None:
    """From one, which is very hard, to five, which is easy; no solo game has none or six."""
    if 1 <= number <= 5:
        check_solo_tools(list(Tool)[:number])
    else:
        with pytest.raises(InvalidValueError) as caught:
            check_solo_tools(list(Tool)[:number])
        assert caught.value.code == "bad_number_of_tools"
