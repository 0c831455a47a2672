"""The window cards on the pages and as JSON: drawing, keeping, changing and deleting one's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from html import unescape
from io import BytesIO
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring import WINDOW_PATTERNS
from scoring.patterns.collection import CustomWindows
from scoring.patterns.custom import custom_window
from tests.readings import reading_of
from tests.webapp.commands import card
from tests.webapp.conftest import CARDS, NOT_FOUND, SayingReader, upload
from vision.reading import WindowGuess
from webapp.domain.record import CERTAIN, Choices, Record
from webapp.services import context
from webapp.storage.database import ReadingRow
from webapp.storage.own_cards import WindowStore
from webapp.storage.readings import ReadingStore

pytestmark = pytest.mark.usefixtures("administrator")
CORNERS = "R...B / ..... / ..... / 1...6"
EMPTY = "-- -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"
ODD_NAME = "A/B ? ../C"
FILE_WAY = '<details class="file-way">'
UNKNOWN_CARD = reading_of(
    "R1 -- -- -- -- / -- -- B2 -- -- / -- -- -- -- -- / -- -- -- -- --",
    pattern="?R..5 / G.?.B / .4.P. / 1...Y",
    unclear_prints=["C4"],
)

AT_CORNERS = {"corners": [[100, 100], [600, 100], [600, 500], [100, 500]]}


def drawn(name: str, pattern: str = CORNERS, difficulty: str = "", **more: str) -> dict[str, Any]:
    """Return the form of the editor."""
    return {"name": name, "space": list(pattern.replace(" / ", "")), "difficulty": difficulty, **more}


def text_of(client: FlaskClient, address: str, language: str = "en") -> str:
    """Return the text of a page."""
    answer = client.get(address, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


def spaces_of(page: str) -> str:
    """Return the signs that the plain selects of the editor show."""
    return "".join(re.findall(r'<option value="(.)" selected>', page))


def doubts_of(page: str) -> list[str]:
    """Return the spaces that the editor marks."""
    return re.findall(r'name="doubt" value="(\w\d)"', page)


def own(name: str) -> str:
    """Return the address of a window of one's own."""
    return f"/windows/own/{quote(name, safe='')}"


def saved(app: Flask, record_id: str) -> Record:
    """Return a reading as it is stored."""
    with app.app_context():
        return context.store().load(record_id)


def test_the_list_draws_every_card_and_marks_the_custom_ones(client: FlaskClient, store: WindowStore) -> None:
    """All cards are drawn with their spaces in words; one's own stand apart, also one hidden by a card."""
    hidden = replace(custom_window("Mine", CORNERS), name="Firmitas")
    store.path.write_text(str(CustomWindows((hidden,))))
    store.add(custom_window("Twins", "RR... / ..... / ..... / ....."))
    page = text_of(client, "/windows")
    assert page.count('class="card-drawing"') == len(CARDS) + 1
    for window in WINDOW_PATTERNS.values():
        assert f"<span>{window.name}</span>" in page
    assert "A: red, red, any die, any die, any die; B:" in page
    assert page.count('class="own-sign"') == 1
    assert "A1, A2 lie side by side and both need red" in page
    assert "Its difficulty is not known." in page
    assert "Your window Firmitas is not used" in page
    assert client.post(own("Firmitas"), data=drawn("Mine")).status_code == 303
    assert store.known()["Mine"].custom


