"""Players are remembered: name, color, and a picture if they like."""

from __future__ import annotations

import re
import struct
import zlib
from io import BytesIO

import cv2
import numpy as np
import pytest
from flask import Flask
from PIL import Image

from scoring import Color
from tests.webapp.games.conftest import Device
from webapp.domain.errors import NotFoundError
from webapp.domain.games.game import Player, player_id
from webapp.services.players import MOST_OFFERED, MOST_PICTURE_BYTES, PICTURE_PX
from webapp.storage.database import Database
from webapp.storage.players import PlayerStore


@pytest.fixture
def host(app: Flask) -> Device:
    """Return the device of Ann, who started a game."""
    device = Device(app.test_client())
    device.start()
    return device


def picture(width: int = 900, height: int = 600, **saved: object) -> bytes:
    """Return a photo full of noise, the hardest to make small, with a white bar at the left edge."""
    image = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
    image[:, : width // 8] = 255
    out = BytesIO()
    Image.fromarray(image).save(out, "JPEG", **saved)
    return out.getvalue()


def put(device: Device, content: bytes, seat: int = 1) -> int:
    """Send a picture for a seat, and return the status of the answer."""
    data = {"photo": (BytesIO(content), "me.jpg")}
    answer = device.client.post(f"{device.address}/seats/{seat}/picture.json", data=data)
    return int(answer.status_code)


def remembered(device: Device) -> list[str]:
    """Return the names of those who are remembered."""
    page = device.client.get("/").get_data(as_text=True)
    return re.findall(r'<option value="([^"]+)"', page.partition('id="known-names"')[2])


def test_names_that_people_take_for_the_same_are_one_player(database: Database) -> None:
    """A player is found by the name however it is written, and is called as it was typed last."""
    store = PlayerStore(database)
    store.remember("ann")
    store.put_color("Ann", Color.BLUE)
    store.put_picture("ANN", b"jpeg")
    store.remember("Ben")
    store.remember("Ann")
    ann, ben = store.all()
    assert (ann.name, ann.color, store.picture(ann.id)) == ("Ann", Color.BLUE, b"jpeg")
    assert ben == Player("Ben")
    store.put_color("ann", None)
    store.put_picture("ann", None)
    assert store.all()[0] == Player("Ann")
    with pytest.raises(NotFoundError):
        store.picture(ann.id)
    store.remember("\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 30)  # many letters when compared
    assert len(store.all()) == 3


def test_whoever_sits_down_is_offered_at_the_next_game(app: Flask, host: Device) -> None:
    """Names of earlier players are offered on the start page and to who joins, without those seated."""
    host.client.post(f"{host.address}/join", json={"name": "Ben"})
    other = Device(app.test_client())
    other.start("Ann")
    start = other.client.get("/").get_data(as_text=True)
    assert '<option value="Ann">' in start
    assert '<option value="Ben">' in start
    join = app.test_client().get(f"/g/{other.code}").get_data(as_text=True)
    assert '<option value="Ben">' in join
    assert '<option value="Ann">' not in join
    assert '<option value="Ben">' in other.client.get(f"/g/{other.code}").get_data(as_text=True)


def test_only_the_names_of_the_last_players_are_offered(app: Flask, host: Device) -> None:
    """Of many players those seen last are offered."""
    for number in range(MOST_OFFERED):
        Device(app.test_client()).start(f"P{number}")
    page = host.client.get("/").get_data(as_text=True)
    assert page.count("<option value=") == MOST_OFFERED
    assert '<option value="Ann">' not in page


def test_the_look_comes_along_to_the_next_game(app: Flask, host: Device) -> None:
    """Color and picture stand at the seat of the same name in the next game, on every device."""
    assert host.player(color="G").status_code == 200
    assert put(host, picture()) == 200
    other = Device(app.test_client())
    other.start("ANN")
    (seat,) = Device(app.test_client(), other.code).state()["players"]
    assert seat["color"] == "G"
    shown = app.test_client().get(seat["picture"])
    assert shown.mimetype == "image/jpeg"
    assert seat["picture"] in other.client.get(f"/g/{other.code}").get_data(as_text=True)


def test_the_avatar_is_the_initial_on_the_color(host: Device) -> None:
    """Without a picture a pane of the color with the initial stands beside the name, and is not read out."""
    page = host.client.get(f"/g/{host.code}").get_data(as_text=True)
    assert 'class="avatar-glass tag-0"' in page
    sent = host.client.post(f"/g/{host.code}/seats/1", data={"color": "P"}, follow_redirects=True)
    page = sent.get_data(as_text=True)
    assert 'class="avatar-glass tag-P"' in page
    assert '<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true">' in page
    assert ">A</text></svg>" in page
    host.client.post(f"/g/{host.code}/seats/1", data={"color": ""})
    assert host.own()["color"] is None


def test_a_picture_is_made_small_and_square(host: Device) -> None:
    """What is kept is the middle of the photo, small, and without place and time of the file."""
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    assert put(host, picture(exif=exif)) == 200
    content = host.client.get(host.own()["picture"]).data
    assert b"taken at home" not in content
    assert len(content) <= MOST_PICTURE_BYTES
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (PICTURE_PX, PICTURE_PX, 3)
    assert image[:, :20].mean() < 200  # the bar at the edge is cut off


def too_many_pixels() -> bytes:
    """Return a small file that would unpack to a huge picture."""
    out = BytesIO()
    Image.new("1", (60, 60)).save(out, "PNG")
    png = bytearray(out.getvalue())
    png[16:24] = struct.pack(">II", 60_000, 60_000)
    png[29:33] = struct.pack(">I", zlib.crc32(png[12:29]))
    return bytes(png)


@pytest.mark.parametrize(
    "content", [b"no photo", b"\xff\xd8\xff" + b"x" * 500, picture()[:3000], too_many_pixels()]
)
def test_what_is_no_picture_is_refused(host: Device, content: bytes) -> None:
    """A file that does not open, or is too large, is told by page and interface; the picture before stays."""
    put(host, picture())
    before = host.client.get(host.own()["picture"]).data
    assert put(host, content) == 422
    form = {"photo": (BytesIO(content), "me.jpg")}
    answer = host.client.post(f"/g/{host.code}/seats/1/picture", data=form)
    assert answer.status_code == 422
    assert host.client.get(host.own()["picture"]).data == before


def test_only_the_own_device_changes_how_a_player_looks(app: Flask, host: Device) -> None:
    """Neither another player nor the host changes how somebody else looks, or has them forgotten."""
    guest = Device(app.test_client())
    guest.join(host.code, "Ben")
    for device, seat in ((guest, 1), (host, 2)):
        address = f"{device.address}/seats/{seat}"
        assert device.client.post(address, json={"color": "R"}).status_code == 403
        assert put(device, picture(), seat) == 403
        assert device.client.post(f"{address}/picture/away").status_code == 403
        assert device.client.post(f"{address}/forget").status_code == 403
    assert [one["color"] for one in host.state()["players"]] == [None, None]
    assert remembered(host) == ["Ben", "Ann"]


def test_forgetting_takes_everything_but_the_seat(app: Flask, host: Device) -> None:
    """The picture alone can be taken away; after *Forget me* all is gone and the seat is still there."""
    host.player(color="G", name="Anna")
    put(host, picture())
    host.client.post(f"/g/{host.code}/seats/1/picture/away")
    assert (host.own()["color"], host.own()["picture"]) == ("G", None)
    assert remembered(host) == ["Anna", "Ann"]  # as each was typed
    put(host, picture())
    address = host.own()["picture"]
    answer = host.client.post(f"/g/{host.code}/seats/1/forget", follow_redirects=True)
    assert answer.status_code == 200
    assert host.client.get(address).status_code == 404
    assert (host.own()["color"], host.own()["picture"], host.own()["name"]) == (None, None, "Anna")
    assert "Anna" not in remembered(host)
    assert '<option value="Anna">' not in app.test_client().get("/").get_data(as_text=True)


def test_a_player_is_not_found_by_the_name_alone(app: Flask) -> None:
    """Where nobody has a picture there is none, whatever the address."""
    for wrong in (player_id("Nobody"), "x", "a" * 500):
        assert app.test_client().get(f"/players/{wrong}/picture.jpg").status_code == 404
