"""A whole evening of three phones, through which the server restarts and phones lose the network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import (
    OpenPage,
    no_violation,
    objectives,
    served,
    sideways,
    start_game,
    to_windows,
    too_small,
)
from tests.readings import reading_of
from tests.webapp.conftest import SayingReader

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

NAMES = ("Ann", "Ben", "Cleo")
BOARDS = (
    "R1 B2 R3 B4 R5 / G2 Y3 G4 Y5 G6 / R3 B4 R5 B6 R1 / G4 Y5 G6 Y1 G2",
    "R1 B2 R3 B4 R5 / G2 -- G4 Y5 G6 / R3 B4 R5 B6 R1 / G4 Y5 G6 -- G2",
    "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4",
)
TURNS = 6
FINE = ("Failed to load resource",)  # a name that is taken, and what was asked while nobody could answer
AWAKE = "document.dispatchEvent(new Event('visibilitychange'))"


@dataclass
class Evening:
    """Three phones at one table; the first one is the host's, the last one is dark."""

    phones: tuple[Page, Page, Page]
    site: str = ""
    code: str = ""

    def look_up(self) -> None:
        """Wake the phones, so that nobody waits for the next look of a page."""
        for phone in self.phones:
            phone.evaluate(AWAKE)

    def are_well(self, where: str, *, fingers: str) -> None:
        """Look at all phones: nothing is wider than the screen, fingers hit all; with axe at the dark one."""
        for phone, name in zip(self.phones, NAMES, strict=True):
            assert sideways(phone) <= 0, f"{where}, {name}"
            assert too_small(phone, fingers) == [], f"{where}, {name}"
        no_violation(self.phones[-1], where)


def arrive(evening: Evening) -> None:
    """Ann opens a table, Ben comes by the code, and Cleo by the address, at first with Ben's name."""
    ann, ben, cleo = evening.phones
    ann.locator("#host-name").fill("Ann")
    ann.get_by_role("button", name="2 to 6 players").click()
    evening.code = ann.locator(".code b").inner_text()
    ben.locator("#join-code").fill(f"{evening.code[:3].lower()} {evening.code[3:]}")
    ben.get_by_role("button", name="Join", exact=True).click()
    cleo.goto(f"{evening.site}/g/{evening.code}")
    for phone, name in ((ben, "Ben"), (cleo, "Ben"), (cleo, "Cleo")):
        phone.locator("#name").fill(name)
        phone.get_by_role("button", name="Join").click()
        if phone is cleo and name == "Ben":
            phone.locator("#problem").wait_for()
            assert sideways(phone) <= 0
        else:
            phone.locator(".seat h2", has_text=name).wait_for()
    for phone in evening.phones:
        phone.locator(".player", has_text="Cleo").wait_for()
    evening.are_well("at the table", fingers=".table-steps .button, .table-steps summary")


def set_up(evening: Evening) -> None:
    """Cards for all, windows and private objectives for each; who begins is drawn, and Ben begins round 1."""
    ann, ben, _ = evening.phones
    ann.get_by_role("button", name="We are all here").click()
    ann.get_by_role("button", name="Deal at random").first.click()
    ann.locator("#step-windows[open]").wait_for()
    ann.locator("#more > summary").click()
    ann.locator("#choose-tools > summary").click()
    ann.get_by_role("button", name="Deal at random").last.click()
    ann.locator(".tool-card").nth(2).wait_for()
    ann.locator("#more > summary").click()
    ann.locator("#step-deal > summary").click()
    ann.get_by_role("button", name="Deal windows and private objectives").click()
    ann.get_by_text("Dealt to:").wait_for()
    ann.get_by_role("button", name="Draw who begins").click()
    ann.locator(".drawing-first", has_text=" begins.").wait_for()
    evening.look_up()
    for phone in evening.phones:
        phone.locator(".offer-window").nth(3).wait_for()
    evening.are_well("choosing a window", fingers=".offer-window, .secret > summary")
    for number, phone in enumerate(evening.phones):
        phone.locator(".offer-window").nth(number).click()
        phone.locator(".offering").wait_for(state="detached")
        is_covered(phone)
        tokens = phone.locator("input[name=favor_tokens]")
        assert tokens.input_value() == tokens.get_attribute("max")
    ben.locator("#step-deal > summary").click()
    ben.get_by_role("button", name="Begin round 1").click()
    evening.look_up()


def is_covered(phone: Page) -> None:
    """Look at the own private objective: it is shown only while its player looks."""
    secret = phone.locator(".secret", has_text="Private objective")
    secret.get_by_text("chosen, tap to look").wait_for()
    chosen = secret.locator(".swatch:has(:checked)")
    assert not chosen.is_visible()
    secret.locator("xpath=./summary").click()
    chosen.wait_for()
    secret.locator("xpath=./summary").click()
    chosen.wait_for(state="hidden")


