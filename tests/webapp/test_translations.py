from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import webapp
from scoring.words import LANGUAGES

FOLDER = Path(webapp.__file__).parent / "translations"
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2"), ("**/templates/**.svg", "jinja2")]
KEYWORDS = {"_": None, "gettext": None, "lazy_gettext": None, "ngettext": (1, 2)}
TRANSLATED = [language for language in LANGUAGES if language != "en"]

Message = str | tuple[str, ...]


def messages_in_the_program() -> set[Message]:
    """Return every text that the program asks a translation for."""
    found = extract_from_dir(FOLDER.parent, METHODS, keywords=KEYWORDS)
    return {message for _, _, message, _, _ in found}


def catalog(language: str) -> Catalog:
    """Return the committed translations of a language."""
    return read_po(BytesIO((FOLDER / language / "LC_MESSAGES" / "messages.po").read_bytes()), locale=language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str) -> None:
    """No text of the program is missing, empty or marked as uncertain in a language."""
    known = {message.id: message for message in catalog(language) if message.id}
    for message in messages_in_the_program():
        assert message in known, f"run pybabel update: {message}"
        forms = known[message].string
        assert all(forms if isinstance(forms, tuple | list) else [forms]), message
        assert not known[message].fuzzy


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_left_over(language: str) -> None:
    """A text that left the program leaves the catalogs too."""
    left = {message.id for message in catalog(language) if message.id} - messages_in_the_program()
    assert not left


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_the_same_in_every_language(language: str) -> None:
    """A translation fills in the same values; only the number of a plural form may be left out."""
    for message in catalog(language):
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple | list) else [message.id]
        forms = message.string if isinstance(message.string, tuple | list) else [message.string]
        wanted = {name for text in ids for name in placeholders(text)}
        for form in map(str, forms):
            assert placeholders(form) <= wanted, form
            assert wanted - placeholders(form) <= {"num"}, form


def placeholders(text: str) -> set[str]:
    """Return the names of the values that a text fills in."""
    return {one or other for one, other in re.findall(r"%\((\w+)\)[sd]|\{(\w+)\}", text)}


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_catalogs_are_current(language: str) -> None:
    """The compiled file, which the program reads, says what the text file says."""
    with (FOLDER / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        compiled = read_mo(file)
    assert texts(compiled) == texts(catalog(language))


def texts(known: Catalog) -> dict[object, object]:
    """Return what a catalog translates into what; the two formats hold plural forms in lists or tuples."""

    def plain(text: object) -> object:
        return tuple(text) if isinstance(text, list) else text

    return {plain(message.id): plain(message.string) for message in known if message.id}


def test_french_signs_do_not_begin_a_line() -> None:
    """In French a colon and its like stand behind a blank at which no line may break."""
    for message in catalog("fr"):
        for form in message.string if isinstance(message.string, tuple | list) else [message.string]:
            assert not message.id or not re.search(r" [:;?!»]| %%|\} %|« ", str(form)), form
