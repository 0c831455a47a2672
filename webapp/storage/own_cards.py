"""The window cards and tool cards that people added, in files beside the readings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from scoring import (
    WINDOW_PATTERNS,
    Color,
    Lift,
    ScoringError,
    Tool,
    ToolEffect,
    UnknownNameError,
    WindowPattern,
)
from scoring.errors import InvalidValueError
from scoring.lookup import window_called
from scoring.names import plain
from scoring.patterns.collection import CustomWindows
from scoring.patterns.patterns import KnownPatterns
from scoring.sentences import english, sentence
from webapp.domain.errors import StoreError
from webapp.storage.administration import load_settings
from webapp.storage.files import changing, damaged, default_folder, make_room, reading, write_whole

WINDOWS_FILE = "windows.json"
WINDOWS_LOCK = ".windows.lock"


class WindowStore:
    """The custom windows in a file, which need not be there: the first one that is added makes it.

    Everything raises a `StoreError` when the file cannot be read, understood or written; it stays as it was.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> CustomWindows:
        """Return the windows in the file; none when there is no file."""
        with reading(self.path, "windows"):
            try:
                text = self.path.read_text(encoding="utf-8-sig")  # an editor may have added the mark
            except FileNotFoundError:
                return CustomWindows()
            except UnicodeDecodeError as error:
                raise damaged(self.path, "windows", english("It is not text.")) from error
        try:
            return CustomWindows.parse(text)
        except ScoringError as error:
            if error.code == "newer_schema":
                raise StoreError("windows_newer", error.sentence, error.advice) from error
            raise damaged(self.path, "windows", error.sentence) from error

    def known(self) -> KnownPatterns:
        """Return the cards of the game and the custom windows after them."""
        windows, cards = self.load().windows, self.cards()
        return cards.with_windows(window for window in windows if not _is_hidden(window, cards))

    def cards(self) -> KnownPatterns:
        """Return the cards of the boxes and packs that are switched on."""
        return WINDOW_PATTERNS.with_sets(load_settings(self.path.parent).window_sets)

    def find(self, name: str) -> WindowPattern:
        """Return the known window that ``name`` means in any language, or raise `UnknownNameError`.

        Cards of the game are found also when the file cannot be used.
        """
        try:
            known = self.known()
        except StoreError:
            with suppress(UnknownNameError):
                return window_called(name, self.cards())
            raise
        return window_called(name, known)

    def hidden(self) -> tuple[WindowPattern, ...]:
        """Return the custom windows that `known` leaves out: by now the game has a card of that name."""
        cards = self.cards()
        return tuple(window for window in self.load().windows if _is_hidden(window, cards))

    def add(self, *windows: WindowPattern) -> None:
        """Add windows, all or none; `InvalidValueError` where a name is taken."""
        self.change(lambda mine: mine.add(*windows, cards=self.cards()))

    def remove(self, name: str) -> WindowPattern:
        """Remove the window called ``name`` and return it.

        It raises `UnknownNameError`, or `InvalidValueError` for a card of the game.
        """
        make_room(self.path.parent)
        before, after = self.change(lambda mine: mine.remove(name))
        (gone,) = {window.name for window in before.windows} - {window.name for window in after.windows}
        return before[gone]

    def replace(self, name: str, window: WindowPattern) -> None:
        """Put ``window`` in the place of the one called ``name``; it raises what `remove` and `add` raise."""
        self.change(lambda mine: mine.replace(name, window, cards=self.cards()))

    def merge(
        self, windows: CustomWindows, *, replacing: bool = False
    ) -> tuple[CustomWindows, CustomWindows]:
        """Add what is new in ``windows``, see `CustomWindows.merge`, and return what `change` returns."""
        return self.change(lambda mine: mine.merge(windows, replacing=replacing, cards=self.cards()))

    def change(self, how: Callable[[CustomWindows], CustomWindows]) -> tuple[CustomWindows, CustomWindows]:
        """Replace the windows by ``how(windows)`` while nobody else can; return those before and after."""
        with changing(self.path, self.path.with_name(WINDOWS_LOCK), "windows"):
            before = self.load()
            after = how(before)
            if after != before:
                write_whole(self.path, str(after).encode())
        return before, after


