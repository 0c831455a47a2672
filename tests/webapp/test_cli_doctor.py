"""``sagrada doctor``: what would make photos better."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.webapp.commands import parsed, refusal, sagrada


@pytest.fixture
def samples(project_root: Path) -> Path:
    """Return the folder with the sample photos."""
    return project_root / "sample_images"


@pytest.fixture
def tinted(samples: Path, tmp_path: Path) -> Path:
    """Return a photo of a window by candle light."""
    photo = cv2.imread(str(samples / "easy_daylight.jpg"))
    assert photo is not None
    cv2.imwrite(str(tmp_path / "tinted.png"), (photo * np.array([0.2, 0.55, 1])).astype(np.uint8))
    return tmp_path / "tinted.png"


def test_the_most_helpful_comes_first(tinted: Path) -> None:
    """A line says how much is in the way, then one for each check with number, verdict and what to do."""
    result = sagrada("doctor", tinted)
    summary, first, *others = result.stdout.splitlines()
    assert result.exit_code == 0
    assert summary.startswith(f"{tinted}: ")
    assert summary.endswith("would make this photo better.")
    assert first.startswith("  Color of the light: ")
    assert first.endswith(" ΔE from white (bad): Use daylight or a white lamp.")
    assert len(others) == 9
    assert others[-1].endswith("(good)")


def test_a_good_photo_is_said_to_be_good(samples: Path) -> None:
    """Nothing is to be done, and all is well."""
    result = sagrada("doctor", samples / "easy_daylight.jpg")
    summary, *checks = result.stdout.splitlines()
    assert (result.exit_code, summary.split(": ")[1]) == (0, "Nothing is in the way of reading this photo.")
    assert all(one.endswith("(good)") for one in checks)


def test_programs_get_a_line_for_each_photo(samples: Path, tinted: Path, tmp_path: Path) -> None:
    """Without a window the refusal stands beside the checks of the picture, and what is no photo has none."""
    text = tmp_path / "text.jpg"
    text.write_text("This is no photo.")
    result = sagrada("doctor", "--json", tinted, samples / "cut_off.jpg", text)
    read, refused, broken = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert (list(read), read["cause"], len(read["checks"])) == (["photo", "cause", "checks"], "cast", 10)
    assert list(refused) == ["photo", "error", "cause", "checks"]
    assert refused["error"]["code"] == "board_cut_off"
    assert {one["code"] for one in refused["checks"]} == {"sharpness", "light", "clipping", "cast"}
    assert (list(broken), broken["error"]["code"]) == (["photo", "error"], "not_a_photo")


def test_a_refused_photo_says_why_and_what_can_be_known_of_it(samples: Path, tmp_path: Path) -> None:
    """The status is 1 as it is of `read`; that a file is no photo goes to the error output."""
    result = sagrada("doctor", samples / "cut_off.jpg", tmp_path / "nowhere.jpg")
    assert result.exit_code == 1
    assert "A part of the window is outside the photo: at the top." in result.stdout.splitlines()[0]
    assert len(result.stdout.splitlines()) == 5
    assert "There is no file" in result.stderr


def test_photos_and_languages_are_checked(samples: Path) -> None:
    """Without a photo, or in a language that nobody speaks, the command is wrong usage."""
    assert "Missing argument 'PHOTO...'" in refusal("doctor")
    assert "--lang" in refusal("doctor", samples / "easy_daylight.jpg", "--lang", "xx")
    assert parsed(sagrada("doctor", "--json", "--lang", "fr", samples / "easy_daylight.jpg"))["checks"]


def test_windows_of_ones_own_that_cannot_be_read_are_told(samples: Path, tmp_path: Path) -> None:
    """The photo is examined with the cards of the game."""
    (tmp_path / "windows.json").write_text("{")
    result = sagrada("doctor", samples / "easy_daylight.jpg", data=tmp_path)
    assert result.exit_code == 0
    assert result.stderr.startswith("Windows of your own are left out.")
