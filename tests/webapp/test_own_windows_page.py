"""Custom windows on the page: they can be chosen and count, and nothing is lost when one is gone."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from scoring.patterns.custom import custom_window
from tests.webapp.commands import card
from tests.webapp.conftest import CARDS, SayingReader, upload
from webapp.storage.own_cards import WindowStore

FRACTAL_DROPS = ".4.Y6 / R.2.. / ..RP1 / BY..."


def page(client: FlaskClient, state: dict[str, Any]) -> str:
    """Return the text of the page of a window."""
    return unescape(client.get(f"/w/{state['id']}").get_data(as_text=True))


def options(text: str) -> list[tuple[str, str, bool]]:
    """Return value, label and choice of every entry in the list of windows."""
    (select,) = re.findall(r'<select name="window".*?</select>', text, flags=re.DOTALL)
    return [
        (value, label, bool(selected))
        for value, selected, label in re.findall(r' value="([^"]*)"( selected)?>([^<]*)<', select)
    ]


def test_a_custom_window_can_be_chosen(
    client: FlaskClient, made: dict[str, Any], store: WindowStore, patch: Callable[..., Any]
) -> None:
    """Windows of your own stand in the list, in the visitor's language, and their spaces are checked."""
    assert "Your own windows" not in page(client, made)
    turned = custom_window("Drops, turned", FRACTAL_DROPS[::-1], 6)
    store.add(turned, custom_window("Late", FRACTAL_DROPS, names=[("fr", "Tard")]))
    french = client.get(f"/w/{made['id']}", headers={"Accept-Language": "fr"}).get_data(as_text=True)
    assert ("Late", "Tard", False) in options(unescape(french))
    text = page(client, made)
    assert '<optgroup label="Your own windows">' in text
    listed = options(text)
    assert listed[2:4] == [
        ("Drops, turned", "Drops, turned (difficulty 6)", False),
        ("Late", "Late", False),
    ]
    assert len(listed) == 2 + 2 + len(CARDS)
    state = patch(made, choices={"window": "Late"}).get_json()
    assert (card(state), state["choices"]["window"]) == ("Late", "Late")
    assert [(problem["code"], problem["cells"]) for problem in state["problems"]] == [
        ("value_restriction", ["C5"])
    ]
    text = page(client, made)
    assert ("Late", "Late", True) in options(text)
    assert '<p class="card-name"><span>Late</span></p>' in text  # of unknown difficulty: there are no dots
    patch(state, choices={"window": "Drops, turned"})
    assert 'aria-label="difficulty 6"' in page(client, made)
    assert patch(made, choices={"window": "drops, turned"}).status_code == 400  # its spelling counts


def test_a_name_cannot_break_the_page(
    client: FlaskClient, made: dict[str, Any], store: WindowStore, patch: Callable[..., Any]
) -> None:
    """A name with signs of HTML in it is text wherever it stands."""
    name = '"><script>x</script>'
    store.add(custom_window(name, FRACTAL_DROPS))
    patch(made, choices={"window": name})
    assert "<script>x" not in client.get(f"/w/{made['id']}").get_data(as_text=True)
    store.remove(name)
    assert "<script>x" not in client.get(f"/w/{made['id']}").get_data(as_text=True)


@pytest.fixture
def removed(made: dict[str, Any], store: WindowStore, patch: Callable[..., Any]) -> dict[str, Any]:
    """Return the state of a window that was played on a custom card which has been removed since."""
    store.add(custom_window("Late", FRACTAL_DROPS, 4))
    state: dict[str, Any] = patch(made, choices={"window": "Late", "private": "P"}).get_json()
    store.remove("Late")
    return state


def test_a_game_on_a_removed_window_still_opens(
    client: FlaskClient, removed: dict[str, Any], store: WindowStore
) -> None:
    """The card counts as unknown, a sentence says so, and whoever adds it again has the game as it was."""
    text = page(client, removed)
    assert "The window card Late is not known here, so printed colors and values were not checked." in text
    assert ("Late", "Late (not known here)", True) in options(text)
    state = client.get(f"/w/{removed['id']}.json").get_json()
    assert (card(state), state["choices"]["window"]) == (None, "Late")
    assert state["total"] == removed["total"]
    assert not any(problem["code"].endswith("_restriction") for problem in state["problems"])
    store.add(custom_window("Late", FRACTAL_DROPS, 4))
    state = client.get(f"/w/{removed['id']}.json").get_json()
    assert (card(state), state["problems"]) == ("Late", removed["problems"])


def test_other_changes_leave_a_removed_window_chosen(
    client: FlaskClient, removed: dict[str, Any], patch: Callable[..., Any]
) -> None:
    """The plain form, which sends every choice, and the script both keep what cannot be chosen anew."""
    state = patch(removed, choices={"favor_tokens": 2, "window": "Late"}).get_json()
    assert (state["choices"]["favor_tokens"], state["choices"]["window"]) == (2, "Late")
    form = {"revision": state["revision"], "window": "Late", "favor_tokens": "3", "board": state["board"]}
    assert client.post(f"/w/{removed['id']}", data=form).status_code == 303
    state = client.get(f"/w/{removed['id']}.json").get_json()
    assert (state["choices"]["favor_tokens"], state["choices"]["window"]) == (3, "Late")
    state = patch(state, choices={"window": "unknown"}).get_json()
    assert patch(state, choices={"window": "Late"}).status_code == 400


def test_a_damaged_file_leaves_the_cards_of_the_game(
    client: FlaskClient,
    made: dict[str, Any],
    store: WindowStore,
    patch: Callable[..., Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The page goes on without the custom windows and says so; the computer that serves it knows more."""
    store.add(custom_window("Late", FRACTAL_DROPS, 4))
    state = patch(made, choices={"window": "Late"}).get_json()
    store.path.write_text("{")
    with caplog.at_level(logging.WARNING):
        text = page(client, made)
    assert "The file with your own windows cannot be used." in text
    assert len(options(text)) == 2 + len(CARDS) + 1
    assert str(store.path) in caplog.text
    state = patch(state, choices={"window": "Firmitas"}).get_json()
    assert card(state) == "Firmitas"
    assert store.path.read_text() == "{"


def test_photos_are_read_with_windows_of_ones_own_in_mind(
    client: FlaskClient, photo: bytes, store: WindowStore, reader: SayingReader
) -> None:
    """The reader is told all cards that a photo can show, also when corners are set by hand."""
    mine = custom_window("Late", FRACTAL_DROPS[::-1])
    store.add(mine)
    state = upload(client, photo)
    assert reader.windows == (*CARDS.values(), mine)
    reader.windows = ()
    corners = [[10, 10], [90, 10], [90, 70], [10, 70]]
    client.post(f"/w/{state['id']}/corners", json={"corners": corners})
    assert reader.windows == (*CARDS.values(), mine)
