"""What the pages of history, start and join show, as JSON."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring import Color
from tests.webapp.ended_games import FULL, At, put_game
from tests.webapp.games.conftest import THREE, Device
from webapp.phones import addresses
from webapp.phones.addresses import Reach
from webapp.services.history import GAMES_A_PAGE
from webapp.web import context
from webapp.web.access import COOKIE, games
from webapp.web.ip import plain_ip
from webapp.web.network import LocalAddress

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.77"}
HISTORY = "/api/v1/history"


def put(app: Flask, *players: At, **told: Any) -> tuple[str, str]:  # noqa: ANN401
    """Play a game in the application and return its code and the token of its host."""
    with app.app_context():
        game, token = put_game(games(), context.store(), players, **told)
    return game.code, token


# --- Games so far ----------------------------------------------------------------------------------


def test_the_history_tells_what_its_file_tells(app: Flask, client: FlaskClient) -> None:
    """Every key of the JSON export of a game is in the answer with the same value."""
    code, _ = put(app, At("Ann"), At("Ben", FULL, private="R", favor=2), order_known=True)
    put(app, At("Eve"), solo=True, target=30, second_private=Color.RED)
    told = {one["code"]: one for one in client.get(HISTORY).get_json()["games"]}
    for game in client.get("/history/export.json").get_json()["games"]:
        answered = told[game["code"]]
        for player in answered["players"]:
            assert client.get(player.pop("picture")).mimetype == "image/svg+xml"
        assert {key: answered[key] for key in game} == game
    assert client.get(f"{HISTORY}/{code}").get_json()["winners"] == ["Ben"]


def test_the_numbers_are_those_of_the_page(app: Flask, client: FlaskClient) -> None:
    """Averages, best totals and what objectives and windows were worth are given for all games together."""
    put(app, At("Ann"), At("Ben", FULL, private="R"))
    put(app, At("Ann", FULL, private="R"), At("Eve", private=None))
    put(app, At("Eve"), solo=True, target=30)
    told = client.get(HISTORY).get_json()
    totals = [
        player["total"]
        for game in told["games"]
        if not game["solo"]
        for player in game["players"]
        if player["private"]
    ]
    sums = told["statistics"]
    assert sums["games"] == 3
    assert sums["totals"] == {"times": 3, "average": sum(totals) / 3, "best": max(totals)}
    assert {one["name"] for one in sums["players"]} == {"Ann", "Ben"}
    assert {one["name"] for one in sums["windows"]} == {"Fractal Drops"}
    assert len(sums["objectives"]) == 3
    assert (sums["solo"]["games"], sums["solo"]["won"] + sums["solo"]["lost"]) == (1, 1)


def test_the_history_comes_page_by_page(app: Flask, client: FlaskClient) -> None:
    """Each game is on one page, the numbers of pages are told, and beyond the last there is no game."""
    made = [put(app, At(f"Ann{number}"), At("Ben", FULL))[0] for number in range(GAMES_A_PAGE + 1)]
    first, second, third = (client.get(f"{HISTORY}?page={number}").get_json() for number in (1, 2, 3))
    assert sorted(one["code"] for page in (first, second) for one in page["games"]) == sorted(made)
    assert (first["pages"], second["page"], third["games"]) == (2, 2, [])
    assert first["statistics"] == second["statistics"]


@pytest.mark.parametrize("page", ["0", "-1", "x", "1.5", "", "٣", "1" * 5000])
def test_a_page_that_is_no_number_is_refused(client: FlaskClient, page: str) -> None:
    """Only whole numbers from 1 name a page."""
    assert client.get(HISTORY, query_string={"page": page}).status_code == 400


def test_sentences_of_the_history_come_in_the_language_of_the_visitor(
    app: Flask, client: FlaskClient
) -> None:
    """Who won and what decided is said in Russian to whoever asks for it; names of cards stay English."""
    code, _ = put(app, At("Ann"), At("Ben", FULL))
    english = client.get(f"{HISTORY}/{code}").get_json()
    russian = client.get(f"{HISTORY}/{code}?lang=ru").get_json()
    assert english["message"].startswith("Ben wins")
    assert russian["message"] != english["message"]
    assert russian["decisions"][0]["message"] != english["decisions"][0]["message"]
    assert russian["public"] == english["public"]


def test_a_game_in_play_is_not_in_the_history(app: Flask, host: Device, guest: Device) -> None:
    """Before the reveal, and after it is closed again, the history knows nothing of a game."""
    address = f"{HISTORY}/{host.code}"
    empty = guest.client.get(HISTORY).get_json()
    refused = guest.client.get(address)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (404, "not_revealed")
    host.cards(public=THREE)
    host.reveal(anyway=True)
    assert [one["code"] for one in guest.client.get(HISTORY).get_json()["games"]] == [host.code]
    host.client.delete(f"{host.address}/reveal")
    assert guest.client.get(HISTORY).get_json() == empty
    assert guest.client.get(address).status_code == 404


def test_only_its_host_deletes_a_game_of_the_history(app: Flask, client: FlaskClient) -> None:
    """As on the page, whoever started a game deletes it for good, and nobody else does."""
    code, token = put(app, At("Ann"), At("Ben", FULL))
    assert client.get(f"{HISTORY}/{code}").get_json()["host"] is False
    assert client.delete(f"/api/v1/games/{code}").status_code == 403
    assert client.get(f"{HISTORY}/{code}").status_code == 200
    client.set_cookie(COOKIE, token)
    assert client.get(f"{HISTORY}/{code}").get_json()["host"] is True
    assert client.delete(f"/api/v1/games/{code}").status_code == 204
    assert client.get(f"{HISTORY}/{code}").status_code == 404
    assert client.get(HISTORY).get_json()["games"] == []


def test_links_of_a_played_game_lead_somewhere(app: Flask, client: FlaskClient) -> None:
    """Its page, its files and itself answer; the link to BG Stats is that of the page."""
    code, _ = put(app, At("Ann"), At("Ben", FULL))
    links = client.get(f"{HISTORY}/{code}").get_json()["links"]
    assert links.pop("bg_stats").startswith("https://app.bgstatsapp.com/")
    for address in links.values():
        assert client.get(address).status_code == 200


# --- Own games and windows -------------------------------------------------------------------------


def test_a_device_lists_its_own_games(host: Device, guest: Device, stranger: Device) -> None:
    """Who started or joined a game finds it; to a stranger it is not listed."""
    for who in (host, guest):
        (listed,) = who.client.get("/api/v1/games").get_json()["games"]
        assert (listed["code"], listed["players"], listed["stage"]) == (host.code, ["Ann", "Ben"], "table")
        assert who.client.get(listed["links"]["self"]).get_json()["code"] == host.code
    assert stranger.client.get("/api/v1/games").get_json() == {"games": []}


def test_after_the_reveal_each_window_has_its_picture(host: Device, guest: Device) -> None:
    """The result names the stained glass of every player, and others may open it."""
    host.cards(public=THREE)
    host.reveal(anyway=True)
    players = guest.state()["result"]["standings"]
    assert len(players) == 2
    for player in players:
        assert guest.client.get(player["picture"]).mimetype == "image/svg+xml"


def test_a_browser_lists_its_last_readings(app: Flask, client: FlaskClient, made: dict[str, Any]) -> None:
    """What a browser read it finds again with its points; another browser does not see it."""
    change = {"revision": made["revision"], "choices": {"private": "P"}}
    total = client.patch(f"/api/v1/readings/{made['id']}", json=change).get_json()["total"]
    (listed,) = client.get("/api/v1/readings").get_json()["readings"]
    assert (listed["id"], listed["total"], listed["links"]) == (made["id"], total, made["links"])
    assert app.test_client().get("/api/v1/readings").get_json() == {"readings": []}


def test_own_choices_on_a_window_that_has_changed_are_refused(host: Device) -> None:
    """With the revision of the window, a private objective is not written over one chosen meanwhile."""
    seen = host.client.get("/api/v1/readings/" + host.own()["reading"]).get_json()["revision"]
    assert host.player(private="R", window_revision=seen).status_code == 200
    assert host.player(private="B", window_revision=seen).status_code == 409
    assert host.player(private="B").status_code == 200


# --- Samples ---------------------------------------------------------------------------------------


def test_a_sample_photo_is_read_as_one_that_was_sent(client: FlaskClient) -> None:
    """Each listed sample has a picture, and reading one makes a reading that this browser remembers."""
    samples = client.get("/api/v1/samples").get_json()["samples"]
    assert len(samples) > 1
    links = samples[0]["links"]
    assert client.get(links["picture"]).mimetype == "image/jpeg"
    answer = client.post(links["self"])
    assert answer.status_code == 201
    assert answer.headers["Location"] == answer.get_json()["links"]["self"]
    assert [one["id"] for one in client.get("/api/v1/readings").get_json()["readings"]] == [
        answer.get_json()["id"]
    ]


# --- The address for phones ------------------------------------------------------------------------


def listening(app: Flask) -> None:
    """Let the application listen on a computer with two addresses."""
    found = [LocalAddress(ip, "eth") for text in ("192.168.1.5", "10.0.0.7") if (ip := plain_ip(text))]
    reach = Reach(find=lambda: tuple(found), ask=lambda _: reach.token)
    reach.listen("0.0.0.0", 8000)
    app.extensions[addresses.KEY] = reach


def test_the_address_for_phones_is_chosen_at_this_computer(app: Flask, client: FlaskClient) -> None:
    """Whoever sits here sees all addresses and takes another; the code then holds that one."""
    listening(app)
    told = client.get("/api/v1/address?path=/history").get_json()
    assert told["url"] == "http://192.168.1.5:8000/history"
    assert told["qr"].startswith("<svg")
    assert told["others"] == ["http://192.168.1.5:8000", "http://10.0.0.7:8000"]
    chosen = client.put("/api/v1/address", json={"address": "http://10.0.0.7:8000"}).get_json()
    assert chosen["url"] == "http://10.0.0.7:8000"
    assert chosen["qr"] != told["qr"]


def test_from_elsewhere_the_address_is_told_and_not_chosen(app: Flask, client: FlaskClient) -> None:
    """A phone may show the code, as the page of a table does, but only the host decides what it holds."""
    listening(app)
    told = client.get("/api/v1/address", environ_base=ELSEWHERE).get_json()
    assert (told["url"], told["others"]) == ("http://192.168.1.5:8000", [])
    change = {"address": "http://10.0.0.7:8000"}
    refused = client.put("/api/v1/address", json=change, environ_base=ELSEWHERE)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (403, "host_only")
    gone = client.put("/api/v1/address", json={"address": "http://10.0.0.9:8000"})
    assert (gone.status_code, gone.get_json()["error"]["code"]) == (400, "address_gone")


def test_without_an_address_for_phones_there_is_no_code(client: FlaskClient) -> None:
    """Where phones cannot reach the server, null stands in place of address and code, never localhost."""
    assert client.get("/api/v1/address").get_json() == {
        "url": None,
        "qr": None,
        "others": [],
        "secure_port": None,
        "fingerprint": None,
    }


@pytest.mark.parametrize("path", ["http://else.where", "//else.where", "history", "/a?b"])
def test_the_address_leads_only_to_pages_of_ours(client: FlaskClient, path: str) -> None:
    """A path that is none of this server's is refused."""
    assert client.get("/api/v1/address", query_string={"path": path}).status_code == 400
