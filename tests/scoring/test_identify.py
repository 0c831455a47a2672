from __future__ import annotations

import statistics
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import exp
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import (
    ALL_CELLS,
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    InvalidValueError,
    Restriction,
    WindowPattern,
    cell_from_name,
    parse_open_cells,
)
from scoring.board import Cell
from scoring.patterns.identify import (
    COLOR_SHARE,
    FREE_SHARE,
    PLAYERS,
    SPACES,
    VALUE_SHARE,
    SeenCell,
    WindowRanking,
    identify_window,
    players,
    rank_windows,
)
from tests import strategies
from tests.scoring import made_boards, rulebook

KNOWN = tuple(WINDOW_PATTERNS.values())
NOTHING_SEEN = " / ".join(["?????"] * 4)
EVERY_CARD = pytest.mark.parametrize("name", list(WINDOW_PATTERNS))

open_cells_strategy = st.dictionaries(
    strategies.cells, st.one_of(st.none(), strategies.colors, strategies.values), max_size=20
)
known_strategy = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=6, unique=True)


def named(ranking: WindowRanking) -> tuple[str, bool]:
    """Return the name of the likeliest card, and whether it is turned."""
    return ranking.matches[0].pattern.name, ranking.matches[0].turned


def shares(ranking: WindowRanking) -> dict[tuple[str, bool], float]:
    """Return the probability of each card, upright (False) and turned (True)."""
    return {(match.pattern.name, match.turned): match.probability for match in ranking.matches}


def opposite(cell: Cell) -> Cell:
    """Return the cell that lies there when the window is turned by 180 degrees."""
    return 3 - cell[0], 4 - cell[1]


def full_boards(name: str, count: int) -> list[tuple[Board, bool]]:
    """Return full legal boards of a card, and whether they are turned: every other one is."""
    random = Random(name)
    boards = [made_boards.full_board(WINDOW_PATTERNS[name], random) for _ in range(count)]
    return [(board.rotated_180() if i % 2 else board, bool(i % 2)) for i, board in enumerate(boards)]


# --- which card it was ------------------------------------------------------------------------------------


@EVERY_CARD
def test_a_full_legal_board_names_its_card(name: str) -> None:
    """Twenty legal dice tell their card, and which way up it lies, with more than 99.999 %."""
    for board, turned in full_boards(name, 20):
        ranking = identify_window(board)
        match = ranking.matches[0]
        assert named(ranking) == (name, turned)
        assert match.probability > 0.99999
        assert match.misfits == ()
        assert (
            match.pattern.cells
            == (WINDOW_PATTERNS[name].rotated_180() if turned else WINDOW_PATTERNS[name]).cells
        )
        assert ranking.best == match
        assert ranking.turned_probability == pytest.approx(float(turned), abs=1e-5)


@EVERY_CARD
def test_illegal_dice_lower_the_probability_but_not_the_answer(name: str) -> None:
    """With one, two and three dice that the card forbids it stays first, each time less sure than before."""
    pattern = WINDOW_PATTERNS[name]
    for seed in range(2):
        full = made_boards.full_board(pattern, Random(seed))
        probabilities = []
        for mistakes in range(4):
            board = made_boards.with_mistakes(full, pattern, mistakes, Random(seed))
            match = identify_window(board).matches[0]
            assert (match.pattern.name, match.turned) == (name, False)
            assert match.misfits == tuple(
                cell for cell, die in board.dice() if not pattern.accepts(cell, die)
            )
            assert len(match.misfits) == mistakes
            probabilities.append(match.probability)
        assert probabilities == sorted(set(probabilities), reverse=True)
        assert probabilities[1] > 0.999
        assert probabilities[2] > 0.9


def test_the_rulebook_example_is_named_with_its_mistake() -> None:
    """The rulebook's own board lies on Fractal Drops, and C5 is the one die that does not fit."""
    match = identify_window(rulebook.SCORED_BOARD).best
    assert match is not None
    assert match.pattern == WINDOW_PATTERNS[rulebook.WINDOW]
    assert match.misfits == (cell_from_name("C5"),)
    assert match.probability > 0.99


