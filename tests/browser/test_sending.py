"""Photos on a connection that breaks: nothing is lost, and what has arrived is not sent again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import OpenPage, no_violation, too_small, wait_until
from tests.browser.test_upload import KeepingReader, choose

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

PIECE = 512 * 1024
GONE = ("Failed to load resource",)
LOST = ".photo-problem [data-code=offline]"
ASKED = """async () => {
  const { keptFor } = await import("/static/kept.js");
  return keptFor("/readings").then(Boolean);
}"""
"""Waits until the page has looked for a photo from before: its own question was first."""
OFFER = ".photo-problem [data-code=photo_before]"


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> KeepingReader:
    """Return the reader of the application."""
    return KeepingReader(monkeypatch)


@pytest.fixture
def heavy_file(tmp_path: Path, photo: bytes) -> Path:
    """Return the file of a photo that is sent as it is, in three pieces."""
    path = tmp_path / "heavy.jpg"
    path.write_bytes(photo + bytes(2 * PIECE))
    return path


class Net:
    """The connection of a page: what goes over it, and whether it is there."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.is_there = True
        self.breaks_at: int | None = None
        self.offsets: list[int] = []
        """Where in the photo each piece belongs that was sent, arrived or not."""
        page.route("**/*", self._go)

    def _go(self, route: Route) -> None:
        request = route.request
        if request.method == "PATCH":
            offset = int(request.headers["upload-offset"])
            self.offsets.append(offset)
            if offset == self.breaks_at:
                self.is_there, self.breaks_at = False, None
        if self.is_there or request.is_navigation_request() or request.resource_type == "script":
            route.continue_()
        else:
            route.abort()


def arrived(page: Page, reader: KeepingReader) -> bytes:
    """Wait for the page of the window and return what the server got."""
    page.wait_for_url("**/w/*")
    (content,) = reader.sent
    return content


def at_rest(page: Page) -> None:
    """Wait until the page takes a photo and offers none from before."""
    page.locator(".pick").first.wait_for()
    assert page.evaluate(ASKED) is False
    assert page.locator(OFFER).count() == 0


def test_a_photo_is_kept_when_the_connection_is_gone(
    site: str, open_page: OpenPage, reader: KeepingReader, photo: bytes, photo_file: Path
) -> None:
    """The form says that the connection is gone and the photo is kept, and one press sends it."""
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
    assert arrived(page, reader) == photo
    page.goto(site)
    at_rest(page)


def test_a_photo_is_sent_by_itself_when_the_device_is_online_again(
    site: str, open_page: OpenPage, reader: KeepingReader, photo: bytes, photo_file: Path
) -> None:
    """As soon as the browser says that there is a network, the photo goes on its way."""
    page = open_page(site, fine=GONE)
    page.context.set_offline(True)
    choose(page, photo_file)
    page.locator(LOST).wait_for()
    page.context.set_offline(False)
    assert arrived(page, reader) == photo


def test_a_photo_is_sent_by_itself_when_the_server_answers_again(
    site: str, open_page: OpenPage, reader: KeepingReader, photo: bytes, photo_file: Path
) -> None:
    """Where the network was never gone for the browser, the page asks for the server now and then."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    net.is_there = False
    choose(page, photo_file)
    with page.expect_event("requestfailed", lambda request: request.method == "HEAD"):
        page.locator(LOST).wait_for()
    net.is_there = True
    assert arrived(page, reader) == photo


def test_a_kept_photo_outlives_a_reload(
    site: str, open_page: OpenPage, reader: KeepingReader, photo: bytes, photo_file: Path
) -> None:
    """A page that is loaded again offers the photo from before, and forgets it when the server has it."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    net.is_there = False
    choose(page, photo_file)
    page.locator(LOST).wait_for()
    net.is_there = True
    page.reload()
    page.locator(OFFER).wait_for()
    no_violation(page, "with a photo from before", "#upload")
    page.get_by_role("button", name="Send the photo from before").click()
    assert arrived(page, reader) == photo
    page.goto(site)
    at_rest(page)


