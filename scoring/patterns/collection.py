"""A collection of custom windows: adding, replacing, removing, and the two sides of a card.

Promo cards may have equal names. Where windows are chosen the name is the key, so all but the first get a
number behind it.

The form in which windows are stored and handed on::

    {"format": "sagrada-windows", "schema": 1, "windows": [
      {"name": "Four Corners", "difficulty": 3, "cells": "R...B / ..... / ..... / 1...6",
       "other_side": null, "names": {"fr": "Quatre coins"}}]}

Of a window only ``name`` and ``cells`` have to be there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Self

from scoring.errors import InvalidValueError, ScoringError, UnknownNameError
from scoring.names import LONGEST_NAME, find_name, plain
from scoring.patterns.custom import check_free, custom_window, made_custom
from scoring.patterns.patterns import WINDOW_PATTERNS, WindowPattern, name_taken
from scoring.sentences import Sentence, sentence


def told_apart(windows: Sequence[WindowPattern]) -> tuple[WindowPattern, ...]:
    """Return the windows with a number behind each name that comes again; the same window counts once.

    Two sides of a card may have the same name, too.

    Examples
    --------
    >>> made = [WindowPattern.parse(f"{space}.... / ..... / ..... / .....", "Fair") for space in "RGR"]
    >>> [window.name for window in told_apart(made)]
    ['Fair', 'Fair (2)']
    """
    once: dict[tuple[str, object], WindowPattern] = {}
    for window in windows:
        once.setdefault((plain(window.name), window.cells), window)
    kept = list(once.values())
    backs = _backs(kept)
    used: set[str] = set()
    named = []
    for window in kept:
        names = [_free(name, used) for name in window.all_names]
        used |= {plain(name) for name in names}
        others = zip(window.names, names[1:], strict=True)
        named.append(
            replace(window, name=names[0], names=tuple((language, name) for (language, _), name in others))
        )
    return tuple(
        window if back is None else replace(window, other_side=named[back].name)
        for window, back in zip(named, backs, strict=True)
    )


def _backs(windows: Sequence[WindowPattern]) -> list[int | None]:
    """Return the place of the window on the back of each, None where there is none; no back is two's."""
    backs: list[int | None] = [None] * len(windows)
    for place, window in enumerate(windows):
        if window.other_side is None or backs[place] is not None:
            continue
        free = [
            other
            for other, one in enumerate(windows)
            if other != place and backs[other] is None and plain(one.name) == plain(window.other_side)
        ]
        # One that names this window as its own back comes before one that names none.
        free.sort(key=lambda other: plain(windows[other].other_side or "") != plain(window.name))
        if free:
            backs[place], backs[free[0]] = free[0], place
    return backs


def _free(name: str, used: set[str]) -> str:
    """Return the name, or where that is taken the name with a number behind it."""
    if plain(name) not in used:
        return name
    longer = (name[: LONGEST_NAME - len(f" ({number})")] + f" ({number})" for number in count(2))
    return next(one for one in longer if plain(one) not in used)


FORMAT = "sagrada-windows"
SCHEMA = 1
COMPARE = sentence("Compare it with an exported file.")
GIVE_AN_EXPORT = sentence("Give a file that was exported by this program.")


def windows_from_json(data: object) -> tuple[WindowPattern, ...]:
    """Return the windows that `CustomWindows.to_json` wrote.

    Raises
    ------
    ScoringError
        The data are no windows; the code says why, see `InvalidValueError`.
    """
    rest = _content(data)
    entries = rest.pop("windows", None)
    if rest:
        raise _unknown_key(
            sentence("The file has something unknown in it: {keys}.", keys=sorted(map(repr, rest)))
        )
    if not isinstance(entries, list):
        raise InvalidValueError(
            "bad_entry",
            sentence("The windows are not a list."),
            COMPARE,
        )
    return tuple(_window_of(entry, number) for number, entry in enumerate(entries, start=1))


