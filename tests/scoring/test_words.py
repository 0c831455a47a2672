from __future__ import annotations

import re
from functools import reduce
from pathlib import Path

import pytest

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    Problem,
    ProblemCode,
    PublicObjective,
    Restriction,
    Tool,
    WindowPattern,
    cell_name,
    placement_problems,
    score_player,
)
from scoring.lookup import names_to_translate
from scoring.placement.finished import wrong_print
from scoring.placement.next_die import why_not
from scoring.sentences import ENGLISH, Nameable, Sentence, Thing, _joined, counted, sentence
from scoring.words import LANGUAGES, _compiled, words_in

NBSP = "\N{NO-BREAK SPACE}"
LIGHT_SHADES, LATHEKIN, FIRELIGHT = PublicObjective.LIGHT_SHADES, Tool.LATHEKIN, WINDOW_PATTERNS["Firelight"]
ISLANDS = Board.parse("-- G3 -- -- -- / Y2 -- -- R1 R1 / -- -- -- -- -- / -- B4 -- B4 --")
INLAND = Board.empty().replace(1, 1, Die.parse("R1"))


def all_problems() -> dict[str, Problem]:
    """Return a problem of each kind."""
    pattern = WINDOW_PATTERNS["Fractal Drops"]
    found = [
        *placement_problems(ISLANDS, pattern),
        *placement_problems(INLAND, pattern),
        *why_not(ISLANDS, Die.parse("G6"), pattern)[3, 1],
    ]
    return {problem.code: problem for problem in found}


PROBLEMS = all_problems()


def test_there_is_a_problem_of_every_kind() -> None:
    """The examples below leave out no kind of problem."""
    assert set(PROBLEMS) == {code.value for code in ProblemCode}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_every_kind_of_problem_is_said_in_every_language(problem: Problem, language: str) -> None:
    """Problem, rule and what tools have to do with it are whole sentences that name the cells."""
    words = words_in(language)
    said = [problem.sentence, problem.rule, *([problem.about_tools] if problem.about_tools else [])]
    for one in said:
        text = words.say(one)
        assert (text == str(one)) == (language == "en")
        assert text[-1] in ".。"
        assert not re.search(r"[{}]", text)
    if problem.sentence.things:
        assert all(cell_name(cell) in words.say(problem.sentence) for cell in problem.cells)


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["C5: red 3 on a space that needs purple.", "C5: red 3 on a space that needs 1."]),
        ("fr", [f"C5{NBSP}: 3 rouge sur une case qui demande {needed}." for needed in ("du violet", "un 1")]),
        ("ja", ["C5：赤の3ですが、ここは「紫」のマスです。", "C5：赤の3ですが、ここは「1」のマスです。"]),
        ("ru", ["C5: красный 3, а здесь нужен фиолетовый.", "C5: красный 3, а здесь нужна яркость 1."]),
    ],
)
def test_a_die_on_the_wrong_space_in_all_languages(language: str, texts: list[str]) -> None:
    """A color or value that the space needs is said as players say it."""
    needs: list[Restriction] = [Color.PURPLE, 1]
    said = [wrong_print((2, 4), Die.parse("R3"), needed)[1] for needed in needs]
    assert [words_in(language).say(one) for one in said] == texts


@pytest.mark.parametrize(
    ("language", "thing", "name"),
    [
        ("en", Die.parse("R3"), "red 3"),
        ("fr", Die.parse("R3"), "3 rouge"),
        ("ja", Die.parse("R3"), "赤の3"),
        ("ru", Die.parse("R3"), "красный 3"),
        ("en", LIGHT_SHADES, "Light Shades"),
        ("fr", LIGHT_SHADES, "Nuances claires"),
        ("ja", LIGHT_SHADES, "明るい色合い"),
        ("ru", LIGHT_SHADES, "Светлые стёкла"),
        ("ru", LATHEKIN, "Прижим"),
        ("ru", FIRELIGHT, "Пламя свечи"),
        ("fr", FIRELIGHT, "Lueur du feu"),
        ("ja", 7, "7"),
        ("ru", "Ann", "Ann"),
    ],
)
def test_things_are_called_by_their_names(language: str, thing: Nameable, name: str) -> None:
    """Dice and cards have names in every language; numbers and players keep theirs."""
    assert words_in(language).name(thing) == name


def test_a_window_of_ones_own_keeps_the_names_it_was_given() -> None:
    """A window that is not in the catalog is called by the names it brings, else by its own."""
    own = WindowPattern("Balboa Bay", 4, FIRELIGHT.cells, names=(("ru", "Бальбоа-Бэй"),))
    assert words_in("ru").name(own) == "Бальбоа-Бэй"
    assert words_in("ja").name(own) == "Balboa Bay"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_the_score_has_a_name(language: str) -> None:
    """Objectives, private objective, tokens and empty cells are named in the score."""
    words = words_in(language)
    lines = score_player(Board.empty(), list(PublicObjective), Color.RED, 2).lines
    names = [words.line(line.name) for line in lines]
    assert len(set(names)) == len(names)
    *objectives, private, tokens, empty = names
    assert objectives == [words.name(objective) for objective in PublicObjective]
    assert private == words.private_objective(Color.RED)
    assert ([tokens, empty] == ["Favor tokens", lines[-1].name]) == (language == "en")


TOOLS = (Tool.LATHEKIN, Tool.TAP_WHEEL, Tool.LENS_CUTTER)


