"""The server: what it bears of devices that are slow, greedy or gone."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from typing import TypeVar

import pytest
from flask import Flask, request

from tests.webapp.test_serve import free_port
from webapp.server.limits import Limits, NoRoomError, Turns, device
from webapp.server.listener import listeners
from webapp.server.serving import PageServer, Running

PATIENCE_S = 60
Played = TypeVar("Played")


def _has(address: str) -> bool:
    """Tell whether this computer has an address."""
    with suppress(OSError), socket.create_server((address, 0)):
        return True
    return False


HAS_MANY = _has("127.0.0.2")
needs_many = pytest.mark.skipif(
    not HAS_MANY, reason="macOS has one address alone where Linux has 127.0.0.0/8"
)
HERE = "127.0.0.1"
ONE, OTHER = ("127.0.0.2", "127.0.0.3") if HAS_MANY else ("127.0.0.1", "127.0.0.1")


@contextmanager
def serving(app: Flask, limits: Limits, at: str = HERE) -> Iterator[int]:
    """Serve the application with these bounds, and give the port."""
    port = int(free_port())
    server = Running(PageServer(app, listeners(at, port), limits))
    yield port
    server.stop()


def line(port: int, own: str = ONE, at: str = HERE) -> socket.socket:
    """Return a connection from one of the addresses of this computer."""
    return socket.create_connection((at, port), PATIENCE_S, source_address=(own, 0))


def sending(port: int, own: str = ONE, at: str = HERE) -> socket.socket:
    """Return a connection on which a request of 9 bytes waits for its body."""
    begun = line(port, own, at)
    begun.sendall(b"POST /look HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
    assert begun.recv(100).startswith(b"HTTP/1.1 100 ")
    return begun


def wait_for_the_end(end: socket.socket) -> None:
    """Wait until the other side has given a connection up, without taking what it sends."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            end.send(b"x")
        except OSError:
            return
        time.sleep(0.02)
    pytest.fail("The connection is still there.")


def run(played: Coroutine[object, object, Played]) -> Played:
    """Play something in a thread of its own: in that of the tests a browser's loop may run."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, played).result()


def asked(port: int, own: str = OTHER, path: str = "/ready", at: str = HERE) -> HTTPResponse:
    """Ask something as one device."""
    phone = HTTPConnection(at, port, timeout=PATIENCE_S, source_address=(own, 0))
    phone.request("GET", path)
    answer = phone.getresponse()
    answer.read()
    phone.close()
    return answer


@needs_many
def test_one_device_cannot_take_all_connections(app: Flask) -> None:
    """Who holds more connections than a browser needs is sent away politely; others are answered."""
    with serving(app, Limits(connections_each=3)) as port:
        held = [sending(port) for _ in range(3)]
        refused = asked(port, ONE)
        assert (refused.status, int(refused.headers["Retry-After"]) > 0) == (429, True)
        assert asked(port, OTHER).status == 200
        for one in held:
            one.close()


@needs_many
def test_guests_of_a_rootless_container_are_not_one_device(app: Flask) -> None:
    """All of them seem to be at the address that they speak to: what one may hold does not bound them."""
    with serving(app, Limits(connections_each=2), ONE) as port:
        for own, status in ((OTHER, 429), (ONE, 200)):
            held = [sending(port, own, ONE) for _ in range(2)]
            assert asked(port, own, at=ONE).status == status
            for one in held:
                one.close()


@needs_many
@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\n"], ids=["silent", "half a request"])
def test_who_brings_nothing_makes_room(app: Flask, begun: bytes) -> None:
    """When the places run out, a half-open connection goes: of the greediest device, or of one's own."""
    with serving(app, Limits(connections=6, connections_each=4)) as port:
        held = [line(port) for _ in range(4)]
        held += [line(port, "127.0.0.4") for _ in range(2)]
        for one in held:
            one.sendall(begun)
        for own in (OTHER, OTHER, ONE):
            assert asked(port, own).status == 200
        for one in held:
            one.close()


@needs_many
def test_a_photo_on_its_way_outlasts_silent_connections(app: Flask) -> None:
    """Of one device, too, those that bring nothing go before one that brings a body."""
    with serving(app, Limits(connections=3, connections_each=3)) as port, sending(port) as phone:
        held = [line(port) for _ in range(2)]
        for own in (OTHER, OTHER, ONE):
            assert asked(port, own).status == 200
        phone.sendall(bytes(9))
        assert phone.recv(100).startswith(b"HTTP/1.1 4")  # it is no picture
        for one in held:
            one.close()