@pytest.mark.parametrize(
    ("dice", "right_at_least"), [(5, 0.75), (10, 0.98), (15, 1.0)], ids=["5 dice", "10 dice", "15 dice"]
)
def test_half_empty_boards_name_their_card(dice: int, right_at_least: float) -> None:
    """Ten legal dice are enough for nearly every board; with five it is three boards of four."""
    random = Random(dice)
    right = 0
    for pattern in KNOWN * 4:
        full = made_boards.full_board(pattern, random)
        board = made_boards.without(full, random.sample(made_boards.SPOTS, 20 - dice))
        right += named(identify_window(board)) == (pattern.name, False)
    assert right >= right_at_least * 4 * len(KNOWN)


def test_dice_put_on_any_legal_space_name_their_card() -> None:
    """A game of ten dice that are rolled and put anywhere legal names its card in 19 of 20 games."""
    random = Random(10)
    right = [
        named(identify_window(made_boards.played_board(pattern, 10, random))) == (pattern.name, False)
        for pattern in KNOWN * 4
    ]
    assert statistics.mean(right) > 0.95


def test_who_is_called_sure_is_right() -> None:
    """Of the cards given 90 % or more, 95 % are right, where one card in five is not among the known ones."""
    random = Random(90)
    right = []
    for round_ in range(250):
        pattern = made_boards.invented_card(random) if round_ % 5 == 0 else random.choice(KNOWN)
        try:
            full = made_boards.full_board(pattern, random)
        except ValueError:
            continue
        board = made_boards.without(full, random.sample(made_boards.SPOTS, random.choice([0, 5, 10, 15])))
        match = identify_window(board).matches[0]
        if match.probability >= 0.9:
            right.append((match.pattern.name, match.turned) == (pattern.name, False))
    assert len(right) > 120
    assert statistics.mean(right) >= 0.95


# --- open cells ---------------------------------------------------------------------------------------------


@EVERY_CARD
def test_open_cells_alone_name_the_card(name: str) -> None:
    """The print of an empty window names its card; upside down, the card is named as turned."""
    for pattern, turned in ((WINDOW_PATTERNS[name], False), (WINDOW_PATTERNS[name].rotated_180(), True)):
        ranking = identify_window(Board.empty(), parse_open_cells(str(pattern)))
        assert named(ranking) == (name, turned)
        assert ranking.matches[0].pattern.cells == pattern.cells
        assert ranking.matches[0].probability > 0.99999


def test_open_cells_settle_what_a_few_dice_leave_open() -> None:
    """Five dice rarely tell a card from one that looks like it; five open cells beside them do."""
    random = Random(5)
    with_dice, with_both = [], []
    for pattern in KNOWN:
        board = made_boards.played_board(pattern, 5, random)
        seen = {cell: pattern[cell] for cell in random.sample(board.empty_cells(), 5)}
        with_dice.append(shares(identify_window(board))[pattern.name, False])
        with_both.append(shares(identify_window(board, seen))[pattern.name, False])
    assert statistics.median(with_dice) < 0.5
    assert statistics.median(with_both) > 0.99


def test_one_print_read_wrong_does_not_hide_the_card() -> None:
    """A misread print lowers the probability of the card and is named as what does not fit."""
    pattern = WINDOW_PATTERNS["Virtus"]
    seen = parse_open_cells("4.2?? / ??6G? / ????? / ?????")
    wrong: dict[Cell, Restriction] = {**seen, (0, 0): Color.RED}
    match = identify_window(Board.empty(), wrong).matches[0]
    assert match.pattern == pattern
    assert match.misfits == ((0, 0),)
    assert 0.9 < match.probability < identify_window(Board.empty(), seen).matches[0].probability


@pytest.mark.parametrize("die", ["R5", "G2"])
def test_a_print_seen_under_a_die_counts_alone(die: str) -> None:
    """Where the print was seen, a die on it changes nothing, legal or not; the print is what has to fit."""
    alone = identify_window(Board.empty(), {(0, 0): Color.RED})
    assert identify_window(Board.empty().replace(0, 0, Die.parse(die)), {(0, 0): Color.RED}) == alone
    assert (0, 0) not in alone.matches[0].misfits


