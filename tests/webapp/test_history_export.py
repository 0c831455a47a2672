from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from scoring import WINDOW_PATTERNS, Board, Color, PublicObjective, Tool, WindowPattern, score_player
from scoring.game.solo import score_solo
from scoring.sentences import ENGLISH
from tests.strategies import mixed_boards
from tests.webapp.ended_games import EMPTY, EXAMPLE, FULL, RULEBOOK, At, put_game
from webapp.domain.errors import InputError
from webapp.domain.games.game import Game, Seat, Stage, Use, checked_name, name_key, started
from webapp.domain.games.result import Ended
from webapp.domain.history import COLUMNS, SCHEMA, Play, play, push_data, push_link, to_csv, to_json
from webapp.domain.payloads import lines_to_json
from webapp.domain.record import Choices, Record
from webapp.services import context
from webapp.services.access import game_store

NOON = datetime(2026, 3, 7, 12, 0, 5, tzinfo=UTC)
ELEVEN = datetime(2026, 3, 7, 11, 0, 5, tzinfo=UTC)
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


def is_name(text: str) -> bool:
    """Tell whether a player can be called so."""
    try:
        return checked_name(text) == text
    except InputError:
        return False


odd = st.sampled_from(
    [
        *("=1+1", "+49", "-5", "@SUM(A1)", "'=x", "''-y", "＝A1"),
        *('"', 'a,b"c', "Анна", "ゆうき", "'t Hooft", "7"),
        *("a;=1+1;", "a,=1+1", "b; -2", 'c;"=3"', "d,'=4", ";;=5", "e;f"),
    ]
)
names = st.one_of(odd, st.text(max_size=30)).filter(is_name)
privates = st.one_of(st.none(), st.sampled_from(list(Color)))
cards = st.lists(st.sampled_from(list(PublicObjective)), min_size=2, max_size=3, unique=True)
patterns = st.one_of(
    st.none(),
    st.sampled_from(list(WINDOW_PATTERNS.values())),
    odd.map(lambda name: replace(WINDOW_PATTERNS["Firmitas"], name=name)),
)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """Made-up games with odd names, on known and unknown cards."""
    solo = draw(st.booleans())
    called = draw(st.lists(names, min_size=1 if solo else 2, max_size=1 if solo else 4, unique_by=name_key))
    public = tuple(draw(cards))
    seats = tuple(
        Seat(number, name, f"id{number}", f"t{number}") for number, name in enumerate(called, start=1)
    )
    tools = (Tool.LATHEKIN,)
    game = Game(
        code="CDFGHJ",
        host="h",
        solo=solo,
        stage=Stage.REVEALED,
        seats=seats,
        order_known=draw(st.booleans()),
        public=public,
        other_card=draw(st.booleans()),
        tools=tools,
        uses=(Use(Tool.LATHEKIN, 1, 0 if solo else 1),),
        target=draw(st.integers(0, 240)) if solo else None,
        second_private=draw(privates) if solo else None,
    )
    windows: dict[int, Record] = {}
    known: dict[str, WindowPattern] = {}
    for seat in seats:
        private, card = draw(privates), draw(patterns)
        known |= {f"Card {seat.number}": card} if card else {}
        windows[seat.number] = Record(
            id=seat.record_id,
            created=NOON.isoformat(),
            board=draw(mixed_boards),
            choices=Choices(
                tuple(public),
                private,
                f"Card {seat.number}" if card else "unknown",
                draw(st.integers(0, 6)),
                other_points=draw(st.none() | st.integers(0, 99)),
            ),
        )
    return play(Ended(game, windows, NOON, NOON), known)


def rows(text: str, separator: str = ",") -> list[dict[str, str]]:
    """Read a CSV file as RFC 4180 says."""
    assert text.startswith(BOM)
    file = io.StringIO(text.removeprefix(BOM), newline="")
    return list(csv.DictReader(file, delimiter=separator, strict=True))


def plain(cell: str) -> str:
    """Take the apostrophes away that keep a spreadsheet from computing."""
    return re.sub(r"""(^|[,;])'(?=['"\s]*[=+\-@＝＋－＠])""", r"\1", cell)


def is_formula(cell: str) -> bool:
    """Tell whether a spreadsheet may compute a cell; a number below zero is none."""
    return bool(re.match(r"[=+\-@＝＋－＠\t\r]", cell)) and not re.fullmatch(r"-\d+", cell)


