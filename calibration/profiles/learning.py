"""From named dice to a profile: where the dyes stand, which pips there are, and whether that reads better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from math import comb

import numpy as np
from numpy.typing import NDArray

from calibration.profiles.samples import EMPTY, LEAST_COLORS, LEAST_DICE, UNNAMED, Sample, too_few_dice
from scoring import Color
from vision.network import COLOR, VALUE, softmax
from vision.profile import Dye, Pips, Profile, Quality, Source, checked_name
from vision.recognition import dice as dyes
from vision.recognition.cells import face_colors
from vision.recognition.dice import FLATTER, READ_WITH, colors_by, half_and_half, told_together

Float = NDArray[np.float64]
Ints = NDArray[np.int64]

FACE_SCALE = 50  # by which `vision.recognition.cells` divides CIELAB
MOST_SOURCES = 100  # of those whose pictures are gone that a profile still names, the newest
ROUNDS = 8  # of guessing what unnamed dice are by the dyes, and where the dyes stand by these
CLEARLY = 0.95  # how surely a held-back die has to look like another color to be named as odd
VALUES_RIGHT = 0.6  # share of the values that have to be read; of sets with figures it is a fifth
LUCKY, TOO_LUCKY = 0.3, 0.005
"""Share of the values of dice with figures that are read right by luck, and how unlikely it must be that as
many as were read are right so: all of five, eight of ten, thirteen of twenty."""
FAMILIAR = 0.95  # share of the named colors that the reader tells by itself, so that its word counts
COLORS_RIGHT = 0.6  # share of held-back dice that have to be read
CLEARLY_MIXED = 3.0  # by which the logarithm of the likelihood of mixed pips must exceed that of others
ALIKE_FROM = -1.5  # score of two dyes held against each other from which they count as one


class Refused(StrEnum):
    """Why a profile is no good: dice held back are read worse, values are not read, or two dyes are alike."""

    NO_BETTER = "no_better"
    VALUES = "values"
    ALIKE = "alike"


@dataclass(frozen=True)
class Learned:
    """What came of learning.

    ``refused`` says why ``profile`` should not be used. ``odd`` are the places, (sample, cell), of named dice
    that look like those of another color; nothing is learned from these.
    """

    profile: Profile
    refused: Refused | None
    odd: tuple[tuple[int, int], ...]

    @property
    def adopted(self) -> bool:
        """Whether the profile is any good."""
        return self.refused is None


def learn(name: str, samples: Sequence[Sample], before: Profile | None = None) -> Learned:
    """Return the profile that named dice make.

    A color that nobody named stays where the game's own is. What ``before`` was learned from and nobody kept
    counts as so many dice at its dyes. Whether the profile is any better is asked of
    each die of the new photos with what all others say (leave-one-out), where another one of its color was
    named.

    Parameters
    ----------
    name
        What the profile is called.
    samples
        All photos that it is to know, with those that ``before`` was made from as far as they were kept.
    before
        The profile in whose place this one comes; without one the dice were read as the game's.

    Raises
    ------
    ProfileError
        Too few dice or colors are named (``too_few_dice``).
    VisionError
        The name will not do (``bad_profile_name``, ``hidden_name``).
    """
    name = checked_name(name)
    pips = _pips_of(samples)
    parts = [_named(sample, pips) for sample in samples]
    dice = _together(parts) if parts else None
    if dice is None or len(dice.colors) < LEAST_DICE or len(np.unique(dice.colors)) < LEAST_COLORS:
        raise too_few_dice()
    known = {(one.how, one.when) for one in before.sources} if before else set()
    is_known = [(one.how, one.when) in known for one in samples]
    past = _Past.of(before, [part for part, old in zip(parts, is_known, strict=True) if old])
    familiar = past.may_be_familiar and bool(np.mean(dice.own.argmax(axis=1) == dice.colors) >= FAMILIAR)
    scores = _scores_held_back(parts, dice, is_known, past, familiar=familiar)
    held_back = (np.bincount(dice.colors, minlength=len(Color)) + past.dice)[dice.colors] > 1
    told = scores.argmax(axis=1) == dice.colors
    odd = held_back & ~told & (dyes.shares_of(FLATTER * scores).max(axis=1) > CLEARLY)
    stand = _stand(dice.places[~odd], dice.colors[~odd], dice.unnamed, past)
    new = ~np.repeat(is_known, [len(one.cells) for one in parts])
    judged = held_back & (new | ~new.any())
    earlier = np.concatenate([_right_before(sample, before) for sample in samples])
    later = told & dice.value_right
    values_known = _beyond_luck(int((dice.value_right & dice.valued).sum()), int(dice.valued.sum()))
    quality = Quality(int(judged.sum()), int(earlier[judged].sum()), int(later[judged].sum()))
    profile = Profile(
        name=name,
        pips=pips,
        dyes=_dyes(stand, dice, past),
        reader=dyes.reader_mark(),
        revision=before.revision + 1 if before else 1,
        sources=(
            *past.sources_beside(samples),
            *(Source(one.how, one.when, len(part.cells)) for one, part in zip(samples, parts, strict=True)),
        ),
        quality=quality,
        light=_rounded(np.median(dice.pips, axis=0)) if pips is Pips.LIGHT else None,  # white pips show it
        values_known=values_known or past.knows_values(pips),
        familiar=familiar,
    )
    most_alike = dyes.told_apart(stand, stand)[np.triu_indices(len(Color), 1)].max()
    refused = None
    if quality.after < quality.before:
        refused = Refused.NO_BETTER
    elif dice.value_right.mean() < VALUES_RIGHT:
        refused = Refused.VALUES
    elif quality.after < COLORS_RIGHT * quality.dice or most_alike > ALIKE_FROM:
        refused = Refused.ALIKE
    where = [(number, cell) for number, one in enumerate(parts) for cell in one.cells.tolist()]
    return Learned(profile, refused, tuple(where[k] for k in np.flatnonzero(odd)))


@dataclass(frozen=True, eq=False)
class _Named:
    """The N named dice of a photo.

    ``cells`` (N,) are their indices, ``places`` (N, 16) where they stand, ``pictures`` (N, 24, 24, 3) small
    ones of them; ``unnamed`` (M, 16) and ``unnamed_pictures`` (M, 24, 24, 3) are those of dice that nobody
    named. ``colors`` (N,) is what was named, ``own`` (N, 5) what the reader says of it, ``lab`` and ``pips``
    (N, 3) are the colors of faces and pips. ``valued`` (N,) says whether a value was named, ``value_right``
    (N,) whether it is read so, if it was.
    """

    cells: Ints
    places: Float
    unnamed: Float
    pictures: NDArray[np.uint8]
    unnamed_pictures: NDArray[np.uint8]
    colors: Ints
    own: Float
    lab: Float
    pips: Float
    valued: NDArray[np.bool_]
    value_right: NDArray[np.bool_]

    @property
    def looks(self) -> dyes.Looks:
        """What all dice look like, the named ones first."""
        places, pictures = (self.places, self.unnamed), (self.pictures, self.unnamed_pictures)
        return dyes.Looks(np.concatenate(places), np.arange(sum(map(len, places))), np.concatenate(pictures))


@dataclass(frozen=True, eq=False)
class _Past:
    """What a profile knows of dice whose pictures nobody kept: ``dice`` (5,) says how many of each color."""

    profile: Profile | None
    dice: Ints

    @classmethod
    def of(cls, before: Profile | None, kept: Sequence[_Named]) -> _Past:
        """Return what is left of a profile beside the dice that are there again."""
        if before is None or not dyes.is_current(before):
            return cls(None, np.zeros(len(Color), np.int64))
        shown = np.bincount(np.concatenate([np.zeros(0, int), *(one.colors for one in kept)]), minlength=5)
        return cls(before, np.maximum([before.dyes[color].dice for color in Color] - shown, 0))

    @property
    def signatures(self) -> Float:
        """Where these dice stood, (5, 16)."""
        return dyes.game_signatures() if self.profile is None else dyes.dyes_of(self.profile)

    @property
    def may_be_familiar(self) -> bool:
        """Whether the reader may tell these dyes by itself."""
        return self.profile is None or self.profile.familiar or not self.dice.any()

    def knows_values(self, pips: Pips) -> bool:
        """Return whether it was proven before that values of dice with such pips are read."""
        return self.profile is not None and self.profile.values_known and self.profile.pips is pips

    def sources_beside(self, samples: Sequence[Sample]) -> tuple[Source, ...]:
        """Return the photos whose pictures of dice are not there any more."""
        kept = {(one.how, one.when) for one in samples}
        sources = self.profile.sources if self.profile else ()
        return tuple(one for one in sources if (one.how, one.when) not in kept)[-MOST_SOURCES:]


def _named(sample: Sample, pips: Pips) -> _Named:
    """Return the named dice of a photo, seen together with those that nobody named."""
    seen, cells, said = sample.seen, sample.named, np.array(sample.said)
    filled = np.where(said == UNNAMED, seen.filled(pips), said != EMPTY)
    looks = dyes.looks_of(seen.crops, seen.features, seen.logits, filled)
    mine = np.isin(looks.which, cells)
    faces = face_colors(seen.crops[cells]).astype(np.float64) * FACE_SCALE
    return _Named(
        cells=cells,
        places=looks.places[mine],
        unnamed=looks.places[~mine],
        pictures=looks.pictures[mine],
        unnamed_pictures=looks.pictures[~mine],
        colors=sample.colors[cells],
        own=softmax(seen.logits[cells, COLOR]).astype(np.float64),
        lab=faces[:, :3],
        pips=faces[:, 3:6],
        valued=sample.values[cells] > 0,
        value_right=_value_right(sample),
    )


def _right_before(sample: Sample, before: Profile | None) -> NDArray[np.bool_]:
    """Return which of the named dice, (N,), were read right with a profile, or as the game's."""
    pips = sample.seen.own_pips
    color = sample.seen.logits_for(pips)[:, COLOR].argmax(axis=1)
    if before and dyes.is_current(before):
        color, pips = colors_by(sample.seen, before).argmax(axis=1), READ_WITH
    return np.asarray((color == sample.colors)[sample.named] & _value_right(sample, pips))


