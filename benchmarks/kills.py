"""What is left when the server is killed in the middle.

Run it with ``python -m benchmarks.kills [ROUNDS] [--postgresql]``. Each round starts ``sagrada serve`` on
one folder that goes afterwards, lets some phones enter dice, add windows, start games and send photos,
and kills the whole server with signal 9 at a random moment. The next start has to know everything that
was answered as done. 200 rounds take about ten minutes. With ``--postgresql`` the database is one of a
PostgreSQL server of its own, which goes on meanwhile.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from tests import postgres

PHONES = 4
LATEST_S = 1.5
PATIENCE_S = 60
DICE = tuple(f"{color}{value}" for color in "RYGBP" for value in range(1, 7))
SPACES = tuple(f"{row}{column}" for row in "ABCD" for column in range(1, 6))


@dataclass
class Known:
    """What was answered as done: dice by reading and space, windows, players by game, and photos.

    ``asked`` are the dice of changes that nobody answered: they may be there or not.
    """

    dice: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    windows: set[str] = field(default_factory=set)
    games: dict[str, str] = field(default_factory=dict)
    photos: set[str] = field(default_factory=set)
    done: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)


def asked(port: int, method: str, path: str, body: object = None, kind: str = "application/json") -> Any:  # noqa: ANN401
    """Return what the server answers, or raise `OSError` where it is gone."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        sent = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else None
        connection.request(method, path, sent, {"Content-Type": kind} if sent else {})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]!r}")
        return json.loads(content) if content else None
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        connection.close()


def photo() -> tuple[bytes, str]:
    """Return a form with a photo in which there is nothing to read."""
    jpeg = cv2.imencode(".jpg", np.full((300, 400, 3), 128, np.uint8))[1].tobytes()
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    return head + jpeg + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


def play(port: int, known: Known, seed: int, rounds: str) -> None:
    """Do what people do until the server is gone, and note what it answered."""
    rng, own = random.Random(seed), ""
    with suppress(OSError):
        for number in range(10_000):
            name = f"{rounds} {seed % 1000} {number}"
            match rng.randrange(10):
                case 0:
                    code = asked(port, "POST", "/games.json", {"name": name[:30]})["code"]
                    with known.guard:
                        known.games[code] = name[:30]
                case 1 if len(known.windows) < 250:
                    pattern = " / ".join(["....."] * 4)
                    asked(port, "POST", "/windows/new.json", {"name": name, "pattern": pattern})
                    with known.guard:
                        known.windows.add(name)
                case 2:
                    reading = asked(port, "POST", "/readings.json", *photo())["id"]
                    with known.guard:
                        known.photos.add(reading)
                case _ if own:
                    space, die = rng.choice(SPACES), rng.choice(DICE)
                    with known.guard:
                        known.asked.setdefault((own, space), set()).add(die)
                    state = asked(port, "GET", f"/w/{own}.json")
                    change = {"revision": state["revision"], "cells": {space: die}}
                    asked(port, "POST", f"/w/{own}.json", change)
                    with known.guard:
                        known.dice[own][space] = die
                        known.asked[own, space] = set()
                case _:
                    own = asked(port, "POST", "/by-hand.json", {})["id"]
                    with known.guard:
                        known.dice[own] = {}
            with known.guard:
                known.done += 1


def lost(port: int, known: Known) -> list[str]:
    """Return what was answered as done and is not there."""
    missing = []
    for reading, dice in known.dice.items():
        cells = cells_of(port, reading)
        for space, die in dice.items():
            if cells.get(space) not in {die, *known.asked.get((reading, space), ())}:
                missing.append(f"{space} of a window: {cells.get(space)} and not {die}")
    there = {window["name"] for window in asked(port, "GET", "/windows.json")["windows"]}
    missing += [f"window {name}" for name in known.windows - there]
    for code, name in known.games.items():
        game = try_to_get(port, f"/g/{code}.json")
        if game is None or [one["name"] for one in game["players"]] != [name]:
            missing.append(f"game {code}")
    for reading in known.photos:
        if try_to_get(port, f"/w/{reading}.json") is None:
            missing.append("a photo")
    return missing


def cells_of(port: int, reading: str) -> dict[str, str]:
    """Return the dice of a window by their spaces."""
    state = try_to_get(port, f"/w/{reading}.json")
    if state is None:
        return {}
    return dict(zip(SPACES, state["board"].replace("/", " ").split(), strict=True))


def try_to_get(port: int, path: str) -> Any:  # noqa: ANN401
    """Return what is at an address, None where nothing is."""
    try:
        return asked(port, "GET", path)
    except RuntimeError:
        return None


@contextmanager
def served(folder: Path, database: str | None) -> Iterator[tuple[int, Popen[bytes]]]:
    """Start the program, give its port once it answers, and kill all of it at the end."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "SAGRADA_DATA": str(folder), "SAGRADA_WORKERS": "0"}
    if database:
        environment["SAGRADA_DATABASE_URL"] = database
    start = f"from webapp.cli.sagrada import main; main(['serve', '--host', '127.0.0.1', '--port', '{port}'])"
    program = Popen(
        [sys.executable, "-c", start], env=environment, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
    )
    try:
        for _ in range(PATIENCE_S * 20):
            with suppress(OSError):
                asked(port, "GET", "/windows.json")
                break
            time.sleep(0.05)
        yield port, program
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()


def main() -> None:
    """Kill so often, and end with 1 where something was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills", description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=200)
    parser.add_argument("--postgresql", action="store_true")
    wanted = parser.parse_args()
    programs = postgres.find_programs()
    if wanted.postgresql and programs is None:
        sys.exit("There is no PostgreSQL on this computer.")
    server = postgres.running(programs) if wanted.postgresql and programs else nullcontext(None)
    done, missing, rng = 0, [], random.Random(0)
    with TemporaryDirectory() as folder, server as own:
        known = Known()
        for number in range(wanted.rounds):
            with served(Path(folder), own.address if own else None) as (port, program):
                missing += lost(port, known)
                done += known.done
                known = Known(windows=known.windows)
                phones = [
                    threading.Thread(target=play, args=(port, known, 1000 * number + one, str(number)))
                    for one in range(PHONES)
                ]
                for one in phones:
                    one.start()
                time.sleep(rng.uniform(0.1, LATEST_S))
                os.killpg(program.pid, signal.SIGKILL)
                for one in phones:
                    one.join()
            if number % 20 == 19:
                print(f"{number + 1} kills, {done + known.done} changes, {len(missing)} lost", flush=True)
        with served(Path(folder), own.address if own else None) as (port, _):
            missing += lost(port, known)
            done += known.done
    print(f"{wanted.rounds} kills, {done} acknowledged changes, {len(missing)} lost")
    print(*missing[:20], sep="\n")
    sys.exit(bool(missing))


if __name__ == "__main__":
    main()