def number(cell: str) -> int | None:
    """Read a cell that holds a number or nothing."""
    return int(cell) if cell else None


# --- JSON ------------------------------------------------------------------------------------------


@given(st.lists(plays(), max_size=3))
def test_what_json_tells_can_be_counted_again(given_plays: list[Play]) -> None:
    """From boards, cards and tokens in the file the same lines and totals come out as the file tells."""
    told = json.loads(to_json(given_plays))
    assert told["schema"] == SCHEMA
    assert len(told["games"]) == len(given_plays)
    for game, one in zip(told["games"], given_plays, strict=True):
        public = [PublicObjective(name) for name in game["public"]]
        assert [player["name"] for player in game["players"]] == [seat.name for seat in one.game.seats]
        for player in game["players"]:
            assert player["lines"] == count_again(game, player, public)
            assert player["total"] == sum(line["points"] for line in player["lines"])
            assert [player["name"]] * (player["place"] == 1) == [
                name for name in game["winners"] if name == player["name"]
            ]


def count_again(game: dict[str, Any], player: dict[str, Any], public: list[PublicObjective]) -> Any:  # noqa: ANN401
    """Count a player's points from what the file tells."""
    board = Board.parse(player["board"])
    privates = [Color(one) for one in (player["private"], game["second_private"]) if one]
    other = next((line["points"] for line in player["lines"] if line["kind"] == "other_cards"), None)
    if not game["solo"]:
        private = privates[0] if privates else None
        counted = score_player(board, public, private, player["favor_tokens"], other)
    elif privates:
        counted = score_solo(board, public, list(dict.fromkeys(privates)), game["target"], other).breakdown
    else:
        lines = [card.score(board) for card in public]
        known = [line["points"] for line in player["lines"] if line["kind"] == "public"]
        assert known == [one.points for one in lines]
        return list(player["lines"])
    return lines_to_json(counted, ENGLISH)


def test_json_tells_dates_order_tools_and_what_decided() -> None:
    """Moments carry their zone; tokens on tools, the order of turns and the tie-break are there."""
    told = json.loads(to_json([a_play()]))["games"][0]
    assert (told["created"], told["revealed"]) == (
        "2026-03-07T11:00:05+00:00",
        "2026-03-07T12:00:05+00:00",
    )
    assert told["tools"] == [{"name": "Lathekin", "tokens": 1}]
    assert told["uses"] == [{"tool": "Lathekin", "seat": 2, "tokens": 1}]
    assert told["order_known"] is True
    assert [one["last_round_turn"] for one in told["players"]] == [2, 1]
    assert [one["decided_by"] for one in told["decisions"]] == ["last_round"]
    assert told["players"][0]["window"] == {
        "name": "Firmitas",
        "difficulty": 5,
        "pattern": str(WINDOW_PATTERNS["Firmitas"]),
    }
    assert told["winners"] == ["Ann"]


# --- CSV -------------------------------------------------------------------------------------------


separators = st.sampled_from([",", ";"])


@given(st.lists(plays(), max_size=3), separators)
def test_csv_tells_the_same_as_the_games(given_plays: list[Play], separator: str) -> None:
    """Read back, every row has the names, places, points and boards of its player; nothing is lost."""
    told = rows(to_csv(given_plays, separator), separator)
    players = [(one, player) for one in given_plays for player in one.players]
    for row, (one, player) in zip(told, players, strict=True):
        assert tuple(row) == COLUMNS
        assert plain(row["name"]) == player.name
        assert plain(row["board"]) == str(player.board)
        assert plain(row["window"]) == (player.window.name if player.window else "")
        assert (number(row["total"]), number(row["place"])) == (player.total, player.place)
        assert number(row["last_round_turn"]) == player.last_round_turn
        lines = {line.name: line.points for line in player.breakdown.lines}
        for card in PublicObjective:
            assert number(row[card.value]) == (lines[card.value] if card in one.game.public else None)
        assert number(row["other_points"]) == lines.get("Other cards")


@given(st.lists(plays(), max_size=3), separators, st.sampled_from([",", ";", "\t"]))
def test_no_cell_is_a_formula(given_plays: list[Play], separator: str, opened_with: str) -> None:
    """Whatever people are called and wherever cells are parted: a spreadsheet finds nothing to compute."""
    text = to_csv(given_plays, separator).removeprefix(BOM)
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=opened_with):
        assert not any(map(is_formula, row))


