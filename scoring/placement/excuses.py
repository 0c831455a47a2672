"""What tool cards can excuse in a finished window.

Which die was moved, and when, cannot be seen any more. So the question is: can a player have used the tools
in such a way that every broken rule is accounted for, with the favor tokens they had? The player gets the
benefit of the doubt, but not more than the cards give:

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement

from scoring.cells import Cell, is_on_edge
from scoring.problems import ProblemCode
from scoring.sentences import Sentence
from scoring.tools import HouseRule, Tool, Toolbox

Groups = Sequence[frozenset[Cell]]
"""The groups in which the dice of a window hang together by sides and corners."""


@dataclass(frozen=True)
class Kind:
    """A rule that is broken in a window, and all places where it is.

    Parameters
    ----------
    code
        The rule.
    found
        The cells of each place, and what is wrong there.
    """

    code: ProblemCode
    found: tuple[tuple[tuple[Cell, ...], Sentence], ...]


_ABOUT_THE_WHOLE_WINDOW = {ProblemCode.FIRST_DIE_EDGE, ProblemCode.NOT_CONNECTED}

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
    return tuple(
        sorted(
            (tool for tool in tools if _speaks_of(tool, code, toolbox)), key=lambda tool: not tool.moves_dice
        )
    )


def _speaks_of(tool: Tool, code: ProblemCode, toolbox: Toolbox) -> bool:
    if tool.moves_dice and code in _ABOUT_THE_WHOLE_WINDOW:
        return True
    if code in _NAMED_BY_HOUSE_RULES:
        house_rule, named = _NAMED_BY_HOUSE_RULES[code]
        if tool is named and house_rule in tuple(toolbox.house_rules):
            return True
    return frees_from(tool, code)


def frees_from(tool: Tool, code: ProblemCode) -> bool:
    """Return whether the card itself says that the die it moves or places may ignore this rule."""
    return any(lift.value == code.value for lift in tool.lifts)


def lifts_for_moved_die(tool: Tool, code: ProblemCode, toolbox: Toolbox) -> bool:
    """Return whether a tool lets the very die that it moves ignore this rule."""
    return tool.moves_dice and code not in _ABOUT_THE_WHOLE_WINDOW and tool in tools_named_by(code, toolbox)


def tools_that_excuse(
    kind: Kind, groups: Groups, toolbox: Toolbox, most_tokens: int | None
) -> tuple[Tool, ...]:
    """Return the tools of which each alone could account for every place where the rule is broken.

    They need not be in the game. The tokens and house rules of ``toolbox`` hold. The other parameters are
    those of `excused_kinds`.
    """
    return tuple(
        tool
        for tool in tools_named_by(kind.code, toolbox)
        if _can_be_accounted_for([kind], groups, replace(toolbox, tools=[tool]), most_tokens)
    )


def excused_kinds(
    kinds: Sequence[Kind], groups: Groups, toolbox: Toolbox, most_tokens: int | None
) -> tuple[Kind, ...]:
    """Return the broken rules that the tools in the game account for: as many as possible at once.

    Parameters
    ----------
    kinds
        The broken rules.
    groups
        The groups in which the dice of the window hang together.
    toolbox
        The tools in the game.
    most_tokens
        The tokens that came with the window; None when that is not known.
    """
    for number in range(len(kinds), 0, -1):
        for some in combinations(kinds, number):
            if _can_be_accounted_for(some, groups, toolbox, most_tokens):
                return some
    return ()


def _can_be_accounted_for(
    kinds: Sequence[Kind], groups: Groups, toolbox: Toolbox, most_tokens: int | None
) -> bool:
    """Return whether the tools in the game can be the reason for all of this together."""
    codes = {kind.code for kind in kinds}
    broken: dict[tuple[Cell, ...], list[ProblemCode]] = {}
    for kind in kinds:
        for cells, _ in kind.found if kind.code not in _ABOUT_THE_WHOLE_WINDOW else ():
            broken.setdefault(cells, []).append(kind.code)
    # Dice alike in color and value need a card that speaks of both: only one can be used in a turn.
    places = [
        [
            (cell, tool)
            for cell in cells
            for tool in toolbox.cards
            if all(tool in tools_named_by(code, toolbox) for code in rules)
        ]
        for cells, rules in broken.items()
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
    if not codes & _ABOUT_THE_WHOLE_WINDOW:
        return
    for tool in toolbox.cards:
        if tool.moves_dice:
            yield Counter([tool])
    apart, inside = (
        [tool for tool in toolbox.cards if not tool.moves_dice and frees_from(tool, code)]
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
    if not codes & _ABOUT_THE_WHOLE_WINDOW:
        return True
    if any(tool.moves_dice for tool in more):
        return any(len(group) > 1 for group in groups)
    placed_apart = sum(
        any(_frees_placing(tool, ProblemCode.NOT_CONNECTED) for cell, tool in moved.items() if cell in group)
        for group in groups
    )
    placed_apart += sum(
        number for tool, number in more.items() if _frees_placing(tool, ProblemCode.NOT_CONNECTED)
    )
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
    return not tool.moves_dice and frees_from(tool, code)
