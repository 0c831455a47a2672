"""Where this machine keeps a Chromium; run as a script it prints the place, or fails when there is none."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MACOS_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None; ``CHROMIUM`` in the environment comes first."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    for command in COMMANDS:
        found = shutil.which(command)
        if found:
            return found
    return next((app for app in MACOS_APPS if Path(app).exists()), None)


if __name__ == "__main__":
    path = find_chromium()
    if path is None:
        sys.exit(1)
    sys.stdout.write(f"Browser tests with {path}\n")
