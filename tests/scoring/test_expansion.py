"""What the expansion for five and six players brings: windows, private objectives, dice of one's own."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    EVERY_WINDOW,
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    InvalidValueError,
    MarkedSpaces,
    PublicObjective,
    Tool,
    ToolEffect,
    UnknownNameError,
    WindowPattern,
    WindowSet,
    best_removals,
    check_window,
    identify_window,
    score_player,
    score_private,
    setup,
)
from scoring.game.setup import TurnOrder, dice_in_bag, dice_of_a_color
from scoring.lookup import private_called, window_called
from scoring.patterns.collection import told_apart
from scoring.points.private import private_of
from tests.strategies import boards

EXPANSION = EVERY_WINDOW.only(WindowSet.FIVE_AND_SIX)
PROMOS = EVERY_WINDOW.only(WindowSet.PROMOS)

# --- Windows ---------------------------------------------------------------------------------------


def test_the_expansion_has_six_cards_with_two_sides() -> None:
    """Twelve windows, each with another one on its back that has it on its own back; one side is harder."""
    assert len(EXPANSION) == 12
    for window in EXPANSION:
        back = EVERY_WINDOW[window.other_side or ""]
        assert back.other_side == window.name
        assert {window.difficulty, back.difficulty} == {3, 6}


def test_the_harder_side_has_all_that_is_printed_on_the_other_one() -> None:
    """So it is for all six cards in the source, but for one space of one card, which is doubtful."""
    odd = [
        (easy.name, cell)
        for easy in EXPANSION
        if easy.difficulty == 3
        for cell in ALL_CELLS
        if easy[cell] not in (None, EVERY_WINDOW[easy.other_side or ""][cell])
    ]
    assert odd == [("Sol", (2, 1))]
    assert EVERY_WINDOW["Sol"].prints((2, 1)) == (1, Color.YELLOW)
    assert EVERY_WINDOW["Naturaleza"].prints((2, 1)) == (Color.YELLOW, 1)


def test_names_of_promo_windows_tell_them_apart() -> None:
    """Card and side follow a name that stands on several; none has name and spaces of another one."""
    assert len(PROMOS) == 57
    assert len({(window.name, window.cells) for window in EVERY_WINDOW.values()}) == len(EVERY_WINDOW) == 95
    assert {EVERY_WINDOW[f"Board Game Geek (4{side})"].difficulty for side in "AB"} == {3, 6}
    with pytest.raises(UnknownNameError, match=r"Board Game Geek \(4[AB]\)"):
        EVERY_WINDOW["Board Game Geek"]


@pytest.mark.parametrize("window", [*EXPANSION, *PROMOS], ids=lambda window: window.name)
def test_every_window_of_a_pack_is_a_window(window: WindowPattern) -> None:
    """It has a known difficulty and a back that names it, and no two alike spaces side by side but one's."""
    assert window.difficulty in (3, 4, 5, 6)
    assert window.other_side is None or EVERY_WINDOW[window.other_side].other_side == window.name
    assert window.rotated_180().rotated_180() == window


def test_sets_do_not_change_what_is_known_without_them() -> None:
    """The base game's cards come first and stay as they are, whatever else is known."""
    for sets in ([WindowSet.FIVE_AND_SIX], [WindowSet.PROMOS], list(WindowSet)):
        known = WINDOW_PATTERNS.with_sets(sets)
        assert list(known)[: len(WINDOW_PATTERNS)] == list(WINDOW_PATTERNS)
        assert {window.comes_in for window in known.values()} == {WindowSet.BASE, *sets}


def test_a_window_of_ones_own_makes_room_for_a_card() -> None:
    """Who adds the box whose card they had typed in has that card once."""
    mine = WindowPattern.parse(str(EVERY_WINDOW["Sol"]), "Sol", 3)
    known = WINDOW_PATTERNS.with_windows([mine])
    assert known["Sol"].custom
    assert not known.with_sets([WindowSet.FIVE_AND_SIX])["Sol"].custom


# --- What is doubtful ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Sol", "Naturaleza"])
def test_a_doubtful_space_takes_dice_for_either_print(name: str) -> None:
    """On C2 a 1 and a yellow die are taken, and nothing else; turned by 180 degrees the space is B4."""
    window = EVERY_WINDOW[name]
    for color, value in product(Color, range(1, 7)):
        fits = color is Color.YELLOW or value == 1
        assert window.accepts((2, 1), Die(color, value)) == fits
        assert window.rotated_180().accepts((1, 3), Die(color, value)) == fits


def test_a_doubtful_space_is_told() -> None:
    """Whoever looks at the window hears which space it is."""
    (told,) = check_window(EVERY_WINDOW["Sol"])
    assert "C2" in str(told)
    assert check_window(EVERY_WINDOW["Ligero"]) == ()


@pytest.mark.parametrize("space", [1, Color.YELLOW])
def test_either_print_of_a_doubtful_space_speaks_for_the_card(space: Color | int) -> None:
    """A photo of Sol is known whichever of the two is right, and the space is no misfit."""
    sol = EVERY_WINDOW["Sol"]
    seen = {cell: sol[cell] for cell in ALL_CELLS} | {(2, 1): space}
    match = identify_window(Board.empty(), seen, EVERY_WINDOW).best
    assert match is not None
    assert (match.pattern.name, match.misfits) == ("Sol", ())


