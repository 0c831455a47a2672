from __future__ import annotations

from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from scoring.errors import InvalidValueError
from scoring.game.setup import (
    TurnOrder,
    check_favor_tokens_left,
    favor_tokens_at_start,
    most_tool_uses,
    setup,
    tool_cost,
)
from scoring.patterns.patterns import WINDOW_PATTERNS, WindowPattern
from scoring.points.totals import score_player
from scoring.tools import Tool, Toolbox

NAMES = ("Ann", "Ben", "Cleo", "Dan")
FREE = WindowPattern.parse("..... / ..... / ..... / .....", "Made up")


# --- What is laid out ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "dice", "objectives", "tools", "alone"),
    [
        (1, 4, (2, 2), (1, 5), True),
        (2, 5, (3, 1), (3, 3), False),
        (3, 7, (3, 1), (3, 3), False),
        (4, 9, (3, 1), (3, 3), False),
    ],
)
def test_what_is_laid_out_hangs_on_the_number_of_players(
    players: int, dice: int, objectives: tuple[int, int], tools: tuple[int, int], alone: bool
) -> None:
    """Dice of a round, public and private objectives, and tools; favor tokens only with others."""
    game = setup(players)
    assert (game.dice_per_round, game.fewest_dice_left) == (dice, 0 if alone else 1)
    assert (game.public_objectives, game.private_objectives) == objectives
    assert (game.fewest_tools, game.most_tools) == tools
    assert (game.favor_tokens, game.is_solo) == (not alone, alone)


@pytest.mark.parametrize("players", [0, 7, -1, 2.0, True, "2"])
def test_the_game_is_for_one_to_six(players: object) -> None:
    """Nobody, or seven players, cannot play, and the error says for how many the game is."""
    with pytest.raises(InvalidValueError) as caught:
        setup(players)  # type: ignore[arg-type]
    assert caught.value.code == "bad_number_of_players"
    assert "2 to 4 players" in caught.value.next_step


# --- Favor tokens and tools ------------------------------------------------------------------------


def test_a_window_brings_as_many_tokens_as_its_difficulty() -> None:
    """The dots on the card, an unknown number where nobody wrote them down, and none in a solo game."""
    for window in WINDOW_PATTERNS.values():
        assert favor_tokens_at_start(window) == window.difficulty
        assert favor_tokens_at_start(window, solo=True) == 0
    assert (favor_tokens_at_start(FREE), favor_tokens_at_start(FREE, solo=True)) == (None, 0)


def test_nobody_has_more_tokens_left_than_the_window_gave() -> None:
    """A window of difficulty 5 leaves 0 to 5 tokens, alone 0; what is not known cannot be exceeded."""
    virtus = WINDOW_PATTERNS["Virtus"]
    for tokens in range(6):
        check_favor_tokens_left(tokens, virtus)
    check_favor_tokens_left(0, virtus, solo=True)
    check_favor_tokens_left(9, FREE)
    with pytest.raises(InvalidValueError, match="with 5 favor tokens, so 6 cannot be left"):
        check_favor_tokens_left(6, virtus)
    with pytest.raises(InvalidValueError, match=r"A solo game has no favor tokens. Give 0."):
        check_favor_tokens_left(1, virtus, solo=True)


def test_the_first_use_of_a_tool_costs_one_token_and_each_later_one_two() -> None:
    """One token when there is none on the card yet, otherwise two, whoever put them there."""
    assert [tool_cost(on_card) for on_card in (0, 1, 2, 3, 4, 5)] == [1, 2, 2, 2, 2, 2]


@pytest.mark.parametrize("tokens", range(13))
@pytest.mark.parametrize("on_card", range(5))
def test_the_greatest_number_of_uses_is_what_paying_one_by_one_comes_to(tokens: int, on_card: int) -> None:
    """Whoever pays use after use, as long as the tokens last, gets that far and no further."""
    purse, card, uses = tokens, on_card, 0
    while purse >= (price := 2 if card else 1):
        purse, card, uses = purse - price, card + price, uses + 1
    assert most_tool_uses(tokens, on_card) == uses


@pytest.mark.parametrize("tokens", range(7))
def test_the_toolbox_counts_uses_in_the_same_way(tokens: int) -> None:
    """What a set of tools can excuse and what tokens can pay for are one rule."""
    payable = [uses for uses in range(9) if Toolbox(tokens=tokens).can_pay({Tool.LATHEKIN: uses})]
    assert max(payable) == most_tool_uses(tokens)


