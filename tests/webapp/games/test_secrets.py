from __future__ import annotations

import logging
import random
import re
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.readings import reading_of
from tests.webapp.conftest import RULEBOOK, SayingReader, SayingTable, as_administrator, read_table
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.tables import ids
from webapp import create_app

GUESTS = "R1 B2 R3 B4 R5 / G2 Y3 G4 Y5 G6 / R3 B4 R5 B6 R1 / G4 Y5 G6 Y1 G2"
OTHER = "Y5 R6 R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
SECRETS = [("P", 0, RULEBOOK), ("R", 3, OTHER)]


LISTS = {"/", "/history"}
"""What names games or windows without being asked for one of them."""


def seen_by_others(folder: Path, private: str, favor: int, board: str) -> tuple[list[str], list[str]]:
    """Play until everybody is ready, and return every answer to others and what stays secret.

    Codes, moments and what belongs to those who ask are taken out, so that two evenings can be compared.
    """
    reader = SayingReader()
    app = create_app({"TESTING": True, "SAGRADA_DATA": folder}, reader=reader, table_reader=SayingTable())
    host, guest, stranger = (Device(app.test_client()) for _ in range(3))
    for number, phone in enumerate((host, guest, stranger), start=20):
        phone.client.environ_base["REMOTE_ADDR"] = f"192.168.1.{number}"
    administrator = Device(as_administrator(app.test_client()))
    host.start()
    host.client.post(f"{host.address}/players/deal", json={})
    dealt = host.own()["dealt"]
    guest.join(host.code, "Ben")
    host.client.post(f"{host.address}/round", json={"move": "start"})
    stranger.code = administrator.code = host.code
    host.cards(public=THREE, tools=["Lathekin"])
    secret = [host.own()["reading"]]
    answers: list[str] = []
    table = read_table(host.client, "seats", host.code)
    assert (
        host.client.post(f"{table['links']['self']}/seats", json={"seats": {"1": 1, "2": 2}}).status_code
        == 200
    )
    secret.append(host.own()["reading"])

    def look() -> None:
        for who in (guest, stranger):
            own = [one["reading"] for one in who.state()["players"] if one["own"]]
            answers.extend(plain(text, host.code, own) for text in everything(app, who))
        answers.extend(plain(text, host.code, []) for text in everything(app, administrator, {"GET"}))
        for who in (host, guest, stranger, administrator):  # also who came to know the id of the host's photo
            for address in (table["links"]["self"], f"/t/{table['id']}?look=1"):
                text = who.client.get(address).get_data(as_text=True)
                answers.append(plain(text, host.code, [table["id"], *ids(table)]))

    assert host.player(window=dealt[0]).status_code == 200
    reader.answer = reading_of(board, doubtful=["A4"], window="Fractal Drops")
    assert host.photo().status_code == 201
    look()
    host.player(private=private, favor_tokens=favor)
    host.put(board)
    host.player(ready=True)
    guest.put(GUESTS)
    guest.player(private="Y", favor_tokens=1, ready=True)
    look()
    page = host.client.get(f"/w/{host.own()['reading']}").get_data(as_text=True)
    assert 'data-total="' in page
    return answers, [*secret, host.own()["reading"]]


def everything(app: Flask, who: Device, methods: AbstractSet[str] = frozenset({"GET", "POST"})) -> list[str]:
    """Return every answer that the pages and the interface give about a game, also the refusals."""
    answers = []
    for rule in app.url_map.iter_rules():
        lists = rule.rule in LISTS and "GET" in (rule.methods or set())
        if "code" not in rule.arguments and not lists:
            continue
        if rule.arguments - {"code", "number"}:
            continue
        for method in sorted((rule.methods or set()) & methods):
            if method != "GET" and rule.endpoint.endswith(("join", ".start")):
                continue  # a new player changes the table; test_joining looks at that
            # Seat 1 is the host's: what others may not do there is refused.
            address = rule.rule.replace("<code>", who.code).replace("<int:number>", "1")
            for accept in ("text/html", "application/json"):
                answer = who.client.open(
                    address,
                    method=method,
                    json={} if accept == "application/json" else None,
                    headers={"Accept": accept},
                )
                answers.append(f"{method} {rule.rule} {answer.status_code} {answer.get_data(as_text=True)}")
    assert len(answers) > 15
    return answers


def plain(text: str, code: str, own: list[str]) -> str:
    """Return an answer without the code, the moments and the asker's own ids."""
    for place, one in enumerate(own):
        text = text.replace(one, f"OWN{place}")
    return re.sub(r"<time.*?</time>|\d{4}-\d\d-\d\dT[^\"]*", "TIME", text.replace(code, "CODE"))


