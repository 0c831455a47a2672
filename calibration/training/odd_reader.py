"""Teach the reader odd dice: ``python -m calibration.training.odd_reader DARK PALE COLORED OTHER OUT.onnx``.

Dice with dark pips are read with light and dark exchanged, which is not quite how the game's look; through
pale dice the pips of other faces shine, and are taken for those of the top; pips of gold, or painted ones,
are neither light nor dark. So the reader goes on learning: from shards of `calibration.training.odd_set` with
dark pips (``DARK``), pale dyes (``PALE``) and pips of any color (``COLORED``), and from dice of all kinds
(``OTHER``, shards of `calibration.training.dyes_set`) what is a die and which value it has. Of dice that are
shown the wrong way, light pips with light and dark exchanged and dark ones without, it learns not to tell the
value, as that is what says which pips there are. The colors stay as the reader tells them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from calibration.training.dataset import TEST, VALIDATION, held_out, learned_from, shards_in
from calibration.training.dyes_set import set_of
from calibration.training.loop import export
from calibration.training.nets import Reader
from calibration.training.synthetic.odd import colored_pips, has_dark_pips
from vision.cells.crops import with_light_pips
from vision.network import MODELS, to_blob

FILLED, COLOR, VALUE = slice(0, 2), slice(2, 7), slice(7, 13)
OF_A_STEP = {"pale": 2, "others": 2, "dark": 2, "colored, light": 1, "colored, dark": 1}
"""Windows of each kind that are learned from at once; two more are shown the wrong way: one of the first two
kinds, and one of the others."""
STEM = 2  # convolutions that stay as they are
RATE, CONVOLUTIONS_RATE = 8e-4, 4e-4
TEMPERATURES = np.linspace(0.6, 3, 49)


@dataclass(frozen=True, eq=False)
class Windows:
    """Crops (N, 20, 48, 48, 6) uint8, values (N, 20) with 0 for none, and the seeds of their sets (N,).

    ``dark`` says whether the pips are; then light and dark are exchanged before they are read.
    """

    crops: NDArray[np.uint8]
    values: NDArray[np.int64]
    seeds: NDArray[np.int64]
    dark: bool


class OddReader(nn.Module):
    """The reader, with the normalization of its convolutions worked in: 13 logits of dice, (20 N, 13)."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader()
        found = onnx.load(str(MODELS / "reader.onnx")).graph.initializer
        parts = {one.name: torch.tensor(numpy_helper.to_array(one)) for one in found}
        convolutions = iter([part for name, part in parts.items() if name.startswith("onnx::Conv")])
        for block in (*self.reader.cell, self.reader.squeeze):
            weight, bias = next(convolutions), next(convolutions)
            old = block[0]
            block[0] = nn.Conv2d(old.in_channels, old.out_channels, old.kernel_size, old.stride, old.padding)
            block[0].weight.data, block[0].bias.data = weight, bias
            block[1] = nn.Identity()
        for name, layer in (
            ("own.0", self.reader.own[0]),
            ("context.0", self.reader.context[0]),
            ("hidden.1", self.reader.hidden[1]),
            ("head", self.reader.head),
        ):
            layer.weight.data, layer.bias.data = parts[f"{name}.weight"], parts[f"{name}.bias"]

    def forward(self, crops: Tensor) -> Tensor:
        """Return logits of whether there is a die, of its color and of its value."""
        return self.told_from(self.reader.cell[:STEM](crops))

    def told_from(self, seen: Tensor) -> Tensor:
        """Return the logits, told from what the first convolutions see."""
        own = self.reader.own(torch.flatten(self.reader.squeeze(self.reader.cell[STEM:](seen)), 1))
        return self.reader.told_from(own)[:, : VALUE.stop]


