"""A player whose phone lost its seat gets it back, and nobody gets a seat unseen."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Select, event, make_url
from sqlalchemy.orm import ORMExecuteState, Session

from tests.webapp.conftest import RULEBOOK, SayingReader, plain_photo
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.refusals import refused
from webapp.domain.games.codes import hashed, new_token
from webapp.domain.games.game import LINK_LIFETIME, Game, invited, joined, moved
from webapp.http import session
from webapp.http.session import MOST_TOKENS
from webapp.services import context
from webapp.services.access import game_store

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
KEY = hashed("key")


def seated() -> Game:
    """Return a game with one player."""
    return joined(Game("CODE99", hashed("host")), "Ann", record_id="window", token="old")


@pytest.fixture
def phone(app: Flask, host: Device) -> Device:
    """Return a phone without a seat."""
    return Device(app.test_client(), host.code)


def link(host: Device, number: int = 2) -> str:
    """Return the secret of a new link for a seat."""
    answer = host.client.post(f"{host.address}/seats/{number}/link.json")
    address, _, key = answer.get_json()["url"].partition("#")
    assert address.endswith(f"/g/{host.code}/seat")
    return str(key)


def test_a_link_holds_half_an_hour() -> None:
    """At the last moment it still seats a device, and then no more."""
    game = invited(seated(), 1, KEY, NOW)
    just, late = NOW + LINK_LIFETIME - timedelta(seconds=1), NOW + LINK_LIFETIME
    assert moved(game, KEY, just, token="new", device=()).seats[0].token == "new"
    with refused("link_used_up"):
        moved(game, KEY, late, token="new", device=())


def test_a_link_works_once_and_only_the_newest() -> None:
    """A used link, an older one and one that never was are refused alike."""
    game = invited(invited(seated(), 1, hashed("older"), NOW), 1, KEY, NOW)
    after = moved(game, KEY, NOW, token="new", device=())
    for told, key in ((game, hashed("older")), (game, hashed("none")), (after, KEY), (seated(), KEY)):
        with refused("link_used_up"):
            moved(told, key, NOW, token="newer", device=())
    assert moved(game, KEY, NOW, token="new", device=["old"]) == game  # who has the seat uses no link up


def test_a_lost_seat_comes_back_with_all_that_belongs_to_it(
    host: Device, guest: Device, phone: Device
) -> None:
    """The new phone has window, photo, private objective and tokens; the old one opens none of it."""
    guest.photo()
    guest.player(private="P", favor_tokens=3)
    before, old = guest.client.get(f"/w/{guest.own()['reading']}.json").get_json(), guest.own()
    photo = guest.client.get(f"/w/{old['reading']}/photo.jpg").data
    answer = phone.client.post(f"/g/{host.code}/seat", data={"key": f" {link(host)} "})
    assert answer.location == f"/g/{host.code}"
    new = phone.own()
    assert (new["name"], new["reading"] != old["reading"]) == ("Ben", True)
    after = phone.client.get(f"/w/{new['reading']}.json").get_json()
    for key in ("board", "choices", "corners", "revision", "cells"):
        assert after[key] == before[key]
    assert phone.client.get(f"/w/{new['reading']}/photo.jpg").data == photo
    assert phone.player(ready=True).status_code == 200
    for address in (f"/w/{old['reading']}", f"/w/{old['reading']}/photo.jpg"):
        assert guest.client.get(address).status_code == 404
    assert guest.client.post(f"{guest.address}/seats/2", json={"favor_tokens": 0}).status_code == 403


def test_everybody_sees_that_a_seat_moved(host: Device, guest: Device, phone: Device) -> None:
    """The old device is told whose seat moved, also once the player was removed, and so are all others."""
    assert not any(one["moved"] for one in host.state()["players"])
    mark = guest.client.get(guest.address + ".json").headers["ETag"]
    assert host.client.post(f"{host.address}/seat", json={"key": link(host)}).status_code == 200
    changed = guest.client.get(guest.address + ".json", headers={"If-None-Match": mark})
    assert changed.status_code == 200  # so the open page of the old device looks again
    assert [one["moved"] for one in changed.get_json()["players"]] == [False, True]
    page = guest.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert "The seat of Ben moved to another device." in page
    assert "seat moved to another device" in host.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert "The seat of Ben" not in phone.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert guest.client.post(f"{host.address}/seat", json={"key": link(host)}).status_code == 200
    assert guest.own()["name"] == "Ben"
    assert "The seat of Ben moved" not in guest.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert host.client.post(f"{host.address}/seat", json={"key": link(host)}).status_code == 200
    assert host.client.post(f"{host.address}/seats/2/leave", json={}).status_code == 200
    page = guest.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert "The seat of Ben moved to another device." in page
    assert "tell the host" in page
    assert "Another link brings the seat back." not in page


def test_after_the_reveal_everybody_still_sees_that_a_seat_moved(
    host: Device, guest: Device, stranger: Device
) -> None:
    """The reveal hides nothing: its page tells the former device, and marks the seat as the API does."""
    host.cards(public=THREE)
    assert host.client.post(f"{host.address}/seat", json={"key": link(host)}).status_code == 200
    assert host.reveal(anyway=True).status_code == 200
    page = guest.client.get(f"/g/{host.code}", follow_redirects=True).get_data(as_text=True)
    assert "The seat of Ben moved to another device." in page
    for who in (host, guest, stranger):
        assert [one["moved"] for one in who.state()["players"]] == [False, True]
        shown = who.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
        assert shown.count("seat moved to another device") == 1
    assert "seat moved to another device" in host.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert "The seat of Ben" not in stranger.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)


def test_the_notice_of_a_moved_seat_is_not_in_a_part_that_changes(
    app: Flask, host: Device, guest: Device, phone: Device
) -> None:
    """It is an alert: in a region with the own seat it would be read out at each change of it."""
    own = Device(guest.client, host.code)
    own.join(host.code, "Cleo")  # the guest's device has two seats, and loses one
    assert phone.client.post(f"{host.address}/seat", json={"key": link(host)}).status_code == 200
    page = guest.client.get(f"/g/{host.code}").get_data(as_text=True)
    regions = page.split("data-region=")
    assert [one[:6] for one in regions if "The seat of Ben moved" in one] == ['"lost"']


def test_a_photo_that_was_read_while_the_seat_moved_changes_nothing(
    app: Flask,
    host: Device,
    guest: Device,
    phone: Device,
    reader: SayingReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The old phone is refused and its photo forgotten; the new owner keeps the window."""
    key, say = link(host), SayingReader.__call__

    def slow(self: SayingReader, *args: Any, **told: Any) -> Any:  # noqa: ANN401
        with ThreadPoolExecutor() as other:  # a request within this one would share its `g`
            moving = other.submit(phone.client.post, f"{host.address}/seat", json={"key": key})
            assert moving.result().status_code == 200
        return say(self, *args, **told)

    monkeypatch.setattr(SayingReader, "__call__", slow)
    photo = {"photo": (BytesIO(plain_photo()), "a.jpg")}
    answer = guest.client.post(f"{host.address}/seats/2/photo.json", data=photo)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (403, "not_your_seat")
    assert next(one for one in phone.state()["players"] if one["own"])["window"] == "none"
    folder = Path(app.config["SAGRADA_DATA"]) / "readings"
    assert not [one for one in folder.glob("*") if one.is_dir()]


