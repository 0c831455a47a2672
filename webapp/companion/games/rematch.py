"""The next game of the same people: seats, names, devices and what was agreed on stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from webapp.companion.errors import InputError
from webapp.companion.games.game import Game


def rematch(game: Game, code: str, windows: Mapping[int, str], *, same_cards: bool) -> Game:
    """Return the game that follows on a revealed one.

    Each seat keeps number, name and token, so that the same devices have it. Where the order of the turns is
    known, the next player clockwise has the bag.

    Parameters
    ----------
    game
        The revealed game.
    code
        The code of the next one.
    windows
        The ids of new, empty windows, by the number of the seat.
    same_cards
        Whether the cards on the table stay there.
    """
    seats = tuple(
        replace(seat, record_id=windows[seat.number], ready=False, link=None, former=())
        for seat in game.seats
    )
    if game.order_known:
        seats = (*seats[1:], *seats[:1])
    return Game(
        code,
        game.host,
        solo=game.solo,
        seats=seats,
        order_known=game.order_known,
        public=game.public if same_cards else (),
        tools=game.tools if same_cards else (),
        house_rules=game.house_rules,
        next_number=game.next_number,
        follows=game.code,
    )


def next_beginner(game: Game) -> str | None:
    """Return the name of who has the bag in the next game, None when the order of the turns is not known."""
    return game.seats[1].name if game.order_known and len(game.seats) > 1 else None


def check_over(game: Game) -> None:
    """Raise `InputError` before a game is revealed: the next one begins when this one is over."""
    if not game.is_revealed:
        raise InputError("not_over")
