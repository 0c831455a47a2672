"""The board in the middle of the table: the round track, and on its back the score track.

Source: the rulebook of the base game (Floodgate Games, 2017), "End of the round", "Scoring" and "Solo play".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from scoring.board import BETWEEN_ROWS, Die, in_plain_signs, means_nothing
from scoring.errors import InvalidValueError, NotationError
from scoring.game.setup import ROUNDS, setup
from scoring.sentences import Sentence, counted, sentence

SCORE_TRACK_SPACES = 50
NO_DICE_SIGN = "--"
EXAMPLE = "R3 G4 / -- / B1"


@dataclass(frozen=True)
class RoundTrack:
    """The dice left over, round after round. A track never changes; `end_round` returns another one.

    All dice left over in a round lie on the space of that round. When none is left in a solo game, a score
    marker holds the space; it counts 0.

    Parameters
    ----------
    spaces
        The dice on the space of each round that is over.

    Raises
    ------
    InvalidValueError
        There are more than ten rounds, or something lies there that is not a die.

    Examples
    --------
    >>> track = RoundTrack.parse("R3 G4 / -- / B1")
    >>> track.total
    8
    >>> print(track.end_round([Die.parse("Y6")]))
    R3 G4 / -- / B1 / Y6
    """

    spaces: tuple[tuple[Die, ...], ...] = ()

    def __post_init__(self) -> None:
        if len(self.spaces) > ROUNDS:
            raise InvalidValueError(
                "bad_round_track",
                sentence(
                    "The round track has {all} spaces, not {number}.", all=ROUNDS, number=len(self.spaces)
                ),
                sentence("The game is over after the last one: count the points."),
            )
        for number, dice in enumerate(self.spaces, start=1):
            if not all(isinstance(die, Die) for die in dice):
                raise InvalidValueError(
                    "bad_round_track",
                    sentence(
                        "Space {space} of the round track holds something that is not a die.", space=number
                    ),
                    sentence("Give the dice of each round, and none for a score marker."),
                )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the dice of each round, separated by ``/``, ``|``, ``;`` or line ends; ``--`` for none left.

        Raises
        ------
        NotationError
            The text is no round track.
        """
        plain = in_plain_signs(text).strip(" \t\r\n/|;")
        if not plain:
            return cls()
        lines = BETWEEN_ROWS.split(plain)
        return cls(tuple(_parse_space(line, number) for number, line in enumerate(lines, start=1)))

    def __str__(self) -> str:
        return " / ".join(" ".join(map(str, dice)) or NO_DICE_SIGN for dice in self.spaces)

    @property
    def total(self) -> int:
        """The sum of all values on the track: the target of a solo game."""
        return sum(die.value for dice in self.spaces for die in dice)

    def end_round(self, dice_left: Iterable[Die] = ()) -> Self:
        """Return the track after one more round that left these dice."""
        return type(self)((*self.spaces, tuple(dice_left)))

    def check(self, players: int) -> None:
        """Refuse a track on which a round left more or fewer dice than it can have with that many players.

        Raises
        ------
        InvalidValueError
            A round cannot have left that many dice, or the game is not for that many players.
        """
        game = setup(players)
        for number, dice in enumerate(self.spaces, start=1):
            if not game.fewest_dice_left <= len(dice) <= game.dice_per_round:
                raise InvalidValueError(
                    "bad_round_track",
                    counted(
                        "Round {round} cannot have left {count} die on the round track.",
                        "Round {round} cannot have left {count} dice on the round track.",
                        len(dice),
                        round=number,
                    ),
                    sentence("Write the dice of each round apart, such as {example}.", example=EXAMPLE)
                    if len(self.spaces) == 1
                    else sentence(
                        "With so many players it leaves {fewest} to {most}.",
                        fewest=game.fewest_dice_left,
                        most=game.dice_per_round,
                    ),
                )


def _parse_space(text: str, number: int) -> tuple[Die, ...]:
    words = text.replace(",", " ").split()
    if not words:
        raise NotationError(
            "bad_round_track",
            sentence("Nothing is written for round {round} of the round track.", round=number),
            sentence("Write its dice, such as R3 G4, or {sign} when none was left.", sign=NO_DICE_SIGN),
        )
    return () if len(words) == 1 and means_nothing(words[0]) else tuple(Die.parse(word) for word in words)


@dataclass(frozen=True)
class ScoreMarker:
    """Where a player's marker lies on the score track at the end, and which side is up.

    Parameters
    ----------
    space
        The space from 1 to 50; None for a total of 0 or less, which the track does not show.
    flipped
        Whether the marker is turned over, for more than 50 points.
    laps
        How often the marker has been all the way around. The rulebook does not say how to show more than 100
        points, when that is 2.
    sentence
        Where to put it.
    """

    space: int | None
    flipped: bool
    laps: int
    sentence: Sentence


def score_marker(total: int) -> ScoreMarker:
    """Return where the marker for that many points lies. It is turned over above 50 points, so not at 50.

    Examples
    --------
    >>> score_marker(50).space, score_marker(50).flipped
    (50, False)
    >>> print(score_marker(64).sentence)
    64 points: the score marker lies on space 14, turned over.
    """
    if total <= 0:
        beside = counted(
            "{count} point: the score marker stays beside the track.",
            "{count} points: the score marker stays beside the track.",
            total,
        )
        return ScoreMarker(None, flipped=False, laps=0, sentence=beside)
    if total <= SCORE_TRACK_SPACES:
        front = counted(
            "{count} point: the score marker lies on space {space}.",
            "{count} points: the score marker lies on space {space}.",
            total,
            space=total,
        )
        return ScoreMarker(total, flipped=False, laps=0, sentence=front)
    laps = (total - 1) // SCORE_TRACK_SPACES
    space = total - laps * SCORE_TRACK_SPACES
    back = counted(
        "{count} point: the score marker lies on space {space}, turned over.",
        "{count} points: the score marker lies on space {space}, turned over.",
        total,
        space=space,
    )
    return ScoreMarker(space, flipped=True, laps=laps, sentence=back)