@pytest.mark.parametrize(
    ("language", "thing", "text"),
    [
        ("en", TOOLS, "Lathekin, Tap Wheel or Lens Cutter"),
        ("en", TOOLS[:2], "Lathekin or Tap Wheel"),
        ("en", TOOLS[:1], "Lathekin"),
        ("en", (), ""),
        ("ja", TOOLS, "「ラスキン」、「タップホイール」または「レンズカッター」"),
        ("ru", TOOLS, "«Прижим», «Режущий ролик» или «Стеклорез»"),
        ("ru", LIGHT_SHADES, "«Светлые стёкла»"),
        ("fr", LATHEKIN, f"«{NBSP}Ouvre-plomb{NBSP}»"),
        ("ja", FIRELIGHT, "「火明かり」"),
        ("en", ((0, 0), (2, 4)), "A1, C5"),
        ("ja", ((0, 0), (2, 4)), "A1、C5"),
        ("ja", ("Ann", "Bob"), "Ann、Bob"),
        ("ru", "Ann", "Ann"),
        ("fr", Color.RED, "rouge"),
    ],
)
def test_lists_and_quotes_are_those_of_the_language(language: str, thing: Thing, text: str) -> None:
    """Cells and players are listed, tools are a choice, and cards stand in quotes where that is usual."""
    assert words_in(language).say(sentence("{it}", it=thing)) == text


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", {0: "0 points", 1: "1 point", -1: "−1 point", 2: "2 points", 21: "21 points"}),
        ("fr", {0: "0 point", 1: "1 point", -1: "−1 point", 2: "2 points", 21: "21 points"}),
        ("ja", {0: "0点", 1: "1点", 2: "2点", 21: "21点"}),
        ("ru", {1: "1 очко", -3: "−3 очка", 4: "4 очка", 5: "5 очков", 11: "11 очков", 21: "21 очко"}),
    ],
)
def test_counted_sentences_take_the_form_for_their_number(language: str, texts: dict[int, str]) -> None:
    """One, few and many are told apart as the language does; minus three is said as three is."""
    for number, text in texts.items():
        said = counted("{winner} wins with {count} point.", "{winner} wins with {count} points.", number)
        filled = Sentence(said.template, (*said.things, ("winner", "Ann")), said.plural, said.count)
        assert re.search(rf"(?<![−\d]){text}(?!\w)", words_in(language).say(filled))


def test_several_sentences_follow_each_other_as_in_the_language() -> None:
    """A blank parts two sentences, also within another one, except in Japanese."""
    first, second = ProblemCode.SPACE_TAKEN.rule, ProblemCode.SAME_COLOR_NEIGHBORS.rule
    both = sentence("{what}", what=(first, second))
    assert ENGLISH.say(first, second) == ENGLISH.say(both) == f"{first} {second}"
    japanese = words_in("ja")
    assert japanese.say(first, second) == japanese.say(both) == japanese.say(first) + japanese.say(second)
    assert ENGLISH.say() == ""


@pytest.mark.parametrize(
    ("asked", "code"),
    [("fr", "fr"), ("fr-CA", "fr"), ("JA_jp", "ja"), (" ru ", "ru"), ("English", "en"), ("русский", "ru")],
)
def test_a_language_is_found_by_its_code_or_name(asked: str, code: str) -> None:
    """Codes with a country work as browsers and systems write them, and so do the languages' own names."""
    assert words_in(asked).language == code
    assert words_in(asked) is words_in(code)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_is_not_translated_yet_is_said_in_english(language: str) -> None:
    """A new template is said in English, with the names in it translated, until somebody translates it."""
    words = words_in(language)
    assert (
        words.say(sentence("Brand new: {color}.", color=Color.RED)) == f"Brand new: {words.name(Color.RED)}."
    )


@pytest.mark.parametrize("pattern", ["{first}, {second}", "{first}{second}", "<{first}|{second}>"])
def test_a_list_is_what_two_by_two_would_give(pattern: str) -> None:
    """Each text stands behind all before it as the pattern says."""
    texts = [f"name {number}" for number in range(300)]
    assert _joined(texts, pattern) == reduce(lambda one, two: pattern.format(first=one, second=two), texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_of_every_language_name_the_first_text_first(language: str) -> None:
    """That is what the quick way to put lists together builds on."""
    catalog = words_in(language)._catalog
    for context, pattern in [
        ("two sentences", "{first} {second}"),
        ("list", "{first}, {second}"),
        ("list", "{first} or {second}"),
    ]:
        assert re.fullmatch(r"[^{}]*\{first\}[^{}]*\{second\}[^{}]*", catalog.pgettext(context, pattern))


def test_sentences_can_be_compared_and_kept_in_sets() -> None:
    """A sentence built twice is the same, also when its cells came as a list."""
    made = [sentence("{cells}.", cells=cells) for cells in ([(0, 0)], ((0, 0),))]
    assert len(set(made)) == 1
    assert str(made[0]) == "A1."


def test_translators_are_given_every_name_once() -> None:
    """What is extracted for translation holds each name of the game, with what kind of thing it names."""
    given = [texts for _, _, texts, _ in names_to_translate(None, None, None)]
    assert len(given) == len(set(given))
    assert {("window", name) for name in WINDOW_PATTERNS} < set(given)
    for thing in (*Color, *PublicObjective, *Tool):
        assert ENGLISH.name(thing) in {name for _, name in given}


def test_a_folder_where_nothing_is_compiled_has_no_language(tmp_path: Path) -> None:
    """A checkout that nobody has installed speaks English instead of failing."""
    assert _compiled(tmp_path) == []
