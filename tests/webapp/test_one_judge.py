"""Wrong answers that pages, JSON interface, game nights and command line once gave, each in its own way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring import Board, Tool, ToolEffect
from tests.webapp import shown
from tests.webapp.commands import answer, codes, parsed, refusal, sagrada
from tests.webapp.conftest import RULEBOOK
from tests.webapp.games.conftest import THREE, Device
from webapp.domain.placement import SHOWN_TOOLS
from webapp.domain.record import Choices
from webapp.services import context

LEGAL = "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
"""Breaks no rule on Luz Celestial."""

FEW_DICE = "B1 -- R2 -- G5 / -- -- G5 R1 -- / -- -- R6 -- B5 / -- R6 P3 G1 R6"
"""What lies in sample_images/few_dice.jpg, on Fulgor del Cielo."""

NOT_OFTEN_ENOUGH = "Copper Foil Burnisher cannot have been used often enough to excuse this."
ALLOWED = "Copper Foil Burnisher allows that."
PLAYERS = {
    "Ann": {"board": RULEBOOK, "private": "P", "window": "Fractal Drops", "favor_tokens": 3},
    "Ben": {"board": LEGAL, "private": "R", "window": "Luz Celestial", "favor_tokens": 0},
}


@dataclass
class Table:
    """A game night: Ann is the host, Ben plays with her."""

    ann: Device
    ben: Device

    def play(self, name: str, **window: Any) -> None:  # noqa: ANN401
        """Let a player lay dice on a card, and take a private objective and tokens."""
        seat = {"Ann": self.ann, "Ben": self.ben}[name]
        if "board" in window:
            seat.put(window["board"])
        if "window" in window:
            choose(seat.client, seat.own()["reading"], window=window["window"])
        own = {key: window[key] for key in ("private", "favor_tokens") if key in window}
        assert seat.player(**own).status_code == 200

    def use(self, name: str, *tools: str) -> None:
        """Let a player use tools and pay for them."""
        seat = {"Ann": self.ann, "Ben": self.ben}[name]
        for tool in tools:
            path = f"{seat.address}/seats/{seat.own()['seat']}/tool"
            assert seat.client.post(path, json={"tool": tool}).status_code == 200

    def revealed(self) -> tuple[str, dict[str, Any]]:
        """Reveal the game, and return page and JSON of it."""
        assert self.ann.reveal(anyway=True).status_code == 200
        page = self.ann.client.get(f"/g/{self.ann.code}/reveal").get_data(as_text=True)
        return page, self.ann.state()["result"]


@pytest.fixture
def table(app: Flask) -> Table:
    """Return a table with three public objectives, at which Ann and Ben have their windows."""
    ann, ben = Device(app.test_client()), Device(app.test_client())
    ann.start()
    ben.join(ann.code, "Ben")
    assert ann.cards(public=THREE).status_code == 200
    table = Table(ann, ben)
    for name, window in PLAYERS.items():
        table.play(name, **window)
    return table


@pytest.fixture
def make(app: Flask) -> Callable[..., str]:
    """Return what stores a window without a table and gives back its id."""

    def store(board: str, window: str = "unknown") -> str:
        with app.app_context():
            return context.store().create({}, board=Board.parse(board), choices=Choices(window=window)).id

    return store


def choose(client: FlaskClient, record_id: str, **choices: Any) -> Any:  # noqa: ANN401
    """Change the choices of a window and return the answer."""
    address = f"/w/{record_id}.json"
    revision = client.get(address).get_json()["revision"]
    return client.post(address, json={"revision": revision, **choices})


def player(result: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what an answer says of a player."""
    return next(dict(one) for one in result["standings"] if one["name"] == name)


