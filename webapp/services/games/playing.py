"""What the round helper does to a game."""

from __future__ import annotations

from dataclasses import replace

from webapp.services.errors import InputError
from webapp.services.games import rounds
from webapp.services.games.game import FEWEST_PLAYERS, Game, before_reveal
from webapp.services.games.rounds import Move

LONGEST_TURN_S = 3600


def played_on(game: Game, move: Move, seen: int, now: int) -> Game:
    """Return the game after somebody tapped on the round helper, see `rounds.moved`."""
    before_reveal(game)
    if len(game.seats) < (1 if game.solo else FEWEST_PLAYERS):
        raise InputError("players_missing")
    players = [seat.number for seat in game.seats]
    return replace(game, play=rounds.moved(game.play, move, players, seen, now))


def timed(game: Game, seconds: int | None) -> Game:
    """Return the game with timed turns: counted up with 0, down from another number, or not timed."""
    before_reveal(game)
    if seconds is not None and not 0 <= seconds <= LONGEST_TURN_S:
        raise InputError("bad_request")
    return replace(game, timer=seconds)
