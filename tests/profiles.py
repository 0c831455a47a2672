"""Photos of dice that the reader does not know, and profiles made up without any photo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from calibration.profiles import Learned, Sample
from calibration.profiles.learning import Refused
from calibration.training.synthetic.odd import named_set, photo_of
from scoring import Board, Color
from vision.profile import SIGNATURE, Dye, How, Pips, Profile, Quality, Source
from vision.recognition.dice import reader_mark

WHEN = "2026-11-20T19:30:00+00:00"


def profile_of(name: str = "Grandma's table", revision: int = 1, right: int = 14) -> Profile:
    """Return a profile of 14 dice, of which ``right`` are read right with it and 5 were before."""
    dyes = {color: Dye((50.0, 8.0 * k, 20.0), (0.5 * k,) * SIGNATURE, 3) for k, color in enumerate(Color)}
    return Profile(
        name=name,
        pips=Pips.DARK,
        dyes=dyes,
        reader=reader_mark(),
        revision=revision,
        sources=(Source(How.WINDOW, WHEN, 14),) * revision,
        quality=Quality(14, 5, right),
    )


def outdated(profile: Profile) -> Profile:
    """Return a profile as an earlier version of the program, with other networks, made it."""
    return replace(profile, reader="0123456789ab")


def sample_of(mark: int = 0) -> Sample:
    """Return a sample that no photo was needed for; samples with other marks differ."""
    crops = np.full((20, 48, 48, 6), mark, np.uint8)
    return Sample(crops, ("R5",) * 20, How.WINDOW, f"2026-11-20T19:30:{mark:02d}+00:00")


@dataclass
class SayingLearner:
    """Learns as a test tells it to, at once and without looking: the next revision of what was there."""

    adopted: bool = True
    odd: tuple[tuple[int, int], ...] = ()
    seen: tuple[tuple[int, ...], ...] = ()
    told: tuple[tuple[str, object, How], ...] = ()

    def __call__(self, name: str, samples: list[Sample], before: Profile | None = None) -> Learned:
        """Note the marks of the samples, and return what comes of them."""
        self.seen += (tuple(int(one.crops[0, 0, 0, 0]) for one in samples),)
        made = profile_of(name, before.revision + 1 if before else 1, right=14 if self.adopted else 3)
        made = replace(made, sources=tuple(Source(one.how, one.when, 14) for one in samples))
        return Learned(made, None if self.adopted else Refused.NO_BETTER, self.odd)


@dataclass(frozen=True)
class Drawn:
    """A drawn photo, as a JPEG, and the dice in it."""

    content: bytes
    board: Board


@cache
def drawn(name: str, seed: int, number: int = 1) -> Drawn:
    """Return a photo of a set of `calibration.training.synthetic.odd`; drawn once in a process."""
    scene = photo_of(np.random.default_rng([5, seed]), named_set(name, number), "white", tilt_deg=8)
    content = cv2.imencode(".jpg", scene.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    dice = scene.windows[0].dice
    board = Board.parse(" / ".join(" ".join(dice[start : start + 5]) for start in range(0, 20, 5)))
    return Drawn(content, board)
