"""What the rules say, in short entries in our own words: to look up, to search, and to point at.

`entry` says what an entry is; `cards`, `game` and `questions` hold them; `search` finds them.
"""

from __future__ import annotations

from scoring.sentences import Words, sentence
from webapp.companion.rulebook.cards import CARDS
from webapp.companion.rulebook.entry import Entry, Section, key_of
from webapp.companion.rulebook.game import PLACING, PLAY, POINTS
from webapp.companion.rulebook.questions import HOUSE_RULES, QUESTIONS, SOLO
from webapp.companion.rulebook.search import Folded, asked, folded, ranked

ENTRIES = (*CARDS, *QUESTIONS, *PLACING, *PLAY, *POINTS, *SOLO, *HOUSE_RULES)
BY_KEY = {entry.key: entry for entry in ENTRIES}

_SKIPPED = sentence(
    "a an and any are as at be by can could do does for from get go has have how i if in is it its may me "
    "must my no not of on one or out should so than that the their them then there they this to up was we "
    "what when where which who why will with work works would you your mean means happens card rule rules "
    "exactly please"
)
"""The words of questions that say nothing about what is asked for."""


def skipped(words: Words) -> str:
    """Return the words of questions that a search leaves out, in a language, folded."""
    return folded(words.say(_SKIPPED))


def compared(entry: Entry, words: Words) -> Folded:
    """Return the words of an entry in a language; names of cards are found in English too."""
    named = () if entry.title(words) == (english := entry.title(Words())) else (english,)
    keywords = (words.say(entry.keywords),) if entry.keywords else ()
    return Folded(
        entry.key,
        folded(entry.title(words)),
        folded(" ".join((*keywords, *named))),
        folded(" ".join(words.say(one) for one in entry.text)),
    )


def found(query: str, words: Words) -> list[Entry]:
    """Return the entries that answer a question, the best first."""
    keys = ranked([compared(entry, words) for entry in ENTRIES], asked(query, skipped(words)))
    return [BY_KEY[key] for key in keys]


__all__ = ["BY_KEY", "ENTRIES", "Entry", "Section", "compared", "found", "key_of", "skipped"]
