"""Every language keeps to its own signs, and says one thing by one word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.catalogs import SOURCES, catalog, forms, messages

STYLES = Path(__file__).resolve().parent.parent / "webapp" / "static"
SIZES = {".75", ".875", "1", "1.125", "1.25", "1.375", "1.75", "2", "3"}
FILLED_IN = re.compile(r"%\(\w+\)[sd]|\{\w+\}")

SAID_OTHERWISE = {
    "fr": {
        "partie en solo": "partie solo",
        "problème de placement": "erreur de placement",
        "qui sert cette page": "qui héberge cette page",
        "sens horaire": "dans le sens des aiguilles d’une montre",
        "Code QR": "QR code",
        "abîmé": "endommagé",
    },
    "ja": {
        "ダイス": "サイコロ",
        "1人用": "ソロ",
        "他の人": "ほかの人",
        "お試しください": "試してください",
        "○さん": "○",  # a name stands alone, as in the standings
        "順位をつけ": "順位を付け",
        "易し": "やさし",
    },
    "ru": {
        "кто начал игру": "ведущий",
        "Коснитесь": "нажмите на",
        "жетон": "фишка",
        "очень сложно": "очень трудно",
    },
}
"""What is not said, and what is said for it, as in the published rules where they have a word."""


def texts(language: str) -> Iterator[str]:
    """Yield every text of a language, with a circle where something is filled in."""
    for package in SOURCES:
        for message in messages(catalog(package, language)):
            for form in forms(message.string):
                yield FILLED_IN.sub("○", form)


def wrong(language: str, pattern: str) -> list[str]:
    """Return the texts of a language in which a pattern is found."""
    return [text for text in texts(language) if re.search(pattern, text)]


def test_french_apostrophes_are_curly() -> None:
    """French has one apostrophe, the typographic one."""
    assert wrong("fr", r"[^\W\d_]'[^\W\d_]") == []


def test_japanese_has_wide_signs() -> None:
    """Colons, brackets, question and exclamation marks beside Japanese words are full-width."""
    japanese = "[ぁ-ゖァ-ヺ一-龠々ー、。○]"
    assert wrong("ja", rf'{japanese}[:;!?()]|(?<!")[:;!?()] ?{japanese}') == []


def test_japanese_has_one_wave_dash() -> None:
    """From one number to another there is always the same wave."""
    assert wrong("ja", "[～~]") == []


def test_japanese_counts_a_thing_by_one_counter() -> None:
    """Tokens are counted by 個, as the published rules do, and windows by 枚, as other cards."""
    assert wrong("ja", r"トークン[がをは]?(残り)? ?[○0-9]+ ?枚") == []
    assert wrong("ja", r"ウィンドウ(が|を|は|がほかに)? ?[○0-9]+ ?個") == []


def test_japanese_names_of_formats_stand_without_blanks() -> None:
    """A blank sets off what is typed as it stands, such as a command, and no everyday name."""
    names = "JSON|Wi-Fi|QR|OpenAPI|PostgreSQL|BG Stats|Board Game Stats"
    assert wrong("ja", rf"[ぁ-ゖァ-ヺ一-龠] ({names})|({names}) [ぁ-ゖァ-ヺ一-龠]") == []


@pytest.mark.parametrize("language", ["fr", "ja", "ru"])
def test_a_size_has_a_sign_of_multiplication(language: str) -> None:
    """What is so and so many wide and high is not written with the letter x."""
    assert wrong(language, r"[○0-9] ?x ?[○0-9]") == []


@pytest.mark.parametrize(
    ("language", "other", "word"),
    [(language, other, word) for language, words in SAID_OTHERWISE.items() for other, word in words.items()],
)
def test_one_thing_has_one_word(language: str, other: str, word: str) -> None:
    """What the rules and the pages call by one word is not called by another one elsewhere."""
    assert wrong(language, re.escape(other)) == [], f"say {word}"


def declared(properties: str) -> Iterator[tuple[str, str]]:
    """Yield what the styles say of some properties, with the file; lengths that are computed are left out."""
    for file in sorted(STYLES.glob("*.css")):
        for value in re.findall(rf"(?<![\w-])(?:{properties}):([^;}}]*)", file.read_text("utf-8")):
            if not re.search(r"clamp|calc|env", value):
                yield file.name, value


def test_the_pages_have_one_type_scale() -> None:
    """Nothing is written in a size of its own."""
    sizes = {
        (file, size)
        for file, value in declared("font|font-size")
        for size in re.findall(r"([\d.]+)rem", value)
    }
    assert {one for one in sizes if one[1] not in SIZES} == set()


def test_the_pages_have_one_spacing_scale() -> None:
    """What lies between things is a hair, or a multiple of 4 pixels."""
    gaps = {
        (file, int(size))
        for file, value in declared("gap|(?:padding|margin)(?:-[a-z-]+)?")
        for size in re.findall(r"(\d+)px", value)
    }
    assert {one for one in gaps if one[1] not in {1, 2} and one[1] % 4} == set()
