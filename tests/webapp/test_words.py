from __future__ import annotations

import ast
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image

import vision
from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    PublicObjective,
    Tool,
    placement_problems,
    score_player,
)
from scoring.lookup import window_called
from scoring.sentences import sentence
from scoring.words import LANGUAGES
from tests.vision.photos import encoded, picture
from tests.vision.test_photo_refused import huge_png
from vision.detection.search import cut_off
from vision.errors import PhotoError
from vision.objectives import only_a_card
from vision.photo import MAX_BYTES, load_photo
from vision.table import CardReading
from webapp.domain.errors import TEXTS, UnreadPhotoError, text_of
from webapp.domain.record import Failure
from webapp.domain.wording import words_for
from webapp.http.errors import problem_of
from webapp.http.preferences import words
from webapp.views import frame
from webapp.views.readings import HERO

BREAKS_ALL = Board.parse("-- -- -- -- -- / -- R1 R2 -- -- / -- B1 -- -- -- / -- -- -- -- G6")
FULL = Board.parse("R1 Y2 G3 B4 P5 / Y2 G3 B4 P5 R1 / G3 B4 P5 R1 Y2 / B4 P5 R1 Y2 G6")


def test_words_of_the_game_stand_behind_those_of_the_companion() -> None:
    """Names and sentences of the rules are said too, in the same language."""
    words = words_for("ru-RU")
    assert words.say(sentence("Total")) == "Итого"
    assert words.name(Color.RED) == "красный"
    assert words.say(sentence("{tools} allows that.", tools=[Tool.LATHEKIN])) != "Lathekin allows that."


def vision_codes() -> set[str]:
    """Return every error code that is raised somewhere in vision."""
    codes: set[str] = set()
    for path in Path(vision.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error"):
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and len(node.args) >= 3:
                    codes.add(str(first.value))
    return codes


def test_every_error_of_the_reader_has_words() -> None:
    """A photo that cannot be read is explained in the visitor's language, whatever the reason."""
    of_files = {"bad_profile_name", "profile_damaged", "profile_newer", "bad_lens"}
    of_cards = {"bad_card_name", "card_featureless", "card_too_small"}
    # On the page a bad reading is a broken record; the others are about no photo that is read there.
    codes = vision_codes() - {"bad_reading"} - of_files - of_cards
    assert {"board_not_found", "not_a_photo"} <= codes
    assert codes <= set(TEXTS)


def test_an_error_says_the_same_with_and_without_flask(app: Flask) -> None:
    """Code and data are enough to say what is wrong, in every language; the page says just that."""
    error = UnreadPhotoError("board_cut_off", data={"edges": ["top", "left"]})
    for language in LANGUAGES:
        with app.test_request_context(headers={"Accept-Language": language}):
            assert problem_of(error) == error.to_json(words_for(language))


def test_a_card_that_was_taken_for_a_window_is_called_a_card() -> None:
    """The reader and the page say the same of it: the code is that of any photo without a window."""
    card = CardReading("Shade Variety", 0.9, doubtful=False, corners=((0, 0), (1, 0), (1, 1), (0, 1)))
    error = only_a_card(card)
    assert text_of(error.code, error.data) == (error.sentence, error.advice)
    assert text_of(error.code, {}) == TEXTS["board_not_found"]


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"GIF89a", b"\xff\x0a", b"\xff\x4f\xff\x51", b"\0\0\0\x18ftypqt  ", bytes(MAX_BYTES + 1)),
        *(huge_png(20_000, 20_000), encoded(picture(300, 98), "PNG"), b"no photo", b"\xff\xd8\xff"),
        encoded(Image.new("RGB", (160, 120)), "WEBP", save_all=True, append_images=[picture()]),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_the_page_says_of_a_file_what_the_command_line_says(data: bytes) -> None:
    """Code and data of the reader's refusal are enough for its own sentence and advice."""
    with pytest.raises(PhotoError) as caught:
        load_photo(data)
    error = Failure.of(caught.value).error()
    assert (error.sentence, error.advice) == (caught.value.sentence, caught.value.advice)


