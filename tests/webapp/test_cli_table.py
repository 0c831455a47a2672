"""`sagrada rank --photo` and `read --all --merge`: a whole table from photos of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring import Color
from scoring.sentences import sentence
from tests.readings import reading_of
from tests.webapp import commands
from tests.webapp.commands import LEGAL_BOARD, RULEBOOK_BOARD, codes, parsed, refusal, sagrada
from vision import BoardUnreadableError, CardReading, LooseDie, Reading, TableReading, Unread
from vision.reading import Tokens, WindowGuess

SQUARE = ((100.0, 100.0), (200.0, 100.0), (200.0, 200.0), (100.0, 200.0))
THREE = ("Light Shades", "Deep Shades", "Color Variety")
PUBLIC = [part for name in THREE for part in ("--public", name)]
PRIVATE = ["--private", "1=red", "--private", "2=blue"]
PHOTO = ["--photo", "a.jpg"]
SEVEN = [f"--private={n}={c}" for n, c in enumerate(("R", "Y", "G", "B", "P", "Wall", "Port"), 1)]
ANN = reading_of(LEGAL_BOARD, window="Luz Celestial")
BEN = reading_of(RULEBOOK_BOARD, window="Fractal Drops")
CLEO = reading_of("R1 B2 G3 Y4 P5 / G4 Y5 P6 R1 B2 / P1 R2 B3 G4 Y5 / B6 G1 Y2 P3 R4")

Shown = Callable[..., None]


def table(*windows: Reading, **more: object) -> TableReading:
    """Return the reading of a photo with these windows."""
    return replace(TableReading((800, 600), windows, (), 0.5), **more)  # type: ignore[arg-type]


def card(name: str, *, doubtful: bool = False) -> CardReading:
    """Return a public objective card that was read."""
    return CardReading(name, 0.7 if doubtful else 0.99, doubtful, SQUARE)


def loose(place: str | None, round_number: int | None = None, *, doubtful: bool = False) -> LooseDie:
    """Return a red 3 beside the windows."""
    return LooseDie(Color.RED, 3, 0.9, doubtful, (), (5.0, 6.0), 20.0, place, round_number)  # type: ignore[arg-type]


UNREAD = Unread(
    BoardUnreadableError("window_unclear", sentence("It is unclear."), sentence("Go closer.")), (10.0, 20.0)
)


@pytest.fixture
def photos(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Return what makes photos a.jpg, b.jpg ... show these tables."""

    def show(*tables: TableReading) -> None:
        by_name = {f"{letter}.jpg": one for letter, one in zip("abcd", tables, strict=False)}
        monkeypatch.setattr("vision.read_table", lambda photo, windows: by_name[Path(photo).name])

    return show


def ranked(*arguments: str) -> dict[str, Any]:
    """Return the answer for the table in a.jpg."""
    result = sagrada("rank", "--photo", "a.jpg", "--json", *arguments)
    assert result.exit_code == 0, result.output
    return parsed(result)


def notices(data: dict[str, Any], player: int) -> list[str]:
    """Return the sentences about the player of a window."""
    (standing,) = (one for one in data["standings"] if one["name"] == f"Window {player}")
    return [one["message"] for one in standing["notices"]]


def test_windows_of_a_photo_are_ranked_as_those_of_a_file(photos: Shown, tmp_path: Path) -> None:
    """With the same cards, colors and tokens photo and file have the same standings."""
    photos(table(ANN, BEN))
    named = ["--player", "1=Ann", "--player", "2=Ben", "--favor", "1=1", "--tokens", "2=0"]
    seen = ranked(*PUBLIC, *PRIVATE, *named)
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"public": THREE, "players": [commands.ANN, commands.BEN]}), encoding="utf-8")
    written = parsed(sagrada("rank", file, "--json"))
    assert (seen["message"], seen["winners"]) == ("Ann wins with 40 points.", ["Ann"])
    assert {key: value for key, value in seen.items() if key != "table"} == written
    assert [one["photo"] for one in seen["table"]["windows"]] == ["a.jpg", "a.jpg"]


def test_objectives_are_those_on_the_table_unless_named(photos: Shown) -> None:
    """The cards in the photo count, a doubtful fourth one does not, and those read with doubt are named."""
    photos(table(ANN, BEN, cards=(*map(card, THREE), card("Shade Variety", doubtful=True))))
    assert "Shade Variety" not in json.dumps(ranked(*PRIVATE)["standings"])
    photos(table(ANN, BEN, cards=(card(THREE[0]), card(THREE[1]), card(THREE[2], doubtful=True))))
    read = ranked(*PRIVATE)
    assert read["standings"] == ranked(*PRIVATE, *PUBLIC)["standings"]
    (message,) = (one["message"] for one in read["notices"] if one["code"] == "objectives_read")
    assert message == (
        "Public objectives as read: Light Shades, Deep Shades, Color Variety. "
        "Look at these cards, which were read with doubt: Color Variety. "
        "If one is wrong, name all of them with --public."
    )


