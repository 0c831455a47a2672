"""The game for one player: beat the sum of the dice that were left over.

Source: the rulebook of the base game (Floodgate Games, 2017), "Solo play", and the colors on the tool cards.
Two public objectives and two private ones lie open, and one to five tool cards. At the end one of the private
objectives counts, each empty space costs 3 points, and there are no favor tokens. The player wins with more
points than the values on the round track add up to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.board import Board, Die
from scoring.errors import InvalidValueError
from scoring.game.setup import RoundTrack, setup
from scoring.points.objectives import PublicObjective
from scoring.points.private import PrivateObjective, private_of
from scoring.points.totals import Breakdown, Line, empty_cells_line, other_cards, private_line, public_lines
from scoring.sentences import Sentence, counted, sentence
from scoring.tools import Tool

SOLO_POINTS_PER_EMPTY_CELL = -3
SOLO = setup(1)


def tools_to_pay_for(draft_pool: Iterable[Die], tools: Iterable[Tool]) -> dict[Tool, tuple[Die, ...]]:
    """Return the tool cards that a die of the draft pool can pay for, and for each the dice that can.

    A tool costs one die of its color, of any value, out of the draft pool. Card and die then leave the game,
    so each tool works once, and its die does not count for the target.

    Parameters
    ----------
    draft_pool
        The dice that lie there now.
    tools
        The tool cards that are still in the game.

    Examples
    --------
    >>> pool = [Die.parse("B2"), Die.parse("G5"), Die.parse("B6")]
    >>> for tool, dice in tools_to_pay_for(pool, [Tool.LATHEKIN, Tool.TAP_WHEEL]).items():
    ...     print(tool.value, *dice)
    Tap Wheel B2 B6
    """
    pool = tuple(draft_pool)
    paying = {tool: tuple(die for die in pool if die.color is tool.color) for tool in tools}
    return {tool: dice for tool, dice in paying.items() if dice}


def check_solo_tools(tools: Iterable[Tool | str]) -> None:
    """Refuse tool cards that a solo game cannot begin with: 1 (very hard) to 5 (easy) different ones.

    Raises
    ------
    InvalidValueError
        There are too few or too many, or one is given twice.
    """
    tools = [Tool.of(one) for one in tools]
    if len(set(tools)) < len(tools):
        raise InvalidValueError(
            "repeated_tool", sentence("A card is given twice."), sentence("Each card is in the game once.")
        )
    if not SOLO.fewest_tools <= len(tools) <= SOLO.most_tools:
        raise InvalidValueError(
            "bad_number_of_tools",
            counted(
                "A solo game cannot begin with {count} tool card.",
                "A solo game cannot begin with {count} tool cards.",
                len(tools),
            ),
            sentence(
                "Choose {fewest} (very hard) to {most} (easy).",
                fewest=SOLO.fewest_tools,
                most=SOLO.most_tools,
            ),
        )


@dataclass(frozen=True)
class SoloResult:
    """How a solo game ended.

    ``breakdown`` has the line of the private objective that counts, ``private``; ``other_private`` is the
    line of the other one, None when only one was given. ``target`` is the sum of the dice on the round track,
    and ``sentence`` says whether the game is won, and by how much.
    """

    breakdown: Breakdown
    target: int
    private: PrivateObjective
    other_private: Line | None
    why_private: Sentence
    sentence: Sentence

    @property
    def total(self) -> int:
        """The player's points."""
        return self.breakdown.total

    @property
    def won(self) -> bool:
        """Whether the player has more points than the target. Equal points do not win."""
        return self.total > self.target

    @property
    def missing(self) -> int:
        """The points that a win would have needed on top; 0 when the game is won."""
        return max(0, self.target + 1 - self.total)


