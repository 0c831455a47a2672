from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring.sentences import sentence
from tests.browser.conftest import (
    LAPTOP,
    NO_ANSWER,
    PHONE,
    SMALL_PHONE,
    OpenPage,
    label,
    more,
    objectives,
    send_photo,
    sideways,
    too_small,
)
from tests.readings import reading_of
from tests.webapp.conftest import SayingReader
from vision import BoardNotFoundError, BoardUnreadableError

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

REFUSED = ("422", "409", "413")  # Chromium notes an error answer in the console; these are expected
TARGETS = ":is(button, a, select, summary, [role=gridcell], label):not(p *, .skip)"
# How far the word reaches out of the inside of its chip, in CSS pixels.
OVERHANG = """(chip) => {
  const range = document.createRange();
  range.selectNodeContents(chip);
  const word = range.getBoundingClientRect();
  const box = chip.getBoundingClientRect();
  return Math.max(box.left + chip.clientLeft - word.left, word.right - box.right + chip.clientLeft);
}"""


def choose(page: Page, *public: str, private: str = "") -> None:
    """Choose public objectives and a private color."""
    with objectives(page):
        for name in public:
            page.locator(f'input[value="{name}"]').check(force=True)
            page.wait_for_selector(f'.chosen span:text-is("{name}")')
        if private:
            page.locator(f"input[name=private][value={private}]").check(force=True)
            page.wait_for_selector(".chosen .die")


def total(page: Page, wanted: int) -> None:
    """Wait until the page shows this total."""
    page.wait_for_selector(f'[data-total="{wanted}"]', state="attached")  # a phone hides it below the editor


def test_a_sample_photo_is_read_scored_and_put_right(
    real_site: str, open_page: OpenPage, project_root: Path
) -> None:
    """The whole road: upload, score, a wrong die put right, other points, and a reload keeps it all."""
    page = open_page(real_site, size=PHONE)
    send_photo(page, project_root / "sample_images" / "easy_daylight.jpg")
    assert page.locator("#board [data-cell]").count() == 20
    assert page.locator("#overlay [data-cell]").count() == 20
    assert label(page, "A1").startswith("A1: purple 2")
    choose(page, "Light Shades", "Medium Shades", "Color Diagonals", private="P")
    before = int(page.locator(".total").get_attribute("data-total") or "")
    page.locator("#board [data-cell=A1]").click()
    page.locator('#editor-values [data-sign="6"]').click()
    page.wait_for_selector('#board [aria-label="A1: purple 6"]')
    after = before + (6 - 2) - 2  # more for the private objective, and a pair of 1 and 2 less
    total(page, after)
    page.reload()
    total(page, after)
    assert label(page, "A1") == "A1: purple 6"


def test_an_empty_space_takes_color_and_value_in_any_order(site: str, open_page: OpenPage) -> None:
    """By hand a die is two keys or two taps, and the choices go on to the next empty space."""
    page = open_page(site)
    with page.expect_navigation():  # until its script is there: an earlier tap would be lost
        page.get_by_role("button", name="Enter the dice by hand").click()
    choose(page, "Light Shades")
    page.locator("#board [data-cell=A1]").click()
    page.locator("#editor-colors [data-sign=G]").click()
    page.locator('#editor-values [data-sign="3"]').click()
    page.wait_for_selector('#board [aria-label="A1: green 3"]')
    assert page.locator("#editor-title").inner_text() == "A2: empty"
    page.locator('#editor-values [data-sign="5"]').click()
    page.locator("#editor-colors [data-sign=R]").click()
    page.wait_for_selector('#board [aria-label="A2: red 5"]')
    total(page, -18)


