from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from scoring import EXPANSION_TOOLS, WINDOW_PATTERNS, Color, PublicObjective, Tool, WindowSet
from scoring.words import LANGUAGES
from tests.webapp.conftest import RULEBOOK
from webapp.cli.sagrada import main
from webapp.storage.windows import FILE_NAME

EXAMPLE = {
    "board": RULEBOOK,
    "window": "Fractal Drops",
    "public": ["Light Shades"],
    "private": "purple",
    "favor_tokens": 3,
}


def ask(client: FlaskClient, what: str, told: dict[str, Any], language: str = "en") -> Any:  # noqa: ANN401
    """Ask the interface and return its answer."""
    return client.post(f"/api/v1/{what}", json=told, headers={"Accept-Language": language})


def by_command(*words: str) -> Any:  # noqa: ANN401
    """Return what the command line answers as JSON."""
    done = CliRunner().invoke(main, [*words, "--json"], catch_exceptions=False)
    told = json.loads(done.stdout)
    assert done.exit_code == (told.get("legal") is False), done.output
    return told


@pytest.fixture
def same_house(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line look into the folder of this test's application."""
    monkeypatch.setenv("SAGRADA_DATA", str(app.config["SAGRADA_DATA"]))


SCORES: list[tuple[dict[str, Any], list[str]]] = [
    (
        EXAMPLE,
        ["--window", "Fractal Drops", "--public", "Light Shades", "--private", "purple", "--favor", "3"],
    ),
    (
        {"board": RULEBOOK, "tools": ["Lathekin"], "house_rules": ["Eglomise Brush ignores neighbors"]},
        ["--tool", "Lathekin", "--house-rule", "Eglomise Brush ignores neighbors"],
    ),
    (
        {"board": RULEBOOK, "private": ["red", "B"], "solo": 31, "window": "auto"},
        ["--private", "red", "--private", "B", "--solo", "31"],
    ),
    (
        {"board": RULEBOOK, "private": "red", "solo": "R3 G4 / -- / B1"},
        ["--private", "red", "--solo", "R3 G4 / -- / B1"],
    ),
]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("told", "options"), SCORES)
def test_scoring_answers_as_the_command_does(
    client: FlaskClient, same_house: None, told: dict[str, Any], options: list[str], language: str
) -> None:
    """What `sagrada score --json` says of a board, the interface says too, in every language."""
    answered = ask(client, "score", told, language)
    assert answered.status_code == 200
    spoken = by_command("score", "--board", RULEBOOK, *options, "--lang", language)
    assert as_said(answered.get_json()) == as_said(spoken)


CHECKS: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"window": "Fractal Drops", "dice": ["R2", "B6"], "tools": ["Copper Foil Burnisher"], "spent": 1},
        [
            *("--window", "Fractal Drops", "--die", "R2", "--die", "B6"),
            *("--tool", "Copper Foil Burnisher", "--spent", "1"),
        ],
    ),
    ({"solo": True, "tools": ["Tap Wheel"]}, ["--solo", "--tool", "Tap Wheel"]),
    ({}, []),
]


@pytest.mark.parametrize(("told", "options"), CHECKS)
def test_checking_answers_as_the_command_does(
    client: FlaskClient, same_house: None, told: dict[str, Any], options: list[str]
) -> None:
    """What `sagrada check --json` says of a board, the interface says too."""
    answered = ask(client, "check", {"board": RULEBOOK, **told})
    assert answered.status_code == 200
    assert as_said(answered.get_json()) == as_said(by_command("check", "--board", RULEBOOK, *options))