def _value_right(sample: Sample, pips: Pips = READ_WITH) -> NDArray[np.bool_]:
    """Return which of the named dice, (N,), are seen with the value that was named, if one was."""
    named = sample.named
    values, read = sample.values[named], sample.seen.logits_for(pips)[named, VALUE].argmax(axis=1) + 1
    return np.asarray(((values == 0) | (read == values)) & sample.seen.filled(pips)[named])


def _pips_of(samples: Sequence[Sample]) -> Pips:
    """Return the pips that what was named goes best with; mixed ones only where that is clearly better."""
    likelihoods = {pips: sum(sample.likelihood(pips) for sample in samples) for pips in Pips}
    likelihoods[Pips.MIXED] -= CLEARLY_MIXED
    return max(likelihoods, key=lambda pips: likelihoods[pips])


def _beyond_luck(right: int, named: int) -> bool:
    """Return whether so many of the named values are read right that it can be no luck (binomial tail)."""
    tail = (comb(named, k) * LUCKY**k * (1 - LUCKY) ** (named - k) for k in range(right, named + 1))
    return sum(tail) < TOO_LUCKY


def _together(parts: Sequence[_Named]) -> _Named:
    """Return the dice of all photos."""
    names = [one.name for one in fields(_Named)]
    return _Named(**{name: np.concatenate([getattr(one, name) for one in parts]) for name in names})