def test_a_window_that_is_replaced_is_locked_before_it_is_read(
    app: Flask, host: Device, guest: Device
) -> None:
    """Else PostgreSQL would let a correction in between that the new window does not have."""
    asked: list[str] = []
    dialect = make_url("postgresql+psycopg://").get_dialect()()

    def note(state: ORMExecuteState) -> None:
        if isinstance(state.statement, Select):
            asked.append(str(state.statement.compile(dialect=dialect)))

    with app.app_context():
        seat = game_store().load(host.code).seat(2)
        made = context.store().create({})
        secret = game_store().invite(host.code, 2).secret
        event.listen(Session, "do_orm_execute", note)
        try:
            game_store().swap_window(host.code, 2, made, device=[seat.token])
            game_store().move_seat(host.code, secret, ())
        finally:
            event.remove(Session, "do_orm_execute", note)
    windows = [one for one in asked if "readings.state" in one]
    assert len(windows) >= 3
    assert not [one for one in windows if "FOR UPDATE" not in one]


@pytest.mark.thorough
def test_a_host_stays_the_host_however_often_seats_move(
    host: Device, guest: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each device keeps one token for a seat, and the one of the host."""
    monkeypatch.setattr(session, "MOST_TOKENS", 5)
    for number in range(12):
        who = (host, guest)[number % 2]
        assert who.client.post(f"{host.address}/seat", json={"key": link(host)}).status_code == 200
        assert who.own()["name"] == "Ben"
    assert host.state()["host"]
    assert len(held(host)) == 3  # of the host, of Ann's seat, and of Ben's that moved away


def test_tokens_without_use_are_the_first_to_be_forgotten(host: Device) -> None:
    """A cookie that is full of tokens of deleted games keeps those of the host and the own seats."""
    dead = [new_token() for _ in range(MOST_TOKENS - 2)]
    own = held(host)
    assert len(own) == 2
    host.client.set_cookie("seats", ".".join([*dead, *own]))
    host.join(host.code, "Kid")
    assert host.state()["host"]
    assert [one["own"] for one in host.state()["players"]] == [True, True]
    kept = held(host)
    assert (len(kept), kept[1:]) == (MOST_TOKENS, [*dead[:-1], *own])


def held(device: Device) -> list[str]:
    """Return the tokens in the cookie of a device."""
    cookie = device.client.get_cookie("seats")
    assert cookie
    return cookie.value.split(".")


def test_a_second_tap_leads_to_the_table(host: Device, guest: Device, phone: Device) -> None:
    """Only the button seats somebody, who is not told then that the link was used; all get to the table."""
    key, address = link(host), f"/g/{host.code}/seat"
    assert "Take your seat" in phone.client.get(address).get_data(as_text=True)
    assert guest.own()["name"] == "Ben"  # a preview of the link in a messenger changes nothing
    for _ in range(2):
        answer = phone.client.post(address, data={"key": key})
        assert (answer.status_code, answer.location) == (303, f"/g/{host.code}")
    refused = guest.client.post(address, data={"key": key})
    assert refused.status_code == 400
    for page in (refused, guest.client.get(address)):
        assert f'href="/g/{host.code}"' in page.get_data(as_text=True)


@pytest.mark.parametrize("key", ["", "x", "\ud800", "é" * 22])
def test_a_key_that_can_be_none_is_refused(host: Device, guest: Device, phone: Device, key: str) -> None:
    """Signs that no link has are no error of the server, and the page says what to do."""
    answer = phone.client.post(f"{host.address}/seat", json={"key": key})
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] in {"link_used_up", "bad_request"}
    answer = phone.client.post(f"/g/{host.code}/seat", data={"key": "x"})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 400
    assert "This link was used already, or it is too old." in page
    assert "Ask the host of the game for a new one." in page


def test_only_the_host_makes_links_and_opens_the_table(host: Device, guest: Device, phone: Device) -> None:
    """Neither players nor strangers can move a seat, not their own either."""
    for who in (guest, phone):
        for answer in (
            who.client.post(f"{host.address}/seats/2/link.json"),
            who.client.post(f"/g/{host.code}/seats/2/link"),
            who.client.post(f"{host.address}/open", json={"open": True}),
            who.client.post(f"/g/{host.code}/open", data={"open": "yes"}),
        ):
            assert answer.status_code == 403
    assert host.client.post(f"{host.address}/seats/9/link.json").status_code == 400


def test_the_secret_of_a_link_is_told_once(
    app: Flask, host: Device, guest: Device, phone: Device, caplog: pytest.LogCaptureFixture
) -> None:
    """Only the answer to the host has it: no other answer, no log, and the database only its SHA-256."""
    with caplog.at_level(logging.DEBUG):
        page = host.client.post(f"/g/{host.code}/seats/2/link").get_data(as_text=True)
        key = page.split(f"/g/{host.code}/seat#")[1][:22]
        for who in (host, guest, phone):
            for address in (
                f"/g/{host.code}",
                f"/g/{host.code}/seat",
                host.address + ".json",
                "/",
                "/history",
            ):
                assert key not in who.client.get(address).get_data(as_text=True)
        phone.client.post(f"/g/{host.code}/seat", data={"key": key})
    assert phone.own()["name"] == "Ben"
    assert key not in caplog.text
    kept = b"".join(path.read_bytes() for path in Path(app.config["SAGRADA_DATA"]).glob("sagrada.db*"))
    assert key.encode() not in kept


def test_after_a_reveal_nobody_new_sits_down_by_the_code(
    host: Device, guest: Device, stranger: Device
) -> None:
    """Codes of revealed games can be read in the history; with the reveal closed again they seat nobody."""
    host.cards(public=THREE)
    host.put(RULEBOOK)
    host.reveal(anyway=True)
    host.client.post(f"{host.address}/reopen", json={})
    assert not host.state()["open"]
    page = stranger.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert "so nobody new may sit down" in page
    assert 'name="name"' not in page
    refused = stranger.client.post(f"{host.address}/join", json={"name": "Eve"})
    assert refused.get_json()["error"]["code"] == "table_closed"
    assert guest.client.post(f"{host.address}/join", json={"name": "Eve"}).status_code == 400
    assert host.client.post(f"/g/{host.code}/join", data={"name": "Kid"}).status_code == 303
    assert "Let new players in" in host.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert host.client.post(f"/g/{host.code}/open", data={"open": "yes"}).status_code == 303
    assert host.state()["open"]
    stranger.join(host.code, "Eve")
    host.reveal(anyway=True)
    host.client.post(f"{host.address}/reopen", json={})
    assert not host.state()["open"]  # each reveal closes the table anew
