"""Everything that the pages show and do has its counterpart in the JSON interface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from scoring.sentences import sentence
from tests.profiles import profile_of
from tests.readings import card_at, loose, table_of
from tests.taught import file_of, side_by_side, taught
from tests.webapp.conftest import (
    SayingReader,
    SayingTable,
    plain_photo,
    read_table,
    two_windows,
    upload,
)
from tests.webapp.described import actions, sent_to
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.tables import third
from vision import BoardNotFoundError
from vision.profile import How, Quality
from webapp.api.document import document
from webapp.api.section import Action
from webapp.companion.household import Lesson, WindowLesson
from webapp.phones import addresses
from webapp.store.administrator import FILE_NAME as ADMINISTRATOR
from webapp.store.administrator import Administrator
from webapp.store.lessons import change_lesson
from webapp.web import context, lessons
from webapp.web.ip import plain_ip
from webapp.web.network import LocalAddress

IN_ADDRESS = "in the address"
LOOSE = Path(__file__).parents[2] / "sample_images" / "loose_dice.jpg"
NOT_NEEDED = "not needed"
"""What a form says only because a browser without scripts needs it."""


@dataclass(frozen=True)
class Does:
    """The actions of the interface that do what a form does, and where each of its fields went.

    A field is named by its key, with a dot for a key within a key, or is `IN_ADDRESS` or `NOT_NEEDED`.
    """

    actions: tuple[str, ...]
    fields: dict[str, str] = field(default_factory=dict)


def does(*names: str, **fields: str) -> Does:
    """Return what a form does."""
    return Does(names, fields)


_QUESTION = {"die": "die", "pick": NOT_NEEDED, "tool": "tool", "house_rule": "house_rule"}
_DRAWN = {
    "name": "name",
    "difficulty": "difficulty",
    "space": "pattern",
    "doubt": NOT_NEEDED,
    "check": IN_ADDRESS,
}
FORMS: dict[str, Does] = {
    "/readings": does("makeReading", photo="photo"),
    "/by-hand": does("makeReading"),
    "/samples/<name>": does("readSample"),
    "/w/<record_id>": does(
        "changeReading",
        revision="revision",
        public="choices.public",
        private="choices.private",
        window="choices.window",
        favor="choices.favor_tokens",
        board="cells",
    ),
    "/w/<record_id>/by-hand": does("goOnByHand"),
    "/w/<record_id>/delete": does("deleteReading"),
    "/place": does("makeReading", photo="photo", target="card_of", purpose=NOT_NEEDED),
    "/w/<record_id>/place": Does(
        ("changeReading", "askPlacement"),
        {"revision": "revision", "cell": "cells", "window": "choices.window", **_QUESTION},
    ),
    "/w/<record_id>/table": does("takeTablePhoto"),
    "/t": does("takeTablePhoto", photo="photo", purpose="purpose", target="target"),
    "/t/<photo_id>/cell": does("changeReading", record=IN_ADDRESS, cell="cells", die="cells"),
    "/t/<photo_id>/die": does(
        "putLooseDie", revision="revision", index="index", die="die", x="center", y="center"
    ),
    "/t/<photo_id>/cards": does("changeTablePhoto", public="public"),
    "/t/<photo_id>/card": does("lookAtCard", card="card", right="right"),
    "/t/<photo_id>/windows/<int:number>": does(
        "changeTableWindow", name="name", private="private", favor="favor_tokens"
    ),
    "/t/<photo_id>/windows/<int:number>/out": does("changeTableWindow", out="left_out"),
    "/t/<photo_id>/score": does("scoreTable"),
    "/t/<photo_id>/seats": Does(("fillSeats",), {"seat-1": "seats", "seat-2": "seats"}),
    "/t/<photo_id>/target": does("takeTarget"),
    "/t/<photo_id>/place": does("askPlacement", record=IN_ADDRESS),
    "/t/<photo_id>/delete": does("deleteTablePhoto"),
    "/games": does("startGame", name="name", players="solo"),
    "/join": does("getGame", code=IN_ADDRESS),
    "/g/<code>/join": does("joinGame", name="name"),
    "/g/<code>/cards": does(
        "changeGame", revision="revision", card="public", kind="house_rules", anyway="anyway"
    ),
    "/g/<code>/deal": does("dealCards", revision="revision", tools="tools", anyway="anyway"),
    "/g/<code>/players/deal": Does(("dealToPlayers",), {"what": "windows", "again": "again"}),
    "/g/<code>/first": does("drawFirstPlayer", revision="revision"),
    "/g/<code>/round": does("playOn", move="move", seen="seen"),
    "/g/<code>/timer": does("putTimer", seconds="seconds"),
    "/g/<code>/solo": does(
        "changeGame", revision="revision", target="target", second_private="second_private"
    ),
    "/g/<code>/order": does("orderPlayers", revision="revision", up="seats", known="known"),
    "/g/<code>/seats/<int:number>/photo": does("takePhoto", photo="photo"),
    "/g/<code>/seats/<int:number>/own": does(
        "changePlayer",
        private="private",
        window="window",
        favor="favor_tokens",
        window_revision="window_revision",
    ),
    "/g/<code>/seats/<int:number>/ready": does("changePlayer", ready="ready"),
    "/g/<code>/seats/<int:number>/tool": does("useTool", "takeBackTool", tool="tool"),
    "/g/<code>/seats/<int:number>/name": does("changePlayer", name="name"),
    "/g/<code>/seats/<int:number>/color": does("changePlayer", color="color"),
    "/g/<code>/seats/<int:number>/picture": does("putPicture", photo="photo"),
    "/g/<code>/seats/<int:number>/picture/away": does("takePictureAway"),
    "/g/<code>/seats/<int:number>/forget": does("forgetPlayer"),
    "/g/<code>/seats/<int:number>/leave": does("leaveGame"),
    "/g/<code>/seats/<int:number>/link": does("linkSeat"),
    "/g/<code>/seat": does("takeSeat", key="key"),
    "/g/<code>/open": does("openTable", open="open"),
    "/g/<code>/reveal": does("reveal", anyway="anyway"),
    "/g/<code>/reopen": does("reopen"),
    "/g/<code>/again": does("playAgain", cards="same_cards"),
    "/g/<code>/delete": does("deleteGame"),
    "/history/<code>/delete": does("deleteGame", sure=NOT_NEEDED),
    "/windows/new": does("addWindow", "checkSpaces", **_DRAWN),
    "/windows/own/<window:name>": does(
        "changeWindow",
        "deleteWindow",
        "checkSpaces",
        was=NOT_NEEDED,  # a program says only what it changes
        delete=IN_ADDRESS,
        sure=NOT_NEEDED,
        **_DRAWN,
    ),
    "/windows/photo": does("makeReading", photo="photo", only_the_card="only_the_card"),
    "/windows/import": does("importWindows", file="windows", replace="replace"),
    "/w/<record_id>/learn": does(
        "learnWindow",
        revision="revision",
        name="name",
        all_right="all_right",
        keep="keep",
        keep_asked=NOT_NEEDED,
    ),
    "/dice/of/<profile>": does(
        "changeProfile", "undoLesson", "deleteProfile", name="name", do=IN_ADDRESS, sure=NOT_NEEDED
    ),
    "/w/<record_id>/unlearn": does("unlearnWindow"),
    "/dice/keep": does("changeDice", keep="keeps"),
    "/dice/import": does("importProfile", file="file"),
    "/dice/forget": does("forgetDice", profiles="profiles", sure=NOT_NEEDED),
    "/dice/loose": does("learnLooseDice", photo="photo"),
    "/dice/loose/<upload_id>": does(
        "learnLooseDice",
        name="name",
        color="dice",
        value="dice",
        place=NOT_NEEDED,
        keep="keep",
        keep_asked=NOT_NEEDED,
    ),
    "/cards": does("findCards", photo="photo"),
    "/cards/photo/<upload_id>": does("learnCards", corners="cards", name="cards"),
    "/cards/forget": does("forgetCard", "bringBackCard", "forgetCards", name=IN_ADDRESS, do=IN_ADDRESS),
    "/w/<record_id>/card": does("addWindow", "changeReading", "checkSpaces", **_DRAWN),
    "/house/pin": does("becomeAdministrator", pin="pin"),
    "/windows/sets": does("setUpHouse", set="window_sets"),
    "/cards/tools": does(
        "addTool",
        "deleteTool",
        name="name",
        color="color",
        effect="effect",
        lift="lifts",
        remove=IN_ADDRESS,
    ),
    "/house/keep": does("setUpHouse", days="keep_days"),
    "/house/leave": does("leaveAdministrator"),
    "/house/new-pin": does("renewPin"),
    "/house/undo": does("undoDeeds", deed="deed", device="device", since="since"),
    "/house/games/<code>": does("becomeHost", "deleteAnyGame", do=IN_ADDRESS),
    "/join-address": does("chooseAddress", address="address", path=NOT_NEEDED),
}

PAGES: dict[str, tuple[str, ...]] = {
    "/": ("listReadings", "listGames", "listSamples", "getAddress"),
    "/samples/<name>": ("listSamples",),
    "/w/<record_id>": ("getReading", "listCards"),
    "/w/<record_id>/learn": ("getReading",),
    "/w/<record_id>/photo.jpg": ("getReading",),
    "/w/<record_id>/window.svg": ("getReading",),
    "/w/<record_id>/place": ("askPlacement",),
    "/place": ("listReadings",),
    "/t/<photo_id>": ("getTablePhoto",),
    "/t/<photo_id>/photo.jpg": ("getTablePhoto",),
    "/g/<code>": ("getGame",),
    "/g/<code>/seat": ("getGame",),
    "/g/<code>/join": ("getGame",),
    "/g/<code>/seats/<int:number>/photo": ("getGame",),
    "/g/<code>/reveal": ("getGame",),
    "/g/<code>/windows/<int:number>.svg": ("getGame",),
    "/g/<code>/windows/<int:number>/photo.jpg": ("getGame",),
    "/g/<code>/export.<any(json, csv):kind>": ("getPlayedGame",),
    "/players/<player>/picture.jpg": ("listPlayers",),
    "/windows": ("listWindows",),
    "/windows/new": ("listWindows",),
    "/windows/own/<window:name>": ("getWindow",),
    "/windows/export.json": ("exportWindows",),
    "/w/<record_id>/card": ("getReading",),
    "/w/<record_id>/card/photo": ("getReading",),
    "/dice": ("listProfiles",),
    "/dice/of/<profile>/file.json": ("exportProfile",),
    "/dice/loose/<upload_id>": ("getUpload",),
    "/dice/loose/<upload_id>/photo.jpg": ("getUpload",),
    "/cards": ("listTaughtCards",),
    "/cards/<name>.jpg": ("listTaughtCards",),
    "/cards/photo/<upload_id>": ("getUpload",),
    "/cards/photo/<upload_id>.jpg": ("getUpload",),
    "/https": ("getAddress",),
    "/house": ("getHouse", "listDeeds", "listAllGames"),
    "/history": ("listHistory",),
    "/history/export.<any(json, csv):kind>": ("listHistory",),
    "/history/player": ("getPlayerHistory",),
}

NOTHING_TO_SAY = {
    "/static/<path:filename>",
    "/ready",
    "/api/v1/",
    "/manifest.webmanifest",
    "/https/sagrada-companion.crt",
    "/rules",
    "/sheet.svg",
    "/sheet.pdf",
}
"""What is only for people: scripts, styles, a certificate, rules, a sheet to print, what the page keeps."""


class Forms(HTMLParser):
    """The forms of a page that are sent with POST: where to, and the names of their fields."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, set[str]]] = []
        self._by_id: dict[str, set[str]] = {}
        self._open: set[str] | None = None
        self._elsewhere: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, or a field with a name."""
        told = dict(attrs)
        if tag == "form":
            self._open = set()
            self._by_id[told.get("id") or ""] = self._open
            if (told.get("method") or "get").lower() == "post":
                self.found.append((told.get("action") or "", self._open))
        name = told.get("name")
        if tag in {"input", "select", "textarea", "button"} and name:
            if told.get("form"):
                self._elsewhere.append((told["form"] or "", name))
            elif self._open is not None:
                self._open.add(name)

    def handle_endtag(self, tag: str) -> None:
        """Leave a form."""
        if tag == "form":
            self._open = None

    def close(self) -> None:
        """Give the fields that stand outside of their form to it."""
        super().close()
        for form, name in self._elsewhere:
            self._by_id[form].add(name)


def rules_of_pages(app: Flask, method: str) -> set[str]:
    """Return the rules of all routes outside of the interface that take a method."""
    return {
        rule.rule
        for rule in app.url_map.iter_rules()
        if not rule.rule.startswith("/api/v1") and method in (rule.methods or set())
    } - NOTHING_TO_SAY


def called(name: str) -> Action:
    """Return the action of the interface with a name."""
    return next(action for action in actions() if action.name == name)


def keys(schema: dict[str, Any]) -> set[str]:
    """Return the keys that are sent, those within another with a dot."""
    if "$ref" in schema:
        return keys(document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    told: dict[str, Any] = schema.get("properties", {})
    return {f"{key}{end}" for key, one in told.items() for end in ("", *(f".{sub}" for sub in keys(one)))}


def test_every_form_has_its_action(app: Flask) -> None:
    """Whoever adds a form to a page says here which action of the interface does the same."""
    assert set(FORMS) == rules_of_pages(app, "POST")
    for told in FORMS.values():
        taken = {key for name in told.actions for one in sent_to(called(name)).values() for key in keys(one)}
        asked = {key for name in told.actions for key in called(name).query}
        assert set(told.fields.values()) - {IN_ADDRESS, NOT_NEEDED} <= taken | asked


def test_every_page_has_its_action(app: Flask) -> None:
    """Whoever adds a page says here where a program finds what it shows."""
    assert set(PAGES) == rules_of_pages(app, "GET")
    for names in PAGES.values():
        assert all(called(name).method == "get" for name in names)


def test_every_field_of_every_form_is_known_to_the_interface(
    app: Flask, client: FlaskClient, reader: SayingReader, table_reader: SayingTable
) -> None:
    """All forms that the pages show lead to a route of the table above and send only fields named there."""
    sent: dict[str, set[str]] = {}
    table_reader.answer = table_of(
        *two_windows(),
        third(),
        dice=[loose("R2", doubtful=True, others=["R3"])],
        cards=[card_at(THREE[0], doubtful=True)],
    )
    for page in pages(app, client, reader):
        forms = Forms()
        forms.feed(page)
        forms.close()
        for address, fields in forms.found:
            sent.setdefault(rule_of(app, address).rule, set()).update(fields)
    assert set(sent) == set(FORMS)
    for rule, fields in sent.items():
        assert fields <= set(FORMS[rule].fields), rule


def rule_of(app: Flask, address: str) -> Rule:
    """Return the route that a form is sent to."""
    path = address.partition("?")[0]
    found, _ = app.url_map.bind("localhost").match(path, "POST", return_rule=True)
    return found


def pages(app: Flask, client: FlaskClient, reader: SayingReader) -> Iterator[str]:
    """Return the pages on which all forms are to be found."""
    found = [LocalAddress(ip, "eth") for text in ("192.168.1.5", "10.0.0.7") if (ip := plain_ip(text))]
    reach = addresses.Reach(find=lambda: tuple(found), ask=lambda _: reach.token)
    reach.listen("0.0.0.0", 8000)
    app.extensions[addresses.KEY] = reach

    def page(who: FlaskClient, address: str) -> str:
        answer = who.get(address)
        assert answer.status_code == 200, address
        return answer.get_data(as_text=True)

    window = client.post("/by-hand").location
    yield page(client, "/")
    yield page(client, "/place")
    yield page(client, window)
    yield page(client, f"{window}/place?die=R1&die=B2&pick=R1&tool=Lathekin")
    good, reader.answer = (
        reader.answer,
        BoardNotFoundError("board_not_found", sentence("No window."), sentence("From above.")),
    )
    sent = client.post("/readings", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    yield page(client, sent.location)
    reader.answer = good

    client.post("/api/v1/windows", json={"name": "Ours", "pattern": " / ".join(["....."] * 4)})
    for address in ("/windows", "/windows/new", "/windows/own/Ours", f"{window}/card"):
        yield page(client, address)

    client.post("/api/v1/dice", json={"file": str(profile_of())})
    yield page(client, "/dice")
    loose_dice = {"photo": (BytesIO(LOOSE.read_bytes()), "a.jpg")}
    yield page(client, client.post("/dice/loose", data=loose_dice).location)
    read = upload(client, plain_photo())["id"]
    with app.app_context():
        learned = WindowLesson(
            "2026-11-20T19:30:00+00:00", How.WINDOW, came=Lesson("Ours", True, Quality(9, 5, 9))
        )
        change_lesson(context.store().folder(read), lambda _: learned)
    with patch.object(lessons, "can_undo", lambda _: True):
        yield page(client, f"/w/{read}")

    shown = {"photo": (BytesIO(file_of(side_by_side())), "a.jpg")}
    yield page(client, client.post("/cards", data=shown).location)
    with app.app_context():
        context.card_store().keep(taught()[:1])
    yield page(client, "/cards")

    for purpose in ("score", "place"):
        yield page(client, f"/t/{read_table(client, purpose)['id']}")
    pool = {"purpose": "pool", "target": window.split("/")[2]}
    yield page(client, f"/t/{read_table(client, **pool)['id']}")
    host, guest, alone = Device(app.test_client()), Device(app.test_client()), Device(app.test_client())
    host.start()
    yield page(app.test_client(), f"/g/{host.code}")
    guest.join(host.code, "Ben")
    host.cards(public=THREE, tools=["Lathekin"])
    host.player(private="R", favor_tokens=3)
    host.client.put(f"{host.address}/players/1/picture", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    host.client.post(f"{host.address}/players/1/uses", json={"tool": "Lathekin"})
    yield page(host.client, f"/g/{host.code}")
    yield page(host.client, f"/g/{host.code}?ask=deal&tools=3")
    yield page(host.client, f"/g/{host.code}?ask=cards")
    yield page(guest.client, f"/g/{host.code}")
    host.client.post(f"{host.address}/players/deal", json={"windows": True, "privates": True})
    host.client.post(f"{host.address}/round", json={"move": "start"})
    yield page(host.client, f"/g/{host.code}")
    yield page(host.client, f"/t/{read_table(host.client, 'seats', host.code)['id']}")
    host.reveal(anyway=True)
    yield page(host.client, f"/g/{host.code}/reveal")
    yield page(host.client, "/history")
    yield page(host.client, "/house?device=127.0.0.1")
    phone = app.test_client()
    phone.environ_base["REMOTE_ADDR"] = "192.168.1.77"
    yield page(phone, "/house")
    pin = Administrator(app.config["SAGRADA_DATA"] / ADMINISTRATOR).pin()
    phone.post("/house/pin", data={"pin": pin})
    yield page(phone, "/house")
    yield page(guest.client, f"/g/{host.code}/seat")
    host.client.delete(f"{host.address}/reveal")
    yield page(host.client, f"/g/{host.code}")
    alone.start(solo=True)
    yield page(alone.client, f"/g/{alone.code}")
    yield page(alone.client, f"/t/{read_table(alone.client, 'track', alone.code)['id']}")
