"""Windows are legal exactly when they can be played: the placement rules against play itself.

The rules look at a finished window; the oracles in `play` put it together die by die.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Die,
    HouseRule,
    Tool,
    Toolbox,
    WindowPattern,
    legal_cells,
    placement_problems,
)
from tests import strategies
from tests.scoring import oracles
from tests.scoring.oracles import dice_on, rows_of
from tests.scoring.play import (
    BRUSH,
    BURNISHER,
    CORK,
    LATHEKIN,
    TAP_WHEEL,
    TOOLS,
    Game,
    Uses,
    all_windows,
    can_be_played,
    goes_there,
    tokens_for,
    windows_with,
)

pytestmark = pytest.mark.thorough

FREE = WindowPattern.parse("..... / ..... / ..... / .....")
PRINTED = WindowPattern.parse("1.R.. / ..2.. / ..6.. / ....G")

FIELD = "R1 Y2 G3 B4 P5 / Y3 G4 B5 P6 R1 / G5 B6 P1 R2 Y3 / B1 P2 R3 Y4 G5"
"""A full window without a mistake on a card that forbids nothing."""


@st.composite
def nearly_legal_windows(draw: st.DrawFn) -> tuple[Board, WindowPattern]:
    """Legal windows on real cards from which dice were taken, and in which perhaps one was exchanged."""
    board, pattern = draw(strategies.legal_windows())
    for cell in draw(st.lists(strategies.cells, max_size=12, unique=True)):
        board = board.replace(*cell, None)
    if draw(st.booleans()):
        board = board.replace(*draw(strategies.cells), draw(strategies.dice))
    return board, pattern


@st.composite
def windows_with_gaps(draw: st.DrawFn) -> tuple[Board, WindowPattern]:
    """Windows in which all that can be wrong is where there are dice: any dice of a full legal window."""
    kept = draw(st.sets(strategies.cells))
    board = Board.parse(FIELD)
    return strategies.board_of([board[cell] if cell in kept else None for cell in oracles.SPOTS]), FREE


windows = st.one_of(
    strategies.legal_windows(),
    nearly_legal_windows(),
    windows_with_gaps(),
    st.tuples(strategies.boards, strategies.patterns_mostly_free()),
)


def can(board: Board, pattern: WindowPattern, corks: int = 0) -> bool:
    """Return whether the board can be played."""
    return can_be_played(dice_on(board), rows_of(pattern), corks)


@given(windows)
def test_a_window_has_no_problem_exactly_when_it_can_be_played(window: tuple[Board, WindowPattern]) -> None:
    """Up to 20 dice, on real cards: legal windows, nearly legal ones, ones with gaps and any others."""
    board, pattern = window
    assert (placement_problems(board, pattern) == ()) is can(board, pattern)


def check_every_window(
    dice: tuple[str, ...],
    pattern: WindowPattern,
    toolbox: Toolbox,
    can_pay: Callable[[Uses], bool],
    beside_alike: tuple[str, ...] = (),
) -> None:
    """Look at all ways to have some of these dice in a window: those that can be played are legal."""
    tools = [tool.value for tool in toolbox.cards]
    playable = all_windows(dice, rows_of(pattern), tools, can_pay, beside_alike)
    for places, window in windows_with(dice):
        legal = placement_problems(strategies.board_with(window), pattern, toolbox) == ()
        assert legal is (places in playable), window


@pytest.mark.parametrize(
    ("dice", "pattern", "toolbox"),
    [
        pytest.param(("R1", "G1", "B6"), PRINTED, Toolbox(), id="dice that fit printed spaces and others"),
        pytest.param(("R1", "R2", "G1"), FREE, Toolbox([CORK], tokens=2), id="one use of the straightedge"),
    ],
)
def test_every_window_with_three_dice(
    dice: tuple[str, ...], pattern: WindowPattern, toolbox: Toolbox
) -> None:
    """Of all 8041 ways to have some of these dice in a window, those that can be played are legal."""
    check_every_window(dice, pattern, toolbox, lambda uses: tokens_for(uses) <= 2)


@given(st.one_of(nearly_legal_windows(), windows_with_gaps()), st.integers(0, 6))
def test_the_straightedge_accounts_for_as_many_groups_as_it_was_used(
    window: tuple[Board, WindowPattern], tokens: int
) -> None:
    """With n uses paid for, a window is legal exactly when it can be played with n dice placed apart."""
    board, pattern = window
    spent = min(tokens, pattern.difficulty or 6)
    corks = (spent + 1) // 2
    toolbox = Toolbox([CORK], tokens=tokens)
    assert (placement_problems(board, pattern, toolbox) == ()) is can(board, pattern, corks)


@given(windows_with_gaps())
def test_in_a_solo_game_the_straightedge_starts_one_group(window: tuple[Board, WindowPattern]) -> None:
    """Alone at the table, a window is legal exactly when it can be played with one die placed apart."""
    board, pattern = window
    assert (placement_problems(board, pattern, Toolbox([CORK], solo=True)) == ()) is can(board, pattern, 1)


@pytest.mark.parametrize("solo", [False, True], ids=["six tokens", "solo"])
@pytest.mark.parametrize("tools", list(combinations(TOOLS, 2)), ids=" and ".join)
def test_every_window_with_two_dice_and_two_tools(tools: tuple[str, str], solo: bool) -> None:
    """With six tokens, or each tool once, all 421 windows of two dice are legal exactly when playable."""
    toolbox = Toolbox(tools, solo=True) if solo else Toolbox(tools, tokens=6)
    check_every_window(
        ("R1", "G2"), PRINTED, toolbox, lambda uses: max(uses) <= 1 if solo else tokens_for(uses) <= 6
    )


@pytest.mark.parametrize("tool", TOOLS)
def test_every_window_with_two_dice_of_one_color_and_a_tool(tool: str) -> None:
    """Two red dice, which Tap Wheel moves together, on a card that forbids nothing."""
    check_every_window(("R1", "R2"), FREE, Toolbox([tool], tokens=1), lambda uses: tokens_for(uses) <= 1)


@pytest.mark.parametrize(
    ("tool", "rule", "dice"),
    [
        (BRUSH, HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS, ("R1", "R2")),
        (BURNISHER, HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS, ("R1", "G1")),
    ],
)
@pytest.mark.parametrize("tokens", [0, 1, 3])
def test_every_window_with_two_dice_alike_under_a_house_rule(
    tool: str, rule: HouseRule, dice: tuple[str, ...], tokens: int
) -> None:
    """Where a moved die may lie beside one alike, windows are legal exactly when they can be played."""
    toolbox = Toolbox([tool], tokens=tokens, house_rules=[rule])
    check_every_window(dice, PRINTED, toolbox, lambda uses: tokens_for(uses) <= tokens, (tool,))


@pytest.mark.parametrize("tool", [BRUSH, BURNISHER, LATHEKIN, TAP_WHEEL])
def test_no_window_of_three_dice_that_was_played_is_called_illegal(tool: str) -> None:
    """Whatever a tool that moves dice can do with three dice and one use is accounted for."""
    dice, toolbox = ("R1", "R2", "G6"), Toolbox([tool], tokens=1)
    for places in all_windows(dice, rows_of(PRINTED), [tool], lambda uses: tokens_for(uses) <= 1):
        window = {spot: dice[die] for die, spot in enumerate(places) if spot is not None}
        assert placement_problems(strategies.board_with(window), PRINTED, toolbox) == (), window


@st.composite
def games(draw: st.DrawFn, *, solo: bool = False, beside_alike: tuple[str, ...] = ()) -> Game:
    """Games of 1 to 20 turns on a real card with up to three of the tools that leave traces."""
    pattern = WINDOW_PATTERNS[draw(st.sampled_from(sorted(WINDOW_PATTERNS)))]
    tools = draw(st.lists(st.sampled_from(TOOLS), min_size=1, max_size=3, unique=True))
    game = Game(
        random=Random(draw(st.integers(0, 2**32 - 1))),
        pattern=rows_of(pattern),
        tokens=pattern.difficulty or 0,
        tools=tools,
        solo=solo,
        beside_alike=beside_alike,
    )
    game.play(turns=draw(st.one_of(st.integers(1, 6), st.integers(1, 20))))
    return game


def problems_of(game: Game, toolbox: Toolbox) -> list[str]:
    """Return the problems of a game's window."""
    pattern = WindowPattern.parse(" / ".join(game.pattern), difficulty=game.tokens)
    return [
        problem.message
        for problem in placement_problems(strategies.board_with(game.window), pattern, toolbox)
    ]


