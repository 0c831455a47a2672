"""Sentences that players read, and the names of the things of the game in them.

The rules do not build finished text. They build a `Sentence`: a template in English and the dice, cells,
colors and cards that fill it. `Words` turns it into text in one language; ``str(sentence)`` is English.

The translations stand in ``scoring/translations``; docs/translating.md tells how to change them.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from typing import cast

from scoring.cells import Cell, cell_name
from scoring.dice import Color, Die
from scoring.names import find_name
from scoring.objectives import PublicObjective
from scoring.patterns import WindowPattern
from scoring.sentences import Names, Sentence, counted, sentence
from scoring.tools import HouseRule, Tool

Named = Color | Die | PublicObjective | Tool | HouseRule | WindowPattern | int | str
"""What has a name. A text, such as the name of a player, is its own name in every language."""

Thing = Named | Names | Sentence | Sequence[Sentence] | Sequence[Cell] | Sequence[Tool] | Sequence[str]
"""What can stand in a sentence, which may be another sentence or several.

Cells and tools come as sequences, also when there is one of them.
"""

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Named",
    "Names",
    "Sentence",
    "Thing",
    "Words",
    "counted",
    "sentence",
    "words_in",
]

_CONTEXTS = {PublicObjective: "objective", Tool: "tool", HouseRule: "house rule"}

LANGUAGES = {"en": "English", "fr": "Français", "ja": "日本語", "ru": "Русский"}
"""The languages there are words in: the code of each and what its speakers call it."""


class Words:
    """The words of one language. `words_in` returns those that fit.

    Parameters
    ----------
    language
        One of the codes in `LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        self.language = language

    @cached_property
    def _catalog(self) -> gettext.NullTranslations:
        """The translations, read when the first word is asked for. English needs none."""
        if self.language == "en":
            return gettext.NullTranslations()
        # Loaded here, not at the top: whoever reads English should not wait for it.
        from pathlib import Path  # noqa: PLC0415

        folder = Path(__file__).with_name("translations")
        return gettext.translation("game", str(folder), [self.language])

    def say(self, *said: Sentence) -> str:
        """Return a sentence, or several one after the other, as text.

        Examples
        --------
        >>> excuse = sentence("{tools} could excuse it.", tools=[Tool.LATHEKIN, Tool.TAP_WHEEL])
        >>> words_in("en").say(excuse)
        'Lathekin or Tap Wheel could excuse it.'
        >>> words_in("fr").say(excuse) == str(excuse)
        False
        """
        one_after_another = self._catalog.pgettext("two sentences", "{first} {second}")
        return _joined(map(self._say_one, said), one_after_another)

    def _say_one(self, said: Sentence) -> str:
        """Return one sentence as text."""
        if said.plural is None or said.count is None:
            template = self._catalog.gettext(said.template)
        else:
            # -3 points are said as 3 points are.
            template = self._catalog.ngettext(said.template, said.plural, abs(said.count))
        return template.format(**{name: self._in_sentence(thing) for name, thing in said.things})

    def _in_sentence(self, thing: Thing) -> str:
        """Return what stands for a thing in a sentence: the names of cards get quotes where that is usual."""
        if isinstance(thing, PublicObjective | Tool | HouseRule | WindowPattern):
            return self._catalog.pgettext("card in a sentence", "{name}").format(name=self.name(thing))
        if isinstance(thing, Color | Die | int | str):
            return self.name(thing)
        if isinstance(thing, Sentence):
            return self.say(thing)
        if isinstance(thing, Names):
            return self.all_of(map(self.name, thing.things))
        return self._several(thing)

    def _several(self, things: Sequence[Sentence] | Sequence[Cell] | Sequence[Tool] | Sequence[str]) -> str:
        """Return what stands for several things in a sentence: of tools any one, of all else everything."""
        if all(isinstance(one, Sentence) for one in things):
            return self.say(*cast("Sequence[Sentence]", things))
        if all(isinstance(one, Tool) for one in things):
            return self._one_of([self._in_sentence(one) for one in cast("Sequence[Tool]", things)])
        cells_or_texts = cast("Sequence[Cell | str]", things)
        return self.all_of(one if isinstance(one, str) else cell_name(one) for one in cells_or_texts)

    def name(self, thing: Named) -> str:
        """Return what people call a thing of the game.

        Examples
        --------
        >>> words_in("ru").name(PublicObjective.LIGHT_SHADES)
        'Светлые стёкла'
        >>> words_in("ja").name(Die.parse("R3"))
        '赤の3'
        """
        if isinstance(thing, Color):
            return self._catalog.pgettext("color", thing.word)
        if isinstance(thing, Die):
            template = self._catalog.pgettext("die", "{color} {value}")
            return template.format(color=self.name(thing.color), value=thing.value)
        if isinstance(thing, PublicObjective | Tool | HouseRule):
            return self._catalog.pgettext(_CONTEXTS[type(thing)], thing.value)
        if isinstance(thing, WindowPattern):
            known = dict(thing.names).get(self.language)
            return known or self._catalog.pgettext("window", thing.name)
        return str(thing)

    def private_objective(self, color: Color) -> str:
        """Return the name of the private objective card of a color.

        Examples
        --------
        >>> words_in("en").private_objective(Color.PURPLE)
        'Shades of Purple'
        """
        return self._catalog.pgettext("objective", f"Shades of {color.word.title()}")

    def line(self, name: str) -> str:
        """Return the name of a line of the score, of which ``name`` is the English one.

        Examples
        --------
        >>> words_in("ru").line("Favor tokens")
        'Фишки привилегий'
        """
        objective = self._catalog.pgettext("objective", name)
        return self._catalog.pgettext("line", name) if objective == name else objective

    def all_of(self, names: Iterable[str]) -> str:
        """Return names as a list.

        Examples
        --------
        >>> words_in("en").all_of(["A1", "B2", "C3"])
        'A1, B2, C3'
        """
        return _joined(names, self._catalog.pgettext("list", "{first}, {second}"))

    def _one_of(self, names: list[str]) -> str:
        """Return "A", "A or B" or "A, B or C"."""
        *first, last = names or [""]
        return _joined(
            [self.all_of(first), last] if first else [last],
            self._catalog.pgettext("list", "{first} or {second}"),
        )


def _joined(texts: Iterable[str], pattern: str) -> str:
    """Return the texts one after the other, each put behind those before it as ``pattern`` says."""
    parts = list(texts)
    return reduce(lambda first, second: pattern.format(first=first, second=second), parts) if parts else ""


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
    if code in LANGUAGES:
        return _WORDS[code]
    own_names = {own_name: known for known, own_name in LANGUAGES.items()}
    return _WORDS[find_name(language, LANGUAGES, "language", also=own_names)]


_WORDS = {code: Words(code) for code in LANGUAGES}
ENGLISH = _WORDS["en"]
