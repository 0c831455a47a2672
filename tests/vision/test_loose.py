"""Loose dice are found, read and told from those in windows, on drawn tables held back from training."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.synthetic import tables
from scoring import Die
from tests.vision.samples import SAMPLES
from vision import VisionError, load_photo, read_table
from vision import loose as reading
from vision import loose as table_module
from vision.detection.search import Missed
from vision.detection.views import Levels
from vision.geometry import Grid
from vision.loose import (
    WHOLE_BELOW,
    WHOLE_EDGE_PX,
    WHOLE_PX,
    Spot,
    agreed,
    dice_crops,
    find_dice,
    find_loose,
    read_best,
    settled,
    unclear_die,
    whole_dice,
)
from vision.recognition.dice import CONTENTS, DOUBTFUL_BELOW

Float = NDArray[np.float64]

R1, R6, G1 = 1, 6, 13  # in `CONTENTS`
HELD_BACK = 60_000_000  # far from the seeds that are learned from


@pytest.fixture(scope="module")
def drawn() -> list[tables.Table]:
    """Return four drawn tables with dice."""
    found = []
    for seed in range(HELD_BACK + 2, HELD_BACK + 60):  # in the second a frame lies over most dice
        table = tables.render(np.random.default_rng(seed), size=(640, 480))
        if 3 <= sum(in_view(mark) for mark in table.dice) <= 14:
            found.append(table)
        if len(found) == 4:
            break
    return found


def read_as(*shares: Float) -> Callable[..., tuple[Sequence[Spot], Float]]:
    """Return what reads dice as these, over and over."""

    def read(_: Levels, ways: Sequence[Sequence[Spot]], *_more: object) -> tuple[Sequence[Spot], Float]:
        return ways[0], np.resize(np.array(shares), (len(ways[0]), 31))

    return read


def in_view(mark: tables.Mark) -> bool:
    """Return whether a person could read the die: whole in the picture, not hidden, large enough."""
    inside = (mark.top > mark.edge).all() and (mark.top < np.array([640, 480]) - mark.edge).all()
    return bool(inside) and not mark.hidden and mark.edge > 14


def test_dice_are_found_and_read(drawn: list[tables.Table]) -> None:
    """Nine of ten dice in view of drawn tables are found, and four of five of these are read right."""
    asked, found, right = 0, 0, 0
    for table in drawn:
        levels = Levels(table.image_bgr)
        spots, held = read_best(levels, settled(find_dice(levels, []), []))
        for mark in filter(in_view, table.dice):
            asked += 1
            near = [k for k, spot in enumerate(spots) if np.linalg.norm(spot.top - mark.top) < mark.edge / 2]
            if near:
                found += 1
                color, value = CONTENTS[int(held[near[0]].argmax())]
                right += color is not None and f"{color.value}{value}" == f"{mark.color}{mark.value}"
    assert found >= 0.9 * asked
    assert right >= 0.8 * found


def test_a_crop_shows_its_die_from_above(drawn: list[tables.Table]) -> None:
    """The middle of both planes of a crop is the die, and a turn turns both."""
    (mark, *_) = filter(in_view, drawn[0].dice)
    spot = Spot(mark.top, mark.top - mark.foot, mark.edge, 1.0)
    levels = Levels(drawn[0].image_bgr)
    straight, turned = (dice_crops(levels, [spot], turn)[0] for turn in (0.0, np.pi / 2))
    x, y = mark.top.round().astype(int)
    assert np.abs(straight[24, 24, :3].astype(int) - drawn[0].image_bgr[y, x].astype(int)).max() < 60
    assert np.abs(np.rot90(straight[4:44, 4:44]).astype(int) - turned[4:44, 4:44].astype(int)).mean() < 25


@pytest.mark.parametrize(
    "name", ["easy_daylight.jpg", "full_window.jpg", "thirty_degrees.jpg", "empty_window.jpg"]
)
def test_dice_and_prints_of_a_window_are_not_loose(name: str) -> None:
    """A photo of one window has no loose dice where none lie beside it, and nothing unread."""
    found = read_table(SAMPLES / name)
    assert (found.loose_dice, found.unread) == ((), ())


def test_loose_dice_of_a_photo_without_a_window_are_read() -> None:
    """Dice alone are no error: each is told with its place in the photo."""
    found = read_table(SAMPLES / "loose_dice.jpg")
    assert found.windows == ()
    assert len(found.loose_dice) >= 3
    width, height = found.size
    assert all(0 <= x <= width and 0 <= y <= height for x, y in (die.center for die in found.loose_dice))
    assert json.loads(json.dumps(found.to_json()))["loose_dice"][0]["place"] in ("pool", "track", None)


def test_the_dice_of_a_window_that_is_not_read_are_not_loose() -> None:
    """Where something looks like a window and is not read, its dice are not told one by one."""
    photo = Levels(load_photo(SAMPLES / "full_window.jpg").image_bgr)
    middle = np.array(photo.size) / 2
    everywhere = Missed(
        VisionError("window_unclear", *unclear_die().args[:2]), middle, 4.0 * max(photo.size) ** 2
    )
    found = find_loose(photo, [], [everywhere])
    assert found.dice == ()


def test_more_dice_than_a_pool_holds_are_in_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine dice can be a draft pool; with ten nobody knows what they are."""
    blank = Levels(np.full((600, 600, 3), 90, np.uint8))
    rng = np.random.default_rng(3)
    share = np.eye(31)[1]
    for count, place in ((9, "pool"), (10, None)):
        spots = [Spot(spot, np.array([0.0, -3.0]), 12.0, 1.0) for spot in rng.uniform(50, 550, (count, 2))]
        monkeypatch.setattr(table_module, "find_dice", lambda *_, there=spots: there)
        monkeypatch.setattr(table_module, "read_best", read_as(share))
        monkeypatch.setattr(table_module, "row_of", lambda _: {})
        found = find_loose(blank, [], [])
        assert [die.place for die in found.dice] == [place] * count
        assert {die.die for die in found.dice} == {Die(*CONTENTS[1])}  # type: ignore[arg-type]