ANN = {"name": "Ann", "board": RULEBOOK, "private": "red", "favor_tokens": 1, "window": "Fractal Drops"}
BEN = {"name": "Ben", "board": RULEBOOK, "private": "blue", "favor_tokens": 0}
GAMES: list[dict[str, Any]] = [
    {"public": ["Light Shades", "Deep Shades"], "tools": ["Lathekin"], "first_player": "Ben"},
    {"turn_order": ["Ben", "Ann"], "house_rules": ["Eglomise Brush ignores neighbors"]},
    {},
]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("cards", GAMES)
def test_ranking_answers_as_the_command_does(
    client: FlaskClient, same_house: None, tmp_path: Path, cards: dict[str, Any], language: str
) -> None:
    """What `sagrada rank --json` says of a game, with the tie-break that decided, the interface says too."""
    game = {**cards, "players": [ANN, BEN]}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game), encoding="utf-8")
    answered = ask(client, "rank", game, language)
    assert answered.status_code == 200
    assert answered.get_json() == by_command("rank", str(file), "--lang", language)


@pytest.mark.parametrize(
    ("game", "code", "told"),
    [
        ({"players": [ANN]}, "bad_number_of_players", "One player"),
        ({"players": [ANN, ANN]}, "bad_game", "Ann"),
        ({"players": [ANN, {**BEN, "board": "R1"}]}, "bad_game", 'player 2 (Ben), "board"'),
        ({"players": [ANN, BEN], "publics": []}, "unknown_key", '"publics"'),
        ({}, "bad_request", '"players"'),
    ],
)
def test_a_game_that_cannot_be_ranked_says_why(
    client: FlaskClient, game: dict[str, Any], code: str, told: str
) -> None:
    """Each mistake in a game is named with its place, and no option of the command line is spoken of."""
    answer = ask(client, "rank", game)
    assert answer.status_code == 400
    error = answer.get_json()["error"]
    assert error["code"] == code
    assert told in error["message"]
    assert "--solo" not in error["message"] + error["next_step"]


def as_said(answer: Any) -> Any:  # noqa: ANN401
    """Return an answer with the one word that differs: the option ``--window``, the key ``"window"``."""
    return json.loads(json.dumps(answer).replace("--window", r"\"window\""))


@pytest.mark.parametrize(
    "key", ["public", "private", "tools", "house_rules", "favor_tokens", "solo", "window", "board"]
)
@pytest.mark.parametrize("value", [{}, -1, True, 1.5, [7], "\x00"])
def test_nonsense_is_refused(client: FlaskClient, key: str, value: object) -> None:
    """What no game has is answered with 400 and a sentence that says what is wrong."""
    answer = ask(client, "score", {**EXAMPLE, key: value})
    assert answer.status_code == 400
    assert all(answer.get_json()["error"].values())


@pytest.mark.parametrize(
    ("what", "told", "code"),
    [
        ("score", {"favour_tokens": 3}, "unknown_key"),
        ("score", {"Favor_Tokens": 3}, "unknown_key"),
        ("score", {"private": ["red", "blue"]}, "bad_number_of_private_objectives"),
        ("score", {"public": ["Lite Shades"]}, "unknown_objective"),
        ("check", {"public": ["Light Shades"]}, "unknown_key"),
        ("check", {"dice": ["R7"]}, "bad_die"),
        ("check", {"spent": 5, "window": "Fractal Drops"}, "too_many_favor_tokens"),
        ("check", {"spent": 1, "solo": True}, "bad_favor_tokens"),
        ("check", {"solo": "yes"}, "bad_request"),
    ],
)
def test_each_mistake_has_its_own_code(
    client: FlaskClient, what: str, told: dict[str, Any], code: str
) -> None:
    """A slip of the pen, a card that does not exist, and tokens that nobody had are told apart."""
    answer = ask(client, what, {"board": RULEBOOK, **told})
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == code
    assert "--" not in answer.get_json()["error"]["next_step"]  # no option of the command line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_are_those_of_the_game(client: FlaskClient, language: str) -> None:
    """All objectives, tools, windows and colors are listed, each with a name in the visitor's language."""
    cards = client.get("/api/v1/cards", headers={"Accept-Language": language}).get_json()
    assert cards["language"] == language
    assert [card["name"] for card in cards["public"]] == [card.value for card in PublicObjective]
    assert [card["name"] for card in cards["tools"]] == [tool.value for tool in (*Tool, *EXPANSION_TOOLS)]
    assert [one["letter"] for one in cards["colors"]] == [color.value for color in Color]
    windows = {one["name"]: (one["pattern"], one["difficulty"]) for one in cards["windows"]}
    assert windows == {
        name: (str(one), one.difficulty)
        for name, one in WINDOW_PATTERNS.with_sets([WindowSet.FIVE_AND_SIX]).items()
    }
    labels = [one["label"] for kind in ("public", "tools", "colors") for one in cards[kind]]
    assert all(labels)
    assert language == "en" or "Light Shades" not in labels


