"""Cards dealt, dice drawn and rounds drafted, as the rulebook lays them out."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import WINDOW_PATTERNS, Color, Die, InvalidValueError, PublicObjective
from scoring.game.draft import DiceBag, Draft, deal, window_cards
from scoring.game.setup import DICE_OF_A_COLOR

SEEDS = st.integers(0, 2**32)
NAMES = ("Ann", "Ben", "Cleo", "Dan")


def test_the_box_has_twelve_window_cards() -> None:
    """Each of the 24 windows of the base game is on one of twelve cards, with the one on its back."""
    cards = window_cards()
    assert [len(card) for card in cards] == [2] * 12
    assert len({side.name for card in cards for side in card}) == 24
    assert all(front.other_side == back.name and back.other_side == front.name for front, back in cards)
    assert not any(side.promo for card in cards for side in card)
    assert sum(one.promo for one in WINDOW_PATTERNS.values()) == 2


@given(seed=SEEDS, players=st.integers(1, 4))
def test_nothing_is_dealt_twice(seed: int, players: int) -> None:
    """Everybody gets two whole cards and a color of their own; no objective or tool comes twice."""
    dealt = deal(players, random.Random(seed))
    assert len(dealt.windows) == len(dealt.privates) == players
    for windows in dealt.windows:
        assert len({one.name for one in windows}) == 4
        assert {one.other_side for one in windows} == {one.name for one in windows}
    names = [one.name for windows in dealt.windows for one in windows]
    assert len(set(names)) == len(names)
    colors = [color for own in dealt.privates for color in own]
    assert len(set(colors)) == len(colors) == (2 if players == 1 else players)
    assert len(set(dealt.public)) == len(dealt.public) == (2 if players == 1 else 3)
    assert len(set(dealt.tools)) == len(dealt.tools) == 3
    assert deal(players, random.Random(seed)) == dealt


def test_every_card_can_be_dealt() -> None:
    """In many games each window, color, objective and tool turns up, none much more often than others."""
    chance = random.Random(5)
    seen: Counter[object] = Counter()
    for _ in range(2000):
        dealt = deal(2, chance)
        seen.update(one.name for windows in dealt.windows for one in windows)
        seen.update(own[0] for own in dealt.privates)
        seen.update(dealt.public)
    for things, often in ((Color, 800), (PublicObjective, 600)):
        assert all(abs(seen[one] - often) < 120 for one in things)
    assert all(abs(seen[one.name] - 2000 / 3) < 120 for card in window_cards() for one in card)


@pytest.mark.parametrize("tools", [0, 6, 12])
def test_a_solo_game_begins_with_one_to_five_tools(tools: int) -> None:
    """The number of tools is the difficulty of a solo game, and nothing to choose in others."""
    assert [len(deal(1, solo_tools=number).tools) for number in range(1, 6)] == [1, 2, 3, 4, 5]
    assert len(deal(3, solo_tools=1).tools) == 3
    with pytest.raises(InvalidValueError, match="cannot begin"):
        deal(1, solo_tools=tools)


@given(seed=SEEDS)
def test_the_bag_has_ninety_dice(seed: int) -> None:
    """Eighteen dice of each color come out of the bag, with all values, and then none."""
    bag = DiceBag(random.Random(seed))
    dice = bag.draw(40) + bag.draw(50)
    assert Counter(die.color for die in dice) == dict.fromkeys(Color, DICE_OF_A_COLOR)
    assert {die.value for die in dice} == {1, 2, 3, 4, 5, 6}
    assert len(bag) == 0
    with pytest.raises(InvalidValueError, match="There are 0 dice in the bag, and 1 are to be drawn"):
        bag.draw()
    bag.put_back("R2")
    assert [die.color for die in bag.draw()] == [Color.RED]


def test_a_full_bag_takes_no_die() -> None:
    """A color of which all dice are in the bag cannot be put back, nor can fewer than none be drawn."""
    bag = DiceBag()
    with pytest.raises(InvalidValueError, match="red"):
        bag.put_back(Die.parse("R2"))
    with pytest.raises(InvalidValueError):
        bag.draw(-1)
    assert bag.colors == dict.fromkeys(Color, DICE_OF_A_COLOR)


@given(seed=SEEDS, players=st.integers(1, 4), data=st.data())
def test_a_draft_goes_by_the_rules(seed: int, players: int, data: st.DataObject) -> None:
    """Ten rounds, turns there and back, the pool shrinks by what is taken, and the rest goes on the track."""
    draft = Draft(NAMES[:players], random.Random(seed))
    takes = data.draw(st.lists(st.booleans(), min_size=20 * players, max_size=20 * players))
    taken: Counter[Die] = Counter()
    seen: list[tuple[int, str]] = []
    before: tuple[Die, ...] = ()
    for turn, does_take in zip(draft.turns(), takes, strict=True):
        if not seen or seen[-1][0] != turn.round_number:
            assert len(turn.pool) == (4 if players == 1 else 2 * players + 1)
        else:
            assert turn.pool == before
        seen.append((turn.round_number, turn.player))
        left = list(turn.pool)
        if does_take:
            die = turn.take(turn.pool[-1])
            taken[die] += 1
            left.remove(die)
        before = tuple(left)
    for number in range(1, 11):
        order = [player for round_number, player in seen if round_number == number]
        assert order == order[::-1]
        assert order[0] == NAMES[(number - 1) % players]
    on_track = [die for dice in draft.track.spaces for die in dice]
    assert len(draft.track.spaces) == 10
    assert len(on_track) + taken.total() + len(draft.bag) == 90
    assert list(draft.turns()) == []


def test_one_die_of_the_pool_is_taken_a_turn() -> None:
    """A die that is not there, and a second one, are refused with what to do."""
    turn = next(Draft(["Ann", "Ben"], random.Random(3)).turns())
    other = next(die for die in (Die(color, 1) for color in Color) if die not in turn.pool)
    with pytest.raises(InvalidValueError, match=r"1 is not among the dice to take\. Take one of these: "):
        turn.take(other)
    turn.take(str(turn.pool[0]))
    with pytest.raises(InvalidValueError, match="was taken in this turn already"):
        turn.take(turn.pool[1])