def test_beads_beside_a_pool_do_not_spoil_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more dice than a pool holds those that are sure are in it, if they are few enough."""
    blank = Levels(np.full((600, 600, 3), 90, np.uint8))
    spots = [Spot(np.array([40.0 + 45 * k, 60.0]), np.array([0.0, -3.0]), 12.0, 1.0) for k in range(12)]
    sure, bead = np.eye(31)[R1], 0.6 * np.eye(31)[R1] + 0.4 * np.eye(31)[G1]
    monkeypatch.setattr(table_module, "find_dice", lambda *_: spots)
    monkeypatch.setattr(table_module, "row_of", lambda _: {})
    monkeypatch.setattr(table_module, "read_best", read_as(*[sure] * 4, *[bead] * 8))
    found = find_loose(blank, [], []).dice
    assert [die.place for die in found] == ["pool"] * 4 + [None] * 8
    assert [die.doubtful for die in found] == [False] * 4 + [True] * 8


def test_a_die_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clear mark whose color and value are anybody's guess is unread; a faint one is no die."""
    blank = Levels(np.full((600, 600, 3), 90, np.uint8))
    guess = np.concatenate([[0.1], np.full(30, 0.03)])
    monkeypatch.setattr(table_module, "read_best", read_as(guess))
    for sure, names in ((0.9, 1), (0.3, 0)):
        spot = Spot(np.array([300.0, 200.0]), np.array([0.0, -3.0]), 12.0, sure)
        monkeypatch.setattr(table_module, "find_dice", lambda *_, there=spot: [there])
        found = find_loose(blank, [], [])
        assert (len(found.unread), found.dice) == (names, ())


