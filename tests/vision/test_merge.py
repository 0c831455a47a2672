"""Several photos of one table become one reading of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import ALL_CELLS, Board, Color, cell_from_name, cell_name
from scoring.sentences import sentence
from tests.readings import reading_of
from tests.strategies import cells, dice
from tests.vision.samples import blind, board_of, photo_of, png
from vision import (
    BoardUnreadableError,
    CardReading,
    LooseDie,
    Reading,
    TableReading,
    Unread,
    VisionError,
    read_photo,
)
from vision.merge import MergedTable, merge_readings, merge_tables
from vision.reading import Alternative, CellReading, WindowGuess

A = "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
B = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
C = "R1 B2 G3 Y4 P5 / G4 Y5 P6 R1 B2 / P1 R2 B3 G4 Y5 / B6 G1 Y2 P3 R4"
SQUARE = ((100.0, 100.0), (200.0, 100.0), (200.0, 200.0), (100.0, 200.0))


def table(*windows: Reading, **more: object) -> TableReading:
    """Return the reading of a photo with these windows."""
    made = TableReading(size=(800, 600), windows=windows, unread=(), seconds=0.5)
    return replace(made, **more)  # type: ignore[arg-type]


def boards_of(merged: MergedTable) -> list[str]:
    """Return the dice of the windows, in notation."""
    return [str(one.board) for one in merged.table.windows]


def unclear(what: str = "window") -> Unread:
    """Return something that could not be read."""
    reason = BoardUnreadableError("window_unclear", sentence("Unclear."), sentence("Go closer."))
    return Unread(reason, (10.0, 10.0), what)  # type: ignore[arg-type]


def loose(code: str, confidence: float = 0.99) -> LooseDie:
    """Return a die in the draft pool."""
    return LooseDie(Color(code[0]), int(code[1]), confidence, False, (), (5.0, 5.0), 20.0, "pool")


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Return the reading of one of a few windows, with some cells changed and some in doubt."""
    board = Board.parse(draw(st.sampled_from([A, B, C])))
    for row, column in draw(st.lists(cells, max_size=3)):
        board = board.replace(row, column, draw(st.one_of(st.none(), dice)))
    prints = "".join("?" if board[cell] else draw(st.sampled_from(".R4?")) for cell in ALL_CELLS)
    doubts = map(cell_name, draw(st.lists(cells, unique=True)))
    rows = (prints[start : start + 5] for start in range(0, 20, 5))
    name = draw(st.sampled_from([None, "Comitas", "Firmitas"]))
    made = reading_of(str(board), doubtful=doubts, window=name, pattern=" / ".join(rows))
    return made.rotated_180() if draw(st.booleans()) else made


loose_dice = dice.map(lambda die: loose(f"{die.color.value}{die.value}"))


@st.composite
def tables(draw: st.DrawFn) -> TableReading:
    """Return the reading of a photo with a few windows, loose dice and cards."""
    windows = draw(st.lists(readings(), max_size=3))
    names = draw(st.lists(st.sampled_from(["Light Shades", "Deep Shades"]), unique=True))
    cards = (CardReading(name, draw(st.sampled_from([0.6, 0.99])), False, SQUARE) for name in names)
    pool = draw(st.lists(loose_dice, max_size=3))
    unread = draw(st.lists(st.sampled_from([unclear(), unclear("die")]), max_size=2))
    return table(*windows, loose_dice=tuple(pool), cards=tuple(cards), unread=tuple(unread))


def content(merged: MergedTable) -> tuple[object, ...]:
    """Return what a merged table holds."""
    made = merged.table
    return (
        made.windows,
        made.loose_dice,
        made.cards,
        [(one.what, one.reason.code) for one in made.unread],
        [one.message for one in merged.doubts],
    )


@given(
    st.lists(tables(), min_size=1, max_size=4).flatmap(
        lambda some: st.tuples(st.just(some), st.permutations(some))
    )
)
def test_order_of_the_photos_does_not_matter(both: tuple[list[TableReading], Sequence[TableReading]]) -> None:
    """Whichever photo is named first, the same table comes out of them."""
    given_so, or_so = both
    assert content(merge_tables(given_so)) == content(merge_tables(or_so))


