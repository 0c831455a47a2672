"""The translations as they stand in the project, and the texts that the program asks them for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
TRANSLATED = sorted(path.name for path in (ROOT / "scoring" / "translations").iterdir() if path.is_dir())
"""The languages that are worked on."""

SOURCES = {"scoring": ["scoring"], "webapp": ["webapp", "vision", "calibration"]}
"""The packages that hold a catalog, and where its texts come from."""

Text = str | tuple[str, ...]
Key = tuple[str | None, Text]


@cache
def template(package: str) -> Catalog:
    """Return the file that translations of a package start from."""
    with (ROOT / package / "translations" / "messages.pot").open("rb") as file:
        return read_po(file)


@cache
def catalog(package: str, language: str) -> Catalog:
    """Return the translations of a language."""
    with (ROOT / package / "translations" / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def texts_in_the_program(package: str, file: Path) -> set[Key]:
    """Return context and text of all that asks for a translation, as `make translations` finds it."""
    (command,) = re.findall(
        r"^EXTRACT +:= .*(extract [^\\\n]*)\\\n([^\n]*)$", (ROOT / "Makefile").read_text(), re.MULTILINE
    )
    words = " ".join(command).split()
    sources = [str(ROOT / source) for source in SOURCES[package]]
    options = [str(ROOT / word) if word == "pyproject.toml" else word for word in words]
    CommandLineInterface().run(["pybabel", "-q", *options, "-o", str(file), *sources])  # type: ignore[no-untyped-call]
    with file.open("rb") as found:
        return {key(message) for message in messages(read_po(found))}


def messages(known: Catalog) -> Iterator[Message]:
    """Yield the messages of a catalog without its header."""
    return (message for message in known if message.id)


def key(message: Message) -> Key:
    """Return what tells a message from the others."""
    return message.context, message.id if isinstance(message.id, str) else tuple(message.id)


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the text, or each of its plural forms."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def filled_in(text: str) -> set[str]:
    """Return the names of the values that a text fills in."""
    return {one or other for one, other in re.findall(r"%\((\w+)\)[sd]|\{(\w+)\}", text)}
