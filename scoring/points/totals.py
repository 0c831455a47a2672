"""A player's points, line by line, as they are counted at the end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from scoring.board import Board, colored, has_rare_glass
from scoring.errors import InvalidValueError
from scoring.points.counting import Group
from scoring.points.objectives import PublicObjective, Score
from scoring.points.private import PrivateObjective, private_of, score_private
from scoring.sentences import ENGLISH, sentence

POINTS_PER_FAVOR_TOKEN = 1
POINTS_PER_EMPTY_CELL = -1


class LineKind(Enum):
    """What a line of the breakdown counts."""

    PUBLIC = "public"
    PRIVATE = "private"
    FAVOR_TOKENS = "favor_tokens"
    OTHER_CARDS = "other_cards"
    EMPTY_CELLS = "empty_cells"


@dataclass(frozen=True)
class Line:
    """One line of the breakdown: what is counted, the points, how they came about and which cells count."""

    name: str
    kind: LineKind
    points: int
    formula: str
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True)
class Breakdown:
    """All lines of a player's score. Lines with zero points are there too."""

    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """The player's points. They may be negative: the rules set no floor."""
        return sum(line.points for line in self.lines)

    @property
    def private_points(self) -> int | None:
        """The points from the private objective, which decide a tie; None when it was not given."""
        return self._points(LineKind.PRIVATE)

    @property
    def favor_tokens(self) -> int | None:
        """The favor tokens left, which decide the next tie; None in a solo game, which has none."""
        points = self._points(LineKind.FAVOR_TOKENS)
        return None if points is None else points // POINTS_PER_FAVOR_TOKEN

    def _points(self, kind: LineKind) -> int | None:
        return next((line.points for line in self.lines if line.kind is kind), None)


def score_player(
    board: Board | str,
    public: Iterable[PublicObjective | str] = (),
    private: PrivateObjective | str | None = None,
    favor_tokens: int = 0,
    other_points: int | None = None,
) -> Breakdown:
    """Count everything that a player's window earns. Names and notation will do for everything.

    Parameters
    ----------
    board
        The player's dice.
    public
        The public objectives in play (three in a game of two players or more), in the order to show them.
    private
        The player's private objective, a `Color` or `MarkedSpaces`; None leaves that line out.
    favor_tokens
        The favor tokens the player has left.
    other_points
        What cards that are not known here earned, as the players counted; None leaves that line out.

    Raises
    ------
    InvalidValueError
        ``favor_tokens`` or ``other_points`` is less than 0, or a public objective is given twice.
    UnknownNameError
        An objective or a color is given by a name that none has.

    Examples
    --------
    >>> board = Board.parse("Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5")
    >>> breakdown = score_player(board, ["Light Shades"], "purple", favor_tokens=2)
    >>> for line in breakdown.lines:
    ...     print(line.name, line.points, "=", line.formula)
    Light Shades 4 = min(2, 4) x 2
    Shades of Purple 6 = 2 + 2 + 2
    Favor tokens 2 = 2 x 1
    Empty cells -1 = 1 x -1
    >>> breakdown.total
    11
    """
    if type(favor_tokens) is not int or favor_tokens < 0:
        raise InvalidValueError(
            "bad_favor_tokens",
            sentence("There cannot be {found} favor tokens.", found=repr(favor_tokens)),
            sentence("Give the number of tokens, 0 or more."),
        )
    board, objectives = Board.of(board), [PublicObjective.of(one) for one in public]
    if has_rare_glass(board):
        ways = (score_player(one, objectives, private, favor_tokens, other_points) for one in colored(board))
        return max(ways, key=lambda way: way.total)
    own = [] if private is None else [private_line(board, private_of(private))]
    tokens = Line(
        "Favor tokens",
        LineKind.FAVOR_TOKENS,
        favor_tokens * POINTS_PER_FAVOR_TOKEN,
        f"{favor_tokens} x {POINTS_PER_FAVOR_TOKEN}",
    )
    other = other_cards(other_points)
    return Breakdown((*public_lines(board, objectives), *own, *other, tokens, empty_cells_line(board)))


def other_cards(points: int | None) -> tuple[Line, ...]:
    """Return the line of cards that are not known here, none where nobody counted any."""
    if points is None:
        return ()
    if type(points) is not int or points < 0:
        raise InvalidValueError(
            "bad_other_points",
            sentence("Other cards cannot give {found} points.", found=repr(points)),
            sentence("Give the points, 0 or more."),
        )
    return (Line("Other cards", LineKind.OTHER_CARDS, points, str(points)),)


def public_lines(board: Board, public: Sequence[PublicObjective]) -> list[Line]:
    """Return the line of each public objective; raise an `InvalidValueError` when one is given twice."""
    check_public(public)
    return [_line(objective.value, LineKind.PUBLIC, objective.score(board)) for objective in public]


def check_public(public: Sequence[PublicObjective]) -> None:
    """Raise an `InvalidValueError` when a public objective is given twice."""
    if len(set(public)) != len(public):
        raise InvalidValueError(
            "repeated_objective",
            sentence("A card is given twice."),
            sentence("Each card is in the game once."),
        )


def private_line(board: Board, private: PrivateObjective) -> Line:
    """Return the line of a private objective."""
    return _line(ENGLISH.private_objective(private), LineKind.PRIVATE, score_private(board, private))


def empty_cells_line(board: Board, points_each: int = POINTS_PER_EMPTY_CELL) -> Line:
    """Return what the empty cells cost; ``points_each`` is negative."""
    empty = board.empty_cells()
    return Line(
        "Empty cells",
        LineKind.EMPTY_CELLS,
        len(empty) * points_each,
        f"{len(empty)} x {points_each}",
        (empty,) if empty else (),
    )


def _line(name: str, kind: LineKind, score: Score) -> Line:
    """Write a card's score as a line."""
    return Line(name, kind, score.points, score.formula, score.groups)
