"""Seats without a window at the reveal, and two players with one and the same window."""

from __future__ import annotations

import re

from flask import Flask

from tests.webapp.conftest import RULEBOOK, SayingReader
from tests.webapp.games.conftest import THREE, Device
from tests.webapp.games.test_playing import EQUAL

SAME = "same window as another player"
QUESTION = "Another player of this game sent this very window. Is it yours?"


def page(device: Device, path: str = "") -> str:
    """Return a page of the game."""
    text: str = device.client.get(f"/g/{device.code}{path}").get_data(as_text=True)
    return text


def told(device: Device) -> dict[str, bool]:
    """Return at which players a device hears of the same window."""
    return {one["name"]: one["same_window"] for one in device.state()["players"]}


def test_a_missing_player_has_no_points(host: Device, guest: Device) -> None:
    """Without a window there is a dash and no praise; with dice the page names the missing objective."""
    host.cards(public=THREE)
    host.put(RULEBOOK)
    host.player(private="P", favor_tokens=3)
    host.reveal(anyway=True)
    revealed = page(host, "/reveal")
    assert 'no-window">No window<' in revealed
    assert "−20" not in revealed
    assert "No dice yet." not in revealed
    assert "because the private objective is not chosen" not in revealed
    assert len(re.findall(r'data-total="-?\d+"', revealed)) == 1
    result = host.state()["result"]
    assert (result["unranked"], result["without_window"]) == (["Ben"], ["Ben"])
    guest.put(EQUAL)
    assert "because the private objective is not chosen: Ben" in page(host, "/reveal")
    assert host.state()["result"]["without_window"] == []


def test_one_photo_at_two_players_is_told(host: Device, guest: Device, app: Flask) -> None:
    """The host sees it at both seats, who came later is asked, and others learn nothing before the reveal."""
    other = Device(app.test_client())
    other.join(host.code, "Cleo")
    guest.photo()
    assert QUESTION not in page(guest)
    other.photo()
    other.put(EQUAL)  # whatever is put right in it, it is the same photo
    assert QUESTION in page(other)
    assert page(host).count(SAME) == 2
    assert SAME not in page(other)
    assert told(host) == {"Ann": False, "Ben": True, "Cleo": True}
    assert told(other)["Cleo"]
    assert not told(other)["Ben"]
    assert told(Device(app.test_client(), host.code)) == {"Ann": False, "Ben": False, "Cleo": False}


def test_two_windows_in_one_photo_are_two(host: Device, guest: Device, reader: SayingReader) -> None:
    """Who reads another place of the same photo has another window."""
    host.photo()
    corners = {"corners": [[200, 200], [700, 200], [700, 500], [200, 500]]}
    guest.photo()
    guest.client.post(f"/w/{guest.own()['reading']}/corners", json=corners)
    guest.put(EQUAL)
    assert told(host) == {"Ann": False, "Ben": False}


def test_the_reveal_names_who_has_the_same_dice(host: Device, guest: Device) -> None:
    """Eight dice or more that lie alike are no chance, with few it may be; all see the remark."""
    host.cards(public=THREE)
    few = "R1 B2 " + "-- " * 3 + "/ " + " / ".join(["-- -- -- -- --"] * 3)
    host.put(few)
    guest.put(few)
    assert told(host) == {"Ann": False, "Ben": False}
    host.put(EQUAL)
    guest.put(EQUAL)
    assert told(host) == {"Ann": True, "Ben": True}
    host.reveal(anyway=True)
    remark = "These players have the same photo or the same dice: Ann, Ben. Whose window is it?"
    assert remark in page(guest, "/reveal")
    assert "same_window" in [one["code"] for one in guest.state()["result"]["notices"]]
