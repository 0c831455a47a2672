"""The one judge: what the rules say about a window in its context.

A `Case` is a board with all that bears on it: the card under the dice, the objectives, the tokens that are
left, the tools and how they were used, what the group agreed on, whether it is a solo game. A `Judgement` is
everything the rules say about it. Pages, JSON interface, game nights and the command line only show that;
none of them puts an answer together from parts of its own. `webapp.domain.outcome` judges a whole table.

Remarks are what a player should know before trusting an answer: doubts of the reader, what was not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
    Problem,
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
from scoring.patterns.custom import doubt_of
from scoring.placement.next_die import forbidden_cells
from scoring.placement.removals import Removal, Removals, best_removals
from scoring.points.totals import (
    POINTS_PER_EMPTY_CELL,
    POINTS_PER_FAVOR_TOKEN,
    empty_cells_line,
    other_cards,
    public_lines,
)
from scoring.sentences import Sentence, counted, english, sentence
from webapp.domain.payloads import (
    JudgedPayload,
    PlacementPayload,
    PointsPayload,
    Remark,
    lines_to_json,
    marker_to_json,
    names_of,
    notice_to_json,
    problem_to_json,
    removals_to_json,
    solo_to_json,
    window_to_json,
)
from webapp.domain.placement import Placing, moving

MOST_ASKED = 2  # tools that people are asked about, for one problem
NOT_ALL_COUNTED = "not_all_counted"  # of a whole game this is said once, not for each player
SURE_OF_THE_WAY_UP = 0.9  # a reading less sure of it says so; set by hand


def percent(probability: float) -> str:
    """Return a probability for people, never as a certainty that nobody has.

    >>> percent(0.9994), percent(0.87), percent(0.0001)
    ('>99%', '87%', '<1%')
    """
    if probability > 0.99:
        return ">99%"
    return "<1%" if probability < 0.01 else f"{probability:.0%}"


# --- About the photo -------------------------------------------------------------------------------


def tokens_seen(count: int, *, doubtful: bool) -> Remark:
    """Say how many favor tokens lie beside a window in its photo."""
    said = counted("{count} favor token in the photo.", "{count} favor tokens in the photo.", count)
    return Remark("favor_tokens_seen", (said, *([sentence("Count them again.")] if doubtful else [])))


def unlike_dice() -> Remark:
    """Say that the dice of a photo are none that the reader knows."""
    said = sentence(
        "These dice look unlike Sagrada's: the program may take one for another, so look at each of them."
    )
    return Remark("unlike_dice", (said,))


def looks_mirrored() -> Remark:
    """Say that a photo looks mirrored, and what turns it back."""
    said = sentence("This photo looks mirrored, as front cameras take it.")
    return Remark("mirrored", (said, sentence("{option} turns it back.", option="--mirrored")))


def read_with(profile: str) -> Remark:
    """Say whose dice those of a photo were taken for."""
    return Remark("read_with_profile", (sentence("Read as these dice: {name}.", name=profile),))


def not_those(profile: str) -> Remark:
    """Say that the dice of a photo are not those that somebody said they are."""
    said = sentence(
        "The dice in the photo do not look like {name}: they were read as the game's own.", name=profile
    )
    return Remark("not_those_dice", (said,))


def other_windows(number: int) -> Remark:
    """Say that a photo shows more windows than the one that was read."""
    said = counted(
        "The photo shows {count} other whole window; the largest, most central one was read.",
        "The photo shows {count} other whole windows; the largest, most central one was read.",
        number,
    )
    return Remark("other_windows", (said,))


def upside_down(probability: float) -> Remark:
    """Say that a photo was perhaps read upside down; ``probability`` is that it was not."""
    said = sentence(
        "The window may be upside down ({sure} sure that it is not): row A belongs on the side away from the "
        "card's name. The points are the same either way.",
        sure=percent(probability),
    )
    return Remark("maybe_upside_down", (said,))


def card_from_photo(unclear: Sequence[Cell]) -> Remark:
    """Say that a card was read off a photo, and which of its spaces were hard to read."""
    said = [english("Read from the photo: compare it with the card, and correct it with --replace.")]
    if unclear:
        said.append(sentence("Read with doubt, look at these first: {cells}.", cells=list(unclear)))
    return Remark("card_from_photo", tuple(said), tuple(unclear))


def maybe_known(window: WindowPattern, probability: float) -> Remark:
    """Say that a card that is about to be added looks like a known one."""
    said = sentence("It may be {window} ({sure}).", window=window, sure=percent(probability))
    return Remark("maybe_known_window", (said,))


def own_windows_missing(*why: Sentence) -> Remark:
    """Say that only the cards of the game are known, and why."""
    return Remark("own_windows_missing", (sentence("Windows of your own are left out."), *why))


SEVERAL = setup(2)  # with any more players the cards on the table are as many


@dataclass(frozen=True)
class Case:
    """A window and all that bears on it.

    Parameters
    ----------
    card, turned
        The window pattern card under the dice, as it lies there, and whether that is upside down.
    privates
        One private objective, or two in a solo game.
    favor_tokens, spent
        The tokens left, or else the most that can have been spent; None when nobody said.
    other_points
        What cards that are not known here earned; None when there are none.
    tools, uses
        The tool cards in the game, and the uses that this player is known to have made, each with the tokens
        it cost.
    target
        What there is to beat in a solo game, once that is known.
    """

    board: Board
    card: WindowPattern | None = None
    turned: bool = False
    public: Sequence[PublicObjective] = ()
    privates: Sequence[PrivateObjective] = ()
    favor_tokens: int | None = None
    other_points: int | None = None
    spent: int | None = None
    tools: Sequence[Tool] = ()
    house_rules: Sequence[HouseRule] = ()
    uses: Sequence[tuple[Tool, int]] = ()
    solo: bool = False
    target: RoundTrack | int | None = None

    def check(self, how_to_say_solo: str) -> None:
        """Refuse what no game has, before any window is looked at.

        Too many private objectives or tools, or one given twice, are an `InvalidValueError`, which names the
        option or key that tells a solo game.
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
        Judgement(empty).breakdown  # noqa: B018  the rules refuse the rest

    @property
    def public_cards(self) -> int:
        """How many public objectives are counted; cards that are not known here count as one."""
        return len(self.public) + (self.other_points is not None)

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
        if case.solo and case.privates:
            return score_solo(case.board, case.public, case.privates, case.target or 0, case.other_points)
        return None

    @cached_property
    def breakdown(self) -> Breakdown:
        """The points, line by line."""
        case = self.case
        if self.solo is not None:
            return self.solo.breakdown
        if case.solo:
            empty = empty_cells_line(case.board, SOLO_POINTS_PER_EMPTY_CELL)
            other = other_cards(case.other_points)
            return Breakdown((*public_lines(case.board, case.public), *other, empty))
        private = case.privates[0] if case.privates else None
        return score_player(case.board, case.public, private, case.favor_tokens or 0, case.other_points)

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

    @property
    def questions(self) -> tuple[tuple[Problem, Tool], ...]:
        """Which tool could account for which problem if it was used: each tool once, the likeliest first."""
        asked: dict[Tool, Problem] = {}
        for problem in () if self.case.solo else self.placement.problems:
            for tool in problem.could_excuse[:MOST_ASKED]:
                asked.setdefault(tool, problem)
        return tuple((problem, tool) for tool, problem in asked.items() if tool not in self.case.tools)

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
        more = tokens + (case.other_points or 0)
        most, fewest = (
            replace(one, points_before=one.points_before + more, points_after=one.points_after + more)
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

        One that is ``moved`` lay in the window and was taken up for a tool; any other was drafted.
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
        return {**self.points_to_json(words), **self.placement_to_json(words, (*more, *self.remarks))}


def _remarks(case: Case) -> Iterator[Remark]:
    card, tokens, number = case.card, case.favor_tokens, case.public_cards
    if card and card.doubtful:
        yield Remark("doubtful_print", (doubt_of(card),), tuple(cell for cell, _ in card.doubtful))
    game = SOLO if case.solo else SEVERAL
    if number < game.public_objectives or len(case.privates) < game.private_objectives:
        said = sentence(
            "Not everything is counted yet. Objectives in this game: public {public}, private {private}.",
            public=game.public_objectives,
            private=game.private_objectives,
        )
        yield Remark(NOT_ALL_COUNTED, (said,))
    if number > game.public_objectives:
        said = sentence(
            "This game has {most} public objectives; here {number} are counted.",
            most=game.public_objectives,
            number=number,
        )
        yield Remark("many_objectives", (said,))
    if isinstance(case.target, RoundTrack) and len(case.target.spaces) < ROUNDS:
        said = sentence(
            "The round track holds {done} of {all} rounds, so the target is not final.",
            done=len(case.target.spaces),
            all=ROUNDS,
        )
        yield Remark("unfinished_round_track", (said,))
    if case.solo and tokens:
        yield Remark("no_favor_tokens", (sentence("A solo game has no favor tokens: none were counted."),))
    elif not case.solo and card is not None and tokens is not None:
        try:
            check_favor_tokens_left(tokens, card)
        except InvalidValueError as error:
            yield Remark("too_many_favor_tokens", (error.sentence, sentence("Is it the right card?")))
