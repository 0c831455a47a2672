"""Tools have pictures; where one would account for a problem, the page asks whether it was used."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from flask import Flask
from flask.testing import FlaskClient

from scoring import WINDOW_PATTERNS, Board, Tool
from tests.webapp.games.conftest import Device
from webapp.domain.judging import Case, Judgement


def test_every_tool_card_has_a_picture_of_its_own(app: Flask) -> None:
    """Each tool is chosen by a diagram that shows something, and no two look the same."""
    with app.test_request_context():
        draw = app.jinja_env.get_template("art.html").module.tool_diagram  # type: ignore[attr-defined]
        drawn = [str(draw(number)) for number in range(1, len(Tool) + 1)]
    assert len(drawn) == len(set(drawn)) == len([tool for tool in Tool if tool.is_printed]) == 12
    for picture in drawn:
        ground, *rest = ET.fromstring(picture)
        assert ground.get("class") == "mini-lead"
        assert len(rest) >= 3


WRONG_VALUE = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"  # C5 needs a 1
CARD = WINDOW_PATTERNS["Fractal Drops"]


def entered(client: FlaskClient) -> str:
    """Return the address of a window that was typed, with its card."""
    made = client.post("/by-hand", json={"board": WRONG_VALUE}).get_json()
    address = str(made["links"]["self"])
    assert client.post(address, json={"revision": 1, "window": CARD.name}).status_code == 200
    return address


def test_the_tool_is_asked_about_that_would_account_for_the_problem() -> None:
    """Each tool is asked about once, and only where it would do; alone a player knows what was used."""
    case = Case(Board.parse(WRONG_VALUE), CARD)
    ((problem, tool),) = Judgement(case).questions
    assert (problem.code, tool.value) == ("value_restriction", "Copper Foil Burnisher")
    assert Judgement(Case(case.board, CARD, tools=[Tool("Copper Foil Burnisher")])).questions == ()
    assert Judgement(Case(case.board, CARD, solo=True)).questions == ()
    assert Judgement(Case(case.board, CARD, favor_tokens=CARD.difficulty)).questions == ()


def test_yes_makes_the_problem_a_remark_and_no_takes_it_back(client: FlaskClient) -> None:
    """The answer is kept with the window, in the form of the page as in JSON."""
    address = entered(client)
    before = client.get(address + ".json").get_json()
    (question,) = before["tool_questions"]
    assert (question["tool"], question["cells"]) == ("Copper Foil Burnisher", ["C5"])
    page = client.get(address).get_data(as_text=True)
    assert "Was Copper Foil Burnisher used for C5?" in page
    yes = {"revision": before["revision"], "tools": "Copper Foil Burnisher"}
    assert client.post(address, data=yes).status_code == 303
    after = client.get(address + ".json").get_json()
    assert (after["tool_questions"], after["choices"]["tools"]) == ([], ["Copper Foil Burnisher"])
    assert after["problems"] == []
    assert "Copper Foil Burnisher allows that." in client.get(address).get_data(as_text=True)
    back = client.post(address, json={"revision": after["revision"], "tools": []}).get_json()
    assert [one["cells"] for one in back["problems"]] == [one["cells"] for one in before["problems"]]
    assert back["tool_questions"] == before["tool_questions"]


def test_at_a_table_that_names_its_tools_nothing_is_asked(app: Flask) -> None:
    """There a player notes the use of a tool."""
    host = Device(app.test_client())
    host.start("Ann")
    host.cards(tools=["Lathekin", "Glazing Hammer", "Tap Wheel"])
    host.photo()
    host.put(WRONG_VALUE)
    window = f"/w/{host.own()['reading']}"
    seen = host.client.get(window + ".json").get_json()
    assert (len(seen["problems"]) > 0, seen["tool_questions"]) == (True, [])
    sent = {"revision": seen["revision"], "tools": ["Copper Foil Burnisher"]}
    refused = host.client.post(window, json=sent)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (400, "table_decides")
    assert not re.search("Was .* used for", host.client.get(window).get_data(as_text=True))
