from __future__ import annotations

import io
import os
import re
import shutil
from xml.etree import ElementTree as ET

import cv2
import numpy as np
import pytest

from webapp.server import qr

ADDRESSES = [
    "http://192.168.1.5:8000/?a=<script>",
    "http://my-host.local:8000/g/K7M2QX",
    "http://[fd00:1234:5678:9abc:def0:1234:5678:9abc]:8000/g/K7M2QX",
]


class Terminal(io.TextIOWrapper):
    """A terminal that shows the signs of an encoding."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        """Say yes."""
        return True


@pytest.fixture(autouse=True)
def roomy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the terminal 80 columns and a usual name."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(shutil, "get_terminal_size", lambda **_: os.terminal_size((80, 24)))


def decoded(light: np.ndarray) -> str:
    """Return what a camera reads from modules that are light or dark."""
    image = np.where(np.kron(light, np.ones((8, 8), bool)), 255, 0).astype(np.uint8)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(image)
    return text


def drawn(svg: str) -> np.ndarray:
    """Return which modules of an SVG are light: a white ground with horizontal black strokes."""
    root = ET.fromstring(svg)
    _, _, width, height = map(int, root.attrib["viewBox"].split())
    ground, strokes = root
    assert ground.attrib == {"fill": "#fff", "d": f"M0 0h{width}v{height}h-{width}z"}
    assert strokes.attrib["stroke"] == "#000"
    light = np.ones((height, width), bool)
    x = y = 0.0
    for move, numbers in re.findall(r"([Mmh])([^Mmh]+)", strokes.attrib["d"]):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if move == "h":
            light[int(y), int(x) : int(x + values[0])] = False
            x += values[0]
        else:
            x, y = values if move == "M" else (x + values[0], y + values[1])
    return light


def shown(lines: list[str]) -> np.ndarray:
    """Return which modules of the lines on a terminal are light, after a look at their colors."""
    rows = []
    for number, line in enumerate(lines):
        colors = qr.WHITE if number == len(lines) - 1 else qr.WHITE_ON_BLACK
        assert line.startswith(colors)
        assert line.endswith(qr.PLAIN)
        signs = line.removeprefix(colors).removesuffix(qr.PLAIN)
        rows += [[sign in "█▀" for sign in signs], [sign in "█▄" for sign in signs]]
    return np.array(rows[:-1])


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_code_holds_the_very_address(address: str) -> None:
    """What a camera reads is the address, on the page as in the terminal, with the white margin it needs."""
    assert not re.search("style|script", qr.svg(address))  # which the policy of the page refuses
    for light in (drawn(qr.svg(address)), shown(qr.terminal_lines(address))):
        assert decoded(light) == address
        inner = light[4:-4, 4:-4]
        assert light.sum() - inner.sum() == light.size - inner.size
        assert not inner[0, 0]


@pytest.mark.parametrize(
    ("stream", "term", "columns", "fits"),
    [
        (Terminal(), "xterm", 80, True),
        (Terminal(), "xterm", 33, True),
        (Terminal(), "xterm", 32, False),
        (Terminal(), "dumb", 80, False),
        (Terminal("cp437"), "xterm", 80, True),
        (Terminal("latin-1"), "xterm", 80, False),
        (io.StringIO(), "xterm", 80, False),
    ],
    ids=["usual", "just wide enough", "too narrow", "dumb", "DOS signs", "no such signs", "a file"],
)
def test_only_a_terminal_that_can_show_the_code_gets_it(
    monkeypatch: pytest.MonkeyPatch, stream: io.TextIOBase, term: str, columns: int, fits: bool
) -> None:
    """A file, a narrow window and one without half blocks get the address in letters alone."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda **_: os.terminal_size((columns, 24)))
    assert qr.fits_terminal(stream, "http://192.168.1.5:8000") is fits  # type: ignore[arg-type]
