"""What the server bears when many devices, or a hostile one, come at once.

Run it with ``python benchmarks/crowd.py [phones] [many] [hostile]`` on Linux, where each device has an
address of 127.0.0.0/8. It starts ``sagrada serve`` on a folder that goes afterwards, sends nothing elsewhere,
and ends by itself after some three minutes. With ``large`` the photos are HEIC of 48 megapixels. Times belong
to the machine; what does not are the errors.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import socket
import statistics
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory

import cv2
import psutil  # type: ignore[import-untyped]
from PIL import Image

from tests.vision.photos import encoded
from vision import load_photo
from webapp.server.serving import allow_open_files

SAMPLE = Path(__file__).resolve().parent.parent / "sample_images" / "easy_daylight.jpg"
SIZE = (3000, 4000)
LARGE = (6048, 8064)  # as phones take them when they are told to
PHONES = 50
MANY = 200
MANY_S = 30
FILES = ("base.css", "glass.css", "start.css", "words.js", "icon.svg")  # and the page itself: six connections
EVERY_S = 3  # as live.js asks
HONEST = 10
HOSTILE = tuple(f"127.0.9.{number}" for number in range(1, 41))
HOSTILE_S = 15
PATIENCE_S = 60


class Phone:
    """A device with an address of its own, which keeps its connections open as browsers do."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, bytes]:
        """Return status and body of an answer; after 429 or 503 ask again, as the page does."""
        for _ in range(6):
            status, headers, content = await asyncio.wait_for(
                self._once(method, path, body, kind), PATIENCE_S
            )
            if status not in {429, 503}:
                return status, content
            await asyncio.sleep(float(headers.get("retry-after", "1")))
        return status, content

    async def connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return one more connection."""
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))

    async def _once(
        self, method: str, path: str, body: bytes, kind: str
    ) -> tuple[int, dict[str, str], bytes]:
        reader, writer = self._idle.pop() if self._idle else await self.connected()
        if reader.at_eof():  # nobody used it for long
            reader, writer = await self.connected()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        head += f"Content-Type: {kind}\r\n" if kind else ""
        writer.write(head.encode() + b"\r\n" + body)
        await writer.drain()
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in lines)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            writer.close()
        else:
            self._idle.append((reader, writer))
        return int(first.split()[1]), headers, content


class Figures:
    """Times and errors of one kind of request."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.errors: Counter[str] = Counter()

    async def of(self, asked: Awaitable[tuple[int, bytes]]) -> bytes:
        """Measure a request, and return its answer."""
        begun = time.perf_counter()
        try:
            status, content = await asked
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            self.errors[type(error).__name__] += 1
            return b""
        self.seconds.append(time.perf_counter() - begun)
        if status >= 400:
            self.errors[str(status)] += 1
        return content

    def __str__(self) -> str:
        """Return number, median, 95th percentile and errors."""
        if len(self.seconds) < 2:
            return f"{len(self.seconds)} answers, errors {dict(self.errors)}"
        p95 = statistics.quantiles(self.seconds, n=20)[-1]
        middle = statistics.median(self.seconds)
        times = f"{len(self.seconds):5d} answers, median {middle:.3f} s, p95 {p95:.3f} s"
        return f"{times}, errors {dict(self.errors)}"


