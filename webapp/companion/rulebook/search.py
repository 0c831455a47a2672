"""Finding entries by what a person types: in any case, without accents, by beginnings, with typos.

The page does the same in the browser (``rules.js``), on the words that `folded` made, so that it goes on
without this computer. A test holds the two against each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_VOICED = "\u3099\u309a"  # marks that make another syllable of a Japanese one, and so are no accents
_KANJI = r"[\u3005\u3400-\u9fff]+"
_KATAKANA = rf"(?:[\u30a1-\u30ff][{_VOICED}]?)+"
_HIRAGANA = rf"(?:[\u3041-\u3096\u30fc][{_VOICED}]?)+"
_OTHER = rf"[^\W\u3005\u3041-\u30ff\u3400-\u9fff{_VOICED}]+"
_RUNS = re.compile(rf"(?P<kanji>{_KANJI})|(?P<katakana>{_KATAKANA})|(?P<hiragana>{_HIRAGANA})|{_OTHER}")
_JAPANESE = re.compile(r"[\u3005\u3041-\u30ff\u3400-\u9fff]")

SHORTEST_BEGINNING = 2
SHORTEST_STEM, LONGEST_ENDING = 4, 3
SHORTEST_WITH_TYPO, SHORTEST_WITH_TWO = 4, 8
EXACT, BEGINNING, STEM, TYPO = 4, 3, 2, 1
TITLE, KEYWORD, TEXT = 6, 4, 2


@dataclass(frozen=True)
class Folded:
    """The words of an entry, as they are compared: each a text with blanks between the words."""

    key: str
    title: str
    keywords: str
    text: str


def folded(text: str) -> str:
    """Return the words of a text without case and accents; Japanese is cut where its kind of script changes.

    Examples
    --------
    >>> folded("L’Égalité: qui gagne ?"), folded("ラテキンは何？")
    ('l egalite qui gagne', 'らてきん は 何')
    """
    return " ".join(word for word, _ in _words(text))


def asked(query: str, skipped: str) -> list[str]:
    """Return the words of a question that say what it is about; all of them when none does.

    Parameters
    ----------
    query
        What a person typed.
    skipped
        The words that questions are made of, folded.

    Examples
    --------
    >>> asked("What does Lathekin do?", "do does what")
    ['lathekin']
    """
    words = _words(query)
    fillers = set(skipped.split())
    telling = [word for word, is_filler in words if not is_filler and word not in fillers]
    return telling or [word for word, _ in words]


def ranked(entries: Iterable[Folded], words: Sequence[str]) -> list[str]:
    """Return the keys of the entries that have at least half of the words, the best first."""
    found: list[tuple[int, int, str]] = []
    for entry in entries:
        points = [_points(word, entry) for word in words]
        if words and 2 * sum(map(bool, points)) >= len(words):
            found.append((-sum(points), len(found), entry.key))
    return [key for _, _, key in sorted(found)]


def _words(text: str) -> list[tuple[str, bool]]:
    """Return each word, and whether it is hiragana, which holds Japanese sentences together."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    kept = "".join(one for one in decomposed if one in _VOICED or not unicodedata.combining(one))
    return [(_same_kana(run[0]), run.lastgroup == "hiragana") for run in _RUNS.finditer(kept)]


def _same_kana(word: str) -> str:
    """Return the word with hiragana instead of katakana."""
    return "".join(chr(ord(one) - 0x60) if "\u30a1" <= one <= "\u30f6" else one for one in word)


def _points(asked_for: str, entry: Folded) -> int:
    """Return how well a word fits an entry, 0 when it does not."""
    places = ((TITLE, entry.title, True), (KEYWORD, entry.keywords, True), (TEXT, entry.text, False))
    return max(
        weight * max((_likeness(asked_for, word, typos=typos) for word in words.split()), default=0)
        for weight, words, typos in places
    )


def _likeness(asked_for: str, word: str, *, typos: bool) -> int:
    """Return how much a word of an entry is like the one that was asked for."""
    if asked_for == word:
        return EXACT
    if _JAPANESE.search(asked_for):
        if asked_for in word:
            return BEGINNING
        if len(word) > 1 and word in asked_for:
            return STEM
    elif len(asked_for) >= SHORTEST_BEGINNING and word.startswith(asked_for):
        return BEGINNING
    elif _same_stem(asked_for, word):
        return STEM
    return TYPO if typos and _near(asked_for, word) else 0


def _same_stem(one: str, other: str) -> bool:
    """Tell whether two words differ in their endings only."""
    shorter = min(len(one), len(other))
    same = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    return same >= max(SHORTEST_STEM, len(one) - LONGEST_ENDING, len(other) - LONGEST_ENDING)


def _near(one: str, other: str) -> bool:
    """Tell whether a slip of the finger lies between two words, or two in long ones."""
    if len(one) < SHORTEST_WITH_TYPO:
        return False
    allowed = 2 if len(one) >= SHORTEST_WITH_TWO else 1
    if abs(len(one) - len(other)) > allowed:
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        earlier, before, row = before, row, [i]
        for j, right in enumerate(other, start=1):
            steps = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                steps = min(steps, earlier[j - 2] + 1)
            row.append(steps)
    return row[-1] <= allowed
