"""The page in a real Chromium, served from a thread of the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit
from weakref import WeakSet

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from werkzeug.serving import make_server

from tests.webapp.conftest import SayingReader, SayingTable, plain_photo
from tests.webapp.quick import furnished
from vision.photo import Photo, load_photo
from webapp import create_app
from webapp.workers import work

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from playwright.sync_api import Browser, BrowserContext, Page, Route

PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 320, "height": 640}
LAPTOP = {"width": 1280, "height": 800}

OpenPage = Callable[..., "Page"]

# A page asks for news every three seconds and tries a lost connection every five: too slow for tests.
QUICK = """for (const [name, usual] of [["setInterval", 3000], ["setTimeout", 5000]]) {
  const given = window[name];
  window[name] = (act, wait, ...more) => given(act, wait === usual ? usual / 6 : wait, ...more);
}"""
# What Chromium notes of a request while nobody answers: which of its many words depends on the moment.
NO_ANSWER = ("net::ERR_",)
PATIENCE_S = 60  # it only bounds the wait for a condition, and computers may be busy
# Which of the things to touch that a selector names are too small, up to the rounding of a layout.
TOO_SMALL = """([selector, width]) => {
  const all = [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => box.width);
  return all.length ? all.filter(([, box]) => Math.round(box.height) < 44 || Math.round(box.width) < width)
    .map(([text, box]) => `${text} ${box.width} x ${box.height}`) : ["nothing to touch"];
}"""


def send_photo(page: Page, photo: Path) -> None:
    """Choose a photo from the gallery and wait for the page of its window."""
    page.locator(":is(#upload, .window-form) input[type=file]").last.set_input_files(photo)
    page.wait_for_url("**/w/*")


@contextmanager
def objectives(page: Page) -> Iterator[None]:
    """Open the sheet with the objectives of a window; close it where the last choice has not."""
    page.locator("[data-sheet=objectives]").click()
    yield
    if page.locator("#objectives").is_visible():
        page.locator("#objectives [data-close]").click()


def more(page: Page) -> None:
    """Unfold what the page of a window has beside dice and score."""
    page.locator("#more > summary").click()


def start_game(page: Page) -> None:
    """Start a game of several as Ann and wait for its table."""
    page.locator("#host-name").fill("Ann")
    page.get_by_role("button", name="2 to 6 players").click()
    page.wait_for_selector("#table")


def to_windows(page: Page, *, tools: tuple[str, ...] = ()) -> None:
    """Let the host's table go on to the step at which each player's window comes in."""
    game = page.url
    assert page.request.post(f"{game}/here").ok
    told = {"revision": page.request.get(f"{game}.json").json()["revision"], "tools": tools}
    public = ("Row Shade Variety", "Light Shades", "Color Diagonals")
    assert page.request.post(f"{game}/cards", data={**told, "public": public}).ok
    page.goto(game)
    page.wait_for_selector("#step-windows[open]")


def label(page: Page, cell: str) -> str:
    """Return what a screen reader says for a space."""
    return page.locator(f"#board [data-cell={cell}]").get_attribute("aria-label") or ""


def held_requests(page: Page, address: str, *, method: str = "POST", times: int | None = None) -> list[Route]:
    """Hold what the page sends to an address from now on, and return the list of what waits."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == method:
            held.append(route)
        else:
            route.continue_()

    page.route(address, hold, times=times)
    return held


def no_violation(page: Page, where: str, part: str | None = None, *, dark: bool = False) -> None:
    """Look at a light page, or at a part of it, with axe, and with ``dark`` at its contrast in dark too."""
    looks: list[tuple[Literal["dark", "light"], dict[str, list[str]]]] = [
        ("dark", {"runOnly": ["color-contrast"]}),
        ("light", {"resultTypes": ["violations"]}),
    ]
    for scheme, options in looks if dark else looks[1:]:
        if dark:
            page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, context=part, options=options)
        assert found.violations_count == 0, f"{where}: {found.generate_report()}"


def sideways(page: Page) -> int:
    """Return by how many pixels the page is wider than the screen."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wider


def too_small(page: Page, selector: str, *, width: int = 0) -> list[str]:
    """Return what a finger cannot hit: less than 44 pixels high, or narrower than ``width``."""
    found: list[str] = page.evaluate(TOO_SMALL, [selector, width])
    return found


def wait_until(page: Page, is_so: Callable[[], object]) -> None:
    """Wait until something is so in this process, while the page's events come in."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


@contextmanager
def served(
    folder: Path,
    reader: Any = None,  # noqa: ANN401
    table_reader: Any = None,  # noqa: ANN401
    *,
    port: int = 0,
) -> Iterator[str]:
    """Serve the page with its readings in ``folder`` and give its address; a fake reader brings another."""
    if reader is not None and table_reader is None:
        table_reader = SayingTable()
    app = create_app({"SAGRADA_DATA": furnished(folder)}, reader=reader, table_reader=table_reader)
    with serving(app, port) as address:
        yield address