def test_a_drawn_window_is_kept_and_can_be_chosen(
    client: FlaskClient, store: WindowStore, made: dict[str, Any]
) -> None:
    """The plain form adds a window that stands in the list of cards of a reading then."""
    answer = client.post("/windows/new", data=drawn(" Four  Corners ", difficulty="3"))
    assert (answer.status_code, answer.location) == (303, "/windows?done=added")
    assert store.load().windows == (custom_window("Four Corners", CORNERS, 3),)
    assert "Added." in text_of(client, answer.location)
    assert 'value="Four Corners"' in text_of(client, f"/w/{made['id']}")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "A name is missing."),
        ("x" * 41, "has at most 40 characters"),
        ("Firmitas", "already the name of a card of the game"),
        ("auto", "means something else"),
        ("Two\x07tones", "holds a sign that cannot be seen"),
    ],
)
def test_a_refused_name_keeps_what_was_drawn(
    client: FlaskClient, store: WindowStore, name: str, told: str
) -> None:
    """A name that cannot be is told with its reason beside its field; what was drawn or typed stays."""
    answer = client.post("/windows/new", data=drawn(name, difficulty="5", doubt="B2"))
    page = unescape(answer.get_data(as_text=True))
    assert answer.status_code == 400
    assert told in page
    assert 'aria-invalid="true" aria-describedby="problem"' in page
    assert page.count('id="problem"') == 1
    assert spaces_of(page) == CORNERS.replace(" / ", "")
    assert doubts_of(page) == ["B2"]
    assert 'value="5" checked' in page
    assert store.load().windows == ()


def test_a_window_is_checked_when_somebody_asks(client: FlaskClient, store: WindowStore) -> None:
    """What is odd about it is told then and not before, to programs too, and nothing is kept."""
    notice = "Nothing is printed on it"
    assert notice not in text_of(client, "/windows/new")
    assert notice in client.post("/windows/new", data=drawn("", "." * 20, check="yes")).get_data(as_text=True)
    form = drawn("", str(WINDOW_PATTERNS["Firmitas"]), check="yes")
    page = unescape(client.post("/windows/new", data=form).get_data(as_text=True))
    assert "It has the same spaces as Firmitas." in page
    assert spaces_of(page) == str(WINDOW_PATTERNS["Firmitas"]).replace(" / ", "")
    assert store.load().windows == ()
    store.add(custom_window("Late", CORNERS))
    for name, told in (({}, ["It has the same spaces as Late."]), ({"name": "Late"}, [])):
        checked = client.post("/windows/check", json={"pattern": CORNERS, **name}).get_json()
        assert checked["notices"] == told  # compared with itself by name it is not its own double


@pytest.mark.parametrize(
    "form",
    [
        {"name": "x", "space": ["."] * 19},
        {"name": "x", "space": ["."] * 19 + ["RR"]},
        {"name": "x", "space": ["7"] * 20},
        drawn("x", difficulty="7"),
        {"name": "x", "check": "yes"},
    ],
)
def test_a_form_that_no_editor_sends_is_refused(
    client: FlaskClient, store: WindowStore, form: dict[str, Any]
) -> None:
    """Too few spaces, signs that are none and a seventh level are refused, and nothing is kept."""
    assert client.post("/windows/new", data=form).status_code == 400
    assert store.load().windows == ()


def test_a_window_with_any_name_can_be_changed(client: FlaskClient, store: WindowStore) -> None:
    """Signs that mean something in an address do not hide a window, and what the form lacks stays."""
    store.add(
        custom_window(ODD_NAME, CORNERS, 3, other_side="Back", names=[("fr", "Tout autre")]),
        custom_window("Back", "2.... / ..... / ..... / ....3"),
    )
    link = own(ODD_NAME)
    assert f'href="{link}"' in text_of(client, "/windows")
    page = text_of(client, link)
    assert spaces_of(page) == CORNERS.replace(" / ", "")
    assert client.post(link, data=drawn("Plain", "G.... / ..... / ..... / ....5")).status_code == 303
    window = store.find("Plain")
    assert (str(window), window.difficulty) == ("G.... / ..... / ..... / ....5", None)
    assert (window.other_side, window.names) == ("Back", (("fr", "Tout autre"),))
    assert client.get(link).status_code == 404


