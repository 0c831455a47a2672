from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import ALL_CELLS, Color, Die
from tests import strategies as ours
from tests.readings import reading_of
from vision import Alternative, CellReading, Reading, VisionError, WindowGuess
from vision.reading import Tokens

shares = st.floats(0, 1)
lengths = st.floats(-1e6, 1e6)
points = st.tuples(lengths, lengths)
contents = st.none() | ours.dice


@st.composite
def cells(draw: st.DrawFn, row: int, column: int) -> CellReading:
    """Draw a reading of one cell."""

    def content(die: Die | None) -> tuple[Color | None, int | None]:
        return (die.color, die.value) if die else (None, None)

    others = draw(st.lists(st.tuples(contents, shares), max_size=2))
    return CellReading(
        row,
        column,
        *content(draw(contents)),
        confidence=draw(shares),
        doubtful=draw(st.booleans()),
        alternatives=tuple(Alternative(*content(die), share) for die, share in others),
    )


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Draw a reading, such as no photo need give."""
    signs = draw(st.lists(st.sampled_from(".RYGBP123456?"), min_size=20, max_size=20))
    return Reading(
        size=draw(st.tuples(st.integers(1, 9999), st.integers(1, 9999))),
        corners=draw(st.tuples(points, points, points, points)),
        cells=tuple(draw(cells(row, column)) for row, column in ALL_CELLS),
        pattern=" / ".join("".join(signs[5 * row : 5 * row + 5]) for row in range(4)),
        window=draw(st.none() | st.builds(WindowGuess, st.text(), shares)),
        upright_probability=draw(st.floats(0.5, 1)),
        other_windows=draw(st.integers(0, 5)),
        seconds=draw(st.floats(0, 100)),
        unclear_prints=tuple(draw(st.lists(ours.cells, unique=True, max_size=3))),
        unlike_dice=draw(st.booleans()),
        mirrored=draw(st.booleans()),
        tokens=draw(st.none() | st.builds(Tokens, st.tuples(points, points), shares, shares, st.booleans())),
    )


@given(readings())
def test_a_reading_comes_back_from_its_json(reading: Reading) -> None:
    """Nothing of a reading is lost or changed on the way through JSON, turned or not."""
    for one in (reading, reading.rotated_180()):
        assert Reading.from_json(json.loads(json.dumps(one.to_json()))) == one


@given(readings())
def test_turning_a_reading_twice_changes_nothing(reading: Reading) -> None:
    """Half a turn and another one give the same reading."""
    assert reading.rotated_180().rotated_180() == reading


def test_a_turned_reading_counts_from_the_opposite_corner() -> None:
    """Cells, corners, print and what is unclear all move to the other end, and the art speaks against it."""
    reading = reading_of(doubtful=["A1"], pattern="?R??? / ????? / ????? / ????6", unclear_prints=["B3"])
    turned = reading.rotated_180()
    assert turned.board == reading.board.rotated_180()
    assert [cell.doubtful for cell in turned.cells] == 19 * [False] + [True]
    assert [(cell.row, cell.column) for cell in turned.cells] == list(ALL_CELLS)
    assert turned.corners[0] == reading.corners[2]
    assert turned.pattern == "6???? / ????? / ????? / ???R?"
    assert turned.unclear_prints == ((2, 2),)
    assert turned.upright_probability == pytest.approx(0.01)


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    """Return what sets the value at a path."""

    def change(data: Any) -> None:  # noqa: ANN401  data from anywhere
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.clear(),
        lambda data: data.pop("unclear_prints"),
        lambda data: data["cells"].pop(),
        lambda data: data["cells"].reverse(),
        put("cells", value=None),
        put("cells", 3, value=[]),
        put("cells", 3, "value", value=7),
        put("cells", 3, "value", value=None),
        put("cells", 3, "color", value="Q"),
        put("cells", 3, "column", value=9),
        put("cells", 3, "confidence", value=1.5),
        put("cells", 3, "confidence", value="0.5"),
        put("cells", 3, "doubtful", value=1),
        put("cells", 3, "alternatives", value=[{}]),
        put("board", value="-- -- -- -- -- / " * 3 + "-- -- -- -- --"),
        put("pattern", value="?"),
        put("corners", value=[[0, 0]]),
        put("corners", 0, 0, value=float("nan")),
        put("size", value=["800", 600]),
        put("size", value=[-800, 600]),
        put("size", value=[float("inf"), 600]),
        put("seconds", value=float("inf")),
        put("seconds", value=10**400),
        put("other_windows", value=-1),
        put("unlike_dice", value=1),
        put("mirrored", value=1),
        put("upright_probability", value=None),
        put("unclear_prints", value=["E1"]),
        put("window", value={"name": 3, "probability": 0.5}),
        put("window", value="Batllo"),
        put("tokens", value={"count": 2, "confidence": 1, "doubtful": False, "places": [[1, 1]], "size": 9}),
    ],
)
def test_other_data_is_no_reading(spoil: Callable[[dict[str, Any]], None]) -> None:
    """Whatever is missing, of another type or impossible, the data is refused with one and the same error."""
    data = json.loads(json.dumps(reading_of(window="Batllo").to_json()))
    assert Reading.from_json({**data, "photo": "mine.jpg"}) == reading_of(window="Batllo")
    spoil(data)
    with pytest.raises(VisionError) as caught:
        Reading.from_json(data)
    assert caught.value.code == "bad_reading"