def _stand(places: Float, colors: Ints, unnamed: Float, past: _Past) -> Float:
    """Return where the dyes stand, (5, 16), by named dice, by those of the past and by others like them."""
    # What the others are is guessed by the dyes, and the dyes by these guesses, in turns (expectation
    # maximization): five corrected dice then say nearly as much as all of a window.
    named = np.concatenate([np.eye(len(Color))[colors], np.diag(past.dice)])
    places = np.concatenate([places, past.signatures])
    every = np.concatenate([places, unnamed])
    stand = dyes.signatures(places, named)
    for _ in range(ROUNDS if len(unnamed) else 0):
        guessed = dyes.shares_of(dyes.told_apart(unnamed, stand))
        stand = dyes.signatures(every, np.concatenate([named, guessed]))
    return stand


def _scores_held_back(
    parts: Sequence[_Named], dice: _Named, is_known: Sequence[bool], past: _Past, *, familiar: bool
) -> Float:
    """Return the scores (N, 5) of each of all dice, held against what all others say."""
    scores: list[Float] = []
    for part, known in zip(parts, is_known, strict=True):
        for k in range(len(part.cells)):
            others = np.arange(len(dice.colors)) != len(scores)
            stand = _stand(dice.places[others], dice.colors[others], dice.unnamed, past)
            told = dyes.told_apart(part.places, stand) if known else told_together(part.looks, stand)
            scores.append(half_and_half(dyes.shares_of(told[k]), part.own[k]) if familiar else told[k])
    return np.array(scores)


def _rounded(lab: Float) -> tuple[float, float, float]:
    lightness, a, b = lab.round(1).tolist()
    return lightness, a, b


def _dyes(stand: Float, dice: _Named, past: _Past) -> dict[Color, Dye]:
    """Return each color: where it stands, and what it looks like where it was seen."""
    made = {}
    for k, color in enumerate(Color):
        mine = dice.lab[dice.colors == k]
        earlier = np.tile(past.profile.dyes[color].lab if past.profile else np.zeros(3), (past.dice[k], 1))
        seen = np.concatenate([mine, earlier])
        lab = _rounded(seen.mean(axis=0) if len(seen) else np.zeros(3))
        made[color] = Dye(lab, tuple(stand[k].round(4).tolist()), len(seen))
    return made
