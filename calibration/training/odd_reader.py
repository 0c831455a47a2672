"""The reader of odd dice, which goes on learning from where the reader stands.

Dice with dark pips are read with light and dark exchanged, which is not quite how the game's look; through
pale dice the pips of other faces shine; pips of gold, or painted ones, are lighter than some dice and darker
than others. Of dice that are shown the wrong way, with lighter pips and light and dark exchanged or with
darker ones and not, it learns not to tell the value. The colors stay as the reader tells them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from calibration.training.loop import Go, calibrate, export, mean_of, take_step
from calibration.training.nets import Reader
from calibration.training.odd_set import HARD, set_of
from calibration.training.shards import TEST, VALIDATION, columns, held_out, learned_from
from calibration.training.synthetic.dice import DieLook
from calibration.training.synthetic.odd import has_dark_pips
from vision.network import COLOR, FILLED, MODELS, VALUE

LOOKS: dict[str, Callable[[np.random.Generator], DieLook]] = {
    "pale": HARD["pale"],
    "dyes": lambda rng: set_of(rng)[0],
    "dark": HARD["dark"],
    "colored": HARD["colored"],
}
"""What draws the sets of each kind. As many windows of each are learned from at once, and a quarter as
many as of all are shown the wrong way: half of these are of the first two kinds, half of the others."""
LUMA = (0.114, 0.587, 0.299)
CLEARLY_DARKER = 0.75  # luma of pips by that of a dye; dice look darker than their dye, pips do not
RATE, CONVOLUTIONS_RATE, DECAY, WARM_UP = 2e-3, 1.2e-3, 0.05, 0.15
TURN, SCALE, SHIFT, OWN_SHIFT = 0.03, 0.03, 0.03, 0.015  # of windows, and of each cell; half sides, radians
DARKER, LIGHTER, CAST, NOISE = 0.25, 0.15, 0.08, 0.03
EACH, GOES = 12, 2  # windows of each kind in a step, an even number; goes whose mean is taken


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


class OddReader(nn.Module):
    """The reader, with the normalization of its convolutions worked in: 13 logits of dice, (20 N, 13)."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader()
        found = onnx.load(str(MODELS / "reader.onnx")).graph.initializer
        parts = {one.name.removeprefix("reader."): torch.tensor(numpy_helper.to_array(one)) for one in found}
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
        return self.reader(crops)[:, : VALUE.stop]


def load(folders: Sequence[Path], kind: str) -> Windows:
    """Return the windows of all shards of a kind; those of ``dyes`` whose set has dark pips are left out."""
    of_kind = [folder for folder in folders if folder.name.startswith(kind)]
    crops, codes, seeds = columns(of_kind, "crops", "codes", "crop_seeds")
    looks = [_look_of(kind, int(seed)) for seed in seeds]
    kept = [kind != "dyes" or not has_dark_pips(look) for look in looks]
    values = [[0 if code == "--" else int(code[1]) for code in row] for row in codes[kept]]
    shown = zip(compress(looks, kept), codes[kept], strict=True)
    pips = np.array([[_pips_of(kind, look, code) for code in row] for look, row in shown])
    return Windows(crops[kept], np.array(values), seeds[kept], pips == 1, pips == -1)


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


def shown_as(crops: Tensor, turned: Tensor) -> Tensor:
    """Return crops (N, S, S, 6), 0-255, in [-1, 1] (N, 6, S, S), ``turned`` ones light for dark."""
    twice = crops.unflatten(-1, (2, 3))
    luma = (twice @ torch.tensor(LUMA, dtype=crops.dtype, device=crops.device)).round().unsqueeze(-1)
    exchanged = (twice + (255 - 2 * luma)).clamp(0, 255).flatten(-2)
    return torch.where(turned[:, None, None, None], exchanged, crops).permute(0, 3, 1, 2) / 127.5 - 1


def _shaken(windows: Tensor) -> Tensor:
    """Return windows (N, 20, S, S, 6), 0-255, moved, in a mirror or not, in another light, and with noise."""
    number, on = len(windows), windows.device

    def drawn(draw: Callable[..., Tensor], *last: int) -> Tensor:
        return draw((number, 1, 1, 1, *(last or (1,))), device=on)

    seen = _moved(windows.flatten(0, 1)).unflatten(0, (number, 20))
    seen = torch.where(drawn(torch.rand) < 0.5, seen.flip(3), seen)
    lit = seen / 255 * (CAST * drawn(torch.randn, 3)).exp().repeat(1, 1, 1, 1, 2)
    lit = lit.clamp(0, 1) ** (DARKER * drawn(torch.randn)).exp() * (LIGHTER * drawn(torch.randn)).exp()
    lit = lit + torch.randn_like(lit) * drawn(torch.rand) * NOISE
    return (lit.clamp(0, 1) * 255).floor()


