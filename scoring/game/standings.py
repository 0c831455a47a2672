"""The final standings: who is in which place, and what decided it.

Most points win. Nobody is put ahead of anybody by a guess: where something is not known that would decide
between players with equal points, the place is shared, and a sentence says what is missing.

The rulebook, "Scoring": among players with equal points the one with more points from the private objective
is ahead; among those still equal, the one with more favor tokens left; among those, the one whose first turn
in the last round came later. All the texts that we know agree on this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import cast

from scoring.errors import InvalidValueError
from scoring.game.setup import MOST_PLAYERS, check_names
from scoring.points.totals import Breakdown
from scoring.sentences import Sentence, counted, sentence


class Criterion(Enum):
    """What decides between two players, in the order in which it is looked at. More is better."""

    POINTS = "points"
    PRIVATE_OBJECTIVE = "private_objective"
    FAVOR_TOKENS = "favor_tokens"
    LAST_ROUND = "last_round"


@dataclass(frozen=True)
class Player:
    """A player at the end of the game.

    ``breakdown`` comes from `score_player`, with the private objective and the favor tokens left.
    ``last_round_turn`` is the place of the player's first turn in the last round (1 for the start player),
    from `TurnOrder.first_turns`; None when nobody remembers.
    """

    name: str
    breakdown: Breakdown
    last_round_turn: int | None = None

    def count(self, criterion: Criterion) -> int | None:
        """Return the player's number for a criterion; None when it is not known."""
        return {
            Criterion.POINTS: self.breakdown.total,
            Criterion.PRIVATE_OBJECTIVE: self.breakdown.private_points,
            Criterion.FAVOR_TOKENS: self.breakdown.favor_tokens,
            Criterion.LAST_ROUND: self.last_round_turn,
        }[criterion]


@dataclass(frozen=True)
class Decision:
    """What decided between two players who follow each other in the standings.

    ``decided_by`` is None when they share a place: they are equal in all but their turns in the last round,
    and those are not known.
    """

    better: str
    worse: str
    decided_by: Criterion | None
    sentence: Sentence


def _decided(better: Player, worse: Player) -> Decision:
    """Say which criterion put one player ahead of the next: the first that they differ in."""
    criterion = next(one for one in Criterion if better.count(one) != worse.count(one))
    # Both are known: players with a turn that is not known stay tied, and `_shared` speaks of them.
    more, less = cast("tuple[int, int]", (better.count(criterion), worse.count(criterion)))
    points = better.breakdown.total
    said = {
        Criterion.POINTS: counted(
            "{better} is {count} point ahead of {worse} ({more} to {less}).",
            "{better} is {count} points ahead of {worse} ({more} to {less}).",
            more - less,
            better=better.name,
            worse=worse.name,
            more=more,
            less=less,
        ),
        Criterion.PRIVATE_OBJECTIVE: counted(
            "{better} and {worse} both have {count} point; "
            "{better} has more from the private objective ({more} to {less}).",
            "{better} and {worse} both have {count} points; "
            "{better} has more from the private objective ({more} to {less}).",
            points,
            better=better.name,
            worse=worse.name,
            more=more,
            less=less,
        ),
        Criterion.FAVOR_TOKENS: counted(
            "{better} and {worse} both have {count} point and the same from the private objective; "
            "{better} has more favor tokens left ({more} to {less}).",
            "{better} and {worse} both have {count} points and the same from the private objective; "
            "{better} has more favor tokens left ({more} to {less}).",
            points,
            better=better.name,
            worse=worse.name,
            more=more,
            less=less,
        ),
        Criterion.LAST_ROUND: counted(
            "{better} and {worse} both have {count} point, the same from the private objective and as many "
            "favor tokens; the first turn of {better} in the last round came later.",
            "{better} and {worse} both have {count} points, the same from the private objective and as many "
            "favor tokens; the first turn of {better} in the last round came later.",
            points,
            better=better.name,
            worse=worse.name,
        ),
    }[criterion]
    return Decision(better.name, worse.name, criterion, said)


def _shared(one: Player, other: Player, tied: list[Player]) -> Decision:
    """Say that two of the tied players share a place, and whose turns are not known."""
    return Decision(
        one.name,
        other.name,
        None,
        counted(
            "{one} and {other} share the place: both have {count} point, the same from the private "
            "objective and as many favor tokens; the first turn in the last round is unknown for {unknown}.",
            "{one} and {other} share the place: both have {count} points, the same from the private "
            "objective and as many favor tokens; the first turn in the last round is unknown for {unknown}.",
            one.breakdown.total,
            one=one.name,
            other=other.name,
            unknown=tuple(player.name for player in tied if player.last_round_turn is None),
        ),
    )


