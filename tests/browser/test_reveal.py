"""The moment of the reveal in a real browser: staged, skipped, and what stands there afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import PHONE, OpenPage, no_violation, sideways, too_small, wait_until
from tests.webapp.ended_games import FULL, At, put_game
from webapp.domain.games.game import Game
from webapp.http.session import SEATS
from webapp.storage.database import Database
from webapp.storage.games import GameStore
from webapp.storage.readings import ReadingStore

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

LONG = ["Maximiliane-Constanze v. Hohen", "W" * 30, "Wilhelmina-Alexandra Sonnensch", "M" * 29]
KEEP_WHAT_IS_SAID = """
  window.told = [];
  new MutationObserver((seen) => {
    for (const { target, addedNodes } of seen) {
      if (target.id === "message") for (const node of addedNodes) window.told.push(node.textContent);
    }
  }).observe(document, { childList: true, subtree: true });
"""


@dataclass
class Served:
    """A site with its database, into which tests put games."""

    site: str
    games: GameStore
    readings: ReadingStore

    def put(self, players: list[At]) -> tuple[Game, str]:
        """Put a revealed game there, and return it with its host's token."""
        return put_game(self.games, self.readings, players)


@pytest.fixture
def served(site: str, tmp_path: Path) -> Iterator[Served]:
    """Open the database of the site."""
    database = Database.in_folder(tmp_path)
    readings = ReadingStore(database, tmp_path)
    yield Served(site, GameStore(database, readings), readings)
    database.close()


def three(served: Served) -> tuple[Game, str]:
    """Play a game of three in which Ann wins before Ben and Cleo."""
    return served.put(
        [At("Ben", favor=3, private="R"), At("Ann", favor=9, private="R"), At("Cleo", private="R")]
    )


def coming(page: Page, served: Served, game: Game) -> None:
    """Come to a reveal with motion, and let its time stand still."""
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(KEEP_WHAT_IS_SAID)
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # else places come while a test looks
    page.goto(f"{served.site}/g/{game.code}/reveal")
    page.wait_for_selector("#reveal.seen")


def names(page: Page) -> list[str]:
    """Return the players whose places the staging shows, best first."""
    return page.locator(".staging-places .told .staging-name").all_inner_texts()


def told(page: Page) -> list[str]:
    """Return what screen readers were told."""
    said: list[str] = page.evaluate("window.told")
    return said


def test_places_appear_from_the_last_to_the_first_and_then_the_page(
    served: Served, open_page: OpenPage
) -> None:
    """Each is told once to screen readers, the winner last; then the page stands there."""
    game, _ = three(served)
    page = open_page(served.site)
    coming(page, served, game)
    ranked = page.locator(".rank-name").all_inner_texts()
    for shown in range(1, 4):
        page.wait_for_selector(f"#staging[data-told='{shown}']")
        assert names(page) == ranked[3 - shown :]
        page.clock.run_for(1500)  # as long as it counts
        total = page.locator(".rank-total").nth(3 - shown).inner_text()
        assert page.locator(".staging-total").inner_text() == total
        page.clock.run_for(1000)
    page.clock.run_for(5000)
    page.locator("#staging").wait_for(state="detached")
    assert page.locator(".winner figcaption").is_visible()
    assert [line.split(",")[0] for line in told(page)] == [
        f"Place {3 - k}: {ranked[2 - k]}" for k in range(3)
    ]


def test_the_staging_is_skipped_and_does_not_come_again(served: Served, open_page: OpenPage) -> None:
    """Escape shows everything and tells the rest in order; a reload stages nothing."""
    game, _ = three(served)
    page = open_page(served.site)
    coming(page, served, game)
    page.keyboard.press("Escape")
    page.locator("#staging").wait_for(state="detached")
    assert page.locator("h1").is_visible()
    wait_until(page, lambda: len(told(page)) == 2)
    ranked = page.locator(".rank-name").all_inner_texts()
    at = [" ".join(told(page)).index(name) for name in reversed(ranked)]
    assert at == sorted(at)
    page.reload()
    page.wait_for_selector("#reveal.seen")
    assert page.locator("#staging").is_hidden()
    assert told(page) == []


