"""What the rules refuse is said in every language, with all that the English sentence names."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import scoring
import webapp
from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    CustomWindows,
    Die,
    InvalidValueError,
    NotationError,
    Player,
    PublicObjective,
    RoundTrack,
    ScoringError,
    Sentence,
    Tool,
    Toolbox,
    TurnOrder,
    UnknownNameError,
    WindowPattern,
    best_removals,
    cell_from_name,
    cell_name,
    check_favor_tokens_left,
    check_solo_tools,
    custom_window,
    identify_window,
    parse_open_cells,
    rank,
    score_player,
    score_solo,
    setup,
    words_in,
)
from scoring.board import RARE_GLASS, colored
from scoring.game.setup import check_round
from scoring.lookup import color_called, house_rule_called, objective_called, tool_called, window_called
from scoring.names import NOTHING_CALLED, find_name
from scoring.patterns.collection import windows_from_json
from scoring.tools import Lift, ToolEffect
from scoring.words import LANGUAGES

CLASSES = {one.__name__ for one in (ScoringError, NotationError, InvalidValueError, UnknownNameError)}

EMPTY = Board.empty()
CORNERS = "R...B / ..... / ..... / 1...6"
LADDER = "R.... / .1... / ..B.. / ...6."
GLASS = Board(((Die(RARE_GLASS, 1),) * 5, *((None,) * 5,) * 3))
MINE = custom_window("Mine", CORNERS, names=[("fr", "Le mien")])
TWICE = [PublicObjective.LIGHT_SHADES] * 2


def file_of(*entries: object, **more: object) -> dict[str, object]:
    """Return the data of a file of windows."""
    return {"format": "sagrada-windows", "schema": 1, "windows": list(entries), **more}


ENTRY = {"name": "First", "cells": CORNERS}
ROWS = "-- -- -- -- -- / {} / -- -- -- -- -- / -- -- -- -- --"

REFUSED: list[tuple[str, Callable[[], object], str]] = [
    # code, what raises it, and what the sentence and the next step name in every language
    ("bad_die", lambda: Die.parse("R7"), "R7"),
    ("bad_cell", lambda: Board.parse(ROWS.format("-- -- X9 -- --")), "B3 X9"),
    ("bad_cell", lambda: WindowPattern.parse("..... / ..7.. / ..... / ....."), "B3 7"),
    ("bad_cell", lambda: parse_open_cells("????? / ??0?? / ????? / ?????"), "B3 0"),
    ("bad_cell_name", lambda: cell_from_name("Z9"), "Z9"),
    ("wrong_number_of_rows", lambda: Board.parse("R1 / R2"), "4 2"),
    ("wrong_number_of_rows", lambda: WindowPattern.parse("..... / ....."), "4 2"),
    ("wrong_number_of_columns", lambda: Board.parse(ROWS.format("R1 --")), "B 2 5"),
    ("wrong_number_of_columns", lambda: Board.parse(ROWS.format("R1")), "B 1 5"),
    ("wrong_number_of_columns", lambda: WindowPattern.parse("..... / .. / ..... / ....."), "B 2 5"),
    ("wrong_number_of_columns", lambda: parse_open_cells("????? / ?? / ????? / ?????"), "B 2 5"),
    ("bad_color", lambda: Die("scarlet", 3), "'scarlet'"),  # type: ignore[arg-type]
    ("bad_value", lambda: Die(Color.RED, 7), "7"),
    ("bad_difficulty", lambda: WindowPattern.parse(CORNERS, difficulty=9), "9"),
    ("no_such_cell", lambda: cell_name((7, 9)), "7 9"),
    ("bad_board", lambda: Board(()), "4 5"),
    ("bad_board", lambda: EMPTY.replace(1, 2, "X9"), "B3 'X9'"),  # type: ignore[arg-type]
    ("bad_pattern", lambda: WindowPattern("Mine", 3, ()), "4 5"),
    ("bad_pattern", lambda: WindowPattern("Mine", 3, ((None, None, 9, None, None),) * 4), "A3 9"),
    ("bad_pattern", lambda: identify_window(EMPTY, {(1, 2): 9}), "B3 9"),
    ("bad_probability", lambda: identify_window(EMPTY, upright_probability=1.5), "1.5"),
    ("bad_favor_tokens", lambda: score_player(EMPTY, favor_tokens=-3), "-3"),
    ("bad_favor_tokens", lambda: Toolbox(tokens=-3), "-3"),
    ("bad_favor_tokens", lambda: check_favor_tokens_left(-3, MINE), "-3"),
    ("bad_other_points", lambda: score_player(EMPTY, other_points=-3), "-3"),
    ("repeated_objective", lambda: score_player(EMPTY, TWICE), ""),
    ("repeated_objective", lambda: best_removals(EMPTY, None, TWICE), ""),
    ("repeated_objective", lambda: score_solo(EMPTY, [], [Color.RED] * 2, 20), ""),
    ("bad_points_per_empty_cell", lambda: best_removals(EMPTY, None, points_per_empty_cell=7), "7"),
    ("bad_number_of_players", lambda: setup(9), "9"),
    ("bad_player_name", lambda: TurnOrder(("Ann", " ")), ""),
    ("repeated_player", lambda: TurnOrder(("Ann", "ann")), "ann"),
    ("bad_round", lambda: check_round(12), "12 10"),
    ("too_many_dice", lambda: tuple(colored(GLASS)), "4"),
    ("bad_round_track", lambda: RoundTrack(((),) * 12), "10 12"),
    ("bad_round_track", lambda: RoundTrack(((), ("X9",))), "2"),  # type: ignore[arg-type]
    ("bad_round_track", lambda: RoundTrack.parse("R3 / / B1"), "2 R3 --"),
    ("bad_round_track", lambda: RoundTrack.parse("-- / R1").check(2), "1 0 5"),
    ("too_many_favor_tokens", lambda: check_favor_tokens_left(9, WINDOW_PATTERNS["Komorebi"]), "6 9"),
    ("too_many_favor_tokens", lambda: check_favor_tokens_left(9, MINE, solo=True), "0"),
    ("bad_last_round_turn", lambda: rank([ranked("Ann", 7), ranked("Ben", 8)]), "7 8"),
    ("missing_private_objective", lambda: rank([Player("Zoé", score_player(EMPTY))]), "Zoé"),
    (
        "missing_favor_tokens",
        lambda: rank([Player("Zoé", score_solo(EMPTY, [], [Color.RED], 20).breakdown)]),
        "Zoé",
    ),
    ("bad_target", lambda: score_solo(EMPTY, [], [Color.RED], -3), "-3"),
    ("bad_number_of_private_objectives", lambda: score_solo(EMPTY, [], list(Color), 20), "2 5"),
    ("bad_number_of_tools", lambda: check_solo_tools(list(Tool)[:7]), "7 1 5"),
    ("repeated_tool", lambda: check_solo_tools([Tool.LATHEKIN] * 2), ""),
    ("blank_name", lambda: custom_window(" ", CORNERS), ""),
    ("hidden_name", lambda: custom_window("\N{RIGHT-TO-LEFT MARK}", CORNERS), ""),
    ("name_too_long", lambda: custom_window("x" * 47, CORNERS), "40 47"),
    ("name_with_control_character", lambda: custom_window("Four\nCorners", CORNERS), "Four?Corners"),
    ("reserved_name", lambda: custom_window("auto", CORNERS), "auto"),
    ("name_taken", lambda: custom_window("Firmitas", CORNERS), "Firmitas"),
    ("name_taken", lambda: custom_window("Attrape-soleil", CORNERS), "Attrape-soleil"),
    ("name_taken", lambda: WINDOW_PATTERNS.with_windows([MINE, MINE, MINE]), "Mine"),
    ("name_taken", lambda: CustomWindows((MINE, custom_window("Le mien", LADDER))), "Le mien"),
    (
        "name_taken",
        lambda: CustomWindows((MINE,)).merge(CustomWindows((custom_window("Mine", LADDER),))),
        "Mine",
    ),
    (
        "bad_tool",
        lambda: Tool.add("Mine", ToolEffect.MOVES_DICE, Color.RED, [Lift.APART]),
        "",
    ),
    ("bad_language", lambda: custom_window("x", CORNERS, names=[("f?", "y")]), "f?"),
    ("bad_back", lambda: CustomWindows((custom_window("x", CORNERS, other_side="x"),)), "x"),
    ("unknown_back", lambda: CustomWindows((custom_window("x", CORNERS, other_side="y"),)), "x y"),
    ("not_custom", lambda: CustomWindows().remove("Firmitas"), ""),
    ("not_json", lambda: CustomWindows.parse("{\n  x"), "2 3"),
    ("not_json", lambda: CustomWindows.parse("[" * 100_000), ""),
    ("not_a_window_file", lambda: windows_from_json([]), ""),
    ("unknown_schema", lambda: windows_from_json(file_of(schema="new")), "'new' 1"),
    ("newer_schema", lambda: windows_from_json(file_of(schema=7)), "7"),
    ("unknown_key", lambda: windows_from_json(file_of(glass=1, lead=2)), "'glass' 'lead'"),
    ("unknown_key", lambda: windows_from_json(file_of(ENTRY, {**ENTRY, "glass": 1})), "2 'glass'"),
    ("bad_entry", lambda: windows_from_json({**file_of(), "windows": 7}), ""),
    ("bad_entry", lambda: windows_from_json(file_of(ENTRY, 7)), "2"),
    ("bad_entry", lambda: windows_from_json(file_of(ENTRY, {"name": "x"})), '2 "cells"'),
    ("bad_entry", lambda: windows_from_json(file_of(ENTRY, {**ENTRY, "names": {"fr": 7}})), "2"),
    ("bad_cell", lambda: windows_from_json(file_of(ENTRY, {**ENTRY, "cells": CORNERS[:-1] + "X"})), "2 D5 X"),
    ("unknown_color", lambda: color_called("purpel"), "purpel purple"),
    ("unknown_objective", lambda: objective_called("Lite Shades"), "Light Shades"),
    ("unknown_tool", lambda: tool_called("Lathekinn"), "Lathekinn Lathekin"),
    (
        "unknown_house_rule",
        lambda: house_rule_called("Eglomise Brush ignored"),
        "Eglomise Brush ignores neighbors",
    ),
    ("unknown_window", lambda: window_called("Firmitsa"), "Firmitsa Firmitas"),
    ("unknown_window", lambda: CustomWindows().remove("Nowhere"), "Nowhere"),
    ("unknown_window", lambda: find_name("Row", ["Row A", "Row B"], "window"), "Row A Row B"),
    ("unknown_window", lambda: find_name("Row", ["Row A", "Row B", "Row C"], "window"), "Row A Row B Row C"),
    ("unknown_player", lambda: TurnOrder.seated(["Ann", "Ben"], "Zoé"), "Zoé Ann Ben"),
    ("unknown_language", lambda: words_in("tlh"), "tlh en fr ja ru"),
    ("unknown_key", lambda: find_name("publik", ["public"], "key"), "publik public"),
]


def ranked(name: str, turn: int) -> Player:
    """Return a player whose points are all counted."""
    return Player(name, score_player(EMPTY, private=Color.RED), turn)


def error_of(act: Callable[[], object]) -> ScoringError:
    """Return what is raised."""
    with pytest.raises(ScoringError) as caught:
        act()
    return caught.value


def sentences_in(said: Sentence) -> Iterator[Sentence]:
    """Yield a sentence and those that stand in it."""
    yield said
    for _, thing in said.things:
        if isinstance(thing, Sentence):
            yield from sentences_in(thing)


def test_every_code_is_among_the_examples() -> None:
    """Each code that the errors list is raised below, so that its words are looked at."""
    classes = (NotationError, InvalidValueError, UnknownNameError)
    listed = {code for one in classes for code in re.findall(r"``(\w+)``", one.__doc__ or "")}
    assert {code for code, _, _ in REFUSED} == listed - {"suggestions"}
    assert {f"unknown_{kind.replace(' ', '_')}" for kind in NOTHING_CALLED} <= listed


def test_no_error_is_raised_with_plain_text() -> None:
    """Whatever rules, page or terminal refuse is a sentence that can be translated."""
    found = 0
    for package in (scoring, webapp):
        for path in sorted(Path(package.__file__ or "").parent.glob("**/*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in CLASSES:
                    continue
                found += 1
                for said in node.args[1:3]:
                    branches = [said.body, said.orelse] if isinstance(said, ast.IfExp) else [said]
                    for one in branches:
                        assert isinstance(one, ast.Call | ast.Name | ast.Attribute), f"{path}:{node.lineno}"
    assert found > 50


@pytest.mark.parametrize(("code", "act", "named"), REFUSED)
def test_what_is_refused_is_said_in_every_language(code: str, act: Callable[[], object], named: str) -> None:
    """Message and next step name the same things in all four languages, and only English is English."""
    error = error_of(act)
    data = {"data": error.data} if error.data else {}
    assert error.to_json() == {"code": code, "message": error.message, "next_step": error.next_step, **data}
    for language in LANGUAGES:
        words = words_in(language)
        told = error.to_json(words)
        assert told["code"] == code
        assert error.text(words) == words.say(error.sentence, error.advice)
        assert all(name in error.text(words) for name in named.split()), error.text(words)
        assert not re.search(r"[{}]", told["message"])
        for said in (*sentences_in(error.sentence), error.advice):
            assert (words.say(said) == str(said)) == (language == "en"), words.say(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_window_is_refused_without_words_of_python(language: str) -> None:
    """Difficulty and language of a window are explained to people, so no None and no repr stands there."""
    words = words_in(language)
    assert "None" not in error_of(lambda: custom_window("x", CORNERS, 9)).text(words)
    assert "'" not in error_of(lambda: custom_window("x", CORNERS, names=[("f", "y")])).text(words)


def test_all_names_are_listed_in_the_language_they_may_be_typed_in() -> None:
    """Where people may type the names of their own cards, they are offered these."""
    error = error_of(lambda: color_called("xyz"))
    assert error.next_step == "The names are: red, yellow, green, blue, purple."
    assert error.to_json(words_in("ru"))["next_step"].endswith("красный, жёлтый, зелёный, синий, фиолетовый.")
    english_only = error_of(lambda: Color.from_name("xyz"))
    assert english_only.to_json(words_in("ru"))["next_step"].endswith("red, yellow, green, blue, purple.")


def test_a_window_of_a_file_keeps_what_is_wrong_with_it() -> None:
    """The number of the window stands before the mistake, both in the reader's language."""
    error = error_of(lambda: windows_from_json(file_of(ENTRY, {**ENTRY, "cells": "R...B"})))
    assert error.message == "Window 2: A window has 4 rows; this one has 1."
    assert error.to_json(words_in("fr"))["message"] == (
        "Vitrail 2\N{NO-BREAK SPACE}: Un vitrail a 4 lignes\N{NO-BREAK SPACE}; celui-ci en a 1."
    )


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_can_be_copied_and_sent(again: Callable[[ScoringError], ScoringError]) -> None:
    """Another process gets the same error, with its suggestions."""
    for error in (error_of(lambda: Die.parse("R7")), error_of(lambda: window_called("Firmitsa"))):
        other = again(error)
        assert type(other) is type(error)
        assert (other.to_json(), str(other)) == (error.to_json(), str(error))
        assert vars(other) == vars(error)
