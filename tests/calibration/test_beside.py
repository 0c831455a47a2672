"""Loose dice and cards beside the windows, held against their labels, and photos that are counted apart."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from calibration.errors import CalibrationError
from calibration.evaluation.beside import Beside, beside
from calibration.evaluation.comparison import evaluate_photos, evaluate_table
from calibration.evaluation.figures import summarize
from calibration.evaluation.labels import parse_label
from calibration.evaluation.reliability import NOTHING, Share
from calibration.evaluation.report import evaluations_of
from scoring import Color
from scoring.sentences import sentence
from tests.readings import BOARD, SQUARE, reading_of
from vision import BoardUnreadableError, CardReading, LooseDie, PhotoError, TableReading, Unread
from vision.reading import Corners

SIZE = (800, 600)
WINDOW = {
    "board": [row.split() for row in BOARD.split("/")],
    "corners_tl_tr_br_bl": [list(c) for c in SQUARE],
}
TABLE = {"kind": "table", "seed": 1, "boards": [WINDOW], "width": 800, "height": 600}
POOL = [{"die": "R3", "center": [50, 300]}, {"die": "G4", "center": [700, 300]}]
TRACK = [{"round": 2, "die": "B1", "center": [400, 30]}]
CORNERS: Corners = SQUARE


def loose(
    code: str, x: float, y: float, *, doubtful: bool = False, place: str = "pool", at: int | None = None
) -> LooseDie:
    """Return a die that was read."""
    return LooseDie(Color(code[0]), int(code[1]), 0.9, doubtful, (), (x, y), 69.0, place, at)  # type: ignore[arg-type]


def read(*dice: LooseDie, cards: tuple[CardReading, ...] = ()) -> TableReading:
    """Return the reading of a table with one window."""
    return TableReading(SIZE, (reading_of(),), (), 0.1, dice, cards)


def card(name: str, *, doubtful: bool = False) -> CardReading:
    """Return a card that was read."""
    return CardReading(name, 0.9, doubtful, CORNERS)


def held(found: TableReading | None, **keys: object) -> Beside:
    """Return what became of the things beside the windows of a table with these labels."""
    return beside(parse_label("a.jpg", {**TABLE, **keys}), found, SIZE)


def test_dice_are_found_within_half_a_die() -> None:
    """A reading's middle may be half an edge off, an edge being 0.69 of the nearest window's cells."""
    assert held(read(loose("R3", 50 + 34, 300)), pool=POOL).dice_found == Share(1, 2)
    assert held(read(loose("R3", 50 + 35, 300)), pool=POOL).dice_found == Share(0, 2)


def test_color_and_value_are_counted_of_the_dice_found() -> None:
    """A wrong die is found all the same; without a flag nobody is warned of it."""
    wrong, flagged = loose("R2", 50, 300), loose("B4", 700, 300, doubtful=True)
    found = held(read(wrong, flagged), pool=POOL)
    assert (found.dice_found, found.dice_right) == (Share(2, 2), Share(0, 2))
    assert found.dice_unnoticed == Share(1, 2)


def test_place_and_round_are_counted() -> None:
    """A die of the round track is in its place when the round is right, too."""
    right, late = loose("B1", 400, 30, place="track", at=2), loose("B1", 400, 30, place="track", at=3)
    assert held(read(right, loose("R3", 50, 300)), pool=POOL, track=TRACK).dice_placed == Share(2, 2)
    assert held(read(late), track=TRACK).dice_placed == Share(0, 1)


def test_a_die_at_the_photos_edge_is_not_owed() -> None:
    """With the middle beyond the edge or nearly so a die may be missed, and reading it invents nothing."""
    edge = [{"die": "R3", "center": [20, 300]}, {"die": "R3", "center": [-20, 100]}]
    assert held(read(), pool=edge).dice_found == Share(0, 0)
    assert held(read(loose("R3", 50, 300)), pool=edge).dice_invented == Share(0, 1)


def test_what_lies_nowhere_is_invented() -> None:
    """A second reading of one die, and any reading beside all dice, is of a die that is not there."""
    found = held(read(loose("R3", 50, 300), loose("R3", 55, 300), loose("G4", 300, 550)), pool=POOL)
    assert (found.dice_found, found.dice_invented) == (Share(1, 2), Share(2, 1))


def test_a_refused_photo_has_found_nothing() -> None:
    """Dice of a photo that cannot be read are missed."""
    assert held(None, pool=POOL).dice_found == Share(0, 2)


def test_only_the_games_own_dice_are_owed() -> None:
    """Dice of other makes are counted apart, and where not all dice are labelled none is invented."""
    dice = [{"bbox": [100, 100, 200, 200], "value": 4, "color": "R"}]
    own = parse_label("a.jpg", {"kind": "sagrada_loose", "dice": dice})
    other = parse_label("a.jpg", {"kind": "byler_d6", "dice": [{**dice[0], "color": None}]})
    ((die,), (foreign,)) = (label.dice for label in (own, other))
    assert die.edge == pytest.approx(100 / 1.12)
    assert foreign.center == (150, 150)
    here = loose("R4", 150, die.center[1])
    assert beside(own, read(here, loose("B1", 600, 500)), SIZE) == Beside(
        Share(1, 1), Share(1, 1), dice_unnoticed=Share(0, 1)
    )
    assert beside(other, read(loose("B4", 150, 150)), SIZE) == Beside(
        other_found=Share(1, 1), other_right=Share(1, 1)
    )


def test_cards_are_right_by_their_names() -> None:
    """A table's cards are those of its label; a name that lies nowhere must at least be flagged."""
    cards = (card("Light Shades"), card("Deep Shades"), card("Color Variety", doubtful=True))
    found = held(read(cards=cards), cards=["Light Shades", "Shade Variety"])
    assert (found.cards_right, found.cards_unnoticed) == (Share(1, 2), Share(1, 3))
    assert held(read(cards=cards)).cards_right == Share(0, 0)


