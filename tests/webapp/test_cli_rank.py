"""`sagrada rank`: the standings of a game from a file, and every mistake in the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.webapp.commands import ANN, BEN, card, codes, parsed, refusal, sagrada
from webapp.cli.rank import EXAMPLE
from webapp.cli.sagrada import main

COUNTED_AS_IT_LIES = (
    "The window breaks the rules and is counted as it lies: without C5 it would give 19 points, not 24."
)
GAME: dict[str, Any] = {
    "public": ["Light Shades", "Deep Shades", "Color Variety"],
    "first_player": "Ben",
    "players": [ANN, BEN],
}


def write(folder: Path, game: object) -> Path:
    """Write a game to a file."""
    file = folder / "game.json"
    file.write_text(game if isinstance(game, str) else json.dumps(game), encoding="utf-8")
    return file


def ranked(folder: Path, game: object, *arguments: str) -> dict[str, Any]:
    """Return the answer to a game."""
    result = sagrada("rank", write(folder, game), "--json", *arguments)
    assert result.exit_code == 0, result.output
    return parsed(result)


def test_standings_with_their_decisions(tmp_path: Path) -> None:
    """Places, points, lines, windows and what decided stand in the answer."""
    data = ranked(tmp_path, GAME)
    keys = ["message", "winners", "standings", "decisions", "unranked", "without_window", "notices"]
    assert list(data) == keys
    assert (data["message"], data["winners"]) == ("Ann wins with 40 points.", ["Ann"])
    assert [(one["place"], one["name"], one["total"]) for one in data["standings"]] == [
        (1, "Ann", 40),
        (2, "Ben", 24),
    ]
    ann = data["standings"][0]
    assert sum(line["points"] for line in ann["lines"]) == 40
    assert (card(ann), ann["problems"], ann["last_round_turn"]) == ("Luz Celestial", [], 1)
    assert ann["score_marker"]["space"] == 40
    assert data["decisions"][0]["decided_by"] == "points"


def test_an_illegal_window_counts_as_it_lies_with_a_notice(tmp_path: Path) -> None:
    """The notice names the player, and the points that the best removal would leave."""
    data = ranked(tmp_path, GAME)
    ben = data["standings"][1]
    assert [problem["cells"] for problem in ben["problems"]] == [["C5"]]
    assert data["notices"] == data["standings"][0]["notices"] == []
    (notice,) = ben["notices"]
    assert set(notice) == {"code", "cells", "message", "excused_by"}
    assert (notice["code"], notice["cells"]) == ("counted_as_it_lies", ["C5"])
    assert notice["message"] == COUNTED_AS_IT_LIES
    assert ben["removals"]["most_points"]["points_after"] == 19


def test_windows_that_are_not_named_are_told_by_their_dice(tmp_path: Path) -> None:
    """Without "window" the dice name the card, and a notice says how to name it."""
    unnamed = {key: value for key, value in BEN.items() if key != "window"}
    data = ranked(tmp_path, {**GAME, "players": [ANN, unnamed]})
    assert card(data["standings"][1]) == "Fractal Drops"
    assert 'name it with "window"' in data["standings"][1]["notices"][0]["message"]
    assert ranked(tmp_path, {**GAME, "players": [ANN, {**BEN, "window": "auto"}]}) == data


@pytest.mark.parametrize(
    ("who_began", "winners"),
    [
        ({"first_player": "Ann"}, ["Ann"]),
        ({"first_player": "ben"}, ["Ben"]),
        ({"turn_order": ["Ben", "Ann"]}, ["Ben"]),
        ({"first_player_of_last_round": "Ann"}, ["Ben"]),
        ({}, ["Ann", "Ben"]),
    ],
)
def test_who_began_decides_the_last_tie(
    tmp_path: Path, who_began: dict[str, object], winners: list[str]
) -> None:
    """Equal in all else, who came later in the last round is ahead; nobody, where that is unknown."""
    board = "R6 B6 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --"
    ann = {"name": "Ann", "board": board, "private": "red", "favor_tokens": 1}
    data = ranked(tmp_path, {"players": [ann, {**ann, "name": "Ben", "private": "blue"}], **who_began})
    assert data["winners"] == winners
    decision = data["decisions"][0]
    if who_began:
        assert decision["decided_by"] == "last_round"
    else:
        assert "unknown for Ann, Ben" in decision["message"]
    assert codes(data["notices"]) == ["not_all_counted"]


def test_more_dice_of_a_color_than_the_bag_holds_are_told(tmp_path: Path) -> None:
    """There are 18 dice of each color: more in all windows together means that one was noted wrong."""
    nine = "R1 -- R2 -- R3 / -- R4 -- R5 -- / R6 -- R1 -- R2 / -- R3 -- -- --"
    ann, ben = ({**one, "board": nine, "window": "auto", "favor_tokens": 0} for one in (ANN, BEN))
    assert "too_many_dice" not in codes(ranked(tmp_path, {**GAME, "players": [ann, ben]})["notices"])
    ben["board"] = nine.replace("-- -- --", "-- R4 --")
    data = ranked(tmp_path, {**GAME, "players": [ann, ben]})
    (told,) = [one for one in data["notices"] if one["code"] == "too_many_dice"]
    assert told["message"].startswith("Dice of one color (red) in the windows: 19.")


def test_standings_for_people(tmp_path: Path) -> None:
    """A column for each player, the winner first, then what decided and what to know."""
    text = sagrada("rank", write(tmp_path, GAME)).stdout
    assert text.splitlines() == [
        "                             Ann            Ben",
        "Light Shades                   4              4",
        "Deep Shades                    4              4",
        "Color Variety                 12             12",
        "Private objective             20              7",
        "Favor tokens                   1              0",
        "Empty cells                   -1             -3",
        "Total                         40             24",
        "Place                          1              2",
        "Window             Luz Celestial  Fractal Drops",
        "",
        "Ann wins with 40 points.",
        "Ann is 16 points ahead of Ben (40 to 24).",
        "",
        "Ben:",
        "  C5: red 3 on a space that needs 1. Copper Foil Burnisher could excuse it.",
        f"  {COUNTED_AS_IT_LIES}",
    ]


def test_names_are_shown_without_what_a_terminal_would_obey(tmp_path: Path) -> None:
    """Controls and marks that nobody sees are left out; names that look alike then are refused."""
    one, other = GAME["players"]
    game = {**GAME, "players": [{**one, "name": "\x1b[31mA\tB\u202e"}, other]}
    text = sagrada("rank", write(tmp_path, game)).stdout
    assert "[31mA B wins with 40 points." in text
    assert not {"\x1b", "\t", "\u202e"} & {*text}
    same = {**GAME, "players": [{**one, "name": "Ben\u200f"}, other]}
    assert sagrada("rank", write(tmp_path, same)).exit_code == 2


def test_game_comes_from_the_standard_input_too() -> None:
    """`-` reads the game from the standard input."""
    assert parsed(sagrada("rank", "-", "--json", stdin=json.dumps(GAME)))["winners"] == ["Ann"]


def test_example_of_the_help_runs() -> None:
    """What the help shows is a game without a mistake."""
    example = EXAMPLE.split("Example:", 1)[1]
    assert example.strip() in sagrada("rank", "--help").stdout.replace("\n  ", "\n")
    data = parsed(sagrada("rank", "-", "--json", stdin=example))
    assert data["winners"] == ["Ann"]
    assert all(one["problems"] == [] for one in data["standings"])


def test_lang_and_names_in_four_languages(tmp_path: Path) -> None:
    """Names in the file may be in any language; `--lang` chooses that of the answer."""
    game = {**GAME, "public": ["Светлые стёкла"], "players": [{**ANN, "private": "赤"}, BEN]}
    data = ranked(tmp_path, game, "--lang", "ru")
    assert data["message"] == "Ann побеждает: 24 очка."
    assert data["standings"][0]["lines"][0]["label"] == "Светлые стёкла"
    text = sagrada("rank", write(tmp_path, game), "--lang", "ja").stdout
    assert "個人目標" in text


def test_windows_of_ones_own_can_be_played_on(tmp_path: Path) -> None:
    """A window of one's own can be named; when their file is damaged a notice says so."""
    spaces = ".1..4 / ..... / ..... / ....."
    assert sagrada("windows", "add", "Kitchen Light", spaces, data=tmp_path).exit_code == 0
    game = write(tmp_path, {**GAME, "players": [ANN, {**BEN, "window": "Kitchen Light"}]})
    assert card(parsed(sagrada("rank", game, "--json", data=tmp_path))["standings"][1]) == "Kitchen Light"
    (tmp_path / "windows.json").write_text("{")
    data = parsed(sagrada("rank", write(tmp_path, GAME), "--json", data=tmp_path))
    assert codes(data["notices"])[0] == "own_windows_missing"


