"""What places dyes among others, trained on `calibration.training.odd_set.dyes`.

In each step the named dice of one window are what those of another one of the same set, in another light, are
held against: prototypical networks (Snell, Swersky and Zemel 2017, "Prototypical networks for few-shot
learning"), with the game's own dyes as a learned prior of each mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000
from torch import Tensor, nn

from calibration.evaluation.reliability import Reliability
from calibration.training.loop import Go, take_step, write_halves
from calibration.training.shards import PARTS, TEST, columns
from calibration.training.synthetic.recolored import recolored
from calibration.training.synthetic.scene import COLORS
from vision.network import reader, to_blob
from vision.profile import SIGNATURE
from vision.recognition.cells import face_colors
from vision.recognition.dice import FARTHEST, inputs, places_of, small

HIDDEN = 96
EPISODES = 8  # of each step
PEAK_RATE = 2e-3
FEW, FEW_SHARE = (4, 9), 0.25  # so many named dice, in such a share of the episodes
NONE_SHARE = 0.15  # of the episodes with the game's dice: nothing is named
FEWEST = 5  # dice of a window that counts
RECOLORED = 2  # times that each set is seen with other dyes
LEAST_APART = 10  # CIEDE2000 between two dyes of a recolored set, as they are seen
LAB_SCALE = 50  # by which `vision.recognition.cells` divides CIELAB


@dataclass(frozen=True, eq=False)
class Window:
    """What the network is told of a window's dice (N, 153), their colors (N,), and whether the set is odd.

    ``pictures`` (N, 24, 24, 3) uint8 are small ones of the dice, ``places`` (N, 16) what ships makes of them.
    """

    told: Tensor
    colors: Tensor
    odd: bool
    pictures: Tensor

    @cached_property
    def places(self) -> Tensor:
        """Where the network that ships places them."""
        return torch.from_numpy(places_of(self.told.numpy())).float()


class Places(nn.Module):
    """Places dice so that those of one dye lie near each other, as `vision.recognition.dice` does."""

    def __init__(self, told: Tensor) -> None:
        super().__init__()
        self.mean, self.spread = told.mean(0), told.std(0) + 1e-2
        self.drop = nn.Dropout(0.2)
        self.hidden = nn.Linear(told.shape[1], HIDDEN)
        self.out = nn.Linear(HIDDEN, SIGNATURE)
        self.skip = nn.Linear(told.shape[1], SIGNATURE, bias=False)
        self.base = nn.Parameter(torch.randn(len(COLORS), SIGNATURE) / 2)
        self.prior = nn.Parameter(torch.tensor(-1.0))
        self.sharpness = nn.Parameter(torch.tensor(0.0))

    def forward(self, told: Tensor) -> Tensor:
        """Return the places of dice, (N, 16)."""
        told = ((told - self.mean) / self.spread).clamp(-FARTHEST, FARTHEST)
        return self.out(torch.relu(self.hidden(self.drop(told)))) + self.skip(self.drop(told))

    def scores(self, places: Tensor, named: Tensor, colors: Tensor) -> Tensor:
        """Return the scores (N, 5) of dice, held against others that are named."""
        prior = nn.functional.softplus(self.prior)
        shares = nn.functional.one_hot(colors, len(COLORS)).float()
        dyes = (prior * self.base + shares.T @ named) / (prior + shares.sum(0)[:, None])
        return -self.sharpness.exp() * (places[:, None] - dyes[None]).square().sum(2)

    def parts(self) -> dict[str, Tensor]:
        """Return the weights by the names that `vision.recognition.dice` has for them."""
        return {
            "mean": self.mean,
            "spread": self.spread,
            "hidden_weight": self.hidden.weight.T,
            "hidden_bias": self.hidden.bias,
            "out_weight": self.out.weight.T,
            "out_bias": self.out.bias,
            "skip_weight": self.skip.weight.T,
            "base": self.base,
            "prior": nn.functional.softplus(self.prior),
            "sharpness": self.sharpness.exp(),
        }


def load(
    folders: Sequence[Path], recolored_times: int = RECOLORED
) -> tuple[list[list[Window]], list[list[Window]]]:
    """Return the windows of each set to learn from, with other dyes as well, and of each held back."""
    sets: dict[tuple[int, int], list[Window]] = defaultdict(list)
    between: dict[tuple[int, int], list[float]] = defaultdict(list)
    for crops, codes, odd, seed in zip(*columns(folders, "crops", "codes", "odd", "crop_seeds"), strict=True):
        filled = codes != "--"
        if filled.sum() < FEWEST:
            continue
        colors = np.array([COLORS.index(code[0]) for code in codes[filled]])
        for number in range(1 + recolored_times if seed % PARTS > TEST else 1):
            # All windows of a set get the same dyes.
            dyed = np.random.default_rng([seed, number])
            shown = recolored(dyed, crops, codes) if number else crops
            logits, features = reader().run_both(to_blob(shown))
            told = torch.from_numpy(inputs(shown, features, logits, filled))
            pictures = torch.from_numpy(small(shown[filled]))
            one = Window(told, torch.from_numpy(colors), bool(odd or number), pictures)
            sets[int(seed), number].append(one)
            between[int(seed), number].append(apart(shown[filled], colors))
    learned: list[list[Window]] = []
    held_back: list[list[Window]] = []
    for (seed, number), windows in sets.items():
        if len(windows) > 1 and (number == 0 or np.median(between[seed, number]) >= LEAST_APART):
            (learned if seed % PARTS > TEST else held_back).append(windows)
    return learned, held_back


def apart(crops: NDArray[np.uint8], colors: NDArray[np.int64]) -> float:
    """Return how far the two colors of dice lie apart that look most alike, in CIEDE2000."""
    lab = LAB_SCALE * face_colors(crops)[:, :3]
    means = np.array([np.median(lab[colors == color], axis=0) for color in np.unique(colors)])
    differences = deltaE_ciede2000(means[:, None], means[None])[np.triu_indices(len(means), 1)]
    return float(differences.min(initial=np.inf))


def train(sets: Sequence[list[Window]], steps: int, seed: int) -> Places:
    """Return a network that learned from some sets."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = Places(torch.cat([one.told for windows in sets for one in windows]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK_RATE, steps)
    for _ in range(steps):
        losses = []
        for _ in range(EPISODES):
            windows = sets[int(rng.integers(len(sets)))]
            first, second = (windows[k] for k in rng.permutation(len(windows))[:2])
            named, colors = some_of(rng, first, first.told)
            places = model(torch.cat([named, second.told]))
            scores = model.scores(places[len(named) :], places[: len(named)], colors)
            losses.append(nn.functional.cross_entropy(scores, second.colors))
        take_step(model, torch.stack(losses).mean(), optimizer, schedule)
    return model.eval()


