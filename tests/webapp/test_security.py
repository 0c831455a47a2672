from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient


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


def test_foreign_writes_to_the_interface_are_refused_in_json(
    client: FlaskClient, made: dict[str, Any]
) -> None:
    """The JSON interface refuses foreign writes in the one error shape."""
    answer = client.patch(
        f"/api/readings/{made['id']}", json={"revision": 1}, headers={"Origin": "http://elsewhere.example"}
    )
    assert answer.status_code == 403
    assert answer.get_json()["error"]["code"] == "foreign_request"


@pytest.mark.parametrize("place", ["/", "/nothing", "/static/base.css", "/api/nothing"])
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
