"""Photos of the whole table: how they are read in the background, and what stays whatever happens."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from scoring import Board
from tests.readings import PLACES, card_at, reading_of, table_of
from tests.webapp.conftest import (
    SayingReader,
    SayingTable,
    read_table,
    two_windows,
    upload,
    wait_read,
)
from tests.webapp.tables import EMPTY, hold, ids, kept_windows, let_go, several_boards
from vision import Reading
from vision.table import Unread
from webapp.services import context


def mirror_image(reading: Reading) -> Reading:
    """Return a window as it is read in a mirrored photo."""
    (a, b, c, d), width = reading.corners, reading.size[0]
    flipped = ((width - b[0], b[1]), (width - a[0], a[1]), (width - d[0], d[1]), (width - c[0], c[1]))
    board = Board(tuple(row[::-1] for row in reading.board.rows))
    return replace(reading_of(str(board), corners=flipped), size=reading.size, mirrored=True)


def test_windows_come_in_the_order_of_the_reader(client: FlaskClient, table_reader: SayingTable) -> None:
    """Each window is a reading of its own that names the photo, numbered as in the answer of the reader."""
    table_reader.told = tuple(reversed(table_reader.answer.windows))  # what is told meanwhile counts not
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


def test_the_reader_is_told_the_custom_windows(client: FlaskClient, table_reader: SayingTable) -> None:
    """One's own windows are recognized in a photo of the table, too."""
    client.post("/windows/new", json={"name": "Ours", "pattern": " / ".join(["....."] * 4)})
    read_table(client)
    assert "Ours" in {one.name for one in table_reader.windows}


@pytest.mark.parametrize(("after", "expected"), [(0, None), (1, 2)])
def test_each_window_is_there_as_soon_as_it_is_read(
    client: FlaskClient, table_reader: SayingTable, after: int, expected: int | None
) -> None:
    """A photo is answered at once, says how many are read of how many, and is not sent again unchanged."""
    state = hold(table_reader, client, after)
    assert (state["stage"], state["purpose"], len(state["windows"])) == ("reading", "score", after)
    assert expected is None or state["expected"] == expected
    assert client.get(state["links"]["self"]).status_code == 200
    done = let_go(table_reader, client, state["id"])
    assert (done["stage"], done["failure"], done["expected"], len(done["windows"])) == ("done", None, 2, 2)
    assert client.get(done["links"]["self"]).status_code == 200
    assert client.get(done["links"]["photo"]).mimetype == "image/jpeg"
    mark = {"If-None-Match": client.get(done["links"]["self"] + ".json").headers["ETag"]}
    assert client.get(done["links"]["self"] + ".json", headers=mark).status_code == 304


@pytest.mark.parametrize(
    ("error", "code"), [(several_boards(), "several_boards"), (RuntimeError("x y z"), "table_not_finished")]
)
def test_what_was_read_stays_when_the_rest_fails(
    client: FlaskClient,
    table_reader: SayingTable,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    code: str,
) -> None:
    """The page says why the rest is missing; of a mistake the log knows more, without naming the photo."""
    table_reader.error, table_reader.error_after = error, 1
    state = read_table(client)
    assert (state["stage"], state["failure"]["code"], len(state["windows"])) == ("failed", code, 1)
    assert client.get(f"/w/{ids(state)[0]}").status_code == 200
    assert client.get(state["links"]["self"]).status_code == 200
    assert ("x y z" in caplog.text) == (code == "table_not_finished")
    assert state["id"] not in caplog.text


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
def test_what_is_no_photo_is_refused(client: FlaskClient, app: Flask, photo: bytes, address: str) -> None:
    """Bytes that are no photo, none at all, or a photo for no known purpose, leave nothing behind."""
    assert client.post(address, data={"photo": (BytesIO(b"no photo"), "a.jpg")}).status_code == 422
    assert client.post(address, data={}).status_code == 400
    for purpose in ("", "all", "SCORE"):
        told = {"photo": (BytesIO(photo), "a.jpg"), "purpose": purpose}
        assert client.post(address, data=told).status_code == 400
    with app.app_context():
        assert not list((context.store().root / "tables").glob("*"))


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
    """The window read first is one of them, with its corrections; it stays also where the table has none."""
    reader.answer = replace(two_windows()[1], other_windows=1)
    table_reader.hold_after = 0
    made = upload(client, photo)
    page = made["links"]["table"]
    client.post(f"/w/{made['id']}", json={"revision": made["revision"], "cells": {"A1": "R6"}})
    done = let_go(table_reader, client, page.removeprefix("/t/"))
    assert ids(done).index(made["id"]) == 1
    assert done["windows"][1]["board"].startswith("R6")
    assert client.get(f"/w/{made['id']}.json").get_json()["links"]["table"] == page
    reader.answer = replace(reading_of(EMPTY, corners=PLACES[3]), other_windows=2)  # the table leaves it out
    made = upload(client, photo)
    assert len(wait_read(client, made["links"]["table"].removeprefix("/t/"))["windows"]) == 2
    assert client.get(made["links"]["self"]).status_code == 200


