"""The games so far in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from scoring import WINDOW_PATTERNS, PublicObjective
from tests.browser.conftest import PHONE, SMALL_PHONE, OpenPage, no_violation, sideways, too_small
from tests.webapp.ended_games import FULL, At, put_game
from webapp.domain.games.game import Game
from webapp.http.session import SEATS
from webapp.storage.database import Database
from webapp.storage.games import GameStore
from webapp.storage.readings import ReadingStore

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LONG = "Maximiliane-Constanze v. Hohen"
UNBROKEN = "W" * 30
OBJECTIVES = list(PublicObjective)


@pytest.fixture
def evening(site: str, tmp_path: Path) -> Iterator[tuple[Game, str]]:
    """Put games with long names into the site, the last one a tie, and give that with its host's token."""
    database = Database.in_folder(tmp_path)
    readings = ReadingStore(database, tmp_path)
    store = GameStore(database, readings)
    names = sorted(WINDOW_PATTERNS, key=len, reverse=True)
    for number in range(3):
        players = [At(LONG, window=names[number]), At(UNBROKEN, FULL, window=names[number + 3]), At("Ann")]
        put_game(store, readings, players, public=OBJECTIVES[3 * number : 3 * number + 3])
    put_game(store, readings, [At("Ann", FULL)], public=OBJECTIVES[:2], solo=True, target=20)
    yield put_game(store, readings, [At("Ann"), At("Ben")])
    database.close()


def as_host(page: Page, site: str, token: str) -> None:
    """Give a browser the token of the host."""
    page.context.add_cookies([{"name": SEATS, "value": token, "url": site}])


def test_the_pages_of_ended_games_are_well_made(
    site: str, evening: tuple[Game, str], open_page: OpenPage
) -> None:
    """With long names in a long language axe finds nothing, all fits the screen, and fingers hit all."""
    page = open_page(site + "/history", size=SMALL_PHONE, locale="ru-RU")
    as_host(page, site, evening[1])
    for address in ("/history", f"/g/{evening[0].code}/reveal"):
        page.goto(site + address)
        assert page.locator(".game, .keep").count() > 0
        assert sideways(page) <= 0
        assert too_small(page, "main a, main button, main summary") == []
        for summary in page.locator(".game-delete summary").all()[:1]:
            summary.click()
        no_violation(page, address, dark=True)


def test_the_link_to_bg_stats_follows_the_table(
    site: str, evening: tuple[Game, str], open_page: OpenPage
) -> None:
    """When the order of turns decides the tie, the link hands that result over, without a reload."""
    page = open_page(site, size=PHONE)
    as_host(page, site, evening[1])
    page.goto(f"{site}/g/{evening[0].code}/reveal")
    assert handed_over(page) == [("Ann", True, False), ("Ben", True, False)]
    before = page.locator("#bg-stats").get_attribute("href")
    page.get_by_text("Who began round 1?").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_function("before => document.getElementById('bg-stats').href !== before", arg=before)
    assert handed_over(page) == [("Ann", True, True), ("Ben", False, False)]


def handed_over(page: Page) -> list[tuple[str, bool, bool]]:
    """Return name, win and start of each player as the link tells them."""
    link = page.locator("#bg-stats").get_attribute("href") or ""
    told = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    return [(one["name"], one["winner"], one["startPlayer"]) for one in told["players"]]
