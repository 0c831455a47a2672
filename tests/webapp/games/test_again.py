from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import RULEBOOK
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.games.test_moving import held, link
from webapp.domain.errors import InputError
from webapp.domain.games.cards import next_beginner, rematch
from webapp.domain.games.game import Game, Seat, Stage
from webapp.storage.database import Database
from webapp.storage.games import GameStore
from webapp.storage.readings import ReadingStore


@pytest.fixture
def third(app: Flask, host: Device, guest: Device) -> Device:
    """Return the device of Cleo, the third player; then all windows are revealed."""
    device = Device(app.test_client())
    device.join(host.code, "Cleo")
    host.cards(public=THREE, tools=["Lathekin"], house_rules=[])
    host.put(RULEBOOK)
    host.player(private="R", favor_tokens=3)
    host.client.post(f"{host.address}/seats/1/tool", json={"tool": "Lathekin"})
    host.reveal(anyway=True)
    return device


def again(host: Device, *, same_cards: bool = True) -> dict[str, Any]:
    """Begin the next game and return it as the host sees it."""
    answer = host.client.post(f"{host.address}/again", json={"same_cards": same_cards})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return dict(answer.get_json())


def test_everybody_sits_at_the_next_table_with_the_phone_as_it_is(
    host: Device, guest: Device, third: Device
) -> None:
    """Three devices have their seats, names and host's rights in the next game with unchanged cookies."""
    cookies = [held(one) for one in (host, guest, third)]
    made = again(host)
    assert (made["host"], made["stage"], made["public"]) == (True, "table", THREE)
    assert [held(one) for one in (host, guest, third)] == cookies
    for who, name in ((host, "Ann"), (guest, "Ben"), (third, "Cleo")):
        assert who.state()["next"] == made["code"]
        old, who.code = who.own(), made["code"]
        assert (who.own()["name"], who.own()["ready"], who.own()["window"]) == (name, False, "none")
        assert who.own()["reading"] != old["reading"]
        assert who.player(private="B").status_code == 200
        assert who.client.post(f"{who.address}/seats/9", json={"ready": True}).status_code == 403
    assert [one["tokens"] for one in made["tools"]] == [0]
    assert guest.cards(tools=[]).status_code == 403
    assert host.reveal(anyway=True).status_code == 200


def test_the_game_before_stays_as_it_was(host: Device, guest: Device, third: Device) -> None:
    """The revealed game keeps its windows and its place in the history, whatever follows."""
    before = host.client.get(f"/g/{host.code}/export.json").get_json()
    code = again(host, same_cards=False)["code"]
    new = Device(host.client, code)
    assert new.state()["public"] == []
    new.put(RULEBOOK)
    assert host.client.get(f"/g/{host.code}/export.json").get_json() == before
    assert [one["code"] for one in host.client.get("/history.json").get_json()["games"]] == [host.code]


def test_two_taps_make_one_game(app: Flask, host: Device, guest: Device, third: Device) -> None:
    """Tabs of the host that ask at the same moment, or one after the other, all come to the same table."""
    cookie = host.client.get_cookie("seats")
    assert cookie

    def tab(same_cards: bool) -> str:
        client = app.test_client()
        client.set_cookie("seats", cookie.value)
        return str(again(Device(client, host.code), same_cards=same_cards)["code"])

    with ThreadPoolExecutor(4) as tabs:
        codes = set(tabs.map(tab, [True, False, True, False]))
    answer = host.client.post(f"/g/{host.code}/again", data={"same_cards": "yes"})
    assert {answer.location} == {f"/g/{code}" for code in codes}
    assert len(host.client.get("/.json").get_json()["games"]) == 2


def test_only_the_host_plays_again_and_only_after_the_reveal(
    host: Device, guest: Device, stranger: Device
) -> None:
    """A guest and a stranger are refused, and so is the host as long as the game goes on."""
    for who, refusal in ((guest, "not_the_host"), (stranger, "not_the_host"), (host, "not_over")):
        answer = who.client.post(f"{host.address}/again", json={})
        assert answer.get_json()["error"]["code"] == refusal
    assert host.state()["next"] is None


def test_a_stranger_is_not_told_of_the_next_table(
    host: Device, guest: Device, third: Device, stranger: Device
) -> None:
    """The code seats whoever knows it, and everybody can read a revealed game: only its own table is told."""
    code = again(host)["code"]
    assert stranger.state()["next"] is None
    for address in (f"/g/{host.code}/reveal", f"/g/{host.code}", "/history", f"/g/{host.code}/export.json"):
        text = stranger.client.get(address, follow_redirects=True).get_data(as_text=True)
        assert code not in text
    for who in (host, guest, third):
        assert f'href="/g/{code}"' in who.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)


