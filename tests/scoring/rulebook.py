"""The two worked examples of the rulebook, as facts: boards, cards and the points they come to.

Read from the pictures on pages 3 and 4 of the Italian rulebook. The scored window breaks its own card: the
red 3 at C5 lies on a space that needs a 1.
"""

from __future__ import annotations

from scoring import Board, Color, Die, PublicObjective

WINDOW = "Fractal Drops"

SCORED_BOARD = Board.parse("-- G4 R2 Y5 P6 / R3 B1 -- G1 Y2 / P5 G6 -- P6 R3 / B4 Y3 G4 B2 G4")
PUBLIC = (PublicObjective.COLUMN_COLOR_VARIETY, PublicObjective.LIGHT_SHADES, PublicObjective.COLOR_VARIETY)
PRIVATE = Color.PURPLE

PLACEMENT_BOARD = Board.parse("-- -- -- -- -- / -- -- -- G1 -- / -- -- -- P6 R3 / -- -- -- B2 --")
DIE_TO_PLACE = Die.parse("R2")
