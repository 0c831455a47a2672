"""Measure the rivals: ``python -m benchmarks.rivals FOLDER... [--scenes SHARDS] [--networks FOLDER]``.

Prints the tables. With ``--write``, also writes them into ``README.md`` of this package and the figures
to ``figures.json`` beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.rivals import learned
from benchmarks.rivals.dice import Cells, read_crops
from benchmarks.rivals.measure import Reader, measure
from benchmarks.rivals.report import markdown, to_json
from calibration.accuracy.labels import load_labels
from vision.network import Network, softmax, to_blob

HERE = Path(__file__).parent
MARK = "<!-- tables below are written by `python -m benchmarks.rivals` -->\n"


def network_reader(path: Path) -> Reader:
    """Return a reader that runs an ONNX file of the program's own kind, crops and mirrored crops alike."""
    network = Network(path)

    def read(crops: NDArray[np.uint8]) -> Cells:
        logits = network.run(to_blob(crops)) + network.run(to_blob(np.flip(crops, axis=(1, 2))))
        filled, color, value, _ = np.split(logits / np.float32(2), [2, 7, 13], axis=1)
        answers = [np.asarray(softmax(part), dtype=np.float64) for part in (filled, color, value)]
        return Cells(answers[0][:, 1], answers[1], answers[2])

    return read


def simple_learned(shards: Path, limit: int) -> Reader:
    """Return the reader of gradients and colors, trained on the first shards of a folder."""
    described, codes = [], []
    for crops, names in learned.load_shards(shards, limit):
        described.append(learned.features(crops))
        codes += names
    return learned.train(np.concatenate(described), learned.labels_of(codes))


def main(arguments: Sequence[str] | None = None, page: Path = HERE / "README.md") -> int:
    """Run the command; the exit status is 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rivals", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of photos with labels.json")
    parser.add_argument(
        "--scenes", type=Path, help="shards of calibration.training.dataset, for the simple learned one"
    )
    parser.add_argument("--shards", type=int, default=12, help="how many of them to learn from")
    parser.add_argument("--networks", type=Path, help="folder that benchmarks.rivals.train_alone wrote")
    parser.add_argument("--write", action="store_true", help="write README.md and figures.json")
    options = parser.parse_args(arguments)
    readers: dict[str, Reader] = {"pips and hues": read_crops}
    if options.scenes:
        readers["gradients and colors, learned"] = simple_learned(options.scenes, options.shards)
    if options.networks:
        readers["network, each cell alone"] = network_reader(options.networks / "alone.onnx")
        readers["network, all cells together"] = network_reader(options.networks / "together.onnx")
    measured = [measure(folder, load_labels(folder), readers) for folder in options.folders]
    tables = markdown(measured)
    sys.stdout.write(tables)
    if options.write:
        text = page.read_text(encoding="utf-8") if page.exists() else MARK
        page.write_text(text[: text.index(MARK) + len(MARK)] + "\n" + tables, encoding="utf-8")
        figures = json.dumps(to_json(measured), indent=1) + "\n"
        page.with_name("figures.json").write_text(figures, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
