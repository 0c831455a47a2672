from __future__ import annotations

import pytest
from flask import Flask

from tests.readings import reading_of
from tests.webapp.conftest import NOT_FOUND, RULEBOOK, SayingReader
from tests.webapp.games.conftest import THREE, Device

EQUAL = "R1 B2 R1 B2 R1 / B2 R1 B2 R1 B2 / R1 B2 R1 B2 R1 / B2 R1 B2 R1 B2"


def ready_table(host: Device, guest: Device) -> None:
    """Put cards on the table and let both be ready."""
    host.cards(public=THREE)
    host.put(RULEBOOK)
    guest.put(EQUAL)
    host.player(private="P", favor_tokens=3, ready=True)
    guest.player(private="R", favor_tokens=1, ready=True)


def test_the_table_says_how_far_everybody_is(host: Device, guest: Device, reader: SayingReader) -> None:
    """Words tell how far each window is, to ready, for which a private objective has to be chosen."""
    table = f"/g/{host.code}"
    assert "no window yet" in host.client.get(table).get_data(as_text=True)
    guest.photo()
    assert "1 space to look at" in host.client.get(table).get_data(as_text=True)
    assert guest.player(ready=True).get_json()["error"]["code"] == "private_missing"
    guest.put(RULEBOOK.replace("Y5", "Y4"))
    guest.player(private="R", ready=True)
    page = host.client.get(table).get_data(as_text=True)
    assert 'window added · <b class="is-done">ready</b>' in page
    reader.answer = NOT_FOUND
    guest.photo()
    assert "photo could not be read" in host.client.get(table).get_data(as_text=True)


def test_the_tables_objectives_are_in_every_window(host: Device, guest: Device, app: Flask) -> None:
    """What the host chooses counts for all, also for latecomers; the page of a window cannot change it."""
    host.cards(public=THREE)
    late = Device(app.test_client())
    late.join(host.code, "Cleo")
    for who in (host, guest, late):
        record = who.client.get(f"/w/{who.own()['reading']}.json").get_json()
        assert record["choices"]["public"] == THREE
        change = {"revision": record["revision"], "public": []}
        answer = who.client.post(f"/w/{record['id']}", json=change)
        assert answer.get_json()["error"]["code"] == "table_decides"
    form = {"revision": "1", "favor_tokens": "2", "private": "P", "board": RULEBOOK}
    assert guest.client.post(f"/w/{guest.own()['reading']}", data=form).status_code == 303
    record = guest.client.get(f"/w/{guest.own()['reading']}.json").get_json()
    assert record["choices"]["public"] == THREE
    assert record["board"] == RULEBOOK


def test_points_of_another_card_are_counted_by_the_players(host: Device, guest: Device) -> None:
    """It stands for a public objective, each player tells its points, and only then are all counted."""
    ready_table(host, guest)
    assert host.cards(other_card=True).get_json()["error"]["code"] == "too_many_objectives"
    assert host.cards(public=THREE[:2], other_card=True).get_json()["missing_objectives"] == 0
    place = f"/w/{guest.own()['reading']}"
    before = guest.client.get(f"{place}.json").get_json()
    assert "the points of the other card" in guest.client.get(place).get_data(as_text=True)
    assert {one["ready"] for one in host.state()["players"]} == {False}
    assert guest.player(ready=True).get_json()["error"]["code"] == "other_points_missing"
    told = guest.client.post(place, json={"revision": before["revision"], "other_points": 7}).get_json()
    assert told["total"] == before["total"] + 7
    assert "the points of the other card" not in guest.client.get(place).get_data(as_text=True)
    assert guest.player(ready=True).get_json()["players"][1]["ready"]
    host.reveal(anyway=True)
    for page in (f"/g/{host.code}/reveal", "/history", place):
        assert ">Other cards<" in guest.client.get(page).get_data(as_text=True)
    for nothing, status in (("100", 400), ("-1", 400), ("", 303)):
        sent = guest.client.post(place, data={"revision": told["revision"], "other_points": nothing})
        assert sent.status_code == status
    assert guest.client.get(f"{place}.json").get_json()["total"] == before["total"]


def test_a_table_asks_for_the_points_of_another_card_before_somebody_is_ready(
    host: Device, guest: Device
) -> None:
    """It tells guests of that card, which counts as chosen, and offers no readiness without its points."""
    host.cards(public=[], other_card=True)
    guest.put(RULEBOOK)
    guest.player(private="R")
    table, place = f"/g/{host.code}", f"/w/{guest.own()['reading']}"
    page = guest.client.get(table).get_data(as_text=True)
    assert "Another card (promo, expansion or your own)" in page
    assert "Missing: the points of the other card" in page
    assert "I am ready" not in page
    assert "1 of 3 chosen" in guest.client.get(place).get_data(as_text=True)
    revision = guest.client.get(f"{place}.json").get_json()["revision"]
    guest.client.post(place, json={"revision": revision, "other_points": 0})
    page = guest.client.get(table).get_data(as_text=True)
    assert "the points of the other card" not in page
    assert "I am ready" in page


