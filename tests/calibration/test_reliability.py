"""Whether confidence means what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from calibration.evaluation.reliability import BINS, LEVELS, Reliability

READINGS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def error_by_definition(readings: list[tuple[float, bool]], bins: int) -> float:
    """Return the expected calibration error as the paper writes it: a mean over bins, weighted by size."""
    total = 0.0
    for index in range(bins):
        last = index == bins - 1
        inside = [pair for pair in readings if int(pair[0] * bins) == index or (last and pair[0] == 1)]
        if inside:
            accuracy = sum(right for _, right in inside) / len(inside)
            confidence = sum(sure for sure, _ in inside) / len(inside)
            total += len(inside) / len(readings) * abs(accuracy - confidence)
    return total


@given(READINGS)
def test_error_is_that_of_the_paper(readings: list[tuple[float, bool]]) -> None:
    """The error is the mean gap of accuracy and confidence over 15 equal bins, weighted by readings."""
    error = Reliability.of(readings).error
    if not readings:
        assert error is None
    else:
        assert error == pytest.approx(error_by_definition(readings, BINS), abs=1e-3)


def test_honest_and_dishonest_readers() -> None:
    """Right as often as it says has no error; always sure and half right has an error of one half."""
    assert Reliability.of([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]).error == 0
    assert Reliability.of([(1.0, True), (1.0, False)]).error == 0.5


def test_levels_tell_how_many_of_the_sure_ones_are_right() -> None:
    """A level counts all readings that are at least so sure."""
    levels = Reliability.of([(0.995, True), (0.99, False), (0.6, True)]).levels
    found = {level.at_least: (level.right.hits, level.right.total) for level in levels}
    assert tuple(found) == LEVELS
    assert found[0.5] == (2, 3)
    assert found[0.99] == (1, 2)
    assert found[0.999] == (0, 0)


@given(READINGS, READINGS)
def test_parts_add_up(one: list[tuple[float, bool]], other: list[tuple[float, bool]]) -> None:
    """Two sets of readings merged are what they are when counted together."""
    merged = Reliability.merged([Reliability.of(one), Reliability.of(other)])
    together = Reliability.of(one + other)
    assert merged.levels == together.levels
    assert [(b.cells, b.right) for b in merged.bins] == [(b.cells, b.right) for b in together.bins]
    assert merged.error == (None if together.error is None else pytest.approx(together.error, abs=1e-3))


@given(READINGS)
def test_reliability_survives_json(readings: list[tuple[float, bool]]) -> None:
    """Bins and levels become lists, and are what they were when they are read back."""
    kept = TypeAdapter(Reliability)
    reliability = Reliability.of(readings)
    assert kept.validate_json(kept.dump_json(reliability)) == reliability
