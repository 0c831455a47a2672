"""During play: where the next die may go, and why not elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scoring.board import Board
from scoring.cells import ALL_CELLS, Cell, is_on_edge, side_neighbors, touching
from scoring.dice import Die
from scoring.patterns import WindowPattern
from scoring.placement import alike_neighbors, wrong_print
from scoring.problems import Problem, ProblemCode
from scoring.tools import HouseRule, Tool, Toolbox
from scoring.words import sentence


def legal_cells(
    board: Board,
    die: Die,
    pattern: WindowPattern | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> frozenset[Cell]:
    """Return the cells, as (row, column) from 0, where the rules let ``die`` be placed next.

    Parameters
    ----------
    board
        The dice that are in the window already. A die that is to be moved by a tool must be taken off first.
    die
        The die to place.
    pattern
        The card under the dice; None when it is not known, and then every space takes every die.
    tools
        The tool cards of which one may be used for this very die: Eglomise Brush lifts the printed color,
        Copper Foil Burnisher the printed value, and Cork-backed Straightedge opens the spaces that touch no
        die. Only one tool card can be used in a turn, so no space needs two.

    Raises
    ------
    UnknownNameError
        A tool is not one of the twelve cards.

    Examples
    --------
    >>> from scoring.cells import cell_name
    >>> from scoring.patterns import WINDOW_PATTERNS
    >>> board = Board.parse("-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --")
    >>> cells = legal_cells(board, Die.parse("R2"), WINDOW_PATTERNS["Fractal Drops"])
    >>> [cell_name(cell) for cell in sorted(cells)]
    ['A3', 'B3', 'C3']
    """
    return frozenset(ALL_CELLS) - why_not(board, die, pattern, tools).keys()


def why_not(
    board: Board,
    die: Die,
    pattern: WindowPattern | None = None,
    tools: Toolbox | Iterable[Tool | str] = (),
) -> Mapping[Cell, tuple[Problem, ...]]:
    """Return every cell where ``die`` may not be placed next, with each rule that forbids it.

    A cell that is not among the keys is legal. Parameters and errors are those of `legal_cells`.

    Examples
    --------
    >>> from scoring.patterns import WINDOW_PATTERNS
    >>> board = Board.parse("-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --")
    >>> for problem in why_not(board, Die.parse("R2"), WINDOW_PATTERNS["Fractal Drops"])[3, 4]:
    ...     print(problem.message)
    C5, D5: two dice of the same color (red) side by side.
    D4, D5: two dice of the same value (2) side by side.
    """
    toolbox = Toolbox.of(tools)
    reasons: dict[Cell, tuple[Problem, ...]] = {}
    for cell in ALL_CELLS:
        problems = tuple(_problems(board, cell, die, pattern, toolbox))
        one_tool_helps = any(
            all(tool in problem.could_excuse for problem in problems) for tool in toolbox.tools
        )
        if problems and not one_tool_helps:
            reasons[cell] = problems
    return reasons


def _problems(
    board: Board, cell: Cell, die: Die, pattern: WindowPattern | None, toolbox: Toolbox
) -> Iterator[Problem]:
    """Yield each rule that forbids the die on the cell, with the tools that lift it."""
    there = board[cell]
    if there is not None:
        said = sentence("{cells}: {die} lies there already.", cells=[cell], die=there)
        yield Problem(ProblemCode.SPACE_TAKEN.value, (cell,), said)
        return
    if pattern is not None and not pattern.accepts(cell, die):
        code, said = wrong_print(cell, die, pattern[cell])
        yield Problem(code.value, (cell,), said, could_excuse=_lifted_by(code, toolbox))
    for beside in side_neighbors(cell):
        other = board[beside]
        if other is not None:
            pair = (min(cell, beside), max(cell, beside))
            for code, cells, said in alike_neighbors(pair, die, other):
                yield Problem(code.value, cells, said, could_excuse=_lifted_by(code, toolbox))
    yield from _position_problems(board, cell, toolbox)


def _position_problems(board: Board, cell: Cell, toolbox: Toolbox) -> Iterator[Problem]:
    """Yield the problem of a first die away from the edge, or of a later one that touches no die."""
    if board == Board.empty():
        if not is_on_edge(cell):
            said = sentence("{cells}: the first die goes on the edge of the window.", cells=[cell])
            yield Problem(ProblemCode.FIRST_DIE_EDGE.value, (cell,), said)
    elif not any(board[neighbor] for neighbor in touching(cell)):
        said = sentence("{cells}: touches no die, not even by a corner.", cells=[cell])
        code = ProblemCode.NOT_CONNECTED
        yield Problem(code.value, (cell,), said, could_excuse=_lifted_by(code, toolbox))


def _lifted_by(code: ProblemCode, toolbox: Toolbox) -> tuple[Tool, ...]:
    """Return the tools that lift this rule for the die they are used on."""
    house_rules = tuple(toolbox.house_rules)
    brush_ignores_neighbors = HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS in house_rules
    burnisher_ignores_neighbors = HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS in house_rules
    lifts = {
        ProblemCode.COLOR_RESTRICTION: Tool.EGLOMISE_BRUSH,
        ProblemCode.VALUE_RESTRICTION: Tool.COPPER_FOIL_BURNISHER,
        ProblemCode.NOT_CONNECTED: Tool.CORK_BACKED_STRAIGHTEDGE,
    }
    if brush_ignores_neighbors:
        lifts[ProblemCode.SAME_COLOR_NEIGHBORS] = Tool.EGLOMISE_BRUSH
    if burnisher_ignores_neighbors:
        lifts[ProblemCode.SAME_VALUE_NEIGHBORS] = Tool.COPPER_FOIL_BURNISHER
    return (lifts[code],) if code in lifts else ()
