"""Photos through a lens that bends, and reading them without the bend."""

import json
from dataclasses import replace
from importlib import import_module
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.training.held_back import file_of
from calibration.training.held_back_lens import scenes
from tests.profiles import profile_of
from vision import Lens, VisionError, load_photo, read_photo, read_table
from vision.camera import Camera, with_camera
from vision.photo import straightened
from vision.profile import OwnLens

PHONE = Camera("Apple", "iPhone 15", 2.22, 14)

BENDS = [(-0.3, 0.0), (-0.1, 0.05), (0.1, 0.0), (0.0, 0.0)]
SIZES = [(400, 300), (300, 400), (350, 350)]


@pytest.mark.parametrize(("k1", "k2"), BENDS)
@pytest.mark.parametrize("size", SIZES)
def test_points_come_back(k1: float, k2: float, size: tuple[int, int]) -> None:
    """A point set straight and bent again is where it was, also a little beyond the photo."""
    lens = Lens(1.05, k1, k2, (0.51, 0.49))
    points = np.random.default_rng(1).uniform(-0.2, 1.2, (200, 2)) * size
    assert np.allclose(lens.to_photo(lens.from_photo(points, size), size), points, atol=1e-6)


@pytest.mark.parametrize("k1", [-0.3, 0.1])
def test_nothing_is_cut_off(k1: float) -> None:
    """Every pixel of a photo has its place in the straightened picture, which is just large enough."""
    lens, size = Lens(1.05, k1), (400, 300)
    xs, ys = np.meshgrid(np.arange(400), np.arange(300))
    border = np.column_stack([xs.ravel(), ys.ravel()])
    places = lens.from_photo(border.astype(np.float64), size)
    assert (places >= 0).all()
    assert (places <= np.array(lens.straight_size(size)) - 1).all()
    assert np.allclose(places.max(axis=0), np.array(lens.straight_size(size)) - 1, atol=1)


def test_a_bent_line_is_set_straight() -> None:
    """What is drawn on the bent image of a straight line is straight again in the straightened picture."""
    lens, size = Lens(1.05, -0.25), (400, 300)
    x = np.linspace(20, lens.straight_size(size)[0] - 20, 4000)
    line = lens.to_photo(np.column_stack([x, np.full_like(x, 40.0)]), size).round().astype(int)
    line = line[(line >= 0).all(axis=1) & (line < size).all(axis=1)]
    assert np.ptp(line[:, 1]) > 6
    photo = np.zeros((300, 400, 3), np.uint8)
    photo[line[:, 1], line[:, 0]] = 255
    ys, _ = np.nonzero(lens.straightened(photo)[30:51, 60:-60, 0] > 60)
    assert abs(ys + 30 - 40).max() <= 2


def test_a_standing_photo_has_the_same_lens() -> None:
    """A photo that was turned clockwise to stand bends alike, also around another middle."""
    lens = Lens(1.05, -0.2, center=(0.53, 0.46))
    lying = np.array([[10.0, 20.0], [390, 150], [200, 290]])
    standing = np.column_stack([299 - lying[:, 1], lying[:, 0]])
    moved = lens.unbent(lying, (400, 300))
    assert np.allclose(lens.unbent(standing, (300, 400)), np.column_stack([299 - moved[:, 1], moved[:, 0]]))


def test_a_lens_goes_through_json() -> None:
    """`from_json` takes back what `to_json` gave."""
    lens = Lens(0.98, -0.12, 0.03, (0.505, 0.493))
    assert Lens.from_json(json.loads(json.dumps(lens.to_json()))) == lens


@pytest.mark.parametrize(
    "change",
    [
        {"k1": -0.6},
        {"k1": float("nan")},
        {"k1": None},
        {"k2": "much"},
        {"focal": 0},
        {"focal": 1e400},
        {"center": [0.5]},
        {"center": [0.5, 0.9]},
        {"center": 7},
    ],
)
def test_what_is_no_lens_is_refused(change: dict[str, Any]) -> None:
    """Data of a lens that folds the picture over, or of no lens at all, is one error."""
    data = Lens(1.0, -0.1).to_json() | change
    with pytest.raises(VisionError) as caught:
        Lens.from_json(data)
    assert caught.value.code == "bad_lens"


def test_a_missing_number_is_refused() -> None:
    """Each number of a lens has to be there."""
    for key in Lens(1.0, -0.1).to_json():
        with pytest.raises(VisionError, match="not the data of a lens"):
            Lens.from_json({name: value for name, value in Lens(1.0, -0.1).to_json().items() if name != key})


def test_a_lens_that_bends_nothing_changes_nothing() -> None:
    """Without a lens, or with one without a bend, the photo is the same object."""
    photo = load_photo(file_of(np.full((300, 400, 3), 90, np.uint8)))
    assert straightened(photo, None) is photo
    assert straightened(photo, Lens(1.0, 0.0)) is photo


