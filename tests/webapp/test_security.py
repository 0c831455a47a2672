from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import create_environ, run_wsgi_app

from webapp import create_app


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Origin": "http://localhost"}, True),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Origin": "http://elsewhere.example"}, False),
        ({"Origin": "http://localhost:9999"}, False),
        ({"Origin": "null"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, False),
    ],
)
def test_only_our_own_page_may_write(client: FlaskClient, headers: dict[str, str], allowed: bool) -> None:
    """A write started by a page of another site is refused, whatever it is."""
    answer = client.post("/by-hand", headers=headers)
    assert answer.status_code == (303 if allowed else 403)
    told = client.post("/by-hand", json={}, headers=headers)
    assert allowed or told.get_json()["error"]["code"] == "foreign_request"


@pytest.mark.parametrize("place", ["/", "/nothing", "/static/base.css", "/nothing.json"])
def test_every_answer_carries_the_policy(client: FlaskClient, place: str) -> None:
    """Pages, files and errors all forbid what is not our own."""
    with client.get(place) as answer:
        headers = answer.headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_window_is_not_kept_by_caches_in_between(client: FlaskClient, made: dict[str, Any]) -> None:
    """Pages of a window are not stored, and its photo only in the visitor's own browser."""
    assert client.get(f"/w/{made['id']}").headers["Cache-Control"] == "no-store"
    assert "private" in client.get(f"/w/{made['id']}/photo.jpg").headers["Cache-Control"]


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True),
        ("page.localhost:8000", True),
        ("192.168.1.5:8000", True),
        ("203.0.113.9", True),
        ("[::1]:8000", True),
        ("[fd00::5]", True),
        ("LAPTOP:8000", True),
        ("laptop.local.:8000", True),
        ("laptop.lan", True),
        ("laptop.home.arpa", True),
        ("game.example.com.", False),
        ("192.168.1.5.example.com:8000", False),
        ("local.example.com", False),
        ("evil-local", True),
        ("evillocal.com", False),
        ("127.0.0.1.nip.io", False),
        ("[::1", False),
    ],
)
def test_only_local_names_are_answered(client: FlaskClient, host: str, known: bool) -> None:
    """A name that somebody outside can point at this computer is refused, and no other."""
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code == (200 if known else 421)


def test_a_foreign_name_is_told_with_what_to_do(client: FlaskClient) -> None:
    """The page that refuses a name has its styles and one piece of advice; writes are refused, too."""
    headers = {"Host": "game.example.com"}
    page = client.get("/", headers=headers).get_data(as_text=True)
    assert "--address" in page
    assert "<form" not in page
    with client.get("/static/base.css", headers=headers) as styles:
        assert styles.status_code == 200
    answer = client.get("/nothing.json", headers=headers)
    assert answer.get_json()["error"]["code"] == "foreign_name"
    own = {"Origin": "http://game.example.com", "Sec-Fetch-Site": "same-origin"}  # as after rebinding
    assert client.post("/by-hand", headers={**headers, **own}).status_code == 421


def test_a_caller_that_names_no_host_is_answered(app: Flask) -> None:
    """Every browser names the host it opened; a simple program that does not is no page of another site."""
    environment = create_environ("/")
    del environment["HTTP_HOST"]
    _, status, _ = run_wsgi_app(app, environment)
    assert status == "200 OK"


def test_names_of_this_computer_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name in the given address, which somebody says, and the full one of this computer are let in."""
    app = create_app(
        {"TESTING": True, "SAGRADA_DATA": tmp_path, "SAGRADA_ADDRESS": "https://game.example.com"}
    )
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.office.example.com")
    client = app.test_client()
    assert client.get("/", headers={"Host": "game.example.com"}).status_code == 200
    assert client.get("/", headers={"Host": "laptop.office.example.com:8000"}).status_code == 200
    assert client.get("/", headers={"Host": "other.example.com"}).status_code == 421
