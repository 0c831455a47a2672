"""What the games so far say of one player, and of two who met.

Only windows that count are looked at, see `webapp.services.history`, and no solo games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from scoring import LineKind, PublicObjective, WindowPattern
from webapp.services.errors import NotFoundError
from webapp.services.games.game import name_key
from webapp.services.history import Numbers, Play, PlayedWindow, Row, numbers_of, rows


@dataclass(frozen=True)
class Sources:
    """Where the points of windows came from: the mean of each kind, in the order of a score."""

    public: float
    private: float
    favor_tokens: float
    empty_cells: float


@dataclass(frozen=True)
class Appearance:
    """A game in which a player had a window that counts."""

    play: Play
    window: PlayedWindow


@dataclass(frozen=True)
class Meeting:
    """A game in which two players had windows that count: ``one`` is looked at, ``other`` compared."""

    play: Play
    one: PlayedWindow
    other: PlayedWindow

    @property
    def difference(self) -> int:
        """By how many points ``one`` was ahead."""
        return self.one.total - self.other.total

    @property
    def places_ahead(self) -> int:
        """By how many places ``one`` was ahead: a tie of points may be decided, and 0 is a shared place."""
        return (self.other.place or 0) - (self.one.place or 0)


@dataclass(frozen=True)
class Duel:
    """What two players' games add up to, seen by the first; ``meetings`` come with the newest first."""

    one: str
    other: str
    meetings: tuple[Meeting, ...]

    @property
    def won(self) -> int:
        """How often the first was ahead."""
        return sum(meeting.places_ahead > 0 for meeting in self.meetings)

    @property
    def lost(self) -> int:
        """How often the other was ahead."""
        return sum(meeting.places_ahead < 0 for meeting in self.meetings)

    @property
    def tied(self) -> int:
        """How often they shared a place."""
        return len(self.meetings) - self.won - self.lost

    @property
    def average_difference(self) -> float:
        """By how many points the first was ahead in the mean."""
        return fmean(meeting.difference for meeting in self.meetings)

    @property
    def biggest_win(self) -> Meeting | None:
        """The game that the first won by most points."""
        won = [meeting for meeting in self.meetings if meeting.places_ahead > 0]
        return max(won, key=lambda meeting: meeting.difference, default=None)

    @property
    def biggest_loss(self) -> Meeting | None:
        """The game that the other won by most points."""
        lost = [meeting for meeting in self.meetings if meeting.places_ahead < 0]
        return min(lost, key=lambda meeting: meeting.difference, default=None)


@dataclass(frozen=True)
class Career:
    """All counted games of one player.

    Parameters
    ----------
    name
        As it was written last.
    games
        The oldest first.
    points
        What the totals add up to.
    won
        First places, also shared.
    card
        The window card that was played most often, the better one of several; None when none is known.
    objectives
        What the public objectives were worth, the highest average first.
    sources
        Where the points came from.
    duels
        With everybody who sat at the same tables, whom the player met most often first.
    """

    name: str
    games: tuple[Appearance, ...]
    points: Numbers
    won: int
    card: Row[WindowPattern] | None
    objectives: tuple[Row[PublicObjective], ...]
    sources: Sources
    duels: tuple[Duel, ...]

    @property
    def best(self) -> Appearance:
        """The game with the highest total, the first of several."""
        return max(self.games, key=lambda one: one.window.total)

    def duel(self, other: str) -> Duel:
        """Return the games with another player, or raise `NotFoundError`."""
        for one in self.duels:
            if name_key(one.other) == name_key(other):
                return one
        raise NotFoundError("never_met")


def career(plays: Iterable[Play], name: str) -> Career:
    """Return what a player's games add up to, or raise `NotFoundError`; they are given newest first."""
    tables = [play for play in plays if not play.game.solo]
    games = [Appearance(play, window) for play in tables if (window := _at(play, name_key(name)))]
    if not games:
        raise NotFoundError("player_unknown")
    windows = [one.window for one in games]
    points = numbers_of(window.total for window in windows)
    assert points is not None  # noqa: S101  there is a game
    cards = rows((one.window.name, one.window, one.total, one.place == 1) for one in windows if one.window)
    return Career(
        name=windows[0].name,
        games=tuple(reversed(games)),
        points=points,
        won=sum(window.place == 1 for window in windows),
        card=max(cards, key=lambda row: row.points.times, default=None),
        objectives=rows(
            (line.name, PublicObjective(line.name), line.points, window.place == 1)
            for window in windows
            for line in window.breakdown.lines
            if line.kind is LineKind.PUBLIC
        ),
        sources=sources(windows),
        duels=_duels(games),
    )


def sources(windows: Sequence[PlayedWindow]) -> Sources:
    """Return where the points of windows came from, in the mean; there is at least one."""
    sums = dict.fromkeys(LineKind, 0)
    for window in windows:
        for line in window.breakdown.lines:
            sums[line.kind] += line.points
    mean = {kind.value: points / len(windows) for kind, points in sums.items()}
    return Sources(**mean)


def _at(play: Play, key: str) -> PlayedWindow | None:
    """Return the counted window of a player in a game."""
    return next((one for one in play.players if one.is_counted and name_key(one.name) == key), None)


def _duels(games: Sequence[Appearance]) -> tuple[Duel, ...]:
    met: dict[str, list[Meeting]] = {}
    for one in games:
        for other in one.play.players:
            if other.is_counted and other.number != one.window.number:
                met.setdefault(name_key(other.name), []).append(Meeting(one.play, one.window, other))
    duels = [Duel(games[0].window.name, found[0].other.name, tuple(found)) for found in met.values()]
    return tuple(sorted(duels, key=lambda duel: (-len(duel.meetings), name_key(duel.other))))
