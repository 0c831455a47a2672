"""The page of one window on a phone: few taps to the score, and nothing that it says is out of sight."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring import PublicObjective
from tests.browser.conftest import (
    PHONE,
    OpenPage,
    held_requests,
    objectives,
    send_photo,
    start_game,
    to_windows,
    wait_until,
)
from tests.browser.test_page import choose, total
from tests.browser.test_placement import add, begin
from tests.readings import reading_of
from tests.webapp.conftest import RULEBOOK, SayingReader
from webapp.workers import work

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

BARS = {"width": 390, "height": 664}  # a phone with the bars of its browser
THREE = ("Color Variety", "Deep Shades", "Color Diagonals")


IN_VIEW = """(part) => {
  const { top, bottom } = part.getBoundingClientRect();
  const bar = document.getElementById("bar").getBoundingClientRect();
  return top >= 0 && bottom <= (part.closest("#bar") ? innerHeight : bar.top);
}"""


def bottom(part: Locator) -> float:
    """Return where a part of the page ends, in pixels from the top of the page."""
    found: float = part.evaluate("one => one.getBoundingClientRect().bottom + scrollY")
    return found


def overlap(page: Page, one: str, other: str) -> bool:
    """Return whether two parts of the page lie over each other."""
    found: bool = page.evaluate(
        """([one, other]) => {
          const [a, b] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
          return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        }""",
        [one, other],
    )
    return found


def test_from_photo_to_score_in_two_taps_where_the_objectives_lie_beside(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The photo and the private objective, whose colors stand in the bar, are all that is asked for."""
    public = tuple(PublicObjective(name) for name in THREE)
    monkeypatch.setattr(work, "objectives_beside", lambda photo, reading: public)
    reader.answer = reading_of(RULEBOOK)
    page = open_page(site)
    send_photo(page, photo_file)
    page.locator("#bar [data-private=G]").tap()
    page.locator("#bar small").wait_for(state="detached")  # nothing is missing
    assert page.locator("#bar .total").is_visible()
    assert page.locator("#score .line").count() == 6


