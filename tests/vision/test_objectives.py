"""Public objective cards on a table are found and told apart, and nothing else is taken for one."""

from __future__ import annotations

from functools import partial
from itertools import islice
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from calibration.evaluation.comparison import evaluate_table
from calibration.evaluation.labels import parse_label
from calibration.training.held_back import file_of, labelled_cards
from calibration.training.synthetic import objectives, other_cards
from calibration.training.synthetic.card_tables import Card, scanned
from scoring import PublicObjective
from tests.vision.samples import SAMPLES
from vision import (
    BoardNotFoundError,
    BoardUnreadableError,
    TableReading,
    Unread,
    draw_table_overlay,
    load_photo,
    read_photo,
    read_table,
)
from vision.detection.views import Levels
from vision.geometry import Grid
from vision.objectives import (
    CARD_IN_CROP,
    CROP_PX,
    NAMES,
    VIEW_PX,
    Place,
    diagram_of,
    distinct,
    find_objectives,
    is_card_shaped,
    lies_on,
    overlap,
    photo_from_crop,
    set_straight,
    unclear,
    views_of,
)
from vision.photo import Photo, brightened
from vision.table import CardReading
from webapp.cli.terminal import table_text

SQUARE = ((100.0, 100.0), (300.0, 100.0), (300.0, 380.0), (100.0, 380.0))


def read(card: Card, seed: int) -> tuple[CardReading, ...]:
    """Return the public objectives in a photo that a card fills."""
    image, _ = scanned(np.random.default_rng(seed), card, (960, 1280))
    cards, unread = find_objectives(brightened(load_photo(file_of(image))), ())
    assert unread == ()
    return cards


@pytest.mark.parametrize("name", NAMES)
def test_each_card_is_told_by_its_diagram(name: str) -> None:
    """A card that fills the picture is read as itself, whatever its inks and lettering."""
    drawn = objectives.objective(np.random.default_rng(9_600_000 + NAMES.index(name)), name)
    assert [card.name for card in read(Card(name, drawn), 1)] == [name]


def test_a_card_alone_is_no_empty_window() -> None:
    """Its diagram looks like an empty window, and the refusal says what it is."""
    rng = np.random.default_rng(0)
    name = "Row Color Variety"
    image, _ = scanned(rng, Card(name, objectives.objective(rng, name)), (500, 700))
    picture = cv2.imencode(".png", image)[1].tobytes()
    with pytest.raises(BoardNotFoundError, match="public objective card, not a window") as refusal:
        read_photo(picture)
    assert refusal.value.code == "board_not_found"
    assert refusal.value.data == {"card": name}


