"""Train the cell reader on synthetic boards: ``python -m calibration.train_reader DATA OUT.onnx``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from calibration.nets import READER_HEADS, Reader
from calibration.train_finder import export
from vision.crops import CROP_PX

COLORS = "RYGBP"
PRINTS = ".RYGBP123456"


def load(folder: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return crops (N, 20, 56, 56, 6), labels (N, 20, 4) as filled, color, value, print, and seeds."""
    crops, labels, seeds = [], [], []
    for path in sorted(folder.glob("scenes_??????.npz")):
        with np.load(path) as shard:
            if not len(shard["crops"]):
                continue
            crops.append(shard["crops"])
            seeds.append(shard["crop_seeds"])
            for codes, prints in zip(shard["codes"], shard["prints"], strict=True):
                labels.append([_label(code, mark) for code, mark in zip(codes, prints, strict=True)])
    return np.concatenate(crops), np.array(labels), np.concatenate(seeds)


def _label(code: str, mark: str) -> tuple[int, int, int, int]:
    if code == "--":
        return 0, -100, -100, PRINTS.index(mark)
    return 1, COLORS.index(code[0]), int(code[1]) - 1, -100


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the summed cross entropy of the heads that apply (-100 marks one that does not)."""
    total = torch.zeros(())
    for k, part in enumerate(logits.split(list(READER_HEADS.values()), 1)):
        if (labels[:, k] >= 0).any():
            total = total + nn.functional.cross_entropy(
                part, labels[:, k], ignore_index=-100, label_smoothing=0.01
            )
    return total


def right(logits: Tensor, labels: Tensor) -> NDArray[np.bool_]:
    """Return which cells are read right: (filled, color, value, print, die or emptiness in all)."""
    guesses = [part.argmax(1) for part in logits.split(list(READER_HEADS.values()), 1)]
    hits = [(g == labels[:, k]) | (labels[:, k] < 0) for k, g in enumerate(guesses)]
    whole = hits[0] & hits[1] & hits[2]
    return torch.stack([*hits, whole], 1).numpy()


def main() -> None:
    """Train, report validation accuracy after each epoch, write the ONNX file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=24)
    args = parser.parse_args()
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    crops, labels, seeds = load(args.data)
    train = np.flatnonzero(seeds % 20 > 1)
    held = np.flatnonzero(seeds % 20 == 0)
    print(len(train), "boards to learn from,", len(held), "to validate", flush=True)
    model = Reader().to(memory_format=torch.channels_last)
    batch = 8
    steps = len(train) // batch * args.epochs
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=5e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=steps + 1, pct_start=0.1)
    slack = crops.shape[2] - CROP_PX

    def batch_of(index: NDArray[np.int64], *, shake: bool) -> tuple[Tensor, Tensor]:
        parts = []
        for i in index:
            y, x = rng.integers(0, slack + 1, 2) if shake else (slack // 2, slack // 2)
            part = torch.from_numpy(crops[i, :, y : y + CROP_PX, x : x + CROP_PX])
            part = part.permute(0, 3, 1, 2).float() / 255
            if shake:
                if rng.random() < 0.5:
                    part = part.flip(2)
                if rng.random() < 0.5:
                    part = part.flip(3)
                if rng.random() < 0.5:
                    part = part.transpose(2, 3)
                gains = np.tile(np.exp(rng.normal(0, 0.08, 3)) * np.exp(rng.normal(0, 0.1)), 2)
                part = (part * torch.from_numpy(gains.astype(np.float32))[:, None, None]).clamp(0, 1)
            parts.append(part)
        x_batch = (torch.cat(parts) * 2 - 1).contiguous(memory_format=torch.channels_last)
        return x_batch, torch.from_numpy(labels[index].reshape(-1, 4))

    for epoch in range(args.epochs):
        started = time.time()
        model.train()
        order = rng.permutation(train)
        total = 0.0
        for k in range(0, len(order) - batch + 1, batch):
            x, goal = batch_of(order[k : k + batch], shake=True)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(x)
            loss = loss_of(logits.float(), goal)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        model.eval()
        hits = []
        with torch.no_grad():
            for k in range(0, len(held), 16):
                x, goal = batch_of(held[k : k + 16], shake=False)
                hits.append(right(model(x), goal))
        share = np.concatenate(hits).mean(0)
        print(
            f"epoch {epoch}: loss {total / (len(order) // batch):.3f}, filled {share[0]:.4f} color {share[1]:.4f} "
            f"value {share[2]:.4f} print {share[3]:.4f}; cell {share[4]:.4f}; {time.time() - started:.0f} s",
            flush=True,
        )
        torch.save(model.state_dict(), args.out.with_suffix(".pt"))
        export(model, args.out, (20, 6, CROP_PX, CROP_PX))
        model.to(memory_format=torch.channels_last)


if __name__ == "__main__":
    main()