def test_beside_the_photo_is_not_in_view() -> None:
    """Of the straightened picture counts as shown what the photo shows, and points go to the full size."""
    plain = load_photo(file_of(np.full((600, 800, 3), 90, np.uint8)), max_side=400)
    photo = straightened(plain, Lens(1.05, 0.15))
    height, width = photo.image_bgr.shape[:2]
    assert photo.shows(np.array([[1.0, 1.0], [width / 2, height / 2]])).tolist() == [False, True]
    assert photo.image_bgr[1, 1, 0] != 90
    assert photo.image_bgr[height // 2, width // 2, 0] == 90
    middle = photo.in_full_size(np.array([[(width - 1) / 2, (height - 1) / 2]]))
    assert np.allclose(middle, [[400, 300]], atol=3)
    assert np.allclose(photo.in_full_size(photo.from_full_size(np.array([[100.0, 80.0]]))), [[100, 80]])


@pytest.fixture(scope="module")
def wide() -> tuple[Lens, Any, bytes]:
    """Return a strong wide-angle lens, the label of a window drawn through it, and its file."""
    lens = Lens(1.05, -0.3)
    label, image = next(scenes(lens, 75_900_000))
    return lens, label, file_of(image)


def test_a_wide_angle_photo_is_read_through_its_lens(wide: tuple[Lens, Any, bytes]) -> None:
    """With the lens the window is read right, and its corners lie where they are in the photo as it is."""
    lens, label, file = wide
    reading = read_photo(file, lens=lens)
    window = label.windows[0]
    truth = np.array(window.corners)
    off = min(np.linalg.norm(np.roll(truth, half, axis=0) - reading.corners, axis=1).max() for half in (0, 2))
    assert off < 0.15 * np.linalg.norm(truth[1] - truth[0]) / 5
    assert reading.size == (label.keys["width"], label.keys["height"])
    again = read_photo(file, corners=reading.corners, lens=lens)
    assert np.allclose(again.corners, reading.corners, atol=2)
    assert again.board == reading.board


def as_jpeg(file: bytes) -> bytes:
    """Return a photo as a camera writes it."""
    image = load_photo(file, max_side=None).image_bgr
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes()


def test_the_lens_of_a_profile_counts_for_its_camera_alone(wide: tuple[Lens, Any, bytes]) -> None:
    """Photos of that camera are read without its bend; those of others, or of none, as they are."""
    lens, file = wide[0], as_jpeg(wide[2])
    own = replace(profile_of(), lens=OwnLens(lens, PHONE))
    straight, bent = read_photo(file, lens=lens), read_photo(file)
    assert straight.corners != bent.corners
    of_phone, of_other = with_camera(file, PHONE), with_camera(file, replace(PHONE, focal_mm=6.8))
    assert read_photo(of_phone, profile=own).corners == straight.corners
    assert read_photo(of_phone).corners == bent.corners
    for other in (file, of_other):
        assert read_photo(other, profile=own).corners == bent.corners
        assert read_photo(other, profile=own, lens=lens).corners == straight.corners


def test_a_table_is_read_through_the_lens_of_a_profile(
    monkeypatch: pytest.MonkeyPatch, wide: tuple[Lens, Any, bytes]
) -> None:
    """The windows of a table are found without the bend, or with it where none is found without."""
    lens, file = wide[0], as_jpeg(wide[2])
    own, of_phone = replace(profile_of(), lens=OwnLens(lens, PHONE)), with_camera(file, PHONE)
    straight = read_table(file, lens=lens).windows
    assert straight
    assert [one.corners for one in read_table(of_phone, profile=own).windows] == [
        one.corners for one in straight
    ]
    plain = read_table(file).windows
    read = import_module("vision.read")
    find = read.find_grids
    sizes = []

    def blind(levels: Any, helper: Any) -> Any:  # noqa: ANN401
        sizes.append(levels)
        return ([], []) if len(sizes) == 1 else find(levels, helper)

    monkeypatch.setattr(read, "find_grids", blind)
    assert [one.corners for one in read_table(of_phone, profile=own).windows] == [
        one.corners for one in plain
    ]


def test_a_wrong_lens_makes_no_photo_unreadable(
    monkeypatch: pytest.MonkeyPatch, wide: tuple[Lens, Any, bytes]
) -> None:
    """Where nothing can be read without the bend, the photo is read as it is."""
    _, _, file = wide

    def all_gray(_: Lens, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.full_like(image_bgr, 114)

    monkeypatch.setattr(Lens, "straightened", all_gray)
    assert read_photo(file, lens=Lens(1.05, 0.1)).board == read_photo(file).board
