"""The page before it is installed, and as it stands on a phone without a browser around it."""

from __future__ import annotations

import json

import pytest

from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.browser

INSETS = {"top": 47, "left": 30, "bottom": 34, "right": 30}


def test_chromium_would_install_the_page(site: str, open_page: OpenPage) -> None:
    """The manifest has no mistake, comes in the chosen language, and nothing forbids installing."""
    page = open_page(site, locale="en-US")
    page.goto(f"{site}/?lang=ja")
    browser = page.context.new_cdp_session(page)
    found = browser.send("Page.getAppManifest")
    assert found["url"] == f"{site}/manifest.webmanifest"
    assert found["errors"] == []
    assert json.loads(found["data"])["lang"] == "ja"
    problems = {
        problem["errorId"] for problem in browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    }
    assert problems <= {"in-incognito"}  # which is what the window of a test is


def test_nothing_hides_behind_notch_and_home_bar(site: str, open_page: OpenPage) -> None:
    """Without a browser around the page, words and buttons stay off the edges that the phone needs."""
    page = open_page(site)
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setSafeAreaInsetsOverride", {"insets": INSETS})
    for part in (".brand", ".languages", "main", ".foot"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= INSETS["top"], part
        assert box["x"] >= INSETS["left"], part
        assert box["x"] + box["width"] <= 390 - INSETS["right"], part
    # Both as they are laid out, in fractions of a pixel: scrollHeight would be rounded.
    below: float = page.evaluate(
        "document.documentElement.getBoundingClientRect().bottom"
        " - document.querySelector('.foot').getBoundingClientRect().bottom"
    )
    assert below >= INSETS["bottom"]
