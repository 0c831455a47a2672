"""The page of the dice of one's own, and learning them beside a window, without a script."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from scoring import Color
from tests.profiles import SayingLearner, outdated, profile_of, sample_of
from tests.readings import reading_of, table_of
from tests.webapp.conftest import SayingReader, SayingTable, read_table, two_windows, upload
from vision.profile import How
from webapp.cli.terminal import table_text
from webapp.storage.profiles import ProfileStore
from webapp.views import dice as dice_pages

NAME = "Grandma's table"
LOOSE = Path(__file__).parents[2] / "sample_images" / "loose_dice.jpg"


def text_of(answer: Any) -> str:  # noqa: ANN401
    """Return the words of a page on one line."""
    page = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", answer.get_data(as_text=True), flags=re.DOTALL)
    return " ".join(unescape(page).split())


def unknown(client: FlaskClient, reader: SayingReader, photo: bytes) -> dict[str, Any]:
    """Return the state of a window whose dice the reader does not know."""
    reader.answer = reading_of(doubtful=["A1", "A3"], unlike_dice=True)
    return upload(client, photo)


def learn(client: FlaskClient, state: dict[str, Any], **form: str) -> Any:  # noqa: ANN401
    """Send the form beside a window."""
    told = {"revision": str(state["revision"]), "name": NAME, **form}
    return client.post(f"/w/{state['id']}/learn", data=told)


def test_unknown_dice_are_learned_once_all_were_looked_at(
    client: FlaskClient,
    reader: SayingReader,
    photo: bytes,
    learner: SayingLearner,
    profile_store: ProfileStore,
) -> None:
    """Who says that all dice are right lets them be learned; a refusal stands there with what was typed."""
    state = unknown(client, reader, photo)
    assert state["unlike_dice"]
    page = client.get(f"/w/{state['id']}").get_data(as_text=True)
    assert 'href="#learn"' in page
    assert re.search(r'<details class="learn card" open>', page)
    refused = learn(client, state, keep="yes")
    assert (refused.status_code, "Some dice still need a look." in text_of(refused)) == (400, True)
    shown = refused.get_data(as_text=True)
    assert 'value="Grandma&#39;s table"' in shown
    assert re.search(r'name="keep" value="yes" checked', shown)
    assert 'id="board"' in shown
    again = client.get(f"/w/{state['id']}/learn")
    assert (again.status_code, again.location) == (303, f"/w/{state['id']}")
    assert profile_store.all() == ()
    reader.answer = replace(reading_of(doubtful=["A1"]), profile=NAME)
    answer = learn(client, state, all_right="yes", keep_asked="yes", keep="yes")
    assert answer.status_code == 303
    assert [one.name for one in reader.profiles] == [NAME]
    told = text_of(client.get(answer.location))
    assert "Read right: 14 of 14 dice, before: 5." in told
    assert f"Read as these dice: {NAME}" in told
    after = client.get(f"/w/{state['id']}.json").get_json()
    assert (after["profile"], after["unlike_dice"], after["board"]) == (NAME, False, state["board"])
    assert not any(cell["doubtful"] for cell in after["cells"])
    assert (profile_store.called(NAME).samples, profile_store.settings().keeps) == (1, True)
    assert learner.told == ((state["board"], reader.corners, How.WINDOW),)


def test_corrections_improve_what_dice_were_read_with(
    client: FlaskClient,
    reader: SayingReader,
    photo: bytes,
    learner: SayingLearner,
    profile_store: ProfileStore,
) -> None:
    """Where nobody agreed to pictures the form names the profile, and is open once a die was corrected."""
    profile_store.teach(NAME, sample_of(), keep=False)
    reader.answer = replace(reading_of(), profile=NAME)
    state = upload(client, photo)
    assert [one.name for one in reader.profiles] == [NAME]
    assert '<details class="learn card">' in client.get(f"/w/{state['id']}").get_data(as_text=True)
    change = {"revision": state["revision"], "cells": {"A1": "R6"}}
    state = client.post(f"/w/{state['id']}", json=change).get_json()
    page = client.get(f"/w/{state['id']}").get_data(as_text=True)
    assert '<details class="learn card" open>' in page
    assert "Teach this set" in page
    assert 'name="keep"' in page
    assert 'name="all_right"' not in page
    assert learn(client, state).status_code == 303
    assert learner.told[-1][::2] == (state["board"], How.CORRECTIONS)
    assert profile_store.called(NAME).samples == 0


def test_dice_that_are_not_learned_are_told_with_their_cells(
    client: FlaskClient,
    reader: SayingReader,
    photo: bytes,
    learner: SayingLearner,
    profile_store: ProfileStore,
) -> None:
    """Nothing is kept, and the page says so, and which dice look odd."""
    state = unknown(client, reader, photo)
    learner.adopted, learner.odd = False, ((0, 2), (0, 19))
    told = text_of(client.get(learn(client, state, all_right="yes").location))
    assert "These dice are not learned: 3 of 14 dice would be read right, and 5 are now." in told
    assert "These look like dice of another color: A3, D5." in told
    assert profile_store.all() == ()


def test_dice_that_somebody_changed_are_not_learned(
    client: FlaskClient, reader: SayingReader, photo: bytes, learner: SayingLearner
) -> None:
    """Who has not seen the newest dice does not teach them."""
    state = unknown(client, reader, photo)
    client.post(f"/w/{state['id']}", json={"revision": state["revision"], "cells": {"A1": "R6"}})
    refused = learn(client, state, all_right="yes")
    assert (refused.status_code, "R6" in refused.get_data(as_text=True)) == (409, True)
    assert learner.told == ()


def test_a_window_by_hand_offers_nothing_to_learn(client: FlaskClient) -> None:
    """Without a photo there are no dice to see."""
    address = client.post("/by-hand").location
    assert "learn" not in client.get(address).get_data(as_text=True)
    assert client.post(f"{address}/learn", data={"revision": "1", "name": NAME}).status_code == 400


@pytest.mark.parametrize(
    "asked", ["result=x", "result=learned&dice=x&before=1&after=1&odd=", "dice=1&odd=99"]
)
def test_an_address_that_tells_nothing_is_an_ordinary_page(client: FlaskClient, asked: str) -> None:
    """What stands behind the question mark and tells no result is left out."""
    assert client.get(f"/dice?{asked}").status_code == 200


@pytest.mark.usefixtures("administrator")
def test_dice_are_shown_and_changed(
    client: FlaskClient, profile_store: ProfileStore, learner: SayingLearner
) -> None:
    """The page shows colors, pips, photos and how well they are read; all that can be done works."""
    assert "Nothing yet." in text_of(client.get("/dice"))
    dyes = {**profile_of().dyes, Color.RED: replace(profile_of().dyes[Color.RED], dice=0)}
    key = profile_store.take_in(str(replace(profile_of(), dyes=dyes))).key
    page = client.get("/dice")
    held_back = "Read right: 14 of 14 dice."
    for told in (NAME, "dark pips", held_back, "Learned from 1 photo", "a window, 14 dice"):
        assert told in text_of(page)
    assert page.get_data(as_text=True).count('fill="#') >= 4 * 4
    assert 'aria-label="red: not learned"' in page.get_data(as_text=True)

    def change(**form: str) -> Any:  # noqa: ANN401
        return client.post(f"/dice/of/{key}", data=form)

    assert "Saved." in text_of(client.get(change(do="rename", name="Blue bag").location))
    assert "Saved." in text_of(client.get(change(do="default").location))
    assert profile_store.get(key).is_default
    assert change(do="undo").status_code == 400
    assert change(do="rename", name=" ").status_code == 400
    assert client.get(f"/dice/of/{key}/file.json").get_data(as_text=True) == str(
        profile_store.usable_called("Blue bag")
    )
    assert change(do="delete").status_code == 400
    assert change(do="delete", sure="yes").status_code == 303
    assert change(do="delete", sure="yes").status_code == 404
    profile_store.teach(NAME, sample_of())
    assert 'value="undo"' in client.get("/dice").get_data(as_text=True)
    assert client.post("/dice/of/grandma-s-table", data={"do": "undo"}).status_code == 303
    assert profile_store.all() == ()


@pytest.mark.parametrize("content", [b"{", b"", b"\xff", b'{"sagrada_profile": 99}', b"x" * 200_000])
def test_a_file_that_is_none_is_refused(
    client: FlaskClient, profile_store: ProfileStore, content: bytes
) -> None:
    """A broken, newer, too large or missing file is told and changes nothing; a good one is taken in."""
    answer = client.post("/dice/import", data={"file": (BytesIO(content), "a.json")})
    assert answer.status_code == (413 if len(content) > 100_000 else 400)
    assert 'role="alert"' in answer.get_data(as_text=True)
    assert profile_store.all() == ()
    file = {"file": (BytesIO(str(profile_of()).encode()), "a.json")}
    assert client.post("/dice/import", data=file).status_code == 303
    assert profile_store.usable_called(NAME) == profile_of()


def test_dice_of_an_earlier_version_are_to_be_learned_again(
    client: FlaskClient, profile_store: ProfileStore
) -> None:
    """The page does not say how well they are read, as no photo is read with them."""
    profile_store.take_in(str(outdated(profile_of())))
    page = text_of(client.get("/dice"))
    assert "An earlier version learned these dice" in page
    assert "Read right" not in page


@pytest.mark.usefixtures("administrator")
def test_a_broken_file_stands_beside_the_others(
    client: FlaskClient, profile_store: ProfileStore, reader: SayingReader, photo: bytes
) -> None:
    """The page says what is wrong, photos are read with the others, and it can only be deleted."""
    profile_store.take_in(str(profile_of()))
    (profile_store.folder / "bad.json").write_text('{"sagrada_profile": 99}')
    page = text_of(client.get("/dice"))
    assert "bad.json This profile was written by a later version of the program." in page
    upload(client, photo)
    assert [one.name for one in reader.profiles] == [NAME]
    assert client.post("/dice/of/bad", data={"do": "default"}).status_code == 400
    assert client.post("/dice/of/bad", data={"do": "delete", "sure": "yes"}).status_code == 303


@pytest.mark.usefixtures("administrator")
def test_everything_is_forgotten(
    client: FlaskClient, profile_store: ProfileStore, learner: SayingLearner
) -> None:
    """Pictures go, the profiles only where that is asked for; both only when it is meant."""
    profile_store.teach(NAME, sample_of(), keep=True)
    assert client.post("/dice/forget").status_code == 400
    assert client.post("/dice/forget", data={"sure": "yes"}).status_code == 303
    assert (profile_store.called(NAME).samples, profile_store.settings().keeps) == (0, None)
    assert client.post("/dice/forget", data={"sure": "yes", "profiles": "yes"}).status_code == 303
    assert profile_store.all() == ()


def test_loose_dice_are_named_and_learned(
    client: FlaskClient, profile_store: ProfileStore, learner: SayingLearner
) -> None:
    """The dice in a photo are shown one by one; what is named is learned, and the photo goes."""
    sent = client.post("/dice/loose", data={"photo": (BytesIO(LOOSE.read_bytes()), "a.jpg")})
    assert sent.status_code == 303
    page = client.get(sent.location).get_data(as_text=True)
    places = re.findall(r'name="place" value="([^"]+)"', page)
    assert len(places) >= 3
    picture = client.get(f"{sent.location}/photo.jpg")
    assert picture.get_data()[:2] == b"\xff\xd8"
    form = {"name": NAME, "place": places, "color": ["R", "Y", ""], "value": ["5", "", ""]}
    wrong = client.post(sent.location, data={**form, "place": ["1,1", *places[1:]]})
    assert (wrong.status_code, "No die can be made out at place 1." in text_of(wrong)) == (400, True)
    learner.adopted = False
    worse = client.post(sent.location, data=form)
    assert "These dice are not learned" in text_of(worse)
    chosen = re.findall(r"<option[^>]* selected[^>]*>([^<]+)", worse.get_data(as_text=True))
    assert chosen == ["red", "5", "yellow"]
    learner.adopted = True
    learner.odd = ((0, 1),)
    done = client.post(sent.location, data=form)
    assert done.status_code == 303
    assert "These look like dice of another color: 2." in text_of(client.get(done.location))
    assert [one.how for one in profile_store.usable_called(NAME).sources] == [How.LOOSE]
    assert client.get(sent.location).status_code == 404


def test_a_photo_without_dice_is_told(
    client: FlaskClient, photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No photo, something else, and a photo of nothing: the page says what to do."""
    monkeypatch.setattr(dice_pages, "dice_beside", lambda *_: ())
    for data, status in (({}, 400), ({"photo": (BytesIO(photo), "a.jpg")}, 400)):
        answer = client.post("/dice/loose", data=data)
        assert (answer.status_code, 'role="alert"' in answer.get_data(as_text=True)) == (status, True)


