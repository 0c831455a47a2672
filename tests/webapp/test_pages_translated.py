"""Every kind of page in every language, searched for English that shows through."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from flask import Flask, template_rendered
from flask.testing import FlaskClient

import scoring
import webapp
from scoring.words import LANGUAGES
from tests.catalogs import ROOT, SOURCES, TRANSLATED, catalog, forms, messages
from tests.profiles import profile_of
from tests.readings import card_at, loose, table_of
from tests.webapp.conftest import (
    NOT_FOUND,
    RULEBOOK,
    SayingReader,
    SayingTable,
    as_administrator,
    plain_photo,
    read_table,
    rulebook_reading,
    two_windows,
)
from vision import Unread
from vision.detection import search as refusals
from webapp import create_app
from webapp.domain.games.codes import ALPHABET
from webapp.domain.quotas import MOST_WRONG
from webapp.domain.record import BEING_READ, Failure
from webapp.server import addresses
from webapp.services import context

CATALOGS = [ROOT / package / "translations" for package in SOURCES]
SPOKEN = {"aria-label", "title", "placeholder", "alt", "data-label"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
PLAYERS = ("Άννα", "Μπεν", "Ωρίων")  # Greek, as no language of the page is
CARDS = ["Row Color Variety", "Light Shades", "Color Diagonals"]

# What is no English sentence in a Russian or Japanese page: names, formats, and what is typed as it stands.
NAMES = frozenset(
    re.findall(
        r"\w+",
        "Sagrada Companion, Adrian Adamescu, Daryl Andrews, Floodgate Games, Board Game Stats, BG Stats, "
        "JPEG, PNG, WebP, HEIC, AVIF, SVG, QR, CSV, PDF, JSON, OpenAPI, MB, GB, PIN, Wi-Fi, "
        "https, http, SHA, CA, VPN, iPhone, iPad, Android, Chrome, Safari, Firefox, sagrada-companion.crt, "
        "Enter, min",  # a key, and a sign of formulas
    )
)

TERMS = {"for programs": {"Cookie", "HTML", "ID", "board", "cookie", "null", "origin"}}
"""What programmers call so in every language."""


class Shown(HTMLParser):
    """The texts of a page that people see or hear, without those that are marked as another language."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.told = ""
        self.texts: list[str] = []
        self._inside: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Go into an element, and note what it is called."""
        given = dict(attrs)
        hidden = bool(self._inside and self._inside[-1][1])
        if "lang" in given:
            hidden = given["lang"] != self.language
        hidden = hidden or tag in {"style", "code", "script", "textarea"}
        if tag == "html":
            self.told = given["lang"] or ""
        if not hidden:
            self.texts += [value for name, value in given.items() if name in SPOKEN and value]
        if tag not in VOID:
            self._inside.append((tag, hidden))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element, and those in it that have no end of their own."""
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if data.strip() and self._inside and not self._inside[-1][1]:
            self.texts.append(" ".join(data.split()))


def shown(language: str, page: str) -> list[str]:
    """Return the texts of a page, those for its scripts among them."""
    parser = Shown(language)
    parser.feed(page)
    assert parser.told == language
    words = re.search(r'<script type="application/json" id="words">(.*?)</script>', page, re.DOTALL)
    assert words, "every page brings the words of its scripts"
    return [*parser.texts, *leaves(json.loads(words[1]))]


def leaves(told: object) -> Iterator[str]:
    """Return all texts in nested data."""
    if isinstance(told, dict):
        for one in told.values():
            yield from leaves(one)
    elif isinstance(told, str):
        yield told


@cache
def english(language: str) -> tuple[frozenset[str], tuple[re.Pattern[str], ...], frozenset[str]]:
    """Return the English texts that a language says otherwise, plain or to be filled in, and what it says."""
    plain, filled, translated = set(), [], set()
    for folder in CATALOGS:
        file = folder / language / "LC_MESSAGES" / "messages.po"
        for message in read_po(BytesIO(file.read_bytes()), locale=language):
            if not message.id or not message.string or message.fuzzy:  # test_catalogs looks after these
                continue
            ids = message.id if isinstance(message.id, tuple | list) else (message.id,)
            forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
            translated |= {str(one) for one in forms}
            for text in set(ids) - set(forms):
                parts = re.split(r"%\(\w+\)[sd]|\{\w+\}", text.replace("%%", "%"))
                if len(parts) == 1:
                    plain.add(text)
                elif max(len(re.findall("[A-Za-z]", part)) for part in parts) >= 4:
                    filled.append(re.compile(".+".join(map(re.escape, parts)), re.DOTALL))
    return frozenset(plain), tuple(filled), frozenset(translated)


