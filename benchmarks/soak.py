"""Whether the server takes more and more memory: ``python -m benchmarks.soak [MINUTES]``.

Ten phones load pages, follow a game, send photos, put a die right and delete the window again, over and over.
The memory is that of the server and its workers together, looked at ten times a second; a number is the
mean of a minute. Files and threads that stay open are counted, too. Needs Linux.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from contextlib import suppress
from subprocess import Popen
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]

from benchmarks.crowd import FILES, SAMPLE, Figures, Phone, form, serving

PHONES = 10
MINUTES = 30
WARM = 5
"""So many minutes are not looked at: caches fill."""
FIRST, LAST = slice(WARM, WARM + 5), slice(-5, None)
ROUNDS = 5
"""In one of so many rounds a phone sends a photo."""


async def play(phone: Phone, game: str, figures: Figures, ends: float) -> None:
    """Do what a phone does in an evening, again and again."""
    body, kind = form(SAMPLE.read_bytes())
    number = 0
    while time.perf_counter() < ends:
        number += 1
        await figures.of(phone.ask("GET", "/"))
        await asyncio.gather(*(figures.of(phone.ask("GET", f"/static/{name}")) for name in FILES))
        await figures.of(phone.ask("GET", game))
        if number % ROUNDS == 0:
            made = await figures.of(phone.ask("POST", "/readings.json", body, kind))
            address = json.loads(made)["links"]["self"]
            while True:
                window = json.loads(await figures.of(phone.ask("GET", f"{address}.json")))
                if (window["failure"] or {}).get("code") != "being_read":
                    break
                await asyncio.sleep(0.5)
            change = json.dumps({"revision": window["revision"], "cells": {"A1": "R1"}}).encode()
            await figures.of(phone.ask("POST", address, change, "application/json"))
            await figures.of(phone.ask("GET", address))
            await figures.of(phone.ask("POST", f"{address}/delete.json"))
        await asyncio.sleep(1)


async def watched(server: Popen[bytes], minutes: int) -> list[float]:
    """Return the mean memory of each minute, in MB, and say it."""
    process, means = psutil.Process(server.pid), []
    for minute in range(minutes):
        seen = []
        until = time.perf_counter() + 60
        while time.perf_counter() < until:
            with suppress(psutil.Error):
                everyone = [process, *process.children(recursive=True)]
                seen.append(sum(one.memory_info().rss for one in everyone) / 1e6)
            await asyncio.sleep(0.1)
        means.append(statistics.mean(seen))
        held = f"{process.num_fds()} files, {process.num_threads()} threads"
        print(f"minute {minute + 1:2d}: {means[-1]:.0f} MB ({held})", flush=True)
    return means


async def soak(port: int, server: Popen[bytes], minutes: int) -> None:
    """Let the phones play so long, and say what came of it."""
    figures = Figures()
    crowd = [Phone(port, f"127.0.5.{number}") for number in range(1, PHONES + 1)]
    _, made = await crowd[0].ask("POST", "/games.json", b'{"name": "Ann"}', "application/json")
    game = f"/g/{json.loads(made)['code']}"
    ends = time.perf_counter() + minutes * 60
    playing = [asyncio.create_task(play(phone, game, figures, ends)) for phone in crowd]
    means = await watched(server, minutes)
    await asyncio.gather(*playing)
    print(f"{PHONES} phones: {figures}")
    if minutes >= 2 * WARM + 5:
        first, last = statistics.mean(means[FIRST]), statistics.mean(means[LAST])
        print(f"minutes {WARM + 1} to {WARM + 5}: {first:.0f} MB, the last five: {last:.0f} MB")


def main() -> None:
    """Measure."""
    minutes = int(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    with TemporaryDirectory() as folder, serving(folder) as (port, server):
        asyncio.run(soak(port, server, minutes))


if __name__ == "__main__":
    main()
