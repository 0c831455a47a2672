"""The table of a game in one browser: what is tapped quickly, one thing after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import LAPTOP, OpenPage, held_requests, start_game, to_windows, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Page, Route

pytestmark = pytest.mark.browser


def table_of_ann(site: str, open_page: OpenPage, *, fine: tuple[str, ...] = ()) -> Page:
    """Start a game and open its table."""
    page = open_page(site, size=LAPTOP, fine=fine)
    start_game(page)
    return page


class Held:
    """The first POST to some addresses of a page: the server has taken it, its answer waits."""

    def __init__(self, page: Page, addresses: str) -> None:
        self._page = page
        self._first: tuple[Route, APIResponse] | None = None
        self.sent = 0
        page.route(addresses, self._hold)

    def _hold(self, route: Route) -> None:
        self.sent += 1
        if self._first is None:
            self._first = route, route.fetch()
        else:
            route.continue_()

    def wait(self) -> None:
        """Wait until the server has taken it."""
        wait_until(self._page, lambda: self._first)

    def let_go(self) -> None:
        """Let the answer arrive."""
        assert self._first is not None
        route, answer = self._first
        route.fulfill(response=answer)


def chosen(page: Page) -> list[str]:
    """Return the public objectives that the server has."""
    told = page.request.get(f"{page.url}.json").json()
    public: list[str] = told["public"]
    return public


def test_quick_ticks_and_taps_are_all_saved(site: str, open_page: OpenPage) -> None:
    """What is ticked or tapped while an answer is on its way stays, and is saved after it."""
    page = table_of_ann(site, open_page)
    to_windows(page, tools=("Lathekin",))
    page.locator("#step-cards > summary").click()
    for card in chosen(page):
        page.locator(f'input[name=public][value="{card}"]').uncheck(force=True)
    wait_until(page, lambda: not chosen(page))
    held = Held(page, "**/cards")
    page.locator('input[name=public][value="Light Shades"]').check(force=True)
    held.wait()
    page.locator('input[name=public][value="Deep Shades"]').check(force=True)
    page.evaluate(
        """() => {
          window.untick = false;
          const box = document.querySelector('input[name=public][value="Deep Shades"]');
          new MutationObserver(() => { window.untick ||= !box.checked; })
            .observe(document.getElementById("table"), { childList: true, subtree: true, attributes: true });
        }"""
    )
    page.wait_for_timeout(50)  # in which a mistake would be seen
    assert held.sent == 1
    held.let_go()
    wait_until(page, lambda: len(chosen(page)) == 2)
    assert page.evaluate("window.untick") is False
    ticked = page.locator("input[name=public]:checked").evaluate_all("all => all.map(one => one.value)")
    assert sorted(ticked) == ["Deep Shades", "Light Shades"]
    assert sorted(chosen(page)) == ["Deep Shades", "Light Shades"]

    page.locator("#step-windows > summary").click()
    held = Held(page, "**/seats/*")
    for _ in range(3):
        page.get_by_role("button", name="One token more").click()
    held.wait()
    held.let_go()
    page.wait_for_selector('input[name=favor_tokens][value="3"]')
    assert page.locator("input[name=favor_tokens]").input_value() == "3"
    assert page.locator("#message .bad").count() == 0


def test_what_waits_behind_a_refused_tick_is_not_shown_as_saved(site: str, open_page: OpenPage) -> None:
    """When a tick is refused, the boxes show what the server has, and the line tells why."""
    page = table_of_ann(site, open_page, fine=("409",))
    page.get_by_role("button", name="We are all here").click()
    page.wait_for_selector("#step-cards[open]")
    held = held_requests(page, "**/cards", times=1)
    page.locator('input[name=public][value="Light Shades"]').check(force=True)
    wait_until(page, lambda: held)
    page.locator('input[name=public][value="Deep Shades"]').check(force=True)
    notice = '<div class="notice bad"><p>Too late.</p></div>'
    held[0].fulfill(status=409, content_type="text/html", body=notice)
    page.wait_for_selector("#message .bad")
    page.wait_for_timeout(300)  # in which a mistake would be seen
    assert page.locator("#message .bad").inner_text() == "Too late."
    assert page.locator("input[name=public]:checked").count() == 0
    assert chosen(page) == []
