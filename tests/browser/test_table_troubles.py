"""What goes wrong at the table in one browser: names, refusals, a server that is away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import NO_ANSWER, OpenPage, no_violation, start_game, to_windows, wait_until
from tests.browser.test_table import table_of_ann

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


def code_of(page: Page) -> str:
    """Return the code of the game."""
    return page.locator(".code b").inner_text()


def test_the_host_follows_after_a_name_clash(site: str, open_page: OpenPage) -> None:
    """The page keeps the name, says why beside it, shows who joins; after a reload another name is seated."""
    ann = open_page(site, fine=("400",))
    start_game(ann)
    code = code_of(ann)
    ann.locator(".without-phone summary").click()
    ann.locator("#add-name").fill("ann")
    ann.get_by_role("button", name="Add", exact=True).click()
    ann.locator(".joining #problem").wait_for()
    assert ann.locator("#add-name").input_value() == "ann"
    assert ann.locator("#add-name").evaluate("field => document.activeElement === field")
    no_violation(ann, "a refused name")
    guest = ann.request.post(f"{site}/g/{code}/join", data={"name": "Ben"})
    assert guest.ok
    ann.locator(".player", has_text="Ben").wait_for()  # without a reload
    assert ann.url == f"{site}/g/{code}"
    sent: list[str] = []
    ann.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    ann.reload()
    ann.wait_for_selector("#table")
    assert sent[0] == f"GET {site}/g/{code}"
    assert ann.locator("#problem").count() == 0
    ann.locator(".without-phone summary").click()
    ann.locator("#add-name").fill("Cleo")
    ann.get_by_role("button", name="Add", exact=True).click()
    ann.locator(".player", has_text="Cleo").wait_for()


def test_the_private_objective_is_covered_again(site: str, open_page: OpenPage) -> None:
    """A tap on a color covers it at once, keys after the last."""
    page = table_of_ann(site, open_page)
    to_windows(page)
    secret = page.locator(".secret")
    page.locator(".secret > summary").click()
    page.locator("label.swatch").first.click()
    page.locator(".secret:not([open])").wait_for()
    assert page.locator("#message").inner_text() == "Chosen, and covered again."
    assert "chosen, tap to look" in secret.inner_text()
    page.locator(".secret > summary").focus()
    page.keyboard.press("Enter")
    page.locator("input[name=private]:checked").focus()
    for _ in range(2):
        with page.expect_response(lambda answer: "/seats/" in answer.url):
            page.keyboard.press("ArrowDown")
    assert secret.get_attribute("open") is not None
    page.keyboard.press("Tab")  # to the cards of the expansion
    page.keyboard.press("Tab")
    page.locator(".secret:not([open])").wait_for()


def test_a_page_that_grows_old_says_so_until_it_is_followed_again(site: str, open_page: OpenPage) -> None:
    """With the server away a quiet line tells since when; it is read out once and goes by itself."""
    page = table_of_ann(site, open_page, fine=NO_ANSWER)
    page.evaluate(
        """() => {
          window.heard = [];
          new MutationObserver((all) => {
            for (const one of all.flatMap((each) => [...each.addedNodes])) window.heard.push(one.textContent);
          }).observe(document.getElementById("message"), { childList: true });
        }"""
    )
    looks: list[str] = []
    page.on("requestfailed", lambda request: looks.append(request.url))
    page.route("**/g/**", lambda route: route.abort())
    page.locator(".away").wait_for()
    assert len(looks) >= 2
    said = page.locator(".away").inner_text()
    assert re.fullmatch(
        r"No connection to the computer that serves this page since \d\d:\d\d( [AP]M)?\. "
        r"The page goes on by itself\.",
        said,
    )
    no_violation(page, "a server that is away")
    seen = len(looks)
    wait_until(page, lambda: len(looks) > seen)
    assert page.evaluate("window.heard") == [said]
    assert page.locator("#message p:not(.sr)").count() == 0
    page.unroute("**/g/**")
    page.locator(".away").wait_for(state="detached")


def test_a_page_asked_for_before_an_answer_does_not_come_after_it(site: str, open_page: OpenPage) -> None:
    """News may be on their way while a question is answered: the question does not come back with them."""
    page = table_of_ann(site, open_page)
    game = f"{site}/g/{code_of(page)}"
    told = page.request.get(f"{game}.json").json()
    page.request.post(f"{game}/cards", data={"revision": told["revision"], "tools": ["Lathekin"]})
    page.request.post(f"{game}/seats/1", data={"favor_tokens": 3})
    page.request.post(f"{game}/seats/1/tool", data={"tool": "Lathekin"})
    page.goto(f"{game}?ask=deal&tools=3")
    page.locator("#question").wait_for()
    held: list[Route] = []
    page.route("**/g/*ask=deal*", lambda route: held.append(route))  # noqa: PLW0108  a method takes no marks
    page.request.post(f"{game}/join", data={"name": "Ben"})
    wait_until(page, lambda: bool(held))
    page.get_by_role("button", name="Keep the cards").click()
    page.locator("#question").wait_for(state="detached")
    with page.expect_response("**/g/*ask=deal*"):
        held.pop().continue_()
    with page.expect_response(game):
        pass
    assert not page.locator("#question").count()


def test_a_used_tool_is_dealt_away_only_after_a_question(site: str, open_page: OpenPage) -> None:
    """The question takes the keyboard's place, outlives what others do, and both answers do as they say."""
    page = table_of_ann(site, open_page)
    code = code_of(page)
    game = f"{site}/g/{code}"
    told = page.request.get(f"{game}.json").json()
    page.request.post(f"{game}/cards", data={"revision": told["revision"], "tools": ["Lathekin"]})
    page.request.post(f"{game}/seats/1", data={"favor_tokens": 3})
    page.locator("#more > summary").click()
    page.locator("#choose-tools > summary").click()
    page.get_by_role("button", name="Use it for 1 token").click()
    page.get_by_text("1 token on it").wait_for()
    deal = page.get_by_role("button", name="Deal at random").last
    deal.click()
    question = page.locator("#question")
    question.wait_for()
    assert page.locator("#question [value=no]").evaluate("one => document.activeElement === one")
    no_violation(page, "a question about used tools", "#question")
    page.request.post(f"{game}/join", data={"name": "Ben"})
    page.locator(".player", has_text="Ben").wait_for()
    assert question.is_visible()
    page.get_by_role("button", name="Keep the cards").click()
    question.wait_for(state="detached")
    assert page.request.get(f"{game}.json").json()["tools"][0]["tokens"] == 1
    deal.click()
    page.get_by_role("button", name="Deal anew").click()
    question.wait_for(state="detached")
    page.locator(".tool-card").nth(2).wait_for()
    assert sum(tool["tokens"] for tool in page.request.get(f"{game}.json").json()["tools"]) == 0
    page.wait_for_selector('input[name=favor_tokens][value="3"]', state="attached")