def test_photo_window_and_score_show_the_same_dice(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """A line of the score lights its dice in window and photo, a tap opens one there, and one turns both."""
    page = open_page(site, size=LAPTOP)
    send_photo(page, photo_file)
    choose(page, "Light Shades")
    more(page)
    page.locator(".score .line").first.click()
    lit = page.locator("#board .cell.lit").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
    on_photo = page.locator("#overlay .lit").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
    assert lit == on_photo
    assert len(lit) == 4
    page.keyboard.press("Escape")
    page.mouse.move(5, 5)
    page.locator("#board [data-cell=A1]").focus()
    assert page.locator(".lit").count() == 0
    page.locator("#overlay [data-cell=B2] .spot-line").click()
    assert page.locator("#editor-title").inner_text() == "B2: blue 1"
    page.keyboard.press("Escape")
    page.locator("#turn").click()
    page.wait_for_selector('#board [aria-label="D2: yellow 5, doubtful"]')
    assert "rotate(180" in (page.locator("#photo-turn").get_attribute("transform") or "")


def test_a_photo_without_a_window_leads_on(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader
) -> None:
    """The reason is told; corners that fail say why; good corners give a window."""
    reader.answer = BoardNotFoundError(
        "board_not_found", sentence("No window was found."), sentence("Go closer.")
    )
    page = open_page(site, fine=REFUSED)
    send_photo(page, photo_file)
    assert "No Sagrada window" in page.locator(".notice.bad").inner_text()
    page.locator("#unread-corners").click()
    corner = page.locator(".handle").first
    reader.answer = BoardUnreadableError(
        "bad_corners", sentence("These make no window."), sentence("Put them elsewhere.")
    )
    page.locator("#read-corners").click()
    page.wait_for_selector("#corners-problem [data-code=bad_corners]")
    corner.focus()
    for key in ("ArrowRight", "ArrowDown", "Shift+ArrowDown"):
        page.keyboard.press(key)
    page.locator(".handle").nth(3).focus()
    for _ in range(8):
        page.keyboard.press("Shift+ArrowLeft")
    box = page.locator(".handle").nth(2).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 24, box["y"] + 24)
    page.mouse.down()
    page.mouse.move(box["x"] + 44, box["y"] + 34)
    page.mouse.up()
    reader.answer = SayingReader().answer
    page.locator("#read-corners").click()
    page.wait_for_selector("#board")
    assert reader.corners is not None
    (x0, y0), _, (x2, y2), (x3, _) = reader.corners
    assert x0 > 0.2 * 800
    assert y0 > 0.2 * 600
    assert x2 > 0.8 * 800
    assert x3 < 0  # in a close photo a corner may lie outside the picture
    assert y2 > 0.8 * 600
    assert label(page, "A2") == "A2: green 4"


