"""How results look in a terminal."""

from __future__ import annotations

import click
import pytest

from scoring import Board, Color, Die, PublicObjective, placement_problems, score_player
from tests.readings import BOARD, reading_of
from vision.reading import Alternative
from webapp.cli import terminal


def test_doubtful_dice_carry_a_question_mark() -> None:
    """The window shows in notation with its coordinates, and what should be looked at is marked."""
    text = click.unstyle(terminal.board_text(Board.parse(BOARD), [(0, 1), (3, 4)]))
    assert text.splitlines() == [
        "     1   2   3   4   5",
        "  A  Y5  --? R4  Y5  B1",
        "  B  P2  B4  Y6  G2  R3",
        "  C  R6  G3  R4  B5  P2",
        "  D  G1  Y4  P2  R3  Y5?",
    ]


def test_reading_ends_with_its_notation() -> None:
    """The last line can be copied into --board; the card and doubtful cells stand before it."""
    text = click.unstyle(terminal.reading_text("a.jpg", reading_of(doubtful=["C1"], window="Firmitas")))
    lines = text.splitlines()
    assert lines[0] == "a.jpg: window card Firmitas (90% sure), read in 0.20 s"
    assert lines[-2] == "  C1: R6 (60% sure)"
    assert lines[-1] == BOARD
    assert "window card not recognized" in terminal.reading_text("a.jpg", reading_of())


@pytest.mark.parametrize(
    ("number", "told"),
    [(3, "  C1: R6 (60% sure), perhaps R5 or empty"), (1, "  C1: R6 (60% sure), perhaps R5")],
)
def test_doubtful_die_names_what_else_it_may_be(number: int, told: str) -> None:
    """The two likeliest alternatives are told, an empty cell in words."""
    reading = reading_of(doubtful=["C1"])
    cell = reading.cell(2, 0)
    others = (Alternative(Color.RED, 5, 0.3), Alternative(None, None, 0.05), Alternative(Color.BLUE, 1, 0.01))
    changed = type(cell)(
        cell.row, cell.column, cell.color, cell.value, 0.6, doubtful=True, alternatives=others[:number]
    )
    cells = tuple(changed if c is cell else c for c in reading.cells)
    text = click.unstyle(terminal.reading_text("a.jpg", type(reading)(**{**vars(reading), "cells": cells})))
    assert told in text.splitlines()


def test_breakdown_adds_up_line_by_line() -> None:
    """Every line shows points, formula and earning cells, and the last one the total."""
    breakdown = score_player(Board.parse(BOARD), [PublicObjective.LIGHT_SHADES], Color.PURPLE, 2)
    lines = [line.split() for line in click.unstyle(terminal.breakdown_text(breakdown)).splitlines()]
    assert lines[1] == ["Shades", "of", "Purple", "6", "2", "+", "2", "+", "2", "B1", "C5", "D3"]
    assert lines[-1] == ["Total", str(breakdown.total)]


def test_problems_are_counted_and_their_excuses_named() -> None:
    """No problem, one and several read as sentences."""
    middle = Board.empty().replace(1, 1, Die.parse("Y5")).replace(1, 2, Die.parse("B1"))
    problems = placement_problems(middle)
    could_excuse = "Eglomise Brush, Copper Foil Burnisher, Lathekin or Tap Wheel could excuse it."
    assert terminal.problems_text(()) == "No placement problem."
    assert terminal.problems_text(problems).startswith("1 placement problem:\n  No die lies on the edge")
    assert terminal.problems_text(problems).endswith(could_excuse)
    assert terminal.problems_text(problems * 2).startswith("2 placement problems:")


def test_signs_stand_under_their_column() -> None:
    """Marked cells, dice and plain empty cells keep their columns, whatever the sign's length."""
    board = Board.empty().replace(0, 1, Die.parse("R3"))
    text = click.unstyle(terminal.signs_text(board, {(0, 0): "[B2]", (1, 0): "=", (1, 2): "v=#"}))
    assert text.splitlines()[:3] == [
        "       1     2     3     4     5",
        "  A  [B2]   R3    --    --    --",
        "  B   =     --   v=#    --    --",
    ]


def test_names_of_any_script_are_padded_to_columns() -> None:
    """Japanese signs take two columns, combining accents none."""
    assert terminal.padded("赤", 4) == "赤  "
    assert terminal.width_of("e\u0301") == 1
