"""Pages, JSON interface, game nights and the command line say the same of the same random tables.

As many tables as the variable ``SAGRADA_TABLES`` says, 25 without it:
``SAGRADA_TABLES=10000 pytest tests/webapp/test_agreement.py``.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring import ALL_CELLS, WINDOW_PATTERNS, Board, Color, Die, HouseRule, PublicObjective, Tool
from scoring.cells import side_neighbors
from scoring.dice import VALUES
from tests.strategies import cells, colors, dice, mixed_boards, play, small_legal_or_not
from tests.webapp import shown
from tests.webapp.commands import parsed, sagrada
from tests.webapp.conftest import SayingReader
from tests.webapp.quick import furnished
from webapp import create_app
from webapp.services.games.game import Game, Stage, Use
from webapp.services.record import UNKNOWN, Choices, Record
from webapp.web import access, context

TABLES = int(os.environ.get("SAGRADA_TABLES", "25"))
MANY = settings(max_examples=TABLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
NAMES = ("Ann", "Ben", "Cleo", "Dan")
ABOUT_THE_CARD = {"unknown_window", "identified_window", "window_doubtful", "window_upside_down"}
"""What only a typed window needs: how its card is told and named."""


@dataclass(frozen=True)
class AWindow:
    """A player's window at the end; ``card`` is the English name or "unknown"."""

    board: Board
    card: str
    private: Color | None
    favor: int

    @property
    def difficulty(self) -> int | None:
        """The tokens that come with the card, None when it is not known."""
        return None if self.card == UNKNOWN else WINDOW_PATTERNS[self.card].difficulty


@dataclass(frozen=True)
class ATable:
    """A game at its end; one window is a solo game."""

    windows: tuple[AWindow, ...]
    public: tuple[PublicObjective, ...]
    tools: tuple[Tool, ...]
    house_rules: tuple[HouseRule, ...]
    uses: tuple[tuple[int, Tool, int], ...]
    order_known: bool
    target: int
    second_private: Color | None


LEAVING_A_TRACE = (Tool.EGLOMISE_BRUSH, Tool.COPPER_FOIL_BURNISHER, Tool.CORK_BACKED_STRAIGHTEDGE)
"""Of these the uses and the tokens matter most."""

card_names = st.sampled_from([UNKNOWN, *WINDOW_PATTERNS])


@st.composite
def _played(draw: st.DrawFn) -> tuple[Board, str]:
    """Boards that were played by the rules on a card, most with a few dice changed or taken away since."""
    card, most = WINDOW_PATTERNS[draw(st.sampled_from(sorted(WINDOW_PATTERNS)))], draw(st.integers(0, 20))
    board = play(card, Random(draw(st.integers(0, 2**32))), most)
    for cell in draw(st.lists(cells, max_size=3)):
        board = board.replace(*cell, draw(st.one_of(st.none(), dice)))
    return board, draw(st.sampled_from([card.name, card.name, card.name, UNKNOWN]))


@st.composite
def _misprinted(draw: st.DrawFn) -> tuple[Board, str]:
    """Boards on which only dice on another color or value break a rule, as brush and burnisher leave them."""
    card = WINDOW_PATTERNS[draw(st.sampled_from(sorted(WINDOW_PATTERNS)))]
    chance = Random(draw(st.integers(0, 2**32)))
    board = play(card, chance)
    for _ in range(draw(st.integers(1, 2))):
        fitting = [
            (cell, Die(color, value))
            for cell in ALL_CELLS
            for color in Color
            for value in VALUES
            if board[cell]
            and not card.accepts(cell, Die(color, value))
            and all(
                (one := board[near]) is None or (one.color is not color and one.value != value)
                for near in side_neighbors(cell)
            )
        ]
        for cell, die in chance.sample(fitting, min(1, len(fitting))):
            board = board.replace(*cell, die)
    return board, card.name


boards_on_cards = st.one_of(
    _played(), _misprinted(), st.tuples(st.one_of(mixed_boards, small_legal_or_not()), card_names)
)


