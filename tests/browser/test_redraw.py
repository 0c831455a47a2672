"""A press that lasts while an answer of the server comes in: neither lost nor given to another thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring import Color
from tests.browser.conftest import (
    LAPTOP,
    OpenPage,
    held_requests,
    label,
    send_photo,
    start_game,
    to_windows,
    wait_until,
)
from tests.browser.test_correcting import said
from tests.browser.test_game_night import sit_down
from tests.browser.test_placement import add, begin, die_on
from tests.readings import reading_of
from tests.webapp.conftest import RULEBOOK, SayingReader
from vision.reading import Alternative

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


CHANGES = "**/w/*"
"""Where changes of a window are sent, and its page is looked at."""


def held_answers(page: Page, address: str) -> Callable[[], None]:
    """Hold the next thing that the page sends to ``address``, and return what lets it go."""
    held = held_requests(page, address, method="POST" if address == CHANGES else "GET")

    def let_go() -> None:
        wait_until(page, lambda: held)
        held.pop().continue_()
        page.unroute(address)

    return let_go


def press(page: Page, place: Locator) -> None:
    """Put the pointer's button down on the middle of a place."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()


def lift(page: Page, place: Locator) -> None:
    """Let the pointer's button go over a place, wherever that is by now."""
    box = place.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.up()


def test_a_press_on_a_window_goes_to_what_was_pressed(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader
) -> None:
    """An answer before the button is up takes no press from a space, and gives none to another doubt."""
    doubted = reading_of(RULEBOOK, doubtful=["A4", "B1"])
    other = (Alternative(Color.YELLOW, 4, 0.3),)
    cells = [replace(cell, alternatives=other) if cell.doubtful else cell for cell in doubted.cells]
    reader.answer = replace(doubted, cells=tuple(cells))
    page = open_page(site, size=LAPTOP)
    send_photo(page, photo_file)
    let_go = held_answers(page, CHANGES)
    page.locator('#board [data-cell="A4"]').focus()
    page.keyboard.press("3")
    press(page, page.get_by_role("button", name="A4: yellow 4 instead"))
    let_go()
    said(page, "A4", "yellow 3")
    lift(page, page.get_by_role("button", name="B1: yellow 4 instead"))
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector('#board [aria-label^="A4: yellow 5"]')
    assert label(page, "B1") == "B1: red 3, doubtful"

    let_go = held_answers(page, CHANGES)
    page.locator('#board [data-cell="B1"]').focus()
    page.keyboard.press("6")
    press(page, page.locator("#board [data-cell=C3]"))
    let_go()
    said(page, "B1", "red 6")
    page.mouse.up()
    page.wait_for_selector("#editor[open]")
    assert page.locator("#editor-title").inner_text().startswith("C3:")


def test_a_press_on_the_placement_page_goes_to_what_was_pressed(site: str, open_page: OpenPage) -> None:
    """An answer meanwhile takes no press from a space or a die of the pool, and no other die is placed."""
    page = begin(open_page, site, "A1 R3", size=LAPTOP)
    add(page, "G5")
    let_go = held_answers(page, "**/place?*")
    page.locator("[name=tool]").first.check(force=True)
    press(page, page.locator("#board [data-cell=B1]"))
    let_go()
    page.wait_for_function("() => location.search.includes('tool=')")
    page.mouse.up()
    die_on(page, "B1", "G5")

    add(page, "R5", "G4")
    other = page.locator(".pool-die[data-die=R5]")
    before = other.get_attribute("aria-label")
    let_go = held_answers(page, "**/place?*")
    with page.expect_request("**/place?*"):
        page.locator("#board [data-cell=A1]").press("Delete")
    press(page, other)
    let_go()
    page.wait_for_function(
        "label => document.querySelector('.pool-die[data-die=R5]').ariaLabel !== label", arg=before
    )
    lift(page, other)
    page.wait_for_selector(".pool-die[data-die=R5][aria-pressed=true]")

    press(page, page.locator("#board [data-cell=A2]"))
    page.evaluate("document.querySelector('.pool-die[data-die=G4]').click()")  # as an answer could do it
    page.wait_for_selector(".pool-die[data-die=G4][aria-pressed=true]")
    page.mouse.up()
    page.wait_for_timeout(200)  # time enough to place it
    assert page.locator(".pool-die").count() == 2
    die_on(page, "A2", None)
    page.locator("#board [data-cell=A2]").click()
    die_on(page, "A2", "G4")


