"""The game around the window: players, turns, tokens, tracks, the solo game, and who won."""
