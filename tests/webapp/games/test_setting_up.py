"""Setting up with the help of the page: windows, private objectives, who begins, favor tokens."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from scoring import EVERY_WINDOW
from tests.webapp.conftest import RULEBOOK
from tests.webapp.games.conftest import Device

BOTH = {"what": "both"}


def deal(who: Device, **what: Any) -> Any:  # noqa: ANN401
    """Deal to the players."""
    return who.client.post(f"{who.address}/players/deal", json=what)


def choices(who: Device) -> dict[str, Any]:
    """Return what a player chose."""
    return dict(who.client.get(f"/w/{who.own()['reading']}.json").get_json()["choices"])


def test_who_joins_later_gets_theirs_on_the_next_deal(host: Device, guest: Device, app: Flask) -> None:
    """Another deal takes nothing away; when all have theirs it says so, unless all is dealt again."""
    deal(host, **BOTH)
    had = guest.own()["dealt"], choices(guest)
    late = Device(app.test_client())
    late.join(host.code, "Cleo")
    assert deal(host, **BOTH).status_code == 200
    assert (guest.own()["dealt"], choices(guest)) == had
    assert not set(late.own()["dealt"]) & {*had[0], *host.own()["dealt"]}
    assert len({choices(who)["private"] for who in (host, guest, late)}) == 3
    assert deal(host, **BOTH).get_json()["error"]["code"] == "all_dealt"


def test_dealing_again_takes_the_chosen_window_back(host: Device, guest: Device) -> None:
    """Only when it is asked for; a private objective of one's own hand stays at the first deal."""
    guest.player(private="P")
    deal(host, **BOTH)
    assert choices(guest)["private"] == "P"
    guest.player(window=guest.own()["dealt"][0], ready=True)
    assert deal(host, what="windows", again=True).status_code == 200
    assert choices(guest)["window"] == "auto"
    assert choices(guest)["private"] == "P"
    assert guest.own()["ready"] is False


def test_each_kind_can_be_dealt_alone(host: Device, guest: Device) -> None:
    """Who deals real window cards lets only the private objectives be dealt, and the other way round."""
    deal(host, what="windows")
    assert (len(guest.own()["dealt"]), choices(guest)["private"]) == (4, None)
    deal(host, what="privates")
    assert choices(guest)["private"] is not None
    assert deal(guest, **BOTH).status_code == 403
    assert deal(host, what="dice").get_json()["error"]["code"] == "bad_request"


def test_a_solo_player_gets_two_private_objectives(app: Flask) -> None:
    """The solo rules play with two private objectives and without favor tokens."""
    alone = Device(app.test_client())
    alone.start(solo=True)
    deal(alone, **BOTH)
    alone.player(window=alone.own()["dealt"][0])
    assert alone.state()["second_private"] not in {None, choices(alone)["private"]}
    assert choices(alone)["favor_tokens"] == 0


def test_the_page_shows_the_four_windows_to_their_player_only(host: Device, guest: Device) -> None:
    """A tap chooses one; the other phone's page names none of them."""
    deal(host, **BOTH)
    page = guest.client.get(f"/g/{host.code}").get_data(as_text=True)
    wanted = guest.own()["dealt"][1]
    assert page.count('class="offer-window"') == 4
    assert not set(guest.own()["dealt"]) & set(host.own()["dealt"])
    record = guest.client.get(f"/w/{guest.own()['reading']}.json").get_json()
    form = {"window": wanted, "window_revision": record["revision"]}
    assert guest.client.post(f"/g/{host.code}/seats/2", data=form).status_code == 303
    assert choices(guest)["window"] == wanted
    assert choices(guest)["favor_tokens"] == EVERY_WINDOW[wanted].difficulty


