"""The pictures of the players' windows beside each other on the page of the reveal."""

from __future__ import annotations

import cv2
import numpy as np
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
    assert page.count("data-png=") == 3  # the window that won is there large, too


def test_before_the_reveal_and_without_a_player_there_is_no_picture(app: Flask) -> None:
    """The address answers alike for a hidden window and for a seat that nobody has."""
    host, guest = table_of_two(app)
    hidden = guest.client.get(f"/g/{host.code}/windows/{host.own()['seat']}.svg")
    nobody = guest.client.get(f"/g/{host.code}/windows/99.svg")
    assert (hidden.status_code, nobody.status_code) == (404, 404)
    assert "svg" not in (hidden.mimetype or "")
    assert "svg" not in (nobody.mimetype or "")


def test_after_the_reveal_everybody_gets_the_window_out_of_its_photo(app: Flask) -> None:
    """It is laid flat, comes without the id of the window, and the page and the JSON lead to it."""
    host, guest = table_of_two(app)
    assert host.photo().status_code == 201
    address = f"/g/{host.code}/windows/{host.own()['seat']}/photo.jpg"
    assert guest.client.get(address).status_code == 404
    assert host.client.get(address).status_code == 404
    host.reveal(anyway=True)
    answer = guest.client.get(address)
    assert answer.mimetype == "image/jpeg"
    image = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape[:2] == (564, 684)
    assert host.own()["reading"] not in str(answer.headers)
    page = guest.client.get(f"/g/{host.code}/reveal").get_data(as_text=True)
    assert address in page
    assert host.own()["reading"] not in page
    photos = {one["name"]: one["photo"] for one in guest.state()["result"]["standings"]}
    assert photos == {"Ann": address, "Ben": None}
    assert page.count("/photo.jpg") == page.count(address)
    assert guest.client.get(address.replace("/1/", "/2/")).status_code == 404  # who has none by hand
