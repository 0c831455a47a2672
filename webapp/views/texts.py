"""What the page says about dice, windows, points and problems, in the visitor's language.

Names and problems come from `scoring.words`; here is what only the page says, such as how a line earned its
points.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from scoring import (
    Board,
    Cell,
    Color,
    Die,
    Line,
    LineKind,
    Problem,
    PublicObjective,
    Tool,
    WindowPattern,
    cell_name,
)
from scoring.board import LETTERS, VALUES
from scoring.names import plain
from scoring.patterns.patterns import FREE_SIGN
from scoring.sentences import minus
from webapp.web import context, language
from webapp.web.language import current, die_words, gettext, ngettext, words

SIGNS = (FREE_SIGN, *(color.value for color in Color), *(str(value) for value in VALUES))
MOST_NAMES = 6  # more empty spaces than this are counted, not listed


def words_of_code(code: str | None) -> str:
    """Return a die in board notation in words; None and ``"--"`` are an empty space."""
    return die_words(Die.parse(code) if code and code != "--" else None)


def space_words(sign: str) -> str:
    """Return what a space of a window card takes, in words: "red", "value 3" or "any die"."""
    if sign in LETTERS:
        return words().name(Color(sign))
    return gettext("value %(number)s", number=sign) if sign.isdigit() else gettext("any die")


def pattern_words(window: WindowPattern) -> str:
    """Return what is printed on a window card in words, row after row."""
    return "; ".join(
        f"{letter}: {', '.join(map(space_words, row))}"
        for letter, row in zip("ABCD", str(window).split(" / "), strict=True)
    )


def space_label(name: str, takes: str, *, doubtful: bool) -> str:
    """Return what a screen reader says for a space of a window card that is being drawn."""
    if doubtful:
        return gettext("%(cell)s: %(die)s, doubtful", cell=name, die=takes)
    return gettext("%(cell)s: %(die)s", cell=name, die=takes)


def window_name(pattern: WindowPattern) -> str:
    """Return the name of the card in the visitor's language, with the English one where the first is ours."""
    name = words().name(pattern)
    on_a_card = name == pattern.name_in(current()) or plain(name) == plain(pattern.name)
    return name if on_a_card else f"{name} / {pattern.name}"


def window_options(*, own: bool) -> list[tuple[str, str]]:
    """Return name and label of every custom window of this house, or of every card, sorted by label."""
    windows = context.known_windows().values()
    labels = ((one.name, _window_label(one)) for one in windows if one.custom == own)
    return sorted(labels, key=lambda option: option[1])


def _window_label(window: WindowPattern) -> str:
    """Return the name of a window with its difficulty, where that is known."""
    name = window_name(window)
    if window.difficulty is None:
        return name
    return gettext("%(name)s (difficulty %(difficulty)s)", name=name, difficulty=window.difficulty)


def line_name(line: Line) -> str:
    """Return the name of a line of the score."""
    return gettext("Empty spaces") if line.kind is LineKind.EMPTY_CELLS else words().line(line.name)


def line_formula(line: Line) -> str:
    """Return the formula of a line with real multiplication and minus signs."""
    return minus(line.formula.replace(" x ", " × "))


def line_sum(line: Line) -> str:
    """Return in words and figures how often a card's points were earned, such as "3 sets × 4"."""
    if line.kind is not LineKind.PUBLIC or not line.groups:
        return ""
    card = PublicObjective(line.name)
    return f"{words().say(card.how_often(line.groups))} × {card.points_each}"


def points(total: int | None) -> str:
    """Return points as they are shown: with a real minus sign, and a dash before they say anything."""
    return "–" if total is None else minus(total)


def line_cells(line: Line) -> list[str]:
    """Return the names of the cells that earned the points of a line."""
    return sorted({cell_name(cell) for group in line.groups for cell in group})


def line_words(line: Line, board: Board) -> str:
    """Say in a few words which dice earned the points of a line."""
    dice = sum(len(group) for group in line.groups)
    if line.kind is LineKind.PUBLIC:
        return words().say(PublicObjective(line.name).counted(line.groups))
    if line.kind is LineKind.PRIVATE:
        added = ngettext("%(num)d die, its value counts", "%(num)d dice, their values added", dice)
        return added if dice else gettext("No die that counts")
    if line.kind is LineKind.FAVOR_TOKENS:
        return gettext("One point for each token left")
    empty = [cell_name(cell) for cell in board.empty_cells()]
    if len(empty) > MOST_NAMES and line.points == -len(empty):
        return gettext("One point less for each")
    if len(empty) > MOST_NAMES:
        return gettext("Three points less for each, in a solo game")
    return words().all_of(empty) if empty else gettext("None: the window is full")


def by_rule(problems: Iterable[Problem]) -> list[tuple[str, list[Problem]]]:
    """Return each rule that is broken with its problems, in the order in which they come."""
    said: dict[str, list[Problem]] = {}
    for problem in problems:
        said.setdefault(words().say(problem.rule), []).append(problem)
    return list(said.items())


def moment(when: datetime | str) -> str:
    """Return day and time in short form; of a record they are kept as text."""
    return language.moment(datetime.fromisoformat(when) if isinstance(when, str) else when)


def cells(where: Iterable[Cell]) -> str:
    """Return the names of cells as the scripts read them, such as "A1 B2"."""
    return " ".join(map(cell_name, where))


def tool_names(tools: Iterable[Tool]) -> str:
    """Return tool cards as a list in a sentence."""
    return words().all_of(map(words().name, tools))
