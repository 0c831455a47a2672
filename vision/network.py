"""The committed networks and how to run them."""

from __future__ import annotations

import os
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # else it reports to its makers; it looks when imported
import onnxruntime

MODELS = Path(__file__).parent / "models"

FILLED, COLOR, VALUE = slice(0, 2), slice(2, 7), slice(7, 13)
"""Which logits of those who read dice tell whether there is one, its color and its value."""


class Network:
    """An ONNX network; any number of threads may run it at once."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cv2.getNumThreads()  # one in the processes that read photos
        options.enable_cpu_mem_arena = False  # what was needed once is given back
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def run(self, blob: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the output for an input of the shape the network was exported with."""
        return self._answers(blob, "output")[0]

    def run_both(self, blob: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the output and the features it was told from, of a network exported with both."""
        output, features = self._answers(blob, "output", "features")
        return output, features

    def _answers(self, blob: NDArray[np.float32], *names: str) -> list[NDArray[np.float32]]:
        found: list[NDArray[np.float32]] = self._session.run(names, {"input": blob})
        return found


@cache
def _network(name: str) -> Network:
    """Return one of the committed networks, loaded when it is first needed."""
    return Network(MODELS / f"{name}.onnx")


finder = partial(_network, "finder")
"""Marks cells, dice, windows and art in a view."""
reader = partial(_network, "reader")
"""Reads the 20 cells of a window."""
fine_reader = partial(_network, "fine")
"""Tells the value of a die by its top seen twice as fine."""
odd_reader = partial(_network, "odd")
"""Reads dice unlike the game's, dark pips with light and dark exchanged, and tells values with the reader."""
dice_finder = partial(_network, "dice_finder")
"""Marks dice in a view, wherever they lie."""
token_finder = partial(_network, "tokens")
"""Marks favor tokens in a view, in maps like those of the finder of dice."""
loose_reader = partial(_network, "loose")
"""Reads loose dice seen with their sides, and says whether it is their top that is marked."""
cover_judge = partial(_network, "covered")
"""Says which cells of a window are hidden."""
line_judge = partial(_network, "lines")
"""Says how well a lattice with a hidden outer line lies on a window."""
card_finder = partial(_network, "card_finder")
"""Marks public objective cards in a view."""
card_reader = partial(_network, "card_reader")
"""Reads a card set straight."""
shade_reader = partial(_network, "card_shades")
"""Tells cards with tiles apart."""


def to_blob(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return pictures (N, H, W, C), 0-255, as (N, C, H, W) float32 in [-1, 1]."""
    blob = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2)).astype(np.float32)
    blob /= np.float32(127.5)
    blob -= np.float32(1)
    return blob


def sigmoid(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return 1 / (1 + exp(-logits))."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), dtype=np.float32)


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the softmax over the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float32)