def form(photo: bytes) -> tuple[bytes, str]:
    """Return a form with a photo and an id of its own, as the page sends it, and its kind."""
    head = (
        '--x\r\nContent-Disposition: form-data; name="photo_id"\r\n\r\n'
        f"{secrets.token_urlsafe(12)}\r\n"
        '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    )
    return head.encode() + photo + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"


async def phones(port: int, photo: bytes) -> None:
    """Let 50 phones send a photo at the same moment; each opens a page with five files every three seconds.

    They do not open pages in step: who does so is at it since a moment of its own before the photos.
    """
    uploads, pages, files, done = Figures(), Figures(), Figures(), asyncio.Event()
    crowd = [Phone(port, f"127.0.1.{number}") for number in range(1, PHONES + 1)]

    async def look(phone: Phone, late_s: float) -> None:
        await asyncio.sleep(late_s)
        while not done.is_set():
            await pages.of(phone.ask("GET", "/"))
            await asyncio.gather(*(files.of(phone.ask("GET", f"/static/{name}")) for name in FILES))
            await asyncio.sleep(EVERY_S)

    looking = [
        asyncio.create_task(look(phone, EVERY_S * number / PHONES)) for number, phone in enumerate(crowd)
    ]
    await asyncio.sleep(2 * EVERY_S)
    for figures in (pages, files):
        print(f"{PHONES} phones before the photos: {figures}")
        figures.seconds.clear()
    begun = time.perf_counter()
    made = await asyncio.gather(
        *(uploads.of(one.ask("POST", "/readings.json", *form(photo))) for one in crowd)
    )
    waiting = {json.loads(one)["links"]["self"] for one in made if one}
    while waiting:
        for address in tuple(waiting):
            _, told = await crowd[0].ask("GET", f"{address}.json")
            if (json.loads(told)["failure"] or {}).get("code") != "being_read":
                waiting.remove(address)
        await asyncio.sleep(0.5)
    print(f"{PHONES} phones: uploads  {uploads}")
    print(f"all photos read after {time.perf_counter() - begun:.1f} s")
    done.set()
    await asyncio.gather(*looking)
    print(f"{PHONES} phones: pages    {pages}")
    print(f"{PHONES} phones: files    {files}")


async def many(port: int) -> None:
    """Let 200 phones follow a game for a while, with three connections each, of which two are idle."""
    figures = Figures()
    _, made = await Phone(port, "127.0.2.1").ask(
        "POST", "/games.json", b'{"name": "Ann"}', "application/json"
    )
    address = f"/g/{json.loads(made)['code']}.json"
    ends = time.perf_counter() + MANY_S

    async def follow(phone: Phone) -> None:
        while time.perf_counter() < ends:
            await figures.of(phone.ask("GET", address))
            await asyncio.sleep(EVERY_S)

    crowd = [Phone(port, f"127.0.2.{number}") for number in range(1, MANY + 1)]
    idle = [await phone.connected() for phone in crowd for _ in range(2)]
    await asyncio.gather(*map(follow, crowd))
    for _, writer in idle:
        writer.close()
    print(f"{MANY} phones: polls   {figures}")


async def honest(port: int, seconds: float) -> Figures:
    """Let ten phones load pages, and return how that went."""
    figures, ends = Figures(), time.perf_counter() + seconds

    async def look(phone: Phone) -> None:
        while time.perf_counter() < ends:
            await figures.of(phone.ask("GET", "/"))
            await asyncio.sleep(0.3)

    await asyncio.gather(*(look(Phone(port, f"127.0.3.{number}")) for number in range(1, HONEST + 1)))
    return figures


async def held(port: int, address: str, first: bytes, more: bytes, *, reads: bool = False) -> None:
    """Hold a connection from a hostile address, and send a little from time to time."""
    with suppress(OSError, asyncio.IncompleteReadError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        writer.write(first)
        while True:
            await asyncio.sleep(0 if reads else 1)
            if reads:
                await reader.readuntil(b"\r\n\r\n")
                await reader.read(65536)
            writer.write(more)
            await writer.drain()


async def hostile(port: int, photo: bytes) -> None:
    """Let one device, or forty, do what they can to keep ten others from the page."""
    get = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    _, kind = form(photo)
    post = b"POST /readings.json HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + kind.encode()
    promise = post + b"\r\nContent-Length: 39000000\r\n\r\n"
    attacks: dict[str, tuple[int, int, Callable[[str], Awaitable[None]]]] = {
        "nothing": (0, 1, lambda at: held(port, at, b"", b"")),
        "half-open connections": (300, 1, lambda at: held(port, at, b"", b"")),
        "1,600 of 40 devices": (1600, 40, lambda at: held(port, at, b"", b"")),
        "headers without end": (300, 1, lambda at: held(port, at, get, b"X: y\r\n")),
        "bodies that trickle": (300, 1, lambda at: held(port, at, promise, b"x")),
        "1,600 photos only promised": (1600, 40, lambda at: held(port, at, promise, b"")),
        "answers that nobody takes": (300, 1, lambda at: held(port, at, (get + b"\r\n") * 20, get + b"\r\n")),
        "pages without pause": (40, 1, lambda at: held(port, at, get + b"\r\n", get + b"\r\n", reads=True)),
    }
    allow_open_files(4096)
    for name, (number, devices, attack) in attacks.items():
        at_it = [
            asyncio.ensure_future(again(partial(attack, HOSTILE[one % devices]))) for one in range(number)
        ]
        await asyncio.sleep(0.5)
        figures = await honest(port, HOSTILE_S)
        for one in at_it:
            one.cancel()
        await asyncio.gather(*at_it, return_exceptions=True)
        print(f"beside {name:26s} {figures}")


async def again(attack: Callable[[], Awaitable[None]]) -> None:
    """Attack once more whenever the connection is lost."""
    while True:
        await attack()
        await asyncio.sleep(0.2)


async def ended(port: int, photo: bytes, server: Popen[bytes]) -> None:
    """Tell the server to end while photos come in, and count what was begun and not answered."""
    figures = Figures()
    crowd = [Phone(port, f"127.0.4.{number}") for number in range(1, 7)]
    asked = [
        asyncio.create_task(figures.of(one.ask("POST", "/readings.json", *form(photo)))) for one in crowd
    ]
    await asyncio.sleep(0.2)
    server.send_signal(signal.SIGTERM)
    await asyncio.gather(*asked)
    print(f"SIGTERM under 6 uploads   {figures}")
    print(f"ended with {await asyncio.to_thread(server.wait, PATIENCE_S)}")


def ours(port: int) -> list[str]:
    """Return the command that serves the page."""
    serve = f"main(['serve', '--host', '127.0.0.1', '--port', '{port}'])"
    return [sys.executable, "-c", f"from webapp.cli.sagrada import main; {serve}"]


@contextmanager
def serving(
    folder: str, command: Callable[[int], list[str]] = ours, more: Mapping[str, str] | None = None
) -> Iterator[tuple[int, Popen[bytes]]]:
    """Run the server, with ``more`` in its environment, and give its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {**os.environ, "SAGRADA_DATA": folder, **(more or {})}
    with Popen(command(port), env=environment, stdout=DEVNULL, stderr=DEVNULL) as server:
        try:
            while True:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.1)
            time.sleep(2)  # for the workers
            yield port, server
        finally:
            server.kill()


async def memory(server: Popen[bytes], most: list[int]) -> None:
    """Note the most memory that server and workers have together."""
    process = psutil.Process(server.pid)
    while True:
        with suppress(psutil.Error):
            all_of_it = [process, *process.children(recursive=True)]
            most.append(max(most.pop(), sum(one.memory_info().rss for one in all_of_it)))
        await asyncio.sleep(0.1)


async def play(port: int, server: Popen[bytes], photo: bytes, scenes: Sequence[str]) -> None:
    """Play the scenes that were asked for, all without any."""
    most = [0]
    watching = asyncio.create_task(memory(server, most))
    if not scenes or "phones" in scenes:
        await phones(port, photo)
        print(f"memory of server and workers: {most[0] / 1e6:.0f} MB at most")
    if not scenes or "many" in scenes:
        await many(port)
    if not scenes or "hostile" in scenes:
        await hostile(port, photo)
    print(f"memory of server and workers: {most[0] / 1e6:.0f} MB at most")
    watching.cancel()
    await ended(port, photo, server)


def main() -> None:
    """Measure."""
    scenes = sys.argv[1:]
    size = LARGE if "large" in scenes else SIZE
    picture = cv2.resize(load_photo(SAMPLE).image_bgr, size, interpolation=cv2.INTER_CUBIC)
    if "large" in scenes:
        scenes.remove("large")
        photo = encoded(Image.fromarray(picture[..., ::-1]), "HEIF")
    else:
        photo = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    with TemporaryDirectory() as folder, serving(folder) as (port, server):
        asyncio.run(play(port, server, photo, scenes))


if __name__ == "__main__":
    main()
