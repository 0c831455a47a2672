"""The games that were played here, and what they add up to.

Only revealed games come here. A window without dice, or one whose player never named the private objective,
is shown but not counted: its points are not those of a game that was played to the end. A solo game counts
its points by other rules, so its totals stand on their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Generic, TypeVar

from scoring import (
    Board,
    Breakdown,
    LineKind,
    PrivateObjective,
    PublicObjective,
    SoloResult,
    WindowPattern,
)
from scoring.game.standings import Criterion, Decision
from webapp.companion.games.game import Game
from webapp.companion.games.names import name_key
from webapp.companion.games.result import Ended, result
from webapp.companion.outcome import Outcome

Thing = TypeVar("Thing")

GAMES_A_PAGE = 10
MOST_PLAYERS = 100
MOST_BEST = 10


@dataclass(frozen=True)
class PlayedWindow:
    """A player's window at the end of a game.

    Parameters
    ----------
    number
        The seat.
    name
        What the player was called.
    board, window, private, favor_tokens
        The dice, the card under them and the private objective where they are known, and the tokens left.
    breakdown
        The points, line by line.
    place, shared
        The place in the standings and whether somebody shares it; None in a solo game, and for a player who
        cannot be ranked.
    last_round_turn
        The place of the first turn in the last round, None when the order is not known.
    """

    number: int
    name: str
    board: Board
    window: WindowPattern | None
    private: PrivateObjective | None
    favor_tokens: int
    breakdown: Breakdown
    place: int | None = None
    shared: bool = False
    last_round_turn: int | None = None

    @property
    def total(self) -> int:
        """The player's points."""
        return self.breakdown.total

    @cached_property
    def is_counted(self) -> bool:
        """Whether the window goes into the averages: it has dice, and its points are complete."""
        return self.board != Board.empty() and self.breakdown.private_points is not None

    @property
    def is_blank(self) -> bool:
        """Whether there was nothing to count: no die, and no private objective was chosen."""
        return self.board == Board.empty() and self.private is None


@dataclass(frozen=True)
class Play:
    """One revealed game: the players in the order of their seats, and best first with those unranked last."""

    game: Game
    created: datetime
    revealed: datetime
    players: tuple[PlayedWindow, ...]
    ranking: tuple[PlayedWindow, ...]
    outcome: Outcome

    @property
    def solo(self) -> SoloResult | None:
        """What came of a solo game, None in any other and before that is known."""
        return next((one.solo for one in self.outcome.judgements.values()), None)

    @property
    def tie(self) -> Decision | None:
        """What decided the first place when points did not, or why it is shared; else None."""
        decisions = self.outcome.decisions
        if not decisions or decisions[0].decided_by is Criterion.POINTS:
            return None
        return decisions[0]


def play(ended: Ended, known: Mapping[str, WindowPattern]) -> Play:
    """Return a game as it ended.

    Parameters
    ----------
    ended
        The game, from `webapp.store.games.GameStore.ended`.
    known
        The cards there are in this house.
    """
    game = ended.game
    outcome = result(game, ended.windows, known)
    numbers = {seat.name: seat.number for seat in game.seats}
    shown = {}
    for entrant, standing in outcome.ranking:
        record, case = ended.windows[numbers[entrant.name]], entrant.case
        shown[entrant.name] = PlayedWindow(
            number=numbers[entrant.name],
            name=entrant.name,
            board=case.board,
            window=case.card,
            private=record.choices.private,
            favor_tokens=case.favor_tokens or 0,
            breakdown=outcome.judgements[entrant.name].breakdown,
            place=standing.place if standing else None,
            shared=standing.shared if standing else False,
            last_round_turn=entrant.last_round_turn,
        )
    players = tuple(shown[entrant.name] for entrant in outcome.entrants)
    return Play(game, ended.created, ended.revealed, players, tuple(shown.values()), outcome)


# --- What the games add up to ----------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers:
    """How often, the mean and the highest of some points."""

    times: int
    average: float
    best: int


@dataclass(frozen=True)
class Row(Generic[Thing]):
    """What the points of a player, for a public objective or on a window card add up to.

    ``thing`` is the card, or the player's name as it was written last. ``won`` counts first places, shared
    ones too.
    """

    thing: Thing
    points: Numbers
    won: int


@dataclass(frozen=True)
class SoloNumbers:
    """How solo games ended: ``games`` are those whose result is known."""

    games: int
    won: int
    totals: Numbers | None

    @property
    def lost(self) -> int:
        """How many were not won."""
        return self.games - self.won


@dataclass(frozen=True)
class Statistics:
    """What all games of this server add up to.

    ``players`` come with the highest average first, ``objectives`` and ``windows`` too; of more than
    `MOST_PLAYERS` those are listed who played most, and ``unlisted`` counts the others. ``totals`` are those
    of the games with two to six players, None before there is one; ``best_names`` are theirs who had the
    best of them, `MOST_BEST` at most.
    """

    games: int
    totals: Numbers | None
    best_names: tuple[str, ...]
    players: tuple[Row[str], ...]
    unlisted: int
    objectives: tuple[Row[PublicObjective], ...]
    windows: tuple[Row[WindowPattern], ...]
    solo: SoloNumbers


def statistics(plays: Iterable[Play]) -> Statistics:
    """Return what games add up to, given newest first."""
    listed = list(plays)
    tables = [one for one in listed if not one.game.solo]
    counted = [player for one in tables for player in one.players if player.is_counted]
    totals = numbers_of(player.total for player in counted)
    best = dict.fromkeys(one.name for one in counted if totals and one.total == totals.best)
    players = rows((name_key(one.name), one.name, one.total, one.place == 1) for one in counted)
    most = {row.thing for row in sorted(players, key=lambda row: -row.points.times)[:MOST_PLAYERS]}
    return Statistics(
        games=len(listed),
        totals=totals,
        best_names=tuple(best)[:MOST_BEST],
        players=tuple(row for row in players if row.thing in most),
        unlisted=len(players) - len(most),
        objectives=rows(
            (line.name, PublicObjective(line.name), line.points, player.place == 1)
            for one in listed
            for player in one.players
            for line in player.breakdown.lines
            if player.is_counted and line.kind is LineKind.PUBLIC
        ),
        windows=rows(
            (one.window.name, one.window, one.total, one.place == 1) for one in counted if one.window
        ),
        solo=_solo(one for one in listed if one.game.solo),
    )


def numbers_of(points: Iterable[int]) -> Numbers | None:
    """Return what points add up to, None when there are none."""
    listed = list(points)
    return Numbers(len(listed), sum(listed) / len(listed), max(listed)) if listed else None


def rows(played: Iterable[tuple[str, Thing, int, bool]]) -> tuple[Row[Thing], ...]:
    """Return a row for each key, which spellings of a name share, the highest average first.

    ``played`` are the key, the thing, its points and whether that won the game.
    """
    same: dict[str, list[tuple[str, Thing, int, bool]]] = {}
    for one in played:
        same.setdefault(one[0], []).append(one)
    rows = {
        key: Row(found[0][1], numbers, sum(won for *_, won in found))
        for key, found in same.items()
        if (numbers := numbers_of(points for _, _, points, _ in found))
    }
    return tuple(rows[key] for key in sorted(rows, key=lambda key: (-rows[key].points.average, key)))


def _solo(games: Iterable[Play]) -> SoloNumbers:
    known = [
        one.solo for one in games if one.solo is not None and any(player.is_counted for player in one.players)
    ]
    return SoloNumbers(len(known), sum(one.won for one in known), numbers_of(one.total for one in known))
