"""What decides between players with equal points, and the sentences that say so.

The rulebook, "Scoring": among players with equal points the one with more points from the private objective
is ahead; among those still equal, the one with more favor tokens left; among those, the one whose first turn
in the last round came later. All the texts that we know agree on this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import cast

from scoring.points.totals import Breakdown
from scoring.sentences import Sentence, counted


class Criterion(Enum):
    """What decides between two players, in the order in which it is looked at. More is better."""

    POINTS = "points"
    PRIVATE_OBJECTIVE = "private_objective"
    FAVOR_TOKENS = "favor_tokens"
    LAST_ROUND = "last_round"


@dataclass(frozen=True)
class Player:
    """A player at the end of the game.

    Parameters
    ----------
    name
        What the others call the player.
    breakdown
        The player's points, from `score_player`, with the private objective and the favor tokens left.
    last_round_turn
        The place of the player's first turn in the last round (1 for the start player), from
        `TurnOrder.first_turns`; None when nobody remembers.
    """

    name: str
    breakdown: Breakdown
    last_round_turn: int | None = None

    def count(self, criterion: Criterion) -> int | None:
        """Return the player's number for a criterion; None when it is not known.

        `rank` refuses players of whom anything but the turn in the last round is not known.
        """
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


def decided(better: Player, worse: Player) -> Decision:
    """Say which criterion put one player ahead of the next: the first that they differ in."""
    criterion = next(one for one in Criterion if better.count(one) != worse.count(one))
    # Both are known: players with a turn that is not known stay tied, and `shared` speaks of them.
    more, less = cast("tuple[int, int]", (better.count(criterion), worse.count(criterion)))
    return Decision(better.name, worse.name, criterion, _why(better, worse, criterion, more, less))


def _why(better: Player, worse: Player, criterion: Criterion, more: int, less: int) -> Sentence:
    """Say that the better player has ``more`` and the worse one ``less`` of what decided."""
    points = better.breakdown.total
    if criterion is Criterion.POINTS:
        return counted(
            "{better} is {count} point ahead of {worse} ({more} to {less}).",
            "{better} is {count} points ahead of {worse} ({more} to {less}).",
            more - less,
            better=better.name,
            worse=worse.name,
            more=more,
            less=less,
        )
    if criterion is Criterion.PRIVATE_OBJECTIVE:
        return counted(
            "{better} and {worse} both have {count} point; "
            "{better} has more from the private objective ({more} to {less}).",
            "{better} and {worse} both have {count} points; "
            "{better} has more from the private objective ({more} to {less}).",
            points,
            better=better.name,
            worse=worse.name,
            more=more,
            less=less,
        )
    if criterion is Criterion.FAVOR_TOKENS:
        return counted(
            "{better} and {worse} both have {count} point and the same from the private objective; "
            "{better} has more favor tokens left ({more} to {less}).",
            "{better} and {worse} both have {count} points and the same from the private objective; "
            "{better} has more favor tokens left ({more} to {less}).",
            points,
            better=better.name,
            worse=worse.name,
            more=more,
            less=less,
        )
    return counted(
        "{better} and {worse} both have {count} point, the same from the private objective and as many "
        "favor tokens; the first turn of {better} in the last round came later.",
        "{better} and {worse} both have {count} points, the same from the private objective and as many "
        "favor tokens; the first turn of {better} in the last round came later.",
        points,
        better=better.name,
        worse=worse.name,
    )


def shared(one: Player, other: Player, tied: list[Player]) -> Decision:
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
