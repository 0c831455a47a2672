"""Putting doubtful dice right beside their close-ups, and going back and forth between steps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import (
    LAPTOP,
    SMALL_PHONE,
    OpenPage,
    label,
    no_violation,
    send_photo,
    sideways,
    too_small,
)
from tests.readings import reading_of
from tests.webapp.conftest import RULEBOOK, SayingReader
from vision.photo import load_photo
from webapp.workers.work import encode

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

COLORS = {"r": "red", "y": "yellow", "g": "green", "p": "purple", "b": "blue"}


def test_a_busy_server_is_asked_again(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """A photo and a correction for which the server has no time at first arrive by themselves."""
    refused = []

    def first_time(route: Route) -> None:
        place = "photo" if route.request.url.endswith("/readings") else "change"
        if route.request.method != "POST" or place in refused:
            route.continue_()
            return
        refused.append(place)
        route.fulfill(status=503, headers={"Retry-After": "0.1"}, body="")

    page = open_page(site, fine=("503",))
    page.route("**/readings", first_time)
    page.route("**/w/*", first_time)
    send_photo(page, photo_file)
    page.get_by_role("button", name="A4: yellow 4 instead").click()
    page.wait_for_selector(".doubt-row", state="detached")
    assert label(page, "A4") == "A4: yellow 4"
    assert refused == ["photo", "change"]


def at(page: Page) -> str | None:
    """Return the space that has the keyboard, None when it is elsewhere."""
    name: str | None = page.evaluate("document.activeElement.dataset.cell ?? null")
    return name


def said(page: Page, name: str, die: str) -> None:
    """Wait until a screen reader would find this die in a space."""
    page.wait_for_selector(f'#board [aria-label="{name}: {die}"]')


def test_the_keyboard_alone_corrects_undoes_and_does_again(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """No tap is needed: one tab stop, arrows, Home and End, values, five colors, Delete, Escape."""
    page = open_page(site, size=LAPTOP)
    send_photo(page, photo_file)
    page.locator("#main").focus()
    for _ in range(100):  # as far as the window is down the page
        page.keyboard.press("Tab")
        if at(page):
            break
    assert at(page) == "A1"
    page.keyboard.press("Tab")
    assert at(page) is None  # the window is one stop
    page.keyboard.press("Shift+Tab")
    for key, place in (
        *(("ArrowUp", "A1"), ("ArrowLeft", "A1"), ("End", "A5"), ("ArrowRight", "A5"), ("ArrowDown", "B5")),
        *(("ArrowDown", "C5"), ("ArrowDown", "D5"), ("ArrowDown", "D5"), ("Home", "D1"), ("ArrowUp", "C1")),
        *(("ArrowRight", "C2"), ("ArrowLeft", "C1"), ("ArrowUp", "B1")),
    ):
        page.keyboard.press(key)
        assert at(page) == place, key
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert at(page) == "B1"  # the place is kept

    for key in "16":
        page.keyboard.press(key)
        said(page, "B1", f"red {key}")
    for key, color in COLORS.items():
        page.keyboard.press(key)
        said(page, "B1", f"{color} 6")
    page.keyboard.press("Delete")
    said(page, "B1", "empty")
    for _ in range(2):
        page.keyboard.press("Control+z")
    said(page, "B1", "purple 6")  # the blue one in between may never be drawn
    for key in ("Control+y", "Control+Shift+z"):
        page.keyboard.press(key)
    said(page, "B1", "empty")
    assert at(page) == "B1"

    page.keyboard.press("g")  # half a die
    page.keyboard.press("Escape")  # taken back
    page.keyboard.press("3")  # so this is a first half again
    page.keyboard.press("y")
    said(page, "B1", "yellow 3")

    page.keyboard.press("Enter")
    page.wait_for_selector("#editor[open]")
    assert at(page) is None
    page.keyboard.press("Escape")
    page.wait_for_selector("#editor:not([open])", state="attached")
    assert at(page) == "B1"

    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    said(page, "B1", "empty")
    page.locator('#board [data-cell="A2"]').focus()
    page.keyboard.press("5")
    said(page, "A2", "green 5")
    assert page.locator("#redo").is_disabled()  # a new step ends what could be done again
    page.reload()
    assert (label(page, "B1"), label(page, "A2")) == ("B1: empty", "A2: green 5")


def test_a_second_photo_from_the_other_side_settles_doubts(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader, tmp_path: Path
) -> None:
    """Of another window it says so; a fitting one leaves no doubt, in one step that is undone and redone."""
    page = open_page(site, fine=("422",))
    send_photo(page, photo_file)
    another = tmp_path / "b.jpg"
    another.write_bytes(encode(255 - load_photo(photo_file).image_bgr))
    field = page.locator("#other-photo .choose input")
    reader.answer = reading_of()
    field.set_input_files(another)
    page.wait_for_selector("#other-photo [data-code=different_windows]")
    no_violation(page, "refused", "#other-photo", dark=True)
    assert too_small(page, "#other-photo .button") == []
    reader.answer = reading_of(RULEBOOK.replace("Y5", "Y4"))
    field.set_input_files(another)
    said(page, "A4", "yellow 4")
    page.wait_for_selector("#message p:text-is('Both photos count now.')", state="attached")
    page.locator("#other-photo").wait_for(state="hidden")
    page.wait_for_function("document.activeElement.dataset.cell")
    page.keyboard.press("Control+z")
    said(page, "A4", "yellow 5, doubtful")
    page.locator("#other-photo").wait_for()
    page.keyboard.press("Control+y")
    said(page, "A4", "yellow 4")
    page.reload()
    assert label(page, "A4") == "A4: yellow 4"


@pytest.mark.thorough
def test_half_a_die_gives_way_to_a_die_that_comes_back(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """When Undo fills the space of a half-typed die, the half is forgotten, and only the whole one shows."""
    page = open_page(site, size=LAPTOP)
    send_photo(page, photo_file)
    space = page.locator('#board [data-cell="A2"]')
    space.focus()
    page.keyboard.press("Delete")
    page.keyboard.press("r")  # before the answer: the half outlasts it, as the space is empty
    said(page, "A2", "empty")
    assert space.locator(":scope > .die").count() == 1
    page.click("#undo")
    said(page, "A2", "green 4")
    assert space.locator(":scope > .die").count() == 0
    page.click("#redo")
    said(page, "A2", "empty")
    assert space.locator(":scope > .die").count() == 0


def test_doubtful_dice_are_shown_close_up_and_fit_on_a_phone(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader
) -> None:
    """Of six, four show at once and the others unfold; a close-up has the whole space in its middle."""
    names = ["A4", "B1", "B2", "C1", "D1", "D5"]
    reader.answer = answer = reading_of(RULEBOOK, doubtful=names, window="Fractal Drops")
    page = open_page(site, size=SMALL_PHONE)
    send_photo(page, photo_file)
    rows = page.locator(".doubt-row")
    assert [row.is_visible() for row in rows.all()] == [True] * 4 + [False] * 2
    page.click(".more-doubts summary")
    assert rows.nth(5).is_visible()
    assert sideways(page) <= 0
    assert too_small(page, ".doubt-row button", width=44) == []

    box = page.locator(".close-up svg").first.get_attribute("viewBox") or ""
    left, top, width, height = map(float, box.split())
    (x0, y0), _, (x2, y2), _ = answer.corners
    cell_width, cell_height = (x2 - x0) / 5, (y2 - y0) / 4
    scale = 800 / answer.size[0]
    assert left + width / 2 == pytest.approx(scale * (x0 + 3.5 * cell_width), abs=1)
    assert top + height / 2 == pytest.approx(scale * (y0 + 0.5 * cell_height), abs=1)
    assert width >= scale * cell_width
