"""What the page says of a photo before it is sent: too dark, blurred or small, and that it is only advice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageFilter

from tests.browser.conftest import OpenPage, no_violation, too_small
from tests.browser.test_upload import arrived, choose, posts

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
ADVICE = ".photo-problem [data-code^=advice_]"
FAULT = """async ([path, table]) => {
  const { look } = await import("/static/lens.js");
  const photo = await (await fetch(path)).blob();
  return look(await createImageBitmap(photo), { table });
}"""


def darkened(photo: Image.Image) -> Image.Image:
    """Return the photo in a twelfth of its light."""
    return photo.point(lambda level: level // 12)


def softened(photo: Image.Image) -> Image.Image:
    """Return the photo far out of focus."""
    return photo.filter(ImageFilter.GaussianBlur(max(photo.size) / 250))


def spoiled(tmp_path: Path, spoil: Callable[[Image.Image], Image.Image]) -> Path:
    """Return the file of a sample photo to which something was done."""
    path = tmp_path / "spoiled.jpg"
    with Image.open(SAMPLES / "easy_daylight.jpg") as photo:
        spoil(photo).save(path, quality=90)
    return path


def fault(page: Page, photo: Path, *, table: bool = False) -> dict[str, object] | None:
    """Return what the script finds wrong with a photo."""
    page.route("**/measured", lambda route: route.fulfill(path=photo, content_type="image/jpeg"))
    found: dict[str, object] | None = page.evaluate(FAULT, ["/measured", table])
    page.unroute("**/measured")
    return found


def test_a_bad_photo_is_told_before_it_is_sent(
    site: str, open_page: OpenPage, sent: list[bytes], tmp_path: Path, photo: bytes, photo_file: Path
) -> None:
    """Nothing is sent until the person says so, by keyboard too, or takes another, and then only that."""
    page = open_page(site)
    posted = posts(page)
    dark = spoiled(tmp_path, darkened)
    choose(page, dark)
    page.locator(".photo-problem [data-code=advice_dark]").wait_for()
    assert page.locator(".pick").is_visible()
    assert page.locator(".notice-ways .primary").inner_text() == "Another photo"  # so little light is too bad
    assert posted == []
    no_violation(page, "a dark photo", "#upload")
    assert too_small(page, ".notice-ways button") == []
    assert page.evaluate("document.activeElement.textContent") == "Send it all the same"
    page.keyboard.press("Enter")
    assert arrived(page, sent) == dark.read_bytes()
    assert len(posted) == 1

    sent.clear()
    page.goto(site)
    choose(page, dark)
    page.locator(ADVICE).wait_for()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Another photo").click()
    chooser.value.set_files(photo_file)
    assert arrived(page, sent) == photo


def test_a_browser_that_takes_long_to_decode_gives_no_advice(
    site: str, open_page: OpenPage, sent: list[bytes], tmp_path: Path
) -> None:
    """A photo that need not be made smaller does not wait for advice for ever."""
    page = open_page(site)
    page.evaluate("""() => {
      createImageBitmap = () => new Promise(() => {});
      const usual = setTimeout;
      setTimeout = (act, wait, ...more) => usual(act, wait / 10, ...more);
    }""")
    choose(page, spoiled(tmp_path, darkened))
    arrived(page, sent)


def test_only_photos_that_cannot_be_read_get_advice(site: str, open_page: OpenPage, tmp_path: Path) -> None:
    """Not one sample, dim, noisy or blurred: worse ones, and those too small for a window or for a table."""
    page = open_page(site)
    told = {path.name: fault(page, path) for path in SAMPLES.glob("*.jpg")}
    assert len(told) > 20
    assert [name for name, found in told.items() if found] == []
    assert fault(page, spoiled(tmp_path, softened)) == {"name": "blurred", "bad": False}

    def found(longest: int, *, table: bool) -> object:
        photo = spoiled(tmp_path, lambda photo: photo.resize((longest, longest * 3 // 4)))
        return fault(page, photo, table=table)

    assert found(499, table=False) == {"name": "small", "bad": True}
    assert found(520, table=False) is None
    assert found(520, table=True) == {"name": "small", "bad": False}
    assert found(1000, table=True) is None
