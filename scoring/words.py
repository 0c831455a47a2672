"""The words of every language that players read. Here sentences and names become text, last of all.

The translations stand in ``scoring/translations``; docs/translating.md tells how to change them.
"""

from __future__ import annotations

import gettext
from functools import cached_property
from pathlib import Path

from scoring.names import find_name
from scoring.sentences import Words

FOLDER = Path(__file__).with_name("translations")


def _compiled(folder: Path) -> list[list[str]]:
    """Return code, own name and percent of translated texts of each language, as setup.py wrote them."""
    try:
        lines = (folder / "languages.tsv").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:  # nothing is compiled
        return []
    return [line.split("\t") for line in lines]


_COMPILED = _compiled(FOLDER)

OFFERED_FROM = 95  # percent
LANGUAGES = {"en": "English"} | {
    code: own_name for code, own_name, percent in _COMPILED if int(percent) >= OFFERED_FROM
}
"""The languages that are offered: the code of each and its own name. What is missing is said in English."""

STARTED = ("en", *(code for code, _, _ in _COMPILED))
"""The languages that can be asked for: what is missing in them is said in English."""


class TranslatedWords(Words):
    """The words of a language in `STARTED`. `words_in` returns those that fit."""

    def __init__(self, language: str) -> None:
        self.language = language

    @cached_property
    def _catalog(self) -> gettext.NullTranslations:
        """The translations, read when the first word is asked for."""
        return catalog(FOLDER, self.language)


def catalog(folder: Path, language: str) -> gettext.NullTranslations:
    """Return the translations that stand in a folder, none for English or if it has none in that language."""
    if language == "en":
        return gettext.NullTranslations()
    return gettext.translation("messages", str(folder), [language], fallback=True)


def words_in(language: str) -> Words:
    """Return the words of a language: ``"fr"``, or as browsers and systems say it, ``"fr-CA"``, ``"fr_CA"``.

    Raises
    ------
    UnknownNameError
        There are no words in that language.

    Examples
    --------
    >>> words_in("fr-CA").language
    'fr'
    >>> words_in("tlh")
    Traceback (most recent call last):
    scoring.errors.UnknownNameError: There is no language called "tlh". The names are: en, fr, ja, ru.
    """
    code = language.strip().replace("_", "-").split("-")[0].lower()
    if code in STARTED:
        return _WORDS[code]
    own_names = {own_name: known for known, own_name in LANGUAGES.items()}
    return _WORDS[find_name(language, LANGUAGES, "language", also=own_names)]


_WORDS = {code: TranslatedWords(code) for code in STARTED}
