"""The command line: its results, its JSON and its exit status."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.readings import reading_of
from tests.webapp.commands import parsed, refusal, sagrada


@pytest.fixture
def easy_photo(project_root: Path) -> Path:
    """Return the easiest sample photo."""
    return project_root / "sample_images" / "easy_daylight.jpg"


@pytest.fixture
def cut_photo(project_root: Path) -> Path:
    """Return the sample photo whose window is cut off."""
    return project_root / "sample_images" / "cut_off.jpg"


def test_read_prints_the_contracts_object(easy_photo: Path) -> None:
    """`read --json` gives photo, time, corners, board, pattern, window, count of others and 20 cells."""
    result = sagrada("read", "--json", easy_photo)
    data = parsed(result)
    assert result.exit_code == 0
    assert list(data) == [
        "photo", "seconds", "size", "corners", "board", "pattern", "unclear_prints", "window",
        "upright_probability", "other_windows", "unlike_dice", "profile", "mirrored", "tokens", "cells",
        "advice",
    ]  # fmt: skip
    assert data["photo"] == str(easy_photo)
    labels = json.loads((easy_photo.parent / "labels.json").read_text(encoding="utf-8"))
    assert data["board"].split(" / ") == [" ".join(row) for row in labels[easy_photo.name]["board"]]
    assert [len(corner) for corner in data["corners"]] == [2, 2, 2, 2]
    assert [(cell["row"], cell["column"]) for cell in data["cells"]] == [
        (r, c) for r in range(4) for c in range(5)
    ]
    assert set(data["cells"][0]) == {
        "row", "column", "color", "value", "confidence", "doubtful", "covered", "alternatives",
    }  # fmt: skip
    empty = data["cells"][12]
    assert (empty["color"], empty["value"]) == (None, None)


def test_read_prints_a_line_for_each_photo_in_order(
    easy_photo: Path, cut_photo: Path, tmp_path: Path
) -> None:
    """Photos that cannot be read stand in their place with code, sentence and next step; the status is 1."""
    missing = tmp_path / "nowhere.jpg"
    text = tmp_path / "text.jpg"
    text.write_text("This is no photo.")
    result = sagrada("read", "--json", cut_photo, easy_photo, missing, text)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [line["photo"] for line in lines] == [str(p) for p in (cut_photo, easy_photo, missing, text)]
    assert ["error" in line for line in lines] == [True, False, True, True]
    assert all(set(line) == {"photo", "error"} for line in lines if "error" in line)
    assert set(lines[0]["error"]) == {"code", "message", "next_step", "data"}
    assert lines[0]["error"]["data"]["edges"]
    assert set(lines[2]["error"]) == {"code", "message", "next_step"}
    assert [line["error"]["code"] for line in lines[2:]] == ["photo_missing", "not_a_photo"]


def test_read_tells_people_the_board_and_failures_apart(easy_photo: Path, cut_photo: Path) -> None:
    """The window goes to the standard output, the sentence about a failure to the standard error."""
    result = sagrada("read", cut_photo, easy_photo)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{easy_photo}: ")
    assert result.stderr.startswith(f"{cut_photo}: ")
    assert result.stdout.splitlines()[-1].count("/") == 3


def test_read_all_numbers_the_windows_of_a_table(project_root: Path, cut_photo: Path, tmp_path: Path) -> None:
    """`read --all` tells people each window under its number, loose dice, and what is not read and why."""
    two = project_root / "sample_images" / "two_windows.jpg"
    overlay = tmp_path / "table.png"
    result = sagrada("read", "--all", two, "--overlay", overlay)
    assert result.exit_code == 0
    first, *windows = result.stdout.strip().split("\n\n")
    assert first.startswith(f"{two}: 2 windows, read in ")
    *windows, pool = (one.split(" (")[0] for one in windows)
    assert windows == ["Window 1: window card Comitas", "Window 2: window card Ripples of Light"]
    assert sorted(pool.split(" ")) == ["B6", "Draft", "P5", "pool:"]
    picture = cv2.imread(str(overlay))
    assert picture is not None
    assert picture.shape == (1200, 1800, 3)
    (_, unread) = sagrada("read", "--all", cut_photo).stdout.strip().split("\n\n")
    assert unread.startswith("Not read, ")
    assert "A part of the window is outside the photo" in unread


def test_read_all_gives_programs_a_line_for_each_photo(project_root: Path, tmp_path: Path) -> None:
    """A photo without windows has empty lists and is no failure; a file that is no photo has its error."""
    samples = project_root / "sample_images"
    text = tmp_path / "text.jpg"
    text.write_text("This is no photo.")
    result = sagrada("read", "--all", "--json", samples / "two_windows.jpg", samples / "loose_dice.jpg", text)
    two, none, broken = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert list(two) == ["photo", "seconds", "size", "windows", "loose_dice", "cards", "unread", "advice"]
    assert [one["number"] for one in two["windows"]] == [1, 2]
    assert (none["windows"], none["unread"]) == ([], [])
    assert broken["error"]["code"] == "not_a_photo"


def test_read_goes_on_without_windows_of_ones_own(easy_photo: Path, tmp_path: Path) -> None:
    """When their file is damaged photos are read with the cards of the game, and the error output says so."""
    (tmp_path / "windows.json").write_text("{")
    result = sagrada("read", easy_photo, "--json", data=tmp_path)
    assert (result.exit_code, "error" in parsed(result)) == (0, False)
    assert result.stderr.startswith("Windows of your own are left out. The file ")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"unlike_dice": True}, "These dice look unlike Sagrada's"),
        (
            {"other_windows": 1},
            "The photo shows 1 other whole window; the largest, most central one was read.",
        ),
        ({"upright_probability": 0.62}, "The window may be upside down (62% sure that it is not)"),
        ({"upright_probability": 0.9}, None),
        (
            {"mirrored": True},
            "This photo looks mirrored, as front cameras take it. --mirrored turns it back.",
        ),
    ],
)
def test_read_tells_people_what_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], told: str | None
) -> None:
    """Dice unlike the game's, other windows and a way up of less than 90 % are said in the last line."""
    monkeypatch.setattr("vision.read_photo", lambda _, windows: reading_of(**more))
    last = sagrada("read", "a.jpg").stdout.splitlines()[-1]
    assert told in last if told else "upside down" not in last