def test_from_photo_to_score_in_six_taps_and_one_screen(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """One tap opens the cards and the last of four closes them; then dice, lines and total are in view."""
    page = open_page(site)
    send_photo(page, photo_file)
    page.locator("[data-right]").first.tap()
    page.locator(".doubtful-dice").wait_for(state="detached")
    assert page.locator("#bar").inner_text().startswith("17 dice, 3 empty spaces")
    page.locator("#bar .primary").tap()
    held = held_requests(page, "**/w/*")
    for name in THREE:
        page.locator("label", has=page.locator(f'[value="{name}"]')).tap()
    color = page.locator("label", has=page.locator("[name=private][value=P]"))
    before = bottom(color)
    wait_until(page, lambda: held)
    page.unroute("**/w/*")  # lets go what it held
    for name in THREE:
        page.wait_for_selector(f".line b:text-is('{name}')")
    assert bottom(color) == before
    color.tap()
    page.locator("#objectives").wait_for(state="hidden")
    page.wait_for_selector(".line b:text('Shades of Purple')")
    assert all(name in page.locator(".chosen").inner_text() for name in (*THREE, "purple"))
    for part in ("#board", "#score", "#bar .total"):
        assert page.locator(part).evaluate(IN_VIEW), part
    page.locator("[data-sheet=objectives]").tap()  # and can be changed
    assert page.locator('label:has([value="Deep Shades"])').is_visible()


def test_dice_light_in_a_small_window_while_the_real_one_is_out_of_sight(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """A tapped line of the score or a problem shows its dice beside it, and the line how it is computed."""
    page = open_page(site)
    send_photo(page, photo_file)
    choose(page, "Deep Shades")
    line = page.locator("#score .line").first
    assert "2 pairs × 2" in line.inner_text()
    assert "min" not in line.inner_text()
    line.tap()
    assert "min(2, 3) × 2 = 4" in line.inner_text()
    page.locator(".problem-fold > summary").tap()
    page.evaluate("document.querySelector('#problems .line.problem').scrollIntoView()")
    page.locator("#problems .line.problem").first.tap()
    little = page.locator(".little")
    little.wait_for()
    assert little.get_attribute("aria-hidden") == "true"
    assert little.locator(".cell").count() == 20
    assert little.locator(".cell.lit").count() == page.locator("#board .cell.lit").count() == 1
    assert not overlap(page, ".little", "#problems .line[aria-pressed=true]")
    page.evaluate("scrollTo(0, 0)")
    little.wait_for(state="hidden")


def test_the_score_is_a_dash_until_something_counts_and_then_each_change_is_announced(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """What is missing leads there, a removal has no price yet; a screen reader hears each new score."""
    page = open_page(site)
    send_photo(page, photo_file)
    assert not page.locator(".total").count()
    assert page.locator("#arch .rose-total").text_content() == "–"
    assert "costs" not in (page.locator("#problems").text_content() or "")
    choose(page, "Deep Shades")
    total(page, 1)
    assert page.locator("#arch .rose-total").text_content() == "1"
    assert "costs" in (page.locator("#problems").text_content() or "")
    page.wait_for_selector("#message p:text-is('Score: 1')", state="attached")
    page.evaluate("document.getElementById('message').replaceChildren()")
    page.locator("#board .cell.doubtful").click()
    page.locator("#editor-likely [data-die=Y4]").click()
    page.wait_for_selector("#message p:text-is('A4: yellow 4. Score: −1')")
    assert page.locator("#message p").count() == 1
    page.wait_for_selector('#board [aria-label="A4: yellow 4"]')
    page.locator(".doubtful-dice").wait_for(state="detached")
    assert not page.locator("#editor").is_visible()
    page.evaluate("document.getElementById('message').replaceChildren()")
    page.get_by_role("button", name="One token more").click()
    page.wait_for_selector("#message p:text-is('Score: 0')", state="attached")
    page.evaluate("document.getElementById('message').replaceChildren()")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("#window").select_option("unknown", force=True)
    page.wait_for_selector(".fine")
    assert page.locator("#message p").count() == 0


def test_the_dice_to_add_cover_neither_window_nor_verdict(site: str, open_page: OpenPage) -> None:
    """On a phone the open picker stands in its place, with window and answer free below it."""
    page = begin(open_page, site, "A1 R3", size=PHONE)
    page.locator("#add-dice").click()
    add(page, "R5")
    for part in ("#board", "#verdict"):
        page.locator(part).scroll_into_view_if_needed()
        assert page.locator("#picker").is_visible()
        assert not overlap(page, "#picker", part)


def test_the_photo_button_is_in_view_and_messages_cover_nothing(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """A small phone shows the whole button that chooses a photo, no message is over menu or score."""
    page = open_page(site, locale="ru")
    page.set_viewport_size({"width": BARS["width"], "height": BARS["height"]})
    assert bottom(page.locator(".pick .button:visible").first) <= BARS["height"]
    send_photo(page, photo_file)
    for y in (0, 700):
        page.evaluate("y => scrollTo(0, y)", y)
        page.evaluate(
            "import('/static/words.js').then(({ tell, words }) => tell(words.three, { bad: true }))"
        )
        page.wait_for_selector("#message p.bad")
        assert not overlap(page, "#message p", ".looks")
        assert not overlap(page, "#message p", "#bar")
        assert page.locator("#message p").evaluate("p => p.getBoundingClientRect().top") >= 0


def test_the_points_of_another_card_are_asked_for_where_they_are_typed(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """A page that was opened before the host chose that card gets its field, which takes no 100 points."""
    page = open_page(site)
    start_game(page)
    to_windows(page)
    game = page.url
    send_photo(page, photo_file)
    page.locator("[data-right]").first.tap()
    told = {"revision": page.request.get(f"{game}.json").json()["revision"], "other_card": True}
    assert page.request.post(f"{game}/cards", data={**told, "public": ["Light Shades"]}).ok
    with objectives(page):
        page.locator("#objectives label", has=page.locator("[value=P]")).first.tap()
    page.locator("#bar [href='#other-points']").tap()
    points = page.locator("#objectives [name=other_points]")
    assert points.evaluate("one => one === document.activeElement")
    points.fill("100")
    page.locator("#objectives label", has=page.locator("[value=R]")).first.tap()
    page.locator("[name=private][value=R]:checked").wait_for(state="attached")
    assert page.locator("#objectives").is_visible()
    page.locator("#objectives [data-close]").tap()
    wait_until(page, lambda: points.input_value() == "")
    page.locator("#bar [href='#other-points']").tap()
    points.fill("9")
    page.locator("#objectives [data-close]").tap()
    page.locator("#score").get_by_text("Other cards").wait_for()


def test_a_player_is_ready_from_the_window_and_the_color_is_covered_again(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader
) -> None:
    """After a photo the page asks for the private objective, covers it, and its main button leads back."""
    page = open_page(site)
    start_game(page)
    to_windows(page)
    send_photo(page, photo_file)
    ready = page.get_by_role("button", name="I am ready")
    assert ready.count() == 0
    page.locator("[data-right]").first.tap()
    page.locator("#bar [href='#private']").click()  # the cards of the expansion are there, too
    assert page.evaluate("document.activeElement.name") == "private"
    page.locator("#objectives [data-close]").tap()
    page.locator("#bar [data-private=P]").tap()
    ready.wait_for()
    assert not page.locator("[name=private][value=P]").is_visible()
    ready.click()
    page.wait_for_url("**/g/*")
    page.get_by_text("Everybody is ready.").wait_for()
