"""What notices dice that are not the game's; odd sets that the reader reads without fault are left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import TensorDataset

from calibration.training.loop import Go, take_step, write_halves
from calibration.training.shards import TEST, columns, held_out, learned_from
from calibration.training.synthetic.scene import COLORS
from vision.network import reader, to_blob
from vision.recognition.cells import face_colors
from vision.recognition.dice import DOUBTFUL_BELOW, Dice, contents, dice_of, probabilities

LOOKS = 6  # times that each window is seen with some of its dice taken away
FEWEST = 3  # dice that are left then


class Notice(nn.Module):
    """Looks at the dice of a window together: `vision.recognition.dice.strangeness` does the same."""

    def __init__(self, dice: Tensor, together: Tensor, each: int = 20, hidden: int = 16) -> None:
        super().__init__()
        there = dice.reshape(-1, dice.shape[2])
        self.shift, self.scale = there.mean(0), there.std(0) + 1e-2
        self.shift_all, self.scale_all = together.mean(0), together.std(0) + 1e-2
        self.drop = nn.Dropout(0.15)
        self.each = nn.Linear(there.shape[1], each)
        self.hidden = nn.Linear(4 * each + together.shape[1], hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, each: Tensor, filled: Tensor, empty: Tensor, together: Tensor) -> Tensor:
        """Return the strangeness (N,) of windows, of which ``filled`` and ``empty`` (N, 20) are looked at."""
        seen = torch.relu(self.each(self.drop((each - self.shift) / self.scale)))
        pooled = []
        for cells in (filled, empty):
            share = cells[..., None] / cells.sum(1).clamp(min=1)[:, None, None]
            mean = (seen * share).sum(1)
            pooled += [mean, torch.sqrt((((seen - mean[:, None]) ** 2) * share).sum(1) + 1e-4)]
        together = self.drop((together - self.shift_all) / self.scale_all)
        hidden = torch.relu(self.hidden(torch.cat([*pooled, together], 1)))
        return self.head(hidden)[:, 0]

    def parts(self) -> dict[str, Tensor]:
        """Return the weights by the names that `vision.recognition.dice` has for them."""
        return {
            "each_mean": self.shift,
            "each_spread": self.scale,
            "together_mean": self.shift_all,
            "together_spread": self.scale_all,
            "each_weight": self.each.weight.T,
            "each_bias": self.each.bias,
            "hidden_weight": self.hidden.weight.T,
            "hidden_bias": self.hidden.bias,
            "head_weight": self.head.weight[0],
            "head_bias": self.head.bias[0],
        }


def load(folders: Sequence[Path]) -> tuple[TensorDataset, NDArray[np.int64]]:
    """Return looks at the windows of some folders, what `Notice` takes and which are odd, and their seeds."""
    rows, seeds = [], []
    for crops, codes, odd, seed in zip(*columns(folders, "crops", "codes", "odd", "crop_seeds"), strict=True):
        logits, features = reader().run_both(to_blob(crops))
        dice = dice_of(face_colors(crops), features, logits)
        if not odd or _is_misread(logits, codes):
            rows += [(*look, odd) for look in _looks(dice, np.random.default_rng(seed))]
            seeds += [seed] * LOOKS
    parts = (torch.from_numpy(np.array(part, np.float32)) for part in zip(*rows, strict=True))
    return TensorDataset(*parts), np.array(seeds)


def _is_misread(logits: NDArray[np.float32], codes: NDArray[np.str_]) -> bool:
    """Return whether a window has a die that is wrong without a flag."""
    held = contents(probabilities(logits))
    truth = [0 if code == "--" else 1 + 6 * COLORS.index(code[0]) + int(code[1]) - 1 for code in codes]
    return bool(((held.argmax(axis=1) != truth) & (held.max(axis=1) >= DOUBTFUL_BELOW)).any())


def _looks(dice: Dice, rng: np.random.Generator) -> list[tuple[NDArray[np.float32], ...]]:
    """Return a window as it is, and with some of its dice taken away."""
    empty = 1 - dice.filled
    looks: list[tuple[NDArray[np.float32], ...]] = [(dice.each, dice.filled, empty, dice.together())]
    there = np.flatnonzero(dice.filled)
    for _ in range(LOOKS - 1):
        kept = np.zeros(20, np.float32)
        number = int(rng.integers(min(FEWEST, len(there)), len(there) + 1))
        kept[rng.choice(there, number, replace=False)] = 1
        looks.append((dice.each, dice.filled * kept, empty, dice.together(kept)))
    return looks


def train(windows: TensorDataset, index: NDArray[np.int64], epochs: int, seed: int) -> Notice:
    """Return a network that learned from some windows."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    each, *_, together, _ = windows.tensors
    model, batch = Notice(each, together), 64
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.1)
    steps = len(index) // batch
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, epochs * steps)
    for _ in range(epochs):
        order = rng.permutation(index)
        for k in range(steps):
            *part, odd = windows[order[k * batch : (k + 1) * batch]]
            loss = nn.functional.binary_cross_entropy_with_logits(model(*part), odd)
            take_step(model, loss, optimizer, schedule, most=np.inf)
    return model.eval()


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, write the weights, and print how many odd windows are noticed at some shares of false alarms."""
    windows, seeds = load(folders)
    model = train(windows, learned_from(seeds), go.epochs, go.seed)
    write_halves(out, model.parts())
    index = np.concatenate([held_out(seeds, TEST), held_out(seeds, TEST - 1)])
    with torch.no_grad():
        *part, are_odd = windows[index]
        strange, odd = model(*part).numpy(), are_odd.numpy() > 0
    print(len(seeds) // LOOKS, "windows,", len(index), "looks held back,", int(odd.sum()), "of them odd")
    for share in (0.05, 0.02, 0.005):
        bound = np.quantile(strange[~odd], 1 - share)
        print(f"{share:.1%} false alarms from {bound:.2f} on: {(strange[odd] > bound).mean():.1%} noticed")