def test_mirrored_turns_photos_back(easy_photo: Path, tmp_path: Path) -> None:
    """With `--mirrored` a flipped photo is read, checked and drawn as the one it was made of."""
    photo = cv2.imread(str(easy_photo))
    assert photo is not None
    flipped, overlay = tmp_path / "flipped.png", tmp_path / "overlay.png"
    cv2.imwrite(str(flipped), photo[:, ::-1])
    straight = parsed(sagrada("read", "--json", easy_photo))
    told = parsed(sagrada("read", "--json", "--mirrored", flipped, "--overlay", overlay))
    assert (told["board"], told["mirrored"]) == (straight["board"], False)
    drawn = cv2.imread(str(overlay))
    assert drawn is not None
    assert (drawn == photo).mean() > 0.5
    assert "looks mirrored" in sagrada("check", flipped).stdout
    assert "looks mirrored" in sagrada("read", "--all", flipped).stdout
    assert "looks mirrored" not in sagrada("check", "--mirrored", flipped).stdout


def test_mirrored_turns_the_photos_of_a_ranking_back(easy_photo: Path, tmp_path: Path) -> None:
    """What `rank` says of a flipped photo, of a table or in a game's file, it does."""
    photo = cv2.imread(str(easy_photo.with_name("two_windows.jpg")))
    assert photo is not None
    flipped, file = tmp_path / "flipped.png", tmp_path / "game.json"
    cv2.imwrite(str(flipped), photo[:, ::-1])
    one = {"name": "A", "private": "red", "favor_tokens": 0, "photo": flipped.name}
    three = ["Light Shades", "Deep Shades", "Medium Shades"]
    file.write_text(json.dumps({"public": three, "players": [one, {**one, "name": "B", "private": "blue"}]}))
    for game in (["--photo", flipped, "--public", "Light Shades"], [file]):
        assert "--mirrored turns it back" in sagrada("rank", *game).stdout
        assert "looks mirrored" not in sagrada("rank", *game, "--mirrored").stdout


