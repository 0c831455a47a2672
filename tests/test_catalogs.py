"""Every language says everything, and with the same things in it as the English does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from itertools import chain, product
from pathlib import Path

import pytest
from babel.messages.frontend import CommandLineInterface

import setup
from scoring.words import LANGUAGES, OFFERED_FROM
from tests.catalogs import (
    ROOT,
    SOURCES,
    TRANSLATED,
    catalog,
    filled_in,
    forms,
    key,
    messages,
    template,
    texts_in_the_program,
)

MAKERS = {"sentence", "counted", "english"}
CATALOGS = [*product(SOURCES, TRANSLATED)]


def calls_of_sentences() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call that makes a sentence, with the place where it stands."""
    for source in chain.from_iterable(SOURCES.values()):
        for path in sorted((ROOT / source).glob("**/*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS:
                    yield f"{path.name}:{node.lineno}", node


def test_every_template_is_a_plain_text_that_names_what_it_is_given() -> None:
    """Templates can be found for translation, and their braces are filled by the things in the same call."""
    found = list(calls_of_sentences())
    assert len(found) > 500
    for place, call in found:
        is_counted = call.func.id == "counted"  # type: ignore[attr-defined]
        given = {keyword.arg for keyword in call.keywords}
        for one in call.args[: 2 if is_counted else 1]:
            assert isinstance(one, ast.Constant), place
            assert isinstance(one.value, str), place
            assert filled_in(one.value) - ({"count"} if is_counted else set()) == given, place


@pytest.mark.parametrize("package", SOURCES)
def test_the_template_file_holds_all_texts(package: str, tmp_path: Path) -> None:
    """What translations start from holds every text of the program (`make translations`) and no other."""
    texts = texts_in_the_program(package, tmp_path / "messages.pot")
    assert len(texts) > 200
    assert {key(message) for message in messages(template(package))} == texts


@pytest.mark.parametrize(("package", "language"), CATALOGS)
def test_nearly_every_text_is_translated(package: str, language: str) -> None:
    """A catalog has the texts of the program and no other (`make translations`), nearly all translated."""
    known = {key(message): message for message in messages(catalog(package, language))}
    assert set(known) == {key(message) for message in messages(template(package))}
    done = [message for message in known.values() if all(forms(message.string))]
    assert len(done) >= OFFERED_FROM / 100 * len(known)


def french(tmp_path: Path, before: str, *texts: str) -> list[str]:
    """Return what French says for ``texts`` where ``before`` is translated, as `make translations` has it."""
    room = tmp_path / "room"
    (room / "fr" / "LC_MESSAGES").mkdir(parents=True)
    catalog_file, pot = room / "fr" / "LC_MESSAGES" / "messages.po", room / "messages.pot"
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n'
    catalog_file.write_text(f'{head}\nmsgid "{before}"\nmsgstr "En français {{die}}"\n', "utf-8")
    pot.write_text("\n".join(f'msgid "{text}"\nmsgstr ""\n' for text in texts))
    options = re.findall(r"^UPDATE +:= \$\(PYBABEL\) (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[0]
    command = ["pybabel", "-q", *options.split(), "-i", str(pot), "-d", str(room)]
    CommandLineInterface().run(command)  # type: ignore[no-untyped-call]
    setup._compile(room, "fr")
    with catalog_file.with_suffix(".mo").open("rb") as compiled:
        translations = GNUTranslations(compiled)
    return [translations.gettext(text) for text in texts]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("The die {die} may not lie there now.", "En français {die}"),
        ("The die {die} may not lie there.", "En français {die}"),
        ("The cell {cell} may not lie there.", "The cell {cell} may not lie there."),
        ("A window of your own has {die}.", "A window of your own has {die}."),
    ],
)
def test_a_translation_outlives_a_small_change_of_the_english(tmp_path: Path, after: str, said: str) -> None:
    """It is shown until somebody looks at it, unless the English fills in else or is another sentence."""
    assert french(tmp_path, "The die {die} may not lie there.", after) == [said]


def test_a_new_text_is_not_said_as_one_that_is_like_it(tmp_path: Path) -> None:
    """Another card's rule would be wrong, so a new text is English until somebody translates it."""
    texts = ("The die {die} may not lie there.", "The die {die} may not lie here.")
    assert french(tmp_path, texts[0], *texts) == ["En français {die}", texts[1]]


def test_every_language_that_is_worked_on_is_offered() -> None:
    """What the compiler of the catalogs holds for complete is what the tests here do."""
    assert [*LANGUAGES] == ["en", *TRANSLATED]


@pytest.mark.parametrize(("package", "language"), CATALOGS)
def test_translations_fill_in_the_same_things(package: str, language: str) -> None:
    """A translation has the same names in it as the English; only a count may be left to the words."""
    for message in messages(catalog(package, language)):
        wanted = set().union(*map(filled_in, forms(message.id)))
        for form in forms(message.string):
            assert filled_in(form) <= wanted, form
            assert wanted - filled_in(form) <= {"count", "num"}, form


@pytest.mark.parametrize(("language", "number"), [("fr", 2), ("ja", 1), ("ru", 3)])
@pytest.mark.parametrize("package", SOURCES)
def test_counted_texts_have_the_forms_of_their_language(package: str, language: str, number: int) -> None:
    """French has two plural forms, Japanese one and Russian three."""
    counted = [message for message in messages(catalog(package, language)) if message.pluralizable]
    assert {len(forms(message.string)) for message in counted} == {number}


@pytest.mark.parametrize("package", SOURCES)
def test_french_signs_do_not_begin_a_line(package: str) -> None:
    """In French a colon and its like stand behind a blank at which no line may break."""
    for message in messages(catalog(package, "fr")):
        for form in forms(message.string):
            assert not re.search(r" [:;?!»]| %%| %$|\} %|« ", form), form


def test_no_text_stands_in_two_catalogs() -> None:
    """What the catalog of the game says already is not said in two ways."""
    game, companion = ({key(message) for message in messages(template(package))} for package in SOURCES)
    assert game & companion == set()
