"""Read what lies in each cell: a die or none, its color and value, and how sure that is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scoring import Color
from scoring.board import ALL_CELLS, VALUES
from vision.geometry import CELL_CENTERS, DIE_EDGE, Float, Float32, Grid, Image8, Mask
from vision.network import (
    COLOR,
    FILLED,
    MODELS,
    VALUE,
    Network,
    fine_reader,
    odd_reader,
    reader,
    softmax,
    to_blob,
)
from vision.profile import SIGNATURE, Pips, Profile
from vision.reading import DIGITS, Alternative, CellReading
from vision.recognition.cells import (
    LEANING,
    SURE_FROM_PX,
    cell_crops,
    face_colors,
    fine_crops,
    lean_of,
    turned_alike,
    with_light_pips,
)

Weights = dict[str, Float]

COLORS = tuple(Color)
FARTHEST = 6.0  # standard deviations that a number of a die counts at most


@dataclass(frozen=True, eq=False)
class Looks:
    """What the dice of a window look like.

    ``places`` (N, 16) are the embeddings of its N dice, ``which`` (N,) their indices among the cells,
    ``pictures`` (N, 24, 24, 3) uint8, BGR, are small ones of them.
    """

    places: Float
    which: NDArray[np.int64]
    pictures: Image8


@cache
def _weights(name: str) -> Weights:
    """Return what a network that runs without OpenCV has learned, by the names of its parts."""
    with np.load(MODELS / f"{name}.npz") as file:
        return {part: file[part].astype(np.float64) for part in file.files}


@cache
def reader_mark() -> str:
    """Return what names the networks that the places of dyes come from."""
    data = b"".join((MODELS / name).read_bytes() for name in ("reader.onnx", "dyes.npz"))
    return hashlib.sha256(data).hexdigest()[:12]


def is_current(profile: Profile) -> bool:
    """Return whether a profile was made with the networks of this program; with others it is useless."""
    return profile.reader == reader_mark()


def inputs(
    crops: Image8, features: Float32, logits: Float32, filled: Mask, faces: Float32 | None = None
) -> Float32:
    """Return what the network is told of each die, (N, 153).

    Parameters
    ----------
    crops
        (20, 48, 48, 6) uint8, BGR twice, as the reader sees them.
    features, logits
        (20, 112) and (20, 25), what the reader makes of them.
    filled
        (20,), which cells have one of the N dice.
    faces
        (20, 8), the `face_colors` of the crops where they are known.
    """
    faces = face_colors(crops[filled]) if faces is None else faces[filled]
    features, logits = features[filled], logits[filled]
    color, value = _centered(logits[:, COLOR]), _centered(logits[:, VALUE])
    there = logits[:, 1:2] - logits[:, :1]
    around = np.concatenate([faces.mean(axis=0), faces.std(axis=0), color.mean(axis=0)])
    parts = (features, color, value, there, faces, np.tile(around, (len(faces), 1)))
    return np.concatenate(parts, axis=1).astype(np.float32)


def _centered(scores: Float32) -> Float32:
    return np.asarray(scores - scores.mean(axis=1, keepdims=True), dtype=np.float32)


def looks_of(
    crops: Image8, features: Float32, logits: Float32, filled: Mask, faces: Float32 | None = None
) -> Looks:
    """Return the places of the dice of a window; parameters as of `inputs`."""
    which, pictures = np.flatnonzero(filled), small(crops[filled])
    if not len(which):
        return Looks(np.empty((0, SIGNATURE)), which, pictures)
    return Looks(places_of(inputs(crops, features, logits, filled, faces)), which, pictures)


def places_of(told: Float32) -> Float:
    """Return the places (N, 16) of dice of which `inputs` tells so much, (N, 153)."""
    w = _weights("dyes")
    told = np.clip((told - w["mean"]) / w["spread"], -FARTHEST, FARTHEST)
    hidden = np.maximum(told @ w["hidden_weight"] + w["hidden_bias"], 0)
    places = hidden @ w["out_weight"] + w["out_bias"] + told @ w["skip_weight"]
    return np.asarray(places, dtype=np.float64)


def small(crops: Image8) -> Image8:
    """Return pictures of half the size, (N, 24, 24, 3) uint8, BGR, of crops (N, 48, 48, 6)."""
    wide = crops[..., :3].astype(np.uint16)
    four = wide[:, ::2, ::2] + wide[:, ::2, 1::2] + wide[:, 1::2, ::2] + wide[:, 1::2, 1::2]
    return np.asarray((four + 2) // 4, dtype=np.uint8)


def signatures(places: Float, shares: Float) -> Float:
    """Return where the five dyes stand, (5, 16), by dice at ``places`` (N, 16) with ``shares`` (N, 5)."""
    base, prior = game_signatures(), float(_weights("dyes")["prior"])
    return np.asarray((prior * base + shares.T @ places) / (prior + shares.sum(axis=0)[:, None]))


def game_signatures() -> Float:
    """Return where the game's own dyes stand, (5, 16)."""
    return _weights("dyes")["base"]


