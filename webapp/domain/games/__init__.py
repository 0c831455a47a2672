"""A game at the table: who sits where, which cards lie there, what is said of it and to whom.

`game` (players and the reveal), `cards` (objectives, tools, tokens) and `view` (what a visitor may see) are
pure Python: no Flask, no database. `result` counts the points.
"""
