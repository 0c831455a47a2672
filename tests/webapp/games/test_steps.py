"""One step of the evening at a time: which one a device is in, and what leads on."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from scoring import PublicObjective
from tests.readings import table_of
from tests.webapp.conftest import RULEBOOK, SayingTable, read_table
from tests.webapp.games.conftest import THREE, Device
from vision.table import CardReading

UNIT = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def step(device: Device) -> str:
    """Return the step that a device is in, which alone is open."""
    page = device.client.get(device.address).get_data(as_text=True)
    (at,) = set(map(str, re.findall(r'data-at="(\w+)"', page)))
    assert [f"step-{at}"] == re.findall(r'class="card step" id="([\w-]+)" open', page) or at == "end"
    return at


def reveal_words(device: Device) -> str:
    """Return what stands on the button that reveals; empty without one."""
    page = device.client.get(device.address).get_data(as_text=True)
    found = re.search(r'<form class="card end".*?<button[^>]*>(.*?)</button>', page, re.DOTALL)
    return found[1].strip() if found else ""


def test_the_host_goes_from_step_to_step(host: Device, guest: Device) -> None:
    """Who plays, cards, windows, reveal follow on each other; a guest is at the own window from the start."""
    assert step(host) == "who"
    assert host.client.post(f"{host.address}/here").status_code == 303
    assert step(host) == "cards"
    host.cards(public=THREE)
    assert step(host) == "windows"
    for device in (host, guest):
        device.put(RULEBOOK)
        assert step(device) == "windows"
    host.player(private="P", ready=True)
    guest.player(private="R", ready=True)
    assert (step(host), step(guest)) == ("end", "windows")


def test_who_comes_late_still_sits_down(host: Device, app: Flask) -> None:
    """After "We are all here" the code still leads to the table; only the host may say that all are here."""
    late = Device(app.test_client())
    assert host.client.post(f"{host.address}/here").status_code == 303
    late.join(host.code, "Cleo")
    assert [one["name"] for one in host.state()["players"]] == ["Ann", "Cleo"]
    assert late.client.post(f"{late.address}/here").status_code == 403


@pytest.mark.parametrize(
    ("boards", "words"),
    [({}, "Reveal without Ben"), ({"Ben": RULEBOOK}, "Reveal without waiting for Ben")],
)
def test_who_keeps_the_others_waiting_is_named(
    host: Device, guest: Device, boards: dict[str, str], words: str
) -> None:
    """One tap reveals without a guest who sends nothing, or is not ready, as soon as the host is."""
    host.cards(public=THREE)
    assert reveal_words(host) == ""
    host.put(RULEBOOK)
    for board in boards.values():
        guest.put(board)
    assert reveal_words(host) == ""  # the host's own window comes first
    host.player(private="P", ready=True)
    assert reveal_words(host) == words
    assert reveal_words(guest) == ""
    assert host.client.post(f"{host.address}/reveal", data={"anyway": "yes"}).status_code == 303
    assert host.state()["stage"] == "revealed"


def test_a_solo_game_has_steps_of_its_own(app: Flask) -> None:
    """Cards, window, round track and result: nobody is waited for, and the words are those of one player."""
    zoe = Device(app.test_client())
    zoe.start("Zoe", solo=True)
    assert step(zoe) == "cards"
    zoe.cards(public=THREE[:2])
    assert step(zoe) == "windows"
    zoe.put(RULEBOOK)
    zoe.player(private="P", ready=True)
    assert step(zoe) == "track"
    zoe.cards(target=20, second_private="R")
    assert step(zoe) == "end"
    assert reveal_words(zoe) == "Show the result"


def test_a_photo_puts_the_cards_on_the_table(host: Device, table_reader: SayingTable) -> None:
    """A photo of the cards alone leads back to the table; a doubtful card and a choice are left alone."""
    sure = [CardReading(name, 0.99, doubtful=False, corners=UNIT) for name in THREE[:2]]
    doubtful = CardReading(THREE[2], 0.6, doubtful=True, corners=UNIT)
    table_reader.answer = table_of(cards=(*sure, doubtful))
    photo = read_table(host.client, "seats", host.code)
    assert host.client.get(f"/t/{photo['id']}").location == host.address
    assert set(host.state()["public"]) == set(THREE[:2])
    other = next(card for card in PublicObjective if card.value not in THREE)
    host.cards(public=[other.value])
    read_table(host.client, "seats", host.code)
    assert host.state()["public"] == [other.value]
