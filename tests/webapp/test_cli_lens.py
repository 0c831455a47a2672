"""``sagrada lens``: what it says of a camera, to people and to programs."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import calibration.chessboard
import calibration.lens
from calibration.errors import CalibrationError
from calibration.lens import LensEstimate
from tests.profiles import OWN_LENS, profile_of
from vision import Lens
from vision.camera import Camera, with_camera
from vision.profile import OwnLens
from webapp.cli.sagrada import main
from webapp.store.profiles import FOLDER_NAME, ProfileStore

STRONG = LensEstimate(Lens(1.05, -0.2), 0.02, 0.04, 0.02, 4)
NOTHING = LensEstimate(Lens(1.05, 0.01), 0.05, 0.02, 0.02, 1)


def run(*arguments: str | Path) -> Result:
    """Run ``sagrada lens``; an exception that is not an exit is a failure of the test."""
    return CliRunner().invoke(main, ["lens", *map(str, arguments)], catch_exceptions=False)


@pytest.mark.parametrize(("made", "says"), [(STRONG, "It helps to set"), (NOTHING, "That is not enough")])
def test_it_says_whether_a_lens_helps(monkeypatch: pytest.MonkeyPatch, made: LensEstimate, says: str) -> None:
    """People read k1, how well it is known, what it changes and whether to use it."""
    monkeypatch.setattr(calibration.lens, "lens_from_photos", lambda _: made)
    answer = run("a.jpg", "b.jpg")
    assert answer.exit_code == 0
    assert says in answer.output
    assert f"k1 {made.lens.k1:+.3f} ± {made.standard_error:.3f}" in answer.output


def test_programs_get_the_lens_as_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lens in the JSON answer is one that `Lens.from_json` takes."""
    monkeypatch.setattr(calibration.lens, "lens_from_photos", lambda _: STRONG)
    answer = json.loads(run("a.jpg", "--json").output)
    assert Lens.from_json(answer["lens"]) == STRONG.lens
    assert answer["helps"] is True


def test_the_size_of_a_chessboard_reaches_the_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    """``--chessboard 9x6`` asks for a board with nine by six inner corners."""
    asked = []

    def measured(_: object, size: tuple[int, int]) -> LensEstimate:
        asked.append(size)
        return STRONG

    monkeypatch.setattr(calibration.chessboard, "lens_from_chessboard", measured)
    assert "4 chessboards" in run("a.jpg", "--chessboard", "9x6").output
    assert asked == [(9, 6)]


def test_another_size_is_wrong_usage() -> None:
    """A size that is none ends the command with status 2 and an example."""
    answer = run("a.jpg", "--chessboard", "nine")
    assert answer.exit_code == 2
    assert "9x6" in answer.output


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ProfileStore:
    """Return dice of the house with one profile."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path))
    made = ProfileStore(tmp_path / FOLDER_NAME)
    made.take_in(str(profile_of()))
    return made


def photos(folder: Path, *cameras: Camera | None) -> list[Path]:
    """Write a photo for each camera."""
    plain = cv2.imencode(".jpg", np.full((150, 200, 3), 90, np.uint8))[1].tobytes()
    paths = [folder / f"{number}.jpg" for number in range(len(cameras))]
    for path, camera in zip(paths, cameras, strict=True):
        path.write_bytes(with_camera(plain, camera) if camera else plain)
    return paths


def test_a_lens_that_helps_is_kept_with_dice(
    monkeypatch: pytest.MonkeyPatch, store: ProfileStore, tmp_path: Path
) -> None:
    """``--profile`` keeps it for the camera that the photos name, and ``profiles show`` tells it."""
    monkeypatch.setattr(calibration.lens, "lens_from_photos", lambda _: STRONG)
    camera = OWN_LENS.camera
    answer = run(*photos(tmp_path, camera, camera), "--profile", "grandma's TABLE")
    assert answer.exit_code == 0
    assert store.usable_called("Grandma's table").lens == OwnLens(STRONG.lens, camera)
    told = CliRunner().invoke(main, ["profiles", "show", "Grandma's table"])
    assert f"Photos taken with {camera} are set straight.  k1 -0.200" in told.output


@pytest.mark.parametrize(
    ("made", "cameras", "says"),
    [
        (NOTHING, [OWN_LENS.camera], "It would not help"),
        (STRONG, [None], "do not all say that one camera took them"),
        (STRONG, [OWN_LENS.camera, None], "do not all say that one camera took them"),
    ],
)
def test_a_lens_that_cannot_be_used_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
    store: ProfileStore,
    tmp_path: Path,
    made: LensEstimate,
    cameras: list[Camera | None],
    says: str,
) -> None:
    """One that does not help, or of which nobody knows whose it is, changes no dice; the status is 1."""
    monkeypatch.setattr(calibration.lens, "lens_from_photos", lambda _: made)
    answer = run(*photos(tmp_path, *cameras), "--profile", "Grandma's table")
    assert (answer.exit_code, says.casefold() in answer.output.casefold()) == (1, True)
    assert store.usable_called("Grandma's table").revision == 1


def test_dice_that_are_not_there_are_told_before_anything_is_measured(store: ProfileStore) -> None:
    """The name is looked up first: measuring takes its time."""
    answer = run("a.jpg", "--profile", "nobody")
    assert answer.exit_code != 0
    assert "There are no dice of that name" in answer.output


@pytest.mark.parametrize("as_json", [False, True])
def test_what_cannot_be_told_has_a_reason(monkeypatch: pytest.MonkeyPatch, *, as_json: bool) -> None:
    """A refusal has status 1, its sentence and a next step, or its code for programs."""

    def refuse(_: object) -> LensEstimate:
        raise CalibrationError("no_window", "There is no window.", "Photograph one.")

    monkeypatch.setattr(calibration.lens, "lens_from_photos", refuse)
    answer = run("a.jpg", *["--json"] * as_json)
    assert answer.exit_code == 1
    if as_json:
        assert json.loads(answer.output)["error"]["code"] == "no_window"
    else:
        assert "There is no window. Photograph one." in answer.output
