"""What all tests share: a real browser, and the rule that nothing is skipped on the server."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from setup import compile_catalogs
from tests.chromium import find_chromium

if TYPE_CHECKING:  # playwright is slow to import and only the browser tests need it
    from playwright.sync_api import Browser

# A translation that was just changed counts, and this comes before any test asks which languages there are.
compile_catalogs()

# Without its suggestions for the address line, a window of Chromium is open in half the time. The names after
# those three are Playwright's own choice, which this list takes the place of.
FEATURES_OFF = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
    "AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,"
    "NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,ThirdPartyStoragePartitioning"
)

# How long a made-up board takes depends on the machine, so it fails no test.
settings.register_profile("fast", settings(), max_examples=25, deadline=None)
settings.register_profile("thorough", settings(), max_examples=80, deadline=None)
# Coverage is measured with few made-up boards: no line may be left to chance.
settings.register_profile("few", settings(), max_examples=10, deadline=None)
settings.load_profile("fast")

# The cores are shared out among the tests: threads of OpenCV beside them would only get into the way.
os.environ["OPENCV_FOR_THREADS_NUM"] = "1"
# No test may touch the database of whoever runs the tests.
os.environ.pop("SAGRADA_DATABASE_URL", None)


@pytest.fixture(scope="session")
def project_root() -> Path:
    """Return the folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the system's own Chromium once in each process that runs browser tests."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    path = find_chromium()
    if path is None:
        pytest.fail("No Chromium here: install one, or leave these tests out with -m 'not browser'.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--disable-dev-shm-usage", f"--disable-features={FEATURES_OFF}"]
        )
        yield browser
        browser.close()


def pytest_collection_finish() -> None:
    """Leave what is imported and collected out of each garbage collection: a tenth of the time goes there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """On the server a skipped test counts as a failure: it would hide that something never ran."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many tests run at a time: one more than there are cores, as browsers are waited for."""
    named = os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS")
    return int(named) if named else (os.cpu_count() or 1) + 1
