"""Train the reader's network on, with and without sight of the other cells of its board.

``python -m benchmarks.rivals.train_alone DATA OUT --start reader.pt`` writes ``alone.onnx`` and
``together.onnx`` to the folder OUT. Both start from the same weights and see the same boards in the same
order, so that what differs between them is the context alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor

from calibration.training.loop import train
from calibration.training.nets import Reader
from calibration.training.reader import load, report, task_of

SEED = 5


class AloneReader(Reader):
    """The reader with its context taken from the cell itself instead of from all 20 cells."""

    def forward(self, crops: Tensor) -> Tensor:
        """Return the logits of all heads, cell by cell."""
        own = self.own(torch.flatten(self.squeeze(self.cell(crops)), 1))
        around = self.context(torch.cat([own, own], 1))
        logits: Tensor = self.head(self.hidden(torch.cat([own, around], 1)))
        return logits


def main() -> None:
    """Train both networks and print how good each is on test scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of shards, from calibration.training.dataset")
    parser.add_argument("out", type=Path, help="folder for the two ONNX files")
    parser.add_argument("--start", type=Path, required=True, help="weights (.pt) of the reader to go on from")
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    boards = load([args.data])
    print(len(boards.training), "boards to learn from", flush=True)
    for name, model in (("alone", AloneReader()), ("together", Reader())):
        torch.manual_seed(SEED)
        model.load_state_dict(torch.load(args.start, weights_only=True))
        task = task_of(model, boards)
        train(model, task, args.epochs, args.out / f"{name}.onnx", SEED)
        print(name, report(model, boards), flush=True)


if __name__ == "__main__":
    main()
