from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import LAPTOP, SMALL_PHONE, OpenPage, more, no_violation, sideways, too_small
from tests.readings import table_of
from tests.webapp.conftest import SayingTable, rulebook_reading

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

LEGAL = '#board [data-verdict="may"]'


def begin(
    open_page: OpenPage,
    site: str,
    *dice: str,
    size: dict[str, int] = LAPTOP,
    fine: tuple[str, ...] = (),
) -> Page:
    """Open the placement page of a window with dice such as ``"A1 R3"``."""
    return open_page(made(site, *dice), size=size, fine=fine)


def made(site: str, *dice: str) -> str:
    """Store a window with dice such as ``"A1 R3"`` and return the address of its placement page."""
    with urlopen(Request(f"{site}/place", data=b"")) as answer:
        address: str = answer.url
    lying = dict(one.split() for one in dice)
    board = " / ".join(
        " ".join(lying.get(f"{row}{column}", "--") for column in range(1, 6)) for row in "ABCD"
    )
    form = urlencode({"revision": 1, "window": "unknown", "board": board}).encode()
    urlopen(Request(address.removesuffix("/place"), data=form)).close()
    return address


def add(page: Page, *dice: str) -> None:
    """Put dice such as ``"R4"`` into the draft pool."""
    for number, die in enumerate(dice, start=page.locator(".pool-die").count() + 1):
        page.locator(f'#picker [value="{die}"]').click()
        page.wait_for_selector(f".pool-dice li:nth-child({number})")


def legal(page: Page) -> list[str]:
    """Return the spaces that are marked as legal."""
    names: list[str] = page.locator(LEGAL).evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
    return names


def die_on(page: Page, cell: str, die: str | None) -> None:
    """Wait until a space shows a die, or none."""
    content = (
        f':has(use[href="#glass-{die[0]}"]):has(use[href="#pips-{die[1]}"])' if die else ":not(:has(.die-in))"
    )
    page.wait_for_selector(f"#board [data-cell={cell}]{content}")


def test_a_picked_die_shows_where_it_may_go_and_a_tap_places_it(site: str, open_page: OpenPage) -> None:
    """Other spaces say why not; Undo, Redo, a reload and a look at the score keep window, pool and cards."""
    page = begin(open_page, site, "A1 R3")
    add(page, "B4", "R5")
    page.wait_for_selector("#message p:text('Red 5 may go on 1 space.')", state="attached")
    assert page.locator("[role=status], [aria-live]:not([role=status])").count() == 1
    assert page.locator("#verdict h2 span").inner_text() == "Red 5 may go on 1 space."
    assert legal(page) == ["B2"]
    assert page.locator(f"{LEGAL} .place-sign.may").count() == 1
    page.locator("#board [data-cell=A2]").click()
    assert "A1, A2: two dice of the same color (red) side by side." in page.locator("#why").inner_text()
    assert "Dice that share a side must differ in color." in page.locator("#why").inner_text()
    page.locator("#board [data-cell=D5]").click()
    assert "D5: touches no die, not even by a corner." in page.locator("#why").inner_text()
    page.locator("#why button").click()
    assert page.locator("#editor-title").inner_text() == "D5: empty"
    page.keyboard.press("Escape")

    page.locator("#board [data-cell=B2]").click()
    die_on(page, "B2", "R5")
    page.wait_for_selector('.pool-dice:not(:has([data-die="R5"]))')
    assert legal(page) == []
    page.locator("#undo").click()
    die_on(page, "B2", None)
    page.wait_for_selector('.pool-die[data-die="R5"][aria-pressed=true]')
    page.locator("#redo").click()
    die_on(page, "B2", "R5")
    page.wait_for_selector('.pool-dice:not(:has([data-die="R5"]))')
    page.reload()
    die_on(page, "B2", "R5")
    page.locator("label:has([value='Lathekin'])").click()
    page.wait_for_url("**tool=Lathekin**")
    page.locator(".to-score").click()
    page.wait_for_url("**/w/*")
    more(page)
    page.get_by_role("link", name="Where may this die go?").click()
    page.wait_for_selector(".pool-die")
    assert page.locator(".pool-die").evaluate_all("dice => dice.map(die => die.dataset.die)") == ["B4"]
    assert page.locator("[value='Lathekin']").is_checked()