def test_prints_name_the_card_of_a_player_who_ignores_it() -> None:
    """When the dice go against the card everywhere they lie, what is printed between them still names it."""
    pattern, random = WINDOW_PATTERNS["Firelight"], Random(7)
    wrong = made_boards.with_mistakes(made_boards.full_board(pattern, random), pattern, 13, random)
    board = made_boards.without(wrong, made_boards.SPOTS[::2])
    assert identify_window(board).best is None
    match = identify_window(board, {cell: pattern[cell] for cell in board.empty_cells()}).best
    assert match is not None
    assert match.pattern == pattern
    assert len(match.misfits) > 4


# --- when no card stands out ------------------------------------------------------------------------------


def test_an_empty_board_ranks_all_cards_alike() -> None:
    """Before anything is seen, each card is as likely as the next, either way up, and none is named."""
    ranking = identify_window(Board.empty())
    alike = [0.4 / len(KNOWN)] * 2 * len(KNOWN)
    assert [match.probability for match in ranking.matches] == pytest.approx(alike)
    assert ranking.unknown_probability == pytest.approx(0.2)
    assert ranking.turned_probability == pytest.approx(0.5)
    assert [match.pattern.name for match in ranking.matches[::2]] == list(WINDOW_PATTERNS)
    assert ranking.best is None


def test_a_board_that_fits_no_card_is_called_unknown() -> None:
    """A full legal board of a card that nobody knows nearly always gives most weight to the unknown card."""
    random = Random(11)
    unknown: list[float] = []
    while len(unknown) < 100:
        try:
            board = made_boards.full_board(made_boards.invented_card(random), random)
        except ValueError:
            continue
        unknown.append(identify_window(board).unknown_probability)
    assert statistics.median(unknown) > 0.8
    assert sum(one > 0.5 for one in unknown) >= 98


def test_unknown_prints_are_called_unknown() -> None:
    """An empty window with a print that no known card has is none of them."""
    ranking = identify_window(Board.empty(), parse_open_cells("RR1.. / .56YY / BB.44 / 2..GG"))
    assert ranking.unknown_probability > 0.999
    assert ranking.best is None


def test_a_card_is_named_when_it_outweighs_all_else() -> None:
    """A single known card has 80 % beforehand and is named; when 52 % speak against it, it is not."""
    card = WINDOW_PATTERNS["Virtus"]
    likely = identify_window(Board.empty(), known=[card], upright_probability=1.0)
    assert likely.best is not None
    assert likely.best.probability == pytest.approx(0.8)
    assert identify_window(Board.empty(), known=[card], upright_probability=0.6).best is None


def test_without_known_cards_the_card_is_unknown() -> None:
    """Who knows no card can name none."""
    assert identify_window(rulebook.SCORED_BOARD, known=()) == WindowRanking((), 1.0, 0.5)


# --- which way up -----------------------------------------------------------------------------------------


@given(strategies.boards, open_cells_strategy, known_strategy, st.sampled_from([0.0, 0.02, 0.5, 0.7, 1.0]))
@settings(deadline=None)
def test_a_turned_board_gives_a_turned_answer(
    board: Board, open_cells: dict[Cell, Restriction], known: list[WindowPattern], upright: float
) -> None:
    """Turning the board turns the cards under it and their misfits, and changes no probability."""
    ranking = identify_window(board, open_cells, known, upright)
    turned = identify_window(
        board.rotated_180(), {opposite(cell): space for cell, space in open_cells.items()}, known, 1 - upright
    )
    there = {(match.pattern.name, not match.turned): match for match in turned.matches}
    assert len(there) == len(ranking.matches)
    for match in ranking.matches:
        other = there[match.pattern.name, match.turned]
        assert other.probability == pytest.approx(match.probability, rel=1e-9)
        assert other.pattern == match.pattern.rotated_180()
        assert other.misfits == tuple(sorted(opposite(cell) for cell in match.misfits))
    assert turned.unknown_probability == pytest.approx(ranking.unknown_probability, rel=1e-9)
    assert turned.turned_probability == pytest.approx(1 - ranking.turned_probability, abs=1e-9)


