"""Finding a card by the name a person typed, and suggesting the nearest when there is none.

``Row Color Variety``, ``row color variety`` and ``row_color_variety`` are the same card.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from enum import Enum
from typing import Literal, Self, cast

from scoring.errors import InvalidValueError, UnknownNameError
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
    """Cards of one kind. The value of each is the name printed on it.

    The members are the cards that come with the game. A kind may take further ones (`PublicObjective.add`,
    `Tool.add`): they are found by name as the others are, and not listed among the members.
    """

    kind: Kind

    def __init_subclass__(cls, kind: Kind) -> None:
        cls.kind = kind

    # Cards that were added are equal where they have the same name, also those that another process sent.
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __reduce_ex__(self, _protocol: object) -> tuple[object, ...]:
        if self.is_printed:
            return type(self), (self.value,)
        return object.__new__, (type(self),), vars(self)

    @classmethod
    def _missing_(cls, value: object) -> Card | None:
        return _ADDED.get((cls, value))

    @property
    def is_printed(self) -> bool:
        """Whether the card comes with the game; else somebody added it."""
        return self.value in type(self)._value2member_map_

    @classmethod
    def added(cls) -> tuple[Self, ...]:
        """Return the cards of this kind that were added, in that order."""
        return tuple(cast("Self", card) for (kind, _), card in _ADDED.items() if kind is cls)

    @classmethod
    def forget(cls, name: str) -> None:
        """Take a card away that was added; one that was not changes nothing."""
        _ADDED.pop((cls, name), None)

    @classmethod
    def _add(cls, name: str, **about: object) -> Self:
        """Take a card up under a name, in place of one that was added under that name before."""
        kept = check_name(name)
        if plain(kept) in {plain(card.value) for card in cls}:
            raise card_taken(kept)
        for before in cls.added():
            if plain(before.value) == plain(kept):
                cls.forget(before.value)
        _ADDED[cls, kept] = card = cls._made(kept, **about)
        return card

    @classmethod
    def _made(cls, name: str, **about: object) -> Self:
        """Return a card that is not taken up."""
        card = object.__new__(cls)
        vars(card).update(_name_=plain(name).replace(" ", "_").upper(), _value_=name, **about)
        return card

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
        return cls(find_name(name, [card.value for card in (*cls, *cls.added())], cls.kind))

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


_ADDED: dict[tuple[type[Card], object], Card] = {}
"""The cards that were added, by kind and name."""


LONGEST_NAME = 40  # one line on a phone; the longest name on a card of the game has 19
CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})  # also halves of characters, ends of lines and paragraphs
JOINERS = "\u180e\u200c\u200d"  # in some scripts and in emoji they shape the signs on both sides
VARIANTS = (
    "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"  # they choose the form of the sign before them
)
TAGS = "\U000e0020-\U000e007f"  # they make the flag of a part of a country out of a black one
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters and accents by name alone
FILLERS += "\u2065\ufff0\ufff1\ufff2\ufff3\ufff4\ufff5\ufff6\ufff7\ufff8\U000e0fff"  # never to be shown
VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"  # with a joiner they end a word
_BLANKS = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+")
_SHAPING = re.compile(f"[{JOINERS}{VARIANTS}{TAGS}]")
_STRAY_TAGS = re.compile(f"(?<![\U0001f3f4{TAGS}])[{TAGS}]+")
# Scripts before U+0590, the Latin one among them, are not shaped; figures become keys by a mark.
_OUT_OF_PLACE = re.compile(
    rf"(?<![0-9#*©®\u0590-\U0010ffff])[{JOINERS}{VARIANTS}]+|(?<![{VIRAMAS}{JOINERS}])[{JOINERS}]+(?!\S)"
)
NOTHING_SHOWS = sentence("Nothing in this name can be seen.")
GIVE_A_NAME = sentence("Give a name with at least one letter or figure.")


def tidied(name: str) -> str:
    r"""Return a name without what nobody sees in it: every name that somebody types is kept so.

    Tabs and wide blanks become single blanks, and a letter with its accent one sign. Marks of direction and
    marks without a width are left out where they do not shape the signs beside them, as in Persian and in
    emoji. Controls and ends of lines within stay, to be refused: no keyboard writes them into a name.

    Examples
    --------
    >>> tidied(" Ann\tLee\u200f "), tidied("\u2068\u2069")
    ('Ann Lee', '')
    """
    seen = "".join(
        sign
        for sign in _BLANKS.sub(" ", name)
        if _SHAPING.match(sign) or not (unicodedata.category(sign) == "Cf" or sign in FILLERS)
    )
    in_one_spelling = unicodedata.normalize("NFC", seen.strip())
    shaped = _OUT_OF_PLACE.sub("", _STRAY_TAGS.sub("", in_one_spelling))
    return unicodedata.normalize("NFC", _BLANKS.sub(" ", shaped).strip())


def has_control(name: str) -> bool:
    """Tell whether there is a control or the end of a line in a name."""
    return any(unicodedata.category(sign) in CONTROLS for sign in name)


def without_controls(text: str) -> str:
    """Return a line of text as it may be shown anywhere: `tidied`, and controls are left out."""
    return "".join(sign for sign in tidied(text) if not has_control(sign))


def check_name(name: str) -> str:
    """Return ``name`` as it is kept, see `tidied`, or raise an `InvalidValueError`."""
    kept = tidied(name)
    if has_control(kept):
        raise InvalidValueError(
            "name_with_control_character",
            sentence(
                'The name "{name}" holds a sign that cannot be seen, where the question mark stands.',
                name="".join("?" if has_control(sign) else sign for sign in kept),
            ),
            sentence("Type the name anew, on one line."),
        )
    if not kept and name.strip(" "):
        raise InvalidValueError("hidden_name", NOTHING_SHOWS, GIVE_A_NAME)
    if not plain(kept):
        raise InvalidValueError("blank_name", sentence("A name is missing."), GIVE_A_NAME)
    if len(kept) > LONGEST_NAME:
        raise InvalidValueError(
            "name_too_long",
            sentence(
                "A name has at most {most} characters; this one has {number}.",
                most=LONGEST_NAME,
                number=len(kept),
            ),
            sentence("Give a shorter name."),
        )
    return kept


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
    kept = (
        sign if sign.isalnum() else " " if sign in "_-–/ \t\n" else ""
        for sign in unicodedata.normalize("NFKD", name.casefold())
    )
    return " ".join("".join(kept).split())


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


def card_taken(name: str) -> InvalidValueError:
    """Return the error for a new card with the name of one that comes with the game."""
    return InvalidValueError(
        "name_taken",
        sentence('"{name}" is already the name of a card of the game.', name=name),
        sentence("Give it another name."),
    )


def not_in_use(name: str, box: str) -> UnknownNameError:
    """Return the error for a window card of a box or pack whose cards are not known here."""
    return UnknownNameError(
        "unknown_window",
        sentence('"{name}" is a card of a box or pack that is not in use here: {box}.', name=name, box=box),
        sentence(
            "Say that you have it where all windows are listed, or with {command}.",
            command=f"sagrada windows sets {box}",
        ),
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
