"""The custom windows of this house, in one file beside the readings.

The page and the command line use the same file, ``windows.json`` in the folder of `default_folder`. Whoever
changes it holds a lock, reads it again and replaces it whole, so that no change is lost. A file that cannot
be understood is never written over: it stays as it is until a person has looked at it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from scoring import WINDOW_PATTERNS, ScoringError, UnknownNameError, WindowPattern
from scoring.lookup import window_called
from scoring.patterns.collection import CustomWindows
from scoring.patterns.patterns import KnownPatterns
from scoring.sentences import sentence
from webapp.services.errors import StoreError
from webapp.storage.administration import load_settings
from webapp.storage.files import changing, damaged, default_folder, make_room, reading, write_whole

FILE_NAME = "windows.json"
LOCK_NAME = ".windows.lock"


class WindowStore:
    """The custom windows in a file.

    Parameters
    ----------
    path
        The file. It need not be there; the first window that is added makes it, with its folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> CustomWindows:
        """Return the windows in the file; none when there is no file.

        Raises
        ------
        StoreError
            The file cannot be read or understood.
        """
        with reading(self.path, "windows"):
            try:
                text = self.path.read_text(encoding="utf-8-sig")  # an editor may have added the mark
            except FileNotFoundError:
                return CustomWindows()
            except UnicodeDecodeError as error:
                raise damaged(self.path, "windows", sentence("It is not text.")) from error
        try:
            return CustomWindows.parse(text)
        except ScoringError as error:
            if error.code == "newer_schema":
                raise StoreError("windows_newer", error.sentence, error.advice) from error
            raise damaged(self.path, "windows", error.sentence) from error

    def known(self) -> KnownPatterns:
        """Return the cards of the game and the custom windows after them.

        Raises
        ------
        StoreError
            The file cannot be read or understood.
        """
        windows, cards = self.load().windows, self.cards()
        hidden = set(_hidden(windows, cards))
        return cards.with_windows(window for window in windows if window not in hidden)

    def cards(self) -> KnownPatterns:
        """Return the cards of the boxes and packs that this house has."""
        return WINDOW_PATTERNS.with_sets(load_settings(self.path.parent).window_sets)

    def find(self, name: str) -> WindowPattern:
        """Return the known window that ``name`` means in any language.

        Cards of the game are found also when the file cannot be used.

        Raises
        ------
        UnknownNameError
            There is no such window; the error suggests the nearest.
        StoreError
            The file cannot be used, and the name is not that of a card of the game.
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
        return _hidden(self.load().windows, self.cards())

    def add(self, *windows: WindowPattern) -> None:
        """Add windows, all or none.

        Raises
        ------
        InvalidValueError
            A name is taken.
        StoreError
            The file cannot be used; it is as it was.
        """
        self.change(lambda mine: mine.add(*windows, cards=self.cards()))

    def remove(self, name: str) -> WindowPattern:
        """Remove the window called ``name`` and return it.

        Raises
        ------
        UnknownNameError
            There is no such window.
        InvalidValueError
            It is a card of the game.
        StoreError
            The file cannot be used; it is as it was.
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
        with changing(self.path, self.path.with_name(LOCK_NAME), "windows"):
            before = self.load()
            after = how(before)
            if after != before:
                write_whole(self.path, str(after).encode())
        return before, after


def default_store() -> WindowStore:
    """Return the custom windows of this computer's user, which the page shows too."""
    return WindowStore(default_folder() / FILE_NAME)


def _hidden(windows: tuple[WindowPattern, ...], cards: KnownPatterns) -> tuple[WindowPattern, ...]:
    """Return the windows one of whose names is that of a card of the game."""
    return tuple(window for window in windows if any(name in cards for name in window.all_names))
