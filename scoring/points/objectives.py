"""The ten public objectives: what each card counts, and which dice it counts.

Only the dice matter here. What is printed under them, and whether they were placed by the rules, does not.
Each public objective is one row of `PublicObjective`: whoever adds one adds a row, and translates its texts.

Source of every rule: the card and the rulebook of the base game (Floodgate Games, 2017), in our own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Self

from scoring.board import ALL_COLUMNS, ALL_ROWS, VALUES, Board, Color, Part, cell_name
from scoring.names import Card
from scoring.points.counting import ColorDiagonals, Counting, Group, GroupsOf, Lines, Sets
from scoring.sentences import Sentence, counted, sentence


@dataclass(frozen=True)
class Score:
    """What one card gives for one board.

    ``formula`` says in figures how ``points`` came about, such as ``"2 x 5"`` or ``"min(4, 3) x 2"``.
    ``groups`` are the dice that earned them: one group for each row, column, set or diagonal chain. The
    same board always gives the same groups, and no die is in two groups of one card.
    """

    points: int
    formula: str
    groups: tuple[Group, ...]


def _rows(groups: tuple[Group, ...]) -> Sentence:
    return counted("Row {names}", "Rows {names}", len(groups), names=[cell_name(row[0])[0] for row in groups])


def _columns(groups: tuple[Group, ...]) -> Sentence:
    names = [cell_name(column[0])[1] for column in groups]
    return counted("Column {names}", "Columns {names}", len(groups), names=names)


@dataclass(frozen=True)
class _Row:
    """All there is to know about a public objective."""

    name: str
    points_each: int
    rule: Sentence
    diagram: str
    counting: Counting
    said_of: Callable[[tuple[Group, ...]], Sentence]  # of the groups of dice that earned points


class PublicObjective(Card, kind="objective"):
    """The ten public objective cards. The value is the name printed on the card.

    Every card counts for itself: a die that earned points on one card may earn points on the next. `add`
    takes up further cards.

    Examples
    --------
    >>> board = Board.parse("Y5 -- R4 Y5 B1 / P2 B4 Y6 G2 R3 / R6 G3 R4 B5 P2 / G1 Y4 P2 R3 Y5")
    >>> PublicObjective("Row Color Variety").score(board)
    Score(points=6, formula='1 x 6', groups=(((1, 0), (1, 1), (1, 2), (1, 3), (1, 4)),))
    >>> PublicObjective.MEDIUM_SHADES.score(board).formula
    'min(3, 4) x 2'
    """

    ROW_COLOR_VARIETY = _Row(
        "Row Color Variety",
        points_each=6,
        rule=sentence("Full rows with no color twice"),
        diagram="..... / RYGBP / ..... / .....",
        counting=Lines(ALL_ROWS, attrgetter("color")),
        said_of=_rows,
    )
    """6 points for each row of five dice in which no color comes twice: all five colors, once each."""

    COLUMN_COLOR_VARIETY = _Row(
        "Column Color Variety",
        points_each=5,
        rule=sentence("Full columns with no color twice"),
        diagram="..R.. / ..B.. / ..Y.. / ..G..",
        counting=Lines(ALL_COLUMNS, attrgetter("color")),
        said_of=_columns,
    )
    """5 points for each column of four dice in which no color comes twice, wherever in the column."""

    ROW_SHADE_VARIETY = _Row(
        "Row Shade Variety",
        points_each=5,
        rule=sentence("Full rows with no value twice"),
        diagram="..... / 15243 / ..... / .....",
        counting=Lines(ALL_ROWS, attrgetter("value")),
        said_of=_rows,
    )
    """5 points for each row of five dice in which no value comes twice: any five of the six values."""

    COLUMN_SHADE_VARIETY = _Row(
        "Column Shade Variety",
        points_each=4,
        rule=sentence("Full columns with no value twice"),
        diagram="..3.. / ..6.. / ..1.. / ..4..",
        counting=Lines(ALL_COLUMNS, attrgetter("value")),
        said_of=_columns,
    )
    """4 points for each column of four dice in which no value comes twice."""

    LIGHT_SHADES = _Row(
        "Light Shades",
        points_each=2,
        rule=sentence("Pairs of a 1 and a 2, anywhere"),
        diagram="..... / .1... / ...2. / .....",
        counting=Sets((1, 2)),
        said_of=lambda groups: counted("{count} pair of 1 and 2", "{count} pairs of 1 and 2", len(groups)),
    )
    """2 points for each pair of a 1 and a 2, anywhere in the window."""

    MEDIUM_SHADES = _Row(
        "Medium Shades",
        points_each=2,
        rule=sentence("Pairs of a 3 and a 4, anywhere"),
        diagram="..... / .3... / ...4. / .....",
        counting=Sets((3, 4)),
        said_of=lambda groups: counted("{count} pair of 3 and 4", "{count} pairs of 3 and 4", len(groups)),
    )
    """2 points for each pair of a 3 and a 4, anywhere in the window."""

    DEEP_SHADES = _Row(
        "Deep Shades",
        points_each=2,
        rule=sentence("Pairs of a 5 and a 6, anywhere"),
        diagram="..... / .5... / ...6. / .....",
        counting=Sets((5, 6)),
        said_of=lambda groups: counted("{count} pair of 5 and 6", "{count} pairs of 5 and 6", len(groups)),
    )
    """2 points for each pair of a 5 and a 6, anywhere in the window."""

    SHADE_VARIETY = _Row(
        "Shade Variety",
        points_each=5,
        rule=sentence("Sets of all six values, anywhere"),
        diagram="1.... / ..2.3 / 4..5. / ....6",
        counting=Sets(VALUES),
        said_of=lambda groups: counted(
            "{count} set of all six values", "{count} sets of all six values", len(groups)
        ),
    )
    """5 points for each set of six dice, one of each value, anywhere in the window."""

    COLOR_DIAGONALS = _Row(
        "Color Diagonals",
        points_each=1,
        rule=sentence("Dice that touch their color at a corner"),
        diagram="B.... / .B.Y. / B.Y.. / ...Y.",
        counting=ColorDiagonals(),
        said_of=lambda groups: counted(
            "{count} die touches its color at a corner",
            "{count} dice touch their color at a corner",
            sum(map(len, groups)),
        ),
    )
    """1 point for each die that has a die of its own color at one or more of its corners."""

    COLOR_VARIETY = _Row(
        "Color Variety",
        points_each=4,
        rule=sentence("Sets of all five colors, anywhere"),
        diagram="R.... / ...Y. / .G..B / ..P..",
        counting=Sets(tuple(Color)),
        said_of=lambda groups: counted(
            "{count} set of all five colors", "{count} sets of all five colors", len(groups)
        ),
    )
    """4 points for each set of five dice, one of each color, anywhere in the window."""

    _value_: str
    points_each: int
    """The points printed on the card: for each row, column, set or (Color Diagonals) die."""

    rule: Sentence
    """What the card counts, in a few words."""

    diagram: tuple[str, ...]
    """What its picture shows: four rows of five signs, each a color, a value or nothing (``.``)."""

    _counting: Counting
    _said_of: Callable[[tuple[Group, ...]], Sentence]

    def __new__(cls, row: _Row | str) -> Self:
        """Return the card of a row. A name makes none: ``PublicObjective(name)`` only finds one."""
        assert not isinstance(row, str)  # noqa: S101
        card = object.__new__(cls)
        card._value_ = row.name
        card.points_each, card.rule, card.diagram = row.points_each, row.rule, tuple(row.diagram.split(" / "))
        card._counting, card._said_of = row.counting, row.said_of
        return card

    @classmethod
    def add(
        cls,
        name: str,
        points_each: int,
        groups: Callable[[Board], Iterable[Group]],
        rule: str = "",
        diagram: str = "..... / ..... / ..... / .....",
    ) -> PublicObjective:
        """Take up a public objective that is not in the base game, in place of one added by that name before.

        Parameters
        ----------
        name
            The name on the card.
        points_each
            The points for each group of dice.
        groups
            A function that returns the groups of cells of a board that earn points. `best_removals` is right
            where taking a die off never makes more groups.
        rule
            What the card counts, in a few words.
        diagram
            What the picture on the card shows, see `diagram`.

        Raises
        ------
        InvalidValueError
            The name is that of a card of the game, or is none.

        Examples
        --------
        >>> from scoring.board import Die
        >>> def corners(board):
        ...     cells = ((0, 0), (0, 4), (3, 0), (3, 4))
        ...     return [cells] if all(board[cell] for cell in cells) else []
        >>> card = PublicObjective.add("Four Corners", 3, corners, "A die on each corner")
        >>> board = Board.empty().replace(0, 0, Die.of("R1")).replace(0, 4, Die.of("R2"))
        >>> card.score(board).points, card.score(board.rotated_180()).points
        (0, 0)
        >>> PublicObjective.forget("Four Corners")
        """
        return cls._add(
            name,
            points_each=points_each,
            rule=Sentence("{rule}", (("rule", rule),)),  # in the language it was given in
            diagram=tuple(diagram.split(" / ")),
            _counting=GroupsOf(groups),
            _said_of=lambda found: counted("{count} group", "{count} groups", len(found)),
        )

    def score(self, board: Board | str) -> Score:
        """Count this card on ``board``."""
        found = self._counting.count(Board.of(board))
        return Score(found.number * self.points_each, f"{found.working} x {self.points_each}", found.groups)

    def counted(self, groups: tuple[Group, ...]) -> Sentence:
        """Say in a few words what earned the points of a `Score`; without any, what the card counts.

        Examples
        --------
        >>> print(PublicObjective.COLOR_DIAGONALS.counted((((0, 0), (1, 1), (2, 2)),)))
        3 dice touch their color at a corner
        """
        return self._said_of(groups) if groups else self.rule

    def how_often(self, groups: tuple[Group, ...]) -> Sentence:
        """Say how often the points of a `Score` were earned.

        Examples
        --------
        >>> print(PublicObjective.COLOR_DIAGONALS.how_often((((0, 0), (1, 1), (2, 2)),)))
        3 dice
        """
        return self._counting.how_often(groups)

    def points_counter(self, board: Board) -> Callable[[Part], int]:
        """Return a function that gives the points of any part of the board's dice, as `score` would."""
        count, each = self._counting.quick(board), self.points_each
        return lambda part: each * count(part)
