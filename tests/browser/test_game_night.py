"""A game night in real browsers: three devices, one table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring import Board, Color, PublicObjective, score_player
from scoring.sentences import sentence
from tests.browser.conftest import (
    LAPTOP,
    OpenPage,
    held_requests,
    no_violation,
    send_photo,
    start_game,
    to_windows,
)
from tests.readings import reading_of
from tests.webapp.conftest import SayingReader
from vision import BoardNotFoundError

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

BOARD = "R1 B2 R3 B4 R5 / G2 Y3 G4 Y5 G6 / R3 B4 R5 B6 R1 / G4 Y5 G6 Y1 G2"
LESS = BOARD.replace("Y5", "--", 1)
NOT_FOUND = BoardNotFoundError(
    "board_not_found", sentence("No window here."), sentence("From above, please.")
)
THREE = ("Row Shade Variety", "Light Shades", "Color Diagonals")


def choose_secretly(page: Page, letter: str) -> None:
    """Open the covered private objective and choose a color, which covers it again."""
    page.locator(".secret > summary").click()
    page.locator(f"input[name=private][value={letter}]").check(force=True)
    page.get_by_text("chosen, tap to look").wait_for()
    page.locator(".secret:not([open])").wait_for()


def token(page: Page) -> None:
    """Note one favor token beside the window."""
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="One token more").click()
    assert page.locator("input[name=favor_tokens]").input_value() == "1"


def be_ready(page: Page) -> None:
    """Say to be done, with no space open."""
    page.keyboard.press("Escape")
    page.get_by_role("button", name="I am ready").click()
    page.get_by_text("You are ready.").wait_for()


def sit_down(page: Page, name: str) -> None:
    """Give a name and wait for the table."""
    page.locator("#name").fill(name)
    page.get_by_role("button", name="Join").click()
    page.wait_for_selector("#table")
    page.wait_for_load_state()  # its scripts have run then; before, nobody hears of a photo that was chosen


def saved(page: Page, link: str, folder: Path) -> Path:
    """Tap a link that saves a file, and return the file."""
    with page.expect_download() as saving:
        page.get_by_role("link", name=link).click()
    target = folder / saving.value.suggested_filename
    saving.value.save_as(target)
    return target


def test_three_players_from_the_code_to_the_decided_tie(
    site: str, tmp_path: Path, reader: SayingReader, open_page: OpenPage, photo_file: Path
) -> None:
    """Join, secrets, three photos (one rescued, one put right), reveal, a tie decided, and files to keep."""
    ann = open_page(site, size=LAPTOP)
    start_game(ann)
    code = ann.locator(".code b").inner_text()

    ben = open_page(site)
    ben.locator("#join-code").fill(f"{code[:3].lower()} {code[3:]}")
    ben.get_by_role("button", name="Join", exact=True).click()
    sit_down(ben, "Ben")
    cleo = open_page(f"{site}/g/{code}")
    sit_down(cleo, "Cleo")
    ann.locator(".player", has_text="Cleo").wait_for()  # without a reload

    ann.get_by_role("button", name="We are all here").click()
    ann.wait_for_selector("#step-cards[open]")
    for name in THREE:
        ann.locator(f'input[name=public][value="{name}"]').check(force=True)
    ann.wait_for_selector("#step-cards:not([open])")  # the last choice closes it
    ann.wait_for_selector("#step-windows[open]")
    ben.locator("#step-cards > summary", has_text="Light Shades").wait_for()

    everybody = (ann, ben, cleo)
    for page in everybody:
        choose_secretly(page, "R")

    reader.answer = reading_of(BOARD)
    send_photo(ann, photo_file)
    reader.answer = NOT_FOUND
    send_photo(ben, photo_file)
    reader.answer = reading_of(BOARD)
    ben.locator("#unread-corners").click()
    ben.locator("#read-corners").click()
    ben.wait_for_selector("#board [data-cell]")
    reader.answer = reading_of(LESS.replace("B2", "B6", 1))
    send_photo(cleo, photo_file)
    cleo.locator("#board [data-cell=A2]").click()
    cleo.locator('#editor-values [data-sign="2"]').click()
    cleo.wait_for_selector('#board [aria-label="A2: blue 2"]')

    for page in everybody:
        token(page)
        be_ready(page)
    ann.get_by_text("Everybody is ready.").wait_for()
    ann.get_by_role("button", name="Reveal all windows").click()
    for page in everybody:  # the others follow by themselves
        page.wait_for_url("**/reveal")
        assert page.locator(".shown-window").count() == 3
    assert "The first place is shared" in ann.locator("h1").inner_text()
    ann.get_by_text("Who began round 1?").click()
    ann.get_by_role("button", name="Move Ben up").click()
    ann.wait_for_selector(".tie .player:first-child >> text=Ben")
    ann.get_by_role("button", name="Save", exact=True).click()
    for page in (ann, ben):
        page.locator("h1", has_text="Ann wins").wait_for()
        assert "the first turn of" in page.locator(".decisions li").first.inner_text()
    assert ben.locator(".rank .rank-place").all_inner_texts() == ["1", "2", "3"]
    assert ben.locator(".rank-name").all_inner_texts() == ["Ann", "Ben", "Cleo"]
    totals = ben.locator(".shown-head .total").all_inner_texts()
    assert totals == [str(expected(board)) for board in (BOARD, BOARD, LESS)]

    line = ben.locator(".shown-window").first.locator(".line").first
    line.click()
    assert line.get_attribute("aria-pressed") == "true"
    lit = ben.locator(".shown-window").first.locator(".cell.lit").count()
    assert lit == len((line.get_attribute("data-cells") or "").split())
    assert ben.locator(".shown-window").nth(1).locator(".cell.lit").count() == 0

    table, data = saved(ben, "Table (CSV)", tmp_path), saved(ben, "Data (JSON)", tmp_path)
    assert (table.name, data.name) == (f"sagrada-{code}.csv", f"sagrada-{code}.json")
    assert table.read_text("utf-8-sig").count("\n") == 1 + 3
    assert json.loads(data.read_text("utf-8"))["games"][0]["winners"] == ["Ann"]


def expected(board: str) -> int:
    """Return the points of a window of this evening."""
    public = [PublicObjective(name) for name in THREE]
    return score_player(Board.parse(board), public, Color.RED, 1).total


@pytest.mark.thorough
def test_a_lost_seat_comes_back_by_a_link(site: str, open_page: OpenPage) -> None:
    """The host's newest link, whose key outlasts reload and language, seats another phone at a tap."""
    host = open_page(site, size=LAPTOP)
    start_game(host)
    table = host.url
    guest = open_page(table)
    sit_down(guest, "Ben")
    host.locator(".player", has_text="Ben").wait_for()
    link = new_link(host, table)
    no_violation(host, "link for a seat", dark=True)

    phone = open_page(link)
    has_key(phone, link)
    no_violation(phone, "question for a seat", dark=True)
    phone.reload()
    has_key(phone, link)
    link = new_link(host, table)
    phone.evaluate("link => { location.hash = new URL(link).hash; }", link)  # as a tap does it in this tab
    has_key(phone, link)
    for language in ("fr", "en"):
        phone.locator(".looks > summary").click()
        phone.locator(f".languages a[lang={language}]").click()
        phone.wait_for_selector(f"html[lang={language}]")
        has_key(phone, link)

    assert guest.get_by_role("heading", name="Ben").is_visible()  # opening the page has moved nothing
    phone.get_by_role("button", name="Take your seat").click()
    phone.get_by_role("heading", name="Ben").wait_for()
    phone.go_back()
    phone.wait_for_selector("#take-seat")
    assert link.split("#")[1] not in phone.url
    guest.get_by_text("The seat of Ben moved to another device.").wait_for()  # without a tap
    assert guest.get_by_role("heading", name="Ben").count() == 0
    no_violation(guest, "a seat that moved")
    host.goto(table)
    assert "seat moved" in host.locator(".player", has_text="Ben").inner_text()


