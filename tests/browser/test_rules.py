"""What the rules say, in the browser: typing, tapping, going back, and going on without the server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.browser.conftest import LAPTOP, PHONE, OpenPage, no_violation, sideways, too_small
from tests.webapp.rule_questions import QUESTIONS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ANSWERS = "[...document.querySelectorAll('#rules-answers [data-entry]')].map((one) => one.dataset.entry)"
MORE = (
    "the",
    "d",
    "5",
    "dice",
    "color",
    "move dice",
    "rol",
    "xylophone",
    "?",
    "eglomisé Brosh",
    "tool cost twice",
)


def found(page: Page, query: str) -> list[str]:
    """Type a question, and return the keys of the answers."""
    page.locator("#rules-query").fill(query)
    keys: list[str] = page.evaluate(ANSWERS)
    return keys


@pytest.mark.parametrize("language", ["ru"])
def test_the_browser_finds_what_the_server_finds(site: str, open_page: OpenPage, language: str) -> None:
    """The script gives the same answers in the same order as the page that comes for a sent question."""
    page = open_page(f"{site}/rules", locale=language)
    for query in (*QUESTIONS[language], *MORE):
        keys = found(page, query)
        sent = page.evaluate(
            """async (address) => {
            const text = await (await fetch(address)).text();
            const there = new DOMParser().parseFromString(text, "text/html");
            return [...there.querySelectorAll("#rules-answers [data-entry]")].map((one) => one.dataset.entry);
            }""",
            f"{site}/rules?q={quote(query)}",
        )
        assert keys == sent, query


def test_a_tap_opens_a_card_and_back_closes_it(site: str, open_page: OpenPage) -> None:
    """A card opens at an address of its own, the way back closes it, and a link in it opens the next."""
    page = open_page(f"{site}/rules", size=PHONE)
    card = page.locator('[data-entry="lathekin"]')
    card.locator("summary").tap()
    page.wait_for_url("**/rules#lathekin")
    card.get_by_text("Move exactly two dice").wait_for()
    card.get_by_role("link", name="Favor tokens").tap()
    page.wait_for_url("**/rules#favor-tokens")
    page.wait_for_selector('[data-entry="lathekin"]:not([open])')  # the address changes before the page does
    assert page.locator("details[open]").get_attribute("data-entry") == "favor-tokens"
    page.go_back()
    page.wait_for_selector('[data-entry="lathekin"][open]')
    page.go_back()
    page.wait_for_selector('[data-entry="lathekin"]:not([open])')


def test_it_goes_on_without_the_network(site: str, open_page: OpenPage) -> None:
    """Once open, searching and tapping ask nobody: they work with the network cut."""
    page = open_page(f"{site}/rules", fine=("ERR_INTERNET_DISCONNECTED",))  # the icon: see below
    asked: list[str] = []
    page.context.set_offline(True)
    page.on("request", lambda request: asked.append(request.url))
    assert found(page, "what is a tie?")[0] == "tie"
    page.get_by_text("Then, who has more favor tokens left.").wait_for()
    page.get_by_role("link", name="How points are counted").click()
    page.wait_for_selector('[data-entry="scoring"][open]')
    assert found(page, "solo")[0] == "solo"
    page.locator("#rules-all").click()
    assert page.evaluate(ANSWERS) == []
    assert [one for one in asked if "icon.svg" not in one] == []  # the browser's own, at each new address
    page.context.set_offline(False)


def test_the_keyboard_alone_finds_and_opens(site: str, open_page: OpenPage) -> None:
    """After the way back to all rules comes the first answer, and Enter closes and opens it."""
    page = open_page(f"{site}/rules", size=LAPTOP)
    page.locator("#rules-query").focus()
    page.keyboard.type("lathekin")
    page.wait_for_selector('#rules-answers [data-entry="lathekin"][open]')
    page.keyboard.press("Enter")
    page.locator("#rules-all").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('details').dataset.entry") == "lathekin"
    page.keyboard.press("Enter")
    page.wait_for_selector('#rules-answers [data-entry="lathekin"]:not([open])')
    page.keyboard.press("Enter")
    page.wait_for_selector('#rules-answers [data-entry="lathekin"][open]')
    page.locator("#message").get_by_text("First answer: Lathekin").wait_for(state="attached")


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (LAPTOP, "light")], ids=["phone", "laptop"])
def test_axe_finds_nothing_and_all_can_be_touched(
    site: str, open_page: OpenPage, size: dict[str, int], scheme: str
) -> None:
    """All entries, an open card, answers and none pass axe, fit the screen, and are large enough to touch."""
    page = open_page(f"{site}/rules", size=size)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    no_violation(page, "all rules")
    page.locator('[data-entry="color-diagonals"] summary').click()
    page.wait_for_selector('[data-entry="color-diagonals"][open]')
    no_violation(page, "an open card")
    assert too_small(page, "main a, main summary, main input", width=44) == []
    assert sideways(page) == 0
    found(page, "tie")
    no_violation(page, "answers")
    found(page, "xylophone")
    no_violation(page, "no answer")
