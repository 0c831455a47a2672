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
    """The plain form makes a game with a code that cannot be guessed, and the host sits at the table."""
    client = app.test_client()
    answer = client.post("/games", data={"name": " Ann ", "solo": "no"})
    code = answer.location.rsplit("/", 1)[1]
    assert is_code(code)
    page = client.get(answer.location).get_data(as_text=True)
    assert code in page
    assert ">Ann</h2>" in page
    assert "Reveal all windows" in page


def test_a_laptop_may_only_show_the_table(app: Flask) -> None:
    """Without a name the host has no seat; the page still lets it choose cards and reveal."""
    client = app.test_client()
    page = client.post("/games", data={"name": ""}, follow_redirects=True).get_data(as_text=True)
    assert "Nobody has joined yet." in page
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


@pytest.mark.parametrize(("name", "said"), [("ANN ", "that name already"), ("a\x00b", "cannot be the name")])
def test_a_name_that_does_not_do_is_asked_for_again(app: Flask, host: Device, name: str, said: str) -> None:
    """The page comes back with the reason, so that the next try is one tap away."""
    answer = app.test_client().post(f"/g/{host.code}/join", data={"name": name})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 400
    assert said in page
    assert 'name="name"' in page


def test_a_name_clash_of_the_host_is_told_beside_the_field(host: Device) -> None:
    """The table comes back as the table: its own address to follow and reload, and what was typed."""
    answer = host.client.post(f"/g/{host.code}/join", data={"name": "ANN"})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 400
    assert f'data-page="/g/{host.code}"' in page
    assert f'data-address="/g/{host.code}"' in page
    assert 'value="ANN" aria-invalid="true" aria-describedby="problem"' in page
    beside = page[page.index('for="add-name"') : page.index('id="add-name"')]
    assert "Somebody at this table has that name already." in beside
    assert page.count('id="problem"') == 1


@pytest.mark.parametrize("form", ["join", "seats/1/photo"])
def test_the_address_of_a_form_of_the_table_leads_to_it(host: Device, form: str) -> None:
    """Whoever loads such an address again, or sends it to somebody, lands at the table."""
    answer = host.client.get(f"/g/{host.code}/{form}")
    assert (answer.status_code, answer.location) == (303, f"/g/{host.code}")


