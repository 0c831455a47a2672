"""The signs of notation as people type them: full-width letters, long dashes, letters of another alphabet."""

from __future__ import annotations

import re

_DASHES = "‐‑‒–—―−─ー"
_CYRILLIC = {
    "А": "A",
    "В": "B",
    "С": "C",
    "Р": "P",
    "У": "Y",
    "а": "a",
    "в": "b",
    "с": "c",
    "р": "p",
    "у": "y",
}
_FULL_WIDTH = {chr(sign + 0xFEE0): chr(sign) for sign in range(0x21, 0x7F)}
_OTHERS = {"\u3000": " ", "\xa0": " ", "、": ",", "…": "..."}
_SIGNS = str.maketrans({**_FULL_WIDTH, **dict.fromkeys(_DASHES, "-"), **_CYRILLIC, **_OTHERS})
_NOTHING = re.compile(r"[-_.]+")


def in_plain_signs(text: str) -> str:
    """Return the text in the signs of notation.

    Examples
    --------
    >>> in_plain_signs("Ｒ４ — Р2 ／")
    'R4 - P2 /'
    """
    return text.translate(_SIGNS)


def look_alikes(text: str) -> tuple[str, ...]:
    """Return the Cyrillic letters in the text that `in_plain_signs` takes for Latin ones, each once.

    Examples
    --------
    >>> look_alikes("Р2 R3 Р4")
    ('Р',)
    """
    return tuple(dict.fromkeys(sign for sign in text if sign in _CYRILLIC))


def means_nothing(word: str) -> bool:
    """Return whether a word stands for an empty space: some dashes, dots or underscores.

    Examples
    --------
    >>> means_nothing("--"), means_nothing("R4")
    (True, False)
    """
    return _NOTHING.fullmatch(word) is not None
