"""Which color a die has, told by what a household's dice look like.

The reader knows the game's dyes in any light; what it makes of others it makes of them in any light, too.
So each die gets a place (an embedding) by what the reader sees in it, by the colors of its face and by
those of all dice around it, in which dice of one dye lie near each other whatever the lamp, and the means
of the named dice of each color, with the game's own as a prior, are what the others are held against
(prototypical networks, Snell, Swersky and Zemel 2017). A small network that learned from made-up sets gives
the places; NumPy runs it. The dice of a window are then told by `vision.cells.together`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring import Color
from vision.cells.faces import face_colors
from vision.network import COLOR, MODELS, VALUE, softmax
from vision.profile import SIGNATURE, Profile

Float = NDArray[np.float64]

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
    pictures: NDArray[np.uint8]


@cache
def _weights() -> dict[str, Float]:
    with np.load(MODELS / "dyes.npz") as file:
        return {name: file[name].astype(np.float64) for name in file.files}


@cache
def reader_mark() -> str:
    """Return what names the networks that the places of dyes come from."""
    data = b"".join((MODELS / name).read_bytes() for name in ("reader.onnx", "dyes.npz"))
    return hashlib.sha256(data).hexdigest()[:12]


def is_current(profile: Profile) -> bool:
    """Return whether a profile was made with the networks of this program; with others it is useless."""
    return profile.reader == reader_mark()


def inputs(
    crops: NDArray[np.uint8],
    features: NDArray[np.float32],
    logits: NDArray[np.float32],
    filled: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Return what the network is told of each die, (N, 153).

    Parameters
    ----------
    crops
        (20, 48, 48, 6) uint8, BGR twice, as the reader sees them.
    features, logits
        (20, 112) and (20, 25), what the reader makes of them.
    filled
        (20,), which cells have one of the N dice.
    """
    crops, features, logits = crops[filled], features[filled], logits[filled]
    faces = face_colors(crops)
    color, value = _centered(logits[:, COLOR]), _centered(logits[:, VALUE])
    there = logits[:, 1:2] - logits[:, :1]
    around = np.concatenate([faces.mean(axis=0), faces.std(axis=0), color.mean(axis=0)])
    parts = (features, color, value, there, faces, np.tile(around, (len(crops), 1)))
    return np.concatenate(parts, axis=1).astype(np.float32)


def _centered(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(scores - scores.mean(axis=1, keepdims=True), dtype=np.float32)


def looks_of(
    crops: NDArray[np.uint8],
    features: NDArray[np.float32],
    logits: NDArray[np.float32],
    filled: NDArray[np.bool_],
) -> Looks:
    """Return the places of the dice of a window; parameters as of `inputs`."""
    which, pictures = np.flatnonzero(filled), small(crops[filled])
    if not len(which):
        return Looks(np.empty((0, SIGNATURE)), which, pictures)
    return Looks(places_of(inputs(crops, features, logits, filled)), which, pictures)


def places_of(told: NDArray[np.float32]) -> Float:
    """Return the places (N, 16) of dice of which `inputs` tells so much, (N, 153)."""
    w = _weights()
    told = np.clip((told - w["mean"]) / w["spread"], -FARTHEST, FARTHEST)
    hidden = np.maximum(told @ w["hidden_weight"] + w["hidden_bias"], 0)
    places = hidden @ w["out_weight"] + w["out_bias"] + told @ w["skip_weight"]
    return np.asarray(places, dtype=np.float64)


def small(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return pictures of half the size, (N, 24, 24, 3) uint8, BGR, of crops (N, 48, 48, 6)."""
    side = crops.shape[1] // 2
    parts = crops[..., :3].reshape(len(crops), side, 2, side, 2, 3)
    return np.asarray(parts.mean(axis=(2, 4)) + 0.5, dtype=np.uint8)


def signatures(places: Float, shares: Float) -> Float:
    """Return where the five dyes stand, (5, 16), by dice at ``places`` (N, 16) with ``shares`` (N, 5)."""
    w = _weights()
    prior = float(w["prior"])
    return np.asarray(
        (prior * w["base"] + shares.T @ places) / (prior + shares.sum(axis=0)[:, None]), dtype=np.float64
    )


def game_signatures() -> Float:
    """Return where the game's own dyes stand, (5, 16)."""
    return _weights()["base"]


def told_apart(places: Float, dyes: Float) -> Float:
    """Return scores (N, 5) of dice at ``places`` (N, 16) for dyes, (5, 16) or (N, 5, 16) of each.

    They are logarithms, but for a constant.
    """
    apart = np.square(places[:, None] - dyes).sum(axis=2)
    return np.asarray(-float(_weights()["sharpness"]) * apart, dtype=np.float64)


def closeness(scores: Float) -> float:
    """Return how well dice lie at the dyes they are held against: the mean of their best scores."""
    return float(scores.max(axis=1).mean()) if len(scores) else -np.inf


def dyes_of(profile: Profile) -> Float:
    """Return where the dyes of a profile stand, (5, 16)."""
    return np.array([profile.dyes[color].signature for color in COLORS])


def shares_of(scores: Float) -> Float:
    """Return the probabilities of the colors, (N, 5)."""
    return softmax(scores.astype(np.float32)).astype(np.float64)


def by_color(values: Float) -> Mapping[Color, tuple[float, ...]]:
    """Return the rows of (5, M) by their color, rounded as they are kept."""
    return {color: tuple(row) for color, row in zip(COLORS, values.round(4).tolist(), strict=True)}
