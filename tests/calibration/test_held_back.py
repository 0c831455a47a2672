"""Scenes that nothing was learned from."""

from __future__ import annotations

from calibration.accuracy.records import origin_of
from calibration.training.held_back import FIRST_SEED, held_back_results
from scoring.cells import COLUMNS, ROWS


def test_scenes_are_labelled_like_photos_and_read_the_whole_way() -> None:
    """Each scene has one whole window, all labelled, from a seed far above those that training draws."""
    results = list(held_back_results(1))
    assert len(results) == 1
    assert origin_of(result.label for result in results) == "synthetic"
    assert min(int(str(result.label.keys["seed"])) for result in results) >= FIRST_SEED > 1_000_000
    for result in results:
        assert result.window is not None
        assert result.whole
        assert len(result.window.readable_cells) == ROWS * COLUMNS
        assert all(cell.print is not None for cell in result.window.cells)
        assert len(result.cells) == (0 if result.error else ROWS * COLUMNS)
