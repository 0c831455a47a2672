"""The games that were played here, what they add up to, and files of them for other programs.

Only revealed games come here. A window without dice, or one whose player never named the private objective,
is shown but not counted: its points are not those of a game that was played to the end. A solo game counts
its points by other rules, so its totals stand on their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from statistics import fmean
from typing import Any, Generic, TypeVar
from urllib.parse import quote

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
from scoring.sentences import ENGLISH
from webapp.domain.errors import NotFoundError
from webapp.domain.games.cards import tokens_on
from webapp.domain.games.game import Game, name_key
from webapp.domain.games.result import Ended, result
from webapp.domain.outcome import Outcome, decision_to_json
from webapp.domain.payloads import lines_to_json, solo_to_json

Thing = TypeVar("Thing")

GAMES_A_PAGE = 10
MOST_PLAYERS = 100
MOST_BEST = 10


@dataclass(frozen=True)
class PlayedWindow:
    """A player's window at the end of a game, by the number of the seat.

    ``place`` is None in a solo game, and for a player who cannot be ranked; somebody may have ``shared`` it.
    ``last_round_turn`` is the place of the first turn in the last round, None when the order is not known.
    ``is_complete`` is whether points of another card are told where there is one.
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
    is_complete: bool = True

    @property
    def total(self) -> int:
        """The player's points."""
        return self.breakdown.total

    @cached_property
    def is_counted(self) -> bool:
        """Whether the window goes into the averages: it has dice, and its points are complete."""
        return self.is_complete and self.board != Board.empty() and self.breakdown.private_points is not None

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
        first = next(iter(self.outcome.decisions), None)
        return None if first and first.decided_by is Criterion.POINTS else first


def play(ended: Ended, known: Mapping[str, WindowPattern]) -> Play:
    """Return a game as it ended."""
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
            is_complete=case.other_points is not None or not game.other_card,
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
        objectives=_objectives(player for one in listed for player in one.players if player.is_counted),
        windows=_cards(counted),
        solo=_solo(one for one in listed if one.game.solo),
    )


def _objectives(windows: Iterable[PlayedWindow]) -> tuple[Row[PublicObjective], ...]:
    return rows(
        (line.name, PublicObjective(line.name), line.points, window.place == 1)
        for window in windows
        for line in window.breakdown.lines
        if line.kind is LineKind.PUBLIC
    )


def _cards(windows: Iterable[PlayedWindow]) -> tuple[Row[WindowPattern], ...]:
    return rows((one.window.name, one.window, one.total, one.place == 1) for one in windows if one.window)


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
    rows = [
        (-numbers.average, key, Row(found[0][1], numbers, sum(won for *_, won in found)))
        for key, found in same.items()
        if (numbers := numbers_of(points for _, _, points, _ in found))
    ]
    return tuple(row for *_, row in sorted(rows, key=lambda row: row[:2]))


def _solo(games: Iterable[Play]) -> SoloNumbers:
    known = [
        one.solo for one in games if one.solo is not None and any(player.is_counted for player in one.players)
    ]
    return SoloNumbers(len(known), sum(one.won for one in known), numbers_of(one.total for one in known))


SCHEMA = 1
"""The number of the form of the JSON file; it grows when a key is taken away or changes its meaning."""

BG_STATS = "https://app.bgstatsapp.com/createPlay.html"
LONGEST_GAME = timedelta(hours=12)
SAGRADA_ON_BGG = 199561

_BEFORE_FORMULA = re.compile(r"""(^|[,;\t])(?=['"\s]*[=+\-@\t\r\n＝＋－＠])""")
"""Where a cell begins that a spreadsheet may take for a formula, at whatever sign it parts cells."""
_QUOTED = re.compile(r'[,;"\t\r\n]')

COLUMNS = (
    *("game", "date", "solo", "seat", "name", "place", "shared_place", "won", "total", "target"),
    *("window", "difficulty", "private", "private_points", "favor_tokens", "empty_spaces"),
    *(card.value for card in PublicObjective),
    *("other_points", "last_round_turn", "board"),
)
"""The columns of the CSV file; a public objective that was not in play stays empty."""


# --- JSON ------------------------------------------------------------------------------------------


