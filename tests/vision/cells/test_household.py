"""Which network reads the dice of a window: that of the game's dice, or that of odd ones."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cells.household import Seen
from vision.cells.unlike import DOUBTED_FROM
from vision.profile import Pips


def seen(dice: int, strange: float) -> Seen:
    """Return a gray window with as many dice for the reader, and as strange."""
    logits = np.zeros((20, 25), np.float32)
    logits[:, 0], logits[:dice, 1] = 5, 10
    found = Seen(np.full((20, 48, 48, 6), 128, np.uint8), logits, np.zeros((20, 112), np.float32))
    found.__dict__["strange"] = strange
    return found


@pytest.mark.parametrize(
    ("dice", "strange", "is_odd"),
    [
        (12, DOUBTED_FROM - 0.1, False),
        (12, DOUBTED_FROM + 0.1, True),
        (0, DOUBTED_FROM + 9, False),
    ],
)
def test_windows_with_strange_dice_are_read_by_the_network_for_such(
    dice: int, strange: float, is_odd: bool
) -> None:
    """Light pips are read by it where dice look strange, and there are any; dark pips always."""
    window = seen(dice, strange)
    assert window.is_odd(Pips.LIGHT) is is_odd
    assert window.is_odd(Pips.DARK)
    by_reader = (window.logits_for(Pips.LIGHT)[:, :13] == window.logits[:, :13]).all()
    assert bool(by_reader) is not is_odd
    for pips in Pips:
        assert (window.logits_for(pips)[:, 13:] == window.logits[:, 13:]).all()  # the print is the reader's
