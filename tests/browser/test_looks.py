"""The small menu for light, dark and letters, and the keys that go with the letters."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, OpenPage, no_violation, sideways

pytestmark = pytest.mark.browser

PRESS = "(cell, key) => cell.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
PAPER = "() => getComputedStyle(document.body).backgroundColor"


def test_the_menu_turns_the_page_dark_for_good(site: str, open_page: OpenPage) -> None:
    """On a light phone two taps make every page dark; axe finds nothing, and nothing is too wide."""
    page = open_page(site, size=PHONE, locale="fr-FR")
    light = page.evaluate(PAPER)
    page.locator(".looks summary").click()
    assert sideways(page) <= 0
    no_violation(page, "the menu")
    page.locator(".looks a[href$='theme=dark']").click()
    expect(page.locator("link[href$='dark.css']:not([media])")).to_have_count(1)
    assert page.evaluate(PAPER) != light
    page.goto(f"{site}/history")
    assert page.evaluate(PAPER) != light


def test_keys_are_the_letters_on_the_dice(site: str, open_page: OpenPage) -> None:
    """Where a yellow die carries Ж, the key Ж sets yellow, and the letters of the notation still work."""
    page = open_page(site, locale="ru-RU")
    page.locator(".hand button").click()
    for name, key in (("A1", "ж"), ("C3", "y")):
        cell = page.locator(f"#board [data-cell={name}]")
        cell.press("Escape")  # waits for the scripts
        for pressed in (key, "5"):
            cell.evaluate(PRESS, pressed)
        expect(cell.locator(".die-letter")).to_have_text("Ж")
