"""The page of the taught cards: a photo, a name for each card in it, and the list; all without scripts."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from calibration.cards import file_name_of
from tests.readings import card_at, table_of
from tests.taught import NAMES, OBJECTIVES, TOOLS, file_of, side_by_side, taught
from tests.webapp.conftest import SayingTable, plain_photo, two_windows, wait_read
from vision.table import CardReading
from webapp.store.cards import FOLDER, CardStore


@pytest.fixture
def store(tmp_path: Path) -> CardStore:
    """Return the taught cards in the data folder of the application."""
    return CardStore(tmp_path / FOLDER)


def text_of(client: FlaskClient, address: str) -> str:
    """Return the text of a page."""
    return unescape(client.get(address).get_data(as_text=True))


def send(client: FlaskClient, content: bytes) -> str:
    """Send a photo of cards and return where their names are asked for."""
    answer = client.post("/cards", data={"photo": (BytesIO(content), "cards.jpg")})
    assert answer.status_code == 303
    return answer.headers["Location"]


def test_cards_are_shown_named_and_kept(client: FlaskClient, store: CardStore) -> None:
    """What a diagram tells is chosen already; what is left without a name is not kept."""
    address = send(client, file_of(side_by_side()))
    text = text_of(client, address)
    corners = re.findall(r'name="corners" value="([^"]+)"', text)
    assert len(corners) == len(NAMES)
    assert re.findall(r'<option value="([^"]+)" selected', text) == list(OBJECTIVES)
    assert client.get(f"{address}.jpg").mimetype == "image/jpeg"
    named = {"corners": corners, "name": [*TOOLS, "", OBJECTIVES[1]]}
    kept = client.post(address, data=named, follow_redirects=True).get_data(as_text=True)
    assert "5 cards are kept." in kept
    assert {card.name for card in store.load()[0]} == {*TOOLS, OBJECTIVES[1]}
    assert client.get("/cards/Lathekin.jpg").mimetype == "image/jpeg"
    assert client.get(address).status_code == 404  # the photo is gone


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["", ""], "No card has a name yet."),
        (["Lathekin", "Lathekin"], "Two cards have the same name."),
        (["Ace of Spades", ""], "Ace of Spades is no card of the game."),
    ],
)
def test_wrong_names_are_asked_again(
    client: FlaskClient, store: CardStore, names: list[str], said: str
) -> None:
    """Nothing is kept, and what was chosen stays chosen."""
    address = send(client, file_of(side_by_side()))
    places = ["30 30 290 30 290 394 30 394", "320 30 580 30 580 394 320 394"]
    answer = client.post(address, data={"corners": places, "name": names})
    text = unescape(answer.get_data(as_text=True))
    assert (answer.status_code >= 400, said in text) == (True, True)
    assert text.count('value="Lathekin" selected') == names.count("Lathekin")
    assert store.load() == ((), ())


@pytest.mark.parametrize("corners", ["", "1 2 3", "a b c d e f g h", "0 0 nan 0 9 9 0 9", "0 0 9 9 9 0 0 9"])
def test_corners_that_are_none_are_refused(client: FlaskClient, corners: str) -> None:
    """A form that nobody filled in by hand is no reason to fail."""
    address = send(client, file_of(side_by_side()))
    answer = client.post(address, data={"corners": [corners], "name": ["Lathekin"]})
    assert answer.status_code == 400


def test_a_photo_without_cards_says_so(client: FlaskClient) -> None:
    """What is no photo is refused as everywhere; in a photo without a card nothing can be named."""
    assert client.post("/cards", data={"photo": (BytesIO(b"text"), "a.jpg")}).status_code == 422
    assert client.post("/cards").status_code == 400
    answer = client.get(send(client, plain_photo()))
    assert (answer.status_code, "No card was seen" in answer.get_data(as_text=True)) == (400, True)


def test_cards_are_forgotten(client: FlaskClient, store: CardStore) -> None:
    """One or all of them; one that is not there is refused."""
    store.keep(taught()[:3])
    text = text_of(client, "/cards")
    assert all(f'value="{name}"' in text for name in TOOLS[:3])
    client.post("/cards/forget", data={"name": TOOLS[0]})
    assert {card.name for card in store.load()[0]} == set(TOOLS[1:3])
    assert client.post("/cards/forget", data={"name": TOOLS[0]}).status_code == 400
    assert client.get(f"/cards/{TOOLS[0]}.jpg").status_code == 404
    assert "Forgotten." in client.post("/cards/forget", data={"all": "yes"}, follow_redirects=True).text
    assert store.load() == ((), ())


def test_a_damaged_file_is_told_and_kept(client: FlaskClient, store: CardStore) -> None:
    """The page goes on with the other cards; where the file lies only the computer's owner sees."""
    store.keep(taught()[:2])
    path = store.folder / file_name_of(TOOLS[0])
    path.write_bytes(b"damaged")
    text = text_of(client, "/cards")
    assert "The file of 1 card cannot be used." in text
    assert str(path) not in text
    address = send(client, file_of(side_by_side()))
    named = {"corners": ["30 30 290 30 290 394 30 394"], "name": [TOOLS[0]]}
    assert client.post(address, data=named).status_code == 503
    assert path.read_bytes() == b"damaged"


def test_the_tools_of_a_table_are_those_of_its_game(
    client: FlaskClient, table_reader: SayingTable, store: CardStore
) -> None:
    """Taught cards reach the reader, and the tools that it surely sees are in the game that is made."""
    store.keep(taught()[:2])
    tool = CardReading(TOOLS[1], 0.99, False, card_at("Deep Shades", 400).corners, "tool")
    doubtful = CardReading(TOOLS[0], 0.6, True, card_at("Deep Shades", 500).corners, "tool")
    public = [card_at(name) for name in ("Deep Shades", "Light Shades", "Medium Shades")]
    table_reader.answer = table_of(*two_windows(), cards=[*public, tool, doubtful])
    answer = client.post("/t", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    photo_id = answer.headers["Location"].rpartition("/")[2]
    state = wait_read(client, photo_id)
    assert {card.name for card in table_reader.taught} == set(TOOLS[:2])
    assert [card["kind"] for card in state["cards"]].count("tool") == 2
    text = text_of(client, f"/t/{photo_id}?look=1")
    assert f"{TOOLS[0]}?" in text
    client.post(f"/t/{photo_id}/card", data={"card": TOOLS[0], "right": "yes"})
    made = client.post(f"/t/{photo_id}/score")
    game = client.get(f"/api/v1/games/{made.headers['Location'].rsplit('/', 2)[1]}").get_json()
    assert [card["name"] for card in game["tools"]] == list(TOOLS[:2])
