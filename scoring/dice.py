"""Dice: five colors, six values (the rulebook calls them shades)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Self

from scoring.errors import InvalidValueError, NotationError
from scoring.names import demand_text, find_name
from scoring.sentences import Name, sentence
from scoring.typed import in_plain_signs

VALUES = (1, 2, 3, 4, 5, 6)


class Color(Enum):
    """The five colors of glass. The value is the letter used in notation.

    Dice that are not in the base game have further ones, which are not among the members: `OTHER_KINDS`.

    Examples
    --------
    >>> Color("P")
    <Color.PURPLE: 'P'>
    >>> Color.from_name("purple").value
    'P'
    """

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"
    PURPLE = "P"

    @property
    def word(self) -> str:
        """The color in lower case, as it stands in a sentence."""
        return self.name.lower().replace("_", " ")

    @classmethod
    def _missing_(cls, value: object) -> Color | None:
        return next((kind for kind in OTHER_KINDS if kind.value == value), None)

    @property
    def called(self) -> Name:
        """What people call the color."""
        return Name("color", self.word)

    @classmethod
    def of(cls, given: Color | str) -> Color:
        """Return the color itself, or the one of that name; see `from_name`."""
        return given if isinstance(given, cls) else cls.from_name(demand_text(given, "Color or its name"))

    @classmethod
    def from_name(cls, name: str) -> Color:
        """Return the color called ``name``: ``"purple"``, ``"P"`` or ``"Shades of Purple"``.

        Raises
        ------
        UnknownNameError
            No color is called that; the error suggests the nearest.
        """
        wanted = name.strip()
        letter = in_plain_signs(wanted).upper()
        if letter in LETTERS:
            return cls(letter)
        if wanted.lower().startswith(("shades of ", "shades_of_")):
            wanted = wanted[len("shades of ") :]
        return cls[find_name(wanted, [color.word for color in cls], "color").upper()]


def _other_kind(name: str, letter: str) -> Color:
    """Return a color that is not among the members."""
    kind = object.__new__(Color)
    kind._name_, kind._value_ = name, letter
    return kind


RARE_GLASS = _other_kind("RARE_GLASS", "W")
"""Of any color; see `scoring.other_dice`."""

GRAY = _other_kind("GRAY", "S")
"""The strife dice of *Glory*."""

ORANGE = _other_kind("ORANGE", "M")
"""The masterwork dice of *Life*."""

OTHER_KINDS = (RARE_GLASS, GRAY, ORANGE)
"""The colors of dice that are not in the base game. Notation has them only where it is asked to."""

DIE_NAME = "{color} {value}"
LETTERS = frozenset(color.value for color in Color)


@dataclass(frozen=True)
class Die:
    """A die as it lies in a window: its color and the value on top, 1 to 6.

    Examples
    --------
    >>> Die.parse("G4")
    Die(color=<Color.GREEN: 'G'>, value=4)
    >>> str(Die(Color.RED, 2))
    'R2'

    Raises
    ------
    InvalidValueError
        The color is no `Color`, or the value is not 1 to 6.
    """

    color: Color
    value: int

    def __post_init__(self) -> None:
        if not isinstance(self.color, Color):
            raise InvalidValueError(
                "bad_color",
                sentence("A die cannot have the color {found}.", found=repr(self.color)),
                sentence("Use one of the five colors."),
            )
        if type(self.value) is not int or self.value not in VALUES:
            raise InvalidValueError(
                "bad_value",
                sentence("A die cannot show {found}.", found=repr(self.value)),
                sentence("Use a whole number from 1 to 6."),
            )

    @classmethod
    def parse(cls, text: str, *, other_kinds: bool = False) -> Self:
        """Read a die such as ``"Y5"``; small and full-width letters and Cyrillic ones like them are fine.

        With ``other_kinds`` also ``W5`` (rare glass), ``S5`` (gray) and ``M5`` (orange) are dice.

        Raises
        ------
        NotationError
            The text is not a color letter followed by a value.
        """
        die = in_plain_signs(text).strip().upper()
        letters = LETTERS.union(kind.value for kind in OTHER_KINDS) if other_kinds else LETTERS
        if len(die) == 2 and die[0] in letters and die[1] in "123456":
            return cls(Color(die[0]), int(die[1]))
        raise NotationError(
            "bad_die",
            sentence('"{text}" is not a die.', text=text.strip()),
            sentence("Write a color (R, Y, G, B or P) and a value from 1 to 6, such as Y5."),
        )

    @classmethod
    def of(cls, given: Die | str) -> Die:
        """Return the die itself, or the one that is written; see `parse`."""
        return (
            given if isinstance(given, cls) else cls.parse(demand_text(given, 'Die or a text such as "R2"'))
        )

    def __str__(self) -> str:
        return f"{self.color.value}{self.value}"

    @property
    def called(self) -> Name:
        """What people call the die: ``"red 3"``."""
        return Name("die", DIE_NAME, (("color", self.color), ("value", self.value)))