def english_in(language: str, texts: list[str]) -> set[str]:
    """Return those texts of a page that stand in English where the language has words of its own."""
    plain, filled, translated = english(language)
    meant = {one for one in texts if one in plain or any(form.fullmatch(one) for form in filled)}
    return meant - translated


# What is written the same everywhere: addresses, placeholders, options, kinds of content, codes of games.
SAME = re.compile(rf"https?://\S+|\{{\w+\}}|--\w+|application/json|multipart/form-data|\b[{ALPHABET}]{{6}}\b")


def latin_in(texts: list[str]) -> set[str]:
    """Return the Latin words of a page in another script that are no names."""
    found = {word for text in texts for word in re.findall("[A-Za-z]{2,}", SAME.sub(" ", text))}
    windows = {word for name in scoring.EVERY_WINDOW for word in re.findall("[A-Za-z]+", name)}
    return found - NAMES - windows - set(LANGUAGES)


# --- Every kind of page ----------------------------------------------------------------------------


class Evening:
    """Devices that go everywhere in one language."""

    def __init__(self, folder: Path, language: str) -> None:
        self.reader, self.table_reader = SayingReader(), SayingTable()
        self.language = language
        self.app = create_app({"SAGRADA_DATA": folder}, reader=self.reader, table_reader=self.table_reader)
        self.pages: dict[str, str] = {}

    def device(self) -> FlaskClient:
        """Return a browser that asks for the language."""
        client = self.app.test_client()
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = self.language
        return client

    def look(self, name: str, answer: Any, status: int = 200) -> str:  # noqa: ANN401
        """Keep a page that came as the answer; each has one line that tells a screen reader what happens."""
        assert answer.status_code == status, f"{name}: {answer.status_code}"
        assert answer.mimetype == "text/html"
        self.pages[name] = page = answer.get_data(as_text=True)
        assert (page.count('role="status"'), page.count("aria-live")) == (1, 1), f"{name}: one status line"
        return self.pages[name]


def dice_file(name: str) -> dict[str, tuple[BytesIO, str]]:
    """Return a form with the file of a dice profile."""
    return {"file": (BytesIO(str(profile_of(name)).encode()), "a.json")}


def photo_form() -> dict[str, tuple[BytesIO, str]]:
    """Return a form with a photo."""
    return {"photo": (BytesIO(plain_photo()), "a.jpg")}


def windows(evening: Evening) -> None:
    """Look at the pages around one window."""
    one = evening.device()
    evening.look("start", one.get("/"))
    address = one.post("/readings", data=photo_form()).location
    evening.look("window with a doubt", one.get(address))
    record = address.rsplit("/", 1)[1]
    choices = {"public": CARDS, "private": "P", "favor_tokens": 3}
    changed = one.post(f"/w/{record}", json={"revision": 1, **choices})
    assert changed.status_code == 200
    evening.look("window with a score", one.get(address))
    evening.look("start with last windows", one.get("/"))
    evening.look("placement of a window", one.get(f"{address}/place?die=R2"))
    evening.look("refused text", one.post(address, data={"revision": "1", "board": "R1"}), 400)
    by_hand = one.post("/by-hand").location
    evening.look("window by hand", one.get(by_hand))
    evening.reader.answer = NOT_FOUND
    unread = one.post("/readings", data=photo_form()).location
    evening.look("photo that was not read", one.get(unread))
    one.post(f"{unread}/delete")
    evening.look("deleted window", one.get(unread), 404)
    evening.reader.answer = SayingReader().answer
    evening.look("placement, start", one.get("/place"))
    evening.look("https, off", one.get("/https"))
    addresses.switch_on(evening.app, addresses.Https(8443, b"certificate", "AB:CD"))
    evening.look("https, on", one.get("/https"))
    evening.look("windows of one's own", one.get("/windows"))
    evening.look("new window of one's own", one.get("/windows/new"))
    evening.look("administration for others", one.get("/administration"))
    evening.look("a wrong PIN", one.post("/administration/pin", data={"pin": "1"}), 400)
    as_administrator(one)
    evening.look("administration", one.get("/administration"))
    evening.look("tools of one's own", one.get("/tools"))
    evening.look("no dice yet", one.get("/dice"))
    assert one.post("/dice/import", data=dice_file(PLAYERS[0])).status_code == 303
    told = "dice=14&before=5&after=14&odd=1&result="
    for result in ("learned", "refused"):
        evening.look(f"dice that were {result}", one.get(f"/dice?{told}{result}"))
    loose_dice = {"photo": (BytesIO((ROOT / "sample_images" / "loose_dice.jpg").read_bytes()), "a.jpg")}
    evening.look("loose dice to be named", one.get(one.post("/dice/loose", data=loose_dice).location))
    evening.reader.answer = replace(rulebook_reading(), unlike_dice=True)
    unknown = one.post("/readings", data=photo_form()).location
    evening.look("window of unknown dice", one.get(f"{unknown}?{told}learned"))
    refused = one.post(f"{unknown}/learn", data={"revision": "1", "name": PLAYERS[0]})
    evening.look("dice that need a look", refused, 400)


