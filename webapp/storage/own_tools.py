"""The tool cards that people of this house added, in one file beside the readings.

The page and the command line use the same file, ``tools.json``. While it cannot be understood it is never
written over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scoring import Color, Lift, Tool, ToolEffect
from scoring.names import plain
from scoring.sentences import sentence
from webapp.services.errors import StoreError
from webapp.storage.files import changing, damaged, default_folder, reading, write_whole

FILE_NAME = "tools.json"
LOCK_NAME = ".tools.lock"
FORMAT = "sagrada-tools"
SCHEMA = 1
MOST_TOOLS = 30

_TAKEN_UP: dict[Path, tuple[bytes, tuple[Tool, ...]]] = {}
"""What each file held when its tools were last taken up, and these."""


class ToolStore:
    """The tools in a file; it need not be there."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def take_up(self) -> tuple[Tool, ...]:
        """Let the tools in the file be found by their names from now on, and return them.

        Raises
        ------
        StoreError
            The file cannot be read or understood.
        """
        with reading(self.path, "tools"):
            content = self.path.read_bytes() if self.path.exists() else b""
        before, tools = _TAKEN_UP.get(self.path, (b"", ()))
        if content == before:
            return tools
        try:
            told = _told_in(content)
            for tool in tools:
                Tool.forget(tool.value)
            tools = tuple(Tool.add(*one) for one in told)
        except (ValueError, TypeError, KeyError) as error:  # the rules refuse a tool with a `ValueError`
            raise damaged(self.path, "tools", str(error)) from error
        _TAKEN_UP[self.path] = content, tools
        return tools

    def add(self, name: str, effect: ToolEffect, color: Color, lifts: Sequence[Lift]) -> Tool:
        """Add a tool, or put it in the place of the one with its name.

        Raises
        ------
        InvalidValueError
            The name is taken or is none, or the card cannot lift that.
        StoreError
            There are too many, or the file cannot be used.
        """

        def added(tools: Sequence[Tool]) -> Sequence[Tool]:
            tool = Tool.add(name, effect, color, lifts)
            others = [one for one in tools if plain(one.value) != plain(tool.value)]
            if len(others) >= MOST_TOOLS:
                Tool.forget(tool.value)
                raise StoreError(
                    "too_many_tools",
                    sentence("There are {most} tool cards of your own already.", most=MOST_TOOLS),
                    sentence("Remove one that you do not need."),
                )
            made.append(tool)
            return [*others, tool]

        made: list[Tool] = []
        self._change(added)
        return made[0]

    def remove(self, name: str) -> bool:
        """Remove the tool of exactly that name, and tell whether it was there; games keep it."""
        before = self.take_up()
        self._change(lambda tools: [one for one in tools if one.value != name])
        return name in {one.value for one in before}

    def _change(self, how: Callable[[Sequence[Tool]], Sequence[Tool]]) -> None:
        with changing(self.path, self.path.with_name(LOCK_NAME), "tools"):
            after = [described(tool) for tool in how(self.take_up())]
            data = {"format": FORMAT, "schema": SCHEMA, "tools": after}
            write_whole(self.path, json.dumps(data, ensure_ascii=False, indent=1).encode())
        self.take_up()


def default_tools() -> ToolStore:
    """Return the tools of this computer's user, which the page knows too."""
    return ToolStore(default_folder() / FILE_NAME)


def described(tool: Tool) -> dict[str, Any]:
    """Return a tool that somebody added as plain data."""
    return {
        "name": tool.value,
        "effect": tool.effect.value,
        "color": tool.color.value,
        "lifts": sorted(lift.value for lift in tool.lifts),
    }


def _told_in(content: bytes) -> list[tuple[str, ToolEffect, Color, list[Lift]]]:
    """Return name, effect, color and lifted rules of the tools in a file."""
    if not content:
        return []
    data = json.loads(content)
    if data["format"] != FORMAT or data["schema"] != SCHEMA:
        raise ValueError(data["schema"])
    return [
        (
            str(one["name"]),
            ToolEffect(one["effect"]),
            Color(one["color"]),
            [Lift(lift) for lift in one["lifts"]],
        )
        for one in data["tools"]
    ]
