"""How fast and how small the companion is, measured in one run: ``python benchmarks/speed.py [PHOTO]``.

Absolute times depend on the machine; a ratio to decoding the same JPEG hardly does. Each figure stands beside
its goal. Peak memory is that of a process of its own, over one that has imported the same and does nothing.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial, wraps
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring import Board, Color, PublicObjective, placement_problems, score_player
from vision import VisionError, load_photo, photo, read, read_photo, read_table
from vision.network import MODELS, Network
from vision.viewfinder import FRAME_PX, look_at

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "sample_images"

# The goals of the project; times as multiples of decoding the same JPEG in full on one thread.
READ_AT_MOST, READ_GOAL = 2.0, 1.5
MEMORY_GOAL_MB = 400.0
FRAME_GOAL_MS = 60.0
IMPORT_GOAL_S = 0.7
MODELS_GOAL_MB = 2.0

MEMORY_SCRIPT = """
import resource, sys
from pathlib import Path
from vision import VisionError, read_photo
for name in sys.argv[1:]:
    try:
        read_photo(Path(name).read_bytes())
    except VisionError:
        pass
status = Path("/proc/self/status")
if status.exists():  # Linux counts the process that this one was started from into ru_maxrss
    (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    print(int(line.split()[1]) * 1024)
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)  # bytes on macOS
"""

Row = tuple[str, str, str]


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Return the median time of ``runs`` calls after one that does not count."""
    work()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def import_seconds(module: str, runs: int = 5) -> float:
    """Return the median time that importing ``module`` adds to a bare interpreter."""

    def start(code: str) -> float:
        return median_seconds(
            lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT), runs
        )

    return start(f"import {module}") - start("pass")


def peak_bytes(*photos: Path) -> int:
    """Return the peak memory of a process that imports vision and reads ``photos``."""
    command = [sys.executable, "-c", MEMORY_SCRIPT, *map(str, photos)]
    return int(subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout)


def twelve_megapixels(sample: str = "easy_daylight.jpg") -> bytes:
    """Return a sample photo enlarged to 12 megapixels, as a JPEG."""
    image = cv2.imread(str(SAMPLES / sample))
    if image is None:
        raise FileNotFoundError(SAMPLES / sample)
    return jpeg(np.asarray(image, np.uint8), (12_000_000 / (image.shape[0] * image.shape[1])) ** 0.5)


def jpeg(image: NDArray[np.uint8], scale: float) -> bytes:
    """Return a picture, enlarged, as a JPEG."""
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    _, data = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return data.tobytes()


def many_loose_dice() -> bytes:
    """Return a picture of 54 loose dice, 1800 x 1200: a die of a sample photo, again and again."""
    photo = cv2.imread(str(SAMPLES / "loose_dice.jpg"))
    about_a_die = np.asarray(photo, np.uint8)[540:874, 1266:1600]
    return jpeg(np.tile(np.asarray(cv2.resize(about_a_die, (200, 200)), np.uint8), (6, 9, 1)), 1.0)


def hard_to_refuse() -> Iterator[tuple[str, bytes]]:
    """Yield pictures of 12 megapixels in which there is no whole window, by what they show."""
    rng = np.random.default_rng(1)
    yield "window cut off", twelve_megapixels("cut_off.jpg")
    yield "loose dice", twelve_megapixels("loose_dice.jpg")
    tiles = np.kron(rng.integers(0, 255, (60, 80, 3), np.uint8), np.ones((50, 50, 1), np.uint8))
    yield "colored tiles", jpeg(tiles, 1.0)
    board = np.indices((60, 80)).sum(axis=0) % 2 * 200 + 30
    yield "chessboard", jpeg(np.kron(board, np.ones((50, 50))).astype(np.uint8), 1.0)
    yield "noise", jpeg(rng.integers(0, 255, (750, 1000, 3), np.uint8), 4.0)


