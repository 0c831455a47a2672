"""Teach the reader odd dice: ``python -m calibration.training.odd_reader DARK PALE COLORED OTHER OUT.onnx``.

Dice with dark pips are read with light and dark exchanged, which is not quite how the game's look; through
pale dice the pips of other faces shine, and are taken for those of the top; pips of gold, or painted ones,
are lighter than some dice and darker than others. So the reader goes on learning: from shards of
`calibration.training.odd_set` with dark pips (``DARK``), pale dyes (``PALE``) and pips of any color
(``COLORED``), and from dice of all kinds (``OTHER``, shards of `calibration.training.dyes_set`) what is a die
and which value it has. Of dice that are shown the wrong way, with lighter pips and light and dark exchanged
or with darker ones and not, it learns not to tell the value, as that is what says which pips a die has. The
colors stay as the reader tells them.
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
from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.odd import colored_pips, dark_pips, has_dark_pips, pale
from vision.cells.crops import with_light_pips
from vision.network import COLOR, FILLED, MODELS, VALUE, to_blob

LOOKS: dict[str, Callable[[np.random.Generator], DieLook]] = {
    "pale": pale,
    "others": lambda rng: set_of(rng)[0],
    "dark": dark_pips,
    "colored": colored_pips,
}
"""What draws the sets of each kind. Of each two windows are learned from at once, and two more are shown the
wrong way: one of the first two kinds, and one of the others."""
LUMA = np.array([0.114, 0.587, 0.299])
CLEARLY_DARKER = 0.75  # luma of pips by that of a dye; dice look darker than their dye, pips do not
STEM = 2  # convolutions that stay as they are
RATE, CONVOLUTIONS_RATE = 8e-4, 4e-4
TEMPERATURES = np.linspace(0.6, 3, 49)


@dataclass(frozen=True, eq=False)
class Windows:
    """Crops (N, 20, 48, 48, 6) uint8, values (N, 20) with 0 for none, and the seeds of their sets (N,).

    ``lighter`` and ``darker`` (N, 20) say which dice have pips that are clearly so; the latter are read with
    light and dark exchanged.
    """

    crops: NDArray[np.uint8]
    values: NDArray[np.int64]
    seeds: NDArray[np.int64]
    lighter: NDArray[np.bool_]
    darker: NDArray[np.bool_]

    def mostly_darker(self, k: int) -> bool:
        """Return whether more dice of a window have darker pips than have lighter ones."""
        return bool(self.darker[k].sum() > self.lighter[k].sum())

    def wrong_way(self, k: int, *, turned: bool) -> NDArray[np.bool_]:
        """Return of which dice of a window, (20,), the value is not to be told when they are shown so."""
        return self.lighter[k] if turned else self.darker[k]


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


def load(folder: Path, kind: str) -> Windows:
    """Return the windows of all shards of a kind in a folder, and of those in the folder ``sparse`` in it.

    Windows of ``others`` whose set has dark pips are left out.
    """
    crops, values, seeds, pips = [], [], [], []
    for path in shards_in([folder, folder / "sparse"]):
        with np.load(path) as shard:
            of = [_look_of(kind, int(seed)) for seed in shard["crop_seeds"]]
            kept = [kind != "others" or not has_dark_pips(look) for look in of]
            crops.append(shard["crops"][kept])
            seeds.append(shard["crop_seeds"][kept])
            for codes, look, is_kept in zip(shard["codes"], of, kept, strict=True):
                if is_kept:
                    values.append([_value(code) for code in codes])
                    pips.append([_pips_of(kind, look, code) for code in codes])
    lighter, darker = np.array(pips) == 1, np.array(pips) == -1
    return Windows(np.concatenate(crops), np.array(values), np.concatenate(seeds), lighter, darker)


@cache
def _look_of(kind: str, seed: int) -> DieLook:
    return LOOKS[kind](np.random.default_rng(seed))


def _pips_of(kind: str, look: DieLook, code: str) -> int:
    """Return 1 where a die has lighter pips, -1 where it has darker ones, 0 where neither or no die."""
    if code == "--":
        return 0
    if kind != "colored":
        return -1 if kind == "dark" else 1
    share = float(look.pip_color @ LUMA) / float(look.dyes[code[0]] @ LUMA)
    return int(share > 1) - int(share < CLEARLY_DARKER)


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
    kinds = list(LOOKS)
    learned = {kind: learned_from(one.seeds) for kind, one in every.items()}
    cross = nn.functional.cross_entropy
    model.train()
    for step in range(steps):
        shown_kinds = [*kinds, *kinds, str(rng.choice(kinds[:2])), str(rng.choice(kinds[2:]))]
        of = [every[kind] for kind in shown_kinds]
        picks = [int(rng.choice(learned[kind])) for kind in shown_kinds]
        turned = [one.mostly_darker(k) for one, k in zip(of, picks, strict=True)]
        turned[-2:] = [not one for one in turned[-2:]]
        shaken = [_shaken(one.crops[k], rng) for one, k in zip(of, picks, strict=True)]
        shown = torch.cat([inputs(one, turned=turn) for one, turn in zip(shaken, turned, strict=True)])
        values = torch.from_numpy(np.concatenate([one.values[k] for one, k in zip(of, picks, strict=True)]))
        wrong_way = np.concatenate(
            [one.wrong_way(k, turned=turn) for one, k, turn in zip(of, picks, turned, strict=True)]
        )
        there, not_told = values > 0, torch.from_numpy(wrong_way)
        with torch.no_grad():
            seen = stem(shown)
            colors = teacher.told_from(seen)[there][:, COLOR].softmax(1)
        logits = model.told_from(seen)
        known, unknown = there & ~not_told, there & not_told
        loss = (
            cross(logits[:, FILLED], there.long())
            + cross(logits[known][:, VALUE], values[known] - 1)
            + cross(logits[there][:, COLOR], colors) / 2
            - logits[unknown][:, VALUE].log_softmax(1).sum() / (24 * max(int(unknown.sum()), 1))
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
def held_back_logits(model: OddReader, windows: Windows, remainder: int) -> tuple[Tensor, Tensor]:
    """Return logits (20 N, 13) and values (20 N,) of windows held back, each shown as suits its dice best."""
    index = held_out(windows.seeds, remainder)
    logits = [model(inputs(windows.crops[k], turned=windows.mostly_darker(k))) for k in index]
    return torch.cat(logits), torch.from_numpy(windows.values[index].ravel())


def calibrate(model: OddReader, every: Sequence[Windows]) -> None:
    """Divide the logits of what is a die and of values by the temperatures that fit windows held back."""
    told = [held_back_logits(model, one, VALIDATION) for one in every]
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
    parser.add_argument("--steps", type=int, default=5000)
    args = parser.parse_args()
    folders = {"pale": args.pale, "others": args.other, "dark": args.dark, "colored": args.colored}
    every = {kind: load(folder, kind) for kind, folder in folders.items()}
    model = OddReader().eval()
    _report("before", model, every)
    train(model, every, args.steps)
    calibrate(model, list(every.values()))
    _report("after", model, every)
    export(model, args.out, (20, 6, 48, 48))
    halve(args.out)


def _report(when: str, model: OddReader, every: Mapping[str, Windows]) -> None:
    for name, windows in every.items():
        logits, values = held_back_logits(model, windows, TEST)
        there = values > 0
        filled = int(((logits[:, 1] > logits[:, 0]) != there).sum())
        wrong = int((logits[there][:, VALUE].argmax(1) + 1 != values[there]).sum())
        print(
            f"{when}, {name}: {filled} of {len(values)} spaces and {wrong} of {int(there.sum())} values wrong"
        )


if __name__ == "__main__":
    main()