@pytest.mark.parametrize("window", EXPANSION, ids=lambda window: window.name)
def test_every_window_of_the_expansion_is_known_by_its_prints(window: WindowPattern) -> None:
    """A card that lies open, either way up, is named among all cards that there are."""
    for lying in (window, window.rotated_180()):
        match = identify_window(Board.empty(), {cell: lying[cell] for cell in ALL_CELLS}, EVERY_WINDOW).best
        assert match is not None
        assert match.pattern.name == window.name


# --- Private objectives ----------------------------------------------------------------------------


@given(boards, st.sampled_from(MarkedSpaces))
def test_marked_spaces_add_up_the_values_on_them(board: Board, card: MarkedSpaces) -> None:
    """Counted again by the signs of the card's picture, die by die."""
    signs = "".join(card.diagram)
    values = [die.value for (row, column), die in board.dice() if signs[5 * row + column] == "#"]
    score = score_private(board, card)
    assert score.points == sum(values)
    assert sum(map(len, score.groups)) == len(values)
    assert all(card.diagram[row][column] == "#" for group in score.groups for row, column in group)


def test_each_card_marks_six_spaces_but_brackets() -> None:
    """All six cards mark six spaces, as far as the one source tells; each picture is its own mirror image."""
    assert {card: len(card.cells) for card in MarkedSpaces} == dict.fromkeys(MarkedSpaces, 6)
    assert all(row == row[::-1] for card in MarkedSpaces for row in card.diagram)


def test_private_objectives_are_found_by_name() -> None:
    """Letters, colors and the names of both kinds of cards; what is none is refused with the nearest."""
    assert [private_of(name) for name in ("r", "Red", "shades_of_red")] == [Color.RED] * 3
    assert [private_of(name) for name in ("wall", "WALL")] == [MarkedSpaces.WALL] * 2
    with pytest.raises(UnknownNameError, match="Did you mean Tunnel"):
        private_of("tunel")


def test_a_breakdown_names_the_card() -> None:
    """The line of a private objective is called as its card, and decides ties as that of a color does."""
    board = Board.parse("R6 B4 -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    breakdown = score_player(board, [PublicObjective.DEEP_SHADES], "Brackets")
    assert [line.name for line in breakdown.lines] == [
        "Deep Shades",
        "Brackets",
        "Favor tokens",
        "Empty cells",
    ]
    assert breakdown.private_points == 10


def test_dice_on_marked_spaces_stay_where_others_may_go() -> None:
    """Of two dice, one of which has to go, the one that the player's card counts stays."""
    board = Board.parse("R5 -- -- -- -- / R2 -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    assert best_removals(board, private="Fence").most_points.cells == ((0, 0),)
    assert best_removals(board, private="Brackets").most_points.cells == ((1, 0),)


# --- Games of five and six -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "pool", "own", "bag", "of_a_color"), [(5, 6, 10, 60, 22), (6, 7, 10, 70, 26)]
)
def test_five_and_six_players(players: int, pool: int, own: int, bag: int, of_a_color: int) -> None:
    """Draft pool of players and one, ten dice of one's own, and of each color as many as both boxes hold."""
    game = setup(players)
    assert (game.dice_per_round, game.own_dice, game.fewest_dice_left) == (pool, own, 1)
    assert 5 * dice_in_bag(game) == bag == 10 * pool
    assert dice_of_a_color(players) == of_a_color
    assert 5 * of_a_color == players * own + bag <= 90 + 40


def test_fewer_players_may_have_dice_of_their_own() -> None:
    """Then two have 30 dice in the bag; without them nothing of the base game changes."""
    assert 5 * dice_in_bag(setup(2, own_dice=True)) == 30
    assert setup(4, own_dice=True).dice_per_round == 5
    assert setup(4) == setup(4, own_dice=False)
    assert (setup(4).dice_per_round, setup(4).own_dice, dice_in_bag(setup(4))) == (9, 0, 18)


@pytest.mark.parametrize("players", [5, 6])
def test_six_players_take_one_turn_each(players: int) -> None:
    """Clockwise from who has the bag, without a way back; the last in the last round wins the last tie."""
    names = tuple("ABCDEF"[:players])
    order = TurnOrder(names)
    for number in range(1, 11):
        first = (number - 1) % players
        assert order.turns(number) == names[first:] + names[:first]
    assert sorted(order.first_turns().values()) == list(range(1, players + 1))


def test_cards_are_found_in_every_way_they_are_asked_for() -> None:
    """A color's letter is a private objective; a card of a box that is not in use says which box."""
    assert private_called("r") is Color.RED
    with pytest.raises(UnknownNameError, match="sagrada windows sets 5-6-players"):
        window_called("Sol")
    with pytest.raises(UnknownNameError, match="no window called"):
        window_called("Solstice")
    with pytest.raises(InvalidValueError, match="card of the game"):
        Tool.add("Strip Cutter", ToolEffect.CHANGES_DIE, Color.RED)


def test_a_back_that_is_missing_is_left_for_the_collection_to_refuse() -> None:
    """A window that names a back of which there is none keeps that name."""
    lonely = replace(WindowPattern.parse("R.... / ..... / ..... / .....", "One"), other_side="Nowhere")
    assert told_apart([lonely]) == (lonely,)


def test_a_tool_apart_is_not_found_by_name() -> None:
    """A game that keeps its tool does not bring it back for all."""
    tool = Tool.apart("Kept Apart", ToolEffect.MOVES_DICE, Color.RED, frozenset())
    assert tool not in Tool.added()
    assert tool.moves_dice
