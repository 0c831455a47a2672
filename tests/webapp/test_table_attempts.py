"""What people do while a photo of the table is being read, and a reading that was cut off."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.readings import PLACES, reading_of, table_of
from tests.webapp.conftest import SayingReader, SayingTable, two_windows, wait_read
from tests.webapp.tables import EMPTY, age, hold, ids, kept_windows, let_go, third, wait_for_all
from webapp import create_app


def test_what_is_put_right_while_the_rest_is_read_stays(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """A correction and corners of the first window are kept when the second comes in; none is read twice."""
    corners = {"corners": [[200, 200], [700, 200], [700, 500], [200, 500]]}
    state = hold(table_reader, client, 1)
    address = f"/w/{ids(state)[0]}"
    assert client.post(f"{address}/corners", json=corners).status_code == 200
    change = {"revision": client.get(f"{address}.json").get_json()["revision"], "cells": {"A1": "R6"}}
    assert client.post(address, json=change).status_code == 200
    for _ in range(3):
        client.get(state["links"]["self"] + ".json")
    done = let_go(table_reader, client, state["id"])
    assert (ids(done)[0], table_reader.times) == (ids(state)[0], 1)
    assert done["windows"][0]["board"].startswith("R6")
    assert done["windows"][0]["corners"] == corners["corners"]


@pytest.mark.parametrize("worked_on", [False, True])
def test_a_bare_window_that_is_none_disappears(
    app: Flask, client: FlaskClient, table_reader: SayingTable, *, worked_on: bool
) -> None:
    """What turned out to be no window goes with its files, unless a person put dice in it meanwhile."""
    table_reader.told = (reading_of(EMPTY, corners=PLACES[3]), *two_windows())
    state = hold(table_reader, client, 1)
    (bare,) = ids(state)
    if worked_on:
        client.post(f"/w/{bare}", json={"revision": 1, "cells": {"A1": "R6"}})
    done = let_go(table_reader, client, state["id"])
    wait_for_all(app)
    assert ids(done)[2:] == ([bare] if worked_on else [])
    assert kept_windows(app) == set(ids(done))
    assert client.get(f"/w/{bare}").status_code == (200 if worked_on else 404)


def test_a_window_deleted_while_the_rest_is_read_is_gone(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """It neither comes back nor keeps the rest from being read."""
    state = hold(table_reader, client, 1)
    assert client.post(f"/w/{ids(state)[0]}/delete", json={}).status_code == 204
    done = let_go(table_reader, client, state["id"])
    assert (done["stage"], len(done["windows"])) == ("done", 1)


def test_objectives_chosen_while_the_rest_is_read_stay(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """What a person chose counts for every window, also those that were read later."""
    state = hold(table_reader, client, 1)
    client.post(state["links"]["self"] + "/cards", json={"public": ["Light Shades"]})
    done = let_go(table_reader, client, state["id"])
    assert done["public"] == ["Light Shades"]
    for one in ids(done):
        assert client.get(f"/w/{one}.json").get_json()["choices"]["public"] == ["Light Shades"]


def test_a_photo_deleted_while_it_is_read_leaves_nothing(
    app: Flask, client: FlaskClient, table_reader: SayingTable
) -> None:
    """Neither the windows that were read nor those that would have been stay."""
    state = hold(table_reader, client, 1)
    assert client.post(state["links"]["self"] + "/delete", json={}).status_code == 204
    table_reader.go_on.set()
    wait_for_all(app)
    assert kept_windows(app) == set()


# --- A reading that was cut off --------------------------------------------------------------------


@pytest.fixture
def restarted(app: Flask, reader: SayingReader, tmp_path: Path) -> tuple[FlaskClient, SayingTable]:
    """Return a browser of a server that was started anew on the same data, and what reads there."""
    anew = SayingTable()
    settings = {"TESTING": True, "SAGRADA_DATA": tmp_path}
    assert app.config["SAGRADA_DATA"] == tmp_path
    return create_app(settings, reader=reader, table_reader=anew).test_client(), anew


def test_a_reading_that_was_cut_off_begins_anew_when_asked_for(
    app: Flask,
    client: FlaskClient,
    table_reader: SayingTable,
    restarted: tuple[FlaskClient, SayingTable],
) -> None:
    """What was read stays with what was put right, and what the attempt before reads is thrown away."""
    state = hold(table_reader, client, 1)
    client.post(f"/w/{ids(state)[0]}", json={"revision": 1, "cells": {"A1": "R6"}})
    age(app)
    other, anew = restarted
    done = wait_read(other, state["id"])
    assert (done["stage"], anew.times, len(done["windows"])) == ("done", 1, 2)
    assert ids(done)[0] == ids(state)[0]
    assert done["windows"][0]["board"].startswith("R6")
    table_reader.go_on.set()
    wait_for_all(app)
    assert client.get(state["links"]["self"] + ".json").get_json() == done
    assert kept_windows(app) == set(ids(done))


def test_what_an_earlier_attempt_read_stays_until_the_next_one_is_done(
    app: Flask,
    client: FlaskClient,
    table_reader: SayingTable,
    restarted: tuple[FlaskClient, SayingTable],
) -> None:
    """A second attempt that fails sooner than the first one takes no window away."""
    table_reader.answer = table_of(*two_windows(), third())
    state = hold(table_reader, client, 2)
    age(app)
    other, anew = restarted
    anew.error, anew.error_after = RuntimeError("x"), 1
    done = wait_read(other, state["id"])
    assert (done["stage"], set(ids(done))) == ("failed", set(ids(state)))
