"""The words of the terminal: those of the game, and the few that only the terminal says.

They come from the catalog ``terminal`` beside that of the page, without Flask, so that commands start fast.
"""

from __future__ import annotations

import gettext
from functools import cached_property
from pathlib import Path

from scoring.words import Words, words_in


class TerminalWords(Words):
    """The words of one language, for the terminal."""

    @cached_property
    def _catalog(self) -> gettext.NullTranslations:
        """The terminal's translations, and behind them those of the game. English needs none."""
        game = super()._catalog
        if self.language == "en":
            return game
        folder = Path(__file__).with_name("translations")
        terminal = gettext.translation("terminal", str(folder), [self.language])
        terminal.add_fallback(game)
        return terminal


def terminal_words_in(language: str) -> TerminalWords:
    """Return the words of a language; raise an `UnknownNameError` when there are none.

    Examples
    --------
    >>> terminal_words_in("français").language
    'fr'
    """
    return TerminalWords(words_in(language).language)


ENGLISH = terminal_words_in("en")
