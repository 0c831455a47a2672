"""A window of a record or of a seat as the judge sees it, and how a game ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from scoring import WindowPattern
from scoring.game.setup import TurnOrder, favor_tokens_at_start
from webapp.services.games.game import Game
from webapp.services.judging import Case
from webapp.services.outcome import Entrant, Outcome, outcome_of
from webapp.services.record import Record, card_of


@dataclass(frozen=True)
class Ended:
    """A revealed game with the windows of its players, by the number of the seat."""

    game: Game
    windows: dict[int, Record]
    created: datetime
    revealed: datetime


def tokens_left(record: Record, game: Game | None, card: WindowPattern | None) -> int:
    """Return the favor tokens that a player has left.

    Until somebody tells another number they are at a table as many as came with the card, less what the
    player's tools cost. Away from a table nobody knows what was spent, so none count.
    """
    told = record.choices.favor_tokens
    if told is not None or game is None or card is None:
        return told or 0
    seat = next((one.number for one in game.seats if one.record_id == record.id), None)
    paid = sum(use.tokens for use in game.uses if use.seat == seat)
    return max(0, (favor_tokens_at_start(card, solo=game.solo) or 0) - paid)


def case_of(record: Record, game: Game | None, known: Mapping[str, WindowPattern]) -> Case:
    """Return a window with all that bears on it; the table says so for the window of a seat."""
    choices = record.choices
    privates = [choices.private] if choices.private else []
    board, card, public = record.board, card_of(record, known), choices.public
    if game is None:
        return Case(
            board, card, public=public, privates=privates, favor_tokens=tokens_left(record, None, card)
        )
    if game.solo and game.second_private is not None and game.second_private not in privates:
        privates.append(game.second_private)
    seat = next((one.number for one in game.seats if one.record_id == record.id), None)
    return Case(
        board,
        card,
        public=public,
        privates=privates,
        favor_tokens=None if game.solo else tokens_left(record, game, card),
        # As long as nobody told what is left, tools may have been used that nobody noted.
        spent=card.difficulty if card and choices.favor_tokens is None and not game.solo else None,
        tools=game.tools,
        house_rules=game.house_rules,
        uses=[(use.tool, use.tokens) for use in game.uses if use.seat == seat],
        solo=game.solo,
        target=game.target,
    )


def result(game: Game, windows: Mapping[int, Record], known: Mapping[str, WindowPattern]) -> Outcome:
    """Return how a game ended, as far as the windows tell.

    Parameters
    ----------
    game
        The game.
    windows
        The windows of its players, by the number of the seat.
    known
        The cards there are in this house.
    """
    # Where each player's first turn in the last round was; nobody knows when the order is not known.
    turns = TurnOrder(tuple(seat.name for seat in game.seats)).first_turns() if game.order_known else {}
    return outcome_of(
        Entrant(
            seat.name,
            case_of(windows[seat.number], game, known),
            turns.get(seat.name),
            shot=windows[seat.number].shot,
        )
        for seat in game.seats
        if seat.number in windows
    )