def test_tables_are_read_with_your_dice(
    client: FlaskClient, profile_store: ProfileStore, table_reader: SayingTable
) -> None:
    """Also a photo with several windows is read with all profiles; its page and its JSON name what fitted."""
    profile_store.take_in(str(profile_of()))
    plain, other = table_reader.answer.windows
    table_reader.answer = table_of(replace(plain, profile=NAME), other)
    state = read_table(client)
    assert table_reader.profiles == (profile_of(),)
    page = client.get(f"/t/{state['id']}")
    assert f"Read as these dice: {NAME} Your dice" in text_of(page)
    assert [one["profile"] for one in state["windows"]] == [NAME, None]


def test_a_table_in_the_terminal_says_whose_dice_it_read() -> None:
    """One line below the windows names the dice, once."""
    first, second = two_windows()
    text = table_text("a.jpg", table_of(replace(first, profile=NAME), replace(second, profile=NAME)))
    assert text.count(f"Read as these dice: {NAME}.") == 1
    assert "Read as" not in table_text("a.jpg", table_of(first, second))


def test_a_disk_that_refuses_stops_no_reading(
    client: FlaskClient,
    profile_store: ProfileStore,
    reader: SayingReader,
    photo: bytes,
    learner: SayingLearner,
) -> None:
    """Photos are read without dice that cannot be got at; who wants to learn some is told."""
    profile_store.folder.touch()
    state = unknown(client, reader, photo)
    assert client.get(f"/w/{state['id']}").status_code == 200
    answer = learn(client, state, all_right="yes")
    assert (answer.status_code, "A file that this page needs cannot be used." in text_of(answer)) == (
        503,
        True,
    )
