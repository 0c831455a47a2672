"""The one judge: what the rules say about a window in its context.

A `Case` is a board with all that bears on it: the card under the dice, the objectives, the tokens that are
left, the tools and how they were used, what the group agreed on, whether it is a solo game. A `Judgement` is
everything the rules say about it. Pages, JSON interface, game nights and the command line only show that;
none of them puts an answer together from parts of its own. `webapp.services.outcome` judges a whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from scoring import (
    ALL_CELLS,
    Board,
    Breakdown,
    Cell,
    Die,
    HouseRule,
    Notice,
    PlacementReport,
    PrivateObjective,
    PublicObjective,
    RoundTrack,
    SoloResult,
    Tool,
    Toolbox,
    WindowPattern,
    Words,
    changes_by_tools,
    check_placement,
    check_solo_tools,
    dead_cells,
    moves_after_placing,
    score_player,
    score_solo,
    setup,
    why_not,
)
from scoring.errors import InvalidValueError
from scoring.game.setup import ROUNDS, check_favor_tokens_left
from scoring.game.solo import SOLO, SOLO_POINTS_PER_EMPTY_CELL
from scoring.placement.next_die import forbidden_cells
from scoring.placement.removals import Removal, Removals, best_removals
from scoring.points.totals import (
    POINTS_PER_EMPTY_CELL,
    POINTS_PER_FAVOR_TOKEN,
    empty_cells_line,
    public_lines,
)
from scoring.sentences import Sentence, sentence
from webapp.services import remarks as known_remarks
from webapp.services.placement import Placing, moving
from webapp.services.plain import (
    lines_to_json,
    marker_to_json,
    names_of,
    notice_to_json,
    problem_to_json,
    removals_to_json,
    solo_to_json,
    window_to_json,
)
from webapp.services.remarks import Remark

if TYPE_CHECKING:  # only types, which the terminal does not load
    from webapp.services.payloads import (
        JudgedPayload,
        PlacementPayload,
        PointsPayload,
    )

SEVERAL = setup(2)  # with any more players the cards on the table are as many


@dataclass(frozen=True)
class Case:
    """A window and all that bears on it.

    Parameters
    ----------
    board
        The dice.
    card
        The window pattern card under them, as it lies there; None when it is not known.
    turned
        Whether the card lies upside down under the dice.
    public, privates
        The objectives: one private objective, or two in a solo game.
    favor_tokens
        The tokens left; None when nobody said.
    spent
        The most tokens that can have been spent, where that is known instead.
    tools, house_rules
        The tool cards in the game, none when nobody named them, and what the group agreed on.
    uses
        The uses of tools that this player is known to have made, each with the tokens it cost.
    solo, target
        Whether one player plays alone, and what there is to beat, once that is known.
    """

    board: Board
    card: WindowPattern | None = None
    turned: bool = False
    public: Sequence[PublicObjective] = ()
    privates: Sequence[PrivateObjective] = ()
    favor_tokens: int | None = None
    spent: int | None = None
    tools: Sequence[Tool] = ()
    house_rules: Sequence[HouseRule] = ()
    uses: Sequence[tuple[Tool, int]] = ()
    solo: bool = False
    target: RoundTrack | int | None = None

    def check(self, how_to_say_solo: str) -> None:
        """Refuse what no game has, before any window is looked at.

        Parameters
        ----------
        how_to_say_solo
            The option or key that tells a solo game, for the error.

        Raises
        ------
        InvalidValueError
            There are too many private objectives or tools, or one is given twice.
        """
        if self.solo and self.tools:
            check_solo_tools(self.tools)
        if not self.solo and len(self.privates) > SEVERAL.private_objectives:
            raise InvalidValueError(
                "bad_number_of_private_objectives",
                sentence("A player has one private objective."),
                sentence("Two are for a solo game: give its target with {option}.", option=how_to_say_solo),
            )
        empty = replace(self, board=Board.empty())
        if self.target is not None:
            score_solo(empty.board, self.public, self.privates, self.target)  # it asks for both colors
        judge(empty).breakdown  # noqa: B018  the rules refuse the rest

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to count yet: no die, and no private objective was chosen."""
        return self.board == Board.empty() and not self.privates

    @property
    def toolbox(self) -> Toolbox:
        """The tools in the game, with the tokens that can have been spent on this window."""
        spent, had = self.spent, self.card.difficulty if self.card else None
        if spent is None and had is not None and self.favor_tokens is not None and self.favor_tokens <= had:
            spent = had - self.favor_tokens
        return Toolbox(
            self.tools,
            tokens=spent,
            solo=self.solo,
            house_rules=self.house_rules,
            recorded=() if self.solo else self.uses,
        )


