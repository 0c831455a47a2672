"""During play: where the next die may go, why not elsewhere, and what a tool card would change about that.

What the tool cards do for a drafted die (`ToolEffect`): one frees its placement, which `legal_cells` and
`why_not` think of; some move it once it lies (`moves_after_placing`); some make another die of it
(`changes_by_tools`); the others change what is drafted and when. Only one tool card can be used in a turn, so
no two of these come together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scoring.board import (
    ALL_CELLS,
    VALUES,
    Board,
    Cell,
    Die,
    colored,
    colors_of,
    side_neighbors,
)
from scoring.patterns.patterns import WindowPattern, pattern_of
from scoring.placement.finished import (
    Problem,
    ProblemCode,
    alike_neighbors,
    is_in_reach,
    lifts_for_moved_die,
    tools_named_by,
    wrong_print,
)
from scoring.sentences import Sentence, sentence
from scoring.tools import Tool, Toolbox, ToolEffect


@dataclass(frozen=True)
class Move:
    """A way to a space in two steps: place the die by the rules, then move it there with a tool.

    Any cell of ``via`` will do for the first; ``to`` are only spaces that are closed without the tool.
    """

    tool: Tool
    via: tuple[Cell, ...]
    to: tuple[Cell, ...]


@dataclass(frozen=True)
class Change:
    """A die that a tool can surely make of the drafted one, and where that may go: at least one cell."""

    tool: Tool
    die: Die
    cells: tuple[Cell, ...]


def legal_cells(
    board: Board | str,
    die: Die | str,
    pattern: WindowPattern | str | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> frozenset[Cell]:
    """Return the cells, as (row, column) from 0, where the rules let ``die`` be placed next.

    Parameters
    ----------
    board
        The dice that are in the window already; this, the die and the card may be given by notation or name.
    die
        The die to place.
    pattern
        The card under the dice; None when it is not known, and then every space takes every die.
    tools
        The tool cards of which one may be used for this very die. Of the twelve only Cork-backed Straightedge
        frees the placement itself: it opens the spaces that touch no die.

    Raises
    ------
    UnknownNameError
        A tool or the window is given by a name that no card has.

    Examples
    --------
    >>> from scoring.board import cell_name
    >>> board = Board.parse("-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --")
    >>> cells = legal_cells(board, Die.parse("R2"), "Fractal Drops")
    >>> [cell_name(cell) for cell in sorted(cells)]
    ['A3', 'B3', 'C3']
    """
    return frozenset(ALL_CELLS).difference(why_not(board, die, pattern, tools))


def why_not(
    board: Board | str,
    die: Die | str,
    pattern: WindowPattern | str | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> Mapping[Cell, tuple[Problem, ...]]:
    """Return every cell where ``die`` may not be placed next, with each rule that forbids it.

    A cell that is not among the keys is legal. Parameters and errors are those of `legal_cells`.

    Examples
    --------
    >>> board = Board.parse("-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --")
    >>> for problem in why_not(board, Die.parse("R2"), "Fractal Drops")[3, 4]:
    ...     print(problem.message)
    C5, D5: two dice of the same color (red) side by side.
    D4, D5: two dice of the same value (2) side by side.
    """
    toolbox = Toolbox.of(tools)
    return {
        cell: problems
        for cell, problems in forbidden_cells(board, die, pattern, toolbox).items()
        if not any(all(tool in problem.could_excuse for problem in problems) for tool in toolbox.cards)
    }


def forbidden_cells(
    board: Board | str, die: Die | str, pattern: WindowPattern | str | None, toolbox: Toolbox
) -> Mapping[Cell, tuple[Problem, ...]]:
    """Return what `why_not` does without any tool; the problems name also tools that only this game has."""
    board, die, pattern = Board.of(board), Die.of(die), pattern_of(pattern)
    ways = [(one, as_one) for one in colored(board) for as_one in colors_of(die)]
    found = (
        (cell, min((tuple(_problems(*way, cell, pattern, toolbox)) for way in ways), key=len))
        for cell in ALL_CELLS
    )
    return {cell: problems for cell, problems in found if problems}


def moves_after_placing(
    board: Board | str,
    die: Die | str,
    pattern: WindowPattern | str | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> tuple[Move, ...]:
    """Return the spaces that a tool opens to ``die`` once it lies: the die is placed, then the tool moves it.

    The die is placed by the rules alone, as the turn has no second tool card for that. Parameters and errors
    are those of `legal_cells`; of the tools only those count that lift a rule for the die they move. The
    house rules of a `Toolbox` hold. Lathekin and Tap Wheel move dice under all rules, so they open nothing to
    this die that is not open to it without them.

    Examples
    --------
    >>> board = Board.parse("R1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    >>> pattern = WindowPattern.parse(".P... / 6.... / ..... / .....")
    >>> moves_after_placing(board, Die.parse("G2"), pattern, ["Eglomise Brush"])
    (Move(tool=<Tool.EGLOMISE_BRUSH: 'Eglomise Brush'>, via=((1, 1),), to=((0, 1),)),)
    """
    toolbox = Toolbox.of(tools)
    reasons = why_not(board, die, pattern)
    via = tuple(cell for cell in ALL_CELLS if cell not in reasons)
    moves = (
        Move(
            tool,
            via,
            tuple(
                cell
                for cell, problems in reasons.items()
                if all(lifts_for_moved_die(tool, one.code, toolbox) for one in problems)
            ),
        )
        for tool in toolbox.cards
        if tool.moves_dice
    )
    return tuple(move for move in moves if move.via and move.to)


def changes_by_tools(
    board: Board | str,
    die: Die | str,
    pattern: WindowPattern | str | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> tuple[Change, ...]:
    """Return the dice that a tool can surely make of ``die``, each with the spaces that the rules open to it.

    Grozing Pliers turn the value one up or down, but never 6 to 1 or 1 to 6; Grinding Stone turns the die to
    the other side. What Flux Brush, Flux Remover and Lens Cutter give depends on chance or on dice that are
    not in the window, so nothing is said about them. A die that fits nowhere is left out. Parameters and
    errors are those of `legal_cells`.

    Examples
    --------
    >>> board = Board.parse("R1 -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- / -- -- -- -- --")
    >>> for change in changes_by_tools(board, Die.parse("G1"), tools=["Grozing Pliers", "Grinding Stone"]):
    ...     print(change.tool.value, change.die, change.cells)
    Grozing Pliers G2 ((0, 1), (1, 0), (1, 1))
    Grinding Stone G6 ((0, 1), (1, 0), (1, 1))
    """
    board, die, toolbox = Board.of(board), Die.of(die), Toolbox.of(tools)
    values = {Tool.GROZING_PLIERS: (die.value - 1, die.value + 1), Tool.GRINDING_STONE: (7 - die.value,)}
    changes = (
        Change(tool, other, tuple(sorted(legal_cells(board, other, pattern))))
        for tool in values
        if tool in toolbox
        for other in (Die(die.color, value) for value in values[tool] if value in VALUES)
    )
    return tuple(change for change in changes if change.cells)


def _problems(
    board: Board, die: Die, cell: Cell, pattern: WindowPattern | None, toolbox: Toolbox
) -> Iterator[Problem]:
    """Yield each rule that forbids the die on the cell, with the tools that free its placement from it."""

    def problem(code: ProblemCode, cells: tuple[Cell, ...], said: Sentence) -> Problem:
        named = tools_named_by(code, toolbox)
        free = tuple(tool for tool in named if tool.effect is ToolEffect.FREES_PLACEMENT)
        return Problem(code, cells, said, could_excuse=free)

    there = board[cell]
    if there is not None:
        said = sentence("{cells}: {die} lies there already.", cells=[cell], die=there)
        yield Problem(ProblemCode.SPACE_TAKEN, (cell,), said)
        return
    if pattern is not None and not pattern.accepts(cell, die):
        code, said = wrong_print(cell, die, pattern[cell])
        yield problem(code, (cell,), said)
    for beside in side_neighbors(cell):
        other = board[beside]
        if other is not None:
            for found in alike_neighbors((min(cell, beside), max(cell, beside)), die, other):
                yield problem(*found)
    if is_in_reach(board, cell):
        return
    if board == Board.empty():
        said = sentence("{cells}: the first die goes on the edge of the window.", cells=[cell])
        yield problem(ProblemCode.FIRST_DIE_EDGE, (cell,), said)
    else:
        said = sentence("{cells}: touches no die, not even by a corner.", cells=[cell])
        yield problem(ProblemCode.NOT_CONNECTED, (cell,), said)