def test_nobody_learns_the_ids_of_windows_of_the_next_game(
    host: Device, guest: Device, third: Device, stranger: Device
) -> None:
    """Only its own device is told the id of a window, on the page and as JSON, of both games."""
    code = again(host)["code"]
    ids = {id(who): Device(who.client, code).own()["reading"] for who in (host, guest, third)}
    for who in (host, guest, third, stranger):
        others = [one for owner, one in ids.items() if owner != id(who)]
        for address in (
            f"/g/{code}",
            f"/g/{host.code}/reveal",
            f"/g/{code}.json",
            host.address + ".json",
            "/",
        ):
            text = who.client.get(address).get_data(as_text=True)
            assert not [one for one in others if one in text], address


def test_a_seat_that_comes_back_takes_none_of_an_earlier_game_away(
    app: Flask, host: Device, guest: Device, third: Device
) -> None:
    """A seat of the next game goes to another phone and back: the game before knows the first phone still."""
    code = again(host)["code"]
    new, phone = Device(host.client, code), Device(app.test_client(), code)
    for client in (phone.client, guest.client):
        assert client.post(f"{new.address}/seat", json={"key": link(new)}).status_code == 200
    assert Device(guest.client, code).own()["name"] == "Ben"
    assert guest.own()["name"] == "Ben"


def test_the_next_player_clockwise_begins() -> None:
    """With a known order the seats turn by one and the order stays known; else they stay as they are."""
    seats = tuple(
        Seat(n, name, f"w{n}", f"t{n}", ready=True) for n, name in ((4, "Ann"), (2, "Ben"), (7, "Cleo"))
    )
    game = Game("OLD234", "h", stage=Stage.REVEALED, seats=seats, order_known=True, next_number=8)
    windows = {2: "b", 4: "a", 7: "c"}
    after = rematch(game, "NEW234", windows, same_cards=True)
    assert [(one.number, one.record_id, one.ready) for one in after.seats] == [
        (2, "b", False),
        (7, "c", False),
        (4, "a", False),
    ]
    assert (after.order_known, after.next_number, next_beginner(game)) == (True, 8, "Ben")
    unknown = Game("OLD234", "h", stage=Stage.REVEALED, seats=seats)
    again = rematch(unknown, "NEW234", windows, same_cards=True)
    assert ([one.number for one in again.seats], again.order_known) == ([4, 2, 7], False)
    assert next_beginner(unknown) is None


def test_a_next_game_that_was_deleted_can_be_begun_anew(host: Device, guest: Device, third: Device) -> None:
    """The game before forgets a deleted one, offers to play again, and says so to open pages."""
    code = again(host)["code"]
    host.client.post(f"/g/{code}/delete")
    assert host.state()["next"] is None
    assert "Play again" in host.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert again(host)["code"] != code
    host.client.post(f"{host.address}/delete", json={})  # the game before: the next one goes on
    assert host.client.post(f"{host.address}/delete", json={}).status_code == 404


def test_a_solo_game_is_played_again(app: Flask) -> None:
    """Alone one plays again, too: target and second private objective are those of the new game."""
    alone = Device(app.test_client())
    alone.start(solo=True)
    alone.cards(public=THREE[:2], target=20, second_private="G")
    assert alone.reveal(anyway=True).status_code == 200
    made = again(alone)
    assert (made["solo"], made["target"], made["second_private"]) == (True, None, None)


def test_both_databases_keep_one_token_for_two_seats(database: Database, tmp_path: Path) -> None:
    """SQLite and PostgreSQL let a device have its seat in several games, and find all of them."""
    store = GameStore(database, ReadingStore(database, tmp_path))
    game, _ = store.create()
    for name in ("Ann", "Ben"):
        game, _ = store.join(game.code, name)
    with pytest.raises(InputError) as early:
        store.again(game.code, same_cards=True)
    assert early.value.code == "not_over"
    store.update(game.code, lambda one: Game(**{**vars(one), "stage": Stage.REVEALED}))
    after = store.again(game.code, same_cards=True)
    assert store.again(game.code, same_cards=False) == after
    assert (store.load(game.code).next, after.follows) == (after.code, game.code)
    token = game.seats[1].token
    assert {one.code for one, _ in store.of_device([token])} == {game.code, after.code}
    assert store.in_use([token]) == {token}
