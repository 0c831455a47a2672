"""The command line for windows: what it shows, keeps, refuses and hands on."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from scoring import WINDOW_PATTERNS, WindowSet
from scoring.patterns.collection import SCHEMA
from scoring.sentences import sentence
from tests.readings import reading_of
from vision import Reading, VisionError
from webapp.cli.windows import windows
from webapp.storage.own_cards import WINDOWS_FILE, WindowStore

CORNERS = "R...B / ..... / ..... / 1...6"
LADDER = "1.... / 2.... / 3.... / 4...."

CARDS = WINDOW_PATTERNS.with_sets([WindowSet.FIVE_AND_SIX])
"""What there was before that changed nothing."""


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WindowStore:
    """Return the store in the data folder of this test."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path))
    return WindowStore(tmp_path / WINDOWS_FILE)


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run a command; an exception that is not an exit is a failure of the test."""
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(windows, words, input=stdin, catch_exceptions=False)


def answer(*arguments: str | Path) -> dict[str, Any]:
    """Run a command with --json and return the one object that it prints."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    parsed: dict[str, Any] = json.loads(line)
    return parsed


def names(store: WindowStore) -> list[str]:
    """Return the names of the custom windows."""
    return [window.name for window in store.load().windows]


def test_the_list_has_the_cards_and_the_custom_windows() -> None:
    """Each window has a line with name, difficulty and spaces; `--own` leaves the cards of the game out."""
    assert run("list", "--own").stdout == "There are no windows of your own yet.\n"
    run("add", "Four Corners", CORNERS)
    lines = run("list").stdout.splitlines()
    assert len(lines) == len(CARDS) + 1
    assert lines[0] == "Kaleidoscopic Dream  4  YB..1 / G.5.4 / 3.R.G / 2..BY"
    assert lines[-1] == f"Four Corners         ?  {CORNERS}  your own"
    assert run("list", "--own").stdout == f"Four Corners  ?  {CORNERS}  your own\n"


def test_the_list_as_json() -> None:
    """Programs get every window with its spaces, back, names and whether it can be filled."""
    run("add", "Four Corners", CORNERS, "--difficulty", "3")
    data = answer("list")
    assert [window["name"] for window in data["windows"]] == [*CARDS, "Four Corners"]
    assert data["notices"] == []
    assert answer("list", "--own")["windows"] == [
        {
            "name": "Four Corners",
            "difficulty": 3,
            "cells": CORNERS,
            "other_side": None,
            "names": {},
            "custom": True,
            "promo": False,
            "comes_in": None,
            "can_be_filled": True,
        }
    ]


def test_the_list_tells_of_a_window_that_became_a_card(store: WindowStore) -> None:
    """A window of your own that is left out because of its name is not forgotten silently."""
    entry = {"name": "Firmitas", "cells": CORNERS}
    store.path.write_text(json.dumps({"format": "sagrada-windows", "schema": 1, "windows": [entry]}))
    result = run("list")
    assert "Your window Firmitas is not used: the game has a card of that name." in result.stderr
    assert len(result.stdout.splitlines()) == len(CARDS)
    assert answer("list")["notices"] == result.stderr.splitlines()


def test_a_window_is_shown_as_it_is_printed() -> None:
    """`show` draws the spaces with rows and columns as on the board, in color where a terminal knows it."""
    colored = CliRunner().invoke(windows, ["show", "Alpenglow"], color=True).stdout
    assert click.style("P", fg="magenta", bold=True) in colored
    assert click.unstyle(colored) == run("show", "ALPENGLOW").stdout
    assert run("show", "alpenglow").stdout == (
        "Alpenglow (difficulty 6, on the back: Komorebi, promo card)\n"
        "     1  2  3  4  5\n"
        "  A  1  B  2  Y  5\n"
        "  B  R  3  P  6  G\n"
        "  C  2  Y  1  B  3\n"
        "  D  G  4  R  5  P\n"
        "1B2Y5 / R3P6G / 2Y1B3 / G4R5P\n"
    )


