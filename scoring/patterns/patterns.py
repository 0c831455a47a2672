"""Window patterns: the cards that say which colors and values a space takes, and how that is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from pathlib import Path
from typing import Self

from scoring.board import (
    ALL_CELLS,
    ALL_ROWS,
    COLUMNS,
    ROWS,
    VALUES,
    Cell,
    Color,
    Die,
    cell_from_name,
    cell_name,
    check_cell,
    means_nothing,
    split_cells,
)
from scoring.errors import InvalidValueError, NotationError
from scoring.names import demand_text, find_name, plain
from scoring.sentences import Name, Sentence, sentence

Restriction = Color | int | None
"""What is printed on a space: a color, a value from 1 to 6, or nothing (None)."""

DATA = Path(__file__).parents[1] / "data"
FREE_SIGN = "."
_BY_SIGN: dict[str, Restriction] = {
    FREE_SIGN: None,
    **{color.value: color for color in Color},
    **{str(value): value for value in VALUES},
}
_SIGNS = {space: sign for sign, space in _BY_SIGN.items()}


def parse_spaces(
    text: str, advice: Sentence, advice_on_signs: Sentence, unseen: str = ""
) -> dict[Cell, Restriction]:
    """Return the spaces of a text in pattern notation, without those that have the sign ``unseen``.

    Raises
    ------
    NotationError
        The text is no pattern. A row of another length comes with ``advice``, a wrong sign with the other.
    """
    spaces: dict[Cell, Restriction] = {}
    for cell, sign in split_cells(text, "window pattern", advice):
        if means_nothing(sign):
            spaces[cell] = None
        elif sign.upper() in _BY_SIGN:
            spaces[cell] = _BY_SIGN[sign.upper()]
        elif sign != unseen:
            where = cell_name(cell)
            said = sentence('Space {cell} says "{sign}", which is no restriction.', cell=where, sign=sign)
            raise NotationError("bad_cell", said, advice_on_signs)
    return spaces


def parse_open_cells(text: str) -> dict[Cell, Restriction]:
    """Read what is printed on the cells that lie open: pattern notation with ``?`` where it was not seen.

    Raises
    ------
    NotationError
        The text is no pattern; the error names the row or the space that is wrong.

    Examples
    --------
    >>> parse_open_cells("?R??? / ????? / ????. / 6????")
    {(0, 1): <Color.RED: 'R'>, (2, 4): None, (3, 0): 6}
    """
    return parse_spaces(
        text,
        sentence("Write one character a space, with ? where the print was not seen."),
        sentence("Write a color (R, Y, G, B or P), a value from 1 to 6, . for none, or ? for not seen."),
        unseen="?",
    )


def is_restriction(space: object) -> bool:
    """Return whether a card can print this on a space."""
    return space is None or isinstance(space, Color) or (type(space) is int and space in VALUES)


DIFFICULTIES = (3, 4, 5, 6)


class WindowSet(Enum):
    """The boxes and packs that window pattern cards come in. The value is the word for it in files."""

    BASE = "base"
    """The base game, and the promo card that came with its first edition."""

    FIVE_AND_SIX = "5-6-players"
    """The expansion for five and six players. Its spaces rest on one source."""

    PROMOS = "promos"
    """Promo cards of many years. All about them rests on one source."""


@dataclass(frozen=True)
class WindowPattern:
    """One side of a window pattern card.

    Parameters
    ----------
    name
        The name printed on the card.
    difficulty
        3 to 6, which is also the number of favor tokens its player starts with; None when it is not known.
    cells
        Four rows from the top, each of five `Restriction`.
    other_side
        The pattern on the back of the card, where there is a known one.
    promo
        Whether the card came outside the game's box.
    names
        Pairs of a language code and the name in that language, where a source has one.
    custom
        Whether players added the window themselves; see `scoring.patterns.custom`.
    comes_in
        The box or pack it comes in; of a custom window it says nothing.
    doubtful
        Pairs of a cell and another thing that may be printed there, where sources do not agree.

    Raises
    ------
    InvalidValueError
        The difficulty is not 3 to 6, or the cells are not 4 x 5 restrictions.

    Examples
    --------
    >>> fractal_drops = WINDOW_PATTERNS["Fractal Drops"]
    >>> str(fractal_drops)
    '.4.Y6 / R.2.. / ..RP1 / BY...'
    >>> fractal_drops[2, 4]
    1
    """

    name: str
    difficulty: int | None
    cells: tuple[tuple[Restriction, ...], ...]
    other_side: str | None = None
    promo: bool = False
    names: tuple[tuple[str, str], ...] = ()
    custom: bool = False
    comes_in: WindowSet = WindowSet.BASE
    doubtful: tuple[tuple[Cell, Restriction], ...] = ()

    def __post_init__(self) -> None:
        if self.difficulty is not None and (
            type(self.difficulty) is not int or self.difficulty not in DIFFICULTIES
        ):
            raise InvalidValueError(
                "bad_difficulty",
                sentence("A window cannot have the difficulty {found}.", found=repr(self.difficulty)),
                sentence("Count the dots on the card: 3 to 6. Leave it out when they are not known."),
            )
        if len(self.cells) != ROWS or any(len(row) != COLUMNS for row in self.cells):
            raise InvalidValueError(
                "bad_pattern",
                sentence("A window has 4 rows of 5 spaces."),
                sentence("Give four tuples of five."),
            )
        for cell in ALL_CELLS:
            if not is_restriction(self[cell]):
                raise InvalidValueError(
                    "bad_pattern",
                    sentence(
                        "{cell} asks for {found}, which no die can have.",
                        cell=cell_name(cell),
                        found=repr(self[cell]),
                    ),
                    sentence("Give a Color, a value from 1 to 6, or None for no restriction."),
                )

    @classmethod
    def parse(cls, text: str, name: str = "Unnamed", difficulty: int | None = None) -> Self:
        """Read pattern notation: one character a space, ``.`` for no restriction, rows as in `Board.parse`.

        A dash or underscore stands for no restriction, too.

        Raises
        ------
        NotationError
            The text is no pattern; the error names the row or the space that is wrong.

        Examples
        --------
        >>> print(WindowPattern.parse("YB..1 / G.5.4 / 3.R.G / 2..BY"))
        YB..1 / G.5.4 / 3.R.G / 2..BY
        """
        spaces = parse_spaces(
            text,
            sentence("Write one character a space, with . for no restriction."),
            sentence("Write a color (R, Y, G, B or P), a value from 1 to 6, or . for none."),
        )
        return cls(name, difficulty, tuple(tuple(spaces[cell] for cell in row) for row in ALL_ROWS))

    @classmethod
    def of(cls, given: WindowPattern | str) -> WindowPattern:
        """Return the pattern itself, or the card of the game of that name, in any language it has one in.

        Raises
        ------
        UnknownNameError
            No card is called that; the error suggests the nearest.
        """
        if isinstance(given, WindowPattern):
            return given
        return EVERY_WINDOW[demand_text(given, "WindowPattern or the name of a card")]

    def __str__(self) -> str:
        return " / ".join("".join(_SIGNS[space] for space in row) for row in self.cells)

    def __getitem__(self, cell: Cell) -> Restriction:
        row, column = check_cell(cell)
        return self.cells[row][column]

    def accepts(self, cell: Cell, die: Die) -> bool:
        """Return whether what is printed on the space allows this die; in doubt it does."""
        return any(space is None or space in (die.color, die.value) for space in self.prints(cell))

    def prints(self, cell: Cell) -> tuple[Restriction, ...]:
        """Return what is printed on the space: one thing, or two where sources do not agree.

        Examples
        --------
        >>> WindowPattern.of("Naturaleza").prints((2, 1))
        (<Color.YELLOW: 'Y'>, 1)
        """
        return self[cell], *(space for where, space in self.doubtful if where == cell)

    @property
    def called(self) -> Name:
        """The name printed on the card, in the languages that it is known in."""
        return Name("window", self.name, is_card=True, printed=self.names)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The name and those in other languages."""
        return (self.name, *(name for _, name in self.names))

    def name_in(self, language: str) -> str:
        """Return the name in a language (``"ru"``), or the name on the English card."""
        return dict(self.names).get(language, self.name)

    def rotated_180(self) -> Self:
        """Return the same pattern, slid into the frame upside down."""
        return replace(
            self,
            cells=tuple(row[::-1] for row in self.cells[::-1]),
            doubtful=tuple(
                ((ROWS - 1 - row, COLUMNS - 1 - column), space) for (row, column), space in self.doubtful
            ),
        )

    def mirrored(self) -> Self:
        """Return the same pattern with left and right exchanged, as in a mirrored photo."""
        return replace(
            self,
            cells=tuple(row[::-1] for row in self.cells),
            doubtful=tuple(((row, COLUMNS - 1 - column), space) for (row, column), space in self.doubtful),
        )


