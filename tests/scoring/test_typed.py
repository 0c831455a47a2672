from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Board, Color, Die, NotationError, PublicObjective, RoundTrack, Tool, WindowPattern
from scoring.board import cell_from_name, look_alikes
from scoring.errors import UnknownNameError
from scoring.lookup import (
    color_called,
    die_called,
    house_rule_called,
    objective_called,
    tool_called,
    window_called,
)
from scoring.names import find_name
from scoring.words import LANGUAGES, words_in

DICE = st.builds(Die, st.sampled_from(Color), st.integers(1, 6))
BOARDS = st.lists(st.one_of(st.none(), DICE), min_size=20, max_size=20).map(
    lambda dice: Board(tuple(tuple(dice[5 * row : 5 * row + 5]) for row in range(4)))
)
SIGNS = {"P": "PpРрＰ", "B": "BbВвＢ", "Y": "YyУуＹ", "R": "Rr", "G": "Ggｇ"}
FULL_WIDTH = str.maketrans("123456", "１２３４５６")
EXAMPLE = Board.parse("Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5")


@given(board=BOARDS, data=st.data())
def test_a_board_may_be_typed_in_many_ways(board: Board, data: st.DataObject) -> None:
    """Whatever signs stand for letters, figures, empty spaces and ends of rows, the board is the same."""

    def written(die: Die | None) -> str:
        if die is None:
            return data.draw(st.sampled_from(["--", "-", "—", "–", "−−", "ーー", ".", "..", "…", "_", "―"]))
        figure = str(die.value)
        return data.draw(st.sampled_from(SIGNS[die.color.value])) + data.draw(
            st.sampled_from([figure, figure.translate(FULL_WIDTH)])
        )

    between = data.draw(st.sampled_from([" / ", "/", "|", " ; ", "\n", "\r\n", "\n\n", "／", "；\n"]))
    blank = data.draw(st.sampled_from([" ", "  ", "\t", ", ", "　", "、"]))
    labelled = data.draw(st.booleans())
    rows = [
        blank.join([*([letter] if labelled else []), *map(written, row)])
        for letter, row in zip("ABCD", board.rows, strict=True)
    ]
    heading = data.draw(st.sampled_from(["", blank.join("12345") + between]))
    end = data.draw(st.sampled_from(["", "\r\n", " / \n"]))
    assert Board.parse(heading + between.join(rows) + end) == board
    assert Board.parse(heading.replace(between, blank) + blank.join(rows)) == board


def test_a_doubt_in_a_pasted_grid_is_no_other_die() -> None:
    """The question mark behind a die or an empty space is left out; alone it says nothing."""
    assert Board.parse(str(EXAMPLE).replace("Y5 --", "Y5? --?")) == EXAMPLE
    with pytest.raises(NotationError):
        Board.parse(str(EXAMPLE).replace("--", "?"))


@pytest.mark.parametrize("row", ["A", "B", "C", "D"])
def test_a_letter_before_another_row_is_a_mistake(row: str) -> None:
    """Six words in a row are only taken where the first is the letter of that row."""
    rows = str(EXAMPLE).split(" / ")
    rows["BCDA".index(row)] = f"{row} {rows['BCDA'.index(row)]}"
    with pytest.raises(NotationError, match="6 cells"):
        Board.parse(" / ".join(rows))


@pytest.mark.parametrize(
    "text",
    [
        "YB-—1 | G_5.4 | 3.R.G | 2..ВＹ",
        "1 2 3 4 5\nA Y B . . 1\nB G . 5 . 4\nC 3 . R . G\nD 2 . . B Y",
        "YB..1 G.5.4 3.R.G 2..BY",
        "yb..1/g.5.4\n3.r.g / 2..by",
    ],
)
def test_a_pattern_may_be_typed_in_many_ways(text: str) -> None:
    """What holds for boards holds for patterns; a row of 1 to 5 is a heading only above four others."""
    assert str(WindowPattern.parse(text)) == "YB..1 / G.5.4 / 3.R.G / 2..BY"
    assert str(WindowPattern.parse("12345 / ..... / ..... / .....")).startswith("12345")


def test_cells_and_tracks_may_be_typed_so_too() -> None:
    """Spaces and round tracks take the same signs."""
    assert cell_from_name("Ｃ５") == cell_from_name("С5") == (2, 4)
    track = RoundTrack.parse("R3 G4 / -- / B1")
    for text in ("R3, G4 | — | В1", "R3 G4; -; B1;", "R3 G4\n..\nB1\n"):
        assert RoundTrack.parse(text) == track


def test_a_track_in_one_row_is_told_how_to_write_it() -> None:
    """Whoever forgets the ends of the rounds is not told of the number of players."""
    with pytest.raises(ValueError, match="R3 G4 / -- / B1"):
        RoundTrack.parse("R3 G4 B1 B2 Y5 Y6").check(1)


def test_letters_that_only_look_latin_are_told() -> None:
    """The Cyrillic letters in a text are named, so that whoever typed them can be told."""
    assert look_alikes("Р2 R3 В4 Р1") == ("Р", "В")
    assert look_alikes(str(EXAMPLE)) == ()


@pytest.mark.parametrize("language", LANGUAGES)
@given(die=DICE)
def test_a_die_may_be_said_in_words(language: str, die: Die) -> None:
    """A die is found by what people call it in each language, the value before or after the color."""
    words = words_in(language)
    assert die_called(words.name(die)) == die
    assert die_called(f"{die.value} {words.name(die.color)}") == die
    assert die_called(str(die).lower()) == die


@pytest.mark.parametrize("text", ["", "red", "7", "red 7", "2 2", "redd 2x3", "pink 2", "R2 R3"])
def test_what_is_no_die_in_words_is_refused(text: str) -> None:
    """A color without a value, a value without a color, and a color that there is not are no dice."""
    with pytest.raises(NotationError):
        die_called(text)


def test_a_tool_goes_by_the_number_on_its_card() -> None:
    """Each number from 1 to 12 names a tool, and no other number does."""
    assert [tool_called(str(number)) for number in range(1, 13)] == list(Tool)
    assert tool_called("３") is Tool.COPPER_FOIL_BURNISHER
    for number in ("0", "13", "-1", "1.0"):
        with pytest.raises(UnknownNameError):
            tool_called(number)


def test_a_beginning_that_fits_one_name_is_enough() -> None:
    """The beginning of a name in any language means it as long as nothing else begins so."""
    assert objective_called("light") is PublicObjective.LIGHT_SHADES
    assert objective_called("row c") is PublicObjective.ROW_COLOR_VARIETY
    assert tool_called("стеклор") is Tool.LENS_CUTTER
    assert color_called("viol") is Color.PURPLE
    assert window_called("bat").name == "Batllo"
    for find, text in (
        (objective_called, "row"),
        (tool_called, "flux"),
        (house_rule_called, ""),
        (color_called, ""),
    ):
        with pytest.raises(UnknownNameError):
            find(text)


def test_a_beginning_is_no_name_where_names_are_kept() -> None:
    """Looking a name up exactly, as for whether it is taken, does not take a beginning for it."""
    with pytest.raises(UnknownNameError):
        find_name("Via", ["Via Lux"], "window")
