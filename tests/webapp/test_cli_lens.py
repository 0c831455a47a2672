"""``sagrada lens``: what it says of a camera, to people and to programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import calibration.chessboard
import calibration.lens
from calibration.errors import CalibrationError
from calibration.lens import LensEstimate
from vision import Lens
from webapp.cli.sagrada import main

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
