"""How a network learns: the loop, and the file that is written."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.training.nets import Reader, WithFeatures

Index = NDArray[np.int64]
Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True, eq=False)
class Task:
    """What to learn.

    ``batch`` makes shaken inputs and labels of some examples, ``loss`` compares logits with
    labels, ``validate`` says in words how good the network is on the scenes held back.
    """

    index: Index
    batch_size: int
    batch: Callable[[Index, np.random.Generator], tuple[Tensor, Tensor]]
    loss: Callable[[Tensor, Tensor], Tensor]
    validate: Callable[[], str]
    peak_rate: float
    weight_decay: float
    input_shape: tuple[int, ...]


@dataclass(frozen=True)
class Go:
    """One go of learning: for how many epochs, or steps where there are none, and from which weights.

    ``rate`` is the highest learning rate, the usual one where it is None.
    """

    epochs: int
    seed: int = 0
    start: Path | None = None
    rate: float | None = None


def train(model: nn.Module, task: Task, out: Path, go: Go) -> None:
    """Train in place with AdamW and one cycle of the learning rate; save after each epoch.

    The ONNX file is written to ``out`` and the weights beside it with the ending ``.pt``. A third
    file, ``.unfinished``, lets the same call go on after an interruption as if there had been none.
    """
    if go.start:
        model.load_state_dict(torch.load(go.start, weights_only=True))
    epochs, rate = go.epochs, go.rate or task.peak_rate
    rng = np.random.default_rng(go.seed)
    steps = len(task.index) // task.batch_size
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=task.weight_decay)
    # A cycle needs some steps to rise and fall, in a try as well.
    total = max(steps * epochs + 1, 20)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=total, pct_start=0.1)
    unfinished = out.with_suffix(".unfinished")
    # The same start on the same scenes, or an old file of another training would go on unnoticed.
    start = [task.index.tobytes(), *(part.numpy().tobytes() for part in model.state_dict().values())]
    began = hashlib.sha256(b"".join(start)).hexdigest()
    first = 0
    if unfinished.exists():
        saved = torch.load(unfinished, weights_only=True)
        if saved["epochs"] != epochs or saved["began"] != began:
            raise SystemExit(f"{unfinished} is of another training: delete it to begin anew.")
        first = saved["epoch"] + 1
        print(f"going on after epoch {saved['epoch']}", flush=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        schedule.load_state_dict(saved["schedule"])
        rng.bit_generator.state = saved["rng"]
        torch.set_rng_state(saved["torch_rng"])  # of the dropout
    for epoch in range(first, epochs):
        started = time.time()
        model.to(memory_format=torch.channels_last).train()
        order = rng.permutation(task.index)
        losses = 0.0
        for k in range(steps):
            inputs, labels = task.batch(order[k * task.batch_size : (k + 1) * task.batch_size], rng)
            loss = task.loss(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            schedule.step()
            losses += loss.item()
        model.eval()
        with torch.no_grad():
            said = task.validate()
        seconds = time.time() - started
        print(f"epoch {epoch}: loss {losses / max(steps, 1):.3f}, {said}, {seconds:.0f} s", flush=True)
        torch.save(model.state_dict(), out.with_suffix(".pt"))
        export(model, out, task.input_shape)
        state = {"epochs": epochs, "began": began, "epoch": epoch, "rng": rng.bit_generator.state}
        state["torch_rng"] = torch.get_rng_state()
        for name, part in (("model", model), ("optimizer", optimizer), ("schedule", schedule)):
            state[name] = part.state_dict()
        torch.save(state, unfinished.with_suffix(".partial"))
        unfinished.with_suffix(".partial").replace(unfinished)
    unfinished.unlink(missing_ok=True)


def mean_of(goes: Sequence[Network]) -> Network:
    """Return a network whose weights are the means of those of some (Wortsman et al., Model soups, 2022)."""
    states, mean = [one.state_dict() for one in goes], deepcopy(goes[0])
    mean.load_state_dict({name: torch.stack([one[name] for one in states]).mean(0) for name in states[0]})
    return mean


def export(model: nn.Module, path: Path, shape: tuple[int, ...]) -> None:
    """Write ``model`` as an ONNX file with fixed input ``shape``; of the reader its features, too."""
    model.eval()
    model.to(memory_format=torch.contiguous_format)
    both = WithFeatures(model) if isinstance(model, Reader) else None
    torch.onnx.export(
        both or model,
        (torch.zeros(shape),),
        str(path),
        opset_version=13,
        input_names=["input"],
        output_names=["output", "features"] if both else ["output"],
        dynamo=False,
    )
