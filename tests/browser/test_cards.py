"""The cards of a household in a real browser: from a photo of drawn cards to cards that are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import LAPTOP, PHONE, OpenPage, no_violation, sideways, too_small
from tests.taught import NAMES, OBJECTIVES, TOOLS, file_of, side_by_side

pytestmark = pytest.mark.browser


@pytest.fixture
def photo_of_cards(tmp_path: Path) -> Path:
    """Return the file of a photo of drawn cards side by side."""
    path = tmp_path / "cards.jpg"
    path.write_bytes(file_of(side_by_side()))
    return path


@pytest.mark.parametrize("scripts", [True, False])
def test_cards_are_learned_forgotten_and_brought_back(
    site: str, open_page: OpenPage, photo_of_cards: Path, scripts: bool
) -> None:
    """The start page leads there; what was read is only confirmed, a double name is told and nothing lost."""
    page = open_page(site, scripts=scripts, fine=("400",))
    page.get_by_role("link", name="Your cards", exact=True).click()
    page.locator("#upload .choose input[name=photo]").set_input_files(photo_of_cards)
    if not scripts:
        page.locator("#upload .no-script").click()
    page.wait_for_url("**/cards/photo/*")
    chosen = [page.get_by_label(f"Name of card {k}").input_value() for k in range(1, len(NAMES) + 1)]
    assert chosen == [*[""] * len(TOOLS), *OBJECTIVES]
    for number in range(1, len(TOOLS) + 1):
        page.get_by_label(f"Name of card {number}").select_option(TOOLS[min(number, len(TOOLS) - 1)])
    page.get_by_role("button", name="Learn these cards").click()
    page.wait_for_selector("#problem")
    assert "Two cards have the same name." in page.locator("#problem").inner_text()
    assert page.locator("[aria-invalid]").count() == 2
    for number, name in enumerate(TOOLS, start=1):
        page.get_by_label(f"Name of card {number}").select_option(name)
    page.get_by_role("button", name="Learn these cards").click()
    page.wait_for_url("**done=kept**")
    assert "6 cards are learned." in page.locator(".done").inner_text()
    page.get_by_role("button", name=f"Forget {TOOLS[1]}").click()
    page.wait_for_url("**done=forgotten**")
    assert page.locator(".taught-cards li").count() == len(NAMES) - 1
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url("**done=back**")
    assert page.locator(".taught-cards li").count() == len(NAMES)


@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "dark"), (LAPTOP, "light")], ids=["phone-dark", "laptop-light"]
)
def test_the_pages_of_cards_can_be_used_by_everybody(
    site: str, open_page: OpenPage, photo_of_cards: Path, size: dict[str, int], scheme: str
) -> None:
    """List and naming fit a phone, a finger, the keyboard and a screen reader."""
    page = open_page(f"{site}/cards", size=size)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    no_violation(page, "no cards yet")
    page.locator("#upload .choose input[name=photo]").set_input_files(photo_of_cards)
    page.wait_for_url("**/cards/photo/*")
    no_violation(page, "cards to be named")
    assert sideways(page) <= 0
    assert too_small(page, ".found-cards select, .name-cards .button") == []
    page.get_by_label("Name of card 1").focus()
    page.keyboard.type(TOOLS[0])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "name-2"
    for _ in range(len(NAMES) - 1):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**done=kept**")
    no_violation(page, "cards that are known")
    assert sideways(page) <= 0
    assert too_small(page, ".taught-cards .button, .draw-delete summary") == []
