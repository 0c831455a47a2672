"""Dice on the command line: learned, listed, taken along, and used to read photos."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.profiles import Drawn, SayingLearner, drawn, outdated, profile_of
from tests.readings import reading_of
from tests.webapp.commands import answer, parsed, refusal, sagrada
from vision import Reading
from webapp.storage.profiles import FOLDER_NAME, ProfileStore

NAME = "Grandma's table"


@pytest.fixture(scope="module")
def unknown() -> Drawn:
    """Return a photo of dice that the reader does not know."""
    return drawn("shifted hues", 1)


@pytest.fixture
def photo(tmp_path: Path, unknown: Drawn) -> Path:
    """Return the file of that photo."""
    path = tmp_path / "window.jpg"
    path.write_bytes(unknown.content)
    return path


def test_dice_are_learned_and_read_by_it(
    photo: Path, unknown: Drawn, profile_store: ProfileStore, tmp_path: Path
) -> None:
    """One command learns a set from a photo, and from then on photos of it are read with it."""
    told = ("calibrate", photo, "--board", str(unknown.board), "--profile", NAME)
    made = answer(*told, "--keep", data=tmp_path)
    assert made["adopted"]
    assert made["after"] >= made["before"]
    assert profile_store.called(NAME).samples == 1
    read = answer("read", photo, data=tmp_path)
    assert (read["profile"], read["unlike_dice"]) == (NAME, False)
    assert answer("read", photo, "--profile", "none", data=tmp_path)["profile"] is None
    assert answer("read", photo, "--profile", "grandma's table", data=tmp_path)["profile"] == NAME
    assert f"Read as these dice: {NAME}." in sagrada("read", photo, data=tmp_path).stdout


def test_loose_dice_are_named_as_they_are_read(learner: SayingLearner, tmp_path: Path) -> None:
    """Dice beside each other are named in the order in which people read, or by where they lie."""
    loose = Path("sample_images/loose_dice.jpg").resolve()
    codes = sagrada("calibrate", loose, "--dice", "R Y G B5", "--profile", NAME, data=tmp_path)
    assert codes.exit_code == 0, codes.output
    assert "Read right: 14 of 14 dice" in codes.stdout
    far = sagrada("calibrate", loose, "--die", "R5@1,1", "--profile", NAME, data=tmp_path)
    assert far.exit_code == 2
    assert "No die can be made out at place 1." in far.stderr


def test_dice_that_are_not_learned_are_told(
    photo: Path, unknown: Drawn, learner: SayingLearner, profile_store: ProfileStore, tmp_path: Path
) -> None:
    """The exit status is 1, nothing is kept, and what looks odd is named by its cell."""
    learner.adopted, learner.odd = False, ((0, 0), (0, 7))
    told = ("calibrate", photo, "--board", str(unknown.board), "--profile", NAME)
    result = sagrada(*told, data=tmp_path)
    assert result.exit_code == 1
    assert "These dice are not learned: 3 of 14 dice would be read right, and 5 are now." in result.stdout
    assert parsed(sagrada(*told, "--json", data=tmp_path))["odd"] == ["A1", "B3"]
    assert profile_store.all() == ()


def test_what_cannot_be_learned_is_refused(photo: Path, tmp_path: Path) -> None:
    """A board of another photo, too few dice, no dice or a bad photo: each says what is wrong."""
    empty = " / ".join(["-- -- -- -- --"] * 4)
    calibrate = ("calibrate", photo, "--profile", NAME)
    assert "one of --board, --dice, --die" in refusal(*calibrate, data=tmp_path)
    assert "a die" in refusal(*calibrate, "--die", "R5", data=tmp_path)
    assert ", named 25" in refusal(*calibrate, "--dice", "R " * 25, data=tmp_path)
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no photo")
    told = sagrada("calibrate", broken, "--profile", NAME, "--board", empty, "--json", data=tmp_path)
    assert (told.exit_code, parsed(told)["error"]["code"]) == (1, "not_a_photo")
    assert not (tmp_path / FOLDER_NAME).exists()


def test_dice_are_listed_and_deleted(profile_store: ProfileStore, tmp_path: Path) -> None:
    """The default ones have a star; what else can be done with dice the page does."""
    assert "No dice are learned yet" in sagrada("calibrate", "--list", data=tmp_path).stdout
    for name in (NAME, "Blue bag"):
        profile_store.take_in(str(profile_of(name)))
    profile_store.choose(profile_store.called(NAME).key)
    assert sagrada("calibrate", "--list", data=tmp_path).stdout.splitlines() == [
        f"* {NAME}: Learned from 1 photo: dark pips. Read right: 14 of 14 dice.",
        "  Blue bag: Learned from 1 photo: dark pips. Read right: 14 of 14 dice.",
    ]
    listed = answer("calibrate", "--list", data=tmp_path)["profiles"]
    assert [(one["default"], one["profile"]["pips"]) for one in listed] == [(True, "dark"), (False, "dark")]
    assert "There are no dice of that name" in refusal("calibrate", "--delete", "Red bag", data=tmp_path)
    assert sagrada("calibrate", "--delete", "blue bag", data=tmp_path).stdout == "Deleted Blue bag.\n"
    assert [one.name for one in profile_store.all()] == [NAME]
    assert "Give a photo and --profile." in refusal("calibrate", data=tmp_path)


def test_dice_go_to_another_computer(profile_store: ProfileStore, tmp_path: Path) -> None:
    """What was exported is imported there, from a file or the standard input."""
    profile_store.take_in(str(profile_of()))
    file, other = tmp_path / "dice.json", tmp_path / "other"
    text = sagrada("calibrate", "--export", NAME, data=tmp_path).stdout
    assert text == str(profile_of())
    file.write_text(text, encoding="utf-8")
    assert sagrada("calibrate", "--import", file, data=other).stdout == f"Added {NAME}.\n"
    assert sagrada("calibrate", "--import", "-", data=other, stdin=text).exit_code == 0
    file.write_text("{")
    assert "no profile of dice" in refusal("calibrate", "--import", file, data=other)


@pytest.mark.parametrize("content", ["{", json.dumps({"sagrada_profile": 99})])
def test_a_file_of_no_use_stops_no_reading(
    profile_store: ProfileStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    """The other dice are tried, a warning names the file, and only who asks for it by name is refused."""
    seen: list[Any] = []

    def read(_: Path, **told: object) -> Reading:
        seen.append(told.get("profile"))
        return reading_of()

    monkeypatch.setattr("vision.read_photo", read)
    profile_store.take_in(str(profile_of()))
    (profile_store.folder / "bad.json").write_text(content)
    result = sagrada("read", "a.jpg", "b.jpg", data=tmp_path)
    assert (result.exit_code, seen) == (0, [(profile_of(),)] * 2)
    assert result.stderr.count("bad.json: This") == 1
    assert "This" in refusal("read", "a.jpg", "--profile", "bad", data=tmp_path)
    for command in (("score", "a.jpg"), ("check", "a.jpg")):
        assert sagrada(*command, "--profile", NAME, data=tmp_path).exit_code == 0
    assert seen[2:] == [(profile_of(),)] * 2
    assert "There are no dice of that name" in refusal("check", "a.jpg", "--profile", "x", data=tmp_path)
    assert (profile_store.folder / "bad.json").read_text() == content


def test_dice_that_somebody_names_and_that_are_not_there(
    profile_store: ProfileStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever names dice hears when the photo shows others; nobody else does, and the result is the same."""
    monkeypatch.setattr("vision.read_photo", lambda *_, **__: reading_of())
    profile_store.take_in(str(profile_of()))
    plain, named = (sagrada("read", "a.jpg", *more, data=tmp_path) for more in ((), ("--profile", NAME)))
    assert (plain.stderr, named.stdout) == ("", plain.stdout)
    assert f"The dice in the photo do not look like {NAME}:" in named.stderr


def test_dice_of_an_earlier_version_are_named(
    profile_store: ProfileStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No photo is read with them any more, which is said wherever they would count."""
    monkeypatch.setattr("vision.read_photo", lambda *_, **__: reading_of())
    profile_store.take_in(str(outdated(profile_of())))
    for more in ((), ("--profile", NAME)):
        told = sagrada("read", "a.jpg", *more, data=tmp_path)
        assert (told.exit_code, told.stderr.count("An earlier version learned")) == (0, 1)
        assert "do not look like" not in told.stderr
    assert "An earlier version" in sagrada("calibrate", "--list", data=tmp_path).stdout
    assert answer("calibrate", "--list", data=tmp_path)["profiles"][0]["outdated"]