def test_a_damaged_file_of_own_windows_is_told_without_naming_it(client: FlaskClient, app: Flask) -> None:
    """Scoring goes on with the cards of the game, and the answer tells nothing of this computer's folders."""
    folder: Path = app.config["SAGRADA_DATA"]
    (folder / FILE_NAME).write_text("{", encoding="utf-8")
    answer = ask(client, "score", EXAMPLE)
    ranked = ask(client, "rank", {"players": [ANN, BEN]})
    for one in (answer, ranked):
        assert "own_windows_missing" in {notice["code"] for notice in one.get_json()["notices"]}
        assert str(folder) not in one.get_data(as_text=True)


@pytest.mark.parametrize(
    ("language", "message", "next_step"),
    [
        ("en", "Row B has 2 cells instead of 5.", "Separate the cells by blanks"),
        ("fr", "La ligne B a 2 cases au lieu de 5.", "Séparez les cases par des espaces"),
        ("ja", "B行は5マスではなく2マスです。", "マスは空白で区切り"),
        ("ru", "В ряду B 2 ячейки вместо 5.", "Разделяйте ячейки пробелами"),
    ],
)
def test_the_row_that_is_wrong_is_named_in_the_language_of_the_visitor(
    client: FlaskClient, language: str, message: str, next_step: str
) -> None:
    """An answer about a mistake says where it is, whatever language the visitor reads."""
    wrong = {"board": RULEBOOK.replace("R3 B1 -- G1 Y2", "R3 B1")}
    error = ask(client, "score", wrong, language).get_json()["error"]
    assert (error["code"], error["message"]) == ("wrong_number_of_columns", message)
    assert error["next_step"].startswith(next_step)


@pytest.mark.parametrize("language", ["fr", "ja", "ru"])
@pytest.mark.parametrize(
    ("what", "told", "named"),
    [
        ("score", {"favour_tokens": 3}, "favour_tokens favor_tokens"),
        ("score", {"Favor_Tokens": 3}, '"Favor_Tokens"'),
        ("score", {"board": 7}, '"board"'),
        ("score", {"favor_tokens": -1}, '"favor_tokens"'),
        ("score", {"public": 7}, '"public"'),
        ("score", {"solo": "R3 / X9", "private": "red"}, "X9"),
        ("score", {"solo": -1}, '"solo"'),
        ("score", {"private": ["red", "blue"]}, '"solo"'),
        ("score", {"window": "Fractal Dops"}, "Fractal Dops Drops"),
        ("check", {"solo": "yes"}, '"solo"'),
        ("check", {"spent": 1, "solo": True}, '"spent"'),
        ("check", {"spent": 5, "window": "Fractal Drops"}, "3 5"),
        ("rank", {"players": [ANN]}, '"solo"'),
        ("rank", {"players": [ANN, {**BEN, "board": "Y5"}]}, 'Ben "board" 4 1'),
    ],
)
def test_mistakes_are_told_in_the_language_of_the_visitor(
    client: FlaskClient, what: str, told: dict[str, Any], named: str, language: str
) -> None:
    """Code and names stay; message and next step are not those of the English answer."""
    wrong = told if what == "rank" else {"board": RULEBOOK, **told}
    english, other = (ask(client, what, wrong, code).get_json()["error"] for code in ("en", language))
    assert other["code"] == english["code"]
    for key in ("message", "next_step"):
        assert other[key] != english[key]
    assert all(name in f"{other['message']} {other['next_step']}" for name in named.split())
