"""Tool cards of one's own: kept in a file, chosen in games, and judged by what they lift."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient

from scoring import EXPANSION_TOOLS, Color, InvalidValueError, Lift, Tool, ToolEffect
from tests.webapp.games.conftest import Device
from webapp.cli.sagrada import main
from webapp.domain.errors import StoreError
from webapp.domain.tool_rules import rule_of
from webapp.storage.own_cards import MOST_TOOLS, TOOLS_FILE, ToolStore

pytestmark = pytest.mark.usefixtures("administrator")
NAME = "Thirteenth Tool"
SENT = {"name": NAME, "color": "R", "effect": "frees_placement", "lift": ["color_restriction"]}
# A blue 1 on the red space A1 of this card breaks a rule that the tool lifts.
BOARD = "B1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"
OURS = {"name": "Ours", "pattern": "R.... / ..... / ..... / .....", "difficulty": 4}


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    """Take away what a test added."""
    yield
    for tool in Tool.added():
        if tool not in EXPANSION_TOOLS:
            Tool.forget(tool.value)


@pytest.fixture
def store(tmp_path: Path) -> ToolStore:
    """Return a store whose folder is not there yet."""
    return ToolStore(tmp_path / "data" / TOOLS_FILE)


# --- The file ----------------------------------------------------------------------------------------


def test_a_tool_is_kept_corrected_and_removed(store: ToolStore) -> None:
    """Other programs find all that a card does; added again it takes its place, and removed it is gone."""
    assert store.take_up() == ()
    assert not store.path.parent.exists()
    store.add(NAME, ToolEffect.MOVES_DICE, Color.BLUE, [Lift.VALUE, Lift.SAME_COLOR])
    Tool.forget(NAME)
    (tool,) = ToolStore(Path(f"{store.path.parent}/../data") / TOOLS_FILE).take_up()
    assert (tool.value, tool.effect, tool.color) == (NAME, ToolEffect.MOVES_DICE, Color.BLUE)
    assert tool.lifts == {Lift.VALUE, Lift.SAME_COLOR}
    store.add(NAME, ToolEffect.FREES_PLACEMENT, Color.RED, [])
    (tool,) = store.take_up()
    assert (tool.effect, tool.lifts) == (ToolEffect.FREES_PLACEMENT, frozenset())
    assert store.remove(NAME)
    assert not store.remove(NAME)
    with pytest.raises(ValueError, match=NAME):
        Tool(NAME)


def test_there_are_not_too_many(store: ToolStore) -> None:
    """There is room for more than any edition adds, and not for any number."""
    for number in range(MOST_TOOLS):
        store.add(f"Tool {number}", ToolEffect.CHANGES_DIE, Color.RED, [])
    with pytest.raises(InvalidValueError) as caught:
        store.add(NAME, ToolEffect.CHANGES_DIE, Color.RED, [])
    assert caught.value.code == "too_many_tools"
    assert len(store.take_up()) == MOST_TOOLS


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"format": "sagrada-windows", "schema": 1, "tools": []}',
        '{"format": "sagrada-tools", "schema": 2, "tools": []}',
        '{"format": "sagrada-tools", "schema": 1, "tools": [{"name": "x"}]}',
        (
            '{"format": "sagrada-tools", "schema": 1, "tools": [{"name": "Lathekin", "effect": "moves_dice", '
            '"color": "R", "lifts": []}]}'
        ),
        (
            '{"format": "sagrada-tools", "schema": 1, "tools": [{"name": "x", "effect": "moves_dice", '
            '"color": "R", "lifts": ["not_connected"]}]}'
        ),
    ],
)
def test_a_file_that_cannot_be_understood_stays(store: ToolStore, content: str) -> None:
    """It is named, and nothing is written over it."""
    store.path.parent.mkdir()
    store.path.write_text(content)
    with pytest.raises(StoreError) as caught:
        store.add(NAME, ToolEffect.CHANGES_DIE, Color.RED, [])
    assert caught.value.code == "tools_damaged"
    assert store.path.read_text() == content


# --- Pages and programs ------------------------------------------------------------------------------


def test_programs_add_and_remove_tools(client: FlaskClient) -> None:
    """It is listed with what it does, and `custom`; removed it is gone."""
    told = client.post("/tools", json=SENT).get_json()["tools"][-1]
    assert (told["name"], told["lifts"], told["custom"]) == (NAME, ["color_restriction"], True)
    assert told["rule"] == "It places the drafted die. The color printed on the space does not count."
    assert client.post("/tools/remove", json={"name": NAME}).status_code == 200
    assert NAME not in {tool["name"] for tool in client.get("/tools.json").get_json()["tools"]}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "Lathekin"}, "name_taken"),
        ({"name": ""}, "blank_name"),
        ({"name": "\u200f\u200b"}, "hidden_name"),
        ({"effect": "moves_dice", "lift": ["not_connected"]}, "bad_tool"),
        ({"effect": "flies"}, "bad_request"),
        ({"color": "X"}, "unknown_color"),
        ({"lift": ["everything"]}, "bad_request"),
    ],
)
def test_a_tool_that_cannot_be_is_refused(client: FlaskClient, change: dict[str, Any], code: str) -> None:
    """Nothing is kept, and the error says what is wrong."""
    refused = client.post("/tools", json={**SENT, **change})
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (400, code)
    assert not any(tool["custom"] for tool in client.get("/tools.json").get_json()["tools"])


def test_the_page_adds_and_removes_tools(client: FlaskClient) -> None:
    """The form keeps what was typed when it is refused; what is added stands in the list."""
    form = {"name": "Lathekin", "color": "B", "effect": "moves_dice", "lift": ["value_restriction"]}
    refused = client.post("/tools", data=form)
    assert refused.status_code == 400
    text = refused.get_data(as_text=True)
    assert 'value="Lathekin"' in text
    assert "is already the name of a card of the game" in text
    done = client.post("/tools", data={**form, "name": NAME})
    text = client.get(done.location).get_data(as_text=True)
    assert "Added." in text
    assert "It moves one die in your window. The value printed on the space does not count." in text
    done = client.post("/tools/remove", data={"name": NAME})
    assert NAME not in client.get(done.location).get_data(as_text=True)


def test_a_window_is_judged_with_a_tool_of_ones_own(client: FlaskClient) -> None:
    """What the card lifts is explained instead of blamed, and it opens spaces to a die."""
    client.post("/tools", json=SENT)
    client.post("/windows/new", json=OURS)
    window = client.post("/by-hand", json={"board": BOARD}).get_json()
    client.post(f"/w/{window['id']}", json={"revision": 1, "window": "Ours"})
    address = f"/w/{window['id']}/place.json"
    judged = client.get(address, query_string={"tool": NAME}).get_json()
    assert judged["problems"] == []
    assert [one["excused_by"] for one in judged["notices"] if one["cells"] == ["A1"]] == [[NAME]]
    assert client.get(address).get_json()["problems"] != []
    client.post(f"/w/{window['id']}", json={"revision": 2, "cells": {"A1": "--"}})
    (placing,) = client.get(address, query_string={"tool": NAME, "die": "B1"}).get_json()["dice"]
    assert placing["with_tool"]["A1"] == [NAME]


def test_a_game_is_played_with_a_tool_of_ones_own(app: Flask, client: FlaskClient) -> None:
    """It is chosen and used as the others are, and the game keeps it when it is removed."""
    client.post("/tools", json=SENT)
    host = Device(client)
    host.start()
    changed = host.cards(tools=["Lathekin", NAME])
    assert [tool["name"] for tool in changed.get_json()["tools"]] == ["Lathekin", NAME]
    assert host.player(window="Virtus", favor_tokens=5).status_code == 200
    used = client.post(f"{host.address}/seats/1/tool", json={"tool": NAME})
    assert used.status_code == 200
    assert NAME in client.get(f"/g/{host.code}").get_data(as_text=True)
    client.post("/tools/remove", json={"name": NAME})
    kept = host.state()
    assert [(tool["name"], tool["tokens"]) for tool in kept["tools"]] == [("Lathekin", 0), (NAME, 1)]
    assert client.get(f"/g/{host.code}").status_code == 200


def test_the_expansion_tools_come_and_go_with_the_expansion(client: FlaskClient) -> None:
    """Whoever does not have that box is not shown its tools."""
    names = {tool.value for tool in EXPANSION_TOOLS}
    assert names <= {tool["name"] for tool in client.get("/tools.json").get_json()["tools"]}
    client.post("/windows/sets")
    assert not names & {tool["name"] for tool in client.get("/tools.json").get_json()["tools"]}


def test_a_damaged_file_stops_nothing(app: Flask, client: FlaskClient) -> None:
    """The page goes on with the tools of the game."""
    (app.config["SAGRADA_DATA"] / TOOLS_FILE).write_text("{")
    assert client.get("/tools").status_code == 200
    assert len(client.get("/tools.json").get_json()["tools"]) == len(Tool) + len(EXPANSION_TOOLS)


# --- The terminal ------------------------------------------------------------------------------------


def sagrada(*arguments: str) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the terminal work on data of its own."""
    monkeypatch.setenv("SAGRADA_DATA", str(tmp_path / "data"))


