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

Source: the texts of the tool cards; where they are silent, see `scoring.tools.HouseRule`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

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

_MOVING_TOOLS = tuple(tool for tool in Tool if tool.moves_dice)

_NAMED_BY_CARDS = {
    ProblemCode.COLOR_RESTRICTION: (Tool.EGLOMISE_BRUSH,),
    ProblemCode.VALUE_RESTRICTION: (Tool.COPPER_FOIL_BURNISHER,),
    ProblemCode.FIRST_DIE_EDGE: _MOVING_TOOLS,
    ProblemCode.NOT_CONNECTED: (*_MOVING_TOOLS, Tool.CORK_BACKED_STRAIGHTEDGE),
}

_NAMED_BY_HOUSE_RULES = {
    ProblemCode.SAME_COLOR_NEIGHBORS: (HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS, Tool.EGLOMISE_BRUSH),
    ProblemCode.SAME_VALUE_NEIGHBORS: (
        HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS,
        Tool.COPPER_FOIL_BURNISHER,
    ),
}


def tools_named_by(code: ProblemCode, toolbox: Toolbox) -> tuple[Tool, ...]:
    """Return the tools whose cards, or the group's house rules, speak of this rule."""
    if code in _NAMED_BY_HOUSE_RULES:
        house_rule, tool = _NAMED_BY_HOUSE_RULES[code]
        return (tool,) if house_rule in tuple(toolbox.house_rules) else ()
    return _NAMED_BY_CARDS.get(code, ())


def lifts_for_moved_die(tool: Tool, code: ProblemCode, toolbox: Toolbox) -> bool:
    """Return whether a tool lets the very die that it moves ignore this rule."""
    return code not in _ABOUT_THE_WHOLE_WINDOW and tool in tools_named_by(code, toolbox)


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
    pairs = [cells for kind in kinds if kind.code in _NAMED_BY_HOUSE_RULES for cells, _ in kind.found]
    if len(set(pairs)) < len(pairs):
        return False  # alike in color and value; only one tool card can be used in a turn
    places = [
        [(cell, tool) for cell in cells for tool in tools_named_by(kind.code, toolbox) if tool in toolbox]
        for kind in kinds
        if kind.code not in _ABOUT_THE_WHOLE_WINDOW
        for cells, _ in kind.found
    ]
    further: list[Counter[Tool]] = [Counter()]
    if codes & _ABOUT_THE_WHOLE_WINDOW:
        further += [Counter([tool]) for tool in _MOVING_TOOLS if tool in toolbox]
        if Tool.CORK_BACKED_STRAIGHTEDGE in toolbox:
            further.append(Counter({Tool.CORK_BACKED_STRAIGHTEDGE: len(groups) - 1}))
    return any(
        toolbox.can_pay(Counter(moved.values()) + more, most_tokens)
        and _leaves_such_a_window(codes, groups, moved.keys(), more)
        for moved in _ways_to_move(places, {}, toolbox, most_tokens)
        for more in further
    )


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
        if moved.get(cell, tool) is tool:
            yield from _ways_to_move(others, {**moved, cell: tool}, toolbox, most_tokens)


def _leaves_such_a_window(
    codes: set[ProblemCode], groups: Groups, moved: Collection[Cell], more: Counter[Tool]
) -> bool:
    """Return whether no die on the edge, or dice in several groups, can be what these uses left behind.

    ``moved`` is where the dice lie that brush and burnisher moved, and ``more`` are the further uses.
    """
    if not codes & _ABOUT_THE_WHOLE_WINDOW:
        return True
    if any(tool.moves_dice for tool in more):
        return any(len(group) > 1 for group in groups)
    apart_by_cork = more[Tool.CORK_BACKED_STRAIGHTEDGE] >= len(groups) - 1
    if not moved:
        return ProblemCode.FIRST_DIE_EDGE not in codes and apart_by_cork
    if any(len(group) > 1 and not group.isdisjoint(moved) for group in groups):
        return True
    # None of them touches another die. So there was only one move, of the only die in the window.
    return len(moved) == 1 and all(map(is_on_edge, moved)) and apart_by_cork