def test_a_die_is_checked_and_placed_with_the_keyboard_alone(site: str, open_page: OpenPage) -> None:
    """Letters, digits, arrows and Enter pick a die, read the reasons and place it; the focus stays."""
    page = begin(open_page, site, "A1 R3")
    page.locator("#picker-dice button").first.focus()
    for key in ("b", "4", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.value") == "B5"
    page.keyboard.press("Enter")
    page.wait_for_selector('.pool-die[data-die="B5"][aria-pressed=true]')
    assert page.evaluate("document.activeElement.value") == "B5"
    page.locator("#board [tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.cell") == "B3"
    spoken = page.locator("#board [data-cell=B3]").get_attribute("aria-label")
    assert spoken == "B3: not here. B3: touches no die, not even by a corner."
    assert page.locator("#why").is_visible()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#board [data-cell=B2]").get_attribute("aria-label") == "B2: may go here."
    page.keyboard.press("Enter")
    die_on(page, "B2", "B5")
    page.wait_for_selector(".pool-dice", state="detached")
    assert page.evaluate("document.activeElement.dataset.cell") == "B2"
    page.keyboard.press("Control+z")
    die_on(page, "B2", None)


@pytest.mark.thorough
def test_a_refusal_stays_while_the_pool_is_put_right(site: str, open_page: OpenPage) -> None:
    """Why a die could not be placed stays on the line, although the number of spaces is told after it."""
    page = begin(open_page, site, "A1 R3", fine=("409",))
    add(page, "R5")
    problem = {"code": "conflict", "message": "Too late.", "next_step": "Look again."}
    page.route(
        "**/w/*",
        lambda route: (
            route.fulfill(status=409, json={"error": problem})
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    with page.expect_response("**/place?*pick=R5*"):  # the die goes back into the pool
        page.locator("#board [data-cell=B2]").click()
    page.wait_for_selector('.pool-die[data-die="R5"]')
    page.wait_for_selector("#message .sr:text('Red 5 may go on 1 space.')", state="attached")
    assert page.locator("#message .bad").inner_text() == "Too late. Look again."


@pytest.mark.thorough
def test_a_click_without_a_pointer_places_the_die_that_was_picked(site: str, open_page: OpenPage) -> None:
    """After a die was picked with a finger, a click as assistive tools send it places it."""
    page = begin(open_page, site, "A1 R3")
    add(page, "R5", "B4")
    page.locator('.pool-die[data-die="R5"]').click()
    page.wait_for_selector('.pool-die[data-die="R5"][aria-pressed=true]')
    page.locator("#board [data-cell=B2]").evaluate("cell => cell.click()")
    die_on(page, "B2", "R5")
    page.locator("#undo").click()
    page.wait_for_selector('.pool-die[data-die="R5"][aria-pressed=true]')
    page.locator('.pool-die[data-die="B4"]').click()
    page.wait_for_selector('.pool-die[data-die="B4"][aria-pressed=true]')
    page.locator("[name=cell][value=B1]").evaluate("button => button.click()")
    die_on(page, "B1", "B4")


def test_a_die_can_be_taken_up_and_moved(site: str, open_page: OpenPage) -> None:
    """It lies in the hand then, and a tool that places only drafted dice opens no space for it."""
    page = begin(open_page, site, "A1 R3", "A2 B4")
    page.locator("label:has([value='Cork-backed Straightedge'])").click()
    page.wait_for_url("**tool=**")  # the window is drawn anew by then
    page.locator("#board [data-cell=A2]").click()
    page.locator("#pick-up").click()
    page.wait_for_selector('.pool-die[data-die="B4"][aria-pressed=true]')
    die_on(page, "A2", None)
    page.wait_for_selector("#board [data-cell=B2] .place-sign.may")
    assert page.locator("#board .place-sign.tool").count() == 0
    page.locator("#undo").click()
    die_on(page, "A2", "B4")
    page.wait_for_selector(".pool-dice", state="detached")


def test_a_photo_leads_to_the_placement_page(
    site: str, open_page: OpenPage, photo_file: Path, table_reader: SayingTable
) -> None:
    """From the start page the third way in takes a photo and shows its window, with what is in doubt."""
    table_reader.answer = table_of(rulebook_reading())
    page = open_page(site)
    page.get_by_role("link", name="Where may this die go?").click()
    page.wait_for_url("**/place")
    page.locator("input[type=file]").last.set_input_files(photo_file)
    page.wait_for_url("**/w/*/place?*")
    die_on(page, "A2", "G4")
    page.locator("[data-instead=A4]").first.click()
    die_on(page, "A4", "Y4")
    page.wait_for_selector("#doubts:not(:has(*))", state="attached")


@pytest.mark.thorough
def test_the_pages_are_well_made(site: str, open_page: OpenPage) -> None:
    """With pool, reasons, problems, tools and picker axe finds nothing, all fits, and fingers hit all."""
    page = open_page(f"{site}/place", size=SMALL_PHONE, locale="ru-RU")
    no_violation(page, "the ways in", dark=True)
    pool = "&".join(f"die={die}" for die in ("R1", "R2", "Y3", "Y4", "G5", "G6", "B1", "B2", "P3"))
    page.goto(f"{made(site, 'A1 R3', 'A2 R4')}?{pool}&pick=R1&tool=Eglomise+Brush")
    page.locator("#board [data-cell=B1]").click()
    page.wait_for_selector("#why:not([hidden])")
    page.locator(".all-why summary").click()
    page.locator(".problem-fold > summary").click()
    page.wait_for_selector(".line.problem")
    no_violation(page, "a die that may not go there", dark=True)
    page.locator("#add-dice").click()
    for size in (SMALL_PHONE, LAPTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.locator("#picker").is_visible()
        assert sideways(page) <= 0
        assert too_small(page, ".placing main :is(button, summary, select, label.switch, a)", width=44) == []
