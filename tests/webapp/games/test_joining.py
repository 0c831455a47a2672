from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.conftest import RULEBOOK, SayingReader
from tests.webapp.games.conftest import THREE, Device
from webapp import create_app
from webapp.domain.games.codes import is_code
from webapp.domain.quotas import MANY_WRONG_OF_ALL, MOST_WRONG, Attempts


def test_a_game_starts_with_its_host(app: Flask) -> None:
    """The plain form makes a game with a code, and the start page leads its host, and no other, back."""
    client = app.test_client()
    answer = client.post("/games", data={"name": " Ann ", "solo": "no"})
    code = answer.location.rsplit("/", 1)[1]
    assert is_code(code)
    page = client.get(answer.location).get_data(as_text=True)
    assert code in page
    assert ">Ann</h2>" in page
    assert "We are all here" in page
    assert code in client.get("/").get_data(as_text=True)
    assert code not in app.test_client().get("/").get_data(as_text=True)
    page = client.post("/games", data={"name": ""}, follow_redirects=True).get_data(as_text=True)
    assert "Nobody has joined yet." in page  # a laptop that only shows the table
    assert "Deal at random" in page


def test_joining_by_code_and_name(app: Flask, host: Device) -> None:
    """A code typed in small letters leads to the question for a name, and that to a seat."""
    client = app.test_client()
    asked = client.post("/join", data={"code": f"{host.code[:3].lower()} {host.code[3:]}"})
    assert asked.location == f"/g/{host.code}"
    assert "Your name" in client.get(asked.location).get_data(as_text=True)
    seated = client.post(f"{asked.location}/join", data={"name": "Ben"}, follow_redirects=True)
    assert ">Ben</h2>" in seated.get_data(as_text=True)
    assert [one["name"] for one in host.state()["players"]] == ["Ann", "Ben"]


