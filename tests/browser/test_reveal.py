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
    """Each is told once, the winner last, also when a window changes meanwhile; then the page is there."""
    game, token = three(served)
    page = open_page(served.site)
    coming(page, served, game)
    ranked = page.locator(".rank-name").all_inner_texts()
    seat = next(one for one in game.seats if one.name == ranked[-1])
    record = served.readings.load(seat.record_id)
    page.context.add_cookies([{"name": SEATS, "value": token, "url": served.site}])
    before = page.locator(".rank-total").last.inner_text()
    for shown in range(1, 4):
        page.wait_for_selector(f"#staging[data-told='{shown}']")
        assert names(page) == ranked[3 - shown :]
        page.clock.run_for(1500)  # as long as it counts
        total = page.locator(".rank-total").nth(3 - shown).inner_text()
        assert page.locator(".staging-total").inner_text() == total
        if shown == 1:
            changed = page.request.post(
                f"{served.site}/w/{record.id}", data={"revision": record.revision, "cells": {"A2": "--"}}
            )
            assert changed.ok
        page.clock.run_for(1000)
    changed_total = "was => document.querySelectorAll('.rank-total')[2].textContent !== was"
    page.wait_for_function(changed_total, arg=before)
    last = page.locator(".rank-total").last.inner_text()
    assert page.locator(".staging-places .told b").last.inner_text() == last
    page.clock.run_for(5000)
    page.locator("#staging").wait_for(state="detached")
    assert page.locator(".winner figcaption").is_visible()
    assert [line.split(",")[0] for line in told(page)] == [
        f"Place {3 - k}: {ranked[2 - k]}" for k in range(3)
    ]


def test_the_staging_is_skipped_and_comes_neither_again_nor_to_who_wants_none(
    served: Served, open_page: OpenPage
) -> None:
    """Escape, a reload, and no motion show everything, and tell what is left; no scripts, no wait."""
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

    page.evaluate("sessionStorage.clear()")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.wait_for_selector("#reveal.seen")
    assert page.locator("#staging").is_hidden()
    assert [line.count("Place ") for line in told(page)] == [3]

    bare = open_page(served.site, scripts=False)
    bare.emulate_media(reduced_motion="no-preference")
    bare.goto(page.url)
    assert bare.locator("h1").is_visible()
    assert bare.locator("#staging").is_hidden()


def test_the_sheet_adds_up_and_a_line_shows_its_dice(served: Served, open_page: OpenPage) -> None:
    """Columns sum up to the totals of ranking and JSON; a line lights its dice also with the window away."""
    game, _ = served.put([At("Ann", favor=2), At("Ben", FULL, "R"), At("Cleo", private=None)])
    page = open_page(f"{served.site}/g/{game.code}/reveal", size=PHONE)
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