def test_a_cell_with_a_comma_or_semicolon_is_guarded_and_quoted() -> None:
    """Some spreadsheets part cells at either sign: quotes hold the name together, whoever parts it."""
    for separator in ",;":
        text = to_csv([a_play("a;=1+1;"), a_play("Lea, b")], separator)
        assert f"""{separator}"a;'=1+1;"{separator}""" in text
        assert f'{separator}"Lea, b"{separator}' in text
        assert [plain(row["name"]) for row in rows(text, separator)][::2] == ["a;=1+1;", "Lea, b"]


def test_a_name_that_looks_like_a_formula_gets_an_apostrophe() -> None:
    """Only texts that a spreadsheet could compute are changed, and in a way that can be undone."""
    for name in ("=HYPERLINK(1)", "+49", "-5", "@home", "'=x"):
        assert [row["name"] for row in rows(to_csv([a_play(name)]))] == [f"'{name}", "Ben"]
        assert plain(f"'{name}") == name
    for name in ("'t Hooft", "Ann"):
        assert rows(to_csv([a_play(name)]))[0]["name"] == plain(name) == name


def test_negative_totals_stay_numbers_and_lines_end_as_in_rfc_4180() -> None:
    """A total below zero is a number; rows end with CR LF, quotes are doubled, a mark comes first."""
    made = a_play('An"n, A.', EMPTY)
    text = to_csv([made])
    assert made.players[0].total < 0
    assert rows(text)[0]["total"] == str(made.players[0].total)
    assert '"An""n, A."' in text
    assert text.encode().startswith(b"\xef\xbb\xbfgame,date,")
    assert text.count("\r\n") == text.count("\n") == 3


def a_play(name: str = "Ann", board: str = RULEBOOK, **told: Any) -> Play:  # noqa: ANN401
    """Return a tie between two players, decided by the order of their turns."""
    game = Game(
        code="CDFGHJ",
        host="h",
        stage=Stage.REVEALED,
        seats=(Seat(1, name, "one", "t"), Seat(2, "Ben", "two", "u")),
        order_known=True,
        public=EXAMPLE,
        tools=(Tool.LATHEKIN,),
        uses=(Use(Tool.LATHEKIN, 2, 1),),
    )
    windows = {
        number: Record(
            id=id_,
            created=NOON.isoformat(),
            board=Board.parse(lying),
            choices=Choices(EXAMPLE, Color.PURPLE, "Firmitas", 0),
        )
        for number, id_, lying in ((1, "one", board), (2, "two", RULEBOOK))
    }
    return play(Ended(replace(game, **told), windows, ELEVEN, NOON), WINDOW_PATTERNS)


# --- Over the page ---------------------------------------------------------------------------------


def test_all_games_and_a_single_one_can_be_taken_along(app: Flask, client: FlaskClient) -> None:
    """Both files hold all revealed games, or the one that was asked for; they come as downloads."""
    with app.app_context():
        one, _ = put_game(game_store(), context.store(), [At("Ann"), At("Ben", FULL)])
        other, _ = put_game(game_store(), context.store(), [At("Cleo"), At("Dan", FULL)])
    every = client.get("/history/export.json")
    assert [game["code"] for game in every.get_json()["games"]] == [other.code, one.code]
    assert every.headers["Content-Disposition"] == 'attachment; filename="sagrada-games.json"'
    single = client.get(f"/g/{one.code}/export.json")
    assert [game["code"] for game in single.get_json()["games"]] == [one.code]
    table = client.get(f"/g/{one.code}/export.csv")
    assert [row["name"] for row in rows(table.get_data(as_text=True))] == ["Ann", "Ben"]
    assert table.content_type == "text/csv; charset=utf-8"
    assert table.headers["Content-Disposition"] == f'attachment; filename="sagrada-{one.code}.csv"'
    assert table.headers["Cache-Control"] == "no-store"
    assert len(rows(client.get("/history/export.csv").get_data(as_text=True))) == 4
    assert client.get("/history/export.xml").status_code == 404


@pytest.mark.parametrize(("language", "separator"), [("fr", ";"), ("ru", ";"), ("en", ","), ("ja", ",")])
def test_a_table_opens_in_columns_in_the_spreadsheet_of_the_visitor(
    app: Flask, client: FlaskClient, language: str, separator: str
) -> None:
    """Where a comma parts decimals a spreadsheet parts cells at semicolons, elsewhere at commas."""
    with app.app_context():
        game, _ = put_game(game_store(), context.store(), [At("Zoë"), At("a;=1+1;", FULL)])
    for place in ("/history/export.csv", f"/g/{game.code}/export.csv"):
        text = client.get(place, headers={"Accept-Language": language}).get_data(as_text=True)
        assert text.startswith(BOM + separator.join(COLUMNS[:5]))
        assert [plain(row["name"]) for row in rows(text, separator)] == ["Zoë", "a;=1+1;"]


