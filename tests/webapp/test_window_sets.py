"""Which boxes and packs there are: set on the page, by programs and in the terminal, known everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from scoring import EVERY_WINDOW, WINDOW_PATTERNS, Board, UnknownNameError, WindowSet
from tests.readings import reading_of
from tests.webapp.commands import card
from tests.webapp.conftest import SayingReader, upload
from webapp.cli.windows import windows
from webapp.storage.administration import SETTINGS_FILE, Settings, load_settings
from webapp.storage.own_cards import WindowStore, default_store


@pytest.fixture
def window_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WindowStore:
    """Return the windows that the terminal works on."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path / "data"))
    return default_store()


def listed(client: FlaskClient) -> set[str]:
    """Return the names of the windows that programs are told of."""
    return {window["name"] for window in client.get("/windows.json").get_json()["windows"]}


@pytest.mark.usefixtures("administrator")
def test_the_page_switches_sets(client: FlaskClient) -> None:
    """Without settings the expansion is known and promo cards are not; what is ticked counts from then on."""
    sets = WindowSet.FIVE_AND_SIX, WindowSet.PROMOS
    expansion, promos = ({window.name for window in EVERY_WINDOW.only(one)} for one in sets)
    assert listed(client) == {*WINDOW_PATTERNS, *expansion}
    page = client.get("/windows").get_data(as_text=True)
    assert page.count('name="set"') == 2
    assert "57 windows" in page
    client.post("/windows/sets", data={"set": ["promos"]})
    assert listed(client) == {*WINDOW_PATTERNS, *promos}
    client.post("/windows/sets")
    assert listed(client) == set(WINDOW_PATTERNS)


def test_only_the_administrator_switches_sets(client: FlaskClient) -> None:
    """A guest sees what is on, and cannot change it."""
    page = client.get("/windows").get_data(as_text=True)
    assert "The administrator can change that." in page
    refused = client.post("/windows/sets", data={"set": ["promos"]})
    assert refused.status_code == 403
    assert "Board Game Geek (4A)" not in listed(client)


@pytest.mark.usefixtures("administrator")
def test_programs_switch_sets(client: FlaskClient) -> None:
    """Settings keep what a change leaves out; a word that is none is refused."""
    assert client.get("/administration.json").get_json()["window_sets"] == ["5-6-players"]
    client.post("/administration/keep", json={"days": 30})
    assert client.post("/windows/sets", json={"set": ["promos"]}).status_code == 200
    changed = client.get("/administration.json").get_json()
    assert (changed["keep_days"], changed["window_sets"]) == (30, ["promos"])
    assert client.post("/windows/sets", json={"set": ["glory"]}).status_code == 400
    assert client.post("/windows/sets", json={"set": None}).status_code == 400


def test_the_terminal_switches_sets(window_store: WindowStore) -> None:
    """`windows sets` tells and changes what is known, and is named to who asks for a card that is off."""
    run = CliRunner().invoke
    assert (
        run(windows, ["sets"]).output == "5-6-players: 12 windows, known.\npromos: 57 windows, not known.\n"
    )
    told = json.loads(run(windows, ["sets", "promos", "5-6-players", "--json"]).output)
    assert told == {"sets": {"5-6-players": True, "promos": True}}
    assert len(window_store.known()) == len(EVERY_WINDOW)
    assert run(windows, ["sets", "none"]).exit_code == 0
    assert window_store.known() == WINDOW_PATTERNS
    with pytest.raises(UnknownNameError, match="sagrada windows sets 5-6-players"):
        window_store.find("sol")
    with pytest.raises(UnknownNameError, match="Did you mean"):
        window_store.find("Virtsu")
    assert run(windows, ["sets", "glory"]).exit_code == 2


def test_settings_of_another_version_are_read(window_store: WindowStore) -> None:
    """A file without sets has the expansion; words that this version does not know are left out."""
    folder = window_store.path.parent
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SETTINGS_FILE).write_text('{"keep_days": 30}')
    assert load_settings(folder) == Settings(30)
    (folder / SETTINGS_FILE).write_text('{"keep_days": 30, "sets": ["promos", "glory"]}')
    assert load_settings(folder).sets == ("promos",)


@pytest.mark.usefixtures("administrator")
def test_a_window_of_a_set_that_went_stays_on_its_reading(
    client: FlaskClient, reader: SayingReader, photo: bytes
) -> None:
    """The dice are kept when a set is switched off, and the card comes back with it."""
    reader.answer = reading_of(str(Board.empty()), window="Sol")
    state = upload(client, photo)
    assert [one["code"] for one in state["notices"]].count("doubtful_print") == 1
    address = f"/w/{state['id']}.json"
    assert card(client.get(address).get_json()) == "Sol"
    client.post("/windows/sets")
    assert card(client.get(address).get_json()) is None
    client.post("/windows/sets", data={"set": ["5-6-players"]})
    assert card(client.get(address).get_json()) == "Sol"
