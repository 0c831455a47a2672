"""What the browser remembers of a table."""

from __future__ import annotations

import pytest
from flask import Flask

from scoring import PublicObjective
from webapp.domain.record import Choices
from webapp.http import session
from webapp.services import context


def remembered(app: Flask, cookie: str) -> tuple[PublicObjective, ...]:
    """Return the public objectives that a browser with this cookie brings to a new window."""
    with app.test_request_context(headers={"Cookie": f"{session.TABLE}={cookie}"}):
        return context.visitor().public


def test_the_cards_of_the_table_come_back_by_their_names(app: Flask) -> None:
    """The cookie names the cards, so that a card that is added one day does not shift the others."""
    public = tuple(map(PublicObjective, ("Color Diagonals", "Light Shades", "Row Color Variety")))
    with app.test_request_context():
        response = session.remember_table(app.make_response(""), Choices(public=public))
    cookie = response.headers["Set-Cookie"].partition(";")[0]
    assert cookie == f"{session.TABLE}=color_diagonals.light_shades.row_color_variety"
    assert remembered(app, cookie.partition("=")[2]) == public


@pytest.mark.parametrize("cookie", ["", "0.4.8", "stars.light_shadez", "..", "Light%20Shades"])
def test_old_and_unknown_keys_are_ignored(app: Flask, cookie: str) -> None:
    """Only keys of cards name one, each once and three at most, whatever else somebody sends."""
    assert remembered(app, cookie) == ()
    for one in PublicObjective:
        assert remembered(app, f"{cookie}.{one.name.lower()}.{one.name.lower()}") == (one,)
    assert len(remembered(app, ".".join(one.name.lower() for one in PublicObjective))) == 3