def test_another_language_after_a_refused_form_stays_at_the_table(host: Device) -> None:
    """The links to the languages lead to what the form belongs to, not to the start page."""
    page = host.client.post(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert f'href="/g/{host.code}?lang=fr"' in page


def test_a_wrong_code_is_asked_for_again(app: Flask) -> None:
    """The page says what is wrong, has the field with what was typed, and nothing about photos."""
    page = app.test_client().post("/join", data={"code": "abc def"}).get_data(as_text=True)
    main = page[page.index("<main") : page.index("</main>")]
    assert "There is no game with this code" in main
    assert 'value="abc def"' in main
    assert "photo" not in main
    link = app.test_client().get("/g/QQQQQQ").get_data(as_text=True)
    assert 'value="QQQQQQ"' in link


def test_too_many_codes_says_when_it_goes_on(app: Flask) -> None:
    """The page says for how long to wait, in seconds, and keeps the field."""
    client = app.test_client()
    for _ in range(MOST_WRONG):
        client.post("/join", data={"code": "QQQQQQ"})
    page = client.post("/join", data={"code": "QQQQQQ"}).get_data(as_text=True)
    assert re.search(r"Wait \d+ seconds?, then type the code again\.", page)
    assert 'value="QQQQQQ"' in page


def test_the_wait_is_as_long_as_the_oldest_of_too_many_counts() -> None:
    """Who named a wrong code too often waits until the first of these is a minute old."""
    now = [0.0]
    attempts = Attempts(clock=lambda: now[0])
    for number in range(MOST_WRONG):
        now[0] = float(number)
        attempts.note("a")
    assert attempts.wait_s("a") == 60.0 - now[0]
    assert attempts.wait_s("b") == 0


def test_a_seventh_player_finds_no_seat(app: Flask, host: Device) -> None:
    """Six sit at a table; the seventh is told so."""
    for name in ("Ben", "Cleo", "Dan", "Eve", "Finn"):
        Device(app.test_client()).join(host.code, name)
    answer = app.test_client().post(f"{host.address}/join", json={"name": "Gil"})
    assert answer.get_json()["error"]["code"] == "game_full"
    assert "All seats of this game are taken." in app.test_client().get(f"/g/{host.code}").get_data(
        as_text=True
    )


def test_a_solo_table_has_one_seat(app: Flask, host: Device) -> None:
    """Nobody joins a game that is played alone."""
    alone = Device(app.test_client())
    alone.start("Ann", solo=True)
    answer = host.client.post(f"/g/{alone.code}/join", json={"name": "Ben"})
    assert answer.get_json()["error"]["code"] == "game_full"


def test_guessing_codes_is_slow(app: Flask, host: Device, guest: Device) -> None:
    """After ten wrong codes a device waits, also with a right one; who sits at the table goes on playing."""
    guesser = app.test_client()
    for _ in range(MOST_WRONG):
        assert guesser.get("/g/CCCCCC.json").status_code == 404
    for address in ("/g/CCCCCC.json", host.address + ".json", f"/g/{host.code}"):
        answer = guesser.get(address, headers={"Accept": "application/json"})
        assert answer.status_code == 429
    assert guesser.post("/join", data={"code": host.code}).status_code == 429
    assert guest.client.get(f"/g/{host.code}").status_code == 200


def test_wrong_codes_are_forgotten_after_a_minute() -> None:
    """The limit is per visitor and minute."""
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for _ in range(MOST_WRONG):
        attempts.note("a")
    assert attempts.are_too_many("a")
    assert not attempts.are_too_many("b")
    now[0] = 60.0
    assert not attempts.are_too_many("a")


def test_nobody_waits_for_what_others_guess() -> None:
    """However many devices guess, who named no wrong code comes in; those that did have fewer tries."""
    attempts = Attempts(lambda: 0.0)
    attempts.note("a")
    for number in range(MANY_WRONG_OF_ALL):
        attempts.note(f"{number % 500}")
    assert not attempts.are_too_many("new")
    assert not attempts.are_too_many("a")
    attempts.note("a")
    assert attempts.are_too_many("a")


def test_guessing_from_many_addresses_keeps_nobody_out(app: Flask, host: Device) -> None:
    """Thirty devices that used up their tries do not keep out a newcomer who has the right code."""
    for number in range(30):
        guesser = app.test_client()
        elsewhere = {"REMOTE_ADDR": f"192.168.1.{number}"}
        for _ in range(MOST_WRONG):
            guesser.get("/g/CCCCCC.json", environ_overrides=elsewhere)
        answer = guesser.get("/g/CCCCCC.json", environ_overrides=elsewhere)
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 60
    newcomer = app.test_client().get(
        host.address + ".json", environ_overrides={"REMOTE_ADDR": "192.168.1.77"}
    )
    assert newcomer.status_code == 200


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
    assert "<details open" not in page.replace('id="choose-objectives" open', "")
    assert [one["own"] for one in host.state()["players"]] == [True, True]


def test_a_restart_in_the_middle_loses_nothing(tmp_path: Path, reader: SayingReader, photo: bytes) -> None:
    """With the same folder a new process knows game, cards, photo and secret, and the cookies still fit."""
    settings = {"TESTING": True, "SAGRADA_DATA": tmp_path}
    ann = Device(create_app(settings, reader=reader).test_client())
    ann.start()
    ann.cards(public=THREE, tools=["Lathekin"])
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
    """A new photo replaces the reading, keeps private objective and tokens, and takes 'ready' back."""
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


def test_no_photo_changes_nothing(host: Device) -> None:
    """A file that is no photo leaves window and game as they were, and the table tells why."""
    host.photo()
    before = host.state()
    answer = host.client.post(f"/g/{host.code}/seats/1/photo", data={"photo": (BytesIO(b"no"), "b.jpg")})
    assert answer.status_code == 422
    assert "not a photo" in answer.get_data(as_text=True)
    assert host.state() == before


def test_the_start_page_leads_back_to_the_table(host: Device, stranger: Device) -> None:
    """A device finds its games again; others see none of them."""
    assert host.code in host.client.get("/").get_data(as_text=True)
    assert host.code not in stranger.client.get("/").get_data(as_text=True)
