"""While a table is read, whoever waits hears how far it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.samples import SAMPLES
from vision import Reading, read_table


def test_each_window_is_told_as_it_is_read() -> None:
    """First how many there are, then each reading as it stands in the table but for the other windows."""
    heard: list[tuple[int, Reading | None]] = []
    table = read_table(SAMPLES / "two_windows.jpg", progress=lambda *said: heard.append(said))
    assert len(table.windows) == 2
    assert heard == [(2, None), *((2, replace(one, other_windows=0)) for one in table.windows)]


def test_of_a_photo_without_windows_none_is_told() -> None:
    """That there is nothing to wait for is known, too."""
    heard: list[tuple[int, Reading | None]] = []
    read_table(SAMPLES / "loose_dice.jpg", progress=lambda *said: heard.append(said))
    assert heard == [(0, None)]


class EnoughError(Exception):
    """Somebody no longer wants to know."""


@pytest.mark.parametrize("after", [1, 2])
def test_who_listens_can_end_the_reading(after: int) -> None:
    """What the listener raises comes out as it is, and nothing more is told."""
    heard: list[Reading | None] = []

    def listen(_total: int, reading: Reading | None) -> None:
        heard.append(reading)
        if len(heard) == after:
            raise EnoughError

    with pytest.raises(EnoughError):
        read_table(SAMPLES / "two_windows.jpg", progress=listen)
    assert len(heard) == after
