"""What several tests do with a photo of the whole table."""

from __future__ import annotations

import threading
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from scoring.sentences import sentence
from tests.readings import PLACES, reading_of
from tests.webapp.conftest import PATIENCE_S, RULEBOOK, SayingTable, take_table, wait_read
from vision import Reading
from vision.errors import BoardNotFoundError
from webapp.http.session import companion_of
from webapp.services import context

EMPTY = " / ".join(["-- -- -- -- --"] * 4)
LONG_AGO = "2020-01-01 00:00:00"


def several_boards() -> BoardNotFoundError:
    """Return what the reader says when it looked for one window and found more."""
    return BoardNotFoundError("several_boards", sentence("Several."), sentence("Only one."))


def third() -> Reading:
    """Return one more window, apart from the other two."""
    return reading_of(RULEBOOK, corners=PLACES[2])


def hold(table_reader: SayingTable, client: FlaskClient, after: int, **told: Any) -> dict[str, Any]:  # noqa: ANN401
    """Take a photo whose reading waits after so many windows, and return its state then."""
    table_reader.hold_after = after
    photo_id = take_table(client, **told)["id"]
    assert table_reader.held.wait(PATIENCE_S)
    state: dict[str, Any] = client.get(f"/t/{photo_id}.json").get_json()
    return state


def let_go(table_reader: SayingTable, client: FlaskClient, photo_id: str) -> dict[str, Any]:
    """Let the reading that waits go on, and return the state when all is read."""
    table_reader.go_on.set()
    return wait_read(client, photo_id)


def kept_windows(app: Flask) -> set[str]:
    """Return the ids of all windows whose files are kept."""
    with app.app_context():
        return {path.name for path in (context.store().root / "readings").glob("*") if path.is_dir()}


def ids(state: dict[str, Any]) -> list[str]:
    """Return the ids of a photo's windows."""
    return [one["reading"] for one in state["windows"]]


def wait_for_all(app: Flask) -> None:
    """Wait until no photo of a table is being read in this process."""
    for thread in threading.enumerate():
        if thread.name == "photo":
            thread.join(PATIENCE_S)
    assert companion_of(app).queue._at_work == []


def age(app: Flask) -> None:
    """Let all photos of tables have been taken before this server was started."""
    with app.app_context(), context.kept().database.begin() as session:
        session.execute(text("UPDATE table_photos SET created = :then"), {"then": LONG_AGO})


def code_of(answer: Any) -> str:  # noqa: ANN401
    """Return the code of an error."""
    assert answer.status_code == 400, answer.get_data(as_text=True)
    return str(answer.get_json()["error"]["code"])
