from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image

from scoring.words import LANGUAGES

PLACE = "/manifest.webmanifest"


def manifest(client: FlaskClient, **headers: str) -> dict[str, Any]:
    """Return what a browser learns before it installs the page."""
    told: dict[str, Any] = client.get(PLACE, headers=headers).get_json(force=True)
    return told


def picture(client: FlaskClient, place: str) -> Image.Image:
    """Return an icon."""
    with client.get(place) as answer:
        assert answer.status_code == 200, place
        return Image.open(BytesIO(answer.data))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_speaks_the_language_of_the_visitor(client: FlaskClient, language: str) -> None:
    """Name, description and shortcuts are in the language that the browser asks for."""
    told = manifest(client, **{"Accept-Language": language})
    assert told["lang"] == language
    page = client.get("/", headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'content="{told["name"]}"' in page
    assert told["description"] in page
    texts = {told["description"], *(shortcut["name"] for shortcut in told["shortcuts"])}
    english = manifest(client)
    assert len(texts) == 4
    if language != "en":
        assert not texts & {english["description"], *(shortcut["name"] for shortcut in english["shortcuts"])}


def test_the_manifest_is_that_of_the_visitor(client: FlaskClient) -> None:
    """It leads to pages of the app, follows a chosen language, and no cache keeps it for other visitors."""
    answer = client.get(PLACE)
    assert answer.mimetype == "application/manifest+json"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert {"accept-language", "cookie"} <= {name.lower() for name in answer.vary}
    told = manifest(client)
    for place in (told["start_url"], *(shortcut["url"] for shortcut in told["shortcuts"])):
        assert place.startswith(told["scope"])
        assert client.get(place).status_code == 200, place
    client.get("/?lang=fr")
    assert manifest(client, **{"Accept-Language": "ja"})["lang"] == "fr"
    assert 'rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials"' in client.get(
        "/"
    ).get_data(as_text=True), "without this the browser asks without its cookie"


def test_icons_have_the_sizes_they_say(client: FlaskClient) -> None:
    """Each icon is a PNG as large as the manifest promises; the sizes that Chrome and iOS want are there."""
    for icon in manifest(client)["icons"]:
        image = picture(client, icon["src"])
        assert (image.format, f"{image.width}x{image.height}") == ("PNG", icon["sizes"])
    told = {(icon["sizes"], icon["purpose"]) for icon in manifest(client)["icons"]}
    assert told == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', client.get("/").get_data(as_text=True))
    assert touch is not None
    assert picture(client, touch[1]).size == (180, 180)


@pytest.mark.parametrize("name", ["icon-maskable-512.png", "apple-touch-icon.png"])
def test_icons_that_are_cut_to_a_shape_lose_nothing(client: FlaskClient, name: str) -> None:
    """They fill the square, and the drawing lies in a circle with 40 % of the side as radius."""
    image = picture(client, f"/static/icons/{name}").convert("RGBA")
    pixels = np.asarray(image)
    side = image.width
    across, down = np.meshgrid(np.arange(side) + 0.5 - side / 2, np.arange(side) + 0.5 - side / 2)
    outside = np.hypot(across, down) > 0.4 * side
    assert (pixels[outside] == [0x15, 0x17, 0x1D, 255]).all()
    assert len(np.unique(pixels[~outside], axis=0)) > 5


LINK = re.compile(r"<a\s[^>]*>")


def test_no_link_strands_people_who_have_no_back_button(client: FlaskClient, made: dict[str, Any]) -> None:
    """Without a browser around them, all pages have the way home, and files open apart from them."""
    todo, seen = ["/", "/nowhere", f"/w/{made['id']}", f"/w/{made['id']}/place"], set[str]()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        answer = client.get(place, follow_redirects=True)
        page = answer.get_data(as_text=True)
        assert answer.mimetype == "text/html", place
        assert '<a class="brand" href="/">' in page, place
        for link in LINK.findall(page):
            href = re.search(r'href="([^"?#]*)', link)
            if href and href[1] and not re.search(r"\sdownload|\starget=", link):
                todo.append(href[1])
    assert {"/history", "/place", "/windows"} <= seen
