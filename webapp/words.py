"""What the page says about dice, windows, points and problems, in the visitor's language.

Names and problems come from `scoring.words`; here is what only the page says, such as how a line earned its
points.
"""

from __future__ import annotations

from collections.abc import Iterable

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Die,
    Group,
    Line,
    LineKind,
    Problem,
    PublicObjective,
    WindowPattern,
    cell_name,
)
from scoring.names import plain
from scoring.words import Words, words_in
from webapp import context
from webapp.language import current, gettext, lazy_gettext, ngettext

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


def game_words() -> Words:
    """Return the names and sentences of the game in the visitor's language."""
    return words_in(current())


def die_words(die: Die | None) -> str:
    """Return a die as people say it, such as "red 3"."""
    return gettext("empty") if die is None else game_words().name(die)


def words_of_code(code: str | None) -> str:
    """Return a die in board notation in words; None and ``"--"`` are an empty space."""
    return die_words(Die.parse(code) if code and code != "--" else None)


def cell_label(name: str, die: Die | None, *, doubtful: bool) -> str:
    """Return what a screen reader says for a space of the window."""
    if doubtful:
        return gettext("%(cell)s: %(die)s, doubtful", cell=name, die=die_words(die))
    return gettext("%(cell)s: %(die)s", cell=name, die=die_words(die))


def space_label(name: str, takes: str, *, doubtful: bool) -> str:
    """Return what a screen reader says for a space of a window card that is being drawn."""
    if doubtful:
        return gettext("%(cell)s: %(die)s, doubtful", cell=name, die=takes)
    return gettext("%(cell)s: %(die)s", cell=name, die=takes)


def window_name(pattern: WindowPattern) -> str:
    """Return the name of the card in the visitor's language, with the English one where the first is ours."""
    name = game_words().name(pattern)
    on_a_card = name == pattern.name_in(current()) or plain(name) == plain(pattern.name)
    return name if on_a_card else f"{name} / {pattern.name}"


def window_options() -> list[tuple[str, str]]:
    """Return name and label of every window card of the game, sorted by label."""
    return _options(WINDOW_PATTERNS.values())


def own_window_options() -> list[tuple[str, str]]:
    """Return name and label of every custom window of this house, sorted by label."""
    return _options(window for window in context.known_windows().values() if window.custom)


def missing_window_label(name: str) -> str:
    """Return the label of a window that a game was played on and that is no longer known."""
    return gettext("%(name)s (not known here)", name=name)


def _options(windows: Iterable[WindowPattern]) -> list[tuple[str, str]]:
    """Return name and label of windows, sorted by label."""
    return sorted(((one.name, _window_label(one)) for one in windows), key=lambda option: option[1])


def _window_label(window: WindowPattern) -> str:
    """Return the name of a window with its difficulty, where that is known."""
    name = window_name(window)
    if window.difficulty is None:
        return name
    return gettext("%(name)s (difficulty %(difficulty)s)", name=name, difficulty=window.difficulty)


def line_name(line: Line) -> str:
    """Return the name of a line of the score."""
    return gettext("Empty spaces") if line.kind is LineKind.EMPTY_CELLS else game_words().line(line.name)


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
    if len(empty) > MOST_NAMES and line.points == -len(empty):
        return gettext("One point less for each")
    if len(empty) > MOST_NAMES:
        return gettext("Three points less for each, in a solo game")
    return game_words().all_of(empty) if empty else gettext("None: the window is full")


def _objective_words(objective: PublicObjective, groups: tuple[Group, ...], dice: int) -> str:
    """Say which rows, columns, sets or dice earned the points of a public objective."""
    number = len(groups)
    if objective in {PublicObjective.ROW_COLOR_VARIETY, PublicObjective.ROW_SHADE_VARIETY}:
        names = game_words().all_of([cell_name(group[0])[0] for group in groups])
        return ngettext("Row %(names)s", "Rows %(names)s", number, names=names)
    if objective in {PublicObjective.COLUMN_COLOR_VARIETY, PublicObjective.COLUMN_SHADE_VARIETY}:
        names = game_words().all_of([cell_name(group[0])[1] for group in groups])
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


def problem_sentence(problem: Problem) -> str:
    """Say in the visitor's language what is wrong with the placement of the dice."""
    return game_words().say(problem.sentence)
