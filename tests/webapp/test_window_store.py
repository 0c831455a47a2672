from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from scoring import WINDOW_PATTERNS, InvalidValueError, UnknownNameError, WindowSet
from scoring.patterns.collection import CustomWindows
from scoring.patterns.custom import custom_window
from webapp.domain.errors import StoreError
from webapp.storage import files
from webapp.storage.own_cards import WINDOWS_FILE, WINDOWS_LOCK, WindowStore, default_store

CORNERS = "R...B / ..... / ..... / 1...6"
LADDER = "1.... / 2.... / 3.... / 4...."
corners = custom_window("Four Corners", CORNERS, 3, names=[("fr", "Quatre coins")])
ladder = custom_window("Ladder", LADDER)

CARDS = WINDOW_PATTERNS.with_sets([WindowSet.FIVE_AND_SIX])
"""What a house knows that changed nothing."""


@pytest.fixture
def store(tmp_path: Path) -> WindowStore:
    """Return a store whose folder is not there yet."""
    return WindowStore(tmp_path / "data" / WINDOWS_FILE)


def names(store: WindowStore) -> list[str]:
    """Return the names of the custom windows in the file."""
    return [window.name for window in store.load().windows]


def test_without_a_file_the_cards_of_the_game_are_known(store: WindowStore) -> None:
    """Looking at the windows makes no file."""
    assert store.known() == CARDS
    assert store.hidden() == ()
    assert not store.path.parent.exists()


def test_an_added_window_is_known_from_then_on(store: WindowStore) -> None:
    """What one program adds another one finds, by every name."""
    store.add(corners)
    known = WindowStore(store.path).known()
    assert known["quatre coins"] == corners
    assert list(known) == [*CARDS, "Four Corners"]


@pytest.mark.parametrize("name", ["four corners", "QUATRE COINS", "Firmitas", "Attrape-soleil"])
def test_a_window_is_found_in_every_language(store: WindowStore, name: str) -> None:
    """Cards and custom windows are found by the names that are printed on them somewhere."""
    store.add(corners)
    assert store.find(name).name in {"Four Corners", "Firmitas", "Sun Catcher"}
    with pytest.raises(UnknownNameError, match="Did you mean Four Corners"):
        store.find("Our Corners")


def test_a_damaged_file_does_not_hide_the_cards(store: WindowStore) -> None:
    """Only who asks for a window that is no card of the game needs the file."""
    store.add(corners)
    store.path.write_text("{")
    assert store.find("стойкость").name == "Firmitas"
    with pytest.raises(StoreError):
        store.find("Four Corners")


def test_windows_are_added_all_or_none(store: WindowStore) -> None:
    """When one of several names is taken, nothing is added."""
    store.add(corners)
    before = store.path.read_bytes()
    with pytest.raises(InvalidValueError) as caught:
        store.add(ladder, corners)
    assert caught.value.code == "name_taken"
    assert store.path.read_bytes() == before


def test_a_removed_window_is_gone_and_handed_back(store: WindowStore) -> None:
    """Whoever removes a window can still show what it was."""
    store.add(corners, ladder)
    assert store.remove("four corners") == corners
    assert names(store) == ["Ladder"]
    with pytest.raises(UnknownNameError):
        store.remove("four corners")


def test_a_window_can_be_corrected(store: WindowStore) -> None:
    """A replaced window keeps its place in the list."""
    store.add(corners, ladder)
    store.replace("Four Corners", custom_window("Four Corners", LADDER, 4))
    assert names(store) == ["Four Corners", "Ladder"]
    assert str(store.known()["Four Corners"]) == LADDER


def test_merging_tells_what_there_was_and_is(store: WindowStore) -> None:
    """Windows from elsewhere are added; those that are there already change nothing."""
    store.add(corners)
    before, after = store.merge(CustomWindows().add(corners, ladder))
    assert (before.windows, after.windows) == ((corners,), (corners, ladder))
    written = store.path.stat().st_mtime_ns
    store.merge(after)
    assert store.path.stat().st_mtime_ns == written
    other = CustomWindows().add(custom_window("ladder", CORNERS))
    with pytest.raises(InvalidValueError, match="already another window"):
        store.merge(other)
    store.merge(other, replacing=True)
    assert str(store.known()["Ladder"]) == CORNERS


