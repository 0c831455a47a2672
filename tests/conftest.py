"""What all tests share: a real browser, and the rule that nothing is skipped on the server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.chromium import find_chromium

if TYPE_CHECKING:  # playwright is slow to import and only the browser tests need it
    from playwright.sync_api import Browser

# How long a made-up board takes depends on the machine, so it fails no test.
settings.register_profile("usual", settings(), deadline=None)
# Coverage is measured with few made-up boards: no line may be left to chance.
settings.register_profile("few", settings(), max_examples=10, deadline=None)
settings.load_profile("usual")

# No test may touch the database of whoever runs the tests.
os.environ.pop("SAGRADA_DATABASE_URL", None)


@pytest.fixture(scope="session")
def project_root() -> Path:
    """Return the folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the system's own Chromium once for all browser tests."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    path = find_chromium()
    if path is None:
        pytest.fail("No Chromium here: install one, or leave these tests out with -m 'not browser'.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--disable-dev-shm-usage"])
        yield browser
        browser.close()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """On the server a skipped test counts as a failure: it would hide that something never ran."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