def tidy(app: Flask) -> WSGIApplication:
    """Return the application so that it closes its files also when the browser hangs up.

    Werkzeug's server forgets that when it is cut off while it empties the connection, and the warning about
    an open file fails whatever test runs then.
    """

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        answer = app(environ, start_response)
        try:
            yield from answer
        finally:
            close = getattr(answer, "close", None)
            if close:
                close()

    return answered


@contextmanager
def serving(app: Flask, port: int = 0) -> Iterator[str]:
    """Serve an application, without ``port`` on one of its own, and give its address."""
    server = make_server("127.0.0.1", port, tidy(app), threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)  # how soon it may stop
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def reader() -> SayingReader:
    """Return a reader that says what the test tells it to."""
    return SayingReader()


@pytest.fixture
def table_reader() -> Iterator[SayingTable]:
    """Return a reader of whole tables that says what the test tells it to."""
    reader = SayingTable()
    yield reader
    reader.go_on.set()


@pytest.fixture
def site(tmp_path: Path, reader: SayingReader, table_reader: SayingTable) -> Iterator[str]:
    """Serve the page with the readers of the test."""
    with served(tmp_path, reader, table_reader) as address:
        yield address


@pytest.fixture
def real_site(tmp_path: Path) -> Iterator[str]:
    """Serve the page with the real reader."""
    with served(tmp_path) as address:
        yield address


# Whether a click leads to another page where no script does something else with it.
LEADS_AWAY = """one => one.matches("a[href]:not([download], [href^='#'])")
  || one.matches("button:not([type=button]), [type=submit]") && !!one.form
    && (one.formNoValidate || one.form.noValidate || one.form.checkValidity())"""
WITHOUT_SCRIPTS: WeakSet[BrowserContext] = WeakSet()
ACTIONS = ("check", "click", "fill", "press", "select_option", "set_input_files", "tap", "uncheck")


@pytest.fixture(autouse=True, scope="session")
def _no_quicker_than_the_scripts() -> Iterator[None]:
    """Let every action wait until the scripts of the page that it is for have run.

    After a click that leads to another page, the next one would else come milliseconds after the new page's
    buttons are there and before they work: no person is so quick, but a busy machine is so slow. What the
    test then looks at is the whole page that the action led to, not its first lines. Without scripts a click
    waits for the page it leads to: one on the old page's next button would call it back.
    """
    from playwright.sync_api import Locator  # noqa: PLC0415, only the browser tests need it

    def patient(act: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(act)
        def when_ready(self: Locator, *args: Any, **options: Any) -> Any:  # noqa: ANN401
            self.wait_for(state="attached", timeout=options.get("timeout"))
            self.page.wait_for_load_state("domcontentloaded")
            without = self.page.context in WITHOUT_SCRIPTS and act.__name__ == "click"
            if not without or not self.evaluate(LEADS_AWAY):
                done = act(self, *args, **options)
                self.page.wait_for_load_state("domcontentloaded")
                return done
            with self.page.expect_navigation():
                return act(self, *args, **options)

        return when_ready

    with pytest.MonkeyPatch.context() as patch:
        for name in ACTIONS:
            patch.setattr(Locator, name, patient(getattr(Locator, name)))
        yield


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Return what opens a page; an error in its console or a look at another computer fails the test."""
    contexts = []
    complaints: list[str] = []
    hosts: set[str | None] = set()

    def opened(
        address: str,
        *,
        size: dict[str, int] = PHONE,
        fine: tuple[str, ...] = (),
        locale: str = "en-US",
        scripts: bool = True,
        scheme: Literal["light", "dark"] = "light",
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            has_touch=size is PHONE,
            locale=locale,
            java_script_enabled=scripts,
            color_scheme=scheme,
            reduced_motion="reduce",  # a box that is measured while it moves has no size to speak of
        )
        contexts.append(context)
        context.add_init_script(QUICK)
        if not scripts:
            WITHOUT_SCRIPTS.add(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: (
                complaints.append(line.text)
                if line.type == "error" and not any(part in line.text for part in fine)
                else None
            ),
        )
        page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
    assert hosts <= {None, "127.0.0.1", "laptop.local"}


@pytest.fixture
def photo_file(tmp_path: Path, photo: bytes) -> Path:
    """Return the file of a photo in which there is little to see."""
    path = tmp_path / "photo.jpg"
    path.write_bytes(photo)
    return path


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the list that grows by each photo that the server opens."""
    contents: list[bytes] = []

    def opened(content: bytes, **options: Any) -> Photo:  # noqa: ANN401
        photo = load_photo(content, **options)
        contents.append(content)
        return photo

    monkeypatch.setattr(work, "load_photo", opened)
    return contents


@pytest.fixture(scope="session")
def photo() -> bytes:
    """Return a photo of 800 x 600 pixels in which there is little to see."""
    return plain_photo()
