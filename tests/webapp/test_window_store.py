from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from scoring import WINDOW_PATTERNS, InvalidValueError, UnknownNameError
from scoring.patterns.collection import CustomWindows
from scoring.patterns.custom import custom_window
from tests.webapp.conftest import CARDS
from webapp.domain.errors import StoreError
from webapp.storage import files
from webapp.storage.own_cards import WINDOWS_FILE, WINDOWS_LOCK, WindowStore, default_store

CORNERS = "R...B / ..... / ..... / 1...6"
LADDER = "1.... / 2.... / 3.... / 4...."
corners = custom_window("Four Corners", CORNERS, 3, names=[("fr", "Quatre coins")])
ladder = custom_window("Ladder", LADDER)


@pytest.fixture
def store(tmp_path: Path) -> WindowStore:
    """Return a store whose folder is not there yet."""
    return WindowStore(tmp_path / "data" / WINDOWS_FILE)


def names(store: WindowStore) -> list[str]:
    """Return the names of the custom windows in the file."""
    return [window.name for window in store.load().windows]


def test_without_a_file_the_cards_of_the_game_are_known(
    store: WindowStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking at the windows makes no file; it would lie in the folder for readings."""
    assert store.known() == CARDS
    assert store.hidden() == ()
    assert not store.path.parent.exists()
    monkeypatch.setenv("SAGRADA_DATA", str(store.path.parent))
    assert default_store().path == store.path.with_name("windows.json")


def test_an_added_window_is_found_in_every_language(store: WindowStore) -> None:
    """Other programs find cards and custom windows by the names that are printed on them somewhere."""
    store.add(corners)
    other = WindowStore(store.path)
    assert list(other.known()) == [*CARDS, "Four Corners"]
    for name in ("four corners", "QUATRE COINS"):
        assert other.find(name) == corners
    assert [other.find(name).name for name in ("Firmitas", "Attrape-soleil")] == ["Firmitas", "Sun Catcher"]
    with pytest.raises(UnknownNameError, match="Did you mean Four Corners"):
        other.find("Our Corners")


def test_a_damaged_file_does_not_hide_the_cards(store: WindowStore) -> None:
    """Only who asks for a window that is no card of the game needs the file."""
    store.add(corners)
    store.path.write_text("{")
    assert store.find("стойкость").name == "Firmitas"
    with pytest.raises(StoreError):
        store.find("Four Corners")


def test_windows_are_corrected_and_removed(store: WindowStore) -> None:
    """All are added or none; a replaced window keeps its place, and a removed one is handed back."""
    store.add(corners)
    before = store.path.read_bytes()
    with pytest.raises(InvalidValueError) as caught:
        store.add(ladder, corners)
    assert (caught.value.code, store.path.read_bytes()) == ("name_taken", before)
    store.add(ladder)
    store.replace("Four Corners", custom_window("Four Corners", LADDER, 4))
    assert names(store) == ["Four Corners", "Ladder"]
    assert str(store.known()["Four Corners"]) == LADDER
    assert store.remove("four corners").difficulty == 4
    assert names(store) == ["Ladder"]
    with pytest.raises(UnknownNameError):
        store.remove("four corners")


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
    """Neither looking nor changing writes over a file that cannot be understood; the error says where."""
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    for use in (store.load, store.known, store.hidden, lambda: store.add(corners), lambda: store.remove("x")):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.code == "windows_damaged"
        assert str(store.path) in str(caught.value)
        assert ("Window 1: A window has 4 rows" in str(caught.value)) == (content == DAMAGED[-1])
    assert store.path.read_bytes() == content


def test_a_file_of_a_newer_program_is_kept(store: WindowStore) -> None:
    """An older program does not guess at what a newer one wrote."""
    store.path.parent.mkdir()
    text = json.dumps({"format": "sagrada-windows", "schema": 99, "glass": "all kinds"})
    store.path.write_text(text)
    with pytest.raises(StoreError, match="Update the program") as caught:
        store.add(corners)
    assert caught.value.code == "windows_newer"
    assert store.path.read_text() == text


def test_a_window_named_like_a_card_is_left_out_and_kept(store: WindowStore) -> None:
    """A card that the game got later counts; the file keeps the window of the same name."""
    store.path.parent.mkdir()
    older = {"name": "Firmitas", "cells": CORNERS}
    text = json.dumps({"format": "sagrada-windows", "schema": 1, "windows": [older]})
    store.path.write_bytes(b"\xef\xbb\xbf" + text.encode())  # a mark that some editors put there
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


def test_a_path_of_no_use_is_told(tmp_path: Path) -> None:
    """A folder in the place of the file is no empty file; where none can be made another can be named."""
    (tmp_path / "a" / WINDOWS_FILE).mkdir(parents=True)
    with pytest.raises(StoreError) as caught:
        WindowStore(tmp_path / "a" / WINDOWS_FILE).load()
    assert caught.value.code == "windows_unusable"
    (tmp_path / "b").write_text("a file")
    with pytest.raises(StoreError, match="SAGRADA_DATA") as caught:
        WindowStore(tmp_path / "b" / WINDOWS_FILE).add(corners)
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


def test_the_store_needs_no_page(project_root: Path) -> None:
    """The command line asks for the windows without loading Flask or OpenCV."""
    script = "import sys, webapp.cli.windows; print(sorted({'flask', 'cv2', 'numpy'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project_root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
