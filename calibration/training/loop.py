"""How a network learns: the loop, and the file that is written."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from calibration.training.nets import Reader, WithFeatures

Index = NDArray[np.int64]
Loss = Callable[[Tensor, Tensor], Tensor]
Batch = Callable[[Index, np.random.Generator | None], tuple[Tensor, Tensor]]
"""Makes inputs and labels of some examples, shaken where it is given random numbers."""

TEMPERATURES = np.linspace(0.6, 3, 49)


@dataclass(frozen=True)
class Go:
    """One go of learning: how many epochs, or steps, from which weights, and a highest rate not as usual."""

    epochs: int
    seed: int = 0
    start: Path | None = None
    rate: float | None = None


def train(
    model: nn.Module,
    out: Path,
    go: Go,
    shape: tuple[int, ...],
    index: Index,
    batch: Batch,
    loss_of: Loss,
    validate: Callable[[], str],
    *,
    size: int,
    rate: float,
    decay: float = 1e-3,
) -> None:
    """Train in place with AdamW and one cycle of the learning rate; `write` after each epoch.

    ``loss_of`` compares logits with labels, ``validate`` says in words how good the network is on the scenes
    held back; ``size`` is that of a batch. A third file, ``.unfinished``, lets the same call go on after an
    interruption as if there had been none.
    """
    if go.start:
        model.load_state_dict(torch.load(go.start, weights_only=True))
    epochs, rate = go.epochs, go.rate or rate
    rng = np.random.default_rng(go.seed)
    steps = len(index) // size
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=decay)
    # A cycle needs some steps to rise and fall, in a try as well.
    total = max(steps * epochs + 1, 20)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=total, pct_start=0.1)
    parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
    unfinished = out.with_suffix(".unfinished")
    # The same start on the same scenes, or an old file of another training would go on unnoticed.
    start = [index.tobytes(), *(part.numpy().tobytes() for part in model.state_dict().values())]
    began = hashlib.sha256(b"".join(start)).hexdigest()
    first = 0
    if unfinished.exists():
        saved = torch.load(unfinished, weights_only=True)
        if saved["epochs"] != epochs or saved["began"] != began:
            raise SystemExit(f"{unfinished} is of another training: delete it to begin anew.")
        first = saved["epoch"] + 1
        print(f"going on after epoch {saved['epoch']}", flush=True)
        for name, part in parts.items():
            part.load_state_dict(saved[name])
        rng.bit_generator.state = saved["rng"]
        torch.set_rng_state(saved["torch_rng"])  # of the dropout
    for epoch in range(first, epochs):
        started = time.time()
        model.to(memory_format=torch.channels_last).train()
        order = rng.permutation(index)
        losses = 0.0
        for k in range(steps):
            inputs, labels = batch(order[k * size : (k + 1) * size], rng)
            loss = loss_of(model(inputs.contiguous(memory_format=torch.channels_last)), labels)
            take_step(model, loss, optimizer, schedule, most=2.0)
            losses += loss.item()
        model.eval()
        with torch.no_grad():
            said = validate()
        seconds = time.time() - started
        print(f"epoch {epoch}: loss {losses / max(steps, 1):.3f}, {said}, {seconds:.0f} s", flush=True)
        write(model, out, shape)
        state = {"epochs": epochs, "began": began, "epoch": epoch, "rng": rng.bit_generator.state}
        state["torch_rng"] = torch.get_rng_state()
        state |= {name: part.state_dict() for name, part in parts.items()}
        torch.save(state, unfinished.with_suffix(".partial"))
        unfinished.with_suffix(".partial").replace(unfinished)
    unfinished.unlink(missing_ok=True)


def take_step(
    model: nn.Module, loss: Tensor, optimizer: Optimizer, schedule: LRScheduler, most: float = 5.0
) -> None:
    """Go one step down a loss, with a gradient whose norm is ``most`` at most."""
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), most)
    optimizer.step()
    schedule.step()


def in_parts(index: Index, at_once: int = 32) -> list[Index]:
    """Return a list of examples in parts that fit into memory."""
    return [index[k : k + at_once] for k in range(0, len(index), at_once)]


@torch.no_grad()
def answers(model: nn.Module, batch: Batch, parts: Iterable[Index]) -> tuple[Tensor, Tensor]:
    """Return outputs and labels of some parts of the examples as they are."""
    model.eval()
    pairs = [(model(inputs), labels) for inputs, labels in (batch(part, None) for part in parts)]
    return torch.cat([output for output, _ in pairs]), torch.cat([labels for _, labels in pairs])


def mean_loss(model: nn.Module, batch: Batch, loss: Loss, parts: Iterable[Index]) -> str:
    """Say what the loss of some parts of the examples is on average."""
    batches = (batch(part, None) for part in parts)
    return f"validation {np.mean([loss(model(inputs), labels).item() for inputs, labels in batches]):.3f}"


def pictures(images: NDArray[np.uint8]) -> Tensor:
    """Return pictures (N, H, W, C) as the networks see them, (N, C, H, W) in [-1, 1]."""
    # In memory they stay as they are, which is the order of axes that convolutions like best.
    return torch.from_numpy(images).permute(0, 3, 1, 2).float() / 127.5 - 1


def gains(rng: np.random.Generator, color: float, light: float) -> NDArray[np.float32]:
    """Return random gains (6,) of two views' channels, the same for both; the sigmas are of logarithms."""
    return np.tile(np.exp(rng.normal(0, color, 3)) * np.exp(rng.normal(0, light)), 2).astype(np.float32)


def best_temperature(logits: Tensor, labels: Tensor, tried: Sequence[float] | None = None) -> float:
    """Return the temperature that makes the labels likeliest (Guo et al. 2017)."""
    of = tried or TEMPERATURES.tolist()
    return min(of, key=lambda t: nn.functional.cross_entropy(logits / t, labels).item())


@torch.no_grad()
def calibrate(last: nn.Linear, logits: Tensor, labels: Tensor, rows: slice = slice(None)) -> None:
    """Divide rows of a last layer, in place, by the best temperature of their logits."""
    temperature = best_temperature(logits, labels)
    last.weight[rows] /= temperature
    last.bias[rows] /= temperature
    print(f"temperature {temperature:.2f}")


def mean_of(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean weights of some trainings (Wortsman et al., Model soups, 2022)."""
    return {
        name: torch.stack([one[name] for one in states]).mean(0) if last.is_floating_point() else last
        for name, last in states[-1].items()
    }


def write(model: nn.Module, out: Path, shape: tuple[int, ...]) -> None:
    """Write the ONNX file, and the weights beside it with the ending ``.pt``."""
    torch.save(model.state_dict(), out.with_suffix(".pt"))
    export(model, out, shape)


def write_halves(out: Path, parts: Mapping[str, Tensor]) -> None:
    """Write weights in half precision, as `vision.recognition.dice` reads them."""
    found = {name: part.detach().numpy().astype(np.float16) for name, part in parts.items()}
    np.savez_compressed(out, allow_pickle=False, **found)


def export(model: nn.Module, path: Path, shape: tuple[int, ...]) -> None:
    """Write ``model`` as an ONNX file for any number of inputs; of the reader its features, too."""
    model.eval()
    model.to(memory_format=torch.contiguous_format)
    both = WithFeatures(model) if isinstance(model, Reader) else None
    outputs = ["output", "features"] if both else ["output"]
    torch.onnx.export(
        both or model,
        (torch.zeros(shape),),
        str(path),
        opset_version=13,
        input_names=["input"],
        output_names=outputs,
        dynamic_axes={name: {0: "number"} for name in ("input", *outputs)},
        dynamo=False,
    )
