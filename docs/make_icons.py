"""Make the icons of the installed page from ``webapp/static/icon.svg``: ``python docs/make_icons.py``.

Needs a Chromium. Run it after the drawing has changed, and commit what it makes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.chromium import find_chromium  # noqa: E402

STATIC = ROOT / "webapp" / "static"
SVG = "{http://www.w3.org/2000/svg}"

DRAWN_AS_IT_IS = {"icon-192.png": 192, "icon-512.png": 512}
TO_BE_CUT = {"icon-maskable-512.png": (512, 0.86), "apple-touch-icon.png": (180, 0.9)}
"""Icons that the device cuts into a shape of its own: side in pixels, and how large the drawing is in it.

The rose has a radius of 42 % of the drawing, and a mask may take away all but a circle with a radius of 40 %.
"""


def filled_to_the_corners(drawing: str, share: float) -> str:
    """Return the drawing on a ground that reaches into the corners, itself made smaller."""
    ET.register_namespace("", SVG.strip("{}"))
    root = ET.fromstring(drawing)  # noqa: S314  our own file
    ground, *rest = list(root)
    ground.attrib.pop("rx")
    inner = ET.SubElement(root, f"{SVG}g", transform=f"translate(50 50) scale({share}) translate(-50 -50)")
    for part in rest:
        root.remove(part)
        inner.append(part)
    return ET.tostring(root, encoding="unicode")


def main() -> None:
    """Draw all icons."""
    drawing = (STATIC / "icon.svg").read_text(encoding="utf-8")
    wanted = {name: (side, drawing) for name, side in DRAWN_AS_IT_IS.items()}
    for name, (side, share) in TO_BE_CUT.items():
        wanted[name] = (side, filled_to_the_corners(drawing, share))
    (STATIC / "icons").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for name, (side, svg) in wanted.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block; width: 100vw }}</style>{svg}"
            )
            page.screenshot(path=STATIC / "icons" / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
