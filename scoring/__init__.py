"""The rules of Sagrada: dice, windows, objectives and placement. Pure Python, no pictures.

Start reading with `scoring.board`, then `scoring.objectives` and `scoring.placement`.

Examples
--------
>>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
>>> score_player(
...     board,
...     public=[
...         PublicObjective.COLUMN_COLOR_VARIETY,
...         PublicObjective.LIGHT_SHADES,
...         PublicObjective.COLOR_VARIETY,
...     ],
...     private=Color.PURPLE,
... ).total
40
"""

from scoring.board import Board
from scoring.cells import ALL_CELLS, COLUMNS, ROWS, Cell, cell_from_name, cell_name
from scoring.dice import Color, Die
from scoring.errors import InvalidValueError, NotationError, ScoringError, UnknownNameError
from scoring.fillable import dead_cells
from scoring.next_die import legal_cells, why_not
from scoring.objectives import Group, PublicObjective, Score, score_private
from scoring.patterns import WINDOW_PATTERNS, Restriction, WindowPattern
from scoring.placement import PlacementReport, check_placement, placement_problems
from scoring.problems import Notice, Problem, ProblemCode
from scoring.tools import HouseRule, Tool, Toolbox
from scoring.totals import Breakdown, Line, LineKind, score_player
from scoring.words import Sentence, Words

__all__ = [
    "ALL_CELLS",
    "COLUMNS",
    "ROWS",
    "WINDOW_PATTERNS",
    "Board",
    "Breakdown",
    "Cell",
    "Color",
    "Die",
    "Group",
    "HouseRule",
    "InvalidValueError",
    "Line",
    "LineKind",
    "NotationError",
    "Notice",
    "PlacementReport",
    "Problem",
    "ProblemCode",
    "PublicObjective",
    "Restriction",
    "Score",
    "ScoringError",
    "Sentence",
    "Tool",
    "Toolbox",
    "UnknownNameError",
    "WindowPattern",
    "Words",
    "cell_from_name",
    "cell_name",
    "check_placement",
    "dead_cells",
    "legal_cells",
    "placement_problems",
    "score_player",
    "score_private",
    "why_not",
]