def test_an_added_window_is_shown_and_kept(store: WindowStore) -> None:
    """`add` answers with the window as it was understood, and with what a player should know."""
    result = run("add", " Twins ", "RR... / ..... / ..... / .....", "--difficulty", "6")
    assert result.stdout.splitlines()[0] == "Twins (difficulty 6, your own)"
    assert result.stdout.splitlines()[-1] == (
        "A1, A2 lie side by side and both need red: without Eglomise Brush only one can hold a die."
    )
    assert names(store) == ["Twins"]


def test_both_sides_of_a_card_are_added_together(store: WindowStore) -> None:
    """With --back the card has two windows that name each other; the answer has the back in the front."""
    back = ("--back", "Night", LADDER, "--back-difficulty", "5")
    result = run("add", "Day", CORNERS, "--difficulty", "3", *back)
    assert "Day (difficulty 3, on the back: Night, your own)" in result.stdout
    assert "Night (difficulty 5, on the back: Day, your own)" in result.stdout
    assert [window.other_side for window in store.load().windows] == ["Night", "Day"]
    data = answer("add", "East", CORNERS, "--back", "West", LADDER)
    assert (data["name"], data["back"]["name"]) == ("East", "West")
    assert (data["other_side"], data["back"]["other_side"]) == ("West", "East")


def test_a_custom_window_can_be_corrected(store: WindowStore) -> None:
    """`add --replace` takes the new spaces and keeps the back."""
    run("add", "Day", CORNERS, "--back", "Night", LADDER)
    data = answer("add", "day", LADDER, "--difficulty", "4", "--replace")
    assert (data["name"], data["cells"], data["other_side"]) == ("day", LADDER, "Night")
    assert names(store) == ["day", "Night"]


def test_a_removed_window_can_be_had_back(store: WindowStore) -> None:
    """`remove` answers with the command that adds the window again."""
    run("add", "It's mine", CORNERS, "--difficulty", "3")
    assert run("remove", "its MINE").stdout == (
        "Removed It's mine. To have it back: "
        f"""sagrada windows add 'It'"'"'s mine' '{CORNERS}' --difficulty 3\n"""
    )
    run("add", "Ladder", LADDER)
    assert "--difficulty" not in run("remove", "ladder").stdout
    run("add", "Ladder", LADDER)
    assert answer("remove", "Ladder")["removed"]["cells"] == LADDER
    assert names(store) == []


def test_a_window_can_be_checked_before_it_is_added(store: WindowStore) -> None:
    """`check` draws the spaces and tells what is odd, and keeps nothing."""
    result = run("check", str(WINDOW_PATTERNS["Virtus"].rotated_180()))
    assert result.stdout.splitlines()[-1] == "Turned upside down, it has the same spaces as Virtus."
    assert run("check", CORNERS).stdout.splitlines()[-1] == "Nothing odd about it."
    assert answer("check", "11... / ..... / ..... / .....") == {
        "cells": "11... / ..... / ..... / .....",
        "can_be_filled": False,
        "notices": [
            (
                "A1, A2 lie side by side and both need a 1: "
                "without Copper Foil Burnisher only one can hold a die."
            )
        ],
    }
    assert not store.path.exists()


