"""From named dice to a profile: where the dyes stand, which pips there are, and whether that reads better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.profiles.samples import LEAST_COLORS, LEAST_DICE, Sample, too_few_dice
from scoring import Color
from vision.cells import dyes
from vision.cells.faces import face_colors
from vision.cells.household import Seen
from vision.network import softmax
from vision.profile import Dye, Lesson, Pips, Profile, Quality, checked_name

Float = NDArray[np.float64]
Ints = NDArray[np.int64]

FACE_SCALE = 50  # by which `vision.cells.faces` divides CIELAB
CLEARLY = 0.95  # how surely a held-back die has to look like another color to be named as odd


@dataclass(frozen=True)
class Learned:
    """What came of learning.

    ``adopted`` says that dice held back are read at least as well with ``profile`` as before; if they are
    not, it is no good. ``odd`` are the places, (sample, cell), of named dice that look like those of
    another color.
    """

    profile: Profile
    adopted: bool
    odd: tuple[tuple[int, int], ...]


def learn(name: str, samples: Sequence[Sample], before: Profile | None = None) -> Learned:
    """Return the profile that named dice make.

    A color that nobody named stays where the game's own is. Whether the profile is any better is asked of
    each die with what all others say (leave-one-out).

    Parameters
    ----------
    name
        What the profile is called.
    samples
        All photos that it is to know, with those that ``before`` was made from.
    before
        The profile in whose place this one comes; without one the dice were read as the game's.

    Raises
    ------
    ProfileError
        Too few dice or colors are named (``too_few_dice``).
    VisionError
        The name will not do (``bad_profile_name``).
    """
    name = checked_name(name)
    photos = [_Photo(sample, sample.seen) for sample in samples]
    pips = max(Pips, key=lambda one: sum(photo.likelihood(one) for photo in photos))
    dice = [photo.named(pips) for photo in photos]
    places, colors = (
        np.concatenate([one.places for one in dice]),
        np.concatenate([one.colors for one in dice]),
    )
    if len(colors) < LEAST_DICE or len(set(colors.tolist())) < LEAST_COLORS:
        raise too_few_dice()
    scores = _scores_held_back(places, colors)
    value_right = np.concatenate([one.value_right for one in dice])
    after = (scores.argmax(axis=1) == colors) & value_right
    earlier = np.concatenate([photo.right_before(before) for photo in photos])
    profile = Profile(
        name=name,
        pips=pips,
        dyes=_dyes(places, colors, np.concatenate([one.lab for one in dice])),
        reader=dyes.reader_mark(),
        revision=before.revision + 1 if before else 1,
        lessons=tuple(
            Lesson(one.how, one.when, len(named.colors)) for one, named in zip(samples, dice, strict=True)
        ),
        quality=Quality(len(after), int(earlier.sum()), int(after.sum())),
    )
    odd = (dyes.shares_of(scores).max(axis=1) > CLEARLY) & (scores.argmax(axis=1) != colors)
    where = [(number, cell) for number, one in enumerate(dice) for cell in one.cells.tolist()]
    return Learned(profile, bool(after.sum() >= earlier.sum()), tuple(where[k] for k in np.flatnonzero(odd)))


@dataclass(frozen=True, eq=False)
class _Named:
    """The N named dice of a photo.

    ``cells`` (N,) are their indices, ``places`` (N, 16) where they stand, ``colors`` (N,) what was named,
    ``lab`` (N, 3) what their faces look like, and ``value_right`` (N,) whether the value is read as it was
    named, if it was.
    """

    cells: Ints
    places: Float
    colors: Ints
    lab: Float
    value_right: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Photo:
    """A sample with what the reader makes of it."""

    sample: Sample
    seen: Seen

    @property
    def cells(self) -> Ints:
        """The indices of the cells whose die was named."""
        return np.flatnonzero(self.sample.colors >= 0)

    def likelihood(self, pips: Pips) -> float:
        """Return how well what was named goes with such pips, as a logarithm."""
        values = self.sample.values
        told = np.flatnonzero(values)
        logits = self.seen.logits_for(pips)
        there = softmax(logits[:, :2])[self.cells, 1]
        value = softmax(logits[:, 7:13])[told, values[told] - 1]
        return float(np.log(np.concatenate([there, value]) + 1e-4).sum())

    def named(self, pips: Pips) -> _Named:
        """Return the named dice, seen together with those that nobody named."""
        said = np.array(self.sample.said)
        filled = np.where(said == "??", self.seen.filled(pips), said != "--")
        looks = dyes.looks_of(self.seen.crops, self.seen.features, self.seen.logits, filled)
        cells = self.cells
        return _Named(
            cells,
            looks.places[np.isin(looks.which, cells)],
            self.sample.colors[cells],
            face_colors(self.seen.crops[cells])[:, :3].astype(np.float64) * FACE_SCALE,
            self._value_right(pips) & self.seen.filled(pips)[cells],
        )

    def right_before(self, before: Profile | None) -> NDArray[np.bool_]:
        """Return which of the named dice, (N,), were read right with an earlier profile, or as the game's."""
        pips = before.pips if before else Pips.LIGHT
        color = self.seen.logits[:, 2:7].argmax(axis=1)
        if before and before.reader == dyes.reader_mark():
            looks = self.seen.looks(pips)
            color[looks.which] = dyes.told_apart(looks.places, dyes.dyes_of(before)).argmax(axis=1)
        right = (color == self.sample.colors)[self.cells] & self.seen.filled(pips)[self.cells]
        return np.asarray(right & self._value_right(pips))

    def _value_right(self, pips: Pips) -> NDArray[np.bool_]:
        values = self.sample.values[self.cells]
        read = self.seen.logits_for(pips)[self.cells, 7:13].argmax(axis=1) + 1
        return np.asarray((values == 0) | (read == values))


def _scores_held_back(places: Float, colors: Ints) -> Float:
    """Return the scores (N, 5) of each die, held against what all others say."""
    shares = np.eye(len(Color))[colors]
    scores = np.empty_like(shares)
    for k in range(len(colors)):
        others = np.arange(len(colors)) != k
        scores[k] = dyes.told_apart(places[k : k + 1], dyes.signatures(places[others], shares[others]))[0]
    return scores


def _dyes(places: Float, colors: Ints, lab: Float) -> dict[Color, Dye]:
    """Return each color: where it stands, and what it looks like where it was seen."""
    stand = dyes.signatures(places, np.eye(len(Color))[colors])
    made = {}
    for k, color in enumerate(Color):
        mine = colors == k
        seen = lab[mine].mean(axis=0) if mine.any() else np.zeros(3)
        lightness, a, b = seen.round(1).tolist()
        made[color] = Dye((lightness, a, b), tuple(stand[k].round(4).tolist()), int(mine.sum()))
    return made