@dataclass(frozen=True)
class Judgement:
    """All that the rules say about a window; each part is worked out when it is first asked for."""

    case: Case

    @cached_property
    def solo(self) -> SoloResult | None:
        """What came of a solo game; None with several players, and before a private objective is known."""
        case = self.case
        if not case.solo or not case.privates:
            return None
        return score_solo(case.board, case.public, case.privates, case.target or 0)

    @cached_property
    def breakdown(self) -> Breakdown:
        """The points, line by line."""
        case = self.case
        if self.solo is not None:
            return self.solo.breakdown
        if case.solo:
            empty = empty_cells_line(case.board, SOLO_POINTS_PER_EMPTY_CELL)
            return Breakdown((*public_lines(case.board, case.public), empty))
        private = case.privates[0] if case.privates else None
        return score_player(case.board, case.public, private, case.favor_tokens or 0)

    @property
    def is_counted(self) -> bool:
        """Whether the points say anything: an objective was chosen, and there is a window to count."""
        case = self.case
        return bool(case.public or case.privates) and not case.is_blank

    @property
    def total(self) -> int | None:
        """The points to show; None before they say anything."""
        return self.breakdown.total if self.is_counted else None

    @cached_property
    def placement(self) -> PlacementReport:
        """Which placement rules are broken, and what tools account for."""
        return check_placement(self.case.board, self.case.card, self.case.toolbox)

    @cached_property
    def removals(self) -> Removals | None:
        """What to take off so that no rule is broken, with the points as in the total; None when none is."""
        if self.placement.is_legal:
            return None
        case = self.case
        found = best_removals(
            case.board,
            case.card,
            case.public,
            tuple(case.privates),
            case.toolbox,
            SOLO_POINTS_PER_EMPTY_CELL if case.solo else POINTS_PER_EMPTY_CELL,
        )
        tokens = 0 if case.solo else (case.favor_tokens or 0) * POINTS_PER_FAVOR_TOKEN
        most, fewest = (
            replace(one, points_before=one.points_before + tokens, points_after=one.points_after + tokens)
            for one in (found.most_points, found.fewest_dice)
        )
        return Removals(most, fewest)

    def advice(self, removal: Removal) -> Sentence:
        """Say what to take off; what that costs is told when points are."""
        return removal.sentence if self.is_counted else removal.without_price

    @cached_property
    def dead_cells(self) -> tuple[Cell, ...]:
        """The empty cells that no die can fill any more, in reading order."""
        return tuple(sorted(dead_cells(self.case.board, self.case.card)))

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """What there is to know about the points and the tokens."""
        return tuple(_remarks(self.case))

    def placing(self, die: Die, *, moved: bool = False) -> Placing:
        """Return where a die may go next, and what the tools in the game change about that.

        Parameters
        ----------
        die
            The die.
        moved
            Whether it lay in the window and was taken up to be moved by a tool; else it was drafted.
        """
        board, card, toolbox = self.case.board, self.case.card, self.case.toolbox
        alone = forbidden_cells(board, die, card, toolbox)
        if moved:
            return moving(die, alone, toolbox)
        forbidden = dict(why_not(board, die, card, toolbox))
        legal = tuple(cell for cell in ALL_CELLS if cell not in forbidden)
        with_tool = {
            cell: tuple(
                tool for tool in toolbox.cards if all(tool in problem.could_excuse for problem in alone[cell])
            )
            for cell in legal
            if cell in alone
        }
        moves = moves_after_placing(board, die, card, toolbox)
        return Placing(die, legal, with_tool, moves, changes_by_tools(board, die, card, toolbox), forbidden)

    def placement_to_json(self, words: Words, more: Sequence[Remark] = ()) -> PlacementPayload:
        """Return what the placement rules say; ``more`` is what else there is to know about the window."""
        notices: list[Notice | Remark] = [*self.placement.notices, *more]
        return {
            "board": str(self.case.board),
            "window": window_to_json(self.case.card, words, turned=self.case.turned),
            "problems": [problem_to_json(problem, words) for problem in self.placement.problems],
            "notices": [notice_to_json(one, words) for one in notices],
            "removals": removals_to_json(self.removals, self.advice, words) if self.removals else None,
            "dead_cells": names_of(self.dead_cells),
        }

    def points_to_json(self, words: Words) -> PointsPayload:
        """Return the points as plain data."""
        return {
            "total": self.breakdown.total,
            "is_counted": self.is_counted,
            "lines": lines_to_json(self.breakdown, words),
            "solo": solo_to_json(self.solo, words) if self.solo else None,
            "score_marker": None if self.case.solo else marker_to_json(self.breakdown.total, words),
        }

    def to_json(self, words: Words, more: Sequence[Remark] = ()) -> JudgedPayload:
        """Return the judgement as plain data; ``more`` is what else there is to know about the window."""
        return {
            **self.points_to_json(words),
            **self.placement_to_json(words, (*more, *self.remarks)),
        }


def judge(case: Case) -> Judgement:
    """Return what the rules say about a window in its context."""
    return Judgement(case)


# --- What there is to know about the points --------------------------------------------------------


def _remarks(case: Case) -> list[Remark]:
    found = [known_remarks.doubtful_print(case.card)] if case.card and case.card.doubtful else []
    game = SOLO if case.solo else SEVERAL
    if len(case.public) < game.public_objectives or len(case.privates) < game.private_objectives:
        found.append(known_remarks.not_all_counted(game))
    if len(case.public) > game.public_objectives:
        found.append(known_remarks.more_than_usual(game, len(case.public)))
    if isinstance(case.target, RoundTrack) and len(case.target.spaces) < ROUNDS:
        found.append(known_remarks.unfinished_track(case.target))
    if case.solo and case.favor_tokens:
        found.append(known_remarks.no_tokens_in_solo())
    elif not case.solo and case.card is not None and case.favor_tokens is not None:
        try:
            check_favor_tokens_left(case.favor_tokens, case.card)
        except InvalidValueError:
            found.append(known_remarks.too_many_tokens(case.card, case.favor_tokens))
    return found
