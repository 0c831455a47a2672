"""Dice that the reader does not know, in a real browser: from a photo to a profile and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring import ALL_CELLS, Board
from tests.browser.conftest import OpenPage, more, no_violation, sideways, too_small
from tests.profiles import drawn

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SET, LEARNED_FROM, OTHER = "shifted hues", 1, 2
LEARNED = "**result=learned**"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return two photos of the same set."""
    paths = tmp_path / "one.jpg", tmp_path / "other.jpg"
    for path, seed in zip(paths, (LEARNED_FROM, OTHER), strict=True):
        path.write_bytes(drawn(SET, seed).content)
    return paths


def read(page: Page, site: str, photo: Path) -> Page:
    """Send a photo and wait for its window."""
    page.goto(site)
    page.locator("#upload input[name=photo]").last.set_input_files(photo)
    page.wait_for_url("**/w/*")
    more(page)
    return page


def mistakes(page: Page, truth: Board) -> int:
    """Return how many spaces of a window, whichever way up it is shown, are not as they are."""
    shown = Board.parse(page.locator("#board-text").input_value().replace("\n", " / "))
    ways = (shown, shown.rotated_180())
    return min(sum(one[cell] != truth[cell] for cell in ALL_CELLS) for one in ways)


def correct(page: Page, truth: Board) -> None:
    """Put the right dice into the window, as text and the way up that it is shown."""
    shown = Board.parse(page.locator("#board-text").input_value().replace("\n", " / "))
    ways = (truth, truth.rotated_180())
    right = max(ways, key=lambda one: sum(one[cell] == shown[cell] for cell in ALL_CELLS))
    page.locator("details.as-text summary").click()
    page.locator("#board-text").fill(str(right).replace(" / ", "\n"))
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_load_state()
    more(page)


def refused(page: Page) -> None:
    """Let dice be refused that nobody confirmed, and put one right: what was typed and ticked stays."""
    page.get_by_label("Name", exact=True).fill("Grandma's table")
    page.get_by_label("Keep pictures of dice").check()
    page.locator("[name=all_right]").evaluate("box => { box.required = false; }")
    page.get_by_role("button", name="Teach this set").click()
    page.locator("#learn [role=alert]").wait_for()
    assert "Some dice still need a look." in page.locator("#learn [role=alert]").inner_text()
    no_violation(page, "refused dice", "#learn")
    assert sideways(page) <= 0
    page.locator(".doubt-row .chip.right").first.click()
    page.locator("#learn [role=alert]").wait_for(state="detached")
    assert page.get_by_label("Name", exact=True).input_value() == "Grandma's table"
    assert page.get_by_label("Keep pictures of dice").is_checked()


def teach(page: Page) -> None:
    """Let the dice of the first photo be learned, with their pictures kept."""
    correct(page, drawn(SET, LEARNED_FROM).board)
    page.get_by_label("All dice are correct now").check()
    page.get_by_label("Name", exact=True).fill("Grandma's table")
    page.get_by_label("Keep pictures of dice").check()
    page.get_by_role("button", name="Teach this set").click()
    page.wait_for_url(LEARNED)


def test_unknown_dice_are_refused_learned_read_and_unlearned(
    real_site: str, open_page: OpenPage, files: tuple[Path, Path]
) -> None:
    """Once its dice are confirmed, the other photo has fewer mistakes, until this one is forgotten."""
    page = open_page(real_site, fine=("400",))
    other = drawn(SET, OTHER).board
    before = mistakes(read(page, real_site, files[1]), other)
    assert before
    assert page.locator(".unlike-dice").is_visible()
    refused(read(page, real_site, files[0]))
    teach(page)
    assert "These dice are learned." in page.locator("#learn").inner_text()
    assert not page.locator(".doubtful-dice").count()
    assert mistakes(page, drawn(SET, LEARNED_FROM).board) == 0
    read(page, real_site, files[1])
    assert "Read as these dice: Grandma's table" in page.locator("#learn").inner_text()
    assert not page.locator(".unlike-dice").count()
    assert mistakes(page, other) < before
    page.locator(".read-as a").click()
    page.get_by_text("Change Grandma's table").click()
    page.get_by_role("button", name="Forget the last photo").click()
    page.wait_for_url("**done=undone")
    assert not page.locator(".dice-set").count()
    assert mistakes(read(page, real_site, files[1]), other) == before


def test_the_pages_of_dice_can_be_used_by_everybody(
    real_site: str, open_page: OpenPage, project_root: Path
) -> None:
    """The list and the naming of loose dice fit a phone, a finger and a screen reader."""
    page = open_page(f"{real_site}/dice")
    no_violation(page, "no dice yet", dark=True)
    page.set_input_files("#loose-photo", project_root / "sample_images" / "loose_dice.jpg")
    page.get_by_role("button", name="Read this photo").click()
    page.wait_for_url("**/dice/loose/*")
    no_violation(page, "dice to be named", dark=True)
    assert sideways(page) <= 0
    assert too_small(page, ".found-dice select, .name-dice .button") == []
    assert page.get_by_label("Die 1: Color").is_visible()