def test_scans_of_cards_are_a_section_of_their_own() -> None:
    """A public objective is to be recognized, a tool is none; neither is a window."""
    objective = parse_label("a.jpg", {"kind": "public_objective", "name": "Light Shades"})
    tool = parse_label("b.jpg", {"kind": "tool", "name": "Lathekin"})
    assert (objective.refusal, objective.section) == ("board_not_found", "real cards")
    seen = read(cards=(card("Light Shades"),))
    assert beside(objective, seen, SIZE).cards_right == Share(1, 1)
    assert beside(tool, seen, SIZE).cards_unnoticed == Share(1, 1)


@pytest.mark.parametrize(
    "entry", [{"die": "R9", "center": [1, 1]}, {"die": "R3"}, {"die": "R3", "center": [1]}]
)
def test_malformed_dice_are_named(entry: dict[str, object]) -> None:
    """A label that cannot be understood is an error, not a die that nobody found."""
    with pytest.raises(CalibrationError, match=r"a\.jpg: (pool\.0|a loose die)"):
        held(read(), pool=[entry])


def test_a_table_has_its_dice_once() -> None:
    """However many windows a table has, what lies beside them is counted once."""
    label = parse_label("a.jpg", {**TABLE, "boards": [WINDOW, WINDOW], "pool": POOL})
    results = tuple(evaluate_table(label, lambda: read(loose("R3", 50, 300))))
    assert [result.beside is None for result in results] == [False, True]
    assert summarize(results).figures["loose_found"] == Share(1, 2)


def test_a_table_may_have_no_window() -> None:
    """A photo beside which no window lies is measured, too: what is read there is invented."""
    label = parse_label("a.jpg", {"kind": "table", "seed": 1, "pool": [], "width": 800, "height": 600})
    (result,) = evaluate_table(label, lambda: read(loose("R3", 50, 300)))
    assert summarize([result]).figures["loose_invented"] == Share(1, 1)


def test_photos_of_loose_dice_are_read_both_ways() -> None:
    """No window is to be found in them, and their dice are."""
    label = parse_label("a.jpg", {"kind": "sagrada_loose", "dice": [{"bbox": [9, 9, 99, 99], "value": 4}]})

    def refuse(_: Path) -> TableReading:
        raise PhotoError("not_a_photo", sentence("No photo."), sentence("Take one."))

    (result,) = evaluate_photos(Path(), [label], lambda _: reading_of(), refuse)
    assert (result.error, result.beside) == (None, Beside(dice_found=Share(0, 1)))


