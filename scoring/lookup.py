"""Finding a color, die or card by what people call it, in any of the languages that there are words in.

``Color.from_name`` and its like know the English names. Whoever asks people for a name looks here, so that
they can type what is printed on their own cards, or the beginning of it that fits no other card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TypeVar

from scoring.board import DIE_NAME, OTHER_KINDS, Board, Color, Die, color_of_letter, in_plain_signs
from scoring.errors import NotationError, UnknownNameError
from scoring.names import Kind, find_name, not_in_use
from scoring.patterns.patterns import EVERY_WINDOW, WINDOW_PATTERNS, WindowPattern, WindowSet
from scoring.points.objectives import PublicObjective
from scoring.points.private import PRIVATE_OBJECTIVES, MarkedSpaces, PrivateObjective
from scoring.points.totals import score_player
from scoring.sentences import ENGLISH
from scoring.tools import EXPANSION_TOOLS, HouseRule, Tool
from scoring.words import LANGUAGES, words_in

_DIE_IN_WORDS = re.compile(r"(?P<before>[^\d]*?)[\s-]*の?(?P<value>[1-6１-６])[\s-]*(?P<after>[^\d]*)")

Known = TypeVar("Known", Color, PublicObjective, PrivateObjective, Tool, HouseRule, WindowPattern)


def color_called(name: str) -> Color:
    """Return the color of that name or letter, or the one of the private objective of that name.

    Raises
    ------
    UnknownNameError
        No color is called that in any language; the error suggests the nearest.

    Examples
    --------
    >>> color_called("фиолетовый")
    <Color.PURPLE: 'P'>
    >>> color_called("Nuances de violet")
    <Color.PURPLE: 'P'>
    """
    return color_of_letter(name) or _thing_called(name, "color", Color, _private_objectives())


def die_called(name: str) -> Die:
    """Return the die that notation or words name: ``"R2"``, ``"red 2"``, ``"赤の2"``.

    Raises
    ------
    NotationError
        It is neither.

    Examples
    --------
    >>> print(die_called("rouge 2"), die_called("2 purple"))
    R2 P2
    """
    try:
        return Die.parse(name)
    except NotationError:
        words = _DIE_IN_WORDS.fullmatch(name.strip())
        if words is None:
            raise
        with suppress(UnknownNameError):
            return Die(color_called(words["before"] or words["after"]), int(words["value"]))
        raise


def private_called(name: str) -> PrivateObjective:
    """Return the private objective of that color, letter or name; raise an `UnknownNameError` for none.

    Examples
    --------
    >>> private_called("синий"), private_called("ограда")
    (<Color.BLUE: 'B'>, <MarkedSpaces.FENCE: 'Fence'>)
    """
    return color_of_letter(name) or _thing_called(
        name, "objective", PRIVATE_OBJECTIVES, _private_objectives()
    )


def objective_called(name: str) -> PublicObjective:
    """Return the public objective of that name; raise an `UnknownNameError` when there is none.

    Examples
    --------
    >>> objective_called("светлые стекла")
    <PublicObjective.LIGHT_SHADES: 'Light Shades'>
    """
    cards: tuple[PublicObjective, ...] = (*PublicObjective, *PublicObjective.added())
    return _thing_called(name, "objective", cards)


def tool_called(name: str) -> Tool:
    """Return the tool card of that name or number; raise an `UnknownNameError` when there is none.

    Examples
    --------
    >>> tool_called("Стеклорез")
    <Tool.LENS_CUTTER: 'Lens Cutter'>
    >>> tool_called("Молоток")
    Traceback (most recent call last):
    scoring.errors.UnknownNameError: There is no tool called "Молоток". Did you mean Стекольный молоток?
    """
    numbers = {str(tool.number): tool for tool in Tool}
    return numbers.get(in_plain_signs(name).strip()) or _thing_called(name, "tool", (*Tool, *Tool.added()))


def house_rule_called(name: str) -> HouseRule:
    """Return the house rule of that name; raise an `UnknownNameError` when there is none.

    Examples
    --------
    >>> house_rule_called("Pinceau à églomiser : voisins ignorés")
    <HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS: 'Eglomise Brush ignores neighbors'>
    """
    return _thing_called(name, "house rule", HouseRule)


def window_called(name: str, known: Mapping[str, WindowPattern] = WINDOW_PATTERNS) -> WindowPattern:
    """Return the window of that name among those known; raise an `UnknownNameError` when there is none.

    Examples
    --------
    >>> window_called("Attrape-soleil").name
    'Sun Catcher'
    """
    patterns = known.values()
    in_data = {other: pattern for pattern in patterns for _, other in pattern.names}
    try:
        return _thing_called(name, "window", patterns, in_data)
    except UnknownNameError as error:
        if name not in EVERY_WINDOW:
            raise
        raise not_in_use(name, EVERY_WINDOW[name].comes_in.value) from error


def _thing_called(
    name: str, kind: Kind, things: Iterable[Known], more: Mapping[str, Known] | None = None
) -> Known:
    """Return the thing that ``name`` means in any language, or by one of ``more`` names."""
    known = {ENGLISH.name(thing): thing for thing in things}
    others = {words.name(thing): thing for words in map(words_in, LANGUAGES) for thing in known.values()}
    also = {other: ENGLISH.name(thing) for other, thing in {**others, **(more or {})}.items()}
    return known[find_name(name, known, kind, also, known.values(), beginnings=True)]


def _private_objectives() -> dict[str, Color]:
    """Return the color for every name of a private objective."""
    return {words.private_objective(color): color for words in map(words_in, LANGUAGES) for color in Color}


def names_to_translate(
    _file: object, _keywords: object, _comment_tags: object, **_options: object
) -> Iterator[tuple[int, str, tuple[str, str], list[str]]]:
    """Yield the name of everything in the game, in the shape that ``pybabel extract`` wants."""
    other_lines = score_player(Board.empty(), other_points=0).lines
    named = [
        *(("color", color.word) for color in (*Color, *OTHER_KINDS)),
        ("die", DIE_NAME),
        *(("objective", ENGLISH.private_objective(color)) for color in Color),
        *(("line", line.name) for line in other_lines),
        *(
            (card.kind, card.value)
            for card in (*PublicObjective, *MarkedSpaces, *Tool, *EXPANSION_TOOLS, *HouseRule)
        ),
        *(("window", name) for name in WINDOW_PATTERNS.with_sets([WindowSet.FIVE_AND_SIX])),
    ]
    for context, name in named:
        yield 1, "pgettext", (context, name), []
