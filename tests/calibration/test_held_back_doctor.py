"""Photos with one fault turned up alone, and what is counted of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from calibration.accuracy.spoiled import Shot
from calibration.training.held_back_doctor import FAULTS, Turned, drawn, row_of, spoiled, unspoiled_text
from tests.readings import reading_of
from vision import BoardUnreadableError, Check, Examination
from vision.checks import KINDS
from vision.find.refusals import too_blurry

BLUR = FAULTS[0]


@cache
def drawn_once() -> Shot:
    """Return a photo without a fault."""
    return drawn(1)


def said(code: str, number: float) -> Examination:
    """Return an examination with one check."""
    return Examination((Check(code, KINDS[code], number),), reading_of(doubtful=["A1", "A2"]))


def test_every_fault_names_a_check_and_all_checks_are_named() -> None:
    """No check is left without a fault that it must find."""
    assert {one.code for one in FAULTS} == set(KINDS)


@pytest.mark.parametrize("turned", FAULTS, ids=lambda one: f"{one.name} {one.up_to}")
def test_a_fault_changes_the_picture_always_in_the_same_way(turned: Turned) -> None:
    """The same seed gives the same photo, which is another one than that without a fault."""
    shot = drawn_once()
    first, again = (spoiled(shot, turned, 1).image_bgr for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, shot.image_bgr)


def test_a_line_counts_what_was_named_first() -> None:
    """A refusal for the fault counts as naming it, another cause does not."""
    refused = Examination((), refusal=too_blurry())
    assert isinstance(refused.refusal, BoardUnreadableError)
    found = [said("sharpness", 60), said("cast", 30), refused]
    assert row_of(BLUR, found) == "| out of focus | 0.08 cells | 2.0 | 1 | 2 of 3 |"
    assert row_of(BLUR, [refused]) == "| out of focus | 0.08 cells | - | 1 | 1 of 1 |"


def test_what_is_said_of_good_photos_is_counted() -> None:
    """Bad is told from what could be better."""
    found = [said("sharpness", 60), said("sharpness", 40), said("sharpness", 10)]
    assert (
        unspoiled_text(found) == "Of 3 photos without a fault 1 are bad in something, and 1 could be better."
    )
