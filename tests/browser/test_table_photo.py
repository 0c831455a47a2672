"""The page of a photo of the whole table: windows, one list of doubts, seats, draft pool, round track."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import cv2
import pytest

from tests.browser.conftest import (
    LAPTOP,
    NO_ANSWER,
    OpenPage,
    held_requests,
    no_violation,
    sideways,
    start_game,
    too_small,
    wait_until,
)
from tests.readings import BOARD, PLACES, card_at, loose, reading_of, table_of
from tests.webapp.conftest import (
    PATIENCE_S,
    RULEBOOK,
    SayingReader,
    SayingTable,
    rulebook_reading,
    two_windows,
)
from tests.webapp.tables import several_boards
from vision.reading import Alternative
from vision.table import Unread

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Locator, Page

    from vision import Reading
    from vision.table import TableReading

pytestmark = pytest.mark.browser

NARROW = {"width": 350, "height": 740}
THREE = ("Row Shade Variety", "Light Shades", "Color Diagonals")
TARGETS = (
    ".table-photo main :is(button, summary, .swatch, .number-choice, .objective, #bar a, "
    "input[type=text], input[type=number], .whose-link, .close-up-link, a.button)"
)
BOARDS = (
    BOARD,
    RULEBOOK,
    "R1 B2 R3 B4 R5 / G2 Y3 G4 Y5 G6 / R3 B4 R5 B6 R1 / G4 Y5 G6 Y1 G2",
    "P1 Y2 P3 Y4 P5 / R2 B3 R4 B5 R6 / P3 Y4 P5 Y6 P1 / R4 B5 R6 B1 R2",
)
NUMBERS = ".seen-window .number"


def four_windows() -> tuple[Reading, ...]:
    """Return four windows with nothing in doubt."""
    return tuple(reading_of(board, corners=place) for board, place in zip(BOARDS, PLACES, strict=False))


def doubtful_everywhere() -> TableReading:
    """Return two windows and a loose die, an objective and a space of each window in doubt."""
    first, second = two_windows()
    cells = list(second.cells)
    cells[0] = replace(cells[0], doubtful=True, alternatives=(Alternative(None, None, 0.3),))
    dice = [loose("R5", doubtful=True, others=["R6", "P5"]), loose("B4", (340.0, 250.0))]
    cards = [card_at(THREE[0], doubtful=True), card_at(THREE[1], 330.0)]
    return table_of(first, replace(second, cells=tuple(cells)), dice=dice, cards=cards)


def send(page: Page, photo_file: Path) -> None:
    """Choose a photo on the start page and wait for the page of the table."""
    page.set_input_files("#upload .choose input[name=photo]", photo_file)
    page.wait_for_url("**/t/*")


def take(page: Page, site: str, photo: bytes, purpose: str = "score", **fields: str) -> str:
    """Send a photo of the table without the page, and open its page when all is read."""
    sent: FilePayload = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": photo}
    answer = page.request.post(f"{site}/t.json", multipart={"photo": sent, "purpose": purpose, **fields})
    assert answer.status == 201, answer.text()
    links = answer.json()["links"]
    wait_until(page, lambda: page.request.get(f"{site}{links['self']}.json").json()["stage"] != "reading")
    address = f"{site}{links['self']}?look=1"
    page.goto(address)
    return address


def several(reader: SayingReader, others: int = 1) -> None:
    """Let the photo of one window show others, too."""
    reader.answer = replace(rulebook_reading(), corners=PLACES[0], other_windows=others)


def read(page: Page, count: int) -> None:
    """Wait until nothing more is being read, and there are so many windows."""
    page.wait_for_selector("#table-photo[data-stage=done]")
    assert page.locator(".seen-window").count() == count


def state_of(page: Page, site: str) -> dict[str, Any]:
    """Return what the server has of the photo on the page."""
    photo_id = page.url.split("/t/")[1].split("?")[0]
    told: dict[str, Any] = page.request.get(f"{site}/t/{photo_id}.json").json()
    return told


def bare(table_reader: SayingTable, windows: int = 0) -> None:
    """Let the photo show some windows and three loose dice, none in doubt."""
    dice = [loose("R5"), loose("B4", (360.0, 250.0)), loose("G2", (300.0, 320.0))]
    table_reader.answer = table_of(*four_windows()[:windows], dice=dice)


def middle(spot: Locator) -> tuple[float, float]:
    """Return where the middle of a die is on the screen."""
    spot.scroll_into_view_if_needed()
    box = spot.locator("circle").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"The keyboard does not come to {selector}.")


@pytest.fixture
def table_file(photo_file: Path) -> Path:
    """Return the file of a photo that is large enough for a whole table."""
    path = photo_file.with_name("table.jpg")
    image = cv2.imread(str(photo_file))
    assert image is not None
    cv2.imwrite(str(path), cv2.resize(image, (1200, 900)))
    return path


# --- The way in, and while it is read -------------------------------------------------------------


def next_hold(table_reader: SayingTable, after: int) -> None:
    """Let the reading go on until it has told so many windows."""
    now, table_reader.go_on = table_reader.go_on, threading.Event()
    table_reader.hold_after = after
    table_reader.held.clear()
    now.set()
    assert table_reader.held.wait(PATIENCE_S)


def test_windows_appear_one_by_one_and_lead_to_their_pages(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader, table_reader: SayingTable
) -> None:
    """Each window comes in by itself, past a cut connection, and its number leads to its page and back."""
    several(reader, 2)
    table_reader.answer = table_of(*four_windows()[:3])
    table_reader.hold_after = 0
    page = open_page(site, fine=NO_ANSWER)
    send(page, photo_file)
    for number in (1, 2):
        next_hold(table_reader, number)
        page.wait_for_selector(f"#bar .seen:text('{number} of 3 windows are read…')")
        assert page.locator(".seen-window").count() == number
        assert page.get_by_role("button", name="Score them all").count() == 0
    no_violation(page, "half read")
    assert sideways(page) <= 0

    lost: list[str] = []
    page.on("requestfailed", lambda request: lost.append(request.url))
    page.context.set_offline(True)
    wait_until(page, lambda: len(lost) >= 2)
    table_reader.go_on.set()
    assert page.locator(".seen-window").count() == 2
    page.context.set_offline(False)
    read(page, 3)
    assert page.locator("#bar progress").count() == 0

    assert page.locator(NUMBERS).all_text_contents() == ["1", "2", "3"]
    for window in page.locator(".seen-window .line").all():
        box = window.bounding_box()
        assert box is not None
        assert box["width"] > 50
        assert box["height"] > 40
    address = page.url
    reading = state_of(page, site)["windows"][1]["reading"]
    page.locator(NUMBERS, has_text="2").click()
    page.wait_for_url(f"**/w/{reading}")
    page.get_by_role("link", name="All windows of this photo").click()
    page.wait_for_url(f"{address}**")
    read(page, 3)


# --- From one photo to the ranking ----------------------------------------------------------------


def tap_private(page: Page, number: int, color: str) -> None:
    """Choose the private objective of a window in the open sheet."""
    page.locator(f"#private-{number} .swatch", has_text=color).tap()


def test_six_taps_lead_from_a_photo_to_the_ranking(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader, table_reader: SayingTable
) -> None:
    """Where cards and tokens lie in the photo, six taps rank three windows, though answers are slow."""
    windows = [replace(one, tokens=reading_of(tokens=3).tokens) for one in four_windows()[:3]]
    reader.answer = replace(windows[0], other_windows=2)
    table_reader.answer = table_of(*windows, cards=[card_at(name) for name in THREE])
    page = open_page(site)
    taps = 1  # for the photo among those of the phone
    with page.expect_file_chooser() as choosing:
        page.locator("#upload .choose").tap()
    choosing.value.set_files(photo_file)
    page.wait_for_url("**/t/*")
    read(page, 3)
    assert all(name in page.locator(".chosen").inner_text() for name in THREE)
    assert page.locator("#bar").inner_text().startswith("3 windows\nMissing: 3 private objectives")
    page.locator("#bar .primary").tap()
    taps += 1
    held = held_requests(page, "**/windows/1", times=1)
    for number, color in enumerate(("Red", "Blue", "Green"), start=1):
        page.locator("#objectives").wait_for()
        tap_private(page, number, color)
        taps += 1
    page.locator("#objectives").wait_for(state="hidden")
    wait_until(page, lambda: held)
    held[0].continue_()
    page.get_by_role("button", name="Score them all").tap()
    taps += 1
    page.wait_for_url("**/reveal")
    assert page.locator(".rank .rank-place").count() == 3
    assert "–" not in page.locator(".rank-place").all_inner_texts()
    assert taps <= 6


def test_the_sheet_stays_open_while_windows_come_in_and_closes_after_the_last_choice(
    site: str, open_page: OpenPage, photo_file: Path, reader: SayingReader, table_reader: SayingTable
) -> None:
    """Live updates keep the open sheet and the keyboard's place in it; the very last choice closes it."""
    several(reader, 2)
    table_reader.answer = table_of(*four_windows()[:3], cards=[card_at(name) for name in THREE[:2]])
    table_reader.hold_after = 1
    page = open_page(site)
    send(page, photo_file)
    page.evaluate("window.stayed = true")
    page.locator("#bar .primary").tap()
    tap_private(page, 1, "Red")
    page.locator("#private-1 :checked").press("Tab")
    focused = page.evaluate("document.activeElement.outerHTML")
    table_reader.go_on.set()
    page.wait_for_selector("#private-3")
    read(page, 3)
    assert page.evaluate("document.activeElement.outerHTML") == focused
    assert page.locator("#private-1 [value=R]").is_checked()
    page.locator("#cards-here summary", has_text="2 of 3 chosen").wait_for()
    for number, color in ((2, "Blue"), (3, "Green")):
        tap_private(page, number, color)
    page.locator("#public .objective", has_text="Color Diagonals").scroll_into_view_if_needed()
    assert page.locator("#objectives").is_visible()
    page.locator("#public .objective", has_text=THREE[2]).tap()
    page.locator("#objectives").wait_for(state="hidden")
    page.get_by_role("button", name="Score them all").wait_for()
    assert page.evaluate("window.stayed")


