"""Compile the translations whenever the package is built, also for an editable install.

All else about the package stands in pyproject.toml. `make` and the tests call `compile_catalogs` too.
"""

from __future__ import annotations

import re
import sys
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOMS = [Path(__file__).resolve().parent / room / "translations" for room in ("scoring", "webapp")]
LANGUAGES = ROOMS[0] / "languages.tsv"
FILLED_IN = re.compile(r"\{\w+\}|%\(\w+\)[sd]")


def compile_catalogs() -> None:
    """Write a ``.mo`` beside each ``.po`` that changed, and to ``LANGUAGES`` what each language lacks.

    That file holds a line for each: its code, its own name, and how many texts of the ``.pot`` are missing.
    """
    sources = [path for room in ROOMS for path in room.glob("**/*.po*")]
    compiled = [LANGUAGES, *(path.with_suffix(".mo") for path in sources if path.suffix == ".po")]
    newest = max(path.stat().st_mtime_ns for path in sources)
    if all(path.exists() and path.stat().st_mtime_ns >= newest for path in compiled):
        return
    lines = []
    for code in sorted({path.name for room in ROOMS for path in room.iterdir() if path.is_dir()}):
        missing = [text for room in ROOMS for text in _compile(room, code)]
        if missing:
            number = f"{len(missing)} texts are missing or wrong"
            sys.stderr.write(f"{code} is not offered yet: {number}, such as {missing[0]}\n")
        own_name = str(Locale.parse(code).display_name)
        lines.append(f"{code}\t{own_name[0].upper()}{own_name[1:]}\t{len(missing)}\n")
    LANGUAGES.write_text("".join(lines), encoding="utf-8")


def _compile(room: Path, code: str) -> list[str]:
    """Write the ``.mo`` of one catalog, and return the texts that it leaves to English."""
    source = room / code / "LC_MESSAGES" / "messages.po"
    if not source.exists():
        return [f"{source} is missing."]
    catalog = read_po(BytesIO(source.read_bytes()), locale=code)
    wanted = read_po(BytesIO((room / "messages.pot").read_bytes()))
    missing = []
    for message in wanted:
        known = catalog.get(message.id, message.context) if message.id else None
        if message.id and (known is None or not _is_translated(known)):
            missing.append(repr(message.id))
            catalog.delete(message.id, message.context)
    with source.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)
    return missing


def _is_translated(message: Message) -> bool:
    """Return whether all forms are there, none is uncertain, and they fill in only what the English does."""
    texts = [message.id] if isinstance(message.id, str) else message.id
    forms = [message.string] if isinstance(message.string, str) else message.string or [""]
    given = {name for text in texts for name in FILLED_IN.findall(text)}
    return not message.fuzzy and all(
        form and given.issuperset(FILLED_IN.findall(form)) and not re.search("[{}]", FILLED_IN.sub("", form))
        for form in forms
    )


if __name__ == "__main__":  # as build tools run it
    from setuptools import setup

    compile_catalogs()
    setup()
