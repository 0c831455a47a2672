from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring import PRIVATE_OBJECTIVES, MarkedSpaces, PublicObjective
from tests.readings import reading_of
from tests.webapp.conftest import NOT_FOUND, RULEBOOK, SayingReader, rulebook_reading, upload
from vision.table import CardReading
from webapp.workers import work


def send_form(client: FlaskClient, content: bytes) -> Any:  # noqa: ANN401
    """Send the plain upload form; the camera input stays empty as browsers send it."""
    data = {"photo": [(BytesIO(b""), ""), (BytesIO(content), "a.jpg")]}
    return client.post("/readings", data=data)


def test_the_start_page_offers_every_way_in(client: FlaskClient) -> None:
    """Camera, gallery, samples and entry by hand are all there without a script."""
    page = client.get("/").get_data(as_text=True)
    assert 'capture="environment"' in page
    assert page.count('type="file"') == 2
    assert 'action="/by-hand"' in page
    assert 'action="/samples/easy_daylight.jpg"' in page


def test_the_plain_form_leads_to_the_window(client: FlaskClient, photo: bytes) -> None:
    """Without scripts an upload ends on the page of the window, with its dice and score."""
    answer = send_form(client, photo)
    assert answer.status_code == 303
    page = client.get(answer.location).get_data(as_text=True)
    assert "A4: yellow 5, doubtful" in page
    assert "17 dice, 3 empty spaces" in page  # there is nothing to count yet
    assert "data-total" not in page


@pytest.mark.parametrize(
    ("content", "name", "status", "said"),
    [
        (b"", "", 400, "Take or choose a photo first."),
        (b"", "a.jpg", 422, "The file is empty."),
        (b"no photo", "a.jpg", 422, "This file is not a photo"),
    ],
    ids=["none", "empty", "no photo"],
)
def test_the_plain_form_tells_what_is_wrong_on_the_start_page(
    client: FlaskClient, content: bytes, name: str, status: int, said: str
) -> None:
    """A bad file brings the start page back with a sentence, so that the next try is one tap away."""
    answer = client.post("/readings", data={"photo": (BytesIO(content), name)})
    page = answer.get_data(as_text=True)
    assert answer.status_code == status
    assert said in page
    assert 'id="upload"' in page