def is_covered_beside_the_window(phone: Page) -> None:
    """Hold the same of the page of a window, where a sheet shows it."""
    phone.locator(".chosen").get_by_text("chosen, tap to look").wait_for()
    chosen = phone.locator("#objectives .swatch:has(:checked)")
    assert not chosen.is_visible()
    with objectives(phone):
        chosen.wait_for()
    chosen.wait_for(state="hidden")


def is_at(phone: Page, number: int, turn: int = 0) -> None:
    """Wait until a phone shows a turn of a round."""
    phone.get_by_role("heading", name=f"Round {number} of 10").wait_for()
    phone.locator(f".snake li:nth-child({turn + 1})[aria-current=step]").wait_for()


def tap(phone: Page, move: str) -> None:
    """Tap on the round helper and wait for what comes of it."""
    seen = phone.locator(".round [name=seen]").input_value()
    phone.locator(f".round [name=move][value={move}]").click()
    phone.locator(f".round [name=seen]:not([value='{seen}'])").wait_for(state="attached")


def play(evening: Evening, number: int, away: Page | None = None) -> None:
    """Play a round, with a tap from each phone that is there in turn."""
    there = [phone for phone in evening.phones if phone is not away]
    for turn in range(TURNS):
        for phone in there:
            is_at(phone, number, turn)
        assert sum(phone.locator(".round.is-own").count() for phone in there) == 1 or away
        tap(there[(number + turn) % len(there)], "next_turn" if turn < TURNS - 1 else "next_round")
        evening.look_up()


def hurry(phone: Page, until: int) -> None:
    """Play on to the beginning of a round as a phone at the table would, but without looking at its page."""
    turns = phone.locator(".snake li").count()
    now = {"number": 0, "step": int(phone.locator(".round [name=seen]").input_value())}
    while now["number"] < until:
        move = "next_turn" if now["step"] % turns else "next_round"
        sent = {"move": move, "seen": now["step"]}
        now = phone.request.post(f"{phone.url}/round.json", data=sent).json()["round"]
    phone.evaluate(AWAKE)


def use_a_tool(evening: Evening) -> None:
    """Cleo pays for a tool, and all phones tell of it."""
    ann, ben, cleo = evening.phones
    cleo.get_by_role("button", name="Use it for 1 token").first.click()
    most = int(cleo.locator("input[name=favor_tokens]").get_attribute("max") or 0)
    cleo.locator(f"input[name=favor_tokens][value='{most - 1}']").wait_for()
    evening.look_up()
    for phone in (ann, ben):
        phone.locator(".round", has_text="(Cleo)").wait_for()


def take_photos(evening: Evening, reader: SayingReader, photo: Path) -> None:
    """Each takes a photo; Ben's connection breaks meanwhile, and the photo goes by itself when it is back."""
    ann, ben, _ = evening.phones
    for phone, board in zip(evening.phones, BOARDS, strict=True):
        reader.answer = reading_of(board, doubtful=["A2"] if phone is ann else [])
        phone.context.set_offline(phone is ben)
        phone.locator(".window-form input[type=file]").last.set_input_files(photo)
        if phone is ben:
            phone.locator(".photo-problem [data-code=offline]").wait_for()
            assert sideways(phone) <= 0
            phone.context.set_offline(False)
        phone.wait_for_url("**/w/*")
        phone.locator("#board [data-cell]").first.wait_for()
    evening.are_well("the window", fingers="#game button:not(.no-script), .chip")
    ann.locator("[data-right]").first.click()
    ann.locator(".doubtful-dice").wait_for(state="detached")
    for phone in evening.phones:
        is_covered_beside_the_window(phone)
        phone.get_by_role("button", name="I am ready").click()
        phone.get_by_text("You are ready.").wait_for()


def reveal(evening: Evening) -> None:
    """All windows are shown on all phones, with the points that the server tells."""
    ann = evening.phones[0]
    evening.look_up()
    ann.get_by_text("Everybody is ready.").wait_for()
    evening.are_well("ready", fingers=".table-steps .button, .table-steps summary")
    ann.get_by_role("button", name="Reveal all windows").click()
    for phone in evening.phones:
        phone.wait_for_selector("#reveal.seen")
    for phone in evening.phones:
        assert phone.locator(".shown-window").count() == len(NAMES)
        table = phone.request.get(f"{evening.site}/g/{evening.code}.json").json()
        result = table["result"]["standings"]
        assert phone.locator(".sheet-name").all_inner_texts() == [one["name"] for one in result]
        totals = phone.locator(".sheet tfoot td b").all_inner_texts()
        assert [int(one.replace("−", "-")) for one in totals] == [one["total"] for one in result]
    evening.are_well("the reveal", fingers="#reveal .button, #reveal summary")