def test_a_change_that_does_not_arrive_is_told(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """While the computer is away no die and no step is lost; what another tab changed is not overwritten."""
    page = open_page(site, fine=(*REFUSED, *NO_ANSWER))
    send_photo(page, photo_file)
    page.route("**/w/*", lambda route: route.abort())
    page.locator("#board [data-cell=B2]").focus()
    page.keyboard.press("6")
    page.wait_for_selector("#message .bad")
    assert label(page, "B2") == "B2: blue 1"
    page.locator("#undo:disabled").wait_for(state="attached")
    page.unroute("**/w/*")
    page.keyboard.press("5")
    page.wait_for_selector('#board [aria-label="B2: blue 5"]')
    page.evaluate("document.getElementById('message').replaceChildren()")
    page.route("**/w/*", lambda route: route.abort())
    page.locator("#undo").click()
    page.wait_for_selector("#message .bad")
    assert page.locator("#undo").is_enabled()
    assert page.locator("#redo").is_disabled()
    page.unroute("**/w/*")
    page.locator("#undo").click()
    page.wait_for_selector('#board [aria-label="B2: blue 1"]')

    other = page.context.new_page()
    other.goto(page.url)
    changed = []

    def stay_behind(route: Route) -> None:
        """Keep the other tab from looking for news until it has sent its own change."""
        if route.request.method != "GET":
            changed.append(route)
        if changed:
            route.continue_()
        else:
            route.abort()

    other.route("**/w/*", stay_behind)
    page.locator("#board [data-cell=A1]").focus()
    page.keyboard.press("r")
    page.keyboard.press("1")
    page.wait_for_selector('#board [aria-label="A1: red 1"]')
    other.locator("#board [data-cell=A1]").focus()
    other.keyboard.press("b")
    other.keyboard.press("2")
    other.wait_for_selector('#board [aria-label="A1: red 1"]')
    # Still there after the newest state has come: nothing may be said over it.
    assert other.locator("#message .bad").is_visible()


def test_undo_brings_back_doubt_and_corners(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader
) -> None:
    """Undo goes back over a reading with other corners and over a changed die, doubt included."""
    page = open_page(site)
    send_photo(page, photo_file)
    page.locator("#board [data-cell=A4]").focus()
    page.keyboard.press("4")
    page.wait_for_selector('#board [aria-label="A4: yellow 4"]')
    reader.answer = reading_of(doubtful=["B1"])
    more(page)
    page.get_by_role("button", name="Corners").click()
    page.locator("#read-corners").click()
    page.wait_for_selector('#board [aria-label="B1: purple 2, doubtful"]')
    page.locator("#undo").click()
    page.wait_for_selector('#board [aria-label="A4: yellow 4"]')
    page.locator("#undo").click()
    page.wait_for_selector('#board [aria-label="A4: yellow 5, doubtful"]')
    assert page.locator("#undo").is_disabled()


def test_without_scripts_the_whole_road_is_open(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """Upload, choices, corrections and the picture to save work with plain forms when scripts are off."""
    page = open_page(site, scripts=False)
    form = page.locator("#upload").bounding_box()
    assert form is not None
    assert form["width"] <= PHONE["width"] - 32
    page.locator("input[type=file]").last.set_input_files(photo_file)
    page.get_by_role("button", name="Read this photo").click()
    assert label(page, "A4") == "A4: yellow 5, doubtful"
    page.locator('input[value="Deep Shades"]').check(force=True)
    more(page)
    page.locator(".as-text summary").click()
    text = page.locator("#board-text")
    text.fill(text.input_value().replace("Y5", "Y4"))
    page.locator("#game").get_by_role("button", name="Save", exact=True).click()
    assert label(page, "A4") == "A4: yellow 4"
    assert page.locator(".total").get_attribute("data-total") == "-1"
    more(page)
    page.locator("#share summary").click()
    assert page.get_by_role("button", name="Save as PNG").count() == 0
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save as SVG").click()
    assert waiting.value.path().read_text(encoding="utf-8").startswith("<svg")


def test_the_page_fits_in_the_browsers_language_and_in_another(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """Page and scripts speak Russian on a small phone, and English for good once it is chosen; both fit."""
    page = open_page(site, size=SMALL_PHONE, locale="ru")
    assert "Сколько очков в вашем витраже" in page.locator("h1").inner_text()
    assert sideways(page) <= 0
    send_photo(page, photo_file)
    with objectives(page):
        for name in ("Color Variety", "Shade Variety", "Column Shade Variety"):
            with page.expect_response(lambda answer: answer.request.method == "POST"):
                page.locator(f'input[value="{name}"]').check(force=True)
        assert too_small(page, f"#objectives {TARGETS}", width=38) == []
        assert sideways(page) <= 0
    page.locator("#score .line").nth(4).wait_for()
    page.locator("#board [data-cell=A1]").focus()
    page.keyboard.press("r")
    page.wait_for_selector("#message p")
    assert "Now" not in page.locator("#message").inner_text()
    fits(page)
    page.locator(".looks > summary").click()
    page.locator(".languages [lang=en]").click()
    page.wait_for_selector("html[lang=en]")
    page.reload()
    assert page.locator("html").get_attribute("lang") == "en"
    page.set_viewport_size(LAPTOP)  # type: ignore[arg-type]
    fits(page)


def fits(page: Page) -> None:
    """Hold that with all unfolded nothing is wider than screen or chip, or too small for a finger."""
    more(page)
    page.locator("#share summary").click()
    page.wait_for_selector("#share-image[src^=blob]")
    assert sideways(page) <= 0
    page.locator("#board .cell.doubtful").click()
    assert page.locator("#editor-likely .open-die").evaluate(OVERHANG) < 0.5  # below that it is rounding
    assert page.locator("#editor").evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert too_small(page, TARGETS, width=38) == []
    page.keyboard.press("Escape")
