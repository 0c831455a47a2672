"""The rules of Sagrada. Pure Python, no pictures.

What to read, in this order:

- The things of the game: `dice`, `cells`, `board`, `patterns` (the window cards), `tools` (the tool cards).
- Points: `objectives` (public and private), `totals` (all lines of a player's score).
- Placement: `placement` (what is wrong with a finished window), `excuses` (what tools account for),
  `problems` (how that is told), `next_die` (where a die may go), `fillable` (spaces that are lost),
  `removals` (after a mistake).
- Which card it was: `evidence` (how much one space tells), `identify` (all cards, best first).
- The game around it: `game` (players, turns, tokens), `track` (round track, score track), `tie_breaks` and
  `standings` (who won, and why), `solo`.
- Windows of your own: `custom_windows`, `window_collection`, `window_file`.
- Words: `sentences` (what there is to say), `words` (that, and names, in four languages), `errors` (what is
  refused), `lookup` (finding a thing by its name), `names`, `notation`.

What is known about open questions of the rules stands in docs/rules.md.

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

import importlib
import typing

from scoring.board import Board
from scoring.cells import ALL_CELLS, COLUMNS, ROWS, Cell, cell_from_name, cell_name
from scoring.dice import Color, Die
from scoring.errors import InvalidValueError, NotationError, ScoringError, UnknownNameError
from scoring.fillable import dead_cells
from scoring.next_die import legal_cells, why_not
from scoring.objectives import Group, PublicObjective, Score, score_private
from scoring.patterns import WINDOW_PATTERNS, KnownPatterns, Restriction, WindowPattern
from scoring.placement import PlacementReport, check_placement, placement_problems
from scoring.problems import Notice, Problem, ProblemCode
from scoring.tools import HouseRule, Tool, Toolbox
from scoring.totals import Breakdown, Line, LineKind, score_player
from scoring.words import LANGUAGES, Sentence, Words, counted, sentence, words_in

if typing.TYPE_CHECKING:
    from scoring.custom_windows import can_be_filled, check_window, custom_window
    from scoring.game import (
        Game,
        Setup,
        check_favor_tokens_left,
        favor_tokens_at_start,
        most_tool_uses,
        setup,
        tool_cost,
    )
    from scoring.identify import WindowMatch, WindowRanking, identify_window, parse_open_cells
    from scoring.removals import Removal, Removals, best_removals
    from scoring.solo import SoloResult, check_solo_tools, score_solo, tools_to_pay_for
    from scoring.standings import Standing, Standings, rank
    from scoring.tie_breaks import Criterion, Decision, Player
    from scoring.track import RoundTrack, ScoreMarker, score_marker
    from scoring.window_collection import CustomWindows

__all__ = [
    "ALL_CELLS",
    "COLUMNS",
    "LANGUAGES",
    "ROWS",
    "WINDOW_PATTERNS",
    "Board",
    "Breakdown",
    "Cell",
    "Color",
    "Criterion",
    "CustomWindows",
    "Decision",
    "Die",
    "Game",
    "Group",
    "HouseRule",
    "InvalidValueError",
    "KnownPatterns",
    "Line",
    "LineKind",
    "NotationError",
    "Notice",
    "PlacementReport",
    "Player",
    "Problem",
    "ProblemCode",
    "PublicObjective",
    "Removal",
    "Removals",
    "Restriction",
    "RoundTrack",
    "Score",
    "ScoreMarker",
    "ScoringError",
    "Sentence",
    "Setup",
    "SoloResult",
    "Standing",
    "Standings",
    "Tool",
    "Toolbox",
    "UnknownNameError",
    "WindowMatch",
    "WindowPattern",
    "WindowRanking",
    "Words",
    "best_removals",
    "can_be_filled",
    "cell_from_name",
    "cell_name",
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
    "words_in",
]

# Not everybody needs these, so they are loaded when they are first asked for: that keeps the start quick.
_LATER = {
    "scoring.custom_windows": ("can_be_filled", "check_window", "custom_window"),
    "scoring.game": (
        "Game",
        "Setup",
        "check_favor_tokens_left",
        "favor_tokens_at_start",
        "most_tool_uses",
        "setup",
        "tool_cost",
    ),
    "scoring.identify": ("WindowMatch", "WindowRanking", "identify_window", "parse_open_cells"),
    "scoring.removals": ("Removal", "Removals", "best_removals"),
    "scoring.solo": ("SoloResult", "check_solo_tools", "score_solo", "tools_to_pay_for"),
    "scoring.standings": ("Standing", "Standings", "rank"),
    "scoring.tie_breaks": ("Criterion", "Decision", "Player"),
    "scoring.track": ("RoundTrack", "ScoreMarker", "score_marker"),
    "scoring.window_collection": ("CustomWindows",),
}

if not typing.TYPE_CHECKING:  # for the type checker the imports above say more

    def __getattr__(name: str) -> object:
        """Return one of the names that are loaded when they are first asked for."""
        for module, names in _LATER.items():
            if name in names:
                globals().update({one: getattr(importlib.import_module(module), one) for one in names})
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