def test_a_photo_in_which_no_window_could_be_chosen_becomes_one_of_the_table(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """Where several windows were in the way of reading one, all are read, and the reading leads there."""
    reader.answer = several_boards()
    made = upload(client, photo)
    page = made["links"]["table"]
    assert client.get(f"/w/{made['id']}.json").get_json()["links"]["table"] == page
    assert len(wait_read(client, page.removeprefix("/t/"))["windows"]) == 2


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


def test_a_mirrored_photo_is_turned_back_with_all_its_windows(
    app: Flask, client: FlaskClient, table_reader: SayingTable
) -> None:
    """One tap, here or at a window, flips and rereads what is kept; whoever taps twice gets the same."""
    photo = np.zeros((600, 800, 3), np.uint8)
    photo[:, 400:] = 255
    sent = BytesIO(cv2.imencode(".jpg", photo)[1].tobytes())
    right, said = table_reader.answer, "This photo looks mirrored, as front cameras take it."
    table_reader.answer = table_of(*(mirror_image(one) for one in right.windows))
    before = wait_read(client, client.post("/t.json", data={"photo": (sent, "a.jpg")}).get_json()["id"])
    client.post(f"/t/{before['id']}/cards", json={"public": ["Deep Shades"]})
    there = f"/t/{before['id']}/mirror"
    for place in (before["links"]["self"], f"/w/{ids(before)[1]}"):
        page = client.get(place).get_data(as_text=True)
        assert said in page
        assert f'action="{there}"' in page
        assert "Mirrored? Flip it" not in page
    table_reader.answer = right
    for _ in range(2):
        assert client.post(there).location == f"/t/{before['id']}"
        after = wait_read(client, before["id"])
        assert [one["board"] for one in after["windows"]] == [str(one.board) for one in right.windows]
    assert after["public"] == ["Deep Shades"]
    assert after["links"]["photo"] != before["links"]["photo"]
    assert said not in client.get(f"/t/{before['id']}").get_data(as_text=True)
    for address in (after["links"]["photo"], f"/w/{ids(after)[0]}/photo.jpg"):
        shown = cv2.imdecode(np.frombuffer(client.get(address).data, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert shown is not None
        assert shown[:, :380].mean() > shown[:, 420:].mean() + 200
    assert ids(after) == ids(before)
    assert kept_windows(app) == {*ids(after)}


def test_windows_that_play_are_flipped_with_their_photo(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """A game that was made of a mirrored photo has right windows after it, with all that was told of them."""
    right = two_windows()
    cards = [card_at(name) for name in ("Deep Shades", "Light Shades", "Row Color Variety")]
    seen = [mirror_image(one) for one in right]
    table_reader.answer = table_of(*seen, cards=cards)
    before = read_table(client)
    told = {"name": "Zoé", "private": "R", "favor_tokens": 2}
    client.post(f"/t/{before['id']}/windows/1", json=told)
    client.post(f"/t/{before['id']}/cell", json={"record": ids(before)[0], "cell": "A1", "die": "R1"})
    game = client.post(f"/t/{before['id']}/score").location
    table_reader.answer = table_of(*right, cards=cards)
    client.post(f"/t/{before['id']}/mirror")
    after = wait_read(client, before["id"])
    assert ids(after) == ids(before)
    assert [one["board"] for one in after["windows"]] == [str(one.board) for one in right]
    assert {name: after["windows"][0][name] for name in told} == told
    players = client.get(f"{game.removesuffix('/reveal')}.json").get_json()["result"]["standings"]
    assert {one["total"] for one in players} == {one["total"] for one in after["windows"]}


def test_windows_of_a_photo_look_mirrored_together(client: FlaskClient, table_reader: SayingTable) -> None:
    """What the reader says of all of them in the end counts, not what it said of one at first."""
    first, second = two_windows()
    table_reader.told = (first, second)
    table_reader.answer = table_of(replace(first, mirrored=True), replace(second, mirrored=True))
    for one in ids(read_table(client)):
        assert client.get(f"/w/{one}.json").get_json()["mirrored"]


def test_a_mirrored_window_waits_before_it_is_asked_about(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """A photo for a placement leads on to its one window, unless that looks mirrored."""
    window = reading_of(corners=PLACES[0])
    for mirrored, onward in ((True, 200), (False, 303)):
        table_reader.answer = table_of(replace(window, mirrored=mirrored))
        done = read_table(client, "place")
        assert client.get(done["links"]["self"]).status_code == onward


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
