from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import InvalidValueError
from scoring.game.setup import TurnOrder
from scoring.game.standings import Criterion, Player, rank
from scoring.points.totals import Breakdown, Line, LineKind

NAMES = ("Ann", "Ben", "Cleo", "Dan")


def player(name: str, total: int, private: int = 0, tokens: int = 0, turn: int | None = None) -> Player:
    """Return a player with these numbers; the points that are left come from a public objective."""
    rest = total - private - tokens
    lines = (
        Line("Color Diagonals", LineKind.PUBLIC, rest, str(rest)),
        Line("Shades of Red", LineKind.PRIVATE, private, str(private)),
        Line("Favor tokens", LineKind.FAVOR_TOKENS, tokens, f"{tokens} x 1"),
    )
    return Player(name, Breakdown(lines), turn)


@st.composite
def tables(draw: st.DrawFn) -> list[Player]:
    """Players whose numbers are so few that ties are common, with known and unknown turns."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(1, 4))]
    turns = draw(st.permutations([1, 2, 3, 4]))
    few = st.integers(0, 2)
    known = draw(st.sampled_from([st.just(True), st.just(False), st.booleans()]))
    return [
        player(name, draw(st.integers(-1, 1)), draw(few), draw(few), turn if draw(known) else None)
        for name, turn in zip(names, turns, strict=False)
    ]


# --- A second way to find the places ---------------------------------------------------------------

Numbers = tuple[int, int, int, int | None]


def numbers(one: Player) -> Numbers:
    """Return what decides, read off the lines of the breakdown and not through the functions under test."""
    points = {line.kind: line.points for line in one.breakdown.lines}
    return (
        sum(line.points for line in one.breakdown.lines),
        points[LineKind.PRIVATE],
        points[LineKind.FAVOR_TOKENS],
        one.last_round_turn,
    )


def is_ahead(one: Player, other: Player, everybody: list[Player]) -> bool:
    """Return whether the rulebook puts one player ahead of the other, looking at these two first."""
    mine, theirs = numbers(one), numbers(other)
    for number in (0, 1, 2):
        if mine[number] != theirs[number]:
            return mine[number] > theirs[number]  # type: ignore[operator]
    turns = [numbers(each)[3] for each in everybody if numbers(each)[:3] == mine[:3]]
    if None in turns:
        return False  # somebody's place among these is not known, so they all share it
    return mine[3] > theirs[3]  # type: ignore[operator]


@given(tables())
def test_places_are_what_comparing_all_pairs_gives(everybody: list[Player]) -> None:
    """A player's place is one more than the number of players ahead of them."""
    places = {standing.name: standing.place for standing in rank(everybody).places}
    assert places == {
        one.name: 1 + sum(is_ahead(other, one, everybody) for other in everybody) for one in everybody
    }


@given(tables(), st.randoms(use_true_random=False))
def test_it_does_not_matter_in_which_order_players_are_named(everybody: list[Player], random: object) -> None:
    """The same players give the same standings, with the same sentences."""
    shuffled = list(everybody)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rank(shuffled) == rank(everybody)


@given(tables())
def test_any_two_players_compare(everybody: list[Player]) -> None:
    """Places go up along the list, and after players who share one, as many are skipped."""
    places = [standing.place for standing in rank(everybody).places]
    assert places == sorted(places)
    assert places == [1 + places.index(place) for place in places]
    assert [standing.shared for standing in rank(everybody).places] == [
        places.count(place) > 1 for place in places
    ]


@given(tables())
def test_the_reason_is_the_first_number_that_differs(everybody: list[Player]) -> None:
    """Between a player and the next one the criterion named tells them apart; nothing is after the last."""
    standings = rank(everybody)
    assert [one.after for one in standings.places] == [*standings.decisions, None]
    for (upper, lower), decision in zip(pairwise(standings.places), standings.decisions, strict=True):
        mine, theirs = numbers(upper.player), numbers(lower.player)
        assert (decision.better, decision.worse) == (upper.name, lower.name)
        if upper.place == lower.place:
            assert decision.decided_by is None
            assert mine[:3] == theirs[:3]
        else:
            first = [one == other for one, other in zip(mine, theirs, strict=True)].index(False)
            assert decision.decided_by is list(Criterion)[first]


