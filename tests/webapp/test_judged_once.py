"""No request asks the judge twice about the same window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring import Board
from tests.webapp.conftest import RULEBOOK
from tests.webapp.ended_games import At, put_game
from webapp.domain import judging
from webapp.services import access, context


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count what the judge works out, and how often board notation is read."""
    counted: Counter[str] = Counter()

    def counting(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def count(*arguments: Any, **more: Any) -> Any:  # noqa: ANN401
            counted[name] += 1
            return work(*arguments, **more)

        return count

    for name in ("check_placement", "best_removals", "dead_cells"):
        monkeypatch.setattr(judging, name, counting(name, getattr(judging, name)))
    monkeypatch.setattr(Board, "parse", counting("parse", Board.parse))
    return counted


ONCE = {"check_placement": 1, "best_removals": 1}


def test_a_change_of_a_die_is_judged_once(
    client: FlaskClient, made: dict[str, Any], asked: Counter[str]
) -> None:
    """So is the page that is drawn anew after it, and the placement page with several dice in the pool."""
    change = {"revision": made["revision"], "cells": {"A1": "R3"}}
    assert client.post(f"/w/{made['id']}", json=change).status_code == 200
    assert {key: asked[key] for key in ONCE} == ONCE
    assert asked["parse"] <= 1  # the board as it was stored
    for address in ("", "/place?die=R2&die=B4&pick=R2&tool=Lathekin"):
        asked.clear()
        assert client.get(f"/w/{made['id']}{address}").status_code == 200
        assert {key: asked[key] for key in ONCE} == ONCE


@pytest.mark.parametrize("address", ["/g/{}/reveal", "/g/{}.json"], ids=["page", "JSON"])
def test_a_reveal_judges_each_window_once(
    app: Flask, client: FlaskClient, asked: Counter[str], address: str
) -> None:
    """It also reads each board from the database once."""
    with app.app_context():
        players = [At("Ann", RULEBOOK), At("Ben", RULEBOOK, "R")]
        game, _ = put_game(access.game_store(), context.store(), players)
    asked.clear()
    assert client.get(address.format(game.code)).status_code == 200
    assert asked["check_placement"] == asked["best_removals"] == asked["parse"] == 2
    assert asked["dead_cells"] <= 2
