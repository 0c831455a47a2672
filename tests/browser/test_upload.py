"""Photos on their way from the page to the server: smaller where that helps, and otherwise as they are."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from tests.browser.conftest import LAPTOP, OpenPage, send_photo

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PREPARING = "Preparing the photo…"
LONGEST = 2400  # as in shrink.js
STORED_SIZE = (3200, 2400)
WAITING = """() => {
  const decode = createImageBitmap;
  createImageBitmap = (...told) => new Promise((resolve) => {
    window.letGo = () => resolve(decode(...told));
  });
}"""
"""Holds each photo in the middle of its shrinking until the test lets it go."""


@pytest.fixture(scope="session")
def large() -> bytes:
    """Return a grainy photo that lies on its side: its top right corner is red when it stands upright."""
    across, down = STORED_SIZE
    image = np.random.default_rng(1).integers(90, 170, (down // 2, across // 2, 3), dtype=np.uint8)
    image = image.repeat(2, axis=0).repeat(2, axis=1)
    image[:400, :400] = (255, 0, 0)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise by a quarter
    exif[0x010F] = "Camera"
    buffer = BytesIO()
    Image.fromarray(image).save(buffer, "JPEG", quality=93, exif=exif)
    assert len(buffer.getvalue()) > 1_600_000
    return buffer.getvalue()


@pytest.fixture
def large_file(tmp_path: Path, large: bytes) -> Path:
    """Return the file of the large photo."""
    path = tmp_path / "large.jpg"
    path.write_bytes(large)
    return path


def choose(page: Page, photo: Path) -> None:
    """Choose a photo from the gallery."""
    page.locator(":is(#upload, .window-form) input[type=file]").last.set_input_files(photo)


def arrived(page: Page, sent: list[bytes]) -> bytes:
    """Wait for the page of the window and return what the server got."""
    page.wait_for_url("**/w/*")
    (content,) = sent
    return content


def posts(page: Page) -> list[str]:
    """Return the list that grows by the address of each photo that is sent."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url) if request.method == "POST" else None)
    return addresses


def assert_small_and_upright(content: bytes, original: bytes) -> None:
    """Hold that this is the large photo, smaller, standing upright, and without what the camera wrote."""
    assert len(content) < 0.75 * len(original)
    photo = Image.open(BytesIO(content))
    assert photo.format == "JPEG"
    assert photo.size == (LONGEST * STORED_SIZE[1] // STORED_SIZE[0], LONGEST)
    assert not photo.getexif()
    across, down = photo.size
    pixels = np.asarray(photo.convert("RGB"), dtype=int)
    ends = {"left": 100, "right": across - 100}
    red = {
        (side, end)
        for side, x in ends.items()
        for end, y in (("top", 100), ("bottom", down - 100))
        if np.abs(pixels[y, x] - (255, 0, 0)).max() < 12
    }
    assert red == {("right", "top")}


def test_a_large_photo_is_sent_smaller_and_upright(
    site: str, open_page: OpenPage, sent: list[bytes], tmp_path: Path, large: bytes, large_file: Path
) -> None:
    """The server gets and keeps 2400 pixels, upright, without the camera; the limit counts only those."""
    page = open_page(site)
    limit = len(large) * 3 // 4
    page.evaluate("limit => { document.getElementById('upload').dataset.limit = limit; }", limit)
    send_photo(page, large_file)
    (content,) = sent
    assert_small_and_upright(content, large)
    (kept,) = (tmp_path / "readings").glob("*/upright.jpg")
    assert Image.open(BytesIO(kept.read_bytes())).size == Image.open(BytesIO(content)).size


def test_of_two_photos_dropped_at_once_the_first_is_sent_and_the_page_says_so(
    site: str, open_page: OpenPage, sent: list[bytes]
) -> None:
    """What else was dropped stays out, and the page of the photo tells."""
    page = open_page(site, size=LAPTOP)
    page.evaluate(
        """async () => {
          const canvas = document.createElement("canvas");
          const photo = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg"); });
          const dataTransfer = new DataTransfer();
          for (const name of ["one.jpg", "two.jpg"]) dataTransfer.items.add(new File([photo], name));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
        }"""
    )
    send_anyway = page.get_by_role("button", name="Send it all the same")
    send_anyway.or_(page.locator("[data-code=several_photos]")).first.wait_for()
    if send_anyway.is_visible():
        send_anyway.click()
    page.locator("[data-code=several_photos]").wait_for()
    assert len(sent) == 1


def test_a_photo_that_the_browser_cannot_decode_is_sent_as_it_is(
    site: str, open_page: OpenPage, sent: list[bytes], tmp_path: Path, photo: bytes
) -> None:
    """A HEIC photo, which Chromium cannot open and the server can, arrives byte for byte."""
    path = tmp_path / "photo.heic"
    buffer = BytesIO()
    pillow_heif.from_pillow(Image.open(BytesIO(photo))).save(buffer)
    padding = 2_000_000
    path.write_bytes(buffer.getvalue() + padding.to_bytes(4, "big") + b"free" + bytes(padding - 8))
    page = open_page(site)
    send_photo(page, path)
    assert sent == [path.read_bytes()]


@pytest.mark.thorough
def test_a_browser_that_falsifies_canvases_sends_the_photo_as_it_is(
    site: str, open_page: OpenPage, sent: list[bytes], large: bytes, large_file: Path
) -> None:
    """Where pixels of a canvas are made up against tracking, no such pixels are sent."""
    page = open_page(site)
    page.evaluate(
        """() => {
          const read = CanvasRenderingContext2D.prototype.getImageData;
          CanvasRenderingContext2D.prototype.getImageData = function (...told) {
            const pixels = read.apply(this, told);
            pixels.data.fill(255);
            return pixels;
          };
        }"""
    )
    send_photo(page, large_file)
    assert sent == [large]


@pytest.mark.thorough
def test_only_the_last_photo_is_sent_of_those_that_were_being_shrunk(
    site: str, open_page: OpenPage, sent: list[bytes], large_file: Path
) -> None:
    """Going back and Cancel end the shrinking, and a photo dropped meanwhile takes the place of the first."""
    page = open_page(site, size=LAPTOP)
    posted = posts(page)
    page.evaluate(WAITING)
    choose(page, large_file)
    preparing = page.locator(".sending-text", has_text=PREPARING)
    preparing.wait_for()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.locator(".pick").wait_for()
    assert not page.locator(".sending").is_visible()
    choose(page, large_file)
    preparing.wait_for()
    page.get_by_role("button", name="Cancel").click()
    assert page.locator(".pick").is_visible()
    assert page.evaluate("document.activeElement.matches('.choose .file')")
    page.evaluate("letGo()")
    choose(page, large_file)
    preparing.wait_for()
    newer = page.evaluate(
        """async () => {
          const canvas = document.createElement("canvas");
          const photo = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg"); });
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([photo], "newer.jpg"));
          letGo();
          document.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
          return photo.size;
        }"""
    )
    page.wait_for_url("**/w/*")
    assert len(posted) == 1
    assert [len(content) for content in sent] == [newer]
