"""A collection of custom windows: adding, replacing, removing, and the two sides of a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from scoring.errors import InvalidValueError, UnknownNameError
from scoring.names import find_name, plain
from scoring.sentences import sentence
from scoring.windows.custom import check_free, made_custom
from scoring.windows.equal_names import told_apart
from scoring.windows.file import windows_from_json, windows_from_text, windows_to_json, windows_to_text
from scoring.windows.patterns import WINDOW_PATTERNS, WindowPattern, name_taken


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
    >>> from scoring.windows.custom import custom_window
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

    def to_json(self) -> dict[str, object]:
        """Return the collection as plain data, see `scoring.windows.file`."""
        return windows_to_json(self.windows)

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Return the collection that `to_json` wrote, in this schema or an older one.

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
        return cls(told_apart(windows_from_text(text)))

    def __str__(self) -> str:
        return windows_to_text(self.windows)

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
