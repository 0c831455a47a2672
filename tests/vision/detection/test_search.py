"""The search for the window: any rotation, blur, and a corner just out of view."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.synthetic.camera import Camera, motion, random_camera
from tests.vision.samples import as_photo, corners_of, photo_of
from vision import VisionError
from vision.detection import search as search_module
from vision.detection.search import Place, find_grid, find_grids, is_better, lattices_of
from vision.detection.sighting import Scrutiny, Sighting, shares_in_view, sides_beyond
from vision.detection.sighting import sight as sight_of
from vision.detection.views import Levels
from vision.geometry import BOARD_CORNERS, CELL_CENTERS, Float, Grid, Image8, apply_homography

NAME = "easy_daylight.jpg"
TRUTH = np.array(corners_of(NAME))


def error(grid: Grid, truth: NDArray[np.float64]) -> float:
    """Return the largest distance of the corners, in pitches, the way up included."""
    return float(np.linalg.norm(grid.corners_px - truth, axis=1).max() / grid.pitch_px)


@pytest.mark.parametrize("angle_deg", range(0, 360, 45))
def test_the_window_is_found_at_any_rotation(angle_deg: int) -> None:
    """However a photo is turned, its window is found to a fifth of a cell and the right way up."""
    image = photo_of(NAME)
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg + 15, 1.0)
    side = int(np.hypot(width, height))
    turn[:, 2] += (side - width) / 2, (side - height) / 2
    turned = cv2.warpAffine(image, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    grid = find_grid(as_photo(np.asarray(turned, dtype=np.uint8))).grid
    assert error(grid, np.asarray(TRUTH @ turn[:, :2].T + turn[:, 2], dtype=np.float64)) < 0.2
    assert grid.upright_probability > 0.9


@pytest.mark.parametrize("blur_cells", [0.2, 0.5])
def test_a_window_all_blur_is_too_blurry(blur_cells: float) -> None:
    """Blur of a fifth of a cell and more is refused as such, whether or not the window can still be found."""
    pitch = float(np.linalg.norm(TRUTH[1] - TRUTH[0])) / 5
    soft = cv2.GaussianBlur(photo_of(NAME), (0, 0), blur_cells * pitch)
    with pytest.raises(VisionError) as caught:
        find_grid(as_photo(np.asarray(soft, dtype=np.uint8)))
    assert caught.value.code == "too_blurry"


def test_where_marks_fit_a_lattice_badly_the_others_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lattice one column off that its marks fit badly gives way to the next one that is suggested."""
    right = Grid.from_corners(corners_of(NAME), as_photo(photo_of(NAME)).full_size)
    one_column = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 1.0]])
    beside = right.homography @ one_column

    def suggested(*_: object, brief: bool) -> Iterator[tuple[NDArray[np.float64], bool]]:
        yield beside, True
        yield right.homography, True

    def sight(photo: Levels, start: NDArray[np.float64], *, looks: int) -> Sighting | None:
        sighting = sight_of(photo, right.homography, looks=looks)
        assert sighting is not None
        if start is not beside:
            return sighting
        scrutiny = replace(sighting.scrutiny, alike=sighting.scrutiny.alike / 2)
        off = replace(sighting.grid, homography=sighting.grid.homography @ one_column)
        return replace(sighting, grid=off, scrutiny=scrutiny, misfit=0.085)

    monkeypatch.setattr(search_module, "_starts", suggested)
    monkeypatch.setattr(search_module, "sight", sight)
    assert error(find_grid(as_photo(photo_of(NAME))).grid, TRUTH) < 0.2