def test_an_open_list_stays_open_when_another_die_is_picked(site: str, open_page: OpenPage) -> None:
    """Why a die may not go elsewhere stays to be read, whether or not there is a space where it may."""
    page = begin(open_page, site, "A1 R3", "A2 G5", "B1 Y5", "B2 R1", size=LAPTOP)
    add(page, "G5", "R3")
    for number, die in enumerate(("G5", "R3", "G5")):
        page.locator(f".pool-die[data-die={die}]").click()
        page.wait_for_selector(f".pool-die[data-die={die}][aria-pressed=true]")
        if number == 0:
            page.locator(".all-why > summary").click()
        assert page.locator(".all-why").evaluate("list => list.open")


def test_a_tap_at_the_table_outlasts_what_others_do(site: str, open_page: OpenPage) -> None:
    """A button pressed while its part is drawn anew does what it says, and a box that was ticked stays so."""
    host = open_page(site, size=LAPTOP)
    start_game(host)
    to_windows(host, tools=("Lathekin",))
    host.locator("#more > summary").click()
    host.locator("summary", has_text="Remove players").click()
    host.get_by_label("Delete all windows and photos of this game for good").check()
    press(host, host.get_by_role("button", name="One token more"))
    guest = open_page(host.url)
    sit_down(guest, "Ben")
    host.locator(".player", has_text="Ben").wait_for()
    assert host.request.post(f"{host.url}/seats/1", data={"name": "Zoe"}).ok  # from another tab
    host.get_by_role("heading", name="Zoe", exact=True).wait_for()
    lift(host, host.get_by_role("button", name="One token more"))
    host.wait_for_selector('input[name=favor_tokens][value="1"]')
    host.get_by_role("button", name="Remove Ben").wait_for()
    assert host.get_by_label("Delete all windows and photos of this game for good").is_checked()


def test_a_press_lasts_where_the_browser_gives_it_no_focus(site: str, open_page: OpenPage) -> None:
    """Not every browser focuses a button that is pressed; a list drawn above it takes nothing away."""
    page = open_page(site, size=LAPTOP)
    below = "<details id=more><summary>More</summary></details>\n<button type=button>Press</button>\n"
    page.evaluate(
        """async (html) => {
            window.redraw = await import("/static/redraw.js");
            window.place = document.getElementById("main");
            place.innerHTML = html;
            place.addEventListener("click", ({ target }) => { place.dataset.clicked = target.textContent; });
        }""",
        f"<h2>A</h2>\n{below}",
    )
    button = page.get_by_role("button", name="Press")
    press(page, button)
    page.evaluate(
        """(html) => {
            document.activeElement.blur();
            const fresh = place.cloneNode(false);
            fresh.innerHTML = html;
            redraw.become(place, fresh);
        }""",
        f"<h2>A</h2>\n<ul>\n<li><button>B</button></li>\n</ul>\n<p>C</p>\n{below}",
    )
    lift(page, button)
    page.wait_for_selector("#main[data-clicked=Press]")


ABOVE = """() => {
  const html = "<details open id=above><summary>Above</summary><div></div></details>";
  document.querySelector("main").insertAdjacentHTML("afterbegin", html);
  document.querySelector("#above div").style.height = "180px";
}"""
NOTE_THE_ASKING = """() => document.addEventListener("click", (event) => {
  if (!event.target.matches("input[type=file]")) return;
  event.preventDefault(); // no dialog of the system
  window.asked = true;
}, true)"""
FOLD = "document.getElementById('above').open = false"


def pressed_through(page: Page, button: Locator, news: Callable[[], None]) -> None:
    """Press a button and let go where it was 150 ms ago: a section above it closed, and news came in."""
    page.evaluate(ABOVE)
    press(page, button)
    page.evaluate(FOLD)
    news()
    page.wait_for_timeout(150)
    page.mouse.up()