class KnownPatterns(Mapping[str, WindowPattern]):
    """Window patterns by name: the cards of the game, and the players' own windows where some were added.

    Names may be written in any case, and in the languages that the cards have names in. The mapping never
    changes; `with_windows` and `with_sets` return another one. Cards are read when one is first asked for.

    Examples
    --------
    >>> WINDOW_PATTERNS["kaleidoscopic dream"].difficulty
    4
    >>> len(WINDOW_PATTERNS)
    26
    >>> WINDOW_PATTERNS["Fractal Dops"]
    Traceback (most recent call last):
    scoring.errors.UnknownNameError: There is no window called "Fractal Dops". Did you mean Fractal Drops?
    """

    def __init__(self, added: Iterable[WindowPattern] = (), sets: Iterable[WindowSet] = ()) -> None:
        self._added = tuple(replace(window, custom=True) for window in added)
        self.sets = frozenset(sets) | {WindowSet.BASE}

    @cached_property
    def _by_name(self) -> dict[str, WindowPattern]:
        cards = [card for one in WindowSet if one in self.sets for card in _cards_of(one)]
        return {window.name: window for window in (*cards, *self._added)}

    @cached_property
    def _by_any_name(self) -> dict[str, WindowPattern]:
        """The patterns by all their names, each as `plain` writes it."""
        return {plain(name): pattern for pattern in self._by_name.values() for name in pattern.all_names}

    def __contains__(self, name: object) -> bool:
        # Without this a name that nothing has would be searched for suggestions, which takes its time.
        return isinstance(name, str) and plain(name) in self._by_any_name

    def __getitem__(self, name: str) -> WindowPattern:
        if name not in self._by_name:
            windows = self._by_name.values()
            translated = {other: window.name for window in windows for _, other in window.names}
            name = find_name(name, self._by_name, "window", translated, windows)
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def with_windows(self, windows: Iterable[WindowPattern]) -> KnownPatterns:
        """Return these patterns and ``windows`` after them, each marked as custom.

        Raises
        ------
        InvalidValueError
            A name, in any language, is that of another window already; the code is ``name_taken``.

        Examples
        --------
        >>> mine = WindowPattern.parse("R...B / ..... / ..... / 1...6", "Four Corners", 3)
        >>> known = WINDOW_PATTERNS.with_windows([mine])
        >>> known["four corners"].custom, len(known), len(WINDOW_PATTERNS)
        (True, 27, 26)
        """
        coming = [replace(window, custom=True) for window in windows]
        taken = dict(self._by_any_name)
        for window in coming:
            for name in window.all_names:
                if taken.setdefault(plain(name), window) is not window:
                    raise name_taken(name, taken[plain(name)])
        return KnownPatterns((*self._added, *coming), self.sets)

    def only(self, box: WindowSet) -> tuple[WindowPattern, ...]:
        """Return the cards of one box or pack."""
        return tuple(card for card in self.values() if card.comes_in is box and not card.custom)

    def with_sets(self, sets: Iterable[WindowSet]) -> KnownPatterns:
        """Return these patterns, and the cards of more boxes and packs.

        A window that players added, with the name of one of these cards, is left out.

        Examples
        --------
        >>> len(WINDOW_PATTERNS.with_sets([WindowSet.FIVE_AND_SIX]))
        38
        """
        known = KnownPatterns(sets=self.sets.union(sets))
        return known.with_windows(
            window for window in self._added if not any(name in known for name in window.all_names)
        )


