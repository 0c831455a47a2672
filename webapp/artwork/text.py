"""Text in the picture of a window: names made harmless, fitted to the room, and file names."""

from __future__ import annotations

import html
import unicodedata

JOINER = "\u200d"  # holds the parts of an emoji together
NO_BREAK = "\u00a0"
MOST_MARKS = 3  # accents on one letter; more only make a mess of the picture
ELLIPSIS = "…"

# Widths of signs in a serif font, in sizes of the font: a little more than most fonts need.
WIDE, CAPITAL, MIDDLE, NARROW = 1.02, 0.80, 0.62, 0.36
NARROW_SIGNS = frozenset("ijltfr.,:;!|'’`()[]-·Iїіј ")
WIDE_LETTERS = frozenset("mwMWЖШЩЮЫФжшщюыфмт@%—…&")


def plain_line(text: str, longest: int = 200) -> str:
    r"""Return ``text`` as one line without anything that cannot be seen.

    Examples
    --------
    >>> plain_line(" Anna\x00\n\u202e Maria ")
    'Anna Maria'
    """
    return " ".join(_visible(unicodedata.normalize("NFC", text)).split())[:longest].strip(JOINER + " ")


def _visible(text: str) -> str:
    """Return ``text`` without signs that cannot be seen or that make a mess of a picture."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if sign.isspace() and sign != NO_BREAK:
            kept.append(" ")
        elif sign == JOINER or (_is_allowed(sign, kind) and marks <= MOST_MARKS):
            kept.append(sign)
    return "".join(kept)


def _is_allowed(sign: str, kind: str) -> bool:
    """Tell whether a sign may stand in a picture: no control, half of a pair, private or missing sign."""
    return kind not in {"Cc", "Cf", "Cs", "Co"} and (ord(sign) & 0xFFFE) != 0xFFFE


def escaped(text: str) -> str:
    """Return ``text`` safe between and inside the tags of XML."""
    return html.escape(_visible(text))


def width(text: str) -> float:
    """Return about how wide ``text`` is, in sizes of the font."""
    return sum(_sign_width(sign) for sign in text)


def _sign_width(sign: str) -> float:
    if sign == JOINER or unicodedata.category(sign) in {"Mn", "Me"}:
        return 0.0
    if unicodedata.east_asian_width(sign) in {"W", "F"}:
        return WIDE
    if sign in NARROW_SIGNS:
        return NARROW
    if sign in WIDE_LETTERS or ord(sign) > 0xFFFF:
        return WIDE
    return CAPITAL if sign.isupper() else MIDDLE


def fitted(text: str, room: float, largest: float, smallest: float) -> tuple[str, float]:
    """Return ``text`` and the size at which it fits into ``room``; too long a text ends in an ellipsis.

    Examples
    --------
    >>> fitted("Anna", 800, 60, 40)
    ('Anna', 60)
    >>> fitted("A very long name", 200, 60, 40)
    ('A very…', 40)
    """
    text = plain_line(text)
    wanted = width(text)
    if wanted * largest <= room:
        return text, largest
    if wanted * smallest <= room:
        return text, room / wanted
    kept = text
    while kept and (width(kept) + WIDE) * smallest > room:
        kept = _without_last(kept)
    return kept.rstrip() + ELLIPSIS, smallest


def _without_last(text: str) -> str:
    """Take off the last letter with its accents, or the last emoji with its parts."""
    kept = text[:-1]
    while kept and (kept[-1] == JOINER or unicodedata.category(text[len(kept)]) in {"Mn", "Me"}):
        kept = kept[:-1]
    return kept


def file_stem(player: str, total: int | None) -> str:
    """Return the name of the picture's file, without its ending.

    Examples
    --------
    >>> file_stem("Anna", 40), file_stem("José / Zoë", -3), file_stem("", None)
    ('sagrada-anna-40', 'sagrada-josé-zoë-minus-3', 'sagrada')
    """
    letters = "".join(sign if sign.isalnum() else " " for sign in plain_line(player).lower())
    words = ["sagrada", *letters[:40].split()]
    if total is not None:
        words += ["minus"] * (total < 0) + [str(abs(total))]
    return "-".join(words)
