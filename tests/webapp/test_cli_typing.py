"""What people type at the command line, in other signs than the manual's, and what programs are told."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import click
import pytest

from scoring import Board
from scoring.sentences import sentence
from tests.readings import reading_of
from tests.webapp.commands import DURING_PLAY, LEGAL_BOARD, RULEBOOK_BOARD, answer, parsed, refusal, sagrada
from vision import Reading, VisionError
from vision.errors import PhotoError
from webapp.cli import terminal
from webapp.cli.sagrada import main

CARDS = ("--public", "light_shades, color variety", "--private", "фиол", "--favor", "1")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Reading | VisionError]:
    """Return what photos show, by the end of their path or their content."""
    by_name: dict[str, Reading | VisionError] = {}

    def read_photo(photo: Path | bytes, **_: object) -> Reading:
        found = by_name[photo.decode() if isinstance(photo, bytes) else photo.name]
        if isinstance(found, VisionError):
            raise found
        return found

    monkeypatch.setattr("vision.read_photo", read_photo)
    return by_name


def lines(text: str) -> list[dict[str, Any]]:
    """Return the objects of JSON that a command printed, a line each."""
    return [json.loads(line) for line in text.splitlines()]


def test_the_grid_that_read_prints_can_be_pasted() -> None:
    """The table of a reading, with its letters, numbers and question marks, is a board."""
    board = Board.parse(RULEBOOK_BOARD)
    grid = click.unstyle(terminal.board_text(board, [(0, 0), (2, 4), (3, 3)]))
    assert "?" in grid
    for text in (grid, " ".join(grid.split())):
        assert answer("check", "--board", text, "--window", "fractal")["board"] == RULEBOOK_BOARD


def test_cards_may_be_listed_begun_and_numbered() -> None:
    """Commas stand between several cards, a beginning and the number on a tool are enough."""
    data = answer("score", "--board", LEGAL_BOARD, *CARDS, "--window", "luz", "--tool", "3, flux br")
    assert [line["name"] for line in data["lines"]][:2] == ["Light Shades", "Color Variety"]
    assert "Shades of Purple" in {line["name"] for line in data["lines"]}
    several = answer("score", "--board", LEGAL_BOARD, "--public", "light", "--public", "color v", *CARDS[2:])
    listed = answer("score", "--board", LEGAL_BOARD, *CARDS)
    assert several["lines"] == listed["lines"]
    assert "Row Color Variety or Row Shade Variety" in refusal(
        "score", "--board", LEGAL_BOARD, "--public", "row"
    )


def test_dice_may_be_said_in_words() -> None:
    """A die to place goes by its letter and value or in words, several with commas."""
    words = answer("check", "--board", DURING_PLAY, "--die", "red 2, синий 4", "--die", "3 yellow")
    assert [one["die"] for one in words["dice"]] == ["R2", "B4", "Y3"]
    signs = answer("check", "--board", DURING_PLAY, "--die", "R2", "--die", "B4", "--die", "Y3")
    assert words["dice"] == signs["dice"]


def test_letters_of_another_alphabet_are_taken_and_told() -> None:
    """Cyrillic letters that look Latin are read as these, and whoever typed them is told; words are not."""
    typed = DURING_PLAY.replace("P6", "Р6").replace("--", "—")
    result = sagrada("check", "--board", typed, "--json")
    assert parsed(result)["board"] == DURING_PLAY
    assert result.stderr == "Cyrillic letters are taken for the Latin ones that they look like: Р.\n"
    assert "кириллич" in sagrada("check", "--board", typed, "--lang", "ru").stderr.casefold()
    assert sagrada("check", "--board", DURING_PLAY, "--die", "красный 2").stderr == ""


def test_several_photos_are_scored_one_after_the_other(
    shown: dict[str, Reading | VisionError], tmp_path: Path
) -> None:
    """Each photo that can be read is scored, the others are named, and the exit status is 1 for these."""
    shown |= {"a.jpg": reading_of(LEGAL_BOARD), "b.jpg": reading_of(RULEBOOK_BOARD)}
    for name in ("a.jpg", "b.jpg", "notes.txt"):
        (tmp_path / name).touch()
    for arguments in ([tmp_path / "a.jpg", tmp_path / "b.jpg"], [tmp_path], [tmp_path / "*.jpg"]):
        result = sagrada("score", *arguments, *CARDS, "--json")
        assert result.exit_code == 0
        told = lines(result.stdout)
        assert [one["photo"] for one in told] == [str(tmp_path / "a.jpg"), str(tmp_path / "b.jpg")]
        assert [one["board"] for one in told] == [LEGAL_BOARD, RULEBOOK_BOARD]
    assert "photo" not in answer("score", tmp_path / "a.jpg", *CARDS)
    shown["a.jpg"] = PhotoError("not_a_photo", reason := sentence("No photo."), reason)
    result = sagrada("score", tmp_path, *CARDS, "--json")
    assert result.exit_code == 1
    assert [one.get("error", {}).get("code") for one in lines(result.stdout)] == ["not_a_photo", None]
    text = click.unstyle(sagrada("score", tmp_path, *CARDS).stdout)
    assert text.count("Light Shades") == 1


def test_a_pattern_without_photos_is_told(tmp_path: Path) -> None:
    """Where nothing fits a pattern, or a folder holds no photo, that is wrong usage."""
    for place in (tmp_path / "*.jpg", tmp_path):
        assert f"There is no photo in {place}." in refusal("score", place, *CARDS)
        assert f"There is no photo in {place}." in refusal("read", place)


def test_a_folder_without_photos_keeps_no_other_from_being_read(
    shown: dict[str, Reading | VisionError], tmp_path: Path
) -> None:
    """Of several places the empty one is told, with status 1, and what lies in the others is read."""
    shown["a.jpg"] = reading_of(LEGAL_BOARD)
    shown["empty"] = PhotoError("photo_missing", sentence("It is a folder."), sentence("Name a photo."))
    (tmp_path / "a.jpg").touch()
    (tmp_path / "empty").mkdir()
    done = sagrada("read", tmp_path / "empty", tmp_path / "a.jpg")
    assert done.exit_code == 1
    assert "is a folder" in done.stderr
    assert LEGAL_BOARD in done.stdout


def test_photos_that_the_system_does_not_look_at_are_told_and_the_others_read(
    shown: dict[str, Reading | VisionError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is too long and a closed folder are a sentence and status 1, beside what can be read."""
    shown["a.jpg"] = reading_of(LEGAL_BOARD)
    (tmp_path / "a.jpg").touch()
    look = Path.stat

    def stat(path: Path, **how: bool) -> os.stat_result:
        if path.parent.name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return look(path, **how)

    monkeypatch.setattr(Path, "stat", stat)
    for name in ("a" * 300, "a" * 300 + "*.jpg", "closed/b.jpg", "closed/*.jpg"):
        unread = PhotoError("photo_missing", reason := sentence("No photo."), reason)
        shown[Path(name).name] = unread
        for command in (["read"], ["score", *CARDS], ["check"]):
            result = sagrada(*command, tmp_path / name, tmp_path / "a.jpg", "--json")
            assert result.exit_code == 1
            told = lines(result.stdout)
            assert [one.get("error", {}).get("code") for one in told] == ["photo_missing", None]
            assert told[1]["board"] == LEGAL_BOARD