@pytest.mark.thorough
def test_nobody_can_tell_from_any_answer_what_another_player_has(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever color, tokens and dice somebody has: every answer to others is the same, and no log tells."""
    evenings, lines = [], []
    for number, (private, favor, board) in enumerate(SECRETS):
        caplog.clear()
        with caplog.at_level(logging.DEBUG):
            answers, secret = seen_by_others(tmp_path / str(number), private, favor, board)
        logged = [record.getMessage() for record in caplog.records]
        assert not [one for one in (*answers, *logged) if any(id_ in one for id_ in secret)]
        evenings.append(answers)
        lines.append([line for line in logged if board in line])
    assert evenings[0] == evenings[1]
    assert lines == [[], []]


def test_the_host_cannot_tell_what_was_dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever windows and private objectives two players get: the host's device sees the same."""
    evenings, dealt = [], []
    for seed in range(3):
        app = create_app({"TESTING": True, "SAGRADA_DATA": tmp_path / str(seed)}, reader=SayingReader())
        monkeypatch.setattr("webapp.services.games.CHANCE", random.Random(seed))
        host, players = Device(app.test_client()), [Device(app.test_client()) for _ in range(2)]
        host.start("")
        for who, name in zip(players, ("Ben", "Cleo"), strict=True):
            who.join(host.code, name)
        deal = {"what": "both"}
        answers = [host.client.post(f"{host.address}/players/deal", json=deal).get_data(as_text=True)]
        for who in players:
            dealt.append(who.own()["dealt"])
            assert who.player(window=dealt[-1][seed]).status_code == 200
        for again in ({}, {"again": True}):
            answers.extend(
                host.client.get(address).get_data(as_text=True)
                for address in (f"/g/{host.code}", host.address + ".json", "/", "/.json")
            )
            answer = host.client.post(f"{host.address}/players/deal", json={**deal, **again})
            answers.append(answer.get_data(as_text=True))
        evenings.append([plain(text, host.code, []) for text in answers])
    assert len({tuple(windows) for windows in dealt}) == 6
    assert evenings[0] == evenings[1] == evenings[2]


def test_after_the_reveal_everybody_sees_windows_but_may_not_change_them(
    host: Device, guest: Device, stranger: Device
) -> None:
    """The reveal opens boards, colors and totals, never the ids with which a window can be changed."""
    host.cards(public=THREE)
    host.put(RULEBOOK)
    host.player(private="P", favor_tokens=3)
    guest.player(private="Y")
    assert host.reveal(anyway=True).status_code == 200
    told = stranger.client.get(host.address + ".json").get_json()["result"]["standings"][0]
    assert (told["board"], told["private"], told["favor_tokens"]) == (RULEBOOK, "P", 3)
    for who in (guest, stranger):
        for address in (f"/g/{host.code}", f"/g/{host.code}/reveal", host.address + ".json"):
            answer = who.client.get(address, follow_redirects=True).get_data(as_text=True)
            assert host.own()["reading"] not in answer


def test_before_the_reveal_its_page_leads_to_the_table(host: Device, guest: Device) -> None:
    """The page of the reveal shows nothing before it; after going back to the table it is closed again."""
    assert guest.client.get(f"/g/{host.code}/reveal").location == f"/g/{host.code}"
    host.cards(public=THREE)
    host.reveal(anyway=True)
    assert guest.client.get(f"/g/{host.code}/reveal").status_code == 200
    assert host.client.post(f"{host.address}/reopen", json={}).status_code == 200
    assert guest.client.get(f"/g/{host.code}/reveal").location == f"/g/{host.code}"
    assert guest.state()["result"] is None


def test_an_error_in_the_log_does_not_name_the_window(
    tmp_path: Path, reader: SayingReader, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads the log after a crash on a window's page finds the kind of page, not the window's id."""
    app = create_app({"SAGRADA_DATA": tmp_path}, reader=reader)
    host = Device(app.test_client())
    host.start()
    host.photo()
    secret = host.own()["reading"]

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("webapp.views.readings.Judgement", broken)
    assert host.client.get(f"/w/{secret}").status_code == 500
    assert "/w/<record_id>" in caplog.text
    assert secret not in caplog.text


def test_the_last_windows_of_a_device_leave_out_those_of_a_game(host: Device, client: FlaskClient) -> None:
    """The start page of a shared device shows no points of a window that is still to be revealed."""
    host.photo()
    host.client.post(f"/w/{host.own()['reading']}/by-hand")
    page = host.client.get("/").get_data(as_text=True)
    assert host.own()["reading"] not in page
