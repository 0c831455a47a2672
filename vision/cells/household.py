"""Reading a window by what the dice of a household look like: which profile fits, and what it says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.cells import dyes
from vision.cells.crops import with_light_pips
from vision.cells.together import told_together
from vision.cells.unlike import DOUBTED_FROM, UNLIKE_FROM, dice_of, strangeness
from vision.network import COLOR, FILLED, VALUE, odd_reader, softmax, to_blob
from vision.profile import Pips, Profile

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]

READ_WITH = Pips.MIXED
"""The pips that dice of a profile are read with, whatever it says: of 938 cells of dice with gray pips 1
instead of 19 is wrong so, with a profile of light pips."""
FITS_FROM = -6.0
"""How near dice must lie to the dyes of a profile so that it is theirs (see `dyes.closeness`)."""
NEARER, NEARER_IF_OTHER = 1.0, 2.0
"""How much nearer than to the game's own dyes, where dice do not look strange: where the profile sees the
colors that the reader sees, and where it does not in more than `FEW_OTHERS` of the dice. With this and the
bounds below, on 216 drawn windows of 24 sets: of 567 readings of ordinary windows with profiles of other sets
4 have colors wrong by that, and 190 of 192 windows are known again with the profile of their own set."""
FEW_OTHERS = 0.1
FLATTER = 0.8
"""By which the scores of dice told together are multiplied, for safety: of 63,480 dice of sets held back 28
instead of 65 are wrong at 0.98 or surer, for 6,887 flags instead of 5,414."""
OVERLOOKED_FROM = 0.98
"""How sure who knows odd dice must be of one that the reader does not see: yellow ones with gray pips look
like a print. On drawn windows all 11 such dice were there; no open space of 60 photos was taken for one."""
FEWEST_OVERLOOKED = 4
"""Fewer are none in a window in which the reader sees no die at all: of pale dice with red pips 11 to 18 were
there in such windows, and in 28 empty windows and diagrams of cards, photographed or rendered, not one."""
LEAST = 1e-6  # probability that any color has
FAR = -3.5
DOUBTFUL_BELOW, FAR_DOUBTFUL_BELOW = 0.98, 0.995
"""How sure a die read with a profile must be to need no look; the latter in windows whose dice lie farther
off than `FAR`. Of 4,076 dice in 205 windows of 24 sets held back 15 are wrong, one of them without a flag,
and 226 are flagged like this."""


def half_and_half(one: NDArray[np.floating], other: NDArray[np.floating]) -> Float:
    """Return scores of what two say in probabilities: the mean of their logarithms."""
    return np.asarray(sum(np.log(shares.astype(np.float64) + LEAST) for shares in (one, other)) / 2)


def told_by(pips: Pips, as_is: Float32, exchanged: Float32) -> Float32:
    """Return what is read in odd dice by two looks at them, logits (20, 13) each.

    The second, with light and dark exchanged, shows dark pips better; of mixed ones the look counts that
    tells the value of a die more surely. Colors are those of the first.
    """
    if pips is Pips.LIGHT:
        return as_is
    first, second = (softmax(logits[:, VALUE]).max(axis=1) for logits in (as_is, exchanged))
    told = np.where(((second > first) | (pips is Pips.DARK))[:, None], exchanged, as_is)
    told[:, COLOR] = as_is[:, COLOR]
    return told


@dataclass(frozen=True, eq=False)
class Seen:
    """The 20 cells of a window, and what the reader makes of them.

    ``crops`` (20, 48, 48, 6) uint8, BGR twice; ``logits`` (20, 25) and ``features`` (20, 112) are the
    reader's. What ``is_far`` is too small to tell whether its dice are unlike the game's.
    """

    crops: NDArray[np.uint8]
    logits: Float32
    features: Float32
    is_far: bool = False

    def odd_logits(self, pips: Pips) -> Float32:
        """Return what is read in dice unlike the game's with such pips, (20, 13): what tells of dice."""
        return self._odd_as_is if pips is Pips.LIGHT else told_by(pips, self._odd_as_is, self._odd_exchanged)

    @cached_property
    def _odd_as_is(self) -> Float32:
        return odd_reader().run(to_blob(self.crops))

    @cached_property
    def _odd_exchanged(self) -> Float32:
        return odd_reader().run(to_blob(with_light_pips(self.crops)))

    @cached_property
    def overlooked(self) -> NDArray[np.bool_]:
        """Which cells, (20,), the reader takes for open spaces and who knows odd dice for dice."""
        missed = ~self._read & (not self.is_far)
        for pips in (Pips.LIGHT, Pips.DARK):
            if missed.any():
                missed &= softmax(self.odd_logits(pips)[:, FILLED])[:, 1] > OVERLOOKED_FROM
        return missed & (self._read.any() or missed.sum() >= FEWEST_OVERLOOKED)

    @property
    def _read(self) -> NDArray[np.bool_]:
        """Which cells, (20,), the reader takes for dice."""
        return np.asarray(self.logits[:, 1] >= self.logits[:, 0])

    def is_odd(self, pips: Pips) -> bool:
        """Return whether dice that have such pips are read as ones that are unlike the game's.

        An empty window may look strange, too; it has no dice.
        """
        some = self._read.any() or self.overlooked.any()
        return pips is not Pips.LIGHT or bool(some and self.strange >= DOUBTED_FROM)

    def logits_for(self, pips: Pips) -> Float32:
        """Return what is read in the cells when dice have such pips; the print is as it is."""
        return self.with_others(self.logits_as_odd(pips) if self.is_odd(pips) else self.logits, pips)

    def with_others(self, logits: Float32, pips: Pips) -> Float32:
        """Return what is read in the cells, (20, 25), half and half with what others say of such dice.

        Where light ones may be the game's, colors are told by all dice of the window together, too, as the
        game's, and values by who reads odd dice. What one is wrong about the other seldom is (figures in
        ``vision/models/README.md``).
        """
        told = logits.copy()
        if not self.is_odd(pips):
            told[:, VALUE] = (logits[:, VALUE] + self._odd_as_is[:, VALUE]) / 2
        if pips is Pips.LIGHT:
            which, colors = self._by_game
            told[which, COLOR] = half_and_half(softmax(logits[which, COLOR]), colors)
        return told

    @cached_property
    def _by_game(self) -> tuple[NDArray[np.int64], Float]:
        """The dice (N,) that the reader sees, and their colors (N, 5) if they are the game's."""
        looks = dyes.looks_of(self.crops, self.features, self.logits, self._read)
        return looks.which, dyes.shares_of(told_together(looks, dyes.game_signatures()))

    def logits_as_odd(self, pips: Pips) -> Float32:
        """Return what is read in the cells when dice are unlike the game's; the print is as it is."""
        told = self.odd_logits(pips)
        return np.concatenate([told, self.logits[:, told.shape[1] :]], axis=1)

    def filled(self, pips: Pips) -> NDArray[np.bool_]:
        """Return which cells, (20,), have a die when dice have such pips."""
        logits = self.logits_for(pips)
        return np.asarray(logits[:, 1] > logits[:, 0])

    def looks(self, pips: Pips) -> dyes.Looks:
        """Return what the dice look like."""
        return dyes.looks_of(self.crops, self.features, self.logits, self.filled(pips))

    @cached_property
    def strange(self) -> float:
        """How unlike the game's dice they look (see `vision.cells.unlike`).

        Dice of which the reader overlooks most are unlike them.
        """
        if self.is_far:
            return -np.inf
        found = strangeness(dice_of(self.crops, self.features, self.logits))
        return max(found, UNLIKE_FROM) if self.overlooked.sum() > self._read.sum() else found

    @property
    def own_pips(self) -> Pips:
        """The pips that dice are read with where no profile fits: unknown ones may have any."""
        return Pips.MIXED if self.strange >= UNLIKE_FROM else Pips.LIGHT

    @property
    def likelier_pips(self) -> Pips:
        """Light or dark pips, with which values are read more surely, of more dice."""

        def sure(pips: Pips) -> float:
            logits = self.logits_for(pips)
            value = softmax(logits[:, VALUE]).max(axis=1)
            return float((softmax(logits[:, FILLED])[:, 1] * np.clip(value - 0.5, 0, None)).sum())

        return max((Pips.LIGHT, Pips.DARK), key=sure)


