"""Plain data for what the templates draw: glass colors, pips, and the window on the start page."""

from __future__ import annotations

GLASS = [
    # letter, light, middle, deep: dyes measured on photographs of dice, made a little brighter
    ("R", "#f0685c", "#c62f2a", "#7d1418"),
    ("Y", "#ffdf7a", "#e0a81c", "#a06a08"),
    ("G", "#5fce8c", "#1f8f55", "#0a4f36"),
    ("B", "#79cdf0", "#2387be", "#0b4674"),
    ("P", "#bd7fd6", "#7a3596", "#401456"),
]


HERO = [
    # restriction, then the die: the window on the start page (the rulebook's worked example, 40 points)
    *(".", "4G4", ".R2", "YY5", "6P6"),
    *("RR3", ".B1", "2", ".G1", ".Y2"),
    *(".P5", ".G6", "R", "PP6", "1R3"),
    *("BB4", "YY3", ".G4", ".B2", ".G4"),
]