@pytest.mark.parametrize("tokens", [-1, 1.0, True, "3"])
def test_there_are_no_negative_tokens(tokens: object) -> None:
    """Tokens are counted from 0: in the hand, on the card, left over and spent."""
    calls = (
        lambda: tool_cost(tokens),  # type: ignore[arg-type]
        lambda: most_tool_uses(tokens),  # type: ignore[arg-type]
        lambda: most_tool_uses(3, tokens),  # type: ignore[arg-type]
        lambda: check_favor_tokens_left(tokens, FREE),  # type: ignore[arg-type]
        lambda: score_player(Board.empty(), favor_tokens=tokens),  # type: ignore[arg-type]
        lambda: Toolbox(tokens=tokens),  # type: ignore[arg-type]
    )
    for call in calls:
        with pytest.raises(InvalidValueError) as caught:
            call()
        assert caught.value.code == "bad_favor_tokens"


# --- Turns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "round_number", "turns"),
    [
        (2, 10, "Ben Ann Ann Ben"),
        (3, 1, "Ann Ben Cleo Cleo Ben Ann"),
        (3, 3, "Cleo Ann Ben Ben Ann Cleo"),
        (4, 10, "Ben Cleo Dan Ann Ann Dan Cleo Ben"),
        (1, 7, "Ann Ann"),
    ],
)
def test_turns_go_around_and_all_the_way_back(players: int, round_number: int, turns: str) -> None:
    """The rulebook's example (first one, second, third; third, second, first), written out round by round."""
    assert TurnOrder(NAMES[:players]).turns(round_number) == tuple(turns.split())


@pytest.mark.parametrize("players", range(1, 5))
def test_the_bag_wanders_around_the_table(players: int) -> None:
    """A table that hands the bag on after every round takes the same turns for all ten rounds."""
    game, table = TurnOrder(NAMES[:players]), deque(NAMES[:players])
    for round_number in range(1, 11):
        assert game.start_player(round_number) == table[0]
        assert game.turns(round_number) == (*table, *reversed(table))
        table.rotate(-1)


def test_the_first_turns_of_the_last_round_have_their_places() -> None:
    """With four players the second one begins round 10, so the first one has the latest first turn."""
    assert TurnOrder(NAMES).first_turns() == {"Ben": 1, "Cleo": 2, "Dan": 3, "Ann": 4}
    assert TurnOrder(NAMES).first_turns(1) == {"Ann": 1, "Ben": 2, "Cleo": 3, "Dan": 4}


@given(st.integers(1, 4), st.data())
def test_whoever_had_the_bag_in_a_round_fixes_all_other_rounds(players: int, data: st.DataObject) -> None:
    """Players named from any seat, and one start player of one round, give the same game."""
    seats = NAMES[:players]
    started = data.draw(st.sampled_from(seats))
    round_number = data.draw(st.integers(1, 10))
    shift = data.draw(st.integers(0, players - 1))
    game = TurnOrder.seated(seats[shift:] + seats[:shift], started, round_number)
    assert game.start_player(round_number) == started
    around = game.turns(1)[:players]
    assert all(seats[(seats.index(one) + 1) % players] == other for one, other in pairwise(around))


def test_the_start_player_may_be_typed_in_any_case() -> None:
    """A name is found as cards are."""
    assert TurnOrder.seated(["Ann", "Ben"], "ben").players == ("Ben", "Ann")


@pytest.mark.parametrize("number", [0, 11, 2.0, True])
def test_there_are_ten_rounds(number: object) -> None:
    """Round 0 and round 11 do not exist."""
    for call in (TurnOrder(NAMES).turns, TurnOrder(NAMES).start_player, TurnOrder(NAMES).first_turns):
        with pytest.raises(InvalidValueError) as caught:
            call(number)  # type: ignore[arg-type]
        assert caught.value.code == "bad_round"


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ((), "bad_number_of_players"),
        (tuple("ABCDEFG"), "bad_number_of_players"),
        (("Ann", "Ben", "Ann"), "repeated_player"),
        (("Ann", " ann "), "repeated_player"),
        (("Ann", ""), "bad_player_name"),
        ((" ", "Ben"), "bad_player_name"),
    ],
)
def test_players_can_be_told_apart(names: tuple[str, ...], code: str) -> None:
    """One to four players, each with a name of their own."""
    with pytest.raises(InvalidValueError) as caught:
        TurnOrder(names)
    assert caught.value.code == code
    with pytest.raises(InvalidValueError) as caught:
        TurnOrder.seated(names, "Ann")
    assert caught.value.code == code