def test_headers_that_do_not_come_to_an_end_end_the_connection(app: Flask) -> None:
    """A device that begins a request and says no more loses its connection."""
    with serving(app, Limits(headers_s=0.2)) as port, line(port) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        try:
            told = slow.recv(100)
        except ConnectionResetError:
            told = b""
        assert told == b""


def test_a_slow_body_holds_no_thread(app: Flask) -> None:
    """While more devices than there are threads send something slowly, others are answered."""
    with serving(app, Limits(threads=1, threads_each=1)) as port:
        slow = [line(port) for _ in range(4)]
        for one in slow:
            one.sendall(b"POST /by-hand HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx")
        assert asked(port).status == 200
        for one in slow:
            one.close()


def test_a_body_that_does_not_come_is_told_so(app: Flask) -> None:
    """Who stops in the middle of a request learns that it took too long, and loses the connection."""
    with serving(app, Limits(piece_s=0.2)) as port, line(port) as slow:
        slow.sendall(b"POST /by-hand HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx")
        told = b"".join(iter(lambda: slow.recv(4096), b""))
    assert told.startswith(b"HTTP/1.1 408 ")


@needs_many
def test_requests_on_their_way_do_not_fill_the_disk(app: Flask) -> None:
    """A device may have so many bytes under way at a time; another one has its own."""
    with serving(app, Limits(held_each=50_000)) as port:
        head = b"POST /by-hand HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"
        with line(port, ONE) as greedy:
            greedy.sendall(head + bytes(60_000))
            told = greedy.recv(4096)
        assert told.startswith(b"HTTP/1.1 429 ")
        assert asked(port).status == 200


