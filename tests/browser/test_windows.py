"""Drawing a window card in a real browser: by keyboard, by touch, without scripts, and as axe finds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.patterns.custom import custom_window
from scoring.sentences import sentence
from tests.browser.conftest import LAPTOP, PHONE, OpenPage, label, no_violation, sideways, too_small
from tests.readings import reading_of
from tests.webapp.conftest import SayingReader
from vision import BoardNotFoundError
from webapp.storage.administration import PIN_FILE, Administrator
from webapp.storage.own_cards import WINDOWS_FILE, WindowStore

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LONG = "A window whose name is as long as can be"
EMPTY = " / ".join(["-- -- -- -- --"] * 4)
TARGETS = "main :is(a, button, summary, label, [data-cell]):not(p *, .field *, .file-label)"


@pytest.fixture
def store(tmp_path: Path) -> WindowStore:
    """Return the custom windows that are served."""
    return WindowStore(tmp_path / WINDOWS_FILE)


def test_a_window_is_drawn_by_keyboard_alone(site: str, open_page: OpenPage, store: WindowStore) -> None:
    """One tab stop; arrows, Home, End move, letters and digits fill, Delete frees, Enter opens choices."""
    page = open_page(f"{site}/windows/new", size=LAPTOP)
    assert page.locator('#board [tabindex="0"]').count() == 1
    page.locator('#board [tabindex="0"]').focus()
    for key in ("r", "ArrowRight", "5", "End", "b", "ArrowDown", "g", "Delete"):
        page.keyboard.press(key)
    for key in ("ArrowDown", "Home", "y", "."):
        page.keyboard.press(key)
    assert label(page, "A2") == "A2: value 5"
    assert label(page, "B5") == "B5: any die"
    assert label(page, "C1") == "C1: any die"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#editor[open]")
    page.keyboard.press("p")
    page.wait_for_selector("#editor", state="hidden")
    assert page.evaluate("document.activeElement.dataset.cell") == "D1"
    assert page.locator("#message").inner_text() == "D1: purple"
    page.locator("#window-name").fill("By keys")
    page.keyboard.press("Enter")
    page.wait_for_url("**/windows?done=added")
    assert str(store.find("By keys")) == "R5..B / ..... / ..... / P...."


def test_an_unknown_card_is_kept_from_its_photo(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader, store: WindowStore
) -> None:
    """From the page of a reading to the editor, past a doubt, and back with the window chosen."""
    reader.answer = reading_of(EMPTY, pattern="R...B / ..... / ..... / 1...6", unclear_prints=["A5"])
    page = open_page(site)
    page.set_input_files(".choose input[name=photo]", photo_file)
    page.wait_for_url("**/w/*")
    page.locator(".keep-card a").click()
    page.wait_for_url("**/card")
    assert label(page, "A5") == "A5: blue, doubtful"
    page.locator('#board [data-cell="A5"]').click()
    page.locator("#confirm").click()
    assert label(page, "A5") == "A5: blue"
    assert page.locator("#look-first").is_hidden()
    page.locator("#window-name").fill("Mine")
    page.locator(".draw button[type=submit]").first.click()
    page.wait_for_selector(".card-name")
    assert page.locator(".card-name").inner_text() == "Mine"
    assert page.locator("#window").input_value() == "Mine"
    assert str(store.find("Mine")) == "R...B / ..... / ..... / 1...6"


def test_a_card_is_read_from_the_list_with_corners(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader, store: WindowStore
) -> None:
    """A photo in which no window was found leads past the corners to the editor and back to the list."""
    reader.answer = BoardNotFoundError(
        "board_not_found", sentence("No window here."), sentence("From above, please.")
    )
    page = open_page(f"{site}/windows")
    page.set_input_files(".choose input[name=photo]", photo_file)
    page.wait_for_selector("#unread-corners")
    reader.answer = reading_of(EMPTY, pattern="R...B / ..... / ..... / 1...6")
    page.locator("#unread-corners").click()
    page.locator("#read-corners").click()
    page.wait_for_url("**/card/photo")
    assert label(page, "A1") == "A1: red"
    page.locator("#window-name").fill("Mine")
    page.locator(".draw button[type=submit]").first.click()
    page.wait_for_url("**/windows?done=added")
    assert len(store.load().windows) == 1


def test_a_file_that_is_dropped_on_its_own_field_is_no_photo(site: str, open_page: OpenPage) -> None:
    """The field for the file of windows takes what is dropped on it; elsewhere a drop is a photo."""
    page = open_page(f"{site}/windows", size=LAPTOP, fine=("422",))  # the last drop is no photo
    page.locator(".file-way summary").click()
    drop = """selector => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["{}"], "windows.json", { type: "application/json" }));
      const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer });
      const left = document.querySelector(selector).dispatchEvent(event);
      return { left, sending: !document.querySelector(".sending").hidden };
    }"""
    assert page.evaluate(drop, "#window-file") == {"left": True, "sending": False}
    assert page.evaluate(drop, ".file-way form button") == {"left": False, "sending": False}
    assert page.evaluate(drop, "h1") == {"left": False, "sending": True}


def test_what_another_one_saved_meanwhile_is_shown(
    site: str, open_page: OpenPage, store: WindowStore
) -> None:
    """The later administrator sees the newest window beside the own drawing, and axe passes the page."""
    store.add(custom_window("Ours", "R...B / ..... / ..... / 1...6", 3))
    page = open_page(f"{site}/administration", size=PHONE, fine=("409",))
    page.locator("#pin").fill(Administrator(store.path.with_name(PIN_FILE)).pin())
    page.locator(".pin-form button").click()
    page.goto(f"{site}/windows/own/Ours")
    store.replace("Ours", custom_window("Ours", "RY..B / ..... / ..... / 1...6", 4))
    page.locator('#board [data-cell="D5"]').focus()
    page.keyboard.press("5")
    page.locator(".draw button[type=submit]").first.click()
    page.wait_for_selector(".newest")
    assert label(page, "D5") == "D5: value 5"
    assert sideways(page) <= 0
    no_violation(page, "a conflict")
    assert str(store.find("Ours")) == "RY..B / ..... / ..... / 1...6"
    page.locator(".draw button[type=submit]").first.click()
    page.wait_for_url("**/windows?done=changed")
    assert str(store.find("Ours")) == "R...B / ..... / ..... / 1...5"


def test_the_pages_are_well_made(site: str, open_page: OpenPage, store: WindowStore) -> None:
    """List, empty editor, and a window that is changed pass axe, fit the screen, and fingers hit all."""
    store.add(custom_window(LONG, "RR... / .5... / .5... / ....."))
    page = open_page(f"{site}/windows", locale="ru-RU")
    for where in ("list", "new", "own"):
        if where == "new":
            page.goto(f"{site}/windows/new")
        elif where == "own":
            page.goto(f"{site}/windows")
            page.locator(".own-card a").click()
            page.wait_for_url("**/own/*")
        for size in (LAPTOP, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            assert sideways(page) <= 0, where
            assert too_small(page, TARGETS) == [], where
        no_violation(page, where, dark=True)
    page.locator(".draw-delete summary").click()
    no_violation(page, "before it is deleted", ".draw-delete", dark=True)
    page.locator('#board [data-cell="A1"]').click()
    page.wait_for_selector("#editor[open]")
    no_violation(page, "the choices", "#editor", dark=True)