def tables(evening: Evening) -> None:
    """Look at the pages of photos of the whole table, for each purpose and with all that may need a look."""
    one, saying = evening.device(), evening.table_reader
    record = one.post("/by-hand").location.rsplit("/", 1)[1]
    code = one.post("/games", data={"name": PLAYERS[0], "solo": "no"}).location.rsplit("/", 1)[1]
    alone = one.post("/games", data={"name": PLAYERS[0], "solo": "yes"}).location.rsplit("/", 1)[1]
    unclear = Unread(refusals.unclear(), (300.0, 300.0))
    dice = [loose("R4", doubtful=True, others=("R5",)), loose("B2", (500.0, 250.0), place="track", round_=3)]
    saying.answer = table_of(
        *two_windows(), dice=dice, cards=[card_at("Deep Shades", doubtful=True)], unread=[unclear]
    )
    targets = {"score": None, "seats": code, "place": record, "pool": record, "track": alone}
    for purpose, target in targets.items():
        photo = read_table(one, purpose, target)["id"]
        evening.look(f"table photo, {purpose}", one.get(f"/t/{photo}?look=1"))
        if purpose == "score":
            evening.look("score without cards", one.post(f"/t/{photo}/score"), 400)
    saying.answer = table_of(dice=dice)
    for purpose in ("score", "place"):
        photo = read_table(one, purpose)["id"]
        evening.look(f"table photo without a window, {purpose}", one.get(f"/t/{photo}?look=1"))
    saying.answer = table_of()
    photo = read_table(one, "pool", record)["id"]
    evening.look("table photo without a die", one.get(f"/t/{photo}?look=1"))
    evening.look("start with a table", one.get("/"))


def games(evening: Evening) -> None:
    """Look at the pages of game nights."""
    host, guest, stranger = evening.device(), evening.device(), evening.device()
    evening.look("history without games", host.get("/history"))
    table = host.post("/games", data={"name": PLAYERS[0], "solo": "no"}).location
    code = table.rsplit("/", 1)[1]
    api = f"/g/{code}"
    evening.look("table of the host", host.get(table))
    evening.look("question for a name", guest.get(table))
    evening.look("name that does not do", guest.post(f"{table}/join", data={"name": PLAYERS[0]}), 400)
    guest.post(f"{table}/join", data={"name": PLAYERS[1]})
    guest.post(f"{table}/seats/2/photo", data=photo_form())
    guest.post(f"{api}/seats/2", json={"private": "R", "favor_tokens": 2})
    evening.look("table of a guest", guest.get(table))
    revision = host.get(f"{api}.json").get_json()["revision"]
    tools = ["Lathekin", "Grinding Stone"]
    assert (
        host.post(f"{api}/cards", json={"revision": revision, "public": CARDS, "tools": tools}).status_code
        == 200
    )
    host.post(f"{table}/join", data={"name": PLAYERS[2]})
    host.post(f"{api}/seats/1", json={"private": "P", "favor_tokens": 3})
    host.post(f"{api}/seats/1/tool", json={"tool": "Lathekin"})
    host.post(f"{api}/seats/1", json={"ready": True})
    evening.look("table of two on one device", host.get(table))
    evening.look("window of a seat", guest.get("/w/" + own(guest.get(f"{api}.json").get_json())))
    evening.look("refused reveal", host.post(f"{table}/reveal"), 400)
    assert host.post(f"{api}/reveal", json={"anyway": True}).status_code == 200
    evening.look("reveal for the host", host.get(f"{table}/reveal"))
    evening.look("reveal for a stranger", stranger.get(f"{table}/reveal"))
    evening.look("table after the reveal", host.get(table))
    evening.look("history", host.get("/history"))
    evening.look("a player", host.get("/history/player", query_string={"name": PLAYERS[1]}))
    evening.look("start with games", host.get("/"))
    evening.look("link for a seat", host.post(f"{table}/seats/2/link"))
    evening.look("question for a seat", stranger.get(f"{table}/seat"))
    evening.look("link that is used up", stranger.post(f"{table}/seat", data={"key": "x"}), 400)
    host.post(f"{table}/reopen")
    evening.look("closed table", stranger.get(table))
    evening.look("closed table for the host", host.get(table))
    key = host.post(f"{api}/seats/2/link.json").get_json()["url"].partition("#")[2]
    assert stranger.post(f"{api}/seat", json={"key": key}).status_code == 200
    evening.look("seat that moved", guest.get(table))
    solo(evening, host)
    evening.look("what only the host may", guest.post(f"{table}/delete"), 403)
    host.post(f"{table}/delete")
    evening.look("deleted game", guest.get(table), 404)


