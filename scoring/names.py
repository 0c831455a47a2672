"""Finding a card by the name a person typed, and suggesting the nearest when there is none.

``Row Color Variety``, ``row color variety`` and ``row_color_variety`` are the same card.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
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


def find_name(name: str, known: Iterable[str], kind: str) -> str:
    """Return the known name that ``name`` means.

    Parameters
    ----------
    name
        What a person typed.
    known
        The names there are.
    kind
        What they name, one word, for the error: ``"window"``.

    Raises
    ------
    UnknownNameError
        No known name is like that; ``suggestions`` holds up to three that are near.
    """
    by_plain = {plain(one): one for one in known}
    wanted = plain(name)
    if wanted in by_plain:
        return by_plain[wanted]
    near = tuple(by_plain[one] for one in get_close_matches(wanted, by_plain, n=3, cutoff=0.6))
    if near:
        next_step = f"Did you mean {' or '.join(near)}?"
    else:
        next_step = f"The names are: {', '.join(by_plain.values())}."
    raise UnknownNameError(f"unknown_{kind}", f'There is no {kind} called "{name.strip()}".', next_step, near)