def player(**changes: object) -> dict[str, Any]:
    """Return a game in which something about Ben is different; None leaves it out."""
    ben = {key: value for key, value in {**BEN, **changes}.items() if value is not None}
    return {**GAME, "players": [ANN, ben]}


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        ("{", "It is not JSON: correct it at line 1, column 2."),
        ("[" * 100_000, "nested too deeply"),
        ([], "one object in braces"),
        ({}, 'there is no "players"'),
        ({"players": "Ann"}, 'there is no "players"'),
        ({"players": []}, "cannot be played by 0 players"),
        ({"players": [ANN]}, "Use sagrada score with --solo."),
        ({"players": [ANN, 7]}, "player 2: it must be an object in braces"),
        ({**GAME, "publik": []}, 'There is no key called "publik". Did you mean public?'),
        ({**GAME, "First Player": "Ann"}, '"First Player" must be written "first_player".'),
        ({**GAME, "public": "Light Shades"}, '"public": it must be a list of names in brackets.'),
        ({**GAME, "public": [5]}, '"public": 5 is not a text. Write it in quotes.'),
        ({**GAME, "public": ["Light Shadse"]}, "Did you mean Light Shades?"),
        ({**GAME, "public": ["Light Shades", "light shades"]}, "a card is named twice"),
        ({**GAME, "public": [f"{one} Shades" for one in ("Light", "Medium", "Deep")] + ["Color Variety"]},
         "a game has 3 public objectives, not 4"),
        ({**GAME, "tools": ["Lathekinn"]}, '"tools": There is no tool called "Lathekinn". Did you mean'),
        ({**GAME, "house_rules": ["brush"]}, "Did you mean Eglomise Brush ignores neighbors?"),
        ({**GAME, "first_player": "Zoe"}, '"first_player": There is no player called "Zoe".'),
        ({**GAME, "first_player": 1}, '"first_player": 1 is not a text.'),
        ({**GAME, "turn_order": ["Ann", "Ben"]}, 'give only one of "first_player" and "turn_order"'),
        ({"players": [ANN, BEN], "turn_order": "Ann"}, '"turn_order": it must be a list'),
        ({"players": [ANN, BEN], "turn_order": ["Ann"]}, "name every player once"),
        ({"players": [ANN, BEN], "turn_order": ["Ann", "Bne"]}, "Did you mean Ben?"),
        (player(name=None), 'player 2: "name" is missing.'),
        (player(name=" "), "A player has no name."),
        (player(name="ann"), "Two players are called ann."),
        (player(name=5), 'player 2, "name": 5 is not a text.'),
        (player(board=None), 'player 2 (Ben): "board" is missing.'),
        (player(board="Y5"), 'player 2 (Ben), "board": A window has 4 rows'),
        (player(private="purpel"), 'player 2 (Ben), "private": There is no objective called "purpel".'),
        (player(private="red"), "Ann and Ben both have the private objective red."),
        (player(favor_tokens="2"), '"2" is not a number of tokens. Write 0 or more.'),
        (player(favor_tokens=True), "true is not a number of tokens."),
        (player(favor_tokens=-1), "-1 is not a number of tokens."),
        (player(favor_tokens=4), "Fractal Drops comes with 3 favor tokens, so 4 cannot be left."),
        (player(window="Fractal Dops"), 'player 2 (Ben), "window": There is no window called'),
        (player(window=3), 'player 2 (Ben), "window": 3 is not a text.'),
        (player(favour=3), 'player 2 (Ben): There is no key called "favour".'),
    ],
)  # fmt: skip
def test_each_mistake_is_said_with_its_place(tmp_path: Path, game: object, complaint: str) -> None:
    """What is wrong with the file is said with where and what to do; status 2."""
    assert complaint in refusal("rank", write(tmp_path, game))


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Nobody has to run the command once for each mistake."""
    wrong = {"public": ["Lite Shades"], "first_player": "Zoe"}
    game = {**player(board="Y5", private="purpel", window="Virtsu"), **wrong}
    result = sagrada("rank", write(tmp_path, game))
    assert result.exit_code == 2
    assert len([line for line in result.stderr.splitlines() if line.startswith("  ")]) == 5


def test_file_must_be_there_and_be_text(tmp_path: Path) -> None:
    """A missing file, a folder and a photo are wrong usage."""
    assert "does not exist" in refusal("rank", tmp_path / "nowhere.json")
    assert "is a directory" in refusal("rank", tmp_path)
    picture = tmp_path / "game.json"
    picture.write_bytes(b"\xff\xd8\xff\xe0")
    assert "is not text. Give the game as JSON" in refusal("rank", picture)
    result = CliRunner().invoke(main, ["rank", "-"], input=b"\xff\xd8")
    assert (result.exit_code, "The standard input is not text." in result.stderr) == (2, True)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Why the system does not give a file out is said."""

    def refused(_path: Path, **_how: str) -> str:
        raise PermissionError(13, "Permission denied")

    file = write(tmp_path, GAME)
    monkeypatch.setattr(Path, "read_text", refused)
    result = sagrada("rank", file)
    assert result.exit_code == 1
    assert "cannot be read (Permission denied)." in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (player(board="Y5"), 'player 2 (Ben), "board": В витраже 4 ряда, а здесь рядов: 1.'),
        ({**GAME, "publik": []}, "the game: Нет ключа с названием «publik». Может быть, public?"),
    ],
)
def test_what_the_rules_refuse_in_a_file_is_said_in_the_language_asked_for(
    game: object, complaint: str
) -> None:
    """The place is said as it is written in the file, the mistake as the rules say it in the language."""
    result = sagrada("rank", "-", "--lang", "ru", stdin=json.dumps(game))
    assert result.exit_code == 2
    assert complaint in " ".join(result.stderr.split())
