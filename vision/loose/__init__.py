"""Dice that lie in no window: where they are, and what they show."""
