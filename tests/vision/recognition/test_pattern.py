"""Which card lies under the dice, and which way up."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.training.synthetic.scene import random_pattern
from scoring import ALL_CELLS, WINDOW_PATTERNS, Board, Color, WindowPattern, identify_window, parse_open_cells
from vision.recognition.cards import TRAINED_SHARES, match_pattern, open_pattern, seen_cells, upright_in_photo
from vision.recognition.dice import COLORS, PRINTS, CellProbabilities


def sure(dice: str, pattern: str, rims: float = 0.0) -> CellProbabilities:
    """Return the probabilities of a reader that sees ``dice`` and, where open, ``pattern`` clearly.

    Of the print under a die it sees with the probability ``rims`` what is there, but of a value only that it
    is grey, and with the rest nothing.
    """
    board, card = Board.parse(dice), WindowPattern.parse(pattern)
    filled, color, value, print_ = np.full(20, 0.002), *(np.full((20, n), 0.002) for n in (5, 6, 12))
    for index in range(20):
        cell = divmod(index, 5)
        die, space = board[cell], card[cell]
        if die is not None:
            filled[index] = 0.998
            color[index, COLORS.index(die.color)] = 0.99
            value[index, die.value - 1] = 0.99
        mark = "." if space is None else space.value if isinstance(space, Color) else str(space)
        print_[index, PRINTS.index(mark)] = 0.978
        if die is not None:
            like = np.array([one == mark or (one.isdigit() and mark.isdigit()) for one in PRINTS])
            print_[index] = rims * like / like.sum() + (1 - rims) * TRAINED_SHARES
    return CellProbabilities(filled, color, value, print_)


KNOWN = str(WINDOW_PATTERNS["Fractal Drops"])
NOTHING = " / ".join(["-- -- -- -- --"] * 4)


@pytest.mark.parametrize("name", list(WINDOW_PATTERNS))
def test_an_empty_card_is_recognized(name: str) -> None:
    """The print of the open cells alone names each card, and tells which way up it is against weak art."""
    match = match_pattern(sure(NOTHING, str(WINDOW_PATTERNS[name])), 0.5)
    assert match.guess is not None
    assert match.guess.name == name
    assert match.guess.probability > 0.99
    assert match.turned_probability < 0.05
    turned = match_pattern(sure(NOTHING, str(WINDOW_PATTERNS[name].rotated_180())), 0.7)
    assert turned.turned_probability > 0.95


@pytest.mark.parametrize(
    "dice",
    [
        pytest.param("R1 P4 G2 Y5 P6 / R3 B4 Y2 P4 B5 / G6 P3 R4 P2 G1 / B5 Y4 B1 G3 R2", id="legal"),
        pytest.param("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4", id="one forbidden"),
        pytest.param("-- -- -- -- -- / G1 -- Y5 -- -- / -- -- Y5 G2 Y6 / R1 B2 -- -- --", id="lawless"),
    ],
)
def test_dice_and_prints_name_their_card(dice: str) -> None:
    """Lawful dice do without an open cell, one forbidden die hides nothing, and else the prints count."""
    match = match_pattern(sure(dice, KNOWN), 0.9)
    assert match.guess is not None
    assert match.guess.name == "Fractal Drops"


def test_an_invented_card_is_no_known_card() -> None:
    """A card that nobody knows yields no guess."""
    assert match_pattern(sure(NOTHING, "RR1.. / .56YY / BB.44 / 2..GG"), 0.9).guess is None


def test_a_window_of_ones_own_is_named_when_it_is_among_the_cards() -> None:
    """An invented card is named, either way up, once it is given with those of the game."""
    mine = WindowPattern.parse("RR1.. / .56YY / BB.44 / 2..GG", "Mine")
    cards = [*WINDOW_PATTERNS.values(), mine]
    for pattern, upright in [(mine, 0.9), (mine.rotated_180(), 0.1)]:
        match = match_pattern(sure(NOTHING, str(pattern)), upright, cards)
        assert match.guess is not None
        assert match.guess.name == "Mine"
        assert (match.turned_probability > 0.5) is (pattern != mine)


def shown(cells: CellProbabilities) -> str:
    """Return the prints of the open cells as read, the known cards being those of the game."""
    return open_pattern(cells, match_pattern(cells, 0.98).prints)


@pytest.mark.parametrize(
    ("card", "certainty", "print_in_b3"),
    [(KNOWN, 0.7, "2"), (KNOWN, 0.95, "3"), ("R1R1R / 2B2B2 / G3G3G / 4Y4Y4", 0.7, "3")],
)
def test_a_known_card_settles_a_doubtful_print_and_no_clear_one(
    card: str, certainty: float, print_in_b3: str
) -> None:
    """On the empty Fractal Drops a doubtful 3 at B3 is the 2 of the card; any other print stays."""
    cells = sure(NOTHING, card)
    row = np.full(12, 0.001)
    row[PRINTS.index("3")], row[PRINTS.index("2")] = certainty, 0.99 - certainty
    prints = cells.print.copy()
    prints[7] = row
    assert shown(replace(cells, print=prints)).split(" / ")[1][2] == print_in_b3


def test_open_pattern_hides_what_lies_under_dice() -> None:
    """Where a die lies, the print is unknown and written as a question mark."""
    dice = "R1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- B6"
    assert shown(sure(dice, ".4.Y6 / R.2.. / ..RP1 / BY...")) == "?4.Y6 / R.2.. / ..RP1 / BY..?"


@pytest.mark.parametrize(
    "dice",
    [
        "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4",
        "R1 -- G2 -- P6 / -- B4 -- P4 -- / -- -- -- P2 -- / B5 -- -- -- R2",
        NOTHING,
    ],
)
def test_a_photo_and_a_typed_board_get_the_same_answer(dice: str) -> None:
    """What a reader sees without doubt is weighed as if somebody had typed in the dice and the open cells."""
    soft = sure(dice, KNOWN)
    prints = np.where(soft.filled[:, None] < 0.5, np.round(soft.print), soft.print)
    cells = CellProbabilities(np.round(soft.filled), np.round(soft.color), np.round(soft.value), prints)
    typed = identify_window(Board.parse(dice), parse_open_cells(shown(cells)), upright_probability=1)
    match = match_pattern(cells, 0.9)
    assert match.guess is not None
    assert typed.best is not None
    assert match.guess.name == typed.best.pattern.name == "Fractal Drops"
    assert match.guess.probability == pytest.approx(typed.best.probability, rel=1e-12)


def test_prints_are_handed_on_under_their_own_names() -> None:
    """The twelve outputs of the network for a print reach the rules as the restriction each stands for."""
    cells = sure(NOTHING, ".RYGB / P1234 / 56... / .....")
    likeliest = [max(seen.prints, key=seen.prints.__getitem__) for seen in seen_cells(cells).values()]
    assert list(seen_cells(cells)) == list(ALL_CELLS)
    assert likeliest[:12] == [None, *Color, 1, 2, 3, 4, 5, 6]


FULL_OF_DICE = "R1 R1 R1 R1 R1 / R1 R1 R1 R1 R1 / G2 G2 G2 G2 G2 / G2 G2 G2 G2 G2"


def test_dice_that_ignore_every_card_name_none() -> None:
    """Twenty dice that break each card in many places yield no guess."""
    assert match_pattern(sure(FULL_OF_DICE, str(WINDOW_PATTERNS["Virtus"])), 0.9).guess is None


@pytest.mark.parametrize("name", [name for name in WINDOW_PATTERNS if name != "Komorebi"])
def test_rims_name_the_card_under_dice_that_ignore_it(name: str) -> None:
    """What shows around the dice, white, colored or grey, names each card that its dice tell nothing of."""
    match = match_pattern(sure(FULL_OF_DICE, str(WINDOW_PATTERNS[name]), rims=0.8), 0.9)
    assert match.guess is not None
    assert match.guess.name == name


def test_rims_that_all_look_grey_name_no_card() -> None:
    """Where all around the dice looks grey no card is made out of it, not even the one of values only."""
    assert match_pattern(sure(FULL_OF_DICE, str(WINDOW_PATTERNS["Komorebi"]), rims=0.98), 0.9).guess is None


def test_shares_of_prints_are_those_of_the_scenes_learned_from() -> None:
    """How common each print is where the network learned is what the generator of its scenes draws."""
    rng = np.random.default_rng(1)
    signs = "".join("".join(random_pattern(rng)) for _ in range(3000))
    free, colors = signs.count("."), sum(map(str.isalpha, signs))
    shares = np.array([free, colors / 5, (len(signs) - free - colors) / 6]) / len(signs)
    assert shares == pytest.approx(TRAINED_SHARES[[0, 1, 6]], rel=0.03)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("art", [0.1, 0.5, 0.97])
def test_the_way_a_photo_is_held_counts_where_the_art_says_little(art: float, turns: int) -> None:
    """Row A is likelier at the top of a photo than at its bottom; a window that lies across tells nothing."""
    corners = np.roll([[0.0, 0.0], [500.0, 0.0], [500.0, 500.0], [0.0, 500.0]], turns, axis=0)
    upright = upright_in_photo(art, corners)
    assert np.sign(round(upright - art, 9)) == {0: 1, 1: 0, 2: -1, 3: 0}[turns]
    other = upright_in_photo(1 - art, np.roll(corners, 2, axis=0))
    assert upright + other == pytest.approx(1)
