"""The points of everybody at the table, who won, and what decided it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import Board, Breakdown, Color, PublicObjective, Toolbox, score_player
from scoring.game import Game as Turns
from scoring.solo import SOLO_POINTS_PER_EMPTY_CELL, SoloResult, score_solo
from scoring.standings import Standings, rank
from scoring.tie_breaks import Player
from scoring.totals import empty_cells_line, public_lines
from webapp.games.game import Game, Seat
from webapp.storage import Record


@dataclass(frozen=True)
class Result:
    """How a game ended, as far as the windows tell.

    Parameters
    ----------
    breakdowns
        The points of every player, by the number of the seat.
    standings
        Who is in which place; None in a solo game, and when nobody can be ranked.
    unranked
        Players whose private objective nobody told: their points are not complete.
    solo
        What came of a solo game, None before its target and private objectives are known.
    """

    breakdowns: dict[int, Breakdown]
    standings: Standings | None
    unranked: tuple[Seat, ...]
    solo: SoloResult | None


def breakdown(record: Record, game: Game | None) -> Breakdown:
    """Return the points of a window; at a solo table by the solo rules."""
    board, choices = Board.parse(record.board), record.choices
    public = [PublicObjective(name) for name in choices.public]
    private = Color(choices.private) if choices.private else None
    if game is None or not game.solo:
        return score_player(board, public, private, choices.favor)
    told = solo_result(record, game)
    if told is not None:
        return told.breakdown
    lines = (*public_lines(board, public), empty_cells_line(board, SOLO_POINTS_PER_EMPTY_CELL))
    return Breakdown(lines)


def solo_result(record: Record, game: Game) -> SoloResult | None:
    """Return what came of a solo game, None without a private objective."""
    privates = [Color(letter) for letter in (record.choices.private,) if letter]
    if game.second_private is not None and game.second_private not in privates:
        privates.append(game.second_private)
    if not privates:
        return None
    public = [PublicObjective(name) for name in record.choices.public]
    return score_solo(Board.parse(record.board), public, privates, game.target or 0)


def result(game: Game, windows: Mapping[int, Record]) -> Result:
    """Return how a game ended.

    Parameters
    ----------
    game
        The game.
    windows
        The windows of its players, by the number of the seat.
    """
    counted = {number: breakdown(record, game) for number, record in windows.items()}
    if game.solo:
        only = next(iter(windows.values()), None)
        return Result(counted, None, (), solo_result(only, game) if only else None)
    complete = [
        seat for seat in game.seats if seat.number in counted and windows[seat.number].choices.private
    ]
    turns = last_round_turns(game)
    players = [Player(seat.name, counted[seat.number], turns.get(seat.name)) for seat in complete]
    return Result(
        counted,
        rank(players) if players else None,
        tuple(seat for seat in game.seats if seat not in complete),
        None,
    )


def last_round_turns(game: Game) -> dict[str, int]:
    """Return the place of each player's first turn in the last round, nothing when the order is not known."""
    return Turns(tuple(seat.name for seat in game.seats)).first_turns() if game.order_known else {}


def toolbox(game: Game) -> Toolbox | None:
    """Return the tools that may have left a trace in a window of this game, None when nobody named them."""
    return Toolbox(game.tools, solo=game.solo) if game.tools else None