def some_of(rng: np.random.Generator, window: Window, dice: Tensor) -> tuple[Tensor, Tensor]:
    """Return those of the dice of a window that are named, mostly all of them, and their colors."""
    number, kind = len(window.colors), rng.random()
    if kind < FEW_SHARE:
        number = int(rng.integers(*FEW))
    elif kind < FEW_SHARE + NONE_SHARE and not window.odd:
        number = 0
    kept = torch.from_numpy(rng.permutation(len(window.colors))[:number])
    return dice[kept], window.colors[kept]


@torch.no_grad()
def measure(scores_of: Callable[[Window, Window], Tensor], sets: Sequence[list[Window]]) -> str:
    """Say how well colors are told where ``scores_of`` holds a second window's dice against a first's."""
    told: list[tuple[float, bool]] = []
    for first, second in (pair for windows in sets for pair in permutations(windows, 2)):
        best, color = scores_of(first, second).softmax(1).max(1)
        told += zip(best.tolist(), (color == second.colors).tolist(), strict=True)
    found = Reliability.of(told)
    wrong = found.cells - sum(one.right for one in found.bins)
    return f"{wrong} of {found.cells} colors wrong, calibration error {found.error:.2%}, {found.levels}"


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, write the weights, and print how well colors of sets held back are told."""
    learned, held_back = load(folders)
    model = train(learned, go.epochs, go.seed)
    write_halves(out, model.parts())
    print(len(learned) + len(held_back), "sets,", len(held_back), "held back")
    print(measure(lambda by, of: model.scores(model(of.told), model(by.told), by.colors), held_back))