def test_a_note_is_kept_with_the_game(host: Device, guest: Device) -> None:
    """The host writes it, before or after the reveal; the others and the history show it, as it was typed."""
    ready_table(host, guest)
    host.reveal()
    assert guest.client.post(f"{guest.address}/note", json={"note": "mine"}).status_code == 403
    assert host.client.post(f"{host.address}/note", json={"note": " Rain, <b>tea</b>. "}).status_code == 200
    for page in (f"/g/{host.code}/reveal", "/history"):
        assert "Rain, &lt;b&gt;tea&lt;/b&gt;." in guest.client.get(page).get_data(as_text=True)
    assert guest.state()["note"] == "Rain, <b>tea</b>."
    told = guest.client.get(f"/g/{host.code}/export.json").get_json()
    assert told["games"][0]["note"] == "Rain, <b>tea</b>."
    longest = "x" * 490 + "\n" * 9 + "y"  # in a browser, which sends two characters for the end of a line
    host.client.post(f"{host.address}/note", data={"note": longest.replace("\n", "\r\n")})
    assert host.state()["note"] == longest
    host.client.post(f"{host.address}/note", json={"note": "a\x00b\u202e\r\n\x1b[1mc\n"})
    assert host.state()["note"] == "ab\n[1mc"


def test_a_tool_costs_one_token_and_then_two(host: Device, guest: Device) -> None:
    """The tokens go from the player's own to the card, and come back when the use is taken back."""
    host.cards(tools=["Lathekin"])
    host.player(favor_tokens=3)
    guest.player(favor_tokens=1)
    use = {"json": {"tool": "Lathekin"}}
    assert host.client.post(f"{host.address}/seats/1/tool", **use).get_json()["tools"][0]["tokens"] == 1
    refused = guest.client.post(f"{host.address}/seats/2/tool", **use)
    assert refused.get_json()["error"]["code"] == "no_tokens"
    assert host.client.post(f"{host.address}/seats/1/tool", **use).get_json()["tools"][0]["tokens"] == 3
    record = host.client.get(f"/w/{host.own()['reading']}.json").get_json()
    assert record["choices"]["favor_tokens"] == 0
    host.client.post(f"{host.address}/seats/1/tool", json={})
    record = host.client.get(f"/w/{host.own()['reading']}.json").get_json()
    assert record["choices"]["favor_tokens"] == 2
    assert host.state()["tools"] == [{"name": "Lathekin", "tokens": 1, "cost": 2, "used_up": False}]


def test_tokens_in_a_photo_count_at_a_table_without_tools(host: Device, reader: SayingReader) -> None:
    """Where uses of tools are noted, what they cost says what is left, not the photo."""
    reader.answer = reading_of(window="Batllo", tokens=2)
    host.photo()
    assert host.client.get(f"/w/{host.own()['reading']}.json").get_json()["choices"]["favor_tokens"] == 2
    host.cards(tools=["Lathekin"])
    assert host.client.get(f"/w/{host.own()['reading']}.json").get_json()["choices"]["favor_tokens"] == 5


def test_two_tabs_do_not_undo_each_other(host: Device, guest: Device) -> None:
    """A tab that shows old cards or tokens cannot undo a newer choice; it may change something else."""
    old = host.state()["revision"]
    assert host.cards(public=THREE).status_code == 200
    form = {"revision": old, "public": ["Deep Shades"]}
    answer = host.client.post(f"/g/{host.code}/cards", data=form)
    assert answer.status_code == 409
    assert "Back to the table" in answer.get_data(as_text=True)
    assert host.state()["public"] == THREE
    other = host.client.post(f"{host.address}/cards", json={"revision": old, "tools": ["Lathekin"]})
    assert other.status_code == 200
    old = host.client.get(f"/w/{host.own()['reading']}.json").get_json()["revision"]
    host.player(favor_tokens=3)
    form = {"favor_tokens": "5", "window_revision": str(old)}
    assert host.client.post(f"/g/{host.code}/seats/1", data=form).status_code == 409


def test_an_unchanged_table_is_not_sent_again(host: Device, guest: Device) -> None:
    """Who names the state it has seen gets a 304; a die looked at by somebody else changes the state."""
    guest.photo()
    first = host.client.get(host.address + ".json")
    mark = {"If-None-Match": first.headers["ETag"]}
    assert host.client.get(host.address + ".json", headers=mark).status_code == 304
    guest.put(RULEBOOK.replace("Y5", "Y4"))
    assert host.client.get(host.address + ".json", headers=mark).status_code == 200


