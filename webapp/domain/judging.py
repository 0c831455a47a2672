"""The one judge: what the rules say about a window in its context.

A `Case` is a board with all that bears on it: the card under the dice, the objectives, the tokens that are
left, the tools and how they were used, what the group agreed on, whether it is a solo game. A `Judgement` is
everything the rules say about it. Pages, JSON interface, game nights and the command line only show that;
none of them puts an answer together from parts of its own. `webapp.domain.outcome` judges a whole table.

Remarks are what a player should know before trusting an answer: doubts of the reader, what was not checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scoring import (
    ALL_CELLS,
    Board,
    Breakdown,
    Cell,
    Color,
    Die,
    HouseRule,
    Notice,
    PlacementReport,
    PrivateObjective,
    Problem,
    PublicObjective,
    RoundTrack,
    Setup,
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
from scoring.patterns.identify import WindowMatch, WindowRanking
from scoring.placement.next_die import forbidden_cells
from scoring.placement.removals import Removal, Removals, best_removals
from scoring.points.totals import (
    POINTS_PER_EMPTY_CELL,
    POINTS_PER_FAVOR_TOKEN,
    empty_cells_line,
    public_lines,
)
from scoring.sentences import Sentence, counted, sentence
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

LIKELY = 0.15  # cards less likely than this are not worth naming to a person
MOST_LIKELY_CARDS = 3
MOST_ASKED = 2  # tools that people are asked about, for one problem
NOT_ALL_COUNTED = "not_all_counted"  # of a whole game this is said once, not for each player
SURE_OF_THE_WAY_UP = 0.9  # a reading less sure of it says so; set by hand


def percent(probability: float) -> str:
    """Return a probability for people, never as a certainty that nobody has.

    Examples
    --------
    >>> percent(0.9994), percent(0.87), percent(0.0001)
    ('>99%', '87%', '<1%')
    """
    if probability > 0.99:
        return ">99%"
    return "<1%" if probability < 0.01 else f"{probability:.0%}"


# --- About the photo -------------------------------------------------------------------------------


def doubt(cells: Sequence[Cell]) -> Remark:
    """Say which cells of a photo a person should look at."""
    said = sentence("Read with doubt, look at these first: {cells}.", cells=list(cells))
    return Remark("doubtful_cells", (said,), tuple(cells))


def unlike_dice() -> Remark:
    """Say that the dice of a photo are none that the reader knows."""
    said = sentence(
        "These dice look unlike Sagrada's: the program may take one for another, so look at each of them."
    )
    return Remark("unlike_dice", (said,))


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
    said = [sentence("Read from the photo: compare it with the card, and correct it with --replace.")]
    if unclear:
        said.append(sentence("Look at these spaces first: {cells}.", cells=list(unclear)))
    return Remark("card_from_photo", tuple(said), tuple(unclear))


def maybe_known(window: WindowPattern, probability: float) -> Remark:
    """Say that a card that is about to be added looks like a known one."""
    said = sentence("It may be {window} ({sure}).", window=window, sure=percent(probability))
    return Remark("maybe_known_window", (said,))


# --- About the window card -------------------------------------------------------------------------


def unknown_card(ranking: WindowRanking, how_to_name: str) -> Remark:
    """Say that the print was not checked, and which cards are likely; ``how_to_name`` is an option or key."""
    likely = [match for match in ranking.matches[:MOST_LIKELY_CARDS] if match.probability >= LIKELY]
    return Remark(
        "unknown_window",
        (
            sentence(
                "The window card is not known, so printed colors and values were not checked: "
                "name it with {option}.",
                option=how_to_name,
            ),
            *(
                sentence(
                    "It may be {window} ({sure}).", window=match.pattern, sure=percent(match.probability)
                )
                for match in likely
            ),
        ),
    )


def identified(match: WindowMatch, how_to_name: str) -> Remark:
    """Say which card the dice point to."""
    sure = percent(match.probability)
    if match.turned:
        said = sentence(
            "By its dice the window card is {window}, upside down ({sure} sure).",
            window=match.pattern,
            sure=sure,
        )
    else:
        said = sentence(
            "By its dice the window card is {window} ({sure} sure).", window=match.pattern, sure=sure
        )
    other = sentence("If it is another one, name it with {option}.", option=how_to_name)
    return Remark("identified_window", (said, other))


def better_card(named: WindowPattern, match: WindowMatch) -> Remark:
    """Say that another card, or the named one upside down, fits the dice better."""
    sure = percent(match.probability)
    if match.pattern.name == named.name:
        said = sentence(
            "The dice fit {window} better upside down ({sure} sure): is A1 the space at the top left?",
            window=named,
            sure=sure,
        )
        return Remark("window_upside_down", (said,))
    said = sentence(
        "The dice fit {better} better than {window} ({sure} sure): is it the right card?",
        better=match.pattern,
        window=named,
        sure=sure,
    )
    return Remark("window_doubtful", (said,))


def own_windows_missing(*why: Sentence) -> Remark:
    """Say that only the cards of the game are known, and why."""
    return Remark("own_windows_missing", (sentence("Windows of your own are left out."), *why))


def same_window(players: Sequence[str]) -> Remark:
    """Say that several players have one and the same window."""
    said = sentence(
        "These players have the same photo or the same dice: {players}. Whose window is it?",
        players=list(players),
    )
    return Remark("same_window", (said,))


def same_card(window: WindowPattern, players: Sequence[str]) -> Remark:
    """Say that several players have the same window, or the two sides of one card."""
    said = sentence(
        "{window} is on a card that there is once in the game, but these players have it: {players}.",
        window=window,
        players=list(players),
    )
    return Remark("same_card", (said,))


def same_private(private: PrivateObjective, players: Sequence[str]) -> Remark:
    """Say that several players have the same private objective."""
    said = sentence(
        "Each private objective is in the game once, but these players have the same ({color}): {players}.",
        color=private,
        players=list(players),
    )
    return Remark("same_private", (said,))


# --- About the dice --------------------------------------------------------------------------------


def too_many_dice(color: Color, number: int, most: int) -> Remark:
    """Say that more dice of a color lie in the windows than the game has."""
    said = sentence(
        "Dice of one color ({color}) in the windows: {number}. This game has only {most}: look again.",
        color=color,
        number=number,
        most=most,
    )
    return Remark("too_many_dice", (said,))


# --- About the points ------------------------------------------------------------------------------


def not_all_counted(setup: Setup) -> Remark:
    """Say that objectives are missing from the total."""
    said = (
        sentence("Not everything is counted yet: a solo game has 2 public objectives and 2 private ones.")
        if setup.is_solo
        else sentence("Not everything is counted yet: a game has 3 public objectives and a private one.")
    )
    return Remark(NOT_ALL_COUNTED, (said,))


def more_than_usual(setup: Setup, number: int) -> Remark:
    """Say that more public objectives are counted than a game has."""
    said = (
        sentence("A solo game has 2 public objectives; here {number} are counted.", number=number)
        if setup.is_solo
        else sentence("A game has 3 public objectives; here {number} are counted.", number=number)
    )
    return Remark("many_objectives", (said,))


def no_tokens_in_solo() -> Remark:
    """Say that favor tokens were left out."""
    return Remark("no_favor_tokens", (sentence("A solo game has no favor tokens: none were counted."),))


def too_many_tokens(window: WindowPattern, tokens: int) -> Remark:
    """Say that more favor tokens are left than came with a window."""
    said = counted(
        "{window} comes with {count} favor token, so {tokens} cannot be left: is it the right card?",
        "{window} comes with {count} favor tokens, so {tokens} cannot be left: is it the right card?",
        window.difficulty or 0,
        window=window,
        tokens=tokens,
    )
    return Remark("too_many_favor_tokens", (said,))


def doubtful_print(window: WindowPattern) -> Remark:
    """Say that sources do not agree on what is printed on a space of the card."""
    return Remark("doubtful_print", (doubt_of(window),), tuple(cell for cell, _ in window.doubtful))


def unfinished_track(track: RoundTrack) -> Remark:
    """Say that the target of a solo game is not final."""
    said = sentence(
        "The round track holds {done} of {all} rounds, so the target is not final.",
        done=len(track.spaces),
        all=ROUNDS,
    )
    return Remark("unfinished_round_track", (said,))


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
    found = [doubtful_print(case.card)] if case.card and case.card.doubtful else []
    game = SOLO if case.solo else SEVERAL
    if len(case.public) < game.public_objectives or len(case.privates) < game.private_objectives:
        found.append(not_all_counted(game))
    if len(case.public) > game.public_objectives:
        found.append(more_than_usual(game, len(case.public)))
    if isinstance(case.target, RoundTrack) and len(case.target.spaces) < ROUNDS:
        found.append(unfinished_track(case.target))
    if case.solo and case.favor_tokens:
        found.append(no_tokens_in_solo())
    elif not case.solo and case.card is not None and case.favor_tokens is not None:
        try:
            check_favor_tokens_left(case.favor_tokens, case.card)
        except InvalidValueError:
            found.append(too_many_tokens(case.card, case.favor_tokens))
    return found
