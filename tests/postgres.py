"""A PostgreSQL server of the tests' own, from the programs that are installed on this system."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, create_engine, text

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
USER = "tester"
# Nothing here must outlive a crash, so the server need not wait for the disk.
SETTINGS = ("listen_addresses=''", "fsync=off", "full_page_writes=off", "shared_buffers=16MB")


def find_programs() -> Path | None:
    """Return the folder with the programs of the newest PostgreSQL server here, None where there is none."""
    found = [path for place in PLACES for path in Path("/").glob(f"{place[1:]}/initdb")]
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path))
    return max(found, key=lambda path: (len(str(path)), path)).parent if found else None


class Server:
    """A running server with one database, which is emptied for each test."""

    def __init__(self, folder: Path) -> None:
        # The database that initdb makes.
        query = {"host": str(folder)}
        url = URL.create("postgresql+psycopg", username=USER, database="postgres", query=query)
        self.address = url.render_as_string(hide_password=False)
        self._engine = create_engine(url)

    def empty(self) -> None:
        """Throw out whoever is connected still, and all tables."""
        with self._engine.begin() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))

    def close(self) -> None:
        """Let the server go."""
        self._engine.dispose()


@contextmanager
def running(programs: Path) -> Iterator[Server]:
    """Start a server in a folder of its own, reached by nobody but through a socket there."""
    # PostgreSQL refuses to run as root; the distribution's package brings a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # the socket's path must be short
    try:
        if user:
            shutil.chown(folder, user, user)
        control: list[str | Path] = [programs / "pg_ctl", "-D", folder / "data"]

        def call(*command: str | Path) -> None:
            done = subprocess.run(
                command, cwd=folder, user=user, group=user, extra_groups=[] if user else None,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
            )  # fmt: skip
            if done.returncode:
                log = folder / "log"
                raise RuntimeError(f"{command[0]} failed: {log.read_text() if log.exists() else 'no log'}")

        call(
            programs / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8",
            "--locale=C", "--no-sync",
        )  # fmt: skip
        settings = " ".join(f"-c {setting}" for setting in (*SETTINGS, f"unix_socket_directories={folder}"))
        call(*control, "-l", folder / "log", "-o", settings, "-w", "start")
        try:
            server = Server(folder)
            yield server
            server.close()
        finally:
            call(*control, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