def to_json(plays: Iterable[Play]) -> str:
    """Return games as a JSON document, with names and sentences in English in every language."""
    document = {"schema": SCHEMA, "game": "Sagrada", "games": [_game_json(one) for one in plays]}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _game_json(play: Play) -> dict[str, Any]:
    """Return one game as plain data, without what gives access to it: tokens and ids of windows."""
    game, outcome = play.game, play.outcome
    return {
        "code": game.code,
        "created": _moment(play.created),
        "revealed": _moment(play.revealed),
        "solo": game.solo,
        "public": [card.value for card in game.public],
        "tools": [{"name": tool.value, "tokens": tokens_on(game, tool)} for tool in game.tools],
        "uses": [{"tool": use.tool.value, "seat": use.seat, "tokens": use.tokens} for use in game.uses],
        "order_known": game.order_known,
        "players": [_player_json(one) for one in play.players],
        "house_rules": [rule.value for rule in game.house_rules],
        "note": game.note,
        "winners": [one.name for one in outcome.standings.winners] if outcome.standings else [],
        "decisions": [decision_to_json(one, ENGLISH) for one in outcome.decisions],
        "unranked": list(outcome.unranked),
        "target": game.target,
        "second_private": game.second_private.value if game.second_private else None,
        "solo_result": solo_to_json(play.solo, ENGLISH) if play.solo else None,
    }


def _player_json(player: PlayedWindow) -> dict[str, Any]:
    window = player.window
    return {
        "seat": player.number,
        "name": player.name,
        "place": player.place,
        "shared": player.shared,
        "last_round_turn": player.last_round_turn,
        "board": str(player.board),
        "window": {"name": window.name, "difficulty": window.difficulty, "pattern": str(window)}
        if window
        else None,
        "private": player.private.value if player.private else None,
        "favor_tokens": player.favor_tokens,
        "total": player.total,
        "lines": lines_to_json(player.breakdown, ENGLISH),
    }


# --- CSV -------------------------------------------------------------------------------------------


def to_csv(plays: Iterable[Play], separator: str = ",") -> str:
    """Return one row for each player of each game, as RFC 4180 wants it, after a byte order mark.

    The mark tells spreadsheets that the letters are in UTF-8. With a semicolon as ``separator`` those open
    the file in columns in whose language a comma parts decimals. Every cell with either sign is quoted.
    """
    lines = [separator.join(COLUMNS)]
    for one in plays:
        for player in one.players:
            row = _row(one, player)
            lines.append(separator.join(_cell(row[name]) for name in COLUMNS))
    return "\N{ZERO WIDTH NO-BREAK SPACE}" + "".join(f"{line}\r\n" for line in lines)


def _row(play: Play, player: PlayedWindow) -> dict[str, str | int | None]:
    private = play.solo.private if play.solo else player.private
    lines = player.breakdown.lines
    public = {line.name: line.points for line in lines if line.kind is LineKind.PUBLIC}
    return {
        "game": play.game.code,
        "date": _moment(play.revealed),
        "solo": int(play.game.solo),
        "seat": player.number,
        "name": player.name,
        "place": player.place,
        "shared_place": int(player.shared),
        "won": _won(play, player),
        "total": player.total,
        "target": play.game.target,
        "window": player.window.name if player.window else None,
        "difficulty": player.window.difficulty if player.window else None,
        "private": private.value if private else None,
        "private_points": player.breakdown.private_points,
        "favor_tokens": player.breakdown.favor_tokens,
        "empty_spaces": len(player.board.empty_cells()),
        **{card.value: public.get(card.value) for card in PublicObjective},
        "other_points": next((line.points for line in lines if line.kind is LineKind.OTHER_CARDS), None),
        "last_round_turn": player.last_round_turn,
        "board": str(player.board),
    }


def _won(play: Play, player: PlayedWindow) -> int | None:
    """Return 1 for who won, 0 for who did not, None where nobody knows."""
    if play.game.solo:
        return int(play.solo.won) if play.solo else None
    return int(player.place == 1) if player.place is not None else None


def _cell(value: str | int | None) -> str:
    """Return what is written: a number as it is, and a text that is no formula to any spreadsheet.

    A text that looks like one gets an apostrophe in front, and another behind each comma and semicolon where
    one would begin, as a spreadsheet may part cells there and not heed the quotes. Whoever reads the file by
    program takes one apostrophe away in each of these places.
    """
    if not isinstance(value, str):
        return "" if value is None else str(value)
    text = _BEFORE_FORMULA.sub(r"\1'", value)
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _moment(when: datetime) -> str:
    return when.isoformat(timespec="seconds")