def test_real_photos_of_several_windows_are_tables_as_well() -> None:
    """The one window meant counts as ever, and every window once more among real tables."""
    label = parse_label("a.jpg", {"boards": [WINDOW, WINDOW]})
    results = tuple(evaluate_photos(Path(), [label], lambda _: reading_of(), lambda _: read()))
    assert [result.label.section for result in results] == ["real", "real tables", "real tables"]
    alone, tables = evaluations_of("real", results)
    assert [(one.name, one.section, one.summary.photos) for one in (alone, tables)] == [
        ("real", "real", 1),
        ("real tables", "real tables", 2),
    ]
    assert tables.path == "real_tables.json"


def test_a_die_that_lies_anywhere_tells_its_size_and_whether_it_is_owed() -> None:
    """Of such a die no place is asked; one that nobody could ask for may be found, and is not invented."""
    entries = [{"die": "R3", "center": [50, 300], "edge": 20}, {"die": "G1", "center": [80, 400], "edge": 20}]
    label = parse_label(
        "a.jpg", {"kind": "table", "pool": [], "loose": [entries[0], {**entries[1], "owed": False}]}
    )
    found = beside(label, read(loose("R3", 55, 300), loose("G1", 80, 400), loose("B1", 300, 400)), (800, 600))
    assert (found.dice_found, found.dice_right) == (Share(1, 1), Share(1, 1))
    assert found.dice_placed == NOTHING


def test_windows_of_a_table_are_found_or_named() -> None:
    """A window that the table says it could not read keeps the reason, if it is named where it lies."""
    label = parse_label("a.jpg", TABLE)
    reason = BoardUnreadableError("window_unclear", sentence("Unclear."), sentence("Go closer."))
    for center, code, named in (
        ((350.0, 250.0), "window_unclear", 1),
        ((700.0, 250.0), "board_not_found", 0),
    ):
        found = replace(read(), windows=(), unread=(Unread(reason, center),))
        (result,) = evaluate_table(label, partial(replace, found))
        assert result.error == code
        assert summarize([result]).figures["found_or_named"] == Share(named, 1)


@pytest.mark.parametrize("covered", [[[0, 9, "R1"]], [[0, 0]], [[0, 0, "X1"]], 3])
def test_malformed_covered_spaces_are_named(covered: object) -> None:
    """Hidden spaces are rows, columns and what lies there."""
    with pytest.raises(CalibrationError, match=r"a\.jpg: covered"):
        parse_label("a.jpg", {**WINDOW, "covered": covered})


@pytest.mark.parametrize(
    ("keys", "section"),
    [
        ({"seed": 1}, "rendered"),
        ({"seed": 1, "tilt": 29.6}, "rendered"),
        ({"seed": 1, "tilt": 39.5}, "rendered low angles"),
        ({"seed": 1, "tilt": 20, "light": "tubes"}, "rendered hard lamps"),
        ({"seed": 1, "covered": []}, "rendered covered"),
        ({"seed": 1, "kind": "table"}, "rendered tables"),
        ({"seed": 1, "kind": "loose_dice"}, "rendered loose dice"),
        ({"origin": "synthetic", "kind": "table"}, "synthetic tables"),
        ({}, "real"),
    ],
)
def test_photos_of_which_more_is_asked_are_counted_apart(keys: dict[str, object], section: str) -> None:
    """Tables, low angles, covered windows and loose dice have figures of their own and change no others."""
    assert parse_label("a.jpg", {**WINDOW, **keys}).section == section


def test_loose_dice_seen_from_a_chair_are_labelled_by_boxes() -> None:
    """A box around a whole die tells its edge, and its top where the label does not; no window is there."""
    entry = {"kind": "round_track", "boards": [], "round_track": [{"die": "G6", "box": [100, 100, 212, 250]}]}
    label = parse_label("a.jpg", entry)
    assert (label.refusal, label.section) == ("board_not_found", "real loose dice")
    (die,) = label.dice
    assert [die.edge, *die.center] == pytest.approx([100, 156, 136])
    assert die.place == "track"
    found = beside(label, read(loose("G6", 150, 140, place="track", at=3), loose("R1", 700, 500)), SIZE)
    assert found == Beside(Share(1, 1), Share(1, 1), Share(1, 1), Share(0, 1))