def _moved(cells: Tensor) -> Tensor:
    """Return the cells of windows (20 N, S, S, 6) as if the lattice lay a little otherwise."""

    def drawn(sigma: float, *last: int) -> Tensor:
        return sigma * torch.randn(len(cells) // 20, *last, device=cells.device).repeat_interleave(20, 0)

    turn, scale = drawn(TURN), 1 + drawn(SCALE)
    shift = drawn(SHIFT, 2) + OWN_SHIFT * torch.randn(len(cells), 2, device=cells.device)
    cos, sin = scale * turn.cos(), scale * turn.sin()
    rows = [torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)]
    pictures = cells.permute(0, 3, 1, 2)
    places = nn.functional.affine_grid(torch.stack(rows, 1), list(pictures.shape), align_corners=False)
    moved = nn.functional.grid_sample(pictures, places, padding_mode="reflection", align_corners=False)
    return moved.permute(0, 2, 3, 1)


def train(every: Mapping[str, Windows], steps: int, seed: int, on: str) -> OddReader:
    """Return the reader after it went on learning."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    teacher, model = OddReader().eval().to(on), OddReader().train().to(on)
    convolutions = [*model.reader.cell.parameters(), *model.reader.squeeze.parameters()]
    those = {id(one) for one in convolutions}
    rest = [one for one in model.parameters() if id(one) not in those]
    groups = [{"params": rest, "lr": RATE}, {"params": convolutions, "lr": CONVOLUTIONS_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [RATE, CONVOLUTIONS_RATE], steps, pct_start=WARM_UP
    )
    kinds = list(LOOKS)
    learned = {kind: learned_from(one.seeds) for kind, one in every.items()}
    stored = {kind: torch.from_numpy(one.crops).to(on) for kind, one in every.items()}
    cross = nn.functional.cross_entropy
    for step in range(steps):
        shown_kinds = [*kinds * EACH, *rng.choice(kinds[:2], EACH // 2), *rng.choice(kinds[2:], EACH // 2)]
        of = [every[kind] for kind in shown_kinds]
        picks = [int(rng.choice(learned[kind])) for kind in shown_kinds]
        turned = [one.mostly_darker(k) for one, k in zip(of, picks, strict=True)]
        turned[len(kinds) * EACH :] = [not one for one in turned[len(kinds) * EACH :]]
        crops = torch.stack([stored[kind][k] for kind, k in zip(shown_kinds, picks, strict=True)]).float()
        shown = shown_as(_shaken(crops).flatten(0, 1), torch.tensor(turned, device=on).repeat_interleave(20))
        each = list(zip(of, picks, turned, strict=True))
        truth = np.concatenate([one.values[k] for one, k, _ in each])
        # The value is not to be told of dice that are shown the wrong way.
        wrong_way = np.concatenate([one.lighter[k] if turn else one.darker[k] for one, k, turn in each])
        values, not_told = torch.from_numpy(truth).to(on), torch.from_numpy(wrong_way).to(on)
        there = values > 0
        with torch.no_grad():
            colors = teacher(shown)[there][:, COLOR].softmax(1)
        logits = model(shown)
        known, unknown = there & ~not_told, there & not_told
        loss = (
            cross(logits[:, FILLED], there.long())
            + cross(logits[known][:, VALUE], values[known] - 1)
            + cross(logits[there][:, COLOR], colors) / 2
            - logits[unknown][:, VALUE].log_softmax(1).sum() / (24 * max(int(unknown.sum()), 1))
        )
        take_step(model, loss, optimizer, schedule)
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)
    return model.eval().to("cpu")


@torch.no_grad()
def held_back_logits(model: OddReader, windows: Windows, remainder: int) -> tuple[Tensor, Tensor]:
    """Return logits (20 N, 13) and values (20 N,) of windows held back, each shown as suits its dice best."""
    index = held_out(windows.seeds, remainder)
    logits = []
    for k in index:
        turned = torch.full((20,), windows.mostly_darker(k))
        logits.append(model(shown_as(torch.from_numpy(windows.crops[k]).float(), turned)))
    return torch.cat(logits), torch.from_numpy(windows.values[index].ravel())


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


def make(folders: Sequence[Path], out: Path, go: Go) -> None:
    """Train, write the network, and say how dice held back are read before and after."""
    every, model = {kind: load(folders, kind) for kind in LOOKS}, OddReader().eval()
    _report("before", model, every)
    on = "cuda" if torch.cuda.is_available() else "cpu"
    goes = [train(every, go.epochs, go.seed + number, on).state_dict() for number in range(GOES)]
    model.load_state_dict(mean_of(goes))
    told = [held_back_logits(model, one, VALIDATION) for one in every.values()]
    logits, values = (torch.cat(part) for part in zip(*told, strict=True))
    there = values > 0
    calibrate(model.reader.head, logits[:, FILLED], there.long(), FILLED)
    calibrate(model.reader.head, logits[there][:, VALUE], values[there] - 1, VALUE)
    _report("after", model, every)
    export(model, out, (20, 6, 48, 48))
    halve(out)


def _report(when: str, model: OddReader, every: Mapping[str, Windows]) -> None:
    for name, windows in every.items():
        logits, values = held_back_logits(model, windows, TEST)
        there = values > 0
        filled = int(((logits[:, 1] > logits[:, 0]) != there).sum())
        wrong = int((logits[there][:, VALUE].argmax(1) + 1 != values[there]).sum())
        print(
            f"{when}, {name}: {filled} of {len(values)} spaces and {wrong} of {int(there.sum())} values wrong"
        )