def test_overlay_is_a_picture_of_the_photos_size(easy_photo: Path, cut_photo: Path, tmp_path: Path) -> None:
    """`--overlay` writes the photo with the reading drawn over it; where that cannot be, nothing is read."""
    overlay = tmp_path / "overlay.png"
    assert sagrada("read", easy_photo, "--overlay", overlay).exit_code == 0
    photo, drawn = cv2.imread(str(easy_photo)), cv2.imread(str(overlay))
    assert photo is not None
    assert drawn is not None
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()
    for name in ("overlay.txt", "no/such/folder/overlay.png"):
        refusal("read", easy_photo, "--overlay", tmp_path / name)
    refusal("read", easy_photo, cut_photo, "--overlay", overlay)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["read"], "PHOTO"),
        (["raed", "a.jpg"], "Did you mean 'read'?"),
        (["read", "--mrege", "a.jpg"], "Did you mean '--merge'?"),
        (["evaluate", "no/such/folder"], "does not exist"),
        (["evaluate", "tests"], "labels.json"),
        (["evaluate", "sample_images", "--by", "tillt"], "Did you mean tilt?"),
        (["evaluate", ".", "--write", "no/such/folder/x"], "There is no folder no/such/folder"),
        (["evaluate", ".", "--write", "README.md"], "is a file"),
        (["serve", "--port", "70000"], "--port"),
        (["serve", "--host", "bad..name"], "no address bad..name. For --host use"),
        (["serve", "--host", "192.0.2.1"], "no address 192.0.2.1. For --host use"),
    ],
)
def test_wrong_usage_ends_with_two_and_the_nearest_right_name(arguments: list[str], complaint: str) -> None:
    """What was typed wrong is said on the standard error, with the nearest right name; status 2."""
    assert complaint in refusal(*arguments)


@pytest.fixture
def two_photos(tmp_path: Path, project_root: Path) -> Path:
    """Return a folder with an easy and a cut-off photo and their labels."""
    samples = project_root / "sample_images"
    labels = json.loads((samples / "labels.json").read_text(encoding="utf-8"))
    names = ("easy_daylight.jpg", "cut_off.jpg")
    for name in names:
        shutil.copy(samples / name, tmp_path)
    (tmp_path / "labels.json").write_text(json.dumps({name: labels[name] for name in names}))
    return tmp_path


def test_evaluate_reports_figures_groups_and_misses(two_photos: Path, tmp_path: Path) -> None:
    """`evaluate --json --by KEY --misses` prints all; `--write` keeps it, and `--check` compares with it."""
    records = tmp_path / "records"
    result = sagrada("evaluate", two_photos, "--json", "--by", "kind", "--misses", "--write", records)
    data = parsed(result)
    assert result.exit_code == 0
    (folder,) = data["folders"]
    assert folder["summary"]["figures"]["located"] == {"hits": 1, "total": 1}
    assert folder["summary"]["figures"]["refused"] == {"hits": 1, "total": 1}
    assert folder["misses"] == []
    assert data["by"]["key"] == "kind"
    groups = data["by"]["groups"]["rendered"]
    assert {name: group["photos"] for name, group in groups.items()} == {"board": 1, "cut": 1}
    assert {"key": "located_owed", "goal": "100 %", "reached": True} in data["goals"]["rendered"]
    (kept,) = records.iterdir()
    assert json.loads(kept.read_text()) == folder
    folder["summary"]["figures"]["exact"] = {"hits": 2, "total": 1}
    kept.write_text(json.dumps(folder))
    checked = sagrada("evaluate", two_photos, "--check", records)
    assert checked.exit_code == 1
    assert "windows without a mistake: 100 % of 1, was 200 %" in checked.stderr


