"""The page in a real Chromium, served from a thread of the test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.serving import make_server

from tests.webapp.conftest import SayingReader, plain_photo
from webapp import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 320, "height": 640}
LAPTOP = {"width": 1280, "height": 800}

OpenPage = Callable[..., "Page"]


@contextmanager
def served(folder: Path, reader: Any = None) -> Iterator[str]:  # noqa: ANN401
    """Serve the page with its readings in ``folder`` and give its address."""
    app = create_app({"SAGRADA_DATA": folder}, reader=reader)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
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
def site(tmp_path: Path, reader: SayingReader) -> Iterator[str]:
    """Serve the page with the reader of the test."""
    with served(tmp_path, reader) as address:
        yield address


@pytest.fixture
def real_site(tmp_path: Path) -> Iterator[str]:
    """Serve the page with the real reader."""
    with served(tmp_path) as address:
        yield address


ACTIONS = ("check", "click", "fill", "press", "select_option", "set_input_files", "tap", "uncheck")


@pytest.fixture(autouse=True, scope="session")
def _no_quicker_than_the_scripts() -> Iterator[None]:
    """Let every action wait until the scripts of the page that it is for have run.

    After a click that leads to another page, the next one would else come milliseconds after the new page's
    buttons are there and before they work: no person is so quick, but a busy machine is so slow.
    """
    from playwright.sync_api import Locator  # noqa: PLC0415, only the browser tests need it

    def patient(act: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(act)
        def when_ready(self: Locator, *args: Any, **options: Any) -> Any:  # noqa: ANN401
            self.wait_for(state="attached", timeout=options.get("timeout"))
            self.page.wait_for_load_state("domcontentloaded")
            return act(self, *args, **options)

        return when_ready

    with pytest.MonkeyPatch.context() as patch:
        for name in ACTIONS:
            patch.setattr(Locator, name, patient(getattr(Locator, name)))
        yield


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Return what opens a page; an error or a blocked file in its console fails the test."""
    contexts = []
    complaints: list[str] = []

    def opened(
        address: str,
        *,
        size: dict[str, int] = PHONE,
        fine: tuple[str, ...] = (),
        locale: str = "en-US",
        scripts: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            has_touch=size is PHONE,
            locale=locale,
            java_script_enabled=scripts,
            reduced_motion="reduce",  # a box that is measured while it moves has no size to speak of
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # it only bounds the wait for a condition, and computers may be busy
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: (
                complaints.append(line.text)
                if line.type == "error" and not any(part in line.text for part in fine)
                else None
            ),
        )
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def photo_file(tmp_path: Path, photo: bytes) -> Path:
    """Return the file of a photo in which there is little to see."""
    path = tmp_path / "photo.jpg"
    path.write_bytes(photo)
    return path


@pytest.fixture(scope="session")
def photo() -> bytes:
    """Return a photo of 800 x 600 pixels in which there is little to see."""
    return plain_photo()
