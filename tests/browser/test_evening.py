"""Setting up and ten rounds on two phones, with the server started anew in between."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import OpenPage, no_violation, serving, sideways, too_small
from tests.webapp.conftest import SayingReader, SayingTable
from tests.webapp.quick import furnished
from webapp import create_app

if TYPE_CHECKING:
    from flask import Flask
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TURNS = 4


def the_app(folder: Path) -> Flask:
    """Return the application with what earlier ones left in a folder."""
    return create_app({"SAGRADA_DATA": furnished(folder)}, reader=SayingReader(), table_reader=SayingTable())


def tap(page: Page, move: str) -> None:
    """Tap on the round helper and wait for what comes of it."""
    seen = page.locator("[data-region=round] [name=seen]").input_value()
    page.locator(f".round [name=move][value={move}]").click()
    page.wait_for_function("seen => document.querySelector('.round [name=seen]')?.value !== seen", arg=seen)


def set_up(host: Page, guest: Page) -> None:
    """Deal to both, choose a window on the guest's phone, and begin there."""
    host.locator("#deal-out > summary").click()
    host.get_by_role("button", name="Deal windows and private objectives").click()
    host.get_by_text("Dealt to:").wait_for()
    host.locator(".offer-window").first.wait_for()
    guest.locator(".offer-window").nth(2).click()
    guest.locator(".secret", has_text="Window card").wait_for()
    tokens = guest.locator("input[name=favor]")
    assert tokens.input_value() == tokens.get_attribute("max")
    guest.get_by_role("button", name="Begin round 1").click()
    for page in (host, guest):
        page.get_by_role("heading", name="Round 1 of 10").wait_for()
        assert sideways(page) <= 0
        assert too_small(page, ".round button, .offer-window, .setting-up button") == []
        no_violation(page, "setting up")


def play(host: Page, guest: Page, numbers: range) -> None:
    """Play rounds, with a tap from each phone in turn."""
    for number in numbers:
        for turn in range(TURNS):
            tapping, other = (host, guest) if (number + turn) % 2 else (guest, host)
            for page in (host, guest):
                page.get_by_role("heading", name=f"Round {number} of 10").wait_for()
                page.locator(f".snake li:nth-child({turn + 1})[aria-current=step]").wait_for()
            mine, theirs = (page.locator(".round.is-own").count() for page in (tapping, other))
            assert mine + theirs == 1
            tap(tapping, "next_turn" if turn < TURNS - 1 else "next_round")


def test_ten_rounds_on_two_phones(open_page: OpenPage, tmp_path: Path) -> None:
    """Whoever taps, both phones show the same round and turn, also after the server was started anew."""
    app = the_app(tmp_path)
    with serving(app) as address:
        host, guest = open_page(address), open_page(address)
        host.request.post(f"{address}/api/v1/games", data={"name": "Ann"})
        code = host.request.get(f"{address}/api/v1/games").json()["games"][0]["code"]
        guest.request.post(f"{address}/api/v1/games/{code}/players", data={"name": "Ben"})
        for page in (host, guest):
            page.goto(f"{address}/g/{code}")
        set_up(host, guest)
        play(host, guest, range(1, 3))
        tap(host, "back")
        tap(host, "next_round")
        for page in (host, guest):
            page.goto("about:blank")
    with serving(the_app(tmp_path)) as address:
        # Cookies know no ports: both are still who they were.
        for page in (host, guest):
            page.goto(f"{address}/g/{code}")
        play(host, guest, range(3, 11))
        for page in (host, guest):
            page.locator(".round-now", has_text="All rounds are played: now the photos.").wait_for()
