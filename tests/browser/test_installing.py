"""The page as it stands on a phone without a browser around it."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.browser

INSETS = {"top": 47, "left": 30, "bottom": 34, "right": 30}


def test_nothing_hides_behind_notch_and_home_bar(site: str, open_page: OpenPage) -> None:
    """Without a browser around the page, words and buttons stay off the edges that the phone needs."""
    page = open_page(site)
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setSafeAreaInsetsOverride", {"insets": INSETS})
    for part in (".brand", ".looks", "main", ".foot"):
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
