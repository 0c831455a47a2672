"""One photo of the table gives every seat its window, and tells nobody what is secret."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from scoring import Board, Die
from tests.readings import BOARD, PLACES, reading_of, table_of
from tests.webapp.conftest import RULEBOOK, SayingReader, SayingTable, read_table
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.tables import code_of, ids
from webapp.domain.record import Choices, Record
from webapp.domain.table_photo import likeness, offered
from webapp.services import context


@dataclass
class Table:
    """A host with two guests, and the photo of their three windows."""

    host: Device
    ben: Device
    cem: Device
    photo: dict[str, Any]

    @property
    def address(self) -> str:
        """The address of the photo in the JSON interface."""
        return str(self.photo["links"]["self"])

    def fill(self, seats: dict[int, int], device: Device | None = None) -> Any:  # noqa: ANN401
        """Give seats their windows."""
        client = (device or self.host).client
        return client.post(f"{self.address}/seats", json={"seats": {str(one): seats[one] for one in seats}})

    def checked(self) -> dict[str, int]:
        """Return which window the page offers for each seat."""
        page = self.host.client.get(f"/t/{self.photo['id']}").get_data(as_text=True)
        boxes = [part.split(">")[0] for part in page.split('<input type="radio" name="seats.')[1:]]
        told = [
            (box.split('"')[0], box.split('value="')[1].split('"')[0]) for box in boxes if "checked" in box
        ]
        return {seat: int(window) for seat, window in told if window}


def board_of(device: Device) -> str:
    """Return the dice on the own window."""
    return str(device.client.get(f"/w/{device.own()['reading']}.json").get_json()["board"])


@pytest.fixture
def table(app: Flask, host: Device, table_reader: SayingTable) -> Table:
    """Return three players and a photo of their three windows."""
    ben, cem = Device(app.test_client()), Device(app.test_client())
    ben.join(host.code, "Ben")
    cem.join(host.code, "Cem")
    boards = (RULEBOOK, BOARD, OTHER)
    windows = [reading_of(board, corners=place) for board, place in zip(boards, PLACES, strict=False)]
    table_reader.answer = table_of(*windows)
    return Table(host, ben, cem, read_table(host.client, "seats", host.code))


OTHER = "R1 -- -- -- -- / -- B2 -- -- -- / -- -- G3 -- -- / -- -- -- Y4 --"


def test_a_photo_of_another_table_is_doubted(table: Table, host: Device, table_reader: SayingTable) -> None:
    """When no window looks like what the seats have already, the page asks whether it is this table."""
    table.fill({1: 1, 2: 2, 3: 3})
    doubt = "Is it a photo of this table?"
    again = read_table(host.client, "seats", host.code)
    assert doubt not in host.client.get(f"/t/{again['id']}").get_data(as_text=True)
    strange = " / ".join(["B6 P5 B4 P3 B2"] * 4)
    table_reader.answer = table_of(reading_of(strange, corners=PLACES[0]))
    other = read_table(host.client, "seats", host.code)
    assert doubt in host.client.get(f"/t/{other['id']}").get_data(as_text=True)


def test_a_photo_without_a_window_leads_back_to_the_table(host: Device, table_reader: SayingTable) -> None:
    """The bar says so, which is empty otherwise: the script of the page counts on something in it."""
    table_reader.answer = table_of()
    photo = read_table(host.client, "seats", host.code)
    page = host.client.get(f"/t/{photo['id']}").get_data(as_text=True)
    bar = re.search(r'id="bar">(.*?)</div>', page, re.DOTALL)
    assert bar
    assert f'href="{host.address}">Back to the table</a>' in bar[1]


def test_seats_get_their_windows(table: Table) -> None:
    """Each player finds the dice of the own window, with a photo, and nothing of the others'."""
    answer = table.fill({1: 2, 2: 1, 3: 3})
    assert answer.status_code == 200
    assert [board_of(one) for one in (table.host, table.ben, table.cem)] == [BOARD, RULEBOOK, OTHER]
    for one in (table.host, table.ben, table.cem):
        reading = one.client.get(f"/w/{one.own()['reading']}.json").get_json()
        assert one.client.get(reading["links"]["photo"]).status_code == 200
    before = table.cem.own()["reading"]
    form = {"seats.1": "1", "seats.2": "2", "seat-3": ""}  # a seat without a choice stays as it is
    filled = table.host.client.post(f"/t/{table.photo['id']}/seats", data=form)
    assert filled.location == f"/g/{table.host.code}"
    assert [board_of(one) for one in (table.host, table.ben)] == [RULEBOOK, BOARD]
    assert table.cem.own()["reading"] == before