@given(tables())
def test_merging_a_table_with_itself_changes_nothing(one: TableReading) -> None:
    """The same photo twice is the same table: windows, loose dice, cards and what could not be read."""
    merged = merge_tables([one, one])
    windows = tuple(replace(window, other_windows=len(one.windows) - 1) for window in one.windows)
    assert merged.table.windows == windows
    assert (merged.table.loose_dice, merged.doubts) == (one.loose_dice, ())
    assert set(merged.table.cards) == set(one.cards)
    assert sorted(u.what for u in merged.table.unread) == sorted(u.what for u in one.unread)


@given(st.lists(tables(), min_size=1, max_size=3))
def test_nothing_that_was_read_is_lost(some: list[TableReading]) -> None:
    """Every photo's windows and cards are in the merged table, and no photo shows more of them than it."""
    merged = merge_tables(some).table
    assert len(merged.windows) >= max(len(one.windows) for one in some)
    assert {card.name for card in merged.cards} == {card.name for one in some for card in one.cards}


def test_a_window_seen_twice_counts_once() -> None:
    """Of two photos that share a window three windows come, each with the photo it was read from."""
    merged = merge_tables([table(reading_of(A), reading_of(B)), table(reading_of(B), reading_of(C))])
    assert sorted(boards_of(merged)) == sorted(str(Board.parse(one)) for one in (A, B, C))
    assert dict(zip(boards_of(merged), merged.window_photos, strict=True))[C] == 1
    assert [one.other_windows for one in merged.table.windows] == [2, 2, 2]
    assert merged.doubts == ()


def test_a_window_read_upside_down_is_the_same_one() -> None:
    """Which way up a window was read does not make it another one."""
    upside_down = reading_of(str(Board.parse(A).rotated_180()))
    assert len(merge_tables([table(reading_of(A)), table(upside_down)]).table.windows) == 1


def test_the_better_reading_wins_and_the_other_fills_its_gaps() -> None:
    """A cell in doubt is taken from the photo in which it is seen."""
    worse = reading_of(A.replace("G1", "B6"), doubtful=["D1", "A1", "B2"])
    better = reading_of(A.replace("Y6", "--"), doubtful=["B3"])
    merged = merge_tables([table(worse), table(better)])
    (window,) = merged.table.windows
    assert (str(window.board), window.doubtful, merged.window_photos) == (A, (), (1,))


def test_a_covered_cell_is_filled_with_the_print_that_another_photo_shows() -> None:
    """An open space under a finger is open, with its print, once another photo shows it."""
    hidden = reading_of(B, pattern="3???? / ??.?? / ??4?? / ?????")
    first, *rest = hidden.cells
    hidden = replace(hidden, cells=(replace(first, covered=True, doubtful=True), *rest))
    seen = reading_of(B, pattern="R???? / ??.?? / ??4?? / ?????", doubtful=["C1", "C2"])
    (window,) = merge_tables([table(hidden), table(seen)]).table.windows
    assert window.pattern == "R???? / ??.?? / ??4?? / ?????"
    assert not window.cell(0, 0).covered


def test_cells_on_which_two_sure_readings_differ_are_doubtful() -> None:
    """Where both photos are sure of another die one of them is wrong, and a person must look."""
    merged = merge_tables([table(reading_of(A)), table(reading_of(A.replace("G1", "G6")))])
    (window,) = merged.table.windows
    assert window.doubtful == (cell_from_name("D1"),)
    (other,) = window.cell(3, 0).alternatives
    assert (other.color, other.value, window.cell(3, 0).confidence) == (Color.GREEN, 6, other.probability)
    assert merged.doubts == ()


def codes_and_words(tables: Iterable[TableReading]) -> list[tuple[str, str]]:
    """Return what speaks against it that photos are of one table."""
    return [(one.code, one.message) for one in merge_tables(list(tables)).doubts]


def test_photos_without_a_common_window_are_told() -> None:
    """They may show different tables; the windows of both stay."""
    ((code, message),) = codes_and_words([table(reading_of(A)), table(reading_of(B))])
    assert code == "different_tables"
    assert message.startswith("Some of these photos have no window in common.")


def test_one_card_with_other_dice_is_told() -> None:
    """The same card with clearly different dice is on another table, or the game went on."""
    found = codes_and_words(table(reading_of(board, window="Luz Celestial")) for board in (A, B))
    assert found[0][1].startswith("Luz Celestial has other dice in one photo than in another.")


