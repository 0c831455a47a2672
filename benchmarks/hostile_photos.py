"""What a worker of the server bears that is sent hostile files: ``python -m benchmarks.hostile_photos``.

So many files (``[N]``, 5,000 where nothing is said, from number ``[FIRST]`` on) go one after the other
through all that a worker does with an upload: decoding, keeping, reading. A worker that dies is replaced,
as in the server. Times are those of the processor, so that a busy machine changes them little; memory is what
the photo took on top of the worker's networks and libraries, whose sum is told, too. Needs Linux for it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from pebble import ProcessExpired, ProcessPool

from benchmarks.hostile_files import hostile
from scoring.errors import SagradaError
from vision import read_photo
from vision.read import WINDOW_SIDE_PX
from webapp.services.photos import SHOWN_PX
from webapp.workers import workers
from webapp.workers.work import looked

MOST_MB, MOST_S = 400, 5
HANGS_S = 120
SELF = Path("/proc/self")


@dataclass(frozen=True)
class Figures:
    """What one file came to: the most memory, what was taken before it, and time of the processor."""

    outcome: str
    is_foreign: bool
    peak_mb: float
    before_mb: float
    seconds: float

    @property
    def taken_mb(self) -> float:
        """What the file took on top of what was there."""
        return self.peak_mb - self.before_mb


def memory_mb(line: str) -> float:
    """Return a line of this process's status in megabytes."""
    status = dict(one.split(":", 1) for one in (SELF / "status").read_text().splitlines())
    return int(status[line].split()[0]) * 1024 / 1e6


def measured(content: bytes) -> Figures:
    """Do, in a worker, what is done with an upload."""
    (SELF / "clear_refs").write_text("5")  # the most memory begins anew
    before, begun, is_foreign = memory_mb("VmRSS"), time.process_time(), False
    try:
        seen = looked(read_photo, content, kept_px=WINDOW_SIDE_PX, shown_px=SHOWN_PX, profile=())
        outcome = seen.failure.code if seen.failure else "read"
    except SagradaError as error:
        outcome = f"refused: {error.code}"
    except Exception as error:  # noqa: BLE001  that is what is looked for
        outcome, is_foreign = f"FOREIGN {error!r}", True
    return Figures(outcome, is_foreign, memory_mb("VmHWM"), before, time.process_time() - begun)


def main() -> None:
    """Measure, and end with 1 where something broke or went over its bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile_photos", description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=5000)
    parser.add_argument("first", nargs="?", type=int, default=0)
    asked = parser.parse_args()
    found: list[tuple[Figures, str]] = []
    broken = []
    pool = ProcessPool(
        1,
        max_tasks=workers.TASKS,
        initializer=workers._begin,  # noqa: SLF001  what the server's own workers are
        context=get_context("spawn"),
    )
    pool.schedule(workers._get_ready).result()  # noqa: SLF001
    with pool:
        for number in range(asked.first, asked.first + asked.number):
            what, content = hostile(number)
            try:
                figures = pool.schedule(measured, args=(content,), timeout=HANGS_S).result()
            except (ProcessExpired, TimeoutError) as error:
                broken.append(f"{number} ({what}): {error!r}")
            else:
                found.append((figures, f"{number} ({what}, {len(content)} bytes)"))
    print_all(found, broken)
    over = [one for one, _ in found if one.is_foreign or one.taken_mb > MOST_MB or one.seconds > MOST_S]
    sys.exit(bool(broken or over))


def print_all(found: list[tuple[Figures, str]], broken: list[str]) -> None:
    """Print how it went, worst first."""
    for outcome, times in Counter(one.outcome for one, _ in found).most_common():
        print(f"{times:6d}  {outcome}")
    foreign = [f"{what}: {one.outcome}" for one, what in found if one.is_foreign]
    print(f"{len(found) + len(broken)} files: {len(broken)} crashes, {len(foreign)} foreign exceptions")
    print(*broken, *foreign, sep="\n")
    print(f"over {MOST_MB} MB: {sum(one.taken_mb > MOST_MB for one, _ in found)}")
    print(f"over {MOST_S} s: {sum(one.seconds > MOST_S for one, _ in found)}")
    for one, what in sorted(found, key=lambda each: -each[0].taken_mb)[:5]:
        print(f"{one.taken_mb:6.0f} MB, {one.peak_mb:.0f} in all  {what}: {one.outcome}")
    for one, what in sorted(found, key=lambda each: -each[0].seconds)[:5]:
        print(f"{one.seconds:6.2f} s  {what}: {one.outcome}")


if __name__ == "__main__":
    main()
