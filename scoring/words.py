"""Sentences that players read, and the names of the things of the game in them.

The rules do not build finished text. They build a `Sentence`: a template in English and the dice, cells, colors
and cards that fill it. `Words` turns it into text in one language; ``str(sentence)`` is the English text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from scoring.cells import Cell, cell_name
from scoring.dice import Color, Die
from scoring.objectives import PublicObjective
from scoring.patterns import WindowPattern
from scoring.tools import Tool

Thing = Color | Die | PublicObjective | Tool | WindowPattern | int | str | Sequence[Cell] | Sequence[Tool]
"""What can stand in a sentence. Cells and tools come as sequences, also when there is one of them."""


@dataclass(frozen=True)
class Sentence:
    """A sentence for people: the English template, and what stands in for each of its names in braces.

    Parameters
    ----------
    template
        The sentence in English, such as ``"{cells}: {die} on a space that needs {color}."``.
    things
        Pairs of a name in the template and the thing that stands there.
    plural, count
        The template for any other number than 1, and the number that decides; None when there is none.

    Examples
    --------
    >>> from scoring.dice import Die
    >>> str(sentence("{cells}: {die} is free.", cells=[(2, 4)], die=Die.parse("R3")))
    'C5: red 3 is free.'
    """

    template: str
    things: tuple[tuple[str, Thing], ...] = ()
    plural: str | None = None
    count: int | None = None

    def __str__(self) -> str:
        return ENGLISH.say(self)


def sentence(template: str, /, **things: Thing) -> Sentence:
    """Return the sentence with the things that stand in its template. The template is found and translated."""
    return Sentence(template, _hashable(things))


def counted(singular: str, plural: str, count: int, /, **things: Thing) -> Sentence:
    """Return the sentence in the form that goes with ``count``, which stands in the templates as ``{count}``."""
    return Sentence(singular, _hashable({**things, "count": count}), plural, count)


def _hashable(things: dict[str, Thing]) -> tuple[tuple[str, Thing], ...]:
    return tuple((name, tuple(one) if isinstance(one, list) else one) for name, one in things.items())


class Words:
    """The words of one language."""

    def say(self, said: Sentence) -> str:
        """Return the sentence as text."""
        template = said.template
        if said.plural is not None and said.count != 1:
            template = said.plural
        return template.format(**{name: self.name(thing) for name, thing in said.things})

    def name(self, thing: Thing) -> str:
        """Return what people call a thing of the game."""
        if isinstance(thing, Color):
            return thing.word
        if isinstance(thing, Die):
            return thing.words
        if isinstance(thing, WindowPattern):
            return thing.name
        if isinstance(thing, PublicObjective | Tool):
            return thing.value
        if isinstance(thing, int | str):
            return str(thing)
        if all(isinstance(one, Tool) for one in thing):
            return self._one_of([self.name(one) for one in cast("Sequence[Tool]", thing)])
        return ", ".join(cell_name(cell) for cell in cast("Sequence[Cell]", thing))

    def _one_of(self, names: list[str]) -> str:
        """Return "A", "A or B" or "A, B or C"."""
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} or {names[-1]}"


ENGLISH = Words()