def test_the_way_up_is_that_in_which_dice_are_read_surely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several ways up the one counts in which the reader is surer of the clearest dice."""
    blank = Levels(np.full((100, 100, 3), 90, np.uint8))
    ways = [[Spot(np.zeros(2), np.array([0.0, up]), 20.0, 0.9)] for up in (-3.0, -7.0, -12.0)]

    def read(_: Levels, spots: Sequence[Spot], *_more: object) -> Float:
        best = 0.9 if spots[0].up[1] == -7 else 0.5
        return np.array([[1 - best, best, *[0.0] * 29]])

    monkeypatch.setattr(reading, "read_dice", read)
    assert read_best(blank, ways)[0] == ways[1]


def test_where_a_top_and_the_whole_die_contradict_each_other_nothing_is_sure() -> None:
    """Two readings that agree are as sure as each; of two that do not, the die seen whole counts more."""
    sure = 0.02 * np.eye(31)[0] + 0.97 * np.eye(31)[R1] + 0.01 / 31
    other = 0.02 * np.eye(31)[0] + 0.97 * np.eye(31)[R6] + 0.01 / 31
    alike, unlike = agreed(np.array([sure, sure]), np.array([sure, other]))
    assert alike.argmax() == R1
    assert alike[R1] > DOUBTFUL_BELOW
    assert 0.01 < unlike[R1] < unlike[R6] < DOUBTFUL_BELOW
    assert unlike.sum() == pytest.approx(1)


def test_what_is_no_top_is_no_die_however_clear_its_pips() -> None:
    """A front or a printed die has pips: where its surroundings are sure that it is no top, it is none."""
    pips, front = np.eye(31)[R1], 0.999 * np.eye(31)[0] + 0.001 * np.eye(31)[R1]
    assert agreed(pips[None], front[None])[0, 0] > 0.9
    unclear = 0.5 * np.eye(31)[0] + 0.5 * np.eye(31)[R1]
    assert agreed(pips[None], unclear[None])[0, R1] > DOUBTFUL_BELOW


def test_dice_are_seen_whole_with_their_way_up_upwards() -> None:
    """What lies a third of an edge below a top is in the middle, and a turned photo shows the same."""
    photo = np.full((300, 300, 3), 40, np.uint8)
    cv2.circle(photo, (150, 120), 8, (250, 250, 250), -1)
    spot = Spot(np.array([150.0, 120.0]), np.array([0.0, -30.0]), 60.0, 1.0)
    (seen,) = whole_dice(Levels(photo), [spot])
    row, column, _ = np.unravel_index(seen.argmax(), seen.shape)
    middle = (WHOLE_PX - 1) / 2
    assert (abs(row - (middle - WHOLE_BELOW * WHOLE_EDGE_PX)) < 6, abs(column - middle) < 6) == (True, True)
    turned = Spot(np.array([179.0, 150.0]), np.array([30.0, 0.0]), 60.0, 1.0)
    (again,) = whole_dice(Levels(np.ascontiguousarray(np.rot90(photo, -1))), [turned])
    assert np.abs(again.astype(int) - seen).max() <= 2


@pytest.mark.parametrize(("second", "left"), [(R1, 1), (R6, 1), (G1, 2)])
def test_a_side_face_is_no_die(monkeypatch: pytest.MonkeyPatch, second: int, left: int) -> None:
    """A mark less than a die away from a surer one is that die's side if both have one color."""
    blank = Levels(np.full((600, 600, 3), 90, np.uint8))
    spots = [Spot(np.array([300.0, 200.0 + y]), np.zeros(2), 20.0, sure) for y, sure in ((0, 0.9), (16, 0.8))]
    monkeypatch.setattr(table_module, "find_dice", lambda *_: spots)
    monkeypatch.setattr(table_module, "read_best", read_as(np.eye(31)[R1], np.eye(31)[second]))
    assert len(find_loose(blank, [], []).dice) == left


@pytest.mark.parametrize(("windows", "left"), [(0, 1), (1, 0)])
def test_beside_a_window_a_place_like_one_is_no_pool(
    monkeypatch: pytest.MonkeyPatch, windows: int, left: int
) -> None:
    """What looks like a window may be a heap of dice, but not where a game is on: a pool has few dice."""
    blank = Levels(np.full((600, 900, 3), 90, np.uint8))
    grids = [Grid.from_corners(((500, 100), (800, 100), (800, 340), (500, 340)), (900, 600))] * windows
    heap = Missed(unclear_die(), np.array([200.0, 300.0]), 20.0 * 50**2, is_window=False)
    spot = Spot(np.array([200.0, 300.0]), np.array([0.0, -5.0]), 35.0, 0.9)
    monkeypatch.setattr(table_module, "find_dice", lambda *_: [spot])
    monkeypatch.setattr(table_module, "read_best", read_as(np.eye(31)[R1]))
    assert len(find_loose(blank, grids, [heap]).dice) == left


@pytest.mark.parametrize(("others", "left"), [(0, 0), (1, 0), (4, 5)])
def test_on_the_art_of_a_frame_an_unsure_die_stands_in_the_tracks_row(
    monkeypatch: pytest.MonkeyPatch, others: int, left: int
) -> None:
    """A piece of glass looks like a die: what is not sure is one on a frame's art only in the track's row."""
    blank = Levels(np.full((600, 900, 3), 90, np.uint8))
    window = Grid.from_corners(((300, 400), (600, 400), (600, 590), (300, 590)), (900, 600))
    spots = [Spot(np.array([450.0 + 45 * k, 250.0]), np.zeros(2), 35.0, 0.9) for k in range(1 + others)]
    monkeypatch.setattr(table_module, "find_dice", lambda *_: spots)
    unsure = 0.8 * np.eye(31)[R1] + 0.2 * np.eye(31)[0]
    monkeypatch.setattr(table_module, "read_best", read_as(unsure))
    assert len(find_loose(blank, [window], []).dice) == left