def beside_a_cut_window(card_px: int) -> NDArray[np.uint8]:
    """Return a picture of a full window, cut off by the right edge, beside an empty one so wide."""
    empty = photo_of("empty_window.jpg")
    (left, top), (right, bottom) = np.array(corners_of("empty_window.jpg"))[[0, 2]].astype(int)
    margin = (right - left) // 8
    card = empty[top - margin : bottom + margin, left - margin : right + margin]
    size = (card_px, card_px * card.shape[0] // card.shape[1])
    small = cv2.resize(card, size, interpolation=cv2.INTER_AREA)
    picture = np.full((900, 1200, 3), 90, np.uint8)
    (x0, y0), (x1, _) = TRUTH.min(0).astype(int), TRUTH.max(0).astype(int)
    half = photo_of(NAME)[y0 - 60 : y0 + 640, x0 - 60 : (x0 + x1) // 2]
    picture[100 : 100 + half.shape[0], 1200 - half.shape[1] :] = half
    y = (900 - small.shape[0]) // 2
    picture[y : y + small.shape[0], 80 : 80 + card_px] = small
    return picture


def test_an_empty_window_beside_a_larger_one_that_is_cut_off_is_not_taken_for_it() -> None:
    """What is printed small on a card is not read as the window when that runs out of the picture."""
    with pytest.raises(VisionError, match="outside the photo: on the right") as caught:
        find_grid(as_photo(beside_a_cut_window(300)))
    assert caught.value.code == "board_cut_off"


def test_an_empty_window_beside_a_smaller_piece_of_one_is_read() -> None:
    """An empty window that is the largest in view is found, whatever is cut off beside it."""
    grid = find_grid(as_photo(beside_a_cut_window(720))).grid
    assert 500 < float(np.linalg.norm(grid.corners_px[1] - grid.corners_px[0])) < 660


def test_shares_in_view_are_those_of_the_holes() -> None:
    """A photo that ends in the middle of the last column shows half of its cells and all of the others."""
    grid = Grid.from_corners(((100, 100), (600, 100), (600, 500), (100, 500)), (551, 700))
    flat = Grid(grid.homography, np.zeros(3))
    shares = shares_in_view(flat, (551, 700)).reshape(4, 5)
    assert (shares[:, :4] == 1).all()
    assert shares[:, 4] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("shares", "whole"),
    [
        ([1.0] * 20, True),
        ([1.0] * 19 + [0.15], True),
        ([1.0] * 19 + [0.0], False),
        ([1.0] * 15 + [0.5] * 5, False),
    ],
    ids=["all in view", "a corner cell hardly", "a corner cell not at all", "a row by half"],
)
def test_a_corner_cell_may_be_hardly_in_view(shares: list[float], whole: bool) -> None:
    """A window counts as whole while of each cell something is in view, and of nearly all more than half."""
    grid = Grid.from_corners(((100, 100), (600, 100), (600, 500), (100, 500)), (700, 600))
    sighting = Sighting(grid, np.array(shares), (700, 600), None, 0, 0, usual=True, tops=NONE)  # type: ignore[arg-type]
    assert sighting.whole == whole


NONE = np.zeros(20, bool)


def seen(misfit: float, alike: float, hidden: int = 0) -> Sighting:
    """Return a sighting of a lattice that fits its marks so well, with so much likeness of its cells."""
    grid = Grid.from_corners(((100, 100), (600, 100), (600, 500), (100, 500)), (700, 600))
    shares = np.array([0.0] * hidden + [1.0] * (20 - hidden))
    return Sighting(
        grid,
        shares,
        (700, 600),
        Scrutiny(alike, 0.1, 0.1, 0.1),
        dice=16,
        misfit=misfit,
        usual=True,
        tops=NONE,
    )


def test_a_lattice_that_fits_badly_gives_way_to_one_with_cells_more_alike() -> None:
    """Only then, and only to one that is whole in view: a lattice that fits its marks stays."""
    bad = seen(misfit=0.085, alike=0.17)
    assert is_better(seen(misfit=0.084, alike=0.2), bad)
    assert not is_better(seen(misfit=0.084, alike=0.16), bad)
    assert not is_better(seen(misfit=0.02, alike=0.3, hidden=5), bad)
    assert not is_better(seen(misfit=0.02, alike=0.3), seen(misfit=0.05, alike=0.17))


def test_a_lattice_that_only_another_lens_explains_is_taken_where_there_is_no_other() -> None:
    """It gives way to one that the usual lens sees so, not the other way round, and the search goes on."""
    unusual, usual = replace(seen(misfit=0.085, alike=0.2), usual=False), seen(misfit=0.085, alike=0.17)
    assert is_better(usual, unusual)
    assert not is_better(unusual, usual)
    assert not is_better(replace(usual, dice=12), unusual)  # nor to one across the dice
    search = search_module.Search(Levels(photo_of(NAME)))
    search.seen.append(unusual)
    assert not search.stands


def test_the_edge_that_hides_most_is_named_first() -> None:
    """Cells beyond two edges name both, the one with more cells first."""
    points = apply_homography(np.eye(3), np.array([[-5.0, -5], [-9, 40], [50, 60]]))
    assert sides_beyond(points, (100, 100)) == ("left", "top")


@pytest.mark.parametrize(("dice", "larger", "stands"), [(0, 1.3, False), (0, 1.1, True), (16, 1.3, True)])
def test_an_empty_window_beside_something_larger_does_not_stand(
    dice: int, larger: float, stands: bool
) -> None:
    """Only an empty lattice is doubted, and only beside what is a fifth larger and looks like a window."""
    search = search_module.Search(Levels(photo_of(NAME)))
    search.seen.append(replace(seen(misfit=0.02, alike=0.3), dice=dice))
    search.places.append(Place(np.array([1000.0, 1000.0]), larger * 500 * 400, sure=1.0, marks=20, tops=0))
    assert search.stands == stands


def test_the_search_goes_on_past_an_empty_window_that_does_not_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a later view shows of a larger window that runs out of the picture is what a person is told."""
    views = []

    def look_at(search: search_module.Search, view: object) -> None:
        views.append(view)
        if len(views) == 1:
            search.seen.append(replace(seen(misfit=0.02, alike=0.3), dice=0))
            larger = Place(np.array([1000.0, 1000.0]), 1.3 * 500 * 400, sure=1.0, marks=20, tops=0)
            search.places.append(larger)
        if len(views) == 3:
            search.met_sides = ("right",)

    monkeypatch.setattr(search_module.Search, "look_at", look_at)
    with pytest.raises(VisionError, match="outside the photo: on the right"):
        find_grid(as_photo(photo_of(NAME)))


def photo_of_table(camera: Camera, windows: dict[str, Float]) -> tuple[Image8, list[Float]]:
    """Return samples laid on a table by motions (3, 3), as a camera sees them, and their corners there."""
    on_table = np.asarray(camera.plane_homography(0.0), dtype=np.float64)
    photo = np.full((camera.size[1], camera.size[0], 3), (40, 60, 90), np.uint8)
    for name, move in windows.items():
        truth = np.array(corners_of(name), np.float32)
        laid = (
            on_table
            @ move
            @ np.linalg.inv(cv2.getPerspectiveTransform(BOARD_CORNERS.astype(np.float32), truth))
        )
        sample = photo_of(name)
        seen = cv2.warpPerspective(sample, laid, camera.size, flags=cv2.INTER_AREA)
        there = cv2.warpPerspective(np.full(sample.shape[:2], 255, np.uint8), laid, camera.size) > 127
        photo[there] = seen[there]
    return photo, [apply_homography(on_table @ move, BOARD_CORNERS) for move in windows.values()]


def test_a_small_window_from_low_down_is_found_from_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 66 degrees and 24 pixels a cell it takes a steeper look from nearer, by whatever lens it is seen."""
    target = np.array([18.0, -9.0, 0.0])
    camera = random_camera(
        np.random.default_rng(4), size=(2400, 1800), pitch_px=24, tilts_deg=(66, 66.1), target=target
    )
    photo, (truth,) = photo_of_table(camera, {"empty_window.jpg": np.eye(3)})
    (grid,), _ = find_grids(Levels(photo))
    assert error(grid, truth) < 0.25
    monkeypatch.setattr(search_module, "NEARER_OF_MANY", 0)
    assert not find_grids(Levels(photo))[0]


def test_a_second_window_is_found_on_the_table_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 56 degrees the farther of two is found by a look from straight above, told by the nearer one."""
    camera = random_camera(
        np.random.default_rng(7),
        size=(2000, 1500),
        pitch_px=30,
        tilts_deg=(56, 56.1),
        target=np.zeros(3),
        upright=True,
    )
    turns = np.random.default_rng(7).uniform(0, 6, 2)
    places = (NAME, (-14, 0)), ("empty_window.jpg", (12, 4))
    moves = {
        name: motion(turn, np.array(place), (0, 0)) for turn, (name, place) in zip(turns, places, strict=True)
    }
    photo, corners = photo_of_table(camera, moves)

    def found() -> list[bool]:
        grids, _ = find_grids(Levels(photo))
        return [
            any(error(grid, np.roll(truth, turn, axis=0)) < 0.25 for grid in grids for turn in (0, 2))
            for truth in corners
        ]

    assert found() == [True, True]
    monkeypatch.setattr(search_module, "FROM_ABOVE", 0)
    assert found() == [True, False]


@pytest.mark.parametrize("angle_deg", range(0, 360, 40))
def test_lattices_of_a_known_pitch_are_told_from_some_middles(angle_deg: int) -> None:
    """Though a third of the cells is not marked and some marks are none, one of two lattices is right."""
    rng = np.random.default_rng(angle_deg)
    move = motion(np.deg2rad(angle_deg), rng.uniform(-9, 9, 2), (0, 0))
    middles = apply_homography(move, CELL_CENTERS)
    marks = middles[rng.permutation(20)[:14]] + rng.normal(0, 0.05, (14, 2))
    marks = np.concatenate([marks, middles[:3] + rng.uniform(-0.5, 0.5, (3, 2))])
    corners = [apply_homography(one, BOARD_CORNERS) for one in lattices_of(marks)]
    turns = [np.roll(apply_homography(move, BOARD_CORNERS), turn, axis=0) for turn in (0, 2)]
    assert min(np.abs(one - other).max() for one in corners for other in turns) < 0.2
    assert list(lattices_of(middles[:1])) == []