def test_every_main_button_of_a_game_night_counts_while_the_page_changes(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader
) -> None:
    """From the first button to the reveal none is lost to a section that closes or to what others do."""
    reader.answer = reading_of(RULEBOOK)
    host = open_page(site, size=LAPTOP)
    start_game(host)
    game = host.url
    guest = open_page(game)
    sit_down(guest, "Ben")
    seat = next(one["seat"] for one in guest.request.get(f"{game}.json").json()["players"] if one["own"])
    names = iter("CDEFGHIJK")

    def news(page: Page = host) -> None:
        name = next(names)
        assert guest.request.post(f"{game}/seats/{seat}", data={"name": name}).ok
        page.locator(f".player b:text-is('{name}')").wait_for()

    def button(name: str, page: Page = host) -> Locator:
        return page.get_by_role("button", name=name).first

    host.locator(".player", has_text="Ben").wait_for()
    pressed_through(host, button("We are all here"), news)
    host.wait_for_selector("#step-cards[open]")
    pressed_through(host, button("Deal at random"), news)
    host.wait_for_selector("#step-windows[open]")
    host.locator("#step-deal > summary").click()
    pressed_through(host, button("Begin round 1"), news)
    host.wait_for_selector(".round")
    pressed_through(host, button("Next turn"), news)
    host.wait_for_selector(".round [name=seen][value='2']", state="attached")
    host.evaluate(NOTE_THE_ASKING)
    pressed_through(host, host.locator(".window-form .choose"), news)
    host.wait_for_function("() => window.asked")
    host.locator(".window-form .choose input").set_input_files(photo_file)
    host.wait_for_url("**/w/*")
    host.goto(game)
    pressed_through(host, host.get_by_role("link", name="Open this window"), news)
    host.wait_for_url("**/w/*")
    host.goto(game)
    host.locator(".secret > summary").click()
    host.locator("label", has=host.locator("[name=private][value=R]")).click()
    host.locator(".secret:not([open])").wait_for()
    pressed_through(host, button("I am ready"), news)
    host.get_by_text("You are ready.").wait_for()
    pressed_through(host, button("Reveal without"), news)
    # The form leads there, and so does the news that all is revealed: one of the two is given up.
    wait_until(host, lambda: host.url.endswith("/reveal"))
    host.locator(".again summary").click()
    pressed_through(host, button("Same cards"), lambda: None)
    host.wait_for_url(lambda url: url.startswith(f"{site}/g/") and "/reveal" not in url and url != game)
    host.wait_for_selector("#table")


def test_the_next_step_of_a_window_counts_while_the_page_changes(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """The button beside the score does what it says though a section closes and an answer comes in."""
    page = open_page(site)
    send_photo(page, photo_file)
    page.locator("[data-right]").first.click()
    page.locator("#bar [href='#objectives']").wait_for()
    let_go = held_answers(page, CHANGES)
    page.locator("#board [data-cell=B1]").press("6")
    pressed_through(page, page.locator("#bar .button"), let_go)
    page.wait_for_selector("#objectives[open]")


def test_a_choice_stays_while_the_answer_to_an_earlier_one_comes_in(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """Three objectives ticked on a slow network stay ticked, whichever answers are here, and all count."""
    page = open_page(site)
    send_photo(page, photo_file)
    held = held_requests(page, CHANGES)
    page.locator("[data-sheet=objectives]").click()
    boxes = [page.locator(f'input[value="{name}"]') for name in ("Color Variety", "Deep Shades")]
    for box in boxes:
        box.check(force=True)
    wait_until(page, lambda: held)
    held.pop().continue_()  # the first choice is answered, the second one then waits
    wait_until(page, lambda: held)
    assert all(box.is_checked() for box in boxes)
    page.locator('input[value="Row Color Variety"]').check(force=True)
    held.pop().continue_()
    wait_until(page, lambda: held)
    held.pop().continue_()
    page.locator("#score .line").nth(4).wait_for()
    assert page.locator("[name=public]:checked").count() == 3