def new_link(host: Page, table: str) -> str:
    """Return a new link for Ben's seat."""
    host.goto(table)
    host.locator("#more > summary").click()
    host.get_by_text("Has somebody lost their seat?").click()
    host.get_by_role("button", name="New link for Ben").click()
    return host.locator(".seat-address a").inner_text()


def has_key(page: Page, link: str) -> None:
    """Wait until the form has what of a link the server never sees."""
    page.wait_for_function("link => document.getElementById('key').value === link.split('#')[1]", arg=link)
    page.locator("#key").wait_for(state="hidden")


@pytest.mark.thorough
def test_what_others_did_while_a_photo_was_sent_shows_when_it_is_given_up(
    site: str, open_page: OpenPage, photo_file: Path
) -> None:
    """The own part waits for the photo and comes in without a further change; a failure stays readable."""
    host = open_page(site, size=LAPTOP)
    start_game(host)
    guest = open_page(host.url, fine=("422",))
    sit_down(guest, "Ben")
    held = held_requests(guest, "**/seats/2/photo")
    address = f"{host.url}/seats/2"

    def send_and_rename(name: str) -> None:
        with guest.expect_request("**/seats/2/photo"):
            guest.locator(".window-form input[type=file]").last.set_input_files(photo_file)
        assert host.request.post(address, data={"name": name}).ok
        guest.locator(".player", has_text=name).wait_for()
        assert guest.get_by_role("heading", name=name, exact=True).count() == 0

    send_and_rename("Cleo")
    # A held request may count as sent already, and then nothing can be given up any more.
    guest.locator(".cancel").evaluate("button => { button.disabled = false; button.click(); }")
    guest.get_by_role("heading", name="Cleo", exact=True).wait_for()
    assert guest.evaluate("document.activeElement.matches('.choose .file')")

    send_and_rename("Dora")
    problem = {"code": "too_dark", "message": "Too dark.", "next_step": "Turn on a light."}
    held[-1].fulfill(status=422, json={"error": problem})
    guest.get_by_role("heading", name="Dora", exact=True).wait_for()
    assert guest.locator(".photo-problem").inner_text().startswith("Too dark.")


