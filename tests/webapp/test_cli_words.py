"""What the terminal says in other languages: complete, compiled, and with the same things in braces."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import webapp
from scoring import Color, Tool
from scoring.words import LANGUAGES, sentence
from webapp.cli_words import terminal_words_in

FOLDER = Path(webapp.__file__).parent / "translations"
TRANSLATED = [language for language in LANGUAGES if language != "en"]

Text = str | tuple[str, ...]


def texts_in_the_program() -> set[Text]:
    """Return every sentence that the terminal says."""
    keywords = parse_keywords(["sentence", "counted:1,2"])
    found = extract_from_dir(FOLDER.parent, [("**.py", "python")], keywords=keywords)
    return {text for _, _, text, _, _ in found}


def catalog(language: str) -> Catalog:
    """Return the committed translations of a language."""
    return read_po(BytesIO((FOLDER / language / "LC_MESSAGES" / "terminal.po").read_bytes()), locale=language)


def messages(known: Catalog) -> Iterator[Message]:
    """Yield the messages of a catalog without its header."""
    return (message for message in known if message.id)


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the text, or each of its plural forms."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def braces(text: str) -> set[str]:
    """Return the names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogs_hold_what_the_terminal_says_and_nothing_else(language: str) -> None:
    """No sentence is missing, empty or uncertain in a language, and none is left over."""
    assert {message.id for message in messages(catalog(language))} == texts_in_the_program()
    for message in messages(catalog(language)):
        assert all(forms(message.string)), message.id
        assert not message.fuzzy


@pytest.mark.parametrize("language", TRANSLATED)
def test_each_form_names_the_same_things(language: str) -> None:
    """A translation fills in what the English does, and there are as many forms as the language has."""
    for message in messages(catalog(language)):
        wanted = braces(forms(message.id)[0])
        assert all(braces(form) == wanted for form in forms(message.string)), message.id
        assert len(forms(message.string)) == (catalog(language).num_plurals if message.pluralizable else 1)


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_catalogs_are_current(language: str) -> None:
    """The compiled file, which the program reads, says what the text file says."""
    with (FOLDER / language / "LC_MESSAGES" / "terminal.mo").open("rb") as file:
        compiled = read_mo(file)
    assert {forms(one.id): forms(one.string) for one in messages(compiled)} == {
        forms(one.id): forms(one.string) for one in messages(catalog(language))
    }


def test_french_signs_do_not_begin_a_line() -> None:
    """In French a colon and its like stand behind a blank at which no line may break."""
    for message in messages(catalog("fr")):
        for form in forms(message.string):
            assert not re.search(r" [:;?!»]|« ", form), form


def test_english_needs_no_catalog() -> None:
    """In English the sentences say what stands in the program."""
    assert terminal_words_in("en").say(sentence("Total")) == "Total"


def test_words_of_the_game_stand_behind_those_of_the_terminal() -> None:
    """Names and sentences of the rules are said too, in the same language."""
    words = terminal_words_in("ru-RU")
    assert words.say(sentence("Total")) == "Итого"
    assert words.name(Color.RED) == "красный"
    assert words.say(sentence("{tools} allows that.", tools=[Tool.LATHEKIN])) != "Lathekin allows that."


def test_no_sentence_is_said_in_two_ways() -> None:
    """The terminal has no words for what the catalog of the game says already."""
    game = gettext.translation("game", str(FOLDER.parent.parent / "scoring" / "translations"), ["ru"])
    texts = [text for text in texts_in_the_program() if isinstance(text, str)]
    assert [text for text in texts if game.gettext(text) != text] == []