def told_apart(places: Float, dyes: Float) -> Float:
    """Return scores (N, 5) of dice at ``places`` (N, 16) for dyes, (5, 16) or (N, 5, 16) of each.

    They are logarithms, but for a constant.
    """
    apart = np.square(places[:, None] - dyes).sum(axis=2)
    return np.asarray(-float(_weights("dyes")["sharpness"]) * apart, dtype=np.float64)


def closeness(scores: Float) -> float:
    """Return how well dice lie at the dyes they are held against: the mean of their best scores."""
    return float(scores.max(axis=1).mean()) if len(scores) else -np.inf


def dyes_of(profile: Profile) -> Float:
    """Return where the dyes of a profile stand, (5, 16)."""
    return np.array([profile.dyes[color].signature for color in COLORS])


def shares_of(scores: Float) -> Float:
    """Return the probabilities of the colors, (N, 5)."""
    return softmax(scores.astype(np.float32)).astype(np.float64)


CONVOLUTIONS, BLOCKS, HEADS = 3, 3, 4
TINY = 1e-5  # by which `norm` keeps from dividing by zero, as it was learned with


def told_together(looks: Looks, dyes: Float) -> Float:
    """Return scores (N, 5) of the dice of a window for dyes (5, 16), as `told_apart` does of each alone."""
    alone = told_apart(looks.places, dyes)
    if len(alone) == 0:
        return alone
    w = _weights("together")
    shown = looks.pictures / 128.0 - 1
    for k in range(CONVOLUTIONS):
        shown = np.maximum(_halved(shown, w, f"convolutions.{k}"), 0)
    dice = _linear(looks.places, w, "place") + _linear(shown.reshape(len(shown), -1), w, "picture")
    found = np.concatenate([dice, _linear(dyes, w, "dye")])
    for k in range(BLOCKS):
        found = _block(found, w, f"blocks.{k}")
    found = _norm(found, w, "norm")
    dice, five = found[: len(alone)] @ w["die_shares.weight"], found[len(alone) :] @ w["dye_shares.weight"]
    return np.asarray(w["alone"] * alone + dice @ five.T, dtype=np.float64)


def _linear(found: Float, w: Weights, name: str) -> Float:
    return np.asarray(found @ w[f"{name}.weight"] + w[f"{name}.bias"])


def _halved(shown: Float, w: Weights, name: str) -> Float:
    """Return pictures (N, S, S, C) after a convolution of 3 x 3 that halves their sides."""
    padded = np.pad(shown, ((0, 0), (1, 1), (1, 1), (0, 0)))
    seen = sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::2, ::2]  # (N, S/2, S/2, C, 3, 3)
    number, side, *_ = seen.shape
    weight = w[f"{name}.weight"].transpose(2, 0, 1, 3)
    each = seen.reshape(number, side * side, -1) @ weight.reshape(-1, weight.shape[-1])
    return np.asarray(each.reshape(number, side, side, -1) + w[f"{name}.bias"])