def test_evaluate_for_people_is_a_table(two_photos: Path) -> None:
    """Without --json the figures stand in a table, with a column for each group."""
    result = sagrada("evaluate", two_photos, "--by", "Light")
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "day tungsten all windows windows with dice goal reached" in lines
    assert "cells right 100 % of 20 - 100 % of 20 100 % of 20 ≥ 99.8 % yes" in lines


@pytest.fixture
def rendered_and_real(tmp_path: Path, project_root: Path) -> Path:
    """Return a folder of two folders: one photo labelled as rendered, the same photo labelled as real."""
    samples = project_root / "sample_images"
    label = json.loads((samples / "labels.json").read_text(encoding="utf-8"))["easy_daylight.jpg"]
    for name, dropped in (("camera", {"seed"}), ("drawn", set())):
        (tmp_path / name).mkdir()
        shutil.copy(samples / "easy_daylight.jpg", tmp_path / name)
        entry = {key: value for key, value in label.items() if key not in dropped}
        (tmp_path / name / "labels.json").write_text(json.dumps({"easy_daylight.jpg": entry}))
    return tmp_path


def test_evaluate_tells_rendered_and_real_photos_apart(rendered_and_real: Path) -> None:
    """Of a folder of folders each is measured; rendered and real photos have a table of goals each."""
    rendered, real = sagrada("evaluate", rendered_and_real).stdout.split("\nReal photos (camera)")
    assert rendered.startswith("Rendered photos (drawn)")
    for part, goal in ((rendered, "≥ 99.8 %"), (real, "≥ 98 %")):
        (line,) = [line for line in part.splitlines() if line.startswith("cells right  ")]
        assert line.split()[2:] == f"100 % of 20 100 % of 20 {goal} yes".split()
    data = parsed(sagrada("evaluate", "--json", rendered_and_real / "camera", rendered_and_real / "drawn"))
    assert [(folder["name"], folder["section"]) for folder in data["folders"]] == [
        ("camera", "real"),
        ("drawn", "rendered"),
    ]
    assert set(data["goals"]) == {"rendered", "real"}


@pytest.mark.parametrize("encoding", ["utf-8:strict", "cp1252:strict"])
def test_what_a_terminal_cannot_show_is_spelled_out(encoding: str) -> None:
    """A file name in another encoding, or letters that a terminal lacks, keep nothing from being said."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from webapp.cli.sagrada import main; main(sys.argv[1:])",
            *["read", "--lang", "ru", os.fsdecode(b"caf\xe9.jpg"), "テスト.jpg"],
        ],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 1
    assert b"udce9.jpg" in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.thorough
def test_taken_port_is_said_in_a_sentence(tmp_path: Path) -> None:
    """Where another program listens already the command says so and names the option that helps."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        # In a process of its own: the server library leaves the socket that it could not bind unclosed.
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from webapp.cli.sagrada import main; main(sys.argv[1:])",
                *["serve", "--host", "127.0.0.1", "--port", str(port)],
            ],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "SAGRADA_DATA": str(tmp_path)},
        )
    assert done.returncode == 1
    assert f"cannot be served at 127.0.0.1:{port}" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """It is told as what it is, and not as a trouble with the address."""
    (tmp_path / "file").touch()
    refused = sagrada("serve", "--port", "8123", data=tmp_path / "file" / "folder")
    assert refused.exit_code == 1
    assert f"{tmp_path / 'file' / 'folder'} cannot be used" in refused.stderr
    assert "SAGRADA_DATA" in refused.stderr
