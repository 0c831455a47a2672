"""Pages of one window as axe and a screen reader find them; other tests look at the other pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.webapp.conftest import SayingReader
from vision import BoardNotFoundError

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

NOT_FOUND = BoardNotFoundError("board_not_found", "No window here.", "From above, please.")


def no_violation(page: Page, where: str) -> None:
    """Look at the page with axe."""
    found = Axe().run(page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"


def read(page: Page, photo_file: Path) -> None:
    """Send the photo and wait for its page."""
    page.set_input_files(".choose input[name=photo]", photo_file)
    page.wait_for_url("**/w/*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_axe_finds_nothing_wrong_on_the_pages_of_a_window(
    site: str,
    open_page: OpenPage,
    photo_file: Path,
    reader: SayingReader,
    size: dict[str, int],
    scheme: str,
) -> None:
    """A window with a doubt, its editor, its picture, an unread photo and an error page pass axe."""
    page = open_page(site, size=size, fine=("404",))
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    read(page, photo_file)
    no_violation(page, "a window with a doubt")
    page.locator('#board [data-cell="A4"]').click()
    page.wait_for_selector("#editor[open]")
    no_violation(page, "its editor")
    page.keyboard.press("Escape")
    page.locator("#share summary").click()
    page.wait_for_selector("#share-image[src^=blob]")
    no_violation(page, "its picture")
    reader.answer = NOT_FOUND
    page.goto(site)
    read(page, photo_file)
    no_violation(page, "a photo that was not read")
    page.goto(f"{site}/nowhere")
    no_violation(page, "an error")


def test_a_screen_reader_finds_a_grid_of_named_spaces(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """The window is a grid of four rows of five named spaces, and one of them is a tab stop."""
    page = open_page(site)
    read(page, photo_file)
    tree = page.get_by_role("grid").aria_snapshot()
    roles = [line.strip(" -'").split()[0] for line in tree.splitlines()]
    assert roles.count("row") == 4
    assert roles.count("gridcell") == 20
    assert 'gridcell "A4: yellow 5, doubtful"' in tree
    assert 'gridcell "A1: empty"' in tree
    assert page.locator('#board [tabindex="0"]').count() == 1
