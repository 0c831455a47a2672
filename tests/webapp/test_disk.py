from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from webapp.storage.disk import locked


def test_a_lock_lets_one_in_at_a_time(tmp_path: Path) -> None:
    """Threads that read, wait and write under the lock lose no count."""
    counter = tmp_path / "counter"
    counter.write_text("0")

    def count() -> None:
        for _ in range(20):
            with locked(tmp_path / "lock"):
                counter.write_text(str(int(counter.read_text()) + 1))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.read_text() == "80"


def test_waiting_for_a_lock_ends(tmp_path: Path) -> None:
    """Who gets no lock is told so instead of waiting for ever, and a free lock is taken at once."""
    path = tmp_path / "lock"
    with locked(path), pytest.raises(TimeoutError, match="in use"), locked(path, patience_s=0.05):
        pass
    with locked(path, patience_s=0.0):
        assert path.exists()


def test_a_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    """A crash inside the block does not lock the others out."""
    path = tmp_path / "lock"
    with pytest.raises(ZeroDivisionError), locked(path):
        raise ZeroDivisionError
    with locked(path, patience_s=0.0):
        pass


def test_a_killed_program_leaves_no_lock(tmp_path: Path, project_root: Path) -> None:
    """The lock goes with the program that held it; the file that stays is only a name."""
    path = tmp_path / "lock"
    script = (
        "import os, sys, pathlib; from webapp.storage.disk import locked\n"
        "with locked(pathlib.Path(sys.argv[1])): os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], cwd=project_root, check=False)
    assert done.returncode == 9
    assert path.exists()
    with locked(path, patience_s=0.0):
        pass
