"""What a player may be called."""

from __future__ import annotations

import unicodedata

from webapp.companion.errors import InputError

LONGEST_NAME = 30
# They turn the text around them, so that a name could pass for another one.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Control characters, halves of characters, line and paragraph ends.
_REFUSED = frozenset({"Cc", "Cs", "Zl", "Zp"})


def checked_name(text: str) -> str:
    """Return a name as it is kept: trimmed, with single blanks.

    Raises
    ------
    InputError
        It is empty, longer than 30 characters, or has characters in it that do not show.

    Examples
    --------
    >>> checked_name("  Anna   Maria ")
    'Anna Maria'
    """
    name = " ".join(part for part in unicodedata.normalize("NFC", text.strip()).split(" ") if part)
    if any(letter in _TURNING or unicodedata.category(letter) in _REFUSED for letter in name):
        raise InputError("bad_name")
    if not 1 <= len(name) <= LONGEST_NAME or not name_key(name):
        raise InputError("bad_name")
    return name


def name_key(name: str) -> str:
    """Return what two names have in common that people take for the same.

    Examples
    --------
    >>> name_key("ANN ") == name_key("ann")
    True
    """
    plain = unicodedata.normalize("NFKC", name.strip().casefold())
    shown = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
    return " ".join(shown.split()).casefold()
