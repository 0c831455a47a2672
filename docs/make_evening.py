"""Play a game night and photograph it for docs/game-night.md: ``python docs/make_evening.py [FOLDER]``.

Needs a Chromium. The windows are sample photos, read by the real reader; the address in the QR code is one of
a home network. What each step costs, taps, height, controls in view and bytes, goes into the table at the end
of docs/game-night.md. With a folder the pictures go there, in light and dark and for laptop and phone.
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
NIGHT = ROOT / "docs" / "game-night.md"
TABLE_BEGINS, TABLE_ENDS = "<!-- costs -->", "<!-- end of costs -->"
HEAD = "| step | taps | height, px | controls in view | kB loaded |\n|---|---:|---:|---:|---:|"
SAMPLES = ROOT / "sample_images"
ADDRESS = "http://192.168.178.20:8000"
CARDS = ("Column Color Variety", "Light Shades", "Color Variety")
PLAYERS = (
    ("Anna", "easy_daylight.jpg", "P"),
    ("Boris", "upside_down.jpg", "B"),
    ("Chiyo", "steep_tilt.jpg", "G"),
)
LAPTOP, PHONE = (1280, 900), (390, 844)
COUNT_TAPS = """addEventListener("click", ({ isTrusted, detail }) => {
  if (isTrusted && detail) localStorage.taps = 1 + Number(localStorage.taps ?? 0);
}, true)"""
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


class Device:
    """A browser of somebody at the table, and what it has cost since it was asked last."""

    def __init__(self, browser: Browser, size: tuple[int, int]) -> None:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale="en-US", reduced_motion="reduce"
        )
        context.add_init_script(COUNT_TAPS)
        self.page = context.new_page()
        self._bytes, self._photos, self._seen = 0, 0, 0
        network = context.new_cdp_session(self.page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda told: self._add(told["encodedDataLength"]))

    def _add(self, more: float) -> None:
        self._bytes += int(more)

    def photo(self, photo: str, form: str = ".window-form") -> None:
        """Choose a photo, which is a tap."""
        self.page.locator(f"{form} input[type=file]").last.set_input_files(SAMPLES / photo)
        self._photos += 1

    def cost(self) -> tuple[int, int, int, int]:
        """Return taps and kilobytes since the last time, and height and controls in view of the page now."""
        self.page.wait_for_load_state("networkidle")
        height, controls = self.page.evaluate(SIZE_AND_CONTROLS)
        taps = int(self.page.evaluate("localStorage.taps ?? 0")) + self._photos
        taps, self._seen = taps - self._seen, taps
        spent, self._bytes = self._bytes, 0
        return taps, height, controls, round(spent / 1000)


class Evening:
    """Three players, each with a browser of their own, and what is photographed on the way."""

    def __init__(self, browser: Browser, site: str, folder: Path | None) -> None:
        self.browser, self.site, self.folder = browser, site, folder
        self.devices = [Device(browser, size) for size in (LAPTOP, PHONE, PHONE)]
        self.pages: list[Page] = [one.page for one in self.devices]
        self.costs: list[str] = []

    def note(self, step: str, device: Device) -> None:
        """Note what a step has cost on a device."""
        taps, height, controls, kilobytes = device.cost()
        self.costs.append(f"| {step} | {taps} | {height:,} | {controls} | {kilobytes:,} |")

    def play(self) -> None:
        """Play from the first page to the reveal."""
        host, (laptop, ben, _) = self.pages[0], self.devices
        self.alone(ben)
        host.goto(self.site)
        self.take(host, "start")
        host.locator("#host-name").fill(PLAYERS[0][0])
        host.get_by_role("button", name="2 to 6 players").click()
        host.wait_for_selector("#table")
        self.note("Host, laptop: a new game", laptop)
        table = host.url
        for device, (name, _, _) in list(zip(self.devices, PLAYERS, strict=True))[1:]:
            page = device.page
            page.goto(table)
            if name == PLAYERS[1][0]:
                self.take(page, "join")
            page.locator("#name").fill(name)
            page.get_by_role("button", name="Join").click()
            page.wait_for_selector("#table")
        self.note("Guest, phone: a seat", ben)
        host.locator(".player", has_text=PLAYERS[2][0]).wait_for()
        self.take(host, "table", PICTURES / "table.png")
        host.get_by_role("button", name="We are all here").click()
        host.wait_for_selector("#step-cards[open]")
        self.take(host, "cards")
        for card in CARDS:
            host.locator("label.objective", has=host.locator(f'[value="{card}"]')).click()
            host.locator(f'input[name=public][value="{card}"]:checked').wait_for(state="attached")
        host.wait_for_selector("#step-windows[open]")
        self.note("Host: all are here, three cards", laptop)
        for device, (_, photo, color) in zip(self.devices, PLAYERS, strict=True):
            page = device.page
            page.goto(table)
            device.photo(photo)
            page.wait_for_url("**/w/*")
            if color == PLAYERS[0][2]:
                self.take(page, "window")
            page.locator(f"#bar [data-private={color}]").click()
            page.get_by_role("button", name="I am ready").click()
            page.wait_for_url(table)
        self.note("Guest: photo, private objective, ready", ben)
        host.get_by_role("button", name="Reveal all windows").wait_for()
        self.take(host, "ready")
        self.take(self.pages[1], "seat", PICTURES / "seat.png")
        host.get_by_role("button", name="Reveal all windows").click()
        host.wait_for_url("**/reveal")
        self.note("Host: photo, private objective, ready, reveal", laptop)
        self.take(host, "reveal", PICTURES / "reveal.png")
        self.glass(host)
        self.rematch(laptop)
        host.goto(f"{self.site}/history")
        self.take(host, "history")
        self.place(self.pages[2])

    def rematch(self, laptop: Device) -> None:
        """Take the same people to the next table."""
        laptop.cost()
        laptop.page.locator(".again summary").click()
        laptop.page.get_by_role("button", name="Same cards").click()
        laptop.page.wait_for_url(lambda url: "/reveal" not in url)
        self.note("Host: a rematch with the same people", laptop)

    def alone(self, device: Device) -> None:
        """Score one window, and a table of three, without a game."""
        page = device.page
        page.goto(self.site)
        self.note("Phone: the start page", device)
        device.photo(PLAYERS[0][1], "#upload")
        page.wait_for_url("**/w/*")
        page.locator("#bar .primary").click()
        for value in (*CARDS, PLAYERS[0][2]):
            page.locator("#objectives label", has=page.locator(f'[value="{value}"]')).first.click()
        page.locator("#bar small").wait_for(state="detached")
        self.note("Phone: one window to its total, the cards not in the photo", device)
        page.goto(self.site)
        device.cost()
        device.photo("whole_table.jpg", "#upload")
        page.wait_for_url("**/t/*")
        page.locator("#table-photo[data-stage=done]").wait_for()
        page.locator("[data-sheet=objectives]").click()
        sheet = page.locator("#objectives")
        for number, (_, _, color) in enumerate(PLAYERS, start=1):
            sheet.locator(f"#private-{number} label", has=page.locator(f"[value={color}]")).click()
        self.take(page, "whole")
        page.locator("#bar .primary", has_text="Score them all").click()
        page.wait_for_url("**/reveal")
        self.note("Phone: a table of three to the ranking, the cards known", device)

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
        evening = Evening(browser, site, folder)
        evening.play()
        browser.close()
    rows = "\n".join(evening.costs)
    text = NIGHT.read_text("utf-8")
    before, _, after = (*text.partition(TABLE_BEGINS)[:2], text.partition(TABLE_ENDS)[2])
    if folder is None:
        NIGHT.write_text(f"{before}{TABLE_BEGINS}\n{HEAD}\n{rows}\n{TABLE_ENDS}{after}", "utf-8")
    sys.stdout.write(f"{rows}\n")


if __name__ == "__main__":
    main()
