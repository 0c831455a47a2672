from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_keywords, parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import scoring
from scoring import WINDOW_PATTERNS, Color, Die, Tool
from scoring.words import LANGUAGES, Sentence, Thing, sentence, words_in

FOLDER = Path(scoring.__file__).parent / "translations"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
NAMES = {
    "color",
    "house rule",
    "line",
    "objective",
    "tool",
    "window",
}  # the contexts of names of things of the game

Text = str | tuple[str, ...]
Key = tuple[str | None, Text]


def texts_in_the_program() -> set[Key]:
    """Return context and text of everything in scoring that asks for a translation."""
    with (FOLDER / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    keywords = {**DEFAULT_KEYWORDS, **parse_keywords(["sentence", "counted:1,2"])}
    found = extract_from_dir(FOLDER.parent, methods, options, keywords)
    return {(context, text) for _, _, text, _, context in found}


def catalog(language: str) -> Catalog:
    """Return the committed translations of a language."""
    return read_po(BytesIO((FOLDER / language / "LC_MESSAGES" / "game.po").read_bytes()), locale=language)


def messages(known: Catalog) -> Iterator[Message]:
    """Yield the messages of a catalog without its header."""
    return (message for message in known if message.id)


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the text, or each of its plural forms."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def key(message: Message) -> Key:
    """Return what tells a message from the others. From a compiled file Babel reads contexts as bytes."""
    context: str | bytes | None = message.context
    known = context.decode() if isinstance(context, bytes) else context
    return known, message.id if isinstance(message.id, str) else tuple(message.id)


def braces(text: str) -> set[str]:
    """Return the names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def calls_of_sentences() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of ``sentence`` and ``counted`` in scoring, with the place where it stands."""
    for path in sorted(FOLDER.parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"sentence", "counted"}:
                yield f"{path.name}:{node.lineno}", node


def test_every_template_is_a_plain_text_that_names_what_it_is_given() -> None:
    """Templates can be found for translation, and their braces are filled by the things in the same call."""
    found = list(calls_of_sentences())
    assert len(found) > 10
    for place, call in found:
        templates = call.args[:1] if call.func.id == "sentence" else call.args[:2]  # type: ignore[attr-defined]
        given = {keyword.arg for keyword in call.keywords}
        for template in templates:
            assert isinstance(template, ast.Constant), place
            assert isinstance(template.value, str), place
            assert braces(template.value) - {"count"} == given, place


def test_the_template_file_holds_all_texts() -> None:
    """The file that new translations start from has every name and sentence of the program, and no other."""
    with (FOLDER / "game.pot").open("rb") as file:
        assert {key(message) for message in messages(read_po(file))} == texts_in_the_program()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str) -> None:
    """No name or sentence is missing, left over, empty or marked as uncertain in a language."""
    known = {key(message): message for message in messages(catalog(language))}
    assert set(known) == texts_in_the_program()
    for message in known.values():
        assert all(forms(message.string)), message.id
        assert not message.fuzzy, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_fill_in_the_same_things(language: str) -> None:
    """A translation has the same names in braces as the English; only a count may be left to the words."""
    for message in messages(catalog(language)):
        wanted = set().union(*map(braces, forms(message.id)))
        for form in forms(message.string):
            assert braces(form) <= wanted, form
            assert wanted - braces(form) <= {"count"}, form


@pytest.mark.parametrize(("language", "number"), [("fr", 2), ("ja", 1), ("ru", 3)])
def test_counted_sentences_have_the_forms_of_their_language(language: str, number: int) -> None:
    """French has two plural forms, Japanese one and Russian three."""
    counted = [message for message in messages(catalog(language)) if not isinstance(message.id, str)]
    assert counted
    assert {len(forms(message.string)) for message in counted} == {number}


@pytest.mark.parametrize(("language", "end"), [("fr", "."), ("ja", "。"), ("ru", ".")])
def test_sentences_stay_sentences(language: str, end: str) -> None:
    """What ends with a full stop in English does so in every language, and nothing has blanks to spare."""
    for message in messages(catalog(language)):
        for form in forms(message.string):
            assert form.endswith(end) == forms(message.id)[0].endswith("."), form
            assert form == " ".join(form.split(" ")).strip(), form


EXAMPLES: dict[str, Thing] = {
    "cells": ((2, 4), (3, 4)),
    "die": Die.parse("R3"),
    "color": Color.PURPLE,
    "tools": (Tool.LATHEKIN, Tool.TAP_WHEEL),
    "window": WINDOW_PATTERNS["Komorebi"],
}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_can_be_said_of_something(language: str) -> None:
    """Filled in, each sentence names all its things as the language names them, and no brace is left."""
    words = words_in(language)
    for message in messages(catalog(language)):
        if message.context is not None:
            continue
        singular, *plural = forms(message.id)
        names = sorted(braces(singular) | braces("".join(plural)))
        things = tuple((name, EXAMPLES.get(name, f"<{name}>")) for name in names if name != "count")
        for count in (1, 2, 5) if plural else (None,):
            counts = (("count", count),) if count is not None else ()
            said = Sentence(singular, (*things, *counts), plural[0] if plural else None, count)
            text = words.say(said)
            assert text != str(said)
            assert not re.search(r"[{}]", text)
            assert all(words.say(sentence("{it}", it=thing)) in text for _, thing in things), text


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_name_says_whose_it_is(language: str) -> None:
    """A name is marked as official, with its source, or as ours."""
    for message in messages(catalog(language)):
        if message.context in NAMES:
            (mark,) = message.user_comments
            assert re.fullmatch(r"ours|official: \S.+", mark), message.id


def test_russian_windows_are_called_as_in_the_data() -> None:
    """The names of the Russian cards are the same in the catalog and in the file of the patterns."""
    known = {key(message): message for message in messages(catalog("ru"))}
    for name, pattern in WINDOW_PATTERNS.items():
        message = known["window", name]
        printed = dict(pattern.names).get("ru")
        assert (message.user_comments == ["ours"]) == (printed is None)
        assert printed in (None, message.string)


def test_french_signs_do_not_begin_a_line() -> None:
    """In French a colon and its like stand behind a blank at which no line may break."""
    for message in messages(catalog("fr")):
        for form in forms(message.string):
            assert not re.search(r" [:;?!»%]|« ", form), form


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_catalogs_are_current(language: str) -> None:
    """The compiled file, which the program reads, says what the text file says."""
    with (FOLDER / language / "LC_MESSAGES" / "game.mo").open("rb") as file:
        compiled = {key(message): forms(message.string) for message in messages(read_mo(file))}
    assert compiled == {key(message): forms(message.string) for message in messages(catalog(language))}