def _norm(found: Float, w: Weights, name: str) -> Float:
    spread = np.sqrt(found.var(axis=-1, keepdims=True) + TINY)
    even = (found - found.mean(axis=-1, keepdims=True)) / spread
    return np.asarray(even * w[f"{name}.weight"] + w[f"{name}.bias"])


def _block(found: Float, w: Weights, name: str) -> Float:
    """Return what is known of each of (T, W) after all looked at all and each thought for itself."""
    asks = _linear(_norm(found, w, f"{name}.seen"), w, f"{name}.asks")
    query, key, value = asks.reshape(len(found), 3, HEADS, -1).transpose(1, 2, 0, 3)
    attended = softmax((query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1])).astype(np.float32))
    told = (attended @ value).transpose(1, 0, 2).reshape(found.shape)
    found = found + _linear(told, w, f"{name}.says")
    wide = np.maximum(_linear(_norm(found, w, f"{name}.thought"), w, f"{name}.wide"), 0)
    return found + _linear(wide, w, f"{name}.narrow")


UNLIKE_FROM, DOUBTED_FROM, STRANGE_FROM = 1.3, -0.7, -1.5
"""Strangeness from which dice count as unknown, from which each of them is in doubt without that being said,
and from which the reader's word is taken with more doubt. Of 1,368 drawn windows with ordinary dice, in as
many different looks, 5 reach the first, 14 more the second and 6 more the third; 1,032 windows of other odd
sets have 0.18 dice a window wrong without a flag like this, and 0.35 without the second, half of them in two
sets whose dyes have the names of other colors."""
STRANGE_DOUBTFUL_BELOW, ALL_DOUBTFUL = 0.999, 1.1
"""A die of a window that looks strange is doubtful below the former, not only below `DOUBTFUL_BELOW`;
below the latter is each."""

COLORED = 6  # numbers of a die's color: the body's and that of what stands out, CIELAB each


@dataclass(frozen=True, eq=False)
class Dice:
    """What is known of the dice of a window, for training and for judging.

    ``each`` (20, 127) is of each cell, ``filled`` (20,) which of them are dice, as shares from 0 to 1.
    """

    each: Float32
    filled: Float32

    def together(self, kept: Float32 | None = None) -> Float32:
        """Return what the dice say together, (46,); of some of them only where ``kept`` (20,) says so."""
        filled = self.filled if kept is None else self.filled * kept
        colors, sure = self.each[:, -15:-7], self.each[:, -7:]
        shares = filled[:, None] * sure[:, :5]
        number = shares.sum(axis=0)
        means = (shares.T @ colors[:, :COLORED]) / (number[:, None] + 0.3)
        all_of_them = max(float(filled.sum()), 1.0)
        parts = (
            means.ravel(),
            np.minimum(number, 1),
            (filled @ colors) / all_of_them,
            (filled @ sure[:, 5:]) / all_of_them,
            [np.log1p(filled.sum())],
        )
        return np.concatenate(parts).astype(np.float32)


def dice_of(faces: Float32, features: Float32, logits: Float32) -> Dice:
    """Return what is known of the dice of a window.

    Parameters
    ----------
    faces
        (20, 8), the `face_colors` of its cells.
    features
        (20, 112), what the reader saw in them.
    logits
        (20, 25), what it says.
    """
    filled = softmax(logits[:, FILLED])[:, 1] > 0.5
    color, value = softmax(logits[:, COLOR]), softmax(logits[:, VALUE])
    doubts = np.sqrt(np.clip(1 - np.stack([color.max(axis=1), value.max(axis=1)], axis=1), 0, 1))
    each = np.concatenate([features, faces, color, doubts], axis=1)
    return Dice(each.astype(np.float32), filled.astype(np.float32))


