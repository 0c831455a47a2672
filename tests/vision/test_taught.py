"""Cards that were shown once are known again, whichever way they lie, and no other card is taken for one."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from calibration.training.held_back_taught import photo_of, sheet
from scoring import Tool
from tests.readings import card_at
from tests.taught import NAMES, OBJECTIVES, TOOLS, drawn, file_of, on_table, side_by_side, taught
from vision import BoardUnreadableError, VisionError, read_table
from vision.geometry import apply_homography
from vision.objectives import find_objectives
from vision.table import CardReading
from vision.taught import cards_on, find_taught, kind_of, learn_card, search
from vision.taught.card import PICTURE_PX, outline
from vision.taught.comparing import Likeness, coarse_fit
from vision.taught.locating import Matches
from vision.taught.plane import on_table as places_on_table
from vision.taught.search import _together


def test_cards_side_by_side_are_found_in_reading_order() -> None:
    """Each card lies where it was laid, row by row from the left, and known diagrams propose their names."""
    found = cards_on(photo_of(side_by_side()))
    middles = [np.array(one.corners).mean(axis=0) for one in found]
    assert [round((x - 160) / 290) for x, _ in middles] == list(range(len(NAMES)))
    assert [one.proposal for one in found[-len(OBJECTIVES) :]] == list(OBJECTIVES)
    assert not any(one.proposal for one in found[: len(TOOLS)])


def test_cards_that_were_taught_are_proposed() -> None:
    """A second photo of the same cards needs no name any more."""
    photo = photo_of(sheet([drawn(name) for name in reversed(NAMES)], ground=30))
    assert [one.proposal for one in cards_on(photo, taught())] == list(reversed(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_a_taught_card_is_known_again(name: str) -> None:
    """Turned and at a slant it is named without doubt, and its corners are right."""
    image, corners = on_table(name)
    (card,) = find_taught(photo_of(image), taught())
    assert (card.name, card.kind, card.doubtful) == (name, kind_of(name), False)
    assert np.abs(np.array(card.corners) - corners).max() < 8  # of 200 pixels across


@pytest.mark.parametrize("name", NAMES)
def test_a_card_that_nobody_taught_is_never_named_without_doubt(name: str) -> None:
    """The others of its kind share much with it, and one part that fits none of them is enough."""
    image, _ = on_table(name)
    others = [card for card in taught() if card.name != name]
    assert all(card.doubtful for card in find_taught(photo_of(image), others))


def test_a_table_without_cards_has_none() -> None:
    """Noise of any kind is no card."""
    noise = np.random.default_rng(5).integers(0, 255, (500, 700, 3), dtype=np.uint8)
    assert find_taught(photo_of(noise), taught()) == ()


def test_without_taught_cards_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who taught none waits for nothing."""
    search = Mock()
    monkeypatch.setattr("vision.taught.search.located", search)
    told = (card_at("Deep Shades"),)
    assert find_taught(photo_of(on_table(TOOLS[0])[0]), (), told) == told
    search.assert_not_called()


def test_a_table_names_its_tools() -> None:
    """`read_table` returns a taught tool among its cards, and takes none of its printed dice for one."""
    table = read_table(file_of(on_table(TOOLS[1])[0]), taught=taught())
    assert [(card.name, card.kind) for card in table.tools] == [(TOOLS[1], "tool")]
    assert (table.objectives, table.loose_dice, table.windows) == ((), (), ())
    json = table.to_json()["cards"]
    assert isinstance(json, list)
    assert CardReading.from_json(json[0]) == table.tools[0]


def test_diagram_and_taught_card_are_one() -> None:
    """A public objective that both know stands in the list once, without doubt."""
    photo = photo_of(on_table("Row Color Variety")[0])
    by_diagram = find_objectives(photo, ())[0]
    (card,) = find_taught(photo, taught(), by_diagram)
    assert (card.name, card.doubtful) == ("Row Color Variety", False)


