"""What the rules have to say: sentences as plain data, and how they become text.

The rules do not build finished text. They build a `Sentence`: a template in English and the dice, cells,
colors and cards that fill it. Nothing here knows these things; each of them says what it is `called`. `Words`
makes text of it, in English here and in the other languages in `scoring.words`.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, cast

ROW_LETTERS = "ABCD"
"""What people call the rows of a window; columns are counted from 1, so ``(2, 4)`` is C5."""


@dataclass(frozen=True)
class Name:
    """What a thing of the game is called.

    Translations tell names apart by their ``kind``. ``things`` are pairs of a name in braces within the name
    and the thing that stands there. A name that ``is_card`` is printed on one, and so stands in quotes within
    a sentence, where that is usual. ``printed`` are pairs of a language code and the name in that language,
    where the thing itself knows it.
    """

    kind: str
    english: str
    things: tuple[tuple[str, Thing], ...] = ()
    is_card: bool = False
    printed: tuple[tuple[str, str], ...] = ()


class Named(Protocol):
    """A thing of the game that has a name: a color, a die, a card."""

    @property
    def called(self) -> Name:
        """What the thing is called."""


Nameable = Named | int | str
"""What has a name. A text, such as the name of a player, is its own name in every language."""


@dataclass(frozen=True)
class Sentence:
    """A sentence for people: the English template, and what stands in for each of its names in braces.

    ``plural`` is the template for any other number than 1, and ``count`` the number that decides.

    Examples
    --------
    >>> from scoring.board import Die
    >>> str(sentence("{cells}: {die} is free.", cells=[(2, 4)], die=Die.parse("R3")))
    'C5: red 3 is free.'
    """

    template: str
    things: tuple[tuple[str, Thing], ...] = ()
    plural: str | None = None
    count: int | None = None

    def __str__(self) -> str:
        return ENGLISH.say(self)


@dataclass(frozen=True)
class Names:
    """The names of several things as a list in a sentence, without the quotes that cards have there.

    Examples
    --------
    >>> from scoring.board import Color
    >>> str(sentence("The names are: {names}.", names=Names((Color.RED, Color.BLUE))))
    'The names are: red, blue.'
    """

    things: tuple[Nameable, ...]


_Several = Sequence[Sentence] | Sequence[tuple[int, int]] | Sequence[Named] | Sequence[str]

Thing = Nameable | Names | Sentence | _Several
"""What can stand in a sentence, which may be another sentence or several.

