"""Which server bears a hostile device: ``python -m benchmarks.servers [NAME ...]``.

The page is served by waitress, gunicorn (gthread), granian, hypercorn and our own server, with eight threads
where there are threads. Beside each, one address does what `benchmarks.crowd` does while ten phones load the
start page; then the server is told to end while six photos come in. The others are installed into a folder
that goes afterwards.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryDirectory

from benchmarks import crowd
from benchmarks.crowd import SAMPLE, ended, hostile, ours, serving

NEEDED = ("waitress>=3,<4", "gunicorn>=23", "granian>=2,<3", "hypercorn>=0.17,<1")
AT = "127.0.0.1"
PATIENCE_S = 10
"""Nobody waits longer for a page."""
APP = "from webapp import create_app; app = create_app()"
SERVERS: dict[str, Callable[[int], list[str]]] = {
    "ours": ours,
    "waitress": lambda port: run(
        *("waitress", f"--listen={AT}:{port}", "--threads=8", "--connection-limit=1500"),
        *("--channel-timeout=30", "sagrada_app:app"),
    ),
    "gunicorn": lambda port: run(
        *("gunicorn", "-k", "gthread", "--threads", "8", "--worker-connections", "1500"),
        *("-b", f"{AT}:{port}", "sagrada_app:app"),
    ),
    "granian": lambda port: run(
        "granian", "--interface", "wsgi", "--blocking-threads", "8", "--port", str(port), "sagrada_app:app"
    ),
    "hypercorn": lambda port: run("hypercorn", "--bind", f"{AT}:{port}", "wsgi:sagrada_app:app"),
}


def run(module: str, *options: str) -> list[str]:
    """Return the command of a server that is a module."""
    return [sys.executable, "-m", module, *options]


async def play(port: int, server: Popen[bytes]) -> None:
    """Let the hostile device do all it can, then end the server under load."""
    photo = SAMPLE.read_bytes()
    await hostile(port, photo)
    await ended(port, photo, server)


def main() -> None:
    """Measure those that are named, all without a name."""
    crowd.PATIENCE_S = PATIENCE_S
    with TemporaryDirectory() as tools:
        pip = ("pip", "install", "--quiet", "--disable-pip-version-check", "--target", tools, *NEEDED)
        subprocess.run([sys.executable, "-m", *pip], check=True)
        (Path(tools) / "sagrada_app.py").write_text(APP, encoding="utf-8")
        for name in sys.argv[1:] or SERVERS:
            print(f"== {name}", flush=True)
            with (
                TemporaryDirectory() as folder,
                serving(folder, SERVERS[name], {"PYTHONPATH": f"{tools}:{Path.cwd()}"}) as (port, server),
            ):
                asyncio.run(play(port, server))


if __name__ == "__main__":
    main()
