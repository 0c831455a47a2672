from __future__ import annotations

import subprocess
import sys

import pytest

from webapp import serve


def test_the_address_for_this_computer_comes_first() -> None:
    """Whoever starts the page sees at once what to open, and how to let a phone in."""
    first, second, _ = serve.addresses("127.0.0.1", 8000)
    assert first.endswith("http://127.0.0.1:8000")
    assert "--host 0.0.0.0" in second


def test_the_address_for_phones_is_told_when_they_may_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listening everywhere, the address in the house's network is told."""
    monkeypatch.setattr(serve, "own_address", lambda: "192.168.1.5")
    first, second, _ = serve.addresses("0.0.0.0", 8123)
    assert "http://localhost:8123" in first
    assert "http://192.168.1.5:8123" in second


def test_no_network_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a network only the own address is told."""
    monkeypatch.setattr(serve, "own_address", lambda: None)
    assert len(serve.addresses("0.0.0.0", 8000)) == 2


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_own_names_and_addresses_can_be_listened_on(host: str) -> None:
    """The check of the host lets every way of naming this computer through."""
    assert serve.host_is_here(host)


def test_the_package_loads_neither_flask_nor_opencv() -> None:
    """The command line starts quickly because importing the package loads nothing heavy."""
    code = "import sys, webapp; sys.exit(bool({'flask', 'cv2', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