@given(
    strategies.boards, open_cells_strategy, known_strategy, st.sampled_from([0.02, 0.5, 0.7]), st.booleans()
)
@settings(deadline=None)
def test_a_settled_ranking_is_that_of_the_turned_board(
    board: Board,
    open_cells: dict[Cell, Restriction],
    known: list[WindowPattern],
    upright: float,
    turned: bool,
) -> None:
    """Once it is known which way the card lies, all is as if the board had been turned and ranked anew."""
    ranking = identify_window(board, open_cells, known, upright)
    found = ranking.settled(turned=turned, upright_probability=upright)
    if turned:
        board, open_cells = board.rotated_180(), {opposite(cell): space for cell, space in open_cells.items()}
    anew = identify_window(board, open_cells, known, 1.0)
    assert shares(found) == pytest.approx(shares(anew), rel=1e-9)
    assert found.unknown_probability == pytest.approx(anew.unknown_probability, rel=1e-9)
    assert found.turned_probability == anew.turned_probability
    theirs = {match.pattern.name: match for match in anew.matches}
    for match in found.matches:
        assert match.pattern == theirs[match.pattern.name].pattern
        assert match.misfits == theirs[match.pattern.name].misfits


def test_a_card_that_looks_the_same_turned_is_counted_once() -> None:
    """It has one place in the ranking, with the share of a whole card, and leaves open which way it lies."""
    same = WindowPattern.parse("1...2 / .R... / ...R. / 2...1", "Same")
    ranking = identify_window(Board.empty(), known=[same, WINDOW_PATTERNS["Virtus"]], upright_probability=0.7)
    assert shares(ranking) == pytest.approx(
        {("Same", False): 0.4, ("Virtus", False): 0.28, ("Virtus", True): 0.12}
    )
    assert ranking.turned_probability == pytest.approx(0.3)
    assert len(identify_window(Board.empty(), known=[same], upright_probability=0.0).matches) == 1


def test_who_knows_the_way_up_sees_it_in_the_ranking() -> None:
    """A way up that is ruled out beforehand is left out; one that is likely beforehand weighs more."""
    board = made_boards.full_board(WINDOW_PATTERNS["Comitas"], Random(2)).rotated_180()
    assert named(identify_window(board, upright_probability=0.02)) == ("Comitas", True)
    assert {match.turned for match in identify_window(board, upright_probability=1).matches} == {False}
    assert {match.turned for match in identify_window(board, upright_probability=0).matches} == {True}
    assert identify_window(Board.empty(), upright_probability=0.9).turned_probability == pytest.approx(0.1)


# --- the cards to choose from -----------------------------------------------------------------------------


def test_a_window_of_ones_own_can_be_among_the_known() -> None:
    """A custom window is found once it is among the known cards, and is unknown before."""
    own = WindowPattern.parse("R1.2. / .3B4. / Y.5.G / 6P.R1", "My window")
    board = made_boards.full_board(own, Random(4))
    assert identify_window(board).unknown_probability > 0.5
    match = identify_window(board, known=[*KNOWN, own]).best
    assert match is not None
    assert match.pattern == own


def test_known_cards_may_be_named() -> None:
    """A mapping from names to cards is as good as the cards."""
    assert identify_window(rulebook.SCORED_BOARD, known=WINDOW_PATTERNS) == identify_window(
        rulebook.SCORED_BOARD, known=iter(KNOWN)
    )


def test_no_two_known_cards_need_open_cells_when_the_board_is_full() -> None:
    """For any two cards, legal dice on the one break the print of the other on five spaces, on average."""

    def chance(sign: str, other: str) -> float:
        """Return how likely a die that may lie on one space may also lie on the other."""
        if other in (".", sign):
            return 1.0
        if sign != "." and sign.isdigit() == other.isdigit():
            return 0.0
        return 1 / 6 if other.isdigit() else 1 / 5

    ways = [(card.name, made_boards.prints(lying)) for card in KNOWN for lying in (card, card.rotated_180())]
    fewest = min(
        20 - sum(chance(one[spot], other[spot]) for spot in made_boards.SPOTS)
        for pair in combinations(ways, 2)
        for (_, one), (_, other) in (pair, pair[::-1])
    )
    assert fewest > 5


# --- the model --------------------------------------------------------------------------------------------


