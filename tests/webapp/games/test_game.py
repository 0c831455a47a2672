from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import PublicObjective, Tool
from tests.webapp.refusals import refused
from webapp.domain.errors import ConflictError, InputError
from webapp.domain.games import cards, game
from webapp.domain.games.codes import hashed, is_code, new_code, new_token, typed_code
from webapp.domain.games.game import Game, Stage, checked_name, name_key
from webapp.domain.games.result import Viewer, viewer_of

Change = Callable[[Game], Game]

names = st.sampled_from(
    ["Ann", "ann ", "Ben", "BEN", "Cleo", "Dan", "Éva", "e\u0301va", "  ", "x" * 31, "a\x00"]
)
numbers = st.integers(0, 7)
objectives = st.lists(st.sampled_from(list(PublicObjective)), max_size=4)
tools = st.lists(st.sampled_from(list(Tool)), max_size=6)


def joining(name: str, secret: int) -> Change:
    """Return the change by which somebody joins with a window and a token of their own."""

    def change(now: Game) -> Game:
        own = f"{now.next_number}-{secret}"
        return game.joined(now, name, record_id=f"window-{own}", token=hashed(f"token-{own}"))

    return change


actions: st.SearchStrategy[Change] = st.one_of(
    st.builds(joining, names, st.integers()),
    st.builds(lambda number: lambda now: game.left(now, number), numbers),
    st.builds(lambda number, name: lambda now: game.renamed(now, number, name), numbers, names),
    st.builds(
        lambda number, done: lambda now: game.ready(now, number, is_ready=done), numbers, st.booleans()
    ),
    st.builds(
        lambda public, some: lambda now: cards.with_cards(now, now.revision, public=public, tools=some),
        objectives,
        tools,
    ),
    st.builds(
        lambda seed: lambda now: cards.dealt(now, now.revision, random.Random(seed)), st.integers(0, 9)
    ),
    st.builds(
        lambda number, tool, left: lambda now: cards.tool_used(now, number, tool, tokens_left=left),
        numbers,
        st.sampled_from(list(Tool)),
        st.integers(0, 6),
    ),
    st.builds(lambda number: lambda now: cards.use_taken_back(now, number), numbers),
    st.builds(
        lambda anyway: (
            lambda now: game.revealed(now, missing_cards=cards.missing_objectives(now), anyway=anyway)
        ),
        st.booleans(),
    ),
    st.just(game.reopened),
)


def played(solo: bool, changes: list[Change]) -> list[Game]:
    """Return every state of a game in which people did these things; what is refused changes nothing."""
    states = [Game("CDFGHJ", hashed("host"), solo=solo)]
    for change in changes:
        try:
            after = change(states[-1])
        except (InputError, ConflictError):
            continue
        states.append(replace(after, revision=states[-1].revision + 1))
    return states


games = st.builds(played, st.booleans(), st.lists(actions, max_size=25))


@given(games)
def test_a_table_never_has_more_seats_than_the_game(states: list[Game]) -> None:
    """Whatever people do, at most four sit at a table, and one at a solo table."""
    assert all(len(now.seats) <= (1 if now.solo else 4) for now in states)


@given(games)
def test_no_two_players_have_a_name_that_reads_the_same(states: list[Game]) -> None:
    """Names stay unique whatever their case, blanks and ways to write an accent, and have 1 to 30 letters."""
    for now in states:
        keys = [name_key(seat.name) for seat in now.seats]
        assert len(set(keys)) == len(keys)
        assert all(1 <= len(seat.name) <= 30 for seat in now.seats)


@given(games)
def test_a_revealed_game_has_all_its_cards(states: list[Game]) -> None:
    """Nothing is revealed before three public objectives lie there, or two and a target in a solo game."""
    for now in states:
        if now.stage is Stage.REVEALED:
            assert len(now.public) == (2 if now.solo else 3)
            assert len(now.seats) >= 2 or now.solo


@given(games)
def test_tokens_on_a_card_are_one_and_then_two_each(states: list[Game]) -> None:
    """A card that was used n times holds 2n - 1 tokens, without those taken back; a solo game has none."""
    for now in states:
        for tool in now.tools:
            uses = sum(use.tool is tool for use in now.uses)
            wanted = 0 if now.solo or not uses else 2 * uses - 1
            assert cards.tokens_on(now, tool) == wanted
            assert not now.solo or uses <= 1


def table(*players: str, solo: bool = False) -> Game:
    """Return a game with these players."""
    now = Game("CDFGHJ", hashed("host"), solo=solo)
    for number, name in enumerate(players):
        now = joining(name, number)(now)
    return now


@pytest.mark.parametrize("name", ["", "   ", "x" * 31, "a\nb", "\x7f", "\ud800"])
def test_names_that_nobody_can_read_are_refused(name: str) -> None:
    """A name has 1 to 30 letters that show, of any language; controls and ends of lines are refused."""
    with refused("bad_name"):
        checked_name(name)
    for fine in ("Жанна-Мария", "花子", "O'Neil", "x" * 30, "👩‍👧", "José"):
        assert checked_name(f" {fine} ") == fine


def test_players_are_named_by_the_rule_of_all_names() -> None:
    """Hidden marks are left out, do not count as letters and make no other name; of them alone is none."""
    typed = "\u200b" * 30 + "\u2068Ann\tLee"
    assert checked_name(typed) == "Ann Lee"
    with refused("name_taken"):
        joining(typed, 2)(table("Ann Lee"))
    with refused("hidden_name"):
        checked_name("\u200e\u2068\u2069")