def score_solo(
    board: Board | str,
    public: Iterable[PublicObjective | str],
    privates: Iterable[PrivateObjective | str],
    target: RoundTrack | int,
    other_points: int | None = None,
) -> SoloResult:
    """Count the points of a solo game and compare them with the target.

    Parameters
    ----------
    board
        The player's dice.
    public
        The public objectives in play: two, or those that are known so far.
    privates
        The two private objectives, or one when only one is known so far. The rulebook lets
        the player choose the one that counts, so that is the one with more points, and the first when both
        are equal.
    target
        The round track, or the sum of the values on it.
    other_points
        What cards that are not known here earned, as the player counted; None leaves that line out.

    Raises
    ------
    InvalidValueError
        An objective is given twice, there is no private one or more than two, the target is negative, or the
        track cannot be that of a solo game.

    Examples
    --------
    >>> board = Board.parse("Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5")
    >>> result = score_solo(board, ["Medium Shades"], ["purple", "red"], target=26)
    >>> print(result.why_private)
    The better private objective counts: red 20, purple 6.
    >>> print(result.sentence)
    23 against a target of 26: not won, 4 more points were needed.
    """
    board = Board.of(board)
    given = [private_of(one) for one in privates]
    if len(set(given)) < len(given):
        raise InvalidValueError(
            "repeated_objective",
            sentence("A card is given twice."),
            sentence("Each card is in the game once."),
        )
    if not 1 <= len(given) <= SOLO.private_objectives:
        raise InvalidValueError(
            "bad_number_of_private_objectives",
            sentence("A solo game has 2 private objectives, not {number}.", number=len(given)),
            sentence("Name both of them."),
        )
    lines = {one: private_line(board, one) for one in given}
    better, *worse = sorted(given, key=lambda one: -lines[one].points)
    counted_publicly = public_lines(board, [PublicObjective.of(one) for one in public])
    empty = empty_cells_line(board, SOLO_POINTS_PER_EMPTY_CELL)
    breakdown = Breakdown((*counted_publicly, lines[better], *other_cards(other_points), empty))
    goal = _target(target)
    return SoloResult(
        breakdown,
        goal,
        better,
        other_private=lines[worse[0]] if worse else None,
        why_private=_why_private(lines, better, *worse),
        sentence=_outcome(breakdown.total, goal),
    )


def _target(target: RoundTrack | int) -> int:
    """Return the points to beat."""
    if isinstance(target, RoundTrack):
        target.check(players=1)
        return target.total
    if type(target) is not int or target < 0:
        raise InvalidValueError(
            "bad_target",
            sentence("The dice on the round track cannot add up to {found}.", found=repr(target)),
            sentence("Give the sum of their values, 0 or more."),
        )
    return target


def _why_private(
    lines: dict[PrivateObjective, Line], better: PrivateObjective, worse: PrivateObjective | None = None
) -> Sentence:
    """Say why the better private objective counts."""
    more = lines[better].points
    if worse is None:
        return sentence("Only one private objective was named: {color} {points}.", color=better, points=more)
    less = lines[worse].points
    if less == more:
        return sentence(
            "Both private objectives give the same, so either may count: {one} {points}, {other} {points}.",
            one=better,
            other=worse,
            points=more,
        )
    return sentence(
        "The better private objective counts: {better} {more}, {worse} {less}.",
        better=better,
        more=more,
        worse=worse,
        less=less,
    )


def _outcome(total: int, target: int) -> Sentence:
    """Say whether the game is won, and by how much or what was missing."""
    if total > target:
        return counted(
            "{total} against a target of {target}: won by {count} point.",
            "{total} against a target of {target}: won by {count} points.",
            total - target,
            total=total,
            target=target,
        )
    if total == target:
        return sentence(
            "{total} against a target of {target}: not won, an equal score is not enough.",
            total=total,
            target=target,
        )
    return counted(
        "{total} against a target of {target}: not won, {count} more point was needed.",
        "{total} against a target of {target}: not won, {count} more points were needed.",
        target + 1 - total,
        total=total,
        target=target,
    )