@st.composite
def windows(draw: st.DrawFn) -> AWindow:
    """Make a window of any kind with a private objective or none, and any number of tokens left."""
    board, card = draw(boards_on_cards)
    return AWindow(board, card, draw(st.one_of(colors, st.none())), draw(st.integers(0, 6)))


@st.composite
def tables(draw: st.DrawFn) -> ATable:
    """Games of one to four players; most could really have been played, as far as cards and tokens go."""
    number = draw(st.integers(1, 4))
    drawn = [draw(windows()) for _ in range(number)]
    if draw(st.integers(0, 3)):  # as a file of a game must be
        different = draw(st.permutations(list(Color)))
        drawn = [
            replace(one, private=color, favor=min(one.favor, one.difficulty or 6))
            for one, color in zip(drawn, different, strict=False)
        ]
    solo = number == 1
    cards = st.one_of(st.sampled_from(Tool), st.sampled_from(LEAVING_A_TRACE))
    tools = draw(st.lists(cards, max_size=5 if solo else 3, unique=True))
    uses = st.tuples(st.integers(0, number - 1), st.sampled_from(tools or [Tool.LATHEKIN]), st.integers(1, 2))
    second = draw(st.one_of(colors, st.none())) if solo else None
    return ATable(
        tuple(drawn),
        tuple(draw(st.lists(st.sampled_from(PublicObjective), max_size=2 if solo else 3, unique=True))),
        tuple(tools),
        tuple(draw(st.lists(st.sampled_from(HouseRule), unique=True))),
        tuple(draw(st.lists(uses, max_size=4))) if tools else (),
        draw(st.booleans()),
        draw(st.integers(0, 80)),
        None if second is drawn[0].private else second,
    )


class House:
    """An application with a game for each number of players, whose table is laid anew each time."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client: FlaskClient = app.test_client()
        self._codes: dict[int, str] = {}
        with app.app_context():
            self._alone = context.store().create({}).id
            for number in range(1, len(NAMES) + 1):
                made, _ = access.games().create(solo=number == 1)
                self._codes[number] = made.code
                for name in NAMES[:number]:
                    access.games().join(made.code, name)

    def lay(self, table: ATable) -> str:
        """Put a revealed game into the store, and return its code."""
        code = self._codes[len(table.windows)]

        def change(game: Game) -> Game:
            return replace(
                game,
                stage=Stage.REVEALED,
                public=table.public,
                tools=table.tools,
                house_rules=table.house_rules,
                uses=tuple(Use(tool, game.seats[seat].number, tokens) for seat, tool, tokens in table.uses),
                order_known=table.order_known,
                target=table.target if game.solo else None,
                second_private=table.second_private,
            )

        with self.app.app_context():
            after = access.games().update(code, change)
            for seat, one in zip(after.seats, table.windows, strict=True):
                context.store().update(seat.record_id, partial(_laid, window=one, public=table.public))
        return code

    def lay_alone(self, window: AWindow, public: tuple[PublicObjective, ...]) -> str:
        """Put a window that belongs to no game into the store, and return its id."""
        with self.app.app_context():
            context.store().update(self._alone, lambda record: _laid(record, window, public))
        return self._alone

    def page(self, address: str, **query: Any) -> str:  # noqa: ANN401
        """Return a page."""
        answer = self.client.get(address, query_string=query)
        assert answer.status_code == 200
        return answer.get_data(as_text=True)

    def json(self, address: str, **query: Any) -> dict[str, Any]:  # noqa: ANN401
        """Return what the JSON interface answers."""
        answer = self.client.get(f"/api/v1/{address}", query_string=query)
        assert answer.status_code == 200
        return dict(answer.get_json())


def _laid(record: Record, window: AWindow, public: tuple[PublicObjective, ...]) -> Record:
    """Return a record with this window in it."""
    return replace(
        record, board=window.board, choices=Choices(public, window.private, window.card, window.favor)
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Return one application for all tables."""
    folder = furnished(tmp_path_factory.mktemp("house"))
    return House(create_app({"TESTING": True, "SAGRADA_DATA": folder}, reader=SayingReader()))


