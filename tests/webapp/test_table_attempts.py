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


def test_dice_put_right_while_the_rest_is_read_stay(client: FlaskClient, table_reader: SayingTable) -> None:
    """A correction of the first window is kept when the second one comes in."""
    state = hold(table_reader, client, 1)
    change = {"revision": 1, "cells": {"A1": "R6"}}
    assert client.post(f"/w/{ids(state)[0]}", json=change).status_code == 200
    done = let_go(table_reader, client, state["id"])
    assert ids(done)[0] == ids(state)[0]
    assert done["windows"][0]["board"].startswith("R6")


def test_corners_put_by_hand_while_the_rest_is_read_stay(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """A window that was read again with other corners is still the window of the photo."""
    state = hold(table_reader, client, 1)
    corners = {"corners": [[200, 200], [700, 200], [700, 500], [200, 500]]}
    assert client.post(f"/w/{ids(state)[0]}/corners", json=corners).status_code == 200
    done = let_go(table_reader, client, state["id"])
    assert ids(done)[0] == ids(state)[0]
    assert done["windows"][0]["corners"] == corners["corners"]


def test_a_bare_window_that_is_none_disappears(
    app: Flask, client: FlaskClient, table_reader: SayingTable
) -> None:
    """What was told while it was read, and then turned out to be no window, goes with its files."""
    table_reader.told = (reading_of(EMPTY, corners=PLACES[3]), *two_windows())
    state = hold(table_reader, client, 1)
    (bare,) = ids(state)
    done = let_go(table_reader, client, state["id"])
    wait_for_all(app)
    assert len(done["windows"]) == 2
    assert kept_windows(app) == set(ids(done))
    assert client.get(f"/w/{bare}").status_code == 404


def test_a_window_in_which_somebody_put_dice_is_one(client: FlaskClient, table_reader: SayingTable) -> None:
    """A window that the reader leaves out in the end stays when a person worked on it."""
    table_reader.told = (reading_of(EMPTY, corners=PLACES[3]), *two_windows())
    state = hold(table_reader, client, 1)
    client.post(f"/w/{ids(state)[0]}", json={"revision": 1, "cells": {"A1": "R6"}})
    done = let_go(table_reader, client, state["id"])
    assert ids(done)[2] == ids(state)[0]


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
    """After a restart the windows that were read stay with what was put right, and none comes twice."""
    state = hold(table_reader, client, 1)
    client.post(f"/w/{ids(state)[0]}", json={"revision": 1, "cells": {"A1": "R6"}})
    age(app)
    other, anew = restarted
    done = wait_read(other, state["id"])
    assert (done["stage"], anew.times, len(done["windows"])) == ("done", 1, 2)
    assert ids(done)[0] == ids(state)[0]
    assert done["windows"][0]["board"].startswith("R6")


def test_two_attempts_never_both_write(
    app: Flask,
    client: FlaskClient,
    table_reader: SayingTable,
    restarted: tuple[FlaskClient, SayingTable],
) -> None:
    """What an earlier attempt goes on to read is thrown away, and nothing that the later one took over."""
    state = hold(table_reader, client, 1)
    age(app)
    done = wait_read(restarted[0], state["id"])
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


def test_asking_does_not_begin_a_reading_twice(client: FlaskClient, table_reader: SayingTable) -> None:
    """However often the page asks while a photo is being read, it is read once."""
    state = hold(table_reader, client, 1)
    for _ in range(3):
        client.get(state["links"]["self"] + ".json")
    let_go(table_reader, client, state["id"])
    assert table_reader.times == 1
