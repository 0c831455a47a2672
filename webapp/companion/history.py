"""The games that were played here, and what they add up to.

Only revealed games come here. A window without dice, or one whose player never named the private objective,
is shown but not counted: its points are not those of a game that was played to the end. A solo game counts
its points by other rules, so its totals stand on their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from scoring import Board, Breakdown, Color, LineKind, PublicObjective, SoloResult, WindowPattern
from scoring.table.tie_breaks import Criterion, Decision
from webapp.companion.games.game import Game
from webapp.companion.games.kept import Ended
from webapp.companion.games.names import name_key
from webapp.companion.games.result import result
from webapp.companion.outcome import Outcome

GAMES_A_PAGE = 10


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
    private: Color | None
    favor_tokens: int
    breakdown: Breakdown
    place: int | None = None
    shared: bool = False
    last_round_turn: int | None = None

    @property
    def total(self) -> int:
        """The player's points."""
        return self.breakdown.total

    @property
    def is_counted(self) -> bool:
        """Whether the window goes into the averages: it has dice, and its points are complete."""
        return any(True for _ in self.board.dice()) and self.breakdown.private_points is not None


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
    players = []
    for entrant, standing in outcome.ranking:
        record, case = ended.windows[numbers[entrant.name]], entrant.case
        players.append(
            PlayedWindow(
                number=numbers[entrant.name],
                name=entrant.name,
                board=case.board,
                window=case.card,
                private=record.choices.private,
                favor_tokens=record.choices.favor_tokens,
                breakdown=outcome.judgements[entrant.name].breakdown,
                place=standing.place if standing else None,
                shared=standing.shared if standing else False,
                last_round_turn=entrant.last_round_turn,
            )
        )
    order = [seat.number for seat in game.seats]
    return Play(
        game,
        ended.created,
        ended.revealed,
        tuple(sorted(players, key=lambda one: order.index(one.number))),
        tuple(players),
        outcome,
    )


# --- What the games add up to ----------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers:
    """How often, the mean and the highest of some points."""

    times: int
    average: float
    best: int


@dataclass(frozen=True)
class PlayerNumbers:
    """A player's totals, under the name as it was written last; shared first places are won too."""

    name: str
    totals: Numbers
    won: int


@dataclass(frozen=True)
class ObjectiveNumbers:
    """What a public objective was worth, for each window that was counted for it."""

    objective: PublicObjective
    points: Numbers


@dataclass(frozen=True)
class WindowNumbers:
    """The totals on a window card."""

    window: WindowPattern
    totals: Numbers


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

    ``players`` come with the highest average first, ``objectives`` and ``windows`` too. ``totals`` are those
    of the games with two to four players, None before there is one.
    """

    games: int
    totals: Numbers | None
    best: tuple[PlayedWindow, ...]
    players: tuple[PlayerNumbers, ...]
    objectives: tuple[ObjectiveNumbers, ...]
    windows: tuple[WindowNumbers, ...]
    solo: SoloNumbers


def statistics(plays: Iterable[Play]) -> Statistics:
    """Return what games add up to, given newest first."""
    listed = list(plays)
    tables = [one for one in listed if not one.game.solo]
    counted = [player for one in tables for player in one.players if player.is_counted]
    best = max((player.total for player in counted), default=None)
    return Statistics(
        games=len(listed),
        totals=_numbers(player.total for player in counted),
        best=tuple(player for player in counted if player.total == best),
        players=_players(counted),
        objectives=_objectives(player for one in listed for player in one.players if player.is_counted),
        windows=_windows(counted),
        solo=_solo(one for one in listed if one.game.solo),
    )


def _numbers(points: Iterable[int]) -> Numbers | None:
    listed = list(points)
    return Numbers(len(listed), sum(listed) / len(listed), max(listed)) if listed else None


def _players(counted: list[PlayedWindow]) -> tuple[PlayerNumbers, ...]:
    """Return the players, newest spelling of each name; people write the same name in several ways."""
    same: dict[str, list[PlayedWindow]] = {}
    for player in counted:
        same.setdefault(name_key(player.name), []).append(player)
    found = [
        PlayerNumbers(windows[0].name, totals, sum(one.place == 1 for one in windows))
        for windows in same.values()
        if (totals := _numbers(one.total for one in windows))
    ]
    return tuple(sorted(found, key=lambda one: (-one.totals.average, name_key(one.name))))


def _objectives(counted: Iterable[PlayedWindow]) -> tuple[ObjectiveNumbers, ...]:
    points: dict[str, list[int]] = {}
    for player in counted:
        for line in player.breakdown.lines:
            if line.kind is LineKind.PUBLIC:
                points.setdefault(line.name, []).append(line.points)
    found = [
        ObjectiveNumbers(PublicObjective(name), numbers)
        for name, one in points.items()
        if (numbers := _numbers(one))
    ]
    return tuple(sorted(found, key=lambda one: (-one.points.average, one.objective.value)))


def _windows(counted: list[PlayedWindow]) -> tuple[WindowNumbers, ...]:
    known = [(one.window.name, one.window, one.total) for one in counted if one.window is not None]
    found = []
    for _, group in groupby(sorted(known, key=lambda one: one[0]), key=lambda one: one[0]):
        same = list(group)
        totals = _numbers(total for _, _, total in same)
        if totals is not None:
            found.append(WindowNumbers(same[0][1], totals))
    return tuple(sorted(found, key=lambda one: (-one.totals.average, one.window.name)))


def _solo(games: Iterable[Play]) -> SoloNumbers:
    known = [
        one.solo for one in games if one.solo is not None and any(player.is_counted for player in one.players)
    ]
    return SoloNumbers(len(known), sum(one.won for one in known), _numbers(one.total for one in known))
