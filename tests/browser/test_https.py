"""The page with https, as a phone has it that trusts this computer."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.browser.conftest import SMALL_PHONE, OpenPage, no_violation, serving, sideways, too_small
from tests.chromium import find_chromium
from tests.webapp.conftest import SayingReader, SayingTable
from tests.webapp.quick import furnished
from tests.webapp.test_serve import free_port
from webapp import create_app
from webapp.server import addresses
from webapp.server.certificate import Authority, Certificate, fingerprint
from webapp.server.listener import listeners
from webapp.server.serving import PageServer, Running

if TYPE_CHECKING:
    from flask import Flask
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

HOST = "laptop.local"
HAS = """() => [isSecureContext, Boolean(navigator.clipboard), Boolean(navigator.mediaDevices)]"""
FILM = """async () => {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const [track] = stream.getVideoTracks(), { width } = track.getSettings();
  track.stop();
  return width;
}"""


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """Return an authority of a test."""
    return Authority(tmp_path / "https", host="laptop")


@pytest.fixture
def browser(browser: Browser, authority: Authority) -> Iterator[Browser]:
    """Return a Chromium with a camera that knows this computer's name and takes its certificate."""
    pem = authority.pair([]).certificate.read_bytes()
    key = x509.load_pem_x509_certificate(pem).public_key()
    known = hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
    ours = browser.browser_type.launch(
        executable_path=find_chromium(),
        args=[
            "--disable-dev-shm-usage",
            f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
            f"--ignore-certificate-errors-spki-list={base64.b64encode(known).decode()}",
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
        ],
    )
    yield ours
    ours.close()


@pytest.fixture
def app(tmp_path: Path, authority: Authority, reader: SayingReader) -> Flask:
    """Return the application, which knows that it is served with https."""
    made = create_app({"SAGRADA_DATA": furnished(tmp_path)}, reader=reader, table_reader=SayingTable())
    addresses.switch_on(
        made, addresses.Https(8443, authority.certificate, fingerprint(authority.certificate))
    )
    return made


@pytest.fixture
def secure_site(app: Flask, authority: Authority) -> Iterator[str]:
    """Serve the page with https and give its address."""
    port = int(free_port())
    server = Running(PageServer(app, listeners("127.0.0.1", port, Certificate(authority.pair([])))))
    yield f"https://{HOST}:{port}"
    server.stop()


@pytest.fixture
def plain_site(app: Flask) -> Iterator[str]:
    """Serve the same page with plain http and give its address under the same name."""
    with serving(app) as address:
        yield address.replace("127.0.0.1", HOST)


def hindrances(page: Page) -> set[str]:
    """Return what keeps Chromium from installing the page."""
    with_devtools = page.context.new_cdp_session(page)
    found = with_devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    return {one["errorId"] for one in found} - {"in-incognito"}  # which is what the window of a test is


def test_what_plain_http_hides_is_there(secure_site: str, plain_site: str, open_page: OpenPage) -> None:
    """With https the page may copy, film and be installed; without, at the same name, it says what to do."""
    page = open_page(plain_site)
    assert page.evaluate(HAS) == [False, False, False]
    page.locator("#with-https a[href='/https']").wait_for()
    assert "not-from-secure-origin" in hindrances(page)
    page = open_page(secure_site)
    assert page.evaluate(HAS) == [True, True, True]
    assert not page.locator("#with-https").is_visible()
    assert page.evaluate(FILM) > 0
    assert page.context.new_cdp_session(page).send("Page.getAppManifest")["errors"] == []
    assert hindrances(page) == set()


def test_the_page_about_it_is_well_made(plain_site: str, open_page: OpenPage) -> None:
    """Unfolded, axe finds nothing, all fits a small phone, and a finger hits what it shall."""
    page = open_page(f"{plain_site}/https?to=/g/K7M2QX", size=SMALL_PHONE)
    for summary in page.locator(".https summary").all():
        summary.click()
    no_violation(page, "https", ".https", dark=True)
    assert sideways(page) <= 0
    assert too_small(page, ".https :is(summary, .button)") == []
