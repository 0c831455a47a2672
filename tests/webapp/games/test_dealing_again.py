"""Tool cards that were used are not dealt away without a question, and their tokens go back."""

from __future__ import annotations

import pytest

from tests.webapp.games.conftest import Device


@pytest.fixture
def used(host: Device, guest: Device) -> Device:
    """Return the host of a table at which Ann used Lathekin for 1 token, and Ben for 2."""
    host.cards(tools=["Lathekin", "Lens Cutter", "Flux Brush"])
    for device, tokens in ((host, 3), (guest, 4)):
        device.player(favor_tokens=tokens)
        own = device.own()["seat"]
        used = device.client.post(f"{device.address}/seats/{own}/tool", json={"tool": "Lathekin"})
        assert used.status_code == 200
    return host


def tokens_of(device: Device) -> int:
    """Return the favor tokens that a player has left."""
    window = device.client.get(f"/w/{device.own()['reading']}.json").get_json()
    left: int = window["choices"]["favor_tokens"]
    return left


def on_cards(device: Device) -> int:
    """Return the tokens on all tool cards."""
    return sum(tool["tokens"] for tool in device.state()["tools"])


@pytest.mark.parametrize(("path", "told"), [("/deal", {"tools": 3}), ("/cards", {"tools": ["Lens Cutter"]})])
def test_used_tools_go_only_when_somebody_says_so(
    used: Device, guest: Device, path: str, told: dict[str, object]
) -> None:
    """A deal, or a tool that is left out, is refused as a conflict until it shall be anyway."""
    send = used.client.post
    before = used.state()
    refused = send(f"{used.address}{path}", json={"revision": before["revision"], **told})
    assert refused.status_code == 409
    assert refused.get_json()["error"]["code"] == "tool_in_use"
    assert used.state() == before
    told = {"revision": before["revision"], **told, "anyway": True}
    assert send(f"{used.address}{path}", json=told).status_code == 200
    assert on_cards(used) == 0
    assert (tokens_of(used), tokens_of(guest)) == (3, 4)


def test_tools_that_stay_keep_their_tokens(used: Device, guest: Device) -> None:
    """An unused card goes without a question; tokens of somebody who is gone go back to nobody else."""
    assert used.cards(tools=["Lathekin"]).status_code == 200
    assert on_cards(used) == 3
    assert (tokens_of(used), tokens_of(guest)) == (2, 2)
    guest.client.post(f"{guest.address}/seats/2/leave", json={})
    assert used.cards(tools=[], anyway=True).status_code == 200
    assert tokens_of(used) == 3


def test_the_page_asks_before_it_deals(used: Device, guest: Device) -> None:
    """The plain form leads the host alone to a question with both answers; keeping changes nothing."""
    address = f"/g/{used.code}"
    form = {"revision": str(used.state()["revision"]), "tools": "3"}
    asked = used.client.post(f"{address}/deal", data=form)
    assert asked.status_code == 303
    page = used.client.get(asked.location).get_data(as_text=True)
    assert "Lathekin was used already." in page
    assert "Deal anew" in page
    assert "Keep the cards" in page
    assert 'id="question"' in page
    assert 'id="question"' not in guest.client.get(asked.location).get_data(as_text=True)
    assert on_cards(used) == 3
    kept = used.client.post(f"{address}/deal", data={**form, "anyway": "no"})
    assert kept.location == address
    assert on_cards(used) == 3
    assert used.client.post(f"{address}/deal", data={**form, "anyway": "yes"}).location == address
    assert on_cards(used) == 0
    assert "was used already" not in used.client.get(asked.location).get_data(as_text=True)


def test_the_page_asks_before_a_used_card_goes(used: Device) -> None:
    """The question about an unticked card knows which cards shall stay."""
    form = {"revision": str(used.state()["revision"]), "tools": ["", "Lens Cutter"]}
    asked = used.client.post(f"/g/{used.code}/cards", data=form)
    page = used.client.get(asked.location).get_data(as_text=True)
    assert "Take it away" in page
    assert '<input type="hidden" name="tools" value="Lens Cutter">' in page
    assert used.client.post(f"/g/{used.code}/cards", data={**form, "anyway": "yes"}).status_code == 303
    assert [tool["name"] for tool in used.state()["tools"]] == ["Lens Cutter"]


def test_in_a_solo_game_a_used_tool_is_asked_for_too(host: Device) -> None:
    """There no tokens lie on it, but that it was used would be forgotten."""
    host.start(solo=True)
    host.cards(tools=["Lathekin"])
    host.client.post(f"{host.address}/seats/1/tool", json={"tool": "Lathekin"})
    form = {"revision": str(host.state()["revision"]), "tools": "3"}
    asked = host.client.post(f"/g/{host.code}/deal", data=form)
    page = host.client.get(asked.location).get_data(as_text=True)
    assert ">Deal anew</button>" in page