def strangeness(dice: Dice) -> float:
    """Return how unlike the game's the dice of a window look, as a logit.

    What the reader takes for open spaces counts, too: it takes some dice with black pips for printed values.
    """
    w = {name: part.astype(np.float32) for name, part in _weights("unlike").items()}
    seen = np.maximum((dice.each - w["each_mean"]) / w["each_spread"] @ w["each_weight"] + w["each_bias"], 0)
    pooled = []
    for cells in (dice.filled, 1 - dice.filled):
        share = cells[:, None] / max(float(cells.sum()), 1.0)
        mean = (seen * share).sum(axis=0)
        pooled += [mean, np.sqrt((np.square(seen - mean) * share).sum(axis=0) + 1e-4)]
    together = (dice.together() - w["together_mean"]) / w["together_spread"]
    hidden = np.concatenate([*pooled, together]) @ w["hidden_weight"] + w["hidden_bias"]
    return float(np.maximum(hidden, 0) @ w["head_weight"] + w["head_bias"])


READ_WITH = Pips.MIXED
"""The pips that dice of a profile are read with, whatever it says: of 938 cells of dice with gray pips 1
instead of 19 is wrong so, with a profile of light pips."""
FITS_FROM = -6.0
"""How near dice must lie to the dyes of a profile so that it is theirs (see `closeness`)."""
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
PLAIN_FROM, FEWEST_PLAIN = 0.99, 5
"""How sure the reader must be of every cell of a window with so many dice, which do not look strange, that
nobody else is asked. Of 3,593 dice of 270 drawn windows that pass for the game's it tells the value of 3,255
so surely, and of none of these wrongly (of the next 192 one); of 765 dice that it overlooks in 105 windows
none lies in such a window."""
LEAST = 1e-6  # probability that any color has
FAR = -3.5
NEAR_DOUBTFUL_BELOW, FAR_DOUBTFUL_BELOW = 0.98, 0.995
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

    crops: Image8
    logits: Float32
    features: Float32
    is_far: bool = False

    def odd_logits(self, pips: Pips) -> Float32:
        """Return what is read in dice unlike the game's with such pips, (20, 13): what tells of dice."""
        return self._odd_as_is if pips is Pips.LIGHT else told_by(pips, self._odd_as_is, self._odd_exchanged)

    @cached_property
    def _alone(self) -> float:
        """How unlike the game's the dice look by what the reader sees."""
        return strangeness(dice_of(self._faces, self.features, self.logits))

    @cached_property
    def _faces(self) -> Float32:
        return face_colors(self.crops)

    @cached_property
    def _odd_as_is(self) -> Float32:
        return odd_reader().run(to_blob(self.crops))

    @cached_property
    def _odd_exchanged(self) -> Float32:
        return odd_reader().run(to_blob(with_light_pips(self.crops)))

    @cached_property
    def is_plain(self) -> bool:
        """Whether the reader alone is so sure of dice like the game's that nobody else need look at them."""
        if self.is_far or self._read.sum() < FEWEST_PLAIN or self._alone >= STRANGE_FROM:
            return False
        there, *told = (softmax(self.logits[:, part]).max(axis=1) for part in (FILLED, COLOR, VALUE))
        return bool(min(there.min(), *(one[self._read].min() for one in told)) >= PLAIN_FROM)

    @cached_property
    def overlooked(self) -> Mask:
        """Which cells, (20,), the reader takes for open spaces and who knows odd dice for dice."""
        missed = ~self._read & (not (self.is_far or self.is_plain))
        for pips in (Pips.LIGHT, Pips.DARK):
            if missed.any():
                missed &= softmax(self.odd_logits(pips)[:, FILLED])[:, 1] > OVERLOOKED_FROM
        return missed & (self._read.any() or missed.sum() >= FEWEST_OVERLOOKED)

    @property
    def _read(self) -> Mask:
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
        if self.is_plain:
            told[:, VALUE] *= SHARPER
        elif not self.is_odd(pips):
            told[:, VALUE] = (logits[:, VALUE] + self._odd_as_is[:, VALUE]) / 2
        if pips is Pips.LIGHT:
            which, colors = self._by_game
            told[which, COLOR] = half_and_half(softmax(logits[which, COLOR]), colors)
        return told

    @cached_property
    def _by_game(self) -> tuple[NDArray[np.int64], Float]:
        """The dice (N,) that the reader sees, and their colors (N, 5) if they are the game's."""
        looks = looks_of(self.crops, self.features, self.logits, self._read, self._faces)
        return looks.which, shares_of(told_together(looks, game_signatures()))

    def logits_as_odd(self, pips: Pips) -> Float32:
        """Return what is read in the cells when dice are unlike the game's; the print is as it is."""
        told = self.odd_logits(pips)
        return np.concatenate([told, self.logits[:, told.shape[1] :]], axis=1)

    def filled(self, pips: Pips) -> Mask:
        """Return which cells, (20,), have a die when dice have such pips."""
        logits = self.logits_for(pips)
        return np.asarray(logits[:, 1] > logits[:, 0])

    def looks(self, pips: Pips) -> Looks:
        """Return what the dice look like."""
        return looks_of(self.crops, self.features, self.logits, self.filled(pips), self._faces)

    @cached_property
    def strange(self) -> float:
        """How unlike the game's dice they look (see `vision.recognition.dice`).

        Dice of which the reader overlooks most are unlike them.
        """
        if self.is_far:
            return -np.inf
        missed = self.overlooked.sum() > self._read.sum()
        return max(self._alone, UNLIKE_FROM) if missed else self._alone

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
        return FAR_DOUBTFUL_BELOW if self.closeness < FAR else NEAR_DOUBTFUL_BELOW


