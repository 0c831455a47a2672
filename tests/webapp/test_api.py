from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoring import Board
from scoring.sentences import sentence
from tests.readings import BOARD, reading_of
from tests.webapp.conftest import RULEBOOK, SayingReader, upload
from vision import BoardNotFoundError, BoardUnreadableError, Reading
from vision.photo import Photo
from webapp.domain.errors import UnreadPhotoError
from webapp.domain.record import ID_PATTERN

Patch = Callable[..., Any]
EXAMPLE = {"public": ["Column Color Variety", "Light Shades", "Color Variety"], "private": "P"}
CORNERS = [[10, 20], [700, 20], [700, 500], [10, 500]]


def test_a_photo_becomes_a_window_with_a_score(made: dict[str, Any], patch: Patch) -> None:
    """The rulebook's example comes out of the page's interface: 40 points and one placement problem."""
    state = patch(made, choices=EXAMPLE).get_json()
    assert state["board"] == RULEBOOK
    assert state["total"] == 40
    assert [problem["code"] for problem in state["problems"]] == ["value_restriction"]
    assert state["problems"][0]["cells"] == ["C5"]


def test_a_die_put_right_changes_points(made: dict[str, Any], patch: Patch) -> None:
    """A correction is counted at once."""
    before = patch(made, choices={"public": ["Medium Shades"]}).get_json()
    after = patch(before, cells={"A4": "Y4"}).get_json()
    assert after["total"] == before["total"]  # three 3s, now five 4s: still three pairs
    after = patch(after, cells={"B1": "R4", "A2": "--"}).get_json()
    assert after["total"] == before["total"] - 3  # a pair less, and a space more that is empty


def test_doubtful_dice_offer_what_else_they_may_be(made: dict[str, Any], patch: Patch) -> None:
    """What is likely comes first, without the die shown; who corrects by mistake finds what was read."""
    assert made["cells"][3]["doubtful"]
    assert made["cells"][3]["candidates"] == ["Y4", "--"]
    assert patch(made, cells={"A4": "B6"}).get_json()["cells"][3]["candidates"][0] == "Y5"


def test_looking_at_a_die_ends_the_doubt(made: dict[str, Any], patch: Patch) -> None:
    """Who says that a die is right, or sets another, takes the mark away; undoing that brings it back."""
    cell = patch(made, checked=["A4"]).get_json()["cells"][3]
    assert (cell["die"], cell["doubtful"]) == ("Y5", False)
    state = patch(made, cells={"A4": "Y4"}).get_json()
    assert not state["cells"][3]["doubtful"]
    undone = patch(state, cells={"A4": "Y5"}, unchecked=["A4"]).get_json()
    assert undone["cells"][3]["doubtful"]
    assert undone["board"] == made["board"]


def test_a_card_by_hand_replaces_the_card_that_was_read(made: dict[str, Any], patch: Patch) -> None:
    """Placement is checked with the chosen card, or without one when it is unknown."""
    assert made["window"]["name"] == "Fractal Drops"
    without = patch(made, choices={"window": "unknown"}).get_json()
    assert without["window"] is None
    assert patch(without, choices={"window": "Firmitas"}).get_json()["window"]["name"] == "Firmitas"


def test_stale_changes_of_other_fields_are_merged(made: dict[str, Any], patch: Patch) -> None:
    """Two tabs that change different things both keep their work, and one that says the same does no harm."""
    first = patch(made, cells={"A1": "R6"}).get_json()
    again = patch(made, cells={"A1": "R6"})
    assert (again.status_code, again.get_json()["revision"]) == (200, first["revision"])
    state = patch(made, choices={"favor_tokens": 3}).get_json()
    assert state["cells"][0]["die"] == "R6"
    assert state["choices"]["favor_tokens"] == 3


def test_stale_changes_of_the_same_field_are_refused(
    client: FlaskClient, made: dict[str, Any], patch: Patch
) -> None:
    """No change or corners from an old state overwrite a die silently, nor a space from before a turn."""
    newer = patch(made, cells={"A1": "R6"}).get_json()
    told = {"corners": CORNERS, "revision": made["revision"]}
    for answer in (patch(made, cells={"A1": "B2"}), client.post(f"/w/{made['id']}/corners", json=told)):
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "conflict")
    assert client.get(f"/w/{made['id']}.json").get_json() == newer
    client.post(f"/w/{made['id']}/turn", json={"revision": newer["revision"]})
    assert patch(newer, cells={"A2": "R6"}).status_code == 409


