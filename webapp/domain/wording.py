"""The words of the companion: those of the game, and what is said around it.

They come from the catalog that the pages use too, but without Flask, so that commands start fast.
"""

from __future__ import annotations

import gettext
from functools import cache, cached_property
from pathlib import Path

from scoring.words import TranslatedWords, catalog, words_in

FOLDER = Path(__file__).parents[1] / "translations"


class CompanionWords(TranslatedWords):
    """The words of one language, with what the companion says."""

    @cached_property
    def _catalog(self) -> gettext.NullTranslations:
        """The companion's translations, and behind them those of the game."""
        companion = catalog(FOLDER, self.language)
        companion.add_fallback(super()._catalog)
        return companion


@cache
def words_for(language: str) -> CompanionWords:
    """Return the words of a language; raise an `UnknownNameError` when there are none.

    >>> words_for("français").language
    'fr'
    """
    return CompanionWords(words_in(language).language)


ENGLISH = words_for("en")