def match_of(seen: Seen, profiles: Iterable[Profile], *, strange: bool) -> Match | None:
    """Return the profile that fits the dice of a window best, or None where they are like those of none.

    A profile that was made with other networks fits nothing. Dice that do not look ``strange`` have to be
    nearer to a profile than to the game's own dyes.
    """
    usable = [one for one in profiles if is_current(one)]
    if any(one.pips is not Pips.LIGHT for one in usable) or strange:
        usable = [one for one in usable if one.pips in (seen.likelier_pips, Pips.MIXED)]
    if not usable:
        return None
    looks = {pips: seen.looks(pips) for pips in {one.pips for one in usable} | {Pips.LIGHT}}
    scores = [told_apart(looks[one.pips].places, dyes_of(one)) for one in usable]
    near = [closeness(one) for one in scores]
    best = int(np.argmax(near))
    if near[best] < FITS_FROM:
        return None
    if not strange:
        own = closeness(told_apart(looks[Pips.LIGHT].places, game_signatures()))
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
    stand = dyes_of(profile)
    told = told_apart(looks.places, stand) if alone else told_together(looks, stand)
    if profile.familiar:
        told = half_and_half(shares_of(told), color[looks.which])
    color[looks.which] = shares_of(told if alone else FLATTER * told)
    return color


PRINTS = ".RYGBP123456"
"""What can be printed in an open cell, in the order of the network's outputs."""

DOUBTFUL_BELOW = 0.95
"""A cell less sure than this is shown to a person. Chosen together with `SHARPER` on held-back scenes
and real photos: with 0.97 and 1.1 three instead of seven wrong dice of 292 held-back windows go
unflagged, but 258 instead of 184 cells are flagged there, and more than one in ten of those of real
windows with dice."""
LOOK_AGAIN_BELOW = 0.97
"""A cell less sure than this is worth a second look."""
DICE_LOGITS = 13  # of the network's outputs, those of the die; the rest are of the print
MIN_ALTERNATIVE, MAX_ALTERNATIVES = 0.004, 4
CONTENTS: tuple[tuple[Color | None, int | None], ...] = ((None, None), *product(COLORS, VALUES))
"""All that a cell may hold: nothing, or one of the dice."""
MIRRORS: tuple[tuple[int, ...], ...] = ((3,), (2,), (2, 3))
"""Axes of (20, C, H, W) along which doubtful cells are turned over for a second look; dice that lean stay
upright (see `turned_alike`), so that only the first is for them."""
OVERLOOKED = 0.8  # how sure a die can be that the reader does not see
ASIDE = np.array([[0.08, 0], [-0.08, 0], [0, 0.08], [0, -0.08]])
"""Pitches beside their places at which the tops of dice that lean are looked for, too: from low down a die
that sits badly is seen elsewhere. Of 2,060 cells of traced windows 86 instead of 92 are wrong like this
and 10 instead of 13 of them unflagged."""
SHARPER = 1.25
"""The mean of four looks' logits is less sure than it is right: on 196 made-up scenes they are likeliest
at 1.1 times it, and little less likely at 1.25, where fewer cells of the real photos are in doubt."""


