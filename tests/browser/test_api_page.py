from __future__ import annotations

import pytest

from tests.browser.conftest import LAPTOP, OpenPage, no_violation, too_small

pytestmark = pytest.mark.browser


def test_the_page_for_programs_is_for_everybody(open_page: OpenPage, site: str) -> None:
    """Axe finds nothing wrong with everything opened; the description is in English in every language."""
    page = open_page(f"{site}/api/v1/", size=LAPTOP)
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    no_violation(page, "the page for programs")


def test_an_action_is_opened_by_keyboard(open_page: OpenPage, site: str) -> None:
    """Each action is a button for the keyboard, large enough for a finger, that shows its fields."""
    page = open_page(f"{site}/api/v1/#scoreWindow")
    action = page.locator("#scoreWindow")
    summary = action.locator("summary")
    assert too_small(page, "#scoreWindow summary") == []
    assert not action.get_by_text("favor_tokens", exact=True).is_visible()
    summary.focus()
    page.keyboard.press("Enter")
    assert action.get_by_text("favor_tokens", exact=True).is_visible()