def default_store() -> WindowStore:
    """Return the custom windows of this computer's user, which the page shows too."""
    return WindowStore(default_folder() / WINDOWS_FILE)


def _is_hidden(window: WindowPattern, cards: KnownPatterns) -> bool:
    """Tell whether one of the window's names is that of a card of the game."""
    return any(name in cards for name in window.all_names)


TOOLS_FILE = "tools.json"
TOOLS_LOCK = ".tools.lock"
FORMAT = "sagrada-tools"
SCHEMA = 1
MOST_TOOLS = 30

_TAKEN_UP: dict[Path, tuple[bytes, tuple[Tool, ...]]] = {}
"""What each file held when its tools were last taken up, and these."""


class ToolStore:
    """The tools in a file, which need not be there; `StoreError` as of a `WindowStore`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def take_up(self) -> tuple[Tool, ...]:
        """Let the tools in the file be found by their names from now on, and return them."""
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
        except (ValueError, TypeError, KeyError, RecursionError) as error:  # the rules: a `ValueError`
            raise damaged(self.path, "tools", str(error)) from error
        _TAKEN_UP[self.path] = content, tools
        return tools

    def add(self, name: str, effect: ToolEffect, color: Color, lifts: Sequence[Lift]) -> Tool:
        """Add a tool, or put it in the place of the one with its name.

        It raises `InvalidValueError` where the name is taken or is none, the card cannot lift that, or there
        are too many.
        """

        def added(tools: Sequence[Tool]) -> Sequence[Tool]:
            tool = Tool.add(name, effect, color, lifts)
            others = [one for one in tools if plain(one.value) != plain(tool.value)]
            if len(others) >= MOST_TOOLS:
                Tool.forget(tool.value)
                raise InvalidValueError(
                    "too_many_tools",
                    sentence("There are {most} tool cards of your own already.", most=MOST_TOOLS),
                    sentence("Remove one that you do not need."),
                )
            return [*others, tool]

        return self._change(added)[-1]

    def remove(self, name: str) -> bool:
        """Remove the tool of exactly that name, and tell whether it was there; games keep it."""
        before = self.take_up()
        self._change(lambda tools: [one for one in tools if one.value != name])
        return name in {one.value for one in before}

    def _change(self, how: Callable[[Sequence[Tool]], Sequence[Tool]]) -> tuple[Tool, ...]:
        with changing(self.path, self.path.with_name(TOOLS_LOCK), "tools"):
            after = [described(tool) for tool in how(self.take_up())]
            data = {"format": FORMAT, "schema": SCHEMA, "tools": after}
            write_whole(self.path, json.dumps(data, ensure_ascii=False, indent=1).encode())
        return self.take_up()


def default_tools() -> ToolStore:
    """Return the tools of this computer's user, which the page knows too."""
    return ToolStore(default_folder() / TOOLS_FILE)


def described(tool: Tool) -> dict[str, Any]:
    """Return a tool that somebody added as plain data."""
    return {
        "name": tool.value,
        "effect": tool.effect.value,
        "color": tool.color.value,
        "lifts": sorted(lift.value for lift in tool.lifts),
    }


def _told_in(content: bytes) -> list[tuple[str, ToolEffect, Color, frozenset[Lift]]]:
    """Return name, effect, color and lifted rules of the tools in a file."""
    if not content:
        return []
    data = json.loads(content)
    if data["format"] != FORMAT or data["schema"] != SCHEMA:
        raise ValueError(data["schema"])
    return [_parts(one) for one in data["tools"]]


def _parts(told: dict[str, Any]) -> tuple[str, ToolEffect, Color, frozenset[Lift]]:
    lifts = frozenset(map(Lift, told["lifts"]))
    return str(told["name"]), ToolEffect(told["effect"]), Color(told["color"]), lifts


def tool_of(told: str | dict[str, Any]) -> Tool:
    """Return a tool by its name; one that somebody added is told whole, as it may be gone by now."""
    return Tool(told) if isinstance(told, str) else Tool.apart(*_parts(told))