LOOK_CLOSER_BELOW = 0.999
"""Where a die of a window is in doubt all that are less sure than this are looked at closer: what hides the
pips of one, a lamp or shade, is on others, too. Of `lamps` one wrong die would have no flag otherwise."""
SAID_BEFORE = 0.2
"""How much what the reader says of a value counts beside a closer look at it."""


@dataclass(frozen=True, eq=False)
class CellProbabilities:
    """What the network says of the 20 cells, row by row.

    ``filled`` (20,) is the probability of a die; ``color`` (20, 5) and ``value`` (20, 6) hold
    given that there is one, ``print`` (20, 12) what is printed in the cell (see ``PRINTS``): under a die it
    is told from what shows around and through the die, which is little and often no more than its kind.
    ``strangeness`` is how unlike the game's dice those of the window look (see `vision.recognition.dice`);
    ``match`` is the profile that they were read with instead.
    """

    filled: Float
    color: Float
    value: Float
    print: Float
    strangeness: float = -np.inf
    match: Match | None = None

    @property
    def dice_doubtful_below(self) -> float:
        """How sure a die must be to need no look, as far as that hangs on all dice of the window."""
        if self.match is not None:
            return self.match.doubtful_below
        if self.strangeness >= DOUBTED_FROM:
            return ALL_DOUBTFUL
        return STRANGE_DOUBTFUL_BELOW if self.strangeness >= STRANGE_FROM else DOUBTFUL_BELOW

    def rotated_180(self) -> CellProbabilities:
        """Return the same cells counted from the opposite corner."""
        return replace(
            self,
            filled=self.filled[::-1],
            color=self.color[::-1],
            value=self.value[::-1],
            print=self.print[::-1],
        )


def read_cells(image_bgr: Image8, grid: Grid, profiles: Sequence[Profile] = ()) -> CellProbabilities:
    """Return the probabilities of the 20 cells.

    Where it is in doubt what a cell holds, all of them are looked at again in mirrors, and where the dice
    lean also a little aside, and the answers' logits are averaged (test-time augmentation): much of what
    the network is wrong about it is wrong about one way only. A photo without doubt does not wait for that.

    Parameters
    ----------
    image_bgr
        Photo, uint8 H x W x 3, BGR.
    grid
        The lattice in it.
    profiles
        What dice of another make look like: the profile that fits best tells the colors, and its dice are
        read both ways, with light and dark as they are and exchanged. Where none fits, they are the game's.
    """
    seen = seen_in(image_bgr, grid)
    match = match_of(seen, profiles, strange=seen.strange >= UNLIKE_FROM)
    pips = READ_WITH if match else seen.own_pips
    cells = probabilities(seen.logits_for(pips))
    if (contents(cells).max(axis=1) < LOOK_AGAIN_BELOW).any():
        cells = probabilities(_looked_again(image_bgr, grid, seen, pips))
    if match is None:
        cells = replace(cells, strangeness=seen.strange)
    else:
        doubt = -np.inf if match.profile.values_known else seen.strange
        cells = replace(cells, color=match.color, match=match, strangeness=doubt)
    if seen.is_odd(pips) or not seen.overlooked.any():
        return cells
    # The dice that the reader overlooked stay in doubt.
    odd, missed = probabilities(seen.logits_as_odd(Pips.MIXED)), seen.overlooked
    return replace(
        cells,
        filled=np.where(missed, np.minimum(odd.filled, OVERLOOKED), cells.filled),
        color=np.where(missed[:, None], odd.color, cells.color),
        value=np.where(missed[:, None], odd.value, cells.value),
    )