def test_a_game_in_play_gives_no_file_not_even_to_its_host(app: Flask, client: FlaskClient) -> None:
    """Before the reveal the file is refused; a game that does not exist has none."""
    with app.app_context():
        game, _ = put_game(game_store(), context.store(), [At("Quxa"), At("Ben", FULL)], revealed=False)
    for kind in ("json", "csv"):
        answer = client.get(f"/g/{game.code}/export.{kind}", headers={"Accept": "application/json"})
        assert (answer.status_code, answer.get_json()["error"]["code"]) == (404, "not_revealed")
        assert "Quxa" not in answer.get_data(as_text=True)
        assert client.get(f"/g/CCCCCC/export.{kind}").status_code == 404


# --- Board Game Stats ------------------------------------------------------------------------------


def test_the_link_hands_the_play_over_as_the_app_wants_it() -> None:
    """Its JSON has game, date in UTC, and each player's name, points, place, win and start."""
    link = push_link(a_play("Ann & Co", FULL))
    assert link is not None
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    assert " " not in link
    assert json.loads(parse_qs(parts.query, strict_parsing=True)["data"][0]) == {
        "sourceName": "Sagrada Companion",
        "sourcePlayId": f"CDFGHJ-{int(ELEVEN.timestamp())}",
        "playDate": "2026-03-07 12:00:05",
        "game": {
            "name": "Sagrada",
            "sourceGameId": "sagrada",
            "bggId": 199561,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": "Ann & Co",
                "sourcePlayerId": "ann & co",
                "score": 42,
                "winner": True,
                "startPlayer": True,
                "rank": 1,
            },
            {
                "name": "Ben",
                "sourcePlayerId": "ben",
                "score": 40,
                "winner": False,
                "startPlayer": False,
                "rank": 2,
            },
        ],
    }


def test_the_app_gets_how_long_a_game_took_where_that_is_known() -> None:
    """Only a game whose rounds were followed here was begun when it began; one of days took none so long."""
    made_play = a_play("Ann", FULL)
    followed = replace(made_play, game=replace(made_play.game, play=started([1, 2], 0), note="Rain."))
    for play_, minutes, hours in ((followed, 30, 0.5), (followed, None, 50), (made_play, None, 0.5)):
        told = push_data(replace(play_, created=play_.revealed - timedelta(hours=hours)))
        assert told.get("durationMin") == minutes
        assert told.get("comments") == (play_.game.note or None)


@given(plays())
def test_the_app_always_gets_what_it_stops_without(made: Play) -> None:
    """Every yes or no is a real one, scores are numbers, and who has no place gets none made up."""
    link = push_link(made)
    known = made.outcome.standings is not None or made.solo is not None
    assert (link is not None) is known
    if not known:
        return
    told = push_data(made)
    starts = [one["startPlayer"] for one in told["players"]]
    assert starts.count(True) == (made.game.solo or made.game.order_known)
    assert starts[1:] == [False] * (len(starts) - 1)
    for one, player in zip(told["players"], made.players, strict=True):
        assert type(one["winner"]) is bool
        assert one["score"] == player.total
        assert one.get("rank", "none") == (1 if made.game.solo else player.place or "none")
        won = made.solo.won if made.solo else player.place == 1
        assert one["winner"] is won


def test_the_reveal_offers_the_link_and_says_what_it_does(app: Flask, client: FlaskClient) -> None:
    """People tap it, told that names and scores go to another site; nothing is loaded from there."""
    with app.app_context():
        game, _ = put_game(game_store(), context.store(), [At("Ann"), At("Ben", FULL)])
        unknown, _ = put_game(
            game_store(), context.store(), [At("Cleo", private=None), At("Dan", private=None)]
        )
    page = client.get(f"/g/{game.code}/reveal").get_data(as_text=True)
    assert page.count("app.bgstatsapp.com") == 1
    assert 'rel="noopener noreferrer external"' in page
    assert "hands over names, scores and the note" in page
    assert "bgstatsapp" not in client.get(f"/g/{unknown.code}/reveal").get_data(as_text=True)
    assert "bgstatsapp" not in client.get("/history").get_data(as_text=True)