def test_a_name_given_just_before_the_ranking_is_in_it(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """A name waits in the fold of its window; the way to the ranking waits until it is saved."""
    table_reader.answer = table_of(*four_windows()[:2], cards=[card_at(name) for name in THREE])
    page = open_page(site, size=LAPTOP)
    address = take(page, site, photo).split("?")[0]
    for number, color in ((1, "R"), (2, "B")):
        page.request.post(f"{address}/windows/{number}.json", data={"private": color})
    page.reload()
    page.locator("#own-2 > summary").click()
    page.locator("#name-2").fill("Dora")
    held = held_requests(page, "**/windows/2", times=1)
    page.get_by_role("button", name="Score them all").click(no_wait_after=True)
    wait_until(page, lambda: held)
    held[0].continue_()
    page.wait_for_url("**/reveal")
    assert "Dora" in " ".join(page.locator(".rank-name").all_inner_texts())


def test_the_windows_are_ranked_without_scripts(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """Each choice has a button that saves it, and the bar leads to the ranking."""
    table_reader.answer = table_of(*four_windows()[:2], cards=[card_at(name) for name in THREE])
    page = open_page(site, scripts=False)
    take(page, site, photo)
    for number, color in ((1, "Red"), (2, "Blue")):
        tap_private(page, number, color)
        page.locator(f"#private-{number}").get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Score them all").click()
    page.wait_for_url("**/reveal")


def test_no_points_are_shown_before_the_objectives_are_chosen(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """Until all public objectives are there a window says its dice and empty spaces, then its points."""
    table_reader.answer = table_of(*two_windows(), cards=[card_at(name) for name in THREE[:2]])
    page = open_page(site, size=LAPTOP)
    take(page, site, photo)
    assert page.locator(NUMBERS).all_text_contents() == ["1", "2"]
    assert page.locator(".points").count() == 0
    assert "17 dice, 3 empty spaces" in page.locator("#window-1").inner_text()
    assert page.get_by_role("link", name="Window 1: 17 dice, 3 empty spaces").count() == 1
    page.locator("#choose").click()
    page.locator("#public .objective", has_text=THREE[2]).click()
    page.wait_for_selector(".points")
    told = [one["total"] for one in state_of(page, site)["windows"]]
    assert page.locator(NUMBERS).all_text_contents() == [f"{n} · {one}" for n, one in enumerate(told, 1)]


# --- What is in doubt -----------------------------------------------------------------------------


def rows(page: Page) -> int:
    """Return how many things need a look."""
    return page.locator(".doubt-row").count()


def fewer(page: Page, tap: Callable[[], None], left: int) -> None:
    """Tap something, and wait until so many doubts are left on the same page."""
    page.evaluate("window.stayed = true")
    tap()
    page.wait_for_function("left => document.querySelectorAll('.doubt-row').length === left", arg=left)
    assert page.evaluate("window.stayed")


def test_all_doubts_stand_in_one_list(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """Spaces of all windows, tokens and cards are one tap each, and the points in the picture follow."""
    table = doubtful_everywhere()
    seen = reading_of(tokens=3).tokens
    assert seen
    first, second = table.windows
    first = replace(first, tokens=replace(seen, doubtful=True))
    cards = [*table.cards, card_at(THREE[2], 500.0)]
    table_reader.answer = replace(table, windows=(first, second), cards=tuple(cards))
    page = open_page(site)
    take(page, site, photo)
    assert rows(page) == 4  # no loose die: none counts where windows are scored
    assert "4 things need a look." in page.locator(".doubtful-dice").inner_text()
    assert page.locator("#bar .primary").inner_text() == "Look at 4 things"
    fewer(page, page.get_by_role("button", name=f"{THREE[0]}: Yes").click, 3)
    assert page.locator("#public input:checked").count() == 3
    fewer(page, page.get_by_role("button", name="Window 1: 2 favor tokens").click, 2)
    told = state_of(page, site)["windows"]
    assert told[0]["favor_tokens"] == 2
    assert page.locator(NUMBERS).all_text_contents() == [f"{one['number']} · {one['total']}" for one in told]
    fewer(page, page.get_by_role("button", name="A4: yellow 4 instead").click, 1)
    fewer(page, page.get_by_role("button", name=re.compile("A1: yellow 5 is right")).click, 0)
    assert page.locator(".doubtful-dice").count() == 0
    assert page.locator(".seen-window.doubtful, .doubt-cell").count() == 0
    told = state_of(page, site)["windows"]
    assert "Y4" in told[0]["board"].split(" / ")[0]
    assert page.locator(NUMBERS).all_text_contents() == [f"{one['number']} · {one['total']}" for one in told]
    assert page.locator(".whose-window .points").all_inner_texts() == [str(one["total"]) for one in told]


def test_a_doubtful_loose_die_is_one_tap(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """In a photo taken for its dice loose ones stand in the same list, with what they may be instead."""
    table = doubtful_everywhere()
    other = loose("B4", (340.0, 250.0), doubtful=True, others=["B5"])
    table_reader.answer = replace(table, loose_dice=(table.loose_dice[0], other))
    page = open_page(site, size=LAPTOP)
    take(page, site, photo, "place")
    left = rows(page)
    doubts = page.locator(".doubtful-dice")
    fewer(page, doubts.get_by_role("button", name=re.compile("red 6 instead", re.IGNORECASE)).click, left - 1)
    fewer(page, doubts.get_by_role("button", name="There is no die here").first.click, left - 2)
    assert [one["die"] for one in state_of(page, site)["loose_dice"]] == ["R6"]
    page.wait_for_selector(".seen-die.doubtful", state="detached")


# --- Loose dice in the photo ----------------------------------------------------------------------


def test_a_loose_die_is_put_right_with_the_keyboard_or_by_a_tap_near_it(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """Keys alone name a die; a finger may miss one by some pixels, and elsewhere adds one just there."""
    bare(table_reader)
    page = open_page(site)
    take(page, site, photo, "place")
    tab_to(page, "[data-die='1']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#picker:not([hidden])")
    assert page.evaluate("document.activeElement.closest('#picker-dice') !== null")
    page.keyboard.press("Escape")
    page.wait_for_selector("#picker", state="hidden")
    assert page.evaluate("document.activeElement.dataset.die") == "1"
    page.keyboard.press("Enter")
    tab_to(page, "#picker [value=R6]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-die='1']:has-text('R6')")
    assert page.locator("#picker").is_hidden()
    assert page.evaluate("document.activeElement.dataset.die") == "1"
    page.keyboard.press(" ")
    tab_to(page, "#no-die")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('[data-die]').length === 2")

    x, y = middle(page.locator("[data-die='0']"))
    page.mouse.click(x - 16, y - 12)
    page.wait_for_selector("#picker:not([hidden]) #no-die:not([hidden])")
    page.locator("#picker [value=P6]").click()
    page.wait_for_selector("[data-die='0']:has-text('P6')")
    x, y = middle(page.locator("[data-die='0']"))
    page.mouse.click(x - 70, y)
    page.wait_for_selector("#picker:not([hidden]):has(#no-die[hidden])")
    page.locator("#picker [value=Y1]").click()
    page.wait_for_selector("[data-die='2']:has-text('Y1')")
    there = middle(page.locator("[data-die='2']"))
    x, y = middle(page.locator("[data-die='0']"))
    assert there == pytest.approx((x - 70, y), abs=3)
    page.set_viewport_size({"width": 1280, "height": 500})  # where the view is wider than the photo
    box = page.locator("#table-view").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 5, box["y"] + box["height"] / 2)
    assert page.locator("#picker").is_hidden()


@pytest.mark.thorough
def test_quick_taps_on_dice_never_name_a_wrong_one(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """A die named while another is saved stays so; after one was taken away, what was tapped is refused."""
    bare(table_reader)
    page = open_page(site, size=LAPTOP, fine=("409",))
    take(page, site, photo, "place")

    def dice() -> list[str]:
        return [one["die"] for one in state_of(page, site)["loose_dice"]]

    held = held_requests(page, "**/die", times=1)
    for index, die in enumerate(("R6", "B6")):
        page.locator(f"[data-die='{index}']").click()
        page.locator(f"#picker [value={die}]").click()
    page.locator("[data-die='2']").click()
    wait_until(page, lambda: held)
    held.pop().continue_()
    page.wait_for_selector("[data-die='1']:has-text('B6')")
    assert dice() == ["R6", "B6", "G2"]
    page.keyboard.press("Escape")

    held = held_requests(page, "**/die", times=1)
    page.locator("[data-die='0']").click()
    page.locator("#no-die").click()
    page.locator("[data-die='1']").click()
    page.locator("#picker [value=B5]").click()
    wait_until(page, lambda: held)
    held.pop().continue_()
    page.wait_for_selector("#message .bad")
    assert dice() == ["B6", "G2"]
    page.locator("[data-die='0']").click()
    page.locator("#picker [value=B5]").click()
    page.wait_for_selector("[data-die='0']:has-text('B5')")


# --- A game night ---------------------------------------------------------------------------------


@pytest.mark.thorough
def test_one_photo_fills_all_seats(
    site: str, open_page: OpenPage, table_file: Path, table_reader: SayingTable
) -> None:
    """Two windows at the wrong seats swap by one tap, before the seats are filled and later, too."""
    host = open_page(site, size=LAPTOP)
    start_game(host)
    table = host.url
    for name in ("Ben", "Cleo", "Dora"):
        urlopen(Request(f"{table}/join", data=f"name={name}".encode())).close()
    host.goto(table)
    table_reader.answer = table_of(*four_windows())
    host.locator("[data-region=whole] .choose input[name=photo]").set_input_files(table_file)
    host.wait_for_url("**/t/*")
    read(host, 4)
    photo_page = host.url

    def chosen() -> list[str]:
        return [str(one.get_attribute("value")) for one in host.locator('[name^="seats."]:checked').all()]

    def choose(seat: int, number: int) -> None:
        host.locator(f".number-choice:has([name='seats.{seat}'][value='{number}'])").click()

    assert chosen() == ["1", "2", "3", "4"]
    choose(2, 3)
    assert chosen() == ["1", "3", "2", "4"]
    host.get_by_role("button", name="Fill the seats").click()
    host.wait_for_url(table)
    host.goto(photo_page)
    assert chosen() == ["1", "3", "2", "4"]
    choose(3, 3)
    assert chosen() == ["1", "2", "3", "4"]
    host.get_by_role("button", name="Correct the windows").click()
    host.wait_for_url(table)


# --- Draft pool and round track -------------------------------------------------------------------


def pool(page: Page) -> list[str]:
    """Return the dice of the draft pool."""
    dice: list[str] = page.locator(".pool-die").evaluate_all("dice => dice.map(die => die.dataset.die)")
    return dice


def test_a_photo_fills_the_draft_pool(
    site: str, open_page: OpenPage, table_file: Path, table_reader: SayingTable
) -> None:
    """Two taps put a die of it right in the photo, one empties the pool; ticked tools stay ticked."""
    bare(table_reader)
    page = open_page(f"{site}/place")
    page.get_by_role("button", name="Start with an empty window").click()
    page.wait_for_url("**/w/*/place")
    page.locator("#tools label:has([value='Lathekin'])").click()
    page.wait_for_url("**tool=Lathekin**")
    page.locator(".pool-photo .choose input[name=photo]").set_input_files(table_file)
    page.wait_for_url("**/place?*photo=*")
    page.wait_for_selector(".pool-die >> nth=2")
    assert pool(page) == ["R5", "B4", "G2"]
    assert page.locator("#tools [value='Lathekin']").is_checked()

    page.get_by_role("link", name="Correct the dice in the photo").click()
    page.wait_for_url("**/t/*")
    assert page.locator(".seen-die").count() == 3
    page.locator("[data-die='1']").click()
    page.locator("#picker [value=B6]").click()
    page.wait_for_selector("[data-die='1']:has-text('B6')")
    page.get_by_role("button", name="Use these 3 dice").click()
    page.wait_for_url("**/place?*photo=*")
    page.wait_for_selector(".pool-die[data-die=B6]")
    assert pool(page) == ["R5", "B6", "G2"]
    page.wait_for_url("**tool=Lathekin**")
    assert page.locator("#tools [value='Lathekin']").is_checked()

    page.get_by_role("button", name="Clear the pool").click()
    page.wait_for_selector(".pool-dice", state="detached")
    assert page.locator("#tools [value='Lathekin']").is_checked()
    page.reload()
    assert pool(page) == []
    assert page.locator("#tools [value='Lathekin']").is_checked()


def test_a_photo_of_the_round_track_gives_the_target(
    site: str, open_page: OpenPage, table_file: Path, table_reader: SayingTable
) -> None:
    """Its dice are told round by round, two taps put one right, and one more takes their sum."""
    table_reader.answer = table_of(
        dice=[
            loose("R5", (300.0, 250.0), place="track", round_=1),
            loose("B4", (360.0, 250.0), place="track", round_=2),
            loose("G2", (420.0, 250.0), place="track", round_=3),
        ]
    )
    page = open_page(site)
    page.get_by_role("button", name="Solo game").click()
    page.wait_for_selector("#table")
    page.locator("[data-photo]", has_text="Photograph the round track").locator(
        ".choose input[name=photo]"
    ).set_input_files(table_file)
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#bar .seen:text('Target: 11')")
    assert "Round 1: red 5, Round 2: blue 4, Round 3: green 2" in page.locator("#next").inner_text()
    page.locator("[data-die='1']").click()
    page.locator("#picker [value=B6]").click()
    page.wait_for_selector("#bar .seen:text('Target: 13')")
    page.get_by_role("button", name="Use 13 as the target").click()
    page.wait_for_selector("#table")
    assert page.locator("#target").input_value() == "13"


# --- Looks ----------------------------------------------------------------------------------------


def with_everything() -> TableReading:
    """Return a photo with all that the page can show."""
    table = doubtful_everywhere()
    windows = (*table.windows, *four_windows()[2:])
    return replace(table, windows=windows, unread=(Unread(several_boards(), (300.0, 500.0)),))


@pytest.mark.thorough
def test_the_page_is_well_made_for_each_purpose(
    site: str, open_page: OpenPage, photo: bytes, table_reader: SayingTable
) -> None:
    """With doubts, picker, seats, pool, track: axe finds nothing, all fits the screen, fingers hit all."""

    def check(where: str) -> None:
        page.wait_for_load_state()
        no_violation(page, where)
        assert sideways(page) <= 0, where
        assert too_small(page, TARGETS) == [], where

    table_reader.answer = with_everything()
    page = open_page(site, size=LAPTOP, locale="ru-RU")
    take(page, site, photo)
    check("to be scored on a laptop")
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    page.emulate_media(color_scheme="dark")
    check("to be scored")
    page.locator("#choose").click()
    check("the sheet")
    page.keyboard.press("Escape")
    page.locator("#own-2 > summary").click()
    check("one unfolded")
    page.locator("#window-2 [name=left_out]").click()
    page.wait_for_selector(".seen-window.out")
    check("one left out")
    take(page, site, photo, "place")
    check("place")
    table_reader.answer = table_of()
    take(page, site, photo, "place")
    check("nothing in the photo")
    table_reader.answer = with_everything()
    take(page, site, photo, "place")
    page.locator("[data-die='0']").click()
    check("the picker")
    made = page.request.post(f"{site}/place")
    take(page, site, photo, "pool", target=made.url.split("/w/")[1].split("/")[0])
    check("the pool")
    for purpose, players in (("seats", "no"), ("track", "yes")):
        page.goto(site)
        page.locator("#host-name").fill("Konstantin Konstantinopolski")
        page.locator(f"[name=solo][value={players}]").click()
        page.wait_for_selector("#table")
        take(page, site, photo, purpose, target=page.url.rsplit("/", 1)[1])
        check(purpose)
