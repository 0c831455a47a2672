"""The games so far in a real browser."""

from __future__ import annotations

import csv
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


def test_nothing_is_wider_than_a_phone(site: str, evening: tuple[Game, str], open_page: OpenPage) -> None:
    """With long names and cards, in long languages, the page scrolls down only; buttons can be hit."""
    page = open_page(site + "/history", size=SMALL_PHONE, locale="ru-RU")
    as_host(page, site, evening[1])
    for address in ("/history", f"/g/{evening[0].code}/reveal"):
        page.goto(site + address)
        assert page.locator(".game, .keep").count() > 0
        assert sideways(page) <= 0
        assert too_small(page, "main a, main button, main summary") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong(
    site: str, evening: tuple[Game, str], open_page: OpenPage, scheme: str
) -> None:
    """The games so far, with the question before deleting, and what the reveal offers pass axe."""
    page = open_page(site, size=PHONE)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    as_host(page, site, evening[1])
    page.goto(site + "/history")
    page.locator(".game-delete summary").click()
    no_violation(page, "games so far")
    page.goto(f"{site}/g/{evening[0].code}/reveal")
    no_violation(page, "reveal")


def test_the_table_comes_as_a_file(
    site: str, evening: tuple[Game, str], open_page: OpenPage, tmp_path: Path
) -> None:
    """A tap on the table saves a file with one row for each player of each game."""
    page = open_page(site + "/history", size=PHONE)
    with page.expect_download() as saving:
        page.get_by_role("link", name="Table (CSV)").click()
    assert saving.value.suggested_filename == "sagrada-games.csv"
    target = tmp_path / "saved.csv"
    saving.value.save_as(target)
    with target.open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == 3 * 3 + 1 + 2


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
    page.get_by_role("button", name="This is the order").click()
    page.wait_for_function("before => document.getElementById('bg-stats').href !== before", arg=before)
    assert handed_over(page) == [("Ann", True, True), ("Ben", False, False)]


def handed_over(page: Page) -> list[tuple[str, bool, bool]]:
    """Return name, win and start of each player as the link tells them."""
    link = page.locator("#bg-stats").get_attribute("href") or ""
    told = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    return [(one["name"], one["winner"], one["startPlayer"]) for one in told["players"]]