def _content(data: object) -> dict[str, Any]:
    """Return what the data hold beside format and schema."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidValueError(
            "not_a_window_file",
            sentence("This is no collection of windows."),
            GIVE_AN_EXPORT,
        )
    schema = data.get("schema")
    if type(schema) is int and schema > SCHEMA:
        raise InvalidValueError(
            "newer_schema",
            sentence(
                "These windows were written by a newer version of the program (schema {schema}).",
                schema=schema,
            ),
            sentence("Update the program and try again."),
        )
    if type(schema) is not int or schema != SCHEMA:
        raise InvalidValueError(
            "unknown_schema",
            sentence("There is no schema {found} of a collection of windows.", found=repr(schema)),
            sentence('Write "schema": {newest}, or export the windows anew.', newest=SCHEMA),
        )
    return {key: value for key, value in data.items() if key not in ("format", "schema")}


def _window_of(entry: object, number: int) -> WindowPattern:
    """Return the window of one entry; errors say which entry is wrong, counted from 1."""
    if not isinstance(entry, dict):
        raise InvalidValueError(
            "bad_entry",
            sentence("Window {number} is no object.", number=number),
            COMPARE,
        )
    fields: dict[str, Any] = {"difficulty": None, "other_side": None, "names": {}, **entry}
    kinds: dict[str, type | tuple[type, ...]] = {
        "name": str, "cells": str, "difficulty": object, "other_side": (str, type(None)), "names": dict,
    }  # fmt: skip
    for key, kind in kinds.items():
        if not isinstance(fields.get(key), kind):
            raise InvalidValueError(
                "bad_entry",
                sentence('Window {number} has no proper "{key}".', number=number, key=key),
                COMPARE,
            )
    if unknown := sorted(map(repr, fields.keys() - kinds)):
        raise _unknown_key(
            sentence("Window {number} has something unknown in it: {keys}.", number=number, keys=unknown)
        )
    if not all(isinstance(name, str) for name in fields["names"].values()):
        raise InvalidValueError(
            "bad_entry",
            sentence('Window {number} has no proper "{key}".', number=number, key="names"),
            COMPARE,
        )
    try:
        return custom_window(
            fields["name"],
            fields["cells"],
            fields["difficulty"],
            other_side=fields["other_side"],
            names=fields["names"].items(),
            known={},
        )
    except ScoringError as error:
        where = sentence("Window {number}: {mistake}", number=number, mistake=error.sentence)
        raise type(error)(error.code, where, error.advice, error.data) from error


def _not_json(what: Sentence) -> InvalidValueError:
    """Return the error for a text that cannot be taken apart."""
    return InvalidValueError("not_json", what, GIVE_AN_EXPORT)


def _unknown_key(what: Sentence) -> InvalidValueError:
    """Return the error for keys that a newer program or a slip of the finger brought in."""
    return InvalidValueError("unknown_key", what, sentence("Take it out, or correct its spelling."))


@dataclass(frozen=True)
class CustomWindows:
    """A collection of custom windows. It never changes; `add`, `remove` and `replace` return another one.

    Parameters
    ----------
    windows
        The windows, in the order in which they were added. When one names another as its other side, that
        one names it too.

    Raises
    ------
    InvalidValueError
        A name is not allowed or is there twice, or the two sides of a card do not agree.

    Examples
    --------
    >>> from scoring.patterns.custom import custom_window
    >>> mine = CustomWindows().add(custom_window("Four Corners", "R...B / ..... / ..... / 1...6", 3))
    >>> CustomWindows.from_json(mine.to_json()) == mine
    True
    >>> WINDOW_PATTERNS.with_windows(mine.windows)["four corners"].difficulty
    3
    """

    windows: tuple[WindowPattern, ...] = ()

    def __post_init__(self) -> None:
        windows = [made_custom(window) for window in self.windows]
        by_name: dict[str, WindowPattern] = {}
        for window in windows:
            for name in window.all_names:
                if by_name.setdefault(plain(name), window) is not window:
                    raise name_taken(name, by_name[plain(name)])
        object.__setattr__(self, "windows", _with_backs(windows))

    def __getitem__(self, name: str) -> WindowPattern:
        if not self.windows:
            raise UnknownNameError(
                "unknown_window",
                sentence('There is no window of your own called "{name}".', name=name),
                sentence("There is none yet."),
            )
        translated = {other: window.name for window in self.windows for _, other in window.names}
        by_name = {window.name: window for window in self.windows}
        return by_name[find_name(name, by_name, "window", translated, by_name.values())]

    def add(self, *windows: WindowPattern, cards: Mapping[str, WindowPattern] = WINDOW_PATTERNS) -> Self:
        """Return the collection with ``windows`` at its end; ``cards`` are those of the game.

        Raises
        ------
        InvalidValueError
            A name is taken, here or among the cards of the game.
        """
        for window in windows:
            check_free(window, cards)
        return type(self)((*self.windows, *windows))

    def remove(self, name: str) -> Self:
        """Return the collection without the window called ``name``; its back side stays.

        Raises
        ------
        UnknownNameError
            There is no such window.
        InvalidValueError
            It is a card of the game.
        """
        gone = self._own(name)
        return type(self)(
            tuple(
                replace(window, other_side=None) if window.other_side == gone.name else window
                for window in self.windows
                if window.name != gone.name
            )
        )

    def replace(
        self, name: str, window: WindowPattern, *, cards: Mapping[str, WindowPattern] = WINDOW_PATTERNS
    ) -> Self:
        """Return the collection with ``window`` in the place of the one called ``name``.

        The back side stays the same when ``window`` names none. ``cards`` are those of the game.

        Raises
        ------
        UnknownNameError
            There is no window called ``name``.
        InvalidValueError
            It is a card of the game, or the name of ``window`` is taken.
        """
        before = self._own(name)
        check_free(window, cards)
        same_card = window.other_side is None or plain(window.other_side) == plain(before.other_side or "")
        back = window.name if same_card else None
        return type(self)(
            tuple(
                window
                if one.name == before.name
                else replace(one, other_side=back)
                if one.other_side == before.name
                else one
                for one in self.windows
            )
        )

    def merge(
        self,
        other: CustomWindows,
        *,
        replacing: bool = False,
        cards: Mapping[str, WindowPattern] = WINDOW_PATTERNS,
    ) -> Self:
        """Return the windows of both collections; those that are in both count once.

        A card of the game, with its name and spaces, is left out.

        Parameters
        ----------
        other
            The windows to add.
        replacing
            Whether a window of ``other`` may take the place of a different one with the same name.
        cards
            The cards of the game.

        Raises
        ------
        InvalidValueError
            A name is taken, by a card of the game or (unless ``replacing``) by a different window here.
        """
        mine = {plain(window.name): window for window in self.windows}
        known = {(plain(card.name), card.cells) for card in cards.values()}
        coming = [window for window in other.windows if (plain(window.name), window.cells) not in known]
        left_out = {window.name for window in other.windows} - {window.name for window in coming}
        coming = [replace(one, other_side=None) if one.other_side in left_out else one for one in coming]
        new = {plain(window.name): window for window in coming}
        for name, window in new.items():
            check_free(window, cards)
            if not replacing and mine.get(name, window) != window:
                raise InvalidValueError(
                    "name_taken",
                    sentence('There is already another window called "{name}".', name=mine[name].name),
                    sentence("Rename one of the two, or let the new one replace it."),
                )
        return type(self)(tuple((mine | new).values()))

    def to_json(self) -> dict[str, Any]:
        """Return the collection as plain data, see `scoring.patterns.collection`."""
        return {
            "format": FORMAT,
            "schema": SCHEMA,
            "windows": [
                {
                    "name": window.name,
                    "difficulty": window.difficulty,
                    "cells": str(window),
                    "other_side": window.other_side,
                    "names": dict(window.names),
                }
                for window in self.windows
            ],
        }

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Return the collection that `to_json` wrote.

        Names are not compared with the cards of the game: these may have become more since. Of several
        windows with one name, as promo cards have them, all but the first get a number behind it.

        Raises
        ------
        ScoringError
            The data are no collection of windows; the code says why, see `InvalidValueError`.
        """
        return cls(told_apart(windows_from_json(data)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the collection in the text of a file; see `from_json`."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            what = sentence(
                "This is not JSON: look at line {line}, column {column}.",
                line=error.lineno,
                column=error.colno,
            )
            raise _not_json(what) from error
        except (ValueError, RecursionError) as error:
            what = sentence("This is not JSON: something in it is too long or too deep.")
            raise _not_json(what) from error
        return cls.from_json(data)

    def __str__(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"

    def _own(self, name: str) -> WindowPattern:
        """Return the window called ``name``, and say so when it is a card of the game."""
        if name in WINDOW_PATTERNS and plain(name) not in {plain(one.name) for one in self.windows}:
            raise InvalidValueError(
                "not_custom",
                sentence("{window} is a card of the game.", window=WINDOW_PATTERNS[name]),
                sentence("Only windows of your own can be replaced or removed."),
            )
        return self[name]


def _with_backs(windows: list[WindowPattern]) -> tuple[WindowPattern, ...]:
    """Return the windows with the two sides of each card naming each other."""
    by_name = {plain(window.name): window for window in windows}
    backs: dict[str, str] = {}
    for window in windows:
        if window.other_side is None:
            continue
        back = by_name.get(plain(window.other_side))
        if back is None:
            raise InvalidValueError(
                "unknown_back",
                sentence(
                    '{window} has "{name}" on its back, which is no window here.',
                    window=window,
                    name=window.other_side,
                ),
                sentence("Add both sides of a card together."),
            )
        for one, other in ((window, back), (back, window)):
            if one is other or backs.setdefault(one.name, other.name) != other.name:
                raise InvalidValueError(
                    "bad_back",
                    sentence("{window} cannot have {back} on its back.", window=window, back=back),
                    sentence("A card has two sides: each names the other."),
                )
    return tuple(replace(window, other_side=backs.get(window.name)) for window in windows)