def kinds_of_players(board: Board, open_cells: dict[Cell, Restriction]) -> list[tuple[Fraction, Fraction]]:
    """Return how likely each kind of player is, by the dice side by side, and its share of careless dice."""
    dice = {cell: die for cell, die in board.dice() if cell not in open_cells}
    kinds = []
    for boards, careless, blind in ((94, 2, 20), (3, 100, 20), (3, 100, 100)):
        weight = Fraction(boards, 100)
        for (row, column), die in dice.items():
            for other in (dice.get((row + 1, column)), dice.get((row, column + 1))):
                if other is not None:
                    alike = die.color == other.color or die.value == other.value
                    weight *= Fraction(blind, 100) + (1 - Fraction(blind, 100)) * (
                        0 if alike else Fraction(3, 2)
                    )
        kinds.append((weight, Fraction(careless, 100)))
    return [(weight / sum(weight for weight, _ in kinds), careless) for weight, careless in kinds]


def oracle(
    board: Board, open_cells: dict[Cell, Restriction], known: Sequence[WindowPattern], upright: Fraction
) -> dict[tuple[str, bool] | None, Fraction]:
    """Return the probability of each card and way up (None: the unknown card), in fractions, cell by cell."""
    shares = {None: Fraction(180, 520), Color: Fraction(28, 520), int: Fraction(200, 6 * 520)}
    weights: dict[tuple[str, bool] | None, Fraction] = {None: Fraction(1, 5)}
    players = kinds_of_players(board, open_cells)
    for card in known:
        for turned in (False, True):
            average = Fraction(0)
            for boards, careless in players:
                product = boards
                for cell in ALL_CELLS:
                    space = card[opposite(cell) if turned else cell]
                    die = board[cell]
                    if cell in open_cells:
                        kind = None if space is None else Color if isinstance(space, Color) else int
                        same = int(open_cells[cell] == space)
                        product *= Fraction(99, 100) * same / shares[kind] + Fraction(1, 100)
                    elif die is not None and space is not None:
                        fitting = 5 if isinstance(space, Color) else 6
                        fits = space in (die.color, die.value)
                        product *= careless + (1 - careless) * fitting if fits else careless
                average += product
            weights[card.name, turned] = (
                Fraction(4, 5) / len(known) * average * (1 - upright if turned else upright)
            )
    return {way: weight / sum(weights.values()) for way, weight in weights.items()}


@given(
    strategies.boards,
    open_cells_strategy,
    known_strategy,
    st.sampled_from([Fraction(1, 50), Fraction(1, 2), Fraction(9, 10)]),
)
@settings(deadline=None)
def test_probabilities_are_those_of_the_model(
    board: Board, open_cells: dict[Cell, Restriction], known: list[WindowPattern], upright: Fraction
) -> None:
    """Every probability is what the model as it is written down gives when worked out in fractions."""
    ranking = identify_window(board, open_cells, known, float(upright))
    expected = oracle(board, open_cells, known, upright)
    assert ranking.unknown_probability == pytest.approx(float(expected[None]), rel=1e-9)
    assert shares(ranking) == pytest.approx(
        {way: float(share) for way, share in expected.items() if way is not None}, rel=1e-9
    )
    turned = sum(share for way, share in expected.items() if way is not None and way[1])
    assert ranking.turned_probability == pytest.approx(
        float(turned + expected[None] * (1 - upright)), abs=1e-9
    )


@given(strategies.boards, open_cells_strategy, st.randoms(use_true_random=False))
def test_a_ranking_is_one_whole(board: Board, open_cells: dict[Cell, Restriction], random: Random) -> None:
    """All probabilities add up to 1, the likeliest come first, and the order of the cards changes none."""
    ranking = identify_window(board, open_cells)
    probabilities = [match.probability for match in ranking.matches]
    assert sum(probabilities) + ranking.unknown_probability == pytest.approx(1)
    assert probabilities == sorted(probabilities, reverse=True)
    assert len(ranking.matches) == 2 * len(KNOWN)
    mixed = identify_window(board, open_cells, random.sample(KNOWN, len(KNOWN)))
    assert shares(mixed) == pytest.approx(shares(ranking), rel=1e-9)


def test_print_shares_are_counted_on_the_cards() -> None:
    """How common free spaces, colors and values are is what the cards of the game show."""
    signs = "".join(sign for card in KNOWN for sign in made_boards.prints(card).values())
    assert signs.count(".") / len(signs) == pytest.approx(FREE_SHARE)
    assert sum(map(str.isalpha, signs)) / len(signs) / 5 == pytest.approx(COLOR_SHARE)
    assert sum(map(str.isdigit, signs)) / len(signs) / 6 == pytest.approx(VALUE_SHARE)