@given(games())
def test_nobody_is_accused_of_what_tools_allowed(game: Game) -> None:
    """Whatever was played by the rules, with tools that were paid for, has no problem."""
    assert problems_of(game, Toolbox(game.used, tokens=game.spent)) == []
    assert problems_of(game, Toolbox(game.tools)) == []
    assert problems_of(game, Toolbox(Tool)) == []


@given(games(solo=True))
def test_nobody_is_accused_of_what_tools_allowed_in_a_solo_game(game: Game) -> None:
    """The same when each tool was used once at most and cost no tokens."""
    assert problems_of(game, Toolbox(game.used, solo=True)) == []


@given(games(beside_alike=(BRUSH, BURNISHER)))
def test_nobody_is_accused_of_what_the_group_agreed_on(game: Game) -> None:
    """The same when a moved die may lie beside one of its color (brush) or value (burnisher)."""
    assert problems_of(game, Toolbox(game.used, tokens=game.spent, house_rules=HouseRule)) == []


@given(nearly_legal_windows(), strategies.dice, st.sampled_from([None, *TOOLS]), st.booleans())
def test_the_next_die_may_go_where_play_lets_it_go(
    window: tuple[Board, WindowPattern], die: Die, tool: str | None, agreed: bool
) -> None:
    """A die may be placed where it goes without a tool or by the straightedge, and nowhere else.

    The other tools move a die that lies already, or change one: none of them frees a placement.
    """
    board, pattern = window
    toolbox = Toolbox([] if tool is None else [tool], house_rules=HouseRule if agreed else ())
    assert legal_cells(board, die, pattern, toolbox) == {
        spot
        for spot in oracles.SPOTS
        for by in {None, CORK} & {None, tool}
        if goes_there(dice_on(board), spot, str(die), rows_of(pattern), by=by)
    }


def test_games_leave_every_trace_that_there_is() -> None:
    """The games above are worth playing: in some of them each rule looks broken, and each tool was used."""
    broken, used = set(), set()
    for seed in range(600):
        random = Random(seed)
        tools = random.sample(TOOLS, 2)
        game = Game(random, rows_of(PRINTED), 6, tools, beside_alike=(BRUSH, BURNISHER))
        game.play(turns=seed % 8)
        used |= set(game.used)
        board = strategies.board_with(game.window)
        broken |= {problem.code for problem in placement_problems(board, PRINTED)}
    assert used == set(TOOLS)
    assert broken == {
        "color_restriction",
        "value_restriction",
        "same_color_neighbors",
        "same_value_neighbors",
        "first_die_edge",
        "not_connected",
    }
