"""Photos that wait for their turn, as no worker has time for them just now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoring.sentences import sentence
from tests.webapp.conftest import PATIENCE_S, SayingReader, SayingTable, plain_photo, rulebook_reading
from tests.webapp.quick import furnished
from vision.errors import PhotoError
from webapp import create_app
from webapp.domain.errors import UnreadPhotoError
from webapp.http.session import companion_of
from webapp.workers.workers import Here, Made, Progress

BROWSER = {"Accept": "text/html"}


class OneHand(Here):
    """A worker for one photo at a time, who does nothing before ``go_on``."""

    at_once = 1

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.dies = False

    def call(self, work: Callable[..., Made], progress: Progress | None = None) -> Made:
        """Do it when it is time."""
        assert self.go_on.wait(PATIENCE_S)
        if self.dies:
            raise UnreadPhotoError("photo_not_finished")
        return super().call(work, progress)


@pytest.fixture
def worker() -> Iterator[OneHand]:
    """Return the one worker."""
    made = OneHand()
    yield made
    made.go_on.set()


@pytest.fixture
def make(
    tmp_path: Path, reader: SayingReader, worker: OneHand, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Flask]:
    """Return what starts a server on one folder, whose visitors do not wait for their photo."""
    monkeypatch.setattr("webapp.services.photos.BY_THE_WAY_S", 0)
    settings = {"SAGRADA_DATA": furnished(tmp_path), "TESTING": True}
    return lambda: create_app(settings, reader=reader, table_reader=SayingTable(), workers=worker)


@pytest.fixture
def app(make: Callable[[], Flask]) -> Flask:
    """Return the server."""
    return make()


def sent(client: FlaskClient, **told: str) -> dict[str, Any]:
    """Send a photo, and return what is answered."""
    answer = client.post("/readings.json", data={"photo": (BytesIO(plain_photo()), "a.jpg"), **told})
    assert answer.status_code == 201
    state: dict[str, Any] = answer.get_json()
    return state


def state_of(client: FlaskClient, made: dict[str, Any]) -> dict[str, Any]:
    """Return a reading as it is now."""
    state: dict[str, Any] = client.get(made["links"]["self"] + ".json").get_json()
    return state


def all_done(app: Flask, worker: OneHand) -> None:
    """Let the worker go on, and wait until nothing is left to be read."""
    worker.go_on.set()
    line = companion_of(app).queue
    while jobs := [*line._at_work, *line._line]:
        assert jobs[0].done.wait(PATIENCE_S)


def test_each_photo_knows_how_many_are_before_it(app: Flask, client: FlaskClient, worker: OneHand) -> None:
    """While one photo is read others are taken in at once, and are read one after the other."""
    made = [sent(client) for _ in range(3)]
    told = [state_of(client, one)["failure"] for one in made]
    assert [one["code"] for one in told] == ["being_read"] * 3
    assert [one["data"]["place"] for one in told] == [0, 1, 2]
    assert [one["message"] for one in told[1:]] == [
        "1 photo is before this one.",
        "2 photos are before this one.",
    ]
    all_done(app, worker)
    after = [state_of(client, one) for one in made]
    assert [one["failure"] for one in after] == [None] * 3
    assert {one["board"] for one in after} == {str(rulebook_reading().board)}
    assert all(client.get(one["links"]["photo"]).status_code == 200 for one in after)


def test_a_second_photo_that_finds_no_worker_is_to_come_again(
    app: Flask, client: FlaskClient, worker: OneHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it has to wait too long, the browser is told to send it once more, and the window stays."""
    made = sent(client)
    all_done(app, worker)
    worker.go_on.clear()
    monkeypatch.setattr("webapp.services.photos.TURN_S", 0)
    before = state_of(client, made)
    address = made["links"]["self"] + "/photos.json"
    answer = client.post(address, data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert state_of(client, made) == before


def test_the_page_waits_and_goes_where_the_photo_leads(
    app: Flask, client: FlaskClient, worker: OneHand
) -> None:
    """A photo from the start page shows that it waits, and its window when it is read."""
    answer = client.post("/readings", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    page = client.get(answer.location, headers=BROWSER).text
    assert "This photo is being read" in page
    assert 'http-equiv="refresh"' in page
    all_done(app, worker)
    (onward,) = (client.get(answer.location, headers=BROWSER),)
    assert onward.status_code == 303
    assert "40" in client.get(onward.location, headers=BROWSER).text


@pytest.mark.parametrize(
    ("address", "leads_to"), [("/place", "/place"), ("/windows/photo", "/card/photo")], ids=["place", "card"]
)
def test_a_photo_taken_for_something_goes_on_there(
    app: Flask, client: FlaskClient, worker: OneHand, address: str, leads_to: str
) -> None:
    """Who photographed a window for its next die, or for its card, comes to that page after waiting."""
    made = client.post(address, data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    waits = client.get(made.location)
    assert waits.status_code == 302
    assert "This photo is being read" in client.get(waits.location, headers=BROWSER).text
    all_done(app, worker)
    assert client.get(waits.location).location.endswith(leads_to)


def test_who_goes_on_by_hand_keeps_the_dice(app: Flask, client: FlaskClient, worker: OneHand) -> None:
    """Dice that somebody enters while the photo waits are not replaced, and what else was chosen stays."""
    made = sent(client)
    begun = client.post(f"{made['links']['self']}/by-hand.json").get_json()
    client.post(made["links"]["self"], json={"revision": begun["revision"], "cells": {"A1": "R1"}})
    other = sent(client)
    chosen = {"revision": other["revision"], "private": "B"}
    assert client.post(other["links"]["self"], json=chosen).status_code == 200
    all_done(app, worker)
    after = state_of(client, made)
    assert (after["board"].split()[0], after["corners"], after["failure"]) == ("R1", None, None)
    assert client.get(after["links"]["photo"]).status_code == 200
    after = state_of(client, other)
    assert (after["choices"]["private"], after["board"]) == ("B", str(rulebook_reading().board))


@pytest.mark.parametrize(("dies", "code"), [(False, "not_a_photo"), (True, "photo_not_finished")])
def test_a_photo_of_which_nothing_comes_says_so_later(
    app: Flask, client: FlaskClient, worker: OneHand, *, dies: bool, code: str
) -> None:
    """No photo, or one that kills every worker, leaves a page that says so and leads on."""
    made = client.post("/readings.json", data={"photo": (BytesIO(b"nothing"), "a.jpg")}).get_json()
    worker.dies = dies
    all_done(app, worker)
    assert state_of(client, made)["failure"]["code"] == code
    page = client.get(made["links"]["self"], headers=BROWSER)
    assert (page.status_code, "Enter the dice by hand" in page.text) == (200, True)


def test_a_deleted_photo_leaves_nothing(
    app: Flask, client: FlaskClient, worker: OneHand, tmp_path: Path
) -> None:
    """Who deletes a photo that waits deletes all of it."""
    made = sent(client)
    assert client.post(made["links"]["self"] + "/delete", json={}).status_code == 204
    all_done(app, worker)
    assert client.get(made["links"]["self"] + ".json").status_code == 404
    assert not list(tmp_path.rglob("sent"))


def test_what_came_with_the_file_does_not_stay(
    app: Flask, client: FlaskClient, worker: OneHand, make: Callable[[], Flask], tmp_path: Path
) -> None:
    """The file as it came, in which a phone may write where it was, goes when read, or after a crash."""
    made = sent(client)
    assert list(tmp_path.rglob("sent"))
    all_done(app, worker)
    assert not list(tmp_path.rglob("sent"))
    (tmp_path / "readings" / made["id"] / "sent").write_bytes(b"left")
    make()
    assert not list(tmp_path.rglob("sent"))


def test_a_full_line_takes_no_more(
    app: Flask, client: FlaskClient, worker: OneHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a photo would wait for minutes nothing is kept, and the visitor is asked to come again."""
    monkeypatch.setattr("webapp.workers.workers.MOST_WAITING", 2)
    for _ in range(3):
        sent(client)
    refused = client.post("/readings.json", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (503, "too_many_photos")
    assert client.post("/t.json", data={"photo": (BytesIO(plain_photo()), "a.jpg")}).status_code == 503
    assert len(client.get("/.json").get_json()["readings"]) == 3


def test_a_new_server_reads_what_the_last_one_left(
    app: Flask, client: FlaskClient, worker: OneHand, make: Callable[[], Flask]
) -> None:
    """A photo that was taken in is read, also when the server was ended before its turn."""
    made = [sent(client) for _ in range(2)]
    line = companion_of(app).queue
    leaving = threading.Thread(target=line.close)
    leaving.start()
    worker.go_on.set()
    leaving.join(PATIENCE_S)
    assert [state_of(client, one)["failure"] is None for one in made] == [True, False]
    second = make()
    all_done(second, worker)
    assert [state_of(second.test_client(), one)["failure"] for one in made] == [None, None]


def test_who_waits_a_moment_gets_the_reading_itself(
    app: Flask, client: FlaskClient, worker: OneHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a worker at hand the answer to a photo is its reading, and what is no photo is refused."""
    monkeypatch.setattr("webapp.services.photos.BY_THE_WAY_S", PATIENCE_S)
    worker.go_on.set()
    assert sent(client)["failure"] is None
    refused = client.post("/readings.json", data={"photo": (BytesIO(b"nothing"), "a.jpg")})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (422, "not_a_photo")


def test_of_several_photos_at_once_the_page_says_that_only_the_first_was_taken(
    app: Flask, client: FlaskClient, worker: OneHand
) -> None:
    """It says so on the page of that photo: as long as it waits, and once when it is read."""
    said = "Several photos came at once: only the first one was taken."

    def sent_both(first: bytes, second: bytes) -> TestResponse:
        photos = [(BytesIO(one), "a.jpg") for one in (first, second)]
        return client.post("/readings", data={"photo": photos})

    answer = sent_both(plain_photo(), b"+")

    def is_said() -> list[bool]:
        return [said in client.get(answer.location, follow_redirects=True).text for _ in range(2)]

    assert is_said() == [True, True]
    all_done(app, worker)
    assert is_said() == [True, False]
    assert said not in client.get(sent_both(b"", plain_photo()).location).text


def test_a_seat_says_that_its_photo_waits(app: Flask, client: FlaskClient, worker: OneHand) -> None:
    """At the table of a game everybody sees that a photo is there and not read yet."""
    code = client.post("/games", json={"name": "Ann"}).get_json()["code"]
    address = f"/g/{code}"
    sent_to = f"{address}/seats/1/photo.json"
    answer = client.post(sent_to, data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    assert (answer.status_code, answer.get_json()["failure"]["code"]) == (201, "being_read")
    assert client.get(f"{address}.json").get_json()["players"][0]["window"] == "reading"
    assert "photo is being read" in client.get(f"/g/{code}", headers=BROWSER).text
    all_done(app, worker)
    assert client.get(f"{address}.json").get_json()["players"][0]["window"] == "doubtful"


def test_an_error_of_one_photo_stops_no_other(app: Flask, worker: OneHand) -> None:
    """Whatever goes wrong with one photo, the next one has its turn; none is read twice at once."""
    app.logger.disabled = True
    line = companion_of(app).queue

    def fails() -> None:
        raise PhotoError("not_a_photo", sentence("No."), sentence("Never."))

    seen: list[int] = []
    first = line.begin("one", lambda: worker.call(lambda: None))
    assert line.begin("one", fails) is first
    worker.go_on.set()
    line.begin("bad", fails)
    assert line.begin("good", lambda: seen.append(1)).done.wait(PATIENCE_S)
    assert seen == [1]
