"""Whether the right fault of a photo is named first: ``python -m calibration.training.held_back_doctor``.

Each drawn window is photographed well, and then with one fault turned up alone. `vision.diagnose` examines
all of these photos, and a Markdown table tells how often the fault was named first, and how often something
was called bad of photos without one. The bounds in `vision.checks` and the order of the checks were set on
seeds from those of `TUNED_ON` on, the figures are of those from `FIRST_SEED` on.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.accuracy.painted import PAINTED
from calibration.accuracy.spoiled import (
    Fault,
    Image8,
    Random,
    Shot,
    as_picture,
    of_pixels,
    small,
    under_light,
)
from calibration.training.held_back import file_of, label_of, window_entry
from calibration.training.synthetic import odd
from calibration.training.synthetic.dice import random_look
from vision import Examination, Verdict, diagnose

TUNED_ON, FIRST_SEED = (78_000_000, 79_000_000), 79_500_000
PHOTOS = 12  # with each fault
MORE = 5  # times as many without one
HIDDEN, HIDDEN_FROM = 2, 0.6  # spaces that something must lie over, and the share of one that counts
STEEP_DEG = (45.0, 55.0)


def blurred(cells: float, shot: Shot, _: Random) -> Shot:
    """Put the picture out of focus; the standard deviation is in cells."""
    blur = cv2.GaussianBlur(shot.image_bgr, (0, 0), cells * shot.window.pitch_px)
    return replace(shot, image_bgr=as_picture(blur))


def shaken(cells: float, shot: Shot, rng: Random) -> Shot:
    """Move the camera by so many cells in any direction while it takes the picture."""
    side = int(cells * shot.window.pitch_px) // 2 * 2 + 1
    middle, angle = side // 2, rng.uniform(0, np.pi)
    x, y = round(middle * np.cos(angle)), round(middle * np.sin(angle))
    path = np.zeros((side, side), np.float32)
    cv2.line(path, (middle - x, middle - y), (middle + x, middle + y), 1.0)
    return replace(shot, image_bgr=as_picture(cv2.filter2D(shot.image_bgr, -1, path / path.sum())))


def dark(share: float, image: Image8, rng: Random) -> NDArray[Any]:
    """Leave a share of the light, and the noise of a small sensor."""
    return np.asarray(share * image + rng.normal(0, 4, image.shape))


def bright(times: float, image: Image8, _: Random) -> NDArray[Any]:
    """Let in so many times the light."""
    return np.asarray(image * times)


def pale(share: float, image: Image8, _: Random) -> NDArray[Any]:
    """Leave a share of the colors, as a filter or an old lamp does."""
    grey = image.mean(axis=2, keepdims=True)
    return np.asarray(grey + share * (image - grey))


def hazy(share: float, image: Image8, _: Random) -> NDArray[Any]:
    """Lay the light of a lamp that shines into a greasy lens over so much of the picture."""
    return np.asarray((1 - share) * image + share * 200)


def covered(fault: str, shot: Shot, rng: Random) -> Shot:
    """Lay something over at least `HIDDEN` spaces."""
    while True:
        made = PAINTED[fault](shot, rng)
        if (made.hidden >= HIDDEN_FROM).sum() >= HIDDEN:
            return made


def flashes(spots: int, shot: Shot, rng: Random) -> Shot:
    """Blind the camera with several spots, each on a die."""
    for _ in range(spots):
        shot = PAINTED["flash spot"](shot, rng)
    return shot


@dataclass(frozen=True)
class Turned:
    """A fault, how far it is turned up, and the check that must name it; the angle has no ``fault``."""

    name: str
    up_to: str
    code: str
    fault: Fault | None = None


FAULTS = (
    Turned("out of focus", "0.08 cells", "sharpness", partial(blurred, 0.08)),
    Turned("out of focus", "0.11 cells", "sharpness", partial(blurred, 0.11)),
    Turned("shaken", "0.4 cells", "sharpness", partial(shaken, 0.4)),
    Turned("too little light", "5 % left", "light", of_pixels(partial(dark, 0.05))),
    Turned("too much light", "4 times", "clipping", of_pixels(partial(bright, 4.0))),
    Turned("haze", "70 %", "contrast", of_pixels(partial(hazy, 0.7))),
    Turned("few pixels", "20 a cell", "size", small),
    Turned("low angle", "45 to 55 degrees", "tilt"),
    Turned("candle light", "0.2 of its blue", "cast", of_pixels(partial(under_light, (0.2, 0.55, 1)))),
    Turned("blue lamp", "0.35 of its red", "cast", of_pixels(partial(under_light, (1, 0.65, 0.35)))),
    Turned("green light", "0.35 of the others", "cast", of_pixels(partial(under_light, (0.35, 1, 0.35)))),
    Turned("pale colors", "8 % left", "separation", of_pixels(partial(pale, 0.08))),
    Turned("glare", "3 spots", "glare", partial(flashes, 3)),
    Turned("fingers", "2 spaces or more", "covered", partial(covered, "fingers inside")),
    Turned("a card", "2 spaces or more", "covered", partial(covered, "card")),
    Turned("a sleeve", "2 spaces or more", "covered", partial(covered, "sleeve")),
)


def drawn(seed: int, least_tilt_deg: float = 0, tilt_deg: float = 30) -> Shot:
    """Return a photo of a window with ordinary dice in white light."""
    look = random_look(np.random.default_rng([seed, 1]))
    scene = odd.photo_of(
        np.random.default_rng(seed), look, "white", tilt_deg=tilt_deg, least_tilt_deg=least_tilt_deg
    )
    return Shot(scene.image_bgr, label_of(seed, scene.image_bgr, **window_entry(scene.windows[0])))


def spoiled(shot: Shot, turned: Turned, seed: int) -> Shot:
    """Return a photo with a fault, always the same one for a seed."""
    if turned.fault is None:
        return drawn(seed, *STEEP_DEG)
    rng = np.random.default_rng([seed, zlib.crc32(f"{turned.name} {turned.up_to}".encode())])
    return turned.fault(shot, rng)


def examined(first: int, count: int) -> Iterator[tuple[Turned | None, Examination]]:
    """Yield what is said of photos with each fault, ``count`` each, and of `MORE` times as many without."""
    for seed in range(first, first + MORE * count):
        shot = drawn(seed)
        yield None, diagnose(file_of(shot.image_bgr))
        for turned in FAULTS if seed < first + count else ():
            yield turned, diagnose(file_of(spoiled(shot, turned, seed).image_bgr))


def row_of(turned: Turned, found: Sequence[Examination]) -> str:
    """Return the line of a fault."""
    flags = [len(one.reading.doubtful) for one in found if one.reading is not None]
    refused = len(found) - len(flags)
    right = sum(one.cause == turned.code for one in found)
    doubts = f"{np.mean(flags):.1f}" if flags else "-"
    return f"| {turned.name} | {turned.up_to} | {doubts} | {refused} | {right} of {len(found)} |"


def unspoiled_text(found: Sequence[Examination]) -> str:
    """Return what is said of photos without a fault."""
    verdicts = [{check.verdict for check in one.checks} for one in found]
    bad = sum(Verdict.BAD in one for one in verdicts)
    fair = sum(Verdict.FAIR in one for one in verdicts)
    return f"Of {len(found)} photos without a fault {bad} are bad in something, and {fair} could be better."


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m calibration.training.held_back_doctor", description=__doc__
    )
    parser.add_argument("--count", type=int, default=PHOTOS, help="how many windows to draw")
    parser.add_argument("--first", type=int, default=FIRST_SEED, metavar="SEED", help="the first one's seed")
    parser.add_argument("--misses", action="store_true", help="also list what was named instead")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    found: dict[Turned | None, list[Examination]] = {}
    for turned, examination in examined(options.first, options.count):
        found.setdefault(turned, []).append(examination)
    lines = ["| fault | turned up to | flags a window | refused | named first |", "|---|---|---:|---:|---:|"]
    lines += [row_of(turned, examinations) for turned, examinations in found.items() if turned]
    right = sum(one.cause == turned.code for turned, ones in found.items() if turned for one in ones)
    lines.append(f"| all | | | | {right} of {len(FAULTS) * options.count} |")
    sys.stdout.write("\n".join([*lines, "", unspoiled_text(found[None])]) + "\n")
    if options.misses:
        for turned, examinations in found.items():
            for seed, one in enumerate(examinations, options.first):
                if one.cause != (turned and turned.code):
                    said = ", ".join(f"{check.code} {check.number:.1f}" for check in one.in_the_way)
                    sys.stdout.write(f"{seed} {turned and turned.name}: {said} {one.refusal or ''}\n")


if __name__ == "__main__":
    main()
