"""The description for programs in other languages: complete, compiled, and true to the names in JSON."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

import webapp
from scoring.words import LANGUAGES
from webapp.openapi import document
from webapp.openapi.listing import texts

FOLDER = Path(webapp.__file__).parent / "translations"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
CODE = re.compile(r"`[^`]*`|\{\w+\}")


def catalog(language: str) -> Catalog:
    """Return the committed translations of a language."""
    return read_po(BytesIO((FOLDER / language / "LC_MESSAGES" / "api.po").read_bytes()), locale=language)


def said(known: Catalog) -> dict[str, str]:
    """Return each text of a catalog with its translation."""
    return {str(message.id): str(message.string) for message in known if message.id}


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_catalog_holds_what_the_description_says_and_nothing_else(language: str) -> None:
    """No text is missing, empty or uncertain in a language, and none is left over."""
    known = catalog(language)
    assert said(known).keys() == texts()
    assert all(said(known).values())
    assert not any(message.fuzzy for message in known if message.id)


@pytest.mark.parametrize("language", TRANSLATED)
def test_names_in_json_are_the_same_in_every_language(language: str) -> None:
    """What stands in backticks or braces is never translated, left out or added."""
    for english, other in said(catalog(language)).items():
        assert Counter(CODE.findall(other)) == Counter(CODE.findall(english)), english


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalog_is_current(language: str) -> None:
    """The compiled file, which the program reads, says what the text file says."""
    with (FOLDER / language / "LC_MESSAGES" / "api.mo").open("rb") as file:
        assert said(read_mo(file)) == said(catalog(language))


def test_french_signs_do_not_begin_a_line() -> None:
    """In French a colon and its like stand behind a blank at which no line may break."""
    for text in said(catalog("fr")).values():
        assert not re.search(r" [:;?!»%]|« ", re.sub(r"`[^`]*`", "", text)), text


def bare(part: Any) -> Any:  # noqa: ANN401
    """Return a part of the document without what is said in it."""
    if isinstance(part, list):
        return [bare(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: bare(one)
        for key, one in part.items()
        if key not in ("summary", "description") or not isinstance(one, str)
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_document_differs_between_languages_in_its_words_only(client: FlaskClient, language: str) -> None:
    """A program that reads the document finds the same actions, keys and types in every language."""
    served = client.get("/api/v1/openapi.json", headers={"Accept-Language": language}).get_json()
    assert bare(served) == bare(document())
    assert served["info"]["description"] != document()["info"]["description"]


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_page_for_programs_is_in_the_language_of_its_reader(client: FlaskClient, language: str) -> None:
    """Summaries, descriptions, fields and errors of the page are translated, and it says so to nobody."""
    page = client.get("/api/v1/", headers={"Accept-Language": language}).get_data(as_text=True)
    words = said(catalog(language))
    for english in ("Readings", "Delete a reading and its photo for good", "Done."):
        assert words[english] in page
    assert 'lang="en"' not in page.split("<main", 1)[1].split("</main>", 1)[0]
