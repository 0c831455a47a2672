"""Playing again in real browsers: the phones go along."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import LAPTOP, PHONE, OpenPage, no_violation, sideways, too_small, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

THREE = ("Row Shade Variety", "Light Shades", "Color Diagonals")
ASLEEP = """asleep => {
    Object.defineProperty(document, "hidden", { get: () => asleep, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def revealed(site: str, open_page: OpenPage) -> tuple[str, list[Page]]:
    """Return the code of a revealed game, and its page for Ann, who is the host, Ben and Cleo."""
    pages = [open_page(site, size=LAPTOP), open_page(site, size=PHONE), open_page(site, size=PHONE)]
    started = pages[0].request.post(f"{site}/games", data={"name": "Ann"}).json()
    address = f"{site}/g/{started['code']}"
    for page, name in zip(pages[1:], ("Ben", "Cleo"), strict=True):
        assert page.request.post(f"{address}/join", data={"name": name}).ok
    revision = pages[0].request.get(f"{address}.json").json()["revision"]
    assert pages[0].request.post(f"{address}/cards", data={"revision": revision, "public": THREE}).ok
    assert pages[0].request.post(f"{address}/reveal", data={"anyway": True}).ok
    for page in pages:
        with page.expect_response(lambda answer: answer.request.resource_type == "fetch"):
            page.goto(f"{site}/g/{started['code']}/reveal")
    return started["code"], pages


def test_a_rematch_is_two_taps_and_takes_the_phones_along(
    site: str, revealed: tuple[str, list[Page]]
) -> None:
    """The host taps twice; a phone that is awake goes to the new table, one that slept finds the way."""
    code, (ann, ben, cleo) = revealed
    cleo.evaluate(ASLEEP, True)
    asked: list[Route] = []
    ben.route(
        f"{site}/g/*",
        lambda route: asked.append(route) if route.request.is_navigation_request() else route.continue_(),
    )
    ann.locator(".again summary").click()
    no_violation(ann, "play again")
    ann.get_by_role("button", name="Same cards").click()
    ann.wait_for_url(lambda url: url.startswith(f"{site}/g/") and code not in url)
    wait_until(ben, lambda: asked)
    ben.wait_for_timeout(1200)  # twice as long as until the next look at a game
    assert len(asked) == 1  # who asked again and again in a slow network would never arrive
    asked[0].continue_()
    ben.wait_for_url(ann.url)
    assert ben.locator(".seat h2").inner_text() == "Ben"
    assert ben.locator("#step-cards .objective").count() == 3
    assert cleo.url.endswith(f"/g/{code}/reveal")
    cleo.evaluate(ASLEEP, False)
    link = cleo.get_by_role("link", name="To the next game")
    link.wait_for()
    assert "The next game has begun" in cleo.locator("#message").inner_text()
    box = link.bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= PHONE["height"] - box["height"]  # in view without a scroll
    assert too_small(cleo, ".again a") == []
    assert sideways(cleo) <= 0
    no_violation(cleo, "the next game has begun")
    link.click()
    cleo.wait_for_url(ann.url)
    assert cleo.locator(".seat h2").inner_text() == "Cleo"