def options(name: str, values: Any) -> list[str]:  # noqa: ANN401
    """Return an option of the command line for each of some values."""
    return [part for value in values for part in (name, str(getattr(value, "value", value)))]


def values(things: Any) -> list[str]:  # noqa: ANN401
    """Return the names of cards."""
    return [one.value for one in things]


def messages(found: list[dict[str, Any]]) -> list[str]:
    """Return the sentences of problems or notices."""
    return [one["message"] for one in found]


def as_typed(answer: Any) -> Any:  # noqa: ANN401
    """Return an answer of the JSON interface with the option in place of the key that names a card."""
    return json.loads(json.dumps(answer).replace('\\"window\\"', "--window"))


def without_the_card(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return notices without those that say how a typed window's card is told."""
    return [one for one in found if one["code"] not in ABOUT_THE_CARD]


def assert_window_is_shown(page: str, told: dict[str, Any]) -> None:
    """Compare total, lines, problems and notices on a page with those in JSON."""
    assert shown.total(page) == (told["total"] if told["is_counted"] else None)
    names, points = [one["label"] for one in told["lines"]], [one["points"] for one in told["lines"]]
    on_page = shown.lines(page)
    assert [one for _, one in on_page] == points
    for (name, _), label, line in zip(on_page, names, told["lines"], strict=True):
        assert name == label or line["kind"] == "empty_cells"  # the page calls them spaces
    rules = list(
        dict.fromkeys(one["rule"] for one in told["problems"])
    )  # each is said once, above its places
    assert shown.problems(page) == messages(
        sorted(told["problems"], key=lambda one: rules.index(one["rule"]))
    )
    assert shown.notices(page) == messages(
        [one for one in told["notices"] if one["code"] != "not_all_counted"]
    )


# --- Whole tables ----------------------------------------------------------------------------------


@given(table=tables())
@MANY
def test_all_four_say_the_same_of_a_table(house: House, table: ATable) -> None:
    """Points, lines, problems, notices, removals, places and decisions are those of one judge."""
    code = house.lay(table)
    page, result = house.page(f"/g/{code}/reveal"), house.json(f"games/{code}")["result"]
    assert_reveal_is_shown(page, result, table)
    if len(table.windows) == 1:
        assert_solo_game_is_scored(page, result["standings"][0], table)
        assert_solo_score_is_the_same(house, result["standings"][0], table)
        return
    question = rank_question(table)
    answer = house.client.post("/api/v1/rank", json=question)
    by_command = sagrada("rank", "-", "--json", stdin=json.dumps(question))
    if why := refused(table):
        assert (answer.status_code, by_command.exit_code) == (400, 2), why
        said = parsed(by_command)["error"]["message"]
        assert all(sentence in said for sentence in answer.get_json()["error"]["message"].split(". "))
        return
    assert answer.status_code == 200, answer.get_data(as_text=True)
    ranked = parsed(by_command)
    assert answer.get_json() == ranked
    assert_terminal_says(sagrada("rank", "-", stdin=json.dumps(question)).stdout, ranked)
    for one in ranked["standings"]:
        one["notices"] = without_the_card(one["notices"])
    for one in result["standings"]:
        assert one.pop("picture")
        del one["seat"], one["private"], one["photo"]
    assert ranked == result


def refused(table: ATable) -> list[str]:
    """Return why a table cannot be ranked from a file, as such a file must be complete."""
    privates = [one.private for one in table.windows]
    why = ["no private objective"] if None in privates else []
    why += ["same private objective"] if len(set(privates)) < len(privates) else []
    too_many = [one for one in table.windows if one.difficulty is not None and one.favor > one.difficulty]
    return why + (["too many tokens"] if too_many else [])


def rank_question(table: ATable) -> dict[str, Any]:
    """Return a table as a file of a game."""
    names = NAMES[: len(table.windows)]
    return {
        "public": values(table.public),
        "tools": values(table.tools),
        "house_rules": values(table.house_rules),
        "uses": [
            {"player": names[seat], "tool": tool.value, "tokens": tokens} for seat, tool, tokens in table.uses
        ],
        "players": [
            {
                "name": name,
                "board": str(one.board),
                "window": one.card,
                "private": one.private.value if one.private else "",
                "favor_tokens": one.favor,
            }
            for name, one in zip(names, table.windows, strict=True)
        ],
        **({"turn_order": list(names)} if table.order_known else {}),
    }


def assert_reveal_is_shown(page: str, result: dict[str, Any], table: ATable) -> None:
    """Compare the page of a reveal with the JSON of it."""
    warned = shown.said(page, r'<p class="notice warn">(.*?)</p>')
    named = [name for name in result["unranked"] if name not in result["without_window"]]
    unranked = [f"Without a place, because the private objective is not chosen: {', '.join(named)}"]
    assert warned == messages(result["notices"]) + (unranked if named else [])
    assert shown.said(page, r'<ul class="decisions">(.*?)</ul>') == (
        [" ".join(messages(result["decisions"]))] if result["decisions"] else []
    )
    standings = result["standings"]
    if len(table.windows) > 1:
        (headline,) = shown.said(page, r"<h1>(.*?)</h1>")
        assert headline == (result["message"] or "Nobody can be ranked yet")
        assert shown.places(page) == [
            ("–" if one["place"] is None else str(one["place"]), one["name"]) for one in standings
        ]
        assert page.count("<small>shared place</small>") == sum(one["shared"] for one in standings)
    parts = shown.windows(page)
    assert list(parts) == [one["name"] for one in standings]
    for one in standings:
        if one["name"] in result["without_window"]:
            assert "No window:" in parts[one["name"]]
            assert 'data-total=""' in parts[one["name"]]
        else:
            assert_window_is_shown(parts[one["name"]], one)
    laid = dict(zip(NAMES, table.windows, strict=False))
    assert all(one["board"] == str(laid[one["name"]].board) for one in standings)


def assert_terminal_says(text: str, ranked: dict[str, Any]) -> None:
    """Compare what `sagrada rank` prints for people with its JSON."""
    names = [one["name"] for one in ranked["standings"]]
    found = shown.blocks(text, names)
    about = found[""]
    assert [line.split()[1:] for line in about if line.startswith("Total ")] == [
        [str(one["total"]) for one in ranked["standings"]]
    ]
    assert [line.split()[1:] for line in about if line.startswith("Place ")] == [
        ["?" if one["place"] is None else str(one["place"]) for one in ranked["standings"]]
    ]
    said = [ranked["message"], *messages(ranked["decisions"]), *messages(ranked["notices"])]
    assert about[len(about) - len(said) :] == said
    for one in ranked["standings"]:
        expected = messages(one["problems"]) + messages(one["notices"])
        assert sorted(found.get(one["name"], [])) == sorted(expected)


def assert_solo_game_is_scored(page: str, told: dict[str, Any], table: ATable) -> None:
    """Compare the head of a solo reveal with the JSON: whether it is won, and why."""
    solo = told["solo"]
    privates = [table.windows[0].private, table.second_private]
    assert (solo is None) == (privates == [None, None])
    (headline,) = shown.said(page, r"<h1>(.*?)</h1>")
    if solo:
        assert headline == ("You win!" if solo["won"] else "Not won this time")
        assert shown.said(page, r'<p class="lead">(.*?)</p>') == [solo["message"]]
        assert shown.said(page, r'<p class="hint">(.*?)</p>')[0] == solo["why_private"]


def assert_solo_score_is_the_same(house: House, told: dict[str, Any], table: ATable) -> None:
    """Compare the reveal of a solo game with `score`, which wants a private objective at least."""
    scored = house.client.post("/api/v1/score", json=score_question(table.windows[0], table, solo=True))
    by_command = sagrada("score", *score_options(table.windows[0], table, solo=True), "--json")
    if told["solo"] is None:
        assert (scored.status_code, by_command.exit_code) == (400, 2)
        assert parsed(by_command)["error"]["message"] == scored.get_json()["error"]["message"]
        return
    assert as_typed(scored.get_json()) == parsed(by_command)
    assert_same_score(told, scored.get_json())


def assert_same_score(told: dict[str, Any], scored: dict[str, Any]) -> None:
    """Compare the JSON of a window in a game or of a reading with that of a typed window."""
    both = ("total", "lines", "solo", "score_marker", "board", "window", "problems", "removals", "dead_cells")
    assert {key: told[key] for key in both} == {key: scored[key] for key in both}
    of_a_game = {"counted_as_it_lies", "not_all_counted"}
    assert [one for one in told["notices"] if one["code"] not in of_a_game] == [
        one for one in without_the_card(scored["notices"]) if one["code"] not in of_a_game
    ]


def score_question(window: AWindow, table: ATable, *, solo: bool) -> dict[str, Any]:
    """Return what to ask about the points of a window."""
    privates = [window.private, table.second_private if solo else None]
    return {
        "board": str(window.board),
        "window": window.card,
        "public": values(table.public),
        "private": [one.value for one in privates if one],
        **({"solo": table.target} if solo else {"favor_tokens": window.favor}),
        "tools": values(table.tools),
        "house_rules": values(table.house_rules),
    }


def score_options(window: AWindow, table: ATable, *, solo: bool) -> list[str]:
    """Return the same question on the command line."""
    question = score_question(window, table, solo=solo)
    return [
        *("--board", question["board"], "--window", question["window"]),
        *options("--public", question["public"]),
        *options("--private", question["private"]),
        *(("--solo", str(table.target)) if solo else ("--favor", str(window.favor))),
        *options("--tool", question["tools"]),
        *options("--house-rule", question["house_rules"]),
    ]


# --- Single windows --------------------------------------------------------------------------------


@given(
    window=windows(),
    public=st.lists(st.sampled_from(PublicObjective), max_size=3, unique=True).map(tuple),
    tools=st.lists(st.sampled_from(Tool), max_size=3, unique=True).map(tuple),
    house_rules=st.lists(st.sampled_from(HouseRule), unique=True).map(tuple),
    pool=st.lists(dice, min_size=1, max_size=2),
)
@MANY
def test_all_say_the_same_of_a_window(
    house: House,
    window: AWindow,
    public: tuple[PublicObjective, ...],
    tools: tuple[Tool, ...],
    house_rules: tuple[HouseRule, ...],
    pool: list[Die],
) -> None:
    """Page and JSON of a window say what `score` says, and those of a placement what `check` says."""
    record_id = house.lay_alone(window, public)
    reading = house.json(f"readings/{record_id}")
    bare = ATable((window,), public, (), (), (), False, 0, None)
    scored = house.client.post("/api/v1/score", json=score_question(window, bare, solo=False)).get_json()
    scored = as_typed(scored)
    assert scored == parsed(sagrada("score", *score_options(window, bare, solo=False), "--json"))
    assert_same_score(reading, scored)
    page = house.page(f"/w/{record_id}")
    assert_window_is_shown(page, reading)
    assert shown.said(page, r'class="line removal".*?<span class="line-words">(.*?)</span>') == (
        removals_said(reading)
    )
    terminal = sagrada("score", *score_options(window, bare, solo=False)).stdout.splitlines()
    assert all(one in terminal or f"  {one}" in terminal for one in told_by(scored))
    assert_placements_agree(
        house, record_id, window, replace(bare, tools=tools, house_rules=house_rules), pool
    )


def told_by(scored: dict[str, Any]) -> list[str]:
    """Return the sentences of an answer."""
    return [*messages(scored["problems"]), *messages(scored["notices"])]


def removals_said(told: dict[str, Any]) -> list[str]:
    """Return what a page says of the dice to take off: once, when the two answers are the same."""
    if told["removals"] is None:
        return []
    most, fewest = told["removals"]["most_points"], told["removals"]["fewest_dice"]
    both = [most["message"]]
    return both if most["cells"] == fewest["cells"] else [*both, f"With the fewest dice: {fewest['message']}"]


def assert_placements_agree(
    house: House, record_id: str, window: AWindow, table: ATable, pool: list[Die]
) -> None:
    """Compare page and JSON of a placement with each other, and with `check`."""
    query = {
        "die": [str(die) for die in pool],
        "pick": str(pool[0]),
        "tool": values(table.tools),
        "house_rule": values(table.house_rules),
    }
    told = house.json(f"readings/{record_id}/placement", **query)
    page = house.page(f"/w/{record_id}/place", **query)
    assert_die_is_shown(page, told["dice"][0], window.board)
    assert shown.problems(page) == messages(told["problems"])
    lifted = {**query, "moved": str(pool[0])}
    moved = house.json(f"readings/{record_id}/placement", **lifted)["dice"][0]
    assert_die_is_shown(house.page(f"/w/{record_id}/place", **lifted), moved, window.board)
    enough = window.difficulty is not None and window.favor <= window.difficulty
    spent = (window.difficulty or 0) - window.favor
    question = {
        "board": str(window.board),
        "window": window.card,
        "tools": values(table.tools),
        "house_rules": values(table.house_rules),
        "dice": [str(die) for die in pool],
        **({"spent": spent} if enough else {}),
    }
    checked = house.client.post("/api/v1/check", json=question).get_json()
    arguments = [
        *("--board", question["board"], "--window", window.card),
        *options("--tool", question["tools"]),
        *options("--house-rule", question["house_rules"]),
        *options("--die", question["dice"]),
        *(("--spent", str(spent)) if enough else ()),
    ]
    checked = as_typed(checked)
    assert checked == parsed(sagrada("check", *arguments, "--json"))
    both = ("board", "window", "problems", "dead_cells", "dice")
    assert {key: told[key] for key in both} == {key: checked[key] for key in both}
    assert told["notices"] == without_the_card(checked["notices"])
    assert checked["legal"] == (not told["problems"])
    text = sagrada("check", *arguments).stdout
    lines = [line.strip() for line in text.splitlines()]
    assert all(one in lines for one in told_by(checked))
    assert all(step in lines for step in steps(page))


def assert_die_is_shown(page: str, told: dict[str, Any], board: Board) -> None:
    """Compare what the placement page says of the picked die with the JSON."""
    assert shown.said(page, r'name="cell" value="(\w\d)"') == told["legal_cells"]
    by_tool = dict.fromkeys(told["legal_cells"], "")
    by_tool |= {cell: f" with {' and '.join(tools)}" for cell, tools in told["with_tool"].items()}
    buttons = shown.said(page, r'name="cell" value="\w\d"[^>]*aria-label="Place it on (.*?)"')
    assert len(buttons) == len(by_tool)
    for button, (cell, tools) in zip(buttons, by_tool.items(), strict=True):
        assert button.startswith(cell)
        assert all(tool in button for tool in told["with_tool"].get(cell, ())), tools
    empty = [f"{'ABCD'[row]}{column + 1}" for row, column in ALL_CELLS if board[row, column] is None]
    reasons = shown.said(page, r'data-why="(\w\d)"')
    assert reasons == [cell for cell in empty if cell in told["why_not"]]
    expected = [f"{one['message']} {one['rule']}" for cell in reasons for one in told["why_not"][cell]]
    (listed,) = shown.said(page, r'<details class="all-why" id="all-why">.*?<ul>(.*?)</ul>') or [""]
    for one in expected:
        assert one in listed
    assert len(steps(page)) == len(told["moves"]) + len(told["changes"])
    for step, one in zip(steps(page), [*told["moves"], *told["changes"]], strict=True):
        assert one["tool"] in step
        assert all(cell in step for cell in one.get("cells", [*one.get("via", ()), *one.get("to", ())]))


def steps(page: str) -> list[str]:
    """Return what tools make possible, as the page says it."""
    return shown.said(page, r'<p class="hint step">.*?<span>(.*?)</span>')
