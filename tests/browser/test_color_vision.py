"""Dice, spaces and signs as people see them who do not see all colors: what is told stays readable.

Contrast is measured in the pixels that Chromium draws: a part is hidden, and the picture with it compared
with the picture without it, each as somebody with a color vision deficiency sees it.
"""

from __future__ import annotations

from io import BytesIO
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from PIL import Image

from tests.browser.conftest import OpenPage
from tests.vision_deficiency import SIMULATIONS, Picture, contrast, simulated

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

COLORS = "RYGBP"
SIDE = 80  # of a die, in pixels of the page
SCALE = 2
GROUNDS = ("var(--lead)", "var(--card)", "#e9e3d6")  # the window's lead, a sheet with choices, a clear space

LAY_OUT = """async ([grounds, side, zoom]) => {
  const { drawDie } = await import('/static/dice.js');
  const room = document.createElement('div');
  Object.assign(room.style, { position: 'fixed', inset: '0', zIndex: 99, zoom, background: 'var(--paper)' });
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


def test_dice_can_be_told_apart_without_color(site: str, open_page: OpenPage) -> None:
    """In each kind of color vision letter, pips, edge and cuts stand out, and no two colors are cut alike."""
    page = open_page(f"{site}/tools", size={"width": 1100 * SCALE, "height": 900 * SCALE})
    boxes = page.evaluate(LAY_OUT, [GROUNDS, SIDE, SCALE])
    parts = {
        name: np.s_[y * SCALE : (y + SIDE + 8) * SCALE, x * SCALE : (x + SIDE + 8) * SCALE]
        for name, (x, y) in boxes.items()
    }
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        whole, letters = shot(page), shot(page, ".die-letter", ".pane-letter")
        pips, plain = shot(page, ".pips"), shot(page, ".pips", ".cut", ".cut-shine")
        for name, part in parts.items():
            seen = [picture[part] for picture in (whole, letters, pips, plain)]
            assert not hard_to_see(*seen, pane="pane" in name), (name, scheme)
        lines = {}
        for color in COLORS:
            part = parts[f"{color}1 on {GROUNDS[0]}"]
            lines[color] = np.abs(pips[part].astype(int) - plain[part]).sum(axis=2) > 40
            assert lines[color].any(), color
        for one, other in combinations(COLORS, 2):
            shared = (lines[one] & lines[other]).sum() / (lines[one] | lines[other]).sum()
            assert shared < 0.3, (one, other)


def hard_to_see(
    whole: Picture, letters: Picture, pips: Picture, plain: Picture, *, pane: bool
) -> list[tuple[str, str, float]]:
    """Return what lacks contrast in a die, seen whole, without letter, without pips, and without cuts too."""
    change = whole.astype(int).sum(axis=2) - pips.astype(int).sum(axis=2)
    pairs = [
        (ink[mask], ground[mask])
        for ink, ground, mask in (
            (whole, letters, core(whole, letters)),
            (pips, plain, core(pips, plain)),
            (whole, pips, change > 60),
            (whole, pips, change < -60),
        )
    ]
    weak: list[tuple[str, str, float]] = []
    for deficiency in SIMULATIONS:
        found = {"letter": (low(*pairs[0], 0.05, deficiency), 4.5)}
        if not pane:
            cuts, bright, dark = (low(*pair, 0.5, deficiency) for pair in pairs[1:])
            found["cuts"] = (cuts, 1.5)
            # A pip is white with a dark ring: on dark glass the one is seen, on light glass the other.
            found["pips"] = (max(bright, dark), 3)
            found["edge"] = (least_edge(plain, deficiency), 3)
        weak += ((deficiency, what, is_so) for what, (is_so, wanted) in found.items() if is_so < wanted)
    return weak


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


def test_flat_signs_stand_out_without_color(site: str, open_page: OpenPage) -> None:
    """Labels on the photo, letters on cards, doubts, check marks and messages keep their contrast."""
    page = open_page(f"{site}/tools")
    page.add_style_tag(url="/static/reading.css")
    flat = page.evaluate(FLAT)
    page.emulate_media(color_scheme="dark")
    in_dark = page.evaluate(FLAT)
    assert in_dark != flat
    weak = []
    for what, ink, ground, wanted in flat + in_dark:
        colors = [
            np.array(text.removeprefix("rgb(").rstrip(")").split(","), np.uint8) for text in (ink, ground)
        ]
        for deficiency in SIMULATIONS:
            found = float(contrast(*(simulated(color, deficiency) for color in colors)))
            if found < wanted:
                weak.append((what, deficiency, round(found, 2), wanted))
    assert not weak


def test_the_simulation_is_that_of_chromium(site: str, open_page: OpenPage) -> None:
    """What these tests call protanopia and so on looks as Chromium's own emulation draws it."""
    page = open_page(
        f"{site}/tools", size={"width": 530 * SCALE, "height": 440 * SCALE}
    )  # the dice on one ground
    page.evaluate(LAY_OUT, [GROUNDS, SIDE, SCALE])
    plain = shot(page)
    devtools = page.context.new_cdp_session(page)
    for deficiency in SIMULATIONS.keys() - {"full color vision"}:
        devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
        difference = np.abs(shot(page).astype(int) - simulated(plain, deficiency)).max(axis=2)
        assert np.quantile(difference, 0.99) <= 4, deficiency
