"""Photos on a connection that breaks: nothing is lost, and what has arrived is stored once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from benchmarks.crowd import form
from tests.browser.conftest import OpenPage, no_violation, start_game, to_windows, too_small
from tests.browser.test_upload import arrived, choose

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

GONE = ("Failed to load resource",)
LOST = ".photo-problem [data-code=offline]"
ASKED = """async () => {
  const { keptFor } = await import("/static/kept.js");
  return keptFor("/readings").then(Boolean);
}"""
"""Waits until the page has looked for a photo from before: its own question was first."""
LOSE_THE_ANSWER = """() => {
  const { addEventListener: listen, send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.addEventListener = function (name, listener) {
    if (name !== "load") listen.call(this, name, listener);
  };
  XMLHttpRequest.prototype.send = function (body) {
    listen.call(this, "load", () => this.dispatchEvent(new Event("error")));
    send.call(this, body);
  };
}"""
"""Lets what is sent arrive, and every answer be lost."""
NOTE_FIELDS = """() => {
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    sessionStorage.fields = [...body.keys()];
    send.call(this, body);
  };
}"""
OFFER = ".photo-problem [data-code=photo_before]"


class Net:
    """The connection of a page: what goes over it, and whether it is there."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.is_there = True
        page.route("**/*", self._go)

    def _go(self, route: Route) -> None:
        request = route.request
        if self.is_there or request.is_navigation_request() or request.resource_type == "script":
            route.continue_()
        else:
            route.abort()


def at_rest(page: Page) -> None:
    """Wait until the page takes a photo and offers none from before."""
    page.locator(":is(#upload, .window-form) .pick").first.wait_for()
    assert page.evaluate(ASKED) is False
    assert page.locator(OFFER).count() == 0


def test_a_photo_is_kept_and_sent_when_the_connection_is_back(
    site: str, open_page: OpenPage, sent: list[bytes], photo: bytes, photo_file: Path
) -> None:
    """The form says that the photo is kept; one press sends it, or the page does once the server answers."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    net.is_there = False
    choose(page, photo_file)
    page.locator(LOST).wait_for()
    assert page.locator(LOST).inner_text().startswith("The connection is gone. Your photo is kept here.")
    assert page.locator(".sending-text").inner_text() == "Waiting for the connection…"
    no_violation(page, "without a connection", "#upload")
    assert too_small(page, ".notice-ways button") == []
    net.is_there = True
    page.get_by_role("button", name="Send again").click()
    assert arrived(page, sent) == photo
    page.goto(site)
    at_rest(page)

    sent.clear()
    net.is_there = False
    choose(page, photo_file)
    with page.expect_event("requestfailed", lambda request: request.method == "HEAD"):
        page.locator(LOST).wait_for()
    net.is_there = True
    assert arrived(page, sent) == photo


def test_the_benchmark_sends_what_the_page_sends(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """One request with the same fields brings the photo: what is promised of a crowd is measured with it."""
    page = open_page(site)
    page.evaluate(NOTE_FIELDS)
    with page.expect_request(lambda asked: asked.method == "POST") as asked:
        choose(page, photo_file)
    page.wait_for_url("**/w/*")
    fields = page.evaluate("sessionStorage.fields").split(",")
    assert sorted(fields) == sorted(re.findall(r'form-data; name="(\w+)"', form(b"")[0].decode()))
    assert urlsplit(asked.value.url).path == "/readings"


def test_a_kept_photo_outlives_a_reload_of_the_table(
    site: str, open_page: OpenPage, sent: list[bytes], photo: bytes, photo_file: Path
) -> None:
    """A page that is loaded again offers the photo from before, and forgets it when the server has it."""
    page = open_page(site, fine=GONE)
    start_game(page)
    to_windows(page)
    table = page.url
    net = Net(page)
    net.is_there = False
    choose(page, photo_file)
    page.locator(LOST).wait_for()
    net.is_there = True
    page.reload()
    page.locator(OFFER).wait_for()
    no_violation(page, "with a photo from before", ".photo-problem")
    page.get_by_role("button", name="Send again").click()
    assert arrived(page, sent) == photo
    page.goto(table)
    at_rest(page)


@pytest.mark.thorough
def test_what_is_cancelled_deleted_or_refused_is_not_kept(
    site: str, open_page: OpenPage, sent: list[bytes], photo_file: Path, tmp_path: Path
) -> None:
    """After "Cancel", "Delete", or an answer that this is no photo, nothing is offered again."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    for way in ("Cancel", "Delete"):
        net.is_there = False
        choose(page, photo_file)
        page.locator(LOST).wait_for()
        net.is_there = True
        if way == "Delete":
            page.reload()
        page.get_by_role("button", name=way).click()
        assert page.locator(".photo-problem").inner_text() == ""
        assert page.evaluate("document.activeElement.matches('.choose .file')")
        at_rest(page)
        page.reload()
        at_rest(page)
    assert sent == []

    path = tmp_path / "no photo.jpg"
    path.write_bytes(b"no photo")
    choose(page, path)
    page.wait_for_selector("[data-code=not_a_photo]")
    page.reload()
    at_rest(page)


def test_a_photo_whose_answer_was_lost_is_stored_once(
    site: str, open_page: OpenPage, sent: list[bytes], photo_file: Path, tmp_path: Path
) -> None:
    """The server has the photo, but its answer was lost: sent again after a reload it is stored once."""
    page = open_page(site)
    page.evaluate(LOSE_THE_ANSWER)
    choose(page, photo_file)
    page.locator(LOST).wait_for()
    page.reload()
    page.get_by_role("button", name="Send again").click()
    assert arrived(page, sent) == photo_file.read_bytes()
    assert len(list((tmp_path / "readings").glob("*/upright.jpg"))) == 1
