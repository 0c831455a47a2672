from __future__ import annotations

import pytest

from scoring import ALL_CELLS, NotationError, cell_from_name, cell_name
from scoring.board import corner_neighbors, side_neighbors, touching


def test_cells_are_named_like_in_the_rulebook() -> None:
    """A to D from the top, 1 to 5 from the left; each cell comes back from its name, also a small one."""
    assert [cell_name(cell) for cell in ALL_CELLS] == [row + column for row in "ABCD" for column in "12345"]
    assert [cell_from_name(f" {cell_name(cell).lower()} ") for cell in ALL_CELLS] == list(ALL_CELLS)


@pytest.mark.parametrize("name", ["", "A", "A0", "A6", "E1", "1A", "A11", "A²"])
def test_what_is_no_cell_is_named(name: str) -> None:
    """A wrong cell is quoted."""
    with pytest.raises(NotationError) as caught:
        cell_from_name(name)
    assert caught.value.code == "bad_cell_name"
    assert f'"{name}"' in str(caught.value)


@pytest.mark.parametrize("cell", ALL_CELLS)
def test_neighbors_are_one_step_away(cell: tuple[int, int]) -> None:
    """Sides are one step along a row or column, corners one step along both."""
    steps = {
        other: (abs(other[0] - cell[0]), abs(other[1] - cell[1])) for other in ALL_CELLS if other != cell
    }
    assert list(side_neighbors(cell)) == [other for other in steps if sorted(steps[other]) == [0, 1]]
    assert list(corner_neighbors(cell)) == [other for other in steps if steps[other] == (1, 1)]
    assert list(touching(cell)) == [other for other in steps if max(steps[other]) == 1]
