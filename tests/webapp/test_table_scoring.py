"""One photo of the table scores everybody."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.readings import PLACES, card_at, reading_of, table_of
from tests.webapp.conftest import SayingTable, read_table, two_windows, wait_read
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.tables import code_of, hold, ids, third

FOURTH = "Medium Shades"


@pytest.fixture
def scored(client: FlaskClient, table_reader: SayingTable) -> dict[str, Any]:
    """Return a photo of two windows and the three objectives, read."""
    table_reader.answer = table_of(*two_windows(), cards=[card_at(name) for name in THREE])
    return read_table(client)


def window(client: FlaskClient, state: dict[str, Any], number: int, **told: Any) -> Any:  # noqa: ANN401
    """Change what belongs to a window."""
    return client.post(f"{state['links']['self']}/windows/{number}", json=told)


def score(client: FlaskClient, state: dict[str, Any]) -> Any:  # noqa: ANN401
    """Score all windows."""
    return client.post(f"{state['links']['self']}/score.json")


# --- Public objectives -----------------------------------------------------------------------------


def test_sure_cards_are_taken(client: FlaskClient, scored: dict[str, Any]) -> None:
    """Three objectives that lie in the photo count for every window at once, whatever is said of them."""
    assert set(scored["public"]) == set(THREE)
    assert all(one["total"] is not None for one in scored["windows"])
    for one in ids(scored):
        assert set(client.get(f"/w/{one}.json").get_json()["choices"]["public"]) == set(THREE)
    for card, right in ((THREE[0], False), (FOURTH, True)):
        after = client.post(f"{scored['links']['self']}/card", json={"card": card, "right": right}).get_json()
        assert (after["cards"], after["public"]) == (scored["cards"], scored["public"])


@pytest.mark.parametrize("cards", [[], [*THREE, FOURTH]], ids=["no card", "more than a game has"])
def test_without_objectives_there_are_no_points(
    client: FlaskClient, table_reader: SayingTable, cards: list[str]
) -> None:
    """Where nobody knows what counts there are no points rather than zero, and nobody has won."""
    found = [card_at(name, 50.0 * place) for place, name in enumerate(cards)]
    table_reader.answer = table_of(*two_windows(), cards=found)
    done = read_table(client)
    assert done["public"] == []
    assert [one["total"] for one in done["windows"]] == [None, None]
    assert code_of(score(client, done)) == "cards_missing"


def test_a_doubtful_card_waits_for_a_look(client: FlaskClient, table_reader: SayingTable) -> None:
    """It counts only after somebody said that it is right, and goes when it is not."""
    cards = [card_at(THREE[0], doubtful=True), card_at(THREE[1], 400.0, doubtful=True)]
    table_reader.answer = table_of(*two_windows(), cards=cards)
    done = read_table(client)
    assert done["public"] == []
    place = f"{done['links']['self']}/card"
    right = client.post(place, json={"card": THREE[0], "right": True}).get_json()
    assert right["public"] == [THREE[0]]
    assert [one["doubtful"] for one in right["cards"]] == [False, True]
    assert all(one["total"] is not None for one in right["windows"])
    for _ in range(2):  # as who taps twice
        wrong = client.post(place, json={"card": THREE[1], "right": False}).get_json()
        assert [one["name"] for one in wrong["cards"]] == [THREE[0]]
        assert wrong["public"] == [THREE[0]]


def test_other_objectives_change_the_points_of_every_window(
    client: FlaskClient, scored: dict[str, Any]
) -> None:
    """What is chosen for the photo is chosen for all its windows; a fourth objective is refused."""
    before = [one["total"] for one in scored["windows"]]
    after = client.post(scored["links"]["self"] + "/cards", json={"public": [FOURTH]}).get_json()
    assert after["public"] == [FOURTH]
    assert [one["total"] for one in after["windows"]] != before
    page = client.post(f"/t/{scored['id']}/cards", data={"public": THREE}, follow_redirects=True)
    assert page.status_code == 200
    four = {"public": [*THREE, FOURTH]}  # more than a game has
    assert client.post(scored["links"]["self"] + "/cards", json=four).status_code == 400
    assert client.post(f"/t/{scored['id']}/cards", data=four).status_code == 400
    again = client.get(scored["links"]["self"] + ".json").get_json()
    assert [one["total"] for one in again["windows"]] == before


# --- Everybody's points ----------------------------------------------------------------------------


def test_scoring_reveals_a_game_of_the_same_windows(client: FlaskClient, scored: dict[str, Any]) -> None:
    """The ranking is one revealed game, however often it is asked for, with the windows of the photo."""
    window(client, scored, 1, name="Ann", private="R", favor_tokens=3)
    before = window(client, scored, 2, name="Ben").get_json()
    after = score(client, scored).get_json()
    game = client.get(after["links"]["game"] + ".json").get_json()
    assert game["stage"] == "revealed"
    assert set(game["public"]) == set(THREE)
    assert {one["name"]: one["reading"] for one in game["players"]} == dict(
        zip(("Ann", "Ben"), ids(scored), strict=True)
    )
    totals = {one["name"]: one["total"] for one in game["result"]["standings"]}
    assert totals == {one["name"]: one["total"] for one in before["windows"]}
    assert score(client, scored).get_json()["links"]["game"] == after["links"]["game"]  # as who taps twice
    page = client.post(f"/t/{scored['id']}/score")
    assert page.location == after["links"]["game"] + "/reveal"
    assert len(client.get("/.json").get_json()["games"]) == 1
    answer = client.post(scored["links"]["self"] + "/cards", json={"public": [FOURTH]})
    assert code_of(answer) == "table_decides"  # as for any window of a game


def test_points_of_another_card_stand_for_an_objective(client: FlaskClient, scored: dict[str, Any]) -> None:
    """They are typed for each window; with three known cards beside them there would be four."""
    window(client, scored, 1, other_points=5)
    assert code_of(score(client, scored)) == "too_many_objectives"
    client.post(f"{scored['links']['self']}/cards", json={"public": THREE[:2]})
    page = client.get(scored["links"]["self"]).get_data(as_text=True)
    assert "the points of the other card" in page
    assert "one public objective" not in page
    window(client, scored, 2, other_points=0)
    assert "the points of the other card" not in client.get(scored["links"]["self"]).get_data(as_text=True)
    game = client.get(score(client, scored).get_json()["links"]["game"] + ".json").get_json()
    lines = [one["lines"] for one in game["result"]["standings"]]
    assert sorted(one["points"] for line in lines for one in line if one["kind"] == "other_cards") == [0, 5]


def test_what_is_put_right_later_counts_in_the_ranking(client: FlaskClient, scored: dict[str, Any]) -> None:
    """A die corrected after the scoring changes the points in the game, too."""
    game = score(client, scored).get_json()["links"]["game"]
    window(client, scored, 1, favor_tokens=6)
    told = client.get(f"{game}.json").get_json()["result"]["standings"]
    now = client.get(scored["links"]["self"] + ".json").get_json()["windows"]
    assert {one["total"] for one in told} == {one["total"] for one in now}


def test_a_window_left_out_does_not_play(client: FlaskClient, table_reader: SayingTable) -> None:
    """A window of another game stays in the photo, out of the ranking, and can come back, if it is there."""
    table_reader.answer = table_of(*two_windows(), third(), cards=[card_at(name) for name in THREE])
    done = read_table(client)
    assert window(client, done, 2, left_out=True).get_json()["windows"][1]["left_out"]
    game = client.get(score(client, done).get_json()["links"]["game"] + ".json").get_json()
    assert [one["reading"] for one in game["players"]] == [ids(done)[0], ids(done)[2]]
    client.post(f"/t/{done['id']}/windows/2", data={"left_out": "no"})
    assert not client.get(done["links"]["self"] + ".json").get_json()["windows"][1]["left_out"]
    for number in (0, 4, 20):
        assert code_of(window(client, done, number, name="Ann")) == "no_such_window"


def test_a_game_has_two_to_six_windows(client: FlaskClient, table_reader: SayingTable) -> None:
    """Alone, or while windows are still read, nobody is ranked; of seven windows one is to be left out."""
    windows = [reading_of(corners=corners) for corners in PLACES]
    cards = [card_at(name) for name in THREE]
    table_reader.answer = table_of(windows[0], cards=cards)
    assert code_of(score(client, read_table(client))) == "players_missing"
    table_reader.answer = table_of(*windows, cards=cards)
    done = read_table(client)
    assert code_of(score(client, done)) == "too_many_windows"
    window(client, done, 7, left_out=True)
    assert "Window 2" in client.get(client.post(f"/t/{done['id']}/score").location).get_data(as_text=True)
    assert code_of(score(client, hold(table_reader, client, 2))) == "table_being_read"


def test_two_players_of_one_name_are_refused(client: FlaskClient, scored: dict[str, Any]) -> None:
    """The page says so, keeps both names and makes no game."""
    for number in (1, 2):
        data = {"name": "Ann", "favor_tokens": "2"}
        assert client.post(f"/t/{scored['id']}/windows/{number}", data=data).status_code == 303
    assert code_of(score(client, scored)) == "name_taken"
    page = client.post(f"/t/{scored['id']}/score")
    assert page.status_code == 400
    assert page.get_data(as_text=True).count('value="Ann"') == 2
    assert client.get("/.json").get_json()["games"] == []
    now = client.get(scored["links"]["self"] + ".json").get_json()
    assert ([one["favor_tokens"] for one in now["windows"]], now["links"]["game"]) == ([2, 2], None)


def test_a_game_keeps_its_windows_when_the_photo_goes(client: FlaskClient, scored: dict[str, Any]) -> None:
    """Deleting the photo takes nothing from the ranking, and nothing leads to the photo any more."""
    game = score(client, scored).get_json()["links"]["game"]
    before = client.get(f"{game}.json").get_json()["result"]
    assert client.post(scored["links"]["self"] + "/delete", json={}).status_code == 204
    assert client.get(f"{game}.json").get_json()["result"] == before
    state = client.get(f"/w/{ids(scored)[0]}.json").get_json()
    assert state["links"]["table"] is None
    assert client.get(state["links"]["photo"]).status_code == 200


def test_a_photo_stays_when_its_game_goes(client: FlaskClient, scored: dict[str, Any]) -> None:
    """The game takes its windows along; the page of the photo still opens."""
    game = score(client, scored).get_json()["links"]["game"]
    assert client.post(game + "/delete", json={}).status_code == 204
    state = client.get(scored["links"]["self"] + ".json").get_json()
    assert (state["windows"], state["links"]["game"]) == ([], None)
    assert client.get(f"/t/{scored['id']}").status_code == 200


def test_a_window_of_a_game_is_read_anew_for_a_photo(app: Flask) -> None:
    """The rest of a player's photo is scored without touching the player's own window."""
    host = Device(app.test_client())
    host.start()
    host.photo()
    own = host.own()["reading"]
    page = host.client.post(f"/w/{own}/table").location
    done = wait_read(host.client, page.removeprefix("/t/"))
    assert own not in ids(done)
    assert host.client.post(done["links"]["self"] + "/delete", json={}).status_code == 204
    assert host.client.get(f"/w/{own}").status_code == 200


def test_only_a_photo_for_scoring_is_scored(client: FlaskClient, table_reader: SayingTable) -> None:
    """What was taken for something else tells no points and fills no seats."""
    place = read_table(client, "place")
    assert code_of(score(client, place)) == "bad_request"
    assert code_of(client.post(f"{place['links']['self']}/seats", json={"seats": {"1": 1}})) == "bad_request"
    assert code_of(client.post(f"{place['links']['self']}/target.json")) == "bad_request"


def test_a_space_in_doubt_is_put_right_on_the_page(client: FlaskClient, scored: dict[str, Any]) -> None:
    """One tap in the list of doubts says what lies there; what was read, said again, is right."""
    data = {"record": ids(scored)[0], "cell": "A4", "die": "Y4"}
    assert client.post(f"/t/{scored['id']}/cell", data=data).status_code == 303
    (first, _) = client.get(scored["links"]["self"] + ".json").get_json()["windows"]
    assert first["doubtful"] == []
    assert "Y4" in first["board"].split(" / ")[0]
    other = {**data, "record": "A" * 16}
    assert client.post(f"/t/{scored['id']}/cell", data=other).status_code == 400


def test_tokens_in_the_photo_count_until_somebody_tells_others(
    client: FlaskClient, table_reader: SayingTable
) -> None:
    """Each window's tokens are ringed, named and counted; a number that is told counts in their place."""
    seen = [replace(one, tokens=reading_of(tokens=3).tokens) for one in two_windows()]
    table_reader.answer = table_of(*seen, cards=[card_at(name) for name in THREE])
    done = read_table(client)
    assert [one["favor_tokens"] for one in done["windows"]] == [3, 3]
    assert done["windows"][0]["tokens_seen"]["count"] == 3
    page = client.get(done["links"]["self"]).get_data(as_text=True)
    assert page.count("seen-token") == 6
    assert page.count("3 favor tokens in the photo.") == 2
    window(client, done, 1, favor_tokens=1)
    game = client.get(score(client, done).get_json()["links"]["game"] + ".json").get_json()
    lines = [one["lines"][-2] for one in sorted(game["result"]["standings"], key=lambda one: one["name"])]
    assert [line["points"] for line in lines] == [1, 3]
