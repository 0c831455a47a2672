"""The benchmark of speed and size measures what it says."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from benchmarks import speed
from vision import VisionError, read_photo, read_table


def test_reading_a_large_photo_needs_little_memory(tmp_path: Path) -> None:
    """A photo of 12 megapixels takes memory over an idle process, and at most 400 MB."""
    photo = tmp_path / "large.jpg"
    photo.write_bytes(speed.twelve_megapixels())
    over_idle = speed.peak_bytes(photo) - speed.peak_bytes()
    assert 5e6 < over_idle < 400e6


def test_pictures_to_refuse_are_refused() -> None:
    """The first pictures that the slowest refusal is measured on hold no whole window."""
    for _, data in islice(speed.hard_to_refuse(), 3):
        with pytest.raises(VisionError):
            read_photo(data)


def test_the_table_with_many_dice_has_them() -> None:
    """Nearly all of its 54 dice are read, so that the time is that of a table full of dice."""
    assert len(read_table(speed.many_loose_dice()).loose_dice) > 45


@pytest.mark.parametrize(
    ("figure", "told"), [(2.0, "reached"), (3.0, "not reached, but the bound of 4 x"), (5.0, "NOT reached")]
)
def test_figure_is_told_beside_its_goal(figure: float, told: str) -> None:
    """A goal is reached at its number; a looser bound is told where there is one."""
    assert speed.goal(figure, 2, "x", 4).endswith(f": {told}")
