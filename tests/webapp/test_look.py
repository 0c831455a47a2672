"""What the server says of a frame while somebody aims."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.vision.samples import photo_of
from tests.webapp.conftest import SayingReader, SayingTable
from tests.webapp.quick import furnished
from tests.webapp.test_waiting import OneHand, all_done, sent
from vision.viewfinder import SENTENCES, Hint
from webapp import create_app
from webapp.domain.wording import words_for
from webapp.http.session import companion_of

JSON = {"Accept": "application/json"}


def frame(part: float = 1.0) -> bytes:
    """Return a frame with a window, of which the left ``part`` shows."""
    image = photo_of("easy_daylight.jpg")
    small = cv2.resize(image[:, : round(part * image.shape[1])], None, fx=0.4, fy=0.4)
    return cv2.imencode(".jpg", small)[1].tobytes()


def look(client: FlaskClient, content: bytes, **headers: str) -> TestResponse:
    """Send a frame as the page's script does."""
    return client.post("/look", data=content, content_type="image/jpeg", headers={**JSON, **headers})


def test_a_frame_is_answered_with_outlines_and_nothing_is_kept(client: FlaskClient, tmp_path: Path) -> None:
    """The corners are pixels of the frame; no file, no reading and no cookie comes of it."""
    before = sorted(tmp_path.rglob("*"))
    answer = look(client, frame())
    seen = answer.get_json()
    assert (seen["size"], seen["code"], seen["ready"]) == ([480, 640], "good", True)
    ((left, top), _, (right, bottom), _) = seen["windows"][0]
    assert 130 < left < right < 400 < bottom < 450
    assert top > 250
    assert sorted(tmp_path.rglob("*")) == before
    assert client.get("/.json").get_json()["readings"] == []
    assert "Set-Cookie" not in answer.headers


def test_the_hint_is_in_the_language_of_the_visitor(client: FlaskClient) -> None:
    """What is to be done is said in French where the browser speaks French."""
    told = look(client, frame(0.55), **{"Accept-Language": "fr"}).get_json()
    assert told["code"] == Hint.CUT_OFF
    assert told["hint"] == words_for("fr").say(SENTENCES[Hint.CUT_OFF])
    assert told["hint"] != str(SENTENCES[Hint.CUT_OFF])


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (bytes(128_001), 413, "request_too_large"),
        (b"no photo at all", 422, "not_a_photo"),
        (b"", 422, "not_a_photo"),
    ],
)
def test_what_is_no_frame_is_refused(client: FlaskClient, content: bytes, status: int, code: str) -> None:
    """Too many bytes, and bytes that are no picture, are refused with the reason."""
    answer = look(client, content)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (status, code)


def test_photos_go_first(tmp_path: Path, reader: SayingReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """While all workers read photos no frame is looked at, and frames wait for nobody either."""
    monkeypatch.setattr("webapp.services.photos.BY_THE_WAY_S", 0)
    worker = OneHand()
    settings = {"SAGRADA_DATA": furnished(tmp_path), "TESTING": True}
    app = create_app(settings, reader=reader, table_reader=SayingTable(), workers=worker)
    client = app.test_client()
    sent(client)
    assert look(client, frame()).status_code == 503
    all_done(app, worker)
    assert look(client, frame()).get_json()["ready"]

    worker.go_on.clear()
    answers: list[int] = []
    other = threading.Thread(target=lambda: answers.append(look(app.test_client(), frame()).status_code))
    other.start()
    while not companion_of(app).queue._by_the_way:
        other.join(0.01)
    assert look(client, frame()).status_code == 503
    worker.go_on.set()
    other.join()
    assert answers == [200]
