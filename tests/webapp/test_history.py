from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring import WINDOW_PATTERNS, Board, Color, PublicObjective, WindowPattern
from scoring.patterns.patterns import KnownPatterns
from tests.webapp.ended_games import EMPTY, EXAMPLE, FULL, RULEBOOK, At, put_game
from tests.webapp.games.conftest import THREE, Device
from webapp.domain.games.game import Game
from webapp.domain.games.result import Ended
from webapp.domain.history import GAMES_A_PAGE, Play, Statistics, play, statistics
from webapp.http.session import SEATS
from webapp.services import context
from webapp.services.access import game_store
from webapp.storage import games as ended_games
from webapp.storage.database import Database
from webapp.storage.games import EndedGames, GameStore
from webapp.storage.readings import ReadingStore
from webapp.views import history

TWO = EXAMPLE[:2]


def put(app: Flask, *players: At, **told: object) -> tuple[Game, str]:
    """Play a game in the application and return it with the token of its host."""
    with app.app_context():
        return put_game(game_store(), context.store(), players, **told)  # type: ignore[arg-type]


def all_plays(app: Flask) -> list[Play]:
    """Return all revealed games of an application."""
    with app.app_context():
        return context.kept().ended.plays(WINDOW_PATTERNS)


def sums(app: Flask) -> Statistics:
    """Return what all revealed games of an application add up to."""
    return statistics(all_plays(app))


def page(client: FlaskClient, address: str = "/history", language: str = "en") -> str:
    """Return the text of a page without its tags."""
    answer = client.get(address, headers={"Accept-Language": language})
    assert answer.status_code == 200
    text = re.sub(r"<script.*?</script>|<[^>]+>", " ", answer.get_data(as_text=True), flags=re.DOTALL)
    return " ".join(text.split())


# --- Which games are there -------------------------------------------------------------------------


def test_before_the_first_game_the_page_says_what_to_do(client: FlaskClient) -> None:
    """An empty history leads on to starting a game, and offers no files and no statistics."""
    answer = client.get("/history").get_data(as_text=True)
    assert "No game has been revealed here yet" in answer
    assert 'href="/#game-night"' in answer
    assert "export" not in answer
    assert "<table" not in answer


def test_a_game_in_play_appears_nowhere(app: Flask, client: FlaskClient) -> None:
    """Neither list nor statistics nor files change by a photo or a game not revealed, or closed again."""
    addresses = ("/history", "/history/export.json", "/history/export.csv")
    before = [client.get(one).get_data(as_text=True) for one in addresses]
    put(app, At("Quxa"), At("Quxb", FULL), revealed=False)
    with app.app_context():
        context.store().create({}, board=RULEBOOK)
    assert [client.get(one).get_data(as_text=True) for one in addresses] == before
    host = Device(app.test_client())
    host.start("Quxc")
    Device(app.test_client()).join(host.code, "Quxd")
    host.cards(public=THREE)
    host.reveal(anyway=True)
    assert "Quxc" in page(client)
    host.client.post(f"{host.address}/reopen", json={})
    assert [client.get(one).get_data(as_text=True) for one in addresses] == before
    assert (sums(app).games, sums(app).totals) == (0, None)


def test_games_are_listed_newest_first_page_by_page(app: Flask, client: FlaskClient) -> None:
    """The list begins with the game revealed last and goes on, each game once, on the next page."""
    made = [put(app, At(f"Ann{n}"), At("Ben", FULL))[0].code for n in range(GAMES_A_PAGE + 2)]
    codes: list[str] = []
    for number in (1, 2):
        text = client.get(f"/history?page={number}").get_data(as_text=True)
        codes += re.findall(r'id="game-(\w+)"', text)
        assert ('rel="next"' in text) is (number == 1)
        assert ('rel="prev"' in text) is (number == 2)
    assert sorted(codes) == sorted(made)
    listed = [one.revealed for one in all_plays(app)]
    assert listed == sorted(listed, reverse=True)
    assert [one.game.code for one in all_plays(app)] == codes
    for odd in ("0", "-3", "99", "x"):
        assert client.get(f"/history?page={odd}").status_code == 200


