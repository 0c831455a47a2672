"""Gray dice among colored ones are noticed, and colored ones never are."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import Reading, read_photo

SAMPLES = ("broken_rules.jpg", "neighbor_window.jpg", "full_window.jpg")  # seen from above


def without_color(path: Path, reading: Reading, row: int, column: int) -> bytes:
    """Return the photo with the color taken out of one cell."""
    image = cv2.imread(str(path))
    assert image is not None
    flat = np.array([[0, 0], [5, 0], [5, 4], [0, 4]], dtype=np.float32)
    lattice = cv2.getPerspectiveTransform(flat, np.array(reading.corners, dtype=np.float32))
    around = np.array([[0.08, 0.08], [0.92, 0.08], [0.92, 0.92], [0.08, 0.92]], dtype=np.float32)
    place = cv2.perspectiveTransform((around + np.array([column, row], dtype=np.float32))[None], lattice)[0]
    mask = np.zeros(image.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, place.astype(np.int32), 255)
    gray = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return bytes(cv2.imencode(".png", np.where(mask[..., None] > 0, gray, image))[1])


@pytest.mark.parametrize("name", SAMPLES)
def test_a_gray_die_is_to_be_looked_at(project_root: Path, name: str) -> None:
    """Whatever the reader calls it, it is doubtful; the dice around it are as they were."""
    path = project_root / "sample_images" / name
    before = read_photo(path)
    sure = [cell for cell in before.cells if cell.die and not cell.doubtful]
    for cell in sure[:: max(1, len(sure) // 3)]:
        after = read_photo(without_color(path, before, cell.row, cell.column))
        read = after.cells[5 * cell.row + cell.column]
        assert read.doubtful or read.die is None, (cell.row, cell.column)
        others = [one for one in after.cells if one.die and (one.row, one.column) != (cell.row, cell.column)]
        assert sum(one.doubtful for one in others) <= sum(one.doubtful for one in before.cells) + 1