@pytest.mark.thorough
def test_axe_finds_nothing_wrong_on_an_unfolded_table(site: str, open_page: OpenPage) -> None:
    """Start page and the host's table with all that unfolds pass axe, in light and dark."""
    host = open_page(site)
    no_violation(host, "start", dark=True)
    start_game(host)
    no_violation(host, "who plays", dark=True)
    to_windows(host, tools=("Lathekin",))
    choose_secretly(host, "P")
    host.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    no_violation(host, "table of the host", dark=True)


def test_a_table_works_without_scripts(site: str, open_page: OpenPage, photo_file: Path) -> None:
    """Plain forms lead through a game: join, cards, secret, photo, ready."""
    page = open_page(site, scripts=False)
    page.locator("#host-name").fill("Ann")
    page.get_by_role("button", name="Solo game").click()
    page.get_by_role("button", name="Deal at random").first.click()
    page.locator("#step-windows[open]").wait_for()
    page.locator("#step-track > summary").click()
    page.locator("#target").fill("20")
    page.locator(".solo").get_by_role("button", name="Save").click()
    page.locator(".secret > summary").click()
    page.locator("input[name=private][value=R]").check(force=True)
    page.locator(".secret").get_by_role("button", name="Save").click()
    page.locator(".window-form input[type=file]").last.set_input_files(photo_file)
    page.locator(".window-form").get_by_role("button", name="Read this photo").click()
    page.get_by_role("link", name="Back to the table").first.click()
    page.get_by_role("button", name="I am ready").click()
    page.get_by_role("button", name="Show the result").click()
    assert "against a target of 20" in page.locator(".outcome").inner_text()