def test_more_windows_than_players_are_told() -> None:
    """Five windows of several photos are not those of one game, and all five are kept."""
    boards = [A, B, C, *(" / ".join([row] * 4) for row in ("Y6 -- -- P5 --", "G1 R2 G3 R4 G5"))]
    one, two = table(*map(reading_of, boards[:3])), table(*map(reading_of, boards[2:]))
    merged = merge_tables([one, two])
    assert len(merged.table.windows) == 5
    assert [error.data for error in merged.doubts] == [{"windows": 5}]


def test_photos_without_windows_join_any_table() -> None:
    """A photo of the draft pool alone shares no window, and is no other table for that."""
    pool = table(loose_dice=(loose("R1"), loose("G2")))
    merged = merge_tables([table(reading_of(A), loose_dice=(loose("R1"),)), pool])
    assert merged.doubts == ()
    assert [die.die for die in merged.table.loose_dice] == [die.die for die in pool.loose_dice]


def test_a_window_unread_in_one_photo_and_read_in_another_is_read() -> None:
    """What could not be read stays named only while no other photo shows as many windows."""
    blurred, sharp = table(reading_of(A), unread=(unclear(),)), table(reading_of(A), reading_of(B))
    assert merge_tables([blurred, sharp]).table.unread == ()
    assert len(merge_tables([blurred, table(reading_of(A))]).table.unread) == 1


def test_the_surest_reading_of_a_card_counts() -> None:
    """A card that two photos show is there once."""
    doubtful, sure = (CardReading("Light Shades", p, p < 0.9, SQUARE) for p in (0.6, 0.99))
    merged = merge_tables([table(cards=(doubtful,)), table(cards=(sure,))])
    assert merged.table.cards == (sure,)


def test_the_surest_guess_of_the_window_card_counts() -> None:
    """The photo that shows the dice better is not always the one that shows the card better."""
    sure = reading_of(A, window="Firmitas", doubtful=["A1"])
    unsure = replace(reading_of(A), window=WindowGuess("Comitas", 0.4))
    (window,) = merge_tables([table(sure), table(unsure)]).table.windows
    assert window.window is not None
    assert window.window.name == "Firmitas"


# --- Two photos of one window ----------------------------------------------------------------------


def with_cell(reading: Reading, name: str, **changes: object) -> Reading:
    """Return the reading with one cell changed."""
    place = ALL_CELLS.index(cell_from_name(name))
    cells = list(reading.cells)
    cells[place] = replace(cells[place], **changes)  # type: ignore[arg-type]
    return replace(reading, cells=tuple(cells))


def glint(confidence: float, *others: tuple[int, float], die: str = "G1") -> Reading:
    """Return the window A with a doubtful die at D1, which has other values with these probabilities."""
    reading = reading_of(A.replace("G1", die), doubtful=["D1"])
    alternatives = tuple(Alternative(Color.GREEN, value, share) for value, share in others)
    return with_cell(reading, "D1", confidence=confidence, alternatives=alternatives)


def merged_cell(first: Reading, second: Reading) -> CellReading:
    """Return what both photos show at D1."""
    return merge_readings(first, second).cell(3, 0)


@pytest.mark.parametrize("turned", [False, True])
def test_what_one_photo_is_sure_of_settles_the_doubt_of_the_other(turned: bool) -> None:
    """Either way up, a glint that moved leaves no doubt, and corners and way up stay those of the first."""
    corners = ((0.0, 0.0), (50.0, 0.0), (50.0, 40.0), (0.0, 40.0))
    first = replace(glint(0.6, (1, 0.39), die="G2"), corners=corners, window=WindowGuess("Firmitas", 0.9))
    second = reading_of(doubtful=["B3"], window="Comitas")
    second = replace(second.rotated_180() if turned else second, upright_probability=0.7)
    merged = merge_readings(first, second)
    assert (str(merged.board), merged.doubtful, merged.corners) == (A, (), corners)
    assert merged.window == first.window
    assert merged.upright_probability == 0.99


def test_a_surer_photo_that_shows_the_window_the_other_way_up_leaves_a_doubt_which_way_is_up() -> None:
    """The dice stay as the first photo shows them, and how sure its way up is falls."""
    second = replace(reading_of(A).rotated_180(), upright_probability=0.99)
    merged = merge_readings(reading_of(A, upright_probability=0.6), second)
    assert (str(merged.board), round(merged.upright_probability, 2)) == (A, 0.01)