@dataclass(frozen=True, eq=False)
class Match:
    """The profile whose dice a window has, probabilities of their colors (20, 5), and how near they lie."""

    profile: Profile
    color: Float
    closeness: float

    @property
    def doubtful_below(self) -> float:
        """How sure a die must be to need no look."""
        return FAR_DOUBTFUL_BELOW if self.closeness < FAR else DOUBTFUL_BELOW


def match_of(seen: Seen, profiles: Iterable[Profile], *, strange: bool) -> Match | None:
    """Return the profile that fits the dice of a window best, or None where they are like those of none.

    A profile that was made with other networks fits nothing. Dice that do not look ``strange`` have to be
    nearer to a profile than to the game's own dyes.
    """
    usable = [one for one in profiles if dyes.is_current(one)]
    if any(one.pips is not Pips.LIGHT for one in usable) or strange:
        usable = [one for one in usable if one.pips in (seen.likelier_pips, Pips.MIXED)]
    if not usable:
        return None
    looks = {pips: seen.looks(pips) for pips in {one.pips for one in usable} | {Pips.LIGHT}}
    scores = [dyes.told_apart(looks[one.pips].places, dyes.dyes_of(one)) for one in usable]
    near = [dyes.closeness(one) for one in scores]
    best = int(np.argmax(near))
    if near[best] < FITS_FROM:
        return None
    if not strange:
        own = dyes.closeness(dyes.told_apart(looks[Pips.LIGHT].places, dyes.game_signatures()))
        read = seen.logits[looks[usable[best].pips].which, COLOR].argmax(axis=1)
        others = float((scores[best].argmax(axis=1) != read).mean())
        if near[best] < own + (NEARER if others <= FEW_OTHERS else NEARER_IF_OTHER):
            return None
    return Match(usable[best], colors_by(seen, usable[best]), near[best])


def colors_by(seen: Seen, profile: Profile, *, alone: bool = False) -> Float:
    """Return the probabilities of the colors, (20, 5), when the dice are those of a profile.

    They are told together, or each ``alone``, as where some are shown more than once.
    """
    looks, color = seen.looks(profile.pips), softmax(seen.logits[:, COLOR]).astype(np.float64)
    stand = dyes.dyes_of(profile)
    told = dyes.told_apart(looks.places, stand) if alone else told_together(looks, stand)
    if profile.familiar:
        told = half_and_half(dyes.shares_of(told), color[looks.which])
    color[looks.which] = dyes.shares_of(told if alone else FLATTER * told)
    return color