def decoding_seconds(data: bytes, runs: int) -> float:
    """Return how long OpenCV takes to decode a JPEG in full on one thread."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    packed = np.frombuffer(data, np.uint8)
    try:
        return median_seconds(lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR), runs)
    finally:
        cv2.setNumThreads(threads)


def photo_rows(data: bytes, runs: int) -> Iterator[Row]:
    """Yield how long a photo takes and how much memory, beside decoding it."""
    decode = decoding_seconds(data, runs)
    read = median_seconds(lambda: read_photo(data), runs)
    yield "decode the JPEG in full, one thread", f"{decode * 1000:8.1f} ms", ""
    yield "read the photo, from bytes to reading", f"{read * 1000:8.1f} ms", ""
    yield (
        "    as a multiple of decoding",
        f"{read / decode:8.2f} x",
        goal(read / decode, READ_GOAL, "x", READ_AT_MOST),
    )
    image = load_photo(data).image_bgr
    frame = jpeg(image, FRAME_PX / max(image.shape))
    look = 1000 * median_seconds(lambda: look_at(load_photo(frame).image_bgr), runs)
    yield "look at a frame of the viewfinder", f"{look:8.1f} ms", goal(look, FRAME_GOAL_MS, "ms")
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "photo.jpg"
        photo.write_bytes(data)
        over_idle = (peak_bytes(photo) - peak_bytes()) / 1e6
    yield "peak memory over an idle process", f"{over_idle:8.0f} MB", goal(over_idle, MEMORY_GOAL_MB, "MB")
    yield from share_rows("one window", partial(read_photo, data))


STAGES = {
    "decode": (read, ("load_small", "load_photo")),
    "light": (read, ("in_good_light",)),
    "find the windows": (read, ("find_at_once", "find_grid", "find_grids")),
    "finer pixels": (photo.Photo, ("closer",)),
    "read the cells": (read, ("read_cells",)),
    "covers, glare, blur": (read, ("covers_of", "walls_of", "blinded", "colorless", "window_blur")),
    "pattern card, rules": (read, ("match_pattern", "weighed_by_rules", "open_pattern")),
    "objective cards": (read, ("find_objectives",)),
    "loose dice": (read, ("find_loose",)),
    "favor tokens": (read, ("find_tokens",)),
}
"""The stages of a reading by the functions that they go through."""


def share_rows(shows: str, work: Callable[[], object]) -> Iterator[Row]:
    """Yield how the time of one run, after one that does not count, is shared; networks run within stages."""
    spent = dict.fromkeys([*STAGES, "of all this: networks"], 0.0)
    work()
    with ExitStack() as stack:
        for stage, (where, names) in (*STAGES.items(), (list(spent)[-1], (Network, ("run", "run_both")))):
            for name in names:
                timed = timed_as(stage, getattr(where, name), spent)
                stack.enter_context(patch.object(where, name, timed))
        started = time.perf_counter()
        work()
        whole = time.perf_counter() - started
    *stages, _ = spent.values()
    for stage, seconds in {**spent, "the rest": whole - sum(stages)}.items():
        if seconds:
            yield f"    {shows}: {stage}", f"{seconds * 1000:8.1f} ms", f"{100 * seconds / whole:5.1f} %"


def timed_as(stage: str, work: Callable[..., object], spent: dict[str, float]) -> Callable[..., object]:
    """Return a function that also adds what it takes to a stage."""

    @wraps(work)
    def timed(*args: object, **options: object) -> object:
        started = time.perf_counter()
        try:
            return work(*args, **options)
        finally:
            spent[stage] += time.perf_counter() - started

    return timed


def doubtful_rows(runs: int) -> Iterator[Row]:
    """Yield how long a photo with dice in doubt takes, whose cells are looked at four times."""
    data = twelve_megapixels("clear_dice_out_of_focus.jpg")
    ratio = median_seconds(lambda: read_photo(data), runs) / decoding_seconds(data, runs)
    yield "a photo with dice in doubt, the same", f"{ratio:8.2f} x", goal(ratio, READ_GOAL, "x", READ_AT_MOST)


def table_rows(runs: int) -> Iterator[Row]:
    """Yield how long tables take, as a multiple of a photo of one window, all of the same size."""
    alone = cv2.resize(np.asarray(cv2.imread(str(SAMPLES / "neighbor_window.jpg"))), (1800, 1200))
    one = median_seconds(partial(read_photo, jpeg(np.asarray(alone, np.uint8), 1.0)), runs)
    for shows, data in (
        ("two windows", (SAMPLES / "two_windows.jpg").read_bytes()),
        ("54 loose dice", many_loose_dice()),
    ):
        ratio = median_seconds(partial(read_table, data), runs) / one
        yield f"a table of {shows}, against one window", f"{ratio:8.2f} x", ""
        if "windows" in shows:
            yield from share_rows("the table", partial(read_table, data))


def refusal_rows(runs: int) -> Iterator[Row]:
    """Yield how long the slowest refusal takes, as a multiple of decoding that picture."""
    slowest = (0.0, "")
    for shows, data in hard_to_refuse():
        try:
            read_photo(data)
        except VisionError:
            seconds = median_seconds(partial(refused, data), max(1, runs // 3))
            slowest = max(slowest, (seconds / decoding_seconds(data, runs), shows))
        else:
            yield f"    NOT refused: {shows}", "", ""
    yield "worst refusal, as a multiple of decoding", f"{slowest[0]:8.2f} x", slowest[1]


def refused(data: bytes) -> None:
    """Read what must be refused."""
    try:
        read_photo(data)
    except VisionError:
        return


def rule_rows() -> Iterator[Row]:
    """Yield how long the rules take."""
    board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    everything = list(PublicObjective)
    score = median_seconds(lambda: score_player(board, public=everything, private=Color.PURPLE), 200)
    check = median_seconds(lambda: placement_problems(board), 200)
    yield "score a board, all ten objectives", f"{score * 1000:8.3f} ms", ""
    yield "check a board's placement", f"{check * 1000:8.3f} ms", ""


def size_rows() -> Iterator[Row]:
    """Yield how long the packages take to import, and how large the networks are."""
    yield "import scoring", f"{import_seconds('scoring') * 1000:8.1f} ms", ""
    vision = import_seconds("vision")
    yield "import vision", f"{vision * 1000:8.1f} ms", goal(vision, IMPORT_GOAL_S, "s")
    models = sum(path.stat().st_size for path in MODELS.glob("*.onnx")) / 1e6
    yield "model files", f"{models:8.2f} MB", goal(models, MODELS_GOAL_MB, "MB")


def goal(figure: float, goal: float, unit: str, at_most: float | None = None) -> str:
    """Return the goal and whether it is reached; ``at_most`` is a looser bound that must hold anyway.

    Examples
    --------
    >>> goal(1.2, 2, "x"), goal(3, 2, "x", 4), goal(5, 2, "x", 4)
    ('goal <= 2 x: reached', 'goal <= 2 x: not reached, but the bound of 4 x', 'goal <= 2 x: NOT reached')
    """
    goal_text = f"goal <= {goal:g} {unit}: "
    if figure <= goal:
        return f"{goal_text}reached"
    if at_most is not None and figure <= at_most:
        return f"{goal_text}not reached, but the bound of {at_most:g} {unit}"
    return f"{goal_text}NOT reached"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, help="a JPEG; else a sample enlarged to 12 megapixels")
    parser.add_argument("--runs", type=int, default=7)
    args = parser.parse_args()
    data = args.photo.read_bytes() if args.photo else twelve_megapixels()
    runs = args.runs
    photos = (photo_rows(data, runs), doubtful_rows(runs), table_rows(runs))
    for rows in (*photos, refusal_rows(args.runs), rule_rows(), size_rows()):
        for name, figure, beside in rows:
            sys.stdout.write(f"{name:<46}{figure:<14}{beside}".rstrip() + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