def reading(name: str, *, doubtful: bool, x: float = 250.0) -> CardReading:
    """Return a card; two of the same ``x`` lie at one place."""
    return card_at(name, x, doubtful=doubtful)


@pytest.mark.parametrize(
    ("diagram", "shown", "together"),
    [
        (("Deep Shades", True), ("Deep Shades", False), [("Deep Shades", False)]),
        (("Deep Shades", False), ("Deep Shades", True), [("Deep Shades", False)]),
        (("Deep Shades", True), ("Light Shades", False), [("Light Shades", False)]),
        (("Deep Shades", False), ("Light Shades", True), [("Deep Shades", False)]),
        (("Deep Shades", False), ("Light Shades", False), [("Deep Shades", True), ("Light Shades", True)]),
        (("Deep Shades", True), ("Light Shades", True), [("Deep Shades", True), ("Light Shades", True)]),
    ],
)
def test_where_diagram_and_taught_card_disagree_a_person_decides(
    diagram: tuple[str, bool], shown: tuple[str, bool], together: list[tuple[str, bool]]
) -> None:
    """The one that is sure counts; when both are, or neither is, both names are asked about."""
    (by_diagram, one), (by_shape, other) = diagram, shown
    found = _together([reading(by_diagram, doubtful=one)], [reading(by_shape, doubtful=other)])
    assert [(card.name, card.doubtful) for card in found] == together


def test_a_card_lies_on_a_table_once() -> None:
    """Of two places with one name the less sure one is in doubt."""
    surer = replace(reading("Deep Shades", doubtful=False), confidence=0.999)
    found = _together([], [reading("Deep Shades", doubtful=False, x=500), surer])
    assert [(card.corners[0][0], card.doubtful) for card in found] == [(250, False), (500, True)]


@pytest.mark.parametrize(
    ("share", "name", "code"),
    [(1.0, "Ace of Spades", "bad_card_name"), (0.3, TOOLS[0], "too_small")],
)
def test_what_cannot_be_taught_is_refused(share: float, name: str, code: str) -> None:
    """A name that the game has not, or a card too small to be read, teaches nothing."""
    image, corners = on_table(TOOLS[0])
    with pytest.raises(VisionError) as refusal:
        learn_card(image, corners * share, name)
    assert refusal.value.code == code


def test_a_blank_card_is_refused() -> None:
    """Where nothing is printed nothing can be known again."""
    blank = np.full((420, 300, 3), 200, np.uint8)
    corners = np.array([[0, 0], [299, 0], [299, 419], [0, 419]], dtype=np.float64)
    with pytest.raises(BoardUnreadableError) as refusal:
        learn_card(blank, corners, Tool.LATHEKIN.value)
    assert refusal.value.code == "card_featureless"


