"""Which network reads the dice of a window: that of the game's dice, or that of odd ones."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cells.dyes import shares_of, told_apart, told_together
from vision.cells.household import Seen
from vision.cells.unlike import DOUBTED_FROM
from vision.profile import SIGNATURE, Pips


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


def test_dice_of_one_light_help_each_other_and_none_helps_itself() -> None:
    """Where a lamp moves all dice one way, one that is farther out is known by its neighbors, not alone."""
    dyes = np.zeros((5, SIGNATURE))
    dyes[:, 0] = np.arange(5) * 10.0
    moved = np.zeros((9, SIGNATURE))
    moved[:, 0] = [4, 4, 4, 4, 14, 14, 14, 14, 5.3]  # all by 4, and the last one by 5.3
    alone = shares_of(told_apart(moved, dyes))
    together = shares_of(told_together(moved, dyes))
    assert alone[-1].argmax() == 1
    assert together.argmax(axis=1).tolist() == [0] * 4 + [1] * 4 + [0]
    assert (told_together(moved[:1], dyes) == told_apart(moved[:1], dyes)).all()
