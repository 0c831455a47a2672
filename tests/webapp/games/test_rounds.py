"""The round helper: whose turn it is in the snake of ten rounds, whoever taps, leaves or joins."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from scoring.game.setup import ROUNDS
from tests.webapp.games.conftest import Device
from webapp.domain.games import game
from webapp.domain.games.game import Move, Round, Turn

PLAYERS = st.lists(st.integers(1, 99), min_size=1, max_size=4, unique=True)
MOVES = st.lists(st.sampled_from([Move.NEXT_TURN, Move.NEXT_ROUND, Move.BACK]), max_size=90)


def snake(players: list[int], number: int) -> list[Turn]:
    """Return the turns of a round as one deals them out by hand: the bag goes round, then back."""
    circle = list(players)
    for _ in range(number - 1):
        circle.append(circle.pop(0))
    return [Turn(one) for one in circle] + [Turn(one, second=True) for one in reversed(circle)]


def walk(players: list[int], moves: list[Move]) -> Round | None:
    """Return where the helper is after some taps, each of which saw the newest step."""
    play: Round | None = game.started(players, 0)
    for move in moves:
        play = game.round_moved(play, move, players, play.step if play else 0, 0)
    return play


@given(PLAYERS)
def test_next_turn_goes_through_all_ten_snakes(players: list[int]) -> None:
    """Turn after turn, first and second ones come as a table would count them, then it is over."""
    play = game.started(players, 0)
    for number in range(1, ROUNDS + 1):
        for turn in snake(players, number):
            assert (play.number, play.turn, play.over) == (number, turn, False)
            assert game.is_last_turn(play, players) == (turn == snake(players, number)[-1])
            play = game.next_turn(play, players)
    assert play.over
    assert game.next_turn(play, players) == play


@given(PLAYERS, MOVES, st.sampled_from([Move.NEXT_TURN, Move.NEXT_ROUND]))
def test_back_undoes_the_last_tap(players: list[int], moves: list[Move], last: Move) -> None:
    """Wherever it is, a tap by mistake is taken back by one tap, also a whole round that was skipped."""
    assert walk(players, [Move.BACK]) is None  # who began by mistake gets rid of it
    before = walk(players, moves)
    if before is None or before.over:
        return
    after = game.round_moved(before, last, players, before.step, 0)
    assert after is not None
    again = game.round_moved(after, Move.BACK, players, after.step, 0)
    assert again is not None
    assert (again.number, again.turn, again.starter) == (before.number, before.turn, before.starter)


@given(PLAYERS, MOVES, st.integers(1, 99), st.sampled_from(Move))
def test_a_tap_on_another_step_changes_nothing(
    players: list[int], moves: list[Move], late: int, move: Move
) -> None:
    """A tap on what is not shown any more, or not yet, is nobody's turn lost."""
    play = walk(players, moves)
    if play is not None and play.step != late:
        assert game.round_moved(play, move, players, late, 9) == play


@given(PLAYERS, MOVES, st.data())
def test_whoever_leaves_or_joins_leaves_a_turn_of_somebody_there(
    players: list[int], moves: list[Move], data: st.DataObject
) -> None:
    """After a player left, the turn and the bag are with somebody who is there, and it goes on to the end."""
    play = walk(players, moves)
    gone = data.draw(st.sampled_from(players))
    after = game.without(play, players, gone)
    left = [one for one in players if one != gone]
    assert (after is None) == (play is None or not left)
    if after is None or play is None:
        return
    if play.turn.seat != gone:
        assert after.turn == play.turn
    for there in (left, [*left, 100]):
        now = after
        assert now.turn in game.turns_of(now, there)
        for _ in range(2 * len(there) * ROUNDS):
            now = game.next_turn(now, there)
            assert now.turn.seat in there
        assert now.over


def test_a_round_kept_before_others_joined_is_still_a_round() -> None:
    """What the helper remembers of the round before may be of somebody who left: it goes to its last turn."""
    play = replace(game.started([1, 2], 0), number=2, starter=2, turn=Turn(2), left_at=Turn(3))
    before = game.back(play, [1, 2])
    assert before is not None
    assert before.turn == Turn(1, second=True)


def tap(who: Device, move: str, seen: int) -> dict[str, object]:
    """Tap on the helper and return the round."""
    answer = who.client.post(f"{who.address}/round", json={"move": move, "seen": seen})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return dict(answer.get_json()["round"])


def test_two_phones_that_tap_at_once_skip_no_turn(host: Device, guest: Device) -> None:
    """Both are told whose turn it is, and saw the same one: only the first tap goes on."""
    begun = tap(host, "start", 0)
    assert (begun["dice"], begun["turns"], begun["seat"]) == (5, [1, 2, 2, 1], 1)
    for who, words in ((host, "Your turn · 1 of 2"), (guest, "Ann · 1 of 2")):
        assert words in who.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert tap(guest, "start", 0)["step"] == begun["step"]
    assert [tap(who, "next_turn", 1)["seat"] for who in (host, guest)] == [2, 2]
    assert tap(guest, "next_turn", 2)["second_turn"] is True


def test_only_who_has_a_place_at_the_table_taps(host: Device, app: Flask, stranger: Device) -> None:
    """Every player may go on, who is not alone, and a stranger may not; the timer is the host's."""
    answer = host.client.post(f"{host.address}/round", json={"move": "start"})
    assert answer.get_json()["error"]["code"] == "players_missing"
    guest = Device(app.test_client())
    guest.join(host.code, "Ben")
    answer = stranger.client.post(f"{host.address}/round", json={"move": "start"})
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (403, "not_at_the_table")
    assert guest.client.post(f"{host.address}/timer", json={"seconds": 30}).status_code == 403
    assert host.client.post(f"{host.address}/timer", json={"seconds": 30}).get_json()["timer"] == 30
    assert host.client.post(f"{host.address}/timer", json={}).get_json()["timer"] is None


def test_a_solo_round_has_four_dice_and_two_turns(app: Flask) -> None:
    """The solo rules draw four dice, and the only player takes both turns."""
    alone = Device(app.test_client())
    alone.start(solo=True)
    begun = tap(alone, "start", 0)
    assert (begun["dice"], begun["turns"]) == (4, [1, 1])
    assert tap(alone, "next_turn", 1)["second_turn"] is True
    assert tap(alone, "next_turn", 2)["number"] == 2


def test_the_round_names_the_tools_used_in_it(host: Device, guest: Device) -> None:
    """What was used before the round, or in another one, is not listed."""
    host.cards(tools=["Lathekin", "Tap Wheel"])
    host.player(favor_tokens=6)
    guest.player(favor_tokens=6)
    host.client.post(f"{host.address}/seats/1/tool", json={"tool": "Tap Wheel"})
    tap(host, "start", 0)
    guest.client.post(f"{host.address}/seats/2/tool", json={"tool": "Lathekin"})
    told = host.state()["round"]["tools"]
    assert told == [{"tool": "Lathekin", "seat": 2, "tokens": 1}]
    assert "Lathekin (Ben)" in host.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert tap(host, "next_round", 1)["tools"] == []
