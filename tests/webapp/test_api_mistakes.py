"""What is wrong with a change of a reading or a game is named, in the language of the visitor."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.words import LANGUAGES
from tests.webapp.conftest import RULEBOOK
from tests.webapp.games.conftest import Device


def told(answer: Any) -> str:  # noqa: ANN401
    """Return what a refusal says, and the place that it names for programs."""
    error = answer.get_json()["error"]
    assert answer.status_code == 400
    assert error.get("data", {}).get("where") or error["code"] in {"unknown_window", "not_as_listed"}
    return f"{error['message']} {error['next_step']}"


def in_each_language(client: FlaskClient, method: str, address: str, body: dict[str, Any]) -> dict[str, str]:
    """Return what a refusal says in each language."""
    return {
        language: told(client.open(address, method=method, json=body, headers={"Accept-Language": language}))
        for language in LANGUAGES
    }


def hold(said: dict[str, str], named: str) -> None:
    """Hold that all languages name the same things, each in its own words."""
    assert len(set(said.values())) == len(LANGUAGES)
    for text in said.values():
        assert all(one in text for one in named.split()), text


@pytest.mark.parametrize(
    ("choices", "named"),
    [
        ({"public": ["Xyzzy"]}, "Xyzzy"),
        ({"public": ["Light Shades", "Lihgt Shades"]}, "Lihgt"),
        ({"public": "x"}, '"choices.public"'),
        ({"public": [7]}, '"choices.public[0]"'),
        ({"public": ["light shades"]}, "light"),
        ({"window": "Nope"}, "Nope"),
        ({"window": "Fractal Dops"}, "Dops Drops"),
        ({"window": 7}, '"choices.window"'),
        ({"private": "mauve"}, "mauve"),
        ({"private": "red"}, "red"),
        ({"private": 7}, '"choices.private"'),
        ({"favor_tokens": "a"}, 'favor_tokens" 0 6'),
        ({"favor_tokens": 7}, 'favor_tokens" 0 6'),
        ({"favor_tokens": None}, 'favor_tokens" 0 6'),
    ],
)
def test_a_choice_that_does_not_exist_is_named(
    client: FlaskClient, choices: dict[str, Any], named: str
) -> None:
    """A reading refuses a card, color or number that no game has with the name of it, or of its key."""
    made = client.post("/api/v1/readings", json={"board": RULEBOOK}).get_json()
    address = f"/api/v1/readings/{made['id']}"
    hold(in_each_language(client, "PATCH", address, {"revision": 1, "choices": choices}), named)


def test_a_die_that_is_no_text_is_named(client: FlaskClient) -> None:
    """What stands in the place of a die is told, also when it is no text."""
    made = client.post("/api/v1/readings", json={"board": RULEBOOK}).get_json()
    address = f"/api/v1/readings/{made['id']}"
    hold(in_each_language(client, "PATCH", address, {"revision": 1, "cells": {"A1": 57}}), "cells.A1")


def test_a_window_is_named_as_the_interface_lists_it(client: FlaskClient) -> None:
    """A card's name in another language is refused with the name that was sent."""
    made = client.post("/api/v1/readings", json={"board": RULEBOOK}).get_json()
    address = f"/api/v1/readings/{made['id']}"
    body = {"revision": 1, "choices": {"window": "attrape-soleil"}}
    hold(in_each_language(client, "PATCH", address, body), "attrape-soleil")


@pytest.mark.parametrize(
    ("method", "path", "body", "named"),
    [
        ("POST", "", {"name": 5}, '"name"'),
        ("POST", "", {"solo": "yes"}, '"solo"'),
        ("POST", "/CODE/players", {}, '"name"'),
        ("PATCH", "/CODE", {"revision": 1, "public": ["Xyzzy"]}, "Xyzzy"),
        ("PATCH", "/CODE", {"revision": 1, "public": "x"}, '"public"'),
        ("PATCH", "/CODE", {"revision": 1, "tools": ["Lathekinn"]}, "Lathekinn"),
        ("PATCH", "/CODE/players/1", {"private": "mauve"}, "mauve"),
        ("PATCH", "/CODE/players/1", {"favor_tokens": 9}, '"favor_tokens"'),
        ("PATCH", "/CODE/players/1", {"ready": 1}, '"ready"'),
        ("POST", "/CODE/players/1/uses", {"tool": "Hammer"}, "Hammer"),
    ],
)
def test_what_is_wrong_at_a_table_is_named(
    app: Flask, method: str, path: str, body: dict[str, Any], named: str
) -> None:
    """A game refuses names, cards and colors that do not exist with the name of them, or of their key."""
    host = Device(app.test_client())
    host.start()
    address = "/api/v1/games" + path.replace("CODE", host.code)
    hold(in_each_language(host.client, method, address, body), named)


def test_a_solo_game_names_the_color_that_does_not_exist(app: Flask) -> None:
    """The second private objective of a solo game is told when no color is called so."""
    host = Device(app.test_client())
    code = host.client.post("/api/v1/games", json={"name": "Ann", "solo": True}).get_json()["code"]
    body = {"revision": 1, "second_private": "mauve"}
    hold(in_each_language(host.client, "PATCH", f"/api/v1/games/{code}", body), "mauve")