def test_too_few_objectives_are_asked_for_and_nothing_is_lost(photos: Shown) -> None:
    """The error says how many were read and what to do; the windows are printed all the same."""
    photos(table(ANN, BEN, cards=(card("Light Shades"),)))
    result = sagrada("rank", "--photo", "a.jpg", *PRIVATE)
    assert result.exit_code == 1
    assert "1 public objective card was read, and a game has 3. Name them with --public" in result.stderr
    assert str(BEN.board) in result.stdout
    answer = sagrada("rank", "--photo", "a.jpg", "--json")
    assert parsed(answer)["error"]["code"] == "objectives_unread"
    assert len(parsed(answer)["table"]["windows"]) == 2


def test_doubtful_and_covered_cells_are_named_by_window(photos: Shown) -> None:
    """After the ranking each window says what to look at, and what could not be seen."""
    seen = reading_of(LEGAL_BOARD, doubtful=["A3", "B1"], window="Luz Celestial")
    cells = tuple(replace(one, covered=(one.row, one.column) == (0, 2)) for one in seen.cells)
    photos(table(BEN, replace(seen, cells=cells)))
    said = notices(ranked(*PUBLIC, *PRIVATE), 2)
    assert "Read with doubt, look at these first: A3, B1." in said
    assert "Neither a die nor the space can be seen here: A3." in said
    named = sagrada("rank", "--photo", "a.jpg", *PUBLIC, *PRIVATE, "--player", "2=Ann").stdout
    assert "Ann:\n  It is window 2 of the photo.\n" in named
    text = sagrada("rank", "--photo", "a.jpg", *PUBLIC, *PRIVATE).stdout
    assert text.index("Window 2:\n") > text.index("wins with")


def test_tokens_in_the_photo_count_unless_others_are_given(photos: Shown) -> None:
    """They are told and counted; those of a window that somebody gives count in their place."""
    tokens = replace(reading_of(tokens=2).tokens or Tokens((), 0, 0, doubtful=False), doubtful=True)
    photos(table(replace(ANN, tokens=tokens), replace(BEN, tokens=tokens)))
    data = ranked(*PUBLIC, *PRIVATE, "--favor", "2=1")
    assert {one["name"]: one["favor_tokens"] for one in data["standings"]} == {"Window 1": 2, "Window 2": 1}
    assert "2 favor tokens in the photo. Count them again." in notices(data, 1)
    assert "2 favor tokens in the photo. Count them again." in sagrada("read", "--all", "a.jpg").stdout


def test_a_card_that_was_not_sure_is_named_with_how_to_give_it(photos: Shown) -> None:
    """`--window 1=NAME` names the card, and the print is judged by it."""
    unsure = replace(BEN, window=WindowGuess("Fractal Drops", 0.6))
    photos(table(unsure, replace(ANN, window=None)))
    first, second = (notices(ranked(*PUBLIC, *PRIVATE), number) for number in (1, 2))
    assert 'It may be Fractal Drops (60%). If it is another one, name it with --window 1="...".' in first
    assert any('name it with --window 2="..."' in one for one in second)
    data = ranked(*PUBLIC, *PRIVATE, "--window", "2=luz celestial")
    assert not any("--window 2" in one for one in notices(data, 2))


def test_unread_windows_are_said_before_the_ranking(photos: Shown) -> None:
    """A ranking without them is not that of the table; where none is read that is an error."""
    photos(table(ANN, BEN, unread=(UNREAD,)))
    text = sagrada("rank", "--photo", "a.jpg", *PUBLIC, *PRIVATE).stdout
    assert text.startswith("1 window could not be read: this is not the ranking of the whole table.")
    assert codes(ranked(*PUBLIC, *PRIVATE)["notices"])[0] == "windows_unread"
    photos(table(unread=(UNREAD,)))
    result = sagrada("rank", *PHOTO, "--json", *PUBLIC)
    assert (result.exit_code, parsed(result)["error"]["code"]) == (1, "window_unclear")


def test_windows_without_a_private_color_have_no_place(photos: Shown) -> None:
    """They are shown with what is counted, and how to give the color."""
    photos(table(ANN, BEN))
    data = ranked(*PUBLIC, "--private", "1=red")
    assert data["unranked"] == ["Window 2"]
    assert any("give it with --private 2=red" in one for one in notices(data, 2))
    text = sagrada("rank", "--photo", "a.jpg", *PUBLIC, "--private", "2=red").stdout
    (private,) = (line for line in text.splitlines() if line.startswith("Private objective"))
    assert private.endswith("?")


def test_one_window_is_shown_and_is_no_ranking(photos: Shown) -> None:
    """Where there is one window only a sentence says so, and what to do."""
    photos(table(ANN))
    data = ranked(*PUBLIC, "--private", "1=red")
    assert (data["winners"], codes(data["notices"])[0]) == (["Window 1"], "one_window")
    assert "There is only one window." in sagrada("read", "--all", "a.jpg").stdout