@pytest.mark.thorough
def test_a_correction_meanwhile_neither_stops_nor_repeats_the_staging(
    served: Served, open_page: OpenPage
) -> None:
    """The window of somebody changes while the places appear: the staging goes on with the new points."""
    game, token = three(served)
    page = open_page(served.site)
    coming(page, served, game)
    page.wait_for_selector("#staging[data-told='1']")
    last = page.locator(".rank-name").last.inner_text()
    before = page.locator(".rank-total").last.inner_text()
    seat = next(one for one in game.seats if one.name == last)
    record = served.readings.load(seat.record_id)
    page.context.add_cookies([{"name": SEATS, "value": token, "url": served.site}])
    changed = page.request.post(
        f"{served.site}/w/{record.id}", data={"revision": record.revision, "cells": {"A2": "--"}}
    )
    assert changed.ok
    page.clock.run_for(3100)
    page.wait_for_function(
        "was => document.querySelectorAll('.rank-total')[2].textContent !== was", arg=before
    )
    now = page.locator(".rank-total").last.inner_text()
    assert page.locator(".staging-places .told b").last.inner_text() == now
    page.clock.run_for(3000)
    page.wait_for_selector("#staging[data-told='3']")
    page.clock.run_for(6000)
    page.locator("#staging").wait_for(state="detached")
    assert len(told(page)) == 3


def test_without_motion_or_scripts_everything_is_there_at_once(served: Served, open_page: OpenPage) -> None:
    """Who wants no motion is told the standing in one line; without scripts nothing is hidden or waits."""
    game, _ = three(served)
    page = open_page(served.site)
    page.add_init_script(KEEP_WHAT_IS_SAID)
    page.goto(f"{served.site}/g/{game.code}/reveal")
    page.wait_for_selector("#reveal.seen")
    assert page.locator("#staging").is_hidden()
    assert [line.count("Place ") for line in told(page)] == [3]
    bare = open_page(f"{served.site}/g/{game.code}/reveal", scripts=False)
    bare.emulate_media(reduced_motion="no-preference")
    bare.reload()
    assert bare.locator("h1").is_visible()
    assert bare.locator("#staging").is_hidden()


def test_the_sheet_adds_up_to_the_totals(served: Served, open_page: OpenPage) -> None:
    """Each column of the score sheet sums up to its total, which is that of the ranking and of the JSON."""
    game, _ = served.put([At("Ann", favor=2), At("Ben", FULL, "R"), At("Cleo", private=None)])
    page = open_page(f"{served.site}/g/{game.code}/reveal")
    rows = page.locator(".sheet tbody tr")
    totals = page.locator(".sheet tfoot td b").all_inner_texts()
    sums = [0, 0, 0]
    for row in range(rows.count()):
        for column, cell in enumerate(rows.nth(row).locator("td").all()):
            points = cell.locator("b")
            sums[column] += int(points.inner_text().replace("−", "-")) if points.count() else 0
    assert [str(one).replace("-", "−") for one in sums] == totals
    assert page.locator(".rank-total").all_inner_texts() == totals
    standings = page.request.get(f"{served.site}/g/{game.code}.json").json()["result"]["standings"]
    assert [one["total"] for one in standings] == sums
    assert [one["name"] for one in standings] == page.locator(".sheet-name").all_inner_texts()
    no_violation(page, "score sheet", ".sheet")


def test_a_line_lights_its_dice_in_a_small_window_that_stays_in_view(
    served: Served, open_page: OpenPage
) -> None:
    """On a phone whose screen the window has left, the lit dice are shown beside the line."""
    game, _ = three(served)
    page = open_page(f"{served.site}/g/{game.code}/reveal", size=PHONE)
    article = page.locator(".shown-window").first
    line = article.locator(".line:not(.none)").first
    line.click()
    # What comes late above it, such as a picture, moves the window back into sight.
    scrolled = """(line) => {
        line.scrollIntoView({ block: "start" });
        return document.querySelector(".little:not([hidden]) .lit");
    }"""
    page.wait_for_function(scrolled, arg=line.element_handle())
    assert page.locator(".little .lit").count() == article.locator(".cell.lit").count()


@pytest.mark.thorough
def test_four_long_names_fit_a_phone(served: Served, open_page: OpenPage) -> None:
    """Sheet and staging of long names fit the screen; the staging passes axe, fingers hit its button."""
    game, _ = served.put([At(name) for name in LONG])
    page = open_page(f"{served.site}/g/{game.code}/reveal", size=PHONE, locale="ru-RU")
    assert sideways(page) <= 0
    right = page.locator(".sheet td, .sheet th").evaluate_all(
        "all => Math.max(...all.map((one) => one.getBoundingClientRect().right))"
    )
    assert right <= PHONE["width"]
    page.evaluate("sessionStorage.clear()")
    coming(page, served, game)
    page.wait_for_selector("#staging[data-told]")
    assert sideways(page) <= 0
    page.evaluate("document.getElementById('staging').remove = () => {}")  # it stays however long axe looks
    page.clock.resume()  # axe waits for time to pass
    no_violation(page, "staging", "#staging")
    assert too_small(page, ".staging-skip") == []
