"""Simpler ways to find the grid and to read the dice, measured beside the program's own.

Nothing here runs when a photo is read: the rivals are kept so that anybody can see what the learned parts
are worth, and can measure again (``python -m benchmarks.rivals``).
"""