def test_a_photo_that_cannot_be_read_shows_the_ways_on(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """The failed photo is shown with what is wrong with it, if anything, a next step, and every way on."""
    reader.answer = NOT_FOUND
    answer = send_form(client, photo)
    page = client.get(answer.location).get_data(as_text=True)
    assert "No Sagrada window was found in this photo." in page
    assert "straight above" in page
    assert 'id="unread-corners"' in page
    assert "photo-checks" not in page
    by_hand = client.post(f"{answer.location}/by-hand")
    page = client.get(by_hand.location).get_data(as_text=True)
    assert 'role="grid"' in page
    assert "photo.jpg" in page
    bright = cv2.imencode(".jpg", np.full((600, 800, 3), 255, np.uint8))[1].tobytes()
    assert 'data-check="clipping"' in client.get(send_form(client, bright).location).get_data(as_text=True)


@pytest.mark.parametrize(
    ("others", "words"),
    [(0, None), (1, "Another window in this photo"), (3, "3 other windows in this photo")],
)
def test_windows_that_were_not_read_are_told(
    client: FlaskClient, reader: SayingReader, photo: bytes, others: int, words: str | None
) -> None:
    """Where several windows lie on the table, the page says that only one was read."""
    reader.answer = replace(rulebook_reading(), other_windows=others)
    page = client.get(f"/w/{upload(client, photo)['id']}").get_data(as_text=True)
    assert ("hint others" in page) == (words is not None)
    assert words is None or words in page


def test_a_reading_with_doubts_says_what_would_make_the_photo_better(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """Under the doubts stands what is in the way, the most helpful first; without doubts nobody asks."""
    reader.answer = replace(reading_of(doubtful=["A1"]), unlike_dice=True)
    page = client.get(f"/w/{upload(client, photo)['id']}").get_data(as_text=True)
    assert "These dice look unlike Sagrada&#39;s" in page
    checks = re.findall(r'data-check="(\w+)" data-verdict="(\w+)"', page)
    assert "How to get a better photo" in page
    assert checks[0] == ("contrast", "bad")  # the photo is plain gray
    assert "Wipe the lens, and keep lamps and windows out of its sight." in page
    assert "Good:" in page
    reader.answer = reading_of()
    page = client.get(f"/w/{upload(client, photo)['id']}").get_data(as_text=True)
    assert "photo-checks" not in page
    assert "look unlike" not in page


def test_a_mirrored_photo_is_turned_back_on_one_tap(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """The page says that a photo looks mirrored; its button flips what is kept and reads it anew, once."""
    half = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    assert half is not None
    half[:, : half.shape[1] // 2] = 0
    reader.answer = reading_of(mirrored=True)
    state = upload(client, cv2.imencode(".jpg", half)[1].tobytes())
    place, said = f"/w/{state['id']}", "This photo looks mirrored, as front cameras take it."
    page = client.get(place).get_data(as_text=True)
    assert said in page
    shown = re.findall(rf'image id="photo-image" href="({place}/photo.jpg[^"]*)"', page)

    def dark_side() -> int:
        kept = cv2.imdecode(np.frombuffer(client.get(f"{place}/photo.jpg").data, np.uint8), cv2.IMREAD_COLOR)
        assert kept is not None
        return int(np.argmin([part.mean() for part in np.array_split(kept, 2, axis=1)]))

    assert dark_side() == 0
    reader.answer = rulebook_reading()
    for _ in range(2):  # whoever taps twice gets the same
        answer = client.post(f"{place}/mirror", data={"revision": state["revision"]})
        assert answer.location == place
        page = client.get(place).get_data(as_text=True)
        assert said not in page
        assert dark_side() == 1
    assert re.findall(rf'image id="photo-image" href="({place}/photo.jpg[^"]*)"', page) != shown
    after = client.get(f"{place}.json").get_json()
    assert (after["mirrored"], after["board"]) == (False, str(rulebook_reading().board))


def test_any_photo_can_be_flipped(client: FlaskClient, reader: SayingReader, photo: bytes) -> None:
    """Where a mirrored window fits no card nobody is told, but the button is there; two taps flip it once."""
    reader.answer = reading_of()
    state = upload(client, photo)
    place = f"/w/{state['id']}"
    assert f'action="{place}/mirror"' in client.get(place).get_data(as_text=True)
    reader.answer = rulebook_reading()
    boards = []
    for before in (state, state, None):
        seen = before or client.get(f"{place}.json").get_json()
        client.post(f"{place}/mirror", json={"revision": seen["revision"]})
        boards.append(client.get(f"{place}.json").get_json()["board"])
        reader.answer = reading_of()
    seen = client.get(f"{place}.json").get_json()
    client.post(place, json={"revision": seen["revision"], "cells": {"A1": "R1"}})
    # What somebody put right does not go on one tap.
    assert f'action="{place}/mirror"' not in client.get(place).get_data(as_text=True)
    first, again, other = boards
    assert first == again == str(rulebook_reading().board)
    assert other == state["board"]


def test_a_photo_that_cannot_be_read_turned_back_stays_as_it_is(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """Where no window is found then, or a die was changed meanwhile, nothing is replaced."""
    reader.answer = reading_of(mirrored=True)
    state = upload(client, photo)
    place, seen = f"/w/{state['id']}", {"revision": state["revision"]}
    reader.answer = NOT_FOUND
    assert client.post(f"{place}/mirror", json=seen).status_code == 422
    reader.answer = rulebook_reading()
    client.post(place, json={**seen, "cells": {"A1": "R1"}})
    assert client.post(f"{place}/mirror", json=seen).status_code == 409
    assert client.get(f"{place}.json").get_json()["mirrored"]


def test_a_window_that_may_be_upside_down_says_so_until_it_is_turned(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """Below 90 % the page asks to look which way up it is; whoever turns the window has looked."""
    hint = "It may be upside down"
    reader.answer = replace(rulebook_reading(), upright_probability=0.9)
    assert hint not in client.get(f"/w/{upload(client, photo)['id']}").get_data(as_text=True)
    reader.answer = replace(rulebook_reading(), upright_probability=0.89)
    state = upload(client, photo)
    assert hint in client.get(f"/w/{state['id']}").get_data(as_text=True)
    client.post(f"/w/{state['id']}/turn", json={"revision": state["revision"]})
    assert hint not in client.get(f"/w/{state['id']}").get_data(as_text=True)


def test_entry_by_hand_starts_with_an_empty_window(client: FlaskClient) -> None:
    """Without a photo there are twenty empty spaces to fill, and no photo to make better."""
    page = client.get(client.post("/by-hand").location).get_data(as_text=True)
    assert page.count('role="gridcell"') == 20
    assert "A1: empty" in page
    assert "0 dice, 20 empty spaces" in page
    assert "photo-checks" not in page


def test_the_form_without_scripts_scores_the_rulebook_example(client: FlaskClient) -> None:
    """Dice as text and choices in the plain form give the rulebook's 40 points."""
    place = client.post("/by-hand").location
    form = {
        "revision": "1",
        "board": RULEBOOK.replace(" / ", "\r\n"),
        "public": ["Column Color Variety", "Light Shades", "Color Variety"],
        "private": "P",
        "window": "Fractal Drops",
        "favor_tokens": "0",
    }
    assert client.post(place, data=form).status_code == 303
    page = client.get(place).get_data(as_text=True)
    assert 'data-total="40"' in page
    assert 'data-code="value_restriction"' in page


def test_text_that_is_no_board_is_refused_with_its_place(client: FlaskClient) -> None:
    """Page and program name the space that is wrong in the visitor's language; the code stays the same."""
    place, asks = client.post("/by-hand").location, {"Accept-Language": "ru"}
    wrong = RULEBOOK.replace("B1 -- G1", "B1 X9 G1")
    page = client.post(place, data={"revision": "1", "board": wrong, "favor_tokens": "0"}, headers=asks)
    assert "В ячейке B3 написано «X9»" in page.get_data(as_text=True)
    error = client.post("/by-hand", json={"board": wrong}, headers=asks).get_json()["error"]
    assert error["code"] == "bad_cell"
    assert error["message"].startswith("В ячейке B3 написано «X9»")


@pytest.mark.parametrize("page_of", ["there", "gone", "elsewhere"])
def test_an_error_leads_back_to_its_window(client: FlaskClient, page_of: str) -> None:
    """Whoever made a mistake in a form of a window finds the way back to it first, else to the start."""
    place = client.post("/by-hand").location
    if page_of == "gone":
        client.post(f"{place}/delete")
    wrong = {"revision": "1", "board": "R1 Y2"}
    answer = client.get("/nothing") if page_of == "elsewhere" else client.post(place, data=wrong)
    page = answer.get_data(as_text=True)
    first = re.search(r'<a class="button[^>]*>', page)
    assert first is not None
    assert first[0] == f'<a class="button primary" href="{place if page_of == "there" else "/"}">'
    assert page.count('"button primary"') == 1


def test_all_objectives_have_a_diagram(client: FlaskClient) -> None:
    """Every public objective can be chosen and is drawn, and so are the private ones that mark spaces."""
    page = client.get(client.post("/by-hand").location).get_data(as_text=True)
    assert page.count('type="checkbox" name="public"') == len(PublicObjective)
    assert page.count('type="radio" name="private"') == len(PRIVATE_OBJECTIVES) + 1  # and none
    assert page.count('class="diagram"') == len(PublicObjective) + len(MarkedSpaces)


def test_the_next_window_has_the_same_cards_on_the_table(client: FlaskClient, photo: bytes) -> None:
    """The public objectives of a game are chosen once for all its players; the private one is not kept."""
    state = upload(client, photo)
    choices = {"public": ["Deep Shades", "Light Shades"], "private": "R"}
    client.post(f"/w/{state['id']}", json={"revision": 1, **choices})
    second = upload(client, photo)
    assert second["choices"]["public"] == ["Deep Shades", "Light Shades"]
    assert second["choices"]["private"] is None


@pytest.mark.parametrize(
    ("chosen", "counted"), [([], ["Color Variety", "Deep Shades", "Light Shades"]), (["Shade Variety"],) * 2]
)
def test_objective_cards_in_the_photo_are_chosen_where_nobody_chose_any(
    client: FlaskClient,
    photo: bytes,
    monkeypatch: pytest.MonkeyPatch,
    chosen: list[str],
    counted: list[str],
) -> None:
    """The three surest cards beside the window count, none in doubt, and never in place of a choice."""
    if chosen:
        state = upload(client, photo)
        client.post(f"/w/{state['id']}", json={"revision": 1, "public": chosen})
    seen = {"Light Shades": 0.99, "Deep Shades": 0.998, "Row Color Variety": 0.985, "Color Variety": 0.999}
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    cards = [CardReading(name, sure, False, corners) for name, sure in seen.items()]
    cards.append(CardReading("Medium Shades", 1.0, True, corners))
    monkeypatch.setattr(work, "find_objectives", lambda _photo, windows: (cards[: 9 * len(windows)], ()))
    other = cv2.imencode(".jpg", np.full((600, 800, 3), 120, np.uint8))[1].tobytes()
    assert sorted(upload(client, other)["choices"]["public"]) == counted


def test_a_window_is_shown_laid_flat(client: FlaskClient, made: dict[str, Any]) -> None:
    """Its page shows the photo from straight above, five spaces wide and four high with a margin around."""
    page = client.get(f"/w/{made['id']}").get_data(as_text=True)
    found = re.search(r'class="flat" src="([^"]+)"', page)
    assert found
    image = cv2.imdecode(np.frombuffer(client.get(found[1]).data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape[1] / image.shape[0] == pytest.approx(5.7 / 4.7, rel=1e-3)
    assert f"/w/{made['id']}/photo.jpg?" in found[1]


def test_last_windows_are_only_those_of_this_browser(app: Flask, client: FlaskClient, photo: bytes) -> None:
    """A browser finds its own windows again; another one in the network sees none of them."""
    state = upload(client, photo)
    assert f"/w/{state['id']}" in client.get("/").get_data(as_text=True)
    assert state["id"] not in app.test_client().get("/").get_data(as_text=True)


def test_deleting_takes_photo_and_window_away(app: Flask, client: FlaskClient, made: dict[str, Any]) -> None:
    """After deleting there is nothing left on the disk, and the address says so."""
    place = f"/w/{made['id']}"
    assert client.get(f"{place}/photo.jpg").status_code == 200
    assert client.post(f"{place}/delete").status_code == 303
    assert client.get(place).status_code == 404
    assert client.get(f"{place}/photo.jpg").status_code == 404
    folder = Path(app.config["SAGRADA_DATA"])
    assert list((folder / "readings").iterdir()) == []
    assert not [path for path in folder.glob("*.*") if made["id"].encode() in path.read_bytes()]


def test_stored_photos_carry_nothing_of_the_camera(client: FlaskClient, photo: bytes) -> None:
    """Place and time that a phone writes into the file are gone from the photo that is kept and shown."""
    exif = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x00SECRETPLACE"
    marked = photo[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + photo[2:]
    assert b"SECRETPLACE" in marked
    state = upload(client, marked)
    shown = client.get(f"/w/{state['id']}/photo.jpg").data
    assert b"Exif" not in shown
    folder = Path(client.application.config["SAGRADA_DATA"])
    assert not any(b"SECRETPLACE" in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_large_photos_are_shown_small(client: FlaskClient) -> None:
    """What goes over the network to show is at most 1600 pixels on its longer side."""
    large = cv2.imencode(".jpg", np.full((1500, 2000, 3), 120, np.uint8))[1].tobytes()
    state = upload(client, large)
    shown = client.get(f"/w/{state['id']}/photo.jpg").data
    image = cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape[:2] == (1200, 1600)
    assert state["size"] == [2000, 1500]


@pytest.mark.parametrize("name", ["../pyproject.toml", "labels.json", "nothing.jpg", "%2e%2e%2fREADME.md"])
def test_only_samples_are_served_as_samples(client: FlaskClient, name: str) -> None:
    """No file outside the labelled samples can be had by its name; those come as small pictures."""
    assert client.get(f"/samples/{name}").status_code == 404
    assert client.post(f"/samples/{name}").status_code == 404
    assert len(client.get("/samples/easy_daylight.jpg").data) < 60_000


def test_the_chosen_language_stays(client: FlaskClient) -> None:
    """The switch leads back to the plain address and wins over what the browser asks for, known or not."""
    assert '<html lang="en">' in client.get("/", headers={"Accept-Language": "xx"}).get_data(as_text=True)
    answer = client.get("/?lang=ru")
    assert answer.location == "/"
    page = client.get("/", headers={"Accept-Language": "fr"}).get_data(as_text=True)
    assert '<html lang="ru">' in page


def language_page(client: FlaskClient, page: str, place: str) -> Any:  # noqa: ANN401
    """Follow the link to French on a page that was shown at ``place``."""
    link = re.search(r'href="([^"]*)\?lang=fr"', page)
    assert link is not None
    return client.get(f"{link[1] or place}?lang=fr", follow_redirects=True)


@pytest.mark.parametrize(
    ("method", "place", "to"),
    [
        ("POST", "/w/here", "/w/here"),
        ("POST", "/w/here/by-hand", "/w/here"),
        ("POST", "/readings", "/"),
        ("GET", "/by-hand", "/"),
        ("POST", "/w/gone/delete", "/"),
    ],
)
def test_the_language_changes_after_a_refused_form(
    client: FlaskClient, made: dict[str, Any], method: str, place: str, to: str
) -> None:
    """On an address that only takes forms the language links lead to the window it is about, or the start."""
    place, to = (one.replace("here", made["id"]) for one in (place, to))
    page = client.open(place, method=method, headers={"Origin": "http://other"})
    answer = language_page(client, page.get_data(as_text=True), place)
    assert page.status_code >= 400
    assert (answer.status_code, answer.request.path) == (200, to)
    assert '<html lang="fr">' in answer.get_data(as_text=True)


def test_pages_keep_to_the_content_security_policy(client: FlaskClient, photo: bytes) -> None:
    """No page has inline scripts or styles, and nothing names another computer."""
    state = upload(client, photo)
    texts = [client.get(place).get_data(as_text=True) for place in ("/", f"/w/{state['id']}")]
    for page in texts:
        assert not re.search(r"\sstyle=|<style|\son\w+=|javascript:", page)
        assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", page))
    static = Path(client.application.static_folder or "")
    texts += [path.read_text(encoding="utf-8") for path in static.iterdir() if path.is_file()]
    assert not [text for text in texts if re.search(r"https?://(?!www\.w3\.org/)", text)]


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("/windows/own/a?b#c%d", "/windows/own/a%3Fb%23c%25d"),
        ("//elsewhere.example/", "/elsewhere.example/"),
    ],
)
def test_changing_the_language_leads_to_the_same_address(client: FlaskClient, asked: str, plain: str) -> None:
    """Signs with a meaning in addresses stay what they were, and no address leads to another server."""
    answer = client.get("/?lang=fr", environ_overrides={"PATH_INFO": asked})
    assert answer.headers["Location"] == plain


def test_the_page_is_light(client: FlaskClient) -> None:
    """Our scripts and style sheets together stay under 240 kB, those of others under 60 kB."""
    static = Path(client.application.static_folder or "")
    for folder, limit in ((static, 240_000), (static / "vendor", 60_000)):
        assert 0 < sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) < limit


def test_a_chosen_card_of_the_expansion_stands_among_the_colors(client: FlaskClient) -> None:
    """Whoever looks at what was chosen, or dealt, sees it without opening a list."""
    address = client.post("/by-hand").location
    state = client.get(f"/w/{address.rsplit('/', 1)[1]}.json").get_json()
    change = {"revision": state["revision"], "private": "Brace"}
    assert client.post(f"/w/{state['id']}", json=change).status_code == 200
    text = client.get(address).get_data(as_text=True)
    assert text.index('value="Brace" checked') < text.index('class="more-privates"')
    assert text.count('value="Brace"') == 1