def to_look_closer_at(cells: CellProbabilities, lean: Float) -> Mask:
    """Return which cells, (20,), have a die like the game's that is worth a closer look.

    Where dice lean, (x, y) as `lean_of` says, their sides tell the reader more than a closer look at tops.
    """
    if cells.match is not None or cells.strangeness >= UNLIKE_FROM or np.hypot(*lean) >= LEANING:
        return np.zeros(len(cells.filled), bool)
    dice, sure = cells.filled > MOST, contents(cells).max(axis=1)
    doubtful = dice & (sure < max(LOOK_AGAIN_BELOW, cells.dice_doubtful_below))
    return np.asarray(dice & doubtful.any() & (sure < LOOK_CLOSER_BELOW))


def looked_closer(cells: CellProbabilities, which: Mask, image_bgr: Image8, grid: Grid) -> CellProbabilities:
    """Return the cells, some dice with the value that their tops have in pixels twice as fine.

    A pip under a mirrored lamp is told by its rim, which is one or two pixels of what the reader sees.

    Parameters
    ----------
    cells, which
        What is known of the 20 cells, and which of them (20,) to look at.
    image_bgr, grid
        The photo, or a finer part of it, uint8 H x W x 3 BGR, and the lattice in it.
    """
    tops = to_blob(fine_crops(image_bgr, grid)[which])
    logits = [fine_reader().run(np.ascontiguousarray(np.flip(tops, axes))) for axes in ((), *MIRRORS)]
    told = np.mean(logits, axis=0) + SAID_BEFORE * np.log(cells.value[which] + LEAST)
    value = cells.value.copy()
    value[which] = softmax(told.astype(np.float32))
    return replace(cells, value=value)


def seen_in(image_bgr: Image8, grid: Grid) -> Seen:
    """Return the cells of a window and what the reader makes of them; parameters as of `read_cells`."""
    crops = turned_alike(cell_crops(image_bgr, grid), lean_of(grid))
    return Seen(crops, *reader().run_both(to_blob(crops)), is_far=grid.pitch_px < SURE_FROM_PX)


def _looked_again(image_bgr: Image8, grid: Grid, seen: Seen, pips: Pips) -> Float32:
    """Return the mean of the logits, (20, 25), of several looks; that of dice is made sharper."""
    lean = lean_of(grid)
    crops, mirrors = [seen.crops], MIRRORS
    if np.hypot(*lean) >= LEANING:
        places = [replace(grid, rise=grid.rise + grid.homography[:, :2] @ aside) for aside in ASIDE]
        crops += [turned_alike(cell_crops(image_bgr, place), lean) for place in places]
        mirrors = MIRRORS[:1]
    if not seen.is_odd(pips):
        mean = _mean_of(reader(), seen.logits, crops, mirrors)
        mean[:, :DICE_LOGITS] *= SHARPER
        return seen.with_others(mean, pips)
    means = [_mean_of(odd_reader(), seen.odd_logits(Pips.LIGHT), crops, mirrors)]
    if pips is not Pips.LIGHT:
        dark = [with_light_pips(one) for one in crops]
        means.append(_mean_of(odd_reader(), seen.odd_logits(Pips.DARK), dark, mirrors))
    told = SHARPER * told_by(pips, means[0], means[-1])
    # Nothing is printed that could be read with light and dark exchanged.
    told = np.concatenate([told, seen.logits[:, DICE_LOGITS:]], axis=1).astype(np.float32)
    return seen.with_others(told, pips)


def _mean_of(
    network: Network, first: Float32, crops: Sequence[Image8], mirrors: Sequence[tuple[int, ...]]
) -> Float32:
    """Return the mean of what a network says of cells and mirrors; of the first cells it said so before."""
    _, *turned = (np.flip(to_blob(one), axes) for one, axes in product(crops, ((), *mirrors)))
    mean = np.mean([first, *(network.run(np.ascontiguousarray(one)) for one in turned)], axis=0)
    return np.asarray(mean, dtype=np.float32)


