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

PLACES = ["30 30 290 30 290 394 30 394", "320 30 580 30 580 394 320 394"]


@pytest.fixture
def store(tmp_path: Path) -> CardStore:
    """Return the taught cards in the data folder of the application."""
    return CardStore(tmp_path / FOLDER)


def text_of(client: FlaskClient, address: str) -> str:
    """Return the text of a page."""
    return unescape(client.get(address).get_data(as_text=True))


def send(client: FlaskClient) -> str:
    """Send a photo of cards and return where their names are asked for."""
    answer = client.post("/cards", data={"photo": (BytesIO(file_of(side_by_side())), "cards.jpg")})
    assert answer.status_code == 303
    return answer.headers["Location"]


def test_cards_are_shown_named_and_learned(client: FlaskClient, store: CardStore) -> None:
    """What a diagram tells is chosen already; what is left without a name is not learned."""
    address = send(client)
    text = text_of(client, address)
    corners = re.findall(r'name="corners" value="([^"]+)"', text)
    assert len(corners) == len(NAMES)
    assert re.findall(r'<option value="([^"]+)" selected', text) == list(OBJECTIVES)
    assert text.count("Read from the photo. Is it right?") == len(OBJECTIVES)
    assert client.get(f"{address}.jpg").mimetype == "image/jpeg"
    named = {"corners": corners, "name": [*TOOLS, "", OBJECTIVES[1]]}
    learned = unescape(client.post(address, data=named, follow_redirects=True).get_data(as_text=True))
    assert "5 cards are learned." in learned
    assert {card.name for card in store.load()[0]} == {*TOOLS, OBJECTIVES[1]}
    assert client.get("/cards/Lathekin.jpg").mimetype == "image/jpeg"
    assert client.get(address).status_code == 404  # the photo is gone
    again = text_of(client, send(client))
    assert again.count("Known already; it is learned anew.") == len(TOOLS) + 1


@pytest.mark.parametrize(
    ("names", "said", "marked"),
    [
        (["", ""], "No card has a name yet.", 0),
        (["Lathekin", "Lathekin"], "Two cards have the same name.", 2),
        (["Ace of Spades", ""], "Ace of Spades", 0),
    ],
)
def test_wrong_names_are_asked_again(
    client: FlaskClient, store: CardStore, names: list[str], said: str, marked: int
) -> None:
    """Nothing is learned, what was chosen stays chosen, and the cards that it is about are marked."""
    address = send(client)
    answer = client.post(address, data={"corners": PLACES, "name": names})
    text = unescape(answer.get_data(as_text=True))
    assert (answer.status_code, said in text) == (400, True)
    assert text.count('value="Lathekin" selected') == names.count("Lathekin")
    assert text.count('aria-invalid="true"') == marked
    assert store.load() == ((), ())
    assert client.get(address).status_code == 200


def test_a_card_that_cannot_be_learned_is_marked(client: FlaskClient, store: CardStore) -> None:
    """Of several cards the one that is too small is named, and none of them is learned."""
    named = {"corners": [PLACES[0], "", "320 30 350 30 350 70 320 70"], "name": [TOOLS[0], "", TOOLS[1]]}
    named["corners"][1] = PLACES[1]
    answer = client.post(send(client), data=named)
    cards = unescape(answer.get_data(as_text=True)).split("<li ")
    assert (answer.status_code, "too small" in cards[0]) == (422, True)
    assert [number for number, card in enumerate(cards[-3:]) if "aria-invalid" in card] == [2]
    assert store.load() == ((), ())


@pytest.mark.parametrize("corners", ["", "1 2 3", "a b c d e f g h", "0 0 nan 0 9 9 0 9", "0 0 9 9 9 0 0 9"])
def test_corners_that_are_none_are_refused(client: FlaskClient, corners: str) -> None:
    """A form that nobody filled in by hand is no reason to fail."""
    answer = client.post(send(client), data={"corners": [corners], "name": ["Lathekin"]})
    assert answer.status_code == 400


def test_a_photo_without_cards_says_so(client: FlaskClient) -> None:
    """What is no photo is refused as everywhere; in a photo without a card nothing can be named."""
    assert client.post("/cards", data={"photo": (BytesIO(b"text"), "a.jpg")}).status_code == 422
    assert client.post("/cards").status_code == 400
    answer = client.post("/cards", data={"photo": (BytesIO(plain_photo()), "a.jpg")})
    assert (answer.status_code, "No card was seen" in answer.get_data(as_text=True)) == (400, True)


def test_a_forgotten_card_can_be_brought_back(client: FlaskClient, store: CardStore) -> None:
    """The list offers it right after; what is not there cannot be forgotten, and all are gone for good."""
    store.keep(taught()[:3])
    assert all(f'value="{name}"' in text_of(client, "/cards") for name in TOOLS[:3])
    gone = client.post("/cards/forget", data={"name": TOOLS[0]}, follow_redirects=True).text
    assert (f"{TOOLS[0]} is forgotten." in gone, 'value="back"' in gone) == (True, True)
    assert {card.name for card in store.load()[0]} == set(TOOLS[1:3])
    assert client.post("/cards/forget", data={"name": TOOLS[0]}).status_code == 404
    assert client.get(f"/cards/{TOOLS[0]}.jpg").status_code == 404
    back = {"name": TOOLS[0], "do": "back"}
    assert f"{TOOLS[0]} is back." in client.post("/cards/forget", data=back, follow_redirects=True).text
    assert len(store.load()[0]) == 3
    client.post("/cards/forget", data={"name": TOOLS[0]})
    gone = client.post("/cards/forget", data={"do": "all"}, follow_redirects=True).text
    assert "All cards are forgotten." in gone
    assert store.load() == ((), ())
    assert client.post("/cards/forget", data=back).status_code == 404


def test_an_address_that_names_no_card_says_nothing(client: FlaskClient) -> None:
    """What stands behind the question mark is not believed."""
    text = text_of(client, "/cards?done=forgotten&name=Ace")
    assert "is forgotten" not in text
    assert 'class="done"' not in text_of(client, "/cards?done=else")


def test_a_damaged_file_is_told_and_kept(client: FlaskClient, store: CardStore) -> None:
    """The page goes on with the other cards; where the file lies only the computer's owner sees."""
    store.keep(taught()[:2])
    path = store.folder / file_name_of(TOOLS[0])
    path.write_bytes(b"damaged")
    text = text_of(client, "/cards")
    assert "The file of 1 card cannot be used." in text
    assert str(path) not in text
    answer = client.post(send(client), data={"corners": PLACES, "name": [TOOLS[2], TOOLS[0]]})
    assert (answer.status_code, f'value="{TOOLS[0]}" selected' in answer.text) == (503, True)
    assert path.read_bytes() == b"damaged"
    assert [card.name for card in store.load()[0]] == [TOOLS[1]]  # all or none


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
    assert (f"{TOOLS[0]}?" in text, 'href="/cards"' in text) == (True, True)
    client.post(f"/t/{photo_id}/card", data={"card": TOOLS[0], "right": "yes"})
    made = client.post(f"/t/{photo_id}/score")
    game = client.get(f"/api/v1/games/{made.headers['Location'].rsplit('/', 2)[1]}").get_json()
    assert [card["name"] for card in game["tools"]] == list(TOOLS[:2])