def pattern_of(given: WindowPattern | str | None) -> WindowPattern | None:
    """Return the pattern, by itself or by the name of a card; None where it is not known."""
    return None if given is None else WindowPattern.of(given)


WINDOW_PATTERNS = KnownPatterns()
"""The 24 patterns of the base game and the two of the promo card, by name."""

EVERY_WINDOW = KnownPatterns(sets=WindowSet)
"""All window pattern cards that this program knows, also those of the expansion and of promo packs."""


def name_taken(name: str, window: WindowPattern) -> InvalidValueError:
    """Return the error for a new window whose name means one that there is already."""
    same = name == window.name
    if window.custom and same:
        taken = sentence('"{name}" is already the name of one of your own windows.', name=name)
    elif window.custom:
        taken = sentence(
            '"{name}" is already the name of one of your own windows ({window}).', name=name, window=window
        )
    elif same:
        taken = sentence('"{name}" is already the name of a card of the game.', name=name)
    else:
        taken = sentence(
            '"{name}" is already the name of a card of the game ({window}).', name=name, window=window
        )
    return InvalidValueError("name_taken", taken, sentence("Give it another name."))


@cache
def _cards_of(box: WindowSet) -> tuple[WindowPattern, ...]:
    """Read the cards of a box or pack from the data file."""
    name = "windows.json" if box is WindowSet.BASE else "more_windows.json"
    data = json.loads((DATA / name).read_text(encoding="utf-8"))
    entries = data["patterns"] if box is WindowSet.BASE else data["sets"][box.value]["windows"]
    return tuple(
        replace(
            WindowPattern.parse(entry["cells"], entry["name"], entry["difficulty"]),
            other_side=entry["other_side"],
            promo=entry.get("promo", box is WindowSet.PROMOS),
            names=tuple(sorted(entry.get("names", {}).items())),
            comes_in=box,
            doubtful=tuple(
                (cell_from_name(cell), _BY_SIGN[sign]) for cell, sign in entry.get("doubtful", {}).items()
            ),
        )
        for entry in entries
    )
