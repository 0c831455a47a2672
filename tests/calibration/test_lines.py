"""What is drawn to learn from where a hidden line lies."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.training.covered_set import hidden_line, lines_looked_at
from vision.detection.sighting import LINES, WAYS


@pytest.mark.parametrize("side", LINES)
def test_a_line_counts_as_hidden_where_it_alone_is(side: str) -> None:
    """All of its cells are hidden, and something of every other row and column shows."""
    hidden = np.zeros(20)
    hidden[LINES[side]] = 0.9
    assert hidden_line(hidden) == side
    hidden[LINES[side][0]] = 0.3
    assert hidden_line(hidden) is None
    assert hidden_line(np.full(20, 0.9)) is None


def test_a_look_shows_all_boards_that_have_the_block() -> None:
    """Of each look there are as many views as boards, and no two of them are alike."""
    looks = [look for seed in range(63_000_000, 63_000_004) for look in lines_looked_at(seed)]
    assert looks
    for look in looks:
        count = int(look["counts"])
        assert count in {len(ways) for ways in WAYS.values()}
        views = look["views"][:count]
        assert views.shape[1:] == (156, 180, 6)
        assert not look["views"][count:].any()
        assert len({view.tobytes() for view in views}) == count
