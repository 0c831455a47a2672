"""The placement rules: what is wrong with a window that somebody finished.

The rules, with the code that a broken one is reported under:

- ``color_restriction``: a space printed with a color takes only dice of that color.
- ``value_restriction``: a space printed with a value takes only dice of that value.
- ``same_color_neighbors``: dice that share a side differ in color.
- ``same_value_neighbors``: dice that share a side differ in value.
- ``first_die_edge``: the first die goes on the edge, so a window with dice has one there.
- ``not_connected``: each later die touches an earlier one by a side or a corner, so all dice hang together.

Nobody sees in a finished window in which order its dice came. Without tools these six rules are all that
can be told from it: when they hold, there is an order of legal moves that leads to the window. During play
`dead_cells` names the spaces that can never be filled any more.

A `Problem` is a broken rule. A `Notice` is something that looks like one and is none, because a tool card in
the game accounts for it. Which die was moved, and when, cannot be seen any more. So the question is: can a
player have used the tools in such a way that every broken rule is accounted for, with the favor tokens they
had? The player gets the benefit of the doubt, but not more than the cards give:

- Eglomise Brush accounts for a die on a space of another color, Copper Foil Burnisher for one on a space of
  another value. One use accounts for one die, and a die that came to its space by one of them cannot have
  come by the other.
- Cork-backed Straightedge accounts for dice that hang together in several groups: one use for each group but
  one.
- A tool that moves dice (those first two, Lathekin, Tap Wheel) can leave any number of groups behind, and can
  take the first die from the edge. But the last die that was moved touched another one where it came to lie,
  so there must be two dice that touch; when brush and burnisher were used for nothing else than the dice on
  other colors and values, one of these dice must touch another. (Unless there was one move, of the only die
  in the window: then it went along the edge.)
- Under a `HouseRule` the first two also account for neighbors that are alike, by one of the two dice. They do
  not for neighbors alike in both color and value: whichever came last would have needed both cards at once.

A rule that is broken in several places is excused in all of them or in none: when the tokens do not reach for
all, nobody can tell which of the dice is the wrong one.

A tool that does not come with the game accounts for what its `Lift` says, by the die that it moved or
placed: one use for one die, and for all of that which is wrong about it.

Source: the texts of the tool cards; where they are silent, see `scoring.tools.HouseRule`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, combinations_with_replacement

from scoring.board import (
    VALUES,
    Board,
    Cell,
    Color,
    Die,
    cells_of,
    colored,
    groups_of,
    has_rare_glass,
    is_on_edge,
    part_of,
    side_neighbors,
    touching,
)
from scoring.patterns.patterns import WindowPattern, pattern_of
from scoring.sentences import ENGLISH, Sentence, Words, counted, sentence
from scoring.tools import HouseRule, Tool, Toolbox


class ProblemCode(StrEnum):
    """The rules that a window can break; the value is the code in JSON."""

    COLOR_RESTRICTION = "color_restriction"
    VALUE_RESTRICTION = "value_restriction"
    SAME_COLOR_NEIGHBORS = "same_color_neighbors"
    SAME_VALUE_NEIGHBORS = "same_value_neighbors"
    FIRST_DIE_EDGE = "first_die_edge"
    NOT_CONNECTED = "not_connected"
    SPACE_TAKEN = "space_taken"

    @property
    def rule(self) -> Sentence:
        """The rule of the rulebook that is broken."""
        return _RULES[self]


_RULES = {
    ProblemCode.COLOR_RESTRICTION: sentence("A space printed with a color takes only dice of that color."),
    ProblemCode.VALUE_RESTRICTION: sentence("A space printed with a value takes only dice of that value."),
    ProblemCode.SAME_COLOR_NEIGHBORS: sentence("Dice that share a side must differ in color."),
    ProblemCode.SAME_VALUE_NEIGHBORS: sentence("Dice that share a side must differ in value."),
    ProblemCode.FIRST_DIE_EDGE: sentence("The first die goes on a space along the edge of the window."),
    ProblemCode.NOT_CONNECTED: sentence("Each later die must touch an earlier one by a side or a corner."),
    ProblemCode.SPACE_TAKEN: sentence("A space holds one die."),
}


@dataclass(frozen=True)
class Finding:
    """What the placement rules have to say of some dice: of ``cells``, in reading order.

    ``about_tools`` is what the tool cards have to do with it, such as why it is allowed; None for nothing.
    """

    code: ProblemCode
    cells: tuple[Cell, ...]
    sentence: Sentence
    about_tools: Sentence | None = None

    @property
    def message(self) -> str:
        """All there is to say, in English."""
        return self.text(ENGLISH)

    def text(self, words: Words) -> str:
        """Return all there is to say, in the language of ``words``."""
        return words.say(self.sentence, *([self.about_tools] if self.about_tools else []))


@dataclass(frozen=True)
class Problem(Finding):
    """One way in which a window breaks the rules.

    ``could_excuse`` are the tools that could make it legal if they were in the game and paid for.
    """

    could_excuse: tuple[Tool, ...] = ()

    @property
    def rule(self) -> Sentence:
        """The rule of the rulebook that is broken."""
        return self.code.rule


@dataclass(frozen=True)
class Notice(Finding):
    """Something that looks like a broken rule and is none.

    ``excused_by`` are the tools in the game that can be the reason.
    """

    excused_by: tuple[Tool, ...] = ()


Groups = Sequence[frozenset[Cell]]
"""The groups in which the dice of a window hang together by sides and corners."""


_Broken = Mapping[ProblemCode, Sequence[tuple[tuple[Cell, ...], Sentence]]]
"""The rules that are broken in a window, and the cells of each place, with what is wrong there."""

ABOUT_THE_WHOLE_WINDOW = {ProblemCode.FIRST_DIE_EDGE, ProblemCode.NOT_CONNECTED}

_NAMED_BY_HOUSE_RULES = {
    ProblemCode.SAME_COLOR_NEIGHBORS: (HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS, Tool.EGLOMISE_BRUSH),
    ProblemCode.SAME_VALUE_NEIGHBORS: (
        HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS,
        Tool.COPPER_FOIL_BURNISHER,
    ),
}


def tools_named_by(code: ProblemCode, toolbox: Toolbox) -> tuple[Tool, ...]:
    """Return the tools whose cards, or the group's house rules, speak of this rule: those that move first.

    Of tools that do not come with the game only those are thought of that are in this one.
    """
    tools = [*Tool, *(tool for tool in toolbox.cards if not tool.is_printed)]
    house_rule, named = _NAMED_BY_HOUSE_RULES.get(code, (None, None))
    by_house_rule = named if house_rule in tuple(toolbox.house_rules) else None
    speaking = (
        tool
        for tool in tools
        if _lifts(tool, code) or tool is by_house_rule or (tool.moves_dice and code in ABOUT_THE_WHOLE_WINDOW)
    )
    return tuple(sorted(speaking, key=lambda tool: not tool.moves_dice))


def _lifts(tool: Tool, code: ProblemCode) -> bool:
    """Return whether the card itself says that the die it moves or places may ignore this rule."""
    return any(lift.value == code.value for lift in tool.lifts)


def lifts_for_moved_die(tool: Tool, code: ProblemCode, toolbox: Toolbox) -> bool:
    """Return whether a tool lets the very die that it moves ignore this rule."""
    return tool.moves_dice and code not in ABOUT_THE_WHOLE_WINDOW and tool in tools_named_by(code, toolbox)


def _excused(
    broken: _Broken, groups: Groups, toolbox: Toolbox, most_tokens: int | None
) -> Collection[ProblemCode]:
    """Return the broken rules that the tools in the game account for: as many as possible at once."""
    together = (
        {code: broken[code] for code in some}
        for number in range(len(broken), -1, -1)
        for some in combinations(broken, number)
    )
    return next(some for some in together if _can_be_accounted_for(some, groups, toolbox, most_tokens))


def _can_be_accounted_for(broken: _Broken, groups: Groups, toolbox: Toolbox, most_tokens: int | None) -> bool:
    """Return whether the tools in the game can be the reason for all of this together."""
    codes = set(broken)
    rules_at: dict[tuple[Cell, ...], list[ProblemCode]] = {}
    for code, found in broken.items():
        for cells, _ in found if code not in ABOUT_THE_WHOLE_WINDOW else ():
            rules_at.setdefault(cells, []).append(code)
    # Dice alike in color and value need a card that speaks of both: only one can be used in a turn.
    places = [
        [
            (cell, tool)
            for cell in cells
            for tool in toolbox.cards
            if all(tool in tools_named_by(code, toolbox) for code in rules)
        ]
        for cells, rules in rules_at.items()
    ]
    further = list(_further_uses(codes, len(groups), toolbox))
    return any(
        toolbox.can_pay(Counter(moved.values()) + more, most_tokens)
        and _leaves_such_a_window(codes, groups, moved, more)
        for moved in _ways_to_move(places, {}, toolbox, most_tokens)
        for more in further
    )


def _further_uses(codes: set[ProblemCode], groups: int, toolbox: Toolbox) -> Iterator[Counter[Tool]]:
    """Yield the uses that may have left no die on the edge, or dice in several groups, beside others."""
    yield Counter()
    if not codes & ABOUT_THE_WHOLE_WINDOW:
        return
    yield from (Counter([tool]) for tool in toolbox.cards if tool.moves_dice)
    apart, inside = (
        [tool for tool in toolbox.cards if _frees_placing(tool, code)]
        for code in (ProblemCode.NOT_CONNECTED, ProblemCode.FIRST_DIE_EDGE)
    )
    for number in range(groups):
        for some in combinations_with_replacement(apart, number):
            for first in [[], *([tool] for tool in inside)]:
                if some or first:
                    yield Counter([*some, *first])


def _ways_to_move(
    places: Sequence[Sequence[tuple[Cell, Tool]]],
    moved: dict[Cell, Tool],
    toolbox: Toolbox,
    most_tokens: int | None,
) -> Iterator[dict[Cell, Tool]]:
    """Yield each choice of the dice that came by a tool, with the tool, that accounts for every place."""
    if not toolbox.can_pay(Counter(moved.values()), most_tokens):
        return
    if not places:
        yield moved
        return
    first, *others = places
    for cell, tool in first:
        if moved.get(cell, tool) == tool:
            yield from _ways_to_move(others, {**moved, cell: tool}, toolbox, most_tokens)


def _leaves_such_a_window(
    codes: set[ProblemCode], groups: Groups, moved: Mapping[Cell, Tool], more: Counter[Tool]
) -> bool:
    """Return whether no die on the edge, or dice in several groups, can be what these uses left behind.

    ``moved`` is where the dice lie that tools moved there or placed there, and ``more`` are the further uses.
    """
    if not codes & ABOUT_THE_WHOLE_WINDOW:
        return True
    if any(tool.moves_dice for tool in more):
        return any(len(group) > 1 for group in groups)
    placed_apart = sum(
        any(_frees_placing(tool, ProblemCode.NOT_CONNECTED) for cell, tool in moved.items() if cell in group)
        for group in groups
    )
    placed_apart += sum(_frees_placing(tool, ProblemCode.NOT_CONNECTED) for tool in more.elements())
    apart = placed_apart >= len(groups) - 1
    edge = ProblemCode.FIRST_DIE_EDGE not in codes or any(
        _frees_placing(tool, ProblemCode.FIRST_DIE_EDGE) for tool in (*moved.values(), *more)
    )
    by_moving = [cell for cell, tool in moved.items() if tool.moves_dice]
    if not by_moving:
        return edge and apart
    if any(len(group) > 1 and not group.isdisjoint(by_moving) for group in groups):
        return True
    # None of them touches another die. So there was only one move, of the only die in the window.
    return len(by_moving) == 1 and all(map(is_on_edge, by_moving)) and apart


def _frees_placing(tool: Tool, code: ProblemCode) -> bool:
    return not tool.moves_dice and _lifts(tool, code)


ALL_DICE = tuple(Die(color, value) for color in Color for value in VALUES)


def dead_cells(board: Board | str, pattern: WindowPattern | str | None = None) -> frozenset[Cell]:
    """Return the empty cells that no die can legally fill any more, whatever is placed before.

    A cell is dead when its print and its neighbors leave no die for it: neighbors never go away, so this does
    not get better. It is also dead when no chain of dice can reach it, because the cells on every way to it
    are dead or would take the last die that fits it. Tool cards and the number of dice in the bag are not
    thought of.

    Parameters
    ----------
    board
        The dice that are in the window.
    pattern
        The card under them; None when it is not known, and then only the dice themselves forbid anything.

    Examples
    --------
    >>> from scoring.board import cell_name
    >>> board = Board.parse("-- R1 -- -- -- / G2 -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    >>> pattern = WindowPattern.parse("R.... / ..... / ..... / .....")
    >>> [cell_name(cell) for cell in dead_cells(board, pattern)]
    ['A1']
    """
    board, pattern = Board.of(board), pattern_of(pattern)
    return frozenset.intersection(*(_dead(one, pattern) for one in colored(board)))


def _dead(board: Board, pattern: WindowPattern | None) -> frozenset[Cell]:
    fitting = {cell: _fitting_dice(board, cell, pattern) for cell in board.empty_cells()}
    return frozenset(cell for cell in fitting if not _can_be_filled(board, (cell,), fitting[cell], fitting))


def _fitting_dice(board: Board, cell: Cell, pattern: WindowPattern | None) -> frozenset[Die]:
    """Return the dice that the print and the neighbors of an empty cell allow."""
    beside = [die for neighbor in side_neighbors(cell) if (die := board[neighbor])]
    return frozenset(
        die
        for die in ALL_DICE
        if (pattern is None or pattern.accepts(cell, die)) and all(_differ(die, other) for other in beside)
    )


def _differ(die: Die, other: Die) -> bool:
    """Return whether two dice may lie side by side."""
    return die.color is not other.color and die.value != other.value


def is_in_reach(board: Board, cell: Cell) -> bool:
    """Return whether the next die may go there as far as the edge and touching are concerned."""
    if board == Board.empty():
        return is_on_edge(cell)
    return any(board[neighbor] for neighbor in touching(cell))


def _can_be_filled(
    board: Board, chain: tuple[Cell, ...], dice: frozenset[Die], fitting: dict[Cell, frozenset[Die]]
) -> bool:
    """Return whether some dice, placed one after the other, lead to a die on the first cell of a chain.

    Of such dice only a chain is needed in which each touches the next: the others may as well be left out, as
    that forbids nothing. And in the shortest such chain no die touches another but the one before and the one
    after it, as what lies between two that touch could be left out too. So a chain has to be looked at die by
    die only. It is followed backwards to a cell in reach of the dice in the window. ``dice`` are those that
    are possible on its last cell.
    """
    *before, last = chain
    if not dice:
        return False
    if is_in_reach(board, last):
        return True
    for cell in touching(last):
        if cell not in fitting or any(cell == earlier or cell in touching(earlier) for earlier in before):
            continue
        possible = fitting[cell]
        if cell in side_neighbors(last):
            possible = frozenset(die for die in possible if any(_differ(die, other) for other in dice))
        if _can_be_filled(board, (*chain, cell), possible, fitting):
            return True
    return False


@dataclass(frozen=True)
class PlacementReport:
    """All that the placement rules have to say about a window."""

    problems: tuple[Problem, ...]
    notices: tuple[Notice, ...]

    @property
    def is_legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.problems


def check_placement(
    board: Board | str,
    pattern: WindowPattern | str | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> PlacementReport:
    """Look at a window under every placement rule.

    Parameters
    ----------
    board
        The dice.
    pattern
        The card under them; None when it is not known, and then nothing is said about printed
        colors and values.
    tools
        The tool cards in the game, as `Tool`, by name, or as a `Toolbox` that also says how many tokens can
        have been spent on them and what the group agreed on.

    Raises
    ------
    UnknownNameError
        A tool or the window is given by a name that no card has.

    Examples
    --------
    >>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    >>> for problem in check_placement(board, "Fractal Drops", ["Lathekin"]).problems:
    ...     print(problem.message)
    C5: red 3 on a space that needs 1. Copper Foil Burnisher could excuse it; it is not in this game.
    >>> report = check_placement(board, "Fractal Drops", ["Copper Foil Burnisher"])
    >>> report.is_legal
    True
    >>> for notice in report.notices:
    ...     print(notice.message)
    C5: red 3 on a space that needs 1. Copper Foil Burnisher allows that.
    """
    board, pattern, toolbox = Board.of(board), pattern_of(pattern), Toolbox.of(tools)
    if has_rare_glass(board):
        ways = (check_placement(one, pattern, toolbox) for one in colored(board))
        return min(ways, key=lambda way: (len(way.problems), len(way.notices)))
    broken = _broken_rules(board, pattern)
    most_tokens = None if pattern is None else pattern.difficulty
    groups = connected_groups(board)
    excused = _excused(broken, groups, toolbox, most_tokens)
    problems: list[Problem] = []
    notices: list[Notice] = []
    for code, found in broken.items():
        could_excuse = tuple(  # each of them alone, whether it is in the game or not
            tool
            for tool in tools_named_by(code, toolbox)
            if _can_be_accounted_for({code: found}, groups, replace(toolbox, tools=[tool]), most_tokens)
        )
        for cells, said in found:
            if code in excused:
                in_game = tuple(tool for tool in could_excuse if tool in toolbox)
                notices.append(Notice(code, cells, said, _why_allowed(code, in_game), in_game))
            else:
                about_tools = _about_tools(code, could_excuse, toolbox)
                problems.append(Problem(code, cells, said, about_tools, could_excuse))
    return PlacementReport(tuple(problems), tuple(notices))


def placement_problems(
    board: Board | str,
    pattern: WindowPattern | str | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> tuple[Problem, ...]:
    """Return every way in which the window breaks the placement rules; none means it is legal.

    The parameters and errors are those of `check_placement`, which also tells what tools excused.

    Examples
    --------
    >>> for problem in placement_problems(Board.parse(
    ...     "R1 R2 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")):
    ...     print(problem.code, problem.message)
    same_color_neighbors A1, A2: two dice of the same color (red) side by side.
    """
    return check_placement(board, pattern, tools).problems


def _broken_rules(board: Board, pattern: WindowPattern | None) -> _Broken:
    """Return the rules that are broken when no tool is thought of, each with all places where it is."""
    found = (*_restrictions(board, pattern), *_neighbors(board), *_all_dice(board))
    broken = {code: [(cells, said) for one, cells, said in found if one is code] for code in ProblemCode}
    return {code: places for code, places in broken.items() if places}


_Found = tuple[ProblemCode, tuple[Cell, ...], Sentence]


def _restrictions(board: Board, pattern: WindowPattern | None) -> Iterator[_Found]:
    """Yield each die on a space that is printed with another color or value."""
    if pattern is None:
        return
    for cell, die in board.dice():
        if not pattern.accepts(cell, die):
            code, said = wrong_print(cell, die, pattern[cell])
            yield code, (cell,), said


def wrong_print(cell: Cell, die: Die, space: Color | int | None) -> tuple[ProblemCode, Sentence]:
    """Return what to say about a die on a space that asks for something else."""
    if isinstance(space, Color):
        said = sentence("{cells}: {die} on a space that needs {color}.", cells=[cell], die=die, color=space)
        return ProblemCode.COLOR_RESTRICTION, said
    said = sentence("{cells}: {die} on a space that needs {value}.", cells=[cell], die=die, value=str(space))
    return ProblemCode.VALUE_RESTRICTION, said


def _neighbors(board: Board) -> Iterator[_Found]:
    """Yield each pair of dice that share a side and a color, or a side and a value."""
    for cell, die in board.dice():
        for other_cell in side_neighbors(cell):
            other = board[other_cell]
            # Each pair is met from both sides; the second time it is old news.
            if other is not None and other_cell > cell:
                yield from alike_neighbors((cell, other_cell), die, other)


def alike_neighbors(pair: tuple[Cell, Cell], die: Die, other: Die) -> Iterator[_Found]:
    """Yield what two dice side by side have in common."""
    if die.color is other.color:
        said = sentence(
            "{cells}: two dice of the same color ({color}) side by side.", cells=pair, color=die.color
        )
        yield ProblemCode.SAME_COLOR_NEIGHBORS, pair, said
    if die.value == other.value:
        said = sentence(
            "{cells}: two dice of the same value ({value}) side by side.", cells=pair, value=die.value
        )
        yield ProblemCode.SAME_VALUE_NEIGHBORS, pair, said


def _all_dice(board: Board) -> Iterator[_Found]:
    """Yield that none of the dice lies on the edge, and which lie apart from the largest group of dice."""
    cells = tuple(cell for cell, _ in board.dice())
    if cells and not any(map(is_on_edge, cells)):
        said = sentence("No die lies on the edge of the window, where the first die has to go.")
        yield ProblemCode.FIRST_DIE_EDGE, cells, said
    groups = connected_groups(board)
    if len(groups) < 2:
        return
    # Of groups of the same size the one that comes first in reading order counts as the largest.
    largest = max(groups, key=len)
    apart = tuple(sorted(cell for group in groups if group is not largest for cell in group))
    said = counted(
        "{cells}: this die does not touch the other dice, not even by a corner.",
        "{cells}: these dice do not touch the other dice, not even by a corner.",
        len(apart),
        cells=apart,
    )
    yield ProblemCode.NOT_CONNECTED, apart, said


def connected_groups(board: Board) -> list[frozenset[Cell]]:
    """Return the groups of dice that hang together by sides or corners, in reading order."""
    groups = groups_of(part_of(cell for cell, _ in board.dice()))
    return sorted((frozenset(cells_of(group)) for group in groups), key=min)


def _about_tools(code: ProblemCode, could_excuse: tuple[Tool, ...], toolbox: Toolbox) -> Sentence | None:
    """Say what the tool cards have to do with a problem, or None when they have nothing to do with it."""
    in_game = [tool for tool in tools_named_by(code, toolbox) if tool in toolbox]
    if in_game:
        return sentence("{tools} cannot have been used often enough to excuse this.", tools=in_game)
    if not could_excuse:
        return None
    if not toolbox.tools:
        return sentence("{tools} could excuse it.", tools=could_excuse)
    return counted(
        "{tools} could excuse it; it is not in this game.",
        "{tools} could excuse it; none of them is in this game.",
        len(could_excuse),
        tools=could_excuse,
    )


def _why_allowed(code: ProblemCode, tools: tuple[Tool, ...]) -> Sentence:
    """Say why what looks broken is not."""
    if code is ProblemCode.NOT_CONNECTED:
        return sentence("{tools} can leave dice apart, and that is allowed.", tools=tools)
    if code is ProblemCode.FIRST_DIE_EDGE:
        return sentence(
            "{tools} can take the first die away from the edge, and that is allowed.", tools=tools
        )
    return sentence("{tools} allows that.", tools=tools)
