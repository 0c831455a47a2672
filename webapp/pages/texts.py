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
    Line,
    LineKind,
    Notice,
    Problem,
    PublicObjective,
    WindowPattern,
    cell_name,
)
from scoring.names import plain
from webapp.companion.plain import message as message_in
from webapp.companion.remarks import Remark
from webapp.web import context
from webapp.web.language import current, die_words, gettext, ngettext, words

MOST_NAMES = 6  # more empty spaces than this are counted, not listed


def words_of_code(code: str | None) -> str:
    """Return a die in board notation in words; None and ``"--"`` are an empty space."""
    return die_words(Die.parse(code) if code and code != "--" else None)


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
    return gettext("Empty spaces") if line.kind is LineKind.EMPTY_CELLS else words().line(line.name)


def line_formula(line: Line) -> str:
    """Return the formula of a line with real multiplication and minus signs."""
    return line.formula.replace(" x ", " × ").replace("-", "−")


def line_words(line: Line, board: Board) -> str:
    """Say in a few words which dice earned the points of a line."""
    dice = sum(len(group) for group in line.groups)
    if line.kind is LineKind.PUBLIC:
        return words().say(PublicObjective(line.name).counted(line.groups))
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
    return words().all_of(empty) if empty else gettext("None: the window is full")


def message(found: Problem | Notice | Remark) -> str:
    """Say in the visitor's language what is wrong, what a tool accounts for, or what else to know."""
    return message_in(found, words())