def test_who_does_not_take_an_answer_loses_the_connection(app: Flask) -> None:
    """An answer that nobody takes is not kept forever."""

    @app.get("/much")
    def much() -> bytes:
        return bytes(30_000_000)

    with serving(app, Limits(piece_s=0.2)) as port, line(port) as slow:
        slow.sendall(b"GET /much HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for_the_end(slow)


def test_programs_and_people_can_read_why_they_are_refused(app: Flask) -> None:
    """A refusal of the server itself is JSON for programs; for a browser it is a page that comes again."""
    with serving(app, Limits(waiting=0)) as port:
        refused = asked(port, path="/readings.json")
        assert (refused.status, refused.headers["Content-Type"]) == (503, "application/json")
        page = asked(port, path="/")
        assert (page.status, page.headers["Content-Type"]) == (503, "text/html; charset=utf-8")


def test_two_lengths_of_one_request_are_refused(app: Flask) -> None:
    """What two programs could understand differently is understood by none."""
    with serving(app, Limits()) as port, line(port) as smuggler:
        smuggler.sendall(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"
        )
        assert smuggler.recv(100).startswith(b"HTTP/1.1 400 ")


def test_a_request_with_two_ends_is_refused_and_the_connection_closed(app: Flask) -> None:
    """A length and pieces at once: behind a proxy what follows could pass for somebody else's request."""
    both = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with serving(app, Limits()) as port, line(port) as smuggler:
        smuggler.sendall(both + b"GET /ready HTTP/1.1\r\nHost: a\r\n\r\n")
        told = b"".join(iter(lambda: smuggler.recv(4096), b""))
    assert told.startswith(b"HTTP/1.1 400 ")
    assert told.count(b"HTTP/1.1 ") == 1


@needs_many
def test_what_is_refused_is_told_in_one_line(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """Who runs the server sees how often and why something was refused, and how much waits."""
    with serving(app, Limits(connections_each=2, report_s=0.2)) as port:
        held = [sending(port) for _ in range(2)]
        for _ in range(3):
            assert asked(port, ONE).status == 429
        deadline = time.monotonic() + PATIENCE_S
        while "too many connections" not in caplog.text:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        for one in held:
            one.close()
    assert "Waiting now: photos 0, requests 0." in caplog.text


def test_an_underscore_passes_for_no_other_header(app: Flask) -> None:
    """A header that could be taken for that of a proxy is left out."""

    @app.get("/told")
    def told() -> str:
        return request.headers.get("X-Forwarded-For", "nothing")

    with serving(app, Limits()) as port:
        phone = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        phone.request("GET", "/told", headers={"X_Forwarded_For": "1.2.3.4"})
        assert phone.getresponse().read() == b"nothing"
        phone.close()


def test_nonsense_does_not_fill_the_terminal(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """Who sends something else than a request is refused, and nothing is said of it."""
    with serving(app, Limits()) as port, line(port) as odd:
        odd.sendall(b"\x00\x01 nonsense\r\n\r\n")
        assert odd.recv(100).startswith(b"HTTP/1.1 400 ")
    assert "Invalid HTTP request" not in caplog.text


def test_a_body_that_is_too_large_is_told_so(app: Flask) -> None:
    """Who sends too much gets the page that says it, also when all of it is sent before."""
    app.config["MAX_CONTENT_LENGTH"] = 100_000
    with serving(app, Limits()) as port:
        phone = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        phone.request("POST", "/readings", body=bytes(3_000_000), headers={"Content-Type": "image/jpeg"})
        assert phone.getresponse().status == 413
        phone.close()


def test_what_is_under_way_is_finished_at_the_end(app: Flask) -> None:
    """A request that the server works on when it is told to end is answered."""
    begun, go_on = threading.Event(), threading.Event()

    @app.get("/slow")
    def slow() -> str:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return "done"

    port = int(free_port())
    page_server = PageServer(app, listeners("127.0.0.1", port))
    server = Running(page_server)
    answers: list[int] = []
    asking = threading.Thread(target=lambda: answers.append(asked(port, path="/slow").status))
    asking.start()
    assert begun.wait(PATIENCE_S)
    page_server.should_exit = True
    go_on.set()
    server.stop()
    asking.join(PATIENCE_S)
    assert answers == [200]
    with pytest.raises(ConnectionRefusedError):
        asked(port)


@pytest.mark.parametrize(
    ("limits", "asking", "at_once", "after"),
    [
        (
            Limits(threads=2, threads_each=1),
            ("greedy", "greedy", "greedy", "other"),
            ["greedy", "other"],
            ["greedy", "greedy"],
        ),
        (
            Limits(threads=2, threads_large=1),
            ("photo 1", "photo 2", "photo 3", "page"),
            ["photo 1", "page"],
            ["photo 2", "photo 3"],
        ),
    ],
    ids=["devices", "photos"],
)
def test_nobody_waits_behind_those_who_ask_for_much(
    limits: Limits, asking: tuple[str, ...], at_once: list[str], after: list[str]
) -> None:
    """A device that asks for much, or many photos, leave a turn for another device and for a page."""

    async def play() -> list[str]:
        turns, served, go_on = Turns(limits), [], asyncio.Event()

        async def ask(who: str) -> None:
            async with turns.turn(who, is_large="photo" in who):
                served.append(who)
                await go_on.wait()

        tasks = [asyncio.create_task(ask(who)) for who in asking]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert served == at_once
        go_on.set()
        await asyncio.gather(*tasks)
        return served

    assert run(play()) == at_once + after


def test_who_gives_up_leaves_the_line() -> None:
    """A request whose device hung up while it waited takes nobody's turn."""

    async def play() -> int:
        turns, go_on = Turns(Limits(threads=1)), asyncio.Event()

        async def ask(who: str) -> None:
            async with turns.turn(who):
                await go_on.wait()

        first, second, third = (asyncio.create_task(ask(who)) for who in "abc")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        go_on.set()
        await asyncio.gather(first, third)
        return turns.waiting

    assert run(play()) == 0


@pytest.mark.parametrize(("limits", "status"), [(Limits(waiting_each=0), 429), (Limits(waiting=0), 503)])
def test_who_would_wait_too_long_is_asked_to_come_again(limits: Limits, status: int) -> None:
    """A device that asks too much is told 429, and anybody 503 when all together ask too much."""

    async def play() -> int:
        try:
            async with Turns(limits).turn("a"):
                return 200
        except NoRoomError as busy:
            return busy.status

    assert run(play()) == status


def test_requests_are_counted_by_device() -> None:
    """An IPv6 home counts as one device, and this computer, on which a proxy may run, as none."""
    assert device("2001:db8::1:2") == "2001:db8::/64"
    assert (device("::ffff:192.168.1.7"), device("127.0.0.1"), device("::1")) == ("192.168.1.7", None, None)
    assert (device("10.0.2.100", "10.0.2.100"), device("10.0.2.2", "10.0.2.100")) == (None, "10.0.2.2")
