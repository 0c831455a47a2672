"""The pictures of the players' windows beside each other on the page of the reveal."""

from __future__ import annotations

from flask import Flask

from tests.webapp.conftest import RULEBOOK
from tests.webapp.games.conftest import THREE, Device


def table_of_two(app: Flask) -> tuple[Device, Device]:
    """Seat Ann and Ben; Ann has the window of the rulebook, and both are ready."""
    host, guest = Device(app.test_client()), Device(app.test_client())
    host.start("Ann")
    guest.join(host.code, "Ben")
    host.cards(public=THREE)
    host.put(RULEBOOK)
    for device in (host, guest):
        device.player(private="P", ready=True)
    return host, guest


def test_after_the_reveal_everybody_gets_every_picture(app: Flask) -> None:
    """A picture shows name and dice of its player to the others, and its file is named after the player."""
    host, guest = table_of_two(app)
    assert host.reveal().status_code == 200
    picture = guest.client.get(f"/g/{host.code}/windows/{host.own()['seat']}.svg")
    assert picture.mimetype == "image/svg+xml"
    assert "Ann" in picture.get_data(as_text=True)
    assert "sagrada-ann" in picture.headers["Content-Disposition"].lower()
    page = guest.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert page.count("data-png=") == 2


def test_before_the_reveal_and_without_a_player_there_is_no_picture(app: Flask) -> None:
    """The address answers alike for a hidden window and for a seat that nobody has."""
    host, guest = table_of_two(app)
    hidden = guest.client.get(f"/g/{host.code}/windows/{host.own()['seat']}.svg")
    nobody = guest.client.get(f"/g/{host.code}/windows/99.svg")
    assert (hidden.status_code, nobody.status_code) == (404, 404)
    assert "svg" not in (hidden.mimetype or "")
    assert "svg" not in (nobody.mimetype or "")