@given(readings())
def test_a_photo_merged_with_itself_tells_nothing_new(one: Reading) -> None:
    """The same look twice makes nobody surer."""
    assert merge_readings(one, one) == one


def test_of_two_sure_photos_that_differ_a_person_decides() -> None:
    """The cell is in doubt with both dice as what it may be, and a third sure photo settles it."""
    contested = merge_readings(reading_of(A), reading_of(A.replace("G1", "G6")))
    assert contested.doubtful == (cell_from_name("D1"),)
    cell = contested.cell(3, 0)
    assert [cell.value, *(one.value for one in cell.alternatives)] == [1, 6]
    assert merge_readings(contested, reading_of(A)).doubtful == ()


def test_a_doubt_that_hardly_allows_the_die_of_the_sure_photo_stays() -> None:
    """The sure die is shown, whichever photo came first, and the other one is offered beside it."""
    sure, unsure = reading_of(A), glint(0.7, (3, 0.25), die="G2")
    for pair in ((sure, unsure), (unsure, sure)):
        cell = merged_cell(*pair)
        assert (cell.value, cell.doubtful, cell.alternatives[0].value) == (1, True, 2)


def test_a_covered_cell_is_as_the_photo_in_which_it_is_seen() -> None:
    """Seen with doubt it stays in doubt, but is no longer covered; covered in both it stays covered."""
    covered = with_cell(glint(0.5), "D1", color=None, value=None, covered=True)
    seen = glint(0.8, (2, 0.19))
    for pair in ((covered, seen), (seen, covered)):
        assert merged_cell(*pair) == seen.cell(3, 0)
    assert merged_cell(covered, reading_of(A)) == reading_of(A).cell(3, 0)
    assert merged_cell(covered, covered).covered


@pytest.mark.parametrize(
    ("first", "second", "value", "doubtful"),
    [
        (glint(0.92, (2, 0.07)), glint(0.93, (3, 0.06)), 1, False),  # other glints, the same die
        (glint(0.7, (2, 0.29)), glint(0.72, (2, 0.27)), 1, True),  # both nearly a two
        (glint(0.5), glint(0.5001), 1, True),  # nobody knows what else it is
        (glint(0.97), glint(0.9, (2, 0.09)), 1, True),  # the first has another reason to doubt
        (glint(0.6, (2, 0.39)), glint(0.94, (1, 0.05), die="G2"), 2, True),  # no agreement
    ],
)
def test_two_doubts_are_settled_only_by_a_clear_agreement(
    first: Reading,
    second: Reading,
    value: int,
    doubtful: bool,
) -> None:
    """Two photos are surer together than each of them, yet less sure than if they had nothing in common."""
    for pair in ((first, second), (second, first)):
        cell = merged_cell(*pair)
        assert (cell.value, cell.doubtful) == (value, doubtful)
        assert cell.confidence < 0.995


def test_photos_of_two_windows_are_not_merged() -> None:
    """Other dice are another window, also where nearly all are in doubt; the same ones are the same."""
    names = [cell_name(cell) for cell in ALL_CELLS]
    for doubtful in ([], names):
        with pytest.raises(VisionError) as refused:
            merge_readings(reading_of(A, doubtful=doubtful), reading_of(B))
        assert refused.value.code == "different_windows"
    worse = reading_of(A.replace("5", "6"), doubtful=names)
    assert str(merge_readings(worse, reading_of(A)).board) == A


@pytest.mark.parametrize("name", ["easy_daylight.jpg", "broken_rules.jpg"])
def test_lamps_mirrored_in_the_dice_are_settled_by_a_photo_from_the_other_side(name: str) -> None:
    """What lamps on the tops made wrong is flagged, and right in the second photo, taken upside down."""
    board = board_of(name)
    filled = " ".join(cell_name(cell) for cell in ALL_CELLS if board[cell])
    lit = blind(photo_of(name), name, filled, size=0.5, at=(0.1, -0.15))
    from_behind = np.rot90(blind(photo_of(name), name, filled, 0.2, (0.2, 0.12)), 2).copy()
    first, second = read_photo(png(lit)), read_photo(png(from_behind))
    wrong = {cell for cell in ALL_CELLS if first.board[cell] != board[cell]}
    assert wrong
    assert wrong <= {*first.doubtful}
    merged = merge_readings(first, second)
    assert merged.board == board
    assert not {*merged.doubtful} & wrong
