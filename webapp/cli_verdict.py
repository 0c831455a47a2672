"""A player's window judged by all the rules: points, placement, and what to take off after a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring import (
    Board,
    Breakdown,
    Color,
    HouseRule,
    PlacementReport,
    PublicObjective,
    RoundTrack,
    SoloResult,
    Tool,
    Toolbox,
    Words,
    check_placement,
    check_solo_tools,
    score_marker,
    score_player,
    score_solo,
    setup,
)
from scoring.errors import InvalidValueError
from scoring.game import ROUNDS, check_favor_tokens_left
from scoring.removals import Removal, Removals, best_removals
from scoring.solo import SOLO, SOLO_POINTS_PER_EMPTY_CELL
from scoring.totals import POINTS_PER_EMPTY_CELL, POINTS_PER_FAVOR_TOKEN
from scoring.words import sentence
from webapp import cli_remarks
from webapp.cli_remarks import Remark
from webapp.cli_subject import Subject

SEVERAL = setup(2)  # with 2, 3 and 4 players the cards on the table are as many


@dataclass(frozen=True)
class Stakes:
    """What a window is counted for.

    Parameters
    ----------
    public, privates
        The objectives: one private color, or two in a solo game.
    favor_tokens
        The tokens left; None when nobody said.
    target
        What a solo game has to beat; None when there are several players.
    tools, house_rules
        The tool cards in the game, and what the group agreed on.
    """

    public: Sequence[PublicObjective] = ()
    privates: Sequence[Color] = ()
    favor_tokens: int | None = None
    target: RoundTrack | int | None = None
    tools: Sequence[Tool] = ()
    house_rules: Sequence[HouseRule] = ()

    @property
    def is_solo(self) -> bool:
        """Whether one player plays alone."""
        return self.target is not None

    def check(self) -> None:
        """Refuse what no game has, before any window is looked at.

        Raises
        ------
        InvalidValueError
            There are too many private objectives or tools, or one is given twice.
        """
        if self.is_solo and self.tools:
            check_solo_tools(self.tools)
        if not self.is_solo and len(self.privates) > SEVERAL.private_objectives:
            raise one_private_objective("--solo")
        self.count(Board.empty())

    def count(self, board: Board) -> tuple[Breakdown, SoloResult | None]:
        """Return the points of a board, and in a solo game what came of it."""
        if self.target is not None:
            result = score_solo(board, self.public, self.privates, self.target)
            return result.breakdown, result
        private = self.privates[0] if self.privates else None
        return score_player(board, self.public, private, self.favor_tokens or 0), None

    def toolbox(self, subject: Subject) -> Toolbox:
        """Return the tools in the game, with the tokens that can have been spent on this window."""
        spent = None
        had = subject.pattern.difficulty if subject.pattern else None
        if had is not None and self.favor_tokens is not None and self.favor_tokens <= had:
            spent = had - self.favor_tokens
        return Toolbox(self.tools, tokens=spent, solo=self.is_solo, house_rules=self.house_rules)


@dataclass(frozen=True)
class Verdict:
    """All there is to say about a player's window.

    ``solo`` is None with several players, ``removals`` when no rule is broken. The points of the removals
    include the favor tokens, as the total does.
    """

    subject: Subject
    breakdown: Breakdown
    solo: SoloResult | None
    report: PlacementReport
    removals: Removals | None
    remarks: tuple[Remark, ...]

    def to_json(self, words: Words) -> dict[str, object]:
        """Return the answer of ``sagrada score --json``."""
        answer: dict[str, object] = {
            "total": self.breakdown.total,
            "lines": lines_to_json(self.breakdown, words),
            "problems": [problem.to_json(words) for problem in self.report.problems],
            "notices": notices_to_json(self.report, self.remarks, words),
            **self.subject.to_json(),
        }
        if self.solo is not None:
            answer["solo"] = self.solo.to_json(words=words)["solo"]
        else:
            answer["score_marker"] = marker_to_json(self.breakdown.total, words)
        if self.removals is not None:
            answer["removals"] = self.removals.to_json(words)
        return answer


def one_private_objective(option: str) -> InvalidValueError:
    """Return the error for a second private objective; ``option`` is the one that tells a solo game."""
    return InvalidValueError(
        "bad_number_of_private_objectives",
        sentence("A player has one private objective."),
        sentence("Two are for a solo game: give its target with {option}.", option=option),
    )


def judge(subject: Subject, stakes: Stakes) -> Verdict:
    """Count a window and look at it under all rules."""
    breakdown, solo = stakes.count(subject.board)
    toolbox = stakes.toolbox(subject)
    report = check_placement(subject.board, subject.pattern, toolbox)
    removals = None if report.is_legal else _removals(subject, stakes, toolbox)
    return Verdict(subject, breakdown, solo, report, removals, (*subject.remarks, *_remarks(subject, stakes)))


def lines_to_json(breakdown: Breakdown, words: Words) -> list[dict[str, object]]:
    """Return the lines of a score; ``label`` is the name in the language of ``words``."""
    return [
        {**line.to_json(), "kind": line.kind.value, "label": words.line(line.name)}
        for line in breakdown.lines
    ]


def notices_to_json(
    report: PlacementReport, remarks: Sequence[Remark], words: Words
) -> list[dict[str, object]]:
    """Return what tools account for and what there is to know, as objects of one shape."""
    return [notice.to_json(words) for notice in report.notices] + [one.to_json(words) for one in remarks]


def marker_to_json(total: int, words: Words) -> dict[str, object]:
    """Return where the score marker lies."""
    marker = score_marker(total)
    return {
        "space": marker.space,
        "flipped": marker.flipped,
        "laps": marker.laps,
        "message": words.say(marker.sentence),
    }


def _removals(subject: Subject, stakes: Stakes, toolbox: Toolbox) -> Removals:
    """Return what to take off, with the points as in the total."""
    removals = best_removals(
        subject.board,
        subject.pattern,
        stakes.public,
        tuple(stakes.privates),
        toolbox,
        SOLO_POINTS_PER_EMPTY_CELL if stakes.is_solo else POINTS_PER_EMPTY_CELL,
    )
    tokens = 0 if stakes.is_solo else (stakes.favor_tokens or 0) * POINTS_PER_FAVOR_TOKEN

    def with_tokens(removal: Removal) -> Removal:
        return replace(
            removal,
            points_before=removal.points_before + tokens,
            points_after=removal.points_after + tokens,
        )

    return Removals(with_tokens(removals.most_points), with_tokens(removals.fewest_dice))


def _remarks(subject: Subject, stakes: Stakes) -> list[Remark]:
    """Return what there is to know about the points."""
    remarks = []
    game = SOLO if stakes.is_solo else SEVERAL
    if len(stakes.public) < game.public_objectives or len(stakes.privates) < game.private_objectives:
        remarks.append(cli_remarks.not_all_counted(game))
    if len(stakes.public) > game.public_objectives:
        remarks.append(cli_remarks.more_than_usual(game, len(stakes.public)))
    if isinstance(stakes.target, RoundTrack) and len(stakes.target.spaces) < ROUNDS:
        remarks.append(cli_remarks.unfinished_track(stakes.target))
    if stakes.is_solo and stakes.favor_tokens:
        remarks.append(cli_remarks.no_tokens_in_solo())
    elif subject.pattern is not None and stakes.favor_tokens is not None:
        try:
            check_favor_tokens_left(stakes.favor_tokens, subject.pattern)
        except InvalidValueError:
            remarks.append(cli_remarks.too_many_tokens(subject.pattern, stakes.favor_tokens))
    return remarks
