from __future__ import annotations

import re

import pytest

from scoring import WINDOW_PATTERNS, Color, Die, Tool
from scoring.sentences import Sentence, Thing, sentence
from scoring.words import words_in
from tests.catalogs import TRANSLATED, catalog, filled_in, forms, key, messages

NAMES = {"color", "house rule", "line", "objective", "tool", "window"}
"""The contexts of names of things of the game."""


@pytest.mark.parametrize(("language", "end"), [("fr", "."), ("ja", "。"), ("ru", ".")])
def test_sentences_stay_sentences(language: str, end: str) -> None:
    """What ends with a full stop in English does so in every language, and nothing has blanks to spare."""
    for message in messages(catalog("scoring", language)):
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
    for message in messages(catalog("scoring", language)):
        if message.context is not None or message.fuzzy:
            continue
        singular, *plural = forms(message.id)
        names = sorted(filled_in(singular) | filled_in("".join(plural)))
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
    for message in messages(catalog("scoring", language)):
        if message.context in NAMES:
            # Babel reads the English of a fuzzy name, "#| msgid ...", as a comment of a person.
            (mark,) = (comment for comment in message.user_comments if not comment.startswith("|"))
            assert re.fullmatch(r"ours|official: \S.+", mark), message.id


def test_russian_windows_are_called_as_in_the_data() -> None:
    """The names of the Russian cards are the same in the catalog and in the file of the patterns."""
    known = {key(message): message for message in messages(catalog("scoring", "ru"))}
    for name, pattern in WINDOW_PATTERNS.items():
        message = known["window", name]
        printed = dict(pattern.names).get("ru")
        assert (message.user_comments == ["ours"]) == (printed is None)
        assert printed in (None, message.string)