def test_the_kinds_of_players_are_all_players() -> None:
    """The shares of the boards add up to 1, and no kind is without mistakes: nothing is quite ruled out."""
    assert sum(share for share, _, _ in PLAYERS) == pytest.approx(1)
    assert all(0 < share <= 1 for _, *shares in PLAYERS for share in shares)


def test_dice_side_by_side_tell_the_kind_of_player() -> None:
    """Who breaks no rule of neighbors is careful; who puts like beside like everywhere looks at nothing."""
    legal = made_boards.full_board(WINDOW_PATTERNS["Virtus"], Random(1))
    alike = Board.parse(" / ".join(["R1 R1 G2 G2 Y3"] * 4))
    for board, likeliest in ((legal, 0), (alike, 2)):
        logs = [log for log, _ in players({cell: SeenCell.of_die(die) for cell, die in board.dice()})]
        assert sum(exp(log) for log in logs) == pytest.approx(1)
        assert exp(logs[likeliest]) > 0.9
    assert [exp(log) for log, _ in players({})] == pytest.approx([share for share, _, _ in PLAYERS])


def test_a_doubtful_cell_speaks_as_the_average_of_what_it_may_hold() -> None:
    """Half a red 5 and half a print of 3 speak as loud as the one and the other on average."""
    die, seen = SeenCell.of_die(Die(Color.RED, 5)), SeenCell.of_print(3)
    doubtful = SeenCell(die=0.5, colors=die.colors, values=die.values, prints=seen.prints)
    average = [sum(two) / 2 for two in zip(die.speaks(0.02), seen.speaks(0.02), strict=True)]
    assert doubtful.speaks(0.02) == pytest.approx(average)
    for space in SPACES:
        assert doubtful.agrees(space) == (die.agrees(space) + seen.agrees(space)) / 2


@pytest.mark.parametrize(("red", "misfits"), [(0.4, ((0, 0),)), (0.5, ()), (0.6, ())])
def test_a_doubtful_misfit_is_one_when_it_is_likelier_than_not(red: float, misfits: tuple[Cell, ...]) -> None:
    """A die that is rather green than red does not fit a red space; one that may well be red does."""
    die = SeenCell(1.0, {Color.RED: red, Color.GREEN: 1 - red}, {4: 1.0})
    (match,) = rank_windows({(0, 0): die}, [WINDOW_PATTERNS["Aurora Sagradis"]], 1.0).matches
    assert match.misfits == misfits


def test_a_cell_that_may_be_anything_says_nothing() -> None:
    """A die with every color and every value as likely as the next leaves the ranking as it was."""
    blurred = SeenCell(1.0, dict.fromkeys(Color, 1 / 5), dict.fromkeys(range(1, 7), 1 / 6))
    assert shares(rank_windows({(1, 1): blurred})) == pytest.approx(shares(rank_windows({})))


# --- what is written down wrong -----------------------------------------------------------------------------


def test_open_cells_are_read_as_vision_writes_them() -> None:
    """A question mark is a cell that was not seen, a point a free one; rows end as in board notation."""
    text = "?.?r? / ????? \n 3???. / ????P /"
    assert parse_open_cells(text) == {
        (0, 1): None,
        (0, 3): Color.RED,
        (2, 0): 3,
        (2, 4): None,
        (3, 4): Color.PURPLE,
    }
    assert parse_open_cells(NOTHING_SEEN) == {}


@pytest.mark.parametrize(
    ("open_cells", "upright", "code"),
    [
        ({(4, 0): None}, 0.5, "no_such_cell"),
        ({(0, 0): 7}, 0.5, "bad_pattern"),
        ({(0, 0): True}, 0.5, "bad_pattern"),
        ({(0, 0): "R"}, 0.5, "bad_pattern"),
        ({}, 1.01, "bad_probability"),
        ({}, -0.01, "bad_probability"),
        ({}, float("nan"), "bad_probability"),
    ],
)
def test_what_cannot_be_is_refused(open_cells: dict[Cell, Restriction], upright: float, code: str) -> None:
    """A cell outside the window, a print that no card has, and a probability beyond 0 and 1 are errors."""
    with pytest.raises(InvalidValueError) as caught:
        identify_window(Board.empty(), open_cells, known=(), upright_probability=upright)
    assert caught.value.code == code