def test_a_broken_game_does_not_take_the_others_with_it(app: Flask, client: FlaskClient) -> None:
    """What cannot be understood of one game is left out, and the other games still show."""
    good, _ = put(app, At("Ann"), At("Ben", FULL))
    bad, _ = put(app, At("Cleo"), At("Dan", FULL))
    lost, _ = put(app, At("Eve"), At("Finn", FULL))
    with app.app_context(), context.kept().database.begin() as session:
        connection = session.connection()
        connection.exec_driver_sql("UPDATE games SET state = 'no json' WHERE code = ?", (bad.code,))
        connection.exec_driver_sql(
            "UPDATE readings SET state = '{}' WHERE id = ?", (lost.seats[0].record_id,)
        )
    assert {one.game.code for one in all_plays(app)} == {good.code, lost.code}
    text = page(client)
    assert "Ann" in text
    assert "Cleo" not in text
    assert "Finn" in text
    assert "Eve" not in text


def test_both_databases_tell_the_same_games(database: Database, tmp_path: Path) -> None:
    """SQLite and PostgreSQL give back what was played, with moments in order, and only what is revealed."""
    readings = ReadingStore(database, tmp_path)
    store = GameStore(database, readings)
    first, _ = put_game(store, readings, [At("Ann"), At("Ben", FULL)])
    put_game(store, readings, [At("Cleo"), At("Dan")], revealed=False)
    last, _ = put_game(store, readings, [At("Eve"), At("Finn")])
    told = EndedGames(database, store).plays(WINDOW_PATTERNS)
    assert [one.game.code for one in told] == [last.code, first.code]
    assert all(one.created <= one.revealed for one in told)
    assert [str(player.board) for player in told[1].players] == [RULEBOOK, FULL]
    ended = store.ended(first.code)
    assert ended is not None
    assert ended.game.code == first.code
    assert store.ended("------") is None


def test_what_changes_in_a_game_shows_at_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is worked out once, and anew after any change in it, in a window of it or in the cards."""
    first, host = put(app, At("Ann"), At("Ben", FULL, window="Batllo"))
    second, _ = put(app, At("Cleo"), At("Dan", FULL))
    worked_out: list[str] = []

    def noted(ended: Ended, known: Mapping[str, WindowPattern]) -> Play:
        worked_out.append(ended.game.code)
        return play(ended, known)

    monkeypatch.setattr(ended_games, "play", noted)

    def looked_at(known: KnownPatterns = WINDOW_PATTERNS) -> list[str]:
        """Look at all games, tell which were worked out, and hold them against a first look."""
        with app.app_context():
            kept = context.kept()
            worked_out.clear()
            found = kept.ended.plays(known)
            anew = list(worked_out)
            assert found == EndedGames(kept.database, kept.games).plays(known)
        return anew

    assert looked_at() == [second.code, first.code]
    assert looked_at() == []
    with app.app_context():
        context.store().update(
            first.seats[1].record_id, lambda one: replace(one, board=Board.parse(RULEBOOK))
        )
    assert looked_at() == [first.code]
    ann = Device(app.test_client())
    ann.client.set_cookie(SEATS, host)
    ann.code = first.code
    ann.client.post(f"{ann.address}/reopen", json={})
    assert looked_at() == []
    ann.reveal(anyway=True)
    assert looked_at() == [first.code]
    own = replace(WINDOW_PATTERNS["Virtus"], name="Ours", names=())
    more = WINDOW_PATTERNS.with_windows([own])
    assert looked_at(more) == [first.code, second.code]
    assert looked_at(more) == []
    ann.client.post(f"{ann.address}/delete", json={})
    assert looked_at(more) == []
    assert [one.game.code for one in all_plays(app)] == [second.code]


# --- What a game says ------------------------------------------------------------------------------


def test_a_game_shows_players_totals_winner_and_cards(app: Flask, client: FlaskClient) -> None:
    """Names, totals, the sentence about the winner, window cards and objectives of a game stand there."""
    put(app, At("Ann", favor=2), At("Ben", EMPTY.replace("--", "Y6", 1), "Y"))
    text = page(client)
    assert "Ann wins with 42 points." in text
    assert re.search(r"1 A Ann Fractal Drops 42 2 B Ben Fractal Drops −13", text)
    for card in EXAMPLE:
        assert card.value in text


def test_who_had_no_window_has_no_total(app: Flask, client: FlaskClient) -> None:
    """Empty spaces are no verdict on who left: a dash stands there; whoever chose a color is ranked."""
    put(app, At("Ann"), At("Ben", EMPTY, None), At("Cleo", EMPTY, "Y", favor=0))
    told = page(client)
    assert re.search(r"Ben [^−]*No window –", told)
    assert re.search(r"Cleo [^–]*−20", told)


def test_what_decided_a_tie_is_told_only_where_it_decided(app: Flask, client: FlaskClient) -> None:
    """A tie broken by tokens, turns or not at all has its sentence; a win by points has none."""
    put(app, At("Ann"), At("Ben", FULL))
    assert [one.tie for one in all_plays(app)] == [None]
    assert "both have" not in page(client)
    put(app, At("Cleo"), At("Dan"))
    assert "Cleo and Dan share the place" in page(client)
    put(app, At("Eve"), At("Finn"), order_known=True)
    assert "the first turn of Eve in the last round came later" in page(client)


def test_a_solo_game_says_whether_it_was_won(app: Flask, client: FlaskClient) -> None:
    """A solo game has no ranking but its target, and whether it was reached."""
    put(app, At("Ann", FULL), solo=True, public=TWO, target=240)
    text = page(client)
    assert "against a target of 240: not won" in text
    assert "Solo game" in text


# --- Statistics ------------------------------------------------------------------------------------


def test_names_that_people_take_for_the_same_are_one_player(app: Flask) -> None:
    """Averages, best totals and wins of a player go by the name without its case, as written last."""
    put(app, At("ANN"), At("Ben", FULL))
    put(app, At("Ann", favor=5), At("ben", FULL))
    ann, ben = sums(app).players
    told = (ann.thing, ann.points.times, ann.points.average, ann.points.best, ann.won)
    assert told == ("Ann", 2, 42.5, 45, 1)
    assert (ben.thing, ben.points.times, ben.won) == ("ben", 2, 1)
    assert sums(app).best_names == ("Ann",)


def test_long_tables_about_a_player_say_that_they_end(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games, meetings and opponents are bounded, and what is cut off is told at each table."""
    for other in ("Ben", "Ben", "Cleo"):
        put(app, At("Ann"), At(other, FULL))
    address = "/history/player?name=Ann&other=Ben"
    assert "are listed" not in page(client, address)
    monkeypatch.setattr(history, "MOST_ROWS", 1)
    assert page(client, address).count("The first 1 are listed; the file has all.") == 3