def test_a_place_that_is_none_hides_no_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Features that agree about a place beside the card do not keep its outline from being looked at."""
    image, corners = on_table(TOOLS[0])
    monkeypatch.setattr(search, "located", lambda *_: [corners + np.array([50.0, 30.0])])
    assert [card.name for card in find_taught(photo_of(image), taught())] == [TOOLS[0]]


@pytest.mark.parametrize("name", TOOLS)
def test_a_card_that_is_burnt_out_is_named(name: str) -> None:
    """What little the light left of it fits no other card so well."""
    image, _ = on_table(name, ground=40)
    image = np.clip(image.astype(np.float32) * 1.35, 0, 255).astype(np.uint8)
    (card,) = find_taught(photo_of(image), taught())
    assert card.name == name


@pytest.mark.parametrize("found", [0, 1, 3])
def test_cards_that_were_found_say_how_another_one_lies(found: int) -> None:
    """Two features are enough for its corners, as it is as large as the others and lies on the same table."""
    slant = np.array([[0.5, 0.06, 300], [-0.04, 0.45, 250], [1e-5, 2e-4, 1]])
    turns, spots = (0.2, 1.8, -0.7, 2.5), ((0, 0), (700, 100), (100, 650), (600, 700))
    moves = [
        slant @ np.array([[np.cos(turn), -np.sin(turn), x], [np.sin(turn), np.cos(turn), y], [0, 0, 1]])
        for turn, (x, y) in zip(turns, spots, strict=True)
    ]
    *cards, missed = [apply_homography(move, outline(PICTURE_PX)) for move in moves]
    known = np.array([[40.0, 60, 12, 0.3], [250, 330, 20, -1]])
    tips = known[:, :2] + known[:, 2:3] * np.stack([np.cos(known[:, 3]), np.sin(known[:, 3])], axis=1)
    points, ends = (apply_homography(moves[-1], one) for one in (known[:, :2], tips))
    along = ends - points
    seen = np.column_stack([points, np.hypot(*along.T), np.arctan2(along[:, 1], along[:, 0])])
    places = places_on_table(Matches(seen, known), cards[:found])
    assert len(places) == min(found, 1)
    assert all(np.abs(place - missed).max() < 0.5 for place in places)


@pytest.mark.parametrize("name", TOOLS)
def test_a_blurred_card_in_colored_light_is_told_by_its_coarse_print(name: str) -> None:
    """What is left of a card when it is blurred, blue and half in the dark fits no other card so well."""
    image, corners = on_table(name)
    light = np.linspace(0.2, 1.0, image.shape[1])[:, None] * [1.0, 0.7, 0.4]
    dim = np.asarray(cv2.GaussianBlur(image * light, (0, 0), 6), np.uint8)
    fits = {card.name: coarse_fit(dim, corners, [card]) for card in taught()}
    first, second = sorted(fits, key=lambda other: -fits[other])[:2]
    assert first == name
    assert fits[first] > fits[second] + 0.1


@pytest.mark.parametrize(
    ("whole", "drawn", "coarse_lead", "named"),
    [(0.84, 0.3, 0.2, True), (0.84, 0.3, -0.2, False), (0.6, 0.1, 0.3, True), (0.9, 0.1, 0.3, False)],
)
def test_what_fits_hardly_is_named_only_with_coarse_print(
    whole: float, drawn: float, coarse_lead: float, *, named: bool
) -> None:
    """Coarse print must not fit another card better; a dim card may fit badly, one plain to see may not."""
    corners = on_table(TOOLS[0])[1]
    one = Likeness(taught()[0], whole, 0.0, drawn, corners, coarse=0.7, lead=0.5, coarse_lead=coarse_lead)
    assert search._is_likely(one) is named


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("middle", [(90, 120), (200, 250)])
def test_a_card_under_a_token_is_named_and_flagged(name: str, middle: tuple[int, int]) -> None:
    """What shows beside a favor token, which lies on the tools that were used, tells which card it is."""
    image, corners = on_table(name)
    move = cv2.getPerspectiveTransform(outline(PICTURE_PX).astype(np.float32), corners.astype(np.float32))
    around = np.stack([np.cos(turns := np.linspace(0, 6.2, 40)), np.sin(turns)], axis=1)
    token = apply_homography(np.asarray(move, np.float64), middle + 36 * around)
    cv2.fillPoly(image, [token.astype(np.int32)], (150, 60, 40), cv2.LINE_AA)
    (card,) = find_taught(photo_of(image), taught())
    assert (card.name, card.doubtful) == (name, True)


@pytest.mark.parametrize(("right", "doubtful"), [(450, False), (410, True)])
def test_a_card_that_the_photo_cuts_off_is_named(right: int, *, doubtful: bool) -> None:
    """What lies beyond the edge speaks against no card, but may be just what tells it from another one."""
    image, _ = on_table(TOOLS[0])  # from x = 228 to 460
    (card,) = find_taught(photo_of(np.ascontiguousarray(image[:, :right])), taught())
    assert (card.name, card.doubtful) == (TOOLS[0], doubtful)