def test_exported_windows_can_be_imported_elsewhere(
    store: WindowStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file or a pipe carries names in all scripts, difficulties and backs to another computer."""
    file = tmp_path / "mine.json"
    assert run("export", tmp_path / "none.json").stderr.endswith("none.json: 0.\n")
    assert run("import", tmp_path / "none.json").stdout == "The file has no windows.\n"
    run("add", "Углы", CORNERS, "--difficulty", "3", "--back", "窓", LADDER)
    result = run("export", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"Windows written to {file}: 2.\n"
    exported = run("export").stdout_bytes
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path / "elsewhere"))
    assert run("import", "-", stdin=exported).stdout == "Added: Углы, 窓.\n"
    assert run("import", file).stdout == "All of these windows were there already.\n"
    assert WindowStore(tmp_path / "elsewhere" / WINDOWS_FILE).load() == store.load()


def test_import_replaces_only_when_told_to(store: WindowStore, tmp_path: Path) -> None:
    """A different window of the same name stays unless --replace is given; what was replaced is named."""
    run("add", "Mine", CORNERS)
    run("export", tmp_path / "mine.json")
    run("add", "Other", LADDER)
    run("add", "Mine", LADDER, "--replace")
    result = run("import", tmp_path / "mine.json")
    assert (result.exit_code, 'another window called "Mine".' in result.stderr) == (2, True)
    assert run("import", tmp_path / "mine.json", "--replace").stdout == "Replaced: Mine.\n"
    assert str(store.known()["Mine"]) == CORNERS
    run("add", "Mine", LADDER, "--replace")
    assert answer("import", tmp_path / "mine.json", "--replace") == {
        "added": [],
        "replaced": ["Mine"],
        "windows": 2,
    }


def test_export_does_not_write_over_a_file_by_chance(tmp_path: Path) -> None:
    """A file that is there stays unless --force is given; a folder that is missing is told."""
    file = tmp_path / "mine.json"
    file.write_text("precious")
    result = run("export", file)
    assert (result.exit_code, file.read_text()) == (2, "precious")
    assert "--force" in result.stderr
    nowhere = run("export", tmp_path / "missing" / "mine.json")
    assert (nowhere.exit_code, "choose another place" in nowhere.stderr) == (1, True)
    assert run("export", file, "--force").exit_code == 0
    assert json.loads(file.read_text())["format"] == "sagrada-windows"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "Firmitsa"], "Did you mean Firmitas?"),
        (["remove", "Firmitas"], "Firmitas is a card of the game."),
        (["add", "Firmitas", CORNERS], "already the name of a card of the game"),
        (["add", "Mine", CORNERS, "--difficulty", "7"], "7 is not in the range"),
        (["add", "Mine"], "Give either NOTATION or --photo"),
        (["add", "Mine", CORNERS, "--photo", "card.jpg"], "Give either NOTATION or --photo"),
        (["add", "Mine", CORNERS, "--replace"], "There is none yet."),
        (["add", "Mine", CORNERS, "--back", "mine", CORNERS], "already the name of one of your own windows"),
        (["add", "Mine", CORNERS, "--back-difficulty", "3"], "give --back too"),
        (["add", "Mine", CORNERS, "--replace", "--back", "Night", LADDER], "leave --back out"),
        (["check", CORNERS.replace("R", "X")], 'Space A1 says "X"'),
        (["import", "missing.json"], "does not exist"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_status_2(
    store: WindowStore, arguments: list[str], said: str
) -> None:
    """A wrong name or notation says what is wrong and what to do, and nothing is kept."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not store.path.exists()


def test_a_file_that_cannot_be_imported_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no export is told with the place, and a disk that refuses is a failure with a sentence."""

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    file = tmp_path / "mine.json"
    for content, said in (
        (b"{", "This is not JSON"),
        (b"\xff\xfe", "is not text"),
        (b'{"format": "sagrada-windows", "schema": 2}', "newer version of the program"),
        (b'{"format": "sagrada-windows", "schema": 1, "windows": [1]}', "Window 1 is no object."),
    ):
        file.write_bytes(content)
        result = run("import", file)
        assert (result.exit_code, said in result.stderr) == (2, True)
    monkeypatch.setattr(Path, "read_text", refuse)
    result = run("import", file)
    assert (result.exit_code, "cannot be read (Permission denied)" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["show", "Mine"],
        ["add", "Mine", CORNERS],
        ["remove", "Mine"],
        ["check", CORNERS],
        ["export"],
    ],
)
def test_a_damaged_file_is_a_failure_with_the_next_step(store: WindowStore, arguments: list[str]) -> None:
    """Exit status 1, the file is named, and it stays as it is."""
    store.path.write_text("{")
    result = run(*arguments)
    assert result.exit_code == 1
    assert f"The file {store.path} is damaged" in result.stderr
    assert "Correct it, or move it away" in result.stderr
    assert store.path.read_text() == "{"


def test_the_examples_of_the_manual_run(
    project_root: Path, tmp_path: Path, store: WindowStore, shown: list[Reading | VisionError]
) -> None:
    """Every command and the file in docs/own.md work as they stand there, one after the other."""
    manual = (project_root / "docs" / "own.md").read_text(encoding="utf-8")
    commands = "".join(re.findall(r"```sh\n(.*?)```", manual, flags=re.DOTALL))
    (file,) = re.findall(r"```json\n(.*?)```", manual, flags=re.DOTALL)
    for line in commands.splitlines():
        program, group, *words = shlex.split(line, comments=True)
        assert (program, group) == ("sagrada", "windows")
        result = run(*(word.replace("mine.json", str(tmp_path / "mine.json")) for word in words))
        assert result.exit_code == 0, result.stderr
    assert len(shown) == 1  # any photo shows the first of them
    assert names(store) == ["Day", "Night", "Rose Window"]
    assert run("import", "-", stdin=file).stdout == "Added: Four Corners.\n"
    assert f'"schema": {SCHEMA}' in file


# --- from a photo ------------------------------------------------------------------------------------------

EMPTY = " / ".join(["-- -- -- -- --"] * 4)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Reading | VisionError]:
    """Return a list whose last thing is what any photo shows, or why it cannot be read."""
    answers: list[Reading | VisionError] = [reading_of(EMPTY, pattern=CORNERS)]

    def read_photo(photo: Path, *, windows: object) -> Reading:
        if isinstance(answers[-1], VisionError):
            raise answers[-1]
        return answers[-1]

    monkeypatch.setattr("vision.read_photo", read_photo)
    return answers


def test_an_empty_card_is_added_from_its_photo(
    store: WindowStore, shown: list[Reading | VisionError]
) -> None:
    """`add NAME --photo` keeps the spaces as they were read, and asks to compare them with the card."""
    lines = run("add", "Four Corners", "--photo", "card.jpg", "--difficulty", "3").stdout.splitlines()
    assert CORNERS in lines
    assert lines[-1] == "Read from the photo: compare it with the card, and correct it with --replace."
    assert str(store.known()["Four Corners"]) == CORNERS
    assert store.known()["Four Corners"].difficulty == 3


def test_doubts_about_the_photo_of_a_card_are_told(shown: list[Reading | VisionError]) -> None:
    """Spaces that were hard to read, a known card that looks like it and the way up are told."""
    shown.append(
        reading_of(
            EMPTY, pattern=CORNERS, unclear_prints=["A1", "D5"], window="Virtus", upright_probability=0.8
        )
    )
    told = answer("add", "Four Corners", "--photo", "card.jpg", "--difficulty", "3")["notices"]
    assert told[0].endswith("Read with doubt, look at these first: A1, D5.")
    assert told[1] == "It may be Virtus (90%)."
    assert told[2].startswith("The window may be upside down (80% sure that it is not)")


def test_a_photo_that_hides_spaces_adds_no_window(
    store: WindowStore, shown: list[Reading | VisionError]
) -> None:
    """Dice on the card, or a photo that cannot be read, are told with what to do; nothing is added."""
    shown.append(reading_of("-- G4 -- -- -- / " + EMPTY[17:], pattern="R?..B / ..... / ..... / 1...6"))
    result = run("add", "Four Corners", "--photo", "card.jpg")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "there are dice on A2. Take a photo of the card with all 20 spaces open." in result.stderr
    shown.append(VisionError("board_not_found", sentence("No window was found."), sentence("Go closer.")))
    result = run("add", "Four Corners", "--photo", "card.jpg")
    assert (result.exit_code, result.stderr) == (1, "card.jpg: No window was found. Go closer.\n")
    assert names(store) == []
