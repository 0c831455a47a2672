from __future__ import annotations

import pytest

from scoring import ALL_CELLS, InvalidValueError, NotationError, cell_from_name, cell_name
from scoring.board import ALL_COLUMNS, ALL_ROWS, corner_neighbors, is_on_edge, side_neighbors, touching


def test_cells_are_named_like_in_the_rulebook() -> None:
    """A to D from the top, 1 to 5 from the left; the code counts from 0."""
    assert cell_name((0, 0)) == "A1"
    assert cell_name((2, 4)) == "C5"
    assert cell_from_name("C5") == (2, 4)
    assert cell_from_name(" d1 ") == (3, 0)


def test_every_cell_comes_back_from_its_name() -> None:
    """Twenty cells have twenty names."""
    assert len({cell_name(cell) for cell in ALL_CELLS}) == 20
    assert [cell_from_name(cell_name(cell)) for cell in ALL_CELLS] == list(ALL_CELLS)


def test_rows_run_from_left_to_right_and_columns_from_top_to_bottom() -> None:
    """Four rows of five cells and five columns of four."""
    assert [cell_name(cell) for cell in ALL_ROWS[1]] == ["B1", "B2", "B3", "B4", "B5"]
    assert [cell_name(cell) for cell in ALL_COLUMNS[1]] == ["A2", "B2", "C2", "D2"]
    assert (len(ALL_ROWS), len(ALL_COLUMNS)) == (4, 5)
    assert sorted(sum(ALL_ROWS, ())) == sorted(sum(ALL_COLUMNS, ())) == list(ALL_CELLS)


@pytest.mark.parametrize("name", ["", "A", "A0", "A6", "E1", "1A", "A11", "A²"])
def test_what_is_no_cell_is_named(name: str) -> None:
    """A wrong cell is quoted."""
    with pytest.raises(NotationError) as caught:
        cell_from_name(name)
    assert caught.value.code == "bad_cell_name"
    assert f'"{name}"' in str(caught.value)


@pytest.mark.parametrize("cell", [(-1, 0), (4, 0), (0, -1), (0, 5)])
def test_cells_outside_the_window_have_no_name(cell: tuple[int, int]) -> None:
    """Row -1 is not the last row."""
    with pytest.raises(InvalidValueError) as caught:
        cell_name(cell)
    assert caught.value.code == "no_such_cell"


def test_fourteen_cells_are_on_the_edge() -> None:
    """The border of a 4 x 5 window has 14 spaces."""
    inside = [cell_name(cell) for cell in ALL_CELLS if not is_on_edge(cell)]
    assert inside == ["B2", "B3", "B4", "C2", "C3", "C4"]


@pytest.mark.parametrize("cell", ALL_CELLS)
def test_neighbors_are_one_step_away(cell: tuple[int, int]) -> None:
    """Sides are one step along a row or column, corners one step along both."""
    steps = {
        other: (abs(other[0] - cell[0]), abs(other[1] - cell[1])) for other in ALL_CELLS if other != cell
    }
    assert list(side_neighbors(cell)) == [other for other in steps if sorted(steps[other]) == [0, 1]]
    assert list(corner_neighbors(cell)) == [other for other in steps if steps[other] == (1, 1)]
    assert list(touching(cell)) == [other for other in steps if max(steps[other]) == 1]
