"""The loose dice of a photo: the draft pool and the round track."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.readings import loose, table_of
from tests.webapp.conftest import SayingTable, read_table, take_table, two_windows
from tests.webapp.games.conftest import Device
from tests.webapp.tables import code_of, ids
from webapp.services import context


@pytest.fixture
def pool(client: FlaskClient, made: dict[str, Any], table_reader: SayingTable) -> dict[str, Any]:
    """Return the photo of a draft pool for a window: one die sure, one in doubt, one on the round track."""
    table_reader.answer = table_of(
        dice=[
            loose("R2", (300.0, 250.0)),
            loose("B5", (350.0, 250.0), doubtful=True, others=["B3"]),
            loose("G1", (700.0, 100.0), place="track", round_=1),
        ]
    )
    return read_table(client, "pool", made["id"])


def put(client: FlaskClient, state: dict[str, Any], **told: Any) -> Any:  # noqa: ANN401
    """Put a loose die right."""
    return client.post(f"{state['links']['self']}/die", json={"revision": state["revision"], **told})


def test_loose_dice_are_put_right(client: FlaskClient, pool: dict[str, Any]) -> None:
    """A die is corrected by its place in the list, added at a place of the photo, and taken away."""
    one = put(client, pool, index=1, die="B3").get_json()
    assert (one["loose_dice"][1]["die"], one["loose_dice"][1]["doubtful"]) == ("B3", False)
    two = put(client, one, die="Y6", x=10, y=20).get_json()
    assert (two["loose_dice"][3]["die"], two["loose_dice"][3]["center"]) == ("Y6", [10, 20])
    three = put(client, two, index=0, die=None).get_json()
    assert [die["die"] for die in three["loose_dice"]] == ["B3", "G1", "Y6"]
    assert put(client, two, index=0, die="R3").status_code == 409  # the index would name another die


@pytest.mark.parametrize(
    "told",
    [
        {"die": "R2", "x": 801, "y": 20},
        {"die": "R2", "x": -1, "y": 20},
        {"die": "R2", "x": 10, "y": 601},
        {"index": 3, "die": "R2"},
        {"index": -1, "die": "R2"},
        {"die": None},
        {"index": 0, "die": "R7"},
    ],
)
def test_a_die_that_cannot_lie_there_is_refused(
    client: FlaskClient, pool: dict[str, Any], told: dict[str, Any]
) -> None:
    """A place outside the photo, a die that is not in the list, or no die of the game changes nothing."""
    assert put(client, pool, **told).status_code == 400
    assert client.get(pool["links"]["self"] + ".json").get_json()["loose_dice"] == pool["loose_dice"]


def test_the_page_puts_dice_right(client: FlaskClient, pool: dict[str, Any]) -> None:
    """The forms of the page do the same, and refuse the same."""
    address = f"/t/{pool['id']}/die"
    data = {"revision": pool["revision"], "index": "1", "die": "B3"}
    assert client.post(address, data=data).location.endswith("?look=1")
    assert client.post(address, data=data).status_code == 409
    now = client.get(pool["links"]["self"] + ".json").get_json()
    added = {"revision": now["revision"], "index": "", "die": "Y6", "x": "10", "y": "20"}
    assert client.post(address, data=added).status_code == 303
    assert client.get(pool["links"]["self"] + ".json").get_json()["loose_dice"][3]["center"] == [10, 20]


def test_a_pool_leads_to_the_placement_page_when_nothing_is_in_doubt(
    client: FlaskClient, made: dict[str, Any], pool: dict[str, Any]
) -> None:
    """As long as a die of the pool is in doubt the page asks; then it goes on by itself, unless looked at."""
    page = f"/t/{pool['id']}"
    assert client.get(page).status_code == 200
    put(client, pool, index=1, die="B5")
    onward = client.get(page)
    assert onward.status_code == 303
    assert onward.location.startswith(f"/w/{made['id']}/")
    assert re.findall(r"die=(\w\d)", onward.location) == ["R2", "B5"]
    assert client.get(onward.location).status_code == 200
    assert client.get(f"{page}?look=1").status_code == 200
    links = client.get(pool["links"]["self"] + ".json").get_json()["links"]
    assert client.get(links["placement"]).status_code == 200


def test_the_window_beside_the_dice_is_the_one_asked_about(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """One window and sure dice answer all that is asked; with two windows a person says which."""
    table_reader.answer = table_of(two_windows()[1], dice=[loose("R2")])
    done = read_table(client, "place")
    assert client.get(f"/t/{done['id']}").location.startswith(f"/w/{ids(done)[0]}/")
    table_reader.answer = table_of(*two_windows(), dice=[loose("R2")])
    both = read_table(client, "place")
    assert client.get(f"/t/{both['id']}").status_code == 200
    chosen = client.post(f"/t/{both['id']}/place", data={"record": ids(both)[1]})
    assert chosen.location.startswith(f"/w/{ids(both)[1]}/")


def test_the_card_of_an_earlier_photo_comes_along(
    client: FlaskClient, made: dict[str, Any], table_reader: SayingTable
) -> None:
    """A card that was chosen for the same window stays chosen when that window is photographed with dice."""
    client.post(f"/w/{made['id']}", json={"revision": 1, "window": "Firmitas"})
    table_reader.answer = table_of(two_windows()[1], dice=[loose("R2")])
    (window_,) = read_table(client, "place", made["id"])["windows"]
    assert window_["card"] == "Firmitas"


def test_a_pool_is_for_a_window_that_is_there(client: FlaskClient, photo: bytes, app: Flask) -> None:
    """Without its window a photo of the draft pool leads nowhere."""
    for target in ("", "A" * 16):
        data = {"photo": (BytesIO(photo), "a.jpg"), "purpose": "pool", "target": target}
        assert client.post("/t.json", data=data).status_code == 404
    with app.app_context():
        assert not (context.store().root / "tables").exists()


# --- The round track -------------------------------------------------------------------------------


def test_the_round_track_is_the_target_of_a_solo_game(app: Flask, table_reader: SayingTable) -> None:
    """The values on it are added up, with those a person adds, not those beside it; an empty one is told."""
    host = Device(app.test_client())
    host.start(solo=True)
    table_reader.answer = table_of(dice=[loose("R2"), loose("B5")])
    done = read_table(host.client, "track", host.code)
    assert done["target"] == 7
    after = put(host.client, done, die="Y6", x=10, y=20).get_json()
    assert after["target"] == 13
    game = host.client.post(f"{done['links']['self']}/target.json")
    assert game.get_json()["target"] == 13
    again = host.client.post(f"/t/{done['id']}/target")
    assert again.location == f"/g/{host.code}"
    dice = [loose("R2", place="pool"), loose("B5", place="track", round_=2), loose("G4")]
    table_reader.answer = table_of(dice=dice)
    assert read_table(host.client, "track", host.code)["target"] == 5
    table_reader.answer = table_of()
    empty = read_table(host.client, "track", host.code)
    assert code_of(host.client.post(f"{empty['links']['self']}/target.json")) == "no_dice_on_track"
    assert host.client.post(f"/t/{empty['id']}/target").status_code == 400


@pytest.mark.parametrize("purpose", ["track", "seats"])
def test_only_the_host_takes_a_photo_for_a_game(app: Flask, purpose: str) -> None:
    """A stranger, a wrong code, a target of several players or seats of a solo game begin no reading."""
    host, stranger, other = (Device(app.test_client()) for _ in range(3))
    host.start(solo=purpose == "track")
    other.start(solo=purpose == "seats")
    for who, code in ((stranger, host.code), (stranger, "AAAA"), (other, other.code)):
        with pytest.raises(AssertionError, match="error"):
            take_table(who.client, purpose, code)
    with app.app_context():
        assert not (context.store().root / "tables").exists()
