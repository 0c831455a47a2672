"""What hostile guests, a wrong clock and a read-only folder do: ``python -m benchmarks.hostile_guest``.

Each attack runs against ``sagrada serve`` on a folder that goes afterwards, and is told with what came of it.
Names with scripts in them are looked for in all that shows them, forty devices guess codes, the clock is set
by 400 days, there and back, and the folder is made read-only (as root, with a disk of its own). It takes two
minutes. That nobody is told a private objective is held by ``tests/webapp/games/test_secrets.py``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.crowd import SAMPLE, form, ours, serving

BOARD = "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
THREE = ["Row Color Variety", "Light Shades", "Color Diagonals"]
NAMES = ("<script>x</script>", '"><img src=x onerror=y>', "=HYPERLINK(1)", "{{ 7*7 }}", "\u202egnol")
RAW = ("<script>x", "<img src=x", ">49<", "\n=HYPERLINK", ",=HYPERLINK", "\x1b[")
GUESSERS, GUESSES = 40, 30
DAY_S = 86_400
MOUNT, UNMOUNT = (shutil.which(name) or name for name in ("mount", "umount"))
CLOCK = """
import datetime, pathlib, sys, time
real, real_now = time.time, datetime.datetime.now
ahead = lambda: float(pathlib.Path({file!r}).read_text())
class Set(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return real_now(tz) + datetime.timedelta(seconds=ahead())
time.time, datetime.datetime = lambda: real() + ahead(), Set
"""


class Device:
    """A browser with an address of its own and what it was given to keep."""

    def __init__(self, port: int, address: str = "127.0.7.1") -> None:
        self._port, self._address = port, address
        self._cookies: dict[str, str] = {}

    def ask(
        self, method: str, path: str, told: object = None, kind: str = "application/json"
    ) -> tuple[int, str]:
        """Return status and text of an answer: a page where that is the ``kind``, else JSON."""
        line = HTTPConnection("127.0.0.1", self._port, timeout=60, source_address=(self._address, 0))
        body = told if isinstance(told, bytes | None) else json.dumps(told).encode()
        accept = "text/html" if kind == "text/html" else "application/json"
        headers = {"Host": "localhost", "Content-Type": kind, "Accept": accept}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        line.request(method, path, body, headers)
        answer = line.getresponse()
        for given in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = given.split(";")[0].partition("=")
            self._cookies[name] = value
        text = answer.read().decode("utf-8", "replace")
        line.close()
        return answer.status, text

    def made(self, path: str, told: Any) -> Any:  # noqa: ANN401
        """Send something, and return the JSON of the answer."""
        status, text = self.ask("POST", path, told)
        if status >= 400:
            raise RuntimeError(f"{path}: {status} {text}")
        return json.loads(text) if text else None


def evening(port: int, names: tuple[str, str]) -> tuple[Device, str, dict[str, str]]:
    """Play until both are ready; return the host, the code, and what an address may have in its gaps."""
    host, guest = Device(port), Device(port, "127.0.7.2")
    code = host.made("/games", {"name": names[0]})["code"]
    guest.made(f"/g/{code}/join", {"name": names[1]})
    revision = json.loads(host.ask("GET", f"/g/{code}.json")[1])["revision"]
    host.made(f"/g/{code}/cards", {"revision": revision, "public": THREE})
    places = {"code": code, "number": "2"}
    for device, seat in ((host, 1), (guest, 2)):
        reading = json.loads(device.ask("GET", f"/g/{code}.json")[1])["players"][seat - 1]["reading"]
        newest = json.loads(device.ask("GET", f"/w/{reading}.json")[1])["revision"]
        cells = [die for row in BOARD.split("/") for die in row.split()]
        spaces = [row + column for row in "ABCD" for column in "12345"]
        device.made(f"/w/{reading}", {"revision": newest, "cells": dict(zip(spaces, cells, strict=True))})
        device.made(f"/g/{code}/seats/{seat}", {"private": "R", "ready": True})
        places["record_id"] = reading  # the guest's in the end
    return host, code, places


def addresses(device: Device, places: dict[str, str]) -> Iterator[str]:
    """Yield every address that is asked with GET, with the gaps filled that are known."""
    for path, methods in json.loads(device.ask("GET", "/api/openapi.json")[1])["paths"].items():
        filled = path
        for name, value in places.items():
            filled = filled.replace("{" + name + "}", value)
        if "get" in methods and "{" not in filled:
            yield filled


def scripts(port: int) -> str:
    """Give names with scripts to players and a window, and look at all that shows them."""
    shown, wrong, refused = 0, [], 0
    for name in NAMES:
        device = Device(port, "127.0.7.3")
        device.ask("POST", "/windows/new", {"name": name, "pattern": " / ".join(["....."] * 4)})
        if device.ask("POST", "/games", {"name": name})[0] >= 400:
            refused += 1
            continue
        host, code, places = evening(port, (name, "Ben"))
        host.made(f"/g/{code}/reveal", {"anyway": True})
        places["player"] = next(
            one["name"] for one in json.loads(host.ask("GET", f"/g/{code}.json")[1])["players"]
        )
        more = (
            f"/g/{code}/reveal",
            f"/g/{code}",
            "/",
            "/history",
            "/history.csv",
            "/windows",
            f"/w/{places['record_id']}",
        )
        for path in {*addresses(host, places), *more}:
            for kind in ("text/html", "application/json"):
                _, text = host.ask("GET", path, kind=kind)
                shown += 1
                is_json = text.startswith(("{", "["))
                wrong += [(path, raw) for raw in RAW if raw in text and not is_json]
    return f"{shown} answers, {refused} names refused, {len(wrong)} show one as it came {wrong[:3]}"


def guessing(port: int) -> str:
    """Guess codes from forty addresses, and join with the right one beside them."""
    host = Device(port)
    code = host.made("/games", {"name": "Ann"})["code"]
    letters, found, refused = "ABCDEFGHJKLMNPQRSTUVWXYZ", 0, 0
    for guesser in range(GUESSERS):
        device = Device(port, f"127.0.6.{guesser + 1}")
        for guess in range(GUESSES):
            number = guesser * GUESSES + guess
            typed = "".join(letters[number // 24**place % 24] for place in range(6))
            status, _ = device.ask("POST", "/join", {"code": typed})
            found, refused = found + (status < 400), refused + (status == 429)
    status, _ = Device(port, "127.0.6.200").ask("POST", f"/g/{code}/join", {"name": "Ben"})
    tried = f"{GUESSERS * GUESSES} guesses, {refused} refused with 429, {found} right"
    return f"{tried}; who knows the code: {status}"


def clock(folder: str) -> str:
    """Set the clock by 400 days while the server runs, there and back."""
    ahead = Path(folder) / "ahead"
    ahead.write_text("0")

    def command(port: int) -> list[str]:
        python, option, program = ours(port)
        return [python, option, CLOCK.format(file=str(ahead)) + program]

    said = []
    with serving(str(Path(folder) / "data"), command) as (port, _):
        host, code, places = evening(port, ("Ann", "Ben"))
        for days in (0, 400, -400, 0):
            ahead.write_text(str(days * DAY_S))
            body, kind = form(SAMPLE.read_bytes())
            photo, _ = host.ask("POST", "/readings.json", body, kind)
            pages = [
                host.ask("GET", path, kind="text/html")[0]
                for path in (f"/g/{code}", f"/w/{places['record_id']}", "/")
            ]
            said.append(f"{days:+d} days: photo {photo}, pages {pages}")
    return "; ".join(said)


@contextmanager
def read_only(folder: str) -> Iterator[bool]:
    """Make a folder a disk of its own that cannot be written; False where that is not allowed."""
    mount = [MOUNT, "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run([UNMOUNT, "-l", folder], check=True)


def unwritable(folder: str) -> str:
    """Start on a folder with a game in it that cannot be written any more."""
    with read_only(folder) as is_mounted:
        if not is_mounted:
            return "not tried: it needs root"
        with serving(folder) as (port, _):
            evening(port, ("Ann", "Ben"))
        subprocess.run([MOUNT, "-o", "remount,ro", folder], check=True)
        environment = {**os.environ, "SAGRADA_DATA": folder}
        started = subprocess.run(ours(1), env=environment, capture_output=True, text=True, check=False)
        return f"exit {started.returncode}: {started.stderr.strip()}"


def main() -> None:
    """Attack."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    with TemporaryDirectory() as folder, serving(folder) as (port, _):
        for attack in (scripts, guessing):
            print(f"{attack.__name__}: {attack(port)}")
    for last in (clock, unwritable):
        with TemporaryDirectory() as folder:
            print(f"{last.__name__}: {last(folder)}")


if __name__ == "__main__":
    main()
