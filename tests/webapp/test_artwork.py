from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import example, given
from hypothesis import strategies as st

from scoring import ALL_CELLS, WINDOW_PATTERNS, Board, Cell, WindowPattern
from tests.strategies import boards, patterns
from tests.webapp.conftest import RULEBOOK
from tests.webapp.games.conftest import Device
from webapp.drawing.glass import PANE, Artwork, Labels, corners, draw, file_stem, fitted, plain_line, width

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"rect", "path", "circle", "ellipse"}
PARTS = {"svg", "title", "desc", "defs", "clipPath", "radialGradient", "linearGradient", "stop", "g", "text"}
LONG = "Maximiliane-Alexandra von Wolkenstein-Trostburg und zu Hohenlohe"
HOSTILE = '</text><script>alert("1")</script>&amp;\x00\x1b\u202e\ud800\ufffe'

names = st.text(st.characters(), max_size=80) | st.text("<>&\"'\x00\u202e]", max_size=20)


def drawn(art: Artwork) -> ET.Element:
    """Return the picture as a tree; only well-formed XML becomes one."""
    return ET.fromstring(draw(art))


def count_in_panes(tree: ET.Element, kind: str) -> dict[Cell, int]:
    """Return how many circles of a kind lie within each pane, at a distance from its edge."""
    found: Counter[Cell] = Counter()
    for circle in tree.iter(f"{SVG}circle"):
        if circle.get("class") != kind:
            continue
        x, y = float(circle.attrib["cx"]), float(circle.attrib["cy"])
        radius = float(circle.attrib["r"])
        for cell in ALL_CELLS:
            (left, top), _, (right, bottom), _ = corners(cell)
            if left + radius < x < right - radius and top + radius < y < bottom - radius:
                found[cell] += 1
    return dict(found)


def written(tree: ET.Element) -> list[str]:
    """Return the texts of the picture."""
    return [text.text or "" for text in tree.iter(f"{SVG}text")]


@given(board=boards, pattern=st.none() | patterns())
def test_each_pane_shows_its_die_or_what_its_card_prints(board: Board, pattern: WindowPattern | None) -> None:
    """A pane has as many pips as its die; a printed value stands on open spaces alone, never under a die."""
    tree = drawn(Artwork(board, pattern))
    assert count_in_panes(tree, "pip") == {cell: die.value for cell, die in board.dice()}
    prints = {cell: pattern[cell] for cell in board.empty_cells()} if pattern else {}
    wanted = {cell: value for cell, value in prints.items() if isinstance(value, int)}
    assert count_in_panes(tree, "printed") == wanted


@given(board=boards, player=names, card=names, total=st.none() | st.integers(-20, 120))
@example(Board.empty(), HOSTILE, HOSTILE, None)
def test_whatever_the_names_are_the_picture_is_whole_and_harmless(
    board: Board, player: str, card: str, total: int | None
) -> None:
    """The picture is well-formed, has only shapes and text, and refers to nothing but its own parts."""
    labels = Labels("points", card, f"{player} {card}", player)
    picture = draw(Artwork(board, None, player, total, labels, "31 May 2025"))
    tree = ET.fromstring(picture)
    assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= PARTS | SHAPES
    own = {element.get("id") for element in tree.iter()}
    for element in tree.iter():
        for name, value in element.attrib.items():
            assert not name.startswith(("on", "style", "{")), name
            assert "href" not in name
            assert set(re.findall(r"url\((.*?)\)", value)) <= {f"#{one}" for one in own}


def test_a_name_is_written_as_text() -> None:
    """Signs that mean something in XML are shown as they are; controls and turned text are left out."""
    board = Board.parse(RULEBOOK)
    assert "Zoë <b>&amp;\"'" in written(drawn(Artwork(board, player="Zoë\x07 <b>&amp;\"'\u202e")))
    assert "葉加瀬太郎" in written(drawn(Artwork(board, player="葉加瀬太郎")))


@pytest.mark.parametrize("total", [None, 40, -12, 108])
@pytest.mark.parametrize("player", [LONG, "W" * 30, "葉" * 30, "Ж" * 30, "👩‍👩‍👧" * 10])
def test_a_long_name_ends_before_the_points_begin(player: str, total: int | None) -> None:
    """A name gets smaller and then shorter until it fits beside the points."""
    tree = drawn(Artwork(Board.empty(), player=player, total=total))
    texts = {text.get("text-anchor"): text for text in reversed(list(tree.iter(f"{SVG}text")))}
    name = texts["start"]
    end = float(name.attrib["x"]) + width(name.text or "") * float(name.attrib["font-size"])
    begin = 1080.0
    if total is not None:
        points = next(one for one in tree.iter(f"{SVG}text") if one.get("text-anchor") == "end")
        begin = float(points.attrib["x"]) - 0.65 * len(points.text or "") * float(points.attrib["font-size"])
    assert end < begin
    assert (name.text or "").endswith("…")


def test_a_shortened_name_keeps_its_letters_whole() -> None:
    """No accent and no emoji is cut in two."""
    family = "👩‍👩‍👧"
    short, _ = fitted(family * 10, 300, 40, 40)
    assert short.removesuffix("…").replace(family, "") == ""
    accented, _ = fitted("q\u0323" * 40, 300, 40, 40)
    assert accented.removesuffix("…").replace("q\u0323", "") == ""


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("  Anna\t\nMaria ", "Anna Maria"),
        ("\u202eannA", "annA"),
        ("A\ud800B", "AB"),
        ("a" + "\u0301" * 40, "á" + "\u0301" * 3),
        ("x" * 500, "x" * 200),
        ("\u200d", ""),
    ],
)
def test_names_become_one_line_of_visible_signs(name: str, plain: str) -> None:
    """Controls, halves of pairs, heaps of accents and endless names do not reach the picture."""
    assert plain_line(name) == plain


