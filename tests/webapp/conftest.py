"""An application with a folder of its own and a reader that says what a test tells it to."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring import WINDOW_PATTERNS, Color, WindowPattern, WindowSet
from scoring.sentences import sentence
from tests import postgres
from tests.profiles import SayingLearner, sample_of
from tests.readings import PLACES, reading_of, table_of
from tests.webapp.quick import furnished
from vision import Alternative, BoardNotFoundError, Corners, Reading, TableReading, VisionError
from vision.photo import Photo, Source
from vision.profile import How, Profile
from webapp import create_app
from webapp.storage import profiles
from webapp.storage.administration import PIN_FILE, Administrator
from webapp.storage.database import Database
from webapp.storage.own_cards import WINDOWS_FILE, WindowStore
from webapp.storage.profiles import FOLDER_NAME, ProfileStore

RULEBOOK = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
"""The worked example of the rulebook: 40 points, and a red 3 at C5 where its card wants a 1."""


CARDS = WINDOW_PATTERNS.with_sets([WindowSet.FIVE_AND_SIX])
"""What there was before that changed nothing."""

NOT_FOUND = BoardNotFoundError(
    "board_not_found", sentence("No window here."), sentence("From above, please.")
)


class SayingReader:
    """A reader that answers with ``answer``, or raises it when it is an error."""

    def __init__(self) -> None:
        self.answer: Reading | VisionError = rulebook_reading()
        self.corners: Corners | None = None
        self.windows: tuple[WindowPattern, ...] = ()
        self.profiles: tuple[Profile, ...] = ()

    def __call__(
        self,
        photo: Source,
        *,
        corners: Corners | None = None,
        windows: Iterable[WindowPattern] | None = None,
        profile: Iterable[Profile] = (),
    ) -> Reading:
        """Read a photo or a JPEG, without looking at it."""
        assert isinstance(photo, Photo) or (isinstance(photo, bytes) and photo[:2] == b"\xff\xd8")
        self.corners = corners
        self.windows = tuple(windows or ())
        self.profiles = tuple(profile)
        if isinstance(self.answer, VisionError):
            raise self.answer
        return replace(self.answer, corners=corners or self.answer.corners)


class SayingTable:
    """A reader of whole tables that answers with ``answer``, and tells its windows one after the other.

    It raises ``error`` after ``error_after`` windows, and after ``hold_after`` windows it sets ``held`` and
    waits for ``go_on``. It tells of ``told`` where that is more than it answers in the end.
    """

    def __init__(self) -> None:
        self.answer: TableReading = table_of(*two_windows())
        self.told: tuple[Reading, ...] | None = None
        self.error: Exception | None = None
        self.error_after = 0
        self.hold_after: int | None = None
        self.held = threading.Event()
        self.go_on = threading.Event()
        self.windows: tuple[WindowPattern, ...] = ()
        self.profiles: tuple[Profile, ...] = ()
        self.times = 0

    def __call__(
        self,
        content: bytes,
        windows: Iterable[WindowPattern] | None = None,
        progress: Callable[[int, Reading | None], None] | None = None,
        profile: Iterable[Profile] = (),
    ) -> TableReading:
        """Read a JPEG, without looking at it."""
        assert content[:2] == b"\xff\xd8"
        self.times += 1
        self.windows = tuple(windows or ())
        self.profiles = tuple(profile)
        told = self.answer.windows if self.told is None else self.told
        for number, reading in enumerate((None, *told)):
            if progress is not None:
                progress(len(told), reading)
            if self.hold_after == number:
                self.held.set()
                assert self.go_on.wait(PATIENCE_S)
            if self.error is not None and self.error_after == number:
                raise self.error
        return self.answer


PATIENCE_S = 60.0  # it only bounds the wait for a condition


def wait_read(client: FlaskClient, photo_id: str) -> dict[str, Any]:
    """Wait until nothing more is being read in a photo of the table, and return its state."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        state: dict[str, Any] = client.get(f"/t/{photo_id}.json").get_json()
        if state["stage"] != "reading":
            return state
        assert time.monotonic() < deadline
        time.sleep(0.005)


def take_table(client: FlaskClient, purpose: str = "score", target: str | None = None) -> dict[str, Any]:
    """Send a photo of the whole table, and return its state as it is at once."""
    told = {"purpose": purpose} if target is None else {"purpose": purpose, "target": target}
    answer = client.post("/t.json", data={"photo": (BytesIO(plain_photo()), "a.jpg"), **told})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    state: dict[str, Any] = answer.get_json()
    return state


def read_table(client: FlaskClient, purpose: str = "score", target: str | None = None) -> dict[str, Any]:
    """Send a photo of the whole table, and return its state when all is read."""
    return wait_read(client, take_table(client, purpose, target)["id"])