Cells, as (row, column) from 0, come as sequences, also when there is one of them. Of several cards any one is
meant ("A, B or C"), of everything else all.
"""


def sentence(template: str, /, **things: Thing) -> Sentence:
    """Return the sentence with the things that stand in its template, which is found and translated."""
    return Sentence(template, _hashable(things))


def english(template: str, /, **things: Thing) -> Sentence:
    """Return a sentence that is not translated.

    It is for whoever runs the program: about files, options and servers.

    Examples
    --------
    >>> from scoring import words_in
    >>> words_in("fr").say(english("There is no folder {folder}.", folder="data"))
    'There is no folder data.'
    """
    return Sentence(template, _hashable(things))


def counted(singular: str, plural: str, count: int, /, **things: Thing) -> Sentence:
    """Return the sentence in the form for ``count``, which the templates may show as ``{count}``."""
    return Sentence(singular, _hashable({**things, "count": count}), plural, count)


def minus(number: int | str) -> str:
    """Return a number, or a formula, as it is printed: with real minus signs.

    Examples
    --------
    >>> minus(-3)
    '\u22123'
    """
    return str(number).replace("-", "−")


def _hashable(things: dict[str, Thing]) -> tuple[tuple[str, Thing], ...]:
    return tuple((name, tuple(one) if isinstance(one, list) else one) for name, one in things.items())


class Words:
    """The words of one language: those of English, as long as nothing else is said."""

    language = "en"

    @cached_property
    def _catalog(self) -> gettext.NullTranslations:
        """The translations. English needs none."""
        return gettext.NullTranslations()

    def say(self, *said: Sentence) -> str:
        """Return a sentence, or several one after the other, as text.

        Examples
        --------
        >>> from scoring import Tool, words_in
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
        return self._filled(template, said.things)

    def _filled(self, template: str, things: Iterable[tuple[str, Thing]]) -> str:
        return template.format(**{name: self._in_sentence(thing) for name, thing in things})

    def _in_sentence(self, thing: Thing) -> str:
        """Return what stands for a thing in a sentence: the names of cards get quotes where that is usual."""
        if isinstance(thing, int | str):
            return minus(thing) if isinstance(thing, int) else thing
        if isinstance(thing, Sentence):
            return self.say(thing)
        if isinstance(thing, Names):
            return self.all_of(map(self.name, thing.things))
        if isinstance(thing, Sequence):
            return self._several(thing)
        name = self.name(thing)
        if thing.called.is_card:
            return self._catalog.pgettext("card in a sentence", "{name}").format(name=name)
        return name

    def _several(self, things: _Several) -> str:
        """Return what stands for several things in a sentence: of cards any one, of all else everything."""
        if all(isinstance(one, Sentence) for one in things):
            return self.say(*cast("Sequence[Sentence]", things))
        if isinstance(things[0], str | tuple):
            texts_or_cells = cast("Sequence[str | tuple[int, int]]", things)
            return self.all_of(one if isinstance(one, str) else _cell(*one) for one in texts_or_cells)
        return self._one_of([self._in_sentence(one) for one in cast("Sequence[Named]", things)])

    def name(self, thing: Nameable) -> str:
        """Return what people call a thing of the game.

        Examples
        --------
        >>> from scoring import Die, PublicObjective, words_in
        >>> words_in("ru").name(PublicObjective.LIGHT_SHADES)
        'Светлые стёкла'
        >>> words_in("ja").name(Die.parse("R3"))
        '赤の3'
        """
        if isinstance(thing, int | str):
            return str(thing)
        called = thing.called
        printed = dict(called.printed).get(self.language)
        name = printed or self._catalog.pgettext(called.kind, called.english)
        return self._filled(name, called.things) if called.things else name

    def private_objective(self, private: Named) -> str:
        """Return the name of a private objective card: of a color, or with a name of its own.

        Examples
        --------
        >>> from scoring import Color, words_in
        >>> words_in("en").private_objective(Color.PURPLE)
        'Shades of Purple'
        """
        if private.called.is_card:
            return self.name(private)
        return self._catalog.pgettext("objective", f"Shades of {private.called.english.title()}")

    def line(self, name: str) -> str:
        """Return the name of a line of the score, of which ``name`` is the English one.

        Examples
        --------
        >>> from scoring import words_in
        >>> words_in("ru").line("Favor tokens")
        'Фишки привилегий'
        """
        objective = self._catalog.pgettext("objective", name)
        return self._catalog.pgettext("line", name) if objective == name else objective

    def all_of(self, names: Iterable[str]) -> str:
        """Return names as a list.

        Examples
        --------
        >>> ENGLISH.all_of(["A1", "B2", "C3"])
        'A1, B2, C3'
        """
        return _joined(names, self._catalog.pgettext("list", "{first}, {second}"))

    def _one_of(self, names: list[str]) -> str:
        """Return "A", "A or B" or "A, B or C"."""
        *first, last = names
        return _joined(
            [self.all_of(first), last] if first else [last],
            self._catalog.pgettext("list", "{first} or {second}"),
        )


def _cell(row: int, column: int) -> str:
    return f"{ROW_LETTERS[row]}{column + 1}"


def _joined(texts: Iterable[str], pattern: str) -> str:
    """Return the texts one after the other, each put behind those before it as ``pattern`` says.

    The pattern is taken apart once: filling it again for each text would copy all those before it each time.
    """
    first, *others = list(texts) or [""]
    before, _, rest = pattern.partition("{first}")
    between, _, after = rest.partition("{second}")
    return before * len(others) + first + "".join(f"{between}{text}{after}" for text in others)


ENGLISH = Words()