def test_the_seat_is_kept_in_a_cookie_that_scripts_cannot_read(app: Flask, host: Device) -> None:
    """The token comes HttpOnly and SameSite, and the database holds only its SHA-256."""
    answer = app.test_client().post(f"/g/{host.code}/join", data={"name": "Ben"})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("seats=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    token = cookie.split("=")[1].split(";")[0]
    kept = b"".join(path.read_bytes() for path in Path(app.config["SAGRADA_DATA"]).glob("sagrada.db*"))
    assert token.encode() not in kept


@pytest.mark.parametrize("seated", [False, True])
@pytest.mark.parametrize(("name", "said"), [("ANN ", "taken already"), ("a\x00b", "cannot be the name")])
def test_a_name_that_does_not_do_is_asked_for_again(
    app: Flask, host: Device, name: str, said: str, *, seated: bool
) -> None:
    """The page, or the table of the host, comes back with the reason beside the field."""
    client = host.client if seated else app.test_client()
    answer = client.post(f"/g/{host.code}/join", data={"name": name})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 400
    assert said in page
    assert 'name="name"' in page
    assert (f'data-page="/g/{host.code}"' in page) is seated
    assert ('aria-invalid="true" aria-describedby="problem"' in page) is seated
    assert not seated or page.count('id="problem"') == 1


@pytest.mark.parametrize("form", ["join", "seats/1/photo"])
def test_the_address_of_a_form_of_the_table_leads_to_it(host: Device, form: str) -> None:
    """Whoever loads such an address again, or sends it to somebody, lands at the table."""
    answer = host.client.get(f"/g/{host.code}/{form}")
    assert (answer.status_code, answer.location) == (303, f"/g/{host.code}")
    refused = host.client.post(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert f'href="/g/{host.code}?lang=fr"' in refused  # another language leads there, too


def test_a_wrong_code_is_asked_for_again(app: Flask) -> None:
    """The page says what is wrong, has the field with what was typed, and nothing about photos."""
    page = app.test_client().post("/join", data={"code": "abc def"}).get_data(as_text=True)
    main = page[page.index("<main") : page.index("</main>")]
    assert "There is no game with this code" in main
    assert 'value="abc def"' in main
    assert "photo" not in main
    link = app.test_client().get("/g/QQQQQQ").get_data(as_text=True)
    assert 'value="QQQQQQ"' in link


def test_the_wait_is_as_long_as_the_oldest_of_too_many_counts() -> None:
    """Who named a wrong code too often, and nobody else, waits until the first of these is a minute old."""
    now = [0.0]
    attempts = Attempts(clock=lambda: now[0])
    for number in range(MOST_WRONG):
        now[0] = float(number)
        attempts.note("a")
    assert (attempts.wait_s("a"), attempts.wait_s("b")) == (60.0 - now[0], 0)
    now[0] = 60.0
    assert not attempts.wait_s("a")


def test_a_seventh_player_finds_no_seat(app: Flask, host: Device) -> None:
    """Six sit at a table; the seventh is told so."""
    for name in ("Ben", "Cleo", "Dan", "Eve", "Finn"):
        Device(app.test_client()).join(host.code, name)
    answer = app.test_client().post(f"{host.address}/join", json={"name": "Gil"})
    assert answer.get_json()["error"]["code"] == "game_full"
    assert "All seats of this game are taken." in app.test_client().get(f"/g/{host.code}").get_data(
        as_text=True
    )


def test_guessing_codes_is_slow(app: Flask, host: Device, guest: Device) -> None:
    """After ten wrong codes a device is told how long to wait; who sits at the table goes on playing."""
    guesser = app.test_client()
    for _ in range(MOST_WRONG):
        assert guesser.get("/g/CCCCCC.json").status_code == 404
    for address in ("/g/CCCCCC.json", host.address + ".json", f"/g/{host.code}"):
        answer = guesser.get(address, headers={"Accept": "application/json"})
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 60
    answer = guesser.post("/join", data={"code": host.code})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 429
    assert re.search(r"Wait \d+ seconds?, then try again\.", page)
    assert f'value="{host.code}"' in page
    assert guest.client.get(f"/g/{host.code}").status_code == 200


def test_nobody_waits_for_what_others_guess() -> None:
    """However many devices guess, who named no wrong code comes in; those that did have fewer tries."""
    attempts = Attempts(lambda: 0.0)
    attempts.note("a")
    for number in range(MANY_WRONG_OF_ALL):
        attempts.note(f"{number % 500}")
    assert not attempts.wait_s("new")
    assert not attempts.wait_s("a")
    attempts.note("a")
    assert attempts.wait_s("a")


def test_the_addresses_of_one_ipv6_home_count_together(app: Flask, host: Device) -> None:
    """A device takes another IPv6 address whenever it likes, which brings it no more tries."""
    for number in range(MOST_WRONG):
        app.test_client().get("/g/CCCCCC.json", environ_overrides={"REMOTE_ADDR": f"2001:db8:1:2::{number}"})
    there = {"REMOTE_ADDR": "2001:db8:1:2:ffff::1"}
    assert app.test_client().get(host.address + ".json", environ_overrides=there).status_code == 429
    there = {"REMOTE_ADDR": "2001:db8:1:3::1"}
    assert app.test_client().get(host.address + ".json", environ_overrides=there).status_code == 200


def test_only_the_host_sets_the_table(host: Device, guest: Device) -> None:
    """A player changes neither cards nor order, reveals nothing, removes nobody else and deletes no game."""
    for answer in (
        guest.cards(public=THREE),
        guest.reveal(anyway=True),
        guest.client.post(f"{guest.address}/order", json={"revision": 1, "seats": [1, 2], "known": True}),
        guest.client.post(f"{guest.address}/delete", json={}),
        guest.client.post(f"{guest.address}/seats/1/leave", json={}),
        guest.client.post(f"{guest.address}/seats/1", json={"favor_tokens": 6}),
        guest.client.post(f"/g/{guest.code}/delete"),
        guest.client.post(f"/g/{guest.code}/seats/1", data={"private": "R", "window_revision": 1}),
    ):
        assert answer.status_code == 403
    assert [one["name"] for one in host.state()["players"]] == ["Ann", "Ben"]


def test_one_device_is_passed_around(host: Device) -> None:
    """A host adds players without a phone; their parts stay closed until somebody opens one."""
    host.client.post(f"/g/{host.code}/join", data={"name": "Kid"})
    page = host.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert page.count('class="card seat seat-shared"') == 2
    assert re.findall(r'id="([^"]*)" open>', page) == ["step-who"]
    assert [one["own"] for one in host.state()["players"]] == [True, True]


def test_a_restart_in_the_middle_loses_nothing(tmp_path: Path, reader: SayingReader, photo: bytes) -> None:
    """With the same folder a new process knows game, cards, photo and secret, and the cookies still fit."""
    settings = {"TESTING": True, "SAGRADA_DATA": tmp_path}
    ann = Device(create_app(settings, reader=reader).test_client())
    ann.start()
    ann.cards(public=THREE, tools=["Lathekin"], house_rules=["Eglomise Brush ignores neighbors"])
    ann.photo()
    ann.player(private="P", favor_tokens=4)
    ann.client.post(f"{ann.address}/seats/1/tool", json={"tool": "Lathekin"})
    before = ann.state()
    page = ann.client.get(f"/w/{ann.own()['reading']}").get_data(as_text=True)
    cookie = ann.client.get_cookie("seats")
    assert cookie is not None
    again = create_app(settings, reader=reader).test_client()
    again.set_cookie("seats", cookie.value)
    later = Device(again, ann.code)
    assert later.state() == before
    assert later.client.get(f"/w/{later.own()['reading']}").get_data(as_text=True) == page
    assert later.player(favor_tokens=2).status_code == 200


def test_a_deleted_game_leaves_nothing_behind(app: Flask, host: Device, guest: Device) -> None:
    """Deleting a game removes its seats, their windows and their photos for good."""
    host.photo()
    guest.photo()
    readings = [host.own()["reading"], guest.own()["reading"]]
    folder = Path(app.config["SAGRADA_DATA"]) / "readings"
    assert len(list(folder.iterdir())) == 2
    assert host.client.post(f"{host.address}/delete", json={}).status_code == 204
    assert host.client.get(host.address + ".json").status_code == 404
    assert list(folder.iterdir()) == []
    assert all(guest.client.get(f"/w/{one}").status_code == 404 for one in readings)


def test_who_leaves_takes_window_and_photo_along(app: Flask, host: Device, guest: Device) -> None:
    """A player who leaves, or whom the host removes, is gone with everything."""
    guest.photo()
    reading = guest.own()["reading"]
    assert host.client.post(f"{host.address}/seats/2/leave", json={}).status_code == 200
    assert guest.client.get(f"/w/{reading}").status_code == 404
    assert list((Path(app.config["SAGRADA_DATA"]) / "readings").iterdir()) == []
    assert "Your name" in guest.client.get(f"/g/{host.code}").get_data(as_text=True)


def test_the_window_of_a_seat_is_not_deleted_on_its_own(host: Device) -> None:
    """The page of a window that belongs to a seat offers no deletion and refuses one."""
    assert host.client.post(f"/w/{host.own()['reading']}/delete").status_code == 400
    assert len(host.state()["players"]) == 1


def test_another_photo_takes_the_place_of_the_window(
    host: Device, reader: SayingReader, photo: bytes
) -> None:
    """It keeps private objective and tokens and takes 'ready' back; what is no photo changes nothing."""
    host.photo()
    host.player(private="P", favor_tokens=3, ready=True)
    old = host.own()["reading"]
    page = host.client.post(
        f"/g/{host.code}/seats/1/photo", data={"photo": (BytesIO(photo), "b.jpg")}, follow_redirects=True
    ).get_data(as_text=True)
    new = host.own()
    assert new["reading"] != old
    assert not new["ready"]
    state = host.client.get(f"/w/{new['reading']}.json").get_json()
    assert (state["choices"]["private"], state["choices"]["favor_tokens"]) == ("P", 3)
    assert state["board"] == RULEBOOK
    assert "Back to the table" in page
    assert host.client.get(f"/w/{old}").status_code == 404
    before = host.state()
    answer = host.client.post(f"/g/{host.code}/seats/1/photo", data={"photo": (BytesIO(b"no"), "b.jpg")})
    assert (answer.status_code, "not a photo" in answer.get_data(as_text=True)) == (422, True)
    assert host.state() == before