def test_loose_dice_without_a_window_are_told(photos: Shown) -> None:
    """There is nothing to rank; the dice that were read are printed."""
    photos(table(loose_dice=(loose("pool"), loose("track", 2, doubtful=True), loose(None))))
    result = sagrada("rank", "--photo", "a.jpg", *PUBLIC)
    assert (result.exit_code, "There is no window." in result.stderr) == (1, True)
    assert "Draft pool: R3\nRound track: 2:R3?\nOther loose dice: R3" in result.stdout
    assert "There is no window." in sagrada("read", "--all", "a.jpg").stdout


def test_seven_windows_are_read_and_told(photos: Shown) -> None:
    """A game has at most six players; all windows are read all the same."""
    photos(table(ANN, BEN, CLEO, ANN, BEN, CLEO, ANN))
    data = ranked(*PUBLIC, *PRIVATE)
    assert len(data["standings"]) == 7
    assert codes(data["notices"])[0] == "many_windows"
    assert "A game has six players at most." in sagrada("read", "--all", "a.jpg").stdout


def test_several_photos_of_one_table_are_one(photos: Shown) -> None:
    """A window that two photos show counts once, and each window says which photo it is from."""
    photos(table(ANN, BEN), table(BEN, CLEO))
    result = sagrada("read", "--all", "--merge", "--json", "a.jpg", "b.jpg")
    data = parsed(result)
    assert list(data) == ["photos", "seconds", "windows", "loose_dice", "cards", "unread", "notices"]
    assert (data["photos"], [one["number"] for one in data["windows"]]) == (["a.jpg", "b.jpg"], [1, 2, 3])
    assert {one["photo"] for one in data["windows"]} == {"a.jpg", "b.jpg"}
    text = sagrada("read", "--all", "--merge", "a.jpg", "b.jpg").stdout
    assert text.startswith("a.jpg, b.jpg: 3 windows")
    assert "Window 3 (" in text
    both = sagrada("rank", "--photo", "a.jpg", "--photo", "b.jpg", "--json", *PUBLIC, *PRIVATE)
    assert len(parsed(both)["standings"]) == 3


def test_photos_of_different_tables_are_told(photos: Shown) -> None:
    """They are put together all the same, with a warning and what to do."""
    photos(table(ANN), table(BEN))
    data = parsed(sagrada("read", "--all", "--merge", "--json", "a.jpg", "b.jpg"))
    assert (len(data["windows"]), codes(data["notices"])) == (2, ["different_tables"])
    assert "read the others on their own" in data["notices"][0]["message"]


def test_progress_is_shown_on_a_terminal_alone(photos: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several photos are counted on the error output, and only where somebody looks at it."""
    photos(table(ANN), table(BEN))
    quiet = sagrada("read", "--all", "--json", "a.jpg", "b.jpg")
    assert quiet.stderr == ""
    monkeypatch.setattr("webapp.cli.photo.on_a_terminal", lambda: True)
    told = sagrada("read", "--all", "--json", "a.jpg", "b.jpg")
    assert "2 of 2 b.jpg" in told.stderr
    assert told.stdout == quiet.stdout
    assert sagrada("read", "--all", "a.jpg").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Give either a file with the game or photos of its table (--photo)."),
        (["--public", "Light Shades"], "Give either a file"),
        (["-", *PHOTO], "Give either a file"),
        (["-", "--private", "1=red"], "A file tells all about the game"),
        ([*PHOTO, "--private", "red"], '"red" does not say which window. Write its number, = and'),
        ([*PHOTO, "--private", "0=red"], '"0=red" does not say which window.'),
        ([*PHOTO, "--private", "1=reed"], "Did you mean red or green?"),
        ([*PHOTO, "--favor", "1=many"], "many is not a number of tokens. Write 0 or more."),
        ([*PHOTO, "--window", "1=Firmitos"], "Did you mean Firmitas?"),
        ([*PHOTO, *PRIVATE, "--private", "1=green"], "--private is given twice for one window."),
        ([*PHOTO, *PUBLIC, "--private", "3=red"], "no window 3 for --private: the last one is 2"),
        ([*PHOTO, "--player", "1=Ann", "--player", "2=ann"], "Two players are called ann."),
        ([*PHOTO, *PUBLIC, "--player", "1=window 2"], "Two players are called Window 2."),
        ([*PHOTO, *SEVEN], "2 to 6 players"),
    ],
)
def test_wrong_usage_is_said(photos: Shown, arguments: Sequence[str], complaint: str) -> None:
    """What was typed wrong is named with what to type."""
    photos(table(ANN, BEN))
    assert complaint in refusal("rank", *arguments)


def test_merge_is_for_whole_tables() -> None:
    """Without --all there is nothing to merge."""
    assert "give --all with it" in refusal("read", "--merge", "a.jpg", "b.jpg")
