"""Favor tokens are counted at the window that they lie nearest to, on drawn tables held back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from calibration.training.synthetic import tables
from tests.vision.test_loose import HELD_BACK
from vision import tokens
from vision.detection.views import Levels
from vision.geometry import Grid
from vision.loose import Spot
from vision.tokens import MOST, find_tokens

BLANK = Levels(np.full((900, 1200, 3), 90, np.uint8))


def window_at(x: float, y: float) -> Grid:
    """Return a window of 40 pixels a cell whose art is above it in the photo."""
    return Grid.from_corners(((x, y), (x + 200, y), (x + 200, y + 160), (x, y + 160)), (1200, 900))


def mark(x: float, y: float, sure: float = 0.99, edge: float = 30.0) -> Spot:
    """Return what looks like a token."""
    return Spot(np.array([x, y]), np.zeros(2), edge, sure)


@pytest.fixture
def see(monkeypatch: pytest.MonkeyPatch) -> Sequence[Spot]:
    """Return a list of what is seen around every window, to be filled."""
    seen: list[Spot] = []
    monkeypatch.setattr(tokens, "_marks", lambda *_: seen)
    return seen


def test_tokens_on_drawn_tables_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of windows in drawn photos at least four of five have as many tokens as lie there, within one."""
    monkeypatch.setattr(tokens, "quadrilaterals", lambda _: [])  # of cards nothing is known here
    near: list[bool] = []
    for seed in (6, 10, 12, 15, 19, 24):  # the first with one window
        table = tables.render(np.random.default_rng(HELD_BACK + seed), size=(960, 720), tokens=True)
        grid = Grid(table.windows[0].base, np.zeros(3))
        seen = [mark(one.top[0], one.top[1], edge=one.edge) for one in table.beads if not one.hidden]
        own = sum(tokens._away(grid, one) < tokens.REACH for one in seen)
        (found,) = find_tokens(Levels(table.image_bgr), [grid])
        near.append(abs((found.count if found else 0) - min(own, MOST)) <= 1)
    assert np.mean(near) >= 0.8


def test_a_token_belongs_to_the_nearest_window(see: list[Spot]) -> None:
    """Beside two windows each has its own; between them it is less sure, far from both nobody's."""
    two = [window_at(200, 500), window_at(700, 500)]
    see += [mark(150, 600), mark(150, 640), mark(960, 600)]
    left, right = find_tokens(BLANK, two)
    assert left is not None
    assert right is not None
    assert (left.count, right.count) == (2, 1)
    see[:] = [mark(550, 600)]
    (between,) = (one for one in find_tokens(BLANK, two) if one)
    assert between.confidence < right.confidence
    see[:] = [mark(1190, 30)]
    assert find_tokens(BLANK, two) == [None, None]


def test_what_is_no_token_is_not_counted(see: list[Spot]) -> None:
    """What lies in the lattice, or is far too large or too small, is none; faint marks alone are none."""
    (alone,) = [window_at(500, 500)]
    see += [mark(600, 580), mark(450, 600, edge=90), mark(450, 700, edge=8), mark(450, 560, 0.3)]
    assert find_tokens(BLANK, [alone]) == [None]
    see.append(mark(760, 560))
    (found,) = find_tokens(BLANK, [alone])
    assert found is not None
    assert (found.doubtful, found.places) == (True, ((760.0, 560.0),))


def test_on_a_frame_only_what_is_clear_counts(see: list[Spot]) -> None:
    """The art of a frame shows glass, too: a mark there has to be clearer than one beside it."""
    (alone,) = [window_at(500, 500)]
    see.append(mark(600, 380, 0.8))
    assert find_tokens(BLANK, [alone]) == [None]
    see[:] = [mark(600, 380, 0.9)]
    (found,) = find_tokens(BLANK, [alone])
    assert found is not None
    assert found.count == 1


def test_no_more_are_counted_than_come_with_a_card(see: list[Spot]) -> None:
    """Of eight marks six count."""
    see += [mark(300 + 50 * k, 720) for k in range(8)]
    (found,) = find_tokens(BLANK, [window_at(400, 500)])
    assert found is not None
    assert found.count == MOST


def test_what_lies_on_a_card_was_spent(see: list[Spot]) -> None:
    """A token on a card is nobody's, one beside it is the window's."""
    picture = np.full((900, 1200, 3), 40, np.uint8)
    picture[500:708, 340:488] = 200  # 3.7 x 5.2 pitches
    see += [mark(410, 600), mark(310, 600)]
    (found,) = find_tokens(Levels(picture), [window_at(520, 520)])
    assert found is not None
    assert found.places == ((310.0, 600.0),)
