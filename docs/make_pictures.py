"""Make the README's pictures with the program itself: ``python docs/make_pictures.py`` (needs a Chromium).

Run it after the page or the overlay has changed its looks.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from pathlib import Path

import cv2
from playwright.sync_api import ViewportSize, sync_playwright
from werkzeug.serving import make_server

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.chromium import find_chromium  # noqa: E402
from vision import draw_overlay, load_photo, read_photo  # noqa: E402
from webapp import create_app  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SAMPLES = ROOT / "sample_images"


def overlay() -> None:
    """Draw the reading over the photo with the steepest tilt."""
    path = SAMPLES / "steep_tilt.jpg"
    picture = draw_overlay(load_photo(path).image_bgr, read_photo(path))
    height, width = picture.shape[:2]
    side = min(height, width)
    y, x = int((height - side) * 0.45), (width - side) // 2
    square = cv2.resize(picture[y : y + side, x : x + side], (900, 900), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(PICTURES / "overlay.jpg"), square, [cv2.IMWRITE_JPEG_QUALITY, 85])


def page() -> None:
    """Photograph the page with a sample's reading, on a laptop and on a phone."""
    with tempfile.TemporaryDirectory() as folder:
        server = make_server("127.0.0.1", 0, create_app({"SAGRADA_DATA": Path(folder)}), threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            for name, width, height in (("page", 1280, 900), ("phone", 390, 844)):
                size: ViewportSize = {"width": width, "height": height}
                view = browser.new_context(viewport=size, locale="en-US").new_page()
                view.goto(f"http://127.0.0.1:{server.server_port}/")
                view.locator("a, button").filter(has=view.locator("img[src*='easy_daylight']")).first.click()
                view.wait_for_url("**/w/*")
                for card in ("Column Color Variety", "Light Shades", "Color Variety"):
                    view.locator(f'input[value="{card}"]').check(force=True)
                    view.wait_for_selector(f'.line b:text-is("{card}")')
                view.locator("input[name=private][value=P]").check(force=True)
                view.wait_for_selector(".line b:text('Shades of')")
                view.evaluate("window.scrollTo(0, 0)")
                view.wait_for_load_state("networkidle")
                view.screenshot(path=PICTURES / f"{name}.png")
            browser.close()
        server.shutdown()
        thread.join()


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    overlay()
    page()
