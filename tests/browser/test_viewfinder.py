"""The viewfinder, in a Chromium whose camera plays a sample photo."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.browser.conftest import NO_ANSWER, OpenPage, no_violation, too_small, wait_until
from tests.chromium import find_chromium
from tests.vision.samples import Image as Pixels
from tests.vision.samples import photo_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZE = (960, 1280)
REMEMBER = """() => {
  const media = navigator.mediaDevices, film = media.getUserMedia.bind(media);
  media.getUserMedia = async (wanted) => (window.stream = await film(wanted));
}"""
ENDED = "stream.getTracks().every(({ readyState }) => readyState === 'ended')"


@pytest.fixture
def pictured() -> Pixels:
    """Return what lies before the camera: a window."""
    return photo_of("easy_daylight.jpg")


@pytest.fixture
def browser(browser: Browser, tmp_path: Path, pictured: Pixels) -> Iterator[Browser]:
    """Return a Chromium whose camera plays a film of one picture."""
    film = tmp_path / "film.mjpeg"
    film.write_bytes(2 * cv2.imencode(".jpg", cv2.resize(pictured, SIZE))[1].tobytes())
    ours = browser.browser_type.launch(
        executable_path=find_chromium(),
        args=[
            "--disable-dev-shm-usage",
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        ],
    )
    yield ours
    ours.close()


def aim(page: Page) -> list[str]:
    """Open the viewfinder, and return the list that grows by the path of everything that is sent."""
    sent: list[str] = []
    page.on("request", lambda one: sent.append(urlsplit(one.url).path) if one.method == "POST" else None)
    page.evaluate(REMEMBER)
    page.get_by_text("Take a photo", exact=True).click()
    wait_until(page, lambda: page.evaluate("document.querySelector('.viewfinder video')?.videoWidth"))
    return sent


def test_a_window_is_outlined_and_its_photo_taken(site: str, open_page: OpenPage, tmp_path: Path) -> None:
    """Held still over a window it shoots once, in full size, and the page of the window opens."""
    page = open_page(site)
    sent = aim(page)
    page.locator(".viewfinder .ready polygon").wait_for(state="attached")
    page.wait_for_url("**/w/*")
    assert sent == [*(len(sent) - 1) * ["/look"], "/readings"]
    assert len(sent) > 3
    (kept,) = (tmp_path / "readings").glob("*/upright.jpg")
    assert Image.open(BytesIO(kept.read_bytes())).size == SIZE


@pytest.mark.parametrize("pictured", [np.full((640, 480, 3), 160, np.uint8)])
def test_the_button_takes_whatever_there_is(site: str, open_page: OpenPage) -> None:
    """Over a bare table nothing is taken by itself; a hint says what to do, and the button shoots."""
    page = open_page(site)
    sent = aim(page)
    page.locator(".viewfinder [role=status]", has_text="Point at a window").wait_for()
    assert too_small(page, ".viewfinder button") == []
    no_violation(page, "viewfinder", ".viewfinder")
    assert set(sent) == {"/look"}
    page.get_by_role("button", name="Take the photo").press("Enter")
    page.wait_for_url("**/w/*")
    assert sent.count("/readings") == 1


def test_escape_ends_the_film(site: str, open_page: OpenPage) -> None:
    """Escape closes the viewfinder and switches the camera off; another press opens it again."""
    page = open_page(site, fine=NO_ANSWER)
    page.route("**/look", lambda route: route.abort())  # what does not answer takes no photo
    for _ in range(2):
        sent = aim(page)
        page.locator(".viewfinder [role=status]", has_text="Press the button").wait_for()
        page.keyboard.press("Escape")
        wait_until(page, lambda: page.evaluate(ENDED))
        assert page.locator(".viewfinder").count() == 0
        assert "/readings" not in sent


def test_without_a_camera_the_file_field_takes_the_photo(site: str, open_page: OpenPage) -> None:
    """Where the camera is refused, the press chooses a file, as does every one after it."""
    page = open_page(site)
    page.evaluate("() => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error()); }")
    for _ in range(2):
        with page.expect_file_chooser():
            page.get_by_text("Take a photo", exact=True).click()
        assert page.locator(".viewfinder").count() == 0
