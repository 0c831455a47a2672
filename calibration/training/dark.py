"""Teach the reader dark pips: ``python -m calibration.training.dark DARK OTHER OUT.onnx``.

Dice with dark pips are read with light and dark exchanged, which is not quite how the game's look. So the
reader goes on learning from such pictures: from shards of `calibration.training.dark_set` (``DARK``) what
is a die and which value it has. From dice with light pips (``OTHER``, shards of
`calibration.training.dyes_set`), which look wrong with light and dark exchanged, it learns to be in doubt
about the value, as that is what tells which pips there are. The colors stay as the reader tells them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from calibration.training.dark_set import has_dark_pips
from calibration.training.dataset import TEST, VALIDATION, held_out, learned_from, shards_in
from calibration.training.dyes_set import set_of
from calibration.training.loop import export
from calibration.training.nets import Reader
from vision.cells.crops import with_light_pips
from vision.network import MODELS

FILLED, COLOR, VALUE = slice(0, 2), slice(2, 7), slice(7, 13)
DARK_WINDOWS, LIGHT_WINDOWS = 4, 2  # of each step
RATE = 1e-3
TEMPERATURES = np.linspace(0.6, 3, 49)


@dataclass(frozen=True, eq=False)
class Windows:
    """Crops (N, 20, 48, 48, 6) uint8, values (N, 20) with 0 for none, and the seeds of their sets (N,)."""

    crops: NDArray[np.uint8]
    values: NDArray[np.int64]
    seeds: NDArray[np.int64]


class DarkReader(nn.Module):
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
        return self.told_from(self.reader.cell(crops))

    def told_from(self, seen: Tensor) -> Tensor:
        """Return the logits, told from what the convolutions see."""
        own = self.reader.own(torch.flatten(self.reader.squeeze(seen), 1))
        return self.reader.told_from(own)[:, : VALUE.stop]


def load(folders: Sequence[Path], *, dark: bool) -> Windows:
    """Return the windows of all shards in some folders; of those of `dyes_set` the ones with light pips."""
    crops, values, seeds = [], [], []
    for path in shards_in(folders):
        with np.load(path) as shard:
            wanted = [dark or not _is_dark(int(seed)) for seed in shard["crop_seeds"]]
            crops.append(shard["crops"][wanted])
            seeds.append(shard["crop_seeds"][wanted])
            values += [[_value(code) for code in codes] for codes in shard["codes"][wanted]]
    return Windows(np.concatenate(crops), np.array(values), np.concatenate(seeds))


def _is_dark(seed: int) -> bool:
    look, _ = set_of(np.random.default_rng(seed))
    return has_dark_pips(look)


def _value(code: str) -> int:
    return 0 if code == "--" else int(code[1])


def inputs(crops: NDArray[np.uint8], rng: np.random.Generator | None = None) -> Tensor:
    """Return windows (N, 20, 48, 48, 6) with light and dark exchanged, (20 N, 6, 48, 48), perhaps shaken."""
    shown = [with_light_pips(window if rng is None else _shaken(window, rng)) for window in crops]
    blob = np.concatenate(shown).astype(np.float32).transpose(0, 3, 1, 2)
    return torch.from_numpy(np.ascontiguousarray(blob / 127.5 - 1))


def _shaken(window: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a window in a mirror or not, lighter or darker, and with noise."""
    seen = window[:, :, ::-1] if rng.random() < 0.5 else window
    lit = (seen.astype(np.float32) / 255) ** np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.15))
    lit += rng.normal(0, rng.uniform(0, 0.03), lit.shape)
    return np.asarray(np.clip(lit, 0, 1) * 255, dtype=np.uint8)


def train(model: DarkReader, dark: Windows, light: Windows, steps: int, seed: int = 0) -> None:
    """Let the reader go on learning; its convolutions stay, so that it takes minutes."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    teacher = DarkReader().eval()
    learned, others = learned_from(dark.seeds), learned_from(light.seeds)
    model.reader.cell.requires_grad_(requires_grad=False)
    optimizer = torch.optim.AdamW(
        [part for part in model.parameters() if part.requires_grad], lr=RATE, weight_decay=0.02
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, steps)
    cross = nn.functional.cross_entropy
    model.train()
    for step in range(steps):
        of_dark = rng.choice(learned, DARK_WINDOWS)
        of_light = rng.choice(others, LIGHT_WINDOWS)
        shown = torch.cat([inputs(dark.crops[of_dark], rng), inputs(light.crops[of_light], rng)])
        values = torch.from_numpy(np.concatenate([dark.values[of_dark], light.values[of_light]]).ravel())
        there, is_dark = values > 0, torch.arange(len(values)) < 20 * DARK_WINDOWS
        with torch.no_grad():
            seen = model.reader.cell(shown)
            colors = teacher.told_from(seen)[there][:, COLOR].softmax(1)
        logits = model.told_from(seen)
        known, unknown = there & is_dark, there & ~is_dark
        loss = (
            cross(logits[:, FILLED], there.long())
            + cross(logits[known][:, VALUE], values[known] - 1)
            + cross(logits[there][:, COLOR], colors) / 2
            - logits[unknown][:, VALUE].log_softmax(1).mean() / 2
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)
    model.eval()


@torch.no_grad()
def logits_of(model: DarkReader, windows: Windows, index: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
    """Return logits (20 N, 13) and values (20 N,) of some windows."""
    logits = [model(inputs(windows.crops[k : k + 1])) for k in index]
    return torch.cat(logits), torch.from_numpy(windows.values[index].ravel())


def calibrate(model: DarkReader, windows: Windows) -> None:
    """Divide the logits of what is a die and of values by the temperatures that fit windows held back."""
    logits, values = logits_of(model, windows, held_out(windows.seeds, VALIDATION))
    there = values > 0
    for part, told, truth in (
        (FILLED, logits[:, FILLED], there.long()),
        (VALUE, logits[there][:, VALUE], values[there] - 1),
    ):
        losses = [nn.functional.cross_entropy(told / t, truth).item() for t in TEMPERATURES]
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
    parser.add_argument("other", type=Path, help="folder of shards of all kinds of sets")
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--steps", type=int, default=800)
    args = parser.parse_args()
    dark, light = load([args.dark], dark=True), load([args.other], dark=False)
    model, test = DarkReader(), held_out(dark.seeds, TEST)
    _report("before", model.eval(), dark, test)
    train(model, dark, light, args.steps)
    calibrate(model, dark)
    _report("after", model, dark, test)
    export(model, args.out, (20, 6, 48, 48))
    halve(args.out)


def _report(name: str, model: DarkReader, windows: Windows, index: NDArray[np.int64]) -> None:
    logits, values = logits_of(model, windows, index)
    there = values > 0
    filled = int(((logits[:, 1] > logits[:, 0]) == there).sum())
    right = int((logits[there][:, VALUE].argmax(1) + 1 == values[there]).sum())
    print(f"{name}: {filled} of {len(values)} spaces and {right} of {int(there.sum())} values right")


if __name__ == "__main__":
    main()
