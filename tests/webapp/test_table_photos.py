"""Photos of the whole table: how they are read in the background, and what stays whatever happens."""

from __future__ import annotations

import shutil
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from tests.readings import PLACES, reading_of, table_of
from tests.webapp.conftest import (
    SayingReader,
    SayingTable,
    read_table,
    take_table,
    two_windows,
    upload,
    wait_read,
)
from tests.webapp.tables import EMPTY, hold, ids, kept_windows, let_go, several_boards
from vision import VisionError
from vision.table import Unread
from webapp.services import context


def test_a_photo_is_answered_at_once_and_read_in_the_background(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """The answer to the upload says where to ask again, and asking goes on until all is read."""
    table_reader.hold_after = 0
    began = take_table(client)
    assert (began["stage"], began["purpose"], began["windows"]) == ("reading", "score", [])
    done = let_go(table_reader, client, began["id"])
    assert (done["stage"], done["failure"], done["expected"]) == ("done", None, 2)
    assert client.get(done["links"]["self"]).status_code == 200
    assert client.get(done["links"]["photo"]).mimetype == "image/jpeg"


def test_windows_come_in_the_order_of_the_reader(client: FlaskClient, table_reader: SayingTable) -> None:
    """Each window is a reading of its own, numbered as the reader gave them, that names the photo."""
    done = read_table(client)
    assert [one["number"] for one in done["windows"]] == [1, 2]
    assert [one["board"] for one in done["windows"]] == [
        str(one.board) for one in table_reader.answer.windows
    ]
    assert done["windows"][0]["doubtful"] == ["A4"]
    for one in done["windows"]:
        state = client.get(f"/w/{one['reading']}.json").get_json()
        assert state["links"]["table"] == done["links"]["self"]
        assert state["corners"] == one["corners"]
        assert client.get(state["links"]["photo"]).status_code == 200


def test_the_order_of_the_answer_counts_and_not_that_of_the_progress(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """A reader that tells its windows in another order than it answers them numbers them by the latter."""
    table_reader.told = tuple(reversed(table_reader.answer.windows))
    done = read_table(client)
    assert [one["board"] for one in done["windows"]] == [
        str(one.board) for one in table_reader.answer.windows
    ]


def test_the_reader_is_told_the_windows_of_this_house(client: FlaskClient, table_reader: SayingTable) -> None:
    """One's own windows are recognized in a photo of the table, too."""
    client.post("/windows/new", json={"name": "Ours", "pattern": " / ".join(["....."] * 4)})
    read_table(client)
    assert "Ours" in {one.name for one in table_reader.windows}


def test_each_window_is_there_as_soon_as_it_is_read(client: FlaskClient, table_reader: SayingTable) -> None:
    """After the first of two windows the state holds one, and says that two are expected."""
    state = hold(table_reader, client, 1)
    assert (state["stage"], state["expected"], len(state["windows"])) == ("reading", 2, 1)
    assert client.get(state["links"]["self"]).status_code == 200
    assert len(let_go(table_reader, client, state["id"])["windows"]) == 2


def test_an_unchanged_state_is_not_sent_again(client: FlaskClient) -> None:
    """Who waits asks with the last ETag and gets 304 until something is new."""
    done = read_table(client)
    first = client.get(done["links"]["self"] + ".json")
    again = client.get(done["links"]["self"] + ".json", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("error", "code"), [(several_boards(), "several_boards"), (RuntimeError("x"), "table_not_finished")]
)
def test_what_was_read_stays_when_the_rest_fails(
    client: FlaskClient, table_reader: SayingTable, error: Exception, code: str
) -> None:
    """An error after the first window leaves that window, and says why the rest is missing."""
    table_reader.error, table_reader.error_after = error, 1
    state = read_table(client)
    assert (state["stage"], state["failure"]["code"], len(state["windows"])) == ("failed", code, 1)
    assert client.get(f"/w/{ids(state)[0]}").status_code == 200
    assert client.get(state["links"]["self"]).status_code == 200


def test_what_is_in_view_and_not_read_is_told(client: FlaskClient, table_reader: SayingTable) -> None:
    """A window that cannot be read has a place and an error with a next step."""
    table_reader.answer = table_of(*two_windows(), unread=[Unread(several_boards(), (40.0, 50.0))])
    (unread,) = read_table(client)["unread"]
    assert (unread["what"], unread["error"]["code"], unread["center"]) == (
        "window",
        "several_boards",
        [40, 50],
    )


@pytest.mark.parametrize("address", ["/t.json", "/t"])
def test_what_is_no_photo_is_refused(client: FlaskClient, app: Flask, address: str) -> None:
    """Bytes that are no photo, or none at all, leave nothing behind."""
    assert client.post(address, data={"photo": (BytesIO(b"no photo"), "a.jpg")}).status_code == 422
    assert client.post(address, data={}).status_code == 400
    with app.app_context():
        assert not list((context.store().root / "tables").glob("*"))


@pytest.mark.parametrize("purpose", ["", "all", "SCORE"])
def test_a_purpose_that_there_is_not_is_refused(client: FlaskClient, photo: bytes, purpose: str) -> None:
    """Nobody guesses what a photo was taken for."""
    for address in ("/t.json", "/t"):
        told = {"photo": (BytesIO(photo), "a.jpg"), "purpose": purpose}
        assert client.post(address, data=told).status_code == 400


@pytest.mark.parametrize("wrong", ["A" * 16, "x", "A" * 15 + "."])
def test_what_is_not_there_is_not_found(client: FlaskClient, wrong: str) -> None:
    """A wrong id is refused on the page and in the interface, whatever is asked."""
    assert client.get(f"/t/{wrong}").status_code == 404
    assert client.get(f"/t/{wrong}/photo.jpg").status_code == 404
    assert client.post(f"/t/{wrong}/score").status_code == 404
    answer = client.get(f"/t/{wrong}.json")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (404, "table_photo_missing")
    assert client.post(f"/t/{wrong}/delete", json={}).status_code == 404


# --- From the photo of one window to the whole table -----------------------------------------------


def test_a_photo_with_more_windows_becomes_one_of_the_table(
    client: FlaskClient, reader: SayingReader, table_reader: SayingTable, photo: bytes
) -> None:
    """The window that was read first is one of the windows, with its corrections."""
    reader.answer = replace(two_windows()[1], other_windows=1)
    table_reader.hold_after = 0
    made = upload(client, photo)
    page = made["links"]["table"]
    client.post(f"/w/{made['id']}", json={"revision": made["revision"], "cells": {"A1": "R6"}})
    done = let_go(table_reader, client, page.removeprefix("/t/"))
    assert ids(done).index(made["id"]) == 1
    assert done["windows"][1]["board"].startswith("R6")
    assert client.get(f"/w/{made['id']}.json").get_json()["links"]["table"] == page


def test_a_photo_in_which_no_window_could_be_chosen_becomes_one_of_the_table(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """Where several windows were in the way of reading one, all are read, and the reading leads there."""
    reader.answer = several_boards()
    made = upload(client, photo)
    page = made["links"]["table"]
    assert client.get(f"/w/{made['id']}.json").get_json()["links"]["table"] == page
    assert len(wait_read(client, page.removeprefix("/t/"))["windows"]) == 2


def test_a_window_read_first_that_the_table_leaves_out_stays_a_reading(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """A window on whose page somebody already is does not vanish under the hands."""
    reader.answer = replace(reading_of(EMPTY, corners=PLACES[3]), other_windows=2)
    made = upload(client, photo)
    done = wait_read(client, made["links"]["table"].removeprefix("/t/"))
    assert len(done["windows"]) == 2
    assert client.get(made["links"]["self"]).status_code == 200


def test_a_photo_of_one_window_is_none_of_a_table(
    app: Flask, client: FlaskClient, table_reader: SayingTable, photo: bytes
) -> None:
    """Nothing is read twice where there is nothing more to read."""
    assert upload(client, photo)["links"]["table"] is None
    with app.app_context():
        assert not (context.store().root / "tables").exists()
    assert table_reader.times == 0


def test_a_window_has_one_photo_of_the_table(
    client: FlaskClient, made: dict[str, Any], table_reader: SayingTable
) -> None:
    """Asking for the rest of the photo a second time leads to the same page, and the window stays."""
    first = client.post(f"/w/{made['id']}/table").location
    wait_read(client, first.removeprefix("/t/"))
    assert client.post(f"/w/{made['id']}/table").location == first
    assert table_reader.times == 1


def test_the_files_of_a_window_outlive_the_photo(app: Flask, client: FlaskClient) -> None:
    """Each window has files of its own, so that it can be read again when the photo's are gone."""
    done = read_table(client)
    with app.app_context():
        shutil.rmtree(context.tables().root / "tables" / done["id"])
    corners = {"corners": [[10, 20], [700, 20], [700, 500], [10, 500]]}
    assert client.post(f"/w/{ids(done)[0]}/corners", json=corners).status_code == 200


def test_deleting_a_photo_leaves_nothing(app: Flask, client: FlaskClient) -> None:
    """The photo goes with its folder and all its windows, and cannot be deleted twice."""
    done = read_table(client)
    assert client.post(done["links"]["self"] + "/delete", json={}).status_code == 204
    assert kept_windows(app) == set()
    with app.app_context():
        assert list((context.store().root / "tables").iterdir()) == []
    assert client.post(done["links"]["self"] + "/delete", json={}).status_code == 404
    for one in ids(done):
        assert client.get(f"/w/{one}").status_code == 404


def test_a_broken_state_is_told_as_such(app: Flask, client: FlaskClient) -> None:
    """A photo whose state nobody can understand is an error of its own, and can be deleted."""
    done = read_table(client)
    with app.app_context(), context.kept().database.begin() as session:
        session.execute(text("UPDATE table_photos SET state = '{}'"))
    answer = client.get(done["links"]["self"] + ".json")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (500, "broken_record")


def test_the_error_of_a_failed_reading_is_in_the_log(
    client: FlaskClient, table_reader: SayingTable, caplog: pytest.LogCaptureFixture
) -> None:
    """Who runs the server can find out why, and the log does not name the photo."""
    table_reader.error = RuntimeError("out of luck")
    state = read_table(client)
    assert "out of luck" in caplog.text
    assert state["id"] not in caplog.text
    assert not isinstance(table_reader.error, VisionError)
