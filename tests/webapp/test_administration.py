"""What one device may add and change, and what only the administrator may do."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from io import BytesIO
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from tests.profiles import profile_of
from tests.webapp.conftest import SayingReader, as_administrator, plain_photo, read_table, upload
from tests.webapp.games.conftest import Device
from tests.webapp.test_serve import free_port
from webapp import create_app
from webapp.domain.games.codes import hashed
from webapp.domain.quotas import A_DAY, BEHIND_A_PROXY, DAY_S, MOST_WRONG, Kind, Quotas
from webapp.http.session import SEATS
from webapp.server.listener import listeners
from webapp.server.serving import PageServer, Running
from webapp.services import administration, context, players
from webapp.storage.administration import PIN_FILE as FILE_NAME
from webapp.storage.administration import SETTINGS_FILE, Administrator
from webapp.storage.database import ReadingRow, TablePhotoRow

EMPTY = " / ".join(["....."] * 4)
WINDOW = {"name": "Ours", "pattern": EMPTY, "difficulty": 4}
OTHER = "192.168.1.78"


def phone(app: Flask, address: str = "192.168.1.77") -> FlaskClient:
    """Return a browser on another device of the network."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def pin_of(app: Flask) -> str:
    """Return what `sagrada serve` prints."""
    return Administrator(app.config["SAGRADA_DATA"] / FILE_NAME).pin()


def code_of(answer: object) -> tuple[int, str]:
    """Return status and code of a refusal."""
    return answer.status_code, answer.get_json()["error"]["code"]  # type: ignore[attr-defined]


# --- How much --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "address", "body"),
    [
        (Kind.WINDOW_READ, "/by-hand", {}),
        (Kind.GAME, "/games", {}),
        (Kind.WINDOW, "/windows/new", WINDOW),
    ],
)
def test_a_device_adds_so_much_in_a_day(
    app: Flask, monkeypatch: pytest.MonkeyPatch, kind: Kind, address: str, body: dict[str, object]
) -> None:
    """Beyond that it is told when to come again; other devices go on, and the administrator."""
    monkeypatch.setattr("webapp.domain.quotas.A_DAY", {**A_DAY, kind: 2})
    one = phone(app)
    for number in range(2):
        assert one.post(address, json={**body, **named(body, number)}).status_code == 201
    refused = one.post(address, json={**body, **named(body, 3)})
    assert code_of(refused) == (429, "too_many_today")
    assert 0 < int(refused.headers["Retry-After"]) <= 24 * 3600
    assert phone(app, OTHER).post(address, json={**body, **named(body, 4)}).status_code == 201
    as_administrator(one)
    for number in range(5, 9):
        assert one.post(address, json={**body, **named(body, number)}).status_code == 201


