"""What the rules have to say: a template in English, and the things that fill it.

Nothing here asks for the rest of the rules, so that everything may say sentences, its errors too.
`scoring.words` turns them into text in one language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.words import Named, Thing


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
        # Loaded here, not at the top: the words know the things of the game, and these say sentences.
        from scoring.words import ENGLISH  # noqa: PLC0415

        return ENGLISH.say(self)


@dataclass(frozen=True)
class Names:
    """The names of several things as a list in a sentence, without the quotes that cards have there.

    Examples
    --------
    >>> from scoring.dice import Color
    >>> str(sentence("The names are: {names}.", names=Names((Color.RED, Color.BLUE))))
    'The names are: red, blue.'
    """

    things: tuple[Named, ...]


def sentence(template: str, /, **things: Thing) -> Sentence:
    """Return the sentence with the things that stand in its template, which is found and translated."""
    return Sentence(template, _hashable(things))


def counted(singular: str, plural: str, count: int, /, **things: Thing) -> Sentence:
    """Return the sentence in the form for ``count``, which the templates may show as ``{count}``."""
    return Sentence(singular, _hashable({**things, "count": count}), plural, count)


def _hashable(things: dict[str, Thing]) -> tuple[tuple[str, Thing], ...]:
    return tuple((name, tuple(one) if isinstance(one, list) else one) for name, one in things.items())
