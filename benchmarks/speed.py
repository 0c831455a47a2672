"""How fast the companion is, as ratios measured in one run: ``python benchmarks/speed.py [PHOTO]``.

Absolute times depend on the machine; a ratio to decoding the same JPEG hardly does.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from scoring import Board, Color, PublicObjective, placement_problems, score_player
from vision import read_photo

ROOT = Path(__file__).resolve().parent.parent


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Return the median time of ``runs`` calls after one that does not count."""
    work()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def import_milliseconds(module: str, runs: int = 5) -> float:
    """Return the median time that importing ``module`` adds to a bare interpreter."""

    def start(code: str) -> float:
        return median_seconds(
            lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT), runs
        )

    return 1000 * (start(f"import {module}") - start("pass"))


def twelve_megapixels() -> bytes:
    """Return a sample photo enlarged to 4000 x 3000, as a JPEG."""
    image = cv2.imread(str(ROOT / "sample_images" / "easy_daylight.jpg"))
    if image is None:
        raise FileNotFoundError(ROOT / "sample_images" / "easy_daylight.jpg")
    height, width = image.shape[:2]
    scale = (12_000_000 / (width * height)) ** 0.5
    large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    _, data = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return data.tobytes()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, help="a JPEG; else a sample enlarged to 12 megapixels")
    parser.add_argument("--runs", type=int, default=7)
    args = parser.parse_args()
    data = args.photo.read_bytes() if args.photo else twelve_megapixels()
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    packed = np.frombuffer(data, np.uint8)
    decode = median_seconds(lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR), args.runs)
    cv2.setNumThreads(threads)
    read = median_seconds(lambda: read_photo(data), args.runs)
    board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
    everything = list(PublicObjective)
    score = median_seconds(lambda: score_player(board, public=everything, private=Color.PURPLE), 200)
    check = median_seconds(lambda: placement_problems(board), 200)
    rows = [
        ("decode the JPEG in full, one thread", f"{decode * 1000:8.1f} ms"),
        ("read the photo, from bytes to reading", f"{read * 1000:8.1f} ms"),
        ("    as a multiple of decoding", f"{read / decode:8.2f} x"),
        ("score a board, all ten objectives", f"{score * 1000:8.3f} ms"),
        ("check a board's placement", f"{check * 1000:8.3f} ms"),
        ("import scoring", f"{import_milliseconds('scoring'):8.1f} ms"),
        ("import vision", f"{import_milliseconds('vision'):8.1f} ms"),
    ]
    for name, figure in rows:
        sys.stdout.write(f"{name:<40}{figure}\n")


if __name__ == "__main__":
    main()
