"""Windows that players add themselves: promo cards, other editions, patterns of their own.

`custom_window` makes one from what a person typed; `check_window` says what a player should know about it;
`scoring.patterns.collection` keeps many of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from scoring.board import ALL_CELLS, Cell, Color, side_neighbors
from scoring.errors import InvalidValueError
from scoring.names import check_name, plain
from scoring.patterns.patterns import WINDOW_PATTERNS, WindowPattern, WindowSet, name_taken
from scoring.sentences import Sentence, sentence
from scoring.tools import Tool
from scoring.words import LANGUAGES, words_in

MOST_ALIKE = 3  # windows with the same spaces that are named
RESERVED_NAMES = ("auto", "unknown")  # they mean something else where a window is chosen
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def custom_window(
    name: str,
    notation: str,
    difficulty: int | None = None,
    *,
    other_side: str | None = None,
    names: Iterable[tuple[str, str]] = (),
    known: Mapping[str, WindowPattern] = WINDOW_PATTERNS,
) -> WindowPattern:
    """Return a window of the players' own.

    Parameters
    ----------
    name
        What players call it; blanks around it do not count.
    notation
        Its spaces in pattern notation, see `WindowPattern.parse`.
    difficulty
        3 to 6; None when it is not known.
    other_side
        The window on the back of the card, where there is one.
    names
        Pairs of a language code and the name in that language.
    known
        The windows whose names are taken.

    Raises
    ------
    InvalidValueError
        The name, the difficulty or a language is not allowed.
    NotationError
        The spaces are not in pattern notation.

    Examples
    --------
    >>> custom_window("Four Corners", "R...B / ..... / ..... / 1...6", 3)[3, 4]
    6
    >>> custom_window("Firmitas", "R...B / ..... / ..... / 1...6")
    Traceback (most recent call last):
    scoring.errors.InvalidValueError: "Firmitas" is already the name of a card of the game. Give it
    another name.
    """
    parsed = WindowPattern.parse(notation, name, difficulty)
    window = made_custom(replace(parsed, other_side=other_side, names=tuple(names)))
    check_free(window, known)
    return window


def check_window_name(name: str) -> str:
    """Return ``name`` as it is kept, or raise an `InvalidValueError`; see `check_name`."""
    kept = check_name(name)
    if plain(kept) in RESERVED_NAMES:
        raise InvalidValueError(
            "reserved_name",
            sentence('"{name}" means something else where a window is chosen.', name=kept),
            sentence("Give it another name."),
        )
    return kept


def check_window(
    window: WindowPattern, known: Mapping[str, WindowPattern] = WINDOW_PATTERNS
) -> tuple[Sentence, ...]:
    """Say what a player should know about a window. None of it is an error.

    Examples
    --------
    >>> for notice in check_window(WindowPattern.parse("RR... / ..... / ..... / .....", "Mine", 3)):
    ...     print(notice)
    A1, A2 lie side by side and both need red: without Eglomise Brush only one can hold a die.
    """
    unknown = sentence(
        "Its difficulty is not known. The dots on the card are the favor tokens to start with."
    )
    return (*check_spaces(window, known), *([unknown] if window.difficulty is None else []))


def check_spaces(
    window: WindowPattern, known: Mapping[str, WindowPattern] = WINDOW_PATTERNS
) -> tuple[Sentence, ...]:
    """Say what a player should know about what is printed on a window, part of `check_window`."""
    turned = window.rotated_180().cells
    alike = [
        sentence("It has the same spaces as {window}.", window=other)
        if other.cells == window.cells
        else sentence("Turned upside down, it has the same spaces as {window}.", window=other)
        for other in known.values()
        if other.cells in (window.cells, turned) and plain(other.name) != plain(window.name)
    ]
    notices = [_neighbors_notice(window, pair) for pair in equal_neighbors(window)] + alike[:MOST_ALIKE]
    if all(window[cell] is None for cell in ALL_CELLS):
        notices.append(sentence("Nothing is printed on it: every space takes any die."))
    if window.doubtful:
        notices.append(doubt_of(window))
    return tuple(notices)


def doubt_of(window: WindowPattern) -> Sentence:
    """Say that sources do not agree on what is printed on some spaces of a card."""
    return sentence(
        "What is printed on {cells} of {window} is not certain: dice for either print are taken there. "
        "Look at your card.",
        cells=[cell for cell, _ in window.doubtful],
        window=window,
    )


def equal_neighbors(window: WindowPattern) -> tuple[tuple[Cell, Cell], ...]:
    """Return the pairs of spaces that share a side and are printed alike, in reading order."""
    return tuple(
        (cell, neighbor)
        for cell in ALL_CELLS
        for neighbor in side_neighbors(cell)
        if cell < neighbor and window[cell] is not None and window[cell] == window[neighbor]
    )


def can_be_filled(window: WindowPattern) -> bool:
    """Return whether 20 dice can lie in the window under all rules, without a tool.

    They can unless two spaces that share a side are printed alike. A space has at most four neighbors, so one
    of five colors and one of six values is always left for a free one, in whatever order they are filled; and
    the rules on color and on value do not get in each other's way.
    """
    return not equal_neighbors(window)


def made_custom(window: WindowPattern) -> WindowPattern:
    """Return the window marked as custom, with its names checked."""
    names: dict[str, str] = {}
    for language, name in window.names:
        if not LANGUAGE_CODE.fullmatch(language) or language in names:
            raise InvalidValueError(
                "bad_language",
                sentence('"{language}" is no language code, or it is there twice.', language=language),
                sentence("Give one name for each language, with a code such as fr or pt-BR."),
            )
        names[language] = check_window_name(name)
    return replace(
        window,
        name=check_window_name(window.name),
        names=tuple(sorted(names.items())),
        other_side=None if window.other_side is None else check_window_name(window.other_side),
        promo=False,
        custom=True,
        comes_in=WindowSet.BASE,
        doubtful=(),
    )


def check_free(window: WindowPattern, known: Mapping[str, WindowPattern]) -> None:
    """Raise an error when a name of the window is that of a known one, in any language."""
    taken = {plain(name): one for one in known.values() for name in one.all_names}
    for words in map(words_in, LANGUAGES):
        taken |= {plain(words.name(one)): one for one in known.values()}
    for name in window.all_names:
        if plain(name) in taken:
            raise name_taken(name, taken[plain(name)])


def _neighbors_notice(window: WindowPattern, pair: tuple[Cell, Cell]) -> Sentence:
    """Say that two spaces side by side cannot both be filled."""
    space = window[pair[0]]
    if isinstance(space, Color):
        return sentence(
            "{cells} lie side by side and both need {color}: without {tools} only one can hold a die.",
            cells=pair,
            color=space,
            tools=(Tool.EGLOMISE_BRUSH,),
        )
    assert space is not None  # noqa: S101  two free spaces are no pair
    return sentence(
        "{cells} lie side by side and both need a {value}: without {tools} only one can hold a die.",
        cells=pair,
        value=space,
        tools=(Tool.COPPER_FOIL_BURNISHER,),
    )
