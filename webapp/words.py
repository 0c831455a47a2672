"""The words of the game in the visitor's language.

Rules and reader speak English and give codes; the sentences people see are built here from the
code, the cells and the dice. What has no translation yet falls back to the English text.
"""

from __future__ import annotations

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    Group,
    Line,
    LineKind,
    Problem,
    ProblemCode,
    PublicObjective,
    WindowPattern,
    cell_name,
)
from webapp.language import current, gettext, lazy_gettext, ngettext

COLORS = {
    Color.RED: lazy_gettext("red"),
    Color.YELLOW: lazy_gettext("yellow"),
    Color.GREEN: lazy_gettext("green"),
    Color.BLUE: lazy_gettext("blue"),
    Color.PURPLE: lazy_gettext("purple"),
}

SHADES_OF = {
    Color.RED: lazy_gettext("Shades of Red"),
    Color.YELLOW: lazy_gettext("Shades of Yellow"),
    Color.GREEN: lazy_gettext("Shades of Green"),
    Color.BLUE: lazy_gettext("Shades of Blue"),
    Color.PURPLE: lazy_gettext("Shades of Purple"),
}

OBJECTIVES = {
    PublicObjective.ROW_COLOR_VARIETY: lazy_gettext("Row Color Variety"),
    PublicObjective.COLUMN_COLOR_VARIETY: lazy_gettext("Column Color Variety"),
    PublicObjective.ROW_SHADE_VARIETY: lazy_gettext("Row Shade Variety"),
    PublicObjective.COLUMN_SHADE_VARIETY: lazy_gettext("Column Shade Variety"),
    PublicObjective.LIGHT_SHADES: lazy_gettext("Light Shades"),
    PublicObjective.MEDIUM_SHADES: lazy_gettext("Medium Shades"),
    PublicObjective.DEEP_SHADES: lazy_gettext("Deep Shades"),
    PublicObjective.SHADE_VARIETY: lazy_gettext("Shade Variety"),
    PublicObjective.COLOR_VARIETY: lazy_gettext("Color Variety"),
    PublicObjective.COLOR_DIAGONALS: lazy_gettext("Color Diagonals"),
}

RULES = {
    PublicObjective.ROW_COLOR_VARIETY: lazy_gettext("Full rows with no color twice"),
    PublicObjective.COLUMN_COLOR_VARIETY: lazy_gettext("Full columns with no color twice"),
    PublicObjective.ROW_SHADE_VARIETY: lazy_gettext("Full rows with no value twice"),
    PublicObjective.COLUMN_SHADE_VARIETY: lazy_gettext("Full columns with no value twice"),
    PublicObjective.LIGHT_SHADES: lazy_gettext("Pairs of a 1 and a 2, anywhere"),
    PublicObjective.MEDIUM_SHADES: lazy_gettext("Pairs of a 3 and a 4, anywhere"),
    PublicObjective.DEEP_SHADES: lazy_gettext("Pairs of a 5 and a 6, anywhere"),
    PublicObjective.SHADE_VARIETY: lazy_gettext("Sets of all six values, anywhere"),
    PublicObjective.COLOR_VARIETY: lazy_gettext("Sets of all five colors, anywhere"),
    PublicObjective.COLOR_DIAGONALS: lazy_gettext("Dice that touch their color at a corner"),
}


MOST_NAMES = 6  # more empty spaces than this are counted, not listed


def die_words(die: Die | None) -> str:
    """Return a die as people say it, such as "red 3"."""
    if die is None:
        return gettext("empty")
    return gettext("%(color)s %(value)s", color=COLORS[die.color], value=die.value)


def cell_label(name: str, die: Die | None, *, doubtful: bool) -> str:
    """Return what a screen reader says for a space of the window."""
    if doubtful:
        return gettext("%(cell)s: %(die)s, doubtful", cell=name, die=die_words(die))
    return gettext("%(cell)s: %(die)s", cell=name, die=die_words(die))


def window_name(pattern: WindowPattern) -> str:
    """Return the name on the card in the visitor's language, as far as it is known."""
    return pattern.name_in(current())


def window_options() -> list[tuple[str, str]]:
    """Return name and label of every window card, sorted by label."""
    options = [
        (
            name,
            gettext("%(name)s (difficulty %(difficulty)s)", name=window_name(one), difficulty=one.difficulty),
        )
        for name, one in WINDOW_PATTERNS.items()
    ]
    return sorted(options, key=lambda option: option[1])


def line_name(line: Line) -> str:
    """Return the name of a line of the score."""
    if line.kind is LineKind.PUBLIC:
        return str(OBJECTIVES[PublicObjective(line.name)])
    if line.kind is LineKind.PRIVATE:
        return str(SHADES_OF[Color.from_name(line.name)])
    if line.kind is LineKind.FAVOR_TOKENS:
        return gettext("Favor tokens")
    return gettext("Empty spaces")