@pytest.mark.parametrize(
    ("language", "edges", "named"),
    [
        ("en", ("top",), "at the top"),
        ("fr", ("left",), "à gauche"),
        ("ja", ("top", "right"), "上、右"),
        ("ru", ("bottom", "left"), "снизу и слева"),
    ],
)
def test_the_edge_that_cuts_the_window_off_is_named(
    language: str, edges: tuple[str, ...], named: str
) -> None:
    """Whoever cut a window off learns at which edge, in each language."""
    error = Failure.of(cut_off(edges)).error()
    assert named in words_for(language).say(error.sentence)


def test_problems_are_told_in_the_language_of_the_visitor(app: Flask) -> None:
    """The page says of a problem what the rules say, in the language that the visitor reads."""
    board = Board.parse("-- G3 -- -- -- / Y2 -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    found = placement_problems(board, WINDOW_PATTERNS["Fractal Drops"])
    told = {}
    for language in ("en", "ru"):
        with app.test_request_context(headers={"Accept-Language": language}):
            told[language] = [problem.text(words()) for problem in found]
    assert told["en"] == [problem.message for problem in found]
    told["ru"] = [one.split(". ")[0] for one in told["ru"]]  # then which tool could excuse it
    assert told["ru"] == ["B1: жёлтый 2, а здесь нужен красный", "A2: зелёный 3, а здесь нужна яркость 4"]


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("en", "Sun Catcher"),
        ("ru", "Солнечный кристалл"),
        ("fr", "Attrape-soleil / Sun Catcher"),
        ("fr", "Batlló"),
        ("ja", "バトリョ / Batllo"),
    ],
)
def test_a_window_whose_name_is_ours_is_named_in_english_too(app: Flask, language: str, name: str) -> None:
    """People find their card in the list also where its name on the card is not known in their language."""
    with app.test_request_context(headers={"Accept-Language": language}):
        assert frame.window_name(window_called(name.split(" / ", maxsplit=1)[0])) == name


@pytest.mark.parametrize("language", ["en", "fr", "ja", "ru"])
@pytest.mark.parametrize("board", [FULL, BREAKS_ALL, Board.empty()], ids=["full", "few", "empty"])
def test_every_line_of_the_score_has_words(app: Flask, language: str, board: Board) -> None:
    """Each line says its name and how it came about, also when it earns nothing."""
    breakdown = score_player(board, list(PublicObjective), Color.RED, 2)
    with app.test_request_context(headers={"Accept-Language": language}):
        for line in breakdown.lines:
            assert frame.line_name(line)
            assert frame.line_words(line, board)
            assert " x " not in frame.line_formula(line)


def test_words_name_rows_and_columns(app: Flask) -> None:
    """In English the words say which rows, columns and sets earned the points."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        told = {
            line.name: frame.line_words(line, FULL)
            for line in score_player(FULL, list(PublicObjective)).lines
        }
    assert told["Row Color Variety"] == "Rows A, B, C, D"
    assert told["Column Color Variety"] == "Columns 1, 2, 3, 4, 5"
    assert told["Color Variety"] == "4 sets of all five colors"
    assert told["Shade Variety"] == "1 set of all six values"
    assert told["Empty cells"] == "None: the window is full"


def test_the_first_page_shows_the_example_of_the_rulebook() -> None:
    """The window drawn on the start page is the one that scores the 40 points written above it."""
    dice = [mark[1:] or "--" for mark in HERO]
    board = Board.parse(" / ".join(" ".join(dice[i : i + 5]) for i in range(0, 20, 5)))
    public = [
        PublicObjective.COLUMN_COLOR_VARIETY,
        PublicObjective.LIGHT_SHADES,
        PublicObjective.COLOR_VARIETY,
    ]
    assert score_player(board, public, Color.PURPLE).total == 40
    spaces = "".join(mark[0] for mark in HERO)
    assert spaces == str(WINDOW_PATTERNS["Fractal Drops"]).replace(" / ", "")
