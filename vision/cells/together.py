"""Which dye each die of a window has, told of all of them at once.

A lamp that moves one die moves its neighbors, a color that shines through one shines through those beside
it, and light that burns out an upper face leaves the sides. So a small network sees where all dice and the
five dyes stand (`vision.cells.dyes`) and pictures of the dice, lets all look at all (a transformer without
positions, "Attention is all you need", Vaswani et al. 2017), and adds to what each die says alone.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.cells.dyes import Float, Looks, told_apart
from vision.network import MODELS, softmax

CONVOLUTIONS, BLOCKS, HEADS = 3, 3, 4
TINY = 1e-5  # by which `norm` keeps from dividing by zero, as it was learned with

Weights = dict[str, Float]


@cache
def _weights() -> Weights:
    with np.load(MODELS / "together.npz") as file:
        return {name: file[name].astype(np.float64) for name in file.files}


def told_together(looks: Looks, dyes: Float) -> Float:
    """Return scores (N, 5) of the dice of a window for dyes (5, 16), as `told_apart` does of each alone."""
    alone = told_apart(looks.places, dyes)
    if len(alone) == 0:
        return alone
    w = _weights()
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
    return np.asarray(
        (found - found.mean(axis=-1, keepdims=True)) / spread * w[f"{name}.weight"] + w[f"{name}.bias"]
    )


def _block(found: Float, w: Weights, name: str) -> Float:
    """Return what is known of each of (T, W) after all looked at all and each thought for itself."""
    asks = _linear(_norm(found, w, f"{name}.seen"), w, f"{name}.asks")
    query, key, value = asks.reshape(len(found), 3, HEADS, -1).transpose(1, 2, 0, 3)
    heeded = softmax((query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1])).astype(np.float32))
    told = (heeded @ value).transpose(1, 0, 2).reshape(found.shape)
    found = found + _linear(told, w, f"{name}.says")
    wide = np.maximum(_linear(_norm(found, w, f"{name}.thought"), w, f"{name}.wide"), 0)
    return found + _linear(wide, w, f"{name}.narrow")
