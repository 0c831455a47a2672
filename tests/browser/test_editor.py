from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import SMALL_PHONE, OpenPage

pytestmark = pytest.mark.browser

# How far the word reaches out of the inside of its chip, in CSS pixels.
OVERHANG = """(chip) => {
  const range = document.createRange();
  range.selectNodeContents(chip);
  const word = range.getBoundingClientRect();
  const box = chip.getBoundingClientRect();
  return Math.max(box.left + chip.clientLeft - word.left, word.right - box.right + chip.clientLeft);
}"""


@pytest.mark.parametrize("locale", ["en-US", "ru-RU"])
def test_the_word_empty_fits_its_chip(site: str, open_page: OpenPage, photo_file: Path, locale: str) -> None:
    """Among the likely choices the word for an empty space can be read whole, in every language."""
    page = open_page(site, size=SMALL_PHONE, locale=locale)
    page.locator("input[type=file]").last.set_input_files(photo_file)
    page.wait_for_url("**/w/*")
    page.locator("#board .cell.doubtful").click()
    chip = page.locator("#editor-likely .open-die")
    assert chip.evaluate(OVERHANG) < 0.5  # below that it is rounding
    dialog = page.locator("#editor")
    assert dialog.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
