"""The rules of Sagrada. Pure Python, no pictures.

What to read, in this order:

- The things of the game: `board` (cells, dice and windows) and `tools`.
- `patterns`: the window cards (`patterns`), windows of your own (`custom`, `collection`), and which card
  lies under the dice (`identify`).
- `points`: the public `objectives` and the `private` ones, how they count dice (`counting`), and all lines of
  a player's score (`totals`).
- `placement`: what is wrong with a window that is `finished`, where the `next_die` may go, and what to take
  off after a mistake (`removals`).
- `game`: its `setup` (players, turns, tokens, tracks), the `solo` game, and who won and why (`standings`).
- Words: `sentences` (what there is to say), `words` (that, and names, in four languages), `errors` (what is
  refused), `names` and `lookup` (finding a thing by its name, in one language and in all).

What is known about open questions of the rules stands in docs/rules.md.

Examples
--------
>>> board = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
>>> score_player(board, ["Column Color Variety", "Light Shades", "Color Variety"], private="purple").total
40
"""

from scoring.board import (
    ALL_CELLS,
    COLUMNS,
    GRAY,
    ORANGE,
    RARE_GLASS,
    ROWS,
    Board,
    Cell,
    Color,
    Die,
    cell_from_name,
    cell_name,
)
from scoring.errors import InvalidValueError, NotationError, SagradaError, ScoringError, UnknownNameError
from scoring.game.setup import (
    RoundTrack,
    ScoreMarker,
    Setup,
    TurnOrder,
    check_favor_tokens_left,
    favor_tokens_at_start,
    most_tool_uses,
    score_marker,
    setup,
    tool_cost,
    window_cards,
)
from scoring.game.solo import SoloResult, check_solo_tools, score_solo, tools_to_pay_for
from scoring.game.standings import Criterion, Decision, Player, Standing, Standings, rank
from scoring.patterns.collection import CustomWindows
from scoring.patterns.custom import can_be_filled, check_window, custom_window
from scoring.patterns.identify import WindowMatch, WindowRanking, identify_window
from scoring.patterns.patterns import (
    EVERY_WINDOW,
    WINDOW_PATTERNS,
    KnownPatterns,
    Restriction,
    WindowPattern,
    WindowSet,
    parse_open_cells,
)
from scoring.placement.finished import (
    Notice,
    PlacementReport,
    Problem,
    ProblemCode,
    check_placement,
    dead_cells,
    placement_problems,
)
from scoring.placement.next_die import (
    Change,
    Move,
    changes_by_tools,
    legal_cells,
    moves_after_placing,
    why_not,
)
from scoring.placement.removals import Removal, Removals, best_removals
from scoring.points.counting import Group
from scoring.points.objectives import PublicObjective, Score
from scoring.points.private import PRIVATE_OBJECTIVES, MarkedSpaces, PrivateObjective, score_private
from scoring.points.totals import Breakdown, Line, LineKind, score_player
from scoring.sentences import Sentence, Words, counted, sentence
from scoring.tools import EXPANSION_TOOLS, HouseRule, Lift, Tool, Toolbox, ToolEffect
from scoring.words import LANGUAGES, words_in

__all__ = [
    "ALL_CELLS",
    "COLUMNS",
    "EVERY_WINDOW",
    "EXPANSION_TOOLS",
    "GRAY",
    "LANGUAGES",
    "ORANGE",
    "PRIVATE_OBJECTIVES",
    "RARE_GLASS",
    "ROWS",
    "WINDOW_PATTERNS",
    "Board",
    "Breakdown",
    "Cell",
    "Change",
    "Color",
    "Criterion",
    "CustomWindows",
    "Decision",
    "Die",
    "Group",
    "HouseRule",
    "InvalidValueError",
    "KnownPatterns",
    "Lift",
    "Line",
    "LineKind",
    "MarkedSpaces",
    "Move",
    "NotationError",
    "Notice",
    "PlacementReport",
    "Player",
    "PrivateObjective",
    "Problem",
    "ProblemCode",
    "PublicObjective",
    "Removal",
    "Removals",
    "Restriction",
    "RoundTrack",
    "SagradaError",
    "Score",
    "ScoreMarker",
    "ScoringError",
    "Sentence",
    "Setup",
    "SoloResult",
    "Standing",
    "Standings",
    "Tool",
    "ToolEffect",
    "Toolbox",
    "TurnOrder",
    "UnknownNameError",
    "WindowMatch",
    "WindowPattern",
    "WindowRanking",
    "WindowSet",
    "Words",
    "best_removals",
    "can_be_filled",
    "cell_from_name",
    "cell_name",
    "changes_by_tools",
    "check_favor_tokens_left",
    "check_placement",
    "check_solo_tools",
    "check_window",
    "counted",
    "custom_window",
    "dead_cells",
    "favor_tokens_at_start",
    "identify_window",
    "legal_cells",
    "most_tool_uses",
    "moves_after_placing",
    "parse_open_cells",
    "placement_problems",
    "rank",
    "score_marker",
    "score_player",
    "score_private",
    "score_solo",
    "sentence",
    "setup",
    "tool_cost",
    "tools_to_pay_for",
    "why_not",
    "window_cards",
    "words_in",
]