def test_each_window_has_its_own_picture() -> None:
    """Nothing is left to chance: the dice decide how the glass is cut, and the card which rose there is."""
    board, pattern = Board.parse(RULEBOOK), WINDOW_PATTERNS["Fractal Drops"]
    art = Artwork(board, pattern, "Anna", 40)
    assert draw(art) == draw(replace(art))
    assert draw(Artwork(board)) != draw(Artwork(board.rotated_180()))
    cards = {draw(Artwork(board, replace(card, cells=pattern.cells))) for card in WINDOW_PATTERNS.values()}
    assert len(cards) > 10


def test_panes_stay_in_the_opening() -> None:
    """Four rows of five panes fill the opening without a gap or an overlap."""
    places = [corners(cell)[0] for cell in ALL_CELLS]
    assert len(set(places)) == 20
    assert places[6] == pytest.approx((places[0][0] + PANE, places[0][1] + PANE))


@pytest.mark.parametrize(
    ("player", "total", "stem"),
    [
        ("Anna", 40, "sagrada-anna-40"),
        ("", None, "sagrada"),
        ("../../etc/passwd", 3, "sagrada-etc-passwd-3"),
        ('a"; b\r\nX: 1', -3, "sagrada-a-b-x-1-minus-3"),
        ("葉加瀬太郎", 12, "sagrada-葉加瀬太郎-12"),
    ],
)
def test_the_file_is_named_after_player_and_points(player: str, total: int | None, stem: str) -> None:
    """Only letters and digits of a name come into the name of the file."""
    assert file_stem(player, total) == stem


def test_a_window_is_served_as_a_picture(client: FlaskClient, made: dict[str, Any]) -> None:
    """The address of a window gives an SVG with its dice, a name to save it by, and no rights."""
    assert client.get("/w/AAAAAAAAAAAAAAAA/window.svg").status_code == 404
    answer = client.get(f"/w/{made['id']}/window.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.headers["Content-Disposition"] == "inline; filename=sagrada.svg"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    board = Board.parse(made["board"])
    tree = ET.fromstring(answer.get_data(as_text=True))
    assert count_in_panes(tree, "pip") == {cell: die.value for cell, die in board.dice()}
    assert "Fractal Drops" in written(tree)


def test_the_picture_follows_the_window(
    client: FlaskClient, made: dict[str, Any], patch: Callable[..., Any]
) -> None:
    """The picture is asked for again each time, sent only when it changed, and tells the points."""
    address = f"/w/{made['id']}/window.svg"
    before = client.get(address)
    known = {"If-None-Match": before.headers["ETag"]}
    assert "no-cache" in before.headers["Cache-Control"]
    assert client.get(address, headers=known).status_code == 304
    patch(made, cells={"A1": "R1"}, choices={"public": ["Light Shades"]})
    after = client.get(address, headers=known)
    assert after.status_code == 200
    assert "filename=sagrada-" in after.headers["Content-Disposition"]
    assert "points" in written(ET.fromstring(after.get_data(as_text=True)))


@pytest.mark.parametrize(
    ("language", "title", "row"),
    [
        ("en", "Your window · Fractal Drops", "Row A: empty, green 4, red 2, yellow 5, purple 6."),
        ("ru", "Ваш витраж", "Ряд A: "),
        ("fr", "Votre vitrail", "Ligne A\u00a0: "),
        ("ja", "あなたのウィンドウ", "A行："),
    ],
)
def test_the_picture_is_said_in_words(
    client: FlaskClient, made: dict[str, Any], language: str, title: str, row: str
) -> None:
    """Title and description tell who cannot see the picture what it shows, in their language."""
    answer = client.get(f"/w/{made['id']}/window.svg", headers={"Accept-Language": language})
    tree = ET.fromstring(answer.get_data(as_text=True))
    assert (tree.findtext(f"{SVG}title") or "").startswith(title)
    description = tree.findtext(f"{SVG}desc") or ""
    assert row in description
    assert tree.get("aria-labelledby") == "title description"


def test_at_the_table_the_picture_carries_the_players_name(app: Flask) -> None:
    """The window of a seat is signed, and so is its file, in letters that a header can carry."""
    host = Device(app.test_client())
    host.start("葉子 Zoë")
    answer = host.client.get(f"/w/{host.own()['reading']}/window.svg")
    assert "葉子 Zoë" in written(ET.fromstring(answer.get_data(as_text=True)))
    assert "filename*=UTF-8''sagrada-%E8%91%89%E5%AD%90-zo%C3%AB" in answer.headers["Content-Disposition"]


def test_the_page_offers_the_picture_without_scripts(client: FlaskClient, made: dict[str, Any]) -> None:
    """A plain link saves the picture; what only scripts can do is hidden until they are there."""
    page = client.get(f"/w/{made['id']}").get_data(as_text=True)
    assert f'href="/w/{made["id"]}/window.svg" download' in page
    assert 'loading="lazy"' in page
    assert re.search(r'id="share-png" hidden', page)