def probabilities(logits: Float32) -> CellProbabilities:
    """Return what logits (N, 25) of the reader say."""
    parts = np.split(logits, [2, 7, DICE_LOGITS], axis=1)
    filled, color, value, print_ = (softmax(some).astype(np.float64) for some in parts)
    return CellProbabilities(filled[:, 1], color, value, print_)


def contents(cells: CellProbabilities) -> Float:
    """Return the probabilities of all that a cell may hold, (20, 31).

    In the order of ``CONTENTS``.
    """
    dice = cells.color[:, :, None] * cells.value[:, None, :] * cells.filled[:, None, None]
    return np.concatenate([1 - cells.filled[:, None], dice.reshape(len(dice), -1)], axis=1)


def cell_readings(held: Float) -> tuple[CellReading, ...]:
    """Return the likeliest content of each cell with its confidence and its alternatives.

    Parameters
    ----------
    held
        (20, 31), as `contents` gives it.
    """
    found = []
    for cell, shares in zip(ALL_CELLS, held.tolist(), strict=True):
        best, color, value, alternatives = best_of(shares)
        doubtful = best < DOUBTFUL_BELOW
        found.append(CellReading(*cell, color, value, round(best, DIGITS), doubtful, alternatives))
    return tuple(found)


def best_of(shares: Sequence[float]) -> tuple[float, Color | None, int | None, tuple[Alternative, ...]]:
    """Return the likeliest of ``CONTENTS`` with its probability, and the alternatives to it."""
    options = [(share, *content) for share, content in zip(shares, CONTENTS, strict=True)]
    (best, color, value), *rest = sorted(options, key=lambda option: -option[0])
    alternatives = tuple(
        Alternative(other_color, other_value, round(share, DIGITS))
        for share, other_color, other_value in rest[:MAX_ALTERNATIVES]
        if share >= MIN_ALTERNATIVE
    )
    return best, color, value, alternatives


FRONT_ASIDE = 0.4  # pitches beside the line of sight within which a die stands behind a space
FRONT_COLORED = 0.9  # how sure a color must be that speaks for a front
MOST = 0.5  # how sure a die may be that may be the front of another
# From here on it is one. Of 83 dice before one of their own color in traced windows three in four are surer,
# of 8 fronts taken for dice in real and traced tables none.
STANDS = 0.9995


def without_fronts(cells: CellProbabilities, lean: Float) -> CellProbabilities:
    """Return the cells with a doubt in every die that may be no more than the front of a sure one behind it.

    Two such dice would break the game's first rule where they stand side by side, so that of a front and an
    open space the rules leave the space.

    Parameters
    ----------
    cells
        What the network says.
    lean
        Where the tops of the dice are seen against the floors of their holes, (x, y) in pitches.
    """
    length = float(np.hypot(*lean))
    if length < LEANING:
        return cells
    away = lean / length
    offsets = CELL_CENTERS[None] - CELL_CENTERS[:, None]  # from each space to each other one
    along, aside = offsets @ away, np.abs(offsets @ [-away[1], away[0]])
    # Along the line of sight, from where the front of a die is seen and where its own top would be.
    half = DIE_EDGE / 2
    front = along - half, along - half + length
    covered = np.minimum(front[1], length + half) - np.maximum(front[0], length - half)
    behind = (along > half) & (aside < FRONT_ASIDE) & (covered > half)
    standing = cells.filled > MOST
    sure = standing & (contents(cells).max(axis=1) >= DOUBTFUL_BELOW)
    color = np.where(cells.color.max(axis=1) > FRONT_COLORED, cells.color.argmax(axis=1), -1)
    alike = (color[:, None] == color[None]) & (color[:, None] >= 0)
    suspect = standing & (cells.filled < STANDS) & (behind & sure[None] & alike).any(axis=1)
    return replace(cells, filled=np.where(suspect, np.minimum(cells.filled, MOST), cells.filled))
