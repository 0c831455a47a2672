"""Which network reads the dice of a window: that of the game's dice, or that of odd ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.odd_set import set_of, windows_of
from vision.network import reader, softmax, to_blob
from vision.profile import Pips
from vision.recognition import dice as recognition
from vision.recognition.dice import DOUBTED_FROM, UNLIKE_FROM, Seen, told_by


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
    monkeypatch: pytest.MonkeyPatch, dice: int, strange: float, is_odd: bool
) -> None:
    """Light pips are read by it where dice look strange, and there are any; dark pips always.

    Of dice like the game's it tells the values, too, half and half with the reader, and where the pips are
    light all dice of a window tell the colors together, half and half with either.
    """
    colors = np.arange(5, dtype=np.float32)
    monkeypatch.setattr(recognition, "told_together", lambda looks, _: np.tile(colors, (len(looks.which), 1)))
    window = seen(dice, strange)
    assert window.is_odd(Pips.LIGHT) is is_odd
    assert window.is_odd(Pips.DARK)
    assert window.is_odd(Pips.MIXED)
    told, by_odd = window.logits_for(Pips.LIGHT), window.logits_as_odd(Pips.LIGHT)
    base = by_odd if is_odd else window.logits
    assert (told[:, :2] == base[:, :2]).all()
    assert told[:, 7:13] == pytest.approx((base[:, 7:13] + by_odd[:, 7:13]) / 2)
    assert (told[dice:, 2:7] == base[dice:, 2:7]).all()
    half_and_half = np.log(softmax(base[:dice, 2:7])) + np.log(softmax(np.tile(colors, (dice, 1))))
    assert softmax(told[:dice, 2:7]) == pytest.approx(
        softmax((half_and_half / 2).astype(np.float32)), abs=1e-4
    )
    for pips in Pips:
        assert (window.logits_for(pips)[:, 13:] == window.logits[:, 13:]).all()  # the print is the reader's


def test_what_the_reader_is_sure_and_wrong_about_is_doubted() -> None:
    """A purple die that the reader surely takes for a blue one is not surely told so together."""
    rng = np.random.default_rng(78_001_009)
    look, is_odd = set_of(rng)
    window = tuple(islice(windows_of(rng, look, is_odd=is_odd), 2))[1]
    crops, scene, is_odd = window
    dice = Seen(crops, *reader().run_both(to_blob(crops)))
    truth = np.array(["RYGBP".find(code[0]) for code in scene.windows[0].dice])

    def sure_and_wrong(logits: NDArray[np.float32]) -> int:
        color = softmax(logits[:, 2:7])
        return int(((truth >= 0) & (color.argmax(axis=1) != truth) & (color.max(axis=1) > 0.9)).sum())

    assert not is_odd
    assert sure_and_wrong(dice.logits) > 0
    assert sure_and_wrong(dice.logits_for(Pips.LIGHT)) == 0


def test_mixed_pips_are_read_by_the_look_that_tells_more() -> None:
    """What tells the value of a die more surely counts, of equal looks the first; its colors always do."""
    as_is, exchanged = np.zeros((3, 13), np.float32), np.ones((3, 13), np.float32)
    as_is[0, 7], exchanged[1, 7] = 5, 5
    mixed = told_by(Pips.MIXED, as_is, exchanged)
    for k, look in enumerate((as_is, exchanged, as_is)):
        assert (mixed[k, [0, 1, *range(7, 13)]] == look[k, [0, 1, *range(7, 13)]]).all()
    dark = told_by(Pips.DARK, as_is, exchanged)
    assert (dark[:, 7:] == exchanged[:, 7:]).all()
    assert (told_by(Pips.LIGHT, as_is, exchanged) == as_is).all()
    assert (dark[:, 2:7] == as_is[:, 2:7]).all()
    assert (mixed[:, 2:7] == as_is[:, 2:7]).all()


@pytest.mark.parametrize(("dice", "odd", "told"), [(0, 3, 0), (0, 4, 4), (5, 1, 1), (5, 6, 6)])
def test_dice_that_pass_for_a_print_are_overlooked(
    monkeypatch: pytest.MonkeyPatch, dice: int, odd: int, told: int
) -> None:
    """Few in a window without dice are none; where most dice of a window are overlooked they look unlike."""
    window = seen(dice, 0)
    del window.__dict__["strange"]
    monkeypatch.setattr(recognition, "strangeness", lambda _dice: 0.0)
    found = np.zeros((20, 13), np.float32)
    found[:, 0], found[dice : dice + odd, 1] = 5, 10
    window.__dict__["_odd_as_is"] = window.__dict__["_odd_exchanged"] = found
    assert np.flatnonzero(window.overlooked).tolist() == list(range(dice, dice + told))
    assert (window.strange >= UNLIKE_FROM) is (told > dice)
    assert window.own_pips is (Pips.MIXED if told > dice else Pips.LIGHT)


def test_dice_far_away_are_neither_strange_nor_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too small to be told apart is read as the game's dice, whatever it looks like together."""
    monkeypatch.setattr(recognition, "strangeness", lambda _dice: UNLIKE_FROM + 1)
    near = seen(5, 0)
    del near.__dict__["strange"]
    far = replace(near, is_far=True)
    odd = np.zeros((20, 13), np.float32)
    odd[:, 1] = 10
    for window in (near, far):
        window.__dict__["_odd_as_is"] = window.__dict__["_odd_exchanged"] = odd
    assert near.own_pips is Pips.MIXED
    assert near.overlooked.any()
    assert far.own_pips is Pips.LIGHT
    assert not far.overlooked.any()
    assert not far.is_odd(Pips.LIGHT)