def test_only_the_host_fills_seats(table: Table, stranger: Device) -> None:
    """Nobody else puts windows at seats, also not who knows the photo; its link is the host's alone."""
    for device in (table.ben, stranger):
        assert table.fill({1: 1}, device).status_code == 403
        answer = device.client.post(f"/t/{table.photo['id']}/seats", data={"seats.1": "1"})
        assert answer.status_code == 403
    assert board_of(table.host) != RULEBOOK
    link, code = f'href="/t/{table.photo["id"]}"', table.host.code
    assert link in table.host.client.get(f"/g/{code}").get_data(as_text=True)
    assert link not in table.ben.client.get(f"/g/{code}").get_data(as_text=True)


def test_windows_are_offered_to_whom_they_belong(table: Table, table_reader: SayingTable) -> None:
    """By earlier dice and the chosen card, else in the order of the seats; who gets none is told."""
    assert table.checked() == {"1": 1, "2": 2, "3": 3}
    change = {"revision": 1, "window": "Firmitas"}
    table.cem.client.post(f"/w/{table.cem.own()['reading']}", json=change)
    first, second, third = table_reader.answer.windows
    named = reading_of(RULEBOOK, corners=first.corners, window="Firmitas")
    table_reader.answer = table_of(named, second, third)
    table.photo = read_table(table.host.client, "seats", table.host.code)
    assert table.checked()["3"] == 1
    table_reader.answer = table_of(first, second, third)
    table.photo = read_table(table.host.client, "seats", table.host.code)
    table.ben.put(OTHER)
    table.cem.put(RULEBOOK)
    assert table.checked() == {"1": 2, "2": 3, "3": 1}
    table_reader.answer = table_of(first, third)
    table.photo = read_table(table.host.client, "seats", table.host.code)
    assert "fewer windows" in table.host.client.get(f"/t/{table.photo['id']}").get_data(as_text=True)
    assert table.checked() == {"2": 2, "3": 1}


def test_what_a_player_chose_stays_with_the_seat(table: Table) -> None:
    """Private objective, favor tokens and a card chosen by hand belong to the seat, not to the photo."""
    table.host.cards(public=THREE)
    table.ben.player(private="P", favor_tokens=4)
    table.fill({1: 1, 2: 2})
    state = table.ben.client.get(f"/w/{table.ben.own()['reading']}.json").get_json()
    assert (state["choices"]["private"], state["choices"]["favor_tokens"]) == ("P", 4)
    assert set(state["choices"]["public"]) == set(THREE)
    change = {"revision": state["revision"], "window": "Firmitas"}
    table.ben.client.post(f"/w/{table.ben.own()['reading']}", json=change)
    table.fill({2: 3})
    state = table.ben.client.get(f"/w/{table.ben.own()['reading']}.json").get_json()
    assert state["choices"]["window"] == "Firmitas"


def test_putting_seats_right_changes_only_those_that_differ(table: Table) -> None:
    """What a player put right since then stays when the host gives two others their windows."""
    table.fill({1: 1, 2: 3, 3: 2})
    reading = table.host.own()["reading"]
    change = {"revision": 1, "cells": {"A1": "R6"}}
    state = table.host.client.get(f"/w/{reading}.json").get_json()
    table.host.client.post(f"/w/{reading}", json={**change, "revision": state["revision"]})
    assert table.checked() == {"1": 1, "2": 3, "3": 2}
    table.fill({1: 1, 2: 2, 3: 3})
    assert table.host.own()["reading"] == reading
    assert board_of(table.host).startswith("R6")
    assert [board_of(one) for one in (table.ben, table.cem)] == [BOARD, OTHER]
    assert table.checked() == {"1": 1, "2": 2, "3": 3}


def test_seats_that_cannot_be_filled_are_refused(table: Table) -> None:
    """No two players have one window; a seat or window that is not there is refused, and nothing changes."""
    for seats in ({9: 1}, {1: 9}):
        assert table.fill(seats).status_code in {400, 404}
    wrong = table.host.client.post(f"{table.address}/seats", json={"seats": {"x": 1}})
    assert code_of(wrong) == "bad_request"
    assert code_of(table.fill({1: 1, 2: 1})) == "window_twice"
    page = table.host.client.post(f"/t/{table.photo['id']}/seats", data={"seats.1": "1", "seats.2": "1"})
    assert page.status_code == 400
    assert table.fill({}).status_code == 200
    assert board_of(table.host) != RULEBOOK
    table.fill({1: 1})
    table.fill({2: 1})  # who corrects a seat is not offered the window for both
    assert table.checked() == {"2": 1}


def test_after_the_reveal_no_seat_is_filled(table: Table) -> None:
    """Once everybody has seen every window they stay as they are."""
    table.host.cards(public=THREE)
    assert table.host.reveal(anyway=True).status_code == 200
    before = board_of(table.host)
    assert table.fill({1: 1}).status_code == 400
    assert board_of(table.host) == before


