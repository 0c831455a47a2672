"""What tells dice together, trained on `calibration.training.odd_set.dyes`.

As in `calibration.training.dyes`, the named dice of one window say where the dyes stand, and those of another
are told by them, here all at once, with pictures of them. Names of odd dyes are exchanged at random, so that
nothing is learned of what a dye that stands in a place is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from calibration.training.dyes import Window, load, measure, some_of
from calibration.training.loop import Go, mean_of, take_step, write_halves
from calibration.training.synthetic.scene import COLORS
from vision.profile import SIGNATURE
from vision.recognition.dice import BLOCKS, HEADS, signatures, told_apart

WIDTH, SHARED = 64, 32
CHANNELS = (3, 16, 32, 32)
FLAT = 32 * 3 * 3  # what the convolutions leave of a picture of 24 x 24
BATCH = 32
LATER, GOES = 0.65, 2  # of the steps, of each go from there; of these the mean is taken
PEAK_RATE, LATER_RATE, DECAY = 1.5e-3, 1e-3, 2e-2
RECOLORED = 3  # times that each set is seen with other dyes
EXCHANGED_SHARE = 0.5  # of the windows with odd dyes
FEW_SHARE, FEWEST = 0.3, 3  # windows of which only so many dice are seen, and more
PADDING = -100  # no color
MOVED, SIZED, NOISE = 0.05, 0.05, 6.0
"""By which the picture of a die is moved (half its sides), made larger or smaller, and up to which it is made
noisy (gray levels), as standard deviations."""

Example = tuple[Tensor, Tensor, Tensor, Tensor]
"""Places (N, 16), pictures (N, 24, 24, 3), dyes (5, 16) and colors (N,)."""


class Block(nn.Module):
    """All look at all, and then each thinks for itself (pre-norm transformer)."""

    def __init__(self) -> None:
        super().__init__()
        self.seen, self.thought = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.asks, self.says = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.drop = nn.Dropout(0.1)

    def forward(self, found: Tensor, there: Tensor) -> Tensor:
        """Return what is known of each of (B, T, WIDTH) afterwards; ``there`` (B, T) are looked at."""
        batch, number, _ = found.shape
        asks = self.asks(self.seen(found)).reshape(batch, number, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        told = nn.functional.scaled_dot_product_attention(*asks, attn_mask=there[:, None, None])
        found = found + self.drop(self.says(told.transpose(1, 2).reshape(found.shape)))
        wide = self.drop(torch.relu(self.wide(self.thought(found))))
        return found + self.drop(self.narrow(wide))


class Together(nn.Module):
    """Tells the dyes of all dice of a window, as `vision.recognition.dice` does."""

    def __init__(self) -> None:
        super().__init__()
        self.place, self.dye = nn.Linear(SIGNATURE, WIDTH), nn.Linear(SIGNATURE, WIDTH)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(before, after, 3, 2, 1) for before, after in pairwise(CHANNELS)
        )
        self.picture = nn.Linear(FLAT, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.norm = nn.LayerNorm(WIDTH)
        self.die_shares = nn.Linear(WIDTH, SHARED, bias=False)
        self.dye_shares = nn.Linear(WIDTH, SHARED, bias=False)
        nn.init.zeros_(self.die_shares.weight)  # so that it begins with what each die says alone
        self.alone = nn.Parameter(torch.tensor(1.0))
        self.drop = nn.Dropout(0.2)

    def forward(self, places: Tensor, pictures: Tensor, dyes: Tensor, alone: Tensor, there: Tensor) -> Tensor:
        """Return scores (B, N, 5) by those ``alone``; ``there`` (B, N) says which dice there are."""
        shown = pictures[there].permute(0, 3, 1, 2) / 128 - 1
        for convolution in self.convolutions:
            shown = torch.relu(convolution(shown))
        dice = self.drop(self.place(places))
        dice[there] += self.picture(shown.permute(0, 2, 3, 1).flatten(1))
        found = torch.cat([dice, self.dye(dyes)], 1)
        every = nn.functional.pad(there, (0, len(COLORS)), value=True)
        for block in self.blocks:
            found = block(found, every)
        found, number = self.norm(found), places.shape[1]
        shares: Tensor = self.die_shares(found[:, :number]) @ self.dye_shares(found[:, number:]).mT
        return self.alone * alone + shares

    def parts(self) -> dict[str, Tensor]:
        """Return the weights by name, their axes as `vision.recognition.dice` has them."""
        return {
            name: part.permute(2, 3, 1, 0) if part.ndim == 4 else part.mT if part.ndim == 2 else part
            for name, part in self.state_dict().items()
        }


def batch_of(examples: Sequence[Example]) -> tuple[tuple[Tensor, ...], Tensor]:
    """Return what the network is told of some windows, and the colors of their dice, (B, N)."""
    places, pictures, dyes, colors = zip(*examples, strict=True)
    alone = [
        torch.from_numpy(told_apart(place.numpy(), dye.numpy())).float()
        for place, dye in zip(places, dyes, strict=True)
    ]
    colors = pad_sequence(colors, batch_first=True, padding_value=PADDING)
    place, picture, scores = (pad_sequence(part, batch_first=True) for part in (places, pictures, alone))
    return (place, picture, torch.stack(dyes), scores, colors != PADDING), colors


def dyes_by(places: Tensor, colors: Tensor) -> Tensor:
    """Return where the dyes stand, (5, 16), by named dice."""
    return torch.from_numpy(signatures(places.numpy(), np.eye(len(COLORS))[colors.numpy()])).float()


def drawn(rng: np.random.Generator, sets: Sequence[list[Window]]) -> Example:
    """Return a window of a set, some of whose dice are seen, and dyes that another window says."""
    windows = sets[int(rng.integers(len(sets)))]
    first, second = (windows[k] for k in rng.permutation(len(windows))[:2])
    dyes, colors = dyes_by(*some_of(rng, first, first.places)), second.colors
    if second.odd and rng.random() < EXCHANGED_SHARE:
        order = torch.from_numpy(rng.permutation(len(COLORS)))
        dyes, colors = dyes[order], torch.argsort(order)[colors]
    seen = len(colors)
    if rng.random() < FEW_SHARE:
        seen = int(rng.integers(FEWEST, seen + 1))
    kept = torch.from_numpy(rng.permutation(len(colors))[:seen])
    return second.places[kept], second.pictures[kept], dyes, colors[kept]


def shaken(pictures: Tensor) -> Tensor:
    """Return pictures (B, N, 24, 24, 3) of dice, those of half the windows mirrored, and each shaken."""
    shown = pictures.float()
    for axis in (2, 3):
        shown = torch.where(torch.rand(len(shown), 1, 1, 1, 1) < 0.5, shown.flip(axis), shown)
    flat = shown.flatten(0, 1).permute(0, 3, 1, 2)
    moves = torch.zeros(len(flat), 2, 3)
    moves[:, [0, 1], [0, 1]] = 1 + SIZED * torch.randn(len(flat), 1)
    moves[:, :, 2] = MOVED * torch.randn(len(flat), 2)
    places = nn.functional.affine_grid(moves, list(flat.shape), align_corners=False)
    moved = nn.functional.grid_sample(flat, places, padding_mode="reflection", align_corners=False)
    noisy = moved + NOISE * torch.rand(len(flat), 1, 1, 1) * torch.randn_like(moved)
    return noisy.clamp(0, 255).permute(0, 2, 3, 1).unflatten(0, pictures.shape[:2])


def train(
    sets: Sequence[list[Window]], steps: int, seed: int, rate: float, start: Together | None = None
) -> Together:
    """Return a network that learned from some sets, from the beginning or from where another one stopped."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = deepcopy(start).train() if start else Together()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps)
    for _ in range(steps):
        (places, pictures, *others), colors = batch_of([drawn(rng, sets) for _ in range(BATCH)])
        scores = model(places, shaken(pictures), *others)
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), colors.flatten(), ignore_index=PADDING)
        take_step(model, loss, optimizer, schedule)
    return model.eval()


def scores_of(model: Together | None, first: Window, second: Window) -> Tensor:
    """Return the scores (N, 5) of a window's dice by those of another: of the network, or of each alone."""
    dyes = dyes_by(first.places, first.colors)
    parts, _ = batch_of([(second.places, second.pictures, dyes, second.colors)])
    return (model(*parts) if model else parts[3])[0]


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, write the weights, and print how well colors of sets held back are told."""
    parts = {folder.name: load([folder], RECOLORED) for folder in folders}
    every = [one for learned, _ in parts.values() for one in learned]
    model, later = train(every, go.epochs, go.seed, PEAK_RATE), max(round(LATER * go.epochs), 1)
    seeds = range(go.seed + 1, go.seed + 1 + GOES)
    goes = [train(every, later, seed, LATER_RATE, model).state_dict() for seed in seeds]
    model.load_state_dict(mean_of(goes))
    write_halves(out, model.parts())
    for name, (learned, held_back) in parts.items():
        print(f"{name}: {len(learned) + len(held_back)} sets, {len(held_back)} held back")
        print("  each die alone:", measure(partial(scores_of, None), held_back))
        print("  together:", measure(partial(scores_of, model), held_back))
