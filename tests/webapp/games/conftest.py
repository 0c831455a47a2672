"""Devices that sit at a table: each is a client of its own, with its own cookies."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import plain_photo

THREE = ["Row Color Variety", "Light Shades", "Color Diagonals"]


@dataclass
class Device:
    """A phone or laptop at the table."""

    client: FlaskClient
    code: str = ""

    @property
    def address(self) -> str:
        """The address of the game in the JSON interface."""
        return f"/g/{self.code}"

    def start(self, name: str = "Ann", *, solo: bool = False) -> dict[str, Any]:
        """Start a game."""
        state = self.client.post("/games", json={"name": name, "solo": solo}).get_json()
        self.code = state["code"]
        return dict(state)

    def join(self, code: str, name: str) -> dict[str, Any]:
        """Sit down at a table."""
        self.code = code
        answer = self.client.post(f"{self.address}/join", json={"name": name})
        assert answer.status_code == 201, answer.get_data(as_text=True)
        return dict(answer.get_json())

    def state(self) -> dict[str, Any]:
        """Return what this device sees."""
        return dict(self.client.get(self.address + ".json").get_json())

    def own(self) -> dict[str, Any]:
        """Return the newest seat of this device."""
        return next(one for one in reversed(self.state()["players"]) if one["own"])

    def cards(self, **told: Any) -> Any:  # noqa: ANN401
        """Put cards on the table."""
        return self.client.post(f"{self.address}/cards", json={"revision": self.state()["revision"], **told})

    def player(self, **told: Any) -> Any:  # noqa: ANN401
        """Change the own seat."""
        return self.client.post(f"{self.address}/seats/{self.own()['seat']}", json=told)

    def photo(self) -> Any:  # noqa: ANN401
        """Take the photo of the own window."""
        data = {"photo": (BytesIO(plain_photo()), "a.jpg")}
        return self.client.post(f"{self.address}/seats/{self.own()['seat']}/photo.json", data=data)

    def put(self, board: str) -> None:
        """Enter the dice of the own window by hand."""
        record = self.client.get(f"/w/{self.own()['reading']}.json").get_json()
        cells = [die for row in board.split("/") for die in row.split()]
        names = [row + column for row in "ABCD" for column in "12345"]
        change = {"revision": record["revision"], "cells": dict(zip(names, cells, strict=True))}
        answer = self.client.post(f"/w/{record['id']}", json=change)
        assert answer.status_code == 200, answer.get_data(as_text=True)

    def reveal(self, *, anyway: bool = False) -> Any:  # noqa: ANN401
        """Reveal all windows."""
        return self.client.post(f"{self.address}/reveal", json={"anyway": anyway})


@pytest.fixture
def host(app: Flask) -> Device:
    """Return the device of a host who started a game as Ann."""
    device = Device(app.test_client())
    device.start()
    return device


@pytest.fixture
def guest(app: Flask, host: Device) -> Device:
    """Return the device of Ben, who joined."""
    device = Device(app.test_client())
    device.join(host.code, "Ben")
    return device


@pytest.fixture
def stranger(app: Flask, host: Device) -> Device:
    """Return a device that only knows the code."""
    return Device(app.test_client(), host.code)