def own(told: dict[str, Any]) -> str:
    """Return the id of the own window."""
    return next(str(one["reading"]) for one in told["players"] if one["own"])


def solo(evening: Evening, host: FlaskClient) -> None:
    """Look at the pages of a game that is played alone."""
    table = host.post("/games", data={"name": PLAYERS[0], "solo": "yes"}).location
    api = table
    evening.look("solo table", host.get(table))
    told = {"revision": 2, "public": CARDS[:2], "tools": ["Lathekin"], "target": 20, "second_private": "B"}
    assert host.post(f"{api}/cards", json=told).status_code == 200
    window = own(host.get(f"{api}.json").get_json())
    names = [row + column for row in "ABCD" for column in "12345"]
    cells = dict(zip(names, RULEBOOK.replace("/", " ").split(), strict=True))
    host.post(f"/w/{window}", json={"revision": 1, "cells": cells})
    host.post(f"{api}/seats/1", json={"private": "P"})
    assert host.post(f"{api}/reveal", json={"anyway": True}).status_code == 200
    evening.look("solo reveal", host.get(f"{table}/reveal"))
    evening.look("history with a solo game", host.get("/history"))


def errors(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the pages that say what went wrong."""
    one = evening.device()
    evening.look("nothing there", one.get("/nothing"), 404)
    evening.look("address for forms", one.get("/by-hand"), 405)
    evening.look("foreign form", one.post("/by-hand", headers={"Origin": "http://other"}), 403)
    evening.look("foreign name", one.get("/", headers={"Host": "game.example.com"}), 421)
    evening.look("no photo", one.post("/readings"), 400)
    evening.look("no photo but text", one.post("/readings", data={"photo": (BytesIO(b"x"), "a.jpg")}), 422)
    with evening.app.app_context():
        waits = context.store().create({}, failure=Failure(BEING_READ))
    evening.look("photo that waits", one.get(f"/w/{waits.id}"))
    evening.app.config["MAX_CONTENT_LENGTH"] = 1000
    evening.look("too large", one.post("/readings", data=photo_form()), 413)
    monkeypatch.setattr("webapp.views.readings.StartView", lambda **_: 1 / 0)
    evening.look("mistake of the program", one.get("/"), 500)
    guesser = evening.device()
    for _ in range(MOST_WRONG):
        guesser.get("/g/CCCCCC")
    evening.look("too many codes", guesser.get("/g/CCCCCC"), 429)


@pytest.fixture(params=[one for one in LANGUAGES if one != "en"])
def evening(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Evening, set[str]]:
    """Return all pages in one language, and the names of the templates that made them."""
    made = Evening(tmp_path, request.param)
    used: set[str] = set()

    def note(sender: Flask, template: Any, **_: object) -> None:  # noqa: ANN401
        used.add(str(template.name))

    with template_rendered.connected_to(note, made.app):
        windows(made)
        tables(made)
        games(made)
        errors(made, monkeypatch)
    return made, used


def test_no_page_shows_english_where_there_is_a_translation(evening: tuple[Evening, set[str]]) -> None:
    """Every kind of page comes in every language, and none lets an English text of the catalogs through."""
    made, used = evening
    folder = Path(webapp.__file__).parent / "templates"
    whole = {path.name for path in folder.glob("*.html") if "extends" in path.read_text("utf-8")}
    assert used >= whole, "a page is not looked at"
    english_texts, latin_words = {}, {}
    untranslated = {
        word
        for package in SOURCES
        for message in (messages(catalog(package, made.language)) if made.language in TRANSLATED else ())
        if message.fuzzy or not all(forms(message.string))
        for word in latin_in([*forms(message.id)])
    }
    for name, page in made.pages.items():
        texts = shown(made.language, page)
        english_texts[name] = english_in(made.language, texts)
        if made.language in {"ja", "ru"}:
            latin_words[name] = latin_in(texts) - TERMS.get(name, set()) - untranslated
    assert {name: found for name, found in english_texts.items() if found} == {}
    assert {name: found for name, found in latin_words.items() if found} == {}


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_the_search_finds_english(tmp_path: Path, language: str) -> None:
    """The search is no formality: on an English page it finds the words of page, scripts and cards."""
    client = create_app({"SAGRADA_DATA": tmp_path}, reader=SayingReader()).test_client()
    table = client.post("/games", data={"solo": "no"}).location
    answer = client.get(table, headers={"Accept-Language": "en"})
    texts = shown("en", answer.get_data(as_text=True))
    found = english_in(language, texts)
    assert found >= {"Nobody has joined yet.", "Undone.", "Color Diagonals", "Sending the photo… {percent} %"}
    assert {"Nobody", "joined"} <= latin_in(texts)
