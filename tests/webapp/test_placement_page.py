from __future__ import annotations

import re
from io import BytesIO
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Die,
    HouseRule,
    Tool,
    Toolbox,
    cell_name,
    dead_cells,
    legal_cells,
    placement_problems,
    why_not,
)
from scoring.sentences import ENGLISH
from tests.strategies import dice, mixed_boards
from tests.webapp.conftest import NOT_FOUND, SayingReader
from webapp import create_app
from webapp.domain.payloads import problem_to_json
from webapp.domain.placement import MOST_DICE
from webapp.domain.record import Choices, Record
from webapp.services import context

SOME_DICE = Board.parse("-- -- -- -- -- / R3 -- -- Y2 -- / G5 B1 -- -- -- / -- -- P6 -- --")
ONLY_A5_OPEN = Board.parse("R1 B2 G3 Y4 -- / B4 G5 R6 P1 G5 / R2 Y6 B3 G4 P2 / P5 R4 Y1 B6 R3")


@pytest.fixture(scope="module")
def one_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Return one application for all made-up boards."""
    folder = tmp_path_factory.mktemp("data")
    return create_app({"TESTING": True, "SAGRADA_DATA": folder}, reader=SayingReader())


def stored(app: Flask, board: Board, window: str = "unknown") -> str:
    """Store a window with these dice on a card and return its id."""
    with app.app_context():
        return context.store().create({}, board=board, choices=Choices(window=window)).id


def record(app: Flask, record_id: str) -> Record:
    """Return a window as it is stored."""
    with app.app_context():
        return context.store().load(record_id)


def placement(client: FlaskClient, record_id: str, **query: Any) -> Any:  # noqa: ANN401
    """Ask the interface about placing dice and return its answer."""
    return client.get(f"/w/{record_id}/place.json", query_string=query)


def names(cells: Any) -> list[str]:  # noqa: ANN401
    """Return the names of cells in reading order."""
    return [cell_name(cell) for cell in sorted(cells)]


@given(
    board=mixed_boards,
    pool=st.lists(dice, min_size=1, max_size=4),
    window=st.sampled_from(["unknown", *WINDOW_PATTERNS]),
    tools=st.sets(st.sampled_from(list(Tool))),
    rules=st.sets(st.sampled_from(list(HouseRule))),
)
def test_the_interface_answers_as_the_rules_do(
    one_app: Flask, board: Board, pool: list[Die], window: str, tools: set[Tool], rules: set[HouseRule]
) -> None:
    """Legal spaces, reasons, lost spaces and problems are those of `scoring`, with the same tool cards."""
    pattern = None if window == "unknown" else WINDOW_PATTERNS[window]
    toolbox = Toolbox(tools, house_rules=rules)
    told = placement(
        one_app.test_client(),
        stored(one_app, board, window),
        die=[str(die) for die in pool],
        tool=[tool.value for tool in tools],
        house_rule=[rule.value for rule in rules],
    ).get_json()
    assert [one["die"] for one in told["dice"]] == [str(die) for die in pool]
    for die, answer in zip(pool, told["dice"], strict=True):
        assert answer["legal_cells"] == names(legal_cells(board, die, pattern, toolbox))
        reasons = why_not(board, die, pattern, toolbox)
        assert answer["why_not"] == {
            cell_name(cell): [problem_to_json(problem, ENGLISH) for problem in problems]
            for cell, problems in reasons.items()
        }
        for cell in board.empty_cells():
            needed = [Tool.from_name(name) for name in answer["with_tool"].get(cell_name(cell), [])]
            for tool in needed:
                assert tool in tools
                assert cell in legal_cells(board, die, pattern, Toolbox([tool], house_rules=rules))
            by_the_rules_alone = cell in legal_cells(board, die, pattern)
            assert (cell_name(cell) in answer["legal_cells"]) == (by_the_rules_alone or bool(needed))
    assert told["dead_cells"] == names(dead_cells(board, pattern))
    assert [problem["code"] for problem in told["problems"]] == [
        problem.code for problem in placement_problems(board, pattern, toolbox)
    ]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"die": "R7"}, "bad_die"),
        ({"die": "X1"}, "bad_die"),
        ({"die": "R4", "pick": "nothing"}, "bad_die"),
        ({"die": "R4", "add": "4R"}, "bad_die"),
        ({"die": "R4", "pick": "B1"}, "not_in_pool"),
        ({"die": "R4", "tool": "Hammer of Thor"}, "unknown_tool"),
        ({"die": "R4", "house_rule": "Anything goes"}, "unknown_tool"),
        ({"die": ["R4"] * (MOST_DICE + 1)}, "too_many_dice"),
        ({"die": ["R4"] * MOST_DICE, "add": "B1"}, "too_many_dice"),
    ],
)
def test_what_does_not_exist_is_refused(
    app: Flask, client: FlaskClient, query: dict[str, Any], code: str
) -> None:
    """A die, tool card or house rule that does not exist is refused in the one shape of errors."""
    record_id = stored(app, SOME_DICE)
    answer = placement(client, record_id, **query)
    assert answer.status_code == 400
    assert set(answer.get_json()) == {"error"}
    assert set(answer.get_json()["error"]) == {"code", "message", "next_step"}
    assert answer.get_json()["error"]["code"] == code
    page = client.get(f"/w/{record_id}/place", query_string=query)
    assert page.status_code == 400
    assert f'data-code="{code}"' in page.get_data(as_text=True)


def test_a_die_that_fits_nowhere_names_the_rule_in_the_way(app: Flask, client: FlaskClient) -> None:
    """The page says that a die fits nowhere, and which rule forbids most of the empty spaces."""
    record_id = stored(app, ONLY_A5_OPEN)
    assert "Yellow 5 fits nowhere." in client.get(f"/w/{record_id}/place?die=Y5").get_data(as_text=True)
    text = client.get(f"/w/{record_id}/place?die=R5").get_data(as_text=True)
    assert "Mostly in the way, on 1 space: Dice that share a side must differ in value." in text


def test_tools_of_the_game_excuse_what_lies_there(app: Flask, client: FlaskClient) -> None:
    """A print that a tool card may have lifted is no problem once the card is in the game, but is told."""
    board = Board.empty().replace(1, 0, Die.parse("B3"))  # on Fractal Drops B1 wants a red die
    record_id = stored(app, board, "Fractal Drops")
    without = placement(client, record_id).get_json()
    assert [problem["code"] for problem in without["problems"]] == ["color_restriction"]
    assert without["removals"]["most_points"]["cells"] == ["B1"]
    with_it = placement(client, record_id, tool="Eglomise Brush").get_json()
    assert with_it["problems"] == []
    text = client.get(f"/w/{record_id}/place?tool=Eglomise+Brush").get_data(as_text=True)
    assert "B1: blue 3 on a space that needs red. Eglomise Brush" in text


def chips(page: str) -> list[str]:
    """Return the spaces that the page offers as buttons."""
    return re.findall(r'name="cell" value="(\w\d)"', page)


def test_the_page_works_without_scripts(app: Flask, client: FlaskClient) -> None:
    """A plain address shows the legal spaces as buttons and every other empty space with its reason."""
    record_id = stored(app, SOME_DICE, "Fractal Drops")
    page = client.get(f"/w/{record_id}/place?die=R2").get_data(as_text=True)
    pattern = WINDOW_PATTERNS["Fractal Drops"]
    legal = legal_cells(SOME_DICE, Die.parse("R2"), pattern)
    assert chips(page) == names(legal)
    told = re.findall(r'data-why="(\w\d)"', page)
    assert told == names(set(SOME_DICE.empty_cells()) - legal)
    assert "A space printed with a color takes only dice of that color." in page


def test_a_plain_form_places_the_die_and_empties_its_place_in_the_pool(
    app: Flask, client: FlaskClient
) -> None:
    """Pool and tools stay, also when a card is chosen; no die is placed over one placed there meanwhile."""
    record_id = stored(app, SOME_DICE)
    form = {"die": ["R2", "B4", "R2"], "pick": "R2", "tool": "Lathekin", "cell": "D2"}
    answer = client.post(f"/w/{record_id}/place?revision=1", data=form)
    assert answer.status_code == 303
    assert record(app, record_id).board == SOME_DICE.replace(3, 1, Die.parse("R2"))
    kept = parse_qsl(urlsplit(answer.location).query, keep_blank_values=True)
    assert kept == [("die", "B4"), ("die", "R2"), ("pick", ""), ("tool", "Lathekin")]
    late = {"die": "B4", "pick": "B4", "cell": "D2"}  # on an older state of the same space
    assert client.post(f"/w/{record_id}/place?revision=1", data=late).status_code == 409
    assert record(app, record_id).board[3, 1] == Die.parse("R2")
    form = {"revision": "2", "window": "Firmitas", "die": "R2", "pick": "R2"}
    answer = client.post(f"/w/{record_id}/place", data=form)
    assert urlsplit(answer.location).query == "die=R2&pick=R2"
    assert record(app, record_id).choices.window == "Firmitas"


@pytest.mark.parametrize(
    "form",
    [
        {"cell": "D2"},
        {"die": ["R2", "B4"], "cell": "D2"},
        {"die": "R2", "cell": "E9"},
        {"die": "R2", "cell": "D2", "revision": "newest"},
        {"window": "No such card"},
    ],
    ids=["no die", "none picked", "no such space", "no revision", "no such card"],
)
def test_a_form_that_makes_no_sense_changes_nothing(
    app: Flask, client: FlaskClient, form: dict[str, Any]
) -> None:
    """A form without a picked die, a space, a revision or a known card is refused."""
    record_id = stored(app, SOME_DICE)
    answer = client.post(f"/w/{record_id}/place", data={"revision": "1", **form})
    assert answer.status_code == 400
    assert record(app, record_id).revision == 1


def pool(page: str) -> list[str]:
    """Return the dice of the pool that a page shows."""
    return re.findall(r'data-die="(\w\d)"', page)


def test_dice_come_and_go_in_the_pool(app: Flask, client: FlaskClient) -> None:
    """One die is picked by itself, and so is one that is added; one taken out leaves its twin there."""
    address = f"/w/{stored(app, SOME_DICE)}/place"
    for query, picked in (("die=R4", True), ("die=R4&die=B1", False), ("die=R4&pick=", False)):
        page = client.get(f"{address}?{query}").get_data(as_text=True)
        assert ('aria-pressed="true"' in page) is picked
    added = client.get(f"{address}?die=R2&die=B4&pick=R2&add=R2").get_data(as_text=True)
    assert pool(added) == ["R2", "B4", "R2"]
    dropped = client.get(f"{address}?die=R2&die=B4&die=R2&pick=R2&drop=R2")
    assert pool(dropped.get_data(as_text=True)) == ["B4", "R2"]


def test_play_begins_with_an_empty_window(app: Flask, client: FlaskClient) -> None:
    """One of the ways in makes an empty window to place dice in, which leads to its score and back."""
    assert 'href="/place"' in client.get("/").get_data(as_text=True)
    assert placement(client, "nothing-is-here-", die="R4").status_code == 404
    answer = client.post("/place")
    assert answer.status_code == 303
    record_id = answer.location.split("/")[-2]
    assert answer.location == f"/w/{record_id}/place"
    assert record(app, record_id).board == Board.empty()
    for page in ("/place", f"/w/{record_id}"):
        assert f'href="/w/{record_id}/place"' in client.get(page).get_data(as_text=True)
    assert f'href="/w/{record_id}"' in client.get(answer.location).get_data(as_text=True)


def test_play_begins_with_a_photo(client: FlaskClient, photo: bytes, reader: SayingReader) -> None:
    """A photo leads to the same page; an unread one to its own, with corners; no photo is told at once."""
    answer = client.post("/place", data={"photo": (BytesIO(photo), "a.jpg")})
    assert answer.location.endswith("/place")
    assert client.get(answer.location).status_code == 200
    reader.answer = NOT_FOUND
    answer = client.post("/place", data={"photo": (BytesIO(photo), "a.jpg")})
    unread = client.get(answer.location)
    assert unread.status_code == 302
    assert f"{unread.location}/place" == answer.location
    for content, name, status, code in (
        (b"no photo", "a.jpg", 422, "not_a_photo"),
        (b"", "a.jpg", 422, "not_a_photo"),
        (b"", "", 400, "photo_missing"),
    ):
        told = client.post("/place", data={"photo": (BytesIO(content), name)})
        assert (told.status_code, code in told.get_data(as_text=True)) == (status, True)