@pytest.mark.parametrize(("solo", "most"), [(False, 3), (True, 2)])
def test_as_many_public_objectives_as_the_rules_say(solo: bool, most: int) -> None:
    """Three public objectives for several players, two for one; a card more is refused."""
    now = table("Ann", solo=solo)
    all_cards = list(PublicObjective)
    assert cards.missing_objectives(cards.with_cards(now, 1, public=all_cards[:most])) == 0
    with refused("too_many_objectives"):
        cards.with_cards(now, 1, public=all_cards[: most + 1])


@pytest.mark.parametrize(("solo", "fine"), [(False, {3}), (True, {1, 2, 3, 4, 5})])
def test_tools_are_dealt_as_the_rules_say(solo: bool, fine: set[int]) -> None:
    """Three tool cards for several players; one to five for a solo game, by how hard it shall be."""
    now = table("Ann", solo=solo)
    for number in range(7):
        if number in fine:
            assert len(cards.dealt(now, 1, random.Random(1), tools=number).tools) == number
        else:
            with refused("bad_number_of_tools"):
                cards.dealt(now, 1, random.Random(1), tools=number)


def test_dealt_cards_are_different_ones_and_depend_on_chance() -> None:
    """Chance deals three different public objectives, and in time every one of the ten."""
    seen = {card for seed in range(60) for card in cards.dealt(table("Ann"), 1, random.Random(seed)).public}
    assert seen == set(PublicObjective)
    assert len(set(cards.dealt(table("Ann"), 1, random.Random(1)).public)) == 3


def test_the_reveal_waits_for_players_cards_and_everybody() -> None:
    """Each thing that is missing has its own refusal; who is not ready can be passed over."""
    alone, both = table("Ann"), table("Ann", "Ben")
    with refused("players_missing"):
        game.revealed(alone, missing_cards=0)
    with refused("cards_missing"):
        game.revealed(both, missing_cards=1)
    with refused("not_everybody_ready"):
        game.revealed(game.ready(both, 1), missing_cards=0)
    assert game.revealed(game.ready(both, 1), missing_cards=0, anyway=True).is_revealed
    assert game.revealed(game.ready(game.ready(both, 1), 2), missing_cards=0).is_revealed
    with refused("target_missing"):
        game.revealed(table("Ann", solo=True), missing_cards=0, anyway=True)


def test_after_the_reveal_the_table_is_closed() -> None:
    """Nobody joins, leaves or changes cards after the reveal, until the host goes back to the table."""
    over = replace(table("Ann", "Ben"), stage=Stage.REVEALED)
    for change in (
        joining("Cleo", 9),
        lambda now: game.left(now, 1),
        lambda now: game.ready(now, 1),
        lambda now: cards.with_cards(now, 1, public=[]),
    ):
        with refused("game_over"):
            change(over)
    again = game.opened(game.reopened(over), to_new=True)
    assert len(joining("Cleo", 9)(again).seats) == 3


def test_a_number_is_never_given_twice() -> None:
    """A seat keeps its number for good: an address of somebody who left leads to nobody else."""
    now = game.left(table("Ann", "Ben"), 2)
    assert [seat.number for seat in joining("Cleo", 9)(now).seats] == [1, 3]


def test_the_order_of_turns_is_unknown_again_when_somebody_joins() -> None:
    """Who sits down late has no known place in the order of the turns, so nobody's tie is decided by it."""
    now = cards.ordered(table("Ann", "Ben"), 1, [2, 1], known=True)
    assert [seat.name for seat in now.seats] == ["Ben", "Ann"]
    assert not joining("Cleo", 9)(now).order_known
    with pytest.raises(ConflictError):
        cards.ordered(now, 9, [1], known=True)


def test_only_the_last_use_of_a_card_can_be_taken_back() -> None:
    """When somebody else paid two for the same card since, the first use stays."""
    now = cards.with_cards(table("Ann", "Ben"), 1, tools=[Tool.LATHEKIN])
    now = cards.tool_used(now, 1, Tool.LATHEKIN, tokens_left=6)
    now = cards.tool_used(now, 2, Tool.LATHEKIN, tokens_left=6)
    with refused("nothing_to_take_back"):
        cards.use_taken_back(now, 1)
    assert cards.cost_of(cards.use_taken_back(now, 2), Tool.LATHEKIN) == 2
    with refused("no_tokens"):
        cards.tool_used(now, 1, Tool.LATHEKIN, tokens_left=1)


def test_who_looks_is_known_by_tokens_alone() -> None:
    """A device is what its tokens say: host, players, both, or a stranger."""
    now = table("Ann", "Ben")
    assert viewer_of(now, [hashed("host"), hashed("token-2-1")]) == Viewer(is_host=True, seats=frozenset({2}))
    assert viewer_of(now, [hashed("token-9-9")]) == Viewer()


def test_secrets_do_not_show_when_a_game_is_printed() -> None:
    """A game in an error message or log names neither tokens nor the ids of windows."""
    printed = repr(table("Ann"))
    assert "window-1-0" not in printed
    assert hashed("token-1-0") not in printed
    assert hashed("host") not in printed


def test_codes_read_well_and_are_typed_in_any_way() -> None:
    """A code has six signs that no other looks like; small letters and blanks do not matter."""
    code = new_code()
    assert is_code(code)
    assert not set("0O1IL2Z5S8BUVAE") & set(code)
    assert typed_code(f" {code[:3].lower()} {code[3:]}") == code
    assert new_token() != new_token()