@pytest.mark.parametrize(
    "command",
    [
        *(["read", ""], ["score", ""], ["check", ""], ["rank", "--photo", ""], ["windows", "export", ""]),
        *(["backup", ""], ["read", "a.jpg", "--overlay", ""], ["evaluate", "sample_images", "--write", ""]),
    ],
)
def test_an_empty_name_is_none(command: list[str]) -> None:
    """No name at all is wrong usage, and not the folder that the command runs in."""
    assert "The name is empty" in refusal(*command)


@pytest.mark.parametrize(
    "command", [["windows", "export"], ["evaluate", "--write"], ["evaluate", "--check"], ["backup"]]
)
def test_places_that_the_system_refuses_are_told(
    command: list[str], tmp_path: Path, project_root: Path
) -> None:
    """Whatever is to be written or compared with, a name that is too long is a sentence and status 1."""
    label = json.loads((project_root / "sample_images" / "labels.json").read_text(encoding="utf-8"))
    (tmp_path / "labels.json").write_text(json.dumps({"cut_off.jpg": label["cut_off.jpg"]}))
    shutil.copy(project_root / "sample_images" / "cut_off.jpg", tmp_path)
    (tmp_path / "sagrada.db").touch()
    place = [tmp_path] if command[0] == "evaluate" else []
    result = sagrada(command[0], *place, *command[1:], tmp_path / ("a" * 300), data=tmp_path)
    assert result.exit_code == 1
    assert "File name too long" in result.stderr


def test_a_photo_may_come_from_the_standard_input(shown: dict[str, Reading | VisionError]) -> None:
    """In place of a file ``-`` stands for what is piped in, for every command that takes photos."""
    shown["jpeg"] = reading_of(LEGAL_BOARD)
    for command in (["score", "-", *CARDS], ["check", "-"], ["read", "-"]):
        result = sagrada(*command, "--json", stdin="jpeg")
        assert result.exit_code == 0, result.output
        assert parsed(result)["board"] == LEGAL_BOARD