def line_formula(line: Line) -> str:
    """Return the formula of a line with real multiplication and minus signs."""
    return line.formula.replace(" x ", " × ").replace("-", "−")


def line_words(line: Line, board: Board) -> str:
    """Say in a few words which dice earned the points of a line."""
    dice = sum(len(group) for group in line.groups)
    if line.kind is LineKind.PUBLIC:
        objective = PublicObjective(line.name)
        return _objective_words(objective, line.groups, dice) if dice else str(RULES[objective])
    if line.kind is LineKind.PRIVATE:
        added = ngettext("%(num)d die, its value counts", "%(num)d dice, their values added", dice)
        return added if dice else gettext("No die of this color")
    if line.kind is LineKind.FAVOR_TOKENS:
        return gettext("One point for each token left")
    empty = [cell_name(cell) for cell in board.empty_cells()]
    if len(empty) > MOST_NAMES:
        return gettext("One point less for each")
    return _joined(empty) if empty else gettext("None: the window is full")


def _objective_words(objective: PublicObjective, groups: tuple[Group, ...], dice: int) -> str:
    """Say which rows, columns, sets or dice earned the points of a public objective."""
    number = len(groups)
    if objective in {PublicObjective.ROW_COLOR_VARIETY, PublicObjective.ROW_SHADE_VARIETY}:
        names = _joined([cell_name(group[0])[0] for group in groups])
        return ngettext("Row %(names)s", "Rows %(names)s", number, names=names)
    if objective in {PublicObjective.COLUMN_COLOR_VARIETY, PublicObjective.COLUMN_SHADE_VARIETY}:
        names = _joined([cell_name(group[0])[1] for group in groups])
        return ngettext("Column %(names)s", "Columns %(names)s", number, names=names)
    if objective is PublicObjective.COLOR_DIAGONALS:
        return ngettext(
            "%(num)d die touches its color at a corner", "%(num)d dice touch their color at a corner", dice
        )
    return _sets(objective, number)


def _sets(objective: PublicObjective, number: int) -> str:
    """Say how many sets there are for an objective that counts sets."""
    if objective is PublicObjective.LIGHT_SHADES:
        return ngettext("%(num)d pair of 1 and 2", "%(num)d pairs of 1 and 2", number)
    if objective is PublicObjective.MEDIUM_SHADES:
        return ngettext("%(num)d pair of 3 and 4", "%(num)d pairs of 3 and 4", number)
    if objective is PublicObjective.DEEP_SHADES:
        return ngettext("%(num)d pair of 5 and 6", "%(num)d pairs of 5 and 6", number)
    if objective is PublicObjective.SHADE_VARIETY:
        return ngettext("%(num)d set of all six values", "%(num)d sets of all six values", number)
    return ngettext("%(num)d set of all five colors", "%(num)d sets of all five colors", number)


def _joined(names: list[str]) -> str:
    """Return names one after the other."""
    return ", ".join(names)


def problem_sentence(problem: Problem, board: Board, pattern: WindowPattern | None) -> str:
    """Say in the visitor's language what is wrong with the placement of the dice."""
    names = [cell_name(cell) for cell in problem.cells]
    first = board[problem.cells[0]] if problem.cells else None
    code = problem.code
    if code == ProblemCode.FIRST_DIE_EDGE.value:
        return gettext("No die lies on the edge of the window, where the first one has to go.")
    if code == ProblemCode.NOT_CONNECTED.value:
        joined = _joined(names)
        return ngettext(
            "%(names)s does not touch the other dice, not even at a corner.",
            "%(names)s do not touch the other dice, not even at a corner.",
            len(names),
            names=joined,
        )
    if first is not None and len(names) == 2:
        one, other = names
        if code == ProblemCode.SAME_COLOR_NEIGHBORS.value:
            color = COLORS[first.color]
            return gettext(
                "%(one)s and %(other)s: the same color (%(color)s) side by side.",
                one=one,
                other=other,
                color=color,
            )
        if code == ProblemCode.SAME_VALUE_NEIGHBORS.value:
            return gettext(
                "%(one)s and %(other)s: the same value (%(value)s) side by side.",
                one=one,
                other=other,
                value=first.value,
            )
    printed = {ProblemCode.COLOR_RESTRICTION.value, ProblemCode.VALUE_RESTRICTION.value}
    if code in printed and first is not None and pattern is not None:
        return _restriction_sentence(names[0], first, pattern[problem.cells[0]])
    return problem.message


def _restriction_sentence(cell: str, die: Die, needed: Color | int | None) -> str:
    """Say what is printed below a die that does not fit there."""
    if isinstance(needed, Color):
        return gettext(
            "%(cell)s: %(die)s on a space that needs %(color)s.",
            cell=cell,
            die=die_words(die),
            color=COLORS[needed],
        )
    return gettext(
        "%(cell)s: %(die)s on a space that needs a %(value)s.",
        cell=cell,
        die=die_words(die),
        value=needed,
    )