def test_drawing_the_first_player_turns_the_table_and_shuffles_nobody(
    host: Device, guest: Device, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clockwise stays clockwise; the order of the turns is known then, until the rounds began."""
    Device(app.test_client()).join(host.code, "Cleo")
    drawn = set()
    for seed in range(12):
        monkeypatch.setattr("webapp.services.games.CHANCE", random.Random(seed))
        sent = {"revision": host.state()["revision"]}
        state = host.client.post(f"{host.address}/first", json=sent).get_json()
        names = [one["name"] for one in state["players"]]
        drawn.add(names[0])
        at = names.index("Ann")
        assert names[at:] + names[:at] == ["Ann", "Ben", "Cleo"]
        assert state["order_known"] is True
    assert drawn == {"Ann", "Ben", "Cleo"}
    begun = host.client.post(f"{host.address}/round", json={"move": "start"}).get_json()
    assert begun["round"]["seat"] == begun["players"][0]["seat"]
    sent = {"revision": begun["revision"]}
    assert host.client.post(f"{host.address}/first", json=sent).get_json()["error"]["code"] == "rounds_began"


def test_tokens_start_from_the_card_and_tools_are_paid_from_them(host: Device, guest: Device) -> None:
    """As many as the difficulty, less what tools cost, until somebody tells another number; that stays."""
    host.cards(tools=["Lathekin"])
    host.player(window="Firmitas")
    assert choices(host)["favor_tokens"] == 5
    host.client.post(f"{host.address}/seats/1/tool", json={"tool": "Lathekin"})
    assert choices(host)["favor_tokens"] == 4
    host.player(window="Virtus")
    assert choices(host)["favor_tokens"] == 4
    host.player(favor_tokens=2)
    host.player(window="Industria")
    assert choices(host)["favor_tokens"] == 2
    host.client.post(f"{host.address}/seats/1/tool", json={})
    assert choices(host)["favor_tokens"] == 3
    guest.photo()  # of Fractal Drops, which comes with three
    assert choices(guest)["favor_tokens"] == 3
    guest.player(favor_tokens=1)
    guest.photo()
    assert choices(guest)["favor_tokens"] == 1


def test_nobody_has_more_tokens_than_came_with_the_card(host: Device) -> None:
    """It is refused with the number that is possible; another card takes what is too much."""
    host.player(window="Firmitas")
    record = host.client.get(f"/w/{host.own()['reading']}.json").get_json()
    change = {"revision": record["revision"], "favor_tokens": 6}
    for answer in (host.player(favor_tokens=6), host.client.post(f"/w/{record['id']}", json=change)):
        error = answer.get_json()["error"]
        assert (error["code"], "5" in error["next_step"]) == ("too_many_favor_tokens", True)
    assert 'max="5"' in host.client.get(f"/g/{host.code}").get_data(as_text=True)
    host.player(favor_tokens=5)
    host.player(window="Fractal Drops")
    assert choices(host)["favor_tokens"] == 3


def test_the_plain_form_of_a_window_tells_no_tokens_that_nobody_changed(host: Device) -> None:
    """It sends all its fields at once; the tokens still follow the card afterwards."""
    host.player(window="Firmitas")
    record = host.client.get(f"/w/{host.own()['reading']}.json").get_json()
    form = {"revision": record["revision"], "board": RULEBOOK, "window": "Firmitas", "favor_tokens": "5"}
    assert host.client.post(f"/w/{record['id']}", data=form).status_code == 303
    host.player(window="Fractal Drops")
    assert choices(host)["favor_tokens"] == 3


def test_a_die_can_be_checked_before_any_photo(host: Device, guest: Device) -> None:
    """The seat leads to its empty window with the chosen card; the first die must touch the edge."""
    deal(host, what="windows")
    guest.player(window="Firmitas")
    address = f"/w/{guest.own()['reading']}/place"
    assert address in guest.client.get(f"/g/{host.code}").get_data(as_text=True)
    page = guest.client.get(address, query_string={"die": "P1", "pick": "P1"}).get_data(as_text=True)
    assert "B3: not here." in page
    assert "A1: may go here." in page
    assert "A2: not here." in page  # Firmitas has a 6 printed there


@pytest.mark.parametrize("sets", [[], ["5-6-players"]])
def test_six_players_are_dealt_cards(host: Device, guest: Device, app: Flask, sets: list[str]) -> None:
    """Two whole cards that are known and a private objective each, none twice, and rounds of one turn."""
    host.client.post("/windows/sets", data={"set": sets})
    players = [host, guest, *(Device(app.test_client()) for _ in range(4))]
    for who, name in zip(players[2:], ("Cleo", "Dan", "Eve", "Finn"), strict=True):
        who.join(host.code, name)
    assert deal(host, **BOTH).status_code == 200
    known = {one["name"] for one in host.client.get("/windows.json").get_json()["windows"]}
    each = [who.own()["dealt"] for who in players]
    assert all({EVERY_WINDOW[name].other_side for name in one} == set(one) for one in each)
    assert [len(one) for one in each] == [4] * 6
    dealt = [name for one in each for name in one]
    assert len(set(dealt)) == 24
    assert known >= set(dealt)
    assert len({choices(who)["private"] for who in players} - {None}) == 6
    state = host.client.post(f"{host.address}/round", json={"move": "start", "seen": 0}).get_json()
    assert (state["round"]["dice"], len(state["round"]["turns"])) == (7, 6)
    page = guest.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert "One die of the draft pool and one of your own ten" in page


def test_a_fifth_player_who_comes_late_stops_no_round(host: Device, guest: Device, app: Flask) -> None:
    """A second turn that there is no more counts as the last one, and the round goes on to the next."""
    for name in ("Cleo", "Dan"):
        Device(app.test_client()).join(host.code, name)
    address, step = f"{host.address}/round", 0
    for move in ("start", *["next_turn"] * 6):
        state = host.client.post(address, json={"move": move, "seen": step}).get_json()
        step = state["round"]["step"]
    assert state["round"]["second_turn"]
    Device(app.test_client()).join(host.code, "Eve")
    assert host.client.get(f"/g/{host.code}").status_code == 200
    state = host.client.post(address, json={"move": "next_turn", "seen": step}).get_json()
    assert (state["round"]["number"], len(state["round"]["turns"])) == (2, 5)
    back = host.client.post(address, json={"move": "back", "seen": state["round"]["step"]})
    assert back.status_code == 200
