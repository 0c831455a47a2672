"""The texts of the description in other languages, from the catalog ``api``.

The names in JSON are the same in every language; what is said of them is translated.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

Say = Callable[[str], str]

_SAID = ("summary", "description")


@cache
def words_in(language: str) -> Say:
    """Return what says a text in a language. English needs no catalog."""
    if language == "en":
        return str
    folder = Path(__file__).parents[1] / "translations"
    return gettext.translation("api", str(folder), [language]).gettext


def in_other_words(part: Any, say: Say) -> Any:  # noqa: ANN401
    """Return a part of the document with everything that is said in it put through ``say``."""
    if isinstance(part, list):
        return [in_other_words(one, say) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: say(one) if key in _SAID and isinstance(one, str) else in_other_words(one, say)
        for key, one in part.items()
    }


def texts_in(part: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield every text that `in_other_words` would translate."""
    said: list[str] = []

    def note(text: str) -> str:
        said.append(text)
        return text

    in_other_words(part, note)
    yield from said
