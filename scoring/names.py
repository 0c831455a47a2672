"""Finding a card by the name a person typed, and suggesting the nearest when there is none.

``Row Color Variety``, ``row color variety`` and ``row_color_variety`` are the same card.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from enum import Enum
from typing import Literal, Self

from scoring.errors import UnknownNameError
from scoring.sentences import Name, Nameable, Names, Sentence, sentence

Kind = Literal["color", "objective", "tool", "house rule", "window", "player", "language", "key"]
"""What names are names of."""

NOTHING_CALLED: dict[Kind, Callable[[str], Sentence]] = {
    "color": lambda name: sentence('There is no color called "{name}".', name=name),
    "objective": lambda name: sentence('There is no objective called "{name}".', name=name),
    "tool": lambda name: sentence('There is no tool called "{name}".', name=name),
    "house rule": lambda name: sentence('There is no house rule called "{name}".', name=name),
    "window": lambda name: sentence('There is no window called "{name}".', name=name),
    "player": lambda name: sentence('There is no player called "{name}".', name=name),
    "language": lambda name: sentence('There is no language called "{name}".', name=name),
    "key": lambda name: sentence('There is no key called "{name}".', name=name),
}
"""How it is said that nothing of a kind has a name: one whole sentence for each, as no word is bent."""


class Card(Enum):
    """Cards of one kind. The value of each is the name printed on it."""

    kind: Kind

    def __init_subclass__(cls, kind: Kind) -> None:
        cls.kind = kind

    @classmethod
    def from_name(cls, name: str) -> Self:
        """Return the card called ``name``, in any case, with blanks, hyphens or underscores.

        Raises
        ------
        UnknownNameError
            No card is called that; the error suggests the nearest.

        Examples
        --------
        >>> from scoring import PublicObjective
        >>> PublicObjective.from_name("light_shades")
        <PublicObjective.LIGHT_SHADES: 'Light Shades'>
        """
        return cls(find_name(name, [card.value for card in cls], cls.kind))

    @classmethod
    def of(cls, given: Self | str) -> Self:
        """Return the card itself, or the one of that name; see `from_name`."""
        if isinstance(given, cls):
            return given
        return cls.from_name(demand_text(given, f"{cls.__name__} or its name"))

    @property
    def called(self) -> Name:
        """The name printed on the card."""
        return Name(self.kind, self.value, is_card=True)


def demand_text(given: object, wanted: str) -> str:
    """Return what was given when it is a text, or raise a TypeError that says what is wanted."""
    if isinstance(given, str):
        return given
    raise TypeError(f"This takes a {wanted}, not {type(given).__name__}.")


def plain(name: str) -> str:
    """Return ``name`` without case, accents, punctuation and repeated blanks.

    Examples
    --------
    >>> plain("  Sun's  GLORY ")
    'suns glory'
    >>> plain("row_color-variety")
    'row color variety'
    """
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(
        character if character.isalnum() else " " if character in "_-–/ \t\n" else ""
        for character in decomposed
    )
    return " ".join(kept.split())


def find_name(
    name: str,
    known: Iterable[str],
    kind: Kind,
    also: Mapping[str, str] | None = None,
    things: Iterable[Nameable] = (),
    *,
    beginnings: bool = False,
) -> str:
    """Return the known name that ``name`` means.

    Parameters
    ----------
    name
        What a person typed.
    known
        The names there are.
    kind
        What they name, for the error.
    also
        Further names, such as those in other languages, and the known name each stands for.
    things
        What the names stand for, where people may name it in their own language: the error lists it so.
    beginnings
        Whether the beginning of a name is enough where no other thing's name begins so.

    Raises
    ------
    UnknownNameError
        No name is like that; ``suggestions`` holds up to three that are near.

    Examples
    --------
    >>> find_name("FIRMITAS", ["Firmitas", "Virtus"], "window")
    'Firmitas'
    """
    names = list(known)
    meant = {plain(one): one for one in names}
    spelled = dict(meant)
    for other, one in (also or {}).items():
        meant.setdefault(plain(other), one)
        spelled.setdefault(plain(other), other)
    wanted = plain(name)
    if wanted in meant:
        return meant[wanted]
    begun = {one for spelling, one in meant.items() if spelling.startswith(wanted)}
    if beginnings and wanted and len(begun) == 1:
        return begun.pop()
    # A whole word of a name ("dream") says more than letters in common.
    near = [one for one in spelled if wanted in one.split()] or get_close_matches(wanted, spelled, n=3)
    suggestions = tuple(spelled[one] for one in near[:3])
    raise UnknownNameError(
        f"unknown_{kind.replace(' ', '_')}",
        NOTHING_CALLED[kind](name.strip()),
        _advice(suggestions, tuple(things) or tuple(names)),
        {"suggestions": list(suggestions)} if suggestions else None,
    )


def _advice(suggestions: tuple[str, ...], all_names: tuple[Nameable, ...]) -> Sentence:
    """Ask for up to three names that are near, or list all when none is."""
    match suggestions:
        case ():
            return sentence("The names are: {names}.", names=Names(all_names))
        case (first,):
            return sentence("Did you mean {first}?", first=first)
        case (first, second):
            return sentence("Did you mean {first} or {second}?", first=first, second=second)
        case _:
            first, second, third = suggestions
            return sentence(
                "Did you mean {first}, {second} or {third}?", first=first, second=second, third=third
            )