def test_no_cards_are_looked_for_where_a_window_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a photo with dice nor one of an empty window whose card is named waits for the search."""
    search = Mock(wraps=find_objectives)
    monkeypatch.setattr("vision.read.find_objectives", search)
    assert not any(cell.die for cell in read_photo(SAMPLES / "empty_window.jpg").cells)
    read_photo(SAMPLES / "few_dice.jpg")
    search.assert_not_called()


def test_the_names_are_those_of_the_rules() -> None:
    """What is read are the ten public objectives of the base game, in the order that was learned."""
    assert NAMES == objectives.NAMES
    assert [PublicObjective(name).value for name in NAMES] == list(NAMES)
    assert len(set(NAMES)) == 10


def test_no_card_on_a_table_is_wrong_without_a_flag() -> None:
    """What is read on drawn tables lies there, or is marked as doubtful."""
    right = 0
    for entry, image in islice(labelled_cards(9_700_000), 2):
        for one in evaluate_table(parse_label("cards", entry), partial(read_table, file_of(image))):
            if one.beside:
                assert one.beside.cards_unnoticed.hits == 0
                right += one.beside.cards_right.hits
    assert right > 2


@pytest.mark.parametrize("kind", other_cards.KINDS[:4])
def test_nothing_is_invented(kind: str) -> None:
    """Tool cards and private objectives are not taken for public objectives."""
    assert read(Card(None, other_cards.other_card(np.random.default_rng(9_600_100), kind)), 3) == ()


def test_a_window_is_no_card() -> None:
    """In a photo of windows alone there is no card."""
    assert read_table(SAMPLES / "two_windows.jpg").cards == ()
    photo = load_photo(SAMPLES / "empty_cells.jpg")
    assert find_objectives(photo, ()) == ((), ())


def test_what_cannot_be_told_says_so() -> None:
    """A card that is one but cannot be told is named as such, with what to do about it."""
    reason = unclear()
    assert isinstance(reason, BoardUnreadableError)
    assert reason.code == "card_unclear"
    told = Unread(reason, (10.0, 20.0), "card").to_json()
    assert (told["what"], told["code"]) == ("card", "card_unclear")


def card(name: str = "Light Shades", *, doubtful: bool = False) -> CardReading:
    """Return the reading of a card at `SQUARE`."""
    return CardReading(name, 0.6 if doubtful else 0.973, doubtful, SQUARE)


def test_an_empty_grid_on_a_card_is_its_diagram() -> None:
    """The grid that is printed on a card is no window, while a window as large as the card is one."""
    photo = Photo(np.zeros((400, 400, 3), np.uint8), (400, 400), 1.0)
    printed = Grid.from_corners(((115, 185), (285, 185), (285, 325), (115, 325)), (400, 400))
    window = Grid.from_corners(((90, 90), (310, 90), (310, 266), (90, 266)), (400, 400))
    assert diagram_of(card(), photo, printed)
    assert not diagram_of(card(), photo, window)
    assert lies_on(card(), (200, 200))
    assert not lies_on(card(), (20, 200))


def test_one_card_counts_once() -> None:
    """Of two places that are about the same the first stays; cards side by side both do."""
    first, beside = np.array(SQUARE), np.array(SQUARE) + np.array([205, 0])
    places = [Place(first, 0.9), Place(first + 5, 0.8), Place(beside, 0.7)]
    assert distinct(places) == [places[0], places[2]]
    assert overlap(first, first) == pytest.approx(1)
    assert is_card_shaped(first)
    assert not is_card_shaped(first[::-1])


@pytest.mark.parametrize("size", [(200, 280), (1000, 700), (2200, 1650)])
def test_views_lead_back_to_the_photo(size: tuple[int, int]) -> None:
    """The corners of the photo are where a view says they are, and a large photo is seen in parts as well."""
    views = list(views_of(Levels(np.full((size[1], size[0], 3), 200, np.uint8))))
    assert len(views) == (2 if max(size) < 300 else 6)
    for view in views:
        assert view.image_bgr.shape == (VIEW_PX, VIEW_PX, 3)
        inside = np.argwhere(view.image_bgr[..., 0] == 200)
        (y0, x0), (y1, x1) = inside.min(0), inside.max(0)
        ends = cv2.perspectiveTransform(
            np.array([[[x0 - 0.5, y0 - 0.5], [x1 + 0.5, y1 + 0.5]]]), view.to_photo
        )[0]
        assert (ends >= -1).all()
        assert (ends <= np.array(size)).all()
    ends = cv2.perspectiveTransform(np.array([[[-0.5, -0.5]]]), views[0].to_photo)[0, 0]
    assert ends == pytest.approx([-0.5, -0.5], abs=0.01)


def test_a_card_is_set_straight() -> None:
    """Whatever the corners, the card lies upright in the crop with its first corner at the top left."""
    photo = np.zeros((800, 800, 3), np.uint8)
    corners = np.array([[600, 100], [620, 420], [200, 400], [220, 140]], dtype=np.float64)
    cv2.fillConvexPoly(photo, corners.astype(np.int32), (255, 255, 255))
    cv2.circle(photo, (600, 100), 60, (0, 0, 255), -1)
    crop = set_straight(photo, corners)
    assert crop.shape == (CROP_PX[1], CROP_PX[0], 3)
    assert crop[88, 64].tolist() == [255, 255, 255]
    assert crop[10, 10].tolist() == [0, 0, 255]
    assert crop[2, 64].tolist() == [0, 0, 0]
    back = cv2.perspectiveTransform(CARD_IN_CROP[None], photo_from_crop(corners))[0]
    assert back == pytest.approx(corners, abs=1e-3)


def test_cards_are_drawn_and_said() -> None:
    """The overlay shows a card where it lies; the terminal names it in a line, and asks where in doubt."""
    blank = np.full((500, 500, 3), 90, np.uint8)
    table = TableReading((500, 500), (), (), 0.1, cards=(card(), card("Deep Shades", doubtful=True)))
    assert (draw_table_overlay(blank, table)[95:105, 150:250] != 90).any()
    text = table_text("photo.jpg", table)
    assert "Public objectives as read: Light Shades, Deep Shades." in text
    assert "Look at these cards, which were read with doubt: Deep Shades." in text
