"""The committed networks are the ones that were measured."""

import hashlib
import json
import os
import subprocess
import sys
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from calibration.evaluation.comparison import evaluate
from calibration.evaluation.labels import parse_label
from calibration.training.held_back import file_of, labelled_windows
from vision import network, read_photo
from vision.detection.views import STRIDE, VIEW_PX
from vision.recognition.cells import CROP_PX

RECORD = json.loads((network.MODELS / "models.json").read_text(encoding="utf-8"))


FILES = sorted(path for ending in ("onnx", "npz") for path in network.MODELS.glob(f"*.{ending}"))


@pytest.mark.parametrize("name", [path.name for path in FILES])
def test_each_network_is_the_recorded_one(name: str) -> None:
    """A network's checksum stands in the record beside it, with how it was trained."""
    data = (network.MODELS / name).read_bytes()
    assert hashlib.sha256(data).hexdigest() == RECORD[name]["sha256"]


def test_running_them_reports_to_nobody(tmp_path: Path) -> None:
    """The library that runs them would keep a number of this computer, and send it with what it does."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ORT_"))}
    subprocess.run(
        [sys.executable, "-c", "import vision.network; vision.network.finder()"],
        cwd=network.MODELS.parent.parent,
        env={**own, "HOME": str(tmp_path)},
        check=True,
    )
    assert [*tmp_path.rglob("*")] == []


@pytest.mark.thorough
def test_the_networks_reach_what_is_recorded() -> None:
    """On the first held-back scenes as many windows are located and cells right as recorded.

    Two cells are left for processors that round differently.
    """
    recorded = RECORD["held_back_scenes"]
    results = [
        evaluate(parse_label("a scene", entry), partial(read_photo, file_of(image)))
        for entry, image in islice(labelled_windows(), recorded["scenes"])
    ]
    found = [result for result in results if result.found]
    assert len(found) >= recorded["located"]
    assert sum(cell.right for result in found for cell in result.cells) >= recorded["cells_right"] - 2


def test_the_networks_are_small() -> None:
    """All networks together stay below 6.5 MiB, so that the program installs quickly."""
    assert sum(path.stat().st_size for path in FILES) < 6.5 * 1024**2


def test_the_finder_marks_a_view() -> None:
    """The finder turns a square view into four maps of a quarter of its side."""
    view = np.full((1, VIEW_PX, VIEW_PX, 3), 114, np.uint8)
    maps = network.sigmoid(network.finder().run(network.to_blob(view)))
    assert maps.shape == (1, 4, VIEW_PX // STRIDE, VIEW_PX // STRIDE)
    assert maps.max() < 0.5  # nothing is seen on grey padding


@pytest.mark.parametrize(
    ("name", "seen", "scores"),
    [
        ("reader", (20, CROP_PX, CROP_PX, 6), (20, 25)),
        ("odd_reader", (20, CROP_PX, CROP_PX, 6), (20, 13)),
        ("cover_judge", (1, 144, 168, 6), (1, 2, 4, 5)),
        ("line_judge", (1, 144, 168, 6), (1, 1)),
    ],
)
def test_each_network_answers_its_questions(
    name: str, seen: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    """Of twenty crops, or of a window with its surroundings, come the scores of each network's questions."""
    blob = network.to_blob(np.full(seen, 114, np.uint8))
    assert getattr(network, name)().run(blob).shape == scores


def test_softmax_adds_up() -> None:
    """Probabilities of one question add up to 1, whatever the scores."""
    scores = np.array([[1000.0, -1000.0, 0.0], [0.0, 0.0, 0.0]], np.float32)
    assert network.softmax(scores).sum(axis=1) == pytest.approx([1, 1])