def load(folder: Path, wanted: Callable[[int], bool] | None = None, *, dark: bool = False) -> Windows:
    """Return the windows of all shards in a folder, and of those in the folder ``sparse`` in it.

    Of sets whose seed is not ``wanted`` none is returned.
    """
    crops, values, seeds = [], [], []
    for path in shards_in([folder, folder / "sparse"]):
        with np.load(path) as shard:
            kept = [wanted is None or wanted(int(seed)) for seed in shard["crop_seeds"]]
            crops.append(shard["crops"][kept])
            seeds.append(shard["crop_seeds"][kept])
            values += [[_value(code) for code in codes] for codes in shard["codes"][kept]]
    return Windows(np.concatenate(crops), np.array(values), np.concatenate(seeds), dark)


@cache
def _is_light(seed: int) -> bool:
    """Return whether a set of `dyes_set` has no dark pips."""
    look, _ = set_of(np.random.default_rng(seed))
    return not has_dark_pips(look)


@cache
def _pips_are_lighter(seed: int) -> bool:
    """Return whether pips of any color are lighter than the dyes of their set, in the lightness of HSL."""
    look = colored_pips(np.random.default_rng(seed))
    dyes = np.stack(list(look.dyes.values()))
    return bool(np.ptp(look.pip_color) / 2 + look.pip_color.min() > (dyes.max(1) + dyes.min(1)).mean() / 2)


def _value(code: str) -> int:
    return 0 if code == "--" else int(code[1])


def inputs(crops: NDArray[np.uint8], *, turned: bool) -> Tensor:
    """Return the cells of a window, (20, 48, 48, 6), as they are or with light and dark exchanged."""
    return torch.from_numpy(to_blob(with_light_pips(crops) if turned else crops))


