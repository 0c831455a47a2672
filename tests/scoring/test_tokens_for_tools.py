"""How far favor tokens reach when tools have to account for a window."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Board, InvalidValueError, Tool, Toolbox, WindowPattern, placement_problems

ROW = " / -- -- -- -- --"
FREE = " / ....."
CORK, BRUSH = Tool.CORK_BACKED_STRAIGHTEDGE, Tool.EGLOMISE_BRUSH


@pytest.mark.parametrize(
    ("difficulty", "could_excuse"), [(None, (BRUSH,)), (6, (BRUSH,)), (5, (BRUSH,)), (4, ()), (3, ())]
)
def test_a_tool_is_named_only_when_the_window_came_with_tokens_enough(
    difficulty: int | None, could_excuse: tuple[Tool, ...]
) -> None:
    """Three uses cost five tokens: with a window that came with four, no tool could be the reason."""
    board = Board.parse("G1 Y2 P3 -- --" + 3 * ROW)
    pattern = WindowPattern.parse("RRR.." + 3 * FREE, difficulty=difficulty)
    assert {problem.could_excuse for problem in placement_problems(board, pattern)} == {could_excuse}


def test_recorded_uses_have_been_paid_for() -> None:
    """Of three tokens two went for a recorded use, so one is left for the first use of another card."""
    toolbox = Toolbox(tokens=3, recorded=[("Eglomise Brush", 2)])
    assert toolbox.recorded == ((BRUSH, 2),)
    assert toolbox.can_pay({BRUSH: 1, CORK: 1})
    assert not toolbox.can_pay({CORK: 2})
    assert not toolbox.can_pay({BRUSH: 2})
    # Whoever took too many tokens back is known for the recorded uses and for no others.
    overdrawn = Toolbox(tokens=1, recorded=[(BRUSH, 1), (BRUSH, 2)])
    assert overdrawn.can_pay({BRUSH: 2, CORK: 0})
    assert not overdrawn.can_pay({CORK: 1})


def test_in_a_solo_game_each_card_works_once_whatever_is_recorded() -> None:
    """A solo game has no tokens: a second use of a card cannot be."""
    assert Toolbox(solo=True, recorded=[(BRUSH, 1)]).can_pay({BRUSH: 1, CORK: 1})
    assert not Toolbox(solo=True, recorded=[(BRUSH, 1), (BRUSH, 2)]).can_pay({BRUSH: 2})


@pytest.mark.parametrize("cost", [0, 3, True, "1"])
def test_a_use_costs_one_token_or_two(cost: int) -> None:
    """A recorded use that cost anything else is refused."""
    with pytest.raises(InvalidValueError, match=r"cannot have cost .* Give 1 for the first use"):
        Toolbox(recorded=[(BRUSH, cost)])


def test_a_recorded_use_accounts_for_a_die_that_breaks_a_rule() -> None:
    """The same die, the same tokens: what the brush was used for decides."""
    board = Board.parse("G1 Y2 -- -- --" + 3 * ROW)
    pattern = WindowPattern.parse("R...." + 3 * FREE, difficulty=3)
    used_brush = Toolbox([BRUSH, CORK], tokens=1, recorded=[(BRUSH, 1)])
    used_cork = Toolbox([BRUSH, CORK], tokens=1, recorded=[(CORK, 1)])
    assert placement_problems(board, pattern, used_brush) == ()
    assert [one.code for one in placement_problems(board, pattern, used_cork)] == ["color_restriction"]


def histories(spent: int, recorded: list[tuple[Tool, int]]) -> set[tuple[Tool, ...]]:
    """Return all uses that a player can have made, recorded and further ones, paid for token by token."""
    known = tuple(tool for tool, _ in recorded)
    found = {(known, spent - sum(cost for _, cost in recorded))}
    to_visit = list(found)
    for uses, left in to_visit:
        for tool in (BRUSH, CORK, Tool.LATHEKIN):
            more = (tuple(sorted((*uses, tool), key=str)), left - (2 if tool in uses else 1))
            if more[1] >= 0 and more not in found:
                found.add(more)
                to_visit.append(more)
    return {uses for uses, _ in found}


_TOOLS = st.sampled_from([BRUSH, CORK, Tool.LATHEKIN])


@given(
    st.none() | st.integers(0, 6),
    st.none() | st.integers(3, 6),
    st.lists(st.tuples(_TOOLS, st.integers(1, 2)), max_size=3),
    st.dictionaries(_TOOLS, st.integers(0, 4)),
)
def test_uses_can_be_paid_when_some_history_has_them_all(
    tokens: int | None, most: int | None, recorded: list[tuple[Tool, int]], uses: dict[Tool, int]
) -> None:
    """Every way to spend the tokens beside the recorded ones is tried; one of them must hold all the uses."""
    spent = min(one for one in (tokens, most, 6) if one is not None)
    wanted = Counter(uses)
    possible = any(wanted <= Counter(history) for history in histories(spent, recorded))
    assert Toolbox(tokens=tokens, recorded=recorded).can_pay(uses, most) is possible