def test_of_many_players_those_are_listed_who_played_most(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of players is bounded: the page says so, and JSON how many are not in it."""
    put(app, At("Ann"), At("Ben", FULL))
    put(app, At("Cleo", favor=5), At("ben", FULL))
    assert sums(app).unlisted == 0
    assert "are listed" not in page(client)
    monkeypatch.setattr("webapp.domain.history.MOST_PLAYERS", 2)
    assert [one.thing for one in sums(app).players] == ["Cleo", "ben"]
    assert "The first 2 are listed" in page(client)


def test_objectives_and_windows_have_their_averages(app: Flask) -> None:
    """An objective's points and a card's totals are averaged over the windows that were played."""
    put(app, At("Ann", FULL, window="Batllo"), At("Ben", FULL))
    put(app, At("Ann"), At("Ben", FULL, window="Batllo"))
    put(app, At("Ann"), At("Ben", FULL, window="unknown"), public=[*TWO, PublicObjective.DEEP_SHADES])
    told = sums(app)
    points = {one.thing: one.points for one in told.objectives}
    windows = [player.breakdown for one in all_plays(app) for player in one.players]
    light = [line.points for one in windows for line in one.lines if line.name == "Light Shades"]
    assert points[PublicObjective.LIGHT_SHADES].times == 6
    assert points[PublicObjective.LIGHT_SHADES].average == sum(light) / 6
    assert points[PublicObjective.COLOR_VARIETY].times == 4
    cards = {one.thing.name: one.points for one in told.windows}
    assert {name: one.times for name, one in cards.items()} == {"Fractal Drops": 3, "Batllo": 2}
    assert cards["Fractal Drops"].best == 42


def test_windows_that_were_not_played_to_the_end_are_not_counted(app: Flask, client: FlaskClient) -> None:
    """No dice, or no private objective: the window is in the list, but in no average."""
    put(app, At("Ann"), At("Ben", EMPTY), At("Cleo", FULL, private=None))
    told = sums(app)
    assert [one.thing for one in told.players] == ["Ann"]
    assert [one.times for one in (told.totals,) if one] == [1]
    assert {one.points.times for one in told.objectives} == {1}
    assert "Cleo" in page(client)


def test_solo_games_stand_on_their_own(app: Flask, client: FlaskClient) -> None:
    """Solo games are won or lost, with the better private objective, and are in no average of the others."""
    put(app, At("Ann", FULL), solo=True, public=TWO, target=5)
    put(app, At("Ann", FULL), solo=True, public=TWO, target=240)
    put(app, At("Ann", FULL, private=None), solo=True, public=TWO, target=5)
    put(app, At("Ann", EMPTY), solo=True, public=TWO, target=5)
    told = sums(app)
    assert (told.games, told.solo.games, told.solo.won, told.solo.lost) == (4, 2, 1, 1)
    assert (told.totals, told.players, told.windows) == (None, (), ())
    assert {one.points.times for one in told.objectives} == {2}
    put(app, At("Ann"), At("Ben"))
    assert [(one.thing, one.points.times) for one in sums(app).players] == [("Ann", 1), ("Ben", 1)]
    assert "Solo games against the target" in page(client)
    put(app, At("Ann", FULL, private=None), solo=True, public=TWO, target=5, second_private=Color.RED)
    assert sums(app).solo.games == 3


def test_the_bars_show_the_same_as_the_numbers(app: Flask, client: FlaskClient) -> None:
    """The longest bar belongs to the highest average, and an average below zero has none."""
    put(app, At("Ann"), At("Ben", EMPTY.replace("--", "R1", 1)))
    answer = client.get("/history").get_data(as_text=True)
    players = answer.split("<caption>Players")[1].split("</table>")[0]
    assert re.findall(r'width="([\d.]+)" height="6" class="bar-full"', players) == ["100.0", "0.0"]
    assert "−19.0" in players


# --- Ways to the page and out of it ----------------------------------------------------------------


def test_start_page_and_reveal_lead_to_the_history(app: Flask, client: FlaskClient) -> None:
    """Start page and reveal lead to the games so far, and the list leads to the reveal of each game."""
    game, _ = put(app, At("Ann"), At("Ben", FULL))
    assert 'href="/history"' in client.get("/").get_data(as_text=True)
    assert 'href="/history"' in client.get(f"/g/{game.code}/reveal").get_data(as_text=True)
    assert f'href="/g/{game.code}/reveal"' in client.get("/history").get_data(as_text=True)


def test_nothing_that_gives_access_is_told(app: Flask, client: FlaskClient) -> None:
    """No page and no file holds the id of a window, a token or its hash."""
    game, token = put(app, At("Ann"), At("Ben", FULL))
    secret = [token, game.host, *(one.record_id for one in game.seats), *(one.token for one in game.seats)]
    for address in ("/history", "/history/export.json", "/history/export.csv", f"/g/{game.code}/reveal"):
        text = client.get(address).get_data(as_text=True)
        assert not [one for one in secret if one in text]


def test_only_the_host_can_delete_a_game_and_only_on_purpose(app: Flask, client: FlaskClient) -> None:
    """Others get no form and a refusal; the host's form needs its box checked."""
    game, token = put(app, At("Ann"), At("Ben", FULL))
    address = f"/history/{game.code}/delete"
    assert address not in client.get("/history").get_data(as_text=True)
    assert client.post(address, data={"sure": "yes"}).status_code == 403
    client.set_cookie(SEATS, token)
    assert address in client.get("/history").get_data(as_text=True)
    assert client.post(address).status_code == 400
    assert len(all_plays(app)) == 1
    assert client.post(address, data={"sure": "yes"}).location == "/history"
    assert all_plays(app) == []


def test_after_deletion_nothing_is_left_in_database_or_files(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    """The raw files of database and photos hold nothing of a deleted game, and everything of the others."""
    photo = (("photo.jpg", b"Quxphoto"), ("upright.jpg", b"Quxphoto"))
    kept, _ = put(app, At("Keptname", files=photo), At("Ben"))
    game, token = put(app, At("Quxolotl", FULL, files=photo), At("Quxandra", FULL, files=photo))
    marks = ["Quxolotl", "Quxandra", FULL, game.code, game.host, *(one.record_id for one in game.seats)]
    marks += [one.token for one in game.seats]
    raw = b"".join(path.read_bytes() for path in tmp_path.glob("sagrada.db*"))
    assert all(one.encode() in raw for one in marks)
    folders = [tmp_path / "readings" / seat.record_id for seat in game.seats]
    assert all(one.is_dir() for one in folders)

    client.set_cookie(SEATS, token)
    assert client.post(f"/history/{game.code}/delete", data={"sure": "yes"}).status_code == 303
    left = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert [(path.name, one) for one in marks for path, raw in left.items() if one.encode() in raw] == []
    assert [path for path in tmp_path.rglob("*") if any(one in str(path) for one in marks)] == []
    assert [raw for raw in left.values() if b"Quxphoto" in raw] == [b"Quxphoto"] * 2
    assert any(b"Keptname" in raw for raw in left.values())
    assert [one.game.code for one in all_plays(app)] == [kept.code]