@pytest.mark.parametrize("early", [True, False], ids=["cancel", "forget"])
def test_a_kept_photo_can_be_forgotten(
    site: str, open_page: OpenPage, reader: KeepingReader, photo_file: Path, early: bool
) -> None:
    """Cancel while the page waits, or "Forget it" after a reload, and nothing is kept."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    net.is_there = False
    choose(page, photo_file)
    page.locator(LOST).wait_for()
    net.is_there = True
    if early:
        page.get_by_role("button", name="Cancel").click()
    else:
        page.reload()
        page.get_by_role("button", name="Forget it").click()
    assert page.locator(".photo-problem").inner_text() == ""
    assert page.evaluate("document.activeElement.matches('.choose .file')")
    at_rest(page)
    page.reload()
    at_rest(page)
    assert reader.sent == []


def test_a_refused_photo_is_not_kept(site: str, open_page: OpenPage, tmp_path: Path) -> None:
    """What the server did get and cannot open is not offered again."""
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"no photo")
    page = open_page(site, fine=GONE)
    choose(page, path)
    page.wait_for_selector("[data-code=not_a_photo]")
    page.reload()
    at_rest(page)


def test_the_photo_of_a_seat_is_kept_too(
    site: str, open_page: OpenPage, reader: KeepingReader, photo: bytes, photo_file: Path
) -> None:
    """On the table page a photo waits for the connection, and outlives a reload, as on the start page."""
    page = open_page(site, fine=GONE)
    page.locator("#host-name").fill("Ann")
    page.get_by_role("button", name="2 to 6 players").click()
    page.wait_for_selector("#table")
    net = Net(page)
    net.is_there = False
    choose(page, photo_file)
    page.locator(LOST).wait_for()
    net.is_there = True
    page.reload()
    page.get_by_role("button", name="Send the photo from before").click()
    assert arrived(page, reader) == photo


def test_a_large_photo_is_sent_in_pieces(
    site: str, open_page: OpenPage, reader: KeepingReader, heavy_file: Path
) -> None:
    """One piece goes after the other, and the server reads the file byte for byte."""
    page = open_page(site)
    net = Net(page)
    choose(page, heavy_file)
    assert arrived(page, reader) == heavy_file.read_bytes()
    assert net.offsets == [0, PIECE, 2 * PIECE]


def test_a_large_photo_goes_on_where_it_was(
    site: str, open_page: OpenPage, reader: KeepingReader, heavy_file: Path
) -> None:
    """When the connection is back, only the pieces are sent that have not arrived."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    net.breaks_at = PIECE
    choose(page, heavy_file)
    page.locator(LOST).wait_for()
    net.is_there = True
    page.get_by_role("button", name="Send again").click()
    assert arrived(page, reader) == heavy_file.read_bytes()
    assert net.offsets == [0, PIECE, PIECE, 2 * PIECE]


def test_a_large_photo_goes_on_where_it_was_after_a_reload(
    site: str, open_page: OpenPage, reader: KeepingReader, heavy_file: Path
) -> None:
    """The tab remembers how far the photo was, although the page was loaded again."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    net.breaks_at = 2 * PIECE
    choose(page, heavy_file)
    page.locator(LOST).wait_for()
    net.is_there = True
    page.reload()
    page.get_by_role("button", name="Send the photo from before").click()
    assert arrived(page, reader) == heavy_file.read_bytes()
    assert net.offsets == [0, PIECE, 2 * PIECE, 2 * PIECE]


def test_a_large_photo_that_the_server_threw_away_begins_anew(
    site: str, open_page: OpenPage, reader: KeepingReader, tmp_path: Path, heavy_file: Path
) -> None:
    """Where the pieces are gone from the server meanwhile, the photo is sent from its first byte."""
    page = open_page(site, fine=GONE)
    net = Net(page)
    net.breaks_at = PIECE
    choose(page, heavy_file)
    page.locator(LOST).wait_for()
    for path in (tmp_path / "uploads").glob("*.*"):
        path.unlink()
    net.is_there = True
    page.get_by_role("button", name="Send again").click()
    assert arrived(page, reader) == heavy_file.read_bytes()
    assert net.offsets == [0, PIECE, 0, PIECE, 2 * PIECE]


def test_a_server_that_takes_no_pieces_gets_the_photo_as_a_whole(
    site: str, open_page: OpenPage, reader: KeepingReader, heavy_file: Path
) -> None:
    """When no upload can begin, the photo is sent in one request."""
    page = open_page(site, fine=GONE)
    page.route("**/api/v1/uploads", lambda route: route.fulfill(status=503, json={}))
    choose(page, heavy_file)
    assert arrived(page, reader) == heavy_file.read_bytes()


def test_a_small_photo_is_one_request(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """A photo of less than 600 KB needs no pieces."""
    page = open_page(site)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method) if request.method != "GET" else None)
    choose(page, photo_file)
    page.wait_for_url("**/w/*")
    wait_until(page, lambda: sent)
    assert sent == ["POST"]