# --- Board Game Stats ------------------------------------------------------------------------------


def push_link(play: Play) -> str | None:
    """Return the address that hands a play over to the app, None while nobody has a result.

    The app's makers describe the form on bgstatsapp.com under "Push plays to BG Stats from other apps or
    websites". The program itself sends nothing: the link is there for people to tap.
    """
    if play.outcome.standings is None and play.solo is None:
        return None
    payload = json.dumps(push_data(play), ensure_ascii=False, separators=(",", ":"))
    return f"{BG_STATS}?data={quote(payload, safe='')}"


def push_data(play: Play) -> dict[str, Any]:
    """Return what the app is sent.

    Every yes or no is there although the form does not ask for it: others report that the app on Android
    stops without them. A game that is handed over again has the same id, and a player the same one in every
    game.
    """
    return {
        "sourceName": "Sagrada Companion",
        "sourcePlayId": f"{play.game.code}-{int(play.created.timestamp())}",
        "playDate": play.revealed.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": "Sagrada",
            "sourceGameId": "sagrada",
            "bggId": SAGRADA_ON_BGG,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [_pushed(play, one) for one in play.players],
        **({"durationMin": minutes} if (minutes := _minutes(play)) else {}),
        **({"comments": play.game.note} if play.game.note else {}),
    }


def _minutes(play: Play) -> int | None:
    """Return how long a game took, where its rounds were followed here: else it was begun at its end."""
    passed = play.revealed - play.created
    return round(passed.total_seconds() / 60) if play.game.play and passed < LONGEST_GAME else None


def _pushed(play: Play, player: PlayedWindow) -> dict[str, Any]:
    place = 1 if play.game.solo else player.place
    starts = play.game.solo or (play.game.order_known and play.game.seats[0].number == player.number)
    return {
        "name": player.name,
        "sourcePlayerId": name_key(player.name),
        "score": player.total,
        "winner": play.solo.won if play.solo else place == 1,
        "startPlayer": starts,
        **({"rank": place} if place is not None else {}),
    }


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
    """All counted games of one player, whose ``name`` is as it was written last, the oldest first.

    ``won`` counts first places, shared ones too. ``card`` is the window card that was played most often, the
    better one of several; None when none is known. ``objectives`` come with the highest average first,
    ``duels`` are with everybody who sat at the same tables, whom the player met most often first.
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
    key = name_key(name)
    games = [
        Appearance(play, window)
        for play in plays
        for window in play.players
        if not play.game.solo and window.is_counted and name_key(window.name) == key
    ]
    windows = [one.window for one in games]
    points = numbers_of(window.total for window in windows)
    if points is None:
        raise NotFoundError("player_unknown")
    cards = _cards(windows)
    return Career(
        name=windows[0].name,
        games=tuple(reversed(games)),
        points=points,
        won=sum(window.place == 1 for window in windows),
        card=max(cards, key=lambda row: row.points.times, default=None),
        objectives=_objectives(windows),
        sources=_sources(windows),
        duels=_duels(games),
    )


def _sources(windows: Sequence[PlayedWindow]) -> Sources:
    """Return where the points of windows came from, in the mean; there is at least one."""
    points = dict.fromkeys(LineKind, 0)
    for window in windows:
        for line in window.breakdown.lines:
            points[line.kind] += line.points
    points[LineKind.PUBLIC] += points.pop(LineKind.OTHER_CARDS)
    return Sources(**{kind.value: total / len(windows) for kind, total in points.items()})


def _duels(games: Sequence[Appearance]) -> tuple[Duel, ...]:
    met: dict[str, list[Meeting]] = {}
    for one in games:
        for other in one.play.players:
            if other.is_counted and other.number != one.window.number:
                met.setdefault(name_key(other.name), []).append(Meeting(one.play, one.window, other))
    duels = [Duel(games[0].window.name, found[0].other.name, tuple(found)) for found in met.values()]
    return tuple(sorted(duels, key=lambda duel: (-len(duel.meetings), name_key(duel.other))))