def test_a_home_with_ipv6_adds_what_many_devices_do(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its devices cannot be told apart, as each changes its address: together they have room for twenty."""
    monkeypatch.setattr("webapp.domain.quotas.A_DAY", {**A_DAY, Kind.GAME: 1})
    for number in range(BEHIND_A_PROXY + 1):
        answer = phone(app, f"2001:db8::{number + 1}").post("/games", json={})
        assert answer.status_code == (429 if number == BEHIND_A_PROXY else 201)


def named(body: dict[str, object], number: int) -> dict[str, object]:
    """Return another name for each window."""
    return {"name": f"Window {number}"} if "pattern" in body else {}


def test_what_was_added_a_day_ago_counts_no_more() -> None:
    """The bound is one of the last 24 hours, and says how long to wait."""
    now = [0.0]
    quotas = Quotas(lambda: now[0])
    most = A_DAY[Kind.GAME]
    assert [quotas.add("a", Kind.GAME) for _ in range(most)] == [0.0] * most
    now[0] = 60.0
    assert quotas.add("a", Kind.GAME) == DAY_S - 60
    assert quotas.add("b", Kind.GAME) == quotas.add("a", Kind.WINDOW) == 0.0
    now[0] = DAY_S
    assert quotas.add("a", Kind.GAME) == 0.0


def test_there_is_room_for_so_many_windows(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more is refused, by hand and from a file, and those that are there stay."""
    monkeypatch.setattr("webapp.services.own_cards.MOST_WINDOWS", 2)
    client = app.test_client()
    for number in range(2):
        assert client.post("/windows/new", json={**WINDOW, **named(WINDOW, number)}).status_code == 201
    assert code_of(client.post("/windows/new", json=WINDOW)) == (400, "no_room_for_windows")
    assert client.post("/windows/import", data=window_file()).status_code == 400
    assert sum(one["custom"] for one in client.get("/windows.json").get_json()["windows"]) == 2


def test_names_of_too_many_players_are_not_remembered(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sits down plays, but a device fills the list of names only so far."""
    monkeypatch.setattr("webapp.domain.quotas.A_DAY", {**A_DAY, Kind.PLAYER: 1})
    one = phone(app)
    for name in ("Ann", "Ben"):
        assert one.post("/games", json={"name": name}).status_code == 201
    with app.test_request_context():
        assert [player.name for player in players.known().values()] == ["Ann"]


# --- Who may change what all use -------------------------------------------------------------------


def test_who_added_a_window_changes_it(app: Flask) -> None:
    """The device that added it may, the administrator may, another device may not, and is told how."""
    one, other = phone(app), phone(app, OTHER)
    assert one.post("/windows/new", json=WINDOW).status_code == 201
    change = {**WINDOW, "difficulty": 5}
    gone = {"delete": True, "sure": True}
    assert code_of(other.post("/windows/own/Ours", json=change)) == (403, "others_added_it")
    assert code_of(other.post("/windows/own/Ours", json=gone)) == (403, "others_added_it")
    assert other.post("/windows/import", data={**window_file(), "replace": "yes"}).status_code == 403
    assert one.post("/windows/own/Ours", json={**change, "name": "Mine"}).status_code == 200
    assert (
        as_administrator(other).post("/windows/own/Mine", json={**change, "name": "Mine"}).status_code == 200
    )
    assert one.post("/windows/own/Mine", json=gone).status_code == 200


def window_file() -> dict[str, Any]:
    """Return the form that sends a file with the window called Ours."""
    file = {"format": "sagrada-windows", "schema": 1, "windows": [{"name": "Ours", "cells": EMPTY}]}
    return {"file": (BytesIO(json.dumps(file).encode()), "a.json")}


def test_dice_belong_to_who_taught_them(app: Flask) -> None:
    """Nobody else deletes them; all of them are deleted by the administrator alone."""
    one, other = phone(app), phone(app, OTHER)
    file = {"file": (BytesIO(str(profile_of()).encode()), "a.json")}
    assert one.post("/dice/import", data=file).status_code == 303
    with app.app_context():
        (kept,) = context.profile_store().all()
    for form in ({"do": "delete", "sure": "yes"}, {"name": "Mine"}):
        assert other.post(f"/dice/of/{kept.key}", data=form).status_code == 403
    assert one.post("/dice/forget", data={"sure": "yes", "profiles": "yes"}).status_code == 403
    assert one.post(f"/dice/of/{kept.key}", data={"do": "delete", "sure": "yes"}).status_code == 303


# --- The administrator -----------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.77"])
def test_a_device_becomes_the_administrators_with_the_pin(app: Flask, address: str) -> None:
    """Wherever it is: no page shows the PIN, and a new one ends what the old one allowed."""
    one, pin = phone(app, address), pin_of(app)
    assert code_of(one.get("/administration.json")) == (403, "administrator_only")
    assert code_of(one.post("/administration/pin", json={"pin": "1"})) == (400, "wrong_pin")
    answer = one.post("/administration/pin", json={"pin": f" {pin[:4]} {pin[4:]}"})
    assert answer.status_code == 204
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Strict" in answer.headers["Set-Cookie"]
    for page in ("/administration.json", "/administration"):
        text = one.get(page).get_data(as_text=True)
        assert pin not in text
        assert f"{pin[:4]} {pin[4:]}" not in text
    assert Administrator(app.config["SAGRADA_DATA"] / FILE_NAME).renew() != pin
    assert one.get("/administration.json").status_code == 403
    assert code_of(one.post("/administration/pin", json={"pin": pin})) == (400, "wrong_pin")


def test_this_computer_needs_no_pin_where_somebody_says_so(app: Flask) -> None:
    """Then its addresses are the administrator's, unless a header tells that a program passed it on."""
    made = create_app({**app.config, "SAGRADA_ADMIN_FROM_HERE": True}, reader=SayingReader())
    page = made.test_client().get("/administration").get_data(as_text=True)
    assert "All games" in page
    assert "Stop being administrator" not in page
    assert phone(made).get("/administration.json").status_code == 403
    passed_on = {"X-Forwarded-For": "192.168.1.77"}
    assert made.test_client().get("/administration.json", headers=passed_on).status_code == 403


def test_a_device_leaves(app: Flask) -> None:
    """Its cookie is of no use afterwards, also to who copied it."""
    one = as_administrator(phone(app))
    cookie = one.get_cookie("administrator")
    assert cookie is not None
    one.post("/administration/leave")
    thief = phone(app)
    thief.set_cookie("administrator", cookie.value)
    for client in (one, thief):
        assert client.get("/administration.json").status_code == 403


def test_guessing_the_pin_ends_soon_and_locks_out_nobody_else(app: Flask) -> None:
    """Who guessed too often waits, even with the right one; others do not."""
    guesser = phone(app)
    for _ in range(MOST_WRONG):
        guesser.post("/administration/pin", json={"pin": "0"})
    pin = {"pin": pin_of(app)}
    refused = guesser.post("/administration/pin", json=pin)
    assert code_of(refused) == (429, "too_many_pins")
    assert "Retry-After" in refused.headers
    assert phone(app, OTHER).post("/administration/pin", json=pin).status_code == 204


def test_a_token_ends_after_a_year(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A device that typed the PIN long ago types it again."""
    kept = Administrator(tmp_path_factory.mktemp("data") / FILE_NAME)
    token = kept.let_in(kept.pin())
    assert token is not None
    assert kept.knows(token)
    ended = (datetime.now(UTC) - timedelta(seconds=1)).timestamp()
    text = kept._path.read_text("utf-8")
    (until,) = kept._read().devices.values()  # type: ignore[union-attr]
    kept._path.write_text(text.replace(str(until), str(ended)), "utf-8")
    assert hashed(token) in text
    assert not kept.knows(token)


def test_a_damaged_file_gives_a_new_pin(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whoever starts the program is never locked out."""
    kept = Administrator(tmp_path_factory.mktemp("data") / FILE_NAME)
    kept._path.write_text("{", "utf-8")
    assert len(kept.pin()) == 8
    assert kept.pin() == kept.pin()


def test_nobody_else_is_the_administrator(app: Flask) -> None:
    """Others neither list games, take one over nor say how long photos stay."""
    one = phone(app)
    assert one.get("/administration.json").status_code == 403
    assert one.post("/administration/games/CDFGHJ").status_code == 403
    for told in ({"data": {"days": "7"}}, {"json": {"days": 7}}):
        assert one.post("/administration/keep", **told).status_code == 403


def pass_on(source: socket.socket, target: socket.socket) -> None:
    """Send whatever comes, until nothing more comes."""
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@pytest.fixture
def forwarded(app: Flask) -> Iterator[int]:
    """Serve the page behind a forwarder such as ``ssh -L``, and return the port of the forwarder."""
    port = int(free_port())

    class Forwarder(BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", port)) as page:
                back = threading.Thread(target=pass_on, args=(page, self.request))
                back.start()
                pass_on(self.request, page)
                back.join()

    server = Running(PageServer(app, listeners("127.0.0.1", port)))
    with ThreadingTCPServer(("127.0.0.1", 0), Forwarder) as front:
        threading.Thread(target=front.serve_forever).start()
        yield front.server_address[1]
        front.shutdown()
    server.stop()


def test_behind_a_forwarder_nobody_is_the_administrator_without_the_pin(
    app: Flask, forwarded: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All guests have an address of this computer then: it gives no right, and room for many devices."""
    monkeypatch.setattr("webapp.domain.quotas.A_DAY", {**A_DAY, Kind.WINDOW_READ: 1})

    def ask(method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        line = HTTPConnection("127.0.0.1", forwarded, timeout=60)
        told = {"Accept": "application/json", "Content-Type": "application/json", **headers}
        line.request(method, path, None if body is None else json.dumps(body), told)
        with closing(line), line.getresponse() as answer:
            return answer.status, answer.headers.get("Set-Cookie", "")

    assert ask("GET", "/administration")[0] == 403
    assert ask("POST", "/administration/keep", {"days": 7})[0] == 403
    assert ask("POST", "/windows/sets", {"set": []})[0] == 403
    for number in range(BEHIND_A_PROXY + 1):
        assert ask("POST", "/by-hand", {})[0] == (429 if number == BEHIND_A_PROXY else 201)
    status, cookie = ask("POST", "/administration/pin", {"pin": pin_of(app)})
    assert (status, ask("GET", "/administration", Cookie=cookie)[0]) == (204, 200)
    assert ask("POST", "/by-hand", {}, Cookie=cookie)[0] == 201


# --- All games -------------------------------------------------------------------------------------


def test_a_forgotten_game_comes_back(app: Flask) -> None:
    """The administrator becomes host of a game that its host's browser forgot, or deletes it outright."""
    host = phone(app)
    code = host.post("/games", json={"name": "Ann"}).get_json()["code"]
    host.delete_cookie(SEATS)
    assert host.post(f"/g/{code}/delete").status_code == 403
    here = as_administrator(app.test_client())
    assert "Ann" in here.get("/administration").get_data(as_text=True)
    assert here.post(f"/administration/games/{code}", data={"do": "host"}).status_code == 303
    assert here.post(f"/g/{code}/delete").status_code == 303
    code = host.post("/games", json={"name": "Ann"}).get_json()["code"]
    for status in (303, 404):
        assert here.post(f"/administration/games/{code}", data={"do": "delete"}).status_code == status
        assert code not in here.get("/administration").get_data(as_text=True)


def test_games_are_listed_page_by_page(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, a page lists so many, with the way to older ones."""
    monkeypatch.setattr("webapp.storage.games.GAMES_A_PAGE", 2)
    here = as_administrator(app.test_client())
    for _ in range(5):
        here.post("/games", json={})
    assert here.get("/administration?page=3").get_data(as_text=True).count('value="host"') == 1
    page = here.get("/administration?page=2").get_data(as_text=True)
    assert 'rel="prev"' in page
    assert 'rel="next"' in page


# --- How long things stay --------------------------------------------------------------------------


def made_long_ago(app: Flask, days: int) -> None:
    """Let all that is kept be as old as that."""
    then = datetime.now(UTC) - timedelta(days=days)
    with app.app_context(), context.kept().database.begin() as session:
        for row in (ReadingRow, TablePhotoRow):
            session.execute(update(row).values(created=then))


def test_what_belongs_to_no_game_goes_after_a_time(app: Flask) -> None:
    """Windows and photos of tables go with their files; those of a game stay, and newer ones."""
    here, host = as_administrator(app.test_client()), Device(app.test_client())
    old, table = upload(here, plain_photo())["id"], read_table(here, "score")["id"]
    host.start()
    host.photo()
    seat = host.own()["reading"]
    made_long_ago(app, 31)
    new = upload(here, plain_photo())["id"]
    assert here.post("/administration/keep", json={"days": 30}).status_code == 204
    for one, stays in ((old, False), (seat, True), (new, True)):
        assert (here.get(f"/w/{one}").status_code == 200) is stays
        assert (app.config["SAGRADA_DATA"] / "readings" / one).is_dir() is stays
    assert here.get(f"/t/{table}.json").status_code == 404


def test_nothing_goes_where_nobody_said_so(app: Flask) -> None:
    """The administrator decides; a file of the settings that is damaged deletes nothing."""
    here = app.test_client()
    old = upload(here, plain_photo())["id"]
    made_long_ago(app, 4000)
    (app.config["SAGRADA_DATA"] / SETTINGS_FILE).write_text('{"keep_days": 1}', "utf-8")
    with app.app_context():
        administration.remove_old()
    assert here.get(f"/w/{old}.json").status_code == 200


def test_the_page_says_when_a_window_goes(app: Flask) -> None:
    """Whoever looks at a window or a photo of a table knows how long it stays."""
    here = as_administrator(app.test_client())
    window, table = upload(here, plain_photo())["id"], read_table(here, "score")["id"]
    for address in (f"/w/{window}", f"/t/{table}"):
        assert "It is deleted on" not in here.get(address).get_data(as_text=True)
    assert here.post("/administration/keep", data={"days": "90"}).status_code == 303
    for address in (f"/w/{window}", f"/t/{table}"):
        assert "It is deleted on" in here.get(address).get_data(as_text=True)
    assert here.post("/administration/keep", data={"days": "5"}).status_code == 400
    assert here.post("/administration/keep", data={"days": ""}).status_code == 303
    assert here.get("/administration.json").get_json()["keep_days"] is None


def test_of_too_many_readings_the_oldest_go(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a bound on what is kept in all: what belongs to a game stays."""
    monkeypatch.setattr("webapp.services.administration.MOST_READINGS", 1)
    here, host = app.test_client(), Device(app.test_client())
    host.start()
    host.photo()
    seat, old = host.own()["reading"], upload(here, plain_photo())["id"]
    made_long_ago(app, 1)
    new = upload(here, plain_photo())["id"]
    with app.app_context():
        administration.remove_old()
        administration.remove_old()
    for one, status in ((seat, 200), (old, 404), (new, 200)):
        assert here.get(f"/w/{one}.json").status_code == status