def ranked(told: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return what `sagrada rank` says of the players at the table, with these keys for game and players."""
    players = {name: {"name": name, **window, **told.pop(name, {})} for name, window in PLAYERS.items()}
    file = folder / "game.json"
    file.write_text(json.dumps({"public": THREE, "players": list(players.values()), **told}))
    result = sagrada("rank", file, "--json")
    assert result.exit_code == 0, result.output
    return parsed(result)


def messages(found: list[dict[str, Any]]) -> list[str]:
    """Return the sentences of problems or notices."""
    return [one["message"] for one in found]


# --- The reveal says what the rules say ------------------------------------------------------------


@pytest.mark.parametrize(
    ("tokens", "used", "excused"),
    [
        (3, [], False),
        (2, [], True),
        (1, ["Copper Foil Burnisher"], True),
        (3, ["Lathekin"], False),
        (2, ["Lathekin"], True),
    ],
    ids=["no token spent", "a token spent", "a use is recorded", "spent on another card", "more was spent"],
)
def test_a_tool_excuses_at_the_reveal_what_the_tokens_can_have_paid_for(
    table: Table, tmp_path: Path, tokens: int, used: list[str], excused: bool
) -> None:
    """Page, JSON and `rank` excuse the red 3 on C5 only when tokens are left for it, and say so or why."""
    tools = ["Copper Foil Burnisher", "Lathekin"]
    assert table.ann.cards(tools=tools).status_code == 200
    table.play("Ann", favor_tokens=tokens)
    table.use("Ann", *used)
    page, result = table.revealed()
    window, ann = shown.windows(page)["Ann"], player(result, "Ann")
    uses = [{"player": "Ann", "tool": tool, "tokens": 1} for tool in used]
    rank = ranked({"tools": tools, "uses": uses, "Ann": {"favor_tokens": tokens - len(used)}}, tmp_path)
    assert (ann["problems"], ann["notices"]) == (
        player(rank, "Ann")["problems"],
        player(rank, "Ann")["notices"],
    )
    assert shown.problems(window) == messages(ann["problems"])
    assert shown.notices(window) == messages(ann["notices"])
    if excused:
        assert ann["problems"] == []
        assert [one["excused_by"] for one in ann["notices"]] == [["Copper Foil Burnisher"]]
        assert shown.notices(window)[0].endswith(ALLOWED)
    else:
        assert [one["cells"] for one in ann["problems"]] == [["C5"]]
        assert shown.problems(window)[0].endswith(NOT_OFTEN_ENOUGH)
        assert "Every die follows the rules." not in window


TEN = "R1 -- R2 -- R3 / -- R4 -- R5 -- / R6 -- R1 -- R2 / -- R3 -- R4 --"


@pytest.mark.parametrize(
    ("code", "ann", "ben"),
    [
        ("same_card", {"window": "Luz Celestial", "favor_tokens": 0}, {}),
        ("same_card", {"window": "Fulgor del Cielo", "favor_tokens": 0}, {}),
        ("too_many_dice", {"board": TEN}, {"board": TEN.replace("R6", "R5")}),
    ],
    ids=["the same side of a card", "the other side", "more dice of a color than the bag holds"],
)
def test_what_no_table_can_have_is_remarked_on(
    table: Table, tmp_path: Path, code: str, ann: dict[str, Any], ben: dict[str, Any]
) -> None:
    """The reveal remarks as `rank` does that each card, and each die in the bag, is there once."""
    table.play("Ann", **ann)
    table.play("Ben", **ben)
    page, result = table.revealed()
    rank = ranked({"Ann": ann, "Ben": ben}, tmp_path)
    assert result["notices"] == rank["notices"]
    assert codes(rank["notices"]) == [code]
    assert messages(rank["notices"])[0] in shown.said(page, r'<p class="notice warn">(.*?)</p>')


def test_two_players_with_the_same_private_objective(table: Table) -> None:
    """The reveal, where all cards lie open for the first time, remarks on it."""
    table.play("Ben", private="P")
    page, result = table.revealed()
    assert codes(result["notices"]) == ["same_private"]
    (remark,) = messages(result["notices"])
    assert "(purple): Ann, Ben." in remark
    assert remark in shown.said(page, r'<p class="notice warn">(.*?)</p>')


def test_house_rules_of_a_game_night(table: Table) -> None:
    """The host says them on the table page or in JSON, and they count at the reveal."""
    rule, ann = "Eglomise Brush ignores neighbors", table.ann
    ann.cards(tools=["Eglomise Brush"])
    table.play("Ann", board="R1 R2 -- -- -- / " + " / ".join(["-- -- -- -- --"] * 3), window="unknown")
    form = {"revision": ann.state()["revision"], "house_rules": rule}
    assert ann.client.post(f"/g/{ann.code}/cards", data=form).status_code == 303
    assert ann.state()["house_rules"] == [rule]
    ticked = re.compile(rf'value="{rule}"[^>]* checked')
    assert ticked.search(ann.client.get(f"/g/{ann.code}").get_data(as_text=True))
    assert ann.cards(house_rules=[]).get_json()["house_rules"] == []
    assert ann.cards(house_rules=[rule]).get_json()["house_rules"] == [rule]
    judged = player(table.revealed()[1], "Ann")
    assert (judged["problems"], judged["notices"][0]["excused_by"]) == ([], ["Eglomise Brush"])


# --- What a game cannot have is refused ------------------------------------------------------------


def test_a_game_has_three_tool_cards(table: Table, tmp_path: Path) -> None:
    """`rank` and the table refuse a fourth one."""
    four = ["Lathekin", "Flux Brush", "Tap Wheel", "Lens Cutter"]
    players = [{"name": name, **window} for name, window in PLAYERS.items()]
    told = {"players": players, "tools": four}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(told))
    assert "a game has 3 tool cards, not 4." in refusal("rank", file)
    assert table.ann.cards(tools=four).get_json()["error"]["code"] == "too_many_tools"


@pytest.fixture
def alone(app: Flask) -> Device:
    """Return the device of Ann, who plays a solo game and has a private objective: purple."""
    ann = Device(app.test_client())
    ann.start(solo=True)
    assert ann.player(private="P").status_code == 200
    return ann


def test_two_private_objectives_of_a_solo_game_differ(alone: Device) -> None:
    """Whichever is chosen last, at the table or with the window, in JSON or a form, is told there is one."""
    form = {"revision": alone.state()["revision"], "target": "20", "second_private": "P"}
    refused = [alone.cards(second_private="P")]
    pages = [alone.client.post(f"/g/{alone.code}/cards", data=form)]
    assert alone.state()["second_private"] is None
    assert alone.cards(second_private="R").status_code == 200
    window = alone.own()["reading"]
    refused += [alone.player(private="R"), choose(alone.client, window, private="R")]
    form = {"private": "R", "window_revision": "2"}
    pages += [
        alone.client.post(f"/g/{alone.code}/seats/1", data=form),
        alone.client.post(f"/w/{window}", data={"revision": "2", "private": "R", "board": RULEBOOK}),
    ]
    for answer_ in refused:
        assert (answer_.status_code, answer_.get_json()["error"]["code"]) == (400, "same_private")
    for page in pages:
        assert (page.status_code, 'data-code="same_private"' in page.get_data(as_text=True)) == (400, True)
    assert alone.client.get(f"/w/{window}.json").get_json()["choices"]["private"] == "P"
    assert choose(alone.client, window, private="P", favor_tokens=0).status_code == 200


# --- Placing a die, with each of the twelve tools --------------------------------------------------


def asked(client: FlaskClient, record_id: str, die: str, **query: Any) -> tuple[str, dict[str, Any]]:  # noqa: ANN401
    """Return the placement page, and what the JSON interface says, about a die on a window."""
    query = {"die": die, **query}
    page = client.get(f"/w/{record_id}/place", query_string=query).get_data(as_text=True)
    told = client.get(f"/w/{record_id}/place.json", query_string=query).get_json()
    return page, told["dice"][0]


def chips(page: str) -> list[str]:
    """Return the spaces on which the page lets one place the die."""
    return re.findall(r'name="cell" value="(\w\d)"', page)


def steps(page: str) -> list[str]:
    """Return what tools make possible, as the page says it."""
    return shown.said(page, r'<p class="hint step">.*?<span>(.*?)</span>')


def terminal(board: str, window: str, die: str, tool: str) -> str:
    """Return what `sagrada check` says in a terminal about a die."""
    result = sagrada("check", "--board", board, "--window", window, "--die", die, "--tool", tool)
    assert result.exit_code == 0
    return result.output


def test_a_tool_that_moves_dice_takes_two_steps(client: FlaskClient, make: Callable[..., str]) -> None:
    """Purple 4 is placed by the rules first; only then may the brush move it to a space of another color."""
    record_id = make(FEW_DICE, "Fulgor del Cielo")
    page, told = asked(client, record_id, "P4", tool="Eglomise Brush")
    (move,) = told["moves"]
    assert move["tool"] == "Eglomise Brush"
    assert move["via"] == told["legal_cells"] == chips(page)
    assert move["via"]
    assert move["to"]
    assert set(move["to"]) <= set(told["why_not"])
    assert told["with_tool"] == {}
    via, to = " or ".join(move["via"]), " or ".join(move["to"])
    said = f"Place it on {via} first; then Eglomise Brush may move it to {to}."
    assert [one.replace(", ", " or ") for one in steps(page)] == [said.replace(", ", " or ")]
    lines = terminal(FEW_DICE, "Fulgor del Cielo", "P4", "Eglomise Brush").splitlines()
    assert steps(page)[0] in lines


def test_a_die_taken_up_from_the_window_may_be_moved_by_the_brush(
    client: FlaskClient, make: Callable[..., str]
) -> None:
    """It needs no space to be placed on first: the brush moves it straight to a space of another color."""
    record_id = make(FEW_DICE, "Fulgor del Cielo")
    page, told = asked(client, record_id, "P1", moved="P1", tool="Eglomise Brush")
    assert (told["legal_cells"], told["with_tool"]) == (["C1"], {"C1": ["Eglomise Brush"]})
    assert (chips(page), told["moves"]) == (["C1"], [])
    lifted = client.get(f"/w/{record_id}/place?lift=P1&tool=Eglomise+Brush").get_data(as_text=True)
    assert chips(lifted) == ["C1"]
    assert '<input type="hidden" name="moved" value="P1">' in lifted
    assert chips(client.get(f"/w/{record_id}/place?lift=P1").get_data(as_text=True)) == []


EFFECTS = {
    Tool.GROZING_PLIERS: "changes",
    Tool.EGLOMISE_BRUSH: "moves",
    Tool.COPPER_FOIL_BURNISHER: "moves",
    Tool.LATHEKIN: "nothing",  # moves two dice, but under all rules
    Tool.LENS_CUTTER: "nothing",  # what lies on the round track nobody knows here
    Tool.FLUX_BRUSH: "nothing",  # chance
    Tool.GLAZING_HAMMER: "nothing",  # chance, and before a die is drafted
    Tool.RUNNING_PLIERS: "nothing",  # another die
    Tool.CORK_BACKED_STRAIGHTEDGE: "frees",
    Tool.GRINDING_STONE: "changes",
    Tool.FLUX_REMOVER: "nothing",  # chance
    Tool.TAP_WHEEL: "nothing",  # moves dice, but under all rules
}
"""What each tool does for a die that was drafted."""

ONE_DIE = "R1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"


@pytest.mark.parametrize("tool", Tool, ids=lambda tool: tool.value)
def test_what_each_tool_does_for_a_drafted_die(
    client: FlaskClient, make: Callable[..., str], tool: Tool
) -> None:
    """It becomes another die, its placement is freed, it is moved once it lies, or nothing can be said."""
    # On Fractal Drops purple 5 touches the red 1 by A2 and B2 and not by B1, which wants red.
    record_id = make(ONE_DIE, "Fractal Drops")
    page, told = asked(client, record_id, "P5", tool=tool.value)
    _, without = asked(client, record_id, "P5")
    found = {
        "changes": [one["tool"] for one in told["changes"]],
        "moves": [one["tool"] for one in told["moves"]],
        "frees": sorted({name for names in told["with_tool"].values() for name in names}),
    }
    effect = EFFECTS[tool]
    for what, tools in found.items():
        assert set(tools) == ({tool.value} if what == effect else set()), what
    assert (told["legal_cells"] == without["legal_cells"]) == (effect != "frees")
    assert chips(page) == told["legal_cells"]
    assert len(steps(page)) == len(told["changes"]) + len(told["moves"])
    by_command = answer(
        "check", "--board", ONE_DIE, "--window", "Fractal Drops", "--die", "P5", "--tool", tool.value
    )
    assert by_command["dice"] == [told]
    said = terminal(ONE_DIE, "Fractal Drops", "P5", tool.value)
    assert all(step in said for step in steps(page))


def test_the_page_offers_the_tools_that_bear_on_where_a_die_may_lie() -> None:
    """Each tool that can change anything has its switch; what chance or the turn decides has none."""
    assert {tool for tool, effect in EFFECTS.items() if effect != "nothing"} <= set(SHOWN_TOOLS)
    assert all(tool.effect is not ToolEffect.CHANGES_TURN for tool in SHOWN_TOOLS)


# --- The cards of the game come along --------------------------------------------------------------


def test_the_tools_of_the_game_count_on_every_page_of_a_window(table: Table) -> None:
    """Window page, placement page and JSON judge with the table's tools, whatever an address says."""
    tools = ["Eglomise Brush", "Cork-backed Straightedge", "Tap Wheel"]
    rule = "Eglomise Brush ignores neighbors"
    assert table.ann.cards(tools=tools, house_rules=[rule]).status_code == 200
    table.play("Ann", board=FEW_DICE, window="Fulgor del Cielo", favor_tokens=4)
    client, record_id = table.ann.client, table.ann.own()["reading"]
    window = client.get(f"/w/{record_id}").get_data(as_text=True)
    reading = client.get(f"/w/{record_id}.json").get_json()
    assert reading["problems"] == shown.problems(window) == []
    assert [one["code"] for one in reading["notices"]] == ["not_connected"]
    for query in ("", "?tool=Lathekin", "?house_rule=Copper+Foil+Burnisher+ignores+neighbors"):
        page = client.get(f"/w/{record_id}/place{query}").get_data(as_text=True)
        told = client.get(f"/w/{record_id}/place.json{query}").get_json()
        assert told["problems"] == shown.problems(page) == []
        assert messages(told["notices"]) == shown.notices(page) == shown.notices(window)
        assert "The host chooses them." in page
        assert not re.search(r'type="checkbox" name="(tool|house_rule)"', page)
        on_table = shown.said(page, r'<ul class="on-table">(.*?)</ul>')[0]
        assert all(card in on_table for card in (*tools, rule))
        assert "Lathekin" not in on_table
