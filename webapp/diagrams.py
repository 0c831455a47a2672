"""Plain data for what the templates draw: glass colors, pips, and the pictures on the cards."""

from __future__ import annotations

from scoring import PublicObjective

GLASS = [
    # letter, light, middle, deep: dyes measured on photographs of dice, made a little brighter
    ("R", "#f0685c", "#c62f2a", "#7d1418"),
    ("Y", "#ffdf7a", "#e0a81c", "#a06a08"),
    ("G", "#5fce8c", "#1f8f55", "#0a4f36"),
    ("B", "#79cdf0", "#2387be", "#0b4674"),
    ("P", "#bd7fd6", "#7a3596", "#401456"),
]

_L, _M, _H = 28, 50, 72
PIPS = {
    1: [(_M, _M)],
    2: [(_H, _L), (_L, _H)],
    3: [(_H, _L), (_M, _M), (_L, _H)],
    4: [(_L, _L), (_H, _L), (_L, _H), (_H, _H)],
    5: [(_L, _L), (_H, _L), (_M, _M), (_L, _H), (_H, _H)],
    6: [(_L, 25), (_H, 25), (_L, _M), (_H, _M), (_L, 75), (_H, 75)],
}
"""Centers of the pips of each value on a face of 100 x 100."""

OBJECTIVES = {
    PublicObjective.ROW_COLOR_VARIETY: [".....", "RYGBP", ".....", "....."],
    PublicObjective.COLUMN_COLOR_VARIETY: ["..R..", "..B..", "..Y..", "..G.."],
    PublicObjective.ROW_SHADE_VARIETY: [".....", "15243", ".....", "....."],
    PublicObjective.COLUMN_SHADE_VARIETY: ["..3..", "..6..", "..1..", "..4.."],
    PublicObjective.LIGHT_SHADES: [".....", ".1...", "...2.", "....."],
    PublicObjective.MEDIUM_SHADES: [".....", ".3...", "...4.", "....."],
    PublicObjective.DEEP_SHADES: [".....", ".5...", "...6.", "....."],
    PublicObjective.SHADE_VARIETY: ["1....", "..2.3", "4..5.", "....6"],
    PublicObjective.COLOR_VARIETY: ["R....", "...Y.", ".G..B", "..P.."],
    PublicObjective.COLOR_DIAGONALS: ["B....", ".B.Y.", "B.Y..", "...Y."],
}
"""What each card's picture shows: four rows of five, a color, a value or nothing."""

HERO = [
    # restriction, then the die: the window on the start page (the rulebook's worked example, 40 points)
    *(".", "4G4", ".R2", "YY5", "6P6"),
    *("RR3", ".B1", "2", ".G1", ".Y2"),
    *(".P5", ".G6", "R", "PP6", "1R3"),
    *("BB4", "YY3", ".G4", ".B2", ".G4"),
]
