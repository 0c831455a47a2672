"""Pages of one window as axe and a screen reader find them; other tests look at the other pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scoring import Color
from scoring.sentences import sentence
from tests.browser.conftest import OpenPage, more, no_violation, objectives, send_photo
from tests.webapp.conftest import RULEBOOK, SayingReader
from vision import BoardNotFoundError

pytestmark = pytest.mark.browser

NOT_FOUND = BoardNotFoundError(
    "board_not_found", sentence("No window here."), sentence("From above, please.")
)


def test_axe_finds_nothing_wrong_on_the_pages_of_a_window(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader
) -> None:
    """A window with a doubt, its editor, its picture, an unread photo and an error page pass, dark too."""
    page = open_page(site, fine=("404",))
    send_photo(page, photo_file)
    no_violation(page, "a window with a doubt", dark=True)
    page.locator('#board [data-cell="A4"]').click()
    page.wait_for_selector("#editor[open]")
    no_violation(page, "its editor", "#editor", dark=True)
    page.keyboard.press("Escape")
    with objectives(page):
        no_violation(page, "its objectives", "#objectives", dark=True)
    more(page)
    page.locator("#share summary").click()
    page.wait_for_selector("#share-image[src^=blob]")
    no_violation(page, "its picture", "#share", dark=True)
    reader.answer = NOT_FOUND
    page.goto(site)
    send_photo(page, photo_file)
    no_violation(page, "a photo that was not read", dark=True)
    page.goto(f"{site}/nowhere")
    no_violation(page, "an error", dark=True)


def test_a_screen_reader_hears_of_a_correction_once(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """In the tree of grid and status line a correction changes one space, and the line says so once."""
    page = open_page(site)
    page.clock.install()
    send_photo(page, photo_file)
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # else the line empties while it is looked at
    status = page.get_by_role("status")
    assert status.count() == 1
    before = {**dice_of(RULEBOOK), "A4": "yellow 5, doubtful"}
    assert page.get_by_role("grid").aria_snapshot() == tree(before)
    assert status.aria_snapshot() == "- status"
    page.evaluate(
        """() => {
        window.heard = [];
        const line = document.querySelector("[role=status]");
        new MutationObserver(() => {
            if (line.textContent) window.heard.push(line.textContent);
        }).observe(line, { childList: true, characterData: true, subtree: true });
        }"""
    )

    page.locator("#board [data-cell=B2]").focus()
    page.keyboard.press("6")
    page.wait_for_selector('#board [aria-label="B2: blue 6"]')
    sentence = "B2: blue 6."  # without cards nothing is counted, and a dash says nothing to the ear
    assert page.get_by_role("grid").aria_snapshot() == tree({**before, "B2": "blue 6"})
    assert status.aria_snapshot().splitlines() == ["- status:", f'  - paragraph: "{sentence}"']
    page.clock.run_for(60_000)
    assert status.aria_snapshot() == "- status"

    page.keyboard.press("Control+z")
    page.get_by_text("Undone.").wait_for()
    assert page.get_by_role("grid").aria_snapshot() == tree(before)
    assert page.evaluate("heard.filter((one, place) => one !== heard[place - 1])")[0] == sentence
    assert page.evaluate("heard.filter((one) => one.startsWith('B2: blue 6')).length") == 1


def dice_of(board: str) -> dict[str, str]:
    """Return what is said of each space of a board in notation."""
    signs = [sign for row in board.split(" / ") for sign in row.split()]
    names = [row + column for row in "ABCD" for column in "12345"]
    colors = {color.value: color.name.lower() for color in Color}
    return {
        name: "empty" if sign == "--" else f"{colors[sign[0]]} {sign[1]}"
        for name, sign in zip(names, signs, strict=True)
    }


def tree(said: dict[str, str]) -> str:
    """Return the tree of a grid with these dice."""
    lines = ['- grid "Your window":']
    for row in "ABCD":
        labels = [f"{row}{column}: {said[f'{row}{column}']}" for column in range(1, 6)]
        lines.append(f"  - 'row \"{' '.join(labels)}\"':")
        lines += [f"    - 'gridcell \"{label}\"'" for label in labels]
    return "\n".join(lines)
