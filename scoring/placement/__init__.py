"""Placement: what is wrong with a window, what tools account for, and where dice may go."""