def play_again(evening: Evening) -> None:
    """Two taps of the host, and every phone is at the next table with its seat and name."""
    ann = evening.phones[0]
    ann.locator(".again summary").click()
    ann.get_by_role("button", name="New cards").click()
    ann.wait_for_url(lambda url: evening.code not in url)
    for phone, name in zip(evening.phones, NAMES, strict=True):
        phone.locator(".seat h2", has_text=name).wait_for(state="attached")
        assert phone.url == ann.url
        assert sorted(phone.locator(".player b:first-child").all_inner_texts()) == list(NAMES)
        phone.get_by_text("not chosen yet").wait_for(state="attached")
    evening.are_well("again", fingers=".table-steps .button, .table-steps summary")


@pytest.mark.thorough
def test_a_whole_evening(open_page: OpenPage, tmp_path: Path, photo_file: Path) -> None:
    """All phones go through the evening together, whoever taps, is away, or serves anew; nothing is lost."""
    reader = SayingReader()
    with served(tmp_path, reader) as site:
        ann, ben, cleo = (open_page(site, fine=FINE) for _ in NAMES)
        cleo.emulate_media(color_scheme="dark", reduced_motion="reduce")
        evening = Evening((ann, ben, cleo), site)
        arrive(evening)
        set_up(evening)
        play(evening, 1)
        use_a_tool(evening)
        evening.are_well("in a round", fingers=".round button, .tool-card button")
        tap(ann, "back")
        evening.look_up()
        is_at(cleo, 1, TURNS - 1)
        tap(cleo, "next_round")
        cleo.context.set_offline(True)
        play(evening, 2, away=cleo)
        is_at(cleo, 2)
        cleo.locator(".away").wait_for()
        evening.are_well("away", fingers=".round button")
    # Nobody loads a page again: the phones find the table by themselves.
    with served(tmp_path, reader, port=int(site.rsplit(":", 1)[1])):
        cleo.context.set_offline(False)
        hurry(ann, until=10)
        evening.look_up()
        cleo.locator(".away").wait_for(state="detached")
        play(evening, 10)
        for phone in evening.phones:
            phone.locator(".round-now", has_text="All rounds are played: now the photos.").wait_for()
        take_photos(evening, reader, photo_file)
        reveal(evening)
        play_again(evening)


WAKE_LOCK = """Object.defineProperty(navigator, "wakeLock", { value: {
  request: async () => {
    window.awake = (window.awake ?? 0) + 1;
    return { released: false, release() { this.released = true; window.awake -= 1; } };
  },
} })"""


def test_a_phone_that_shows_the_rounds_stays_on(site: str, open_page: OpenPage) -> None:
    """Nobody has to tap it awake in a round; when all rounds are played it may go dark."""
    page = open_page(site)
    page.add_init_script(WAKE_LOCK)
    start_game(page)
    assert page.request.post(f"{page.url}/join", data={"name": "Ben"}).ok
    to_windows(page)
    assert page.evaluate("window.awake ?? 0") == 0
    page.locator("#step-deal > summary").click()
    page.get_by_role("button", name="Begin round 1").click()
    page.wait_for_function("() => window.awake === 1")
    page.evaluate("() => { navigator.mediaDevices.getUserMedia = () => new Promise(() => {}); }")
    page.locator(".window-form .only-touch").first.dispatch_event("click")
    page.locator(".viewfinder .close").click()
    page.locator(".viewfinder").wait_for(state="detached")
    assert page.evaluate("window.awake") == 1  # the viewfinder is not the only reason
    for _ in range(10):
        step = page.locator(".round [name=seen]").input_value()
        page.locator(".round [name=move][value=next_round]").click()
        page.locator(f".round [name=seen]:not([value='{step}'])").wait_for(state="attached")
    page.wait_for_function("() => window.awake === 0")


def test_the_keyboard_goes_from_turn_to_turn(site: str, open_page: OpenPage) -> None:
    """Enter alone plays the rounds: it never skips one, and after the last it takes nothing back."""
    page = open_page(site)
    start_game(page)
    assert page.request.post(f"{page.url}/join", data={"name": "Ben"}).ok
    to_windows(page)
    page.locator("#step-deal > summary").click()
    page.get_by_role("button", name="Begin round 1").click()
    is_at(page, 1)
    hurry(page, until=9)
    is_at(page, 9)
    page.locator(".round [value=next_turn]").focus()
    for turn in range(4 * 8 + 1, 4 * 10 + 1):
        page.keyboard.press("Enter")
        page.locator(f".round [name=seen][value='{turn + 1}']").wait_for(state="attached")
        where = page.evaluate("document.activeElement.value ?? document.activeElement.id")
        assert where == ("round-head" if turn == 40 else "next_round" if turn % 4 == 3 else "next_turn")
