"""Light or dark, and the letters on the dice, as each visitor wants them."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from scoring import Color
from scoring.words import LANGUAGES
from webapp.http.preferences import letters_of

DARK = re.compile(r'<link rel="stylesheet" href="[^"]*dark\.css"([^>]*)>')


def page(client: FlaskClient, address: str = "/") -> str:
    """Return a page as it is drawn for this visitor."""
    return client.get(address, follow_redirects=True).get_data(as_text=True)


@pytest.mark.parametrize(
    ("chosen", "linked"),
    [("device", [' media="(prefers-color-scheme: dark)"']), ("light", []), ("dark", [""])],
)
def test_a_visitor_chooses_light_or_dark(client: FlaskClient, chosen: str, linked: list[str]) -> None:
    """The dark colors hold never, always or where the device asks for them, also on the next page."""
    assert client.get(f"/?theme={chosen}").headers["Location"] == "/"
    assert DARK.findall(page(client)) == linked
    assert DARK.findall(page(client, "/history")) == linked


def test_what_was_not_offered_is_not_kept(client: FlaskClient) -> None:
    """A look that there is not changes nothing, and programs choose none."""
    assert "Set-Cookie" not in client.get("/windows.json?theme=dark").headers
    assert "Set-Cookie" not in client.get("/?theme=pink").headers
    client.set_cookie("theme", "pink")
    assert DARK.findall(page(client)) == [' media="(prefers-color-scheme: dark)"']


def test_dice_carry_the_letters_of_the_language(client: FlaskClient) -> None:
    """The letters tell the colors apart: Ж for yellow in Russian, until one takes those of the notation."""
    for language in LANGUAGES:
        assert len(set(letters_of(language).values())) == len(Color)
        assert all(1 <= len(letter) <= 2 for letter in letters_of(language).values())
    assert ">Ж</text>" in page(client, "/?lang=ru")
    kept = page(client, "/?letters=notation")
    assert ">Ж</text>" not in kept
    assert ">Y</text>" in kept
    assert ">Ж</text>" in page(client, "/?letters=language")
