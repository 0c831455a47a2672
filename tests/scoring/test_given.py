"""Names and notation in place of the things of the game, and boards as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    InvalidValueError,
    NotationError,
    PublicObjective,
    Tool,
    UnknownNameError,
    WindowPattern,
    best_removals,
    changes_by_tools,
    check_favor_tokens_left,
    check_placement,
    check_solo_tools,
    dead_cells,
    favor_tokens_at_start,
    identify_window,
    legal_cells,
    moves_after_placing,
    placement_problems,
    score_player,
    score_private,
    score_solo,
    why_not,
)
from tests.scoring.test_typed import BOARDS

TEXT = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
BOARD = Board.parse(TEXT)
DROPS = WINDOW_PATTERNS["Fractal Drops"]
LIGHT, BURNISHER = PublicObjective.LIGHT_SHADES, Tool.COPPER_FOIL_BURNISHER
DIE = Die.parse("R2")
SAME: tuple[tuple[Callable[..., Any], tuple[object, ...], tuple[object, ...]], ...] = (
    (score_player, (BOARD, [LIGHT], Color.PURPLE), (TEXT, ["light shades"], "purple")),
    (score_private, (BOARD, Color.PURPLE), (TEXT, "P")),
    (LIGHT.score, (BOARD,), (TEXT,)),
    (score_solo, (BOARD, [LIGHT], [Color.RED], 20), (TEXT, ["Light Shades"], ["Shades of Red"], 20)),
    (check_placement, (BOARD, DROPS, [BURNISHER]), (TEXT, "fractal drops", ["copper_foil_burnisher"])),
    (placement_problems, (BOARD, DROPS), (TEXT, "Fractal Drops")),
    (legal_cells, (BOARD, DIE, DROPS), (TEXT, "R2", "Fractal Drops")),
    (why_not, (BOARD, DIE, DROPS), (TEXT, "r2", "Fractal Drops")),
    (moves_after_placing, (BOARD, DIE, DROPS, [BURNISHER]), (TEXT, "R2", "Fractal Drops", [BURNISHER.value])),
    (
        changes_by_tools,
        (BOARD, DIE, DROPS, [Tool.GROZING_PLIERS]),
        (TEXT, "R2", "Fractal Drops", ["grozing pliers"]),
    ),
    (dead_cells, (BOARD, DROPS), (TEXT, "Fractal Drops")),
    (best_removals, (BOARD, DROPS, [LIGHT], Color.RED), (TEXT, "Fractal Drops", ["Light Shades"], "red")),
    (best_removals, (BOARD, DROPS, [], [Color.RED, Color.BLUE]), (TEXT, "Fractal Drops", [], ["red", "B"])),
    (favor_tokens_at_start, (DROPS,), ("Fractal Drops",)),
    (identify_window, (BOARD,), (TEXT,)),
)


@pytest.mark.parametrize(("function", "things", "names"), SAME)
def test_names_will_do_for_things(
    function: Callable[..., Any], things: tuple[object, ...], names: tuple[object, ...]
) -> None:
    """Wherever a thing of the game is wanted, its name or its notation gives the same answer."""
    assert function(*names) == function(*things)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: score_player(TEXT, ["Light Shade"]), UnknownNameError, "Did you mean Light Shades"),
        (lambda: score_player(TEXT, [], "purpel"), UnknownNameError, "purple"),
        (lambda: legal_cells(TEXT, "R2", "Fractal Dops"), UnknownNameError, "Fractal Drops"),
        (lambda: legal_cells(TEXT, "R7"), NotationError, "R7"),
        (lambda: check_placement("R1"), NotationError, "4 rows"),
        (lambda: check_placement(TEXT, tools=["Lathekinn"]), UnknownNameError, "Lathekin"),
        (lambda: check_favor_tokens_left(4, "Fractal Drops"), InvalidValueError, "comes with 3 favor tokens"),
        (lambda: check_solo_tools(["lathekin", "Lathekin"]), InvalidValueError, "twice"),
        (lambda: score_player(7), TypeError, "not int"),  # type: ignore[arg-type]
        (lambda: score_player(TEXT, [7]), TypeError, "PublicObjective or its name, not int"),  # type: ignore[list-item]
        (lambda: score_player(TEXT, [], 7), TypeError, "name of a private objective, not int"),  # type: ignore[arg-type]
        (lambda: legal_cells(TEXT, 2), TypeError, 'Die or a text such as "R2", not int'),  # type: ignore[arg-type]
        (lambda: legal_cells(TEXT, "R2", 5), TypeError, "WindowPattern or the name"),  # type: ignore[arg-type]
        (lambda: check_placement(TEXT, tools=[3]), TypeError, "Tool or its name"),  # type: ignore[list-item]
    ],
)
def test_wrong_names_and_types_are_told(
    call: Callable[[], object], error: type[Exception], said: str
) -> None:
    """A name that nothing has gets the nearest right one, a wrong type what would be right."""
    with pytest.raises(error, match=said):
        call()


def test_a_board_of_lists_is_a_board() -> None:
    """Lists of rows make the same board as tuples, equal and with the same hash, and strings no board."""
    made = Board([[None] * 5 for _ in range(4)])  # type: ignore[arg-type]
    assert made == Board.empty()
    assert hash(made) == hash(Board.empty())
    assert made.replace(0, 0, DIE) == Board.empty().replace(0, 0, DIE)
    for wrong in ([["R2"] * 5] * 4, [[None] * 4] * 4, [[None] * 5] * 3, [5] * 4):
        with pytest.raises((InvalidValueError, TypeError)):
            Board(wrong)  # type: ignore[arg-type]


def test_a_space_goes_by_its_name() -> None:
    """`board["C5"]` is the die on C5, and what is no space is refused."""
    assert BOARD["C5"] == BOARD[2, 4] == Die.parse("R3")
    assert BOARD["a1"] is None
    for wrong in ("E1", "A6", "", "C55"):
        with pytest.raises(NotationError):
            BOARD[wrong]


@given(board=BOARDS)
def test_a_board_survives_json(board: Board) -> None:
    """What `to_json` gives is plain data, and `from_json` makes the same board of it, as of its notation."""
    data = json.loads(json.dumps(board.to_json()))
    assert Board.from_json(data) == board
    assert Board.from_json(str(board)) == board


@pytest.mark.parametrize("data", [None, 5, {}, [], [[]] * 4, [["R2"] * 5] * 3, ["Y5 -- -- -- --"] * 4])
def test_what_is_no_board_in_json_is_refused(data: object) -> None:
    """Data of another shape are an error of the game and not a crash."""
    with pytest.raises(InvalidValueError):
        Board.from_json(data)
    with pytest.raises(NotationError):
        Board.from_json([["R9"] + [None] * 4, *[[None] * 5] * 3])


def test_of_returns_things_as_they_are() -> None:
    """What is a thing of the game already is not made anew."""
    for thing in (BOARD, DIE, Color.RED, LIGHT, Tool.LATHEKIN, DROPS):
        assert type(thing).of(thing) is thing  # type: ignore[arg-type]
    assert isinstance(WindowPattern.of("Virtus"), WindowPattern)