def two_windows() -> tuple[Reading, ...]:
    """Return two windows that lie apart; in the first one A4 is in doubt."""
    first = replace(rulebook_reading(), corners=PLACES[0])
    return first, reading_of(corners=PLACES[1])


def rulebook_reading() -> Reading:
    """Return the rulebook's window, with the yellow 5 at A4 in doubt: it may be a yellow 4."""
    reading = reading_of(RULEBOOK, doubtful=["A4"], window="Fractal Drops")
    cells = list(reading.cells)
    other = (Alternative(Color.YELLOW, 4, 0.3), Alternative(None, None, 0.01))
    cells[3] = replace(cells[3], alternatives=other)
    return replace(reading, cells=tuple(cells))


@pytest.fixture
def reader() -> SayingReader:
    """Return the reader of the application."""
    return SayingReader()


@pytest.fixture
def table_reader() -> Iterator[SayingTable]:
    """Return the reader of whole tables of the application; who waits for it is let go at the end."""
    reader = SayingTable()
    yield reader
    reader.go_on.set()


@pytest.fixture
def app(tmp_path: Path, reader: SayingReader, table_reader: SayingTable) -> Flask:
    """Return an application that keeps its readings in a folder of this test."""
    settings = {"TESTING": True, "SAGRADA_DATA": furnished(tmp_path)}
    return create_app(settings, reader=reader, table_reader=table_reader)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a browser without scripts."""
    return app.test_client()


def as_administrator(client: FlaskClient) -> FlaskClient:
    """Return the browser, in which the PIN is typed."""
    pin = Administrator(client.application.config["SAGRADA_DATA"] / PIN_FILE).pin()
    assert client.post("/administration/pin", json={"pin": pin}).status_code == 204
    return client


@pytest.fixture
def administrator(client: FlaskClient) -> FlaskClient:
    """Return the browser of the test, made the administrator's."""
    return as_administrator(client)


@pytest.fixture(scope="session")
def photo() -> bytes:
    """Return a photo of 800 x 600 pixels in which there is little to see."""
    return plain_photo()


def plain_photo() -> bytes:
    """Draw a light patch on a dark ground, as a JPEG."""
    image = np.full((600, 800, 3), 90, np.uint8)
    image[100:500, 100:600] = 180
    return cv2.imencode(".jpg", image)[1].tobytes()


@pytest.fixture
def made(client: FlaskClient, photo: bytes) -> dict[str, Any]:
    """Return the state of a window that was just read."""
    return upload(client, photo)


@pytest.fixture
def patch(client: FlaskClient) -> Callable[..., Any]:
    """Return what sends a change and gives back the answer."""

    def send(state: dict[str, Any], **change: Any) -> Any:  # noqa: ANN401
        told = {"revision": state["revision"], **change.pop("choices", {}), **change}
        return client.post(f"/w/{state['id']}", json=told)

    return send


def upload(client: FlaskClient, content: bytes) -> dict[str, Any]:
    """Send a photo as the page's script does, and return the state of the new window."""
    answer = client.post("/readings.json", data={"photo": (BytesIO(content), "a.jpg")})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    state: dict[str, Any] = answer.get_json()
    return state


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """Start a PostgreSQL server once for all tests that need one."""
    programs = postgres.find_programs()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("On the server the tests must run on PostgreSQL too: install postgresql.")
        pytest.skip("There is no PostgreSQL server here: install postgresql to run these tests too.")
    with postgres.running(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of an empty database of this test, of either kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'sagrada.db'}"
        return
    server: postgres.Server = request.getfixturevalue("postgres_server")
    server.empty()
    yield server.address


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    """Return an up-to-date database of this test, of either kind."""
    database = Database(address)
    database.upgrade()
    yield database
    database.close()


@pytest.fixture
def profile_store(tmp_path: Path) -> ProfileStore:
    """Return the dice in the data folder of the application."""
    return ProfileStore(tmp_path / FOLDER_NAME)


@pytest.fixture
def store(tmp_path: Path) -> WindowStore:
    """Return the custom windows in the data folder of the application."""
    return WindowStore(tmp_path / WINDOWS_FILE)


@pytest.fixture
def learner(monkeypatch: pytest.MonkeyPatch) -> SayingLearner:
    """Return what learns without looking, at once, from photos in which nobody looks for a window."""
    saying = SayingLearner()
    monkeypatch.setattr(profiles, "learn", saying)

    def sample(_: bytes, board: object, corners: object, how: How) -> Any:  # noqa: ANN401
        saying.told += ((str(board), corners, how),)
        return replace(sample_of(10 + len(saying.told)), how=how)

    monkeypatch.setattr("webapp.services.dice.window_sample", sample)
    return saying
