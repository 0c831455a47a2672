"""Make the documents' pictures with the program itself: ``python docs/make_pictures.py [PICTURE...]``.

Run it after the page or the overlay has changed its looks, or after the reader has changed. ``page``,
``table`` and ``colors`` need a Chromium.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, ViewportSize, sync_playwright
from werkzeug.serving import make_server

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


from calibration.profiles import learn, window_sample  # noqa: E402
from calibration.training.held_back import file_of  # noqa: E402
from calibration.training.synthetic import odd  # noqa: E402
from tests.chromium import find_chromium  # noqa: E402
from tests.vision_deficiency import SIMULATIONS, simulated  # noqa: E402
from vision import draw_overlay, load_photo, read_photo  # noqa: E402
from webapp import create_app  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SAMPLES = ROOT / "sample_images"

HARDEST = (
    "thirty_degrees",
    "everything_at_once",
    "clear_dice_out_of_focus",
    "tungsten_overexposed",
    "dark",
    "tiny_window",
)
"""The sample photos that docs/accuracy.md shows, each beside its reading."""

SIDE_PX = 480


def overlay() -> None:
    """Draw the reading over the photo with the steepest tilt."""
    path = SAMPLES / "steep_tilt.jpg"
    picture = draw_overlay(load_photo(path).image_bgr, read_photo(path))
    height, width = picture.shape[:2]
    side = min(height, width)
    y, x = int((height - side) * 0.45), (width - side) // 2
    square = cv2.resize(picture[y : y + side, x : x + side], (900, 900), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(PICTURES / "overlay.jpg"), square, [cv2.IMWRITE_JPEG_QUALITY, 85])


def hardest() -> None:
    """Put each of the hardest sample photos beside its reading, cut to the window."""
    for name in HARDEST:
        photo = load_photo(SAMPLES / f"{name}.jpg")
        reading = read_photo(SAMPLES / f"{name}.jpg")
        drawn = draw_overlay(photo.image_bgr, reading)
        scale = drawn.shape[1] / photo.image_bgr.shape[1]
        corners = np.array(reading.corners) * photo.scale
        pair = [around(photo.image_bgr, corners), around(drawn, corners * scale)]
        gap = np.full((SIDE_PX, 12, 3), 255, np.uint8)
        both = np.hstack([pair[0], gap, pair[1]])
        cv2.imwrite(str(PICTURES / f"hard_{name}.jpg"), both, [cv2.IMWRITE_JPEG_QUALITY, 82])


def own_dice() -> None:
    """Put a photo with unknown dice beside the same one after they were learned from another."""
    look = odd.named_set("shifted hues", 2)
    scenes = [
        odd.photo_of(np.random.default_rng(seed), look, light) for seed, light in ((1, "white"), (2, "warm"))
    ]
    learned = learn("Ours", [window_sample(file_of(scenes[0].image_bgr), scenes[0].windows[0].dice)])
    photo = file_of(scenes[1].image_bgr)
    pair = []
    for profile in (None, learned.profile):
        reading = read_photo(photo, profile=profile)
        drawn = draw_overlay(scenes[1].image_bgr, reading)
        scale = drawn.shape[1] / scenes[1].image_bgr.shape[1]
        pair.append(around(drawn, np.array(reading.corners) * scale))
    both = np.hstack([pair[0], np.full((SIDE_PX, 12, 3), 255, np.uint8), pair[1]])
    cv2.imwrite(str(PICTURES / "own_dice.jpg"), both, [cv2.IMWRITE_JPEG_QUALITY, 85])


def around(image_bgr: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Cut a square around a window, uint8 SIDE_PX x SIDE_PX x 3, white where the photo ends."""
    middle = corners.mean(axis=0)
    half = 1.2 * np.abs(corners - middle).max()
    to_square = SIDE_PX / (2 * half) * np.array([[1, 0, half - middle[0]], [0, 1, half - middle[1]]])
    shrink = to_square[0, 0] < 1
    if shrink:  # smooth first, as a warp alone would leave out pixels
        image_bgr = np.asarray(cv2.GaussianBlur(image_bgr, None, 0.4 / to_square[0, 0]), np.uint8)
    cut = cv2.warpAffine(image_bgr, to_square, (SIDE_PX, SIDE_PX), borderValue=(255, 255, 255))
    return np.asarray(cut, np.uint8)