@dataclass(frozen=True)
class Standing:
    """A player's place. After a shared first place comes the third.

    ``after`` says what decided between this player and the one listed after.
    """

    place: int
    shared: bool
    player: Player
    after: Decision | None

    @property
    def name(self) -> str:
        """The player's name."""
        return self.player.name

    @property
    def total(self) -> int:
        """The player's points."""
        return self.player.breakdown.total


@dataclass(frozen=True)
class Standings:
    """All players, best first. Players who share a place stand in the order of their names."""

    places: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Standing, ...]:
        """The first, or all who share the first place."""
        return tuple(standing for standing in self.places if standing.place == 1)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What decided between each player and the next one, from the top."""
        return tuple(standing.after for standing in self.places if standing.after is not None)

    @property
    def sentence(self) -> Sentence:
        """Who won, with how many points. What decided stands in `decisions`."""
        points, names = self.places[0].total, tuple(standing.name for standing in self.winners)
        if len(names) == 1:
            return counted(
                "{winner} wins with {count} point.",
                "{winner} wins with {count} points.",
                points,
                winner=names[0],
            )
        return counted(
            "The first place is shared, with {count} point each: {winners}.",
            "The first place is shared, with {count} points each: {winners}.",
            points,
            winners=names,
        )


def rank(players: Iterable[Player]) -> Standings:
    """Return the places of the players and what decided between them.

    Raises
    ------
    InvalidValueError
        There are more than six players or none, two have the same name, a breakdown lacks the private
        objective or the favor tokens, or the places of the first turns in the last round are not different
        numbers from 1 to 6.

    Examples
    --------
    >>> from scoring.points.totals import score_player
    >>> board = "R6 B4 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"
    >>> ann = Player("Ann", score_player(board, private="blue", favor_tokens=3))
    >>> ben = Player("Ben", score_player(board, private="red", favor_tokens=1))
    >>> standings = rank([ann, ben])
    >>> print(standings.sentence)
    Ben wins with −11 points.
    >>> print(standings.decisions[0].sentence)
    Ben and Ann both have −11 points; Ben has more from the private objective (6 to 4).
    """
    everybody = list(players)
    check_names([player.name for player in everybody])
    _check_breakdowns(everybody)
    _check_turns([player.last_round_turn for player in everybody if player.last_round_turn is not None])
    groups = _in_groups(sorted(everybody, key=lambda player: player.name), list(Criterion))
    listed = [player for group in groups for player in group]
    group_of = [group for group in groups for _ in group]
    decisions = [
        _shared(one, other, group) if group is next_group else _decided(one, other)
        for (one, group), (other, next_group) in pairwise(zip(listed, group_of, strict=True))
    ]
    return Standings(
        tuple(
            Standing(listed.index(group[0]) + 1, len(group) > 1, player, after)
            for player, group, after in zip(listed, group_of, [*decisions, None], strict=True)
        )
    )


def _in_groups(tied: list[Player], criteria: Sequence[Criterion]) -> list[list[Player]]:
    """Return the players best first, those together whom the criteria cannot tell apart.

    When it is not known when one of them had the first turn in the last round, all of the tied stay together:
    nobody can say where that one belongs.
    """
    if len(tied) == 1:
        return [tied]
    criterion, *further = criteria
    counts = {player.count(criterion) for player in tied}
    if None in counts:
        return [tied]
    return [
        group
        for count in sorted(cast("set[int]", counts), reverse=True)
        for group in _in_groups([player for player in tied if player.count(criterion) == count], further)
    ]


def _check_breakdowns(players: Sequence[Player]) -> None:
    """Refuse players whose points are not all counted: nobody can say where they belong."""
    for player in players:
        if player.count(Criterion.PRIVATE_OBJECTIVE) is None:
            raise InvalidValueError(
                "missing_private_objective",
                sentence("The private objective of {player} is not counted.", player=player.name),
                sentence("Name its color: it counts for the total, and it decides ties."),
            )
        if player.count(Criterion.FAVOR_TOKENS) is None:
            raise InvalidValueError(
                "missing_favor_tokens",
                sentence("The favor tokens of {player} are not counted.", player=player.name),
                sentence("Give the number of tokens left. A solo game has no standings."),
            )


def _check_turns(known: list[int]) -> None:
    """Refuse places in the last round that players cannot have had."""
    if len(set(known)) < len(known) or not all(
        type(turn) is int and 1 <= turn <= MOST_PLAYERS for turn in known
    ):
        raise InvalidValueError(
            "bad_last_round_turn",
            sentence(
                "The first turns in the last round cannot have the places {places}.",
                places=[str(turn) for turn in known],
            ),
            sentence("Count them from 1, for the player who had the dice bag; each player has another one."),
        )
