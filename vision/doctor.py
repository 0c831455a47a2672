"""What would make a photo better: what is wrong with it, how much, and one thing to do about each.

This is the one judge of photos: `vision.advice` says of a table what it says of its windows. Whatever is in
the way is a `vision.checks.Check` with a number; the most helpful come first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring import WindowPattern
from scoring.sentences import ENGLISH, Words
from vision import measures
from vision.cells.covered import blinded
from vision.checks import KINDS, SMALL_PX, WHOLE, Check, Verdict
from vision.errors import VisionError
from vision.find.scrutiny import window_blur
from vision.geometry import CELL_CENTERS, DIE_EDGE, TOP_HEIGHT, Grid, apply_homography, as_corners
from vision.markers import Helper, in_white_of
from vision.photo import Photo, Source, brightened, in_white_light, load_photo
from vision.read import WINDOW_SIDE_PX, read_photo
from vision.reading import Reading

ASIDE = 0.5  # pitches from the window's middle by which blinded dice lie to one side of it
BEHIND = {"too_blurry": "sharpness", "too_dark": "light", "too_small": "size", "no_colors": "separation"}
"""What is behind a refusal of the reader's."""


@dataclass(frozen=True)
class Examination:
    """All that was found out about a photo: its checks, the most helpful first, and why it was refused."""

    checks: tuple[Check, ...]
    reading: Reading | None = None
    refusal: VisionError | None = None

    @property
    def in_the_way(self) -> tuple[Check, ...]:
        """The checks that are not good, the most helpful first."""
        return tuple(one for one in self.checks if one.verdict is not Verdict.GOOD)

    @property
    def cause(self) -> str | None:
        """The code of what is most in the way, None when nothing is, or only the refusal can say it."""
        if self.refusal is not None and self.refusal.code in BEHIND:
            return BEHIND[self.refusal.code]
        return self.in_the_way[0].code if self.in_the_way else None

    def to_json(self, words: Words = ENGLISH) -> dict[str, object]:
        """Return the examination as in ``sagrada doctor --json``, without the photo's name."""
        refused = {} if self.refusal is None else {"error": self.refusal.to_json(words)}
        return {**refused, "cause": self.cause, "checks": [one.to_json(words) for one in self.checks]}


def diagnose(source: Source, windows: Iterable[WindowPattern] | None = None) -> Examination:
    """Read a photo of one window, and say what would make it better.

    Parameters
    ----------
    source, windows
        As for `vision.read_photo`.

    Raises
    ------
    PhotoError
        The file is no photo. One in which no window can be read is examined with what can be known of it.
    """
    photo = load_photo(source, max_side=WINDOW_SIDE_PX)
    try:
        reading = read_photo(photo, windows=windows)
    except VisionError as refusal:
        return Examination(examine(photo.image_bgr), refusal=refusal)
    return Examination(examine(photo.image_bgr, reading), reading)


def examine(
    image_bgr: NDArray[np.uint8], reading: Reading | None = None, side_px: int = WINDOW_SIDE_PX
) -> tuple[Check, ...]:
    """Return what is in the way of reading a photo, the most helpful first, and then what is good.

    Parameters
    ----------
    image_bgr
        The upright photo, or a smaller copy of it, uint8 H x W x 3, BGR.
    reading
        What was read in it; None when nothing was.
    side_px
        The longest side of a photo as it is read.

    Raises
    ------
    BoardUnreadableError
        The photo is one that the reader refuses for its light, so that no reading can be of it.
    """
    if reading is None:
        numbers = measures.of_whole(image_bgr)
        return _ordered(Check(code, kind, numbers[code]) for code, kind in WHOLE.items())
    photo = Photo(image_bgr, reading.size, image_bgr.shape[1] / reading.size[0])
    bright_photo = brightened(photo)
    read_bgr = in_white_light(in_white_of(Helper(bright_photo.image_bgr), bright_photo)).image_bgr
    height, width = image_bgr.shape[:2]
    grid = Grid.from_corners(as_corners(np.array(reading.corners) * photo.scale), (width, height))
    doubtful = np.array([cell.doubtful for cell in reading.cells])
    covered = np.array([cell.covered for cell in reading.cells])
    bright = blinded(read_bgr, grid) & doubtful
    die_px = DIE_EDGE * grid.pitch_px / photo.scale * min(1.0, side_px / max(reading.size))
    numbers = {
        **measures.of_window(image_bgr, read_bgr, grid, reading),
        "size": die_px,
        "glare": float(bright.sum()),
        "covered": float((covered & ~bright).sum()),
    }
    # In a copy so small that its cells are, nobody can tell whether the photo itself is blurred.
    if grid.pitch_px >= SMALL_PX:
        numbers["sharpness"] = 100 * window_blur(read_bgr, grid.homography)
    doubts = {
        "glare": int(bright.sum()),
        "covered": int((covered & ~bright).sum()),
        "tilt": int((doubtful & ~bright).sum()),
        "clipping": int(doubtful.sum()),
    }
    unclear = int((doubtful & ~covered & ~bright).sum())
    return _ordered(
        Check(
            code,
            KINDS[code],
            number,
            doubts.get(code, unclear),
            _side(bright, grid) if code == "glare" else "",
        )
        for code, number in numbers.items()
    )


def _ordered(found: Iterable[Check]) -> tuple[Check, ...]:
    """Return checks, the most helpful first: the worst, and of these what explains most doubts."""
    checks = tuple(found)
    verdicts = list(Verdict)
    bad = {one.code: verdicts.index(one.verdict) for one in checks}

    def key(check: Check) -> tuple[bool, bool, int, int, float]:
        own = bad[check.code]
        follows = any(bad.get(cause, 0) >= own for cause in check.kind.follows)
        return not own, follows, -own, -check.doubts, -check.kind.severity(check.number)

    return tuple(sorted(checks, key=key))


def _side(bright: NDArray[np.bool_], grid: Grid) -> str:
    """Return on which side of a window its blinded dice lie in the picture."""
    if not bright.any():
        return ""
    across = apply_homography(grid.plane(TOP_HEIGHT), CELL_CENTERS)[:, 0]
    aside = float(across[bright].mean() - across.mean()) / grid.pitch_px
    if abs(aside) <= ASIDE:
        return ""
    return "right" if aside > 0 else "left"