def _shaken(window: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a window in a mirror or not, lighter or darker, and with noise."""
    seen = window[:, :, ::-1] if rng.random() < 0.5 else window
    lit = (seen.astype(np.float32) / 255) ** np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.15))
    lit += rng.normal(0, rng.uniform(0, 0.03), lit.shape)
    return np.asarray(np.clip(lit, 0, 1) * 255, dtype=np.uint8)


def train(model: OddReader, every: Mapping[str, Windows], steps: int, seed: int = 0) -> None:
    """Let the reader go on learning, but for its first convolutions."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    teacher = OddReader().eval()
    stem = model.reader.cell[:STEM].requires_grad_(requires_grad=False)
    convolutions = [*model.reader.cell[STEM:].parameters(), *model.reader.squeeze.parameters()]
    those = {id(one) for one in (*stem.parameters(), *convolutions)}
    rest = [one for one in model.parameters() if id(one) not in those]
    groups = [{"params": rest, "lr": RATE}, {"params": convolutions, "lr": CONVOLUTIONS_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, [RATE, CONVOLUTIONS_RATE], steps)
    learned = {kind: learned_from(one.seeds) for kind, one in every.items()}
    right, every_kind = [kind for kind, count in OF_A_STEP.items() for _ in range(count)], list(OF_A_STEP)
    cross = nn.functional.cross_entropy
    model.train()
    for step in range(steps):
        wrong_way = [str(rng.choice(some)) for some in (every_kind[:2], every_kind[2:])]
        kinds = right + wrong_way
        picks = [int(rng.choice(learned[kind])) for kind in kinds]
        of = [every[kind] for kind in kinds]
        turned = [one.dark ^ (number >= len(right)) for number, one in enumerate(of)]
        shaken = [_shaken(one.crops[k], rng) for one, k in zip(of, picks, strict=True)]
        shown = torch.cat([inputs(one, turned=turn) for one, turn in zip(shaken, turned, strict=True)])
        values = torch.from_numpy(np.concatenate([one.values[k] for one, k in zip(of, picks, strict=True)]))
        there, right_pips = values > 0, torch.arange(len(values)) < 20 * len(right)
        with torch.no_grad():
            seen = stem(shown)
            colors = teacher.told_from(seen)[there][:, COLOR].softmax(1)
        logits = model.told_from(seen)
        known, unknown = there & right_pips, there & ~right_pips
        loss = (
            cross(logits[:, FILLED], there.long())
            + cross(logits[known][:, VALUE], values[known] - 1)
            + cross(logits[there][:, COLOR], colors) / 2
            - logits[unknown][:, VALUE].log_softmax(1).mean() / 4
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)
    model.eval()


@torch.no_grad()
def logits_of(model: OddReader, windows: Windows, remainder: int) -> tuple[Tensor, Tensor]:
    """Return logits (20 N, 13) and values (20 N,) of windows held back."""
    index = held_out(windows.seeds, remainder)
    logits = [model(inputs(windows.crops[k], turned=windows.dark)) for k in index]
    return torch.cat(logits), torch.from_numpy(windows.values[index].ravel())


def calibrate(model: OddReader, every: Sequence[Windows]) -> None:
    """Divide the logits of what is a die and of values by the temperatures that fit windows held back."""
    told = [logits_of(model, one, VALIDATION) for one in every]
    logits, values = torch.cat([one for one, _ in told]), torch.cat([one for _, one in told])
    there = values > 0
    for part, said, truth in (
        (FILLED, logits[:, FILLED], there.long()),
        (VALUE, logits[there][:, VALUE], values[there] - 1),
    ):
        losses = [nn.functional.cross_entropy(said / t, truth).item() for t in TEMPERATURES]
        best = float(TEMPERATURES[int(np.argmin(losses))])
        model.reader.head.weight.data[part] /= best
        model.reader.head.bias.data[part] /= best
        print(f"temperature {best:.2f}")


def halve(path: Path) -> None:
    """Store the weights of a network in half precision; it runs in single precision as before."""
    model = onnx.load(str(path))
    weights, nodes = list(model.graph.initializer), list(model.graph.node)
    del model.graph.initializer[:], model.graph.node[:]
    for one in weights:
        values = numpy_helper.to_array(one)
        if values.dtype != np.float32:
            model.graph.initializer.append(one)
            continue
        stored = f"{one.name}_half"
        model.graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), stored))
        cast = onnx.helper.make_node("Cast", [stored], [one.name], to=onnx.TensorProto.FLOAT)
        model.graph.node.append(cast)
    model.graph.node.extend(nodes)
    onnx.save(model, str(path))


def main() -> None:
    """Train, write the network, and say how dice held back are read before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dark", type=Path, help="folder of shards with dark pips")
    parser.add_argument("pale", type=Path, help="folder of shards with pale dyes")
    parser.add_argument("colored", type=Path, help="folder of shards with pips of any color")
    parser.add_argument("other", type=Path, help="folder of shards of all kinds of sets")
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--steps", type=int, default=3600)
    args = parser.parse_args()
    every = {
        "dark": load(args.dark, dark=True),
        "pale": load(args.pale),
        "others": load(args.other, _is_light),
        "colored, light": load(args.colored, _pips_are_lighter),
        "colored, dark": load(args.colored, lambda seed: not _pips_are_lighter(seed), dark=True),
    }
    model = OddReader().eval()
    _report("before", model, every)
    train(model, every, args.steps)
    calibrate(model, list(every.values()))
    _report("after", model, every)
    export(model, args.out, (20, 6, 48, 48))
    halve(args.out)


def _report(when: str, model: OddReader, every: Mapping[str, Windows]) -> None:
    for name, windows in every.items():
        logits, values = logits_of(model, windows, TEST)
        there = values > 0
        filled = int(((logits[:, 1] > logits[:, 0]) != there).sum())
        wrong = int((logits[there][:, VALUE].argmax(1) + 1 != values[there]).sum())
        print(
            f"{when}, {name}: {filled} of {len(values)} spaces and {wrong} of {int(there.sum())} values wrong"
        )


if __name__ == "__main__":
    main()
