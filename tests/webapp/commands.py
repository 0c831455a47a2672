"""Running commands in tests, away from the windows of whoever runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from webapp.cli.sagrada import main

RULEBOOK_BOARD = "-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4"
"""The worked example of the rulebook: 40 points, and a red 3 at C5 where Fractal Drops wants a 1."""

RULEBOOK_CARDS = (
    *("--public", "Column Color Variety", "--public", "Light Shades", "--public", "Color Variety"),
    *("--private", "purple", "--favor", "0", "--window", "Fractal Drops"),
)
LEGAL_BOARD = "Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5"
"""A window that breaks no rule on Luz Celestial."""

ANN: dict[str, Any] = {
    "name": "Ann",
    "board": LEGAL_BOARD,
    "private": "red",
    "favor_tokens": 1,
    "window": "Luz Celestial",
}
BEN: dict[str, Any] = {
    "name": "Ben",
    "board": RULEBOOK_BOARD,
    "private": "blue",
    "favor_tokens": 0,
    "window": "Fractal Drops",
}
"""Players in the file of a game: Ann has 40 points with three objectives, Ben 24."""

DURING_PLAY = "-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --"
"""Some turns into the game, on Fractal Drops."""


def sagrada(*arguments: str | Path, data: Path | str = "no/such/folder", stdin: str | None = None) -> Result:
    """Run a command; an exception that is not an exit is a failure of the test."""
    runner = CliRunner(env={"SAGRADA_DATA": str(data)})
    return runner.invoke(main, [str(one) for one in arguments], input=stdin, catch_exceptions=False)


def parsed(result: Result) -> dict[str, Any]:
    """Return the one JSON object that a command printed."""
    (line,) = result.stdout.splitlines()
    answer: dict[str, Any] = json.loads(line)
    return answer


def answer(*arguments: str | Path, data: Path | str = "no/such/folder") -> dict[str, Any]:
    """Run a command with --json, which must succeed, and return its answer; 1 stands for broken rules."""
    result = sagrada(*arguments, "--json", data=data)
    assert result.exit_code in (0, 1), result.output
    told = parsed(result)
    assert result.exit_code == (told.get("legal") is False), result.output
    return told


def refusal(*arguments: str | Path, data: Path | str = "no/such/folder") -> str:
    """Run a command that is wrong usage, and return what it says, on one line."""
    result = sagrada(*arguments, data=data)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return " ".join(result.stderr.split())


def card(judged: dict[str, Any]) -> str | None:
    """Return the English name of the window card under the dice, None where it is not known."""
    return judged["window"] and str(judged["window"]["name"])


def codes(notices: list[dict[str, Any]]) -> list[str]:
    """Return the codes of notices."""
    return [notice["code"] for notice in notices]
