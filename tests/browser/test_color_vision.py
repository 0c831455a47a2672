"""Dice, spaces and signs as people see them who do not see all colors: what is told stays readable.

Contrast is measured in the pixels that Chromium draws: a part is hidden, and the picture with it compared
with the picture without it, each as somebody with a color vision deficiency sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from tests.vision_deficiency import SIMULATIONS, Picture, contrast, simulated

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

COLORS, VALUES = "RYGBP", "123456"
SIDE = 80  # of a die, in pixels of the page
SCALE = 2
GROUNDS = ("var(--lead)", "var(--card)", "#e9e3d6")  # the window's lead, a sheet with choices, a clear space

LAY_OUT = """async ([grounds, side]) => {
  const { drawDie } = await import('/static/dice.js');
  const room = document.createElement('div');
  Object.assign(room.style, { position: 'fixed', inset: '0', zIndex: 99, background: 'var(--paper)' });
  const boxes = {};
  const place = (name, svg, x, y, ground) => {
    const box = document.createElement('div');
    Object.assign(box.style, { position: 'absolute', left: `${x}px`, top: `${y}px`, width: `${side + 8}px`,
      height: `${side + 8}px`, padding: '4px', background: ground });
    box.append(svg);
    room.append(box);
    boxes[name] = [x, y];
  };
  grounds.forEach((ground, g) => [...'RYGBP'].forEach((color, c) => [...'123456'].forEach((value, v) =>
    place(`${color}${value} on ${ground}`, drawDie(color, value), v * 88 + (g % 2) * 540,
      c * 88 + (g >> 1) * 450, ground))));
  [...'RYGBP'].forEach((color, c) => {
    const svg = drawDie('0');
    svg.firstChild.setAttribute('href', `#pane-${color}`);
    place(`pane ${color}`, svg, 540 + c * 88, 450, 'var(--lead)');
  });
  document.body.append(room);
  return boxes;
}"""
HIDE = """([part, hidden]) => {
  for (const one of document.querySelectorAll(part)) one.style.visibility = hidden ? 'hidden' : '';
}"""
# Colors of flat things as the page paints them: [what, color, over which color, least contrast]
FLAT = """() => {
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  document.body.append(probe);
  const fill = (name, key = 'fill') => {
    const part = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    part.setAttribute('class', name);
    probe.append(part);
    return getComputedStyle(part)[key];
  };
  const variable = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const pairs = [];
  for (const color of 'RYGBP') {
    const tag = fill(`tag-${color}`);
    pairs.push([`letter of ${color} in a diagram`, fill(`diagram-letter on-${color}`), tag, 4.5]);
    pairs.push([`label of ${color} on the photo`, fill(`tag-text on-${color}`), tag, 4.5]);
  }
  pairs.push(['letter on its seal', fill('die-letter'), fill('seal'), 4.5]);
  pairs.push(['doubt around a die', 'rgb(255, 197, 61)', variable('--lead'), 3]);
  pairs.push(['question mark of a doubt', 'rgb(43, 29, 0)', 'rgb(255, 197, 61)', 4.5]);
  pairs.push(['check mark on a space', variable('--lit'), 'rgb(21, 23, 29)', 3]);
  pairs.push(['lit space in a small window', 'rgb(255, 253, 246)', fill('mini-lead'), 3]);
  pairs.push(['broken rule', variable('--bad'), variable('--card'), 4.5]);
  pairs.push(['doubtful dice', variable('--warn'), variable('--warn-paper'), 4.5]);
  pairs.push(['all is well', variable('--good'), variable('--card'), 4.5]);
  return pairs;
}"""


@pytest.fixture(params=["light", "dark"])
def sheet(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Page]:
    """Open a small page of the program, from which pictures are taken larger than life."""
    context = browser.new_context(
        viewport={"width": 1100, "height": 900},
        device_scale_factor=SCALE,
        color_scheme=request.param,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(f"{site}/tools")
    yield page
    context.close()


def shot(page: Page, *hidden: str) -> Picture:
    """Return what the page shows without the parts ``hidden``."""
    for part in hidden:
        page.evaluate(HIDE, [part, True])
    picture = np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"))
    for part in hidden:
        page.evaluate(HIDE, [part, False])
    return picture


def core(with_it: Picture, without: Picture) -> Any:  # noqa: ANN401
    """Return the pixels that are wholly of the hidden part, not of its soft edges."""
    change = np.abs(with_it.astype(int) - without).sum(axis=2)
    return change >= 0.8 * change.max()


def test_dice_can_be_told_apart_without_color(sheet: Page) -> None:
    """Letter (4.5:1), pips (3:1), edge (3:1) and cuts of every die stand out in each kind of color vision."""
    boxes = sheet.evaluate(LAY_OUT, [GROUNDS, SIDE])
    whole, letters = shot(sheet), shot(sheet, ".die-letter", ".pane-letter")
    pips, plain = shot(sheet, ".pips"), shot(sheet, ".pips", ".cut", ".cut-shine")
    weak = []
    for name, (x, y) in boxes.items():
        part = np.s_[y * SCALE : (y + SIDE + 8) * SCALE, x * SCALE : (x + SIDE + 8) * SCALE]
        letter = core(whole[part], letters[part])
        change = whole[part].astype(int).sum(axis=2) - pips[part].astype(int).sum(axis=2)
        cut = core(pips[part], plain[part])
        for deficiency in SIMULATIONS:
            found = {"letter": (low(whole[part][letter], letters[part][letter], 0.05, deficiency), 4.5)}
            if not name.startswith("pane"):
                # A pip is white with a dark ring: on dark glass the one is seen, on light glass the other.
                both = [
                    low(whole[part][mask], pips[part][mask], 0.5, deficiency)
                    for mask in (change > 60, change < -60)
                ]
                found["pips"] = (max(both), 3)
                found["edge"] = (least_edge(plain[part], deficiency), 3)
                found["cuts"] = (low(pips[part][cut], plain[part][cut], 0.5, deficiency), 1.5)
            weak += [
                (name, deficiency, what, round(is_so, 2))
                for what, (is_so, wanted) in found.items()
                if is_so < wanted
            ]
    assert not weak


def low(ink: Picture, ground: Picture, share: float, deficiency: str) -> float:
    """Return the contrast that all but ``share`` of the pixels surpass; 1 where there are none."""
    if not len(ink):
        return 1.0
    return float(np.quantile(contrast(simulated(ink, deficiency), simulated(ground, deficiency)), share))


def least_edge(box: Picture, deficiency: str) -> float:
    """Return how well the die stands out on that of its four sides where it does least."""
    middle, far = box.shape[0] // 2, 14 * SCALE
    beside = middle + 20 * SCALE  # where no pip is
    sides = (box[middle, :far], box[middle, ::-1][:far], box[:far, beside], box[::-1, beside][:far])
    lines = [simulated(side, deficiency) for side in sides]
    return min(float(contrast(line, line[:1]).max()) for line in lines)


def test_each_color_is_cut_in_its_own_way(sheet: Page) -> None:
    """The lines in the glass of two colors never lie in the same places."""
    boxes = sheet.evaluate(LAY_OUT, [GROUNDS, SIDE])
    with_cuts, without = shot(sheet, ".pips"), shot(sheet, ".pips", ".cut", ".cut-shine")
    lines = {}
    for color in COLORS:
        x, y = boxes[f"{color}1 on {GROUNDS[0]}"]
        part = np.s_[y * SCALE : (y + SIDE + 8) * SCALE, x * SCALE : (x + SIDE + 8) * SCALE]
        lines[color] = np.abs(with_cuts[part].astype(int) - without[part]).sum(axis=2) > 40
        assert lines[color].any(), color
    for one in COLORS:
        for other in COLORS.replace(one, ""):
            shared = (lines[one] & lines[other]).sum() / (lines[one] | lines[other]).sum()
            assert shared < 0.3, (one, other)


def test_flat_signs_stand_out_without_color(sheet: Page) -> None:
    """Labels on the photo, letters on cards, doubts, check marks and messages keep their contrast."""
    sheet.add_style_tag(url="/static/reading.css")
    weak = []
    for what, ink, ground, wanted in sheet.evaluate(FLAT):
        colors = [
            np.array(text.removeprefix("rgb(").rstrip(")").split(","), np.uint8) for text in (ink, ground)
        ]
        for deficiency in SIMULATIONS:
            found = float(contrast(*(simulated(color, deficiency) for color in colors)))
            if found < wanted:
                weak.append((what, deficiency, round(found, 2), wanted))
    assert not weak


def test_the_simulation_is_that_of_chromium(browser: Browser, site: str) -> None:
    """What these tests call protanopia and so on looks as Chromium's own emulation draws it."""
    page = browser.new_page(viewport={"width": 1100, "height": 900}, reduced_motion="reduce")
    page.goto(f"{site}/tools")
    page.evaluate(LAY_OUT, [GROUNDS, SIDE])
    plain = shot(page)
    devtools = page.context.new_cdp_session(page)
    for deficiency in SIMULATIONS.keys() - {"full color vision"}:
        devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
        difference = np.abs(shot(page).astype(int) - simulated(plain, deficiency)).max(axis=2)
        assert np.quantile(difference, 0.99) <= 4, deficiency
    page.close()
