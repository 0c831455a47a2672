"""Compile the translations whenever the package is built, also for an editable install.

Where the English changed a little, the translation that stood there is shown until somebody looks at it:
`make translations` marks it as fuzzy and notes the English that it was made for.

All else about the package stands in pyproject.toml. `make` and the tests call `compile_catalogs` too.
"""

from __future__ import annotations

import re
import sys
from difflib import SequenceMatcher
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, unescape

ROOMS = [Path(__file__).resolve().parent / room / "translations" for room in ("scoring", "webapp")]
LANGUAGES = ROOMS[0] / "languages.tsv"
ALIKE = 0.85  # of its characters: a wrong translation is worse than an English sentence
FILLED_IN = re.compile(r"\{\w+\}|%\(\w+\)[sd]")


def compile_catalogs() -> None:
    """Write a ``.mo`` beside each ``.po`` that changed, and to ``LANGUAGES`` what each language lacks.

    That file holds a line for each: its code, its own name, and how many percent of the texts it says.
    """
    sources = [path for room in ROOMS for path in room.glob("**/*.po*")]
    compiled = [LANGUAGES, *(path.with_suffix(".mo") for path in sources if path.suffix == ".po")]
    newest = max(path.stat().st_mtime_ns for path in (*sources, Path(__file__)))
    if all(path.exists() and path.stat().st_mtime_ns >= newest for path in compiled):
        return
    lines = []
    for code in sorted({path.name for room in ROOMS for path in room.iterdir() if path.is_dir()}):
        said, doubtful, texts = map(sum, zip(*(_compile(room, code) for room in ROOMS), strict=True))
        if said < texts or doubtful:
            sys.stderr.write(f"{code}: {texts - said} texts are missing or wrong, {doubtful} need a look\n")
        own_name = str(Locale.parse(code).display_name)
        percent = 100 * said // max(texts, 1)
        lines.append(f"{code}\t{own_name[0].upper()}{own_name[1:]}\t{percent}\n")
    LANGUAGES.write_text("".join(lines), encoding="utf-8")


def _compile(room: Path, code: str) -> tuple[int, int, int]:
    """Write one ``.mo``; return how many texts it says, how many of them fuzzy, and how many there are."""
    source = room / code / "LC_MESSAGES" / "messages.po"
    wanted = [message for message in read_po(BytesIO((room / "messages.pot").read_bytes())) if message.id]
    if not source.exists():
        return 0, 0, len(wanted)
    catalog = read_po(BytesIO(source.read_bytes()), locale=code)
    texts = {_english(message) for message in wanted}
    said = doubtful = 0
    for message in wanted:
        known = catalog.get(message.id, message.context)
        if known is None or not _is_translated(known, texts):
            catalog.delete(message.id, message.context)
            continue
        said, doubtful = said + 1, doubtful + known.fuzzy
    with source.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog, use_fuzzy=True)
    return said, doubtful, len(wanted)


def _english(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _is_translated(message: Message, english: set[str]) -> bool:
    """Return whether all forms are there, fill in what the English does, and were made for nearly that.

    A new text that is like one that there still is (``english``) has only a guess.
    """
    texts = [message.id] if isinstance(message.id, str) else message.id
    forms = [message.string] if isinstance(message.string, str) else message.string or [""]
    given = {name for text in texts for name in FILLED_IN.findall(text)}
    if message.fuzzy:
        before = _before(message)
        if before in english or SequenceMatcher(None, before, texts[0]).ratio() < ALIKE:
            return False
    return all(
        form and given.issuperset(FILLED_IN.findall(form)) and not re.search("[{}]", FILLED_IN.sub("", form))
        for form in forms
    )


def _before(message: Message) -> str:
    """Return the English that a fuzzy translation was made for.

    Babel writes it as a comment, ``#| msgid "..."``, and reads that as one of a person.
    """
    comments, _, _ = "\n".join(message.user_comments).partition("| msgid_plural")
    return "".join(unescape(line) for line in re.findall(r'"[^\n]*"', comments.partition("| msgid")[2]))


if __name__ == "__main__":  # as build tools run it
    from setuptools import setup

    compile_catalogs()
    setup()