def test_readings_go_along_when_their_window_gets_another_name(
    app: Flask, client: FlaskClient, store: WindowStore, reader: SayingReader, photo: bytes
) -> None:
    """Chosen by hand or recognized, the card of a reading stays the same window; others stay as they are."""
    store.add(custom_window('Old "100%" é', CORNERS), custom_window("Other", "2...B / ..... / ..... / 1...6"))
    by_hand, other = upload(client, photo), upload(client, photo)
    for state, name in ((by_hand, 'Old "100%" é'), (other, "Other")):
        change = {"revision": state["revision"], "window": name}
        client.post(f"/w/{state['id']}", json=change)
    reader.answer = reading_of(EMPTY, window='Old "100%" é')
    recognized = upload(client, photo)
    assert card(recognized) == 'Old "100%" é'
    assert client.post(own('Old "100%" é'), data=drawn("New")).status_code == 303
    windows = [card(client.get(f"/w/{one['id']}.json").get_json()) for one in (by_hand, recognized)]
    assert windows == ["New", "New"]
    assert saved(app, other["id"]).choices.window == "Other"


def test_a_reading_that_goes_meanwhile_does_not_stop_a_new_name(
    app: Flask, client: FlaskClient, store: WindowStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When one of two readings is deleted just then, the other one goes along all the same."""
    store.add(custom_window("Old", CORNERS))
    with app.app_context():
        gone, stays = (context.store().create({}, choices=Choices(window="Old")) for _ in range(2))
    load_known = ReadingStore.load_known

    def just_then(self: ReadingStore, record_ids: Iterable[str]) -> list[Record]:
        found = load_known(self, record_ids)
        if gone in found:
            self.delete(gone.id)
        return sorted(found, key=lambda one: one.id != gone.id)

    monkeypatch.setattr(ReadingStore, "load_known", just_then)
    assert client.post(own("Old"), data=drawn("New")).status_code == 303
    assert saved(app, stays.id).choices.window == "New"


def was_of(page: str) -> str:
    """Return what the editor started from, as its form says it."""
    (was,) = re.findall(r'name="was" value="(.*?)"', page)
    return str(was)


def test_the_later_of_two_changes_is_told_of_the_first(client: FlaskClient, store: WindowStore) -> None:
    """It undoes nothing: it sees the newest window and its own drawing, and may then save knowingly."""
    store.add(custom_window("Ours", CORNERS, 3))
    first, second = (was_of(text_of(client, own("Ours"))) for _ in range(2))
    mine, yours = "RY..B / ..... / ..... / 1...6", "R...B / ..... / ..... / 12..6"
    assert client.post(own("Ours"), data=drawn("Ours", mine, "3", was=first)).status_code == 303
    checked = client.post(own("Ours"), data=drawn("Ours", yours, "5", was=second, check="yes"))
    assert was_of(unescape(checked.get_data(as_text=True))) == second
    answer = client.post(own("Ours"), data=drawn("Ours", yours, "5", was=second))
    page = unescape(answer.get_data(as_text=True))
    assert answer.status_code == 409
    assert 'data-code="conflict"' in page
    assert "A: red, yellow, any die, any die, blue" in page
    assert spaces_of(page) == yours.replace(" / ", "")
    assert 'value="5" checked' in page
    assert store.load().windows == (custom_window("Ours", mine, 3),)
    again = client.post(own("Ours"), data=drawn("Ours", yours, "5", was=was_of(page)))
    assert again.status_code == 303
    assert store.load().windows == (custom_window("Ours", yours, 5),)


@pytest.mark.parametrize("form", [drawn("Late"), {"delete": "yes", "sure": "yes"}], ids=["change", "delete"])
def test_a_window_that_goes_at_that_moment_is_missing(
    client: FlaskClient, store: WindowStore, monkeypatch: pytest.MonkeyPatch, form: dict[str, Any]
) -> None:
    """Whoever changes or deletes what another one deletes just then learns that it is not there."""
    store.add(custom_window("Late", CORNERS), custom_window("Other", "2...B / ..... / ..... / 1...6"))
    change = WindowStore.change

    def late(self: WindowStore, how: Callable[[CustomWindows], CustomWindows]) -> object:
        monkeypatch.setattr(WindowStore, "change", change)
        store.remove("Late")
        return change(self, how)

    monkeypatch.setattr(WindowStore, "change", late)
    answer = client.post(own("Late"), data=form)
    assert answer.status_code == 404
    assert "This does not exist (any more)." in answer.get_data(as_text=True)
    assert [window.name for window in store.load().windows] == ["Other"]


def test_a_window_is_deleted_only_when_the_box_is_checked(client: FlaskClient, store: WindowStore) -> None:
    """Without the check mark nothing happens; with it the window goes, and the list says so."""
    store.add(custom_window("Late", CORNERS))
    answer = client.post(own("Late"), data={"delete": "yes"})
    assert answer.status_code == 400
    assert "Nothing was deleted." in answer.get_data(as_text=True)
    assert len(store.load().windows) == 1
    answer = client.post(own("Late"), data={"delete": "yes", "sure": "yes"})
    assert "Deleted." in text_of(client, answer.location)
    assert store.load().windows == ()


def test_an_unknown_card_can_be_kept_and_is_chosen_then(
    app: Flask, client: FlaskClient, store: WindowStore, reader: SayingReader, photo: bytes
) -> None:
    """A reading offers its card as it lies, with marks where it was not read; keeping chooses it."""
    reader.answer = UNKNOWN_CARD
    state = upload(client, photo)
    link = f"/w/{state['id']}/card"
    assert f'href="{link}"' in text_of(client, f"/w/{state['id']}")
    page = text_of(client, link)
    assert spaces_of(page) == ".R..5G...B.4.P.1...Y"
    assert doubts_of(page) == ["A1", "B3", "C4"]
    assert "3 things need a look" in page
    client.post(f"/w/{state['id']}/turn", json={"revision": state["revision"]})
    turned = text_of(client, link)
    assert (spaces_of(turned), doubts_of(turned)) == ("Y...1.P.4.B...G5..R.", ["B2", "C3", "D5"])
    form = drawn("Mine", ".R..5 / G...B / .4.P. / 1...Y", "4", only_the_card="yes")
    answer = client.post(link, data=form)  # which has no say in that the reading goes
    assert answer.location == f"/w/{state['id']}"
    assert saved(app, state["id"]).choices.window == "Mine"
    assert str(store.find("Mine")) == ".R..5 / G...B / .4.P. / 1...Y"
    assert "/card" not in text_of(client, f"/w/{state['id']}")


def send_card(client: FlaskClient, photo: bytes) -> str:
    """Send the photo of a card with the plain form of the list and return where it leads."""
    answer = client.post("/windows/photo", data={"photo": (BytesIO(photo), "a.jpg")})
    assert answer.status_code == 303
    return str(answer.location)


@pytest.mark.parametrize("board", [EMPTY, "R1 " + EMPTY[3:]], ids=["empty", "with a die"])
def test_the_photo_of_a_card_goes_when_its_window_is_kept(
    client: FlaskClient, store: WindowStore, reader: SayingReader, photo: bytes, board: str
) -> None:
    """A photo taken only for the card is none of the last windows, leads to the editor, and is not kept."""
    reader.answer = reading_of(board, pattern=CORNERS)
    assert 'name="only_the_card" value="yes"' in text_of(client, "/windows")
    place = send_card(client, photo)
    send_card_by_script(client, photo)
    assert client.get("/.json").get_json()["readings"] == []
    page = text_of(client, place)
    assert spaces_of(page) == CORNERS.replace(" / ", "")
    assert "photo.jpg" in page
    reading = place.removesuffix("/card/photo")
    answer = client.post(f"{reading}/card", data=drawn("Mine"))
    assert answer.location == "/windows?done=added"
    assert client.get(reading).status_code == 404
    assert len(store.load().windows) == 1


def send_card_by_script(client: FlaskClient, photo: bytes) -> dict[str, Any]:
    """Send the photo of a card as the script of the list does and return what is read."""
    form = {"photo": (BytesIO(photo), "a.jpg"), "only_the_card": "yes"}
    answer = client.post("/readings.json", data=form)
    assert answer.status_code == 201
    told: dict[str, Any] = answer.get_json()
    return told


def test_a_card_that_was_left_goes_after_a_day(
    app: Flask, client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """The next start and the next card remove it; one that somebody plays on by now stays, as windows do."""
    reader.answer = UNKNOWN_CARD
    window = upload(client, photo)
    left, by_hand, played = (send_card_by_script(client, photo) for _ in range(3))
    client.post(f"/w/{by_hand['id']}/by-hand")
    change = {"revision": played["revision"], "cells": {"A1": "G3"}}
    client.post(f"/w/{played['id']}", json=change)

    def there() -> list[str]:
        with app.app_context():
            ids = [one["id"] for one in (window, left, by_hand, played)]
            return [record.id for record in context.store().load_known(ids)]

    with app.app_context():
        context.store().clean_up()
    assert left["id"] in there()
    with app.app_context(), context.kept().database.begin() as session:
        for row in session.query(ReadingRow):
            row.created = row.created.replace(year=2020)
    send_card_by_script(client, photo)
    assert there() == [window["id"], by_hand["id"], played["id"]]
    assert client.get(f"/w/{left['id']}/photo.jpg").status_code == 404


def test_an_unread_card_stays_a_card(client: FlaskClient, reader: SayingReader, photo: bytes) -> None:
    """It leads back to the cards, from the corners to the editor, also when deleted; a window does not."""
    reader.answer = NOT_FOUND
    place = send_card(client, photo)
    assert client.get(place).location == place.removesuffix("/card/photo")
    assert client.post(place.replace("card/photo", "delete")).location == "/windows"
    record_id = send_card_by_script(client, photo)["id"]
    page = text_of(client, f"/w/{record_id}")
    assert '<a class="button primary" href="/windows">' in page
    assert f'data-next="/w/{record_id}/card/photo"' in page
    assert "Enter the dice by hand" not in page
    unread = f"/w/{upload(client, photo)['id']}"
    window = text_of(client, unread)
    assert '<a class="button primary" href="/">' in window
    assert "data-next" not in window
    assert "Enter the dice by hand" in window
    assert client.post(f"{unread}/delete").location == "/"
    reader.answer = reading_of(EMPTY, pattern=CORNERS)
    client.post(f"/w/{record_id}/corners", json=AT_CORNERS)
    answer = client.post(f"/w/{record_id}/card", data=drawn("Mine"))
    assert answer.location == "/windows?done=added"
    assert client.get(f"/w/{record_id}").status_code == 404


def test_the_file_of_the_windows_goes_out_and_in(client: FlaskClient, store: WindowStore) -> None:
    """The page exports what the command line exports, and takes it in again, all or none."""
    mine = CustomWindows().add(
        custom_window("Late", CORNERS, 4), custom_window("Early", "1.... / " * 3 + ".....")
    )
    store.merge(mine)
    answer = client.get("/windows/export.json")
    assert CustomWindows.parse(answer.get_data(as_text=True)) == mine
    assert "attachment" in answer.headers["Content-Disposition"]
    store.remove("Early")
    late = custom_window("Late", "5.... / ..... / ..... / .....")
    store.replace("Late", late)

    def send(**more: str) -> Any:  # noqa: ANN401
        content = {"file": (BytesIO(str(mine).encode()), "mine.json"), **more}
        return client.post("/windows/import", data=content)

    refused = send()
    assert refused.status_code == 400
    assert "There is already another window called" in refused.get_data(as_text=True)
    assert store.load().windows == (late,)
    assert "Added." in text_of(client, send(replace="yes").location)
    assert set(store.load().windows) == set(mine.windows)
    assert "were there already" in text_of(client, send().location)


@pytest.mark.parametrize(
    ("content", "name", "status"), [(b"", "", 400), (b"", "a.jpg", 422), (b"text", "a.jpg", 422)]
)
def test_what_is_no_photo_of_a_card_is_refused(
    client: FlaskClient, content: bytes, name: str, status: int
) -> None:
    """What is no photo is told on the list."""
    answer = client.post("/windows/photo", data={"photo": (BytesIO(content), name)})
    assert answer.status_code == status
    assert FILE_WAY in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("content", "status"), [(b"", 400), (b"{}", 400), (b"\xff\xfe", 400), (b" " * 101, 413)]
)
def test_a_file_that_is_none_is_refused(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, content: bytes, status: int
) -> None:
    """An empty file, one of another kind and one that is too large are told on the list."""
    monkeypatch.setattr("webapp.views.windows.LONGEST_FILE", 100)
    answer = client.post("/windows/import", data={"file": (BytesIO(content), "x.json")})
    assert answer.status_code == status
    assert 'class="notice bad"' in answer.get_data(as_text=True)
    assert FILE_WAY.replace(">", " open>") in answer.get_data(as_text=True)


def test_a_damaged_file_is_told_and_left_alone(client: FlaskClient, store: WindowStore) -> None:
    """When the file cannot be understood the pages say so, nothing is written, and no path is told."""
    store.path.write_text("{")
    mine = {"file": (BytesIO(str(CustomWindows()).encode()), "mine.json")}
    refused = client.post("/windows/new", data=drawn("Mine"))
    assert (refused.status_code, "aria-invalid" in refused.get_data(as_text=True)) == (503, False)
    assert client.post("/windows/import", data=mine).status_code == 503
    for answer in (
        client.get("/windows"),
        client.post("/windows/new", data=drawn("Mine")),
        client.get("/windows/export.json"),
        client.get(own("Mine")),
    ):
        page = answer.get_data(as_text=True)
        assert "cannot be used." in page
        assert str(store.path) not in page
    assert store.path.read_text() == "{"


def test_windows_as_json(client: FlaskClient, store: WindowStore) -> None:
    """What the form sends may be sent as JSON, and the list of windows is answered."""
    told = {"name": ODD_NAME, "pattern": CORNERS, "difficulty": 3}
    answer = client.post("/windows/new", json=told)
    assert answer.status_code == 201
    listed = answer.get_json()["windows"]
    assert (len(listed), listed[-1]["name"], listed[-1]["custom"]) == (len(CARDS) + 1, ODD_NAME, True)
    refused = client.post("/windows/new", json=told)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (400, "name_taken")
    refused = client.post("/windows/new", json={"name": "x", "pattern": "R"})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (400, "wrong_number_of_rows")
    changed = client.post(own(ODD_NAME), json={**told, "difficulty": 4}).get_json()["windows"]
    assert changed[-1]["difficulty"] == 4
    assert client.post(own(ODD_NAME), json={"delete": True, "sure": True}).status_code == 200
    assert store.load().windows == ()


# --- The card comes along to the next photo ----------------------------------------------------------


@pytest.fixture
def on_firmitas(client: FlaskClient, reader: SayingReader, photo: bytes) -> dict[str, Any]:
    """Return a reading whose card was not recognized and was chosen by hand."""
    reader.answer = UNKNOWN_CARD
    state = upload(client, photo)
    change = {"revision": state["revision"], "window": "Firmitas"}
    answer: dict[str, Any] = client.post(f"/w/{state['id']}", json=change).get_json()
    return answer


def next_photo(client: FlaskClient, photo: bytes, before: dict[str, Any]) -> Any:  # noqa: ANN401
    """Send another photo of the same window as the page for placing does."""
    form = {"photo": (BytesIO(photo), "a.jpg"), "card_of": before["id"]}
    answer = client.post("/readings.json", data=form)
    assert answer.status_code == 201
    return answer.get_json()


def test_the_chosen_card_comes_along_to_the_next_photo(
    client: FlaskClient, photo: bytes, on_firmitas: dict[str, Any]
) -> None:
    """The way to the placement page offers the card of the last photo; only with that mark it is kept."""
    page = text_of(client, "/place")
    assert f'name="target" value="{on_firmitas["id"]}" checked' in page
    assert "Still on the card Firmitas" in page
    assert upload(client, photo)["choices"]["window"] == "auto"
    assert next_photo(client, photo, {"id": "../../etc/passwd"})["choices"]["window"] == "auto"
    after = next_photo(client, photo, on_firmitas)
    assert (card(after), after["choices"]["window"]) == ("Firmitas", "Firmitas")
    form = {"photo": (BytesIO(photo), "a.jpg"), "target": on_firmitas["id"]}
    plain = client.post("/place", data=form).location.split("/")[2]
    assert card(client.get(f"/w/{plain}.json").get_json()) == "Firmitas"


@pytest.mark.parametrize(("sure", "kept"), [(CERTAIN, False), (CERTAIN - 0.01, True)])
def test_a_photo_that_shows_another_card_with_certainty_counts_more(
    client: FlaskClient,
    reader: SayingReader,
    photo: bytes,
    on_firmitas: dict[str, Any],
    sure: float,
    *,
    kept: bool,
) -> None:
    """A certain reading of the card takes its place and the page says so; a less certain one does not."""
    reader.answer = replace(UNKNOWN_CARD, window=WindowGuess("Virtus", sure))
    after = next_photo(client, photo, on_firmitas)
    assert card(after) == ("Firmitas" if kept else "Virtus")
    said = "This photo shows another card than Firmitas, which was chosen for the photo before."
    for page in (f"/w/{after['id']}", f"/w/{after['id']}/place"):
        assert (said in text_of(client, page)) != kept
    change = {"revision": after["revision"], "window": "Firmitas"}
    client.post(f"/w/{after['id']}", json=change)
    assert said not in text_of(client, f"/w/{after['id']}")
    answer, reader.answer = reader.answer, NOT_FOUND  # a photo that is rescued with corners
    unread = next_photo(client, photo, on_firmitas)
    reader.answer = answer
    told = client.post(f"/w/{unread['id']}/corners", json=AT_CORNERS).get_json()
    assert card(told) == ("Firmitas" if kept else "Virtus")


def test_an_old_window_offers_no_card(app: Flask, client: FlaskClient) -> None:
    """The card of yesterday's game is not offered for a photo of today."""
    with app.app_context():
        record = context.store().create({}, choices=Choices(window="Firmitas"))
    client.set_cookie("recent", record.id)
    assert "Still on the card" in text_of(client, "/place")
    with app.app_context(), context.kept().database.begin() as session:
        row = session.get_one(ReadingRow, record.id)
        row.created = row.created.replace(year=2020)
    assert "Still on the card" not in text_of(client, "/place")


def test_the_card_of_a_player_comes_along_at_the_table(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """A player's next photo keeps the card that was chosen by hand, unless it shows another one."""
    game = client.post("/games", json={"name": "Ada", "solo": True}).get_json()
    address = f"/g/{game['code']}/seats/1/photo"

    def send() -> str:
        place = client.post(address, data={"photo": (BytesIO(photo), "a.jpg")}).location
        return str(place).removeprefix("/w/")

    reader.answer = UNKNOWN_CARD
    first = client.get(f"/w/{send()}.json").get_json()
    change = {"revision": first["revision"], "window": "Firmitas", "private": "R"}
    client.post(f"/w/{first['id']}", json=change)
    second = client.get(f"/w/{send()}.json").get_json()
    assert (card(second), second["choices"]["private"]) == ("Firmitas", "R")
    reader.answer = replace(UNKNOWN_CARD, window=WindowGuess("Virtus", 0.99))
    third = client.get(f"/w/{send()}.json").get_json()
    assert (card(third), third["choices"]["private"]) == ("Virtus", "R")
    assert "another card than Firmitas" in text_of(client, f"/w/{third['id']}")
