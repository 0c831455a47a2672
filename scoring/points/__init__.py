"""Points: what each card counts, and all lines of a player's score."""