@pytest.mark.usefixtures("_own_data")
def test_the_terminal_adds_lists_and_removes_tools() -> None:
    """What it says is what the card does, and the tool can be named from then on."""
    added = sagrada(
        "windows", "tools", "add", NAME, "--color", "blue", "--does", "places", "--lifts", "color"
    )
    assert (
        added.output == f"{NAME}: It places the drafted die. The color printed on the space does not count.\n"
    )
    lines = sagrada("windows", "tools", "list").output.splitlines()
    assert len(lines) == len(Tool) + len(EXPANSION_TOOLS) + 1
    assert lines[0].startswith(" 1  Grozing Pliers: ")
    assert json.loads(sagrada("windows", "tools", "list", "--json").output)["tools"][-1]["lifts"] == [
        "color_restriction"
    ]
    checked = sagrada("check", "--board", BOARD, "--window", "Virtus", "--tool", "thirteenth")
    assert "There is no tool" not in checked.output
    assert json.loads(sagrada("windows", "tools", "remove", NAME, "--json").output) == {"removed": NAME}
    assert sagrada("windows", "tools", "remove", NAME).exit_code == 2
    refused = sagrada("windows", "tools", "add", NAME, "--color", "R", "--does", "moves", "--lifts", "apart")
    assert (refused.exit_code, "cannot lift such a rule" in refused.output) == (2, True)


def test_every_tool_has_words_for_what_it_does() -> None:
    """Of each effect and each lifted rule there is a sentence, and no two tools of the game say the same."""
    said = {str(rule_of(tool)) for tool in (*Tool, *EXPANSION_TOOLS)}
    assert len(said) == len(Tool) + len(EXPANSION_TOOLS)
    for effect in ToolEffect:
        assert str(rule_of(Tool.apart("x", effect, Color.RED, frozenset())))
    everything = Tool.apart("x", ToolEffect.FREES_PLACEMENT, Color.RED, frozenset(Lift))
    assert str(rule_of(everything)).count(".") == 1 + len(Lift)
