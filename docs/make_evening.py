"""Play a game night and photograph it for docs/game-night.md: ``python docs/make_evening.py [FOLDER]``.

Needs a Chromium. The windows are sample photos, read by the real reader; the address in the QR code is one of
a home network. With a folder the pictures go there, in light and dark and for laptop and phone.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.chromium import find_chromium  # noqa: E402
from webapp import create_app  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SAMPLES = ROOT / "sample_images"
ADDRESS = "http://192.168.178.20:8000"
CARDS = ("Column Color Variety", "Light Shades", "Color Variety")
PLAYERS = (
    ("Anna", "easy_daylight.jpg", "P"),
    ("Boris", "upside_down.jpg", "B"),
    ("Chiyo", "steep_tilt.jpg", "G"),
)
LAPTOP, PHONE = (1280, 900), (390, 844)
SIZE_AND_CONTROLS = """() => {
  const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")];
  const boxes = all.filter((one) => one.checkVisibility())
    .map((one) => (one.labels?.[0] ?? one).getBoundingClientRect());
  const inView = boxes.filter(({ top, bottom, width }) => width && bottom > 0 && top < innerHeight);
  return [document.documentElement.scrollHeight, inView.length];
}"""


@contextmanager
def served() -> Iterator[str]:
    """Serve the page from an empty folder and give its address."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"SAGRADA_DATA": Path(folder), "SAGRADA_ADDRESS": ADDRESS})
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class Evening:
    """Three players, each with a browser of their own, and what is photographed on the way."""

    def __init__(self, browser: Browser, site: str, folder: Path | None) -> None:
        self.browser, self.site, self.folder = browser, site, folder
        self.pages: list[Page] = [
            browser.new_context(
                viewport={"width": size[0], "height": size[1]}, locale="en-US", reduced_motion="reduce"
            ).new_page()
            for size in (LAPTOP, PHONE, PHONE)
        ]

    def play(self) -> None:
        """Play from the first page to the reveal."""
        host = self.pages[0]
        host.goto(self.site)
        self.take(host, "start")
        host.locator("#host-name").fill(PLAYERS[0][0])
        host.get_by_role("button", name="2 to 6 players").click()
        host.wait_for_selector("#table")
        table = host.url
        for page, (name, _, _) in list(zip(self.pages, PLAYERS, strict=True))[1:]:
            page.goto(table)
            if name == PLAYERS[1][0]:
                self.take(page, "join")
            page.locator("#name").fill(name)
            page.get_by_role("button", name="Join").click()
            page.wait_for_selector("#table")
        for number, card in enumerate(CARDS):
            host.locator(f'input[name=public][value="{card}"]').check(force=True)
            host.locator(".objective.shown").nth(number).wait_for()
        for page, (_, photo, color) in zip(self.pages, PLAYERS, strict=True):
            page.goto(table)
            page.locator(".window-form input[type=file]").last.set_input_files(SAMPLES / photo)
            page.wait_for_url("**/w/*")
            if color == PLAYERS[0][2]:
                self.take(page, "window")
            page.goto(table)
            page.locator(".secret > summary").click()
            page.locator(f"input[name=private][value={color}]").check(force=True)
            page.locator(".secret:not([open])").get_by_text("chosen, tap to look").wait_for()
            page.get_by_role("button", name="I am ready").click()
            page.get_by_text("You are ready.").wait_for()
        host.goto(table)
        self.take(host, "table", PICTURES / "table.png")
        self.take(self.pages[1], "seat", PICTURES / "seat.png")
        host.get_by_role("button", name="Reveal all windows").click()
        host.wait_for_url("**/reveal")
        self.take(host, "reveal", PICTURES / "reveal.png")
        self.glass(host)
        host.goto(f"{self.site}/history")
        self.take(host, "history")
        self.place(self.pages[2])

    def glass(self, host: Page) -> None:
        """Photograph the first player's window as stained glass."""
        picture = host.locator(".as-picture a").first.get_attribute("href")
        if self.folder is None:
            half = self.browser.new_context(viewport={"width": 1080, "height": 1350}, device_scale_factor=0.6)
            page = half.new_page()
            page.goto(f"{self.site}{picture}")
            page.screenshot(path=PICTURES / "glass.jpg", type="jpeg", quality=88)
            half.close()
            return
        host.locator(".as-picture summary").first.click()
        host.locator(".as-picture img").first.scroll_into_view_if_needed()
        self.take(host, "pictures")

    def place(self, page: Page) -> None:
        """Ask in play where dice may go."""
        page.goto(f"{self.site}/place")
        page.locator("input[type=file]").last.set_input_files(SAMPLES / "few_dice.jpg")
        page.wait_for_url("**/place*")
        page.wait_for_selector("#board [data-cell]")
        page.goto(page.url.split("?")[0] + "?die=R2&die=B5&die=Y6&pick=R2")
        page.wait_for_selector("#board [data-cell]")
        self.take(page, "place", PICTURES / "place.png")

    def take(self, page: Page, name: str, picture: Path | None = None) -> None:
        """Photograph a page: for the documents, or for looking at it in every form."""
        page.wait_for_load_state("networkidle")
        height, controls = page.evaluate(SIZE_AND_CONTROLS)
        sys.stdout.write(f"{name}: {height} px high, {controls} controls in view\n")
        page.evaluate("window.scrollTo(0, 0)")
        page.locator("#message p:not(.sr)").wait_for(state="detached")
        if self.folder is None:
            if picture:
                page.screenshot(path=picture)
            return
        before = page.viewport_size
        for width, height in (LAPTOP, PHONE):
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                page.screenshot(path=self.folder / f"{name}_{width}_{scheme}.png", full_page=True)
        page.emulate_media(color_scheme="light")
        if before:
            page.set_viewport_size(before)


def main() -> None:
    """Play and photograph."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    (folder or PICTURES).mkdir(parents=True, exist_ok=True)
    with served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        Evening(browser, site, folder).play()
        browser.close()


if __name__ == "__main__":
    main()
