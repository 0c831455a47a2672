from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from tests.browser.conftest import OpenPage, more, send_photo
from tests.browser.test_page import choose

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

KEEP_WHAT_IS_SHARED = """
navigator.canShare = ({ files }) => files.every((file) => file instanceof File);
navigator.share = async ({ files }) => {
  const [file] = files, bytes = new Uint8Array(await file.arrayBuffer());
  window.shared = [file.name, file.type, String.fromCharCode(...bytes.slice(0, 4))];
};
"""

# The mean color of the first pane: the picture drawn so small that the pane is a single point.
COLOR_OF_A1 = """() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.drawImage(document.getElementById("share-image"), 215, 565, 120, 120, 0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data];
}"""


def unfold(page: Page) -> None:
    """Open the section with the picture and wait until it is there."""
    more(page)
    page.locator("#share summary").click()
    wait_for_picture(page, "")


def wait_for_picture(page: Page, other_than: str) -> str:
    """Wait until a picture is shown that is not the one at this address, and return its address."""
    page.wait_for_function(
        """(before) => { const image = document.getElementById("share-image");
        return image.complete && image.naturalWidth === 1080 && image.src !== before; }""",
        arg=other_than,
    )
    return page.locator("#share-image").get_attribute("src") or ""


def test_the_picture_follows_the_window_and_is_saved_as_png(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """Drawn only when wanted, it changes with the dice; its PNG has every color, named by points."""
    page = open_page(site)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    send_photo(page, photo_file)
    choose(page, "Light Shades")
    page.locator("#board [data-cell=A1]").focus()
    page.keyboard.type("r6")
    page.wait_for_selector('#board [data-cell=A1][aria-label="A1: red 6"]')
    assert not [url for url in asked if url.endswith("window.svg")]
    page.keyboard.press("Escape")
    unfold(page)
    before = page.locator("#share-image").get_attribute("src") or ""
    page.locator("#board [data-cell=A1]").focus()
    page.keyboard.press("b")
    wait_for_picture(page, before)
    red, _, blue, _ = page.evaluate(COLOR_OF_A1)
    assert blue > red + 60

    total = page.locator(".total").get_attribute("data-total") or ""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as PNG").click()
    assert waiting.value.suggested_filename == f"sagrada-{total.replace('-', 'minus-')}.png"
    content = waiting.value.path().read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    picture = Image.open(BytesIO(content))
    assert picture.size == (1080, 1350)
    red, green, blue = np.moveaxis(np.asarray(picture.convert("RGB")).astype(int), 2, 0)
    for color in (
        (red > green + 90) & (red > blue + 90),
        (green > red + 60) & (green > blue + 30),
        (blue > red + 90) & (blue > green + 40),
        (red > blue + 120) & (green > blue + 90),
        (red > green + 50) & (blue > green + 70),
    ):
        assert color.mean() > 0.01


def test_the_picture_is_handed_to_other_apps_where_browser_and_server_can(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """A failure is told, and the next try works; Share is there only where it can hand over the file."""
    page = open_page(site, fine=("500",))
    send_photo(page, photo_file)
    page.route("**/window.svg", lambda route: route.fulfill(status=500))
    more(page)
    page.locator("#share summary").click()
    page.wait_for_selector("#message .bad")
    assert "picture" in page.locator("#message").inner_text()
    page.unroute("**/window.svg")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as PNG").click()
    assert waiting.value.suggested_filename == "sagrada.png"
    assert page.get_by_role("button", name="Share").count() == 0

    page.add_init_script(KEEP_WHAT_IS_SHARED)
    page.reload()
    unfold(page)
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared") == ["sagrada.png", "image/png", "\x89PNG"]
