"""What is printed on the spaces of a window card, and how that is written."""

from __future__ import annotations

from scoring.cells import Cell, cell_name, split_cells
from scoring.dice import VALUES, Color
from scoring.errors import NotationError
from scoring.sentences import Sentence, sentence
from scoring.typed import means_nothing

Restriction = Color | int | None
"""What is printed on a space: a color, a value from 1 to 6, or nothing (None)."""

FREE_SIGN = "."
_BY_SIGN: dict[str, Restriction] = {
    FREE_SIGN: None,
    **{color.value: color for color in Color},
    **{str(value): value for value in VALUES},
}
_SIGNS = {space: sign for sign, space in _BY_SIGN.items()}


def space_of(sign: str) -> Restriction:
    """Return what a sign of pattern notation stands for."""
    return _BY_SIGN[sign]


def sign_of(space: Restriction) -> str:
    """Return the sign of pattern notation for what is printed on a space."""
    return _SIGNS[space]


def parse_spaces(
    text: str, advice: Sentence, advice_on_signs: Sentence, unseen: str = ""
) -> dict[Cell, Restriction]:
    """Return the spaces of a text in pattern notation, without those that have the sign ``unseen``.

    Raises
    ------
    NotationError
        The text is no pattern. A row of another length comes with ``advice``, a wrong sign with the other.
    """
    spaces: dict[Cell, Restriction] = {}
    for cell, sign in split_cells(text, "window pattern", advice):
        if means_nothing(sign):
            spaces[cell] = None
        elif sign.upper() in _BY_SIGN:
            spaces[cell] = _BY_SIGN[sign.upper()]
        elif sign != unseen:
            where = cell_name(cell)
            said = sentence('Space {cell} says "{sign}", which is no restriction.', cell=where, sign=sign)
            raise NotationError("bad_cell", said, advice_on_signs)
    return spaces


def is_restriction(space: object) -> bool:
    """Return whether a card can print this on a space."""
    return space is None or isinstance(space, Color) or (type(space) is int and space in VALUES)
