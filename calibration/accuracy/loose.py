"""How well a reader reads real dice that lie loose.

``python -m calibration.accuracy.loose FOLDER READER.onnx...``

Real windows with dice are few. Photos of loose dice with hand-drawn boxes are many more, some of them of the
game's own dice; a reader that learned from drawings alone shows here whether it learned dice or drawings.
Each die is cut out by its box and turned in steps, since loose dice lie at any angle; the turn whose value
the reader is surest of counts. It is harder than a window: there is no slot, no frame, and other dice are
close around.

The folder holds the photos and ``labels.json``: under ``files`` each has ``file``, ``kind`` (one of `POSES`)
and ``dice`` with ``bbox`` (x0, y0, x1, y1 in pixels), ``value`` and, where known, ``color`` (one of RYGBP).
The photos do not ship.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.accuracy.shares import Share
from vision.network import Network, softmax, to_blob
from vision.recognition.cells import CROP_PITCH_PX, CROP_PX
from vision.recognition.dice import DOUBTFUL_BELOW

Box = tuple[float, float, float, float]
Run = Callable[[NDArray[np.float32]], NDArray[np.float32]]

TURNS_DEG = (0, 15, 30, 45, 60, 75)
EDGE = 0.69  # pitches, a die's edge
CELLS = 20


@dataclass(frozen=True)
class Pose:
    """How dice of one kind lie in their boxes, judged by eye.

    A box is ``loose`` times as wide as the die's edge. Seen from the side the top face is ``squeezed`` in
    height and its middle lies ``down`` edges below the box's upper side, the table ``below`` edges lower;
    seen from above (``None``) it is in the middle of the box.
    """

    loose: float
    squeezed: float = 1.0
    down: float | None = None
    below: float = 0.0

    def top(self, box: Box) -> tuple[float, tuple[float, float]]:
        """Return a die's edge and the middle of its top face, in pixels."""
        x0, y0, x1, y1 = box
        if self.down is None:
            return max(x1 - x0, y1 - y0) / self.loose, ((x0 + x1) / 2, (y0 + y1) / 2)
        edge = (x1 - x0) / self.loose
        return edge, ((x0 + x1) / 2, y0 + self.down * edge)


POSES = {
    "sagrada_loose": Pose(1.12, 0.68, 0.36, 0.72),
    "fudw_blue_d6": Pose(1.1),
    "byler_d6": Pose(1.2),
    "roboflow_mixed_d6": Pose(1.2),
}


@dataclass(frozen=True)
class Die:
    """A labelled die: ``color`` is None where the data set does not give it; ``box`` is in pixels."""

    color: str | None
    value: int
    box: Box


@dataclass(frozen=True, eq=False)
class Group:
    """Dice of one photo, read together like the cells of a window: crops (turns, 20, 48, 48, 6) uint8."""

    kind: str
    dice: tuple[Die, ...]
    crops: NDArray[np.uint8]


@dataclass(frozen=True)
class Count:
    """How many dice of a kind were read right, the colors of those that have a labelled one.

    ``sure_and_wrong`` of them had a wrong value and would not have been flagged.
    """

    values: Share
    colors: Share
    sure_and_wrong: int


def groups(folder: Path) -> list[Group]:
    """Return the labelled dice of a folder of photos of loose dice, 20 at a time."""
    found = []
    for entry in json.loads((folder / "labels.json").read_text(encoding="utf-8"))["files"]:
        dice = [_die(one) for one in entry.get("dice", ()) if one.get("value")]
        image = cv2.imread(str(folder / entry["file"]))
        if not dice:
            continue
        if image is None:
            raise SystemExit(f"{entry['file']} cannot be read.")
        picture, pose = np.asarray(image, dtype=np.uint8), POSES[entry["kind"]]
        for k in range(0, len(dice), CELLS):
            part = dice[k : k + CELLS]
            shown = [part[i % len(part)] for i in range(CELLS)]  # a window has 20 cells
            turned = [[cut(picture, die, pose, turn) for die in shown] for turn in TURNS_DEG]
            found.append(Group(entry["kind"], tuple(part), np.array(turned)))
    return found


def _die(entry: dict[str, Any]) -> Die:
    x0, y0, x1, y1 = entry["bbox"]
    return Die(entry.get("color"), int(entry["value"]), (x0, y0, x1, y1))


def cut(image_bgr: NDArray[np.uint8], die: Die, pose: Pose, turn_deg: float) -> NDArray[np.uint8]:
    """Return a die as the reader sees a cell, (48, 48, 6) uint8: the plane of its top, then the table's.

    ``image_bgr`` is uint8, H x W x 3, BGR, and so is each half of the crop's channels.
    """
    edge, (across, middle) = pose.top(die.box)
    step = edge / EDGE / CROP_PITCH_PX  # pixels of the photo a pixel of the crop
    c, s = step * np.cos(np.deg2rad(turn_deg)), step * np.sin(np.deg2rad(turn_deg))
    turn = np.array([[c, -s], [s * pose.squeezed, c * pose.squeezed]])
    softened = cv2.GaussianBlur(image_bgr, (0, 0), 0.35 * step) if step > 1.6 else image_bgr
    planes = []
    for below in (0.0, pose.below * edge):
        shift = np.array([across, middle + below]) - turn @ np.full(2, (CROP_PX - 1) / 2)
        planes.append(
            cv2.warpAffine(
                softened,
                np.column_stack([turn, shift]),
                (CROP_PX, CROP_PX),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REFLECT,
            )
        )
    return np.asarray(np.concatenate(planes, axis=2), dtype=np.uint8)


def count(run: Run, found: Sequence[Group], kind: str) -> Count:
    """Return how many dice of a kind are read right; ``run`` returns the logits (20, 25) of 20 cells."""
    values: list[bool] = []
    colors: list[bool] = []
    sure_and_wrong = 0
    for group in found:
        if group.kind != kind:
            continue
        logits = np.stack([run(to_blob(crops)) for crops in group.crops])
        filled, color, value = (softmax(logits[..., a:b]) for a, b in ((0, 2), (2, 7), (7, 13)))
        confidence = filled[..., 1] * color.max(-1) * value.max(-1)
        for i, die in enumerate(group.dice):
            turn = int(value[:, i].max(-1).argmax())
            right = int(value[turn, i].argmax()) + 1 == die.value
            values.append(right)
            sure_and_wrong += not right and confidence[turn, i] >= DOUBTFUL_BELOW
            if die.color:
                colors.append("RYGBP"[int(color[turn, i].argmax())] == die.color)
    return Count(Share.of(values), Share.of(colors), sure_and_wrong)


def main() -> None:
    """Print a line for each kind of dice and reader."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("readers", type=Path, nargs="+")
    args = parser.parse_args()
    found = groups(args.folder)
    for path in args.readers:
        print(path)
        for kind in POSES:
            got = count(Network(path).run, found, kind)
            figures = f"values {got.values}, colors {got.colors}, sure and wrong {got.sure_and_wrong}"
            print(f"  {kind:18} {figures}")


if __name__ == "__main__":
    main()
