"""Finding a card by the name a person typed, and suggesting the nearest when there is none.

``Row Color Variety``, ``row color variety`` and ``row_color_variety`` are the same card.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from scoring.errors import UnknownNameError


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


def find_name(name: str, known: Iterable[str], kind: str, also: Mapping[str, str] | None = None) -> str:
    """Return the known name that ``name`` means.

    Parameters
    ----------
    name
        What a person typed.
    known
        The names there are.
    kind
        What they name, in a word or two, for the error: ``"window"``.
    also
        Further names, such as those in other languages, and the known name each stands for.

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
    # A whole word of a name ("dream") says more than letters in common.
    near = [one for one in spelled if wanted in one.split()] or get_close_matches(wanted, spelled, n=3)
    suggestions = tuple(spelled[one] for one in near[:3])
    if suggestions:
        next_step = f"Did you mean {' or '.join(suggestions)}?"
    else:
        next_step = f"The names are: {', '.join(names)}."
    raise UnknownNameError(
        f"unknown_{kind.replace(' ', '_')}",
        f'There is no {kind} called "{name.strip()}".',
        next_step,
        suggestions,
    )