def test_a_changed_seat_is_no_longer_ready(table: Table) -> None:
    """Whose dice changed has to look at them once more; the others stay ready."""
    table.fill({1: 1, 2: 2})
    for one in (table.host, table.ben):
        one.player(private="R" if one is table.host else "B", ready=True)
    table.fill({1: 1, 2: 3})
    assert [one["ready"] for one in table.host.state()["players"]] == [True, False, False]


# --- Secrets ---------------------------------------------------------------------------------------


def test_a_seat_gets_a_copy_that_the_photo_does_not_name(app: Flask, table: Table) -> None:
    """The host knows the ids in the photo, so the window at a seat has another one, and leads not back."""
    table.fill({1: 1, 2: 2, 3: 3})
    devices = (table.host, table.ben, table.cem)
    assert not {one.own()["reading"] for one in devices} & set(ids(table.photo))
    for one in devices:
        reading = one.client.get(f"/w/{one.own()['reading']}.json").get_json()
        assert reading["links"]["table"] is None
    with app.app_context():
        assert len(context.store().load_known(ids(table.photo))) == 3


def test_the_photo_tells_nothing_of_what_players_choose(table: Table) -> None:
    """Whatever a player chooses after the seats were filled, page and state of the photo stay the same."""
    table.host.cards(public=THREE)
    table.fill({1: 1, 2: 2, 3: 3})

    def told() -> list[str]:
        addresses = (table.address + ".json", f"/t/{table.photo['id']}?look=1")
        return [table.host.client.get(address).get_data(as_text=True) for address in addresses]

    before = told()
    table.ben.player(private="P", favor_tokens=6)
    table.ben.put(OTHER)
    assert told() == before
    assert table.ben.own()["reading"] not in "".join(before)


def test_a_photo_for_seats_tells_no_points(table: Table) -> None:
    """Also after objectives were chosen for it there is neither a total nor a private color."""
    client = table.host.client
    client.post(f"{table.address}/cards", json={"public": THREE})
    client.post(f"{table.address}/windows/1", json={"private": "R", "favor_tokens": 3})
    for one in client.get(table.address + ".json").get_json()["windows"]:
        assert (one["total"], one["private"]) == (None, None)
    page = client.get(f"/t/{table.photo['id']}?look=1").get_data(as_text=True)
    assert 'class="points"' not in page
    assert not re.search(r"\d points?\b", page)
    assert code_of(client.post(f"{table.address}/score.json")) == "bad_request"


def test_the_own_photo_of_a_player_leads_to_no_other_window(
    table: Table, reader: SayingReader, table_reader: SayingTable
) -> None:
    """A player's own photo of the own window is none of the table, also with other windows in view."""
    reader.answer = replace(reading_of(), other_windows=2)
    times = table_reader.times
    assert table.ben.photo().status_code == 201
    reading = table.ben.client.get(f"/w/{table.ben.own()['reading']}.json").get_json()
    assert (reading["links"]["table"], table_reader.times) == (None, times)


# --- Which window is offered to which seat ---------------------------------------------------------

RECORDS = st.builds(
    lambda dice, card: Record(
        id="x",
        created="2026-11-21T10:00:00+00:00",
        board=Board.empty() if dice is None else Board.empty().replace(0, dice, Die.parse("R1")),
        choices=Choices(),
        reading=reading_of(window=card),
    ),
    st.none() | st.integers(0, 4),
    st.sampled_from([None, "Firmitas", "Batllo"]),
)


@given(st.lists(RECORDS, max_size=4), st.lists(RECORDS, max_size=5))
def test_every_seat_is_offered_a_window_of_its_own(seats: list[Record], found: list[Record]) -> None:
    """No window is offered twice, and as many seats are served as there are windows."""
    windows = [replace(one, id=f"w{place}") for place, one in enumerate(found)]
    numbered = {number: replace(one, id=f"s{number}") for number, one in enumerate(seats, start=1)}
    told = offered(numbered, windows)
    assert set(told) <= set(numbered)
    assert set(told.values()) <= {one.id for one in windows}
    assert len(set(told.values())) == len(told) == min(len(numbered), len(windows))


@given(st.lists(RECORDS, min_size=1, max_size=4), st.lists(RECORDS, min_size=1, max_size=5))
def test_who_fits_each_other_best_is_together(seats: list[Record], found: list[Record]) -> None:
    """A seat and a window that are each other's only best are offered to each other."""
    windows = [replace(one, id=f"w{place}") for place, one in enumerate(found)]
    numbered = dict(enumerate(seats, start=1))
    told = offered(numbered, windows)
    for number, seat in numbered.items():
        for window in windows:
            best = likeness(seat, window)
            others = [likeness(seat, one) for one in windows if one is not window]
            rivals = [likeness(one, window) for other, one in numbered.items() if other != number]
            if all(best > one for one in (*others, *rivals)):
                assert told[number] == window.id
