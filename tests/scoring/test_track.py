from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Die
from scoring.errors import InvalidValueError, NotationError
from scoring.game.setup import RoundTrack, score_marker
from tests import strategies

rounds = st.lists(st.lists(strategies.dice, max_size=9), max_size=10)


def played(dice_of_rounds: Sequence[Sequence[Die]]) -> RoundTrack:
    """Return the track after these rounds."""
    track = RoundTrack()
    for dice in dice_of_rounds:
        track = track.end_round(dice)
    return track


@given(rounds)
def test_the_target_is_the_sum_of_all_dice_left_over(dice_of_rounds: list[list[Die]]) -> None:
    """Every die on the track counts its value, also when several lie on one space."""
    track = played(dice_of_rounds)
    shown = str(track)
    assert track.total == sum(int(sign) for sign in shown if sign.isdigit())
    assert len(track.spaces) == len(dice_of_rounds)


@given(rounds)
def test_the_notation_round_trips(dice_of_rounds: list[list[Die]]) -> None:
    """What is written out reads back the same."""
    track = played(dice_of_rounds)
    assert RoundTrack.parse(str(track)) == track


@pytest.mark.parametrize(
    ("text", "code"),
    [("R3 / / B1", "bad_round_track"), ("R3 --", "bad_die"), ("R7", "bad_die"), ("--/R3 x", "bad_die")],
)
def test_what_is_no_track_is_refused(text: str, code: str) -> None:
    """A round is written as its dice, or as -- when it left none."""
    with pytest.raises(NotationError) as caught:
        RoundTrack.parse(text)
    assert caught.value.code == code


@pytest.mark.parametrize(("players", "fewest", "most"), [(1, 0, 4), (2, 1, 5), (3, 1, 7), (4, 1, 9)])
def test_a_round_leaves_what_the_players_did_not_take(players: int, fewest: int, most: int) -> None:
    """From one die (none in a solo game) when all take two, to all of them when all pass."""
    for number in range(12):
        track = played([[Die.parse("R3")], [Die.parse("B1")] * number])
        if fewest <= number <= most:
            track.check(players)
        else:
            with pytest.raises(InvalidValueError, match="Round 2 cannot") as caught:
                track.check(players)
            assert caught.value.code == "bad_round_track"


def test_marker_and_laps_say_the_points() -> None:
    """Space and full laps of 50 add up; the marker is turned over just when there are more than 50 points."""
    for total in range(-40, 301):
        marker = score_marker(total)
        assert marker.flipped == (total > 50)
        assert ("turned over" in str(marker.sentence)) == marker.flipped
        if total > 0:
            assert marker.space in range(1, 51)
            assert (marker.space or 0) + 50 * marker.laps == total
        else:
            assert (marker.space, marker.laps) == (None, 0)


@pytest.mark.parametrize(
    ("total", "said"),
    [
        (-3, "−3 points: the score marker stays beside the track."),
        (0, "0 points: the score marker stays beside the track."),
        (1, "1 point: the score marker lies on space 1."),
        (50, "50 points: the score marker lies on space 50."),
        (58, "58 points: the score marker lies on space 8, turned over."),
    ],
)
def test_the_marker_says_where_it_lies(total: int, said: str) -> None:
    """A sentence for the player who puts it there."""
    assert str(score_marker(total).sentence) == said