DAMAGED = [
    b"",
    b'{"format": "sagrada-windows", "sch',
    b"\xff\xfe\x00",
    b"[]",
    b'{"format": "sagrada-windows", "schema": 1, "windows": [{"name": "Mine", "cells": "R...B"}]}',
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_told_and_kept(store: WindowStore, content: bytes) -> None:
    """Neither looking nor changing writes over a file that cannot be understood; the error names it."""
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    for use in (store.load, store.known, store.hidden, lambda: store.add(corners), lambda: store.remove("x")):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.code == "windows_damaged"
        assert str(store.path) in str(caught.value)
    assert store.path.read_bytes() == content


def test_the_error_on_a_damaged_file_says_where(store: WindowStore) -> None:
    """A person who opens the file finds the place."""
    store.path.parent.mkdir()
    store.path.write_bytes(DAMAGED[-1])
    with pytest.raises(StoreError, match=r"damaged: Window 1: A window pattern has 4 rows"):
        store.load()


def test_a_file_of_a_newer_program_is_kept(store: WindowStore) -> None:
    """An older program does not guess at what a newer one wrote."""
    store.path.parent.mkdir()
    text = json.dumps({"format": "sagrada-windows", "schema": 99, "glass": "all kinds"})
    store.path.write_text(text)
    with pytest.raises(StoreError, match="Update the program") as caught:
        store.add(corners)
    assert caught.value.code == "windows_newer"
    assert store.path.read_text() == text


def test_a_mark_at_the_start_of_the_file_does_no_harm(store: WindowStore) -> None:
    """Some editors put a byte order mark before the text."""
    store.path.parent.mkdir()
    store.path.write_bytes(b"\xef\xbb\xbf" + str(CustomWindows().add(corners)).encode())
    assert names(store) == ["Four Corners"]


def test_a_window_named_like_a_card_is_left_out_and_kept(store: WindowStore) -> None:
    """A card that the game got later counts; the file keeps the window of the same name."""
    store.path.parent.mkdir()
    older = {"name": "Firmitas", "cells": CORNERS}
    text = json.dumps({"format": "sagrada-windows", "schema": 1, "windows": [older]})
    store.path.write_text(text)
    store.add(ladder)
    assert names(store) == ["Firmitas", "Ladder"]
    assert [window.name for window in store.hidden()] == ["Firmitas"]
    assert store.known()["Firmitas"] == WINDOW_PATTERNS["Firmitas"]
    assert list(store.known())[-1] == "Ladder"


def test_a_crash_while_writing_leaves_the_old_file(
    store: WindowStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk or a power cut costs the change and nothing else."""
    store.add(corners)
    before = store.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left") as caught:
        store.add(ladder)
    assert caught.value.code == "windows_unusable"
    assert store.path.read_bytes() == before
    assert {path.name for path in store.path.parent.iterdir()} == {WINDOWS_FILE, WINDOWS_LOCK}


def test_a_path_that_cannot_be_read_is_told(store: WindowStore) -> None:
    """A folder in the place of the file is not taken for an empty file."""
    store.path.mkdir(parents=True)
    with pytest.raises(StoreError) as caught:
        store.load()
    assert caught.value.code == "windows_unusable"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """The error says that another folder can be named."""
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StoreError, match="SAGRADA_DATA") as caught:
        WindowStore(tmp_path / "data" / WINDOWS_FILE).add(corners)
    assert caught.value.code == "windows_unusable"


def test_a_lock_that_nobody_gives_back_is_told(store: WindowStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change does not wait for ever for another program."""
    store.add(corners)
    monkeypatch.setattr(files, "locked", partial(files.locked, patience_s=0.05))
    with files.locked(store.path.with_name(WINDOWS_LOCK)), pytest.raises(StoreError) as caught:
        store.add(ladder)
    assert caught.value.code == "windows_busy"
    assert names(store) == ["Four Corners"]


def test_programs_that_add_at_the_same_time_lose_nothing(store: WindowStore, project_root: Path) -> None:
    """Three programs that each add eight windows end with all of them in the file."""
    script = (
        "import sys; from pathlib import Path\n"
        "from scoring.patterns.custom import custom_window\n"
        "from webapp.storage.own_cards import WindowStore\n"
        "for number in range(8):\n"
        f"    WindowStore(Path(sys.argv[1])).add(custom_window(f'{{sys.argv[2]}} {{number}}', {CORNERS!r}))"
    )
    programs = [
        subprocess.Popen([sys.executable, "-c", script, str(store.path), letter], cwd=project_root)
        for letter in "ABC"
    ]
    assert [program.wait(timeout=60) for program in programs] == [0, 0, 0]
    assert sorted(names(store)) == sorted(f"{letter} {number}" for letter in "ABC" for number in range(8))


def test_page_and_command_line_use_the_folder_for_readings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """SAGRADA_DATA moves the custom windows together with the readings."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path))
    assert default_store().path == tmp_path / "windows.json"


def test_the_store_needs_no_page(project_root: Path) -> None:
    """The command line asks for the windows without loading Flask or OpenCV."""
    script = "import sys, webapp.cli.windows; print(sorted({'flask', 'cv2', 'numpy'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project_root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
