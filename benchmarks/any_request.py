"""All of the JSON interface against its description: ``python -m benchmarks.any_request [MINUTES]``.

Schemathesis makes up requests, some right and some wrong, for 10 minutes where nothing is said, and links
them: what one answer holds is sent with the next request. Nothing is to be answered with 5xx, nor otherwise
than the description says. Schemathesis is installed into a folder that goes afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from benchmarks.crowd import serving

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
NEEDED = "schemathesis>=4,<5"


def main() -> None:
    """Try."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    with TemporaryDirectory() as tool, TemporaryDirectory() as folder:
        pip = ("pip", "install", "--quiet", "--disable-pip-version-check", "--target", tool, NEEDED)
        subprocess.run([sys.executable, "-m", *pip], check=True)
        with serving(folder) as (port, _):
            site = f"http://127.0.0.1:{port}/api/openapi.json"
            told = (
                "--header",
                "Accept: application/json",
                "--checks",
                CHECKS,
                "--max-time",
                str(round(60 * minutes)),
                "--continue-on-failure",
            )
            run = [sys.executable, "-m", "schemathesis.cli", "run", site, *told]
            environment = {**os.environ, "PYTHONPATH": tool}
            # It keeps what it found where it runs.
            sys.exit(subprocess.run(run, env=environment, cwd=tool, check=False).returncode)


if __name__ == "__main__":
    main()
