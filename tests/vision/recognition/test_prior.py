"""The rules of the game as a prior on doubtful dice, and never as a censor."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import WINDOW_PATTERNS, Board, cell_from_name
from vision.reading import CellReading
from vision.recognition.cards import KEPT_FROM, SUSPICIOUS_BELOW, TRAINED_SHARES, weighed_by_rules
from vision.recognition.dice import COLORS, DOUBTFUL_BELOW, CellProbabilities, cell_readings, contents

CARDS = tuple(WINDOW_PATTERNS.values())
LAWFUL = "Y2 B1 G4 P3 R5 / B5 R6 P1 G2 Y4 / P6 G3 Y5 B4 R1 / R2 Y1 B6 P5 G3"
"""Twenty dice of which no two side by side are alike; they lie on no card of the game."""
LAWLESS = "Y2 Y2 Y4 P4 R4 / B2 B2 P4 G2 Y4 / B6 B3 B5 B4 R4 / R6 R1 B1 P1 G1"
"""Dice as they fall, B3 and its neighbors as above."""


def cells_of(board: str, **doubts: dict[str, float]) -> CellProbabilities:
    """Return the board as a reader sees it without doubt, but for cells as ``B3={"P1": 0.6, "P2": 0.4}``.

    The probabilities of a doubtful cell are those of its dice; what is missing to 1 is that it is empty.
    """
    filled, color, value = np.zeros(20), np.full((20, 5), 1 / 5), np.full((20, 6), 1 / 6)
    for index, die in enumerate(die for row in Board.parse(board).rows for die in row):
        if die is not None:
            filled[index] = 1
            color[index], value[index] = 0, 0
            color[index, COLORS.index(die.color)] = value[index, die.value - 1] = 1
    for name, dice in doubts.items():
        row, column = cell_from_name(name)
        index = 5 * row + column
        filled[index] = sum(dice.values())
        color[index], value[index] = 0, 0
        for die_name, probability in dice.items():
            color[index, "RYGBP".index(die_name[0])] += probability / filled[index]
            value[index, int(die_name[1]) - 1] += probability / filled[index]
    return CellProbabilities(filled, color, value, np.tile(TRAINED_SHARES, (20, 1)))


def read(cells: CellProbabilities, name: str, cards: tuple[str, ...] | None = None) -> CellReading:
    """Return what a cell is said to hold, with the rules as a prior."""
    known = CARDS if cards is None else tuple(WINDOW_PATTERNS[card] for card in cards)
    row, column = cell_from_name(name)
    return cell_readings(weighed_by_rules(cells, known))[5 * row + column]


# --- doubtful dice -----------------------------------------------------------------------------------------


def test_a_doubtful_illegal_die_gives_way_to_the_legal_runner_up() -> None:
    """Beside a green 2 a purple 2 read with 55 % turns into the purple 1 that had 45 %."""
    reading = read(cells_of(LAWFUL, B3={"P2": 0.55, "P1": 0.45}), "B3")
    assert str(reading.die) == "P1"
    assert 0.8 < reading.confidence < DOUBTFUL_BELOW
    assert [(str(other.value), other.color) for other in reading.alternatives] == [("2", reading.color)]


def test_the_picture_wins_when_it_is_much_surer_than_the_rules() -> None:
    """An illegal die read with 88 % stays when the legal runner-up has 0.2 %, and is less sure."""
    reading = read(cells_of(LAWFUL, B3={"P2": 0.88, "P1": 0.002}), "B3")
    assert str(reading.die) == "P2"
    assert reading.confidence < 0.88


@pytest.mark.parametrize("likely", [0.5, 0.7, 0.85, 0.895])
def test_rules_alone_make_nothing_certain(likely: float) -> None:
    """However clear the rules are, a cell that was in doubt stays in doubt."""
    dice = {"P1": likely, "P2": 0.9999 - likely}
    for board in (LAWFUL, LAWLESS):
        reading = read(cells_of(board, B3=dice), "B3")
        assert reading.doubtful
        assert reading.confidence <= max(KEPT_FROM, likely)


def test_only_a_known_card_decides_between_colors() -> None:
    """A doubtful green 4 on a red space is a red 4; with no card known it stays as likely as it looked."""
    board = "-- G4 R2 Y5 P6 / R4 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
    doubt = cells_of(board, B1={"G4": 0.6, "R4": 0.4})
    assert str(read(doubt, "B1").die) == "R4"
    reading = read(doubt, "B1", cards=())
    assert str(reading.die) == "G4"
    assert reading.confidence == pytest.approx(0.6)
    assert str(read(cells_of(LAWFUL, B3={"P2": 0.55, "P1": 0.45}), "B3", cards=()).die) == "P1"


def test_a_color_that_is_out_of_dice_is_less_likely() -> None:
    """When 17 red dice lie in the window an 18th is far less likely than a blue die that looks as likely."""
    reds = " / ".join(["R1 R2 R3 R4 R5"] * 3) + " / R6 R6 -- -- --"
    reading = read(cells_of(reds, D5={"R3": 0.5, "B3": 0.5}), "D5", cards=())
    assert str(reading.die) == "B3"
    assert reading.confidence > 0.8


@pytest.mark.parametrize("filled", [0.3, 0.6])
def test_whether_a_die_lies_there_is_left_to_the_picture(filled: float) -> None:
    """Rules choose among dice; how likely the cell is empty stays what the picture said."""
    doubt = cells_of(LAWFUL, B3={"P2": 0.6 * filled, "P1": 0.4 * filled})
    assert weighed_by_rules(doubt, CARDS)[7, 0] == pytest.approx(1 - filled)


def test_a_player_who_breaks_many_rules_is_not_corrected() -> None:
    """The same doubt beside the same four dice stays as it was when the rest of the board obeys no rule."""
    doubt = {"P2": 0.55, "P1": 0.45}
    lawless = read(cells_of(LAWLESS, B3=doubt), "B3")
    assert str(lawless.die) == "P2"
    assert lawless.confidence == pytest.approx(0.55, abs=0.03)


# --- dice that are not doubtful ----------------------------------------------------------------------------


@pytest.mark.parametrize("sure", [0.9, 0.95, 0.98, 0.991])
def test_a_die_that_is_likely_enough_keeps_its_value(sure: float) -> None:
    """An illegal die read with 90 % and more is never another die; below 99 % it is worth a look."""
    reading = read(cells_of(LAWFUL, B3={"P2": sure, "P1": 1 - sure}), "B3")
    assert (str(reading.die), reading.doubtful) == ("P2", sure < 0.99)
    if reading.doubtful:
        assert reading.confidence < sure
        assert str(reading.alternatives[0].value) == "1"
    else:
        assert reading.confidence == pytest.approx(sure)


@pytest.mark.parametrize(
    ("board", "dice"),
    [
        (LAWFUL, {"P1": 0.98, "P2": 0.02}),  # the best keeps the rules
        (LAWFUL, {"P2": 0.98, "B2": 0.02}),  # the alternative breaks the same rule
        (LAWLESS, {"P2": 0.98, "P1": 0.02}),  # this player breaks them all the time
    ],
    ids=["legal", "both illegal", "lawless player"],
)
def test_nothing_else_is_flagged(board: str, dice: dict[str, float]) -> None:
    """A die of middling confidence stays as it is when suspicion has no ground."""
    reading = read(cells_of(board, B3=dice), "B3")
    assert reading.confidence == pytest.approx(0.98)
    assert not reading.doubtful


# --- whatever the network says ------------------------------------------------------------------------------


def tables(width: int) -> st.SearchStrategy[list[list[float]]]:
    """Return 20 rows of likelihoods, some of them near certain, not yet adding up to 1."""
    one = st.sampled_from([1e-9, 1e-4, 0.02, 0.1, 1.0, 30.0])
    return st.lists(st.lists(one, min_size=width, max_size=width), min_size=20, max_size=20)


@given(filled=tables(2), color=tables(5), value=tables(6), with_cards=st.booleans())
def test_what_the_network_is_sure_of_stays(
    *, filled: list[list[float]], color: list[list[float]], value: list[list[float]], with_cards: bool
) -> None:
    """For any probabilities the sure cells keep their content, and the surest are not touched at all."""
    tables_ = [np.array(t) / np.array(t).sum(axis=1, keepdims=True) for t in (filled, color, value)]
    cells = CellProbabilities(tables_[0][:, 1], tables_[1], tables_[2], np.full((20, 12), 1 / 12))
    before, after = contents(cells), weighed_by_rules(cells, CARDS[:3] if with_cards else ())
    assert after.sum(axis=1) == pytest.approx(np.ones(20))
    assert after.min() >= 0
    assert after[:, 0] == pytest.approx(before[:, 0], abs=1e-9)
    surest = before.max(axis=1)
    sure = surest >= KEPT_FROM
    assert (after.argmax(axis=1) == before.argmax(axis=1))[sure].all()
    assert (after == before)[surest >= SUSPICIOUS_BELOW].all()
    assert (after.max(axis=1) < DOUBTFUL_BELOW)[surest < DOUBTFUL_BELOW].all()
    assert (after.max(axis=1) <= KEPT_FROM + 1e-9)[~sure].all()
