from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.browser.conftest import (
    LAPTOP,
    SMALL_PHONE,
    OpenPage,
    no_violation,
    serving,
    sideways,
    too_small,
)
from tests.webapp.conftest import SayingReader
from tests.webapp.quick import furnished
from webapp import create_app
from webapp.server import addresses
from webapp.server.addresses import LocalAddress, Reach

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

SMALL_LAPTOP = {"width": 720, "height": 560}
WIFI = LocalAddress(ip_address("192.168.1.5"), "wlan0")
TUNNEL = LocalAddress(ip_address("10.8.0.2"), "a network with quite a long name", virtual=True)
AT_WIFI = "http://192.168.1.5:8000"
AT_TUNNEL = "http://10.8.0.2:8000"

Serve = Callable[..., str]


@contextmanager
def served(folder: Path, found: tuple[LocalAddress, ...], host: str) -> Iterator[str]:
    """Serve the page to this computer as if it listened on ``host`` of a computer with these addresses."""
    # Without sample photos, which have nothing to do with it and take time to be made small.
    app = create_app({"SAGRADA_DATA": furnished(folder), "SAGRADA_SAMPLES": folder}, reader=SayingReader())
    reach = Reach(find=lambda: found, ask=lambda _: reach.token)
    reach.listen(host, 8000)
    app.extensions[addresses.REACH] = reach
    with serving(app) as address:
        yield address


@pytest.fixture
def at_computer(tmp_path: Path) -> Iterator[Serve]:
    """Return what serves the page on a computer with these addresses, and gives its own address here."""
    with ExitStack() as stack:

        def serve(*found: LocalAddress, host: str = "0.0.0.0") -> str:
            return stack.enter_context(served(tmp_path, found, host))

        yield serve


def scanned(code: Locator) -> str:
    """Return what a camera reads from the picture on the screen."""
    image = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(image)
    return text


def shown_address(page: Page) -> str:
    """Return the address that stands beside the code."""
    return page.locator(".join-address").inner_text()


def test_a_camera_reads_the_very_address_from_the_screen(at_computer: Serve, open_page: OpenPage) -> None:
    """In dark, too, and not on a phone; by keyboard another is chosen, without a reload, and it is kept."""
    page = open_page(at_computer(WIFI, TUNNEL), size=LAPTOP)
    code = page.get_by_role("img", name="QR code")
    page.evaluate("window.stayed = true")
    assert scanned(code) == shown_address(page) == AT_WIFI
    page.locator(".join-help summary").click()
    page.get_by_role("radio", name=AT_WIFI).focus()
    page.keyboard.press("ArrowDown")
    page.locator(".join-address", has_text=AT_TUNNEL).wait_for()
    assert scanned(code) == AT_TUNNEL
    assert page.evaluate("window.stayed && document.activeElement.value") == AT_TUNNEL
    assert page.get_by_role("status").inner_text() == AT_TUNNEL  # a screen reader is told
    page.reload()
    assert shown_address(page) == AT_TUNNEL
    page.emulate_media(color_scheme="dark")
    assert scanned(code) == AT_TUNNEL
    page.set_viewport_size(SMALL_PHONE)  # type: ignore[arg-type]
    assert not code.is_visible()  # this is the phone


def test_an_address_that_is_gone_is_told(at_computer: Serve, open_page: OpenPage) -> None:
    """When the chosen address does not answer any more, the page says so and what to do."""
    page = open_page(at_computer(WIFI, TUNNEL), fine=("400",), size=LAPTOP)
    page.locator("input[name=address]").last.evaluate("dot => { dot.value = 'http://10.8.0.3:8000'; }")
    page.locator(".join-help summary").click()
    # check() would look at the dot again, which may be on a page that is gone by then.
    page.locator("input[name=address]").last.click()
    page.wait_for_selector('[data-code="address_gone"]')


@pytest.mark.thorough
def test_the_code_and_its_help_are_well_made(at_computer: Serve, open_page: OpenPage) -> None:
    """Axe finds nothing, nothing is cut off, and each address and the help can be tapped."""
    page = open_page(at_computer(WIFI, TUNNEL), size=SMALL_LAPTOP, locale="ru-RU")
    page.locator(".join-help summary").click()
    no_violation(page, "the code", ".join-section", dark=True)
    targets = ".join-other, .join-help summary, .join-address a"
    for size in (SMALL_LAPTOP, LAPTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert too_small(page, targets) == []
        ends = page.locator(targets).evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
        assert round(max(ends)) <= size["width"]
        assert sideways(page) <= 0