def test_check_ends_with_1_where_rules_are_broken(
    shown: dict[str, Reading | VisionError], tmp_path: Path
) -> None:
    """Scripts tell a legal window, a broken rule and a wrong use apart by the exit status."""
    assert sagrada("check", "--board", LEGAL_BOARD, "--window", "luz").exit_code == 0
    assert sagrada("check", "--board", RULEBOOK_BOARD, "--window", "fractal").exit_code == 1
    assert sagrada("check", "--board", "nothing").exit_code == 2
    shown |= {"a.jpg": reading_of(RULEBOOK_BOARD), "b.jpg": reading_of(LEGAL_BOARD)}
    result = sagrada("check", "a.jpg", "b.jpg", "--window", "fractal", "--json")
    assert result.exit_code == 1
    assert len(lines(result.stdout)) == 2
    assert sagrada("score", "--board", RULEBOOK_BOARD, "--window", "fractal", *CARDS).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "status", "code", "option"),
    [
        (["score", "--board", "R1"], 2, "wrong_number_of_rows", "--board"),
        (["score", "--board", LEGAL_BOARD, "--public", "rwo"], 2, "unknown_objective", "--public"),
        (["score"], 2, "bad_usage", None),
        (["score", "--favour", "2"], 2, "bad_usage", None),
        (["check", "--board", LEGAL_BOARD, "--spent", "x"], 2, "bad_usage", "--spent"),
        (["windows", "show", "Nowhere"], 2, "unknown_window", None),
        (["calibrate", "--export", "Nobody's"], 2, "profile_missing", None),
        (["rank", "no-such-file.json"], 2, "bad_usage", "file"),
        (["nonsense"], 2, "bad_usage", None),
        (["windows", "import", "-"], 2, "not_json", None),
    ],
)
def test_errors_are_json_where_answers_are(
    arguments: list[str], status: int, code: str, option: str | None
) -> None:
    """Under --json an error is one object with code, message and next step, and nothing else is printed."""
    result = sagrada(*arguments, "--json", stdin="{")
    assert result.exit_code == status
    assert result.stderr == ""
    error = parsed(result)["error"]
    assert error["code"] == code
    assert error["message"]
    assert "next_step" in error
    assert error.get("option") == option


def test_errors_as_json_speak_the_language() -> None:
    """The sentences of an error are those of --lang, its code is not; help is no error."""
    told = parsed(sagrada("score", "--board", "R1", "--json", "--lang", "ja"))["error"]
    assert (told["code"], told["message"].isascii()) == ("wrong_number_of_rows", False)
    assert sagrada("score", "--help", "--json").exit_code == 0


def test_a_game_may_name_photos(shown: dict[str, Reading | VisionError], tmp_path: Path) -> None:
    """A photo beside the file stands in place of a board, with its doubts; what is wrong is told."""
    shown["ann.jpg"] = reading_of(LEGAL_BOARD, doubtful=["A1"], window="Luz Celestial")
    shown["blur.jpg"] = PhotoError("not_a_photo", sentence("No photo."), sentence("Take one."))
    ann = {"name": "Ann", "photo": "ann.jpg", "private": "red", "favor_tokens": 1}
    ben = {"name": "Ben", "board": RULEBOOK_BOARD, "private": "blue", "favor_tokens": 0}
    game = tmp_path / "game.json"

    def write(*players: dict[str, Any]) -> Path:
        game.write_text(json.dumps({"public": ["light", "deep", "color v"], "players": players}))
        return game

    told = parsed(sagrada("rank", write(ann, ben), "--json"))
    board = {**ann, "board": LEGAL_BOARD, "window": "luz"}
    typed = parsed(sagrada("rank", write({k: v for k, v in board.items() if k != "photo"}, ben), "--json"))
    assert [one["board"] for one in told["standings"]] == [LEGAL_BOARD, RULEBOOK_BOARD]
    assert [one["total"] for one in told["standings"]] == [one["total"] for one in typed["standings"]]
    assert "doubtful_cells" in {notice["code"] for notice in told["standings"][0]["notices"]}
    said = refusal("rank", write({**ann, "board": LEGAL_BOARD}, ben))
    assert 'player 1 (Ann): give only one of "board" and "photo".' in said
    said = refusal("rank", write({**ann, "photo": "blur.jpg"}, {**ben, "favor_tokens": -1}))
    assert 'player 1 (Ann), "photo": No photo. Take one.' in said
    assert "-1 is not a number of tokens" in said
    said = refusal("rank", write({**ann, "photo": 5}, ben))
    assert "5 is not a text" in said


def test_what_is_about_the_game_speaks_four_languages() -> None:
    """Each command has ``--lang``, except those that speak of files, servers and settings alone."""
    groups: list[tuple[str, click.Group]] = [("", main)]
    options: list[tuple[str, set[str]]] = []
    while groups:
        before, group = groups.pop()
        for name, command in group.commands.items():
            if isinstance(command, click.Group):
                groups.append((f"{before}{name} ", command))
            else:
                options.append((before + name, {one for given in command.params for one in given.opts}))
    assert len(options) > 18
    english = {"serve", "backup", "restore", "evaluate", "windows sets", "windows tools remove"}
    assert {name for name, given in options if "--lang" not in given} == english


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["windows", "show", "Virtus"], "difficulté"),
        (["windows", "check", "..... / ..... / ..... / ....."], "Rien n’est imprimé sur ce vitrail"),
        (["windows", "show", "Virtsu"], "Aucun vitrail ne s’appelle"),
        (["check", "--board", "R1"], "Un vitrail a 4 lignes"),
        (["read", "README.md"], "Ce fichier ne s’ouvre pas comme une photo"),
    ],
)
def test_what_a_command_says_of_the_game_is_translated(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    """Results and refusals come in the language that was asked for."""
    result = sagrada(*arguments, "--lang", "fr", data=tmp_path)
    assert said in result.output.replace("\xa0", " "), result.output