def test_the_reveal_without_everybody_is_asked_for_twice(host: Device, guest: Device) -> None:
    """While somebody is not ready the plain form is refused, until the host says so."""
    host.cards(public=THREE)
    refused = host.client.post(f"/g/{host.code}/reveal")
    assert refused.status_code == 400
    assert "Not everybody is ready." in refused.get_data(as_text=True)
    answer = host.client.post(f"/g/{host.code}/reveal", data={"anyway": "yes"}, follow_redirects=True)
    page = answer.get_data(as_text=True)
    assert "Nobody can be ranked yet" in page
    assert page.count('no-window">No window<') == 2


def test_the_reveal_shows_everybody_with_points_and_places(host: Device, guest: Device) -> None:
    """All boards stand side by side, best first; a sentence says who won, and a correction still counts."""
    ready_table(host, guest)
    host.reveal()
    told = guest.state()["result"]
    page = guest.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert told["message"] in page
    assert page.count('class="shown-window"') == 2
    for player in told["standings"]:
        assert f'data-total="{player["total"]}"' in page
    first = told["standings"][0]["name"]
    assert page.index(f">{first}</h2>") < page.index(">Ben</h2>" if first == "Ann" else ">Ann</h2>")
    before = total_of(guest, "Ben")
    guest.put(EQUAL.replace("R1 B2 R1 B2 R1 /", "R1 B2 R1 B2 -- /", 1))  # the own window put right
    after = total_of(guest, "Ben")
    assert after < before
    page = host.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert f'data-total="{after}"' in page


@pytest.mark.parametrize(("order", "winner"), [([1, 2], "Ann"), ([2, 1], "Ben")])
def test_the_last_tie_is_decided_by_the_order_of_turns(
    host: Device, guest: Device, order: list[int], winner: str
) -> None:
    """Equal in everything, whose first turn in round 10 came later wins; unknown, they share the place.

    With two players who began round 1 does not begin round 10, and so comes later.
    """
    host.cards(public=THREE)
    for who in (host, guest):
        who.put(EQUAL)
        who.player(private="R", favor_tokens=1, ready=True)
    host.reveal()
    assert "The first place is shared" in guest.state()["result"]["message"]
    assert "Who began round 1?" in host.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
    answer = host.client.post(
        f"{host.address}/order",
        json={"revision": host.state()["revision"], "seats": order, "known": True},
    )
    standings = answer.get_json()["result"]
    assert standings["winners"] == [winner]
    assert standings["decisions"][0]["decided_by"] == "last_round"
    page = guest.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert standings["decisions"][0]["message"] in page


def total_of(who: Device, name: str) -> int:
    """Return a player's points after the reveal."""
    return next(int(one["total"]) for one in who.state()["result"]["standings"] if one["name"] == name)


def test_a_solo_game_is_measured_against_its_target(app: Flask) -> None:
    """Alone, the better of two private objectives counts, an empty space costs 3, and the target decides."""
    alone = Device(app.test_client())
    alone.start("Ann", solo=True)
    alone.put(RULEBOOK)
    assert alone.cards(public=THREE).get_json()["error"]["code"] == "too_many_objectives"
    assert alone.cards(public=THREE[:2], target=20, second_private="Y").status_code == 200
    alone.player(private="P", ready=True)
    told = alone.reveal().get_json()["result"]
    (alone_there,) = told["standings"]
    assert alone_there["solo"]["target"] == 20
    lines = {line["name"]: line["points"] for line in alone_there["lines"]}
    assert lines["Empty cells"] == -9
    assert "Favor tokens" not in lines
    assert lines["Shades of Purple"] == 17
    page = alone.client.get(f"/g/{alone.code}/reveal").get_data(as_text=True)
    assert alone_there["solo"]["message"] in page
    state = alone.client.get(f"/w/{alone.own()['reading']}.json").get_json()
    assert state["total"] == alone_there["total"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/cards", {"revision": 1, "public": "Light Shades"}),
        ("/cards", {"revision": 1, "public": ["No Such Card"]}),
        ("/cards", {"revision": "1", "tools": []}),
        ("/cards", {"revision": 1, "target": 5}),
        ("/seats/1", {"private": "X"}),
        ("/seats/1", {"favor_tokens": 7}),
        ("/seats/1", {"ready": "yes"}),
        ("/seats/1", {"name": 5}),
        ("/seats/1/tool", {"tool": "Hammer"}),
        ("/seats/1/tool", {"tool": "Lathekin"}),
        ("/deal", {"revision": 1, "tools": 4}),
        ("/order", {"revision": 1, "seats": "12"}),
        ("/reveal", {"anyway": 1}),
    ],
)
def test_requests_that_make_no_sense_are_refused(host: Device, path: str, told: dict[str, object]) -> None:
    """What a program says wrongly is answered in the one error shape and changes nothing."""
    before = host.state()
    answer = host.client.post(host.address + path, json=told)
    assert answer.status_code == 400
    assert set(answer.get_json()["error"]) - {"data"} == {"code", "message", "next_step"}
    assert host.state() == before
