"""The ten rounds of a game as a helper at the table shows them: who has the dice bag and whose turn it is.

Players are known by the numbers of their seats, given clockwise, so that whoever leaves or joins meanwhile
breaks nothing. Whose turn comes when says `scoring.game.setup.TurnOrder`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from scoring.game.setup import ROUNDS, TurnOrder


class Move(Enum):
    """What people do with the helper."""

    START = "start"
    NEXT_TURN = "next_turn"
    NEXT_ROUND = "next_round"
    BACK = "back"


@dataclass(frozen=True)
class Turn:
    """A turn of a round: whose, and whether it is the player's second one."""

    seat: int
    second: bool = False


@dataclass(frozen=True)
class Round:
    """How far the rounds are.

    Parameters
    ----------
    number
        Which round, 1 to 10.
    starter
        Who has the dice bag in it.
    turn
        Whose turn it is.
    began
        When the turn began, in seconds since 1970.
    step
        Grows with every move; a tap says which step it saw, so that two phones never skip a turn together.
    left_at
        The turn at which the round before was ended, to which *Back* leads.
    over
        Whether all rounds are played.
    """

    number: int
    starter: int
    turn: Turn
    began: int
    step: int = 1
    left_at: Turn | None = None
    over: bool = False


def turns_of(play: Round, players: Sequence[int]) -> tuple[Turn, ...]:
    """Return the turns of the round in their order: clockwise, then all the way back where players do so."""
    seats = _order(play, players).turns(play.number)
    return tuple(Turn(int(seat), place >= len(players)) for place, seat in enumerate(seats))


def is_last_turn(play: Round, players: Sequence[int]) -> bool:
    """Tell whether the round ends with this turn."""
    return place_in(play, players) == len(turns_of(play, players)) - 1


def started(players: Sequence[int], now: int) -> Round:
    """Return the first turn of the first round; the first of the players has the bag."""
    return Round(1, players[0], Turn(players[0]), now)


def moved(play: Round | None, move: Move, players: Sequence[int], seen: int, now: int) -> Round | None:
    """Return where the helper is after a move; None before it is started.

    Parameters
    ----------
    play
        Where it is.
    move
        What somebody tapped.
    players
        The numbers of the seats, clockwise.
    seen
        The step that who tapped was looking at, 0 for none. After another one nothing happens.
    now
        What time it is, in seconds since 1970.
    """
    if seen != (play.step if play else 0):
        return play
    if play is None:
        return started(players, now) if move is Move.START else None
    moves: dict[Move, Callable[[Round, Sequence[int]], Round | None]] = {
        Move.NEXT_TURN: next_turn,
        Move.NEXT_ROUND: next_round,
        Move.BACK: back,
    }
    after = moves[move](play, players) if move in moves else play
    return None if after is None else after if after == play else replace(after, began=now, step=seen + 1)


def next_turn(play: Round, players: Sequence[int]) -> Round:
    """Return the turn after this one; after the last one of a round, the first of the next round."""
    if play.over:
        return play
    turns, place = turns_of(play, players), place_in(play, players)
    return next_round(play, players) if place + 1 == len(turns) else replace(play, turn=turns[place + 1])


def next_round(play: Round, players: Sequence[int]) -> Round:
    """Return the first turn of the next round, whatever is left of this one; the tenth is the last."""
    if play.number == ROUNDS:
        return replace(play, over=True)
    starter = int(_order(play, players).start_player(play.number + 1))
    return replace(play, number=play.number + 1, starter=starter, turn=Turn(starter), left_at=play.turn)


def back(play: Round, players: Sequence[int]) -> Round | None:
    """Return what was before the last tap; None before the first turn of all."""
    if play.over:
        return replace(play, over=False)
    turns, place = turns_of(play, players), place_in(play, players)
    if place:
        return replace(play, turn=turns[place - 1])
    if play.number == 1:
        return None
    starter = int(_order(play, players).start_player(play.number - 1))
    before = replace(play, number=play.number - 1, starter=starter, left_at=None)
    turns = turns_of(before, players)
    return replace(before, turn=play.left_at if play.left_at in turns else turns[-1])


def without(play: Round | None, players: Sequence[int], gone: int) -> Round | None:
    """Return where the helper is when a player leaves; None when nobody is left.

    Parameters
    ----------
    play
        Where it is.
    players
        The numbers of the seats, clockwise, with the one who leaves.
    gone
        The seat of that player.
    """
    if play is None or list(players) == [gone]:
        return None
    while play.turn.seat == gone and not play.over:
        play = next_turn(play, players)
    clockwise = players[(players.index(gone) + 1) % len(players)]
    if play.over and play.turn.seat == gone:
        play = replace(play, turn=Turn(clockwise, second=True))
    return replace(play, starter=clockwise) if play.starter == gone else play


def _order(play: Round, players: Sequence[int]) -> TurnOrder:
    return TurnOrder.seated([str(seat) for seat in players], str(play.starter), play.number)


def place_in(play: Round, players: Sequence[int]) -> int:
    """Return which turn of the round it is; one that is no more, as a fifth player came, is the last."""
    turns = turns_of(play, players)
    return turns.index(play.turn) if play.turn in turns else len(turns) - 1