def test_turning_moves_dice_doubt_and_corners(client: FlaskClient, made: dict[str, Any]) -> None:
    """Turned by half a turn, the cell A4 is D2, with its doubt, and the corners change places."""
    state = client.post(f"/w/{made['id']}/turn", json={"revision": made["revision"]}).get_json()
    assert state["cells"][16]["die"] == "Y5"
    assert state["cells"][16]["doubtful"]
    assert state["corners"] == made["corners"][2:] + made["corners"][:2]
    back = client.post(f"/w/{made['id']}/turn", json={"revision": state["revision"]}).get_json()
    assert back["board"] == made["board"]


def test_corners_by_hand_are_read_again(client: FlaskClient, reader: SayingReader, photo: bytes) -> None:
    """A photo without a window becomes one by corners; those that do not fit are told and change nothing."""
    reader.answer = BoardNotFoundError("board_not_found", sentence("Nothing."), sentence("Try again."))
    state = upload(client, photo)
    assert state["corners"] is None
    reader.answer = SayingReader().answer
    state = client.post(f"/w/{state['id']}/corners", json={"corners": CORNERS}).get_json()
    assert reader.corners == ((10, 20), (700, 20), (700, 500), (10, 500))
    assert (state["board"], state["corners"]) == (RULEBOOK, CORNERS)
    reader.answer = BoardUnreadableError("bad_corners", sentence("No window."), sentence("Again."))
    told = {"corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "revision": state["revision"]}
    answer = client.post(f"/w/{state['id']}/corners", json=told)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (422, "bad_corners")
    assert client.get(f"/w/{state['id']}.json").get_json() == state


def test_corners_by_hand_can_be_taken_back(
    client: FlaskClient, reader: SayingReader, made: dict[str, Any], patch: Patch
) -> None:
    """Undoing a reading with other corners brings back dice, doubt, corners and what was looked at."""
    before = patch(made, cells={"A2": "R6"}).get_json()
    reader.answer = reading_of(doubtful=["B1", "B2"])
    address = f"/w/{made['id']}/corners"
    again = client.post(address, json={"corners": CORNERS, "revision": before["revision"]}).get_json()
    assert again["board"] == BOARD
    assert again["corners"] == CORNERS
    back = client.post(address, json={"corners": None, "revision": again["revision"]}).get_json()
    for key in ("board", "corners", "cells"):
        assert back[key] == before[key]


def other_photo(client: FlaskClient, state: dict[str, Any], light: int = 200) -> TestResponse:
    """Send another photo of a window, as bright as that."""
    photo = cv2.imencode(".jpg", np.full((600, 800, 3), light, np.uint8))[1].tobytes()
    return client.post(f"{state['links']['self']}/photos.json", data={"photo": (BytesIO(photo), "b.jpg")})


def test_a_second_photo_settles_doubts_and_leaves_what_people_put_right(
    client: FlaskClient, reader: SayingReader, made: dict[str, Any], patch: Patch
) -> None:
    """Clear there is clear here, sure of others is in doubt, and one step goes back and forth."""
    revision = patch(made, cells={"B1": "R6"}).get_json()["revision"]
    before = client.post(f"/w/{made['id']}/turn", json={"revision": revision}).get_json()
    sure = RULEBOOK.replace("Y5", "Y4").replace("P5", "G1").replace("Y3", "Y1").replace("R3 B1", "R5 B1")
    reader.answer = reading_of(sure, window="Fractal Drops")
    answer = other_photo(client, before)
    after = answer.get_json()
    shown = Board.parse(RULEBOOK.replace("Y5", "Y4").replace("R3 B1", "R6 B1")).rotated_180()
    assert (answer.status_code, after["board"], after["corners"]) == (201, str(shown), before["corners"])
    doubtful = {cell["name"]: cell["candidates"] for cell in after["cells"] if cell["doubtful"]}
    assert doubtful == {"B5": ["G1"], "A4": ["Y1"]}
    assert other_photo(client, made).get_json() == after  # sent again, as the answer was lost

    address, now = f"/w/{made['id']}/corners", after
    for wanted in (before, after, before):
        now = client.post(address, json={"corners": None, "revision": now["revision"]}).get_json()
        assert [now[key] for key in ("board", "cells", "corners")] == [
            wanted[key] for key in ("board", "cells", "corners")
        ]
    assert other_photo(client, made).get_json()["cells"] == after["cells"]  # taken back, it may come again


def test_a_mirrored_second_photo_is_flipped_before_it_is_merged(
    client: FlaskClient, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever flipped the first photo takes the second one with the same camera."""
    half = np.zeros((600, 800, 3), np.uint8)
    half[:, 400:] = 200
    sure = RULEBOOK.replace("Y5", "Y4")

    def read(_: SayingReader, photo: Photo, **told: Any) -> Reading:  # noqa: ANN401
        is_flipped = photo.image_bgr[:, :400].mean() > 100
        return reading_of(sure, window="Fractal Drops") if is_flipped else reading_of(mirrored=True)

    monkeypatch.setattr(SayingReader, "__call__", read)
    sent = {"photo": (BytesIO(cv2.imencode(".jpg", half)[1].tobytes()), "b.jpg")}
    answer = client.post(f"{made['links']['self']}/photos.json", data=sent)
    assert (answer.status_code, answer.get_json()["board"]) == (201, sure)


def test_a_second_photo_that_does_not_help_changes_nothing(
    client: FlaskClient, reader: SayingReader, made: dict[str, Any], photo: bytes
) -> None:
    """Of another window, without one, the first one again, no photo, or for no reading: it says so."""
    by_hand = client.post("/by-hand.json").get_json()
    none = BoardNotFoundError("board_not_found", sentence("No."), sentence("Go."))
    for state, answer, status, code in (
        (made, reading_of(), 422, "different_windows"),
        (made, none, 422, "board_not_found"),
        (by_hand, reading_of(), 400, "no_reading_to_learn"),
    ):
        reader.answer = answer
        refused = other_photo(client, state)
        assert (refused.status_code, refused.get_json()["error"]["code"]) == (status, code)
        assert client.get(f"/w/{state['id']}.json").get_json() == state
    for content, code in ((photo, "same_photo"), (b"", "not_a_photo"), (b"?", "not_a_photo")):
        told = {"photo": (BytesIO(content), "a.jpg")}
        refused = client.post(f"/w/{made['id']}/photos.json", data=told)
        assert refused.get_json()["error"]["code"] == code


@pytest.mark.parametrize(
    "corners",
    [
        None,
        [],
        [[0, 0]] * 3,
        [[0, 0, 0]] * 4,
        "abcd",
        [["a", 1]] * 4,
        [[float("nan"), 0]] * 4,
        [[1e9, 0]] * 4,
    ],
)
def test_corners_that_are_no_four_points_are_refused(
    client: FlaskClient, made: dict[str, Any], corners: object
) -> None:
    """Only four pairs of finite numbers reach the reader, and none only where one step can be undone."""
    answer = client.post(f"/w/{made['id']}/corners", json={"corners": corners, "revision": made["revision"]})
    assert answer.status_code == 400
    assert client.get(f"/w/{made['id']}.json").get_json() == made


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8\xff", b"<svg/>", b"%PDF-1.4"])
def test_what_is_no_photo_is_refused_and_not_kept(client: FlaskClient, app: Flask, content: bytes) -> None:
    """Bytes that do not open as a photo leave nothing on the disk."""
    answer = client.post("/readings.json", data={"photo": (BytesIO(content), "a.jpg")})
    assert answer.status_code in {400, 422}
    assert set(answer.get_json()["error"]) - {"data"} == {"code", "message", "next_step"}
    assert not list(app.config["SAGRADA_DATA"].rglob("*.jpg"))


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/w/AAAAAAAAAAAAAAAA.json", 404),
        ("get", "/w/..json", 404),
        ("get", "/w/%2e%2e%2f%2e%2e.json", 404),
        ("get", "/nothing.json", 404),
        ("delete", "/readings.json", 405),
        ("post", "/w/AAAAAAAAAAAAAAAA.json", 400),
        ("post", "/readings.json", 400),
        ("post", "/w/AAAAAAAAAAAAAAAA/delete.json", 404),
        ("post", "/w/AAAAAAAAAAAAAAAA/by-hand.json", 404),
        ("put", "/windows.json", 405),
        ("get", "/dice.json", 406),
        ("get", "/g/CCCCCC.json", 404),
        ("get", "/api/nothing.json", 404),
    ],
)
def test_every_error_has_the_one_json_shape(client: FlaskClient, method: str, path: str, status: int) -> None:
    """Whatever goes wrong has one shape: code, message, next step; a wrong method is told the right ones."""
    answer = getattr(client, method)(path)
    assert answer.status_code == status
    assert bool(answer.headers.get("Allow")) is (status == 405)
    assert list(answer.get_json()) == ["error"]
    assert set(answer.get_json()["error"]) - {"data"} == {"code", "message", "next_step"}
    assert all(answer.get_json()["error"].values())


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"7", b"[" * 10_000, b"\xff", b"9" * 5000])
def test_broken_json_is_refused(client: FlaskClient, text: bytes) -> None:
    """What is no JSON object is refused with the one shape, however deep or long it is."""
    answer = client.post("/games", data=text, content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == "bad_request"


def test_an_upload_over_the_limit_is_told_kindly(client: FlaskClient, app: Flask) -> None:
    """A file over the limit gives the one error shape and says what to do."""
    app.config["MAX_CONTENT_LENGTH"] = 1000
    answer = client.post("/readings.json", data={"photo": (BytesIO(b"x" * 2000), "a.jpg")})
    assert answer.status_code == 413
    assert answer.get_json()["error"]["code"] == "upload_too_large"


def test_an_unexpected_error_has_the_shape_too(app: Flask, client: FlaskClient, made: dict[str, Any]) -> None:
    """A bug answers with 500 in the one shape and without a word about the inside of the program."""
    app.config["TESTING"] = False

    def broken(**_: object) -> str:
        raise RuntimeError("the secret inside")

    app.view_functions["pages.show"] = broken
    answer = client.get(f"/w/{made['id']}.json")
    assert answer.status_code == 500
    assert answer.get_json()["error"]["code"] == "internal"
    assert "secret" not in answer.get_data(as_text=True)


def test_ids_cannot_be_guessed(client: FlaskClient, photo: bytes) -> None:
    """Each window has an id of its own with 96 random bits in it."""
    ids = {upload(client, photo)["id"] for _ in range(3)}
    assert len(ids) == 3
    assert all(ID_PATTERN.fullmatch(one) for one in ids)


def test_a_window_with_mistakes_says_how_to_put_it_right(
    client: FlaskClient, made: dict[str, Any], patch: Callable[..., Any]
) -> None:
    """The dice to take off come with the problems, counted with the cards in play, and go with them."""
    assert made["removals"]["most_points"]["message"] == "Take off C5, then no rule is broken."
    public = ["Column Color Variety", "Light Shades", "Color Variety"]
    state = patch(made, choices={"public": public, "private": "R"}).get_json()
    assert state["removals"]["most_points"]["message"] == "Take off C5: that costs 13 points."
    assert "Take off C5: that costs 13 points." in client.get(f"/w/{made['id']}").get_data(as_text=True)
    state = patch(state, cells={"C5": "--"}).get_json()
    assert (state["problems"], state["removals"]) == ([], None)


def test_fewest_dice_and_most_points_are_told_apart_where_they_differ(
    client: FlaskClient, made: dict[str, Any], patch: Callable[..., Any]
) -> None:
    """One die that costs more, or two that cost less: the page names both ways."""
    empty = {f"{row}{column}": "--" for row in "ABCD" for column in range(1, 6)}
    dice = {"A1": "G1", "A2": "R6", "A3": "R2", "B2": "R1"}
    state = patch(made, cells={**empty, **dice}, choices={"window": "unknown", "private": "R"}).get_json()
    assert {way: removal["message"] for way, removal in state["removals"].items()} == {
        "most_points": "Take off A3, B2: that costs 5 points.",
        "fewest_dice": "Take off A2: that costs 7 points.",
    }
    page = client.get(f"/w/{made['id']}").get_data(as_text=True)
    assert "With the fewest dice: Take off A2: that costs 7 points." in page


def test_the_links_of_a_reading_lead_somewhere(client: FlaskClient, made: dict[str, Any]) -> None:
    """Page, photo and placement of a reading are where it says, and the answer to a new one names it."""
    for address in filter(None, made["links"].values()):
        assert client.get(address).status_code == 200
    answer = client.post("/by-hand", json={"board": RULEBOOK.lower()})
    assert answer.headers["Location"] == answer.get_json()["links"]["self"]
    assert answer.get_json()["links"]["photo"] is None
    assert client.get(answer.headers["Location"] + ".json").get_json()["board"] == RULEBOOK


def test_a_photo_that_cannot_be_read_says_why_and_goes_on_by_hand(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """The answer to an unread photo holds the reason; going on by hand makes it a window like any other."""
    reader.answer = BoardNotFoundError(
        "board_not_found", sentence("No window here."), sentence("From above, please.")
    )
    state = upload(client, photo)
    assert state["failure"] == {**UnreadPhotoError("board_not_found").to_json(), "data": None}
    after = client.post(f"/w/{state['id']}/by-hand.json").get_json()
    assert after["failure"] is None
    assert client.get(after["links"]["self"]).status_code == 200


@pytest.mark.parametrize("board", ["", "R1", 7, None, [], RULEBOOK + " / R1"])
def test_a_window_by_hand_begins_with_a_board(client: FlaskClient, board: object) -> None:
    """What is no board makes no window."""
    assert client.post("/by-hand", json={"board": board}).status_code == 400
