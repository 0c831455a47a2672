"""A game night in real browsers: three devices, one table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import LAPTOP, PHONE, OpenPage, served
from tests.readings import reading_of
from tests.webapp.conftest import SayingReader
from vision import BoardNotFoundError

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

BOARD = "R1 B2 R3 B4 R5 / G2 Y3 G4 Y5 G6 / R3 B4 R5 B6 R1 / G4 Y5 G6 Y1 G2"
LESS = BOARD.replace("Y5", "--", 1)
NOT_FOUND = BoardNotFoundError("board_not_found", "No window here.", "From above, please.")
RESTART = ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE")  # a page may be asking just when the server stops
THREE = ("Row Shade Variety", "Light Shades", "Color Diagonals")


def choose_secretly(page: Page, letter: str) -> None:
    """Open the covered private objective, choose a color and cover it again."""
    page.locator(".secret summary").click()
    page.locator(f"input[name=private][value={letter}]").check(force=True)
    page.get_by_text("chosen, tap to look").wait_for()
    page.locator(".secret summary").click()


def token(page: Page) -> None:
    """Note one favor token."""
    with page.expect_response(lambda answer: answer.url.endswith("/own")):
        page.get_by_role("button", name="One token more").click()
    page.wait_for_selector('input[name=favor][value="1"]')


def take_photo(page: Page, photo: Path) -> None:
    """Send the photo of the own window and wait for its page."""
    page.locator("input[type=file]").last.set_input_files(photo)
    page.wait_for_url("**/w/*")


def be_ready(page: Page) -> None:
    """Say to be done."""
    page.get_by_role("button", name="I am ready").click()
    page.get_by_text("You are ready.").wait_for()


def no_violation(page: Page, where: str) -> None:
    """Look at the page with axe."""
    found = Axe().run(page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"


def test_three_players_from_the_code_to_the_decided_tie(
    tmp_path: Path, reader: SayingReader, open_page: OpenPage, photo_file: Path
) -> None:
    """Join by code, secrets, three photos (one rescued, one put right), a restart, reveal, a tie decided."""
    with served(tmp_path, reader) as site:
        ann = open_page(site, size=LAPTOP, fine=RESTART)
        ann.locator("#host-name").fill("Ann")
        ann.get_by_role("button", name="2 to 4 players").click()
        ann.wait_for_selector("#table")
        code = ann.locator(".code b").inner_text()

        ben = open_page(site, fine=RESTART)
        ben.locator("#join-code").fill(f"{code[:3].lower()} {code[3:]}")
        ben.get_by_role("button", name="Join", exact=True).click()
        ben.locator("#name").fill("Ben")
        ben.get_by_role("button", name="Sit down").click()
        ben.wait_for_selector("#table")
        cleo = open_page(f"{site}/g/{code}", fine=RESTART)
        cleo.locator("#name").fill("Cleo")
        cleo.get_by_role("button", name="Sit down").click()
        cleo.wait_for_selector("#table")
        ann.locator(".player", has_text="Cleo").wait_for()  # without a reload

        for number, name in enumerate(THREE):
            ann.locator(f'input[name=card][value="{name}"]').check(force=True)
            ann.locator(".objective.shown").nth(number).wait_for()
        ben.locator(".objective.shown").nth(2).wait_for()

        for page in (ann, ben, cleo):
            choose_secretly(page, "R")
            token(page)

        reader.answer = reading_of(BOARD)
        take_photo(ann, photo_file)
        reader.answer = NOT_FOUND
        take_photo(ben, photo_file)
        reader.answer = reading_of(BOARD)
        ben.locator("#unread-corners").click()
        ben.locator("#read-corners").click()
        ben.wait_for_selector("#board [data-cell]")
        reader.answer = reading_of(LESS.replace("B2", "B6", 1))
        take_photo(cleo, photo_file)
        cleo.locator("#board [data-cell=A2]").click()
        cleo.locator('#editor-values [data-sign="2"]').click()
        cleo.wait_for_selector('#board [aria-label="A2: blue 2"]')
        for page in (ann, ben, cleo):
            page.goto("about:blank")

    with served(tmp_path, reader) as site:  # the server was restarted
        for page in (ann, ben, cleo):
            page.goto(f"{site}/g/{code}")
            be_ready(page)
        ann.get_by_text("Everybody is ready.").wait_for()
        ann.get_by_role("button", name="Reveal all windows").click()
        for page in (ann, ben, cleo):  # the others follow by themselves
            page.wait_for_url("**/reveal")
            assert page.locator(".shown-window").count() == 3
        assert "The first place is shared" in ann.locator("h1").inner_text()
        ann.get_by_role("button", name="Move Ben up").click()
        ann.wait_for_selector(".tie .player:first-child >> text=Ben")
        ann.get_by_role("button", name="This is the order").click()
        ann.get_by_text("the first turn of Cleo").or_(ann.locator("h1", has_text="wins")).first.wait_for()
        ben.locator("h1", has_text="wins").wait_for()
        places = ben.locator(".rank").all_inner_texts()
        assert [re.split(r"\s+", place)[:2] for place in places][2] == ["3", "Cleo"]
        assert "the first turn of" in ben.locator(".decisions li").first.inner_text()

        line = ben.locator(".shown-window").first.locator(".line").first
        line.click()
        assert line.get_attribute("aria-pressed") == "true"
        lit = ben.locator(".shown-window").first.locator(".cell.lit").count()
        assert lit == len((line.get_attribute("data-cells") or "").split())
        assert ben.locator(".shown-window").nth(1).locator(".cell.lit").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_on_the_pages_of_a_game(
    site: str, open_page: OpenPage, photo_file: Path, scheme: str
) -> None:
    """Start page, question for a name, table, window of a seat and reveal pass axe, in light and dark."""
    host = open_page(site, size=PHONE)
    host.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    no_violation(host, "start")
    host.locator("#host-name").fill("Ann")
    host.get_by_role("button", name="2 to 4 players").click()
    host.wait_for_selector("#table")
    address = host.url
    guest = open_page(address)
    guest.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    no_violation(guest, "join")
    guest.locator("#name").fill("Ben")
    guest.get_by_role("button", name="Sit down").click()
    guest.wait_for_selector("#table")
    host.get_by_role("button", name="Deal at random").first.click()
    host.wait_for_selector(".objective.shown")
    host.get_by_role("button", name="Deal at random").last.click()
    host.wait_for_selector(".tool-card")
    choose_secretly(host, "P")
    host.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    no_violation(host, "table of the host")
    take_photo(guest, photo_file)
    no_violation(guest, "window of a seat")
    host.goto(address)
    host.locator("input[name=anyway]").check()
    host.get_by_role("button", name="Reveal all windows").click()
    host.wait_for_selector(".shown-window")
    no_violation(host, "reveal")


def test_a_table_works_without_scripts(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """Plain forms lead through a game: join, cards, secret, photo, ready."""
    page = open_page(site, scripts=False)
    page.locator("#host-name").fill("Ann")
    page.get_by_role("button", name="Solo game").click()
    page.get_by_role("button", name="Deal at random").first.click()
    assert page.locator(".objective.shown").count() == 2
    page.locator("#target").fill("20")
    page.locator(".solo").get_by_role("button", name="Save").click()
    page.locator(".secret summary").click()
    page.locator("input[name=private][value=R]").check(force=True)
    page.locator(".secret").get_by_role("button", name="Save").click()
    page.locator("input[type=file]").last.set_input_files(photo_file)
    page.get_by_role("button", name="Read this photo").click()
    page.get_by_role("link", name="Back to the table").first.click()
    page.get_by_role("button", name="I am ready").click()
    page.get_by_role("button", name="Reveal all windows").click()
    assert "against a target of 20" in page.locator(".outcome").inner_text()