@given(tables())
def test_the_winners_are_all_in_the_first_place(everybody: list[Player]) -> None:
    """The headline names everyone whom nobody is ahead of, and no one else."""
    standings = rank(everybody)
    best = {one.name for one in everybody if not any(is_ahead(other, one, everybody) for other in everybody)}
    assert {standing.name for standing in standings.winners} == best
    assert {name for name in NAMES if name in str(standings.sentence)} == best


# --- The words, example by example -----------------------------------------------------------------


def test_most_points_win() -> None:
    """Whoever has more points is ahead, whatever the private objective and the tokens say."""
    standings = rank([player("Ann", 40, 30, 6), player("Ben", 54)])
    assert str(standings.sentence) == "Ben wins with 54 points."
    assert str(standings.decisions[0].sentence) == "Ben is 14 points ahead of Ann (54 to 40)."


def test_the_private_objective_decides_first() -> None:
    """Among equal totals, more points from the private objective come before more tokens."""
    (decision,) = rank([player("Ben", 54, 12, 4), player("Ann", 54, 17, 0)]).decisions
    assert str(decision.sentence) == (
        "Ann and Ben both have 54 points; Ann has more from the private objective (17 to 12)."
    )


def test_favor_tokens_decide_next() -> None:
    """Among equal private objectives, more tokens left come before the later turn."""
    (decision,) = rank([player("Ann", 54, 17, 1, turn=2), player("Ben", 54, 17, 3, turn=1)]).decisions
    assert str(decision.sentence) == (
        "Ben and Ann both have 54 points and the same from the private objective; "
        "Ben has more favor tokens left (3 to 1)."
    )


def test_the_later_first_turn_in_the_last_round_decides_last() -> None:
    """With three players Ann begins round 10 again, so Cleo's first turn is the latest."""
    turns = TurnOrder(("Ann", "Ben", "Cleo")).first_turns()
    standings = rank([player(name, 54, 17, 1, turns[name]) for name in ("Ann", "Ben", "Cleo")])
    assert [standing.name for standing in standings.places] == ["Cleo", "Ben", "Ann"]
    assert str(standings.decisions[0].sentence) == (
        "Cleo and Ben both have 54 points, the same from the private objective and as many favor tokens; "
        "the first turn of Cleo in the last round came later."
    )


def test_without_the_last_round_the_place_is_shared() -> None:
    """Nobody is put ahead by a guess, and the sentence says what is missing."""
    standings = rank([player("Ben", 54, 17, 1), player("Ann", 54, 17, 1), player("Cleo", 20)])
    assert str(standings.sentence) == "The first place is shared, with 54 points each: Ann, Ben."
    assert [(one.place, one.shared) for one in standings.places] == [(1, True), (1, True), (3, False)]
    assert str(standings.decisions[0].sentence) == (
        "Ann and Ben share the place: both have 54 points, the same from the private objective "
        "and as many favor tokens; the first turn in the last round is unknown for Ann, Ben."
    )


def test_one_unknown_turn_keeps_all_the_tied_together() -> None:
    """Where Ben belongs nobody can say, so Ann and Cleo share with him, and only his turn is missing."""
    standings = rank([player("Ann", 9, turn=1), player("Ben", 9), player("Cleo", 9, turn=3)])
    assert [one.place for one in standings.places] == [1, 1, 1]
    assert all(str(one.sentence).endswith("is unknown for Ben.") for one in standings.decisions)


# --- What cannot be ranked -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "code"),
    [
        ([], "bad_number_of_players"),
        ([player(name, 1) for name in "ABCDEFG"], "bad_number_of_players"),
        ([player("Ann", 1), player("Ann", 2)], "repeated_player"),
        ([player("Ann", 1), player("", 2)], "bad_player_name"),
        ([player("Ann", 1, turn=1), player("Ben", 1, turn=1)], "bad_last_round_turn"),
        ([player("Ann", 1, turn=0)], "bad_last_round_turn"),
        ([player("Ann", 1, turn=7)], "bad_last_round_turn"),
        ([player("Ann", 1, turn=True)], "bad_last_round_turn"),
    ],
)
def test_players_who_cannot_have_played_are_refused(players: list[Player], code: str) -> None:
    """One to four players with names and turns of their own."""
    with pytest.raises(InvalidValueError) as caught:
        rank(players)
    assert caught.value.code == code