@contextmanager
def served() -> Iterator[tuple[Browser, str]]:
    """Serve the page from an empty folder, and give a browser and the address."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = make_server("127.0.0.1", 0, create_app({"SAGRADA_DATA": Path(folder)}), threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield browser, f"http://127.0.0.1:{server.server_port}"
        browser.close()
        server.shutdown()
        thread.join()


CARDS = ("Column Color Variety", "Light Shades", "Color Variety")


def page() -> None:
    """Photograph the page with a sample's reading, on a laptop and on a phone."""
    with served() as (browser, site):
        for name, width, height in (("page", 1280, 900), ("phone", 390, 844)):
            size: ViewportSize = {"width": width, "height": height}
            view = browser.new_context(viewport=size, locale="en-US").new_page()
            view.goto(site)
            view.locator(".try-samples summary").click()
            view.locator("button").filter(has=view.locator("img[src*='easy_daylight']")).first.click()
            view.wait_for_url("**/w/*")
            view.locator("[data-sheet=objectives]").click()
            for card in CARDS:
                view.locator(f'input[value="{card}"]').check(force=True)
                view.wait_for_selector(f'.line b:text-is("{card}")')
            view.locator("input[name=private][value=P]").check(force=True)
            view.wait_for_selector(".line b:text('Shades of')")
            view.evaluate("window.scrollTo(0, 0)")
            view.wait_for_load_state("networkidle")
            view.screenshot(path=PICTURES / f"{name}.png")


def table() -> None:
    """Photograph the way from one photo of a whole table to the ranking."""
    with served() as (browser, site):
        size: ViewportSize = {"width": 1280, "height": 900}
        view = browser.new_context(viewport=size, locale="en-US", reduced_motion="reduce").new_page()
        view.goto(site)
        view.locator(".try-samples summary").click()
        view.locator("button").filter(has=view.locator("img[src*='whole_table']")).first.click()
        view.wait_for_selector("#table-photo[data-stage=done]")
        view.locator("#choose").click()
        for number, card in enumerate(CARDS, start=1):
            view.locator(f'input[value="{card}"]').check(force=True)
            view.wait_for_function(f"document.querySelectorAll('[name=public]:checked').length == {number}")
        for number, (name, color) in enumerate((("Anna", "R"), ("Boris", "G"), ("Chiyo", "B")), start=1):
            with view.expect_response(f"**/windows/{number}"):
                view.locator(f"#private-{number} input[value={color}]").check(force=True)
            with view.expect_response(f"**/windows/{number}"):
                view.locator(f"#name-{number}").evaluate(
                    """(field, name) => {
                      field.value = name;
                      field.dispatchEvent(new Event("change", { bubbles: true }));
                    }""",
                    name,
                )
        view.reload(wait_until="networkidle")
        view.evaluate("window.scrollTo(0, 0)")
        view.screenshot(path=PICTURES / "one_photo.png")


ALL_DICE = "R1 Y2 G3 B4 P5 / Y6 G1 B2 P3 R4 / G5 B6 P1 R2 Y3 / B4 P5 R6 Y1 G2"


def colors() -> None:
    """Photograph a full window as people with each kind of color vision see it, side by side."""
    with served() as (browser, site):
        view = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        view.goto(site)
        view.locator("form[action='/by-hand'] button").first.click()
        view.wait_for_url("**/w/*")
        state = view.request.get(f"{view.url}.json").json()
        names = [f"{row}{column}" for row in "ABCD" for column in range(1, 6)]
        change = {
            "revision": state["revision"],
            "cells": dict(zip(names, ALL_DICE.replace("/", "").split(), strict=True)),
        }
        view.request.post(view.url, data=change)
        view.reload()
        shot = view.locator("#board .lead-grid").screenshot()
    seen = cv2.cvtColor(cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    gap = np.full((seen.shape[0], 14, 3), 255, np.uint8)
    pictures = [simulated(np.asarray(seen, np.uint8), kind) for kind in SIMULATIONS]
    row = np.hstack([part for picture in pictures for part in (picture, gap)][:-1])
    cv2.imwrite(str(PICTURES / "color_vision.png"), cv2.cvtColor(row, cv2.COLOR_RGB2BGR))


MAKERS = {
    "overlay": overlay,
    "own_dice": own_dice,
    "hardest": hardest,
    "page": page,
    "table": table,
    "colors": colors,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", nargs="*", choices=[[], *MAKERS], help="all when none is named")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for chosen in parser.parse_args().pictures or MAKERS:
        MAKERS[chosen]()
